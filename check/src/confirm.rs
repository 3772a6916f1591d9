//! No counterexample leaves before it has replayed. One that does not is a bug of ours, never a verdict.

use crate::error::Error;
use system::{Claim, Machine, Mismatch, PropertyId, Trace};

/// Whether a trace is a counterexample to a property.
pub fn confirm(machine: &Machine, property: PropertyId, trace: &Trace) -> Result<(), Error> {
    let what = format!("counterexample to {}", machine.system().properties[property].name);
    replays(machine, &what, trace)?;
    // A single run shows a violation of CTL only as far as a run can.
    if matches!(machine.system().properties[property].claim, Claim::Ctl(_)) {
        return Ok(());
    }
    match trace.violates(machine, property) {
        Some(_) => Ok(()),
        None => Err(Error::Bug(format!("the {what} does not violate it"))),
    }
}

/// Whether something that is shown is a run of the model.
pub fn replays(machine: &Machine, what: &str, trace: &Trace) -> Result<(), Error> {
    match trace.replay(machine) {
        Ok(_) => Ok(()),
        Err(Mismatch { state, reason, .. }) => {
            Err(Error::Bug(format!("the {what} does not replay: state {state}: {reason}")))
        }
    }
}
