//! From a run of a slice to a run of the whole system that is the same inside the cone.

use super::slice::{PATIENCE, Pinned, Slice};
use crate::definition::ids::{ProcessId, VarId};
use crate::definition::system::System;
use crate::definition::value::Value;
use crate::execution::alarm::Alarm;
use crate::execution::machine::{Halt, Machine};
use crate::execution::state::State;
use crate::execution::step::Successor;
use crate::execution::trace::{Moved, Trace};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// How many steps a run may have until the whole system is where it was.
const LONGEST: usize = 1 << 12;

/// How many rounds are looked at for one after which nothing differs that matters.
const FEW: usize = 4;

impl Slice {
    /// A run of the whole system that is the same inside the cone, for a run of the slice.
    ///
    /// Where a process is whose program counter is outside the cone, the slice does not know: there, another command of the
    /// process makes the step, or none does if there is no such process and the step changes nothing that matters.
    ///
    /// A run that goes round is followed until the whole system is where it was before; if that takes too long, the
    /// result does not go round.
    pub fn lift(&self, system: &System, trace: &Trace) -> Option<Trace> {
        let slice = Machine::new(Arc::new(self.system.clone()));
        let whole = Machine::new(Arc::new(system.clone()));
        let mut lifting = Lifting {
            slice: self,
            machine: &slice,
            whole,
            system,
            trace,
            read: FxHashMap::default(),
            pinned: vec![None; trace.moves.len()],
        };
        let mut lifted = Trace::starting(lifting.initial()?);
        lifting.steps(&mut lifted, 0)?;
        if let Some(start) = trace.loop_start.filter(|_| lifted.moves.len() == trace.moves.len()) {
            close(system, &mut lifted, start, |lifted| lifting.steps(lifted, start))?;
        }
        Some(lifted)
    }
}

/// A run that is being lifted.
struct Lifting<'a> {
    slice: &'a Slice,
    machine: &'a Machine,
    whole: Machine,
    system: &'a System,
    trace: &'a Trace,
    /// The inputs that processes look at.
    read: FxHashMap<ProcessId, Vec<VarId>>,
    /// For each step of the run, the whole system held to what happens inside the cone.
    pinned: Vec<Option<Arc<Machine>>>,
}

impl Lifting<'_> {
    fn initial(&self) -> Option<State> {
        let first = self.machine.values(&self.trace.states.first()?);
        let machine = self.slice.pinned(self.system, &first, Pinned::Initial);
        let mut found = None;
        let looked = machine.initial_states(&mut machine.workspace(), |state| {
            found = Some(state);
            ControlFlow::Break(())
        });
        looked.ok().and(found)
    }

    /// Adds the steps of the run of the slice from one on.
    fn steps(&mut self, lifted: &mut Trace, first: usize) -> Option<()> {
        (first..self.trace.moves.len()).try_for_each(|at| self.step(lifted, at))
    }

    /// Adds a step of the run of the slice.
    fn step(&mut self, lifted: &mut Trace, at: usize) -> Option<()> {
        let moved = self.trace.moves.get(at)?;
        let mut values = self.machine.values(&self.trace.states.get(at + 1)?);
        for (var, value) in &moved.inputs {
            values[var.index()] = *value;
        }
        let last = lifted.states.last()?;
        let found = match self.look(last, &moved, &values) {
            Looked::Found(step) => Some(*step),
            Looked::Nowhere => None,
            // To hold the whole system to the values takes long where it is large, but less than to look at every step where
            // there are very many.
            Looked::NotEverywhere => {
                let machine = self.pinned[at]
                    .get_or_insert_with(|| Arc::new(self.slice.pinned(self.system, &values, Pinned::Next)));
                follow(machine, last, &moved, |_| true).0
            }
        };
        match found {
            Some((moved, state)) => lifted.push(moved, state),
            None if self.slice.is_same_inside(&self.whole.values(last), &values) => {}
            None => return None,
        }
        Some(())
    }

    /// Looks for a step among those of the whole system, as long as there are not too many.
    fn look(&mut self, from: &State, wanted: &Moved, values: &[Value]) -> Looked {
        self.whole.heed(Alarm::default().or_after(PATIENCE));
        let (slice, whole) = (self.slice, &self.whole);
        let read = self.read.entry(wanted.process).or_insert_with(|| whole.inputs_read_by(wanted.process));
        let looked = follow(whole, from, wanted, |successor| {
            slice.is_same_inside(&whole.values(&State(successor.state.into())), values)
                && successor.step().inputs.iter().all(|(var, value)| {
                    !slice.has(*var) || values[var.index()] == *value || read.binary_search(var).is_err()
                })
        });
        match looked {
            (Some((mut moved, state)), _) => {
                // What the process does not look at is what it was in the run.
                for (var, value) in moved.inputs.iter_mut().filter(|(var, _)| slice.has(*var)) {
                    *value = values[var.index()];
                }
                Looked::Found(Box::new((moved, state)))
            }
            (None, Ok(())) => Looked::Nowhere,
            (None, Err(_)) => Looked::NotEverywhere,
        }
    }
}

/// Goes round until the whole system is where it was after an earlier round. If that takes too long, one round is enough after which
/// nothing differs that decides anything.
pub(super) fn close(
    system: &System,
    lifted: &mut Trace,
    start: usize,
    mut go_round: impl FnMut(&mut Trace) -> Option<()>,
) -> Option<()> {
    let mut begun = vec![start];
    loop {
        let last = lifted.states.len() - 1;
        if let Some(same) = begun.iter().find(|at| lifted.states.get(**at).as_ref() == lifted.states.last()) {
            lifted.loop_start = Some(*same);
            return Some(());
        }
        if last > LONGEST {
            let machine = Machine::new(Arc::new(system.clone()));
            let comes_back =
                |round: &&[usize]| machine.comes_back(&lifted.states.at(round[0]), &lifted.states.at(round[1]));
            if let Some([start, end]) = begun.windows(2).take(FEW).find(comes_back) {
                lifted.loop_start = Some(*start);
                lifted.truncate(*end);
            }
            return Some(());
        }
        begun.push(last);
        go_round(lifted)?;
    }
}

/// What came of looking for a step.
enum Looked {
    Found(Box<(Moved, State)>),
    /// There is none.
    Nowhere,
    /// There are more steps than were looked at.
    NotEverywhere,
}

/// A step of the same process among those that lead to the right place: the first one by the same command, else the first
/// one by any. Says whether all steps could be looked at.
pub(super) fn follow(
    machine: &Machine,
    from: &State,
    wanted: &Moved,
    leads_there: impl Fn(&Successor<'_>) -> bool,
) -> (Option<(Moved, State)>, Result<(), Halt>) {
    let mut found = None;
    let visit = |successor: Successor<'_>| {
        let is_owner = machine.system().commands[successor.command].owner.process == wanted.process;
        let is_wanted = wanted.command.is_none_or(|command| command == successor.command);
        if !is_owner || !is_wanted && found.is_some() || !leads_there(&successor) {
            return ControlFlow::Continue(());
        }
        let step = successor.step();
        let moved = Moved { process: wanted.process, command: Some(step.command), inputs: step.inputs };
        found = Some((moved, State(successor.state.into())));
        if is_wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // That another step has no meaning is no matter of the one that is found.
    let looked = machine.successors(&from.0, &mut machine.workspace(), visit);
    (found, looked)
}
