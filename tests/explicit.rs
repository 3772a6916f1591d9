//! Every way of explicit search finds what the plain one finds: on random concurrent programs, and on random systems
//! with every feature of commands.

#[path = "../system/tests/random/mod.rs"]
mod random;

use proptest::prelude::*;
use random::{Coordination, Random, random_system};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Claim, ExprId, Machine, ProcessId, Property, PropertyId, Span, State, System, Update, VarId};
use uwbmc::experiment::{Channel, Program};
use uwbmc::explicit::{Options, Order, Reduction, Search, run};

/// What a search says, as far as it has to be the same for all of them.
#[derive(Debug, PartialEq, Eq)]
struct View {
    /// Whether the model has no meaning somewhere.
    fails: bool,
    violated: BTreeSet<PropertyId>,
    deadlocks: BTreeSet<State>,
}

fn checkable(machine: &Machine) -> Vec<PropertyId> {
    let is_checkable = |id: &PropertyId| {
        matches!(machine.system().properties[*id].claim, Claim::Invariant(_) | Claim::DeadlockFree)
    };
    machine.system().properties.indices().filter(is_checkable).collect()
}

/// Searches until the end: for that, nothing claims that there is no deadlock, and one invariant holds.
fn look(machine: &Machine, options: &Options) -> (View, Option<Search>) {
    let properties = checkable(machine);
    match run(machine, &properties, options, |_| ControlFlow::Continue(())) {
        Err(_) => (View { fails: true, violated: BTreeSet::new(), deadlocks: BTreeSet::new() }, None),
        Ok(found) => {
            for (property, trace) in &found.violations {
                trace.replay(machine).expect("a counterexample is a run");
                assert_eq!(trace.violates(machine, *property), Some(trace.moves.len()));
            }
            let violated = found.violations.iter().map(|(property, _)| *property).collect();
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
}

fn random_program(seed: u64) -> System {
    let mut random = Random(seed);
    let mut program = Program::default();
    let numbers = (0..2).map(|index| program.number(&format!("n{index}"), 2, random.below(3) as i64)).collect();
    let flags = (0..2).map(|index| program.number(&format!("f{index}"), 1, 0)).collect();
    let channel = program.channel("c", 1 + random.below(2) as u32, 2);
    let may_fail = random.chance(10);
    let mut writer = Writer { random, program, numbers, flags, channel, may_fail };
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

const REDUCTIONS: [Reduction; 4] = [
    Reduction { persistent: false, sleep: false },
    Reduction { persistent: true, sleep: false },
    Reduction { persistent: false, sleep: true },
    Reduction { persistent: true, sleep: true },
];

/// Compares every way of searching with the plain one.
fn compare(machine: &Machine) -> Result<(), TestCaseError> {
    let (plain, found) = look(machine, &Options::default());
    let two = NonZeroUsize::new(2).expect("not zero");
    let mut ways: Vec<Options> = REDUCTIONS
        .iter()
        .map(|reduction| Options { order: Order::DepthFirst, reduction: *reduction, ..Options::default() })
        .collect();
    ways.extend(REDUCTIONS[..2].iter().map(|reduction| Options { reduction: *reduction, jobs: two, ..Options::default() }));
    for options in ways {
        let (view, reduced) = look(machine, &options);
        prop_assert_eq!(&view, &plain, "{:?}", options);
        if let (Some(found), Some(reduced)) = (&found, &reduced) {
            prop_assert_eq!(reduced.stop, found.stop);
            prop_assert!(reduced.states <= found.states);
            if options.reduction == Reduction::default() {
                prop_assert_eq!(reduced.states, found.states);
                prop_assert_eq!(reduced.transitions, found.transitions);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn all_searches_of_random_programs_agree(seed in any::<u64>()) {
        compare(&Machine::new(Arc::new(random_program(seed))))?;
    }

    #[test]
    fn all_searches_of_random_systems_agree(seed in any::<u64>(), any in any::<bool>()) {
        let coordination = if any { Coordination::Any } else { Coordination::None };
        let mut system = random_system(seed, coordination);
        let claim = Claim::Invariant(system.exprs.boolean(true));
        system.properties.push(Property { name: "always".to_owned(), claim, span: Span::default() });
        compare(&Machine::new(Arc::new(system)))?;
    }
}

#[test]
fn reductions_leave_something_out() {
    let mut states = [0; 4];
    let mut transitions = [0; 4];
    for seed in 0..500 {
        let machine = Machine::new(Arc::new(random_program(seed)));
        for (index, reduction) in REDUCTIONS.into_iter().enumerate() {
            let options = Options { order: Order::DepthFirst, reduction, ..Options::default() };
            if let (_, Some(found)) = look(&machine, &options) {
                states[index] += found.states;
                transitions[index] += found.transitions;
            }
        }
    }
    let [plain, persistent, sleep, both] = states;
    assert!(persistent < plain * 4 / 5 && sleep == plain && both < plain * 4 / 5, "{states:?}");
    let [plain, persistent, sleep, both] = transitions;
    assert!(sleep < plain * 4 / 5 && persistent < plain && both < persistent, "{transitions:?}");
}
