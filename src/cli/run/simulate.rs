//! One step of a program after the other, for `uwbmc simulate`. Going back is executing it again.

use super::Walking;
use super::subject::{Subject, failed};
use crate::Error;
use crate::cli::{Outcome, terminal};
use crate::hidden::visible;
use crate::program::{Names, violation};
use operations::region::Ending;
use operations::{Kind, is_enabled};
use scheduler::{Choice, ExitCodes, Finding, Limits, Pending, Plan, Record, Replica};
use std::ffi::OsString;
use std::fmt::Write;
use std::io::BufRead;
use std::path::Path;
use std::time::Duration;

/// How long a thread may go on without a visible operation.
const PATIENCE: Duration = Duration::from_secs(10);
/// As many values of a toss are offered.
const MOST_VALUES: u32 = 20;

/// Walks through a program.
pub fn simulate(path: &Path, arguments: &[OsString], walking: Walking) -> Result<Outcome, Error> {
    let subject = Subject::start(path, arguments, PATIENCE, Limits::default())?;
    let names = subject.names();
    let mut walk = Walk { subject, names, tape: Vec::new() };
    match walking {
        Walking::Interactively => walk.interactive(),
        Walking::AtRandom { steps, seed } => walk.random(steps, seed),
    }
}

/// A run in the making.
struct Walk {
    subject: Subject,
    names: Names,
    tape: Vec<Choice>,
}

/// Something that can happen next.
struct Possibility {
    choice: Choice,
    text: String,
}

impl Walk {
    fn interactive(&mut self) -> Result<Outcome, Error> {
        let mut lines = std::io::stdin().lock().lines();
        loop {
            let record = self.execute()?;
            let possible = self.possible(&record);
            terminal::print(&menu(&possible));
            let Some(Ok(line)) = lines.next() else { return Ok(Outcome::Fine) };
            match line.trim() {
                "q" => return Ok(Outcome::Fine),
                "u" => {
                    self.tape.pop();
                    terminal::print(&format!("back after step {}\n", self.tape.len()));
                }
                number => match number.parse().ok().and_then(|number: usize| possible.get(number)) {
                    Some(possibility) => self.tape.push(possibility.choice),
                    None => terminal::print("a number from the list, u to undo, or q to quit\n"),
                },
            }
        }
    }

    fn random(&mut self, steps: usize, seed: u64) -> Result<Outcome, Error> {
        let mut random = fastrand::Rng::with_seed(seed);
        terminal::print(&format!("random walk, seed {seed}\n"));
        loop {
            let record = self.execute()?;
            let possible = self.possible(&record);
            if possible.is_empty() || self.tape.len() >= steps {
                return Ok(Outcome::Fine);
            }
            self.tape.push(possible[random.usize(..possible.len())].choice);
        }
    }

    /// Executes the steps so far, and tells about the last one.
    fn execute(&mut self) -> Result<Record, Error> {
        let depth = self.tape.len();
        let plan = Plan { tape: self.tape.clone(), branch: depth, has_output: true, ..Plan::free(depth) };
        let record = self.subject.session.run(&plan).map_err(failed)?;
        let printed = self.subject.session.printed().unwrap_or_default();
        let pending = record.pending.iter().map(|pending| (pending.lane, pending.caller));
        self.names.look_up(record.steps.iter().map(|step| (step.event.lane, step.caller)).chain(pending));
        self.names.call(&record.names);
        let told = self.tell(&record, &printed);
        terminal::print(&told);
        Ok(record)
    }

    /// The last step, what was printed in it, and how the run ended, if it did.
    fn tell(&mut self, record: &Record, printed: &[u8]) -> String {
        let mut out = String::new();
        if let Some(last) = record.steps.last() {
            let what = self.names.operation(last.event.lane, &last.event.op);
            let who = self.names.label(last.event.lane);
            let _ = writeln!(
                out,
                "step {}: {who} {}{}",
                record.steps.len(),
                visible(&what),
                self.place(last.event.lane, last.caller)
            );
            let new = printed.get(last.printed as usize..).unwrap_or_default();
            for line in String::from_utf8_lossy(new).lines() {
                let _ = writeln!(out, "  prints: {}", visible(line));
            }
        }
        match Finding::of(record, ExitCodes::Ignored) {
            Some(finding) => {
                let _ = writeln!(out, "violated: {}", visible(&violation(&finding.violation)));
            }
            None if record.ending == Ending::Complete => out.push_str("the program has ended\n"),
            None if record.ending == Ending::Unsupported => {
                let _ = writeln!(out, "the program uses what is not modelled: {}", visible(&record.message));
            }
            None => {}
        }
        out
    }

    fn place(&self, lane: operations::Lane, caller: u64) -> String {
        self.names.place(lane, caller).map_or(String::new(), |place| {
            let line = place.line.map_or(String::new(), |line| format!(":{line}"));
            visible(&format!(" ({} in {}{line})", place.function, place.file)).into_owned()
        })
    }

    /// What can happen next; nothing after the end.
    fn possible(&mut self, record: &Record) -> Vec<Possibility> {
        if record.ending != Ending::Depth {
            return Vec::new();
        }
        let mut replica = Replica::initial();
        record.steps.iter().for_each(|step| replica.execute(&step.event));
        let can_move = |pending: &&Pending| is_enabled(&replica, pending.lane, &pending.op);
        let mut next: Vec<Pending> = record.pending.iter().filter(can_move).copied().collect();
        if next.is_empty() {
            next.extend(record.pending.iter().filter(|pending| pending.op.kind == Kind::Exit).take(1));
        }
        next.iter().flat_map(|pending| self.ways(pending)).collect()
    }

    /// The ways in which a lane can go on: several if it tosses.
    fn ways(&mut self, pending: &Pending) -> Vec<Possibility> {
        let (lane, op) = (pending.lane, &pending.op);
        let what = match op.kind {
            Kind::Create => "create".to_owned(),
            _ => self.names.operation(lane, op),
        };
        let text = format!("{} {}{}", self.names.label(lane), visible(&what), self.place(lane, pending.caller));
        if op.kind != Kind::Toss {
            return vec![Possibility { choice: Choice { lane, toss: None }, text }];
        }
        let values = 0..=u32::try_from(op.value).unwrap_or(0).min(MOST_VALUES - 1);
        let way =
            |value| Possibility { choice: Choice { lane, toss: Some(value) }, text: format!("{text} gives {value}") };
        values.map(way).collect()
    }
}

fn menu(possible: &[Possibility]) -> String {
    let mut menu = String::new();
    for (number, possibility) in possible.iter().enumerate() {
        let _ = writeln!(menu, "[{number}] {}", possibility.text);
    }
    if possible.is_empty() {
        menu.push_str("no thread can move\n");
    }
    menu + "step, u to undo, q to quit> "
}
