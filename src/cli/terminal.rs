//! Writing to the terminal.

use super::{colour, width};
use crate::diagnostic::Diagnostics;
use crate::hidden::visible;
use crate::source::Source;
use serde::Serialize;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write, stderr, stdout};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether `--quiet` was given: a choice of the user for the whole process, like the terminal itself.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on only results and errors are printed.
pub fn say_less() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether only results and errors are to be printed.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// The first thing that could not be printed to standard output: why.
static UNPRINTED: OnceLock<String> = OnceLock::new();

/// Prints to standard output. A reader that has gone away, such as `head`, is no error; what else goes wrong is told by
/// [`unprinted`].
pub fn print(text: &str) {
    print_by(|out| out.write_all(text.as_bytes()));
}

/// The same with what is written piece by piece, because it may be long.
pub fn print_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = BufWriter::new(stdout().lock());
    let printed = write(&mut out).and_then(|()| out.flush());
    if let Err(error) = printed
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = UNPRINTED.set(error.to_string());
    }
}

/// Why something could not be printed, if something could not.
pub fn unprinted() -> Option<&'static str> {
    UNPRINTED.get().map(String::as_str)
}

/// The version of what `--json` prints, other than traces: it grows when a reader of the version before could misread
/// a document. New fields do not change it.
const JSON_VERSION: u32 = 1;

/// A document that says what it is.
#[derive(Serialize)]
pub struct Versioned<'a, T> {
    format: &'static str,
    version: u32,
    #[serde(flatten)]
    document: &'a T,
}

/// A document of a format that docs/json.schema.json describes.
pub fn versioned<'a, T>(format: &'static str, document: &'a T) -> Versioned<'a, T> {
    Versioned { format, version: JSON_VERSION, document }
}

/// Prints one JSON document of a format that docs/json.schema.json describes. The document is an object.
pub fn print_json(format: &'static str, document: &impl Serialize) {
    // What we print is made of strings, numbers, lists and maps with string keys, which always serialise.
    print_by(|out| {
        serde_json::to_writer_pretty(&mut *out, &versioned(format, document))?;
        out.write_all(b"\n")
    });
}

/// Prints an error that has no place in a source.
pub fn complain(message: &str) {
    let lines: Vec<_> = message.lines().map(visible).collect();
    let _ = writeln!(stderr(), "error: {}", lines.join("\n"));
}

/// Prints a remark that belongs to no result.
pub fn remark(message: &str) {
    if is_quiet() {
        return;
    }
    let _ = writeln!(stderr(), "{message}");
}

/// Prints diagnostics, in colour where a terminal shows them and colour is not turned off.
pub fn show_diagnostics(diagnostics: &Diagnostics, source: &Source) {
    if diagnostics.is_empty() || is_quiet() && !diagnostics.has_errors() {
        return;
    }
    let _ = stderr().write_all(diagnostics.render(source, colour::of_remarks()).as_bytes());
}

/// Who reads what a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// A person.
    Person,
    /// A program, which asked for JSON.
    Program,
}

impl Audience {
    /// The audience of a command, by whether it has `--json`.
    pub fn of(json: bool) -> Audience {
        if json { Audience::Program } else { Audience::Person }
    }
}

/// A line on the terminal that is written over and over, and disappears at the end. Only people see it.
pub struct ProgressLine {
    shown: bool,
    last: Instant,
    is_wanted: bool,
    /// How wide the terminal is, once it has been asked, if it is known.
    columns: Option<Option<usize>>,
}

/// When a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// If the one before has been there for a while.
    NowAndThen,
    /// In any case.
    AtOnce,
}

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

impl ProgressLine {
    /// A line that is not shown so far.
    pub fn new(audience: Audience) -> ProgressLine {
        let is_wanted = audience == Audience::Person && stderr().is_terminal() && !is_quiet();
        ProgressLine { shown: false, last: Instant::now(), is_wanted, columns: None }
    }

    /// Another one for the same audience.
    pub fn again(&self) -> ProgressLine {
        ProgressLine { shown: false, ..*self }
    }

    /// Shows a text, if it is time for it and there is a terminal.
    pub fn update(&mut self, pace: Pace, text: impl FnOnce() -> String) {
        if !self.is_wanted || pace == Pace::NowAndThen && self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        self.shown = true;
        let columns = *self.columns.get_or_insert_with(width::columns);
        // Without wrapping, for terminals that become narrower: a second row would not be taken away.
        let _ = write!(stderr(), "{CLEAR}\x1b[?7l{}\x1b[?7h", width::fitted(text(), columns));
        let _ = stderr().flush();
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "{CLEAR}");
        }
    }
}

/// Takes away a line that work left behind.
pub fn clear_line() {
    if stderr().is_terminal() && !is_quiet() {
        let _ = write!(stderr(), "{CLEAR}");
    }
}

/// Back to the beginning of the line, and nothing on it.
const CLEAR: &str = "\r\x1b[2K";

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
