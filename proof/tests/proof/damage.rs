//! Ways to make a right proof wrong.

use proof::{Cnf, Lit};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::dpll;
use crate::formulas::{clause, formula};
use crate::script::Step;

/// A way to damage a proof.
#[derive(Clone, Debug)]
enum Mutation {
    Remove(Index),
    Swap(Index, Index),
    Flip(Index, Index),
    DropLiteral(Index, Index),
    Rotate(Index),
    ChangeHint(Index, Index, i64),
    Insert(Index, Vec<Lit>),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<Index>;
    prop_oneof![
        index().prop_map(Mutation::Remove),
        (index(), index()).prop_map(|(a, b)| Mutation::Swap(a, b)),
        (index(), index()).prop_map(|(step, lit)| Mutation::Flip(step, lit)),
        (index(), index()).prop_map(|(step, lit)| Mutation::DropLiteral(step, lit)),
        index().prop_map(Mutation::Rotate),
        (index(), index(), -40..40i64).prop_map(|(step, hint, id)| Mutation::ChangeHint(step, hint, id)),
        (index(), clause(8)).prop_map(|(step, lits)| Mutation::Insert(step, lits)),
    ]
}

impl Mutation {
    fn apply(&self, steps: &mut Vec<Step>) {
        if steps.is_empty() {
            return;
        }
        match self {
            Mutation::Remove(step) => drop(steps.remove(step.index(steps.len()))),
            Mutation::Swap(a, b) => {
                let (a, b) = (a.index(steps.len()), b.index(steps.len()));
                steps.swap(a, b);
            }
            Mutation::Flip(step, lit) => edit(step, steps, |lits| {
                let place = lit.index(lits.len());
                lits[place] = !lits[place];
            }),
            Mutation::DropLiteral(step, lit) => edit(step, steps, |lits| {
                lits.remove(lit.index(lits.len()));
            }),
            Mutation::Rotate(step) => edit(step, steps, |lits| lits.rotate_left(1)),
            Mutation::ChangeHint(step, hint, id) => {
                if let Step::Add { hints, .. } = step.get_mut(steps) {
                    let place = hint.index(hints.len());
                    hints[place] = if *id == 0 { 1 } else { *id };
                }
            }
            Mutation::Insert(step, lits) => {
                let place = step.index(steps.len());
                steps.insert(place, Step::Add { id: 0, lits: lits.clone(), hints: vec![1] });
            }
        }
    }
}

fn edit(step: &Index, steps: &mut [Step], change: impl Fn(&mut Vec<Lit>)) {
    let (Step::Add { lits, .. } | Step::Delete { lits, .. }) = step.get_mut(steps);
    if !lits.is_empty() {
        change(lits);
    }
}

/// An unsatisfiable formula and a refutation with up to three mutations.
pub fn damaged() -> impl Strategy<Value = (Cnf, Vec<Step>)> {
    (formula(), vec(mutation(), 0..=3)).prop_filter_map("satisfiable", |(formula, mutations)| {
        let mut steps = dpll::refute(&formula)?;
        mutations.iter().for_each(|mutation| mutation.apply(&mut steps));
        Some((formula, steps))
    })
}
