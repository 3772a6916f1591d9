//! Runs to write and read: counterexamples of the models, and small models of our own.

use std::path::Path;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId, Trace};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::{Handle, Patience};
use uwbmc::smv::load;
use uwbmc::source::Source;
use uwbmc::trace::{Document, Scalar, Variable, describe};

/// A run of a model.
pub struct Run {
    pub source: Source,
    pub machine: Machine,
    pub trace: Trace,
    pub property: Option<PropertyId>,
}

impl Run {
    pub fn document(&self) -> Document {
        describe(&self.machine, &self.source, &self.trace, self.property)
    }
}

/// Reads a model, which has to be right.
pub fn model(name: &str, text: &[u8]) -> (Source, Machine) {
    let source = Source::new(name, text);
    let system = load(&source, &[]).system.unwrap_or_else(|| panic!("{name} is rejected"));
    (source, Machine::new(Arc::new(system)))
}

/// The shortest counterexamples to the invariants of a model, as far as few states have to be visited for them.
pub fn counterexamples(path: &Path) -> Vec<Run> {
    /// The most states that are visited for a counterexample.
    const MOST_STATES: usize = 400_000;
    let text = std::fs::read(path).expect("readable");
    let name = path.strip_prefix(crate::root()).unwrap_or(path).display().to_string();
    let (_, machine) = model(&name, &text);
    let is_invariant = |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_));
    let invariants: Vec<PropertyId> = machine.system().properties.indices().filter(is_invariant).collect();
    let limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };
    let mut handle = Handle::default();
    let found = search(&machine, &invariants, limits, &mut handle.patient(Patience::of_states(MOST_STATES)));
    assert!(found.fault.is_none(), "our models have no faults");
    let run = |(property, trace): (PropertyId, &Trace)| {
        let (source, machine) = model(&name, &text);
        Run { source, machine, trace: trace.clone(), property: Some(property) }
    };
    found.violations().into_iter().map(run).collect()
}

/// The variables whose values differ between the state before and the state with this number, with both values.
#[allow(dead_code)]
pub fn changes(document: &Document, index: usize) -> Vec<(&Variable, &Scalar, &Scalar)> {
    let (before, after) = (&document.states[index - 1], &document.states[index]);
    let values = document.state_variables();
    let values = values.filter_map(|variable| {
        let name = &variable.name;
        Some((variable, before.get(name)?, after.get(name)?))
    });
    values.filter(|(_, old, new)| old != new).collect()
}
