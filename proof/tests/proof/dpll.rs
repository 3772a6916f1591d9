//! A solver that is too simple to be wrong, and writes down why.
//!
//! At a conflict the negated decisions are a RUP lemma, by the clauses that propagated. Once both values of a decision
//! are refuted, the two lemmas give the one without it.

use proof::{Cnf, Lit};

use crate::script::Step;

/// A refutation with hints and deletions, or none if the formula is satisfiable.
pub fn refute(cnf: &Cnf) -> Option<Vec<Step>> {
    let mut search = Search { cnf, steps: Vec::new(), last: cnf.clauses.len() as i64 };
    search.refute(&mut Vec::new())?;
    Some(search.steps)
}

struct Search<'a> {
    cnf: &'a Cnf,
    steps: Vec<Step>,
    last: i64,
}

enum Propagation {
    Conflict(Vec<i64>),
    Open(Vec<Lit>),
}

impl Search<'_> {
    /// The number of a lemma that says that not all decisions hold.
    fn refute(&mut self, decisions: &mut Vec<Lit>) -> Option<i64> {
        let assigned = match self.propagate(decisions) {
            Propagation::Conflict(hints) => return Some(self.learn(decisions, hints)),
            Propagation::Open(assigned) => assigned,
        };
        let is_open = |lit: &Lit| !assigned.contains(lit) && !assigned.contains(&!*lit);
        let branch = self.cnf.clauses.iter().flatten().copied().find(is_open)?;
        let lemmas = [branch, !branch].map(|decision| {
            decisions.push(decision);
            let lemma = self.refute(decisions);
            decisions.pop();
            lemma
        });
        let [left, right] = [lemmas[0]?, lemmas[1]?];
        let lemma = self.learn(decisions, vec![left, right]);
        if decisions.is_empty() {
            return Some(lemma);
        }
        for (id, decision) in [(left, branch), (right, !branch)] {
            let lits = decisions.iter().copied().chain([decision]).map(|decision| !decision).collect();
            self.steps.push(Step::Delete { id, lits });
        }
        Some(lemma)
    }

    fn learn(&mut self, decisions: &[Lit], hints: Vec<i64>) -> i64 {
        self.last += 1;
        let lits = decisions.iter().map(|&decision| !decision).collect();
        self.steps.push(Step::Add { id: self.last, lits, hints });
        self.last
    }

    fn propagate(&self, decisions: &[Lit]) -> Propagation {
        let mut assigned = decisions.to_vec();
        let mut hints = Vec::new();
        loop {
            let before = assigned.len();
            for (id, clause) in (1..).zip(&self.cnf.clauses) {
                let mut open: Vec<Lit> = clause.iter().copied().filter(|lit| !assigned.contains(&!*lit)).collect();
                open.dedup();
                match open[..] {
                    [] => return Propagation::Conflict(hints.into_iter().chain([id]).collect()),
                    [unit] if !assigned.contains(&unit) => {
                        assigned.push(unit);
                        hints.push(id);
                    }
                    _ => {}
                }
            }
            if assigned.len() == before {
                return Propagation::Open(assigned);
            }
        }
    }
}
