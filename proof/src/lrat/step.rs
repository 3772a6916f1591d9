//! The grammar of LRAT proofs.
//!
//! As text, a lemma is `<id> <literals> 0 <hints> 0` and a deletion `<id> d <ids> 0`. In binary they are
//! `a <id> <literals> 0 <hints> 0` and `d <ids> 0`.

use crate::input::Input;
use crate::{Lit, Position, Reason, Rejected};

/// One step of a proof.
pub(super) enum Step {
    /// The lemma with this number follows by these hints.
    Add { id: u64, lits: Vec<Lit>, hints: Vec<i64> },
    /// The clauses with these numbers are not used any more.
    Delete(Vec<u64>),
}

impl Step {
    /// Reads the step that comes next.
    pub(super) fn read(input: &mut Input) -> Result<Step, Rejected> {
        let at = input.position();
        if !input.is_binary() {
            let id = input.number()?;
            return if input.take(b'd') { deletion(input) } else { addition(input, id, at) };
        }
        if input.take(b'd') {
            deletion(input)
        } else if input.take(b'a') {
            let id = input.number()?;
            addition(input, id, at)
        } else {
            Err(Rejected { at, reason: Reason::Syntax("`a` or `d` at the beginning of a step") })
        }
    }
}

fn addition(input: &mut Input, id: i64, at: Position) -> Result<Step, Rejected> {
    let syntax = |expected| Rejected { at, reason: Reason::Syntax(expected) };
    let lits = numbers(input)?.into_iter().map(Lit::new).collect::<Option<_>>();
    let lits = lits.ok_or_else(|| syntax("literals of at most 31 bits"))?;
    let hints = numbers(input)?;
    let id = positive(id).ok_or_else(|| syntax("a positive clause number"))?;
    Ok(Step::Add { id, lits, hints })
}

fn deletion(input: &mut Input) -> Result<Step, Rejected> {
    let at = input.position();
    let ids = numbers(input)?.into_iter().map(positive).collect::<Option<_>>();
    ids.map(Step::Delete).ok_or(Rejected { at, reason: Reason::Syntax("positive clause numbers") })
}

fn positive(number: i64) -> Option<u64> {
    u64::try_from(number).ok().filter(|&number| number > 0)
}

fn numbers(input: &mut Input) -> Result<Vec<i64>, Rejected> {
    let mut numbers = Vec::new();
    input.numbers(&mut numbers)?;
    Ok(numbers)
}
