//! The flow of data along a run: which step may have read what another one changed, and what a violation depends on.
//!
//! A step reads what its command mentions, taken branch or not, so a dependency may be shown that the values did not
//! need; none is missing.

use super::document::{Core, Observation};
use std::collections::BTreeMap;
use system::{
    Choice, Claim, Command, CommandId, ExprId, Footprint, Machine, Place, ProcessId, PropertyId, State, System, Trace,
    Update, VarId, VarSet,
};

/// The variables whose values a step changes.
fn changed<'a>(machine: &'a Machine, from: &'a State, to: &'a State) -> impl Iterator<Item = VarId> + 'a {
    machine.system().variables.indices().filter(move |var| machine.layout().differ(&from.0, &to.0, *var))
}

/// A run that has been replayed.
#[derive(Clone, Copy)]
pub struct Flow<'a> {
    machine: &'a Machine,
    trace: &'a Trace,
    commands: &'a [CommandId],
}

impl<'a> Flow<'a> {
    /// A run, and the commands that explain its steps.
    pub fn new(machine: &'a Machine, trace: &'a Trace, commands: &'a [CommandId]) -> Flow<'a> {
        Flow { machine, trace, commands }
    }

    /// What the violation of a property depends on: a backward slice of the run. None if the run is not a finite
    /// violation of it.
    pub fn core(&self, property: PropertyId) -> Option<Core> {
        let system = self.machine.system();
        let end = self.trace.violates(self.machine, property)?;
        let mut slice = Slice::new(system);
        let is_about_steps = match &system.properties[property].claim {
            Claim::Invariant(expr) => {
                slice.need_expr(*expr);
                !self.machine.is_state_invariant(property)
            }
            Claim::DeadlockFree => {
                slice.need_every_guard();
                false
            }
            _ => return None,
        };
        let mut steps = Vec::new();
        let mut states = self.trace.states.backwards().skip(self.trace.states.len() - 1 - end);
        let mut to = states.next()?;
        for (index, from) in (0..end).rev().zip(states) {
            let changed: Vec<VarId> = changed(self.machine, &from, &to).collect();
            to = from;
            let matters = changed.iter().any(|var| slice.needed.contains(*var));
            let is_last = is_about_steps && index + 1 == end;
            // Who may move inside an atomic section depends on every step before it, whatever it changed.
            if matters || is_last || system.has_atomic_sections {
                slice.take_step(&system.commands[self.commands[index]], &changed);
                steps.push(index + 1);
            }
        }
        steps.reverse();
        let variables = slice.seen.iter().filter(|var| !system.is_input(*var));
        Some(Core { steps, variables: variables.map(|var| system.variables[var].name.clone()).collect() })
    }
}

/// What the steps of a run may have read of each other, step by step from the first one. Only the last change of each variable is
/// kept: where each step changes many of them, all changes take more memory than the run.
pub struct Observer<'a> {
    flow: Flow<'a>,
    /// For each variable, the last step that changed it, and whose that was.
    last: Vec<Option<(usize, ProcessId)>>,
    /// What the commands met so far read.
    reads: BTreeMap<CommandId, Vec<VarId>>,
    /// The step that comes next.
    next: usize,
}

impl<'a> Observer<'a> {
    /// At the beginning of a run.
    pub fn new(flow: Flow<'a>) -> Observer<'a> {
        let last = vec![None; flow.machine.system().variables.len()];
        Observer { flow, last, reads: BTreeMap::new(), next: 0 }
    }

    /// The earlier steps of other processes whose changes the next step may have read.
    pub fn observe(&mut self, from: &State, me: ProcessId, to: &State) -> Vec<Observation> {
        let Flow { machine, commands, .. } = self.flow;
        let (system, index) = (machine.system(), self.next);
        let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let command = commands[index];
        let reads = self.reads.entry(command).or_insert_with(|| all_reads(system, &system.commands[command]));
        for var in reads.iter() {
            let Some((last, who)) = self.last[var.index()] else { continue };
            if who != me {
                found.entry(last + 1).or_default().push(system.variables[*var].name.clone());
            }
        }
        changed(machine, from, to).for_each(|var| self.last[var.index()] = Some((index, me)));
        self.next += 1;
        found.into_iter().map(|(step, variables)| Observation { step, variables }).collect()
    }
}

/// A backward slice in the making.
struct Slice<'a> {
    system: &'a System,
    /// The variables whose values at this point of the run matter.
    needed: VarSet,
    /// The variables that mattered anywhere.
    seen: VarSet,
    /// The variables that conditions on every state and step mention. These restrict every step, so they always matter.
    conditions: Vec<VarId>,
}

impl<'a> Slice<'a> {
    fn new(system: &'a System) -> Slice<'a> {
        let none = VarSet::new(system.variables.len());
        let roots: Vec<ExprId> =
            system.relations.iter().chain(&system.constraints).map(|condition| condition.holds).collect();
        let Footprint { now, next, .. } = Footprint::of(&system.exprs, &roots);
        let conditions = now.into_iter().chain(next).collect();
        let mut slice = Slice { system, needed: none.clone(), seen: none, conditions };
        slice.need_conditions();
        slice
    }

    fn need(&mut self, var: VarId) {
        self.needed.insert(var);
        self.seen.insert(var);
    }

    fn need_expr(&mut self, expr: ExprId) {
        let Footprint { now, next, timeout, .. } = Footprint::of(&self.system.exprs, &[expr]);
        now.into_iter().chain(next).for_each(|var| self.need(var));
        if timeout {
            // It asks whether another process can move.
            self.need_every_guard();
        }
        self.need_definitions();
    }

    /// A variable that follows from others is as good as they are.
    fn need_definitions(&mut self) {
        let system = self.system;
        for definition in system.definitions.iter().rev() {
            if self.needed.contains(definition.variable)
                && let Some(expr) = choice_expr(definition.choice)
            {
                vars_of(system, expr).for_each(|var| self.need(var));
            }
        }
    }

    fn need_conditions(&mut self) {
        for index in 0..self.conditions.len() {
            self.need(self.conditions[index]);
        }
        self.need_definitions();
    }

    fn need_every_guard(&mut self) {
        let system = self.system;
        for command in &system.commands {
            self.need_points(command);
            let conditions = [Some(command.guard), command.relation].into_iter().flatten();
            conditions.flat_map(|expr| vars_of(system, expr)).for_each(|var| self.need(var));
        }
        self.need_definitions();
    }

    /// The program counters that say whether the command's processes are where it starts.
    fn need_points(&mut self, command: &Command) {
        for part in command.parts() {
            let pc = self.system.processes[part.process].pc.filter(|_| part.from.is_some());
            pc.into_iter().for_each(|pc| self.need(pc));
        }
    }

    fn need_enabled(&mut self, command: &Command) {
        self.need_points(command);
        self.need_expr(command.guard);
        command.relation.into_iter().for_each(|relation| self.need_expr(relation));
    }

    /// Goes back over a step that matters: what it wrote is needed no more, what it read is.
    fn take_step(&mut self, command: &Command, changed: &[VarId]) {
        let updates = command.updates.iter();
        let updates: Vec<&Update> =
            updates.filter(|update| update.place.variables().any(|var| self.needed.contains(var))).collect();
        changed.iter().for_each(|var| self.needed.remove(*var));
        self.need_enabled(command);
        for update in updates {
            update_exprs(update).for_each(|expr| self.need_expr(expr));
        }
        self.need_conditions();
    }
}

/// Everything that a command reads of the state.
fn all_reads(system: &System, command: &Command) -> Vec<VarId> {
    let roots: Vec<ExprId> = [Some(command.guard), command.relation]
        .into_iter()
        .flatten()
        .chain(command.updates.iter().flat_map(update_exprs))
        .collect();
    let mut reads = Footprint::of(&system.exprs, &roots).now;
    let parts = command.parts();
    reads.extend(parts.filter(|part| part.from.is_some()).filter_map(|part| system.processes[part.process].pc));
    reads.sort_unstable();
    reads.dedup();
    reads
}

fn vars_of(system: &System, expr: ExprId) -> impl Iterator<Item = VarId> + use<> {
    let Footprint { now, next, .. } = Footprint::of(&system.exprs, &[expr]);
    now.into_iter().chain(next)
}

fn choice_expr(choice: Choice) -> Option<ExprId> {
    match choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => Some(expr),
        Choice::Anything => None,
    }
}

fn update_exprs(update: &Update) -> impl Iterator<Item = ExprId> + use<> {
    let index = match update.place {
        Place::Element { index, .. } => Some(index),
        Place::Variable(_) => None,
    };
    choice_expr(update.choice).into_iter().chain(index)
}
