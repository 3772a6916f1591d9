//! Right proofs made wrong, and proofs of one formula held against another.

use std::collections::BTreeSet;

use proof::{Cnf, Lit, check_drat, check_lrat};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::brute::is_satisfiable;
use crate::damage::damaged;
use crate::dpll;
use crate::formulas::formula;
use crate::naive;
use crate::script::{Step, drat_binary, drat_text, lrat_binary, lrat_text};

/// Whether every lemma up to the empty clause is redundant, by the definitions.
fn is_refutation(cnf: &Cnf, steps: &[Step]) -> bool {
    let mut clauses: Vec<(i64, Vec<Lit>)> = (1..).zip(cnf.clauses.iter().cloned()).collect();
    for step in steps {
        let literals: Vec<Vec<Lit>> = clauses.iter().map(|(_, lits)| lits.clone()).collect();
        match step {
            Step::Add { lits, .. } if naive::hints(&literals, lits).is_none() => return false,
            Step::Add { lits, .. } if lits.is_empty() => return true,
            Step::Add { id, lits, .. } => clauses.push((*id, lits.clone())),
            Step::Delete { id, .. } => clauses.retain(|(other, _)| other != id),
        }
    }
    false
}

/// Whether every lemma up to the empty clause is RUP, by the definition; deletions are by literals.
fn is_drup_refutation(cnf: &Cnf, steps: &[Step]) -> bool {
    let sorted = |lits: &Vec<Lit>| lits.iter().copied().collect::<BTreeSet<Lit>>();
    let mut clauses = cnf.clauses.clone();
    for step in steps {
        match step {
            Step::Add { lits, .. } if naive::rup(&clauses, lits).is_none() => return false,
            Step::Add { lits, .. } if lits.is_empty() => return true,
            Step::Add { lits, .. } => clauses.push(lits.clone()),
            Step::Delete { lits, .. } => {
                let found = clauses.iter().rposition(|clause| sorted(clause) == sorted(lits));
                found.map(|place| clauses.remove(place));
            }
        }
    }
    false
}

fn without_deletions(steps: &[Step]) -> Vec<Step> {
    steps.iter().filter(|step| matches!(step, Step::Add { .. })).cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn refutations_are_accepted_and_their_cores_unsatisfiable(formula in formula()) {
        let Some(steps) = dpll::refute(&formula) else {
            prop_assert!(is_satisfiable(&formula));
            return Ok(());
        };
        let lrat = check_lrat(&formula, &lrat_text(&steps)).expect("LRAT");
        let drat = check_drat(&formula, &drat_text(&steps)).expect("DRAT");
        prop_assert!(!is_satisfiable(&formula.restricted_to(&lrat.core)));
        prop_assert!(!is_satisfiable(&formula.restricted_to(&drat.core)));
        prop_assert_eq!(check_lrat(&formula, &lrat_binary(&steps)), Ok(lrat));
        prop_assert_eq!(check_drat(&formula, &drat_binary(&steps)), Ok(drat));
    }

    #[test]
    fn an_accepted_lrat_proof_is_right_line_by_line((formula, steps) in damaged()) {
        if let Ok(accepted) = check_lrat(&formula, &lrat_text(&steps)) {
            prop_assert!(is_refutation(&formula, &steps));
            prop_assert!(!is_satisfiable(&formula.restricted_to(&accepted.core)));
        }
    }

    #[test]
    fn an_accepted_drat_proof_has_an_unsatisfiable_core((formula, steps) in damaged()) {
        if let Ok(accepted) = check_drat(&formula, &drat_text(&steps)) {
            prop_assert!(!is_satisfiable(&formula.restricted_to(&accepted.core)));
        }
    }

    #[test]
    fn drat_proofs_that_are_right_line_by_line_are_accepted((formula, steps) in damaged()) {
        let steps = without_deletions(&steps);
        if is_refutation(&formula, &steps) {
            prop_assert!(check_drat(&formula, &drat_text(&steps)).is_ok());
        }
    }

    #[test]
    fn drup_proofs_with_deletions_are_accepted((formula, steps) in damaged()) {
        if is_drup_refutation(&formula, &steps) {
            prop_assert!(check_drat(&formula, &drat_text(&steps)).is_ok());
        }
    }

    #[test]
    fn no_proof_fits_a_formula_that_lost_what_made_it_unsatisfiable(
        (formula, steps) in damaged(),
        removed in vec(any::<Index>(), 1..4),
    ) {
        let mut weaker = formula;
        for index in removed {
            if !weaker.clauses.is_empty() {
                weaker.clauses.remove(index.index(weaker.clauses.len()));
            }
        }
        if is_satisfiable(&weaker) {
            prop_assert!(check_drat(&weaker, &drat_binary(&steps)).is_err());
            prop_assert!(check_drat(&weaker, &drat_text(&without_deletions(&steps))).is_err());
            prop_assert!(check_lrat(&weaker, &lrat_text(&steps)).is_err());
        }
    }

    #[test]
    fn a_truncated_lrat_proof_is_rejected(formula in formula(), cut in any::<Index>()) {
        if let Some(steps) = dpll::refute(&formula).filter(|steps| steps.len() > 1) {
            let text = lrat_text(&steps);
            prop_assert!(check_lrat(&formula, &text[..cut.index(text.trim_ascii_end().len())]).is_err());
            let binary = lrat_binary(&steps);
            prop_assert!(check_lrat(&formula, &binary[..cut.index(binary.len())]).is_err());
        }
    }
}
