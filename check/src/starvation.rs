//! Who is starved by a counterexample: a process that could move in every state of the loop and never does. Weak fairness
//! leaves such runs out, so there is something to say about it.

use super::handle::Handle;
use super::report::Report;
use super::verdict::Verdict;
use explicit::{Cycles, Interleavings, find_cycle};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Fairness, FiniteRuns, Machine, ProcessId, PropertyId, System, Trace};

/// The most states that are visited to find out whether a property holds with fairness.
const FEW: usize = 20_000;

/// Remarks on the counterexamples of a program that was checked without fairness.
pub fn remarks(machine: &Machine, report: &Report, memory: usize, handle: &Handle<'_>) -> Vec<String> {
    let system = machine.system();
    if system.finite_runs != FiniteRuns::Prolonged || !system.fairness.is_empty() {
        return Vec::new();
    }
    let violations = report.properties.iter().filter_map(|property| match &property.verdict {
        Verdict::Violated(trace) => Some((property, trace)),
        _ => None,
    });
    let remark = |(property, trace): (&super::report::Checked, &Trace)| {
        let names: Vec<&str> =
            starved(machine, trace).into_iter().map(|process| system.processes[process].name.as_str()).collect();
        let otherwise = || with_fairness(machine, property.id, memory, handle);
        (!names.is_empty()).then(|| {
            format!(
                "{}: {} could move in every state of the loop and never {}; {}",
                property.name,
                names.join(", "),
                if names.len() == 1 { "does" } else { "do" },
                otherwise()
            )
        })
    };
    violations.filter_map(remark).collect()
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
        let visit = |successor: system::Successor<'_>| {
            enabled.insert(machine.system().commands[successor.command].owner.process);
            ControlFlow::Continue(())
        };
        if machine.successors(&state.0, &mut workspace, visit).is_err() {
            return BTreeSet::new();
        }
        starved.retain(|process| enabled.contains(process));
    }
    starved
}

/// What becomes of a property with weak fairness, as far as is found out soon.
fn with_fairness(machine: &Machine, property: PropertyId, memory: usize, handle: &Handle<'_>) -> &'static str {
    let mut system: System = machine.system().clone();
    system.fairness.extend(system.processes.indices().map(Fairness::Weak));
    let mut fair = Machine::new(Arc::new(system));
    fair.heed(handle.alarm(memory));
    let found = find_cycle(&fair, property, Interleavings::All, memory, |now| {
        if now.states > FEW { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match found {
        Ok(Cycles::Nothing { .. }) => "with --fair the property holds",
        Ok(Cycles::Violation(_)) => "with --fair the property is violated as well, by another run",
        _ => "--fair leaves such runs out",
    }
}
