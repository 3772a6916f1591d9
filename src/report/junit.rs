//! A run as JUnit XML, so that a model check can be a job of continuous integration: a test case per property.
//!
//! A violated property is a failure. An undecided one is an error, the word of JUnit for a test that could not be
//! carried out; it never looks like a success.

use super::{PropertyReport, RunReport};
use crate::trace::{self, xml::escaped};
use std::fmt::Write;

/// Writes a run.
pub fn render(report: &RunReport) -> String {
    let count = |verdict: &str| report.properties.iter().filter(|property| property.verdict == verdict).count();
    let (tests, failures, errors) = (report.properties.len(), count("violated"), count("unknown"));
    let model = escaped(&report.model);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uwbmc\">\n");
    let _ = writeln!(
        out,
        "  <testsuite name=\"{model}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\">",
        report.seconds
    );
    for property in &report.properties {
        out.push_str(&case(&model, property));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(model: &str, property: &PropertyReport) -> String {
    let summary = escaped(&property.summary);
    let body = match property.verdict {
        "violated" => {
            let text = property.trace.as_ref().map_or_else(String::new, |trace| text(&trace::render(trace)));
            format!("<failure message=\"{summary}\" type=\"violated\">{text}</failure>")
        }
        "unknown" => format!("<error message=\"{summary}\" type=\"unknown\"/>"),
        _ => format!("<system-out>{summary}</system-out>"),
    };
    format!("    <testcase classname=\"{model}\" name=\"{}\">{body}</testcase>\n", escaped(&property.name))
}

/// A text of several lines, each made safe by itself.
fn text(text: &str) -> String {
    text.lines().map(|line| escaped(line) + "\n").collect()
}
