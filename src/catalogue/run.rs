//! What is found when a model runs.

use super::{Entry, Family};
use crate::diagnostic::{Diagnostics, Style};
use crate::report::fault;
use crate::source::Source;
use crate::{smv, trace};
use explicit::Limits;
use limits::Handle;
use std::sync::Arc;
use system::{Machine, PropertyId};

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
    diagnose,
};

/// More than enough for an example.
const LIMITS: Limits = Limits { depth: 100, memory: 10_000_000 };

/// What `uwbmc check` says about a model with a fault: the place, and the run that leads there.
fn diagnose(example: &str) -> String {
    let source = Source::new("example.smv", example.as_bytes());
    let Some(system) = smv::load(&source, &[]).system else { return String::new() };
    let machine = Machine::new(Arc::new(system));
    let invariants: Vec<PropertyId> = machine.system().properties.indices().collect();
    let found = explicit::search(&machine, &invariants, LIMITS, &mut Handle::default());
    let Some((failure, run)) = found.fault else { return String::new() };
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(fault::diagnostic(&machine, failure, &run));
    let run = trace::describe(&machine, &source, &run, None);
    diagnostics.render(&source, Style::Plain) + &trace::render(&run)
}
