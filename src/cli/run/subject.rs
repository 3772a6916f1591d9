//! The program that the command line names, started.

use crate::Error;
use crate::program::{Compiled, Names, Places, System, choices, is_source};
use crate::trace::Document;
use scheduler::{Choice, Command, Failure, Limits, Session};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that waits at its first visible operation.
pub struct Subject {
    system: Option<System>,
    /// Removed in the end.
    _compiled: Option<Compiled>,
    program: PathBuf,
    /// The program under control.
    pub session: Session,
}

impl Subject {
    /// Starts a program, after compiling it if it is a text.
    pub fn start(path: &Path, arguments: &[OsString], patience: Duration, limits: Limits) -> Result<Subject, Error> {
        let system = described(path)?;
        let compiled = compiled(path)?;
        let vehicle = system.as_ref().map(System::first_program);
        let compiled_program = compiled.as_ref().map(|compiled| compiled.program.clone());
        let program = vehicle.or(compiled_program).unwrap_or_else(|| path.to_path_buf());
        let members = system.as_ref().map(|system| system.members.clone()).unwrap_or_default();
        let arguments = arguments.to_vec();
        let command = Command { program: program.clone(), arguments, members, patience, limits };
        let session = Session::start(command).map_err(failed)?;
        Ok(Subject { system, _compiled: compiled, program, session })
    }

    /// The same, whose runs end when there has to be an end.
    pub fn ending_when(self, halts: impl Fn() -> bool + 'static) -> Subject {
        Subject { session: self.session.ending_when(halts), ..self }
    }

    /// The same with threads of the system, which a debugger sees.
    pub fn without_fibres(self) -> Subject {
        Subject { session: self.session.without_fibres(), ..self }
    }

    /// The file that is executed.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// What its lanes and objects are called.
    pub fn names(&self) -> Names {
        match &self.system {
            Some(system) => Names::of_system(system.places(), &self.session.family().unwrap_or_default()),
            None => Names::new(Places::new(&self.program, self.session.maps())),
        }
    }
}

/// The system that a file describes, if it is such a file.
fn described(path: &Path) -> Result<Option<System>, Error> {
    if !System::is_described_by(path) {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|error| Error::in_file(path, &error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let system = System::read(&text, folder);
    system.map(Some).map_err(|mistake| Error::about(path, &mistake))
}

fn compiled(path: &Path) -> Result<Option<Compiled>, Error> {
    if !is_source(path) {
        return Ok(None);
    }
    match Compiled::of(path).map_err(|error| Error::Usage(format!("the compiler cannot be run: {error}")))? {
        Ok(compiled) => Ok(Some(compiled)),
        Err(_) => Err(Error::Usage(format!("{} does not compile", path.display()))),
    }
}

/// The trace in a file, and the choices of the run that it describes.
pub fn prescribed(path: &Path) -> Result<(Document, Vec<Choice>), Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::in_file(path, &error))?;
    let document = Document::from_json(&text).map_err(|error| Error::about(path, &error))?;
    match choices(&document) {
        Some(choices) => Ok((document, choices)),
        None => Err(Error::Usage(format!("{}: this is no run of a program", path.display()))),
    }
}

/// Why a program cannot be run, for the user.
pub fn failed(failure: Failure) -> Error {
    match failure {
        Failure::Io(what, error) => Error::in_file(Path::new(&what), &error),
        other => Error::Usage(other.to_string()),
    }
}
