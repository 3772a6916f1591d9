//! Processes that have come to their end and die, if nothing depends on it.
//!
//! A departure is the last step of a process: it is the only command where the process is then, and from where it leads the process never
//! moves again. What it writes is read by other departures, and by the process itself before, but by no other command
//! and no condition. A run without its departures is then a run of the system without departures, with the same values of conditions up to repeated states.
//! The other way round, in a run of that system, departures can be made as soon as they are possible: there are no more of them than
//! processes, and who can die and does not would be treated unfairly only until then. Where all that is left are departures, the run has come to
//! its end with and without them. No process waits for a timeout, which departures would put off.

use super::live::nothing;
use std::collections::{BTreeMap, BTreeSet};
use system::{
    Choice, Command, CommandId, ExprId, Footprint, Layout, Machine, Moved, Place, PointId, ProcessId, State, System,
    Update, VarId, VarSet, Visit,
};

/// The last steps of processes.
#[derive(Debug, Default)]
pub struct Departures {
    /// For each process, what its last steps write, its program counter included.
    written: BTreeMap<ProcessId, BTreeSet<VarId>>,
    commands: Vec<CommandId>,
}

impl Departures {
    /// Those of a system; none if something else depends on one of them.
    pub fn of(system: &System, conditions: &[ExprId]) -> Departures {
        let parts = Parts::of(system);
        let mut departures = Departures::default();
        for (id, command) in system.commands.iter_enumerated().filter(|(_, command)| parts.is_last(system, command)) {
            let written = departures.written.entry(command.owner.process).or_default();
            written.extend(system.processes[command.owner.process].pc);
            written.extend(command.updates.iter().flat_map(|update| update.place.variables()));
            departures.commands.push(id);
        }
        if departures.are_unnoticed(system, conditions) { departures } else { Departures::default() }
    }

    /// Whether there are none.
    pub fn is_nothing(&self) -> bool {
        self.commands.is_empty()
    }

    /// Takes them out of the system.
    pub fn cut(&self, system: &mut System) {
        for id in &self.commands {
            system.commands[*id] = nothing(&mut system.exprs, &system.commands[*id].clone());
        }
    }

    /// The processes that have some.
    pub fn processes(&self) -> impl Iterator<Item = ProcessId> {
        self.written.keys().copied()
    }

    /// The last step of one of some processes from a state.
    pub fn next(
        &self,
        machine: &Machine,
        state: &State,
        processes: impl IntoIterator<Item = ProcessId>,
    ) -> Option<(Moved, State)> {
        let mut found = None;
        let looked = machine.successors_among(processes, &state.0, &mut machine.workspace(), |successor| {
            if !self.commands.contains(&successor.command) {
                return Visit::Continue(());
            }
            let step = successor.step();
            let process = machine.system().commands[step.command].owner.process;
            let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
            found = Some((moved, State(successor.state.into())));
            Visit::Break(())
        });
        looked.ok().and(found)
    }

    /// Makes a state one in which some processes have died, as in another one.
    pub fn bury(&self, layout: &Layout, dead: &[ProcessId], from: &State, state: &mut State) {
        for var in dead.iter().filter_map(|process| self.written.get(process)).flatten() {
            if let Some(value) = layout.get(&from.0, *var) {
                layout.set(&mut state.0, *var, value);
            }
        }
    }

    /// Whether no other command and no condition reads or writes what they write.
    fn are_unnoticed(&self, system: &System, conditions: &[ExprId]) -> bool {
        let watched = reads(system, conditions).into_iter().chain(system.monitors.iter().copied());
        let mut noticed = VarSet::new(system.variables.len());
        watched.for_each(|var| _ = noticed.insert(var));
        let others = system.commands.iter_enumerated().filter(|(id, _)| !self.commands.contains(id));
        self.written.values().flatten().all(|var| !noticed.contains(*var))
            && others.into_iter().all(|(_, command)| self.is_apart(system, command))
    }

    /// Whether a command reads and writes nothing that the last steps of others write.
    fn is_apart(&self, system: &System, command: &Command) -> bool {
        let touched = touched(system, command);
        let takes_part =
            |process: &ProcessId| command.parts().any(|part| part.process == *process && part.from.is_some());
        self.written.iter().all(|(process, written)| takes_part(process) || touched.is_disjoint(written))
            && !self.shared().any(|var| touched.contains(&var))
    }

    /// The variables that the last steps of several processes write.
    fn shared(&self) -> impl Iterator<Item = VarId> {
        let mut counts: BTreeMap<VarId, usize> = BTreeMap::new();
        for var in self.written.values().flatten() {
            *counts.entry(*var).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count > 1).map(|(var, _)| var)
    }
}

/// How many commands each process takes part in at each of its control points; none: anywhere.
struct Parts(BTreeMap<(ProcessId, Option<PointId>), usize>);

impl Parts {
    fn of(system: &System) -> Parts {
        let mut parts = BTreeMap::new();
        let commands = system.commands.iter().filter(|command| system.exprs.constant_value(command.guard) != Some(0));
        for part in commands.flat_map(Command::parts) {
            *parts.entry((part.process, part.from)).or_default() += 1;
        }
        Parts(parts)
    }

    /// Whether a command is a step of one process after which it never moves again, the only one there, and writes constants.
    fn is_last(&self, system: &System, command: &Command) -> bool {
        let count = |point| self.0.get(&(command.owner.process, point)).copied().unwrap_or(0);
        let (from, to) = (command.owner.from, command.owner.to);
        let is_alone = command.partner.is_none() && command.relation.is_none() && !command.keeps_control;
        let is_simple = command.updates.iter().all(|update| is_constant(system, *update));
        let can_run = system.exprs.constant_value(command.guard) != Some(0);
        let leaves = from.is_some() && to.is_some() && from != to;
        is_alone && is_simple && can_run && leaves && count(from) == 1 && count(to) == 0 && count(None) == 0
    }
}

/// Whether an update writes a constant that fits.
fn is_constant(system: &System, update: Update) -> bool {
    let (Place::Variable(var), Choice::Exactly(expr)) = (update.place, update.choice) else { return false };
    let is_counter = system.processes.iter().any(|process| process.pc == Some(var));
    !is_counter && system.exprs.constant_value(expr).is_some_and(|value| system.variables[var].domain.contains(value))
}

/// What a command reads and writes, besides where its processes are.
fn touched(system: &System, command: &Command) -> BTreeSet<VarId> {
    let mut exprs = vec![command.guard];
    exprs.extend(command.relation);
    for update in &command.updates {
        match update.choice {
            Choice::Exactly(expr) | Choice::OneOf(expr) => exprs.push(expr),
            Choice::Anything => {}
        }
        if let Place::Element { index, .. } = update.place {
            exprs.push(index);
        }
    }
    let written = command.updates.iter().flat_map(|update| update.place.variables());
    reads(system, &exprs).into_iter().chain(written).collect()
}

/// The variables that expressions read.
fn reads(system: &System, exprs: &[ExprId]) -> Vec<VarId> {
    let Footprint { now, next, .. } = Footprint::of(&system.exprs, exprs);
    now.into_iter().chain(next).collect()
}
