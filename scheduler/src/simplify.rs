//! Runs with fewer context switches that show the same.
//!
//! A run is cut into blocks of steps of one lane. A block is moved to the one before or after it of the same lane, or what
//! comes after a block is left to lanes that go on as long as they can; the program executes that, as far as
//! it can be executed, and the run is taken if it goes wrong in the same way with fewer switches.

use crate::confirm::{Confirmation, repeat, repeat_up_to};
use crate::explore::Found;
use crate::finding::{ExitCodes, Finding, Violation};
use crate::plan::{Choice, Plan};
use crate::race::DataRaces;
use crate::record::{Record, Step};
use crate::session::{Failure, Session};
use std::ops::ControlFlow;

/// The steps of one lane that follow each other.
type Block = Vec<Choice>;

/// How often another lane goes on than the one that moved before.
pub fn context_switches(steps: &[Step]) -> usize {
    steps.windows(2).filter(|pair| pair[0].event.lane != pair[1].event.lane).count()
}

/// Looks for a run with fewer context switches that shows the same; `go_on` is asked before each run. None if there is none, or if it
/// does not repeat.
pub fn simplify(
    session: &mut Session,
    found: &Found,
    depth: usize,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<Found>, Failure> {
    let mut best: Option<Found> = None;
    loop {
        let current = best.as_ref().unwrap_or(found);
        let Some(simpler) = simpler(session, current, depth, go_on)? else { break };
        best = Some(simpler);
    }
    match best {
        None => Ok(None),
        Some(best) => confirmed(session, best, depth),
    }
}

/// A run with fewer switches than one that was found.
fn simpler(
    session: &mut Session,
    found: &Found,
    depth: usize,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<Found>, Failure> {
    let switches = context_switches(&found.record.steps);
    for tape in candidates(&blocks(&found.record)) {
        if go_on().is_break() {
            return Ok(None);
        }
        let plan = Plan { branch: tape.len(), tape, is_lenient: true, ..Plan::free(depth) };
        let mut record = session.run(&plan)?;
        let Some((finding, length)) = shown(found, &record) else { continue };
        record.steps.truncate(length);
        if context_switches(&record.steps) < switches {
            return Ok(Some(Found { finding, record, printed: Vec::new() }));
        }
    }
    Ok(None)
}

fn blocks(record: &Record) -> Vec<Block> {
    let same = |one: &Choice, other: &Choice| one.lane == other.lane;
    record.choices().chunk_by(same).map(<[Choice]>::to_vec).collect()
}

/// The runs to try: those that leave most to the lanes themselves first.
fn candidates(blocks: &[Block]) -> Vec<Vec<Choice>> {
    let mut tapes: Vec<Vec<Choice>> = (0..blocks.len()).map(|kept| blocks[..kept].concat()).collect();
    for first in 0..blocks.len() {
        let same = |second: &usize| blocks[*second][0].lane == blocks[first][0].lane;
        let Some(second) = (first + 1..blocks.len()).find(same) else { continue };
        tapes.push(moved(blocks, second, first + 1).concat());
        tapes.push(moved(blocks, first, second - 1).concat());
    }
    tapes
}

/// The blocks with one of them at another place.
fn moved(blocks: &[Block], from: usize, to: usize) -> Vec<Block> {
    let mut blocks = blocks.to_vec();
    let block = blocks.remove(from);
    blocks.insert(to, block);
    blocks
}

/// What a run shows, if it is what was found, and after how many steps.
fn shown(found: &Found, record: &Record) -> Option<(Finding, usize)> {
    let steps = &found.record.steps;
    if let Violation::DataRace { first } = found.finding.violation {
        let places = [steps[first].caller, steps[steps.len() - 1].caller];
        let is_it = |(one, other): &(usize, usize)| [record.steps[*one].caller, record.steps[*other].caller] == places;
        let (first, second) = DataRaces::default().find(&record.steps, 0).into_iter().find(is_it)?;
        let lane = record.steps[second].event.lane;
        return Some((Finding { violation: Violation::DataRace { first }, lane }, second + 1));
    }
    let codes = match found.finding.violation {
        Violation::ExitCode(_) => ExitCodes::Checked,
        _ => ExitCodes::Ignored,
    };
    let finding = Finding::of(record, codes)?;
    (finding.violation == found.finding.violation).then_some((finding, record.steps.len()))
}

/// The run, executed again by a program that is started again.
fn confirmed(session: &mut Session, found: Found, depth: usize) -> Result<Option<Found>, Failure> {
    let plan = Plan { has_output: true, ..Plan::free(depth) };
    let Found { finding, record, .. } = found;
    let again = match finding.violation {
        Violation::DataRace { .. } => repeat_up_to(session, &record, record.steps.len(), &plan)?,
        _ => repeat(session, &record, &plan)?,
    };
    Ok(match again {
        Confirmation::Different(_) | Confirmation::Halted => None,
        Confirmation::Same(record) => {
            let printed = session.printed().unwrap_or_default();
            Some(Found { finding, record: *record, printed })
        }
    })
}
