//! Writing to the terminal.

use crate::diagnostic::{Diagnostics, Style};
use crate::source::Source;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::time::{Duration, Instant};

/// Prints to standard output. A reader that has gone away, such as `head`, is no error.
pub fn print(text: &str) {
    let _ = stdout().write_all(text.as_bytes());
    let _ = stdout().flush();
}

/// Prints an error that has no place in a source.
pub fn complain(message: &str) {
    let _ = writeln!(stderr(), "error: {message}");
}

/// Prints a remark that belongs to no result.
pub fn remark(message: &str) {
    let _ = writeln!(stderr(), "{message}");
}

/// Prints diagnostics, in colour where a terminal shows them and nobody minds.
pub fn show_diagnostics(diagnostics: &Diagnostics, source: &Source) {
    if diagnostics.is_empty() {
        return;
    }
    let _ = stderr().write_all(diagnostics.render(source, style()).as_bytes());
}

fn style() -> Style {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && stderr().is_terminal() { Style::Coloured } else { Style::Plain }
}

/// A line on the terminal that is written over and over, and disappears at the end.
pub struct ProgressLine {
    shown: bool,
    last: Instant,
    is_terminal: bool,
}

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

impl ProgressLine {
    /// A line that is not shown so far.
    pub fn new() -> ProgressLine {
        ProgressLine { shown: false, last: Instant::now(), is_terminal: stderr().is_terminal() }
    }

    /// Shows a text, if enough time has passed and there is a terminal.
    pub fn update(&mut self, text: impl FnOnce() -> String) {
        if !self.is_terminal || self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        self.shown = true;
        let _ = write!(stderr(), "\r\x1b[2K{}", text());
        let _ = stderr().flush();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[2K");
        }
    }
}
