//! CTL by labelling: for each part of a formula, the states that satisfy it, one by one.
//!
//! E. M. Clarke, E. A. Emerson, A. P. Sistla: Automatic verification of finite-state concurrent systems using temporal logic
//! specifications. TOPLAS 1986. Path quantifiers range over infinite runs that meet every justice constraint, as NuSMV has it, so
//! that states on no such run never matter.

mod graph;
mod labels;

use super::result::Progress;
use super::trace::through;
use graph::Graph;
use labels::Labels;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use system::{Claim, ExprId, Failure, Formula, FormulaId, Machine, PropertyId, System, Trace, UnaryTemporal};
use temporal::Refusal;

/// What is known of a formula.
#[derive(Clone, Debug)]
pub enum Branching {
    /// Every initial state with a fair run satisfies it.
    Holds,
    /// An initial state with a fair run does not: the run begins there, and leads to where the p of `AG p` is false.
    Violated(Trace),
}

/// What labelling came to.
#[derive(Clone, Debug)]
pub enum Labelled {
    /// All formulas are decided.
    Decided {
        /// In the order in which they were asked.
        verdicts: Vec<(PropertyId, Branching)>,
        /// How many states there are.
        states: usize,
    },
    /// Something has no value in a reachable state.
    Failed(Failure),
    /// There was not enough memory.
    Memory,
    /// The search was interrupted.
    Interrupted,
    /// The question cannot be asked, and why.
    Refused(Refusal),
}

/// Decides formulas of CTL, in about this many bytes.
pub fn label(
    machine: &Machine,
    properties: &[PropertyId],
    memory: usize,
    mut progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Labelled {
    let system = machine.system();
    if system.has_atomic_sections {
        return Labelled::Refused("atomic sections are single steps here".to_owned());
    }
    let formulas: Option<Vec<FormulaId>> = properties.iter().map(|property| formula(system, *property)).collect();
    let Some(formulas) = formulas else { return Labelled::Refused("only formulas of CTL are labelled".to_owned()) };
    let atoms: BTreeSet<ExprId> = formulas.iter().flat_map(|root| system.formulas.states(*root)).collect();
    let atoms: Vec<ExprId> = atoms.into_iter().collect();
    let graph = match Graph::new(machine, &atoms, memory, &mut progress) {
        Ok(graph) => graph,
        Err(why) => return why,
    };
    let mut labels = Labels::new(&graph, &atoms);
    let mut verdicts = Vec::new();
    for (property, formula) in properties.iter().zip(formulas) {
        match labels.of(system, formula) {
            Ok(()) => verdicts.push((*property, verdict(machine, &graph, &labels, formula))),
            Err(why) => return Labelled::Refused(why),
        }
    }
    Labelled::Decided { verdicts, states: graph.states() }
}

fn formula(system: &System, property: PropertyId) -> Option<FormulaId> {
    match system.properties[property].claim {
        Claim::Ctl(formula) => Some(formula),
        _ => None,
    }
}

fn verdict(machine: &Machine, graph: &Graph, labels: &Labels<'_>, formula: FormulaId) -> Branching {
    let wrong = |state: &&u32| labels.fair[**state as usize] && !labels.known(formula)[**state as usize];
    let Some(start) = graph.initial.iter().find(wrong) else { return Branching::Holds };
    let path = match machine.system().formulas.get(formula) {
        Formula::Unary(UnaryTemporal::AllGlobally, None, inner) => {
            let bad: Vec<bool> = (labels.fair.iter().zip(labels.known(inner))).map(|(fair, ok)| *fair && !ok).collect();
            graph.path(*start, &bad)
        }
        _ => vec![*start],
    };
    Branching::Violated(through(machine, path.into_iter().map(|state| graph.state(state)).collect()))
}
