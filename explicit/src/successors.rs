//! Initial states, and the successors of a state, collected for choosing among them.

use super::persistent::Enabled;
use super::rows::are_equal;
use rustc_hash::FxHashSet;
use system::{CommandId, Halt, Local, Machine, Memo, State, Visit};

/// The initial states, each once, in order.
pub fn initial_states(machine: &Machine) -> Result<Vec<State>, Halt> {
    let mut initial = Vec::new();
    machine.initial_states(&mut machine.workspace(), |state| {
        initial.push(state);
        Visit::Continue(())
    })?;
    initial.sort_unstable();
    initial.dedup();
    Ok(initial)
}

/// How a successor is reached.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The first command's step.
    pub local: Local,
    /// The first command.
    pub command: CommandId,
    /// How many commands run: one, or those of an atomic section.
    pub length: u32,
}

/// The successors of a state.
#[derive(Debug, Default)]
pub struct Successors {
    ways: Vec<Way>,
    words: Vec<u64>,
    enabled: Vec<Enabled>,
    /// Room for the steps that begin sections.
    first_ways: Vec<Way>,
    first_words: Vec<u64>,
    /// The states inside the sections of the command at hand.
    seen: FxHashSet<State>,
    has_steps: bool,
    /// Whether a process has control and goes on, so that no other process can move.
    pub is_held: bool,
    /// The states inside the section at hand; where a section could not be run to its end, they lead to the fault.
    pub inside: Vec<State>,
}

impl Successors {
    /// Collects the successors of a state.
    pub fn collect(&mut self, machine: &Machine, memo: &mut Memo, state: &[u64]) -> Result<(), Halt> {
        self.clear();
        self.is_held = false;
        memo.held_successors(machine, state, |_, _| self.is_held = true)?;
        memo.successors(machine, state, |local, command, next| {
            self.add(Way { local, command, length: 1 }, state, next);
            Visit::Continue(())
        })?;
        self.has_steps = !self.ways.is_empty();
        Ok(())
    }

    /// Collects the successors of a state that other processes see, each atomic section run to its ends. `look` is shown
    /// the states inside a section up to the one that a command just led to.
    pub fn collect_visible(
        &mut self,
        machine: &Machine,
        memo: &mut Memo,
        state: &[u64],
        mut look: impl FnMut(&[State], CommandId) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        self.collect(machine, memo, state)?;
        if !machine.system().has_atomic_sections {
            return Ok(());
        }
        std::mem::swap(&mut self.ways, &mut self.first_ways);
        std::mem::swap(&mut self.words, &mut self.first_words);
        self.clear();
        let (ways, words) = (std::mem::take(&mut self.first_ways), std::mem::take(&mut self.first_words));
        let mut last = None;
        for (way, next) in ways.iter().zip(words.chunks_exact(state.len())) {
            // What one step of a command led to need not be run again after another step of it.
            if last.replace(way.command) != Some(way.command) {
                self.seen.clear();
            }
            if machine.layout().holder(next).is_some() {
                self.run_section(machine, memo, state, *way, State(next.into()), &mut look)?;
            } else {
                self.add(*way, state, next);
            }
        }
        (self.first_ways, self.first_words) = (ways, words);
        Ok(())
    }

    /// Runs a section to where it ends or blocks, in every way.
    fn run_section(
        &mut self,
        machine: &Machine,
        memo: &mut Memo,
        state: &[u64],
        way: Way,
        first: State,
        look: &mut impl FnMut(&[State], CommandId) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let mut open = vec![vec![(way.command, first)]];
        while let Some(next) = open.last_mut() {
            let Some((command, mut reached)) = next.pop() else {
                open.pop();
                self.inside.pop();
                continue;
            };
            let length = open.len() as u32;
            self.inside.push(reached.clone());
            let mut further = Vec::new();
            memo.held_successors(machine, &reached.0, |command, next| further.push((command, State(next.into()))))?;
            if further.is_empty() {
                self.inside.pop();
                machine.layout().set_holder(&mut reached.0, None);
                self.add(Way { length, ..way }, state, &reached.0);
            } else if self.seen.insert(reached) {
                look(&self.inside, command)?;
                further.reverse();
                open.push(further);
            } else {
                self.inside.pop();
            }
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.ways.clear();
        self.words.clear();
        self.enabled.clear();
        self.inside.clear();
    }

    fn add(&mut self, way: Way, state: &[u64], next: &[u64]) {
        let moves = !are_equal(state, next);
        match self.enabled.last_mut().filter(|last| last.command == way.command) {
            Some(last) => last.moves |= moves,
            None => self.enabled.push(Enabled { command: way.command, moves }),
        }
        self.ways.push(way);
        self.words.extend_from_slice(next);
    }

    /// Whether no process can move. (A section that goes round for ever has no end that could be seen, but it moves.)
    pub fn is_empty(&self) -> bool {
        !self.has_steps
    }

    /// The commands that lead to them, in order.
    pub fn enabled(&self) -> &[Enabled] {
        &self.enabled
    }

    /// Each of them, of this many words, with the way there.
    pub fn iter(&self, words: usize) -> impl Iterator<Item = (Way, &[u64])> {
        self.ways.iter().copied().zip(self.words.chunks_exact(words))
    }
}
