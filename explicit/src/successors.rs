//! Initial states, and the successors of a state, collected for choosing among them.

use super::persistent::Enabled;
use super::rows::are_equal;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
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

/// The most initial states that are listed before they are visited.
const MANY: usize = 1 << 16;

/// Visits the initial states, each once and in order where there are not too many to list them. Where there are, some are listed and
/// visited before the next ones are looked for, and one that can be chosen in two ways may come twice. Says whether there are any, or what
/// the visitor broke off with.
pub fn each_initial_state<B>(
    machine: &Machine,
    mut visit: impl FnMut(&State) -> Result<ControlFlow<B>, Halt>,
) -> Result<ControlFlow<B, bool>, Halt> {
    let (mut listed, mut outcome, mut is_any) = (Vec::new(), Ok(ControlFlow::Continue(())), false);
    machine.initial_states(&mut machine.workspace(), |state| {
        listed.push(state);
        is_any = true;
        if listed.len() < MANY {
            return Visit::Continue(());
        }
        outcome = visit_all(&mut listed, &mut visit);
        if matches!(outcome, Ok(ControlFlow::Continue(()))) { Visit::Continue(()) } else { Visit::Break(()) }
    })?;
    if let Ok(ControlFlow::Continue(())) = outcome {
        outcome = visit_all(&mut listed, &mut visit);
    }
    Ok(match outcome? {
        ControlFlow::Continue(()) => ControlFlow::Continue(is_any),
        ControlFlow::Break(stop) => ControlFlow::Break(stop),
    })
}

/// Visits states, each once and in order, until the visitor breaks off; none is left.
fn visit_all<B>(
    states: &mut Vec<State>,
    visit: &mut impl FnMut(&State) -> Result<ControlFlow<B>, Halt>,
) -> Result<ControlFlow<B>, Halt> {
    states.sort_unstable();
    states.dedup();
    for state in states.drain(..) {
        if let ControlFlow::Break(stop) = visit(&state)? {
            return Ok(ControlFlow::Break(stop));
        }
    }
    Ok(ControlFlow::Continue(()))
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

/// A state inside an atomic section, from which its process goes on before any other can move.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'a> {
    /// The state.
    pub state: &'a State,
    /// The command that led to it.
    pub command: CommandId,
    /// How many commands have run.
    pub length: usize,
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
    /// The state inside a section from which it could not be run on.
    pub inside: Option<State>,
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
    /// each state inside a section, and may break off.
    pub fn collect_visible(
        &mut self,
        machine: &Machine,
        memo: &mut Memo,
        state: &[u64],
        mut look: impl FnMut(Inside<'_>) -> Result<Visit, Halt>,
    ) -> Result<Visit, Halt> {
        self.collect(machine, memo, state)?;
        if !machine.system().has_atomic_sections {
            return Ok(Visit::Continue(()));
        }
        std::mem::swap(&mut self.ways, &mut self.first_ways);
        std::mem::swap(&mut self.words, &mut self.first_words);
        self.clear();
        let (ways, words) = (std::mem::take(&mut self.first_ways), std::mem::take(&mut self.first_words));
        let mut steps = words.chunks_exact(state.len());
        let mut outcome = Ok(Visit::Continue(()));
        for of_command in ways.chunk_by(|one, other| one.command == other.command) {
            let first = of_command.iter().copied().zip(&mut steps);
            outcome = self.run_sections(machine, memo, state, first, &mut look);
            if !matches!(outcome, Ok(Visit::Continue(()))) {
                break;
            }
        }
        (self.first_ways, self.first_words) = (ways, words);
        outcome
    }

    /// Runs the sections that steps of one command begin to where they end or block, in every way, the shortest ways first:
    /// what was reached once need not be run through again.
    fn run_sections<'a>(
        &mut self,
        machine: &Machine,
        memo: &mut Memo,
        state: &[u64],
        first: impl Iterator<Item = (Way, &'a [u64])>,
        look: &mut impl FnMut(Inside<'_>) -> Result<Visit, Halt>,
    ) -> Result<Visit, Halt> {
        self.seen.clear();
        let mut level: Vec<(Way, CommandId, State)> = Vec::new();
        for (way, next) in first {
            match machine.layout().holder(next) {
                Some(_) => level.push((way, way.command, State(next.into()))),
                None => self.add(way, state, next),
            }
        }
        let mut length = 1;
        while !level.is_empty() {
            let mut next_level = Vec::new();
            for (way, command, reached) in level {
                if self.seen.contains(&reached) {
                    continue;
                }
                let before = next_level.len();
                let ran = memo.held_successors(machine, &reached.0, |command, next| {
                    next_level.push((way, command, State(next.into())));
                });
                let looked = match ran {
                    Ok(()) if next_level.len() > before => look(Inside { state: &reached, command, length }),
                    ran => ran.map(Visit::Continue),
                };
                if !matches!(looked, Ok(Visit::Continue(()))) {
                    self.inside = Some(reached);
                    return looked;
                }
                if next_level.len() == before {
                    let mut end = reached.clone();
                    machine.layout().set_holder(&mut end.0, None);
                    self.add(Way { length: length as u32, ..way }, state, &end.0);
                }
                self.seen.insert(reached);
            }
            (level, length) = (next_level, length + 1);
        }
        Ok(Visit::Continue(()))
    }

    fn clear(&mut self) {
        self.ways.clear();
        self.words.clear();
        self.enabled.clear();
        self.inside = None;
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
    pub fn iter(&self, words: usize) -> impl Iterator<Item = (Way, &[u64])> + Clone {
        self.ways.iter().copied().zip(self.words.chunks_exact(words))
    }
}
