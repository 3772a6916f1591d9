//! Hand-written LRAT proofs.

use proof::{Cnf, Position, Reason, Rejected, check_lrat};

use crate::dpll;
use crate::formulas::pigeonhole;
use crate::script::{cnf, lrat_binary, lrat_text};

/// All four clauses over two variables, as 1 to 4, and one that is not needed.
fn square() -> Cnf {
    cnf(&[&[1, 2], &[-1, 2], &[1, -2], &[-1, -2], &[1, 3]])
}

fn core(cnf: &Cnf, proof: &str) -> Vec<usize> {
    let accepted = check_lrat(cnf, proof.as_bytes()).expect(proof);
    accepted.core.into_iter().map(|clause| clause.index()).collect()
}

fn rejected(cnf: &Cnf, proof: &str) -> (usize, Reason) {
    match check_lrat(cnf, proof.as_bytes()) {
        Err(Rejected { at: Position::Line(line), reason }) => (line, reason),
        other => panic!("{proof}: {other:?}"),
    }
}

#[test]
fn rup_lemmas_and_their_core() {
    assert_eq!(core(&square(), "6 2 0 1 2 0\n7 0 6 3 4 0\n"), [0, 1, 2, 3]);
    assert_eq!(core(&square(), "6 2 0 1 2 0\n6 d 1 2 5 0\n9 0 6 3 4 0\n"), [0, 1, 2, 3]);
    assert_eq!(core(&cnf(&[&[1], &[2], &[-2, -2]]), "4 0 2 3 0"), [1, 2]);
}

#[test]
fn comments_and_line_breaks_do_not_matter() {
    assert_eq!(core(&square(), "c a comment\n6 2\n0 1 2 0 7 0 6 3 4 0"), [0, 1, 2, 3]);
}

#[test]
fn what_follows_the_empty_clause_is_not_read() {
    assert_eq!(core(&cnf(&[&[1], &[-1]]), "3 0 1 2 0\nnonsense"), [0, 1]);
    assert_eq!(core(&cnf(&[&[1], &[]]), "nonsense"), [1]);
}

#[test]
fn a_definition_is_rat() {
    // 3 stands for 1 and 2: blocked clauses, then the square is refuted.
    let proof = "6 3 -1 -2 0 0\n7 -3 1 0 -6 0\n8 -3 2 0 -6 0\n9 2 0 1 2 0\n10 0 9 3 4 0\n";
    assert_eq!(core(&cnf(&[&[1, 2], &[-1, 2], &[1, -2], &[-1, -2], &[1, 4]]), proof), [0, 1, 2, 3]);
}

#[test]
fn a_rat_lemma_with_hints_for_a_resolvent() {
    // The resolvent of the lemma 1 with the clause (-1 2) is 2, which the clauses 2 and 3 give.
    let formula = cnf(&[&[-1, 2], &[2, 3], &[2, -3], &[-2, 4], &[-2, -4]]);
    assert_eq!(core(&formula, "6 1 0 -1 2 3 0\n7 2 0 6 1 0\n8 0 7 4 5 0\n"), [0, 1, 2, 3, 4]);
    assert_eq!(rejected(&formula, "6 1 0 -1 2 0\n"), (1, Reason::NoConflict));
    assert_eq!(rejected(&formula, "6 1 0 -2 3 0\n"), (1, Reason::NotACandidate(2)));
    assert_eq!(rejected(&formula, "6 1 0 0\n"), (1, Reason::NoConflict));
    assert_eq!(rejected(&formula, "6 -2 0 -2 0\n"), (1, Reason::NoConflict));
}

#[test]
fn every_candidate_must_be_resolved_with() {
    let formula = cnf(&[&[-1, 2], &[2], &[-1, 3]]);
    assert_eq!(rejected(&formula, "4 1 0 -1 2 0\n"), (1, Reason::MissingCandidate(3)));
    assert_eq!(rejected(&formula, "4 d 3 0\n4 1 0 -1 2 0\n"), (3, Reason::EmptyClauseNeverDerived));
}

#[test]
fn wrong_proofs_and_why() {
    let square = square();
    assert_eq!(rejected(&square, "6 2 0 1 3 0\n"), (1, Reason::HintNotUnit(3)));
    assert_eq!(rejected(&square, "6 2 0 1 0\n"), (1, Reason::NoConflict));
    assert_eq!(rejected(&square, "6 2 0 1 9 0\n"), (1, Reason::UnknownClause(9)));
    assert_eq!(rejected(&square, "6 d 1 0\n6 2 0 1 2 0\n"), (2, Reason::UnknownClause(1)));
    assert_eq!(rejected(&square, "6 d 7 0\n"), (1, Reason::UnknownClause(7)));
    assert_eq!(rejected(&square, "5 2 0 1 2 0\n"), (1, Reason::NumberNotIncreasing(5)));
    assert_eq!(rejected(&square, "6 2 0 1 2 0\n7 0 6 3 0\n"), (2, Reason::NoConflict));
    assert_eq!(rejected(&square, "6 2 0 1 2 0\n"), (2, Reason::EmptyClauseNeverDerived));
    assert_eq!(rejected(&square, ""), (1, Reason::EmptyClauseNeverDerived));
}

#[test]
fn malformed_proofs() {
    let square = square();
    assert_eq!(rejected(&square, "6 2 0 1 2"), (1, Reason::Truncated));
    assert_eq!(rejected(&square, "6 2 0 1 2 0\n7"), (2, Reason::Truncated));
    assert_eq!(rejected(&square, "6 d 1"), (1, Reason::Truncated));
    assert_eq!(rejected(&square, "6 2 0 1x 2 0\n"), (1, Reason::Syntax("a number")));
    assert_eq!(rejected(&square, "6 99999999999 0 1 0\n"), (1, Reason::Syntax("literals of at most 31 bits")));
    assert_eq!(rejected(&square, "-6 2 0 1 2 0\n"), (1, Reason::Syntax("a positive clause number")));
    assert_eq!(rejected(&square, "6 d -1 0\n"), (1, Reason::Syntax("positive clause numbers")));
}

#[test]
fn binary_is_recognised_and_positions_are_offsets() {
    let formula = cnf(&[&[1], &[-1, 100], &[-100]]);
    assert!(check_lrat(&formula, b"a\x08\xc8\x01\0\x02\x04\0a\x0a\0\x08\x06\0").is_ok());
    assert!(check_lrat(&formula, b"d\x04\0a\x08\0\x02\x06\0").is_err());
    let error = check_lrat(&formula, b"a\x08\xc8\x01\0\x02\x04\0a\x0a\0\x08\x02\0").expect_err("a wrong hint");
    assert_eq!(error, Rejected { at: Position::Byte(8), reason: Reason::NoConflict });
    let error = check_lrat(&formula, b"a\x08\xc8\x01\0\x02").expect_err("cut off");
    assert_eq!(error, Rejected { at: Position::Byte(6), reason: Reason::Truncated });
    let error = check_lrat(&formula, b"\x08\0").expect_err("no letter");
    assert!(matches!(error, Rejected { at: Position::Byte(0), reason: Reason::Syntax(_) }));
}

#[test]
fn pigeonhole_refutations() {
    for holes in 1..=4 {
        let formula = pigeonhole(holes);
        let steps = dpll::refute(&formula).expect("unsatisfiable");
        let all = formula.clauses.len();
        assert_eq!(check_lrat(&formula, &lrat_text(&steps)).expect("text").core.len(), all);
        assert_eq!(check_lrat(&formula, &lrat_binary(&steps)).expect("binary").core.len(), all);
    }
}
