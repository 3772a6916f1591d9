//! Several engines on the same properties: proving bound after bound in more than one way, hunting for violations, and
//! visiting states.
//!
//! No way is the best for all systems, and none can be told in advance. So all take turns by the work that
//! their solvers have done (`turns`); most turns go to the prover that is ahead. With one job
//! it stays like this, and the result is the same in each run. With two, those who hunt then work beside the provers, in rounds of a
//! fixed amount of work, and the result is the same in each run, too.

use super::hunt::Hunt;
use super::lasso::is_temporal;
use super::strategy::Strategy;
use super::sweep::Sweep;
use super::turns::{self, Record, Role, Turn, Zeal};
use super::visit::{Patience, Visit};
use super::walk::Walks;
use super::{Start, is_over, progress, unsupported};
use encoder::{Order, Unsupported};
use engine::{Engine, Findings, Stop, Trouble};
use explicit::Limits;
use limits::{Effort, Handle, Interrupt, Progress, Work};
use std::sync::mpsc::{Receiver, Sender, channel};
use system::{Machine, PropertyId};

/// How many things are done at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jobs {
    /// One: the same result in each run.
    One,
    /// Two at the same time: another result, but the same in each run.
    Two,
}

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Workers {
    /// Ways to prove; the rounds of the first are reported.
    pub provers: Vec<Strategy>,
    /// Whether one engine hunts by parallel steps.
    pub hunter: Hunter,
    /// The memory for visiting states, in bytes, if states are visited.
    pub visits: Option<usize>,
    /// The seed of random walks, if there are any.
    pub walks: Option<u64>,
    /// How much of the work is hunting.
    pub zeal: Zeal,
    /// First underapproximations in other orders, where one engine is to hunt and the system has no parallel steps.
    pub scouts: Vec<Strategy>,
}

/// Whether an engine takes part that only looks for violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hunter {
    /// One does.
    Present,
    /// None does.
    Absent,
}

/// Those whose strengths complement each other, all of whom unroll.
impl Default for Workers {
    fn default() -> Workers {
        let orders = [Order::RoundRobin, Order::Rotating, Order::RunOn];
        let scouts = orders.map(Strategy::scout).to_vec();
        Workers {
            provers: vec![Strategy::widening(), Strategy::pruned()],
            hunter: Hunter::Present,
            visits: None,
            walks: None,
            zeal: Zeal::Modest,
            scouts,
        }
    }
}

/// An engine from elsewhere that takes part. It decides properties for good or not at all.
#[derive(Clone, Copy)]
pub struct Guest {
    /// How it begins to work, up to a bound and in some memory.
    pub begin: for<'m> fn(&'m Machine, &'m [PropertyId], Limits) -> Box<dyn Engine + 'm>,
    /// The memory, in bytes.
    pub memory: usize,
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
    /// Who else takes part.
    pub guest: Option<Guest>,
    /// Is told what is found, on the thread that asks.
    pub tell: &'a (dyn Fn(&Findings) + Sync),
}

/// The work of one turn, in ticks: some milliseconds.
const TURN: i32 = 1_000_000;

/// The work of one turn beside one who hunts for lassos: a search that is interrupted less often loses less.
const LONG_TURN: i32 = 4_000_000;

/// The work of a turn of the one who hunts: about as much as its share of a long turn.
const SHORT_TURN: i32 = 500_000;

/// The work of a first look at the states before the others begin: a few milliseconds.
const LOOK: i32 = 200_000;

/// The work of the first walks, where states alone do not tell.
const STROLL: i32 = 2_500_000;

/// The most work of a first look for lassos of few passes: a tenth of a second.
const NEAR: u64 = 3_000_000;

/// The work that all together do before they work side by side: a fraction of a second.
const WARM_UP: u64 = 6_000_000;

/// The work of a round where some work beside others: a tenth of a second. In shorter ones, more time is spent waiting.
const ROUND: u64 = 4_000_000;

/// Those who unroll.
const UNROLLING: &[Role] = &[Role::FirstProver, Role::Prover, Role::Hunter];

/// Those of them who prove.
const PROVING: &[Role] = &[Role::FirstProver, Role::Prover];

struct Worker<'a> {
    record: Record,
    engine: Box<dyn Engine + 'a>,
}

impl<'a> Worker<'a> {
    fn new(role: Role, engine: impl Engine + 'a) -> Worker<'a> {
        Worker::of(role, Box::new(engine))
    }

    fn of(role: Role, engine: Box<dyn Engine + 'a>) -> Worker<'a> {
        Worker { record: Record::new(role), engine }
    }

    /// Works for a turn of this weight.
    fn turn(&mut self, weight: u64, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let end = self.engine.turn(effort, handle)?;
        let settled = self.engine.found().settled.map_or(0, |bound| bound + 1);
        self.record.note(weight, self.engine.work().ticks, settled);
        Ok(end)
    }
}

/// Lets the workers work.
pub fn race(question: Race<'_>, workers: &Workers, jobs: Jobs, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let grounds = Grounds::of(question.machine);
    let (mut team, mut end) = Team::start(question, workers, &grounds, handle)?;
    (question.tell)(team.found());
    if end.is_none() && (jobs == Jobs::One || !team.has_two_sides()) {
        return engine::run_telling(&mut team, handle, question.tell);
    }
    while end.is_none() && team.work().ticks <= WARM_UP {
        let _ = team.progress().map(|now| handle.see(now));
        end = team.turn(Effort::Unlimited, handle)?;
        (question.tell)(team.found());
    }
    match end {
        Some(stop) => Ok(Findings { stop, ..team.common.found }),
        None if !team.has_two_sides() => engine::run_telling(&mut team, handle, question.tell),
        None => side_by_side(team, question, workers, handle),
    }
}

/// Lets the workers take turns until they have done about this much work together, in ticks.
pub fn race_within(
    question: Race<'_>,
    workers: &Workers,
    ticks: u64,
    handle: &mut Handle<'_>,
) -> Result<Findings, Trouble> {
    let grounds = Grounds::of(question.machine);
    let (mut team, mut end) = Team::start(question, workers, &grounds, handle)?;
    while end.is_none() && team.work().ticks < ticks && !handle.is_over() {
        end = team.turn(Effort::Ticks(TURN), handle)?;
    }
    Ok(Findings { stop: end.unwrap_or(Stop::Interrupted), ..team.common.found })
}

/// The provers go on here, and those who hunt begin anew on a thread of their own: solvers stay where they are made. Both work in rounds
/// of a fixed amount of work and learn between two rounds what the other side has found, so that the result is the same in each run,
/// whatever the machine does beside. Where both come to an end in the same round, that of the provers counts.
fn side_by_side(
    mut team: Team<'_>,
    question: Race<'_>,
    workers: &Workers,
    handle: &mut Handle<'_>,
) -> Result<Findings, Trouble> {
    team.workers.retain(|worker| !worker.record.role.hunts());
    let over = Interrupt::default();
    std::thread::scope(|scope| {
        let ((known, learns), (tells, found)) = (channel(), channel());
        let end = over.clone();
        scope.spawn(move || work_beside(question, workers, &end, &learns, &tells));
        let result = in_rounds(team, &Beside { known, found }, question.tell, handle);
        over.raise();
        result
    })
}

/// What a round of those who hunt came to.
type Round = Result<(Common, Option<Stop>), Trouble>;

/// The way to those who hunt.
struct Beside {
    /// What is known before a round.
    known: Sender<Findings>,
    /// What they have found in it.
    found: Receiver<Round>,
}

/// Rounds of the provers, each beside one of those who hunt.
fn in_rounds(
    mut team: Team<'_>,
    beside: &Beside,
    tell: &dyn Fn(&Findings),
    handle: &mut Handle<'_>,
) -> Result<Findings, Trouble> {
    loop {
        let is_alone = beside.known.send(team.common.found.clone()).is_err();
        let _ = team.progress().map(|now| handle.see(now));
        let mut end = team.round(ROUND, handle)?;
        // Those who have nothing left to do are gone, and are not waited for.
        if end.is_none()
            && let Ok(theirs) = beside.found.recv()
        {
            let (theirs, their_end) = theirs?;
            end = team.common.merge(&theirs, their_end);
            team.tell();
        }
        tell(team.found());
        if handle.is_over() || is_alone && team.workers.is_empty() {
            end = end.or(Some(Stop::Interrupted));
        }
        if let Some(stop) = end {
            return Ok(Findings { stop, ..team.common.found });
        }
    }
}

/// What those do who work beside the provers.
fn work_beside(
    question: Race<'_>,
    workers: &Workers,
    over: &Interrupt,
    learns: &Receiver<Findings>,
    tells: &Sender<Round>,
) {
    let grounds = Grounds::of(question.machine);
    let Ok(mut hunters) = employ(question, workers, &[Role::Hunter]) else { return };
    // The first walks were made before; these are others.
    let seed = workers.walks.map(|seed| seed.wrapping_add(1));
    hunters.extend(seed.map(|seed| walker(question, &grounds, seed)));
    let mut team = Team { workers: hunters, common: Common::new(question), gone: Work::default(), zeal: workers.zeal };
    let mut handle = Handle::default();
    let mut handle = handle.until(over.clone());
    for known in learns {
        team.common.take(&known);
        team.tell();
        let share = turns::share_beside(team.workers.iter().map(|worker| &worker.record), team.zeal);
        let end = team.round(ROUND * share / turns::FAVOUR, &mut handle);
        let is_last = team.workers.is_empty();
        if tells.send(end.map(|end| (team.common.clone(), end))).is_err() || is_last {
            return;
        }
    }
}

fn walker<'a>(question: Race<'_>, Grounds { patience, machine }: &'a Grounds, seed: u64) -> Worker<'a> {
    let walks = Walks::impatient(machine, question.properties, question.bound, seed, patience.clone());
    Worker::new(Role::Walker, walks)
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
    zeal: Zeal,
}

impl<'a> Team<'a> {
    /// All who take part, after those who look at states have had a first look, which may be the end.
    fn start(
        question: Race<'a>,
        workers: &Workers,
        grounds: &'a Grounds,
        handle: &mut Handle<'_>,
    ) -> Result<(Team<'a>, Option<Stop>), Trouble> {
        let Grounds { patience, machine } = grounds;
        let mut team =
            Team { workers: Vec::new(), common: Common::new(question), gone: Work::default(), zeal: workers.zeal };
        if let Some(memory) = workers.visits {
            let limits = Limits { depth: question.bound, memory };
            let visit = Visit::new(machine, question.properties, limits, patience.clone());
            // Many systems have so few states that no other engine needs to begin.
            if let Some(end) = team.begin(Worker::new(Role::Visitor, visit), LOOK, handle)? {
                return Ok((team, Some(end)));
            }
        }
        if let Some(seed) = workers.walks {
            // In a large system many runs can be wrong.
            if let Some(end) = team.begin(walker(question, grounds, seed), STROLL, handle)? {
                return Ok((team, Some(end)));
            }
        }
        let hunt = lasso_hunt(question, workers);
        let missing = if hunt.is_some() { PROVING } else { UNROLLING };
        if let Some(hunt) = hunt
            && let Some(end) = team.look_near(hunt, handle)?
        {
            return Ok((team, Some(end)));
        }
        match employ(question, workers, missing) {
            Ok(others) => team.join(others),
            // What cannot be unrolled may have few states.
            Err(why) if !team.workers.iter().any(|worker| worker.record.role == Role::Visitor) => {
                return Err(unsupported(why));
            }
            Err(_) => {}
        }
        if let Some(Guest { begin, memory }) = question.guest {
            let limits = Limits { depth: question.bound, memory };
            team.workers.push(Worker::of(Role::Guest, begin(question.machine, question.properties, limits)));
            team.tell();
        }
        Ok((team, None))
    }

    /// One who hunts for lassos looks at a few passes before others begin: they take a small part of the work that a bound takes which holds.
    fn look_near(&mut self, mut hunt: Hunt<'a>, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let end = hunt.look_near(NEAR, handle)?;
        let mut worker = Worker::new(Role::LassoHunter, hunt);
        worker.record.note_head_start(worker.engine.work().ticks);
        let over = self.common.exchange(&mut worker, end);
        match end {
            Some(_) => self.gone = self.gone + worker.engine.work(),
            None => self.workers.push(worker),
        }
        Ok(over)
    }

    /// One more worker, which works for a while before the next one begins.
    fn begin(&mut self, worker: Worker<'a>, ticks: i32, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        self.workers.push(worker);
        let _ = self.progress().map(|now| handle.see(now));
        self.turn_of(Turn { worker: self.workers.len() - 1, weight: turns::FAVOUR }, Effort::Ticks(ticks), handle)
    }

    /// A turn of one worker. One that has nothing left to do leaves.
    fn turn_of(&mut self, turn: Turn, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let worker = &mut self.workers[turn.worker];
        let known = self.common.found.verdicts.len();
        let end = worker.turn(turn.weight, effort, handle)?;
        let over = self.common.exchange(worker, end);
        if end.is_some() {
            self.gone = self.gone + self.workers.remove(turn.worker).engine.work();
        }
        if self.common.found.verdicts.len() > known {
            self.tell();
        }
        Ok(over)
    }

    /// About this much work, in turns, unless that is the end.
    fn round(&mut self, ticks: u64, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let (until, mut end) = (self.work().ticks + ticks, None);
        while end.is_none() && !self.workers.is_empty() && self.work().ticks < until {
            end = self.turn(Effort::Ticks(TURN), handle)?;
        }
        Ok(end)
    }

    /// Whether some work beside the others, if there are two sides.
    fn has_two_sides(&self) -> bool {
        let hunters = self.workers.iter().filter(|worker| worker.record.role.hunts()).count();
        (1..self.workers.len()).contains(&hunters)
    }

    /// Whether one of them hunts for lassos.
    fn hunts_lassos(&self) -> bool {
        self.workers.iter().any(|worker| worker.record.role == Role::LassoHunter)
    }

    /// More workers, who learn what has been found.
    fn join(&mut self, others: Vec<Worker<'a>>) {
        self.common.found.cost.points = others.first().map_or(0, |worker| worker.engine.found().cost.points);
        self.workers.extend(others);
        self.tell();
    }

    /// Tells all workers what is violated: one that has a long turn before it would look for it once more.
    fn tell(&mut self) {
        let violated: Vec<PropertyId> =
            self.common.found.violations().into_iter().map(|(property, _)| property).collect();
        violated.into_iter().for_each(|property| self.forget(property));
    }
}

impl Engine for Team<'_> {
    /// One turn of one worker. A worker alone takes as long as it may.
    fn turn(&mut self, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let mut records: Vec<&mut Record> = self.workers.iter_mut().map(|worker| &mut worker.record).collect();
        let Some(next) = turns::next(&mut records, self.zeal) else { return Ok(Some(Stop::Interrupted)) };
        let effort = match self.workers[next.worker].record.role {
            _ if self.workers.len() == 1 => effort,
            Role::LassoHunter => Effort::Ticks(SHORT_TURN),
            _ if self.hunts_lassos() => Effort::Ticks(LONG_TURN),
            _ => Effort::Ticks(TURN),
        };
        self.turn_of(next, effort, handle)
    }

    fn found(&self) -> &Findings {
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

    fn progress(&self) -> Option<Progress> {
        Some(progress(&self.common.found, self.work().conflicts, self.common.bound))
    }
}

/// One who hunts for lassos, if any are asked about and there is to be a hunter. What cannot be unrolled is said by those who prove.
fn lasso_hunt<'a>(question: Race<'a>, workers: &Workers) -> Option<Hunt<'a>> {
    let Race { machine, properties, bound, start, .. } = question;
    let are_lassos = properties.iter().any(|property| is_temporal(machine.system(), *property));
    let is_wanted = are_lassos && workers.hunter == Hunter::Present;
    is_wanted.then(|| Hunt::new(machine, properties, bound, start).ok().flatten()).flatten()
}

/// The workers that have one of these roles.
fn employ<'a>(question: Race<'a>, workers: &Workers, roles: &[Role]) -> Result<Vec<Worker<'a>>, Unsupported> {
    let Race { machine, properties, bound, start, .. } = question;
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
    if roles.contains(&Role::Hunter) && workers.hunter == Hunter::Present {
        match Hunt::new(machine, properties, bound, start)? {
            Some(hunt) => employed.push(Worker::new(Role::Hunter, hunt)),
            // Where there is one process, its order is every order.
            None if machine.system().processes.len() <= 1 => {}
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
    found: Findings,
    open: Vec<PropertyId>,
    bound: usize,
}

impl Common {
    fn new(question: Race<'_>) -> Common {
        let open = question.properties.to_vec();
        Common { found: Findings::new("uw"), open, bound: question.bound }
    }

    /// Takes in what a worker has found, and tells the worker what others have. Says so if that was the end.
    fn exchange(&mut self, worker: &mut Worker<'_>, end: Option<Stop>) -> Option<Stop> {
        let theirs = worker.engine.found();
        self.take(theirs);
        if worker.record.role == Role::FirstProver {
            self.found.cost.rounds.clone_from(&theirs.cost.rounds);
        }
        self.found.cost.queries += 1;
        let (name, states, walks) = (theirs.engine, theirs.cost.states, theirs.cost.walks);
        let interchangeable = theirs.cost.interchangeable.clone();
        for (property, _) in self.found.violations() {
            worker.engine.forget(property);
        }
        // A hunter or visitor that has nothing left to do is no end.
        let end = match worker.record.role {
            Role::FirstProver | Role::Prover => self.is_over().or(end),
            Role::Hunter | Role::LassoHunter | Role::Visitor | Role::Walker => match end {
                Some(Stop::Complete | Stop::Interrupted) => end,
                _ => self.is_over(),
            },
            Role::Guest => self.is_over(),
        };
        if end.is_some() && worker.record.role == Role::Guest {
            (self.found.engine, self.found.cost.states) = (name, states);
        }
        if end.is_some() && worker.record.role == Role::Visitor {
            (self.found.engine, self.found.cost.states) = ("explicit", states);
            self.found.cost.interchangeable = interchangeable;
        }
        if end == Some(Stop::Decided) && worker.record.role == Role::Walker {
            (self.found.engine, self.found.cost.walks) = ("walk", walks);
        }
        end
    }

    /// Takes in what those beside have found. Says so if that was the end.
    fn merge(&mut self, other: &Common, end: Option<Stop>) -> Option<Stop> {
        self.take(&other.found);
        let (ours, theirs) = (&mut self.found, &other.found);
        if ours.cost.states.is_none() && ours.cost.walks.is_none() {
            (ours.engine, ours.cost.states, ours.cost.walks) = (theirs.engine, theirs.cost.states, theirs.cost.walks);
            ours.cost.interchangeable.clone_from(&theirs.cost.interchangeable);
        }
        if theirs.cost.rounds.len() > ours.cost.rounds.len() {
            ours.cost.rounds.clone_from(&theirs.cost.rounds);
        }
        self.is_over().or(end)
    }

    fn take(&mut self, theirs: &Findings) {
        if self.found.fault.is_none() {
            self.found.fault.clone_from(&theirs.fault);
        }
        for (property, verdict) in &theirs.verdicts {
            if self.open.contains(property) {
                self.open.retain(|open| open != property);
                self.found.verdicts.push((*property, verdict.clone()));
            }
        }
        self.found.settled = self.found.settled.max(theirs.settled);
    }

    fn is_over(&self) -> Option<Stop> {
        if is_over(&self.found, &self.open) {
            return Some(Stop::Decided);
        }
        (self.found.settled >= Some(self.bound)).then_some(Stop::Bound)
    }
}
