//! Whatever the proof is, the checkers do not panic and never accept it for a satisfiable formula.

use proof::{Cnf, check_drat, check_lrat};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::brute::is_satisfiable;
use crate::formulas::{clause, formula};
use crate::naive;
use crate::script::{Step, drat_text, lrat_binary, lrat_text};

fn accepts_only_unsatisfiable(formula: &Cnf, proof: &[u8]) -> Result<(), TestCaseError> {
    for accepted in [check_lrat(formula, proof), check_drat(formula, proof)].into_iter().flatten() {
        prop_assert!(!is_satisfiable(&formula.restricted_to(&accepted.core)));
    }
    Ok(())
}

/// Numbers, letters and zeros, as proofs have them.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (-8..=8i64).prop_map(|number| format!("{number} ")),
        3 => Just("0\n".to_owned()),
        1 => Just("d ".to_owned()),
        1 => (0..60i64).prop_map(|number| format!("{number} ")),
    ]
}

/// A short number, the end of a list, or the beginning of a step.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![6 => 2..20u8, 3 => Just(0), 1 => Just(b'd'), 2 => Just(b'a'), 1 => any::<u8>()]
}

/// A lemma on a new variable now and then, so that RAT is likely.
fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => clause(8).prop_map(|lits| Step::Add { id: 0, lits, hints: Vec::new() }),
        1 => clause(8).prop_map(|lits| Step::Delete { id: 0, lits }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_bytes(formula in formula(), proof in vec(any::<u8>(), 0..60)) {
        accepts_only_unsatisfiable(&formula, &proof)?;
    }

    #[test]
    fn bytes_like_a_binary_proof(formula in formula(), proof in vec(byte(), 0..80)) {
        accepts_only_unsatisfiable(&formula, &proof)?;
    }

    #[test]
    fn words_like_a_text_proof(formula in formula(), proof in vec(word(), 0..60)) {
        accepts_only_unsatisfiable(&formula, proof.concat().as_bytes())?;
    }

    #[test]
    fn any_formula_file(bytes in vec(any::<u8>(), 0..60)) {
        let _ = Cnf::parse(&bytes);
        let _ = Cnf::parse(&[b"p cnf 9 1\n", &bytes[..]].concat());
    }

    #[test]
    fn lemmas_at_random(formula in formula(), steps in vec(step(), 0..12)) {
        let accepted = check_drat(&formula, &drat_text(&steps));
        if let Ok(accepted) = accepted {
            prop_assert!(!is_satisfiable(&formula.restricted_to(&accepted.core)));
        }
    }

    #[test]
    fn random_lemmas_that_are_redundant_do_no_harm(formula in formula(), lemmas in vec(clause(8), 0..20)) {
        let mut clauses = formula.clauses.clone();
        let mut steps = Vec::new();
        for lits in lemmas.into_iter().chain([Vec::new()]) {
            if let Some(hints) = naive::hints(&clauses, &lits) {
                clauses.push(lits.clone());
                steps.push(Step::Add { id: clauses.len() as i64, lits, hints });
            }
        }
        let is_refuted = clauses.last().is_some_and(Vec::is_empty);
        prop_assert_eq!(check_drat(&formula, &drat_text(&steps)).is_ok(), is_refuted);
        prop_assert_eq!(check_lrat(&formula, &lrat_text(&steps)).is_ok(), is_refuted);
        prop_assert_eq!(check_lrat(&formula, &lrat_binary(&steps)).is_ok(), is_refuted);
    }
}
