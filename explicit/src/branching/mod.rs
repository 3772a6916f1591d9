//! CTL by labelling: for each part of a formula, the states that satisfy it, one by one.
//!
//! E. M. Clarke, E. A. Emerson, A. P. Sistla: Automatic verification of finite-state concurrent systems using temporal logic
//! specifications. TOPLAS 1986. Path quantifiers range over infinite runs that meet every justice constraint, as NuSMV has it, so
//! that states on no such run never matter.

mod graph;
mod labels;
mod shown;

use engine::{Cause, Cost, Explanation, Findings, Stop, Truth, Verdict, Witnesses};
use graph::Graph;
use labels::Labels;
use limits::Handle;
use std::collections::BTreeSet;
use std::sync::Arc;
use system::{Claim, ExprId, FormulaId, Halt, Machine, PropertyId, System};
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

/// Decides formulas of CTL, in about this many bytes. A counterexample begins in an initial state with a fair run, and so does a witness;
/// both show what a single path does.
pub fn label(
    machine: &Machine,
    properties: &[PropertyId],
    witnesses: Witnesses,
    memory: usize,
    handle: &mut Handle<'_>,
) -> Findings {
    match try_label(machine, properties, witnesses, memory, handle) {
        Ok(found) => found,
        Err(why) => why.findings(properties, handle),
    }
}

fn try_label(
    machine: &Machine,
    properties: &[PropertyId],
    witnesses: Witnesses,
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
        let (verdict, shown) = verdict(machine, (&graph, &labels), formula, witnesses);
        found.verdicts.push((*property, verdict));
        found.explanations.extend(shown.map(|shown| (*property, shown)));
    }
    Ok(found)
}

fn formula(system: &System, property: PropertyId) -> Option<FormulaId> {
    match system.properties[property].claim {
        Claim::Ctl(formula) => Some(formula),
        _ => None,
    }
}

/// Whether a formula holds, and why, if that is a counterexample or asked for.
fn verdict(
    machine: &Machine,
    (graph, labels): (&Graph, &Labels<'_>),
    formula: FormulaId,
    witnesses: Witnesses,
) -> (Verdict, Option<Explanation>) {
    let shown = |start: u32, truth: Truth| shown::explanation(machine, graph, labels, start, (formula, truth));
    let mut asked = graph.initial.iter().copied().filter(|state| labels.fair[*state as usize]);
    let first = asked.clone().next();
    if let Some(start) = asked.find(|state| labels.is_so(*state, (formula, Truth::Fails))) {
        let shown = shown(start, Truth::Fails);
        return (Verdict::Violated(Arc::new(shown.run().clone())), Some(shown));
    }
    let witness = first.filter(|_| witnesses == Witnesses::Wanted).map(|start| shown(start, Truth::Holds));
    (Verdict::Holds(format!("all {} states were labelled", graph.states())), witness)
}
