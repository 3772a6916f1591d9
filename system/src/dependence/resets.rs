//! Systems that forget: a variable gets a fixed value where it is dead.
//!
//! States that differ in dead variables alone are then one, as with SPIN's data-flow optimisation (G. Holzmann, The engineering of a model
//! checker: the Gnu i-protocol case study revisited, SPIN 1999). Each step of one system corresponds to a step of the other by the same command
//! to states that are equal in what is alive, so that both have the same runs as far as the property, guards and fairness go.

use super::lift::{close, follow};
use super::liveness::{Arrival, Liveness, Movement};
use super::slice::can_fail;
use crate::definition::ids::{CommandId, ExprId, ProcessId, PropertyId, VarId};
use crate::definition::system::{Choice, Command, Place, System, Update};
use crate::execution::machine::Machine;
use crate::execution::state::State;
use crate::execution::step::Successor;
use crate::execution::trace::Trace;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A system that forgets what is dead.
#[derive(Debug)]
pub struct Resets {
    /// The system.
    pub system: System,
    liveness: Liveness,
}

impl Resets {
    /// The system for a property; `None` if it would forget nothing.
    pub fn new(system: &System, property: PropertyId) -> Option<Resets> {
        let liveness = Liveness::of(system, property)?;
        let mut forgetful = system.clone();
        let mut forgets = false;
        let (movement, mut owned) = (Movement::of(system), BTreeMap::<ProcessId, Vec<VarId>>::new());
        for (var, owner) in liveness.owned() {
            owned.entry(owner).or_default().push(var);
        }
        for id in system.commands.indices() {
            for var in dying(&system.commands[id], &movement, &liveness, &owned) {
                forgets |= reset(&mut forgetful, id, var);
            }
        }
        forgets.then_some(Resets { system: forgetful, liveness })
    }

    /// A run of the system that forgets nothing, by the same commands, for a run of this one. One that goes round for ever is followed until
    /// all variables are what they were before; if that takes too long, the result does not go round.
    pub fn lift(&self, system: &System, trace: &Trace) -> Option<Trace> {
        let whole = Machine::new(Arc::new(system.clone()));
        let lifting = Lifting { liveness: &self.liveness, whole: &whole, trace };
        let mut lifted = Trace::starting(trace.states.first()?);
        lifting.steps(&mut lifted, 0)?;
        if let Some(start) = trace.loop_start {
            close(system, &mut lifted, start, |lifted| lifting.steps(lifted, start))?;
        }
        Some(lifted)
    }
}

/// The variables that are dead after a command and were alive before, or are written by it.
fn dying(
    command: &Command,
    movement: &Movement<'_>,
    liveness: &Liveness,
    owned: &BTreeMap<ProcessId, Vec<VarId>>,
) -> Vec<VarId> {
    let is_written = |var: VarId| command.updates.iter().any(|update| update.place == Place::Variable(var));
    let mut dying = Vec::new();
    let mut arrivals = movement.arrivals(command);
    // Of a process that is moved twice, the first says from where.
    arrivals.sort_by_key(|arrival| arrival.process);
    arrivals.dedup_by_key(|arrival| arrival.process);
    for Arrival { process, from, to } in arrivals {
        let dies = |var: &VarId| {
            let was_alive = || liveness.is_alive(*var, process, from);
            !liveness.is_alive(*var, process, to) && (was_alive() || is_written(*var))
        };
        dying.extend(owned.get(&process).into_iter().flatten().copied().filter(dies));
    }
    dying.sort_unstable();
    dying
}

/// Makes a command give a variable a fixed value, unless what it writes now can fail; says whether that makes a difference.
fn reset(system: &mut System, id: CommandId, var: VarId) -> bool {
    let choice = Choice::Exactly(nothing(system, var));
    let updates = &system.commands[id].updates;
    let place = Place::Variable(var);
    let Some(at) = updates.iter().position(|update| update.place.variables().any(|written| written == var)) else {
        let span = system.commands[id].span;
        system.commands[id].updates.push(Update { place, choice, span });
        return true;
    };
    let update = updates[at];
    let guard = Some(system.commands[id].guard);
    if update.place != place || update.choice == choice || can_fail(system, var, update.choice, guard) {
        return false;
    }
    system.commands[id].updates[at] = Update { choice, ..update };
    true
}

/// The value of a variable that is dead: 0 if it can be.
fn nothing(system: &mut System, var: VarId) -> ExprId {
    let domain = &system.variables[var].domain;
    let value = if domain.contains(0) { 0 } else { domain.value_at(0) };
    let sort = domain.sort();
    system.exprs.constant(value, sort)
}

/// A run that is being followed.
struct Lifting<'a> {
    liveness: &'a Liveness,
    whole: &'a Machine,
    trace: &'a Trace,
}

impl Lifting<'_> {
    /// Makes the steps of the run from one on.
    fn steps(&self, lifted: &mut Trace, first: usize) -> Option<()> {
        for (moved, to) in self.trace.moves.since(first).zip(self.trace.states.since(first + 1)) {
            let leads_there = |successor: &Successor<'_>| self.is_same_alive(successor.state, &to);
            let (moved, state) = follow(self.whole, lifted.states.last()?, &moved, leads_there).0?;
            lifted.push(moved, state);
        }
        Some(())
    }

    /// Whether two states are equal in what is alive.
    fn is_same_alive(&self, one: &[u64], other: &State) -> bool {
        let layout = self.whole.layout();
        let mut same = one.to_vec();
        for (var, owner) in self.liveness.owned() {
            let point = self.whole.point(owner, other);
            let is_dead = point.is_some_and(|point| !self.liveness.is_alive(var, owner, point));
            if is_dead && let Some(number) = layout.index(&other.0, var) {
                layout.set_index(&mut same, var, number);
            }
        }
        same[..] == *other.0
    }
}
