//! Formulas to refute.

use proof::{Cnf, Lit};
use proptest::collection::vec;
use proptest::prelude::*;

/// A variable that says that a pigeon sits in a hole.
pub fn sits(pigeon: u32, hole: u32, holes: u32) -> Lit {
    Lit::new(i64::from(pigeon * holes + hole + 1)).expect("not zero")
}

/// One pigeon more than holes, each in some hole, no two in the same.
pub fn pigeonhole(holes: u32) -> Cnf {
    let mut clauses: Vec<Vec<Lit>> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| sits(pigeon, hole, holes)).collect()).collect();
    for hole in 0..holes {
        for second in 0..=holes {
            clauses.extend((0..second).map(|first| vec![!sits(first, hole, holes), !sits(second, hole, holes)]));
        }
    }
    Cnf { variables: holes * (holes + 1), clauses }
}

/// A literal over the first variables.
pub fn literal(variables: u32) -> impl Strategy<Value = Lit> {
    (1..=i64::from(variables), any::<bool>())
        .prop_filter_map("zero", |(variable, negative)| Lit::new(if negative { -variable } else { variable }))
}

/// A clause of one to three literals, which may repeat or contradict each other.
pub fn clause(variables: u32) -> impl Strategy<Value = Vec<Lit>> {
    vec(literal(variables), 1..=3)
}

/// A formula over six variables. With these many clauses, about half of them are satisfiable.
pub fn formula() -> impl Strategy<Value = Cnf> {
    vec(clause(6), 1..30).prop_map(|clauses| Cnf { variables: 6, clauses })
}
