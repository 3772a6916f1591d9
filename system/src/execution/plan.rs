//! Plans: in which order the unknowns of a step are computed, chosen and checked.
//!
//! The new state of a step is the solution of updates, definitions, relations and constraints over unknown
//! registers: the next values that may change, and the inputs that matter. A plan orders them once, when a command
//! first runs: what is known is checked at once, what is determined is computed, and only then is something chosen,
//! from the smallest choice in sight. After a choice, conditions that are still open are tried with the unknowns
//! left unknown ([`Op::Prune`]), so that a relation in disjunctive form does not cost the product of all domains.

use super::code::{Program, Register, Registers};
use super::compile::{Constants, Frame, compile, compile_choice, compile_straight};
use crate::definition::expr::Node;
use crate::definition::footprint::Footprint;
use crate::definition::ids::{CommandId, ExprId, VarId};
use crate::definition::op::{Binary, Unary};
use crate::definition::system::{Choice, Command, Motion, Place, System, Update};
use crate::definition::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What a value outside the variable's domain means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The domain covers every possible value.
    Impossible,
    /// The model is wrong.
    Fault,
    /// The condition that determines the value is false.
    Reject,
}

/// Where an operation stores a value.
#[derive(Clone, Debug)]
pub enum Target {
    Variable { var: VarId, register: Register },
    Element { first: VarId, length: u32, low: i64, index: Program },
}

/// One operation of a plan.
#[derive(Clone, Debug)]
pub enum Op {
    /// Goes on only if the condition holds.
    Check(Program),
    /// Goes on unless the condition is already false, whatever the unknown registers turn out to be.
    Prune { program: Program, unknown: Vec<Register> },
    /// Goes on only if the variable's value is among those emitted.
    CheckMember { program: Program, register: Register },
    /// Stores the value of an expression.
    Assign { program: Program, target: Target, outside: Outside },
    /// Stores a constant.
    Set { register: Register, value: Value },
    /// Tries each of the values emitted.
    Choose { program: Program, target: Target },
    /// Tries each value of the domain.
    ChooseAny { target: Target },
}

/// How a command's successors (or the initial states) are enumerated.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub ops: Vec<Op>,
    /// The variables whose next value may differ from the current one.
    pub changed: Vec<VarId>,
    /// How many registers the file must have.
    pub registers: usize,
}

impl Plan {
    /// Every register that running the plan may look at, apart from those of `changed`.
    pub fn mentions(&self) -> Vec<Register> {
        let mut registers = Vec::new();
        for op in &self.ops {
            let (program, target) = match op {
                Op::Check(program) | Op::Prune { program, .. } | Op::CheckMember { program, .. } => {
                    (Some(program), None)
                }
                Op::Assign { program, target, .. } | Op::Choose { program, target } => (Some(program), Some(target)),
                Op::ChooseAny { target } => (None, Some(target)),
                Op::Set { .. } => (None, None),
            };
            registers.extend(program.into_iter().flat_map(Program::mentions));
            if let Some(Target::Element { index, .. }) = target {
                registers.extend(index.mentions());
            }
        }
        registers
    }
}

/// The plan for the initial states.
pub fn plan_initial(system: &System, constants: &Constants, layout: Registers) -> Plan {
    let mut planner = Planner::new(system, constants, layout);
    for (var, variable) in system.state_variables() {
        planner.change(var);
        if variable.motion != Motion::Defined {
            planner.unknown.insert(layout.next(var));
        }
    }
    for update in &system.initial_values {
        planner.update(update, Frame::Following);
    }
    for definition in &system.definitions {
        planner.assign(definition.variable, definition.choice, Frame::Following);
    }
    for condition in system.initial.iter().chain(&system.constraints) {
        planner.condition(condition.holds, Frame::Following);
    }
    planner.finish()
}

/// What the plans of all commands have in common.
#[derive(Debug)]
pub struct Common {
    /// Inputs whose value matters to a property.
    pub observed: Vec<VarId>,
    /// Variables that change in every step, whatever the command.
    pub free: Vec<VarId>,
}

/// The plan for a command.
pub fn plan_command(
    system: &System,
    constants: &Constants,
    layout: Registers,
    command: CommandId,
    common: &Common,
) -> Plan {
    let mut planner = Planner::new(system, constants, layout);
    let command = &system.commands[command];
    planner.condition(command.guard, Frame::Current);
    planner.move_processes(command);
    for update in &command.updates {
        planner.update(update, Frame::Current);
    }
    for var in &common.free {
        if planner.change(*var) {
            planner.unknown.insert(layout.next(*var));
        }
    }
    planner.definitions();
    let relations = system.relations.iter().map(|relation| relation.holds).chain(command.relation);
    for relation in relations {
        planner.condition(relation, Frame::Current);
    }
    for constraint in &system.constraints {
        planner.condition_on_change(constraint.holds);
    }
    for input in &common.observed {
        planner.unknown.insert(layout.now(*input));
    }
    planner.finish()
}

/// Something to be done once the registers it reads are known.
struct Item {
    work: Work,
    /// Unknown registers it reads.
    reads: Vec<Register>,
    /// How many of them are still unknown.
    missing: usize,
    done: bool,
}

enum Work {
    Condition(ExprId, Frame),
    Update { place: Place, choice: Choice, frame: Frame },
}

struct Planner<'a> {
    system: &'a System,
    constants: &'a Constants,
    layout: Registers,
    items: Vec<Item>,
    /// Registers without a value so far.
    unknown: FxHashSet<Register>,
    changed: BTreeSet<VarId>,
    plan: Plan,
}

impl<'a> Planner<'a> {
    fn new(system: &'a System, constants: &'a Constants, layout: Registers) -> Self {
        Planner {
            system,
            constants,
            layout,
            items: Vec::new(),
            unknown: FxHashSet::default(),
            changed: BTreeSet::new(),
            plan: Plan::default(),
        }
    }

    fn change(&mut self, var: VarId) -> bool {
        self.changed.insert(var)
    }

    fn move_processes(&mut self, command: &Command) {
        for part in command.parts() {
            let process = &self.system.processes[part.process];
            if let (Some(pc), Some(to)) = (process.pc, part.to)
                && let Some(value) = process.points[to].value
            {
                self.change(pc);
                self.plan.ops.push(Op::Set { register: self.layout.next(pc), value });
            }
        }
    }

    fn update(&mut self, update: &Update, frame: Frame) {
        for var in update.place.variables() {
            self.change(var);
            self.unknown.insert(self.layout.next(var));
        }
        if update.choice != Choice::Anything {
            self.items.push(Item {
                work: Work::Update { place: update.place, choice: update.choice, frame },
                reads: Vec::new(),
                missing: 0,
                done: false,
            });
        }
    }

    fn assign(&mut self, var: VarId, choice: Choice, frame: Frame) {
        let place = Place::Variable(var);
        self.update(&Update { place, choice, span: Default::default() }, frame);
    }

    fn condition(&mut self, root: ExprId, frame: Frame) {
        for part in self.system.exprs.conjuncts(root) {
            let work = Work::Condition(part, frame);
            self.items.push(Item { work, reads: Vec::new(), missing: 0, done: false });
        }
    }

    /// A constraint held before the step: only what reads a changed variable has to be looked at again.
    fn condition_on_change(&mut self, root: ExprId) {
        for part in self.system.exprs.conjuncts(root) {
            let reads = Footprint::of(&self.system.exprs, &[part]);
            if reads.now.iter().any(|var| self.changed.contains(var)) {
                self.condition(part, Frame::Following);
            }
        }
    }

    /// A defined variable changes with those it follows from, or whenever it has a choice.
    fn definitions(&mut self) {
        for definition in &self.system.definitions {
            let changes = match definition.choice {
                Choice::Exactly(value) => {
                    let reads = Footprint::of(&self.system.exprs, &[value]);
                    reads.now.iter().any(|var| self.changed.contains(var))
                }
                Choice::OneOf(_) | Choice::Anything => true,
            };
            if changes {
                self.assign(definition.variable, definition.choice, Frame::Following);
            }
        }
    }

    fn reads(&self, work: &Work) -> Vec<Register> {
        let (roots, frame) = match work {
            Work::Condition(root, frame) => (vec![*root], *frame),
            Work::Update { place, choice, frame } => {
                let index = match place {
                    Place::Element { index, .. } => Some(*index),
                    Place::Variable(_) => None,
                };
                let value = match choice {
                    Choice::Exactly(value) | Choice::OneOf(value) => Some(*value),
                    Choice::Anything => None,
                };
                (index.into_iter().chain(value).collect(), *frame)
            }
        };
        let footprint = Footprint::of(&self.system.exprs, &roots);
        let mut registers: Vec<Register> = footprint.next.iter().map(|var| self.layout.next(*var)).collect();
        for var in footprint.now {
            let is_input = self.system.is_input(var);
            registers.push(match frame {
                Frame::Following if !is_input => self.layout.next(var),
                _ => self.layout.now(var),
            });
        }
        registers.sort_unstable();
        registers.dedup();
        registers
    }

    /// Orders the items. Every turn schedules one of them or gives one register a value.
    fn finish(mut self) -> Plan {
        let mut readers: FxHashMap<Register, Vec<usize>> = FxHashMap::default();
        for index in 0..self.items.len() {
            let reads = self.reads(&self.items[index].work);
            let inputs: Vec<Register> = reads.iter().copied().filter(|register| self.is_input(*register)).collect();
            self.unknown.extend(inputs);
            self.items[index].reads = reads;
        }
        for (index, item) in self.items.iter_mut().enumerate() {
            item.reads.retain(|register| self.unknown.contains(register));
            item.missing = item.reads.len();
            for register in &item.reads {
                readers.entry(*register).or_default().push(index);
            }
        }
        let mut schedule = Schedule::new(&self, readers);
        while schedule.turn(&mut self) {}
        debug_assert!(self.items.iter().all(|item| item.done), "every update and condition is in the plan");
        self.plan.changed = self.changed.iter().copied().collect();
        self.plan.registers = self.plan.ops.iter().map(Op::registers).max().unwrap_or(0);
        self.plan
    }

    fn is_input(&self, register: Register) -> bool {
        let inputs = &self.system.variables;
        inputs.get(VarId::new(register as usize)).is_some_and(|variable| variable.motion == Motion::Input)
    }

    fn variable_of(&self, register: Register) -> VarId {
        VarId::new(register as usize % self.system.variables.len())
    }

    fn target(&self, place: Place, frame: Frame) -> Target {
        match place {
            Place::Variable(var) => Target::Variable { var, register: self.layout.next(var) },
            Place::Element { first, length, low, index } => {
                let index = compile(&self.system.exprs, self.constants, index, frame);
                Target::Element { first, length, low, index }
            }
        }
    }

    fn outside(&self, place: Place, value: ExprId, otherwise: Outside) -> Outside {
        let first = place.variables().next();
        let domain = first.map(|var| &self.system.variables[var].domain);
        let covered = domain.is_some_and(|domain| domain.covers(self.system.exprs.sort(value)));
        if covered { Outside::Impossible } else { otherwise }
    }

    /// The register that an expression reads, if it does nothing else.
    fn register_of(&self, id: ExprId, frame: Frame) -> Option<Register> {
        match (self.system.exprs.node(id), frame) {
            (Node::Now(var), Frame::Current) => Some(self.layout.now(*var)),
            (Node::Now(var), Frame::Following) | (Node::Next(var), _) => Some(self.layout.next(*var)),
            _ => None,
        }
    }

    /// `register = value`, if the condition says so and the value does not read the register itself.
    fn determines(&self, condition: ExprId, frame: Frame, register: Register) -> Option<Determined> {
        let exprs = &self.system.exprs;
        let is_target = |id: ExprId| self.register_of(id, frame) == Some(register);
        match *exprs.node(condition) {
            _ if is_target(condition) => Some(Determined::Constant(1)),
            Node::Unary(Unary::Not, inner) if is_target(inner) => Some(Determined::Constant(0)),
            Node::Binary(Binary::Equal, left, right) => {
                let value = if is_target(left) {
                    right
                } else if is_target(right) {
                    left
                } else {
                    return None;
                };
                let work = Work::Condition(value, frame);
                (!self.reads(&work).contains(&register)).then_some(Determined::Value(value))
            }
            _ => None,
        }
    }
}

enum Determined {
    Constant(Value),
    Value(ExprId),
}

/// The work list: items by how ready they are.
struct Schedule {
    readers: FxHashMap<Register, Vec<usize>>,
    /// Conditions with nothing missing.
    checks: Vec<usize>,
    /// Updates with one value and nothing missing.
    exact: Vec<usize>,
    /// Updates with a choice and nothing missing.
    choices: Vec<usize>,
    /// Conditions with one register missing, which may determine it.
    almost: Vec<usize>,
    /// Registers that some update will give a value.
    promised: FxHashSet<Register>,
    /// Free registers in order, and how many of them are behind us.
    free: Vec<Register>,
    passed: usize,
}

impl Schedule {
    fn new(planner: &Planner<'_>, readers: FxHashMap<Register, Vec<usize>>) -> Schedule {
        let mut promised = FxHashSet::default();
        for item in &planner.items {
            if let Work::Update { place, .. } = item.work {
                promised.extend(place.variables().map(|var| planner.layout.next(var)));
            }
        }
        let mut free: Vec<Register> = planner.unknown.difference(&promised).copied().collect();
        free.sort_unstable();
        let mut schedule = Schedule {
            readers,
            checks: Vec::new(),
            exact: Vec::new(),
            choices: Vec::new(),
            almost: Vec::new(),
            promised,
            free,
            passed: 0,
        };
        for index in (0..planner.items.len()).rev() {
            schedule.file(planner, index);
        }
        schedule
    }

    /// Puts an item into the list that fits what it still misses.
    fn file(&mut self, planner: &Planner<'_>, index: usize) {
        let item = &planner.items[index];
        match (&item.work, item.missing) {
            (Work::Condition(..), 0) => self.checks.push(index),
            (Work::Condition(..), 1) => self.almost.push(index),
            (Work::Update { choice: Choice::Exactly(_), .. }, 0) => self.exact.push(index),
            (Work::Update { .. }, 0) => self.choices.push(index),
            _ => {}
        }
    }

    /// Does the next thing; false when nothing is left.
    fn turn(&mut self, planner: &mut Planner<'_>) -> bool {
        if let Some(index) = self.checks.pop() {
            self.check(planner, index);
        } else if let Some(index) = self.exact.pop() {
            self.update(planner, index);
        } else if let Some(index) = self.almost.pop() {
            self.try_to_determine(planner, index);
        } else if let Some(index) = self.choices.pop() {
            self.update(planner, index);
        } else if let Some(register) = self.next_free(planner) {
            self.choose_any(planner, register);
        } else {
            return self.break_cycle(planner);
        }
        true
    }

    fn check(&mut self, planner: &mut Planner<'_>, index: usize) {
        let item = &mut planner.items[index];
        if std::mem::replace(&mut item.done, true) {
            return;
        }
        if let Work::Condition(root, frame) = item.work {
            let program = compile(&planner.system.exprs, planner.constants, root, frame);
            planner.plan.ops.push(Op::Check(program));
        }
    }

    fn update(&mut self, planner: &mut Planner<'_>, index: usize) {
        if std::mem::replace(&mut planner.items[index].done, true) {
            return;
        }
        let Work::Update { place, choice, frame } = planner.items[index].work else { return };
        let target = planner.target(place, frame);
        let exprs = &planner.system.exprs;
        match choice {
            Choice::Exactly(value) => {
                let outside = planner.outside(place, value, Outside::Fault);
                let program = compile(exprs, planner.constants, value, frame);
                planner.plan.ops.push(Op::Assign { program, target, outside });
            }
            Choice::OneOf(value) => {
                let program = compile_choice(exprs, planner.constants, value, frame);
                planner.plan.ops.push(Op::Choose { program, target });
            }
            Choice::Anything => planner.plan.ops.push(Op::ChooseAny { target }),
        }
        for var in place.variables() {
            self.know(planner, planner.layout.next(var));
        }
        if !matches!(choice, Choice::Exactly(_)) {
            let written: Vec<Register> = place.variables().map(|var| planner.layout.next(var)).collect();
            self.prune(planner, &written);
        }
    }

    fn try_to_determine(&mut self, planner: &mut Planner<'_>, index: usize) {
        let item = &planner.items[index];
        let Work::Condition(root, frame) = item.work else { return };
        let missing = item.reads.iter().copied().find(|register| planner.unknown.contains(register));
        let Some(register) = missing.filter(|register| !self.promised.contains(register)) else { return };
        let op = match planner.determines(root, frame, register) {
            Some(Determined::Constant(value)) => Op::Set { register, value },
            Some(Determined::Value(value)) => {
                let var = planner.variable_of(register);
                let outside = planner.outside(Place::Variable(var), value, Outside::Reject);
                let program = compile(&planner.system.exprs, planner.constants, value, frame);
                Op::Assign { program, target: Target::Variable { var, register }, outside }
            }
            None => return,
        };
        planner.items[index].done = true;
        planner.plan.ops.push(op);
        self.know(planner, register);
    }

    /// The free register to choose next: from the condition that misses least, the one with fewest values.
    fn next_free(&mut self, planner: &Planner<'_>) -> Option<Register> {
        while self.free.get(self.passed).is_some_and(|register| !planner.unknown.contains(register)) {
            self.passed += 1;
        }
        let fallback = *self.free.get(self.passed)?;
        let open = planner.items.iter().filter(|item| item.missing > 0 && !item.done);
        let closest = open.min_by_key(|item| item.missing);
        let candidates = closest.into_iter().flat_map(|item| item.reads.iter().copied());
        let free = candidates.filter(|r| planner.unknown.contains(r) && !self.promised.contains(r));
        let smallest = free.min_by_key(|r| planner.system.variables[planner.variable_of(*r)].domain.size());
        Some(smallest.unwrap_or(fallback))
    }

    fn choose_any(&mut self, planner: &mut Planner<'_>, register: Register) {
        let var = planner.variable_of(register);
        planner.plan.ops.push(Op::ChooseAny { target: Target::Variable { var, register } });
        self.know(planner, register);
        self.prune(planner, &[register]);
    }

    /// Updates that wait for each other: guess one value and check it afterwards.
    fn break_cycle(&mut self, planner: &mut Planner<'_>) -> bool {
        let stuck = planner.items.iter().position(|item| !item.done && matches!(item.work, Work::Update { .. }));
        let Some(index) = stuck else { return false };
        let Work::Update { place, choice, frame } = planner.items[index].work else { return false };
        planner.items[index].done = true;
        let Place::Variable(var) = place else {
            unreachable!("updates of array elements are computed from the old state, which is known")
        };
        let target = planner.target(place, frame);
        planner.plan.ops.push(Op::ChooseAny { target });
        let register = planner.layout.next(var);
        self.know(planner, register);
        while self.turn(planner) {}
        if let Choice::Exactly(value) | Choice::OneOf(value) = choice {
            let program = compile_choice(&planner.system.exprs, planner.constants, value, frame);
            planner.plan.ops.push(Op::CheckMember { program, register });
        }
        false
    }

    fn know(&mut self, planner: &mut Planner<'_>, register: Register) {
        if !planner.unknown.remove(&register) {
            return;
        }
        for index in self.readers.remove(&register).unwrap_or_default() {
            planner.items[index].missing -= 1;
            if !planner.items[index].done {
                self.file(planner, index);
            }
        }
    }

    /// Tries the open conditions that read what was just chosen.
    fn prune(&mut self, planner: &mut Planner<'_>, chosen: &[Register]) {
        let open = planner.items.iter().filter(|item| {
            !item.done && item.missing > 0 && item.reads.iter().any(|register| chosen.contains(register))
        });
        let mut prunes = Vec::new();
        for item in open {
            if let Work::Condition(root, frame) = item.work {
                let program = compile_straight(&planner.system.exprs, planner.constants, root, frame);
                let unknown = item.reads.iter().copied().filter(|r| planner.unknown.contains(r)).collect();
                prunes.push(Op::Prune { program, unknown });
            }
        }
        planner.plan.ops.extend(prunes);
    }
}

impl Target {
    fn registers(&self) -> usize {
        match self {
            Target::Variable { .. } => 0,
            Target::Element { index, .. } => index.registers,
        }
    }
}

impl Op {
    fn registers(&self) -> usize {
        match self {
            Op::Check(program) | Op::Prune { program, .. } | Op::CheckMember { program, .. } => program.registers,
            Op::Assign { program, target, .. } | Op::Choose { program, target } => {
                program.registers.max(target.registers())
            }
            Op::ChooseAny { target } => target.registers(),
            Op::Set { .. } => 0,
        }
    }
}
