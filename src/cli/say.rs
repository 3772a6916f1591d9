//! What `uwbmc check` says on a terminal.

use super::model::Model;
use super::{colour, simplify, terminal};
use crate::check::{self, Fault, Report, Verdict};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hidden::visible;
use crate::report::{ConjunctReport, Format, PropertyReport, RunReport, fault};
use crate::trace;
use system::{Failure, Trace};

/// The verdicts with their counterexamples, and what there is to remark.
pub fn report(model: &Model, report: &RunReport, found: &Report, explains: bool) {
    for property in &report.properties {
        let verdict = colour::painted(property.verdict, &visible(&property.summary));
        terminal::print(&format!("{}: {verdict}\n", visible(&property.name)));
        if !terminal::is_quiet() {
            terminal::print(&format!("  {}\n", visible(&property.written.describe())));
        }
        explain(property);
        if let Some(note) = &property.simplified {
            let original = if property.original.is_some() { "; the original is shown without --simplify" } else { "" };
            terminal::remark(&format!("note: {note}{original}"));
        }
        if let Some(why) = property.reason.as_ref().filter(|_| property.verdict == "violated") {
            terminal::remark(&format!("note: {why}"));
        }
        if let Some((run, core)) = property.trace.as_ref().filter(|_| explains).and_then(|run| Some((run, run.core()?)))
        {
            terminal::remark(&format!("note: {}", simplify::core(core, run.steps())));
        }
        let shown = property.trace.as_ref().or(property.witness.as_ref());
        if let Some(trace) = shown.filter(|_| !terminal::is_quiet()) {
            terminal::print_by(|out| Format::Text.tell(trace, out));
        }
    }
    if report.properties.is_empty() {
        terminal::print("the model has no properties\n");
    }
    for oddity in &report.oddities {
        terminal::print(&format!("{}: {} {}\n", oddity.kind, visible(&oddity.process), oddity.what));
        if !terminal::is_quiet() {
            terminal::print_by(|out| Format::Text.tell(&oddity.trace, out));
        }
    }
    let is_violated = found.properties.iter().any(|property| match &property.verdict {
        Verdict::Violated(trace) => is_finite(trace) && check::is_invariant(&model.machine, property.id),
        _ => false,
    });
    if !model.machine.system().fairness.is_empty() && is_violated {
        terminal::remark(
            "note: the model has fairness constraints; a counterexample to an invariant is finite and ignores them",
        );
    }
    let asks_about_ends = report.properties.iter().any(|property| property.written.kind == "deadlock");
    if let Some(depth) = found.deadlock.filter(|_| !asks_about_ends) {
        terminal::remark(&format!("note: a state without successors is reached after {depth} steps"));
    }
}

/// Why a formula has its value, and which conjunct fails.
fn explain(property: &PropertyReport) {
    if terminal::is_quiet() {
        return;
    }
    let Some(explanation) = &property.explanation else {
        for ConjunctReport { formula, state, .. } in &property.conjuncts {
            terminal::print(&format!("  state {state}: the conjunct {} is false\n", visible(formula)));
        }
        return;
    };
    for (number, branch) in explanation.branches.iter().enumerate() {
        let indent = "  ".repeat(1 + explanation.depth(number));
        if branch.parent.is_some() {
            terminal::print(&format!("{}another run, from state {}:\n", &indent[2..], branch.from));
        }
        for claim in &branch.claims {
            terminal::print(&format!("{indent}{}\n", visible(&claim.describe())));
        }
    }
    if explanation.cut {
        terminal::print("  and so on\n");
    }
}

fn is_finite(trace: &Trace) -> bool {
    trace.loop_start.is_none()
}

/// The rounds of underapproximation-widening, one a line.
pub fn rounds(report: &RunReport) {
    for (number, round) in report.rounds.iter().enumerate() {
        terminal::print(&format!(
            "round {} at bound {}: {} of {} points restricted; blamed: {}; widened: {}\n",
            number + 1,
            round.bound,
            round.restricted,
            report.points,
            visible(&round.blamed.join(" ")),
            visible(&round.widened.join(" ")),
        ));
    }
}

/// What the formulas were and took.
pub fn formulas(report: &RunReport) {
    if let Some(formulas) = &report.formulas {
        terminal::print(&format!("formulas: {formulas}\n"));
    }
}

/// Says that something has no meaning: the place, and the run that leads there.
pub fn fault(model: &Model, fault: &Fault) {
    show(model, diagnostic(model, fault), &fault.trace);
}

/// Says that a step of the model has no meaning: the place, and the run that leads there.
pub fn failure(model: &Model, failure: Failure, trace: &Trace) {
    show(model, fault::diagnostic(&model.machine, failure, trace), trace);
}

/// What has no meaning, and where that is written.
pub fn diagnostic(model: &Model, fault: &Fault) -> Diagnostic {
    let system = model.machine.system();
    let diagnostic = fault::diagnostic(&model.machine, fault.failure, &fault.trace);
    let Some(property) = fault.property.map(|id| &system.properties[id]) else { return diagnostic };
    let message = format!("{}, in the property {} in a reachable state", diagnostic.message, property.name);
    Diagnostic { message, span: diagnostic.span.or(Some(property.span)), ..diagnostic }
}

fn show(model: &Model, diagnostic: Diagnostic, trace: &Trace) {
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(diagnostic);
    terminal::show_diagnostics(&diagnostics, &model.source);
    if !trace.states.is_empty() {
        let document = trace::describe(&model.machine, &model.source, trace, None);
        terminal::remark(trace::render(&document).trim_end());
    }
}
