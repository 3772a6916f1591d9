//! Which run comes next.
//!
//! The search is depth-first over the choices of lanes, and re-executes the program for every run. What it keeps is the
//! path of the last run, and for each state of it what has been tried and what is to be tried.

use crate::clocks::Clocks;
use crate::confirm::Difference;
use crate::plan::{Choice, Loops, Plan};
use crate::preemption::preemptions;
use crate::race::{Race, races_of};
use crate::record::{Pending, Record, Step};
use crate::wakeup::{Tree, initials, is_weak_initial};
use operations::region::{Ending, Policy};
use operations::{Event, Kind, Lane, LaneSet};

/// Which interleavings are left out because they are equivalent to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// None, but that lanes begin and end as soon as they can: the transitions of \[God97\] are the operations on objects,
    /// from the state on in which every process is at its first one.
    None,
    /// As none, but also those with more preemptions than this, whatever they would show.
    Preemptions(u32),
    /// Those that sleep sets leave out: Algorithm 2 of \[God97\] where nothing is known about what comes.
    Sleep,
    /// Source sets, found by looking at races.
    Source,
    /// Source sets and wakeup trees: each trace once.
    Optimal,
}

impl Reduction {
    /// Whether equivalent interleavings are explored too.
    fn is_plain(self) -> bool {
        matches!(self, Reduction::None | Reduction::Preemptions(_))
    }
}

/// How much has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Runs.
    pub runs: u64,
    /// Runs that went to an end.
    pub complete: u64,
    /// Runs that ended because everything else had been explored.
    pub asleep: u64,
    /// Runs that ended because they were too long.
    pub cut: u64,
    /// Runs that ended where lanes wait in loops for what has come meanwhile: they come to the loops later in others.
    pub idle: u64,
    /// Runs that went to an end, but are none of the program: others did something within its atomic sections.
    pub torn: u64,
    /// Steps, without those that repeat the run before.
    pub transitions: u64,
    /// All steps.
    pub steps: u64,
    /// The longest run.
    pub longest: usize,
    /// How often something was left out because of a bound on preemptions.
    pub beyond: u64,
    /// How much of the exhaustive search is done, in millionths, as far as that can be said.
    pub done: u32,
}

impl Statistics {
    /// Counts a run, which repeated the one before up to a step.
    pub fn count(&mut self, record: &Record, repeated: usize) {
        self.runs += 1;
        match record.ending {
            Ending::Asleep => self.asleep += 1,
            Ending::Depth => self.cut += 1,
            Ending::Idle => self.idle += 1,
            _ if record.is_torn => self.torn += 1,
            _ => self.complete += 1,
        }
        self.steps += record.steps.len() as u64;
        let new = record.steps.iter().skip(repeated);
        self.transitions += new.filter(|step| !step.event.op.kind.is_of_life()).count() as u64;
        self.longest = self.longest.max(record.steps.len());
    }
}

/// A state of the last run.
#[derive(Clone, Debug, Default)]
struct Node {
    /// The lanes that need not be tried from here.
    asleep: LaneSet,
    /// What they would do.
    sleepers: Vec<Event>,
    /// The lanes that have been tried.
    tried: LaneSet,
    /// The lanes that have to be tried: those of a source set.
    source: LaneSet,
    /// The lanes that could not move where they were tried.
    stuck: LaneSet,
    /// The sequences that have to be tried.
    tree: Tree,
    /// How many of its branches have been explored.
    explored: u32,
}

/// A search through the interleavings of a program.
#[derive(Clone, Debug)]
pub struct Search {
    reduction: Reduction,
    depth: usize,
    goes_on: bool,
    /// Whether runs may differ from what was foreseen, because threads communicate by what is not seen.
    is_lenient: bool,
    nodes: Vec<Node>,
    steps: Vec<Step>,
    clocks: Clocks,
    /// Where the run that is under way leaves the one before.
    branch: usize,
    /// What is left of the wakeup tree along the steps that the run under way is to take.
    carried: Vec<Tree>,
    /// What the run under way is to do from there on.
    prescribed: Vec<Choice>,
    has_begun: bool,
    /// How much has been done.
    pub statistics: Statistics,
}

impl Search {
    /// A search that has not begun, for runs of at most this many steps.
    pub fn new(reduction: Reduction, depth: usize, goes_on: bool) -> Search {
        Search {
            reduction,
            depth,
            goes_on,
            is_lenient: false,
            nodes: Vec::new(),
            steps: Vec::new(),
            clocks: Clocks::default(),
            branch: 0,
            carried: Vec::new(),
            prescribed: Vec::new(),
            has_begun: false,
            statistics: Statistics::default(),
        }
    }

    /// The same of a program whose threads may communicate by what is not seen: a reversed race need not be a run then. Where a lane
    /// cannot move that is to move, another one does. Wakeup trees hold what was foreseen, and would leave out what else is possible there: where that
    /// happens, the search begins again, by source sets.
    #[must_use]
    pub fn of_what_is_seen(self, is_lenient: bool) -> Search {
        Search { is_lenient, ..self }
    }

    /// The next run; none if all is explored.
    pub fn next_plan(&mut self) -> Option<Plan> {
        if !self.has_begun {
            self.has_begun = true;
            return Some(self.plan(Vec::new(), LaneSet::default()));
        }
        while let Some(last) = self.nodes.len().checked_sub(1) {
            if let Some(choices) = self.untried(last) {
                self.branch = last;
                self.nodes[last].explored += 1;
                let mut tape: Vec<Choice> = self.steps[..last].iter().map(Step::choice).collect();
                tape.extend(&choices);
                self.prescribed = choices;
                let asleep = self.nodes[last].asleep;
                return Some(self.plan(tape, asleep));
            }
            self.nodes.pop();
        }
        None
    }

    fn plan(&self, tape: Vec<Choice>, sleep: LaneSet) -> Plan {
        let sleep = if self.reduction.is_plain() { LaneSet::default() } else { sleep };
        let policy = if self.reduction.is_plain() { Policy::LivesFirst } else { Policy::Stay };
        let (branch, goes_on, loops, is_lenient) = (self.branch, self.goes_on, Loops::Left, self.is_lenient);
        Plan { tape, branch, sleep, policy, goes_on, loops, is_lenient, ..Plan::free(self.depth) }
    }

    /// The runs that will come at some time, the next ones first, as far as can be foreseen while one is under way.
    pub fn foreseen<'a>(&'a self, under_way: &'a Plan) -> impl Iterator<Item = Plan> + 'a {
        (0..self.nodes.len()).rev().filter_map(move |index| self.foreseen_at(index, under_way))
    }

    /// What comes after the run under way from a state that it shares with the last one.
    fn foreseen_at(&self, index: usize, under_way: &Plan) -> Option<Plan> {
        let (node, step, now) = (&self.nodes[index], self.steps.get(index)?, under_way.tape.get(index)?.lane);
        let mut asleep = node.asleep;
        if !node.tree.begins_with(now) {
            asleep.insert(now);
        }
        let lane = |lane: Lane| vec![Choice { lane, toss: None }];
        let is_tried = |lane: &Lane| *lane == now || node.tried.contains(*lane);
        let choices = match self.reduction {
            Reduction::Optimal => Some(node.tree.first().iter().map(Choice::of).collect()),
            // The other values of a toss come first, and preemptions have to be counted.
            Reduction::Preemptions(_) => None,
            _ if step.event.op.kind == Kind::Toss => None,
            Reduction::None if step.event.op.kind.is_of_life() => None,
            Reduction::None => step.enabled.iter().find(|lane| !is_tried(lane)).map(lane),
            Reduction::Sleep => step.enabled.iter().find(|lane| !asleep.contains(*lane)).map(lane),
            Reduction::Source => node.source.iter().find(|lane| !asleep.contains(*lane)).map(lane),
        };
        let choices: Vec<Choice> = choices.filter(|choices: &Vec<Choice>| !choices.is_empty())?;
        let tape = [&under_way.tape[..index], &choices].concat();
        Some(Plan { branch: index, ..self.plan(tape, asleep) })
    }

    /// How much of the search is done, in millionths, if what is left of each state on the path takes as long as what is
    /// done of it [Knuth 1975]. Races that are found later add to what is left.
    pub fn done(&self) -> u32 {
        let (mut done, mut weight) = (0.0, 1.0);
        for (node, step) in self.nodes.iter().zip(&self.steps) {
            let explored = f64::from(node.explored);
            let branches = explored + 1.0 + self.left(node, step) as f64;
            done += weight * explored / branches;
            weight /= branches;
        }
        (done * 1e6) as u32
    }

    /// How many branches are known to be left of a state.
    fn left(&self, node: &Node, step: &Step) -> usize {
        let count = |lanes: &LaneSet, but: &LaneSet| {
            lanes.iter().filter(|lane| *lane != step.event.lane && !but.contains(*lane)).count()
        };
        match self.reduction {
            Reduction::Optimal => node.tree.width(),
            _ if self.reduction.is_plain() && step.event.op.kind.is_of_life() => 0,
            Reduction::None | Reduction::Preemptions(_) => count(&step.enabled, &node.tried),
            Reduction::Sleep => count(&step.enabled, &node.asleep),
            Reduction::Source => count(&node.source, &node.asleep),
        }
    }

    /// What is to be tried next from a state of the last run.
    fn untried(&mut self, index: usize) -> Option<Vec<Choice>> {
        let step = self.steps[index];
        self.carried.clear();
        if self.reduction != Reduction::Optimal
            && let Some(choice) = next_value(&step)
        {
            return Some(vec![choice]);
        }
        let node = &mut self.nodes[index];
        node.tried.insert(step.event.lane);
        if !node.tree.begins_with(step.event.lane) {
            node.asleep.insert(step.event.lane);
            node.sleepers.push(step.event);
        }
        let lane = |lane: Lane| vec![Choice { lane, toss: None }];
        match self.reduction {
            _ if self.reduction.is_plain() && step.event.op.kind.is_of_life() => None,
            Reduction::Preemptions(most) => self.within(most, index).map(lane),
            Reduction::None => step.enabled.iter().find(|lane| !node.tried.contains(*lane)).map(lane),
            Reduction::Sleep => step.enabled.iter().find(|lane| !node.asleep.contains(*lane)).map(lane),
            Reduction::Source => {
                let is_left = |of: &Lane| !node.asleep.contains(*of) && !node.stuck.contains(*of);
                node.source.iter().find(is_left).map(lane)
            }
            Reduction::Optimal => self.first_sequence(index),
        }
    }

    /// A lane that has not been tried from a state of the last run, with not too many preemptions.
    fn within(&mut self, most: u32, index: usize) -> Option<Lane> {
        let (step, tried) = (self.steps[index], self.nodes[index].tried);
        let mut untried = step.enabled.iter().filter(|lane| !tried.contains(*lane));
        let next = untried.find(|lane| preemptions(&self.steps[..index], *lane, &step.enabled) <= most);
        if next.is_none() && step.enabled.iter().any(|lane| !tried.contains(lane)) {
            self.statistics.beyond += 1;
        }
        next
    }

    /// Takes the first sequence of a wakeup tree; what branches off from it is kept for the states along it.
    fn first_sequence(&mut self, index: usize) -> Option<Vec<Choice>> {
        let mut choices = Vec::new();
        let mut branch = self.nodes[index].tree.take_first();
        branch.as_ref()?;
        while let Some(taken) = branch {
            choices.push(Choice::of(&taken.event));
            let mut rest = taken.rest;
            branch = rest.take_first();
            self.carried.push(rest);
        }
        Some(choices)
    }

    /// Learns from a run that was executed by the last plan.
    pub fn learn(&mut self, record: &Record) -> Result<(), Difference> {
        let shared = self.branch.min(self.steps.len());
        Difference::between(&self.steps[..shared], &record.steps)?;
        let as_prescribed = |(step, choice): &(&Step, &Choice)| step.choice() == **choice;
        let new = record.steps.iter().skip(self.branch).zip(&self.prescribed);
        let length = new.take_while(as_prescribed).count();
        if self.is_lenient && length < self.prescribed.len() && !Self::ends_early(record, self.branch + length) {
            if self.reduction == Reduction::Optimal {
                *self = Search::new(Reduction::Source, self.depth, self.goes_on).of_what_is_seen(true);
                return Ok(());
            }
            self.nodes[self.branch].stuck.insert(self.prescribed[0].lane);
        }
        self.carried.truncate(length);
        if self.is_lenient && record.steps.len() <= self.branch {
            self.statistics.count(record, self.branch);
            return Ok(());
        }
        if let Some(missing) = self.steps.get(self.branch).filter(|_| record.steps.len() <= self.branch) {
            return Err(Difference { step: self.branch, expected: Some(Box::new(*missing)), found: None });
        }
        self.statistics.count(record, self.branch);
        self.extend(record);
        if matches!(self.reduction, Reduction::Source | Reduction::Optimal) {
            self.reverse_races(record);
        }
        Ok(())
    }

    /// Whether a run ends at a step because something is wrong there, or it is long enough.
    fn ends_early(record: &Record, step: usize) -> bool {
        use Ending::{Asleep, Complete, Deadlock, Idle, Livelock};
        record.steps.len() == step && !matches!(record.ending, Asleep | Complete | Deadlock | Idle | Livelock)
    }

    /// Replaces what is new of the path.
    fn extend(&mut self, record: &Record) {
        let is_first = self.nodes.is_empty();
        self.steps.truncate(self.branch);
        self.clocks.truncate(self.branch);
        self.nodes.truncate(self.branch + 1);
        let mut carried = std::mem::take(&mut self.carried).into_iter();
        for (index, step) in record.steps.iter().enumerate().skip(self.branch) {
            if index >= self.nodes.len() {
                let tree = if index > self.branch { carried.next().unwrap_or_default() } else { Tree::default() };
                let sleepers = self.nodes.last().map_or(&[][..], |node| &node.sleepers);
                let sleepers = sleepers.iter().filter(|event| step.asleep.contains(event.lane)).copied().collect();
                self.nodes.push(Node { asleep: step.asleep, sleepers, tree, ..Node::default() });
            }
            let node = &mut self.nodes[index];
            node.source.insert(step.event.lane);
            if self.reduction == Reduction::Optimal && (is_first || index > self.branch) {
                toss_again(node, step);
            }
            self.steps.push(*step);
            self.clocks.push(step.event);
        }
    }

    /// Sees to it that the races of what is new are reversed.
    fn reverse_races(&mut self, record: &Record) {
        let mut races: Vec<Race> = Vec::new();
        for place in self.branch..self.steps.len() {
            races.extend(races_of(&self.clocks, place, &self.steps[place].event));
        }
        // What could not happen in the end would have happened if others had not been faster. Source sets need to know
        // that also of runs that end because the rest is asleep: what is blocked there is not looked at elsewhere.
        if record.ending != Ending::Asleep || self.reduction == Reduction::Source {
            let is_blocked = |pending: &&Pending| pending.op.kind != Kind::Exit && !pending.is_in_loop;
            for blocked in record.pending.iter().filter(is_blocked) {
                let event = Event { lane: blocked.lane, op: blocked.op, result: 0 };
                races.extend(races_of(&self.clocks, self.steps.len(), &event));
            }
        }
        races.into_iter().for_each(|race| self.reverse(race));
    }

    fn reverse(&mut self, race: Race) {
        let node = &mut self.nodes[race.first];
        match self.reduction {
            Reduction::Optimal => {
                if !node.sleepers.iter().any(|event| is_weak_initial(event, &race.instead)) {
                    node.tree.insert(race.instead);
                }
            }
            _ => {
                let can_move = |lane: &Lane| !node.stuck.contains(*lane);
                if !initials(&race.instead).filter(can_move).any(|lane| node.source.contains(lane)) {
                    initials(&race.instead).find(can_move).into_iter().for_each(|lane| node.source.insert(lane));
                }
            }
        }
    }
}

/// The next value of a toss.
fn next_value(step: &Step) -> Option<Choice> {
    let Event { lane, op, result } = step.event;
    let has_more = op.kind == Kind::Toss && result < op.value;
    has_more.then(|| Choice { lane, toss: Some(result as u32 + 1) })
}

/// The other values of a toss exclude this one, as if they raced with it. Where a lane is asleep they are explored
/// after it, or will be found there.
fn toss_again(node: &mut Node, step: &Step) {
    let Event { op, result, .. } = step.event;
    if op.kind != Kind::Toss || !node.asleep.is_empty() {
        return;
    }
    for value in (0..=op.value).rev().filter(|value| *value != result) {
        node.tree.put_first(Event { result: value, ..step.event });
    }
}
