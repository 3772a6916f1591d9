//! Why something could not be done, by whose turn it is to act.

use engine::Trouble;
use languages::diagnostic::{Diagnostics, Style};
use languages::source::Source;
use limits::Ended;
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

/// Why something could not be done.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// What was asked for cannot be done; the message says what to ask for instead.
    Usage(String),
    /// The model is wrong.
    Model(Box<Mistakes>),
    /// Time or memory was over, or the user had enough, before the model was read.
    Unread(Ended),
    /// Time or memory was over before there was anything to tell.
    Limit(String),
    /// A file or stream could not be read or written.
    Io(String),
    /// A SAT solver failed.
    Solver(String),
    /// Something that must not happen did, for which we are to blame.
    Bug(String),
}

/// What is wrong with a model.
#[derive(Debug)]
pub struct Mistakes {
    /// The text.
    pub source: Source,
    /// What is wrong with it, and where.
    pub diagnostics: Diagnostics,
}

impl Error {
    /// What is in a file is not what it should be.
    pub fn about(path: &Path, what: &dyn fmt::Display) -> Error {
        Error::Usage(format!("{}: {what}", path.display()))
    }

    /// A file could not be read or written: because of its name, or because of the machine.
    pub fn in_file(path: &Path, error: &std::io::Error) -> Error {
        let message = format!("{}: {error}", path.display());
        match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::AlreadyExists
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
            | ErrorKind::ReadOnlyFilesystem => Error::Usage(message),
            _ => Error::Io(message),
        }
    }

    /// A short name of its kind, for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Usage(_) => "USAGE",
            Error::Model(_) => "MODEL",
            Error::Unread(_) | Error::Limit(_) => "LIMIT",
            Error::Io(_) => "IO",
            Error::Solver(_) => "SOLVER",
            Error::Bug(_) => "BUG",
        }
    }

    /// A bug of ours, with what went wrong.
    pub fn bug(what: impl fmt::Display) -> Error {
        Error::Bug(what.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(what) | Error::Limit(what) | Error::Io(what) => f.write_str(what),
            Error::Unread(why) => write!(f, "the model was not read to its end: {why}"),
            Error::Model(mistakes) => f.write_str(&mistakes.diagnostics.render(&mistakes.source, Style::Plain)),
            Error::Solver(why) => write!(f, "the solver failed: {why}"),
            Error::Bug(what) => write!(f, "this is a bug in uwbmc, please report it with the model: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Error {
        match trouble {
            Trouble::Usage(what) => Error::Usage(what),
            Trouble::Solver(why) => Error::Solver(why),
            Trouble::Bug(what) => Error::Bug(what),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::Io(error.to_string())
    }
}
