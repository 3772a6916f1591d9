//! SPIN's verifier as a judge of runs: every step of a trail has to be executable.
//!
//! `spin -t` does not ask whether a statement is executable: it runs whatever a trail names. The verifier's own replay
//! (`pan -r`) does: it stops at a guard that is false. It does not know what else a process could do, and so takes every
//! `else` for executable; therefore, for each `else` on the way, the same replay is asked whether a statement that comes before
//! it can be executed in its place.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The verifier of a model.
pub struct Pan {
    folder: PathBuf,
    transitions: Vec<Transition>,
}

/// A transition as `pan -d` lists it.
struct Transition {
    proctype: String,
    state: usize,
    id: usize,
    /// Whether it is an `else`, or a `d_step` that begins with one.
    is_else: bool,
    text: String,
}

/// A step that `pan -r` has made.
struct Made {
    pid: usize,
    proctype: String,
    state: usize,
}

fn in_path(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// SPIN and a C compiler, if both are there.
pub fn tools() -> Option<(PathBuf, PathBuf)> {
    let spin = std::env::var_os("SPIN").map(PathBuf::from).or_else(|| in_path("spin"))?;
    let compiler = in_path("gcc").or_else(|| in_path("cc"))?;
    Some((spin, compiler))
}

fn run(program: &Path, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output();
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The number behind a word.
fn number_after(text: &str, word: &str) -> Option<usize> {
    let rest = text.split_once(word)?.1.trim_start();
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}

impl Pan {
    /// The verifier of a text; none where SPIN or a C compiler is missing, or SPIN does not take the text.
    pub fn of(text: &str) -> Option<Pan> {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let (spin, compiler) = tools()?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("uwbmc-pan-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        let mut pan = Pan { folder, transitions: Vec::new() };
        std::fs::write(pan.folder.join("model.pml"), text).ok()?;
        run(&spin, &["-o1", "-o2", "-o3", "-a", "model.pml"], &pan.folder);
        run(&compiler, &["-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"], &pan.folder);
        pan.transitions = pan.listed()?;
        Some(pan)
    }

    fn pan(&self, arguments: &[&str]) -> String {
        run(&self.folder.join("pan"), arguments, &self.folder)
    }

    fn listed(&self) -> Option<Vec<Transition>> {
        let code = std::fs::read_to_string(self.folder.join("pan.m")).ok()?;
        if !self.folder.join("pan").is_file() {
            return None;
        }
        let asks_else = |case: usize| {
            let found = code.split_once(&format!("\tcase {case}:")).map(|(_, rest)| rest);
            found.is_some_and(|rest| rest.split("\tcase ").next().is_some_and(|body| body.contains("o_pm&1")))
        };
        let mut transitions = Vec::new();
        let mut proctype = String::new();
        for line in self.pan(&["-d"]).lines() {
            if !line.starts_with(['\t', ' ']) {
                let name = line.strip_prefix("proctype ").unwrap_or(line).trim();
                proctype = if name == "init" { ":init:".to_owned() } else { name.to_owned() };
            }
            let Some((_, text)) = line.split_once(" => ") else { continue };
            let (state, id) = (number_after(line, "state")?, number_after(line, "[id")?);
            let is_else = text == "else" || text.starts_with("D_STEP") && asks_else(number_after(line, "(tr")?);
            transitions.push(Transition { proctype: proctype.clone(), state, id, is_else, text: text.to_owned() });
        }
        Some(transitions)
    }

    /// Replays a trail: the steps that were made, and the one after them if it violates an assertion.
    fn replay(&self, trail: &[&str]) -> (Vec<Made>, Option<Made>) {
        let path = self.folder.join("model.trail");
        // Not over the last one: file systems write a file that was cut to nothing to the disk at once.
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, trail.join("\n") + "\n").expect("writable");
        // Assertions are left out: a trail may lead through a violated one to another.
        let output = self.pan(&["-A", "-r", "model.trail"]);
        // A statement of another state is executed nevertheless, and that is said.
        let steps = output.split("Recovered at state").next().unwrap_or_default();
        let place = |line: &str| {
            let (_, rest) = line.split_once("proc ")?;
            let proctype = rest.split_once('(')?.1.split_once(')')?.0.to_owned();
            Some(Made { pid: number_after(line, "proc ")?, proctype, state: number_after(line, "(state")? })
        };
        let made = steps.lines().filter(|line| line.contains("\t[")).filter_map(place).collect();
        let mover = trail.last().and_then(|line| line.split(':').nth(1)?.parse::<usize>().ok());
        let mut ends = steps.lines().filter(|line| !line.contains("\t[")).filter_map(place);
        let fails = ends.find(|end| Some(end.pid) == mover && steps.contains("assertion violated"));
        (made, fails)
    }

    /// Whether every step of a trail is executable; otherwise which one is not.
    pub fn confirm(&self, trail: &str) -> Result<(), String> {
        let lines: Vec<&str> = trail.lines().collect();
        let (made, fails) = self.replay(&lines);
        let steps: Vec<Made> = made.into_iter().chain(fails).collect();
        if steps.len() < lines.len() {
            return Err(format!("step {} ({}) is not executable", steps.len() + 1, lines[steps.len()]));
        }
        for (at, step) in steps.iter().enumerate().take(lines.len()) {
            self.confirm_else(&lines[..=at], step)?;
        }
        Ok(())
    }

    /// Whether the last of some steps is no `else` in the place of something that is possible.
    fn confirm_else(&self, lines: &[&str], step: &Made) -> Result<(), String> {
        let Some((last, before)) = lines.split_last() else { return Ok(()) };
        let id = last.rsplit(':').next().and_then(|id| id.parse::<usize>().ok());
        let here = |other: &&Transition| other.proctype == step.proctype && other.state == step.state;
        let choices: Vec<&Transition> = self.transitions.iter().filter(here).collect();
        let Some(taken) = choices.iter().position(|other| Some(other.id) == id && other.is_else) else { return Ok(()) };
        // A send by rendezvous would be made without a receiver, and a replay takes every timeout.
        let tells = |other: &&&Transition| !is_send(other) && !other.is_else && !other.text.contains("timeout");
        for other in choices[..taken].iter().filter(tells) {
            let instead = format!("{}:{}:{}", lines.len(), step.pid, other.id);
            let (made, fails) = self.replay(&[before, &[&instead]].concat());
            if made.len() + usize::from(fails.is_some()) == lines.len() {
                return Err(format!("step {} ({last}) is an else, but {} is possible", lines.len(), other.text));
            }
        }
        Ok(())
    }
}

fn is_send(other: &Transition) -> bool {
    !other.text.starts_with('(') && other.text.contains('!')
}

impl Drop for Pan {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
