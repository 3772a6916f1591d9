//! Systems of several programs, as a file in TOML describes them.

use super::compile::{Compiled, is_source};
use super::places::Places;
use scheduler::Member;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    process: Vec<Entry>,
}

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

/// A system that can be started.
#[derive(Debug)]
pub struct System {
    /// Its programs.
    pub members: Vec<Member>,
    names: Vec<String>,
    /// Programs that were compiled for this.
    _compiled: Vec<Compiled>,
}

/// Why a file describes no system.
#[derive(Debug)]
pub struct Mistake(String);

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
        let folder = folder.canonicalize().map_err(|error| Mistake(error.to_string()))?;
        let mut system = System { members: Vec::new(), names: Vec::new(), _compiled: Vec::new() };
        for entry in file.process {
            system.add(entry, &folder)?;
        }
        Ok(system)
    }

    fn add(&mut self, entry: Entry, folder: &Path) -> Result<(), Mistake> {
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
        self.members.push(Member { words, folder: folder.join(entry.dir), settings });
        self.names.push(entry.name);
        Ok(())
    }

    /// The program that stands for the one which starts the others: any that can be controlled.
    pub fn first_program(&self) -> PathBuf {
        PathBuf::from(&self.members[0].words[0])
    }

    /// What its programs are called, and the places in them.
    pub fn places(&self) -> Vec<(String, Places)> {
        let program = |member: &Member| Places::unmapped(Path::new(&member.words[0]));
        self.names.iter().cloned().zip(self.members.iter().map(program)).collect()
    }
}
