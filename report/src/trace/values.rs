//! The values of a state, held together with those of the state before.
//!
//! A step changes few variables, and a run can have a million steps. So the names are there once, and the values in short parts, which
//! states that agree in them share.

use super::document::Scalar;
use indexmap::{IndexMap, IndexSet};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// How many values a part has; the last one may have fewer.
const PART: usize = 8;

/// A value for each of some names, in order.
#[derive(Clone, Debug)]
pub struct Values {
    names: Arc<IndexSet<String>>,
    parts: Vec<Arc<[Scalar]>>,
}

impl Values {
    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<&Scalar> {
        self.position(name).map(|at| &self.parts[at / PART][at % PART])
    }

    /// Where the value with this name is.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.get_index_of(name)
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Scalar)> {
        self.names.iter().zip(self.parts.iter().flat_map(|part| part.iter()))
    }

    /// These values with some others in their places.
    pub fn with(&self, changes: impl IntoIterator<Item = (usize, Scalar)>) -> Values {
        let mut changed = self.clone();
        for (at, value) in changes {
            Arc::make_mut(&mut changed.parts[at / PART])[at % PART] = value;
        }
        changed
    }

    /// The same values, sharing what they have in common with others.
    pub fn sharing(mut self, others: &Values) -> Values {
        if !self.names.iter().eq(others.names.iter()) {
            return self;
        }
        self.names = Arc::clone(&others.names);
        for (part, other) in self.parts.iter_mut().zip(&others.parts) {
            if part == other {
                *part = Arc::clone(other);
            }
        }
        self
    }

    /// Those whose names are wanted.
    #[must_use]
    pub fn only(&self, is_wanted: impl Fn(&str) -> bool) -> Values {
        let wanted = self.iter().filter(|(name, _)| is_wanted(name));
        wanted.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// Puts values behind those of the states before, with which they share what they have in common.
pub fn push(states: &mut Vec<Values>, values: Values) {
    let shared = match states.last() {
        Some(last) => values.sharing(last),
        None => values,
    };
    states.push(shared);
}

impl Default for Values {
    fn default() -> Values {
        static NONE: LazyLock<Arc<IndexSet<String>>> = LazyLock::new(Arc::default);
        Values { names: Arc::clone(&NONE), parts: Vec::new() }
    }
}

impl PartialEq for Values {
    /// The same value for each name, in whatever order.
    fn eq(&self, other: &Values) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Eq for Values {}

impl From<IndexMap<String, Scalar>> for Values {
    fn from(values: IndexMap<String, Scalar>) -> Values {
        if values.is_empty() {
            return Values::default();
        }
        let (names, values): (IndexSet<String>, Vec<Scalar>) = values.into_iter().unzip();
        Values { names: Arc::new(names), parts: values.chunks(PART).map(Arc::from).collect() }
    }
}

impl FromIterator<(String, Scalar)> for Values {
    /// Of a name that comes twice, the last value counts.
    fn from_iter<I: IntoIterator<Item = (String, Scalar)>>(values: I) -> Values {
        values.into_iter().collect::<IndexMap<String, Scalar>>().into()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        IndexMap::deserialize(deserializer).map(Values::from)
    }
}

/// Reads the states of a run, each sharing what it has in common with the one before.
pub fn read_states<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Values>, D::Error> {
    deserializer.deserialize_seq(States)
}

/// A list of states that is being read.
struct States;

impl<'de> Visitor<'de> for States {
    type Value = Vec<Values>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of states")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut read: A) -> Result<Vec<Values>, A::Error> {
        let mut states = Vec::new();
        while let Some(values) = read.next_element()? {
            push(&mut states, values);
        }
        Ok(states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(numbers: impl IntoIterator<Item = i64>) -> Values {
        let named = numbers.into_iter().enumerate();
        named.map(|(at, number)| (format!("v{at}"), Scalar::Integer(number))).collect()
    }

    /// How many parts two states share.
    fn shared(one: &Values, other: &Values) -> usize {
        one.parts.iter().zip(&other.parts).filter(|(one, other)| Arc::ptr_eq(one, other)).count()
    }

    #[test]
    fn what_a_step_does_not_change_is_shared() {
        let before = numbers(0..100);
        let after = before.with([(9, Scalar::Integer(-1)), (99, Scalar::Integer(-2))]);
        assert_eq!(shared(&before, &after), before.parts.len() - 2);
        let expected = (0..100).map(|at| match at {
            9 => -1,
            99 => -2,
            _ => at,
        });
        assert_eq!(after, numbers(expected));
        assert_eq!(before, numbers(0..100));
        assert_eq!(after.get("v99"), Some(&Scalar::Integer(-2)));
        assert_eq!(after.get("v100"), None);
    }

    #[test]
    fn states_that_are_read_share_what_they_have_in_common() {
        let written = serde_json::to_string(&[numbers(0..20), numbers((0..20).map(|at| at / 19 * 7 + at))]);
        let text = written.unwrap_or_else(|error| panic!("{error}"));
        let mut reader = serde_json::Deserializer::from_str(&text);
        let states = read_states(&mut reader).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(shared(&states[0], &states[1]), 2);
        assert!(Arc::ptr_eq(&states[0].names, &states[1].names));
        assert_eq!(states[1].get("v19"), Some(&Scalar::Integer(26)));
    }

    #[test]
    fn the_order_of_names_does_not_matter_for_being_equal_and_matters_for_sharing() {
        let one: Values =
            [("a", 1), ("b", 2)].map(|(name, value)| (name.to_owned(), Scalar::Integer(value))).into_iter().collect();
        let other: Values =
            [("b", 2), ("a", 1)].map(|(name, value)| (name.to_owned(), Scalar::Integer(value))).into_iter().collect();
        assert_eq!(one, other);
        let names: Vec<String> = other.clone().sharing(&one).names().cloned().collect();
        assert_eq!(names, ["b", "a"]);
        assert_ne!(one, numbers([1, 2]));
    }
}
