//! A proof as a list of steps, and how it is written in each format.

use proof::{Cnf, Lit};

/// A step that can be written as LRAT and as DRAT.
#[derive(Clone, Debug)]
pub enum Step {
    Add { id: i64, lits: Vec<Lit>, hints: Vec<i64> },
    Delete { id: i64, lits: Vec<Lit> },
}

/// A formula from numbers.
pub fn cnf(clauses: &[&[i64]]) -> Cnf {
    let clauses: Vec<Vec<Lit>> = clauses.iter().map(|clause| lits(clause)).collect();
    let variables = clauses.iter().flatten().map(|lit| lit.variable()).max().unwrap_or(0);
    Cnf { variables, clauses }
}

/// Literals from numbers.
pub fn lits(numbers: &[i64]) -> Vec<Lit> {
    numbers.iter().map(|&number| Lit::new(number).expect("a literal")).collect()
}

pub fn drat_text(steps: &[Step]) -> Vec<u8> {
    let line = |step: &Step| match step {
        Step::Add { lits, .. } => format!("{}\n", list(lits)),
        Step::Delete { lits, .. } => format!("d {}\n", list(lits)),
    };
    steps.iter().map(line).collect::<String>().into_bytes()
}

pub fn lrat_text(steps: &[Step]) -> Vec<u8> {
    let line = |step: &Step| match step {
        Step::Add { id, lits, hints } => format!("{id} {} {}\n", list(lits), list(hints)),
        Step::Delete { id, .. } => format!("{id} d {id} 0\n"),
    };
    steps.iter().map(line).collect::<String>().into_bytes()
}

pub fn drat_binary(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        let (letter, lits) = match step {
            Step::Add { lits, .. } => (b'a', lits),
            Step::Delete { lits, .. } => (b'd', lits),
        };
        bytes.push(letter);
        push_all(&mut bytes, lits.iter().map(|lit| lit.number().into()));
    }
    bytes
}

pub fn lrat_binary(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        match step {
            Step::Add { id, lits, hints } => {
                bytes.push(b'a');
                push(&mut bytes, *id);
                push_all(&mut bytes, lits.iter().map(|lit| lit.number().into()));
                push_all(&mut bytes, hints.iter().copied());
            }
            Step::Delete { id, .. } => {
                bytes.push(b'd');
                push_all(&mut bytes, [*id].into_iter());
            }
        }
    }
    bytes
}

fn list(numbers: &[impl ToString]) -> String {
    numbers.iter().map(|number| number.to_string() + " ").collect::<String>() + "0"
}

fn push_all(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = i64>) {
    numbers.for_each(|number| push(bytes, number));
    bytes.push(0);
}

fn push(bytes: &mut Vec<u8>, number: i64) {
    let mut code = 2 * number.unsigned_abs() + u64::from(number < 0);
    while code > 0x7f {
        bytes.push(code as u8 | 0x80);
        code >>= 7;
    }
    bytes.push(code as u8);
}
