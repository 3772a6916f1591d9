//! Every way of explicit search finds what the plain one finds: on random concurrent programs, and on random systems
//! with every feature of commands.

use super::plainly::Plainly;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{
    Claim, CommandId, Dependency, ExprId, Machine, ProcessId, Property, PropertyId, Refinement, Span, State, System,
    Update, VarId, Visit,
};
use testkit::systems::{Coordination, Random, random_system};
use uwbmc::engine::{Findings, Stop};
use uwbmc::experiment::{Channel, Program};
use uwbmc::explicit::{
    Forgetting, Keeping, Limits, Options, Order, Reduction, Sets, Stateless, StepLimits, run, stateless,
};
use uwbmc::limits::{Handle, Observer, Progress};

/// Lets a search go on for a number of looks.
struct Looks(usize);

impl Observer for Looks {
    fn see(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// What a search says, as far as it has to be the same for all of them.
#[derive(Debug, PartialEq, Eq)]
struct View {
    /// Whether the model has no meaning somewhere.
    fails: bool,
    violated: BTreeSet<PropertyId>,
    deadlocks: BTreeSet<State>,
}

fn checkable(machine: &Machine) -> Vec<PropertyId> {
    let is_checkable =
        |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_) | Claim::DeadlockFree);
    machine.system().properties.indices().filter(is_checkable).collect()
}

/// Searches until the end: for that, nothing claims that there is no deadlock, and one invariant holds.
fn look(machine: &Machine, options: &Options) -> (View, Option<Findings>) {
    look_for(machine, &checkable(machine), options)
}

fn look_for(machine: &Machine, properties: &[PropertyId], options: &Options) -> (View, Option<Findings>) {
    match run(machine, properties, options, &mut Handle::default()).without_fault() {
        Err(_) => (View { fails: true, violated: BTreeSet::new(), deadlocks: BTreeSet::new() }, None),
        Ok(found) => {
            for (property, trace) in found.violations() {
                trace.replay(machine).expect("a counterexample is a run");
                assert_eq!(trace.violates(machine, property), Some(trace.moves.len()));
            }
            let violated = found.violations().into_iter().map(|(property, _)| property).collect();
            (View { fails: false, violated, deadlocks: found.deadlocks.clone() }, Some(found))
        }
    }
}

/// Random programs over semaphores, counters, flags and a channel, with cycles.
struct Writer {
    random: Random,
    program: Program,
    numbers: Vec<VarId>,
    flags: Vec<VarId>,
    channel: Channel,
    may_fail: bool,
    shape: Shape,
}

/// Whether processes go back to earlier control points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Cyclic,
    Acyclic,
}

fn random_program(seed: u64, shape: Shape) -> System {
    let mut random = Random(seed);
    let mut program = Program::default();
    let numbers = (0..2).map(|index| program.number(&format!("n{index}"), 2, random.below(3) as i64)).collect();
    let flags = (0..2).map(|index| program.number(&format!("f{index}"), 1, 0)).collect();
    let channel = program.channel("c", 1 + random.below(2) as u32, 2);
    let may_fail = random.chance(10);
    let mut writer = Writer { random, program, numbers, flags, channel, may_fail, shape };
    let processes = 2 + writer.random.below(2);
    for index in 0..processes {
        writer.process(index);
    }
    writer.properties();
    writer.program.system
}

impl Writer {
    fn process(&mut self, index: usize) {
        let points = 2 + self.random.below(3);
        let process = self.program.process(&format!("p{index}"), points, &[points - 1]);
        let own = self.program.number(&format!("x{index}"), 2, 0);
        for from in 0..points {
            for _ in 0..self.random.below(3) {
                let to = self.random.below(points);
                if self.shape == Shape::Acyclic && to <= from {
                    continue;
                }
                let (guard, updates) = self.action(own);
                self.program.command(process, from, to, guard, updates);
            }
        }
    }

    fn action(&mut self, own: VarId) -> (ExprId, Vec<Update>) {
        let number = self.numbers[self.random.below(2)];
        let flag = self.flags[self.random.below(2)];
        let always = self.program.always();
        match self.random.below(10) {
            0 | 1 => (self.program.is_more(number, 0), vec![self.program.add(number, -1)]),
            2 | 3 => {
                let room = self.program.is_less(number, 2);
                (if self.may_fail { always } else { room }, vec![self.program.add(number, 1)])
            }
            4 => (always, vec![self.program.set(flag, self.random.below(2) as i64)]),
            5 => (self.program.equals(flag, self.random.below(2) as i64), vec![]),
            6 => (always, vec![self.program.set(own, self.random.below(3) as i64)]),
            7 => {
                let seen = self.program.now(number);
                (always, vec![self.program.assign(own, seen)])
            }
            8 => {
                let message = self.program.integer(1 + self.random.below(2) as i64);
                self.program.send(self.channel, message)
            }
            _ => self.program.receive(self.channel, Some(own)),
        }
    }

    /// An invariant that always holds keeps a search going until the end.
    fn properties(&mut self) {
        let always = self.program.always();
        self.program.invariant("always", always);
        for index in 0..3 {
            let parts: Vec<ExprId> = (0..2).map(|_| self.fact()).collect();
            let both = self.program.system.exprs.and(parts[0], parts[1]);
            let never_both = self.program.system.exprs.not(both);
            self.program.invariant(&format!("i{index}"), never_both);
        }
    }

    fn fact(&mut self) -> ExprId {
        match self.random.below(3) {
            0 => self.program.equals(self.numbers[0], self.random.below(3) as i64),
            1 => self.program.equals(self.flags[0], self.random.below(2) as i64),
            _ => {
                let process = ProcessId::from(self.random.below(self.program.system.processes.len()));
                let points = self.program.system.processes[process].points.len();
                self.program.at(process, self.random.below(points))
            }
        }
    }
}

/// The states that a command leads to.
fn after(machine: &Machine, state: &State, command: CommandId) -> BTreeSet<State> {
    let mut found = BTreeSet::new();
    let _ = machine.successors(&state.0, &mut machine.workspace(), |successor| {
        if successor.command == command {
            found.insert(State(successor.state.into()));
        }
        Visit::Continue(())
    });
    found
}

/// Definition 5 of [GP93] in one state; commands of programs have at most one successor each.
fn are_independent(machine: &Machine, state: &State, a: CommandId, b: CommandId) -> bool {
    let (after_a, after_b) = (after(machine, state, a), after(machine, state, b));
    let then = |states: &BTreeSet<State>, command| {
        states.iter().flat_map(|state| after(machine, state, command)).collect::<BTreeSet<State>>()
    };
    let (a_then_b, b_then_a) = (then(&after_a, b), then(&after_b, a));
    let b_stays = after_a.is_empty() || a_then_b.is_empty() == after_b.is_empty();
    let a_stays = after_b.is_empty() || b_then_a.is_empty() == after_a.is_empty();
    b_stays && a_stays && (after_a.is_empty() || after_b.is_empty() || a_then_b == b_then_a)
}

const REDUCTIONS: [Reduction; 5] = [
    Reduction { sets: Sets::None, refinement: Refinement::Operations },
    Reduction { sets: Sets::Persistent, refinement: Refinement::Operations },
    Reduction { sets: Sets::Sleep, refinement: Refinement::Operations },
    Reduction { sets: Sets::Both, refinement: Refinement::Operations },
    Reduction { sets: Sets::Both, refinement: Refinement::Accesses },
];

/// More states than this are passed over where there are atomic sections, whose insides are run through from every state: that
/// is quadratic where sections lead through most of the states.
const MOST_STATES: usize = 2_000;

/// Compares every way of searching with the plain one.
fn compare(machine: &Machine) -> Result<(), TestCaseError> {
    let (plain, found) = look(machine, &Options::default());
    let is_large = found.as_ref().is_some_and(|found| found.states() > MOST_STATES);
    if is_large && machine.system().has_atomic_sections {
        return Ok(());
    }
    if !is_large {
        let plainly = Plainly::visit(machine);
        prop_assert_eq!(plainly.is_none(), plain.fails);
        if let (Some(plainly), Some(found)) = (&plainly, &found) {
            prop_assert!(plainly.is_what(found), "{:?} {:?}", plainly, found);
        }
    }
    let two = NonZeroUsize::new(2).expect("not zero");
    let mut ways: Vec<Options> = REDUCTIONS
        .iter()
        .map(|reduction| Options { order: Order::DepthFirst, reduction: *reduction, ..Options::default() })
        .collect();
    ways.extend(REDUCTIONS[..2].iter().map(|reduction| Options {
        reduction: *reduction,
        jobs: two,
        ..Options::default()
    }));
    for options in ways {
        let (view, reduced) = look(machine, &options);
        prop_assert_eq!(&view, &plain, "{:?}", options);
        let (view, _) = look_for(machine, &[], &options);
        prop_assert_eq!((view.fails, &view.deadlocks), (plain.fails, &plain.deadlocks), "deadlocks, {:?}", options);
        if let (Some(found), Some(reduced)) = (&found, &reduced) {
            prop_assert_eq!(reduced.stop, found.stop);
            prop_assert!(reduced.states() <= found.states());
            if options.reduction == Reduction::default() {
                // Breadth-first search stores what is inside an atomic section where there is much of it.
                let stores_all = options.order == Order::BreadthFirst || !machine.system().has_atomic_sections;
                prop_assert!(!stores_all || reduced.states() == found.states());
                prop_assert!(!stores_all || reduced.cost.transitions == found.cost.transitions);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn all_searches_of_random_programs_agree(seed in any::<u64>()) {
        compare(&Machine::new(Arc::new(random_program(seed, Shape::Cyclic))))?;
    }

    /// Definitions 1 and 5 of [GP93], with semaphores, counters, flags and channels, in all reachable states.
    #[test]
    fn independent_commands_of_random_programs_commute(seed in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_program(seed, Shape::Cyclic)));
        // A fault ends the list of successors before commands that come later.
        prop_assume!(!look(&machine, &Options::default()).0.fails);
        let dependency = Dependency::new(machine.system());
        let (mut seen, mut open) = (BTreeSet::new(), Vec::new());
        machine.initial_states(&mut machine.workspace(), |state| {
            open.push(state);
            Visit::Continue(())
        }).expect("no faults at the start");
        while let (Some(state), true) = (open.pop(), seen.len() < 50) {
            if !seen.insert(state.clone()) {
                continue;
            }
            let commands = || machine.system().commands.indices();
            for (a, b) in commands().flat_map(|a| commands().map(move |b| (a, b))).filter(|(a, b)| a < b) {
                let independent = dependency.are_independent_in(a, b, machine.layout(), &state.0);
                prop_assert!(independent || !dependency.are_independent(a, b));
                prop_assert!(!independent || are_independent(&machine, &state, a, b), "{:?} {:?} {:?}", a, b, state);
            }
            open.extend(commands().flat_map(|command| after(&machine, &state, command)));
        }
    }

    /// [JJ91]: with room for fewer states, the search goes on and says the same, unless the path itself does not fit.
    #[test]
    fn forgetting_states_does_not_matter(
        seed in any::<u64>(), share in 1usize..100, way in 0usize..5, cheapest in any::<bool>(), branching in any::<bool>(),
    ) {
        let machine = Machine::new(Arc::new(random_program(seed, Shape::Cyclic)));
        let (plain, found) = look(&machine, &Options::default());
        let Some(found) = found else { return Ok(()) };
        let capacity = (found.states() * share / 100).max(2);
        let forgetting = if cheapest { Forgetting::Cheapest } else { Forgetting::AtRandom };
        let keeping = if branching { Keeping::Branching } else { Keeping::Everything };
        let (order, reduction) = (Order::DepthFirst, REDUCTIONS[way]);
        let options = Options { order, reduction, capacity, forgetting, keeping, seed, ..Options::default() };
        let properties = checkable(&machine);
        let mut looks = Looks(100);
        let mut handle = Handle::new(None, usize::MAX, &mut looks);
        let bounded = run(&machine, &properties, &options, &mut handle).without_fault().expect("no faults");
        let cost = bounded.cost.replacement.expect("depth-first search says so");
        prop_assert!(cost.stored <= capacity && cost.longest_path <= capacity + found.states());
        prop_assert!(branching || cost.insertions - cost.replaced == cost.stored);
        let violated: BTreeSet<PropertyId> = bounded.violations().iter().map(|(property, _)| *property).collect();
        if bounded.stop == Stop::Complete {
            prop_assert_eq!((&violated, &bounded.deadlocks), (&plain.violated, &plain.deadlocks));
        } else {
            prop_assert!(violated.is_subset(&plain.violated) && bounded.deadlocks.is_subset(&plain.deadlocks));
        }
    }

    /// [God97], Theorem 2: where no run is cut off, a stateless search finds every deadlock and every violation.
    #[test]
    fn stateless_search_agrees(seed in any::<u64>(), is_cyclic in any::<bool>(), way in 0usize..5) {
        let shape = if is_cyclic { Shape::Cyclic } else { Shape::Acyclic };
        let machine = Machine::new(Arc::new(random_program(seed, shape)));
        let (plain, found) = look(&machine, &Options::default());
        let limits = Limits { depth: 8, memory: usize::MAX };
        let properties = checkable(&machine);
        let how = Stateless { limits, reduction: REDUCTIONS[way], steps: StepLimits::default() };
        let walked = stateless(&machine, &properties, how, &mut Handle::default());
        let Ok(walked) = walked.without_fault() else {
            prop_assert!(plain.fails);
            return Ok(());
        };
        let violated: BTreeSet<PropertyId> = walked.violations().iter().map(|(property, _)| *property).collect();
        match walked.stop {
            Stop::Complete => {
                prop_assert_eq!(&View { fails: false, violated, deadlocks: walked.deadlocks }, &plain);
            }
            stop => {
                prop_assert_eq!(stop, Stop::Bound);
                prop_assert!(plain.fails || violated.is_subset(&plain.violated));
                prop_assert!(plain.fails || walked.deadlocks.is_subset(&plain.deadlocks));
                prop_assert!(found.is_none_or(|found| found.cost.depth >= 8 || is_cyclic));
            }
        }
    }

    #[test]
    fn all_searches_of_random_systems_agree(seed in any::<u64>(), any in any::<bool>()) {
        let coordination = if any { Coordination::Any } else { Coordination::None };
        let mut system = random_system(seed, coordination);
        let claim = Claim::Invariant(system.exprs.boolean(true));
        system.properties.push(Property::new("always".to_owned(), claim, Span::default()));
        compare(&Machine::new(Arc::new(system)))?;
    }
}

#[test]
fn reductions_leave_something_out() {
    let mut states = [0; 5];
    let mut transitions = [0; 5];
    for seed in 0..500 {
        let machine = Machine::new(Arc::new(random_program(seed, Shape::Cyclic)));
        for (index, reduction) in REDUCTIONS.into_iter().enumerate() {
            let options = Options { order: Order::DepthFirst, reduction, ..Options::default() };
            if let (_, Some(found)) = look(&machine, &options) {
                states[index] += found.states();
                transitions[index] += found.cost.transitions;
            }
        }
    }
    let [plain, persistent, sleep, both, unrefined] = states;
    assert!(persistent < plain * 4 / 5 && sleep == plain && both < unrefined && unrefined < plain, "{states:?}");
    let [plain, persistent, sleep, both, _] = transitions;
    assert!(sleep < plain * 4 / 5 && persistent < plain && both < persistent, "{transitions:?}");
}
