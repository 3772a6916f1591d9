//! Lassos by the engines that unroll: those of every strategy are as short as can be, and there are none where no run of
//! the machine closes to one. The oracle tries every run and evaluates the formula on it.
//!
//! Lassos by decision diagrams: there is one where there is one among the states of the product, and it violates the formula.

use std::ops::ControlFlow;
use std::sync::Arc;
use system::{
    BinaryTemporal, Claim, ClaimAutomaton, ClaimMove, ClaimStateId, ExprId, Fairness, FiniteRuns, Footprint, Formula,
    FormulaId, Machine, Motion, Moved, ProcessId, Property, PropertyId, Sort, Span, State, Statements, System, Trace,
    UnaryTemporal, Visit, render_formula,
};
use testkit::systems::{Coordination, Random, random_system};
use uwbmc::bounded::{Hunt, Strategy, Sweep};
use uwbmc::engine::{self, Findings, Verdict};
use uwbmc::explicit::{Interleavings, find_cycle};
use uwbmc::limits::Handle;
use uwbmc::sat::{Choice, Setup};
use uwbmc::symbolic;
use uwbmc::{Language, Model};

/// How many steps a lasso of the oracle has at most.
const LONGEST: usize = 4;

/// The most runs that the oracle tries.
const MOST_RUNS: usize = 10_000;

pub(crate) fn strategies() -> [(&'static str, Strategy); 4] {
    [
        ("plain", Strategy::plain()),
        ("scheduling constraints", Strategy::pruned()),
        ("the paper's", Strategy::paper()),
        ("ours", Strategy::widening()),
    ]
}

pub(crate) fn swept(machine: &Machine, properties: &[PropertyId], bound: usize, strategy: Strategy) -> Findings {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    let mut sweep = Sweep::new(machine, properties, bound, strategy, &start).expect("supported");
    engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails")
}

/// The least number of steps of a lasso that violates each property, up to the longest; none if there are too many runs to try.
fn shortest(machine: &Machine, properties: &[PropertyId], longest: usize) -> Option<Vec<Option<usize>>> {
    let mut shortest = vec![None; properties.len()];
    let mut open: Vec<Trace> = Vec::new();
    let begin = |state: State| {
        open.push(Trace::starting(state));
        ControlFlow::Continue(())
    };
    machine.initial_states(&mut machine.workspace(), begin).expect("no faults");
    let mut tried = 0;
    while let Some(trace) = open.pop() {
        tried += 1;
        if tried + open.len() > MOST_RUNS {
            return None;
        }
        let steps = trace.moves.len();
        let starts = (0..steps).filter(|start| trace.states.at(*start) == trace.states.at(steps)).map(Some);
        for loop_start in starts.chain([None]) {
            let lasso = Trace { loop_start, ..trace.clone() };
            for (property, least) in properties.iter().zip(&mut shortest) {
                let steps = length(machine, *property, &lasso);
                let is_shorter = steps <= longest && least.is_none_or(|least| steps < least);
                if is_shorter && lasso.violates(machine, *property).is_some() {
                    *least = Some(steps);
                }
            }
        }
        if steps < longest {
            open.extend(longer(machine, &trace));
        }
    }
    Some(shortest)
}

/// How many steps a counterexample has. A run that has come to its end stays there by a step of no process, unless what it has done
/// violates the property however it goes on.
fn length(machine: &Machine, property: PropertyId, run: &Trace) -> usize {
    let stays = run.loop_start.is_none() && !is_prefix(machine, property, run);
    run.moves.len() + usize::from(stays)
}

/// Whether a finite run violates a property however it goes on.
fn is_prefix(machine: &Machine, property: PropertyId, run: &Trace) -> bool {
    match machine.system().properties[property].claim {
        Claim::Ltl(formula) => run.decides(machine, formula) == Some(false),
        _ => false,
    }
}

/// The runs with one step more.
fn longer(machine: &Machine, trace: &Trace) -> Vec<Trace> {
    let mut longer: Vec<Trace> = Vec::new();
    let last = trace.states.last().expect("a run has a state");
    let make = |successor: system::Successor<'_>| {
        let step = successor.step();
        let process = machine.system().commands[step.command].owner.process;
        let mut next = trace.clone();
        next.moves.push(Moved { process, command: Some(step.command), inputs: step.inputs });
        next.states.push(State(successor.state.into()));
        longer.push(next);
        Visit::Continue(())
    };
    machine.successors(&last.0, &mut machine.workspace(), make).expect("no faults");
    longer
}

/// Whether a formula can tell how often a state is repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repetition {
    Matters,
    DoesNotMatter,
}

/// What formulas are made of.
pub(crate) struct Vocabulary {
    pub atoms: Vec<ExprId>,
    pub repetition: Repetition,
}

/// A formula over some conditions.
pub(crate) fn formula(system: &mut System, letters: &Vocabulary, random: &mut Random, depth: usize) -> FormulaId {
    if depth == 0 || random.chance(15) {
        return system.formulas.add(Formula::State(letters.atoms[random.below(letters.atoms.len())]));
    }
    let a = formula(system, letters, random, depth - 1);
    let all = [
        UnaryTemporal::Globally,
        UnaryTemporal::Finally,
        UnaryTemporal::Historically,
        UnaryTemporal::Once,
        UnaryTemporal::Next,
        UnaryTemporal::Yesterday,
        UnaryTemporal::WeakYesterday,
    ];
    let unary = if letters.repetition == Repetition::Matters { &all[..] } else { &all[..4] };
    let binary = [BinaryTemporal::Until, BinaryTemporal::Releases, BinaryTemporal::Since, BinaryTemporal::Triggered];
    let made = match random.below(10) {
        0 => Formula::Not(a),
        1..6 => Formula::Unary(unary[random.below(unary.len())], None, a),
        kind => {
            let b = formula(system, letters, random, depth - 1);
            match kind {
                6 => Formula::And(a, b),
                7 => Formula::Implies(a, b),
                _ => Formula::Binary(binary[random.below(binary.len())], None, a, b),
            }
        }
    };
    system.formulas.add(made)
}

/// What formulas and fairness speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// States, and who moves.
    Movers,
    /// Also inputs.
    Inputs,
    /// States, in a program: runs that end stay where they are.
    Programs,
}

/// A random system with fairness, and formulas over what its invariants say.
fn random_question(seed: u64, kind: Letters) -> System {
    let coordination = if kind == Letters::Programs { Coordination::Program } else { Coordination::None };
    let mut system = random_system(seed, coordination);
    let is_program = kind == Letters::Programs && encoder::can_stay(&system);
    if is_program {
        system.finite_runs = FiniteRuns::Prolonged;
    }
    let mut random = Random(seed ^ 0x5eed);
    let invariant = |property: &Property| match property.claim {
        Claim::Invariant(expr) => Some(expr),
        _ => None,
    };
    let mut atoms: Vec<ExprId> = system.properties.iter().filter_map(invariant).collect();
    if is_program {
        // Where no process moves there is no step to speak of.
        let reads = |expr: &ExprId| Footprint::of(&system.exprs, &[*expr]);
        atoms.retain(|expr| !reads(expr).running && !reads(expr).timeout && reads(expr).next.is_empty());
        atoms.push(system.exprs.boolean(true));
    }
    let running: Vec<ExprId> = system.processes.indices().map(|process| system.exprs.running(process)).collect();
    let inputs: Vec<_> = system.inputs().map(|(var, variable)| (var, variable.domain.sort())).collect();
    let inputs = inputs.into_iter().filter(|(_, sort)| kind == Letters::Inputs && *sort == Sort::Boolean);
    let inputs: Vec<ExprId> = inputs.map(|(var, sort)| system.exprs.now(var, sort)).collect();
    let running = running.into_iter().filter(|_| !is_program);
    let letters: Vec<ExprId> = atoms.iter().copied().chain(running).chain(inputs).collect();
    system.properties.raw.clear();
    for number in 0..3 {
        let depth = 1 + random.below(4);
        let repetition = if seed % 4 < 2 { Repetition::DoesNotMatter } else { Repetition::Matters };
        let letters = Vocabulary { atoms: letters.clone(), repetition };
        let root = formula(&mut system, &letters, &mut random, depth);
        let name = format!("f{number}");
        system.properties.push(Property::new(name, Claim::Ltl(root), Span::default()));
    }
    if is_program {
        let claim = Claim::Progress(letters[random.below(letters.len())]);
        system.properties.push(Property::new("progress".to_owned(), claim, Span::default()));
    }
    for _ in 0..random.below(3) {
        let often = letters[random.below(letters.len())];
        let then = letters[random.below(letters.len())];
        let process = ProcessId::from(random.below(system.processes.len()));
        let fairness = match random.below(if is_program { 5 } else { 3 }) {
            0 | 1 => Fairness::Justice(often),
            2 => Fairness::Compassion(often, then),
            3 => Fairness::Weak(process),
            _ => Fairness::Strong(process),
        };
        system.fairness.push(fairness);
    }
    system
}

/// Every second system is a program.
fn any_letters(seed: u64) -> Letters {
    if seed.is_multiple_of(2) { Letters::Programs } else { Letters::Movers }
}

/// A random claim with three states, over what invariants say, as the only property of a random system.
fn random_claim(seed: u64) -> System {
    let mut system = random_question(seed, any_letters(seed));
    let mut random = Random(seed ^ 0xc1a1);
    let formulas = system.properties.iter().filter_map(|property| match property.claim {
        Claim::Ltl(root) => Some(system.formulas.states(root)),
        _ => None,
    });
    let atoms: Vec<ExprId> = formulas.flatten().collect();
    let states = 3;
    let mut moves = || {
        let step = |random: &mut Random| ClaimMove {
            guard: atoms[random.below(atoms.len())],
            to: ClaimStateId::from(random.below(states)),
            statements: Statements::One,
        };
        (0..1 + random.below(2)).map(|_| step(&mut random)).collect::<Vec<_>>()
    };
    let automaton = ClaimAutomaton {
        name: "claim".to_owned(),
        moves: (0..states).map(|_| moves()).collect(),
        accepting: vec![ClaimStateId::from(1)],
    };
    system.automata.push(automaton);
    let claim = Claim::Never(system.automata.len() - 1);
    system.properties.raw.clear();
    system.properties.push(Property::new("claim".to_owned(), claim, Span::default()));
    system
}

/// Every strategy finds the shortest lasso, which replays and violates the formula; where there is none, the formulas
/// for a proof have no solution either.
pub(crate) fn agree(machine: &Machine, what: &str) -> bool {
    agree_up_to(LONGEST, machine, what)
}

/// The same for lassos of at most this many steps.
pub(crate) fn agree_up_to(longest: usize, machine: &Machine, what: &str) -> bool {
    let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
    let Some(expected) = shortest(machine, &properties, longest) else { return false };
    agree_with_cycles(machine, &properties, &expected, longest, what);
    for (name, strategy) in strategies() {
        let found = swept(machine, &properties, longest, strategy);
        assert!(found.fault.is_none(), "{what}, {name}");
        for (property, expected) in properties.iter().zip(&expected) {
            let violations = found.violations();
            let trace = violations.iter().find(|(violated, _)| violated == property).map(|(_, trace)| *trace);
            let length = |trace| length(machine, *property, trace);
            let (found, says) = (trace.map(length), written(machine, *property));
            assert_eq!(found, *expected, "{what}, {name}: {says}");
            if let Some(trace) = trace {
                trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}, {name}: {mismatch:?}"));
                assert!(trace.violates(machine, *property).is_some(), "{what}, {name}: {says}");
            }
        }
    }
    true
}

/// How many of the formulas that have a lasso within the bound passes were asked about, and found one for.
#[derive(Debug, Default)]
pub(crate) struct Hunted {
    pub asked: usize,
    pub found: usize,
}

/// Compares what passes find with the oracle, of each property by itself.
pub(crate) fn agree_on_passes(machine: &Machine, what: &str, hunted: &mut Hunted) {
    let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
    let Some(expected) = shortest(machine, &properties, LONGEST) else { return };
    for asked in properties.into_iter().zip(expected) {
        agree_with_passes(machine, asked, what, hunted);
    }
}

/// What passes find within the bound is a lasso that violates the formula, and no shorter than the shortest; they settle no bound.
fn agree_with_passes(
    machine: &Machine,
    (property, expected): (PropertyId, Option<usize>),
    what: &str,
    hunted: &mut Hunted,
) {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    let Some(mut hunt) = Hunt::new(machine, &[property], LONGEST, &start).expect("supported") else { return };
    let found = engine::run(&mut hunt, &mut Handle::default()).expect("nothing fails");
    let says = written(machine, property);
    assert!(found.fault.is_none() && found.settled.is_none(), "{what}, passes: {says}");
    hunted.asked += usize::from(expected.is_some());
    let Some((_, trace)) = found.violations().into_iter().next() else { return };
    hunted.found += 1;
    trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}, passes: {mismatch:?}: {says}"));
    assert!(trace.violates(machine, property).is_some(), "{what}, passes: {says}");
    let length = length(machine, property, trace);
    let is_between = expected.is_some_and(|least| (least..=LONGEST).contains(&length));
    assert!(is_between, "{what}, passes: {length}, {expected:?}: {says}");
}

#[test]
fn passes_find_lassos_of_random_systems() {
    let mut hunted = Hunted::default();
    for seed in seeds() {
        for system in [random_question(seed, any_letters(seed)), random_claim(seed)] {
            agree_on_passes(&Machine::new(Arc::new(system)), &format!("seed {seed}"), &mut hunted);
        }
    }
    println!("{hunted:?}");
    // A run may be too long in passes where one that moves less often in each of them is not.
    assert!(hunted.found > 0 && 10 * hunted.found >= 9 * hunted.asked, "{hunted:?}");
}

/// What contradicts itself is violated by every run, which shows as soon as its conditions are known, as in NuSMV.
#[test]
fn a_formula_that_contradicts_itself_is_violated_as_soon_as_that_shows() {
    let formulas = [
        ("X x & X !x", 1),
        ("X X x & X X !x", 2),
        ("G (b | X x & X !x)", 2),
        ("F x & !(F x)", 0),
        ("b U (X x & X !x)", 2),
    ];
    for (formula, least) in formulas {
        let text = format!(
            "MODULE main VAR x : boolean; b : boolean; ASSIGN init(b) := TRUE; next(x) := !x; next(b) := !b; LTLSPEC {formula};"
        );
        let model = Model::parse(&text, Language::Smv).expect("a model");
        assert!(agree(&model.machine, &text));
        for (name, strategy) in strategies() {
            let found = swept(&model.machine, &[PropertyId::from(0)], LONGEST, strategy);
            let lengths: Vec<usize> = found.violations().iter().map(|(_, trace)| trace.moves.len()).collect();
            assert_eq!(lengths, [least], "{formula}, {name}");
        }
    }
}

/// What a property says.
fn written(machine: &Machine, property: PropertyId) -> String {
    match machine.system().properties[property].claim {
        Claim::Ltl(formula) => render_formula(machine.system(), formula),
        ref claim => format!("{claim:?}"),
    }
}

/// A claim may take several rounds of a loop to accept: what is found violates it, and what is there is found in as many
/// rounds as the claim has states.
fn agree_on_claim(machine: &Machine, what: &str) -> bool {
    let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
    let Some(expected) = shortest(machine, &properties, LONGEST) else { return false };
    agree_with_cycles(machine, &properties, &expected, LONGEST, what);
    for (name, strategy) in strategies() {
        let found = swept(machine, &properties, 4 * LONGEST, strategy);
        assert!(found.fault.is_none(), "{what}, {name}");
        let violations = found.violations();
        let trace = violations.first().map(|(_, trace)| *trace);
        assert!(expected[0].is_none() || trace.is_some(), "{what}, {name}: there is one of {expected:?} steps");
        if let Some(trace) = trace {
            trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}, {name}: {mismatch:?}"));
            assert!(trace.violates(machine, properties[0]).is_some(), "{what}, {name}");
            let length = length(machine, properties[0], trace);
            assert!(length > LONGEST || expected[0].is_some_and(|least| least <= length), "{what}, {name}");
        }
    }
    true
}

/// The search for cycles decides as the oracle does, as far as that looks, and shows a run that violates the formula; whether
/// interleavings are left out makes no difference.
fn agree_with_cycles(
    machine: &Machine,
    properties: &[PropertyId],
    expected: &[Option<usize>],
    longest: usize,
    what: &str,
) {
    for (property, expected) in properties.iter().zip(expected) {
        for interleavings in [Interleavings::All, Interleavings::Fewest] {
            let found = find_cycle(machine, *property, interleavings, usize::MAX, &mut Handle::default());
            assert!(found.fault.is_none(), "{what}, {property:?}");
            match &found.verdicts[0].1 {
                Verdict::Violated(trace) => {
                    trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}, {property:?}: {mismatch:?}"));
                    assert!(trace.violates(machine, *property).is_some(), "{what}, {property:?}");
                    let length = length(machine, *property, trace);
                    let is_long = length > longest;
                    assert!(is_long || expected.is_some_and(|least| least <= length), "{what}, {property:?}");
                }
                Verdict::Holds(_) => assert_eq!(*expected, None, "{what}, {property:?}"),
                // An atomic section can go round for ever.
                verdict => assert!(verdict.is_unknown(), "{what}, {property:?}: {verdict}"),
            }
        }
    }
}

/// How many random systems; UWBMC_FUZZ_CASES asks for more.
fn cases() -> u32 {
    std::env::var("UWBMC_FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(80)
}

/// The seeds of random systems, from UWBMC_FUZZ_FIRST on.
pub(crate) fn seeds() -> std::ops::Range<u64> {
    let first = std::env::var("UWBMC_FUZZ_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    first..first + u64::from(cases())
}

#[test]
fn random_systems_and_formulas() {
    let compared = seeds().filter(|seed| {
        let machine = Machine::new(Arc::new(random_question(*seed, any_letters(*seed))));
        agree(&machine, &format!("seed {seed}"))
    });
    let compared = compared.count();
    println!("{compared} of {} systems compared, with three formulas each", cases());
    assert!(compared > 0);
}

#[test]
fn random_systems_and_claims() {
    let compared = seeds().filter(|seed| {
        let machine = Machine::new(Arc::new(random_claim(*seed)));
        agree_on_claim(&machine, &format!("seed {seed}"))
    });
    let compared = compared.count();
    println!("{compared} of {} systems compared, with a claim each", cases());
    assert!(compared > 0);
}

/// What was seen, so that the test can say that it sees enough.
#[derive(Debug, Default)]
struct Seen {
    hold: usize,
    violated: usize,
    just: usize,
    compassionate: usize,
    past: usize,
    inputs: usize,
}

/// Diagrams decide as the search over the product does, and what they show violates the formula.
fn decide(seed: u64, seen: &mut Seen) {
    /// How many nodes diagrams may have here.
    const LIMITS: symbolic::Limits = symbolic::Limits::of_nodes(1 << 20);
    let machine = Machine::new(Arc::new(random_question(seed, Letters::Inputs)));
    let system = machine.system();
    let has = |is_so: fn(&Fairness) -> bool| usize::from(system.fairness.iter().any(is_so));
    seen.just += has(|constraint| matches!(constraint, Fairness::Justice(_)));
    seen.compassionate += has(|constraint| matches!(constraint, Fairness::Compassion(..)));
    for property in system.properties.indices() {
        let Claim::Ltl(root) = system.properties[property].claim else { continue };
        seen.past += usize::from(is_about_past(system, root));
        seen.inputs += usize::from(reads_inputs(system, root));
        let expected = find_cycle(&machine, property, Interleavings::All, usize::MAX, &mut Handle::default());
        assert!(expected.fault.is_none(), "seed {seed}, {property:?}");
        let found = symbolic::check(&machine, &[property], LIMITS, &mut Handle::default());
        assert!(found.fault.is_none(), "seed {seed}, {property:?}");
        match (&found.verdicts[0].1, &expected.verdicts[0].1) {
            (Verdict::Holds(_), Verdict::Holds(_)) => seen.hold += 1,
            (Verdict::Violated(trace), Verdict::Violated(_)) => {
                seen.violated += 1;
                trace.replay(&machine).unwrap_or_else(|mismatch| panic!("seed {seed}, {property:?}: {mismatch:?}"));
                assert!(trace.violates(&machine, property).is_some(), "seed {seed}, {property:?}");
            }
            (found, expected) => panic!("seed {seed}, {property:?}: {found:?}, not {expected:?}"),
        }
    }
}

fn is_about_past(system: &System, root: FormulaId) -> bool {
    use UnaryTemporal::{Historically, Once, WeakYesterday, Yesterday};
    system.formulas.parts(root).into_iter().any(|part| {
        let past = [Yesterday, WeakYesterday, Historically, Once];
        match system.formulas.get(part) {
            Formula::Unary(op, ..) => past.contains(&op),
            Formula::Binary(op, ..) => matches!(op, BinaryTemporal::Since | BinaryTemporal::Triggered),
            _ => false,
        }
    })
}

fn reads_inputs(system: &System, root: FormulaId) -> bool {
    let is_input = |var: &system::VarId| system.variables[*var].motion == Motion::Input;
    system.formulas.parts(root).into_iter().any(|part| match system.formulas.get(part) {
        Formula::State(expr) => Footprint::of(&system.exprs, &[expr]).now.iter().any(is_input),
        _ => false,
    })
}

#[test]
fn diagrams_decide_as_cycles_do() {
    let mut seen = Seen::default();
    (0..u64::from(cases()) * 4).for_each(|seed| decide(seed, &mut seen));
    let least = cases() as usize / 4;
    let Seen { hold, violated, just, compassionate, past, inputs } = seen;
    let counts = [hold, violated, just, compassionate, past, inputs];
    assert!(counts.into_iter().all(|count| count >= least), "{seen:?}");
}

/// The oracle does not pass over too much, and both verdicts occur.
#[test]
fn random_questions_are_of_every_kind() {
    let (mut compared, mut violated, mut fair, mut programs, mut sections) = (0, 0, 0, 0, 0);
    for seed in 0..60 {
        let system = random_question(seed, any_letters(seed));
        fair += usize::from(!system.fairness.is_empty());
        programs += usize::from(system.finite_runs == FiniteRuns::Prolonged);
        sections += usize::from(system.has_atomic_sections && system.finite_runs == FiniteRuns::Prolonged);
        let machine = Machine::new(Arc::new(system));
        let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
        if let Some(shortest) = shortest(&machine, &properties, LONGEST) {
            compared += shortest.len();
            violated += shortest.iter().flatten().count();
        }
    }
    assert!(
        compared >= 60 && violated >= 30 && compared - violated >= 20 && fair >= 20 && programs >= 10 && sections >= 3,
        "{compared} {violated} {fair} {programs} {sections}"
    );
}
