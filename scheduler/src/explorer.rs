//! What is known while a program is explored, and what the next run is.

use crate::ahead::Ahead;
use crate::confirm::{Confirmation, Difference, repeat, repeat_up_to};
use crate::explore::{End, Exploration, Found, Options, Strategy};
use crate::finding::{Finding, Violation, WaitStatus};
use crate::livelock::starved;
use crate::novelty::Novelty;
use crate::pairs::Pairs;
use crate::plan::{Choice, Loops, Plan, Rotation};
use crate::race::DataRaces;
use crate::record::{Record, Step};
use crate::search::{Search, Statistics};
use crate::session::{Failure, Session};
use operations::region::{Ending, Policy};
use operations::{Lane, THICK};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The runs of each kind in the first round; each round has twice as many as the one before.
const FIRST_ROUND: u64 = 32;
/// The longest turn.
const LONGEST_TURN: u64 = 1 << 12;
/// A kind of run may make as many times the work that all its runs make if they are like the first one.
const SLACK: u64 = 4;
/// What a short run is worth, in steps, and what a long one: longer ones are no measure, as lanes may wait in loops in them.
const SHORT: u64 = 200;
const LONG: u64 = 40_000;
/// Where accesses are hidden, as many runs follow the exhaustive search.
const RUNS_BEYOND: u64 = 500;
/// As often a program is executed at least before it is said that everything is explored.
const LEAST_RUNS: u64 = 8;
/// At most as many priorities change in a run.
const MOST_CHANGES: usize = 5;

/// What is known while a program is explored.
pub struct Explorer<'a> {
    session: &'a mut Session,
    ahead: Ahead,
    options: &'a Options,
    search: Search,
    pairs: Pairs,
    novelty: Novelty,
    random: fastrand::Rng,
    total: Statistics,
    found: Option<Found>,
    race: Option<Found>,
    /// The work after which it is enough to have found that.
    enough: u64,
    /// The steps of the first run.
    first: Vec<Step>,
    /// Of the exhaustive search, whose runs share their beginnings, and of all others.
    search_races: DataRaces,
    other_races: DataRaces,
    failures: u64,
    codes: BTreeSet<i64>,
    /// The run after which there are no more, once the exhaustive search is done.
    last_beyond: Option<u64>,
    /// Whether the first run is longer than runs are.
    is_long: bool,
    is_partial: bool,
    is_unclear: bool,
    sees_memory: bool,
    is_concurrent: bool,
    /// The work that each kind of run has made, and that of the first run.
    work: [u64; Kind::COUNT],
    usual: u64,
}

/// What comes of a turn: nothing, or the end.
type Turn = Result<ControlFlow<End>, Failure>;

impl<'a> Explorer<'a> {
    /// Nothing is known yet.
    pub fn new(session: &'a mut Session, options: &'a Options) -> Explorer<'a> {
        let is_hidden = session.nature().hides_accesses();
        Explorer {
            ahead: Ahead::new(session, options.servers),
            session,
            options,
            search: Search::new(options.reduction, options.depth.min(THICK), options.finds_all)
                .of_what_is_seen(is_hidden),
            pairs: Pairs::default(),
            novelty: Novelty::default(),
            random: fastrand::Rng::with_seed(options.seed),
            total: Statistics::default(),
            found: None,
            race: None,
            first: Vec::new(),
            enough: u64::MAX,
            search_races: DataRaces::default(),
            other_races: DataRaces::default(),
            failures: 0,
            codes: BTreeSet::new(),
            last_beyond: None,
            is_long: false,
            is_partial: false,
            is_unclear: false,
            sees_memory: false,
            is_concurrent: false,
            work: [0; Kind::COUNT],
            usual: SHORT,
        }
    }

    /// What came of it.
    pub fn into_exploration(self, end: End) -> Exploration {
        Exploration {
            end,
            found: self.found,
            race: self.race,
            races: self.search_races.count().max(self.other_races.count()),
            failures: self.failures,
            codes: self.codes,
            sees_memory: self.sees_memory,
            sees_all: self.session.nature().shows_all_accesses(),
            sees_plain: self.session.nature().shows_plain,
            is_concurrent: self.is_concurrent,
            search: self.search.statistics,
            total: self.total,
        }
    }

    /// Executes a single run, as its choices prescribe.
    pub fn follow(&mut self, tape: Vec<Choice>) -> Result<End, Failure> {
        let plan = Plan { branch: tape.len(), tape, ..Plan::free(self.options.depth) };
        let record = self.session.run(&plan)?;
        self.total.count(&record, 0);
        let free = Plan::free(self.options.depth);
        match self.look_at(Kind::Search, &record, &free)? {
            ControlFlow::Break(end) => Ok(end),
            ControlFlow::Continue(()) => Ok(End::Stopped),
        }
    }

    /// Searches in turns, to the end. A kind whose runs make far more work than the first one did, because lanes wait in loops
    /// in them, has fewer of them.
    pub fn take_turns(&mut self, go_on: &mut dyn FnMut(&Statistics) -> ControlFlow<()>) -> Result<End, Failure> {
        let mut turn = FIRST_ROUND;
        let mut allowed = 0;
        loop {
            allowed += SLACK * turn * self.usual;
            for kind in self.kinds() {
                for _ in 0..turn {
                    if self.work[*kind as usize] > allowed {
                        break;
                    }
                    self.total.done = self.search.done();
                    if go_on(&self.total).is_break() || self.total.runs >= self.options.runs || self.has_enough() {
                        return Ok(self.stopped());
                    }
                    match self.one(*kind)? {
                        Some(ControlFlow::Break(end)) => return Ok(end),
                        Some(ControlFlow::Continue(())) => {}
                        None => break,
                    }
                }
            }
            turn = (turn * 2).min(LONGEST_TURN);
        }
    }

    /// Whether a data race was found long ago.
    fn has_enough(&self) -> bool {
        self.work.iter().sum::<u64>() > self.enough
    }

    fn stopped(&self) -> End {
        if self.found.is_some() { End::Found } else { End::Stopped }
    }

    fn kinds(&self) -> &'static [Kind] {
        match self.options.strategy {
            Strategy::Turns => &Kind::ROUND,
            Strategy::Exhaustive => &[Kind::Search],
            Strategy::Random => &[Kind::Random],
            Strategy::Priorities => &[Kind::Priorities],
            Strategy::Sampling => &[Kind::Sampling],
            Strategy::Novelty => &[Kind::Novelty],
        }
    }

    /// How many steps a run may have that is not of the exhaustive search. Only where the first run was cut off are others longer: elsewhere,
    /// lanes that wait in loops make them so.
    fn depth(&self) -> usize {
        if self.is_long { self.options.depth } else { self.options.depth.min(THICK) }
    }

    /// A run of a kind; none if there is none at the moment.
    fn one(&mut self, kind: Kind) -> Result<Option<ControlFlow<End>>, Failure> {
        let depth = self.depth();
        let plan = match kind {
            Kind::Search => match self.search.next_plan() {
                Some(plan) => plan,
                None if self.goes_beyond() => return Ok(None),
                None => return self.end_search().map(|end| Some(ControlFlow::Break(end))),
            },
            Kind::Pairs => match self.pairs.next_plan(depth) {
                Some(plan) => plan,
                None => return Ok(None),
            },
            Kind::Random => by_chance(&mut self.random, Policy::Random, depth),
            Kind::Sampling => by_chance(&mut self.random, Policy::Sampling, depth),
            Kind::Priorities => by_priorities(&mut self.random, self.total.longest, depth),
            Kind::Novelty => self.novelty.plan(&mut self.random, depth),
            Kind::Rotation => by_rotation(&mut self.random, depth),
        };
        self.look_ahead(kind, &plan);
        let record = match self.ahead.take(&plan) {
            Some(record) => record,
            None => self.session.run(&plan)?,
        };
        let repeated = if kind == Kind::Search { plan.branch } else { 0 };
        self.total.count(&record, repeated);
        self.note_work(kind, record.steps.len() as u64);
        let flow = self.look_at(kind, &record, &plan)?;
        if flow.is_break() {
            return Ok(Some(flow));
        }
        Ok(Some(self.learn(kind, &record)))
    }

    fn note_work(&mut self, kind: Kind, steps: u64) {
        self.work[kind as usize] += kind.work(steps);
        if self.total.runs == 1 {
            self.usual = kind.work(steps).clamp(SHORT, LONG);
        }
    }

    /// Whether runs by chance go on after the exhaustive search is done: where accesses are hidden, or runs were cut off, it has not seen
    /// everything.
    fn goes_beyond(&mut self) -> bool {
        let is_hidden = self.is_long || self.is_concurrent && !self.session.nature().shows_all_accesses();
        let last = *self.last_beyond.get_or_insert(self.total.runs + RUNS_BEYOND);
        is_hidden && self.options.strategy == Strategy::Turns && self.total.runs < last
    }

    /// All is explored. Where that took few runs, the first one is executed a few more times: what a program decides by chance, or by
    /// the clock of the processor, shows in few runs by luck only.
    fn end_search(&mut self) -> Result<End, Failure> {
        let first = std::mem::take(&mut self.first);
        let tape: Vec<Choice> = first.iter().map(Step::choice).collect();
        let (loops, goes_on) = (Loops::Left, self.options.finds_all);
        let plan = Plan { branch: tape.len(), tape, loops, goes_on, ..Plan::free(self.options.depth) };
        for _ in self.total.runs..LEAST_RUNS {
            let again = self.session.run(&plan)?;
            if again.status == WaitStatus::Halted {
                return Ok(self.stopped());
            }
            let longer = again.steps.get(first.len()).copied().map(Box::new);
            if let Err(difference) = Difference::between(&first, &again.steps) {
                return Ok(End::NotDeterministic(difference));
            }
            if longer.is_some() {
                return Ok(End::NotDeterministic(Difference { step: first.len(), expected: None, found: longer }));
            }
        }
        Ok(self.exhausted())
    }

    fn exhausted(&self) -> End {
        match (&self.found, self.search.statistics.cut) {
            (Some(_), _) => End::Found,
            (None, 0) if self.is_partial => End::Partial,
            (None, 0) if self.search.statistics.beyond > 0 => End::Bounded,
            (None, 0) if self.is_unclear => End::Unclear,
            (None, 0) => End::Complete,
            _ => End::Cut,
        }
    }

    /// Other servers have to do something meanwhile, once the first run has shown which threads there are.
    fn look_ahead(&mut self, kind: Kind, plan: &Plan) {
        if self.total.runs == 0 || !self.ahead.is_idle() {
            return;
        }
        let (depth, longest) = (self.depth(), self.total.longest);
        let mut random = self.random.clone();
        match kind {
            Kind::Search => self.ahead.execute(self.session, self.search.foreseen(plan)),
            Kind::Pairs => self.ahead.execute(self.session, self.pairs.coming(depth)),
            Kind::Random | Kind::Sampling => {
                let policy = if kind == Kind::Random { Policy::Random } else { Policy::Sampling };
                let coming = std::iter::repeat_with(|| by_chance(&mut random, policy, depth));
                self.ahead.execute(self.session, coming);
            }
            Kind::Priorities => {
                let coming = std::iter::repeat_with(|| by_priorities(&mut random, longest, depth));
                self.ahead.execute(self.session, coming);
            }
            Kind::Novelty => {
                let coming = std::iter::repeat_with(|| self.novelty.plan(&mut random, depth));
                self.ahead.execute(self.session, coming);
            }
            Kind::Rotation => {
                let coming = std::iter::repeat_with(|| by_rotation(&mut random, depth));
                self.ahead.execute(self.session, coming);
            }
        }
    }

    fn learn(&mut self, kind: Kind, record: &Record) -> ControlFlow<End> {
        let is_first = self.total.runs == 1;
        if is_first {
            self.first = record.steps.clone();
        }
        if matches!(self.options.strategy, Strategy::Turns | Strategy::Novelty) && (is_first || kind != Kind::Search) {
            // What was seen before has no new pairs.
            if self.novelty.learn(record) && self.options.strategy == Strategy::Turns {
                self.pairs.learn(&record.steps);
            }
        }
        if kind == Kind::Search
            && let Err(difference) = self.search.learn(record)
        {
            return ControlFlow::Break(End::NotDeterministic(difference));
        }
        ControlFlow::Continue(())
    }

    /// Looks at a run: can it be judged, are there data races in it, did it end well?
    fn look_at(&mut self, kind: Kind, record: &Record, plan: &Plan) -> Turn {
        if record.status == WaitStatus::Halted {
            return Ok(ControlFlow::Break(self.stopped()));
        }
        if let Some(end) = refusal(record) {
            return Ok(ControlFlow::Break(end));
        }
        self.is_partial |= record.is_partial;
        self.is_unclear |= kind == Kind::Search && record.is_unclear;
        if self.total.runs == 1 {
            self.is_long = record.ending == Ending::Depth;
            self.sees_memory = record.steps.iter().any(|step| step.event.op.kind.is_access());
            self.is_concurrent = record.steps.iter().any(|step| step.event.lane != Lane::MAIN);
        }
        if record.is_torn {
            self.search_races.leave_out(if kind == Kind::Search { plan.branch } else { usize::MAX });
            return Ok(ControlFlow::Continue(()));
        }
        if record.ending == Ending::Complete {
            self.codes.insert(record.value);
        }
        let flow = self.look_for_races(kind, record, plan)?;
        if flow.is_break() { Ok(flow) } else { self.judge(record, plan) }
    }

    /// Looks at how a run ended. What is wrong is executed again before it counts; so is the first run.
    fn judge(&mut self, record: &Record, plan: &Plan) -> Turn {
        let finding = Finding::of(record, self.options.exit_codes);
        if finding.is_some() {
            self.failures += 1;
        }
        if finding.is_none()
            && let Some(most) = self.options.livelock
            && let Some((lane, length)) = starved(record, most)
        {
            self.failures += 1;
            return self.confirm_livelock(record, Finding { violation: Violation::Livelock(most), lane }, length);
        }
        let is_first = self.total.runs == 1;
        let is_news = finding.is_some() && self.found.is_none();
        if !is_first && !is_news {
            return Ok(ControlFlow::Continue(()));
        }
        let again = Plan { has_output: true, goes_on: plan.goes_on, loops: plan.loops, ..Plan::free(plan.depth) };
        match repeat(self.session, record, &again)? {
            Confirmation::Different(difference) => Ok(ControlFlow::Break(End::NotDeterministic(difference))),
            Confirmation::Halted => Ok(ControlFlow::Break(self.stopped())),
            Confirmation::Same(again) => Ok(self.keep(finding, *again)),
        }
    }

    /// Executes a run again up to where a lane has waited too long.
    fn confirm_livelock(&mut self, record: &Record, finding: Finding, length: usize) -> Turn {
        if self.found.is_some() {
            return Ok(ControlFlow::Continue(()));
        }
        let plan = Plan { has_output: true, ..Plan::free(self.options.depth) };
        match repeat_up_to(self.session, record, length, &plan)? {
            Confirmation::Different(difference) => Ok(ControlFlow::Break(End::NotDeterministic(difference))),
            Confirmation::Halted => Ok(ControlFlow::Break(self.stopped())),
            Confirmation::Same(again) => Ok(self.keep(Some(finding), *again)),
        }
    }

    fn keep(&mut self, finding: Option<Finding>, record: Record) -> ControlFlow<End> {
        let Some(finding) = finding else { return ControlFlow::Continue(()) };
        let printed = self.session.printed().unwrap_or_default();
        self.found = Some(Found { finding, record, printed });
        if self.options.finds_all { ControlFlow::Continue(()) } else { ControlFlow::Break(End::Found) }
    }

    /// Looks for data races in all runs of the exhaustive search, and now and then in others, which prove nothing. The
    /// first one is executed again before it counts.
    fn look_for_races(&mut self, kind: Kind, record: &Record, plan: &Plan) -> Turn {
        let races = match kind {
            _ if !self.session.nature().shows_all_accesses() => return Ok(ControlFlow::Continue(())),
            Kind::Search => self.search_races.find(&record.steps, plan.branch),
            _ if self.total.runs.is_power_of_two() => self.other_races.find(record.beginning(), 0),
            _ => return Ok(ControlFlow::Continue(())),
        };
        match races.first() {
            Some(race) if self.race.is_none() => self.confirm_race(record, *race),
            _ => Ok(ControlFlow::Continue(())),
        }
    }

    /// Executes a run again up to the second access of a race.
    fn confirm_race(&mut self, record: &Record, race: (usize, usize)) -> Turn {
        let (first, second) = race;
        let plan = Plan { has_output: true, ..Plan::free(self.options.depth) };
        let again = match repeat_up_to(self.session, record, second + 1, &plan)? {
            Confirmation::Different(difference) => return Ok(ControlFlow::Break(End::NotDeterministic(difference))),
            Confirmation::Halted => return Ok(ControlFlow::Break(self.stopped())),
            Confirmation::Same(again) => *again,
        };
        let finding = Finding { violation: Violation::DataRace { first }, lane: again.steps[second].event.lane };
        let printed = self.session.printed().unwrap_or_default();
        self.race = Some(Found { finding, record: again, printed });
        let more = self.options.runs_after_race.saturating_mul(self.usual);
        self.enough = self.work.iter().sum::<u64>().saturating_add(more);
        Ok(ControlFlow::Continue(()))
    }
}

fn by_chance(random: &mut fastrand::Rng, policy: Policy, depth: usize) -> Plan {
    Plan { policy, seed: random.u64(..), ..Plan::free(depth) }
}

fn by_priorities(random: &mut fastrand::Rng, longest: usize, depth: usize) -> Plan {
    let count = random.usize(1..=MOST_CHANGES);
    let changes = (0..count).map(|_| random.usize(..longest.max(2))).collect();
    Plan { policy: Policy::Priorities, seed: random.u64(..), changes, ..Plan::free(depth) }
}

fn by_rotation(random: &mut fastrand::Rng, depth: usize) -> Plan {
    let rotation = Rotation::any(random);
    Plan { policy: Policy::Rotation, seed: random.u64(..), rotation, ..Plan::free(depth) }
}

/// A kind of run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Search,
    Pairs,
    Priorities,
    Sampling,
    Random,
    Novelty,
    Rotation,
}

impl Kind {
    const COUNT: usize = 7;

    /// What is done in turns. Rare bugs are found by going on from what was new more than by anything else.
    const ROUND: [Kind; 8] = [
        Kind::Search,
        Kind::Pairs,
        Kind::Priorities,
        Kind::Novelty,
        Kind::Rotation,
        Kind::Sampling,
        Kind::Random,
        Kind::Novelty,
    ];

    /// How much work a run makes, in steps: the exhaustive search looks at pairs of them.
    fn work(self, steps: u64) -> u64 {
        const QUICK_PAIRS: u64 = 100;
        if self == Kind::Search { steps + steps * steps / QUICK_PAIRS } else { steps }
    }
}

/// Why nothing can be said about the program, if a run shows that.
fn refusal(record: &Record) -> Option<End> {
    let why = match (record.ending, record.status) {
        _ if record.is_overwritten => {
            "the program has written over memory by which it is controlled: a pointer of it goes astray".to_owned()
        }
        (Ending::Mismatch, _) => {
            let step = usize::try_from(record.value).unwrap_or(record.steps.len());
            return Some(End::NotDeterministic(Difference { step, expected: None, found: None }));
        }
        (_, WaitStatus::Blocked) => format!(
            "a thread waits for something that is not controlled{}, such as a lock inside of a library, a file or a socket",
            record.message
        ),
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
