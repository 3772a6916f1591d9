//! Two processes that change places, with their variables and their names.

use super::kind::{Kind, Kinds};
use crate::definition::expr::Node;
use crate::definition::ids::{ExprId, ProcessId, VarId};
use crate::definition::sort::Sort;
use crate::definition::system::{Place, System};
use crate::definition::value::Value;
use std::collections::BTreeMap;

/// Two processes, their variables and the values that name them, which change places.
///
/// It turns a state into another one: a variable that takes the place of another has its value, and where that is a name that changes
/// places, the other name.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub processes: [ProcessId; 2],
    /// Each variable that was met, and what takes its place; both ways.
    places: BTreeMap<VarId, VarId>,
    /// The variables of the first process that another one takes the place of, in the order in which they were met.
    first: Vec<VarId>,
    /// The kinds of values. Variables that change places have values of one kind.
    pub kinds: Kinds,
    /// The constants that were met and what takes their place, by the kinds of their places.
    met: Vec<(Kind, Value, Value)>,
    /// The same, both ways, once all are known.
    values: BTreeMap<(Kind, Value), Value>,
}

impl Exchange {
    /// Of two processes; nothing else is known.
    pub fn new(processes: [ProcessId; 2], kinds: Kinds) -> Exchange {
        let (places, first, met, values) = (BTreeMap::new(), Vec::new(), Vec::new(), BTreeMap::new());
        Exchange { processes, places, first, kinds, met, values }
    }

    /// What takes the place of a variable.
    pub fn of(&self, var: VarId) -> VarId {
        self.places.get(&var).copied().unwrap_or(var)
    }

    /// What takes the place of a variable, if it has been met.
    pub fn known(&self, var: VarId) -> Option<VarId> {
        self.places.get(&var).copied()
    }

    /// What takes the place of a process.
    pub fn of_process(&self, process: ProcessId) -> ProcessId {
        match self.processes {
            [one, other] if process == one => other,
            [one, other] if process == other => one,
            _ => process,
        }
    }

    /// What takes the place of a value of some kind.
    pub fn of_value(&self, kind: Kind, value: Value) -> Value {
        self.values.get(&(kind, value)).copied().unwrap_or(value)
    }

    /// The pairs of variables that change places.
    pub fn variables(&self) -> impl Iterator<Item = (VarId, VarId)> {
        self.first.iter().map(|var| (*var, self.of(*var)))
    }

    /// Whether some variables change places.
    pub fn moves_variables(&self) -> bool {
        !self.first.is_empty()
    }

    /// The pairs of values of some kind that change places, each once.
    pub fn names(&self, kind: Kind) -> impl Iterator<Item = (Value, Value)> {
        let values = self.values.range((kind, Value::MIN)..=(kind, Value::MAX));
        values.filter(|((_, one), other)| one < other).map(|((_, one), other)| (*one, *other))
    }

    /// Whether values of a kind are the same set after the exchange, given which of them belong to it.
    pub fn keeps(&self, kind: Kind, contains: impl Fn(Value) -> bool) -> bool {
        self.names(kind).all(|(one, other)| contains(one) == contains(other))
    }

    /// Whether it turns states into states: a variable can have all names that change places or none.
    pub fn keeps_domains(&self, system: &System) -> bool {
        let mut variables = system.variables.iter_enumerated();
        variables.all(|(var, variable)| self.keeps(self.kinds.of_var(var), |value| variable.domain.contains(value)))
    }

    /// Lets two variables change places; false if one of them has another place already.
    pub fn bind(&mut self, system: &System, one: VarId, other: VarId) -> bool {
        match (self.places.get(&one), self.places.get(&other)) {
            (Some(known), _) => *known == other,
            (None, Some(_)) => false,
            (None, None) if !are_alike(system, one, other) => false,
            (None, None) => {
                self.places.insert(one, other);
                self.places.insert(other, one);
                if one != other {
                    self.first.push(one);
                    self.kinds.join(self.kinds.of_var(one), self.kinds.of_var(other));
                }
                true
            }
        }
    }

    /// Lets two constants in a place for values of a kind change places; false if they cannot be names.
    pub fn bind_values(&mut self, place: Kind, (one, sort): (Value, Sort), (other, with): (Value, Sort)) -> bool {
        let can_be_names = |sort| matches!(sort, Sort::Integer { .. } | Sort::Enumeration);
        if self.kinds.find(place) == Kinds::PLAIN || !can_be_names(sort) || !can_be_names(with) {
            return one == other && sort == with;
        }
        self.met.push((place, one, other));
        true
    }

    /// The same with what follows: values have one place each, and elements of arrays change places with the names that choose them.
    pub fn completed(mut self, system: &System) -> Option<Exchange> {
        for (from, to) in self.by_name(system)? {
            if !self.bind(system, from, to) {
                return None;
            }
        }
        // Kinds may have become one since.
        self.values = self.all_values()?;
        Some(self)
    }

    fn all_values(&self) -> Option<BTreeMap<(Kind, Value), Value>> {
        let mut values = BTreeMap::new();
        for (kind, one, other) in &self.met {
            let kind = self.kinds.find(*kind);
            let are_known =
                [(*one, *other), (*other, *one)].map(|(from, to)| *values.entry((kind, from)).or_insert(to) == to);
            let means_something = kind == Kinds::PLAIN && one != other;
            if means_something || are_known.contains(&false) {
                return None;
            }
        }
        Some(values)
    }

    /// The elements of arrays that change places because names that choose them do.
    fn by_name(&self, system: &System) -> Option<Vec<(VarId, VarId)>> {
        let values = self.all_values()?;
        let mut pairs = Vec::new();
        let mut add = |index: ExprId, low: i64, element: &dyn Fn(usize) -> Option<VarId>| {
            let kind = self.kinds.of_expr(index, Kinds::PLAIN);
            for ((_, one), other) in values.range((kind, Value::MIN)..=(kind, Value::MAX)) {
                let [one, other] =
                    [one, other].map(|value| usize::try_from(value.checked_sub(low)?).ok().and_then(element));
                pairs.extend(one.zip(other));
            }
        };
        for select in self.kinds.selects() {
            if let Node::Select { index, low, elements } = system.exprs.node(*select) {
                add(*index, *low, &|at| match system.exprs.node(*elements.get(at)?) {
                    Node::Now(var) | Node::Next(var) => Some(*var),
                    _ => None,
                });
            }
        }
        for update in system.commands.iter().flat_map(|command| &command.updates) {
            if let Place::Element { index, low, .. } = update.place {
                add(index, low, &|at| update.place.variables().nth(at));
            }
        }
        Some(pairs)
    }
}

fn are_alike(system: &System, one: VarId, other: VarId) -> bool {
    let [one, other] = [one, other].map(|var| &system.variables[var]);
    one.domain == other.domain && one.motion == other.motion
}
