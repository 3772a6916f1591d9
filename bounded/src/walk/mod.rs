//! Walks under policies: one random run after the other, each under a schedule and a data policy of its own.
//!
//! A walk is the smallest underapproximation there is, a single run. It settles no bound, but where many runs are wrong it
//! meets one of them long before a solver has unrolled the system. Walks are repeatable: the seed decides all of them.

mod aim;
mod alike;
mod before;
mod focus;
mod inputs;
mod lengths;
mod milestones;
mod options;
mod policy;
mod run;

use super::progress;
use super::visit::{INSTRUCTIONS, Patience};
use aim::{Aim, Conditions, Distance};
use engine::{Engine, Findings, Stop, Trouble};
use explicit::watched_points;
use fastrand::Rng;
use focus::{Focus, Selectors};
use inputs::{Inputs, Orders};
use lengths::Lengths;
use limits::{Effort, Handle, Progress, Work};
use milestones::Milestones;
use options::{Options, View};
use policy::{Place, Policy};
use run::Run;
use rustc_hash::FxHashMap;
use system::{
    Claim, CommandId, ExprId, Halt, Machine, Motion, Node, ProcessId, PropertyId, State, System, Visit, Workspace,
};

/// What looking at a step costs in a solver's ticks, about, besides what is computed.
const TICKS: u64 = 8;

/// The most steps of a walk.
const LONGEST: usize = 20_000;

/// The most initial states that walks begin in: the first ones, and where there are more, as many drawn from all.
const MOST_BEGINNINGS: usize = 2048;

/// The most processes whose next step is looked at in each state because it can violate an invariant.
const MOST_WATCHED: usize = 4;

/// How many steps a walk makes that goes on from where another one has come, unless it comes to an end before.
const SEGMENTS: [usize; 5] = [8, 32, 128, 512, LONGEST];

/// How many more steps of a process are drawn where steps are drawn and the first one loses what the walk aims at: of the only process, and of one
/// among others.
const DRAWN_AGAIN: [usize; 2] = [8, 1];

/// After this many walks in a row that could not make a step, or two for each state to begin in, there is nothing to walk through.
const FUTILE: usize = 64;

/// Walks through a system, one after the other.
pub struct Walks<'a> {
    machine: &'a Machine,
    patience: Patience,
    workspace: Workspace,
    options: Options,
    random: Rng,
    length: usize,
    lengths: Lengths,
    beginnings: Vec<State>,
    run: Run,
    /// What walks aim at.
    conditions: Conditions,
    /// Runs that have come near.
    milestones: Milestones,
    over_states: Vec<PropertyId>,
    over_steps: Vec<PropertyId>,
    /// The control points from which a step can violate an invariant over steps, by process.
    watched: Vec<(ProcessId, Vec<bool>)>,
    /// Claims of deadlock freedom.
    deadlock: Vec<PropertyId>,
    /// The bits of states that any step may change.
    drift: Vec<u64>,
    /// The variables whose values a walk can choose.
    selectors: Selectors,
    inputs: Inputs,
    /// How many control points each process has: those that do the same have as many.
    kinds: Vec<usize>,
    /// The parts of invariants that commands can violate.
    influenced: FxHashMap<(PropertyId, CommandId), Vec<u32>>,
    work: Work,
    futile: usize,
    found: Findings,
}

/// What a walk aims at, and how near it has come.
struct Target {
    way: usize,
    nearest: Distance,
}

/// How a walk goes on.
enum Next {
    /// By an option.
    Step(usize),
    /// Not at all.
    End,
}

impl<'a> Walks<'a> {
    /// Walks of at most `bound` steps.
    pub fn new(machine: &'a Machine, properties: &[PropertyId], bound: usize, seed: u64) -> Walks<'a> {
        Walks::impatient(machine, properties, bound, seed, Patience::default())
    }

    /// The same through a machine that loses patience.
    pub(super) fn impatient(
        machine: &'a Machine,
        properties: &[PropertyId],
        bound: usize,
        seed: u64,
        patience: Patience,
    ) -> Walks<'a> {
        let claims = properties.iter().map(|id| (*id, &machine.system().properties[*id].claim));
        let deadlock = claims.clone().filter(|(_, claim)| matches!(claim, Claim::DeadlockFree)).map(|(id, _)| id);
        let invariants = claims.filter(|(_, claim)| matches!(claim, Claim::Invariant(_))).map(|(id, _)| id);
        let (over_states, over_steps): (Vec<_>, Vec<_>) =
            invariants.partition(|property| machine.is_state_invariant(*property));
        let is_told = told(machine.system());
        Walks {
            machine,
            patience,
            workspace: machine.workspace(),
            options: Options::new(seed),
            random: Rng::with_seed(seed),
            length: bound.min(LONGEST),
            lengths: Lengths::up_to(bound.min(LONGEST)),
            beginnings: Vec::new(),
            run: Run::default(),
            conditions: Conditions::new(machine, &is_told),
            milestones: Milestones::default(),
            over_states,
            watched: watched_points(machine, &over_steps),
            over_steps,
            deadlock: deadlock.collect(),
            drift: drift(machine, &is_told),
            selectors: Selectors::of(machine, &is_told),
            inputs: Inputs::of(machine),
            kinds: machine.system().processes.iter().map(|process| process.points.len()).collect(),
            influenced: FxHashMap::default(),
            work: Work::default(),
            futile: 0,
            found: Findings::new("walk"),
        }
    }

    /// Finds states to begin in. Where even that takes too long, there are none.
    fn begin(&mut self) {
        self.patience.regain();
        let beginnings = &mut self.beginnings;
        // What fails here is found by the engines that look at every initial state.
        let _ = self.machine.initial_states(&mut self.workspace, |state| {
            beginnings.push(state);
            if beginnings.len() < MOST_BEGINNINGS { Visit::Continue(()) } else { Visit::Break(()) }
        });
        if self.beginnings.len() == MOST_BEGINNINGS {
            self.draw_beginnings();
        }
        self.work.ticks += TICKS * self.beginnings.len() as u64;
    }

    /// Draws initial states from all that there are.
    fn draw_beginnings(&mut self) {
        for _ in 0..MOST_BEGINNINGS {
            self.patience.regain();
            match self.machine.initial_state(&mut self.workspace, self.random.u64(1..)) {
                Ok(state) => self.beginnings.extend(state),
                // Where it takes too long to find one, more are not to be had.
                Err(_) => break,
            }
        }
    }

    /// One walk. It ends early where the system has no meaning: other engines tell where that is.
    fn walk(&mut self) -> Result<(), Halt> {
        let aim = self.set_out()?;
        if self.run.len() > 0 {
            let left = self.length - self.run.len();
            let segment = SEGMENTS[self.random.usize(..SEGMENTS.len())];
            return self.go(left.min(segment), aim);
        }
        let length = self.lengths.next();
        let ended = self.go(length, aim);
        self.lengths.note(self.run.len());
        ended
    }

    /// Makes at most this many steps.
    fn go(&mut self, length: usize, mut aim: Option<(Target, Aim)>) -> Result<(), Halt> {
        let mut policy = Policy::draw(&mut self.random, &self.kinds, length);
        let mut orders = self.inputs.draw(&mut self.random, length);
        let focused = self.selectors.draw(&mut self.random);
        for step in 0..=length {
            if self.is_over() {
                return Ok(());
            }
            let next = self.next(&mut policy, &mut orders, aim.as_mut().map(|(_, aim)| aim))?;
            let Next::Step(option) = next else { return Ok(()) };
            if step == length {
                return Ok(());
            }
            self.futile = 0;
            let (made, state) = self.options.get(option);
            let command = made.command;
            orders.moved(&made.inputs, step);
            self.run.push(made, state);
            policy.moved(self.machine.system().commands[command].owner.process, step);
            match self.options.violation {
                Some((property, _)) => self.violated(property),
                None => self.focus(&focused),
            }
            self.look_at(command)?;
            if let Some((target, aim)) = &mut aim {
                self.note(target, aim);
            }
        }
        Ok(())
    }

    /// Begins a walk in an initial state, or where another one has come near to what it aims at; says what it aims at.
    fn set_out(&mut self) -> Result<Option<(Target, Aim)>, Halt> {
        let way = self.way();
        let is_near = match way {
            Some(way) if self.random.bool() => self.go_on(way),
            _ => false,
        };
        if !is_near {
            let first = self.beginnings[self.random.usize(..self.beginnings.len())].clone();
            self.run.begin(&first);
            self.look_at_first(&first)?;
        }
        // Where the first state violates what was aimed at, there is nothing to aim at any more.
        let aimed = way.and_then(|way| Some((way, self.milestones.wanted(way)?)));
        Ok(aimed.map(|(way, wanted)| {
            let aim = self.conditions.aim(wanted, self.machine, self.run.last(), &mut self.workspace, &mut self.random);
            (Target { way, nearest: aim.distance }, aim)
        }))
    }

    /// Goes on from where a walk has come that aimed at the same, if there is one that leaves some steps.
    fn go_on(&mut self, way: usize) -> bool {
        let Some(near) = self.milestones.draw(way, &mut self.random) else { return false };
        let is_short = near.len() < self.length;
        if is_short {
            self.run.begin_after(near);
        }
        is_short
    }

    /// Every other walk aims at violating an invariant, in a way that is known or drawn.
    fn way(&mut self) -> Option<usize> {
        let invariants = self.over_states.len() + self.over_steps.len();
        if invariants == 0 || self.random.bool() {
            return None;
        }
        if let Some(known) = self.milestones.known(&mut self.random)
            && self.random.bool()
        {
            return Some(known);
        }
        let number = self.random.usize(..invariants);
        let property = *self.over_states.iter().chain(&self.over_steps).nth(number)?;
        let wanted = self.conditions.way(self.machine, property, &mut self.random);
        (!wanted.is_empty()).then(|| self.milestones.way(wanted, &mut self.random))
    }

    /// Keeps the run if it has come nearer than before.
    fn note(&mut self, target: &mut Target, aim: &Aim) {
        if aim.distance < target.nearest {
            target.nearest = aim.distance;
            self.milestones.note(target.way, target.nearest, &self.run);
        }
    }

    /// Gives the variables whose values the walk chooses one of them in the last state.
    fn focus(&mut self, focused: &[Focus]) {
        for focus in focused {
            let (last, before) = self.run.last_two();
            focus.apply(self.machine.layout(), before, last, &mut self.random);
        }
    }

    /// The next step: that of the first process in the order of the policy that can change the state and does not lose what
    /// the walk aims at. Where no process can, all steps are looked at: there may be none, or a timeout.
    fn next(&mut self, policy: &mut Policy, orders: &mut Orders, mut aim: Option<&mut Aim>) -> Result<Next, Halt> {
        if let Some(holder) = self.machine.layout().holder(self.run.last()) {
            self.look_for(&mut Some(holder).into_iter())?;
            match (self.options.len(), self.options.seen) {
                // It waits for a timeout or is blocked: then others may move.
                (0, 0) => {}
                (0, _) => return Ok(Next::End),
                _ => return Ok(Next::Step(self.choose(policy).unwrap_or(0))),
            }
        }
        if let Some(option) = self.violating()? {
            return Ok(Next::Step(option));
        }
        let mut refused = None;
        loop {
            self.ask(policy, orders)?;
            if self.options.len() == 0 {
                break;
            }
            let has_others = self.machine.system().processes.len() > 1;
            for _ in 0..=DRAWN_AGAIN[usize::from(has_others)] {
                match self.choose(policy) {
                    Some(option) if self.accepts(option, aim.as_deref_mut()) => return Ok(Next::Step(option)),
                    option => refused = Some(self.options.take(option.unwrap_or(0))),
                }
                self.draw_again()?;
                if self.options.len() == 0 {
                    break;
                }
            }
        }
        // With all values of all inputs, no process makes progress, but some can move.
        if !orders.is_empty() && refused.is_none() && self.options.seen > 0 && !orders.is_cut() {
            return Ok(Next::End);
        }
        let is_refused = refused.is_some();
        match refused {
            // Where inputs say who moves, to look at all steps takes long: what was refused last is as good as any.
            Some(option) if !orders.is_empty() || self.drifts() => self.options.put(option),
            _ => self.look_at_all()?,
        }
        if self.options.len() == 0 {
            return Ok(Next::End);
        }
        let option = match self.options.violation {
            Some((_, option)) => option,
            None => self.random.usize(..self.options.len()),
        };
        if let Some(aim) = aim.filter(|_| is_refused) {
            self.work.ticks += aim.conditions();
            self.conditions.follow(aim, self.machine, self.options.get(option).1, &mut self.workspace);
        }
        Ok(Next::Step(option))
    }

    /// A step that violates an invariant over steps, whoever would be next. Only some processes are looked at.
    fn violating(&mut self) -> Result<Option<usize>, Halt> {
        if self.over_steps.is_empty() {
            return Ok(None);
        }
        let watched = self.watched.iter().filter(|(process, points)| {
            self.machine.point_in(*process, self.run.last()).is_some_and(|point| points[point.index()])
        });
        let watched = watched.map(|(process, _)| *process);
        for process in watched.take(MOST_WATCHED).collect::<Vec<ProcessId>>() {
            self.look_for(&mut Some(process).into_iter())?;
            if let Some((_, option)) = self.options.violation {
                return Ok(Some(option));
            }
        }
        Ok(None)
    }

    /// Looks at the steps of the next process in the order of the policy that can change the state.
    fn ask(&mut self, policy: &mut Policy, orders: &mut Orders) -> Result<(), Halt> {
        self.patience.regain();
        let view =
            View { machine: self.machine, state: self.run.last(), over_steps: &self.over_steps, drift: &self.drift };
        let (random, machine, state) = (&mut self.random, self.machine, self.run.last());
        let place = |process: ProcessId| {
            let points = machine.system().processes[process].points.len();
            machine.point_in(process, state).map(|point| Place { points, point })
        };
        let mut next = || policy.next(random, place);
        match orders.is_empty() || view.drifts() {
            true => self.options.look_for(view, &mut self.workspace, next)?,
            false => self.options.look_in_order(view, &mut self.workspace, orders, &mut next)?,
        }
        self.work.ticks += TICKS * (1 + self.options.seen as u64);
        Ok(())
    }

    /// Whether some variables take any value in every step.
    fn drifts(&self) -> bool {
        self.drift.iter().any(|bits| *bits != 0)
    }

    /// Looks for another step of the process of which one was drawn last; there is none where steps are not drawn.
    fn draw_again(&mut self) -> Result<(), Halt> {
        self.patience.regain();
        let view =
            View { machine: self.machine, state: self.run.last(), over_steps: &self.over_steps, drift: &self.drift };
        self.options.draw_again(view, &mut self.workspace)?;
        self.work.ticks += TICKS * (1 + self.options.seen as u64);
        Ok(())
    }

    /// The same of one process after the other.
    fn look_for(&mut self, processes: &mut dyn Iterator<Item = ProcessId>) -> Result<(), Halt> {
        self.patience.regain();
        let view =
            View { machine: self.machine, state: self.run.last(), over_steps: &self.over_steps, drift: &self.drift };
        self.options.look_for(view, &mut self.workspace, || processes.next())?;
        self.work.ticks += TICKS * (1 + self.options.seen as u64);
        Ok(())
    }

    /// Looks at all steps, and whether there is none.
    fn look_at_all(&mut self) -> Result<(), Halt> {
        self.patience.regain();
        let view =
            View { machine: self.machine, state: self.run.last(), over_steps: &self.over_steps, drift: &self.drift };
        self.options.look(view, &mut self.workspace)?;
        self.work.ticks += TICKS * (1 + self.options.seen as u64);
        if self.options.seen == 0 && !self.machine.is_valid_end(&State(self.run.last().into())) {
            self.deadlock.clone().into_iter().for_each(|property| self.violated(property));
        }
        Ok(())
    }

    /// One of the options of a process, as the policy has it; a violation goes before all others. None if the process stays
    /// as it is, where that is a choice: others move then.
    fn choose(&mut self, policy: &Policy) -> Option<usize> {
        if let Some((_, option)) = self.options.violation {
            return Some(option);
        }
        let process = self.machine.system().commands[self.options.get(0).0.command].owner.process;
        let point = self.machine.point_in(process, self.run.last());
        let count = self.options.len() + usize::from(self.options.can_stay(process));
        let option = policy.option(process, point, count, &mut self.random);
        (option < self.options.len()).then_some(option)
    }

    /// Whether the walk makes a step, as far as its aim goes.
    fn accepts(&mut self, option: usize, aim: Option<&mut Aim>) -> bool {
        let Some(aim) = aim.filter(|_| self.options.violation.is_none()) else { return true };
        self.work.ticks += aim.conditions();
        let (_, state) = self.options.get(option);
        self.conditions.accepts(aim, self.machine, state, &mut self.workspace, &mut self.random)
    }

    /// Looks at the state that the walk begins in.
    fn look_at_first(&mut self, state: &State) -> Result<(), Halt> {
        for property in self.over_states.clone() {
            if !self.machine.holds(property, &state.0, &mut self.workspace)? {
                self.violated(property);
            }
        }
        Ok(())
    }

    /// Looks at the state that a command has led to. What held before can fail to hold only where the command changed it.
    fn look_at(&mut self, command: CommandId) -> Result<(), Halt> {
        for property in self.over_states.clone() {
            let known = self.influenced.entry((property, command));
            let parts = known.or_insert_with(|| self.machine.influenced_parts(command, property));
            if !self.machine.parts_hold(property, parts, self.run.last(), &mut self.workspace)? {
                self.violated(property);
            }
        }
        Ok(())
    }

    fn violated(&mut self, property: PropertyId) {
        self.found.violated(property, self.run.trace(self.machine));
        self.forget(property);
    }

    fn is_over(&self) -> bool {
        self.over_states.is_empty() && self.over_steps.is_empty() && self.deadlock.is_empty()
    }
}

/// For each variable, whether a command or a relation says what becomes of it.
fn told(system: &System) -> Vec<bool> {
    let mut is_told = vec![false; system.variables.len()];
    for node in (0..system.exprs.len()).map(|id| system.exprs.node(ExprId::from(id))) {
        if let Node::Next(var) = node {
            is_told[var.index()] = true;
        }
    }
    for update in system.commands.iter().flat_map(|command| &command.updates) {
        update.place.variables().for_each(|var| is_told[var.index()] = true);
    }
    is_told
}

/// The bits of states that any step may change, by any process: those of variables that are free and that nothing is said about, and
/// of those that follow from others.
fn drift(machine: &Machine, is_told: &[bool]) -> Vec<u64> {
    let drifting = machine.system().variables.iter_enumerated().filter(|(var, variable)| match variable.motion {
        Motion::Free => !is_told[var.index()],
        Motion::Defined => true,
        Motion::Kept | Motion::Input => false,
    });
    let layout = machine.layout();
    let bits = layout.mask(drifting.map(|(var, _)| var));
    // Who has control does not drift.
    bits.into_iter().zip(layout.mask([])).map(|(bits, control)| bits & !control).collect()
}

impl Engine for Walks<'_> {
    /// Some walks. Where there is nothing to walk through, that was the last of them.
    fn turn(&mut self, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let before = self.work().ticks;
        if self.beginnings.is_empty() {
            self.begin();
        }
        loop {
            if handle.is_over() {
                return Ok(Some(Stop::Interrupted));
            }
            // Where there are many states to begin in, walks may be possible from a few of them only.
            let is_futile = self.futile > FUTILE.max(2 * self.beginnings.len());
            if self.is_over() || self.beginnings.is_empty() || is_futile {
                return Ok(Some(Stop::Bound));
            }
            self.futile += 1;
            self.found.cost.walks = Some(self.found.cost.walks.unwrap_or(0) + 1);
            let decided = self.found.verdicts.len();
            let _ = self.walk();
            self.work.ticks += TICKS;
            let is_spent = matches!(effort, Effort::Ticks(most) if self.work().ticks - before >= most as u64);
            if is_spent || self.found.verdicts.len() > decided {
                return Ok(None);
            }
        }
    }

    fn found(&self) -> &Findings {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        self.over_states.retain(|open| *open != property);
        self.over_steps.retain(|open| *open != property);
        self.deadlock.retain(|open| *open != property);
        self.milestones.clear();
    }

    fn work(&self) -> Work {
        Work { ticks: self.work.ticks + self.workspace.executed() / INSTRUCTIONS, ..self.work }
    }

    fn progress(&self) -> Option<Progress> {
        Some(progress(&self.found, 0, self.length))
    }
}
