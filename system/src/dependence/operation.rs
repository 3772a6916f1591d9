//! From commands to operations on objects: which part of the state a command looks at, and what it makes of it.
//!
//! Every variable is an object. A conjunct of the guard that reads a single variable says for which values the
//! operation is defined; what else is read of a variable divides its values into classes that the command can tell
//! apart, as finely as it looks (`x = 0` makes two); an update from the variable alone is a function of its value, so
//! that `x := x + 1` is an increment.

use super::object::{Effect, MOST_VALUES, Operation, Values, first_values};
use crate::definition::expr::{Exprs, Node};
use crate::definition::footprint::Footprint;
use crate::definition::formula::Truth;
use crate::definition::ids::{ExprId, VarId};
use crate::definition::op::{Binary, Unary};
use crate::definition::sort::Domain;
use crate::definition::system::{Choice, Command, Motion, Move, Place, System, Update, Variable};
use crate::definition::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How many values are told apart of a variable with a large domain: the one it has, and others.
const COARSE: usize = 2;

/// The operations of one command, by variable.
pub type Operations = BTreeMap<VarId, Operation>;

/// How many values a variable has as an object.
pub fn value_count(system: &System, var: VarId) -> usize {
    let size = system.variables[var].domain.size();
    if size > MOST_VALUES as u128 { COARSE } else { size as usize }
}

/// Whether the values of a variable are told apart.
pub fn is_fine(system: &System, var: VarId) -> bool {
    system.variables[var].domain.size() <= MOST_VALUES as u128
}

/// The variables that may change in every step, whatever its command says of them.
pub fn scattered(system: &System) -> Vec<VarId> {
    let variables = system.variables.iter_enumerated();
    variables.filter(|(_, variable)| is_scattered(variable)).map(|(var, _)| var).collect()
}

fn is_scattered(variable: &Variable) -> bool {
    matches!(variable.motion, Motion::Free | Motion::Defined)
}

/// Whether a command changes a variable.
pub fn changes(operations: &Operations, var: VarId) -> bool {
    operations.get(&var).is_some_and(|operation| operation.effect != Effect::Keep)
}

/// The operations of a command; `scattered` are those of [`scattered`].
pub fn of_command(system: &System, command: &Command, scattered: &[VarId]) -> Operations {
    let mut reader = Reader { system, operations: Operations::new() };
    for part in command.parts() {
        reader.moves(part);
    }
    for conjunct in system.exprs.conjuncts(command.guard) {
        reader.requires(conjunct, Truth::Holds);
    }
    for update in &command.updates {
        reader.update(update);
    }
    if let Some(relation) = command.relation {
        reader.relation(relation);
    }
    for var in scattered {
        reader.scatter(*var);
    }
    reader.constraints();
    reader.operations
}

/// Adds to the operations of a command that it sees a condition.
pub fn observe(system: &System, operations: &mut Operations, condition: ExprId) {
    let mut reader = Reader { system, operations: std::mem::take(operations) };
    reader.observe(condition, None);
    *operations = reader.operations;
}

/// Adds to the operations of a command that it sees all that a condition reads.
pub fn observe_fully(system: &System, operations: &mut Operations, condition: ExprId) {
    let mut reader = Reader { system, operations: std::mem::take(operations) };
    reader.observe_fully(condition);
    *operations = reader.operations;
}

/// The operations of watching a condition: defined where it is false, which is found by looking.
pub fn of_watcher(system: &System, condition: ExprId) -> Operations {
    let exprs = &system.exprs;
    let mut reader = Reader { system, operations: Operations::new() };
    if !exprs.is_total(condition) {
        reader.observe_fully(condition);
        return reader.operations;
    }
    let mut open = vec![(condition, Truth::Fails)];
    while let Some((part, wanted)) = open.pop() {
        match *exprs.node(part) {
            Node::Unary(Unary::Not, inner) => open.push((inner, wanted.opposite())),
            Node::Binary(Binary::And, a, b) if wanted == Truth::Holds => open.extend([(a, wanted), (b, wanted)]),
            Node::Binary(Binary::Or, a, b) if wanted == Truth::Fails => open.extend([(a, wanted), (b, wanted)]),
            _ => reader.requires(part, wanted),
        }
    }
    reader.operations
}

/// Which variables an expression reads, if it can be evaluated from at most one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    Nothing,
    One(VarId),
    More,
}

impl Reads {
    fn join(self, other: Reads) -> Reads {
        match (self, other) {
            (Reads::Nothing, reads) | (reads, Reads::Nothing) => reads,
            (a, b) if a == b => a,
            _ => Reads::More,
        }
    }
}

struct Reader<'a> {
    system: &'a System,
    operations: Operations,
}

impl Reader<'_> {
    fn operation(&mut self, var: VarId) -> &mut Operation {
        let values = value_count(self.system, var);
        self.operations.entry(var).or_insert_with(|| Operation::nothing(values))
    }

    fn moves(&mut self, part: Move) {
        let process = &self.system.processes[part.process];
        let Some(pc) = process.pc else { return };
        if !is_fine(self.system, pc) {
            self.see(pc);
            if part.to.is_some() {
                self.scatter(pc);
            }
            return;
        }
        let domain = &self.system.variables[pc].domain;
        let [from, to] = [part.from, part.to].map(|point| Some(domain.index_of(process.points[point?].value?)));
        if let Some(from) = from {
            self.operation(pc).defined &= 1 << from;
        }
        if let Some(to) = to {
            let values = value_count(self.system, pc);
            self.operation(pc).effect = Effect::Function(vec![Some(to as u8); values].into());
        }
    }

    /// A condition that has this value wherever there is a step.
    fn requires(&mut self, condition: ExprId, wanted: Truth) {
        let reads = summary(self.system, condition);
        match reads[&condition] {
            Reads::One(var) if is_fine(self.system, var) => {
                let table = tabulate(self.system, condition, var);
                let holds = table.iter().enumerate().filter(|(_, value)| (**value != 0) == wanted.value());
                let holds = holds.fold(0, |set: Values, (index, _)| set | 1 << index);
                self.operation(var).defined &= holds;
            }
            _ => self.observe(condition, None),
        }
    }

    fn update(&mut self, update: &Update) {
        let value = match update.choice {
            Choice::Exactly(value) | Choice::OneOf(value) => Some(value),
            Choice::Anything => None,
        };
        match update.place {
            Place::Variable(var) => {
                let effect = match update.choice {
                    Choice::Exactly(value) => effect(self.system, var, value),
                    Choice::OneOf(_) | Choice::Anything => anything(self.system, var),
                };
                self.operation(var).effect = effect;
                if let Some(value) = value {
                    self.observe(value, Some(var));
                }
            }
            Place::Element { index, .. } => {
                update.place.variables().for_each(|var| self.scatter(var));
                self.observe(index, None);
                if let Some(value) = value {
                    self.observe(value, None);
                }
            }
        }
    }

    /// The command's relation decides which of the next values there can be.
    fn relation(&mut self, relation: ExprId) {
        self.observe_fully(relation);
        for var in Footprint::of(&self.system.exprs, &[relation]).next {
            if changes(&self.operations, var) {
                self.scatter(var);
            }
        }
    }

    /// A constraint can forbid a step, depending on all the variables that it mentions.
    fn constraints(&mut self) {
        let exprs = &self.system.exprs;
        for constraint in &self.system.constraints {
            for part in exprs.conjuncts(constraint.holds) {
                let reads = Footprint::of(exprs, &[part]).now;
                if reads.iter().any(|var| changes(&self.operations, *var)) {
                    reads.into_iter().for_each(|var| self.see(var));
                }
            }
        }
    }

    /// The variable takes any value.
    fn scatter(&mut self, var: VarId) {
        self.operation(var).effect = anything(self.system, var);
    }

    /// The command sees the variable's value.
    fn see(&mut self, var: VarId) {
        if !self.system.is_input(var) {
            let operation = self.operation(var);
            operation.classes = (0..operation.classes.len() as u32).collect();
        }
    }

    fn observe_fully(&mut self, root: ExprId) {
        let footprint = Footprint::of(&self.system.exprs, &[root]);
        footprint.now.into_iter().chain(footprint.next).for_each(|var| self.see(var));
    }

    /// Notes what an expression sees of each variable but one.
    fn observe(&mut self, root: ExprId, except: Option<VarId>) {
        let exprs = &self.system.exprs;
        let reads = summary(self.system, root);
        let mut open = vec![root];
        while let Some(part) = open.pop() {
            match (reads[&part], exprs.node(part)) {
                (Reads::Nothing, _) => {}
                (Reads::One(var), _) if Some(var) == except => {}
                (Reads::One(var), _) if is_fine(self.system, var) => {
                    let table = tabulate(self.system, part, var);
                    refine(&mut self.operation(var).classes, &table);
                }
                (_, Node::Now(var) | Node::Next(var)) => {
                    if Some(*var) != except || matches!(exprs.node(part), Node::Next(_)) {
                        self.see(*var);
                    }
                }
                _ => exprs.for_each_child(part, |child| open.push(child)),
            }
        }
    }
}

/// What each part of an expression reads.
fn summary(system: &System, root: ExprId) -> FxHashMap<ExprId, Reads> {
    let exprs = &system.exprs;
    let mut reads: FxHashMap<ExprId, Reads> = FxHashMap::default();
    for id in exprs.reachable(&[root]) {
        let own = match exprs.node(id) {
            Node::Now(var) if !system.is_input(*var) => Reads::One(*var),
            Node::Constant(_) => Reads::Nothing,
            Node::Unary(..) | Node::Binary(..) | Node::Ite(..) | Node::Select { .. } => {
                let mut own = Reads::Nothing;
                exprs.for_each_child(id, |child| own = own.join(reads[&child]));
                own
            }
            _ => Reads::More,
        };
        let is_plain = exprs.is_total(id) && !exprs.is_set(id);
        reads.insert(id, if is_plain { own } else { Reads::More });
    }
    reads
}

/// The value of an expression for each value of the only variable that it reads.
fn tabulate(system: &System, root: ExprId, var: VarId) -> Vec<Value> {
    let domain = &system.variables[var].domain;
    let order = system.exprs.reachable(&[root]);
    (0..domain.size() as u64).map(|index| evaluate(&system.exprs, &order, domain.value_at(index))).collect()
}

/// Evaluates total parts, operands first; the last one is the result.
fn evaluate(exprs: &Exprs, order: &[ExprId], now: Value) -> Value {
    let mut values: FxHashMap<ExprId, Value> = FxHashMap::default();
    let mut last = 0;
    for id in order {
        last = match exprs.node(*id) {
            Node::Constant(value) => *value,
            Node::Unary(op, a) => op.apply(exprs.sort(*a), values[a]).unwrap_or_default(),
            Node::Binary(op, a, b) => {
                op.apply(exprs.sort(*a), exprs.sort(*b), values[a], values[b]).unwrap_or_default()
            }
            Node::Ite(condition, a, b) => values[if values[condition] != 0 { a } else { b }],
            Node::Select { index, low, elements } => {
                let at = values[index].saturating_sub(*low);
                let element = usize::try_from(at).ok().and_then(|at| elements.get(at));
                element.map_or(0, |element| values[element])
            }
            _ => now,
        };
        values.insert(*id, last);
    }
    last
}

/// Divides classes by what a table tells apart.
fn refine(classes: &mut [u32], table: &[Value]) {
    let mut seen: FxHashMap<(u32, Value), u32> = FxHashMap::default();
    for (class, value) in classes.iter_mut().zip(table) {
        let next = seen.len() as u32;
        *class = *seen.entry((*class, *value)).or_insert(next);
    }
}

/// The effect of storing a value that nothing is known of.
pub fn anything(system: &System, var: VarId) -> Effect {
    let values = value_count(system, var);
    Effect::Relation(vec![first_values(values); values].into())
}

/// What storing an expression's value does to a variable.
fn effect(system: &System, var: VarId, value: ExprId) -> Effect {
    if !is_fine(system, var) {
        return anything(system, var);
    }
    let domain = &system.variables[var].domain;
    let reads = summary(system, value);
    if let Some(table) = table(system, &reads, value, var) {
        return Effect::Function(table.into_iter().map(|value| index_in(domain, value)).collect());
    }
    // The branches that may be chosen, for each value.
    let count = domain.size() as usize;
    let mut sets = vec![0; count];
    let mut open = vec![(value, first_values(count))];
    while let Some((part, when)) = open.pop() {
        match (table(system, &reads, part, var), system.exprs.node(part)) {
            (Some(table), _) => {
                for at in super::object::members(when) {
                    sets[at] |= index_in(domain, table[at]).map_or(0, |index| 1 << index);
                }
            }
            (None, Node::Ite(condition, a, b)) => {
                let holds = table(system, &reads, *condition, var)
                    .map(|table| (0..count).filter(|at| table[*at] != 0).fold(0, |set: Values, at| set | 1 << at));
                open.push((*a, when & holds.unwrap_or(Values::MAX)));
                open.push((*b, when & holds.map_or(Values::MAX, |holds| !holds)));
            }
            _ => super::object::members(when).for_each(|at| sets[at] = first_values(count)),
        }
    }
    Effect::Relation(sets.into())
}

fn index_in(domain: &Domain, value: Value) -> Option<u8> {
    domain.contains(value).then(|| domain.index_of(value) as u8)
}

/// The value of a part of an expression for each value of a variable, if it reads nothing else.
fn table(system: &System, reads: &FxHashMap<ExprId, Reads>, part: ExprId, var: VarId) -> Option<Vec<Value>> {
    match reads[&part] {
        Reads::Nothing => {
            let value = evaluate(&system.exprs, &system.exprs.reachable(&[part]), 0);
            Some(vec![value; system.variables[var].domain.size() as usize])
        }
        Reads::One(read) if read == var => Some(tabulate(system, part, var)),
        _ => None,
    }
}
