//! Short refutations of the pigeonhole formulas, which need RAT (Cook 1976).
//!
//! The pigeons move: with one hole fewer, pigeon i sits in hole j if it did before, or if it was in the last hole and
//! the last pigeon was in j. The lemmas that define the new variables are not implied, only RAT.

use proof::{Cnf, Lit, Reason, check_drat};

use crate::formulas::{pigeonhole, sits};
use crate::script::{Step, drat_binary, drat_text};

/// The variables of one round: who sits where.
#[derive(Clone, Copy)]
struct Round {
    holes: u32,
    offset: i64,
}

impl Round {
    fn sits(self, pigeon: u32, hole: u32) -> Lit {
        let lit = sits(pigeon, hole, self.holes);
        Lit::new(i64::from(lit.number()) + self.offset).expect("not zero")
    }

    fn next(self) -> Round {
        Round { holes: self.holes - 1, offset: self.offset + i64::from(self.holes * (self.holes + 1)) }
    }
}

fn cook(holes: u32) -> Vec<Vec<Lit>> {
    let mut lemmas = Vec::new();
    let mut round = Round { holes, offset: 0 };
    while round.holes > 1 {
        define(round, &mut lemmas);
        derive(round, &mut lemmas);
        round = round.next();
    }
    lemmas.push(Vec::new());
    lemmas
}

/// The definitions of the next round's variables; each is RAT on its first literal.
fn define(old: Round, lemmas: &mut Vec<Vec<Lit>>) {
    let (new, last) = (old.next(), old.holes);
    for pigeon in 0..last {
        for hole in 0..last - 1 {
            let moved = new.sits(pigeon, hole);
            let (stays, was_last, vacated) = (old.sits(pigeon, hole), old.sits(pigeon, last - 1), old.sits(last, hole));
            lemmas.push(vec![moved, !stays]);
            lemmas.push(vec![moved, !was_last, !vacated]);
            lemmas.push(vec![!moved, stays, was_last]);
            lemmas.push(vec![!moved, stays, vacated]);
        }
    }
}

/// The next round's pigeonhole formula; each lemma is RUP.
fn derive(old: Round, lemmas: &mut Vec<Vec<Lit>>) {
    let (new, last) = (old.next(), old.holes);
    lemmas.extend((0..last).map(|pigeon| (0..last - 1).map(|hole| new.sits(pigeon, hole)).collect()));
    for hole in 0..last - 1 {
        for second in 0..last {
            for first in 0..second {
                let clash = [!new.sits(first, hole), !new.sits(second, hole)];
                lemmas.push(vec![clash[0], clash[1], old.sits(first, hole)]);
                lemmas.push(clash.to_vec());
            }
        }
    }
}

fn steps(lemmas: Vec<Vec<Lit>>) -> Vec<Step> {
    lemmas.into_iter().map(|lits| Step::Add { id: 0, lits, hints: Vec::new() }).collect()
}

#[test]
fn cooks_refutations_are_accepted() {
    for holes in 2..=10 {
        let formula = pigeonhole(holes);
        let steps = steps(cook(holes));
        let text = check_drat(&formula, &drat_text(&steps)).expect("text");
        assert_eq!(text.core.len(), formula.clauses.len());
        assert_eq!(check_drat(&formula, &drat_binary(&steps)), Ok(text));
    }
}

#[test]
fn a_definition_on_the_wrong_literal_is_rejected() {
    let mut lemmas = cook(4);
    lemmas[2].swap(0, 1);
    let error = check_drat(&pigeonhole(4), &drat_text(&steps(lemmas))).expect_err("not RAT");
    assert_eq!(error.reason, Reason::NotRupNorRat);
}

#[test]
fn without_any_one_clause_they_prove_nothing() {
    for removed in 0..pigeonhole(3).clauses.len() {
        let mut formula: Cnf = pigeonhole(3);
        formula.clauses.remove(removed);
        assert!(check_drat(&formula, &drat_text(&steps(cook(3)))).is_err(), "without clause {removed}");
    }
}
