//! Systems in which values that are known are written as constants.
//!
//! Where every way to a control point of a process leaves a variable with the same value, the commands that leave the point can say so: the
//! parameters of a process, for instance, keep the values that it was created with. What reads an element of an array at such an index reads
//! one variable then, instead of any of them, and depends on less. Formulas say so of variables that never change, and then do not depend on them.
//! The states and the steps are the same as before. This is constant propagation (G. Kildall, A unified approach to global program optimization, POPL 1973).

use super::liveness::{Arrival, Movement};
use crate::definition::expr::{Exprs, Node};
use crate::definition::ids::{CommandId, ExprId, PointId, ProcessId, VarId};
use crate::definition::system::{Choice, Command, Motion, Move, Place, System, Update};
use crate::definition::value::Value;
use index_vec::IndexVec;
use std::collections::{BTreeMap, BTreeSet};

/// How often it is looked whether more is known because of what was found before.
const ROUNDS: usize = 3;

/// Variables whose values are known.
type Known = BTreeMap<VarId, Value>;

/// The same system, with constants for values that are known; `None` if none is.
pub fn with_constants(system: &System) -> Option<System> {
    let has_more = !system.relations.is_empty() || !system.constraints.is_empty() || !system.definitions.is_empty();
    if has_more || !system.initial.is_empty() {
        return None;
    }
    let mut simpler = None;
    for _ in 0..ROUNDS {
        let before = simpler.as_ref().unwrap_or(system);
        match simplified(before) {
            Some(after) => simpler = Some(after),
            None => break,
        }
    }
    simpler
}

/// One round of it.
fn simplified(system: &System) -> Option<System> {
    let mut simpler = system.clone();
    let flow = Flow::of(system, &mut simpler.exprs);
    let mut is_simpler = false;
    for id in system.commands.indices() {
        let known = flow.known_before(id);
        is_simpler |= !known.is_nothing() && simplify(&mut simpler, id, &known);
    }
    is_simpler |= flow.fixed.count > 0 && simplify_formulas(&mut simpler, &flow.fixed);
    is_simpler.then_some(simpler)
}

/// Writes the values that never change into the conditions of formulas; says whether that changes one.
fn simplify_formulas(system: &mut System, fixed: &Fixed) -> bool {
    let System { formulas, exprs, .. } = system;
    let known = Before { fixed, places: Vec::new() };
    formulas.rewrite_states(|condition| assumed(exprs, condition, &known))
}

/// What is known about the values of variables at control points.
struct Flow {
    /// The variables that always have their initial values.
    fixed: Fixed,
    /// For each process and control point, what is known where some way there has been found.
    at: IndexVec<ProcessId, IndexVec<PointId, Knowledge>>,
    arrivals: IndexVec<CommandId, Vec<Arrival>>,
    /// For each command, how much had changed where it can run when it was last followed.
    followed: IndexVec<CommandId, Option<usize>>,
}

/// Variables that always have their initial values.
struct Fixed {
    values: IndexVec<VarId, Option<Value>>,
    count: usize,
}

/// What is known at a control point.
struct Knowledge {
    /// Nothing as long as no way there has been found.
    known: Option<Known>,
    /// How often that has changed.
    changes: usize,
}

/// What is known where a command can run.
struct Before<'f> {
    fixed: &'f Fixed,
    /// What is known where the processes are that it moves.
    places: Vec<&'f Known>,
}

impl Before<'_> {
    fn get(&self, var: VarId) -> Option<Value> {
        let there = self.places.iter().rev().find_map(|known| known.get(&var).copied());
        there.or(self.fixed.values[var])
    }

    fn is_nothing(&self) -> bool {
        self.fixed.count == 0 && self.places.iter().all(|known| known.is_empty())
    }
}

impl Flow {
    /// Follows the control flow of every process until nothing changes.
    fn of(system: &System, exprs: &mut Exprs) -> Flow {
        let initial = initial_values(system);
        let movement = Movement::of(system);
        let mut arrivals: IndexVec<CommandId, Vec<Arrival>> =
            system.commands.iter().map(|command| movement.arrivals(command)).collect();
        let movable = movement.known();
        let first: IndexVec<ProcessId, Option<PointId>> = system
            .processes
            .indices()
            .map(|process| first_point(system, process, &initial).filter(|_| movable[process]))
            .collect();
        arrivals.iter_mut().for_each(|arrivals| arrivals.retain(|arrival| first[arrival.process].is_some()));
        let writers = Writers::of(system);
        let initial = without_program_counters(system, initial);
        let at = system.processes.iter_enumerated().map(|(process, info)| {
            let followed = writers.within(&arrivals, process);
            let values: Known =
                initial.iter().filter(|(var, _)| followed.contains(var)).map(|(a, b)| (*a, *b)).collect();
            let begins = |point| (first[process] == Some(point)).then(|| values.clone());
            info.points.indices().map(|point| Knowledge { known: begins(point), changes: 0 }).collect()
        });
        let at = at.collect();
        let mut fixed = Fixed { values: system.variables.iter().map(|_| None).collect(), count: 0 };
        for (var, value) in initial.iter().filter(|(var, value)| writers.keep(system, **var, **value)) {
            fixed.values[*var] = Some(*value);
            fixed.count += 1;
        }
        let followed = system.commands.iter().map(|_| None).collect();
        let mut flow = Flow { fixed, at, arrivals, followed };
        let mut changes = true;
        while changes {
            changes = false;
            for id in system.commands.indices() {
                changes |= flow.follow(system, id, exprs);
            }
        }
        flow
    }

    /// Takes what is known before a command to where it leads; says whether less is known there than before. Where nothing has changed since
    /// it was last followed, it leads to the same, and what is known there was no more than that already.
    fn follow(&mut self, system: &System, id: CommandId, exprs: &mut Exprs) -> bool {
        let sources = || self.arrivals[id].iter().map(|arrival| &self.at[arrival.process][arrival.from]);
        let so_far = sources().map(|place| place.changes).sum();
        if sources().any(|place| place.known.is_none()) || self.followed[id] == Some(so_far) {
            return false;
        }
        self.followed[id] = Some(so_far);
        let (mut changes, updates) = (false, &system.commands[id].updates);
        let values: Vec<Option<Value>> = updates.iter().map(|update| self.stored(system, id, update, exprs)).collect();
        for at in 0..self.arrivals[id].len() {
            let arrival = self.arrivals[id][at];
            let Some(mut after) = self.at[arrival.process][arrival.from].known.clone() else { continue };
            for (update, value) in updates.iter().zip(&values) {
                for var in update.place.variables() {
                    match value.filter(|_| after.contains_key(&var)) {
                        Some(value) => _ = after.insert(var, value),
                        None => _ = after.remove(&var),
                    }
                }
            }
            changes |= self.at[arrival.process][arrival.to].meet(after);
        }
        changes
    }

    /// The value that an update of a command stores in a variable that is followed, if it is known.
    fn stored(&self, system: &System, id: CommandId, update: &Update, exprs: &mut Exprs) -> Option<Value> {
        let known = self.known_before(id);
        let mut written = update.place.variables();
        let is_followed = written.any(|var| known.places.iter().any(|place| place.contains_key(&var)));
        if is_followed { stored(system, update, &known, exprs) } else { None }
    }

    /// What is known where a command can run.
    fn known_before(&self, id: CommandId) -> Before<'_> {
        let places = self.arrivals[id].iter().map(|arrival| &self.at[arrival.process][arrival.from]);
        Before { fixed: &self.fixed, places: places.filter_map(|place| place.known.as_ref()).collect() }
    }
}

impl Knowledge {
    /// Takes in what is known where a way comes from; says whether less is known then.
    fn meet(&mut self, after: Known) -> bool {
        match &mut self.known {
            Some(known) => {
                let before = known.len();
                known.retain(|var, value| after.get(var) == Some(value));
                if known.len() == before {
                    return false;
                }
            }
            unknown => *unknown = Some(after),
        }
        self.changes += 1;
        true
    }
}

/// What is known about variables that nothing but updates writes: every step moves a program counter besides.
fn without_program_counters(system: &System, mut known: Known) -> Known {
    for pc in system.processes.iter().filter_map(|process| process.pc) {
        known.remove(&pc);
    }
    known
}

/// Where a process begins, if that is one control point.
fn first_point(system: &System, process: ProcessId, initial: &Known) -> Option<PointId> {
    let first = *initial.get(&system.processes[process].pc?)?;
    system.processes[process].points.position(|point| point.value == Some(first))
}

/// Who writes a variable.
struct Writers(IndexVec<VarId, Vec<CommandId>>);

impl Writers {
    fn of(system: &System) -> Writers {
        let mut writers: IndexVec<VarId, Vec<CommandId>> = system.variables.iter().map(|_| Vec::new()).collect();
        for (id, command) in system.commands.iter_enumerated() {
            for var in command.updates.iter().flat_map(|update| update.place.variables()) {
                writers[var].push(id);
            }
        }
        Writers(writers)
    }

    /// The variables that are written, by commands that move a process and no others: where it is tells what was written last.
    fn within(&self, arrivals: &IndexVec<CommandId, Vec<Arrival>>, process: ProcessId) -> BTreeSet<VarId> {
        let moves = |id: &CommandId| arrivals[*id].iter().any(|arrival| arrival.process == process);
        let is_within = |writers: &Vec<CommandId>| !writers.is_empty() && writers.iter().all(moves);
        self.0.iter_enumerated().filter(|(_, writers)| is_within(writers)).map(|(var, _)| var).collect()
    }

    /// Whether nothing is written to a variable but its initial value.
    fn keep(&self, system: &System, var: VarId, value: Value) -> bool {
        let is_it = |update: &Update| {
            let writes = update.place.variables().any(|written| written == var);
            !writes
                || matches!(update.choice, Choice::Exactly(expr) if system.exprs.constant_value(expr) == Some(value))
        };
        self.0[var].iter().all(|id| system.commands[*id].updates.iter().all(is_it))
    }
}

/// The initial values of variables that keep their values from step to step, as far as they are known.
fn initial_values(system: &System) -> Known {
    let mut known = Known::new();
    for update in &system.initial_values {
        let (Place::Variable(var), Choice::Exactly(expr)) = (update.place, update.choice) else { continue };
        if let Some(value) = system.exprs.constant_value(expr)
            && system.variables[var].motion == Motion::Kept
            && system.variables[var].domain.contains(value)
        {
            known.insert(var, value);
        }
    }
    known
}

/// The value that an update stores in a variable of its own, if it is known and one that the variable can have.
fn stored(system: &System, update: &Update, known: &Before<'_>, exprs: &mut Exprs) -> Option<Value> {
    let (Place::Variable(var), Choice::Exactly(expr)) = (update.place, update.choice) else { return None };
    let expr = assumed(exprs, expr, known);
    exprs.constant_value(expr).filter(|value| system.variables[var].domain.contains(*value))
}

/// An expression where the values of some variables are known.
fn assumed(exprs: &mut Exprs, root: ExprId, known: &Before<'_>) -> ExprId {
    exprs.rewrite(root, |exprs, id| {
        let Node::Now(var) = *exprs.node(id) else { return None };
        let (value, sort) = (known.get(var)?, exprs.sort(id));
        Some(exprs.constant(value, sort))
    })
}

/// Writes what is known into a command; says whether that changes it. One that can never run does nothing.
fn simplify(system: &mut System, id: CommandId, known: &Before<'_>) -> bool {
    let System { commands, exprs, .. } = system;
    let command = &mut commands[id];
    let guard = assumed(exprs, command.guard, known);
    let mut is_simpler = std::mem::replace(&mut command.guard, guard) != guard;
    if is_simpler && exprs.constant_value(guard) == Some(0) {
        let owner = Move { to: command.owner.from, ..command.owner };
        *command = Command { owner, partner: None, updates: Vec::new(), keeps_control: false, ..command.clone() };
        return true;
    }
    for at in 0..command.updates.len() {
        let update = command.updates[at];
        let choice = match update.choice {
            Choice::Exactly(expr) => Choice::Exactly(assumed(exprs, expr, known)),
            Choice::OneOf(expr) => Choice::OneOf(assumed(exprs, expr, known)),
            Choice::Anything => Choice::Anything,
        };
        let others = command.updates.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other.place);
        let place = located(exprs, update.place, known, others);
        is_simpler |= (place, choice) != (update.place, update.choice);
        command.updates[at] = Update { place, choice, ..update };
    }
    is_simpler
}

/// A place where the values of some variables are known: one variable, if the index is inside the array and no other update writes it.
fn located(exprs: &mut Exprs, place: Place, known: &Before<'_>, mut others: impl Iterator<Item = Place>) -> Place {
    let Place::Element { first, length, low, index } = place else { return place };
    let index = assumed(exprs, index, known);
    let offset = exprs.constant_value(index).and_then(|value| usize::try_from(value.checked_sub(low)?).ok());
    let element = offset.filter(|offset| *offset < length as usize).map(|offset| VarId::from(first.index() + offset));
    match element {
        Some(var) if !others.any(|other| other.variables().any(|written| written == var)) => Place::Variable(var),
        _ => Place::Element { first, length, low, index },
    }
}
