//! Who is starved by a counterexample: a process that could move in every state of the loop and never does. Weak fairness
//! leaves such runs out, so there is something to say about it.

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

/// Remarks on the counterexamples of a program that was checked without fairness.
pub fn remarks(machine: &Machine, report: &Report, handle: &mut Handle<'_>) -> Vec<String> {
    let system = machine.system();
    if system.finite_runs != FiniteRuns::Prolonged || !system.fairness.is_empty() {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    for property in &report.properties {
        let Verdict::Violated(trace) = &property.verdict else { continue };
        let starved = starved(machine, trace).into_iter();
        let names: Vec<&str> = starved.map(|process| system.processes[process].name.as_str()).collect();
        if names.is_empty() {
            continue;
        }
        let (names, moves) = (names.join(", "), if names.len() == 1 { "does" } else { "do" });
        let otherwise = with_fairness(machine, property.id, handle);
        let name = &property.name;
        remarks.push(format!("{name}: {names} could move in every state of the loop and never {moves}; {otherwise}"));
    }
    remarks
}

/// The processes that could move wherever the loop of a run can be left to them, and never move there.
fn starved(machine: &Machine, trace: &Trace) -> BTreeSet<ProcessId> {
    let Some(start) = trace.loop_start else { return BTreeSet::new() };
    let commands = trace.moves[start..].iter().filter_map(|moved| moved.command);
    let movers: BTreeSet<ProcessId> =
        commands.flat_map(|command| machine.system().commands[command].parts()).map(|part| part.process).collect();
    let mut starved: BTreeSet<ProcessId> = machine.system().processes.indices().collect();
    starved.retain(|process| !movers.contains(process));
    let (mut workspace, last) = (machine.workspace(), trace.states.len() - 1);
    for state in trace.states[start..last].iter().filter(|state| machine.layout().holder(&state.0).is_none()) {
        let mut enabled = BTreeSet::new();
        let looked = machine.successors(&state.0, &mut workspace, |successor| {
            enabled.insert(machine.system().commands[successor.command].owner.process);
            ControlFlow::Continue(())
        });
        if looked.is_err() {
            return BTreeSet::new();
        }
        starved.retain(|process| enabled.contains(process));
    }
    starved
}

/// What becomes of a property with weak fairness, as far as is found out soon.
fn with_fairness(machine: &Machine, property: PropertyId, handle: &mut Handle<'_>) -> &'static str {
    let mut system: System = machine.of(property).system().clone();
    system.fairness.extend(system.processes.indices().map(Fairness::Weak));
    let fair = attentive(&Machine::new(Arc::new(system)), handle);
    let (memory, mut handle) = (handle.memory(), handle.patient(Patience::of_states(FEW)));
    let found = find_cycle(&fair, property, Interleavings::All, memory, &mut handle);
    match found.verdict(property) {
        Some(Verdict::Holds(_)) => "with --fair the property holds",
        Some(Verdict::Violated(_)) => "with --fair the property is violated as well, by another run",
        _ => "--fair leaves such runs out",
    }
}
