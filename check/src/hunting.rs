//! Hunting for violations where there is no bound: random walks, then formulas beside them, for a limited effort.
//!
//! A system with many processes has more states than can be visited and diagrams that explode, but a violation in it may be
//! near. Nothing is settled by this: what is not violated is as open as before.

use super::options::Options;
use super::portfolio::Task;
use super::solvers::{Solvers, with_solvers};
use bounded::{Hunter, Race, Workers, Zeal, can_be_asked, race_within};
use engine::{Findings, Trouble, Verdict};
use limits::{Handle, Patience};

/// How far and how long a hunt goes.
#[derive(Clone, Copy)]
pub struct Hunt {
    /// Who takes part.
    pub party: Party,
    /// The most steps of a run.
    pub steps: usize,
    /// The work, in ticks; some thirty million are a second.
    pub ticks: u64,
}

/// Who hunts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// Those who walk.
    Walkers,
    /// Those who walk, and those who unroll, where formulas can say what is asked.
    All,
}

/// Looks for violations. Says nothing about properties that it finds none of, unless the run had to end.
pub fn search(task: Task<'_>, hunt: Hunt, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let Task { machine, properties, .. } = task;
    let mut handle = handle.patient(Patience::default());
    handle.limit_memory();
    let options = Options { bound: Some(hunt.steps), ..task.options.clone() };
    let workers = workers(task, hunt.party);
    let raced = with_solvers(&options, |Solvers { bound, start, .. }| {
        let question = Race { machine, properties, bound, start, guest: None, tell: &|_| () };
        race_within(question, &workers, hunt.ticks, &mut handle)
    });
    let mut found = match raced {
        Ok(found) => found,
        // What cannot be unrolled is not hunted by formulas.
        Err(Trouble::Usage(_)) => Findings::new("walk"),
        Err(trouble) => return Err(trouble),
    };
    // Where the model has no meaning is for those to say who look at every state.
    found.fault = None;
    found.verdicts.retain(|(_, verdict)| matches!(verdict, Verdict::Violated(_)));
    if let Some(why) = handle.why() {
        found.conclude(properties, &Verdict::ended(why, None));
    }
    Ok(found)
}

fn workers(task: Task<'_>, party: Party) -> Workers {
    let walks = Some(u64::from(task.options.seed));
    let can_unroll = task.properties.iter().all(|property| can_be_asked(task.machine, *property));
    match party {
        Party::All if can_unroll => Workers { walks, zeal: Zeal::Eager, ..Workers::default() },
        _ => Workers { walks, provers: Vec::new(), hunter: Hunter::Absent, scouts: Vec::new(), ..Workers::default() },
    }
}
