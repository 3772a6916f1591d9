//! Exploring a program: searches in turns until one of them finds something, or one has seen everything.

use crate::confirm::{Confirmation, Difference, repeat};
use crate::finding::{Finding, WaitStatus};
use crate::pairs::Pairs;
use crate::plan::{Choice, Plan};
use crate::race::{Access, DataRaces};
use crate::record::Record;
use crate::search::{Reduction, Search, Statistics};
use crate::session::{Failure, Session};
use operations::region::{Ending, Policy};
use std::ops::ControlFlow;

/// How runs are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All of the following in turns.
    Turns,
    /// One after the other until all are explored.
    Exhaustive,
    /// At random.
    Random,
    /// By random priorities that change now and then \[PCT\].
    Priorities,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How runs are chosen.
    pub strategy: Strategy,
    /// What the exhaustive search leaves out.
    pub reduction: Reduction,
    /// How many steps a run may have.
    pub depth: usize,
    /// How many runs there may be.
    pub runs: u64,
    /// Where random choices start from.
    pub seed: u64,
    /// Whether a nonzero exit code is wrong.
    pub checks_exit: bool,
    /// Whether the search goes on after something was found.
    pub finds_all: bool,
}

/// How an exploration ended.
#[derive(Clone, Debug)]
pub enum End {
    /// All interleavings were explored.
    Complete,
    /// All interleavings were explored up to the depth.
    Cut,
    /// All interleavings were explored for some of the values that the program asks for.
    Partial,
    /// A limit was reached or the user lost patience.
    Stopped,
    /// Something was found.
    Found,
    /// The program does what cannot be controlled; what it is.
    Refused(String),
    /// The program does not repeat.
    NotDeterministic(Difference),
}

/// Something that was found, and confirmed by executing it again.
#[derive(Clone, Debug)]
pub struct Found {
    /// What is wrong.
    pub finding: Finding,
    /// The run.
    pub record: Record,
    /// What it printed.
    pub printed: Vec<u8>,
}

/// What came of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// How it ended.
    pub end: End,
    /// What was found first.
    pub found: Option<Found>,
    /// The first run with a data race, and what raced in it.
    pub race: Option<(Record, Access, Access)>,
    /// How many pairs of places race.
    pub races: usize,
    /// How many runs went wrong.
    pub wrong: u64,
    /// Whether an access to memory was an operation.
    pub sees_memory: bool,
    /// How much the exhaustive search has done.
    pub search: Statistics,
    /// How much was done in all.
    pub total: Statistics,
}

/// Explores a program; `go_on` is asked before each run.
pub fn explore(
    session: &mut Session,
    options: &Options,
    go_on: &mut dyn FnMut(&Statistics) -> ControlFlow<()>,
) -> Result<Exploration, Failure> {
    let mut explorer = Explorer::new(session, options);
    let end = match explorer.take_turns(go_on)? {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => End::Stopped,
    };
    let search = explorer.search.statistics;
    Ok(Exploration {
        end,
        found: explorer.found,
        race: explorer.race,
        races: explorer.search_races.count().max(explorer.other_races.count()),
        wrong: explorer.wrong,
        sees_memory: explorer.sees_memory,
        search,
        total: explorer.total,
    })
}

/// Executes a single run, as its choices prescribe.
pub fn follow(session: &mut Session, options: &Options, tape: Vec<Choice>) -> Result<Exploration, Failure> {
    let mut explorer = Explorer::new(session, options);
    let plan = Plan { branch: tape.len(), tape, ..Plan::free(options.depth) };
    let record = explorer.session.run(&plan)?;
    explorer.total.count(&record, 0);
    explorer.look_for_races(Kind::Search, &record, &Plan::free(options.depth));
    let end = match explorer.judge(&record, &plan)? {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => End::Stopped,
    };
    let Explorer { found, race, total, wrong, search_races, search, sees_memory, .. } = explorer;
    let (races, search) = (search_races.count(), search.statistics);
    Ok(Exploration { end, found, race, races, wrong, sees_memory, search, total })
}

/// The runs of each kind in the first round; each round has twice as many as the one before.
const FIRST_ROUND: u64 = 32;
/// The longest turn.
const LONGEST_TURN: u64 = 1 << 12;
/// As many priorities change in a run.
const CHANGES: usize = 2;

struct Explorer<'a> {
    session: &'a mut Session,
    options: &'a Options,
    search: Search,
    pairs: Pairs,
    random: fastrand::Rng,
    total: Statistics,
    found: Option<Found>,
    race: Option<(Record, Access, Access)>,
    /// Of the exhaustive search, whose runs share their beginnings, and of all others.
    search_races: DataRaces,
    other_races: DataRaces,
    wrong: u64,
    is_partial: bool,
    sees_memory: bool,
}

/// What comes of a turn: nothing, or the end.
type Turn = Result<ControlFlow<End>, Failure>;

impl<'a> Explorer<'a> {
    fn new(session: &'a mut Session, options: &'a Options) -> Explorer<'a> {
        Explorer {
            session,
            options,
            search: Search::new(options.reduction, options.depth, options.finds_all),
            pairs: Pairs::default(),
            random: fastrand::Rng::with_seed(options.seed),
            total: Statistics::default(),
            found: None,
            race: None,
            search_races: DataRaces::default(),
            other_races: DataRaces::default(),
            wrong: 0,
            is_partial: false,
            sees_memory: false,
        }
    }

    fn take_turns(&mut self, go_on: &mut dyn FnMut(&Statistics) -> ControlFlow<()>) -> Turn {
        let mut turn = FIRST_ROUND;
        loop {
            for kind in self.kinds() {
                for _ in 0..turn {
                    if go_on(&self.total).is_break() || self.total.runs >= self.options.runs {
                        return Ok(ControlFlow::Break(self.stopped()));
                    }
                    match self.one(*kind)? {
                        Some(ControlFlow::Break(end)) => return Ok(ControlFlow::Break(end)),
                        Some(ControlFlow::Continue(())) => {}
                        None => break,
                    }
                }
            }
            turn = (turn * 2).min(LONGEST_TURN);
        }
    }

    fn stopped(&self) -> End {
        if self.found.is_some() { End::Found } else { End::Stopped }
    }

    fn kinds(&self) -> &'static [Kind] {
        match self.options.strategy {
            Strategy::Turns => &[Kind::Search, Kind::Pairs, Kind::Priorities, Kind::Random],
            Strategy::Exhaustive => &[Kind::Search],
            Strategy::Random => &[Kind::Random],
            Strategy::Priorities => &[Kind::Priorities],
        }
    }

    /// A run of a kind; none if there is none at the moment.
    fn one(&mut self, kind: Kind) -> Result<Option<ControlFlow<End>>, Failure> {
        let depth = self.options.depth;
        let plan = match kind {
            Kind::Search => match self.search.next_plan() {
                Some(plan) => plan,
                None => return Ok(Some(ControlFlow::Break(self.exhausted()))),
            },
            Kind::Pairs => match self.pairs.next_plan(depth) {
                Some(plan) => plan,
                None => return Ok(None),
            },
            Kind::Random => Plan { policy: Policy::Random, seed: self.random.u64(..), ..Plan::free(depth) },
            Kind::Priorities => self.priorities(),
        };
        let record = self.session.run(&plan)?;
        let repeated = if kind == Kind::Search { plan.branch } else { 0 };
        self.total.count(&record, repeated);
        self.look_for_races(kind, &record, &plan);
        let flow = self.judge(&record, &plan)?;
        if flow.is_break() {
            return Ok(Some(flow));
        }
        Ok(Some(self.learn(kind, &record)))
    }

    fn exhausted(&self) -> End {
        match (&self.found, self.search.statistics.cut) {
            (Some(_), _) => End::Found,
            (None, 0) if self.is_partial => End::Partial,
            (None, 0) => End::Complete,
            _ => End::Cut,
        }
    }

    fn priorities(&mut self) -> Plan {
        let length = self.total.longest.max(2);
        let changes = (0..CHANGES).map(|_| self.random.usize(..length)).collect();
        let seed = self.random.u64(..);
        Plan { policy: Policy::Priorities, seed, changes, ..Plan::free(self.options.depth) }
    }

    fn learn(&mut self, kind: Kind, record: &Record) -> ControlFlow<End> {
        if self.options.strategy == Strategy::Turns && (kind != Kind::Search || self.search.statistics.runs == 0) {
            self.pairs.learn(record);
        }
        if kind == Kind::Search
            && let Err(difference) = self.search.learn(record)
        {
            return ControlFlow::Break(End::NotDeterministic(difference));
        }
        ControlFlow::Continue(())
    }

    /// Looks at how a run ended. What is wrong is executed again before it counts; so is the first run.
    fn judge(&mut self, record: &Record, plan: &Plan) -> Turn {
        if let Some(end) = refusal(record) {
            return Ok(ControlFlow::Break(end));
        }
        self.is_partial |= record.is_partial;
        self.sees_memory |= self.total.runs == 1 && record.steps.iter().any(|step| step.event.op.kind.is_access());
        let finding = Finding::of(record, self.options.checks_exit);
        if finding.is_some() {
            self.wrong += 1;
        }
        let is_first = self.total.runs == 1;
        let is_news = finding.is_some() && self.found.is_none();
        if !is_first && !is_news {
            return Ok(ControlFlow::Continue(()));
        }
        let again = Plan { has_output: true, goes_on: plan.goes_on, ..Plan::free(plan.depth) };
        match repeat(self.session, record, &again)? {
            Confirmation::Different(difference) => Ok(ControlFlow::Break(End::NotDeterministic(difference))),
            Confirmation::Same(again) => Ok(self.keep(finding, *again)),
        }
    }

    fn keep(&mut self, finding: Option<Finding>, record: Record) -> ControlFlow<End> {
        let Some(finding) = finding else { return ControlFlow::Continue(()) };
        let printed = self.session.printed().unwrap_or_default();
        self.found = Some(Found { finding, record, printed });
        if self.options.finds_all { ControlFlow::Continue(()) } else { ControlFlow::Break(End::Found) }
    }

    /// Looks for data races in all runs of the exhaustive search, and now and then in others, which prove nothing.
    fn look_for_races(&mut self, kind: Kind, record: &Record, plan: &Plan) {
        let races = match kind {
            Kind::Search => self.search_races.find(&record.steps, plan.branch),
            _ if self.total.runs.is_power_of_two() => self.other_races.find(&record.steps, 0),
            _ => return,
        };
        if self.race.is_none()
            && let Some((first, second)) = races.into_iter().next()
        {
            self.race = Some((record.clone(), first, second));
        }
    }
}

/// A kind of run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Search,
    Pairs,
    Priorities,
    Random,
}

/// Why nothing can be said about the program, if a run shows that.
fn refusal(record: &Record) -> Option<End> {
    let why = match (record.ending, record.status) {
        (Ending::Mismatch, _) => {
            let step = usize::try_from(record.value).unwrap_or(record.steps.len());
            return Some(End::NotDeterministic(Difference { step, expected: None, found: None }));
        }
        (Ending::Foreign, _) => "a thread moved that the program did not create through pthread_create".to_owned(),
        (Ending::Full, _) => "the program uses more synchronisation objects than fit".to_owned(),
        (Ending::Unsupported, _) => format!("the program uses what is not modelled: {}", record.message),
        (Ending::Unknown, WaitStatus::Exited(code)) => {
            format!("the program ended with code {code} by a way that is not controlled")
        }
        _ => return None,
    };
    Some(End::Refused(why))
}
