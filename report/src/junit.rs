//! A run as JUnit XML, so that a model check can be a job of continuous integration: a test case per property.
//!
//! A violated property is a failure. An undecided one is an error, the word of JUnit for a test that could not be
//! carried out; it never looks like a success. So are errors in the model, each a case that is named by its code.

use super::{DiagnosticReport, FaultReport, PropertyReport, RunReport};
use crate::trace::{Told, xml::escaped};
use std::fmt::Write;

/// Writes runs, each a suite.
pub fn render(reports: &[RunReport]) -> String {
    let suites: String = reports.iter().map(suite).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uwbmc\">\n{suites}</testsuites>\n")
}

/// How many properties have a verdict.
fn count(report: &RunReport, verdict: &str) -> usize {
    report.properties.iter().filter(|property| property.verdict == verdict).count()
}

fn suite(report: &RunReport) -> String {
    let model = escaped(&report.model);
    let mut wrong: Vec<String> = report.diagnostics.iter().filter_map(|found| rejected(&model, found)).collect();
    wrong.extend(report.fault.as_ref().map(|fault| meaningless(&model, fault)));
    let (tests, failures) = (report.properties.len() + wrong.len(), count(report, "violated"));
    let errors = count(report, "unknown") + wrong.len();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "  <testsuite name=\"{model}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\">",
        report.seconds
    );
    wrong.iter().for_each(|case| out.push_str(case));
    for property in &report.properties {
        out.push_str(&case(&model, property));
    }
    let warnings: String = report.diagnostics.iter().filter(|found| found.severity == "warning").map(line).collect();
    if !warnings.is_empty() {
        let _ = writeln!(out, "    <system-err>{warnings}</system-err>");
    }
    out.push_str("  </testsuite>\n");
    out
}

fn case(model: &str, property: &PropertyReport) -> String {
    let (summary, written) = (escaped(&property.summary), escaped(&property.written.describe()));
    let body = match property.verdict {
        "violated" => {
            let text = property.trace.as_ref().map_or_else(String::new, told);
            format!("<failure message=\"{summary}\" type=\"violated\">{written}\n{text}</failure>")
        }
        "unknown" => format!("<error message=\"{summary}\" type=\"unknown\">{written}</error>"),
        _ => format!("<system-out>{summary}\n{written}</system-out>"),
    };
    let place = property.written.file.as_ref().zip(property.written.line);
    let place = place.map_or_else(String::new, |(file, line)| format!(" file=\"{}\" line=\"{line}\"", escaped(file)));
    format!("    <testcase classname=\"{model}\" name=\"{}\"{place}>{body}</testcase>\n", escaped(&property.name))
}

/// An error in the model is a test that could not be carried out.
fn rejected(model: &str, found: &DiagnosticReport) -> Option<String> {
    (found.severity == "error").then(|| error(model, found, ""))
}

/// So is a step that has no meaning, with the run that leads there.
fn meaningless(model: &str, fault: &FaultReport) -> String {
    error(model, &fault.diagnostic, &told(&fault.trace))
}

fn error(model: &str, found: &DiagnosticReport, details: &str) -> String {
    let (code, message, line) = (found.code, escaped(&found.message), line(found));
    format!(
        "    <testcase classname=\"{model}\" name=\"{code}\">\
         <error message=\"{message}\" type=\"{code}\">{line}{details}</error></testcase>\n"
    )
}

fn line(found: &DiagnosticReport) -> String {
    escaped(&found.describe()) + "\n"
}

/// A run as people read it, each line made safe by itself.
fn told(run: &Told) -> String {
    let mut text = String::new();
    for piece in run.pieces() {
        text.extend(piece.lines().map(|line| escaped(line) + "\n"));
    }
    text
}
