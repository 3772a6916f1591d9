//! k-induction against sets of states: what follows from itself, over how many steps, and that it holds.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use system::{Domain, Machine, PropertyId, State, System, Visit};
use testkit::systems::{Coordination, random_system};
use testkit::texts;
use uwbmc::bounded::{Inductive, can_be_inductive, inductive};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::sat::{Choice, Setup};
use uwbmc::smv::load;
use uwbmc::source::Source;
use uwbmc::{Language, Model, Options, check};

/// How many random systems are looked at.
const CASES: u64 = 150;

/// As many states in a row as are assumed at most.
const DEEPEST: usize = 6;

/// Two processes that count, by turns or both at once, and a third counter in a system without turns: there, what follows from itself over
/// several steps is not rare. With or without constraints on the states, those that runs begin in, and those that follow.
fn text(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let values = random.u64(3..9);
    let mut text = "MODULE counter(mine, other)\nVAR\n  pc : {low, high};\nASSIGN\n".to_owned();
    if random.bool() {
        text += "  init(pc) := low;\n";
    }
    let (from, to) = (random.u64(0..values), random.u64(0..values));
    let _ = writeln!(text, "  next(pc) := case other = {from} : high; pc = high : {{low, high}}; TRUE : pc; esac;");
    let _ = writeln!(
        text,
        "  next(mine) := case pc = high & mine < {} : mine + 1; mine = {to} : 0; TRUE : mine; esac;",
        values - 1
    );
    let _ = write!(text, "MODULE main\nVAR\n  x : 0..{0};\n  y : 0..{0};\n", values - 1);
    let (turns, round) = (random.bool(), random.u64(1..values));
    let kind = if turns { "process " } else { "" };
    let _ = writeln!(text, "  p : {kind}counter(x, y);\n  q : {kind}counter(y, x);");
    let _ = writeln!(text, "  z : 0..{};\nASSIGN\n  init(z) := 0;", values - 1);
    if !turns {
        let last = values - 1;
        let _ = writeln!(text, "  next(z) := case z = {} : 0; z = {last} : z; TRUE : z + 1; esac;", round - 1);
    }
    if random.bool() {
        let _ = writeln!(text, "INIT x = {} & y <= x", random.u64(0..values));
    }
    if random.u64(0..3) == 0 {
        let _ = writeln!(text, "INVAR x + y < {}", random.u64(values..2 * values));
    }
    if random.u64(0..3) == 0 {
        let _ = writeln!(text, "TRANS next(x) >= x | next(y) >= {}", random.u64(0..values));
    }
    for number in 0..4 {
        let (one, two) = (random.u64(0..values), random.u64(0..values));
        let condition = match random.u64(0..5) {
            0 => format!("!(x = {one} & y = {two})"),
            1 => format!("!(x = {one} & p.pc = low)"),
            2 => format!("x >= {one} -> q.pc = high | y < {two}"),
            3 => format!("x < {}", one + 1),
            _ => format!("z != {one}"),
        };
        let _ = writeln!(text, "INVARSPEC NAME i{number} := {condition};");
    }
    text
}

fn machine(text: &str) -> Machine {
    let loaded = load(&Source::new("test.smv", text.as_bytes()), &[]);
    Machine::new(Arc::new(loaded.system.unwrap_or_else(|| panic!("refused: {text}"))))
}

pub fn follow(machine: &Machine, properties: &[PropertyId]) -> Option<Inductive> {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    inductive(machine, properties, &start, u64::MAX, &mut Handle::default()).expect("no trouble")
}

fn values(domain: &Domain) -> Vec<i64> {
    match domain {
        Domain::Boolean => vec![0, 1],
        Domain::Range { low, high } => (*low..=*high).collect(),
        Domain::Values(values) => values.to_vec(),
        Domain::Word(_) => panic!("no words here"),
    }
}

/// Every state of a system, reachable or not.
fn all_states(machine: &Machine) -> BTreeSet<State> {
    let system = machine.system();
    let mut assignments: Vec<Vec<i64>> = vec![Vec::new()];
    for variable in &system.variables {
        let longer = assignments.iter().flat_map(|assignment| {
            values(&variable.domain).into_iter().map(move |value| [assignment.as_slice(), &[value]].concat())
        });
        assignments = longer.collect();
    }
    let states = assignments.iter().map(|assignment| machine.layout().pack(assignment, None));
    states.filter(|state| is_possible(machine, state)).collect()
}

/// Whether a state satisfies the constraints on all states.
fn is_possible(machine: &Machine, state: &State) -> bool {
    let mut constraints = machine.system().constraints.iter();
    constraints.all(|constraint| machine.evaluate(constraint.holds, state, &mut machine.workspace()) == Ok(1))
}

fn successors(machine: &Machine, states: &BTreeSet<State>) -> BTreeSet<State> {
    let mut found = BTreeSet::new();
    for state in states {
        let step = |successor: system::Successor<'_>| {
            found.insert(State(successor.state.into()));
            Visit::Continue(())
        };
        machine.successors(&state.0, &mut machine.workspace(), step).expect("no fault");
    }
    found
}

/// Over how many states in a row a property follows from itself: these are the states at the ends of as many that satisfy it, one by one.
fn depth(machine: &Machine, property: PropertyId) -> Option<usize> {
    let is_good = |state: &State| machine.holds(property, &state.0, &mut machine.workspace()) == Ok(true);
    let mut ends: BTreeSet<State> = all_states(machine).into_iter().filter(is_good).collect();
    for depth in 1..=DEEPEST {
        let next = successors(machine, &ends);
        if next.iter().all(is_good) {
            return Some(depth);
        }
        ends = next.into_iter().filter(is_good).collect();
    }
    None
}

fn invariants(system: &System, machine: &Machine) -> Vec<PropertyId> {
    system.properties.indices().filter(|property| can_be_inductive(machine, *property)).collect()
}

#[test]
fn an_invariant_follows_over_as_many_steps_as_sets_of_states_say() {
    let mut depths = BTreeSet::new();
    for seed in 0..CASES {
        let text = text(seed);
        let machine = machine(&text);
        for property in invariants(machine.system(), &machine) {
            let expected = depth(&machine, property);
            let found = follow(&machine, &[property]).map(|found| found.depth);
            assert_eq!(found, expected, "seed {seed}, {}:\n{text}", machine.system().properties[property].name);
            depths.insert(expected);
        }
    }
    assert!(depths.contains(&None) && (1..=DEEPEST).all(|depth| depths.contains(&Some(depth))), "{depths:?}");
}

/// What follows, and is violated in no run that is shorter than that, is violated in no run.
fn follows_rightly(machine: &Machine, what: &str) -> usize {
    let Some(found) = follow(machine, &invariants(machine.system(), machine)) else { return 0 };
    let limits = Limits { depth: 1000, memory: usize::MAX };
    let searched = search(machine, &found.properties, limits, &mut Handle::default());
    let nearest = searched.violations().iter().map(|(_, trace)| trace.moves.len()).min();
    let nearest = nearest.or(searched.fault.as_ref().map(|(_, trace)| trace.moves.len()));
    assert!(nearest.is_none_or(|nearest| nearest < found.depth), "{what}: {found:?}, but after {nearest:?} steps");
    usize::from(nearest.is_none()) * found.properties.len()
}

#[test]
fn what_follows_together_holds_together() {
    let mut held = 0;
    for seed in 0..CASES {
        held += follows_rightly(&machine(&text(seed)), &text(seed));
        held += follows_rightly(&machine(&texts::random_model(seed)), &format!("model {seed}"));
        let system = random_system(seed, Coordination::None);
        held += follows_rightly(&Machine::new(Arc::new(system)), &format!("system {seed}"));
    }
    assert!(held > 100, "only {held} hold");
}

/// Counters that begin anywhere, and are as many as to make states and diagrams too large.
fn counters(init: &str, claims: &str) -> String {
    let mut text = "MODULE main\nVAR n : 0..40; t : 0..4095;\n".to_owned();
    for number in 0..5 {
        let _ = writeln!(text, "  a{number} : 0..255;");
    }
    text += "ASSIGN init(n) := 0; init(t) := 0; next(n) := n < 40 ? n + 1 : 40;\n";
    text += "  next(t) := (t + case n = 0 : a0; n = 1 : a1; n = 2 : a2; n = 3 : a3; TRUE : a4; esac) mod 4096;\n";
    for number in 0..5 {
        let _ = writeln!(text, "  next(a{number}) := a{number};");
    }
    format!("{text}{init}\n{claims}")
}

fn verdicts(text: &str) -> Vec<String> {
    let model = Model::parse(text, Language::Smv).unwrap_or_else(|error| panic!("{error}"));
    let report = check(&model, &Options::default(), &mut ()).unwrap_or_else(|error| panic!("{error}"));
    report.properties.iter().map(|property| property.verdict.to_string()).collect()
}

#[test]
fn a_trillion_initial_states_are_not_looked_at_one_by_one() {
    let sum = "a0 + a1 + a2 + a3 + a4 = 613";
    let init = format!("INIT {sum}");
    let holds = "holds (by induction over 6 steps)";
    let claims = format!("INVARSPEC n = 5 -> t = 613\nINVARSPEC {sum}");
    assert_eq!(verdicts(&counters(&init, &claims)), [holds, holds]);
    assert_eq!(verdicts(&counters(&init, "INVARSPEC !(n = 3 & t = 500)")), ["violated in 3 steps"]);
    let holds = "holds (by induction over 4 steps)";
    assert_eq!(verdicts(&counters("", "INVARSPEC n = 4 -> t <= 1020\nINVARSPEC n = 0 -> t = 0")), [holds, holds]);
    assert_eq!(verdicts(&counters("", "INVARSPEC n != 7 | t != 1234")), ["violated in 7 steps"]);
}

/// No step leads to where it is violated, but runs begin there.
#[test]
fn what_follows_from_itself_has_to_hold_in_the_beginning() {
    let claim = "INVARSPEC n = 0 -> a0 * a1 + a2 * a3 != 64771 | a0 * a2 + a1 * a4 != 64769 | t > 0";
    assert_eq!(verdicts(&counters("", claim)), ["violated in 0 steps"]);
}
