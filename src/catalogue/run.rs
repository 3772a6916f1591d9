//! What is found when a model runs.

use super::{Entry, Family};

/// Faults of models that the front end accepts.
pub const FAMILY: Family = Family {
    title: "When a model runs",
    language: "smv",
    codes: &[(
        "RUN001",
        "A reachable step has no meaning: no branch of a case matches, a value leaves its domain, a \
        division by zero, an index out of bounds, an overflow.",
    )],
    entries: &[Entry {
        code: "RUN001",
        example: "MODULE main
VAR x : 0..3;
ASSIGN
  init(x) := 0;
  next(x) := x + 1;
INVARSPEC x < 4
",
        cure: "The run that is printed with the error leads to the state in question. Say what should happen there: \
               add the missing branch, or keep the value inside its domain.",
        cured: Some(
            "MODULE main
VAR x : 0..3;
ASSIGN
  init(x) := 0;
  next(x) := case x < 3 : x + 1; TRUE : 0; esac;
INVARSPEC x < 4
",
        ),
    }],
    diagnose: |_| {
        "The model is accepted; `uwbmc check` reports the fault, with its place, when a run gets there.\n".to_owned()
    },
};
