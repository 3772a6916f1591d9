//! Literals, as a DIMACS file writes them and as the checkers index by them.

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

/// A DIMACS literal: the number of a variable, counted from one, negative for its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The literal that DIMACS writes as this number; none for zero and for what has no negation in 32 bits.
    pub fn new(number: i64) -> Option<Lit> {
        let number = i32::try_from(number).ok().filter(|&number| number != i32::MIN)?;
        NonZeroI32::new(number).map(Lit)
    }

    /// The number that DIMACS writes.
    pub fn number(self) -> i32 {
        self.0.get()
    }

    /// The variable, counted from one.
    pub fn variable(self) -> u32 {
        self.0.get().unsigned_abs()
    }

    /// Whether this is the negation of its variable.
    pub fn is_negative(self) -> bool {
        self.0.get() < 0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A literal over the densely numbered variables of one check: `2 * variable + sign`, an index into tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Code(u32);

impl Code {
    /// The literal of a dense variable.
    pub(super) fn new(variable: u32, is_negative: bool) -> Code {
        Code(2 * variable + u32::from(is_negative))
    }

    /// The place of this literal in a table over literals.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The place of its variable in a table over variables.
    pub(super) fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }
}

impl Not for Code {
    type Output = Code;

    fn not(self) -> Code {
        Code(self.0 ^ 1)
    }
}
