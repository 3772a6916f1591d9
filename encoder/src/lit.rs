//! Literals and where clauses go.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

/// A literal, numbered as in DIMACS.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The literal with a DIMACS number; `None` for 0 and for the number that has no negation.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        NonZeroI32::new(number).filter(|number| number.get() != i32::MIN).map(Lit)
    }

    /// The positive literal of a variable, numbered from 1.
    pub fn numbered(variable: u32) -> Lit {
        match i32::try_from(variable).ok().and_then(Lit::from_dimacs) {
            Some(lit) => lit,
            None => unreachable!("a formula has between 1 and 2^31 - 1 variables"),
        }
    }

    /// The DIMACS number.
    pub fn to_dimacs(self) -> i32 {
        self.0.get()
    }

    /// The variable's number, from 1.
    pub fn variable(self) -> u32 {
        self.0.get().unsigned_abs()
    }

    /// Whether the literal is the variable itself.
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Takes the clauses that an encoder emits.
pub trait ClauseSink {
    /// A literal over a new variable; variables are numbered from 1 without gaps.
    fn fresh(&mut self) -> Lit;

    /// Adds a clause.
    fn clause(&mut self, clause: &[Lit]);
}

/// A formula in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables there are.
    pub variables: u32,
    /// The clauses.
    pub clauses: Vec<Vec<Lit>>,
}

impl Cnf {
    /// The same clauses without repeated literals and without those that are true whatever the assignment.
    pub fn normal(&self) -> Cnf {
        Cnf { variables: self.variables, clauses: self.clauses.iter().filter_map(|clause| normal(clause)).collect() }
    }

    /// The formula in DIMACS.
    pub fn render(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.variables, self.clauses.len());
        for clause in &self.clauses {
            for lit in clause {
                text.push_str(&lit.to_dimacs().to_string());
                text.push(' ');
            }
            text.push_str("0\n");
        }
        text
    }
}

/// A clause without repetitions; none if it is true whatever the assignment.
fn normal(clause: &[Lit]) -> Option<Vec<Lit>> {
    let literals: BTreeSet<Lit> = clause.iter().copied().collect();
    let is_tautology = literals.iter().any(|lit| literals.contains(&!*lit));
    (!is_tautology).then(|| literals.into_iter().collect())
}

impl ClauseSink for Cnf {
    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::numbered(self.variables)
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
    }
}
