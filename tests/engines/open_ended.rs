//! What is found although not everything can be: violations beside properties that stay open, states beside variables that do
//! not matter, runs that need several processes to be between the same two steps, and steps with very many choices.

use std::ops::ControlFlow;
use uwbmc::bounded::Walks;
use uwbmc::check::{Choice, Known, Verdict, Visiting};
use uwbmc::engine::Engine;
use uwbmc::explicit::Order;
use uwbmc::limits::{Effort, Handle};
use uwbmc::symbolic::{self, Limits};
use uwbmc::system::PropertyId;
use uwbmc::{Language, Model, Observer, Options, Progress, check};

/// Eight processes that look whether there is room before they add to a buffer, and one that looks at the buffer once.
const BUFFER: &str = "
byte stored; bool locked;
proctype producer() {
  atomic { !locked -> locked = true };
  if :: stored < 3 -> locked = false; stored++ :: else -> locked = false fi
}
active proctype monitor() { assert(stored <= 7) }
init { byte i; atomic { do :: i < 8 -> run producer(); i++ :: else -> break od } }
";

#[test]
fn walks_linger_between_looking_and_writing() {
    let model = Model::parse(BUFFER, Language::Promela).expect("a model");
    let properties: Vec<PropertyId> = model.machine.system().properties.indices().take(1).collect();
    for seed in 0..3 {
        let mut walks = Walks::new(&model.machine, &properties, 200, seed);
        let _ = walks.turn(Effort::Ticks(60_000_000), &mut Handle::default());
        let (_, trace) = walks.found().violations()[0];
        assert!(trace.replay(&model.machine).is_ok());
    }
}

/// Ten stations of which a variable says who moves; what is `said` of it may leave out some of them. A station can be counted while two neighbours are
/// where they are for one move each: only walks in which few stations move come there.
fn stations(said: &str) -> String {
    let count = 10;
    let mut text = format!("MODULE main\nVAR who : 0..{}; last : 0..9;\n{said}\n", count - 1);
    for station in 0..count {
        let next = format!("case who != {station} : s{station}; s{station} = 6 : 0; TRUE : s{station} + 1; esac");
        text += &format!("VAR s{station} : 0..6; ASSIGN init(s{station}) := 0; next(s{station}) := {next};\n");
    }
    let met = (1..count - 1).map(|at| format!("(s{} = 6 & s{at} = 6 & s{} = 6)", at - 1, at + 1));
    text + &format!("INVARSPEC !({})\n", met.collect::<Vec<String>>().join(" | "))
}

/// What walks make of a variable that says who moves is a run, whatever else is said of it.
#[test]
fn walks_give_a_variable_that_says_who_moves_few_values() {
    let nothing = "ASSIGN next(last) := last;";
    let defined = "ASSIGN last := who;";
    let restricted = "INVAR who != 3 & who != 8; ASSIGN next(last) := last;";
    let related = "TRANS next(who) != who + 4; ASSIGN next(last) := last;";
    for said in [nothing, defined, restricted, related] {
        let model = Model::parse(&stations(said), Language::Smv).unwrap_or_else(|error| panic!("{said}: {error}"));
        for seed in 0..3 {
            let mut walks = Walks::new(&model.machine, &[PropertyId::new(0)], 200, seed);
            let _ = walks.turn(Effort::Ticks(60_000_000), &mut Handle::default());
            let found = walks.found().violations();
            for (property, trace) in &found {
                trace.replay(&model.machine).unwrap_or_else(|mismatch| panic!("{said}: {mismatch:?}"));
                assert_eq!(trace.violates(&model.machine, *property), Some(trace.moves.len()), "{said}");
            }
            assert!(said != nothing || found.len() == 1, "seed {seed}: few stations are enough");
        }
    }
}

/// A property that is violated soon beside one that no engine decides within the bound in any time.
const OPEN: &str = "
MODULE main
VAR x : 0..20; a : word[24]; b : word[24];
ASSIGN
  init(x) := 0; next(x) := case x < 20 : x + 1; TRUE : 0; esac;
  next(a) := a * b + 0uh24_000001; next(b) := b * b - a;
INVARSPEC NAME soon := x < 9
INVARSPEC NAME never := !(a * b = 0uh24_abcdef & a > b & x = 20)
";

/// Ends the work as soon as something is violated, and notes what is known by then.
struct Witness {
    known: Known,
    violated: usize,
}

impl Observer for Witness {
    fn see(&mut self, now: &Progress) -> ControlFlow<()> {
        match now {
            Progress::Bounds(bounds) if bounds.shortest.is_some() => {
                let known = self.known.so_far();
                self.violated = known.iter().filter(|checked| matches!(checked.verdict, Verdict::Violated(_))).count();
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn what_is_violated_is_known_before_the_rest_is_decided() {
    let model = Model::parse(OPEN, Language::Smv).expect("a model");
    let options = Options::default().bound(40);
    let mut witness = Witness { known: options.known.clone(), violated: 0 };
    let report = check(&model, &options, &mut witness).expect("a report");
    assert_eq!(witness.violated, 1);
    assert!(matches!(report.properties[0].verdict, Verdict::Violated(_)));
}

#[test]
fn a_counter_that_does_not_matter_is_left_out_without_a_bound() {
    let nexts = [
        "(counter + 1) mod 65536",
        "case counter < 65535 : counter + 1; TRUE : 0; esac",
        "case counter = 65535 : 0; TRUE : counter + 1; esac",
    ];
    let reduced = Visiting { order: Some(Order::DepthFirst), ..Visiting::default() };
    let explicit = Options::default().engine(Choice::Explicit);
    for next in nexts {
        let text = format!(
            "
MODULE main
VAR x : 0..15; counter : 0..65535; light : {{red, green, off}};
ASSIGN
  init(x) := 0; next(x) := case x < 9 : {{x, x + 1}}; TRUE : 0; esac;
  init(counter) := 0; next(counter) := {next};
  init(light) := red; next(light) := case light = red : green; TRUE : {{light, off}}; esac;
INVARSPEC NAME low := x <= 9
"
        );
        let model = Model::parse(&text, Language::Smv).expect("a model");
        for options in [Options::default(), explicit.clone(), Options { visiting: reduced, ..explicit.clone() }] {
            let report = check(&model, &options, &mut ()).expect("a report");
            let verdict = report.properties[0].verdict.to_string();
            assert_eq!(verdict, "holds (all 10 reachable states were visited, in the cone of influence)", "{next}");
        }
    }
}

/// Processes each of which has to come to its last control point while the others wait there. There are far too many states, and as numbers that are
/// ordered tell the processes apart, none of them stands for others.
fn meeting(processes: usize) -> String {
    let mut text = "MODULE guest(noise, number)\nVAR pc : {away, road, door, here}; seen : 0..255; gift : 0..255;
ASSIGN init(pc) := away; init(seen) := 0; init(gift) := 0; next(gift) := case pc = road : {0, 1}; TRUE : gift; esac;
  next(pc) := case pc = away : road; pc = road : door; pc = door & gift < number : here; TRUE : away; esac;
  next(seen) := case pc = door : noise; TRUE : seen; esac;
  next(noise) := (noise * 5 + seen + 1) mod 256;\nMODULE main\nVAR noise : 0..255;\n"
        .to_owned();
    text += &(0..processes)
        .map(|number| format!("g{number} : process guest(noise, {});\n", number + 2))
        .collect::<String>();
    let all: Vec<String> = (0..processes).map(|number| format!("g{number}.pc = here")).collect();
    text + &format!("ASSIGN init(noise) := 0;\nINVARSPEC NAME apart := !({})\n", all.join(" & "))
}

#[test]
fn walks_find_what_is_wrong_in_a_large_system_without_a_bound() {
    let model = Model::parse(&meeting(24), Language::Smv).expect("a model");
    let report = check(&model, &Options::default(), &mut ()).expect("a report");
    assert_eq!(report.engine, "walk");
    assert!(matches!(report.properties[0].verdict, Verdict::Violated(_)));
}

/// A word that no walk meets by chance, out of products for which there is no small diagram, at the end of long runs.
const RARE: &str = "
MODULE reader(place, turn, sum)
VAR pc : {come, sit, get, add, done}; x : 0..255;
ASSIGN
  init(pc) := come;
  next(pc) := case pc = come : sit; pc = sit : get; pc = get : add; pc = add & turn = place : done; TRUE : pc; esac;
  init(x) := 0; next(x) := case pc = get : 0..255; TRUE : x; esac;
  next(sum) := case pc = add & turn = place : (sum * sum + 3 * x) mod 65536; TRUE : sum; esac;
  next(turn) := case pc = add & turn = place : turn + 1; TRUE : turn; esac;
MODULE main
VAR
  turn : 0..6; sum : 0..65535;
  a : process reader(0, turn, sum); b : process reader(1, turn, sum); c : process reader(2, turn, sum);
  d : process reader(3, turn, sum); e : process reader(4, turn, sum); f : process reader(5, turn, sum);
ASSIGN init(turn) := 0; init(sum) := 0;
INVARSPEC NAME other := !(turn = 6 & sum = 48879)
";

#[test]
fn formulas_find_a_rare_value_without_a_bound() {
    let model = Model::parse(RARE, Language::Smv).expect("a model");
    let report = check(&model, &Options::default(), &mut ()).expect("a report");
    let Verdict::Violated(trace) = &report.properties[0].verdict else { panic!("{:?}", report.properties[0]) };
    assert!(trace.replay(&model.machine).is_ok() && trace.moves.len() > 20, "{}", trace.moves.len());
}

/// More states than can be visited, and a product that no order of variables makes small; but what goes wrong does so soon.
const PRODUCT: &str = "
MODULE main
VAR a : word[24]; b : word[24]; product : word[24]; x : 0..3;
ASSIGN
  init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : x; esac;
  next(product) := a * b;
INVARSPEC NAME never := !(x = 3 & product = 0ud24_12345679)
LTLSPEC NAME settles := F G product != 0ud24_12345679
";

#[test]
fn short_runs_that_go_wrong_are_found_without_a_bound() {
    let model = Model::parse(PRODUCT, Language::Smv).expect("a model");
    for (name, steps) in [("never", 3), ("settles", 1)] {
        let report = check(&model, &Options::default().property(name), &mut ()).expect("a report");
        let Verdict::Violated(trace) = &report.properties[0].verdict else { panic!("{:?}", report.properties[0]) };
        assert!(trace.moves.len() >= steps && trace.moves.len() <= 5, "{}", trace.moves.len());
    }
}

/// A program with more states than can be visited, of which an invariant needs all and a formula a few.
const COUNTERS: &str = "
int x, y;
active proctype count_x() { do :: x++ od }
active proctype count_y() { do :: y++ :: assert(x != 77777777 || y != -5) od }
ltl soon { <> (x > 3 || y > 3) }
";

/// Ends the work when this many states have been visited by one engine.
struct Weary(usize);

impl Observer for Weary {
    fn see(&mut self, now: &Progress) -> ControlFlow<()> {
        match now {
            Progress::States { states, .. } if *states > self.0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn formulas_do_not_wait_for_invariants_that_take_long() {
    let model = Model::parse(COUNTERS, Language::Promela).expect("a model");
    let report = check(&model, &Options::default(), &mut Weary(400_000)).expect("a report");
    let of = |name: &str| report.properties.iter().find(|checked| checked.name == name).map(|found| &found.verdict);
    assert!(matches!(of("soon"), Some(Verdict::Violated(_))), "{:?}", of("soon"));
    assert!(matches!(of("end_states"), Some(Verdict::Unknown(_))), "{:?}", of("end_states"));
}

#[test]
fn invariants_that_were_put_off_are_decided_after_formulas() {
    let text = "int x; active proctype count() { do :: x < 300000 -> x++ :: assert(x <= 300000) od }
        ltl soon { [] (x >= 0) } ltl later { <> (x == 5) }";
    let model = Model::parse(text, Language::Promela).expect("a model");
    let report = check(&model, &Options::default(), &mut ()).expect("a report");
    for checked in &report.properties {
        let holds = matches!(checked.verdict, Verdict::Holds(_));
        assert_eq!(holds, checked.name != "later", "{}: {}", checked.name, checked.verdict);
    }
    assert_eq!(report.properties.len(), 4);
}

/// The same, and an assertion that fails soon.
const FAILING: &str = "
int x, y;
active proctype count_x() { do :: x++; assert(x != 3) od }
active proctype count_y() { do :: y++ od }
";

/// Notes how many violations are known at most while the work goes on, which it ends after this many states.
struct Listener {
    known: Known,
    violated: usize,
    weary: Weary,
}

impl Observer for Listener {
    fn see(&mut self, now: &Progress) -> ControlFlow<()> {
        let known = self.known.so_far();
        let violated = known.iter().filter(|checked| matches!(checked.verdict, Verdict::Violated(_))).count();
        self.violated = self.violated.max(violated);
        self.weary.see(now)
    }
}

#[test]
fn what_is_violated_is_known_before_the_next_stage_begins() {
    let model = Model::parse(FAILING, Language::Promela).expect("a model");
    let options = Options::default();
    let mut listener = Listener { known: options.known.clone(), violated: 0, weary: Weary(400_000) };
    check(&model, &options, &mut listener).expect("a report");
    assert_eq!(listener.violated, 1);
}

/// Where p is false, every run ends.
const DEAD_END: &str = "
MODULE main
VAR x : 0..2; y : 0..40;
INIT x = 0 & y = 0
TRANS x != 2 & (next(x) = 2 | next(x) = x) & (y < 40 & next(y) = y + 1 | y = 40 & next(y) = 0)
LTLSPEC NAME always := G x != 2
";

#[test]
fn a_finite_run_is_no_violation_before_it_goes_on_for_ever() {
    let model = Model::parse(DEAD_END, Language::Smv).expect("a model");
    for options in [Options::default(), Options::default().bound(10)] {
        let mut listener = Listener { known: options.known.clone(), violated: 0, weary: Weary(usize::MAX) };
        let report = check(&model, &options, &mut listener).expect("a report");
        let verdict = &report.properties[0].verdict;
        assert!(matches!(verdict, Verdict::Holds(_) | Verdict::HoldsUpTo(_)), "{verdict}");
        assert_eq!(listener.violated, 0);
    }
}

/// The run to a violation is a hundred layers of states long, and the other property holds as soon as all states are known.
#[test]
fn what_holds_does_not_wait_for_the_run_of_what_does_not() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/large");
    let model = Model::load(folder.join("dkr-8.smv")).expect("a model");
    let system = model.machine.system();
    let properties: Vec<PropertyId> = system.properties.indices().collect();
    assert_eq!(
        properties.iter().map(|id| system.properties[*id].name.as_str()).collect::<Vec<_>>(),
        ["no_leader", "safe"]
    );
    let limits = Limits::of_nodes(1 << 22).with_effort(1 << 20);
    let found = symbolic::check(&model.machine, &properties, limits, &mut Handle::default());
    assert!(matches!(found.verdict(properties[0]), Some(Verdict::Unknown(_))), "{:?}", found.verdicts);
    assert!(matches!(found.verdict(properties[1]), Some(Verdict::Holds(_))), "{:?}", found.verdicts);
}

/// Every step chooses the values of forty variables, and the run that violates the formula makes the last of all choices.
#[test]
fn a_step_with_very_many_choices_is_found_by_the_values_that_it_chooses() {
    let names: Vec<String> = (0..40).map(|index| format!("b{index}")).collect();
    let mut text = "MODULE main\nVAR\n".to_owned();
    for name in &names {
        text += &format!("  {name} : boolean;\n");
    }
    text += "ASSIGN\n";
    for name in &names {
        text += &format!("  init({name}) := FALSE; next({name}) := {{FALSE, TRUE}};\n");
    }
    text += &format!("LTLSPEC !(F G ({}))\n", names.join(" & "));
    let model = Model::parse(&text, Language::Smv).expect("a model");
    let property = PropertyId::new(0);
    let found = symbolic::check(&model.machine, &[property], Limits::of_nodes(1 << 22), &mut Handle::default());
    let Some(Verdict::Violated(trace)) = found.verdict(property) else { panic!("{:?}", found.verdicts) };
    trace.replay(&model.machine).expect("a run");
    assert!(trace.violates(&model.machine, property).is_some());
}
