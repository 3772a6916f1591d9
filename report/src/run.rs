//! What a run of the checker found, in one value that every output is made from.

use super::{ConjunctReport, DiagnosticReport, ExplanationReport, FaultReport, Written};
use crate::trace::Told;
use engine::{FormulaReport, Point, Round, Verdict};
use serde::Serialize;
use system::System;

/// A run of the checker. docs/json.md describes its JSON form.
#[derive(Debug, Default, Serialize)]
pub struct RunReport {
    /// The model's file.
    pub model: String,
    /// The engine that ran, if one did.
    pub engine: Option<&'static str>,
    /// The bound that was asked for.
    pub bound: Option<usize>,
    /// Visited states, from engines that visit states.
    pub states: Option<usize>,
    /// How long it took.
    pub seconds: f64,
    /// What there is to say about the model itself.
    pub diagnostics: Vec<DiagnosticReport>,
    /// A run to where the model has no meaning, if one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultReport>,
    /// What is known of each property, in order.
    pub properties: Vec<PropertyReport>,
    /// Runs that violate nothing, but look wrong by the limits that were set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub oddities: Vec<OddityReport>,
    /// How many control points underapproximation-widening can restrict.
    pub points: usize,
    /// Its rounds in which something was blamed, in order.
    pub rounds: Vec<RoundReport>,
    /// What the formulas were and took, from engines that unroll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formulas: Option<FormulaReport>,
}

impl RunReport {
    /// The report on a model that was rejected: nothing ran.
    pub fn rejected(model: &str, diagnostics: Vec<DiagnosticReport>) -> RunReport {
        RunReport { model: model.to_owned(), diagnostics, ..RunReport::default() }
    }
}

/// A round of underapproximation-widening. Control points are written as in `p1@waiting`.
#[derive(Clone, Debug, Serialize)]
pub struct RoundReport {
    /// The bound at which it was asked.
    pub bound: usize,
    /// How many control points were restricted.
    pub restricted: usize,
    /// Those that the refutation used.
    pub blamed: Vec<String>,
    /// Those that were widened for it.
    pub widened: Vec<String>,
}

impl RoundReport {
    /// A round, with the names of its control points.
    pub fn new(system: &System, Round { bound, restricted, blamed, widened }: &Round) -> RoundReport {
        let [blamed, widened] =
            [blamed, widened].map(|points| points.iter().map(|point| name(system, *point)).collect());
        RoundReport { bound: *bound, restricted: *restricted, blamed, widened }
    }
}

/// The name of a control point.
fn name(system: &System, at: Point) -> String {
    let process = &system.processes[at.process];
    format!("{}@{}", process.name, process.points[at.point].name)
}

/// A livelock or a divergence, as \[God97\] has them: a run that looks wrong by a limit that was set.
#[derive(Debug, Serialize)]
pub struct OddityReport {
    /// `livelock` or `divergence`.
    pub kind: &'static str,
    /// The process that it is about.
    pub process: String,
    /// What the process does.
    pub what: String,
    /// The run.
    pub trace: Told,
}

/// What is known of a property.
#[derive(Debug, Serialize)]
pub struct PropertyReport {
    /// Its name.
    pub name: String,
    /// What is claimed, and where.
    #[serde(flatten)]
    pub written: Written,
    /// The word that names the verdict.
    pub verdict: &'static str,
    /// The steps of the counterexample, or the bound up to which it holds.
    pub bound: Option<usize>,
    /// Why it holds, why it is unknown, what the answer is, or why there is no counterexample to show.
    pub reason: Option<String>,
    /// Of an undecided property, the number of steps within which it is not violated, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<usize>,
    /// The counterexample.
    pub trace: Option<Told>,
    /// The counterexample that was found, if a simpler one is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<Told>,
    /// What is simpler about the one that is shown, or why the search for a simpler one ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simplified: Option<String>,
    /// The conjuncts that the counterexample makes false, if the claim is a conjunction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conjuncts: Vec<ConjunctReport>,
    /// A run that shows that it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Told>,
    /// Why a formula of CTL has its value, or one of LTL is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<ExplanationReport>,
    /// The verdict in words.
    #[serde(skip)]
    pub summary: String,
}

impl PropertyReport {
    /// Puts a verdict into words; `trace` describes the counterexample.
    pub fn new(name: &str, written: Written, verdict: &Verdict, trace: Option<Told>) -> PropertyReport {
        let (bound, reason) = match verdict {
            Verdict::Violated(trace) => (Some(trace.moves.len()), None),
            Verdict::Holds(reason) | Verdict::Answered(reason) => (None, Some(reason.clone())),
            Verdict::Unknown(undecided) => (None, Some(undecided.to_string())),
            Verdict::HoldsUpTo(bound) => (Some(*bound), None),
        };
        let settled = match verdict {
            Verdict::Unknown(undecided) => undecided.settled,
            _ => None,
        };
        let (name, summary) = (name.to_owned(), verdict.describe());
        PropertyReport {
            name,
            written,
            verdict: verdict.word(),
            bound,
            reason,
            settled,
            trace,
            original: None,
            simplified: None,
            conjuncts: Vec::new(),
            witness: None,
            explanation: None,
            summary,
        }
    }
}
