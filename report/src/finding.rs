//! What there is to say about the model itself, for machines: diagnostics, and the run to where it has no meaning.

use crate::trace::Told;
use languages::diagnostic::{Diagnostic, Diagnostics, Severity};
use languages::source::Source;
use serde::Serialize;
use system::Span;

/// A diagnostic with its place spelled out.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticReport {
    /// Its code, such as `SMV012`.
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// The file, if it is about a place.
    pub file: Option<String>,
    /// The line there, from 1.
    pub line: Option<usize>,
    /// The column there, from 1, in characters.
    pub column: Option<usize>,
    /// The text at the place.
    pub text: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl DiagnosticReport {
    /// A diagnostic about this source.
    pub fn new(diagnostic: &Diagnostic, source: &Source) -> DiagnosticReport {
        let Diagnostic { code, severity, message, span, help, .. } = diagnostic;
        let position = span.map(|span| source.position(span.start));
        DiagnosticReport {
            code: code.0,
            severity: if *severity == Severity::Error { "error" } else { "warning" },
            message: message.clone(),
            file: span.map(|span| source.file(span).to_owned()),
            line: position.map(|(line, _)| line),
            column: position.map(|(_, column)| column),
            text: span.map(|span| marked(source, span)),
            help: help.clone(),
        }
    }

    /// An error that is about no place in a source.
    pub fn without_place(code: &'static str, message: String) -> DiagnosticReport {
        let severity = "error";
        DiagnosticReport { code, severity, message, file: None, line: None, column: None, text: None, help: None }
    }

    /// All findings about a source, in order of place.
    pub fn all(diagnostics: &Diagnostics, source: &Source) -> Vec<DiagnosticReport> {
        diagnostics.sorted().into_iter().map(|diagnostic| DiagnosticReport::new(diagnostic, source)).collect()
    }

    /// Where it is, as in `lock.smv:3:7`; nothing if it is about no place.
    pub fn place(&self) -> String {
        match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}"),
            _ => String::new(),
        }
    }

    /// The finding in a line for people.
    pub fn describe(&self) -> String {
        let place = self.place();
        let separator = if place.is_empty() { "" } else { ": " };
        format!("{place}{separator}{}[{}]: {}", self.severity, self.code, self.message)
    }
}

/// The text at a place.
fn marked(source: &Source, span: Span) -> String {
    let excerpt = source.excerpt(span);
    excerpt.text[excerpt.marked].to_owned()
}

/// A reachable step that has no meaning.
#[derive(Debug, Serialize)]
pub struct FaultReport {
    /// What is wrong, and where.
    pub diagnostic: DiagnosticReport,
    /// The run that leads there.
    pub trace: Told,
}
