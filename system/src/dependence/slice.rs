//! Slices: a system without what cannot influence the properties that are asked about (their cone of influence).
//!
//! The variables outside the cone are still there, so that all ids mean the same, but no command writes them and each has one
//! value for ever. A run of the slice is a run of the system as far as the cone is concerned; [`Slice::lift`] finds the
//! rest. What can fail is always part of the cone: a slice must not hide a fault.

use super::attained::always_fits;
use crate::definition::expr::Exprs;
use crate::definition::footprint::{Footprint, VarSet};
use crate::definition::formula::Formula;
use crate::definition::ids::{ExprId, FormulaId, PointId, ProcessId, PropertyId, VarId};
use crate::definition::system::{Choice, Claim, Command, Condition, Fairness, Motion, Place, System, Update};
use crate::definition::value::Value;
use crate::execution::alarm::Alarm;
use crate::execution::machine::Machine;
use index_vec::IndexVec;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What becomes of relations (SMV's TRANS) that have no variable in common with the cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// They and all that they depend on are part of it.
    Kept,
    /// They are left out. What the slice cannot do, the system cannot do either; but a relation elsewhere may forbid a
    /// step, so that a run of the slice is one of the system only if [`Slice::lift`] says so. Where a property asks for steps, as freedom
    /// from deadlock and formulas of CTL do, they are kept all the same.
    LeftOut,
}

/// A slice of a system.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The system without what is outside the cone.
    pub system: System,
    cone: VarSet,
    apart: Apart,
}

impl Slice {
    /// The slice for some properties; `None` if everything matters.
    pub fn new(system: &System, properties: &[PropertyId], apart: Apart) -> Option<Slice> {
        let cone = Cone::of(system, properties, apart).0;
        if system.state_variables().all(|(var, _)| cone.contains(var)) {
            return None;
        }
        let cut = cut(system, properties, &cone);
        let apart = if cut.relations.len() < system.relations.len() { Apart::LeftOut } else { Apart::Kept };
        Some(Slice { system: cut, cone, apart })
    }

    /// Whether a variable is part of the cone.
    pub fn has(&self, var: VarId) -> bool {
        self.cone.contains(var)
    }

    /// Whether relations were left out.
    pub fn apart(&self) -> Apart {
        self.apart
    }

    /// Whether two states have the same values in the cone.
    pub(crate) fn is_same_inside(&self, one: &[Value], other: &[Value]) -> bool {
        let mut inside = self.system.state_variables().map(|(var, _)| var).filter(|var| self.has(*var));
        inside.all(|var| one[var.index()] == other[var.index()])
    }

    /// The whole system, held to the values of the cone in its initial or its next state.
    pub(crate) fn pinned(&self, system: &System, values: &[i64], pinned: Pinned) -> Machine {
        let mut system = system.clone();
        for var in self.cone.iter() {
            let (sort, motion) = (system.variables[var].domain.sort(), system.variables[var].motion);
            let read = match (pinned, motion) {
                (Pinned::Initial, Motion::Input) => continue,
                (Pinned::Initial, _) | (Pinned::Next, Motion::Input) => system.exprs.now(var, sort),
                (Pinned::Next, _) => system.exprs.next(var, sort),
            };
            let value = system.exprs.constant(values[var.index()], sort);
            let holds = system.exprs.equal(read, value);
            let condition = Condition { holds, span: system.variables[var].span };
            match pinned {
                Pinned::Initial => system.initial.push(condition),
                Pinned::Next => system.relations.push(condition),
            }
        }
        let mut machine = Machine::new(Arc::new(system));
        if self.apart == Apart::LeftOut {
            machine.heed(Alarm::default().or_after(PATIENCE));
        }
        machine
    }
}

/// How often a machine may ask whether to go on. What no solver has chosen can be chosen in very many ways, and who does not
/// find one soon can ask with the relations.
pub(super) const PATIENCE: u32 = 64;

/// Which state is held to values.
#[derive(Clone, Copy)]
pub(crate) enum Pinned {
    /// The initial one.
    Initial,
    /// The one after a step.
    Next,
}

/// The variables that matter.
struct Cone(VarSet);

impl Cone {
    fn of(system: &System, properties: &[PropertyId], apart: Apart) -> Cone {
        let mut cone = Cone(VarSet::new(system.variables.len()));
        for property in properties {
            match &system.properties[*property].claim {
                Claim::Invariant(expr) => {
                    cone.read(&system.exprs, *expr);
                    if is_about_steps(system, *expr) {
                        cone.need_all(system);
                    }
                }
                Claim::DeadlockFree => cone.need_all(system),
                Claim::Ctl(formula) => cone.follow_branches(system, *formula),
                Claim::Compute(_, start, end) => {
                    cone.follow_branches(system, *start);
                    cone.follow_branches(system, *end);
                }
                Claim::Ltl(formula) => cone.follow_runs(system, *formula),
                // These are not asked about by unrolling; everything may matter to them.
                _ => {
                    for var in system.variables.indices() {
                        cone.0.insert(var);
                    }
                }
            }
        }
        for condition in system.initial.iter().chain(&system.constraints) {
            cone.read(&system.exprs, condition.holds);
        }
        let apart = if asks_for_steps(system, properties) { Apart::Kept } else { apart };
        for relation in &system.relations {
            let is_about_who_runs = Footprint::of(&system.exprs, &[relation.holds]).running;
            if apart == Apart::Kept || is_about_who_runs || !system.exprs.is_total(relation.holds) {
                cone.read(&system.exprs, relation.holds);
            }
        }
        // Who has control, and whether nothing else can run, depends on every guard.
        if system.has_atomic_sections || system.has_timeout() {
            cone.need_all(system);
        }
        for command in &system.commands {
            if command.relation.is_some() || !system.exprs.is_total(command.guard) {
                cone.need(system, command);
            }
            if let Some(relation) = command.relation {
                cone.read(&system.exprs, relation);
            }
        }
        cone.add_failing(system);
        let hesitating = hesitating(system);
        while cone.grow(system, &hesitating) {}
        cone
    }

    fn read(&mut self, exprs: &Exprs, expr: ExprId) {
        for var in mentioned(exprs, expr) {
            self.0.insert(var);
        }
    }

    /// A formula of CTL looks at states of fair runs: what it and justice read, and which steps there are. States that are
    /// equal so far have steps to states that are.
    fn follow_branches(&mut self, system: &System, formula: FormulaId) {
        self.read_formula(system, formula);
        for constraint in &system.fairness {
            if let Fairness::Justice(expr) = constraint {
                self.read(&system.exprs, *expr);
            }
        }
        self.need_all(system);
    }

    /// A formula of LTL looks at fair runs: what it and fairness read, and which steps there are.
    fn follow_runs(&mut self, system: &System, formula: FormulaId) {
        self.read_formula(system, formula);
        for constraint in &system.fairness {
            match *constraint {
                Fairness::Justice(expr) => self.read(&system.exprs, expr),
                Fairness::Compassion(often, then) => {
                    self.read(&system.exprs, often);
                    self.read(&system.exprs, then);
                }
                // Who can move is what guards say.
                Fairness::Weak(_) | Fairness::Strong(_) => {}
            }
        }
        self.need_all(system);
    }

    fn read_formula(&mut self, system: &System, formula: FormulaId) {
        for part in system.formulas.parts(formula) {
            if let Formula::State(expr) = system.formulas.get(part) {
                self.read(&system.exprs, expr);
            }
        }
    }

    /// Which steps there are matters.
    fn need_all(&mut self, system: &System) {
        for command in &system.commands {
            self.need(system, command);
        }
    }

    /// Whether a command can run matters.
    fn need(&mut self, system: &System, command: &Command) {
        self.read(&system.exprs, command.guard);
        for part in command.parts() {
            if let (Some(pc), Some(_)) = (system.processes[part.process].pc, part.from) {
                self.0.insert(pc);
            }
        }
    }

    fn read_choice(&mut self, exprs: &Exprs, choice: Choice) {
        if let Choice::Exactly(expr) | Choice::OneOf(expr) = choice {
            self.read(exprs, expr);
        }
    }

    /// What an update that can fail writes.
    fn add_failing<'s>(&mut self, system: &'s System) {
        let of_command = |command: &'s Command| command.updates.iter().map(|update| (update, Some(command.guard)));
        let of_commands = system.commands.iter().flat_map(of_command);
        for (update, guard) in of_commands.chain(system.initial_values.iter().map(|update| (update, None))) {
            let is_element = matches!(update.place, Place::Element { .. });
            for var in update.place.variables() {
                if is_element || can_fail(system, var, update.choice, guard) {
                    self.0.insert(var);
                }
            }
        }
        for definition in &system.definitions {
            if can_fail(system, definition.variable, definition.choice, None) {
                self.0.insert(definition.variable);
            }
        }
    }

    /// Adds what the variables so far depend on; says whether there was anything new. `hesitating` are the commands of
    /// processes that cannot always move.
    fn grow(&mut self, system: &System, hesitating: &[&Command]) -> bool {
        let before = self.0.clone();
        // A free variable changes with every step, so that it matters whether there is one.
        if before.iter().any(|var| system.variables[var].motion == Motion::Free) {
            hesitating.iter().for_each(|command| self.need(system, command));
        }
        for command in &system.commands {
            let going = command.parts().filter(|part| part.to.is_some());
            let mut counters = going.filter_map(|part| system.processes[part.process].pc);
            let mut matters = counters.any(|pc| before.contains(pc));
            for update in &command.updates {
                if update.place.variables().any(|var| before.contains(var)) {
                    matters = true;
                    self.keep(system, *update);
                }
            }
            if matters {
                self.need(system, command);
            }
        }
        for update in &system.initial_values {
            if update.place.variables().any(|var| before.contains(var)) {
                self.keep(system, *update);
            }
        }
        for definition in &system.definitions {
            if before.contains(definition.variable) {
                self.read_choice(&system.exprs, definition.choice);
            }
        }
        for relation in &system.relations {
            if mentioned(&system.exprs, relation.holds).any(|var| before.contains(var)) {
                self.read(&system.exprs, relation.holds);
            }
        }
        self.0 != before
    }

    /// An update stays: all that it reads and writes.
    fn keep(&mut self, system: &System, update: Update) {
        for var in update.place.variables() {
            self.0.insert(var);
        }
        if let Place::Element { index, .. } = update.place {
            self.read(&system.exprs, index);
        }
        self.read_choice(&system.exprs, update.choice);
    }
}

/// Whether some property may hold only because there are steps: a relation elsewhere that forbids them violates it.
fn asks_for_steps(system: &System, properties: &[PropertyId]) -> bool {
    let claims = properties.iter().map(|property| &system.properties[*property].claim);
    claims.into_iter().any(|claim| !matches!(claim, Claim::Invariant(_) | Claim::Ltl(_)))
}

/// The commands of processes that are not known to have one that can run wherever the process is, whatever the values of
/// variables are.
fn hesitating(system: &System) -> Vec<&Command> {
    let mut stuck: IndexVec<ProcessId, BTreeSet<PointId>> =
        system.processes.iter().map(|process| process.points.indices().collect()).collect();
    for Command { owner, partner, guard, relation, .. } in &system.commands {
        let is_possible = system.exprs.constant_value(*guard).is_some_and(|value| value != 0);
        match owner.from {
            _ if !is_possible || partner.is_some() || relation.is_some() => {}
            Some(point) => drop(stuck[owner.process].remove(&point)),
            None => stuck[owner.process].clear(),
        }
    }
    system.commands.iter().filter(|command| !stuck[command.owner.process].is_empty()).collect()
}

/// The variables that an expression mentions, now or next.
fn mentioned(exprs: &Exprs, expr: ExprId) -> impl Iterator<Item = VarId> + use<> {
    let footprint = Footprint::of(exprs, &[expr]);
    footprint.now.into_iter().chain(footprint.next)
}

/// Whether an invariant is about steps: any step may violate it, even one that changes nothing that it reads.
fn is_about_steps(system: &System, expr: ExprId) -> bool {
    let reads = Footprint::of(&system.exprs, &[expr]);
    let reads_input = reads.has_inputs(system);
    reads_input || reads.running || !reads.next.is_empty()
}

/// Whether a variable may not get the value that is chosen for it where the guard is true.
pub(super) fn can_fail(system: &System, var: VarId, choice: Choice, guard: Option<ExprId>) -> bool {
    match choice {
        Choice::Anything => false,
        Choice::Exactly(expr) | Choice::OneOf(expr) => {
            !system.exprs.is_total(expr) || !always_fits(system, guard, expr, &system.variables[var].domain)
        }
    }
}

/// The system in which no command writes what is outside the cone.
fn cut(system: &System, properties: &[PropertyId], cone: &VarSet) -> System {
    let mut system = system.clone();
    for (id, property) in system.properties.iter_mut_enumerated() {
        if !properties.contains(&id) {
            property.claim = Claim::Unsupported("it is not asked about".to_owned());
        }
    }
    for command in &mut system.commands {
        command.updates.retain(|update| update.place.variables().any(|var| cone.contains(var)));
        for part in [Some(&mut command.owner), command.partner.as_mut()].into_iter().flatten() {
            if system.processes[part.process].pc.is_some_and(|pc| !cone.contains(pc)) {
                part.to = None;
            }
        }
    }
    let exprs = &system.exprs;
    system.relations.retain(|relation| mentioned(exprs, relation.holds).all(|var| cone.contains(var)));
    system.initial_values.retain(|update| update.place.variables().any(|var| cone.contains(var)));
    system.definitions.retain(|definition| cone.contains(definition.variable));
    let outside = system.state_variables().map(|(var, _)| var).filter(|var| !cone.contains(*var));
    for var in outside.collect::<Vec<VarId>>() {
        let variable = &mut system.variables[var];
        variable.motion = Motion::Kept;
        let (sort, value, span) = (variable.domain.sort(), variable.domain.value_at(0), variable.span);
        let choice = Choice::Exactly(system.exprs.constant(value, sort));
        system.initial_values.push(Update { place: Place::Variable(var), choice, span });
    }
    system
}
