//! Dense numbers for the variables that occur, so that one large number in a proof costs no memory.

use std::collections::HashMap;

use super::Lit;
use super::lit::Code;

/// Variables below this are found in a table, the others by hashing.
const DIRECT: usize = 1 << 20;

/// The dense number of every variable seen so far.
#[derive(Default)]
pub(super) struct Numbering {
    direct: Vec<Option<u32>>,
    hashed: HashMap<u32, u32>,
    variables: u32,
    /// For every literal, the last clause that it was seen in.
    last_seen: Vec<u64>,
    clauses: u64,
}

impl Numbering {
    /// The codes of a clause, each once, in the order of their first occurrence.
    pub(super) fn clause(&mut self, lits: impl IntoIterator<Item = Lit>, into: &mut Vec<Code>) {
        self.clauses += 1;
        into.clear();
        for lit in lits {
            let code = self.code(lit);
            let last_seen = std::mem::replace(&mut self.last_seen[code.index()], self.clauses);
            if last_seen != self.clauses {
                into.push(code);
            }
        }
    }

    /// How many variables occur.
    pub(super) fn variables(&self) -> usize {
        self.variables as usize
    }

    fn code(&mut self, lit: Lit) -> Code {
        let variable = self.number(lit.variable());
        if variable == self.variables {
            self.variables += 1;
            self.last_seen.extend([0, 0]);
        }
        Code::new(variable, lit.is_negative())
    }

    /// The number of a variable, which is the next one if it is new.
    fn number(&mut self, variable: u32) -> u32 {
        let index = variable as usize;
        if index >= DIRECT {
            return *self.hashed.entry(variable).or_insert(self.variables);
        }
        if index >= self.direct.len() {
            self.direct.resize(index + 1, None);
        }
        *self.direct[index].get_or_insert(self.variables)
    }
}
