//! Several attitudes to the same properties: proving bound after bound in more than one way, and hunting for violations.
//!
//! No way is the best for all systems, and none can be told in advance. So all begin, taking turns by the work that
//! their solvers have done; when the easy systems are through, most turns go to the prover that is ahead. With one job
//! it stays like this, and the result is the same in each run. With two, those who prove in another way or hunt then
//! work beside the first prover, and whoever is first is first.

use super::hunt::Hunt;
use super::outcome::{Bounded, Stop};
use super::strategy::Strategy;
use super::sweep::Sweep;
use super::{Attitude, Start};
use crate::sat::Effort;
use encoder::Unsupported;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use system::{Machine, PropertyId};

/// How many things are done at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jobs {
    /// One: the same result in each run.
    One,
    /// Two at the same time.
    Two,
}

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Workers {
    /// Ways to prove; the rounds of the first are reported.
    pub provers: Vec<Strategy>,
    /// Whether somebody hunts by parallel steps.
    pub hunts: bool,
    /// First underapproximations in other orders, where there are no parallel steps.
    pub scouts: Vec<Strategy>,
}

/// What is asked.
#[derive(Clone, Copy)]
pub struct Race<'a> {
    /// The system.
    pub machine: &'a Machine,
    /// Which of its properties.
    pub properties: &'a [PropertyId],
    /// The bound.
    pub bound: usize,
    /// Where solvers come from.
    pub start: Start<'a>,
}

/// The work of one turn, in ticks: some milliseconds.
const TURN: i32 = 1_000_000;

/// The work that all together do before there are favourites: a fraction of a second.
const WARM_UP: u64 = 6_000_000;

/// How many turns the prover that is ahead has for one of another worker.
const FAVOUR: u64 = 10;

/// What somebody is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    FirstProver,
    Prover,
    Hunter,
}

struct Worker<'a> {
    role: Role,
    attitude: Box<dyn Attitude + 'a>,
}

/// Lets the workers work. `stop` is shown what has been found so far, and can end the race.
pub fn race(
    question: Race<'_>,
    workers: &Workers,
    jobs: Jobs,
    stop: &mut dyn FnMut(&Bounded) -> bool,
) -> Result<Bounded, Unsupported> {
    let first = employ(question, workers, &[Role::FirstProver])?;
    let others = employ(question, workers, &[Role::Prover, Role::Hunter])?;
    let points = first.first().map_or(0, |worker| worker.attitude.found().points);
    let common = Mutex::new(Common::new(question, points));
    let over = AtomicBool::new(false);
    let shared = Shared { common: &common, over: &over };
    if others.is_empty() {
        turns(first, shared, Until::Over, stop);
        return Ok(shared.result());
    }
    let everybody: Vec<Worker<'_>> = first.into_iter().chain(others).collect();
    let until = if jobs == Jobs::One { Until::Over } else { Until::Warm };
    let mut left = turns(everybody, shared, until, stop);
    if over.load(Ordering::Relaxed) {
        return Ok(shared.result());
    }
    // Solvers stay on their thread: those who move on begin anew.
    left.retain(|worker| worker.role == Role::FirstProver);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let others = employ(question, workers, &[Role::Prover, Role::Hunter]).unwrap_or_default();
            turns(others, shared, Until::Over, &mut |_| over.load(Ordering::Relaxed));
        });
        turns(left, shared, Until::Over, &mut |found| stop(found) || over.load(Ordering::Relaxed));
    });
    Ok(shared.result())
}

/// The workers that have one of these roles.
fn employ<'a>(question: Race<'a>, workers: &Workers, roles: &[Role]) -> Result<Vec<Worker<'a>>, Unsupported> {
    let Race { machine, properties, bound, start } = question;
    let sweep = |role, strategy| -> Result<Worker<'a>, Unsupported> {
        Ok(Worker { role, attitude: Box::new(Sweep::new(machine, properties, bound, strategy, start)?) })
    };
    let mut employed: Vec<Worker<'a>> = Vec::new();
    for (index, prover) in workers.provers.iter().enumerate() {
        let role = if index == 0 { Role::FirstProver } else { Role::Prover };
        if roles.contains(&role) {
            employed.push(sweep(role, *prover)?);
        }
    }
    if roles.contains(&Role::Hunter) {
        let hunt = if workers.hunts { Hunt::new(machine, properties, bound, start)? } else { None };
        match hunt {
            Some(hunt) => employed.push(Worker { role: Role::Hunter, attitude: Box::new(hunt) }),
            None => {
                for scout in &workers.scouts {
                    employed.push(sweep(Role::Hunter, *scout)?);
                }
            }
        }
    }
    Ok(employed)
}

/// What all workers together have found.
struct Common {
    found: Bounded,
    open: Vec<PropertyId>,
    bound: usize,
}

impl Common {
    fn new(question: Race<'_>, points: usize) -> Common {
        Common { found: Bounded::nothing(points), open: question.properties.to_vec(), bound: question.bound }
    }

    /// Takes in what a worker has found, and tells the worker what others have. Says so if that was the end.
    fn exchange(&mut self, worker: &mut Worker<'_>, end: Option<Stop>) -> Option<Stop> {
        let theirs = worker.attitude.found();
        if self.found.fault.is_none() {
            self.found.fault = theirs.fault.clone();
        }
        if self.found.failure.is_none() {
            self.found.failure = theirs.failure.clone();
        }
        for (property, trace) in &theirs.violations {
            if self.open.contains(property) {
                self.open.retain(|open| open != property);
                self.found.violations.push((*property, trace.clone()));
            }
        }
        self.found.bound = self.found.bound.max(theirs.bound);
        if worker.role == Role::FirstProver && theirs.rounds.len() > self.found.rounds.len() {
            self.found.rounds = theirs.rounds.clone();
        }
        self.found.queries += 1;
        for (property, _) in &self.found.violations {
            worker.attitude.forget(*property);
        }
        if self.found.is_over(&self.open) {
            return Some(Stop::Decided);
        }
        if self.found.bound >= Some(self.bound) {
            return Some(Stop::Bound);
        }
        // A hunter that has nothing left to do is no end.
        end.filter(|end| worker.role != Role::Hunter || *end == Stop::Interrupted)
    }
}

/// What the threads share.
#[derive(Clone, Copy)]
struct Shared<'a> {
    common: &'a Mutex<Common>,
    over: &'a AtomicBool,
}

impl Shared<'_> {
    fn with<T>(self, action: impl FnOnce(&mut Common) -> T) -> T {
        // A worker that panicked ends the run by itself.
        action(&mut self.common.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// Notes what a worker has found after a turn.
    fn report(self, worker: &mut Worker<'_>, end: Option<Stop>) {
        self.with(|common| {
            if let Some(end) = common.exchange(worker, end)
                && !self.over.swap(true, Ordering::Relaxed)
            {
                common.found.stop = end;
            }
        });
    }

    fn result(self) -> Bounded {
        self.with(|common| common.found.clone())
    }
}

/// How long turns are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Until there is a result.
    Over,
    /// Until the easy systems are through.
    Warm,
}

/// Lets workers take turns; gives back those that are left.
fn turns<'a>(
    mut workers: Vec<Worker<'a>>,
    shared: Shared<'_>,
    until: Until,
    stop: &mut dyn FnMut(&Bounded) -> bool,
) -> Vec<Worker<'a>> {
    while !shared.over.load(Ordering::Relaxed) {
        let spent: u64 = workers.iter().map(|worker| worker.attitude.ticks()).sum();
        if until == Until::Warm && spent > WARM_UP {
            break;
        }
        let Some(next) = whose_turn(&workers, spent) else { break };
        let seen = shared.result();
        let effort = if workers.len() == 1 { Effort::Unlimited } else { Effort::Ticks(TURN) };
        let end = workers[next].attitude.step(effort, &mut || stop(&seen));
        shared.report(&mut workers[next], end);
        if end.is_some() {
            workers.remove(next);
        }
    }
    workers
}

/// The worker that has done the least work for its weight. All weigh the same at first; then the prover that has come
/// farthest weighs more.
fn whose_turn(workers: &[Worker<'_>], spent: u64) -> Option<usize> {
    let proves = |worker: &Worker<'_>| worker.role != Role::Hunter;
    let ahead = (0..workers.len()).filter(|index| proves(&workers[*index])).max_by_key(|index| {
        let attitude = &workers[*index].attitude;
        (attitude.found().bound, std::cmp::Reverse(attitude.ticks()))
    });
    let weight = |index: usize| if spent > WARM_UP && Some(index) == ahead { FAVOUR } else { 1 };
    (0..workers.len()).min_by_key(|index| workers[*index].attitude.ticks() / weight(*index))
}
