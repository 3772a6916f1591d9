//! Several engines on the same properties: proving bound after bound in more than one way, hunting for violations, and
//! visiting states.
//!
//! No way is the best for all systems, and none can be told in advance. So all begin, taking turns by the work that
//! their solvers have done; when the easy systems are through, most turns go to the prover that is ahead. With one job
//! it stays like this, and the result is the same in each run. With two, those who prove in another way or hunt then
//! work beside the first prover, and the first to finish is first.

use super::hunt::Hunt;
use super::outcome::{Bounded, Stop};
use super::strategy::Strategy;
use super::sweep::Sweep;
use super::visit::{Patience, Visit};
use super::walk::Walks;
use super::{Engine, Start, seen};
use encoder::{Order, Unsupported};
use explicit::Limits;
use sat::{Effort, Work};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
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
    /// Whether one engine hunts by parallel steps.
    pub hunts: bool,
    /// The memory for visiting states, in bytes, if states are visited.
    pub visits: Option<usize>,
    /// The seed of random walks, if there are any.
    pub walks: Option<u64>,
    /// First underapproximations in other orders, where one engine is to hunt and the system has no parallel steps.
    pub scouts: Vec<Strategy>,
}

/// Those whose strengths complement each other, all of whom unroll.
impl Default for Workers {
    fn default() -> Workers {
        let orders = [Order::RoundRobin, Order::Rotating, Order::RunOn];
        let scouts = orders.map(Strategy::scout).to_vec();
        Workers {
            provers: vec![Strategy::widening(), Strategy::pruned()],
            hunts: true,
            visits: None,
            walks: None,
            scouts,
        }
    }
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

/// The work of a first look at the states before the others begin: a few milliseconds.
const LOOK: i32 = 150_000;

/// The work of the first walks, where states alone do not tell.
const STROLL: i32 = 4_000_000;

/// The work that all together do before there are favourites: a fraction of a second.
const WARM_UP: u64 = 6_000_000;

/// How many turns the worker that is ahead has for one of another prover.
const FAVOUR: u64 = 16;

/// How many turns a hunter or walker has for one of a prover that is not ahead, up to so much work: what it looks for may be near. The
/// share is large at first and smaller when nothing has come of it, so that a valid bound does not pay for it for ever.
const HUNTING: [(u64, u64); 3] = [(60_000_000, 16), (400_000_000, 4), (u64::MAX, 2)];

/// How many turns a visitor has for one of a prover that is not ahead, as long as its search is short.
const VISITING: u64 = 4;

/// The work of a short search: less than a second.
const SHORT: u64 = 20_000_000;

/// How many times the work of all bounds before it makes a bound one that an engine is stuck at.
const STUCK: u64 = 3;

/// So little work that no comparison should rest on it.
const NOTHING: u64 = 200_000;

/// Those who unroll.
const UNROLLING: [Role; 3] = [Role::FirstProver, Role::Prover, Role::Hunter];

/// What an engine is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    FirstProver,
    Prover,
    Hunter,
    Visitor,
    Walker,
}

struct Worker<'a> {
    role: Role,
    engine: Box<dyn Engine + 'a>,
    /// The ticks after which each bound was settled.
    settled: Vec<u64>,
}

impl<'a> Worker<'a> {
    fn new(role: Role, engine: impl Engine + 'a) -> Worker<'a> {
        Worker { role, engine: Box::new(engine), settled: Vec::new() }
    }

    /// Notes which bounds are settled now.
    fn note(&mut self) {
        let settled = self.engine.found().bound.map_or(0, |bound| bound + 1);
        self.settled.resize(settled.max(self.settled.len()), self.engine.work().ticks);
    }

    /// Whether a worker is to be preferred: it settled the last bound that both have settled with less work, and what the
    /// other one has spent on the bound after it does not change that. How work grows with the bound is much the same
    /// for all, so that no more has to be guessed; where it grows steeply at first, guesses are far off.
    fn is_ahead_of(&self, other: &Worker<'_>) -> bool {
        if self.settled.len() < other.settled.len() {
            return !other.is_ahead_of(self);
        }
        let Some(common) = other.settled.len().checked_sub(1) else { return true };
        let ratio = |theirs: u64, ours: u64| (theirs + NOTHING) as f64 / (ours + NOTHING) as f64;
        let settled = ratio(other.settled[common], self.settled[common]);
        let waiting = self.settled.get(common + 1).map_or(0.0, |ours| ratio(other.engine.work().ticks, *ours));
        settled.max(waiting) >= 1.0
    }

    /// Whether the bound at hand takes far more than all those before it.
    fn is_stuck(&self) -> bool {
        let settled = self.settled.last().copied().unwrap_or(0);
        self.engine.work().ticks > STUCK * settled.max(NOTHING)
    }
}

/// Lets the workers work. `stop` is shown what has been found so far, and can end the race.
pub fn race(
    question: Race<'_>,
    workers: &Workers,
    jobs: Jobs,
    stop: &mut dyn FnMut(&Bounded) -> bool,
) -> Result<Bounded, Unsupported> {
    let grounds = Grounds::of(question.machine);
    let (mut team, end) = Team::start(question, workers, &grounds, stop)?;
    if let Some(end) = end {
        return Ok(Bounded { stop: end, ..team.common.found });
    }
    if jobs == Jobs::One || team.workers.len() == 1 {
        return Ok(super::run(team, stop));
    }
    while team.work().ticks <= WARM_UP {
        let seen = seen(&team);
        if let Some(end) = team.step(Effort::Unlimited, &mut || stop(&seen)) {
            return Ok(Bounded { stop: end, ..team.common.found });
        }
    }
    side_by_side(team, question, workers, stop)
}

/// The first prover goes on here, the others begin anew on a thread of their own: solvers stay where they are made.
fn side_by_side(
    mut team: Team<'_>,
    question: Race<'_>,
    workers: &Workers,
    stop: &mut dyn FnMut(&Bounded) -> bool,
) -> Result<Bounded, Unsupported> {
    team.workers.retain(|worker| matches!(worker.role, Role::FirstProver | Role::Visitor | Role::Walker));
    let over = AtomicBool::new(false);
    let common = Mutex::new(team.common.clone());
    let share = |team: &mut Team<'_>, end: Option<Stop>| {
        // A worker that panics ends the run by itself.
        let mut common = common.lock().unwrap_or_else(PoisonError::into_inner);
        let end = common.merge(&mut team.common, end);
        for (property, _) in &common.found.violations {
            team.forget(*property);
        }
        if let Some(end) = end
            && !over.swap(true, Ordering::Relaxed)
        {
            common.found.stop = end;
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let Ok(others) = employ(question, workers, &[Role::Prover, Role::Hunter]) else { return };
            let mut others = Team { workers: others, common: Common::new(question), gone: Work::default() };
            while !over.load(Ordering::Relaxed) && !others.workers.is_empty() {
                let end = others.step(Effort::Unlimited, &mut || over.load(Ordering::Relaxed));
                share(&mut others, end);
            }
        });
        while !over.load(Ordering::Relaxed) {
            let seen = seen(&team);
            let end = team.step(Effort::Ticks(TURN), &mut || stop(&seen) || over.load(Ordering::Relaxed));
            share(&mut team, end);
        }
    });
    Ok(common.into_inner().unwrap_or_else(PoisonError::into_inner).found)
}

/// What those who visit states and walk work on: a machine that loses patience with states that have too many successors.
struct Grounds {
    patience: Patience,
    machine: Machine,
}

impl Grounds {
    /// The same system as a machine's.
    fn of(machine: &Machine) -> Grounds {
        let patience = Patience::default();
        Grounds { machine: patience.machine(machine), patience }
    }
}

/// Workers that take turns.
struct Team<'a> {
    workers: Vec<Worker<'a>>,
    common: Common,
    /// The work of those who have nothing left to do.
    gone: Work,
}

impl<'a> Team<'a> {
    /// All who take part, after those who look at states have had a first look, which may be the end.
    fn start(
        question: Race<'a>,
        workers: &Workers,
        Grounds { patience, machine }: &'a Grounds,
        stop: &mut dyn FnMut(&Bounded) -> bool,
    ) -> Result<(Team<'a>, Option<Stop>), Unsupported> {
        let mut team = Team { workers: Vec::new(), common: Common::new(question), gone: Work::default() };
        if let Some(memory) = workers.visits {
            let limits = Limits { depth: question.bound, memory };
            let visit = Visit::new(machine, question.properties, limits, patience.clone());
            // Many systems have so few states that no other engine needs to begin.
            if let Some(end) = team.begin(Worker::new(Role::Visitor, visit), LOOK, stop) {
                return Ok((team, Some(end)));
            }
        }
        if let Some(seed) = workers.walks {
            let walks = Walks::impatient(machine, question.properties, question.bound, seed, patience.clone());
            // In a large system many runs can be wrong.
            if let Some(end) = team.begin(Worker::new(Role::Walker, walks), STROLL, stop) {
                return Ok((team, Some(end)));
            }
        }
        match employ(question, workers, &UNROLLING) {
            Ok(others) => team.join(others),
            // What cannot be unrolled may have few states.
            Err(unsupported) if !team.workers.iter().any(|worker| worker.role == Role::Visitor) => {
                return Err(unsupported);
            }
            Err(_) => {}
        }
        Ok((team, None))
    }

    /// One more worker, which works for a while before the next one begins.
    fn begin(&mut self, worker: Worker<'a>, ticks: i32, stop: &mut dyn FnMut(&Bounded) -> bool) -> Option<Stop> {
        self.workers.push(worker);
        let seen = seen(self);
        self.turn(self.workers.len() - 1, Effort::Ticks(ticks), &mut || stop(&seen))
    }

    /// A turn of one worker. One that has nothing left to do leaves.
    fn turn(&mut self, index: usize, effort: Effort, stop: &mut dyn FnMut() -> bool) -> Option<Stop> {
        let worker = &mut self.workers[index];
        let end = worker.engine.step(effort, stop);
        worker.note();
        let over = self.common.exchange(worker, end);
        if end.is_some() {
            self.gone = self.gone + self.workers.remove(index).engine.work();
        }
        over
    }

    /// More workers, who learn what has been found.
    fn join(&mut self, others: Vec<Worker<'a>>) {
        self.common.found.points = others.first().map_or(0, |worker| worker.engine.found().points);
        self.workers.extend(others);
        for index in 0..self.common.found.violations.len() {
            self.forget(self.common.found.violations[index].0);
        }
    }
}

impl Engine for Team<'_> {
    /// One turn of one worker. A worker alone takes as long as it may.
    fn step(&mut self, effort: Effort, stop: &mut dyn FnMut() -> bool) -> Option<Stop> {
        let Some(next) = whose_turn(&self.workers) else { return Some(Stop::Interrupted) };
        let effort = if self.workers.len() == 1 { effort } else { Effort::Ticks(TURN) };
        self.turn(next, effort, stop)
    }

    fn found(&self) -> &Bounded {
        &self.common.found
    }

    fn forget(&mut self, property: PropertyId) {
        for worker in &mut self.workers {
            worker.engine.forget(property);
        }
    }

    fn work(&self) -> Work {
        self.workers.iter().map(|worker| worker.engine.work()).fold(self.gone, |sum, work| sum + work)
    }
}

/// The workers that have one of these roles.
fn employ<'a>(question: Race<'a>, workers: &Workers, roles: &[Role]) -> Result<Vec<Worker<'a>>, Unsupported> {
    let Race { machine, properties, bound, start } = question;
    let sweep = |role, strategy| -> Result<Worker<'a>, Unsupported> {
        Ok(Worker::new(role, Sweep::new(machine, properties, bound, strategy, start)?))
    };
    let mut employed: Vec<Worker<'a>> = Vec::new();
    for (index, prover) in workers.provers.iter().enumerate() {
        let role = if index == 0 { Role::FirstProver } else { Role::Prover };
        if roles.contains(&role) {
            employed.push(sweep(role, *prover)?);
        }
    }
    if roles.contains(&Role::Hunter) && workers.hunts {
        match Hunt::new(machine, properties, bound, start)? {
            Some(hunt) => employed.push(Worker::new(Role::Hunter, hunt)),
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
#[derive(Clone)]
struct Common {
    found: Bounded,
    open: Vec<PropertyId>,
    bound: usize,
}

impl Common {
    fn new(question: Race<'_>) -> Common {
        Common { found: Bounded::nothing(0), open: question.properties.to_vec(), bound: question.bound }
    }

    /// Takes in what a worker has found, and tells the worker what others have. Says so if that was the end.
    fn exchange(&mut self, worker: &mut Worker<'_>, end: Option<Stop>) -> Option<Stop> {
        let theirs = worker.engine.found();
        self.take(theirs);
        if worker.role == Role::FirstProver {
            self.found.rounds.clone_from(&theirs.rounds);
        }
        self.found.queries += 1;
        let (states, walks) = (theirs.states, theirs.walks);
        for (property, _) in &self.found.violations {
            worker.engine.forget(*property);
        }
        // A hunter or visitor that has nothing left to do is no end.
        let end = match worker.role {
            Role::FirstProver | Role::Prover => self.is_over().or(end),
            Role::Hunter | Role::Visitor | Role::Walker => match end {
                Some(Stop::AllStates | Stop::Interrupted) => end,
                _ => self.is_over(),
            },
        };
        if end.is_some() && worker.role == Role::Visitor {
            self.found.states = states;
        }
        if end == Some(Stop::Decided) && worker.role == Role::Walker {
            self.found.walks = walks;
        }
        end
    }

    /// Brings two teams together.
    fn merge(&mut self, other: &mut Common, end: Option<Stop>) -> Option<Stop> {
        self.take(&other.found);
        self.found.states = self.found.states.or(other.found.states);
        self.found.walks = self.found.walks.or(other.found.walks);
        if other.found.rounds.len() > self.found.rounds.len() {
            self.found.rounds.clone_from(&other.found.rounds);
        }
        other.take(&self.found);
        self.is_over().or(end)
    }

    fn take(&mut self, theirs: &Bounded) {
        if self.found.fault.is_none() {
            self.found.fault.clone_from(&theirs.fault);
        }
        if self.found.failure.is_none() {
            self.found.failure.clone_from(&theirs.failure);
        }
        for (property, trace) in &theirs.violations {
            if self.open.contains(property) {
                self.open.retain(|open| open != property);
                self.found.violations.push((*property, trace.clone()));
            }
        }
        self.found.bound = self.found.bound.max(theirs.bound);
    }

    fn is_over(&self) -> Option<Stop> {
        if self.found.is_over(&self.open) {
            return Some(Stop::Decided);
        }
        (self.found.bound >= Some(self.bound)).then_some(Stop::Bound)
    }
}

/// The work of a hunter, each part of it for its weight.
fn hunted(ticks: u64) -> u64 {
    let (mut from, mut sum) = (0, 0);
    for (until, weight) in HUNTING {
        sum += (ticks.min(until) - ticks.min(from)) / weight;
        from = until;
    }
    sum
}

/// The worker that has done the least work for its weight. All weigh the same at first; then the one that is ahead weighs
/// more, unless it is stuck.
fn whose_turn(workers: &[Worker<'_>]) -> Option<usize> {
    let ticks = |index: &usize| workers[*index].engine.work().ticks;
    let spent: u64 = (0..workers.len()).map(|index| ticks(&index)).sum();
    let ahead = |a: usize, b: usize| if workers[b].is_ahead_of(&workers[a]) { b } else { a };
    let favourite = (0..workers.len()).filter(|_| spent > WARM_UP).reduce(ahead);
    let favourite = favourite.filter(|index| !workers[*index].is_stuck());
    let done = |index: &usize| match workers[*index].role {
        _ if Some(*index) == favourite => ticks(index) / FAVOUR,
        Role::Hunter | Role::Walker => hunted(ticks(index)),
        Role::Visitor if ticks(index) < SHORT => ticks(index) / VISITING,
        Role::FirstProver | Role::Prover | Role::Visitor => ticks(index),
    };
    (0..workers.len()).min_by_key(done)
}
