//! The DIMACS reader.

use proof::{Cnf, DimacsReason, Lit};

use crate::script::cnf;

fn refused(text: &str) -> (usize, DimacsReason) {
    let error = Cnf::parse(text.as_bytes()).expect_err(text);
    (error.line, error.reason)
}

#[test]
fn comments_blank_lines_and_clauses_across_lines() {
    let text = "c hello\np cnf 3 3\n1 -2\n0 2\n\nc in between\n 3 0\t-1 0\r\n";
    assert_eq!(Cnf::parse(text.as_bytes()), Ok(cnf(&[&[1, -2], &[2, 3], &[-1]])));
}

#[test]
fn the_empty_formula_and_the_empty_clause() {
    assert_eq!(Cnf::parse(b"p cnf 0 0"), Ok(cnf(&[])));
    assert_eq!(Cnf::parse(b"p cnf 0 1\n0\n"), Ok(cnf(&[&[]])));
}

#[test]
fn errors_name_the_line() {
    assert_eq!(refused("c\n1 0\n"), (2, DimacsReason::MissingHeader));
    assert_eq!(refused("c only comments\n"), (2, DimacsReason::MissingHeader));
    assert_eq!(refused("p cnf 1 1\np cnf 1 1\n"), (2, DimacsReason::SecondHeader));
    assert_eq!(refused("p cnf 1\n"), (1, DimacsReason::BadHeader));
    assert_eq!(refused("p dnf 1 1\n"), (1, DimacsReason::BadHeader));
    assert_eq!(refused("p cnf 1 1 1\n"), (1, DimacsReason::BadHeader));
    assert_eq!(refused("p cnf 1 1\nx 0\n"), (2, DimacsReason::NotALiteral("x".to_owned())));
    assert_eq!(refused("p cnf 1 1\n-2147483648 0\n"), (2, DimacsReason::NotALiteral("-2147483648".to_owned())));
    let lit = Lit::new(-2).expect("a literal");
    assert_eq!(refused("p cnf 1 1\n1\n-2 0\n"), (3, DimacsReason::UndeclaredVariable(lit)));
    assert_eq!(refused("p cnf 1 1\n1"), (2, DimacsReason::UnfinishedClause));
    let counts = DimacsReason::WrongNumberOfClauses { declared: 2, found: 1 };
    assert_eq!(refused("p cnf 1 2\n1 0"), (2, counts));
}

#[test]
fn messages_speak_of_the_file() {
    let error = Cnf::parse(b"p cnf 1 2\n1 0").expect_err("a clause is missing");
    assert_eq!(error.to_string(), "line 2: the header promises 2 clauses, the file has 1");
}
