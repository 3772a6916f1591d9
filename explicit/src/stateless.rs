//! Stateless search: Algorithm 2 of \[God97\]. Nothing is stored but the current path, so that a state is visited once for
//! each way that leads to it; persistent and sleep sets leave only few of these ways.
//!
//! Where a run is cut off at the depth limit, the search proves nothing. Where none is, there are no cycles, and persistent
//! sets need no proviso (Theorem 2).

use super::check::{Checker, OpenProperties};
use super::options::{Limits, Reduction};
use super::persistent::Persistent;
use super::result::{deadlocked, with_fault};
use super::rows::are_equal;
use super::sleep::{Sleep, SleepSets};
use super::successors::{Successors, each_initial_state};
use super::trace::through;
use super::verdict::conclude_stateless;
use engine::{Findings, Oddity, Stop};
use limits::{Handle, Progress};
use std::ops::ControlFlow;
use system::{
    Command, CommandId, Dependency, Granularity, Halt, Local, Machine, Memo, Moved, ProcessId, PropertyId, State,
    System, Trace,
};

/// How often it is told how far the search is.
const EVERY: u64 = 4096;

/// When \[God97\] §5 calls a run bad though no property says so.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepLimits {
    /// A livelock: a process that is not at a valid end cannot move in more than this many states in a row.
    pub livelock: Option<usize>,
    /// A divergence: a process makes more than this many steps in a row that concern no other process.
    pub divergence: Option<usize>,
}

/// How to search without storing states.
#[derive(Clone, Copy, Debug)]
pub struct Stateless {
    /// How far.
    pub limits: Limits,
    /// Which interleavings are left out.
    pub reduction: Reduction,
    /// What looks wrong.
    pub steps: StepLimits,
}

/// Searches without storing states. [`Stop::Bound`] says that the depth limit was hit.
pub fn stateless(
    machine: &Machine,
    properties: &[PropertyId],
    Stateless { limits, reduction, steps }: Stateless,
    handle: &mut Handle<'_>,
) -> Findings {
    let open = OpenProperties::new(machine, properties);
    let watched = open.watched(machine);
    let reduces = watched.is_some();
    let watched = watched.unwrap_or_default();
    let dependency = Dependency::watching(machine.system(), watched, reduction.refinement, Granularity::Sections);
    let mut walk = Walk {
        machine,
        limits,
        uses_sleep: reduction.sleeps() && reduces,
        step_limits: steps,
        local: local_commands(machine, &dependency),
        idle: idle_processes(machine),
        persistent: (reduction.is_persistent() && reduces).then(|| Persistent::new(&dependency)),
        dependency: &dependency,
        memo: machine.memo(),
        checker: Checker::new(machine),
        sets: SleepSets::new(),
        path: Vec::new(),
        words: Vec::new(),
        counts: Vec::new(),
        todo: Vec::new(),
        open,
        fresh: Successors::default(),
        ahead: vec![0; machine.layout().words()],
        is_cut: false,
        livelock: None,
        divergence: None,
        found: Findings::new("stateless"),
    };
    let found = match walk.run(handle) {
        Ok(stop) => walk.finish(stop),
        Err(Halt::Interrupted) => walk.finish(Stop::Interrupted),
        Err(Halt::Failed(failure)) => {
            let trace = walk.trace();
            with_fault(walk.found, (failure, trace))
        }
    };
    conclude_stateless(found, (machine, properties), limits.depth, handle)
}

/// The commands that concern no other process and no property.
fn local_commands(machine: &Machine, dependency: &Dependency) -> Vec<bool> {
    machine.system().commands.indices().map(|command| is_local(machine, dependency, command)).collect()
}

fn is_local(machine: &Machine, dependency: &Dependency, command: CommandId) -> bool {
    let commands = &machine.system().commands;
    let owner = commands[command].owner.process;
    let mut others = commands.iter_enumerated().filter(|(_, other)| other.owner.process != owner);
    !dependency.is_watched(command) && others.all(|(other, _)| dependency.are_independent(command, other))
}

/// For each process whether it never does anything, such as `main` in most SMV models: it does not wait for another one.
fn idle_processes(machine: &Machine) -> Vec<bool> {
    let system = machine.system();
    system.processes.indices().map(|process| is_idle(system, process)).collect()
}

fn is_idle(system: &System, process: ProcessId) -> bool {
    let mut own = system.commands.iter().filter(|command| command.parts().any(|part| part.process == process));
    own.all(Command::does_nothing)
}

/// How long a process has been waiting, and how long it has been on its own.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    waiting: u32,
    alone: u32,
}

/// A state of the current path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    next: u32,
    end: u32,
    sleep: Sleep,
    last: Option<CommandId>,
    /// Whether it is inside an atomic section, which belongs to the step that began it.
    is_inside: bool,
}

struct Walk<'a> {
    machine: &'a Machine,
    limits: Limits,
    uses_sleep: bool,
    step_limits: StepLimits,
    local: Vec<bool>,
    idle: Vec<bool>,
    persistent: Option<Persistent<&'a Dependency>>,
    dependency: &'a Dependency,
    memo: Memo,
    checker: Checker,
    sets: SleepSets,
    path: Vec<Frame>,
    /// The states of the path, one after the other.
    words: Vec<u64>,
    /// For each state of the path, the counts of each process; kept if there are step limits.
    counts: Vec<Count>,
    todo: Vec<Local>,
    open: OpenProperties,
    fresh: Successors,
    ahead: Vec<u64>,
    is_cut: bool,
    /// The first livelock and the first divergence: who, and the run.
    livelock: Option<(ProcessId, Trace)>,
    divergence: Option<(ProcessId, Trace)>,
    found: Findings,
}

/// Why the search goes on or not.
type Flow = ControlFlow<Stop>;

impl Walk<'_> {
    fn run(&mut self, handle: &mut Handle<'_>) -> Result<Stop, Halt> {
        match each_initial_state(self.machine, |state| self.run_from(state, handle))? {
            ControlFlow::Break(stop) => return Ok(stop),
            ControlFlow::Continue(is_any) => self.found.has_initial_state = is_any,
        }
        Ok(if self.is_cut { Stop::Bound } else { Stop::Complete })
    }

    /// Tries the runs from an initial state.
    fn run_from(&mut self, initial: &State, handle: &mut Handle<'_>) -> Result<Flow, Halt> {
        let mut flow = self.visit(&initial.0, None, Sleep::default())?;
        while flow.is_continue() && !self.path.is_empty() {
            flow = self.step()?;
            let tells = flow.is_continue() && self.found.cost.transitions.is_multiple_of(EVERY);
            if tells && handle.see(self.progress()).is_break() {
                flow = Flow::Break(Stop::Interrupted);
            }
        }
        Ok(flow)
    }

    fn progress(&self) -> Progress {
        Progress::Runs { visits: self.found.cost.visits, depth: self.path.len() }
    }

    fn bytes(&self) -> usize {
        let stacks = size_of_val(&self.path[..]) + size_of_val(&self.words[..]) + size_of_val(&self.todo[..]);
        stacks + size_of_val(&self.counts[..]) + self.memo.bytes() + self.sets.bytes()
    }

    /// Makes the next step from the last state of the path, or goes back.
    fn step(&mut self) -> Result<Flow, Halt> {
        let Some(frame) = self.path.last().copied() else { return Ok(Flow::Continue(())) };
        if frame.next == frame.end {
            self.leave();
            return Ok(Flow::Continue(()));
        }
        let local = self.todo[frame.next as usize];
        let mut ahead = std::mem::take(&mut self.ahead);
        let state = &self.words[self.words.len() - ahead.len()..];
        let command = self.memo.execute(self.machine, state, local, &mut ahead)?;
        let Some(command) = command else { unreachable!("a step that was found can be made again") };
        self.found.cost.transitions += 1;
        let (mut sleep, mut after) = (frame.sleep, frame.sleep);
        if self.uses_sleep && !frame.is_inside {
            // Commands come in a row: when the next one begins, the last one has been tried in every way.
            if let Some(last) = frame.last.filter(|last| *last != command) {
                sleep = self.sets.with(sleep, last);
            }
            after = self.sets.after(sleep, command, (self.machine, self.dependency), || state);
        }
        if let Some(top) = self.path.last_mut() {
            *top = Frame { next: frame.next + 1, sleep, last: Some(command), ..frame };
        }
        let flow = self.visit(&ahead, Some(command), after);
        self.ahead = ahead;
        flow
    }

    fn leave(&mut self) {
        self.path.pop();
        self.todo.truncate(self.path.last().map_or(0, |below| below.end as usize));
        self.words.truncate(self.path.len() * self.machine.layout().words());
        self.counts.truncate(self.path.len() * self.machine.system().processes.len());
    }

    /// Puts a state onto the path, checks it, and plans the steps from it.
    fn visit(&mut self, state: &[u64], command: Option<CommandId>, sleep: Sleep) -> Result<Flow, Halt> {
        let end = self.todo.len() as u32;
        self.path.push(Frame { next: end, end, sleep, last: None, is_inside: false });
        self.words.extend_from_slice(state);
        self.found.cost.visits += 1;
        self.found.cost.depth = self.found.cost.depth.max(self.path.len() - 1);
        for (property, last) in self.checker.violations(self.machine, &self.open, command, state)? {
            self.violated(property, last);
        }
        self.fresh.collect(self.machine, &mut self.memo, state)?;
        self.count(state, command);
        if self.fresh.is_empty() && !self.machine.is_valid_end(&State(state.into())) {
            deadlocked(&mut self.found, self.machine, self.path.len() - 1, state);
            for property in self.open.deadlock.clone() {
                self.violated(property, None);
            }
        }
        if self.open.is_decided() {
            return Ok(Flow::Break(Stop::Decided));
        }
        if self.bytes() > self.limits.memory {
            return Ok(Flow::Break(Stop::Memory));
        }
        self.plan(state, sleep);
        Ok(Flow::Continue(()))
    }

    /// Persistent_Set() \ Sleep of Algorithm 2; inside an atomic section, all that the process in control can do. Steps that
    /// change nothing lead nowhere.
    fn plan(&mut self, state: &[u64], sleep: Sleep) {
        let (enabled, is_inside) = (self.fresh.enabled(), self.fresh.is_held);
        let tool = self.persistent.as_mut().filter(|_| !is_inside);
        let chosen = tool.and_then(|tool| tool.choose(self.machine, state, enabled, |_| true));
        let sleeping = if is_inside { &[] } else { self.sets.commands(sleep) };
        let steps = self.fresh.iter(state.len()).filter(|(way, next)| {
            let is_chosen = chosen.is_none_or(|chosen| chosen.contains(&way.command));
            is_chosen && !sleeping.contains(&way.command) && !are_equal(state, next)
        });
        let before = self.todo.len();
        self.todo.extend(steps.map(|(way, _)| way.local));
        if self.path.len() > self.limits.depth && self.todo.len() > before {
            self.is_cut = true;
            self.todo.truncate(before);
        }
        if let Some(top) = self.path.last_mut() {
            top.end = self.todo.len() as u32;
            top.is_inside = is_inside;
        }
    }

    /// Counts how long processes have been waiting or on their own, and compares with the limits.
    fn count(&mut self, state: &[u64], command: Option<CommandId>) {
        let StepLimits { livelock, divergence } = self.step_limits;
        if livelock.is_none() && divergence.is_none() {
            return;
        }
        let machine = self.machine;
        let processes = machine.system().processes.len();
        let commands = &machine.system().commands;
        for (process, info) in machine.system().processes.iter_enumerated() {
            let before = self.counts.len().checked_sub(processes).map_or(Count::default(), |at| self.counts[at]);
            let mut moving = self.fresh.enabled().iter().filter(|enabled| enabled.moves);
            let can_move = moving.any(|enabled| commands[enabled.command].owner.process == process);
            let rests = machine.point_in(process, state).is_some_and(|point| info.points[point].end);
            let waiting = if can_move || rests || self.idle[process.index()] { 0 } else { before.waiting + 1 };
            let alone = match command.filter(|command| commands[*command].owner.process == process) {
                Some(command) if self.local[command.index()] => before.alone + 1,
                Some(_) => 0,
                None => before.alone,
            };
            self.counts.push(Count { waiting, alone });
            if self.livelock.is_none() && livelock.is_some_and(|limit| waiting as usize > limit) {
                self.livelock = Some((process, self.trace()));
            }
            if self.divergence.is_none() && divergence.is_some_and(|limit| alone as usize > limit) {
                self.divergence = Some((process, self.trace()));
            }
        }
    }

    fn violated(&mut self, property: PropertyId, last: Option<(Moved, State)>) {
        if self.open.close(property) {
            let mut trace = self.trace();
            if let Some((moved, state)) = last {
                trace.push(moved, state);
            }
            self.found.violated(property, trace);
        }
    }

    fn finish(mut self, stop: Stop) -> Findings {
        let StepLimits { livelock, divergence } = self.step_limits;
        let waits = "cannot move in more than N states in a row";
        let is_alone = "makes more than N steps in a row that concern no other process";
        let oddities = [
            oddity("livelock", livelock, waits, self.livelock.take()),
            oddity("divergence", divergence, is_alone, self.divergence.take()),
        ];
        self.found.cost.bytes = self.bytes();
        Findings { stop, oddities: oddities.into_iter().flatten().collect(), ..self.found }
    }

    fn trace(&self) -> Trace {
        let states = self.words.chunks_exact(self.machine.layout().words()).map(|state| State(state.into()));
        through(self.machine, states)
    }
}

/// A run that is bad by a step limit of \[God97\].
fn oddity(kind: &'static str, limit: Option<usize>, what: &str, found: Option<(ProcessId, Trace)>) -> Option<Oddity> {
    let (process, trace) = found?;
    Some(Oddity { kind, what: what.replace('N', &limit?.to_string()), process, trace })
}
