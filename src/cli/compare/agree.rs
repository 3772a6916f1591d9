//! The columns have to agree; where they do not, that is a bug of ours.

use super::column::{Answer, Column};
use crate::Error;

/// Of two columns that answer the question of a bound, none may say that there is a violation where the other denies it.
pub fn agree(columns: &[Column]) -> Result<(), Error> {
    let bounds = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    for bound in 0..bounds {
        let answers = columns.iter().filter_map(|column| Some((column.name, column.cells.get(bound)?.answer)));
        let mut answers = answers.filter(|(_, answer)| matches!(answer, Answer::Valid | Answer::Violated(_)));
        let Some((first, answer)) = answers.next() else { continue };
        if let Some((other, different)) = answers.find(|(_, other)| other.word() != answer.word()) {
            return Err(Error::Bug(format!(
                "at bound {bound}, {first} says {}, {other} {}",
                answer.word(),
                different.word()
            )));
        }
    }
    Ok(())
}
