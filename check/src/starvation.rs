//! Who is starved by a counterexample: a process that could move in the loop and never does. Fairness leaves such runs out, so
//! there is something to say about it.

use super::report::Report;
use super::states::attentive;
use engine::Verdict;
use explicit::{Interleavings, find_cycle};
use limits::{Handle, Patience};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Fairness, FiniteRuns, Machine, ProcessId, PropertyId, System, Trace};

/// The most states that are visited to find out whether a property holds with fairness.
const FEW: usize = 20_000;

/// The most successors of a state that are looked at to find out who could move there.
const MOST_SUCCESSORS: usize = 4096;

/// Remarks on the counterexamples of a model that was checked without fairness between processes.
pub fn remarks(machine: &Machine, report: &Report, handle: &mut Handle<'_>) -> Vec<String> {
    let system = machine.system();
    let is_asked_for = |constraint: &Fairness| matches!(constraint, Fairness::Weak(_) | Fairness::Strong(_));
    if system.processes.len() < 2 || system.fairness.iter().any(is_asked_for) {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    for property in &report.properties {
        let Verdict::Violated(trace) = &property.verdict else { continue };
        let Some(starved) = starved(machine, trace) else { continue };
        let names = |starved: &BTreeSet<ProcessId>| -> Vec<&str> {
            starved.iter().map(|process| system.processes[*process].name.as_str()).collect()
        };
        let (always, sometimes) = (names(&starved.always), names(&starved.sometimes));
        let (names, when, how) = match (always.as_slice(), sometimes.as_slice()) {
            ([], []) => continue,
            ([], sometimes) => (sometimes, "in some states", How::Strongly),
            (always, _) => (always, "in every state", How::Weakly),
        };
        let moves = if names.len() == 1 { "does" } else { "do" };
        let (name, names) = (&property.name, names.join(", "));
        let otherwise = with_fairness(machine, property.id, how, handle);
        remarks.push(format!("{name}: {names} could move {when} of the loop and never {moves}; {otherwise}"));
    }
    remarks
}

/// The processes that never move in a loop though they could.
struct Starved {
    /// Wherever the loop can be left to them.
    always: BTreeSet<ProcessId>,
    /// In some such states, but not in all.
    sometimes: BTreeSet<ProcessId>,
}

/// Who is starved by a run; `None` if it has no loop, or its states do not tell, or have too many successors.
fn starved(machine: &Machine, trace: &Trace) -> Option<Starved> {
    let start = trace.loop_start?;
    let commands = trace.moves.since(start).filter_map(|moved| moved.command);
    let movers: BTreeSet<ProcessId> =
        commands.flat_map(|command| machine.system().commands[command].parts()).map(|part| part.process).collect();
    let mut always: BTreeSet<ProcessId> = machine.system().processes.indices().collect();
    always.retain(|process| !movers.contains(process));
    let waits = machine.system().finite_runs == FiniteRuns::Prolonged;
    let mut sometimes = BTreeSet::new();
    let (mut workspace, last) = (machine.workspace(), trace.states.len() - 1);
    for state in
        trace.states.since(start).take(last - start).filter(|state| machine.layout().holder(&state.0).is_none())
    {
        let (mut enabled, mut seen) = (BTreeSet::new(), 0);
        let looked = machine.successors(&state.0, &mut workspace, |successor| {
            seen += 1;
            // Processes in SMV always run; one is kept from nothing if that would change nothing.
            if waits || successor.state != state.0.as_ref() {
                enabled.insert(machine.system().commands[successor.command].owner.process);
            }
            if seen < MOST_SUCCESSORS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        looked.ok().filter(|()| seen < MOST_SUCCESSORS)?;
        always.retain(|process| enabled.contains(process));
        sometimes.extend(enabled.into_iter().filter(|process| !movers.contains(process)));
    }
    sometimes.retain(|process| !always.contains(process));
    Some(Starved { always, sometimes })
}

/// Which fairness leaves out a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// That to processes that could always move.
    Weakly,
    /// That to processes that could move again and again.
    Strongly,
}

impl How {
    fn option(self) -> &'static str {
        match self {
            How::Weakly => "--fair",
            How::Strongly => "--fair strong",
        }
    }

    fn constraint(self, process: ProcessId) -> Fairness {
        match self {
            How::Weakly => Fairness::Weak(process),
            How::Strongly => Fairness::Strong(process),
        }
    }
}

/// What becomes of a property with fairness, as far as is found out soon.
fn with_fairness(machine: &Machine, property: PropertyId, how: How, handle: &mut Handle<'_>) -> String {
    let mut system: System = machine.of(property).system().clone();
    let constraints: Vec<Fairness> = system.processes.indices().map(|process| how.constraint(process)).collect();
    system.fairness.extend(constraints);
    let fair = attentive(&Machine::new(Arc::new(system)), handle);
    let (memory, mut handle) = (handle.memory(), handle.patient(Patience::of_states(FEW)));
    let found = find_cycle(&fair, property, Interleavings::All, memory, &mut handle);
    let option = how.option();
    match found.verdict(property) {
        Some(Verdict::Holds(_)) => format!("with {option} the property holds"),
        Some(Verdict::Violated(_)) => format!("with {option} the property is violated as well, by another run"),
        _ => format!("{option} leaves such runs out"),
    }
}
