//! The columns have to agree; where they do not, that is a bug of ours.

use super::Column;
use crate::cli::UsageError;
use system::Machine;

/// No column may claim a bound within which another one has found a violation: that would be a bug of ours.
pub fn agree(machine: &Machine, columns: &[Column<'_>]) -> Result<(), UsageError> {
    for finder in columns {
        for (property, trace) in &finder.attitude.found().violations {
            for other in columns {
                let found = other.attitude.found();
                let denies = found.violations.iter().all(|(violated, _)| violated != property)
                    && found.bound >= Some(trace.moves.len());
                if denies {
                    let name = &machine.system().properties[*property].name;
                    return Err(UsageError(format!(
                        "this is a bug in uwbmc, please report it with the model: {} violates {name} in {} steps, {} denies it",
                        finder.name,
                        trace.moves.len(),
                        other.name
                    )));
                }
            }
        }
    }
    Ok(())
}

/// Where each bound is a question of its own, every column gives the same answer.
pub fn agree_exactly(columns: &[Column<'_>]) -> Result<(), UsageError> {
    let bounds = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    for k in 0..bounds {
        let answers = columns.iter().filter_map(|column| Some((column.name, column.cells.get(k)?.result)));
        let answers: Vec<_> = answers.filter(|(_, result)| *result != "unknown").collect();
        if let [(first, answer), rest @ ..] = answers.as_slice()
            && let Some((other, different)) = rest.iter().find(|(_, result)| result != answer)
        {
            return Err(UsageError(format!(
                "this is a bug in uwbmc, please report it with the model: at bound {k}, {first} says {answer}, {other} {different}"
            )));
        }
    }
    Ok(())
}
