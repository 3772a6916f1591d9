//! Unit propagation, to see how much a few literals decide.

use encoder::{Cnf, Lit};

/// A formula under the literals that follow by unit propagation from nothing.
pub struct Propagation {
    clauses: Vec<Vec<Lit>>,
    /// For each literal, the clauses that watch it: it is among their first two.
    watches: Vec<Vec<usize>>,
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    /// Whether propagation alone refutes the formula.
    is_refuted: bool,
}

impl Propagation {
    /// Propagates what the clauses alone say.
    pub fn new(formula: &Cnf) -> Propagation {
        let variables = formula.variables as usize;
        let mut propagation = Propagation {
            clauses: formula.clauses.iter().filter(|clause| clause.len() > 1).cloned().collect(),
            watches: vec![Vec::new(); 2 * variables],
            values: vec![None; variables],
            trail: Vec::new(),
            is_refuted: formula.clauses.iter().any(Vec::is_empty),
        };
        for (index, clause) in propagation.clauses.iter().enumerate() {
            propagation.watches[code(clause[0])].push(index);
            propagation.watches[code(clause[1])].push(index);
        }
        for unit in formula.clauses.iter().filter(|clause| clause.len() == 1) {
            propagation.is_refuted |= !propagation.assume(unit[0]);
        }
        propagation.is_refuted |= !propagation.propagate(0);
        propagation
    }

    /// How many literals follow from some; none if they contradict the formula.
    pub fn decided(&mut self, literals: &[Lit]) -> Option<usize> {
        let before = self.trail.len();
        let is_consistent = !self.is_refuted && literals.iter().all(|lit| self.assume(*lit)) && self.propagate(before);
        let decided = self.trail.len() - before;
        for lit in self.trail.drain(before..) {
            self.values[lit.variable() as usize - 1] = None;
        }
        is_consistent.then_some(decided)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.variable() as usize - 1].map(|value| value == lit.is_positive())
    }

    /// Makes a literal true; says whether it was not false.
    fn assume(&mut self, lit: Lit) -> bool {
        match self.value(lit) {
            Some(value) => value,
            None => {
                self.values[lit.variable() as usize - 1] = Some(lit.is_positive());
                self.trail.push(lit);
                true
            }
        }
    }

    /// Propagates the literals of the trail from one on; says whether no clause became false.
    fn propagate(&mut self, mut next: usize) -> bool {
        while let Some(lit) = self.trail.get(next).copied() {
            next += 1;
            let watching = std::mem::take(&mut self.watches[code(!lit)]);
            let mut kept = Vec::with_capacity(watching.len());
            let mut is_consistent = true;
            for (at, index) in watching.iter().enumerate() {
                if self.rewatch(*index, !lit) {
                    continue;
                }
                kept.push(*index);
                if !self.assume(self.clauses[*index][0]) {
                    kept.extend_from_slice(&watching[at + 1..]);
                    is_consistent = false;
                    break;
                }
            }
            self.watches[code(!lit)] = kept;
            if !is_consistent {
                return false;
            }
        }
        true
    }

    /// Looks for another literal to watch in place of one that is false, which becomes the second. Without success, all but the
    /// first are false, or the first is true.
    fn rewatch(&mut self, index: usize, gone: Lit) -> bool {
        if self.clauses[index][0] == gone {
            self.clauses[index].swap(0, 1);
        }
        let clause = &self.clauses[index];
        if self.value(clause[0]) == Some(true) {
            return false;
        }
        let Some(other) = (2..clause.len()).find(|at| self.value(clause[*at]) != Some(false)) else { return false };
        self.clauses[index].swap(1, other);
        let watched = self.clauses[index][1];
        self.watches[code(watched)].push(index);
        true
    }
}

/// The place of a literal in a table.
fn code(lit: Lit) -> usize {
    2 * (lit.variable() as usize - 1) + usize::from(lit.is_positive())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(variables: u32, clauses: &[&[i32]]) -> Propagation {
        let lits = |clause: &&[i32]| clause.iter().filter_map(|number| Lit::from_dimacs(*number)).collect();
        Propagation::new(&Cnf { variables, clauses: clauses.iter().map(lits).collect() })
    }

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number).expect("not zero")
    }

    #[test]
    fn what_follows_is_counted_and_forgotten() {
        let mut chain = formula(4, &[&[-1, 2], &[-2, 3], &[-3, -1, 4]]);
        for _ in 0..3 {
            assert_eq!(chain.decided(&[lit(1)]), Some(4));
            assert_eq!(chain.decided(&[lit(-4)]), Some(1));
            assert_eq!(chain.decided(&[lit(1), lit(-4)]), None);
            assert_eq!(chain.decided(&[]), Some(0));
        }
    }

    #[test]
    fn units_hold_from_the_start() {
        let mut units = formula(3, &[&[1], &[-1, 2, 3]]);
        assert_eq!(units.decided(&[lit(-2)]), Some(2));
        assert_eq!(units.decided(&[lit(-1)]), None);
        assert_eq!(formula(1, &[&[1], &[-1]]).decided(&[]), None);
    }
}
