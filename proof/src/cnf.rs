//! The formula that a proof refutes.

use super::Lit;

/// A formula in conjunctive normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables the formula declares; they are counted from one.
    pub variables: u32,
    /// The clauses, in the order of the file.
    pub clauses: Vec<Vec<Lit>>,
}

/// The place of an original clause in [`Cnf::clauses`], counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClauseIndex(usize);

impl ClauseIndex {
    /// The clause at this place.
    pub fn new(index: usize) -> ClauseIndex {
        ClauseIndex(index)
    }

    /// The place, to index [`Cnf::clauses`] with.
    pub fn index(self) -> usize {
        self.0
    }
}

impl Cnf {
    /// The formula that has only these clauses, in this order.
    pub fn restricted_to(&self, core: &[ClauseIndex]) -> Cnf {
        let clauses = core.iter().filter_map(|clause| self.clauses.get(clause.index()).cloned()).collect();
        Cnf { variables: self.variables, clauses }
    }
}
