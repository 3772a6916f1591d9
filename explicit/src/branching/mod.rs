//! CTL by labelling: for each part of a formula, the states that satisfy it, one by one.
//!
//! E. M. Clarke, E. A. Emerson, A. P. Sistla: Automatic verification of finite-state concurrent systems using temporal logic
//! specifications. TOPLAS 1986. Path quantifiers range over infinite runs that meet every justice constraint, as NuSMV has it, so
//! that states on no such run never matter.

mod graph;
mod labels;

use super::trace::through;
use engine::{Cause, Cost, Findings, Stop, Verdict};
use graph::Graph;
use labels::Labels;
use limits::Handle;
use std::collections::BTreeSet;
use std::sync::Arc;
use system::{Claim, ExprId, Formula, FormulaId, Halt, Machine, PropertyId, System, UnaryTemporal};
use temporal::Refusal;

/// Why states could not be labelled.
#[derive(Clone, Debug)]
enum Unlabelled {
    /// Something has no value in a reachable state.
    Failed,
    /// There was not enough memory.
    Memory,
    /// The search was interrupted.
    Interrupted,
    /// The question cannot be asked, and why.
    Refused(Refusal),
}

impl Unlabelled {
    /// States could not be computed.
    fn of(halt: Halt) -> Unlabelled {
        match halt {
            Halt::Failed(_) => Unlabelled::Failed,
            Halt::Interrupted => Unlabelled::Interrupted,
        }
    }

    /// What is known of the properties then.
    fn findings(self, properties: &[PropertyId], handle: &Handle<'_>) -> Findings {
        let mut found = Findings::new("explicit");
        let (stop, verdict) = match (self, handle.why()) {
            (Unlabelled::Failed, _) => {
                let reason = "something has no value in a reachable state";
                (Stop::Refused, Verdict::unknown(Cause::NoMeaning, reason))
            }
            (Unlabelled::Memory, _) => (Stop::Memory, Verdict::unknown(Cause::Memory, "the memory limit was reached")),
            (Unlabelled::Interrupted, Some(why)) => (Stop::Interrupted, Verdict::ended(why, None)),
            (Unlabelled::Interrupted, None) => {
                (Stop::Interrupted, Verdict::unknown(Cause::Effort, "there are too many states to label"))
            }
            (Unlabelled::Refused(why), _) => (Stop::Refused, Verdict::unknown(Cause::Refused, why)),
        };
        found.stop = stop;
        found.conclude(properties, &verdict);
        found
    }
}

/// Decides formulas of CTL, in about this many bytes. A counterexample begins in an initial state with a fair run, and leads to
/// where the p of `AG p` is false.
pub fn label(machine: &Machine, properties: &[PropertyId], memory: usize, handle: &mut Handle<'_>) -> Findings {
    match try_label(machine, properties, memory, handle) {
        Ok(found) => found,
        Err(why) => why.findings(properties, handle),
    }
}

fn try_label(
    machine: &Machine,
    properties: &[PropertyId],
    memory: usize,
    handle: &mut Handle<'_>,
) -> Result<Findings, Unlabelled> {
    let system = machine.system();
    if system.has_atomic_sections {
        return Err(Unlabelled::Refused("atomic sections are single steps here".to_owned()));
    }
    let formulas: Option<Vec<FormulaId>> = properties.iter().map(|property| formula(system, *property)).collect();
    let Some(formulas) = formulas else {
        return Err(Unlabelled::Refused("only formulas of CTL are labelled".to_owned()));
    };
    let atoms: BTreeSet<ExprId> = formulas.iter().flat_map(|root| system.formulas.states(*root)).collect();
    let atoms: Vec<ExprId> = atoms.into_iter().collect();
    let graph = Graph::new(machine, &atoms, memory, handle)?;
    let mut labels = Labels::new(&graph, &atoms);
    let mut found = Findings { stop: Stop::Decided, ..Findings::new("explicit") };
    found.cost = Cost { states: Some(graph.states()), ..Cost::default() };
    for (property, formula) in properties.iter().zip(formulas) {
        labels.of(system, formula).map_err(Unlabelled::Refused)?;
        found.verdicts.push((*property, verdict(machine, &graph, &labels, formula)));
    }
    Ok(found)
}

fn formula(system: &System, property: PropertyId) -> Option<FormulaId> {
    match system.properties[property].claim {
        Claim::Ctl(formula) => Some(formula),
        _ => None,
    }
}

fn verdict(machine: &Machine, graph: &Graph, labels: &Labels<'_>, formula: FormulaId) -> Verdict {
    let mut initial = graph.initial.iter();
    let violating = initial.find(|state| labels.fair[**state as usize] && !labels.known(formula)[**state as usize]);
    let Some(start) = violating else {
        return Verdict::Holds(format!("all {} states were labelled", graph.states()));
    };
    let path = match machine.system().formulas.get(formula) {
        Formula::Unary(UnaryTemporal::AllGlobally, None, inner) => {
            let bad: Vec<bool> = (labels.fair.iter().zip(labels.known(inner))).map(|(fair, ok)| *fair && !ok).collect();
            graph.path(*start, &bad)
        }
        _ => vec![*start],
    };
    let states = path.into_iter().map(|state| graph.state(state)).collect();
    Verdict::Violated(Arc::new(through(machine, states)))
}
