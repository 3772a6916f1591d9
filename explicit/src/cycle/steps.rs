//! The steps from a state, with what formulas and fairness constraints see of them.

use super::Marks;
use super::reduction::Reduction;
use super::remembered::Remembered;
use crate::trace::moved;
use rustc_hash::FxHashSet;
use system::{
    CommandId, ExprId, Fairness, FiniteRuns, Footprint, Machine, Memo, Moved, Predicate, ProcessId, State, Visit,
    Workspace,
};
use temporal::Refusal;

/// What a condition depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sees {
    /// The state alone.
    State,
    /// Also who moves.
    Mover,
    /// Also the inputs of the step.
    Inputs,
}

struct Condition {
    predicate: Predicate,
    sees: Sees,
    /// Its value where it was last looked at, if it depends on the state alone.
    remembered: Remembered,
}

/// What is asked of a run by a fairness constraint, in bits of marks.
#[derive(Clone, Copy, Debug)]
enum Constraint {
    /// The condition recurs.
    Justice {
        condition: usize,
        mark: Marks,
    },
    Compassion {
        often: usize,
        then: usize,
        pair: Pair,
    },
    Weak {
        process: u32,
        mark: Marks,
    },
    Strong {
        process: u32,
        pair: Pair,
    },
}

/// Marks of which the second has to recur if the first does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first.
    pub often: Marks,
    /// The second.
    pub then: Marks,
}

/// How much is to be known about steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Where they lead.
    Ends,
    /// Also how they lead there.
    Ways,
}

/// A step, or an atomic section, from a state to one that others see.
#[derive(Clone, Debug)]
pub struct Step {
    /// Who moves first; `None` where a run is prolonged.
    pub mover: Option<ProcessId>,
    /// The values of the conditions, a bit each.
    pub seen: u128,
    /// The fairness constraints that it serves.
    pub marks: Marks,
    /// All who move, as far as fairness asks; a bit each.
    movers: u128,
    /// The moves and the states after them, if they are to be known.
    pub way: Vec<(Moved, State)>,
}

/// A state inside an atomic section.
enum Task {
    /// It is to be looked at.
    Enter(Step, State),
    /// All that follows it has been.
    Leave(State),
}

/// After this many steps of a section, it is looked whether the section comes back to where it was.
const LONG_SECTION: usize = 256;

/// Enumerates steps.
pub struct Steps<'a> {
    machine: &'a Machine,
    memo: Memo,
    workspace: Workspace,
    conditions: Vec<Condition>,
    /// The most that a condition depends on.
    sees: Sees,
    constraints: Vec<Constraint>,
    /// For each process, its bit if fairness is about it.
    watched: Vec<Option<u32>>,
    /// What becomes of runs that come to their end.
    finite_runs: FiniteRuns,
    /// Which steps need not be tried.
    pub reduction: Option<Reduction>,
    /// The commands of the steps, where they are chosen among.
    commands: Vec<CommandId>,
    /// The steps from the state at hand.
    pub found: Vec<Step>,
    /// The states that they lead to, side by side.
    pub ends: Vec<u64>,
    /// Room for steps that begin sections.
    begun: (Vec<Step>, Vec<u64>),
    /// Whether some atomic section can go round for ever.
    pub is_endless: bool,
}

impl<'a> Steps<'a> {
    /// For some conditions, with the first `reserved` marks for others: all marks that have to recur, and pairs of marks.
    pub fn new(
        machine: &'a Machine,
        atoms: &[ExprId],
        reserved: u32,
        finite_runs: FiniteRuns,
    ) -> Result<(Steps<'a>, Marks, Vec<Pair>), Refusal> {
        let system = machine.system();
        let mut steps = Steps {
            machine,
            memo: machine.memo(),
            workspace: machine.workspace(),
            conditions: Vec::new(),
            sees: Sees::State,
            constraints: Vec::new(),
            watched: vec![None; system.processes.len()],
            finite_runs,
            reduction: None,
            commands: Vec::new(),
            found: Vec::new(),
            ends: Vec::new(),
            begun: (Vec::new(), Vec::new()),
            is_endless: false,
        };
        for atom in atoms {
            steps.condition(*atom);
        }
        let (mut bits, mut needed, mut pairs) = (reserved, 0, Vec::new());
        let mut mark = || {
            let mark = Marks::from(1u8).checked_shl(bits);
            bits += 1;
            mark.ok_or_else(|| format!("there are more than {} fairness constraints", Marks::BITS))
        };
        for constraint in &system.fairness {
            let constraint = match *constraint {
                Fairness::Justice(often) => Constraint::Justice { condition: steps.condition(often), mark: mark()? },
                Fairness::Weak(process) => Constraint::Weak { process: steps.watch(process), mark: mark()? },
                Fairness::Compassion(often, then) => {
                    let pair = Pair { often: mark()?, then: mark()? };
                    Constraint::Compassion { often: steps.condition(often), then: steps.condition(then), pair }
                }
                Fairness::Strong(process) => {
                    let pair = Pair { often: mark()?, then: mark()? };
                    Constraint::Strong { process: steps.watch(process), pair }
                }
            };
            match constraint {
                Constraint::Justice { mark, .. } | Constraint::Weak { mark, .. } => needed |= mark,
                Constraint::Compassion { pair, .. } | Constraint::Strong { pair, .. } => pairs.push(pair),
            }
            steps.constraints.push(constraint);
        }
        if steps.conditions.len() > u128::BITS as usize {
            return Err(format!("formula and fairness speak of more than {} conditions", u128::BITS));
        }
        Ok((steps, needed, pairs))
    }

    /// Whether it makes a difference who moves.
    pub fn are_told_apart(&self) -> bool {
        self.sees > Sees::State || !self.constraints.is_empty()
    }

    /// How much memory is taken, about.
    pub fn bytes(&self) -> usize {
        self.memo.bytes()
    }

    fn condition(&mut self, expr: ExprId) -> usize {
        let system = self.machine.system();
        let reads = Footprint::of(&system.exprs, &[expr]);
        let sees = match (reads.has_inputs(system), reads.running) {
            (true, _) => Sees::Inputs,
            (false, true) => Sees::Mover,
            (false, false) => Sees::State,
        };
        self.sees = self.sees.max(sees);
        let remembered = Remembered::new(self.machine.layout(), &reads);
        self.conditions.push(Condition { predicate: self.machine.predicate(expr), sees, remembered });
        self.conditions.len() - 1
    }

    fn watch(&mut self, process: ProcessId) -> u32 {
        let known = self.watched.iter().flatten().count() as u32;
        *self.watched[process.index()].get_or_insert(known)
    }

    fn mover(&self, process: ProcessId) -> u128 {
        self.watched[process.index()].map_or(0, |bit| 1 << bit)
    }

    /// Finds the steps from a state that others see.
    pub fn collect(&mut self, state: &[u64], detail: Detail) -> Result<(), system::Halt> {
        self.found.clear();
        self.ends.clear();
        let here = self.look_here(state)?;
        let enabled = if detail == Detail::Ends && self.sees < Sees::Inputs {
            self.collect_remembered(state, here)?
        } else {
            self.collect_exactly(state, here, detail)?
        };
        let moves = !self.found.is_empty();
        self.run_sections(detail)?;
        if moves && self.found.is_empty() && self.reduction.is_some() {
            return self.collect_all(state, detail);
        }
        if !moves && self.finite_runs == FiniteRuns::Prolonged {
            self.found.push(Step { mover: None, seen: here, marks: 0, movers: 0, way: Vec::new() });
            self.ends.extend_from_slice(state);
        }
        if !self.constraints.is_empty() {
            for index in 0..self.found.len() {
                self.found[index].marks = self.marks(&self.found[index], enabled);
            }
        }
        Ok(())
    }

    /// Finds the steps of all processes: where the sections of those that were chosen go round for ever, the others move.
    fn collect_all(&mut self, state: &[u64], detail: Detail) -> Result<(), system::Halt> {
        let reduction = self.reduction.take();
        let collected = self.collect(state, detail);
        self.reduction = reduction;
        collected
    }

    /// The values of the conditions that depend on the state alone.
    fn look_here(&mut self, state: &[u64]) -> Result<u128, system::Halt> {
        let Steps { machine, conditions, workspace, .. } = self;
        let mut seen = 0;
        for (bit, condition) in conditions.iter_mut().enumerate().filter(|(_, condition)| condition.sees == Sees::State)
        {
            let holds = match condition.remembered.get(state) {
                Some(holds) => holds,
                None => {
                    let holds = machine.satisfies(&condition.predicate, state, workspace)?;
                    condition.remembered.set(state, holds);
                    holds
                }
            };
            seen |= u128::from(holds) << bit;
        }
        Ok(seen)
    }

    /// The values of the conditions that depend on who moves, and on no more.
    fn look_at_mover(&mut self, state: &[u64], mover: ProcessId) -> Result<u128, system::Halt> {
        let mut seen = 0;
        let conditions = self.conditions.iter().enumerate();
        for (bit, condition) in conditions.filter(|(_, condition)| condition.sees == Sees::Mover) {
            let holds = self.machine.satisfies_when(&condition.predicate, state, mover, &mut self.workspace)?;
            seen |= u128::from(holds) << bit;
        }
        Ok(seen)
    }

    /// The processes that can make the steps that were found, as far as fairness asks; a bit each.
    fn enabled(&self) -> u128 {
        self.found.iter().fold(0, |enabled, step| enabled | step.movers)
    }

    /// Steps as the memo has them, where no condition looks at inputs; who can move, also by steps that are left out, as far as fairness asks.
    fn collect_remembered(&mut self, state: &[u64], here: u128) -> Result<u128, system::Halt> {
        let may_choose = self.sees == Sees::State && self.constraints.is_empty();
        let Steps { machine, memo, found, ends, watched, commands, reduction, .. } = self;
        let reduction = reduction.as_ref().filter(|_| may_choose);
        // Where the steps of the process at hand begin, and whether no others need be tried.
        let (mut own, mut is_chosen) = (0, false);
        commands.clear();
        memo.successors(machine, state, |local, command, next| {
            if found.last().is_some_and(|last| last.mover != Some(local.process)) {
                is_chosen = reduction.is_some_and(|reduction| reduction.is_alone(machine, state, &commands[own..]));
                if is_chosen {
                    return Visit::Break(());
                }
                own = commands.len();
            }
            commands.push(command);
            let bit = watched[local.process.index()].map_or(0, |bit| 1 << bit);
            found.push(Step { mover: Some(local.process), seen: here, marks: 0, movers: bit, way: Vec::new() });
            ends.extend_from_slice(next);
            Visit::Continue(())
        })?;
        if is_chosen {
            found.drain(..own);
            ends.drain(..own * state.len());
            return Ok(0);
        }
        let others = reduction.map_or(0, |_| own);
        let enabled = self.enabled();
        if self.sees == Sees::State {
            self.reduce(state, others);
            return Ok(enabled);
        }
        let mut last = None;
        for index in 0..self.found.len() {
            let Some(mover) = self.found[index].mover else { continue };
            let seen = match last {
                Some((process, seen)) if process == mover => seen,
                _ => self.look_at_mover(state, mover)?,
            };
            last = Some((mover, seen));
            self.found[index].seen |= seen;
        }
        Ok(enabled)
    }

    /// Leaves out the steps that need not be tried. The processes of the first `others` steps are known not to be alone.
    fn reduce(&mut self, state: &[u64], others: usize) {
        let Some(reduction) = &mut self.reduction else { return };
        let commands = (others, &self.commands[..]);
        let Some(chosen) = reduction.choose(self.machine, state, commands) else { return };
        let (system, words) = (self.machine.system(), state.len());
        let mut kept = 0;
        for (index, command) in self.commands.iter().enumerate() {
            if chosen.has(system, *command) {
                self.found.swap(kept, index);
                self.ends.copy_within(index * words..(index + 1) * words, kept * words);
                kept += 1;
            }
        }
        self.found.truncate(kept);
        self.ends.truncate(kept * words);
    }

    /// Steps as the machine makes them; who can move.
    fn collect_exactly(&mut self, state: &[u64], here: u128, detail: Detail) -> Result<u128, system::Halt> {
        let Steps { machine, conditions, found, ends, watched, workspace, .. } = self;
        let mut failed = None;
        machine.successors(state, workspace, |mut successor| {
            let mut seen = here;
            for (bit, condition) in conditions.iter().enumerate().filter(|(_, at)| at.sees != Sees::State) {
                match successor.satisfies(&condition.predicate) {
                    Ok(holds) => seen |= u128::from(holds) << bit,
                    Err(failure) => {
                        failed = Some(failure);
                        return Visit::Break(());
                    }
                }
            }
            let moved = moved(machine, &successor);
            let mover = Some(moved.process);
            let movers = watched[moved.process.index()].map_or(0, |bit| 1 << bit);
            let way = match detail {
                Detail::Ways => vec![(moved, State(successor.state.into()))],
                Detail::Ends => Vec::new(),
            };
            found.push(Step { mover, seen, marks: 0, movers, way });
            ends.extend_from_slice(successor.state);
            Visit::Continue(())
        })?;
        failed.map_or(Ok(self.enabled()), |failure| Err(failure.into()))
    }

    /// Runs the sections that the steps begin to their ends, in every way.
    fn run_sections(&mut self, detail: Detail) -> Result<(), system::Halt> {
        if !self.machine.system().has_atomic_sections {
            return Ok(());
        }
        let (layout, words) = (self.machine.layout(), self.machine.layout().words());
        if self.ends.chunks_exact(words).all(|end| layout.holder(end).is_none()) {
            return Ok(());
        }
        let (mut first, mut starts) = (std::mem::take(&mut self.begun.0), std::mem::take(&mut self.begun.1));
        std::mem::swap(&mut first, &mut self.found);
        std::mem::swap(&mut starts, &mut self.ends);
        for (step, start) in first.drain(..).zip(starts.chunks_exact(words)) {
            if layout.holder(start).is_none() {
                self.found.push(step);
                self.ends.extend_from_slice(start);
            } else {
                self.run_section(step, start, detail)?;
            }
        }
        starts.clear();
        self.begun = (first, starts);
        Ok(())
    }

    /// A section that comes back to where it was can go round for ever; that is not seen.
    fn run_section(&mut self, step: Step, start: &[u64], detail: Detail) -> Result<(), system::Halt> {
        let (mut seen, mut inside) = (FxHashSet::default(), FxHashSet::default());
        let mut open = vec![Task::Enter(step, State(start.into()))];
        while let Some(next) = open.pop() {
            let (mut step, mut at) = match next {
                Task::Enter(step, at) => (step, at),
                Task::Leave(at) => {
                    inside.remove(&at);
                    continue;
                }
            };
            let further = self.follow(&mut step, &mut at, detail)?;
            if further.is_empty() {
                let is_known = !seen.is_empty() && !seen.insert((at.clone(), step.movers));
                if is_known {
                    continue;
                }
                self.machine.layout().set_holder(&mut at.0, None);
                self.ends.extend_from_slice(&at.0);
                self.found.push(step);
                continue;
            }
            self.is_endless |= inside.contains(&at);
            if !seen.insert((at.clone(), step.movers)) {
                continue;
            }
            inside.insert(at.clone());
            open.push(Task::Leave(at));
            for (command, next) in further.into_iter().rev() {
                let mut step = step.clone();
                self.go(&mut step, command, &next, detail);
                open.push(Task::Enter(step, next));
            }
        }
        Ok(())
    }

    /// Goes on in a section while there is one way to do so: the ways to go on from where there are several, or from where it has
    /// gone on for long.
    fn follow(
        &mut self,
        step: &mut Step,
        at: &mut State,
        detail: Detail,
    ) -> Result<Vec<(CommandId, State)>, system::Halt> {
        for _ in 0..LONG_SECTION {
            let mut further = self.further(at)?;
            match further.pop() {
                Some((command, next)) if further.is_empty() => {
                    self.go(step, command, &next, detail);
                    *at = next;
                }
                last => {
                    further.extend(last);
                    return Ok(further);
                }
            }
        }
        self.further(at)
    }

    /// The steps by which a section goes on.
    fn further(&mut self, at: &State) -> Result<Vec<(CommandId, State)>, system::Halt> {
        let mut further = Vec::new();
        self.memo.held_successors(self.machine, &at.0, |command, next| {
            further.push((command, State(next.into())));
        })?;
        Ok(further)
    }

    /// Makes a step of a section.
    fn go(&self, step: &mut Step, command: CommandId, next: &State, detail: Detail) {
        let process = self.machine.system().commands[command].owner.process;
        step.movers |= self.mover(process);
        if detail == Detail::Ways {
            let moved = Moved { process, command: Some(command), inputs: Vec::new() };
            step.way.push((moved, next.clone()));
        }
    }

    /// The fairness constraints that a step serves from a state where some processes can move.
    fn marks(&self, step: &Step, enabled: u128) -> Marks {
        self.constraints.iter().fold(0, |marks, constraint| marks | constraint.marks(step, enabled))
    }
}

impl Constraint {
    /// The marks that a step from a state where some processes can move has by the constraint.
    fn marks(self, Step { seen, movers, .. }: &Step, enabled: u128) -> Marks {
        match self {
            Constraint::Justice { condition, mark } => when(has(*seen, condition as u32), mark),
            Constraint::Compassion { often, then, pair } => {
                when(has(*seen, often as u32), pair.often) | when(has(*seen, then as u32), pair.then)
            }
            Constraint::Weak { process, mark } => when(!has(enabled, process) || has(*movers, process), mark),
            Constraint::Strong { process, pair } => {
                when(has(enabled, process), pair.often) | when(has(*movers, process), pair.then)
            }
        }
    }
}

/// Whether a bit is set.
fn has(bits: u128, bit: u32) -> bool {
    bits >> bit & 1 == 1
}

/// A mark if something is so.
fn when(is_so: bool, mark: Marks) -> Marks {
    if is_so { mark } else { 0 }
}
