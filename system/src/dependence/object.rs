//! Objects and their operations in the sense of \[GP93\]: what commands do to one variable, and which of these
//! operations depend on each other for which values.
//!
//! An operation says for which values of the object it is defined, what of the value it observes, and what it makes of
//! the value. Reads, writes, increments, tests, waiting for a semaphore and signalling are all of this form, so that
//! their dependencies need no table by hand: [`Object::new`] computes, for each value, the dependency relation of
//! Definition 5 between operations and the relation ▷ of Definition 11. The paper's tables are tests.

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

    /// Whether carrying out this operation on a value has an influence on the other one.
    fn influences(&self, other: &Operation, value: usize) -> bool {
        if !self.is_defined(value) {
            return false;
        }
        let defined_before = other.is_defined(value);
        let by_value = members(self.results(value)).any(|result| {
            let defined_after = other.is_defined(result);
            let sees = other.classes[result] != other.classes[value] && (defined_before || defined_after);
            let moves_head = self.ends.takes && (other.ends.takes || other.ends.peeks);
            defined_before != defined_after || sees || moves_head && (defined_before || defined_after)
        });
        // Where a value would be outside the domain, the command that changes the value decides whether that happens.
        let fails = self.results(value) == 0;
        by_value || fails && other.effect != Effect::Keep
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

    /// Definition 5 of \[GP93\], for one object: whether the operations are dependent for a value.
    pub fn depends(&self, other: &Operation, value: usize) -> bool {
        let both = self.is_defined(value) && other.is_defined(value);
        self.influences(other, value) || other.influences(self, value) || both && !self.commutes(other, value)
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
    /// For each operation and value v, the operations with op ▷ op' (Definition 11).
    interacting: Lists,
    /// The same for the test whether the operation is defined: who can make it so, a necessary enabling set.
    enabling: Lists,
    /// The same for what the operation looks at: who can be the first to change that. Few searches ask, so it is tabulated when one does.
    stirring: OnceLock<Lists>,
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
    /// Tabulates the relations of some operations on an object of this many values.
    pub fn new(values: usize, operations: Vec<Operation>) -> Object {
        let count = operations.len();
        let mut dependent = vec![0; count * count];
        for (a, first) in operations.iter().enumerate() {
            for (b, second) in operations.iter().enumerate().take(a + 1) {
                let set = dependence(first, second, values);
                dependent[a * count + b] = set;
                dependent[b * count + a] = set;
            }
        }
        let defined = operations.iter().map(|operation| operation.defined).collect();
        let (mut interacting, mut enabling, stirring) = (Lists::default(), Lists::default(), OnceLock::new());
        let object = Object {
            values,
            operations,
            defined,
            dependent,
            interacting: Lists::default(),
            enabling: Lists::default(),
            stirring,
        };
        for op in 0..count {
            let row: Vec<Values> = (0..count).map(|other| object.dependent(op, other)).collect();
            object.might_interact(&row, &mut interacting);
            object.who_concerns(&object.operations[op].test(), &mut enabling);
        }
        Object { interacting, enabling, ..object }
    }

    fn who_concerns(&self, part: &Operation, lists: &mut Lists) {
        let row: Vec<Values> = self.operations.iter().map(|other| dependence(part, other, self.values)).collect();
        self.might_interact(&row, lists);
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
        self.interacting.get(op * self.values + value)
    }

    /// The operations that might be the first to make an operation defined when it is not: its necessary enabling set.
    pub fn enabling(&self, op: usize, value: usize) -> &[u32] {
        self.enabling.get(op * self.values + value)
    }

    /// The operations that might be the first to change what an operation looks at.
    pub fn stirring(&self, op: usize, value: usize) -> &[u32] {
        let stirring = self.stirring.get_or_init(|| {
            let mut stirring = Lists::default();
            self.operations.iter().for_each(|op| self.who_concerns(&op.attention(), &mut stirring));
            stirring
        });
        stirring.get(op * self.values + value)
    }

    /// Definition 11 of \[GP93\]: for each value, the operations that can be carried out and depend on the one at hand
    /// after operations that do not depend on it. `row` has the values for which each operation depends on it.
    fn might_interact(&self, row: &[Values], lists: &mut Lists) {
        let mut steps = vec![0; self.values];
        for (op, dependent) in self.operations.iter().zip(row) {
            for value in members(op.defined & !dependent & self.all()) {
                steps[value] |= op.results(value);
            }
        }
        for value in 0..self.values {
            lists.push(self.interacting_at(closure(&steps, value), row));
        }
    }

    /// The operations that can be carried out and depend on the one at hand for one of some values.
    fn interacting_at(&self, reached: Values, row: &[Values]) -> impl Iterator<Item = u32> {
        let operations = self.operations.iter().zip(row).zip(0..);
        let hits = operations.filter(move |((op, dependent), _)| op.defined & **dependent & reached != 0);
        hits.map(|(_, number)| number)
    }
}

/// The values for which two operations are dependent. Where neither is defined, none of them is carried out.
fn dependence(a: &Operation, b: &Operation, values: usize) -> Values {
    let carried_out = members((a.defined | b.defined) & first_values(values));
    carried_out.filter(|value| a.depends(b, *value)).fold(0, |set, value| set | 1 << value)
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

    #[test]
    fn increments_commute_and_writes_do_not() {
        let nothing = Operation::nothing(8);
        let add = |by: i8| Operation { effect: shift(by, 8), defined: 0b0011_1100, ..nothing.clone() };
        let write = |value: u8| Operation { effect: Effect::Function(vec![Some(value); 8].into()), ..nothing.clone() };
        let read = Operation { classes: (0..8).collect(), ..nothing.clone() };
        let value = 3;
        assert!(!add(1).depends(&add(1), value) && !add(1).depends(&add(-1), value));
        assert!(write(1).depends(&write(2), value) && !write(1).depends(&write(1), value));
        assert!(write(1).depends(&read, value) && !write(3).depends(&read, value) && !read.depends(&read, value));
        assert!(add(1).depends(&write(1), value) && add(1).depends(&read, value));
    }
}
