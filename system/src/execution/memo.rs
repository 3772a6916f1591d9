//! Remembered steps: what a process does depends on few variables, so it is computed once for each of their values.
//!
//! The commands of a process at a control point read and change a small part of the state. A [`Memo`] remembers, for
//! each value of that part, the steps that [`Machine::successors`] finds, and applies them to other states with the
//! same part: a look into a small table instead of running plans. Where a variable decides which commands can run at all, there
//! is a table for each of its values ([`Fork`]). The idea is the local transition caching of LTSmin
//! (S. Blom, J. van de Pol, M. Weber, CAV 2010). Where parts hardly ever recur, the memo steps aside.

use super::fork::{Fork, Forks};
use super::machine::{Dispatch, Halt, Machine, Workspace};
use super::plan::Plan;
use super::state::Field;
use super::step::Visit;
use crate::definition::ids::{CommandId, PointId, ProcessId, VarId};
use hashbrown::HashTable;
use index_vec::IndexVec;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The most words that a memo remembers.
const MOST_WORDS: usize = 4 << 20;

/// After this many looks, a table with more misses than hits is given up.
const TRIAL: u32 = 4096;

/// A step of one process from a state: the position among the steps of that process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// Who moves.
    pub process: ProcessId,
    /// Which of its steps.
    pub index: u32,
}

/// The memory that one thread needs to compute successors fast.
#[derive(Debug)]
pub struct Memo {
    workspace: Workspace,
    roots: IndexVec<ProcessId, Root>,
    places: Vec<Place>,
    forks: Forks,
    /// The state at hand, in which a step is made and taken back.
    next: Vec<u64>,
    /// How many words are remembered.
    words: usize,
}

/// Where to look for steps.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// In a place that is made when first needed.
    Unmade,
    /// Nowhere: no command can run.
    Nowhere,
    /// In a place.
    To(u32),
}

/// Where to look for the steps of a process.
#[derive(Debug)]
struct Root {
    /// Its program counter, if the numbers that are stored for it are those of `ways`; else control points are.
    pc: Option<Field>,
    /// Where to look at each control point; the last one is for being at none.
    ways: Vec<Way>,
}

#[derive(Debug)]
enum Place {
    /// A variable, which is stored in a field, says where to look on.
    Fork(Fork, Field, Vec<Way>),
    Steps(Table),
}

/// The remembered steps of a process by some commands.
#[derive(Debug, Default)]
struct Table {
    /// The commands that may run.
    candidates: Box<[CommandId]>,
    /// The variables that they look at or change.
    vars: Box<[VarId]>,
    /// The part of the state that matters: words and bits.
    part: Box<[(u32, u64)]>,
    index: HashTable<u32>,
    /// For each entry, the values of the part.
    keys: Vec<u64>,
    /// For each entry, where its steps start; the next entry's start is the end.
    starts: Vec<u32>,
    /// The entry that was found last: most states have the same part as the state before.
    last: u32,
    commands: Vec<CommandId>,
    /// For each step, the new values of the part.
    values: Vec<u64>,
    looks: u32,
    misses: u32,
    given_up: bool,
}

impl Machine {
    /// Memory for computing successors fast.
    pub fn memo(&self) -> Memo {
        let roots = self.dispatch.iter().map(root).collect();
        let next = vec![0; self.layout().words()];
        let (workspace, forks) = (self.workspace(), Forks::new(self));
        Memo { workspace, roots, places: Vec::new(), forks, next, words: 0 }
    }

    /// The bits of the state that belong to some variables, and to who has control: words and bits.
    fn part(&self, vars: &[VarId]) -> Box<[(u32, u64)]> {
        let mask = self.layout().mask(vars.iter().copied()).into_iter().enumerate();
        mask.filter(|(_, mask)| *mask != 0).map(|(word, mask)| (word as u32, mask)).collect()
    }

    /// The variables that a command looks at or changes, in order.
    pub(crate) fn touched(&self, command: CommandId) -> Vec<VarId> {
        let mut vars = self.mentioned(self.plan(command));
        let partner = self.system().commands[command].partner;
        vars.extend(partner.and_then(|partner| self.dispatch[partner.process].pc));
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// The variables that a plan looks at or changes.
    pub(crate) fn mentioned(&self, plan: &Plan) -> Vec<VarId> {
        let variables = self.system().variables.len();
        let mentioned = plan.mentions().into_iter().map(|register| register as usize);
        let named = mentioned.filter(|register| *register < 2 * variables).map(|r| VarId::from(r % variables));
        named.chain(plan.changed.iter().copied()).collect()
    }
}

/// Where the tree of a process begins, with nothing remembered.
fn root(dispatch: &Dispatch) -> Root {
    let ways = if dispatch.field.is_some() { dispatch.point_at.len() } else { dispatch.at.len() + 1 };
    Root { pc: dispatch.field, ways: vec![Way::Unmade; ways] }
}

impl Table {
    fn hash(&self, state: &[u64]) -> u64 {
        hash_of(self.part.iter().map(|(word, mask)| state[*word as usize] & mask))
    }

    /// Whether the entry that was found last is that of a state.
    #[inline]
    fn is_last(&self, state: &[u64]) -> bool {
        (self.last as usize) < self.starts.len() && self.is_entry(self.last, state)
    }

    fn find(&self, state: &[u64], hash: u64) -> Option<u32> {
        self.index.find(hash, |entry| self.is_entry(*entry, state)).copied()
    }

    #[inline]
    fn is_entry(&self, entry: u32, state: &[u64]) -> bool {
        let width = self.part.len();
        let key = &self.keys[entry as usize * width..][..width];
        self.part.iter().zip(key).all(|((word, mask), key)| state[*word as usize] & mask == *key)
    }

    #[inline]
    fn steps(&self, entry: u32) -> std::ops::Range<usize> {
        let entry = entry as usize;
        let end = self.starts.get(entry + 1).map_or(self.commands.len(), |end| *end as usize);
        self.starts[entry] as usize..end
    }

    /// Turns the state before a step into the state after it.
    #[inline]
    fn apply(&self, step: usize, next: &mut [u64]) {
        let width = self.part.len();
        for ((word, mask), value) in self.part.iter().zip(&self.values[step * width..][..width]) {
            let word = &mut next[*word as usize];
            *word = *word & !mask | value;
        }
    }

    /// Takes a step from a state back.
    #[inline]
    fn take_back(&self, state: &[u64], next: &mut [u64]) {
        for (word, _) in &self.part {
            next[*word as usize] = state[*word as usize];
        }
    }

    /// Whether remembering has not paid so far.
    fn is_useless(&self) -> bool {
        self.looks >= TRIAL && self.misses > self.looks / 2
    }

    fn give_up(&mut self) {
        let (candidates, vars) = (std::mem::take(&mut self.candidates), std::mem::take(&mut self.vars));
        *self = Table { candidates, vars, given_up: true, ..Table::default() };
    }

    /// Opens an entry for a state; its steps follow by [`Table::remember`].
    fn open(&mut self, state: &[u64], hash: u64) -> u32 {
        let entry = self.starts.len() as u32;
        self.starts.push(self.commands.len() as u32);
        self.keys.extend(self.part.iter().map(|(word, mask)| state[*word as usize] & mask));
        let (width, keys) = (self.part.len(), &self.keys);
        self.index
            .insert_unique(hash, entry, |entry| hash_of(keys[*entry as usize * width..][..width].iter().copied()));
        entry
    }

    fn remember(&mut self, command: CommandId, next: &[u64]) {
        self.commands.push(command);
        self.values.extend(self.part.iter().map(|(word, mask)| next[*word as usize] & mask));
    }
}

impl Memo {
    /// Visits every successor of a state as [`Machine::successors`] does, in the same order.
    pub fn successors(
        &mut self,
        machine: &Machine,
        state: &[u64],
        mut visit: impl FnMut(Local, CommandId, &[u64]) -> Visit,
    ) -> Result<(), Halt> {
        self.next.copy_from_slice(state);
        let mut moved = false;
        let mut watched = |local, command, next: &[u64]| {
            moved = true;
            visit(local, command, next)
        };
        if let Some(holder) = machine.layout().holder(state) {
            let _ = self.steps_of(machine, holder, state, &mut watched)?;
        }
        if !moved {
            self.steps_of_all(machine, state, &mut |local, command, next| {
                moved = true;
                visit(local, command, next)
            })?;
        }
        if !moved && machine.waits {
            let mut last = None;
            return machine.successors(state, &mut self.workspace, |successor| {
                let process = machine.system().commands[successor.command].owner.process;
                let index = last.filter(|last: &Local| last.process == process).map_or(0, |last| last.index + 1);
                let local = Local { process, index };
                last = Some(local);
                visit(local, successor.command, successor.state)
            });
        }
        Ok(())
    }

    /// How much has been computed because it was not remembered; see [`Workspace::executed`].
    pub fn executed(&self) -> u64 {
        self.workspace.executed
    }

    /// Whether the model asks for timeouts and this state is one: no process can move otherwise.
    pub fn times_out(&mut self, machine: &Machine, state: &[u64]) -> Result<bool, Halt> {
        if !machine.waits {
            return Ok(false);
        }
        self.next.copy_from_slice(state);
        let mut moves = false;
        self.steps_of_all(machine, state, &mut |_, _, _| {
            moves = true;
            Visit::Break(())
        })?;
        Ok(!moves)
    }

    /// Visits the steps of the process that has control: none if no process has it, or if it cannot go on.
    pub fn held_successors(
        &mut self,
        machine: &Machine,
        state: &[u64],
        mut visit: impl FnMut(CommandId, &[u64]),
    ) -> Result<(), Halt> {
        if let Some(holder) = machine.layout().holder(state) {
            self.next.copy_from_slice(state);
            let _ = self.steps_of(machine, holder, state, &mut |_, command, next| {
                visit(command, next);
                Visit::Continue(())
            })?;
        }
        Ok(())
    }

    /// The state after a step that [`Memo::successors`] visited, and its command.
    pub fn execute(
        &mut self,
        machine: &Machine,
        state: &[u64],
        step: Local,
        next: &mut [u64],
    ) -> Result<Option<CommandId>, Halt> {
        self.next.copy_from_slice(state);
        let mut found = None;
        let mut pick = |local, command, after: &[u64]| {
            if local != step {
                return Visit::Continue(());
            }
            next.copy_from_slice(after);
            found = Some(command);
            Visit::Break(())
        };
        let is_done = self.steps_of(machine, step.process, state, &mut pick)?.is_break();
        if !is_done && machine.waits {
            self.successors(machine, state, &mut pick)?;
        }
        Ok(found)
    }

    fn steps_of_all(
        &mut self,
        machine: &Machine,
        state: &[u64],
        visit: &mut impl FnMut(Local, CommandId, &[u64]) -> Visit,
    ) -> Result<(), Halt> {
        for process in machine.system().processes.indices() {
            if self.steps_of(machine, process, state, visit)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Visits the steps of one process while no process waits for a timeout. `next` has to be the state, and is so afterwards unless
    /// the visitor had enough.
    fn steps_of(
        &mut self,
        machine: &Machine,
        process: ProcessId,
        state: &[u64],
        visit: &mut impl FnMut(Local, CommandId, &[u64]) -> Visit,
    ) -> Result<Visit, Halt> {
        let Some(place) = self.place(machine, process, state) else { return Ok(Visit::Continue(())) };
        let Place::Steps(table) = &mut self.places[place] else { return Ok(Visit::Continue(())) };
        if table.given_up {
            return self.steps_by_plan(machine, process, place, state, visit);
        }
        table.looks = table.looks.saturating_add(1);
        if !table.is_last(state) {
            let hash = table.hash(state);
            let found = match table.find(state, hash) {
                None => self.learn(machine, process, place, state, hash)?,
                found => found,
            };
            let Some(found) = found else { return self.steps_by_plan(machine, process, place, state, visit) };
            if let Place::Steps(table) = &mut self.places[place] {
                table.last = found;
            }
        }
        let Place::Steps(table) = &self.places[place] else { return Ok(Visit::Continue(())) };
        for (index, step) in table.steps(table.last).enumerate() {
            table.apply(step, &mut self.next);
            let local = Local { process, index: index as u32 };
            if visit(local, table.commands[step], &self.next).is_break() {
                return Ok(Visit::Break(()));
            }
            table.take_back(state, &mut self.next);
        }
        Ok(Visit::Continue(()))
    }

    /// The place of the table with the steps of a process, if it may have any.
    fn place(&mut self, machine: &Machine, process: ProcessId, state: &[u64]) -> Option<usize> {
        let root = &self.roots[process];
        let at = match root.pc {
            Some(pc) => pc.get(state) as usize,
            None => machine.point_in(process, state).map_or(root.ways.len() - 1, PointId::index),
        };
        let mut way = root.ways[at];
        if let Way::Unmade = way {
            way = self.make(machine, machine.dispatch[process].commands(machine.point_in(process, state)));
            self.roots[process].ways[at] = way;
        }
        loop {
            let Way::To(place) = way else { return None };
            let Place::Fork(fork, field, ways) = &self.places[place as usize] else { return Some(place as usize) };
            let number = field.get(state) as usize;
            way = ways[number];
            if let Way::Unmade = way {
                let commands = fork.ways[number].clone();
                way = self.make(machine, &commands);
                if let Place::Fork(_, _, ways) = &mut self.places[place as usize] {
                    ways[number] = way;
                }
            }
        }
    }

    fn make(&mut self, machine: &Machine, commands: &[CommandId]) -> Way {
        if commands.is_empty() {
            return Way::Nowhere;
        }
        let fork = self.forks.fork(machine, commands);
        let fork = fork.and_then(|fork| Some((machine.layout().field(fork.var)?, fork)));
        self.places.push(match fork {
            Some((field, fork)) => {
                let ways = vec![Way::Unmade; fork.ways.len()];
                Place::Fork(fork, field, ways)
            }
            None => {
                let vars = self.forks.touched(machine, commands);
                let part = machine.part(&vars);
                Place::Steps(Table { candidates: commands.into(), vars, part, ..Table::default() })
            }
        });
        Way::To(self.places.len() as u32 - 1)
    }

    fn steps_by_plan(
        &mut self,
        machine: &Machine,
        process: ProcessId,
        place: usize,
        state: &[u64],
        visit: &mut impl FnMut(Local, CommandId, &[u64]) -> Visit,
    ) -> Result<Visit, Halt> {
        let Place::Steps(Table { candidates, vars, .. }) = &self.places[place] else {
            return Ok(Visit::Continue(()));
        };
        machine.load_some(state, vars, &mut self.workspace);
        let mut index = 0;
        machine.successors_by(process, candidates, state, &mut self.workspace, &mut |successor| {
            index += 1;
            visit(Local { process, index: index - 1 }, successor.command, successor.state)
        })
    }

    /// How much memory the memo takes, about.
    pub fn bytes(&self) -> usize {
        self.words * size_of::<u64>() * 3 / 2
    }

    /// Computes the steps of a process and remembers them; `None` if the table is given up instead.
    fn learn(
        &mut self,
        machine: &Machine,
        process: ProcessId,
        place: usize,
        state: &[u64],
        hash: u64,
    ) -> Result<Option<u32>, Halt> {
        let Place::Steps(table) = &mut self.places[place] else { return Ok(None) };
        table.misses = table.misses.saturating_add(1);
        let before = table.keys.len() + table.values.len();
        if table.is_useless() {
            table.give_up();
            self.words -= before;
            return Ok(None);
        }
        if self.words >= MOST_WORDS {
            return Ok(None);
        }
        machine.load_some(state, &table.vars, &mut self.workspace);
        let entry = table.open(state, hash);
        let candidates = std::mem::take(&mut table.candidates);
        let done = machine.successors_by(process, &candidates, state, &mut self.workspace, &mut |successor| {
            table.remember(successor.command, successor.state);
            Visit::Continue(())
        });
        table.candidates = candidates;
        if let Err(failure) = done {
            // What was found before the fault is no full list of steps.
            table.give_up();
            self.words -= before;
            return Err(failure);
        }
        self.words += table.keys.len() + table.values.len() - before;
        Ok(Some(entry))
    }
}

fn hash_of(key: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    key.for_each(|word| hasher.write_u64(word));
    hasher.finish()
}
