//! Reads a DRAT proof: the clauses go to the database, the steps refer to them.
//!
//! As text, a lemma is `<literals> 0` and a deletion `d <literals> 0`. In binary they are `a <literals> 0` and
//! `d <literals> 0`.

use super::clause_index::ClauseIndex;
use super::database::{ClauseId, Database};
use crate::input::Input;
use crate::lit::Code;
use crate::numbering::Numbering;
use crate::{Cnf, Lit, Position, Reason, Rejected};

/// What a step does to a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Add,
    Delete,
}

/// A step of the proof.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) action: Action,
    pub(super) clause: ClauseId,
    pub(super) at: Position,
}

/// A formula and a proof.
pub(super) struct Proof {
    pub(super) database: Database,
    /// How many of the clauses are the formula's.
    pub(super) originals: usize,
    pub(super) variables: usize,
    pub(super) steps: Vec<Step>,
    pub(super) end: Position,
}

impl Proof {
    /// Reads all steps. Deletions of clauses that do not exist are left out.
    pub(super) fn read(cnf: &Cnf, bytes: &[u8]) -> Result<Proof, Rejected> {
        let mut reader = Reader::default();
        for clause in &cnf.clauses {
            reader.add(clause.iter().copied());
        }
        let mut input = Input::new(bytes);
        let mut steps = Vec::new();
        let mut numbers = Vec::new();
        while input.next_step() {
            let at = input.position();
            let action = action(&mut input)?;
            input.numbers(&mut numbers)?;
            let clause = reader.step(action, &numbers).map_err(|reason| Rejected { at, reason })?;
            steps.extend(clause.map(|clause| Step { action, clause, at }));
        }
        let (originals, variables) = (cnf.clauses.len(), reader.numbering.variables());
        Ok(Proof { database: reader.database, originals, variables, steps, end: input.position() })
    }
}

fn action(input: &mut Input) -> Result<Action, Rejected> {
    let at = input.position();
    if input.take(b'd') {
        Ok(Action::Delete)
    } else if !input.is_binary() || input.take(b'a') {
        Ok(Action::Add)
    } else {
        Err(Rejected { at, reason: Reason::Syntax("`a` or `d` at the beginning of a step") })
    }
}

#[derive(Default)]
struct Reader {
    numbering: Numbering,
    database: Database,
    index: ClauseIndex,
    clause: Vec<Code>,
}

impl Reader {
    fn add(&mut self, lits: impl IntoIterator<Item = Lit>) -> ClauseId {
        self.numbering.clause(lits, &mut self.clause);
        let id = self.database.push(&self.clause);
        self.index.insert(id, &self.clause);
        id
    }

    fn step(&mut self, action: Action, numbers: &[i64]) -> Result<Option<ClauseId>, Reason> {
        let lits = numbers.iter().copied().map(Lit::new).collect::<Option<Vec<Lit>>>();
        let lits = lits.ok_or(Reason::Syntax("literals of at most 31 bits"))?;
        match action {
            Action::Add => Ok(Some(self.add(lits))),
            Action::Delete => {
                self.numbering.clause(lits, &mut self.clause);
                Ok(self.index.remove(&self.clause, &self.database))
            }
        }
    }
}
