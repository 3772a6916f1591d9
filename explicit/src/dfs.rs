//! Depth-first search in bounded memory (\[JJ91\] §2), with persistent and sleep sets.
//!
//! Commands outside a persistent set are put off, and on a cycle they could be put off for ever. The proviso prevents it:
//! a state is expanded by all its commands unless some step of the persistent set leads to a state that is not on the
//! path. Such a state is done before this one is, so that by induction over the order in which states are done, whatever
//! is put off there is not lost. With sleep sets, the step has to be one that is really made. Deadlocks are found without
//! the proviso.
//!
//! An atomic section is one step: what is inside it is looked at and not stored.

use super::cache::{Cache, Entered, Room};
use super::check::{Checker, OpenProperties};
use super::options::{Keeping, Options, Sets, patience};
use super::persistent::{Enabled, Persistent};
use super::result::{deadlocked, with_fault};
use super::rows::are_equal;
use super::sleep::{Sleep, SleepSets};
use super::slumber::Slumber;
use super::successors::{Inside, Successors, Way, each_initial_state};
use super::trace::through;
use super::tree::{Cursor, Tree};
use super::verdict::conclude;
use engine::{Cost, Findings, Replacement, Stop};
use limits::{Handle, Progress};
use std::ops::ControlFlow;
use system::{CommandId, Dependency, Halt, Machine, Memo, Moved, PropertyId, State, Trace, Visit};

/// How often it is told how far the search is.
const EVERY: u64 = 4096;

/// Searches depth-first. A system with many commands has a first look without reduction: what depends on what takes long to compute there.
pub fn search(machine: &Machine, properties: &[PropertyId], options: &Options, handle: &mut Handle<'_>) -> Findings {
    let open = OpenProperties::new(machine, properties);
    let reduces = options.reduction.sets != Sets::None;
    let watched = open.watched(machine).filter(|_| reduces);
    let patience = watched.and_then(|_| patience(machine.system()));
    let mut known = Vec::new();
    if let Some(patience) = patience {
        let found = search_with(machine, open.clone(), (options, None), &mut handle.patient(patience));
        let has_given_up = matches!(found.stop, Stop::Interrupted | Stop::Memory) && !handle.is_over();
        if !has_given_up {
            return conclude(found, (machine, properties), options, handle);
        }
        known = found.verdicts;
    }
    let dependency = watched.map(|watched| options.reduction.dependency(machine.system(), watched));
    let mut left = open.clone();
    known.iter().for_each(|(property, _)| _ = left.close(*property));
    let mut found = search_with(machine, left, (options, dependency.as_ref()), handle);
    found.verdicts.splice(0..0, known);
    conclude(found, (machine, properties), options, handle)
}

/// Searches, with a reduction by what depends on what.
fn search_with(
    machine: &Machine,
    open: OpenProperties,
    (options, dependency): (&Options, Option<&Dependency>),
    handle: &mut Handle<'_>,
) -> Findings {
    let mut search = Dfs::new(machine, open, options, dependency);
    match search.run(handle) {
        Ok(stop) => search.finish(stop),
        Err(Halt::Interrupted) => search.finish(Stop::Interrupted),
        Err(Halt::Failed(failure)) => {
            let trace = search.trace(search.fresh.inside.as_ref());
            with_fault(search.finish(Stop::Decided), (failure, trace))
        }
    }
}

/// A state on the current path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    slot: u32,
    /// Its steps to make, in `todo`.
    next: u32,
    end: u32,
    /// What sleeps.
    sleep: Sleep,
    /// The command of the last step that was made.
    last: Option<CommandId>,
    /// How many commands ran to get here.
    depth: usize,
    /// How many states had been stored.
    stored: usize,
    /// Whether it was visited before, and is again for what slept then.
    is_woken: bool,
}

/// How a search arrives at a state.
#[derive(Clone, Copy, Debug, Default)]
struct Arrival {
    /// The command that led to it; none if it is an initial state or the end of a section.
    command: Option<CommandId>,
    /// What sleeps there.
    sleep: Sleep,
    /// How many commands ran to get there.
    depth: usize,
}

struct Dfs<'a> {
    machine: &'a Machine,
    options: &'a Options,
    dependency: Option<&'a Dependency>,
    persistent: Option<Persistent<&'a Dependency>>,
    memo: Memo,
    checker: Checker,
    cache: Cache,
    /// The last state of the path.
    here: Cursor,
    /// For each slot of the cache, what was not tried there because it slept; for those that are missing, nothing. Empty without sleep sets.
    slept: Vec<Sleep>,
    sets: SleepSets,
    /// Whether commands are put to sleep, while that pays.
    slumber: Option<Slumber<'a>>,
    /// What sleeps in the state at hand.
    sleeping: Vec<CommandId>,
    path: Vec<Frame>,
    todo: Vec<Way>,
    /// The states that the steps of `todo` lead to, where there are atomic sections.
    ends: Vec<u64>,
    open: OpenProperties,
    fresh: Successors,
    /// The state that a step leads to.
    ahead: Vec<u64>,
    longest_path: usize,
    is_cut: bool,
    result: Findings,
}

/// Why the search goes on or not.
type Flow = ControlFlow<Stop>;

impl<'a> Dfs<'a> {
    fn new(
        machine: &'a Machine,
        open: OpenProperties,
        options: &'a Options,
        dependency: Option<&'a Dependency>,
    ) -> Self {
        let cache = Cache::new(Tree::new(machine.layout().words()), options.forgetting, options.seed);
        Dfs {
            machine,
            options,
            dependency,
            persistent: dependency.filter(|_| options.reduction.is_persistent()).map(Persistent::thrifty),
            memo: machine.memo(),
            checker: Checker::new(machine),
            here: cache.cursor(),
            cache,
            slept: Vec::new(),
            sets: SleepSets::new(),
            slumber: dependency.filter(|_| options.reduction.sleeps()).map(Slumber::new),
            sleeping: Vec::new(),
            path: Vec::new(),
            todo: Vec::new(),
            ends: Vec::new(),
            open,
            fresh: Successors::default(),
            ahead: vec![0; machine.layout().words()],
            longest_path: 0,
            is_cut: false,
            result: Findings::new("explicit"),
        }
    }

    fn run(&mut self, handle: &mut Handle<'_>) -> Result<Stop, Halt> {
        match each_initial_state(self.machine, |state| self.run_from(state, handle))? {
            ControlFlow::Break(stop) => return Ok(stop),
            ControlFlow::Continue(is_any) => self.result.has_initial_state = is_any,
        }
        Ok(if self.is_cut { Stop::Bound } else { Stop::Complete })
    }

    /// Visits all that is reached from an initial state and has not been visited.
    fn run_from(&mut self, initial: &State, handle: &mut Handle<'_>) -> Result<Flow, Halt> {
        if let Flow::Break(stop) = self.arrive(&initial.0, Arrival::default())? {
            return Ok(Flow::Break(stop));
        }
        while !self.path.is_empty() {
            if let Flow::Break(stop) = self.step()? {
                return Ok(Flow::Break(stop));
            }
            if self.result.cost.transitions.is_multiple_of(EVERY) && handle.see(self.progress()).is_break() {
                return Ok(Flow::Break(Stop::Interrupted));
            }
        }
        Ok(Flow::Continue(()))
    }

    fn progress(&self) -> Progress {
        Progress::States { states: self.cache.insertions, depth: self.path.len() }
    }

    fn stack_bytes(&self) -> usize {
        size_of_val(&self.path[..]) + size_of_val(&self.todo[..]) + size_of_val(&self.ends[..])
    }

    /// The most memory that is in use while this many more states are stored.
    fn bytes_with(&self, more: usize) -> usize {
        let sleep = self.slept.len() * size_of::<Sleep>() + self.sets.bytes();
        self.cache.bytes_with(more) + self.stack_bytes() + self.memo.bytes() + sleep
    }

    /// Makes the next step from the last state of the path, or goes back.
    fn step(&mut self) -> Result<Flow, Halt> {
        let Some(frame) = self.path.last().copied() else { return Ok(Flow::Continue(())) };
        if frame.next == frame.end {
            self.leave();
            return Ok(Flow::Continue(()));
        }
        let Way { local, command, length } = self.todo[frame.next as usize];
        let mut ahead = std::mem::take(&mut self.ahead);
        if self.has_sections() {
            let width = ahead.len();
            ahead.copy_from_slice(&self.ends[frame.next as usize * width..][..width]);
        } else {
            self.cache.go_to(&mut self.here, frame.slot);
            self.memo.execute(self.machine, self.here.state(), local, &mut ahead)?;
        }
        self.result.cost.transitions += 1;
        let sleep = self.advance(frame, command);
        let depth = frame.depth + length as usize;
        let flow = self.arrive(&ahead, Arrival { command: (length == 1).then_some(command), sleep, depth });
        self.ahead = ahead;
        flow
    }

    fn has_sections(&self) -> bool {
        self.machine.system().has_atomic_sections
    }

    /// Moves the last frame on by one step; what sleeps after it.
    fn advance(&mut self, frame: Frame, command: CommandId) -> Sleep {
        let Dfs { machine, slumber, sets, cache, here, .. } = self;
        let (mut sleep, mut after) = (frame.sleep, Sleep::default());
        // Commands come in a row: when the next one begins, the last one has been tried in every way.
        let tried = frame.last.filter(|last| *last != command);
        let may_sleep = tried.is_some() || !sleep.is_empty();
        if let Some(slumber) = slumber.as_mut().filter(|_| may_sleep)
            && !slumber.rests()
        {
            slumber.looked();
            sleep = tried.map_or(sleep, |tried| sets.with(sleep, tried));
            after = sets.after(sleep, command, (*machine, slumber.dependency), move || {
                cache.go_to(here, frame.slot);
                here.state()
            });
        }
        if let Some(top) = self.path.last_mut() {
            *top = Frame { next: frame.next + 1, sleep, last: Some(command), ..frame };
        }
        after
    }

    /// Goes back by one state.
    fn leave(&mut self) {
        if let Some(frame) = self.path.pop() {
            let start = self.path.last().map_or(0, |below| below.end);
            if self.options.keeping == Keeping::Branching && frame.end - start < 2 && !frame.is_woken {
                self.cache.drop_last(frame.slot);
            } else {
                self.cache.pop(frame.slot, self.cache.insertions - frame.stored);
            }
            self.todo.truncate(start as usize);
            self.ends.truncate(self.todo.len() * self.ahead.len());
        }
    }

    /// Visits a state, unless that has been done.
    fn arrive(&mut self, state: &[u64], arrival: Arrival) -> Result<Flow, Halt> {
        if self.bytes_with(0) > self.options.limits.counted() {
            return Ok(Flow::Break(Stop::Memory));
        }
        let room = self.room();
        match self.cache.enter(state, room) {
            Entered::Full => Ok(Flow::Break(Stop::Memory)),
            Entered::Known(slot) => {
                let slept = self.slept.get(slot as usize).filter(|slept| !slept.is_empty()).copied();
                if let Some(slept) = slept {
                    self.wake(slot, slept, arrival)?;
                }
                Ok(Flow::Continue(()))
            }
            Entered::New(slot) => {
                self.note_sleep(slot, arrival.sleep);
                self.visit(slot, arrival)
            }
        }
    }

    /// Whether one more state can be stored; a part of the memory is left to the path, which may yet double. Half of that is
    /// left to it even if new nodes are needed for states that replace others.
    fn room(&self) -> Room {
        let (stack, memory) = (2 * self.stack_bytes(), self.options.limits.counted());
        let used = self.bytes_with(1) - self.stack_bytes();
        let is_left = |path: usize| used.saturating_add(path.max(stack)) <= memory;
        let most = self.options.capacity.min(u32::MAX as usize);
        Room { state: self.cache.len() < most && is_left(memory / 8), memory: is_left(memory / 16) }
    }

    /// Notes what sleeps in a new state, which may have the place of one that was forgotten.
    fn note_sleep(&mut self, slot: u32, sleep: Sleep) {
        let slot = slot as usize;
        if slot >= self.slept.len() && !sleep.is_empty() {
            self.slept.resize(slot + 1, Sleep::default());
        }
        if let Some(slept) = self.slept.get_mut(slot) {
            *slept = sleep;
        }
    }

    /// Tries what slept when the state was visited before and does not now.
    fn wake(&mut self, slot: u32, before: Sleep, arrival: Arrival) -> Result<(), Halt> {
        let both = self.sets.common(before, arrival.sleep);
        if both == before {
            return Ok(());
        }
        let awake = self.sets.awake(before, both);
        self.slept[slot as usize] = both;
        self.push(slot, Arrival { sleep: both, ..arrival });
        if let Some(top) = self.path.last_mut() {
            top.is_woken = true;
        }
        self.collect(arrival.depth)?;
        let planned = self.todo.len();
        self.plan(|command| awake.contains(&command));
        let woken = self.todo.len() - planned;
        if let Some(slumber) = &mut self.slumber {
            slumber.woke(woken);
        }
        Ok(())
    }

    fn push(&mut self, slot: u32, Arrival { sleep, depth, .. }: Arrival) {
        self.cache.push(slot);
        self.cache.go_to(&mut self.here, slot);
        let end = self.todo.len() as u32;
        self.path.push(Frame {
            slot,
            next: end,
            end,
            sleep,
            last: None,
            depth,
            stored: self.cache.insertions,
            is_woken: false,
        });
        self.result.cost.depth = self.result.cost.depth.max(depth);
        self.longest_path = self.longest_path.max(self.path.len());
    }

    /// Puts steps of some commands on the list of the last state on the path. Steps that change nothing are made already.
    fn plan(&mut self, is_wanted: impl Fn(CommandId) -> bool) {
        let Some(top) = self.path.last_mut() else { return };
        let state = self.here.state();
        let has_sections = self.machine.system().has_atomic_sections;
        for (way, next) in self.fresh.iter(state.len()).filter(|(way, _)| is_wanted(way.command)) {
            if are_equal(state, next) {
                self.result.cost.transitions += 1;
            } else if top.depth.saturating_add(way.length as usize) > self.options.limits.depth {
                self.is_cut = true;
            } else {
                self.todo.push(way);
                if has_sections {
                    self.ends.extend_from_slice(next);
                }
            }
        }
        top.end = self.todo.len() as u32;
    }

    /// Checks a new state, and puts it onto the path with the steps to make from it.
    fn visit(&mut self, slot: u32, arrival: Arrival) -> Result<Flow, Halt> {
        self.push(slot, arrival);
        self.check(arrival.command)?;
        self.collect(arrival.depth)?;
        if self.fresh.is_empty() && !self.machine.is_valid_end(&State(self.here.state().into())) {
            self.deadlocked();
        }
        if self.open.is_decided() {
            return Ok(Flow::Break(Stop::Decided));
        }
        if !self.fresh.is_empty() {
            self.expand(arrival.sleep);
        }
        Ok(Flow::Continue(()))
    }

    /// Collects the steps from the last state of the path, looking into atomic sections on the way.
    fn collect(&mut self, depth: usize) -> Result<(), Halt> {
        let Dfs { machine, memo, checker, here, fresh, open, options, is_cut, .. } = self;
        let mut violations = Vec::new();
        let collected = fresh.collect_visible(machine, memo, here.state(), |Inside { state, command, length }| {
            if depth.saturating_add(length) > options.limits.depth {
                *is_cut = true;
                return Ok(Visit::Continue(()));
            }
            let found = checker.violations(machine, open, Some(command), &state.0)?;
            violations.extend(found.into_iter().map(|(property, last)| (property, state.clone(), last)));
            Ok(Visit::Continue(()))
        });
        for (property, inside, last) in violations {
            self.violated(property, Some(&inside), last);
        }
        collected.map(|_| ())
    }

    /// Decides which steps are made from the last state on the path.
    fn expand(&mut self, sleep: Sleep) {
        if self.persistent.is_none() && sleep.is_empty() {
            return self.plan(|_| true);
        }
        let mut sleeping = std::mem::take(&mut self.sleeping);
        sleeping.clear();
        sleeping.extend_from_slice(self.sets.commands(sleep));
        let chosen = self.choose(&sleeping);
        let is_chosen = |command: CommandId| chosen.as_ref().is_none_or(|chosen| chosen.contains(&command));
        if let Some(slumber) = self.slumber.as_mut().filter(|_| !sleeping.is_empty()) {
            let moving = self.fresh.enabled().iter().filter(|enabled| enabled.moves);
            let sleeps = |enabled: &&Enabled| sleeping.contains(&enabled.command) && is_chosen(enabled.command);
            slumber.left_out(moving.filter(sleeps).count());
        }
        self.plan(|command| !sleeping.contains(&command) && is_chosen(command));
        self.sleeping = sleeping;
    }

    /// The commands of a persistent set in the last state of the path, if there is one smaller than all.
    fn choose(&mut self, sleeping: &[CommandId]) -> Option<Vec<CommandId>> {
        let Dfs { machine, dependency, persistent, cache, here, fresh, .. } = self;
        let state = here.state();
        // The proviso: one of the steps leads off the path.
        let needs_proviso = dependency.is_some_and(Dependency::must_not_ignore);
        let leads_away = |chosen: &[CommandId]| {
            if !needs_proviso {
                return true;
            }
            let is_made = |command| chosen.contains(&command) && !sleeping.contains(&command);
            let mut steps = fresh.iter(state.len()).filter(|(way, _)| is_made(way.command));
            steps.any(|(_, next)| cache.find(next).is_none_or(|slot| !cache.is_on_path(slot)))
        };
        let chosen = persistent.as_mut()?.choose(machine, state, fresh.enabled(), leads_away)?;
        Some(chosen.to_vec())
    }

    fn check(&mut self, command: Option<CommandId>) -> Result<(), Halt> {
        let violated = self.checker.violations(self.machine, &self.open, command, self.here.state())?;
        for (property, last) in violated {
            self.violated(property, None, last);
        }
        Ok(())
    }

    fn deadlocked(&mut self) {
        let depth = self.path.last().map_or(0, |top| top.depth);
        deadlocked(&mut self.result, self.machine, depth, self.here.state());
        for property in self.open.deadlock.clone() {
            self.violated(property, None, None);
        }
    }

    /// Notes a violation by the last state on the path or a state inside a section from there, or by a step from that.
    fn violated(&mut self, property: PropertyId, inside: Option<&State>, last: Option<(Moved, State)>) {
        if self.open.close(property) {
            let mut trace = self.trace(inside);
            if let Some((moved, state)) = last {
                trace.push(moved, state);
            }
            self.result.violated(property, trace);
        }
    }

    fn trace(&self, inside: Option<&State>) -> Trace {
        let mut cursor = self.cache.cursor();
        let path = self.path.iter().map(|frame| {
            self.cache.go_to(&mut cursor, frame.slot);
            State(cursor.state().into())
        });
        through(self.machine, path.chain(inside.cloned()))
    }

    fn finish(self, stop: Stop) -> Findings {
        let replacement = Replacement {
            stored: self.cache.len(),
            insertions: self.cache.insertions,
            replaced: self.cache.replaced,
            longest_path: self.longest_path,
        };
        let (states, bytes) = (Some(self.cache.insertions), self.bytes_with(0));
        let cost = Cost { states, bytes, replacement: Some(replacement), ..self.result.cost };
        Findings { stop, cost, ..self.result }
    }
}
