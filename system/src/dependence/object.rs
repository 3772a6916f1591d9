//! Objects and their operations in the sense of \[GP93\]: what commands do to one variable, and which of these
//! operations depend on each other for which values.
//!
//! An operation says for which values of the object it is defined, what of the value it observes, and what it makes of
//! the value. Reads, writes, increments, tests, waiting for a semaphore and signalling are all of this form, so that
//! their dependencies need no table by hand: [`Object`] computes, for each value, the dependency relation of
//! Definition 5 between operations and the relation ▷ of Definition 11. The paper's tables are tests.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The most values of an object for which operations are told apart by value.
pub const MOST_VALUES: usize = 128;

/// A set of values of an object, by position in its domain.
pub type Values = u128;

/// The set of the first this many values.
pub fn first_values(count: usize) -> Values {
    if count >= MOST_VALUES { Values::MAX } else { (1 << count) - 1 }
}

/// The members of a set, in order.
pub fn members(mut set: Values) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        (first < MOST_VALUES).then(|| {
            set &= set - 1;
            first
        })
    })
}

/// What an operation makes of the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing.
    Keep,
    /// Another value that follows from the old one; `None` where it would be outside the domain.
    Function(Box<[Option<u8>]>),
    /// One of some values, depending on more than the old one.
    Relation(Box<[Values]>),
}

/// The ends of a queue that an operation works on, besides its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ends {
    /// Appends a message.
    pub appends: bool,
    /// Takes the first message away.
    pub takes: bool,
    /// Looks at the first message.
    pub peeks: bool,
}

/// What a command does to an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The values for which it is defined.
    pub defined: Values,
    /// What it sees of the value: it cannot tell values of one class apart.
    pub classes: Box<[u32]>,
    /// What it makes of the value.
    pub effect: Effect,
    /// For queues, where it works.
    pub ends: Ends,
}

impl Operation {
    /// The operation that does nothing, for an object of this many values.
    pub fn nothing(values: usize) -> Operation {
        Operation {
            defined: first_values(values),
            classes: vec![0; values].into(),
            effect: Effect::Keep,
            ends: Ends::default(),
        }
    }

    /// The test whether the operation is defined.
    pub fn test(&self) -> Operation {
        Operation { defined: self.defined, ..Operation::nothing(self.classes.len()) }
    }

    /// What the operation looks at, whether it would change the value included.
    fn attention(&self) -> Operation {
        let classes = (0..self.classes.len()).map(|value| self.attention_class(value)).collect();
        let ends = Ends { peeks: self.ends.peeks || self.ends.takes, ..Ends::default() };
        Operation { defined: self.defined, classes, effect: Effect::Keep, ends }
    }

    fn attention_class(&self, value: usize) -> u32 {
        match &self.effect {
            Effect::Keep => self.classes[value],
            Effect::Function(_) => 2 * self.classes[value] + u32::from(self.leaves(value)),
            Effect::Relation(_) => value as u32,
        }
    }

    pub(crate) fn is_defined(&self, value: usize) -> bool {
        self.defined >> value & 1 == 1
    }

    /// The values that it can make of a value.
    pub(crate) fn results(&self, value: usize) -> Values {
        match &self.effect {
            Effect::Keep => 1 << value,
            Effect::Function(map) => map[value].map_or(0, |result| 1 << result),
            Effect::Relation(sets) => sets[value],
        }
    }

    fn leaves(&self, value: usize) -> bool {
        self.results(value) == 1 << value
    }

    /// Whether the two lead to the same value in both orders, from a value for which both are defined.
    fn commutes(&self, other: &Operation, value: usize) -> bool {
        if self.ends.appends && other.ends.appends {
            return false;
        }
        if self.idles_beside(other, value) || other.idles_beside(self, value) {
            return true;
        }
        let (Effect::Function(f), Effect::Function(g)) = (&self.effect, &other.effect) else { return false };
        let [one, two] = [(f, g), (g, f)].map(|(f, g)| f[value].and_then(|result| g[usize::from(result)]));
        one.is_some() && one == two
    }

    /// Whether it leaves a value alone, and what the other one makes of the value too.
    fn idles_beside(&self, other: &Operation, value: usize) -> bool {
        self.leaves(value) && members(other.results(value)).all(|result| self.leaves(result))
    }

    /// For each value, those from which a change to it enables, disables or is seen by this operation.
    fn notices(&self, values: usize) -> Vec<Values> {
        let mut classes: FxHashMap<u32, Values> = FxHashMap::default();
        for (value, class) in self.classes.iter().enumerate().take(values) {
            *classes.entry(*class).or_default() |= 1 << value;
        }
        let all = first_values(values);
        let from = |value: usize| match self.is_defined(value) {
            true => all & !(self.defined & classes[&self.classes[value]]),
            false => all & self.defined,
        };
        (0..values).map(from).collect()
    }
}

/// What an operation makes of the values for which it is defined.
struct Changes<'o> {
    operation: &'o Operation,
    /// From which values it comes to which.
    origins: Vec<(usize, Values)>,
    /// The values of which it makes one outside the domain.
    fails: Values,
}

impl Changes<'_> {
    fn of(operation: &Operation, values: usize) -> Changes<'_> {
        let (mut origins, mut fails) = (vec![0; values], 0);
        for value in members(operation.defined & first_values(values)) {
            let results = operation.results(value);
            members(results).for_each(|result| origins[result] |= 1 << value);
            fails |= Values::from(results == 0) << value;
        }
        let origins = origins.into_iter().enumerate().filter(|(_, origins)| *origins != 0).collect();
        Changes { operation, origins, fails }
    }

    /// The values for which carrying out this operation has an influence on another one, which notices these changes.
    fn influence(&self, other: &Operation, notices: &[Values]) -> Values {
        // Whoever is defined before or after sees another message at the head; who is defined after only notices that already.
        let moves_head = self.operation.ends.takes && (other.ends.takes || other.ends.peeks);
        let heads = if moves_head { other.defined } else { 0 };
        let is_felt = |(result, from): &(usize, Values)| from & (notices[*result] | heads);
        // Where a value would be outside the domain, the command that changes the value decides whether that happens.
        let failing = if other.effect == Effect::Keep { 0 } else { self.fails };
        self.origins.iter().map(is_felt).fold(failing, |set, values| set | values)
    }
}

/// An object and the operations on it, with their relations tabulated.
#[derive(Clone, Debug)]
pub struct Object {
    values: usize,
    operations: Vec<Operation>,
    /// For each operation, the values for which it is defined.
    defined: Vec<Values>,
    /// For each pair of operations, the values for which they are dependent.
    dependent: Vec<Values>,
    /// For each operation and value v, the operations with op ▷ op' (Definition 11). Like all that follows, tabulated for an operation when a
    /// search asks: most are never met.
    interacting: Vec<OnceLock<Lists>>,
    /// The same for the test whether the operation is defined: who can make it so, a necessary enabling set.
    enabling: Vec<OnceLock<Lists>>,
    /// The same for what the operation looks at: who can be the first to change that.
    stirring: Vec<OnceLock<Lists>>,
}

/// Lists of operations, one behind the other.
#[derive(Clone, Debug, Default)]
struct Lists {
    operations: Vec<u32>,
    /// Where each list ends.
    ends: Vec<u32>,
}

impl Lists {
    fn get(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.operations[start as usize..self.ends[number] as usize]
    }

    fn push(&mut self, list: impl Iterator<Item = u32>) {
        self.operations.extend(list);
        self.ends.push(self.operations.len() as u32);
    }
}

impl Object {
    /// Tabulates which operations on an object of this many values are dependent.
    pub fn new(values: usize, operations: Vec<Operation>) -> Object {
        let count = operations.len();
        let mut dependent = vec![0; count * count];
        let parts = operations.iter().map(|one| (Changes::of(one, values), one.notices(values)));
        let parts: Vec<(Changes<'_>, Vec<Values>)> = parts.collect();
        for (a, first) in parts.iter().enumerate() {
            for (b, second) in parts.iter().enumerate().take(a + 1) {
                let set = dependence(first, second);
                dependent[a * count + b] = set;
                dependent[b * count + a] = set;
            }
        }
        let defined = operations.iter().map(|operation| operation.defined).collect();
        let [interacting, enabling, stirring] = std::array::from_fn(|_| vec![OnceLock::new(); count]);
        Object { values, operations, defined, dependent, interacting, enabling, stirring }
    }

    /// Who might be the first to do something that concerns an operation that only looks, for each value.
    fn who_concerns(&self, looks: &Operation) -> Lists {
        let notices = looks.notices(self.values);
        let concerns = |other| Changes::of(other, self.values).influence(looks, &notices);
        self.might_interact(&self.operations.iter().map(concerns).collect::<Vec<Values>>())
    }

    /// The values for which two operations are dependent.
    pub fn dependent(&self, a: usize, b: usize) -> Values {
        self.dependent[a * self.operations.len() + b]
    }

    /// How many values there are.
    pub fn values(&self) -> usize {
        self.values
    }

    /// All values.
    pub fn all(&self) -> Values {
        first_values(self.values)
    }

    /// Whether an operation is defined for a value.
    pub fn is_defined(&self, op: usize, value: usize) -> bool {
        self.defined[op] >> value & 1 == 1
    }

    /// The operations op' with op ▷ op' when the object has a value.
    pub fn interacting(&self, op: usize, value: usize) -> &[u32] {
        let count = self.operations.len();
        let tabulate = || self.might_interact(&self.dependent[op * count..(op + 1) * count]);
        self.interacting[op].get_or_init(tabulate).get(value)
    }

    /// The operations that might be the first to make an operation defined when it is not: its necessary enabling set.
    pub fn enabling(&self, op: usize, value: usize) -> &[u32] {
        self.enabling[op].get_or_init(|| self.who_concerns(&self.operations[op].test())).get(value)
    }

    /// The operations that might be the first to change what an operation looks at.
    pub fn stirring(&self, op: usize, value: usize) -> &[u32] {
        self.stirring[op].get_or_init(|| self.who_concerns(&self.operations[op].attention())).get(value)
    }

    /// Definition 11 of \[GP93\]: for each value, the operations that can be carried out and depend on the one at hand
    /// after operations that do not depend on it. `row` has the values for which each operation depends on it.
    fn might_interact(&self, row: &[Values]) -> Lists {
        let mut steps = vec![0; self.values];
        for (op, dependent) in self.operations.iter().zip(row) {
            for value in members(op.defined & !dependent & self.all()) {
                steps[value] |= op.results(value);
            }
        }
        let mut lists = Lists::default();
        for value in 0..self.values {
            lists.push(self.interacting_at(closure(&steps, value), row));
        }
        lists
    }

    /// The operations that can be carried out and depend on the one at hand for one of some values.
    fn interacting_at(&self, reached: Values, row: &[Values]) -> impl Iterator<Item = u32> {
        let operations = self.operations.iter().zip(row).zip(0..);
        let hits = operations.filter(move |((op, dependent), _)| op.defined & **dependent & reached != 0);
        hits.map(|(_, number)| number)
    }
}

/// Definition 5 of \[GP93\], for one object: the values for which two operations are dependent. Where neither is defined, none of them is
/// carried out.
fn dependence((one, noticed): &(Changes<'_>, Vec<Values>), (two, notices): &(Changes<'_>, Vec<Values>)) -> Values {
    let influenced = one.influence(two.operation, notices) | two.influence(one.operation, noticed);
    let (one, two) = (one.operation, two.operation);
    let keeps = |operation: &Operation| operation.effect == Effect::Keep && !operation.ends.appends;
    if keeps(one) || keeps(two) {
        return influenced;
    }
    let differs = members(one.defined & two.defined & !influenced).filter(|value| !one.commutes(two, *value));
    differs.fold(influenced, |set, value| set | 1 << value)
}

/// The values that can be reached from one, itself included.
pub fn closure(steps: &[Values], from: usize) -> Values {
    let (mut reached, mut open): (Values, Values) = (1 << from, 1 << from);
    while open != 0 {
        let value = open.trailing_zeros() as usize;
        open &= open - 1;
        open |= steps[value] & !reached;
        reached |= steps[value];
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The capacity of the channel in the tests.
    const N: usize = 4;

    fn shift(by: i8, values: usize) -> Effect {
        let moved = |value: usize| value.checked_add_signed(by.into()).filter(|value| *value < values);
        Effect::Function((0..values).map(|value| moved(value).map(|value| value as u8)).collect())
    }

    fn values(of: impl Fn(usize) -> bool) -> Values {
        (0..=N).filter(|value| of(*value)).fold(0, |set, value| set | 1 << value)
    }

    fn observing(class: impl Fn(usize) -> u32) -> Operation {
        Operation { classes: (0..=N).map(class).collect(), ..Operation::nothing(N + 1) }
    }

    /// Example 5 of [GP93]: Send, Receive, Length, Empty, Full.
    fn channel() -> Object {
        let nothing = Operation::nothing(N + 1);
        let appends = Ends { appends: true, ..Ends::default() };
        let takes = Ends { takes: true, peeks: true, ..Ends::default() };
        let send = Operation { defined: values(|n| n < N), effect: shift(1, N + 1), ends: appends, ..nothing.clone() };
        let receive = Operation { defined: values(|n| n > 0), effect: shift(-1, N + 1), ends: takes, ..nothing };
        let length = observing(|n| n as u32);
        let empty = observing(|n| u32::from(n == 0));
        let full = observing(|n| u32::from(n == N));
        Object::new(N + 1, vec![send, receive, length, empty, full])
    }

    #[test]
    fn a_channels_dependencies_are_those_of_the_paper() {
        let channel = channel();
        let (some, most, never) = (values(|n| n < N), values(|n| n > 0), 0);
        let ends = values(|n| n == 0 || n == N);
        let table = [
            [some, ends, some, values(|n| n == 0), values(|n| n == N - 1)],
            [ends, most, most, values(|n| n == 1), values(|n| n == N)],
            [some, most, never, never, never],
            [values(|n| n == 0), values(|n| n == 1), never, never, never],
            [values(|n| n == N - 1), values(|n| n == N), never, never, never],
        ];
        for (a, row) in table.iter().enumerate() {
            for (b, expected) in row.iter().enumerate() {
                assert_eq!(channel.dependent(a, b), *expected, "operations {a} and {b}");
            }
        }
    }

    /// The table of ▷ in §5 of [GP93].
    #[test]
    fn a_channels_interactions_are_those_of_the_paper() {
        let channel = channel();
        let (some, most, never) = (values(|n| n < N), values(|n| n > 0), 0);
        let table = [
            [some, values(|n| n == N), some, some, values(|n| n == N - 1)],
            [values(|n| n == 0), most, most, values(|n| n == 1), most],
            [some, most, never, never, never],
            [values(|n| n == 0), most, never, never, never],
            [some, values(|n| n == N), never, never, never],
        ];
        for (a, row) in table.iter().enumerate() {
            for (b, expected) in row.iter().enumerate() {
                let found = values(|n| channel.interacting(a, n).contains(&(b as u32)));
                assert_eq!(found, *expected, "operations {a} and {b}");
            }
        }
    }

    #[test]
    fn waiting_and_signalling_a_semaphore() {
        let nothing = Operation::nothing(N + 1);
        let wait = Operation { defined: values(|n| n > 0), effect: shift(-1, N + 1), ..nothing.clone() };
        let signal = Operation { effect: shift(1, N + 1), ..nothing };
        let semaphore = Object::new(N + 1, vec![wait, signal]);
        assert_eq!(semaphore.dependent(0, 0), values(|n| n == 1), "the last one is for one of them");
        assert_eq!(semaphore.dependent(0, 1) & values(|n| n < N), values(|n| n == 0), "a signal lets one pass");
        let meets = |op: usize, other: u32| values(|n| semaphore.interacting(op, n).contains(&other));
        assert_eq!(meets(0, 0), values(|n| n > 0));
    }

    /// Whether carrying out an operation on a value has an influence on another one.
    fn influences(one: &Operation, other: &Operation, value: usize) -> bool {
        let defined_before = other.is_defined(value);
        let by_value = members(one.results(value)).any(|result| {
            let defined_after = other.is_defined(result);
            let sees = other.classes[result] != other.classes[value] && (defined_before || defined_after);
            let moves_head = one.ends.takes && (other.ends.takes || other.ends.peeks);
            defined_before != defined_after || sees || moves_head && (defined_before || defined_after)
        });
        let fails = one.results(value) == 0;
        one.is_defined(value) && (by_value || fails && other.effect != Effect::Keep)
    }

    /// Definition 5, value by value.
    fn depends(one: &Operation, other: &Operation, value: usize) -> bool {
        let both = one.is_defined(value) && other.is_defined(value);
        influences(one, other, value) || influences(other, one, value) || both && !one.commutes(other, value)
    }

    /// Definition 11, value by value: the operations that can be carried out and depend on one that is at hand after others that do not.
    fn concerned(object: &Object, one: &Operation, value: usize) -> Vec<u32> {
        let mut reached = vec![value];
        for at in 0.. {
            let Some(value) = reached.get(at).copied() else { break };
            for operation in object.operations.iter().filter(|other| other.is_defined(value)) {
                let results = members(operation.results(value)).filter(|_| !depends(one, operation, value));
                let new: Vec<usize> = results.filter(|result| !reached.contains(result)).collect();
                reached.extend(new);
            }
        }
        let is_met =
            |other: &Operation| reached.iter().any(|value| other.is_defined(*value) && depends(one, other, *value));
        object.operations.iter().zip(0..).filter(|(other, _)| is_met(other)).map(|(_, number)| number).collect()
    }

    /// Operations on an object of five values.
    fn operations() -> impl Strategy<Value = Operation> {
        let function = prop::collection::vec(prop::option::of(0u8..5), 5).prop_map(|map| Effect::Function(map.into()));
        let relation = prop::collection::vec(0u128..32, 5).prop_map(|sets| Effect::Relation(sets.into()));
        let write = (0u8..5).prop_map(|value| Effect::Function(vec![Some(value); 5].into()));
        let effect = prop_oneof![Just(Effect::Keep), function, relation, write];
        let ends = prop_oneof![3 => Just([false; 3]), 1 => prop::array::uniform3(prop::bool::ANY)];
        let ends = ends.prop_map(|[appends, takes, peeks]| Ends { appends, takes, peeks });
        let classes = prop::collection::vec(0u32..3, 5).prop_map(Vec::into_boxed_slice);
        let parts = (0u128..32, classes, effect, ends);
        parts.prop_map(|(defined, classes, effect, ends)| Operation { defined, classes, effect, ends })
    }

    proptest! {
        #[test]
        fn tables_are_as_defined(operations in prop::collection::vec(operations(), 1..6)) {
            let object = Object::new(5, operations.clone());
            for (a, one) in operations.iter().enumerate() {
                for (b, other) in operations.iter().enumerate() {
                    let expected = (0..5).filter(|value| depends(one, other, *value)).fold(0, |set, value| set | 1 << value);
                    prop_assert_eq!(object.dependent(a, b), expected);
                }
                for value in 0..5 {
                    prop_assert_eq!(object.interacting(a, value), concerned(&object, one, value));
                    prop_assert_eq!(object.enabling(a, value), concerned(&object, &one.test(), value));
                    prop_assert_eq!(object.stirring(a, value), concerned(&object, &one.attention(), value));
                }
            }
        }
    }

    #[test]
    fn increments_commute_and_writes_do_not() {
        let nothing = Operation::nothing(8);
        let add = |by: i8| Operation { effect: shift(by, 8), defined: 0b0011_1100, ..nothing.clone() };
        let write = |value: u8| Operation { effect: Effect::Function(vec![Some(value); 8].into()), ..nothing.clone() };
        let read = Operation { classes: (0..8).collect(), ..nothing.clone() };
        let value = 3;
        let depends = |one: &Operation, other: &Operation| {
            Object::new(8, vec![one.clone(), other.clone()]).dependent(0, 1) >> value & 1 == 1
        };
        assert!(!depends(&add(1), &add(1)) && !depends(&add(1), &add(-1)));
        assert!(depends(&write(1), &write(2)) && !depends(&write(1), &write(1)));
        assert!(depends(&write(1), &read) && !depends(&write(3), &read) && !depends(&read, &read));
        assert!(depends(&add(1), &write(1)) && depends(&add(1), &read));
    }
}
