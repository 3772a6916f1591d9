//! The engines that unroll agree with breadth-first search: on our models and on random systems, at every depth.

use crate::unbounded;
use encoder::{Grain, Idling, Order, Rules, Scheduling, Valid};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use system::{
    Apart, Claim, Command, ControlPoint, Footprint, Machine, Motion, Move, Process, PropertyId, Slice, Span, System,
};
use testkit::files;
use testkit::processes;
use testkit::smv_constructs;
use testkit::systems::{Coordination, random_system};
use testkit::texts;
use uwbmc::bounded::{
    Carry, Hunter, Jobs, Lengths, Minimise, Race, Reuse, Rounds, Strategy, Sweep, Widen, Within, Workers, can_be_asked,
    race,
};
use uwbmc::diagnostic::{Diagnostics, Style};
use uwbmc::engine::{self, Findings, Stop};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::{Effort, Handle};
use uwbmc::sat::{Answer, Choice, Phase, Setup};
use uwbmc::smv::{load, parse};
use uwbmc::source::Source;

fn solvers() -> Vec<Choice> {
    <Choice as clap::ValueEnum>::value_variants().to_vec()
}

/// Plain bounded model checking, in every way.
fn plain_strategies() -> Vec<Strategy> {
    let mut strategies = Vec::new();
    for reuse in [Reuse::Incremental, Reuse::Fresh] {
        for scheduling in [Scheduling::Free, Scheduling::Peephole] {
            for idling in [Idling::Allowed, Idling::Excluded] {
                let rules = Rules { scheduling, idling, ..Rules::default() };
                strategies.push(Strategy { rules, reuse, ..Strategy::plain() });
            }
        }
    }
    strategies
}

/// Underapproximation-widening, in ways that differ from our own and the paper's in one ingredient or several. The
/// scheduling constraints go with the fixed order only: they prune by it.
fn widening_strategies() -> Vec<Strategy> {
    let ours = Strategy::widening();
    let ordered = |order| Strategy {
        rules: Rules { order, scheduling: Scheduling::Free, ..ours.rules },
        minimise: Minimise::Within(20),
        ..ours
    };
    vec![
        ours,
        Strategy::paper(),
        Strategy { widen: Widen::One, ..ours },
        Strategy { carry: Carry::Restart, ..ours },
        Strategy { minimise: Minimise::Within(20), phase: Phase::False, ..ours },
        Strategy { reuse: Reuse::Fresh, ..ours },
        Strategy { rounds: Rounds::Within(1), ..ours },
        Strategy { rules: Rules { grain: Grain::Point, ..ours.rules }, ..ours },
        Strategy::scheduled(),
        Strategy { rules: Rules { idling: Idling::Allowed, ..ours.rules }, ..ours },
        Strategy { rules: Rules { valid: Valid::Paper, ..ours.rules }, ..ours },
        ordered(Order::Fixed),
        ordered(Order::Rotating),
        ordered(Order::RoundRobin),
        ordered(Order::RunOn),
    ]
}

/// What is checked: invariants, and deadlock freedom where a random system claims it.
fn invariants(machine: &Machine) -> Vec<PropertyId> {
    let claim = |id: &PropertyId| &machine.system().properties[*id].claim;
    let is_asked = |id: &PropertyId| matches!(claim(id), Claim::Invariant(_) | Claim::DeadlockFree);
    machine.system().properties.indices().filter(is_asked).collect()
}

fn explicit(machine: &Machine, bound: usize) -> Findings {
    let limits = Limits { depth: bound, memory: 1_000_000_000 };
    search(machine, &invariants(machine), limits, &mut Handle::default()).without_fault().expect("no faults")
}

fn bounded(machine: &Machine, bound: usize, solver: Choice, strategy: Strategy) -> Findings {
    let start = |phase| solver.start(Setup { phase, ..Setup::default() });
    let mut sweep = Sweep::new(machine, &invariants(machine), bound, strategy, &start).expect("supported");
    engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails")
}

/// The default procedure, with this much memory to visit states.
fn raced(machine: &Machine, bound: usize, jobs: Jobs, visits: Option<usize>) -> Findings {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    let properties = invariants(machine);
    let question = Race { machine, properties: &properties, bound, start: &start, guest: None, tell: &|_| () };
    let workers = Workers {
        provers: vec![Strategy::widening(), Strategy::plain()],
        hunter: Hunter::Present,
        visits,
        walks: visits.map(|_| 7),
        scouts: vec![Strategy::scout(Order::RoundRobin)],
        ..Workers::default()
    };
    race(question, &workers, jobs, &mut Handle::default()).expect("supported")
}

/// The depth at which each violated property is violated first, in order of properties.
fn depths(violations: &[(PropertyId, &system::Trace)]) -> Vec<(PropertyId, usize)> {
    let mut depths: Vec<_> = violations.iter().map(|(id, trace)| (*id, trace.moves.len())).collect();
    depths.sort_unstable();
    depths
}

/// What breadth-first search says of a machine up to each bound, searched once.
struct Searched<'a> {
    machine: &'a Machine,
    known: BTreeMap<usize, Findings>,
}

impl Searched<'_> {
    fn new(machine: &Machine) -> Searched<'_> {
        Searched { machine, known: BTreeMap::new() }
    }

    fn up_to(&mut self, bound: usize) -> &Findings {
        self.known.entry(bound).or_insert_with(|| explicit(self.machine, bound))
    }
}

fn agree(searched: &mut Searched<'_>, bound: usize, solver: Choice, strategy: Strategy, what: &str) {
    let machine = searched.machine;
    let fast = bounded(machine, bound, solver, strategy);
    assert!(fast.fault.is_none(), "{what}: no fault is reachable");
    let slow = searched.up_to(bound);
    assert_eq!(depths(&slow.violations()), depths(&fast.violations()), "{what} with {solver:?}");
    for (property, trace) in fast.violations() {
        trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}: {mismatch:?}"));
        assert_eq!(trace.violates(machine, property), Some(trace.moves.len()), "{what}");
    }
}

fn machine(path: &str) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let source = Source::new(path.display().to_string(), &std::fs::read(&path).expect("readable"));
    Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")))
}

#[test]
fn small_models_of_every_family() {
    for (path, bound) in [
        ("models/paper/figure1.smv", 6),
        ("models/mutex/peterson-2.smv", 12),
        ("models/mutex/peterson-3-broken.smv", 12),
        ("models/mutex/bakery-2-broken.smv", 11),
        ("models/mutex/semaphore-3-broken.smv", 8),
        ("models/philosophers/philosophers-3-broken.smv", 8),
        ("models/philosophers/philosophers-3.smv", 8),
        ("models/leader/leader-3.smv", 12),
        ("models/leader/leader-3-any.smv", 9),
        ("models/leader/leader-3-broken.smv", 10),
        ("models/abp/abp-1-broken.smv", 10),
        ("models/abp/abp-2.smv", 8),
        ("models/prodcons/prodcons-1-2x1-broken.smv", 10),
        ("models/rw/rw-2x1-broken.smv", 8),
        ("models/barrier/barrier-2-broken.smv", 12),
        ("models/twopc/twopc-2-broken-early.smv", 12),
        ("models/mesi/mesi-2-broken.smv", 12),
    ] {
        let machine = machine(path);
        let mut searched = Searched::new(&machine);
        for solver in solvers() {
            let strategies = if solver == Choice::default() { plain_strategies() } else { vec![Strategy::pruned()] };
            for strategy in strategies {
                agree(&mut searched, bound, solver, strategy, path);
            }
        }
        for strategy in widening_strategies() {
            agree(&mut searched, bound.min(9), Choice::default(), strategy, path);
        }
        agree_race(&mut searched, bound, path);
    }
}

#[test]
fn one_feature_of_the_language_each() {
    for path in files::smv_files(&["tests/smv/good"]) {
        let name = path.to_str().expect("plain names");
        let machine = machine(name);
        let mut searched = Searched::new(&machine);
        for strategy in [Strategy::plain(), Strategy::pruned(), Strategy::widening(), Strategy::paper()] {
            agree(&mut searched, 4, Choice::default(), strategy, name);
        }
        agree_race(&mut searched, 4, name);
    }
}

/// Program counters of every kind of domain that is taken for one, with known first values.
#[test]
fn program_counters_of_every_domain() {
    for (domain, first, second) in [("boolean", "FALSE", "TRUE"), ("0..1", "0", "1"), ("{off, on}", "off", "on")] {
        let text = format!(
            "MODULE walker(gate) VAR pc : {domain}; n : 0..3;
             ASSIGN init(pc) := {first}; init(n) := 0;
               next(pc) := case pc = {first} & gate : {second}; pc = {second} : {first}; TRUE : pc; esac;
               next(n) := case pc = {second} & n < 3 : n + 1; TRUE : n; esac;
             MODULE main VAR gate : boolean; a : process walker(gate); b : process walker(!gate);
             ASSIGN init(gate) := TRUE; next(gate) := a.n = 0;
             INVARSPEC a.n + b.n < 2; INVARSPEC !(a.pc = {second} & b.pc = {second}); INVARSPEC b.n < 2;"
        );
        let source = Source::new("walkers.smv", text.as_bytes());
        let machine = Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")));
        let has_pc = machine.system().processes.iter().filter(|process| process.pc.is_some()).count();
        assert_eq!(has_pc, 2, "{domain}: both walkers have a program counter");
        let mut searched = Searched::new(&machine);
        for strategy in plain_strategies().into_iter().chain(widening_strategies()) {
            agree(&mut searched, 9, Choice::default(), strategy, domain);
        }
        agree_race(&mut searched, 9, domain);
    }
}

#[test]
fn faults_are_found_with_the_run_that_leads_to_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smv/fault");
    for entry in std::fs::read_dir(folder).expect("part of the repository") {
        let path = entry.expect("readable").path();
        let name = format!("tests/smv/fault/{}", path.file_name().expect("a file").to_string_lossy());
        let machine = machine(&name);
        let limits = Limits { depth: 10, memory: 1_000_000_000 };
        let explicit = search(&machine, &invariants(&machine), limits, &mut Handle::default()).without_fault();
        let finding = explicit.expect_err("a fault is reachable");
        for strategy in plain_strategies().into_iter().chain(widening_strategies()) {
            let mut found = vec![bounded(&machine, 10, Choice::default(), strategy)];
            // The way of the paper, exactly this many steps: a fault on the way there is one all the same.
            let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
            let rules = Rules { idling: Idling::Allowed, ..strategy.rules };
            let exact = Strategy { rules, ..strategy };
            let mut sweep =
                Sweep::new(&machine, &invariants(&machine), Lengths::Exactly(5), exact, &start).expect("supported");
            found.push(engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails"));
            for found in found {
                let (failure, trace) = found.fault.unwrap_or_else(|| panic!("{name}: not found by {strategy:?}"));
                assert_eq!(failure.fault, finding.0.fault, "{name}");
                assert_eq!(trace.states.len(), finding.1.states.len(), "{name}");
            }
        }
        for visits in [None, Some(usize::MAX)] {
            let found = raced(&machine, 10, Jobs::One, visits);
            assert_eq!(found.fault.map(|(failure, _)| failure.fault), Some(finding.0.fault), "{name}");
        }
    }
}

/// Models that were answered wrongly or not at all, each in a few ways.
#[test]
fn what_was_answered_wrongly_once() {
    // A known value has fewer bits than its sort, and the program counter is one-hot.
    let narrow = |init: &str, next: &str| {
        format!(
            "MODULE P(g) VAR pc : 0..2; ASSIGN init(pc) := {init}; next(pc) := {next};
             MODULE main VAR g : 0..2; p : process P(g); ASSIGN init(g) := 0; next(g) := g; INVARSPEC p.pc != 0"
        )
    };
    let models = [
        narrow("1", "case pc = 1 : g; TRUE : pc; esac"),
        narrow("g", "case pc = 1 : g; TRUE : pc; esac"),
        narrow("2", "case pc = 2 : 1; pc = 1 : {g, 1}; TRUE : pc; esac"),
        narrow("1", "case pc = 1 : g + g; TRUE : pc; esac"),
        // `running` is asked for before a process is selected.
        "MODULE P VAR gl : boolean; ASSIGN init(gl) := FALSE; next(gl) := running | gl;
         MODULE main VAR x : 0..3; p : process P;
         ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : x; esac;
         INVARSPEC x < 3 INVARSPEC p.gl -> x < 3"
            .to_owned(),
        // A program counter outside the cone of influence.
        "MODULE M VAR x : boolean; ASSIGN init(x) := TRUE; next(x) := case x : FALSE; TRUE : x; esac;
         MODULE main VAR p : process M; h : boolean; g : boolean; ASSIGN init(g) := FALSE; INVARSPEC !(g & h)"
            .to_owned(),
        // Inputs that the process that moves does not look at, and a free variable outside the cone of influence.
        "MODULE P(x) IVAR act : 0..1; ASSIGN next(x) := case act = 1 & x < 3 : x + 1; TRUE : x; esac;
         MODULE main VAR x : 0..3; y : 0..3; p : process P(x); q : process P(x); ASSIGN init(x) := 0; INVARSPEC x < 3"
            .to_owned(),
    ];
    for text in models {
        let source = Source::new("text.smv", text.as_bytes());
        let system = load(&source, &[]).system.expect("accepted");
        let machine = Machine::new(Arc::new(system.clone()));
        let mut searched = Searched::new(&machine);
        assert!(!searched.up_to(8).violations().is_empty(), "{text}");
        for strategy in plain_strategies().into_iter().chain(widening_strategies()) {
            agree(&mut searched, 8, Choice::default(), strategy, &text);
        }
        agree_race(&mut searched, 8, &text);
        agree_on_slices(&system, &text).expect("slices agree");
    }
}

/// Philosophers who all take the left fork first.
fn philosophers(number: usize) -> String {
    let mut text = "MODULE philosopher(left, right)
        VAR pc : {thinking, hungry, has_left, eating};
        ASSIGN init(pc) := thinking;
        next(pc) := case pc = thinking : hungry; pc = hungry & !left : has_left; pc = has_left & !right : eating;
                         pc = eating : thinking; TRUE : pc; esac;
        next(left) := case pc = hungry : TRUE; pc = eating : FALSE; TRUE : left; esac;
        next(right) := case pc = has_left : TRUE; pc = eating : FALSE; TRUE : right; esac;
        MODULE main VAR "
        .to_owned();
    text += &format!("fork : array 1..{number} of boolean;\n");
    for left in 1..=number {
        let right = left % number + 1;
        text += &format!("VAR p{left} : process philosopher(fork[{left}], fork[{right}]);\n");
        text += &format!("ASSIGN init(fork[{left}]) := FALSE;\n");
    }
    let all: Vec<String> = (1..=number).map(|left| format!("p{left}.pc = has_left")).collect();
    text + &format!("INVARSPEC !({})\n", all.join(" & "))
}

/// Walks find what needs 80 steps of 40 processes in step, and the run is within the bound and real.
#[test]
fn walks_find_a_deadlock_of_forty_philosophers() {
    let source = Source::new("philosophers.smv", philosophers(40).as_bytes());
    let machine = Machine::new(Arc::new(load(&source, &[]).system.expect("a model")));
    let found = raced(&machine, 100, Jobs::One, Some(0));
    assert!(found.cost.walks.is_some(), "a walk is the first to find it: {:?}", found.stop);
    let violations = found.violations();
    let [(property, trace)] = violations[..] else { panic!("one violation: {:?}", violations.len()) };
    trace.replay(&machine).unwrap_or_else(|mismatch| panic!("{mismatch:?}"));
    assert_eq!(trace.violates(&machine, property), Some(trace.moves.len()));
    assert!((80..=100).contains(&trace.moves.len()), "{} steps", trace.moves.len());
    let again = raced(&machine, 100, Jobs::One, Some(0));
    assert_eq!(again.violations(), found.violations(), "the seed decides");
}

/// The race finds the same violations within the bound, though not always the shortest ones.
fn agree_race(searched: &mut Searched<'_>, bound: usize, what: &str) {
    let (machine, expected) = (searched.machine, depths(&searched.up_to(bound).violations()));
    let ways = [(Jobs::One, None), (Jobs::Two, None), (Jobs::One, Some(0)), (Jobs::One, Some(usize::MAX))];
    for (jobs, visits) in ways {
        let fast = raced(machine, bound, jobs, visits);
        assert!(fast.fault.is_none(), "{what}");
        let found = depths(&fast.violations());
        let ids = |depths: &[(PropertyId, usize)]| depths.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        assert_eq!(ids(&expected), ids(&found), "{what} with {jobs:?}, visiting: {visits:?}");
        if fast.stop == Stop::Complete {
            let all = searched.up_to(1_000);
            assert_eq!(depths(&all.violations()), found, "{what}");
            // Where processes are interchangeable, one state stands for several.
            let is_alike = fast.cost.interchangeable.is_empty() && all.states() == fast.states();
            assert!(is_alike || fast.states() < all.states(), "{what}");
        }
        for ((property, trace), (_, shortest)) in sorted(&fast.violations()).into_iter().zip(&expected) {
            trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}: {mismatch:?}"));
            assert_eq!(trace.violates(machine, property), Some(trace.moves.len()), "{what}");
            assert!((*shortest..=bound).contains(&trace.moves.len()), "{what}: {} steps", trace.moves.len());
        }
    }
}

fn sorted<'a>(violations: &[(PropertyId, &'a system::Trace)]) -> Vec<(PropertyId, &'a system::Trace)> {
    let mut sorted = violations.to_vec();
    sorted.sort_unstable_by_key(|(id, _)| *id);
    sorted
}

/// How many random systems; UWBMC_FUZZ_CASES asks for more.
fn cases() -> u32 {
    std::env::var("UWBMC_FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

/// The first of them; UWBMC_FUZZ_FIRST goes on behind others.
fn first() -> u64 {
    std::env::var("UWBMC_FUZZ_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Every way to unroll finds the same violations at the same depths.
fn agree_on_random(system: &system::System, seed: u64) -> Result<(), TestCaseError> {
    let machine = Machine::new(Arc::new(system.clone()));
    let bound = 4;
    let mut searched = Searched::new(&machine);
    let expected = depths(&searched.up_to(bound).violations());
    for strategy in plain_strategies().into_iter().chain(widening_strategies()) {
        let fast = bounded(&machine, bound, Choice::default(), strategy);
        prop_assert!(fast.fault.is_none());
        prop_assert_eq!(&expected, &depths(&fast.violations()), "seed {} {:?}", seed, strategy);
        for (_, trace) in fast.violations() {
            prop_assert!(trace.replay(&machine).is_ok(), "seed {}: {:?}", seed, trace.replay(&machine));
        }
        if fast.stop == Stop::NoLongerRuns {
            prop_assert_eq!(&depths(&searched.up_to(1_000).violations()), &expected, "seed {}", seed);
        }
    }
    agree_race(&mut searched, bound, &format!("seed {seed}"));
    agree_within(&machine, bound, searched.up_to(bound), &format!("seed {seed}"));
    Ok(())
}

/// One formula for all bounds has a solution where a property is violated within the bound, and the solution is a run.
fn agree_within(machine: &Machine, bound: usize, slow: &Findings, what: &str) {
    for property in invariants(machine).into_iter().filter(|property| can_be_asked(machine, *property)) {
        let Ok(Some(within)) = Within::new(machine, property, bound) else { continue };
        let mut solver = Choice::default().start(Setup::default());
        for _ in 0..within.formula.variables {
            solver.fresh();
        }
        within.formula.clauses.iter().for_each(|clause| solver.clause(clause));
        let is_violated = slow.violations().iter().any(|(violated, _)| *violated == property);
        match solver.solve(&[], Effort::Unlimited, &mut Handle::default()) {
            Answer::Sat(model) => {
                assert!(is_violated, "{what}");
                let run = within.run(|lit| model.holds(lit)).expect("a run");
                assert!(run.replay(machine).is_ok(), "{what}: {:?}", run.replay(machine));
                assert_eq!(run.violates(machine, property), Some(run.moves.len()), "{what}");
            }
            Answer::Unsat(_) => assert!(!is_violated, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
}

/// The system with a process that never does anything, as far as nothing else changes by itself.
fn waiting(mut system: System) -> System {
    for (_, variable) in system.variables.iter_mut_enumerated() {
        if variable.motion == Motion::Free {
            variable.motion = Motion::Kept;
        }
    }
    let exprs = &system.exprs;
    system.relations.retain(|relation| Footprint::of(exprs, &[relation.holds]).now.is_empty());
    let anywhere = ControlPoint { name: "anywhere".to_owned(), value: None, end: false };
    let points = [anywhere].into_iter().collect();
    let process = Process { name: "idle".to_owned(), pc: None, points, span: Span::default() };
    let process = system.processes.push(process);
    system.commands.push(Command {
        owner: Move { process, from: None, to: None },
        partner: None,
        guard: system.exprs.boolean(true),
        updates: Vec::new(),
        relation: None,
        keeps_control: false,
        label: "wait".to_owned(),
        span: Span::default(),
    });
    system
}

/// For each property by itself: its slice has the same depths, and each run of the slice is one of the system. Where
/// relations are left out, a run may be none; then no violation can be nearer than the slice has it.
fn agree_on_slices(system: &System, what: &str) -> Result<(), TestCaseError> {
    let machine = Machine::new(Arc::new(system.clone()));
    let slow = explicit(&machine, 4);
    let ways = [Apart::Kept, Apart::LeftOut].map(|apart| [(apart, Strategy::plain()), (apart, Strategy::widening())]);
    for (property, (apart, strategy)) in
        invariants(&machine).into_iter().flat_map(|property| ways.iter().flatten().map(move |way| (property, *way)))
    {
        let Some(slice) = Slice::new(system, &[property], apart) else { continue };
        let small = Machine::new(Arc::new(slice.system.clone()));
        let expected: Vec<_> = depths(&slow.violations()).into_iter().filter(|(id, _)| *id == property).collect();
        let found = bounded(&small, 4, Choice::default(), strategy);
        let lifted: Vec<_> = found.violations().into_iter().map(|(_, trace)| slice.lift(system, trace)).collect();
        if slice.apart() == Apart::LeftOut && lifted.contains(&None) {
            let nearest = found.violations().iter().map(|(_, trace)| trace.moves.len()).min();
            prop_assert!(expected.iter().all(|(_, depth)| Some(*depth) >= nearest), "{}", what);
            continue;
        }
        prop_assert_eq!(&depths(&found.violations()), &expected, "{} {:?}", what, strategy);
        for lifted in lifted {
            let lifted = lifted.ok_or_else(|| TestCaseError::fail(format!("{what}: not lifted")))?;
            prop_assert!(lifted.replay(&machine).is_ok(), "{}: {:?}", what, lifted.replay(&machine));
            prop_assert_eq!(lifted.violates(&machine, property), Some(lifted.moves.len()), "{}", what);
        }
    }
    Ok(())
}

/// The engines on a model as the command line has them, the cone of influence included.
fn agree_on_model(text: &str, bound: usize) -> Result<(), TestCaseError> {
    let source = Source::new("random.smv", text.as_bytes());
    let loaded = load(&source, &[]);
    let system = match loaded.system {
        Some(system) if !loaded.diagnostics.has_errors() => system,
        _ => return Err(TestCaseError::fail(loaded.diagnostics.render(&source, Style::Plain) + text)),
    };
    let machine = Machine::new(Arc::new(system.clone()));
    let properties = invariants(&machine);
    let slow = explicit(&machine, bound);
    let expected = depths(&slow.violations());
    for strategy in [Strategy::plain(), Strategy::pruned(), Strategy::paper(), Strategy::widening()] {
        let fast = bounded(&machine, bound, Choice::default(), strategy);
        prop_assert!(fast.fault.is_none(), "{}", text);
        prop_assert_eq!(&depths(&fast.violations()), &expected, "{:?}\n{}", strategy, text);
        for (_, trace) in fast.violations() {
            prop_assert!(trace.replay(&machine).is_ok(), "{:?}\n{}", strategy, text);
        }
        let Some(slice) = Slice::new(&system, &properties, Apart::Kept) else { continue };
        let small = Machine::new(Arc::new(slice.system.clone()));
        let found = bounded(&small, bound, Choice::default(), strategy);
        prop_assert_eq!(&depths(&found.violations()), &expected, "a slice: {:?}\n{}", strategy, text);
        for (property, trace) in found.violations() {
            let lifted = slice.lift(&system, trace);
            let violates = lifted
                .is_some_and(|trace| trace.replay(&machine).is_ok() && trace.violates(&machine, property).is_some());
            prop_assert!(violates, "a slice: {:?}\n{}", strategy, text);
        }
    }
    let fast = raced(&machine, bound, Jobs::One, None);
    prop_assert!(fast.fault.is_none(), "{}", text);
    let ids = |depths: &[(PropertyId, usize)]| depths.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    prop_assert_eq!(ids(&depths(&fast.violations())), ids(&expected), "the race\n{}", text);
    unbounded::agree(&system, &properties, text);
    Ok(())
}

/// `UWBMC_FUZZ_CASES=100000 cargo test --release --test engines bmc::random_models` looks at that many models.
#[test]
fn random_models() {
    let mut running = 0;
    for seed in first()..first() + u64::from(cases()) {
        let text = processes::random_model(seed);
        if let Err(wrong) = agree_on_model(&text, 5) {
            panic!("seed {seed}: {wrong}");
        }
        running += usize::from(text.contains("running"));
    }
    assert!(running > 0, "`running` is part of some models");
}

/// In as many models every construct of the language occurs.
const ENOUGH: u32 = 40;

/// The same on models that have more of the language: all of it.
#[test]
fn random_models_with_every_construct() {
    let mut seen = smv_constructs::Seen::default();
    for seed in 0..u64::from(ENOUGH.max(cases())) {
        let text = texts::random_model(seed);
        seen.note(&parse(&Source::new("random.smv", text.as_bytes()), &mut Diagnostics::default()));
        if let Err(wrong) = agree_on_model(&text, 4) {
            panic!("seed {seed}: {wrong}");
        }
    }
    assert_eq!(seen.missing(), [""; 0], "these never occur");
}

/// A process that is inside an atomic section and can only do what changes nothing still keeps the others from moving.
#[test]
fn walks_stay_inside_a_section_that_goes_round() -> Result<(), TestCaseError> {
    const SEED: u64 = 8_322_174_661_150_733_711;
    agree_on_random(&random_system(SEED, Coordination::Program), SEED)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn random_systems(seed in any::<u64>()) {
        agree_on_random(&random_system(seed, Coordination::None), seed)?;
    }

    /// Atomic sections, rendezvous and timeouts.
    #[test]
    fn random_programs(seed in any::<u64>()) {
        agree_on_random(&random_system(seed, Coordination::Program), seed)?;
    }

    /// Where a process can always wait, several bounds are asked about at once. With inputs that is unknown; half have none.
    #[test]
    fn random_systems_that_wait(seed in any::<u64>()) {
        let system = waiting(random_system(seed, Coordination::None));
        if !encoder::can_wait(&system) {
            return Ok(());
        }
        let machine = Machine::new(Arc::new(system));
        let slow = explicit(&machine, 7);
        let fast = bounded(&machine, 7, Choice::default(), Strategy::plain());
        prop_assert_eq!(depths(&slow.violations()), depths(&fast.violations()), "seed {}", seed);
        for (_, trace) in fast.violations() {
            prop_assert!(trace.replay(&machine).is_ok(), "seed {}: {:?}", seed, trace.replay(&machine));
        }
    }

    #[test]
    fn slices_of_random_systems(seed in any::<u64>()) {
        let coordination = if seed % 3 == 0 { Coordination::Program } else { Coordination::None };
        agree_on_slices(&random_system(seed, coordination), &format!("seed {seed}"))?;
    }
}
