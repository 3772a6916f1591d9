//! Systems of several programs, as a file in TOML describes them.

use super::compile::{Compiled, is_source};
use super::links::{Connector, Pipe, Sockets};
use super::places::Places;
use scheduler::{Member, Members};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    process: Vec<Entry>,
    #[serde(default)]
    pipe: Vec<Pipe>,
    #[serde(default)]
    sockets: Vec<Sockets>,
}

/// The library that starts the programs has room for as many.
const MOST: usize = 64;

/// A program that is executed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// What it is called.
    name: String,
    /// The program, or its text, and its arguments.
    command: Vec<String>,
    /// What its environment has besides ours.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Where it is executed; where the file is, if nothing is said.
    #[serde(default)]
    dir: PathBuf,
}

impl Entry {
    /// What of it has a zero byte in it.
    fn with_zero(&self) -> Option<&'static str> {
        let has_zero = |text: &String| text.contains('\0');
        match () {
            () if has_zero(&self.name) => Some("the name"),
            () if self.command.iter().any(has_zero) => Some("the command"),
            () if self.env.iter().any(|(name, value)| has_zero(name) || has_zero(value)) => Some("`env`"),
            () if self.dir.to_string_lossy().contains('\0') => Some("`dir`"),
            () => None,
        }
    }
}

/// A system that can be started.
#[derive(Debug)]
pub struct System {
    /// Its programs.
    pub members: Members,
    names: Vec<String>,
    /// Programs that were compiled for this.
    _compiled: Vec<Compiled>,
}

/// Why a file describes no system.
#[derive(Debug)]
pub struct Mistake(String);

impl Mistake {
    /// What is wrong, and what to change.
    pub fn new(what: String) -> Mistake {
        Mistake(what)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl System {
    /// Whether a file describes a system.
    pub fn is_described_by(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "toml")
    }

    /// The system that a text describes, whose programs are found from a folder.
    pub fn read(text: &str, folder: &Path) -> Result<System, Mistake> {
        let file: File = toml::from_str(text).map_err(|error| Mistake(error.to_string()))?;
        if file.process.is_empty() {
            return Err(Mistake("there is no process: write [[process]], a name and a command".to_owned()));
        }
        if file.process.len() > MOST {
            return Err(Mistake(format!("there are {} processes: at most {MOST} can be started", file.process.len())));
        }
        let folder = folder.canonicalize().map_err(|error| Mistake(error.to_string()))?;
        let mut system = System { members: Members::default(), names: Vec::new(), _compiled: Vec::new() };
        for entry in file.process {
            system.add(entry, &folder)?;
        }
        let links = file.pipe.len() + file.sockets.len();
        if links > MOST {
            return Err(Mistake(format!("there are {links} pipes and pairs of sockets: at most {MOST} can be made")));
        }
        let mut connector = Connector::new(&system.names);
        for pipe in &file.pipe {
            system.members.links.push(connector.pipe(pipe)?);
        }
        for sockets in &file.sockets {
            system.members.links.push(connector.sockets(sockets)?);
        }
        Ok(system)
    }

    fn add(&mut self, entry: Entry, folder: &Path) -> Result<(), Mistake> {
        if entry.name.is_empty() {
            return Err(Mistake("a process has an empty name: give it one, by which traces can call it".to_owned()));
        }
        if let Some(what) = entry.with_zero() {
            return Err(Mistake(format!(
                "{what} of {:?} has a zero byte (\\u0000), which no program can be given: leave it out",
                entry.name
            )));
        }
        if self.names.contains(&entry.name) {
            return Err(Mistake(format!("two processes are called {}: give one of them another name", entry.name)));
        }
        let Some((program, arguments)) = entry.command.split_first() else {
            return Err(Mistake(format!("{}: the command is empty", entry.name)));
        };
        let mut program = folder.join(program);
        if is_source(&program) {
            let compiled = Compiled::of(&program).map_err(|error| Mistake(error.to_string()))?;
            let compiled = compiled.map_err(|_| Mistake(format!("{} does not compile", program.display())))?;
            program.clone_from(&compiled.program);
            self._compiled.push(compiled);
        }
        if !program.is_file() {
            return Err(Mistake(format!("{}: there is no program {}", entry.name, program.display())));
        }
        let words = [program.into_os_string()].into_iter().chain(arguments.iter().map(OsString::from)).collect();
        let settings = entry.env.iter().map(|(name, value)| OsString::from(format!("{name}={value}"))).collect();
        self.members.programs.push(Member { words, folder: folder.join(entry.dir), settings });
        self.names.push(entry.name);
        Ok(())
    }

    /// The program that stands for the one which starts the others: any that can be controlled.
    pub fn first_program(&self) -> PathBuf {
        PathBuf::from(&self.members.programs[0].words[0])
    }

    /// What its programs are called, and the places in them.
    pub fn places(&self) -> Vec<(String, Places)> {
        let program = |member: &Member| Places::unmapped(Path::new(&member.words[0]));
        self.names.iter().cloned().zip(self.members.programs.iter().map(program)).collect()
    }
}
