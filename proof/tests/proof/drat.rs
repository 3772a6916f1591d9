//! Hand-written DRAT proofs.

use proof::{Cnf, Position, Reason, Rejected, check_drat};

use crate::dpll;
use crate::formulas::pigeonhole;
use crate::script::{cnf, drat_binary, drat_text};

/// All eight clauses over three variables, and one that is not needed.
fn cube() -> Cnf {
    let signs =
        |bits: i64| [1, 2, 3].map(|variable| if bits >> (variable - 1) & 1 == 1 { -variable } else { variable });
    let clauses: Vec<[i64; 3]> = (0..8).map(signs).collect();
    let mut clauses: Vec<&[i64]> = clauses.iter().map(|clause| &clause[..]).collect();
    clauses.push(&[1, 4]);
    cnf(&clauses)
}

fn core(cnf: &Cnf, proof: &str) -> Vec<usize> {
    let accepted = check_drat(cnf, proof.as_bytes()).expect(proof);
    accepted.core.into_iter().map(|clause| clause.index()).collect()
}

fn rejected(cnf: &Cnf, proof: &str) -> (usize, Reason) {
    match check_drat(cnf, proof.as_bytes()) {
        Err(Rejected { at: Position::Line(line), reason }) => (line, reason),
        other => panic!("{proof}: {other:?}"),
    }
}

#[test]
fn rup_lemmas_and_their_core() {
    assert_eq!(core(&cube(), "1 2 0\n1 0\n2 0\n0\n"), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(core(&cube(), "c a comment\n1 2 0 1 0\nd 2 1 0\n2 0 0"), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(core(&cnf(&[&[1, 2], &[-1], &[3], &[-2, 1, 1]]), ""), [0, 1, 3]);
}

#[test]
fn the_empty_clause_need_not_be_spelled_out() {
    assert_eq!(core(&cube(), "1 2 0\n1 0\n2 0\n").len(), 8);
}

#[test]
fn lemmas_that_are_not_needed_are_not_checked() {
    assert_eq!(core(&cnf(&[&[1, 2], &[-1, 2], &[-2, 3], &[-2, -3], &[4, 5]]), "4 0\n2 0\n0\n"), [0, 1, 2, 3]);
}

#[test]
fn wrong_proofs_and_why() {
    assert_eq!(rejected(&cube(), "1 2 0\n3 0\n0\n"), (3, Reason::NotRupNorRat));
    assert_eq!(rejected(&cube(), "1 2 0\n1 0\n"), (3, Reason::EmptyClauseNeverDerived));
    assert_eq!(rejected(&cube(), "1 2 0\n1 0\n0\n"), (3, Reason::NotRupNorRat));
    assert_eq!(rejected(&cube(), "d 1 2 3 0\n1 2 0\n1 0\n2 0\n0\n"), (2, Reason::NotRupNorRat));
    assert_eq!(rejected(&cube(), ""), (1, Reason::EmptyClauseNeverDerived));
}

#[test]
fn malformed_proofs() {
    assert_eq!(rejected(&cube(), "1 2 0\n1"), (2, Reason::Truncated));
    assert_eq!(rejected(&cube(), "1 2 0\nd"), (2, Reason::Truncated));
    assert_eq!(rejected(&cube(), "1 2 0\n1 -"), (2, Reason::Truncated));
    assert_eq!(rejected(&cube(), "1 b 0\n"), (1, Reason::Syntax("a number")));
    assert_eq!(rejected(&cube(), "1 - 0\n"), (1, Reason::Syntax("a number")));
    assert_eq!(rejected(&cube(), "1 0\n2147483648 0\n"), (2, Reason::Syntax("literals of at most 31 bits")));
}

#[test]
fn a_large_variable_costs_no_memory() {
    assert_eq!(core(&cube(), "2147483647 -1 0\n1 2 0\n1 0\n2 0\n0\n").len(), 8);
}

#[test]
fn deletions_of_reasons_are_ignored() {
    let formula = cnf(&[&[1], &[-1, 2], &[-2, 3, 4], &[-2, 3, -4], &[-2, -3, 4], &[-2, -3, -4]]);
    assert_eq!(core(&formula, "d 1 0\nd -1 2 0\n3 0\n0\n").len(), 6);
    assert_eq!(core(&formula, "d 5 6 0\n3 0\n0\n").len(), 6);
    assert_eq!(rejected(&formula, "d -2 3 4 0\n3 0\n0\n"), (2, Reason::NotRupNorRat));
}

#[test]
fn a_deleted_clause_is_back_for_earlier_lemmas() {
    assert_eq!(core(&cube(), "1 2 0\nd 1 2 3 0\nd 1 2 -3 0\n1 -2 0\n1 0\nd 2 1 0\n2 0\n0\n").len(), 8);
}

#[test]
fn a_symmetry_is_broken_by_rat() {
    // Nothing implies -1, but every clause with 1 has a twin with -1.
    assert_eq!(core(&cube(), "-1 0\n2 0\n0\n").len(), 8);
    let mut formula = cube();
    formula.clauses.remove(7);
    assert_eq!(rejected(&formula, "-1 0\n2 0\n0\n"), (1, Reason::NotRupNorRat));
}

#[test]
fn rat_is_on_the_first_literal() {
    // 9 is defined as the disjunction of 1 and 2.
    let formula = cnf(&[&[1, 2, 3], &[1, 2, -3], &[-1, 4], &[-1, -4], &[-2, 5, 6], &[-2, 5, -6], &[-2, -5]]);
    assert_eq!(core(&formula, "9 -1 0\n9 -2 0\n-9 1 2 0\n9 0\n-2 0\n0\n").len(), 7);
    let satisfiable = cnf(&[&[1, 3], &[1, -3]]);
    assert_eq!(rejected(&satisfiable, "9 -1 0\n-9 -1 0\n1 0\n"), (2, Reason::NotRupNorRat));
    assert_eq!(rejected(&satisfiable, "9 -1 0\n-1 -9 0\n1 0\n"), (2, Reason::NotRupNorRat));
    let unsatisfiable = cnf(&[&[1, 3], &[1, -3], &[-1, 4, 5], &[-1, 4, -5], &[-1, -4, 5], &[-1, -4, -5]]);
    assert_eq!(core(&unsatisfiable, "9 -1 0\n-9 4 0\n1 0\n").len(), 6);
    assert_eq!(rejected(&unsatisfiable, "-1 9 0\n-9 4 0\n1 0\n"), (1, Reason::NotRupNorRat));
}

#[test]
fn binary_is_recognised_and_positions_are_offsets() {
    let formula = cnf(&[&[1, 100], &[-1, 100], &[1, -100], &[-1, -100]]);
    assert_eq!(check_drat(&formula, b"a\xc8\x01\0a\0").expect("a proof").core.len(), 4);
    assert_eq!(check_drat(&formula, b"d\x08\0a\xc8\x01\0").expect("begins with a deletion").core.len(), 4);
    let error = check_drat(&formula, b"a\xc8\x01").expect_err("cut off");
    assert_eq!(error, Rejected { at: Position::Byte(3), reason: Reason::Truncated });
    let error = check_drat(&formula, b"a\x06\0a\0").expect_err("a wrong lemma");
    assert_eq!(error, Rejected { at: Position::Byte(3), reason: Reason::NotRupNorRat });
    let error = check_drat(&formula, b"a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0").expect_err("too long");
    assert!(matches!(error, Rejected { at: Position::Byte(1), reason: Reason::Syntax(_) }));
}

#[test]
fn pigeonhole_refutations() {
    for holes in 1..=4 {
        let formula = pigeonhole(holes);
        let steps = dpll::refute(&formula).expect("unsatisfiable");
        let all = formula.clauses.len();
        assert_eq!(check_drat(&formula, &drat_text(&steps)).expect("text").core.len(), all);
        assert_eq!(check_drat(&formula, &drat_binary(&steps)).expect("binary").core.len(), all);
    }
}
