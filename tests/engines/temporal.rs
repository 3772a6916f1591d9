//! Temporal properties: what NuSMV and SPIN answer on small models, and what automata look like.
//!
//! `tests/temporal/verdicts.tsv` has the recorded answers: of NuSMV 2.5.4 (`check_ltlspec`) and SPIN 6.5.2 (`pan -a`, `pan -l`,
//! with `-f` for weak fairness, always with -DNOREDUCE). Where ours differ, docs/temporal.md says why.

use std::path::{Path, PathBuf};
use system::{Claim, Fairness, PropertyId};
use testkit::alike::alike_program;
use testkit::numbers::Random;
use testkit::{nusmv, promela};
use uwbmc::check::Choice;
use uwbmc::engine::{Stop, Verdict};
use uwbmc::explicit::{Interleavings, Order, find_cycle, find_cycle_on_line};
use uwbmc::limits::{Handle, Patience};
use uwbmc::temporal::{Arena, Automaton, Tableau, normalise};
use uwbmc::{Model, Options, check};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal")
}

/// The property that a row is about: by name, or by its position among the formulas of LTL.
fn property(model: &Model, text: &str, wanted: &str) -> PropertyId {
    let properties = &model.machine.system().properties;
    let Some(number) = wanted.strip_prefix("ltl ").and_then(|number| number.parse::<usize>().ok()) else {
        return properties.position(|property| property.name == wanted).unwrap_or_else(|| panic!("no {wanted}"));
    };
    let is_ltl = |start: u32| text[..start as usize].trim_end().ends_with("LTLSPEC");
    let ltl = properties.iter_enumerated().filter(|(_, property)| is_ltl(property.span.start)).map(|(id, _)| id);
    ltl.into_iter().nth(number - 1).unwrap_or_else(|| panic!("no formula {number}"))
}

/// The verdict in a word. Counterexamples are replayed before they leave.
fn verdict(model: &Model, property: PropertyId, engine: Choice) -> String {
    let name = &model.machine.system().properties[property].name;
    let options = Options { engine, ..Options::default().property(name.clone()) };
    let report = check(model, &options, &mut ());
    let report = report.unwrap_or_else(|error| panic!("{}: {name}: {error:?}", model.source.name()));
    report.properties[0].verdict.word().to_owned()
}

#[test]
fn small_models_are_answered_as_by_nusmv_and_spin() {
    let table = std::fs::read_to_string(folder().join("verdicts.tsv")).expect("readable");
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, wanted, fairness, theirs, ours, _] = fields[..] else { panic!("{line}") };
        let path = folder().join(file);
        let text = std::fs::read_to_string(&path).expect("readable");
        let mut model = Model::load(&path).unwrap_or_else(|error| panic!("{file}: {error:?}"));
        if fairness == "weak" {
            model.assume_fairness(Fairness::Weak);
        }
        model.claim_progress();
        let property = property(&model, &text, wanted);
        let expected = if ours == "-" { theirs } else { ours };
        // To diagrams, as to every engine for invariants, a model without initial states is an error.
        let has_diagrams = file.ends_with(".smv") && !file.contains("_no_init");
        for engine in [Choice::Auto, Choice::Symbolic].into_iter().take(1 + usize::from(has_diagrams)) {
            let found = verdict(&model, property, engine);
            if found != expected {
                wrong.push(format!("{engine:?}: {found}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The automaton of a formula, as it is made.
fn tableau(formula: &str) -> Tableau {
    let text = format!("MODULE main VAR p : boolean; q : boolean; LTLSPEC {formula}");
    let model = Model::parse(&text, uwbmc::Language::Smv).expect("a model");
    let system = model.machine.system();
    let property = system.properties.iter().next().expect("a property");
    let mut arena = Arena::default();
    let root = match property.claim {
        Claim::Ltl(root) => normalise(system, root, &mut arena).expect("a formula of LTL"),
        _ => panic!("{formula} is an invariant"),
    };
    Tableau::new(arena, root).expect("a small formula").0
}

/// How many states the automaton of a formula has: all that are reached by some letter.
fn automaton_size(formula: &str) -> usize {
    let mut tableau = tableau(formula);
    let mut at = 0;
    while at < tableau.len() {
        tableau.edges(at as u32).expect("a small automaton");
        at += 1;
    }
    at
}

/// The automaton of a formula without what no accepted word passes.
fn simplified(formula: &str) -> Automaton {
    Automaton::of(&mut tableau(formula), 100).expect("a small formula").expect("a small automaton")
}

#[test]
fn common_formulas_have_small_automata() {
    // The numbers of states of the smallest transition-based generalised automata.
    for (formula, states) in [
        ("G F p", 1),
        ("F G p", 2),
        ("p U q", 2),
        ("G (p -> F q)", 2),
        ("F (p & G !q)", 2),
        ("p -> G F q", 3),
        ("G F p & G F q", 1),
        ("X G F p", 1),
        ("F F p", 2),
    ] {
        assert_eq!(automaton_size(formula), states, "{formula}");
        assert_eq!(simplified(formula).edges.len(), states, "{formula}");
    }
}

#[test]
fn what_no_word_satisfies_has_no_transitions() {
    for formula in ["F (q & G !q)", "G F p & F G !p", "X (F p & G !p)"] {
        assert_eq!(simplified(formula).edges, [vec![]], "{formula}");
    }
}

#[test]
fn states_that_simulate_each_other_are_one() {
    // To settle for one of the two at first is no better than to settle for both in the end.
    let formula = "F G p & F G q";
    assert!(automaton_size(formula) > 2);
    assert_eq!(simplified(formula).edges.len(), 2);
}

/// A random model with three boolean variables, some of its steps forbidden, and some fairness.
fn random_model(random: &mut Random) -> String {
    let condition = |random: &mut Random| {
        let variable = |random: &mut Random| *random.pick(&["a", "b", "c"]);
        let (left, right) = (variable(random), variable(random));
        format!("({}{left} {} {right})", random.pick(&["", "!"]), random.pick(&["&", "|", "xor"]))
    };
    let mut text = "MODULE main\nVAR a : boolean; b : boolean; c : boolean;\nASSIGN init(a) := FALSE;\n".to_owned();
    for variable in ["a", "b"] {
        text += &format!(
            "next({variable}) := case {} : {}; TRUE : {{TRUE, FALSE}}; esac;\n",
            condition(random),
            condition(random)
        );
    }
    text += &format!("INIT {}\n", condition(random));
    if random.below(3) == 0 {
        text += &format!("TRANS {} -> !next(c)\n", condition(random));
    }
    for _ in 0..random.below(3) {
        text += &format!("JUSTICE {}\n", condition(random));
    }
    if random.below(3) == 0 {
        text += &format!("COMPASSION({}, {})\n", condition(random), condition(random));
    }
    for _ in 0..6 {
        text += &format!("LTLSPEC {}\n", random_formula(random, 4));
    }
    text
}

fn random_formula(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        return (*random.pick(&["a", "b", "c", "TRUE"])).to_owned();
    }
    let left = random_formula(random, depth - 1);
    match random.below(3) {
        0 => format!("({} {left})", random.pick(&["!", "X", "F", "G", "Y", "Z", "O", "H"])),
        _ => {
            let right = random_formula(random, depth - 1);
            format!("({left} {} {right})", random.pick(&["&", "|", "->", "<->", "U", "V", "S", "T", "U", "V"]))
        }
    }
}

#[test]
fn random_models_are_answered_as_by_nusmv() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: there is no NuSMV");
        return;
    };
    let models = std::env::var("UWBMC_TEMPORAL_MODELS").ok().and_then(|models| models.parse().ok()).unwrap_or(15);
    for seed in 0..models {
        let text = random_model(&mut Random::new(seed));
        let (formulas, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("LTLSPEC"));
        // One at a time: NuSMV answers in an order of its own.
        for formula in formulas {
            compare_with(&nusmv, &format!("{}\n{formula}\n", rest.join("\n")), seed);
        }
    }
}

/// Whether NuSMV says the same about a model with one formula.
fn compare_with(nusmv: &Path, text: &str, seed: u64) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("temporal-{}.smv", std::process::id()));
    std::fs::write(&path, text).expect("writable");
    // The verdict alone: NuSMV does not end while building some counterexamples.
    let script = "set counter_examples 0\nread_model\nflatten_hierarchy\nencode_variables\nbuild_model\ncheck_ltlspec";
    let Some(answer) = nusmv::ask(nusmv, &path, script) else { return };
    let theirs: Vec<&str> = (answer.lines().filter(|line| line.starts_with("-- specification")))
        .map(|line| if line.ends_with("is true") { "holds" } else { "violated" })
        .collect();
    let model = Model::load(&path).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let mut has_initial_state = false;
    let begins = model.machine.initial_states(&mut model.machine.workspace(), |_| {
        has_initial_state = true;
        std::ops::ControlFlow::Break(())
    });
    assert!(begins.is_ok(), "seed {seed}\n{text}");
    // NuSMV says that everything holds of a model without initial states; to us it is an error.
    if has_initial_state {
        for engine in [Choice::Auto, Choice::Symbolic] {
            let properties = model.machine.system().properties.indices();
            let ours: Vec<String> = properties.map(|id| verdict(&model, id, engine)).collect();
            assert_eq!(ours, theirs, "{engine:?}, seed {seed}\n{text}");
        }
    }
}

/// Larger products are passed over.
const MOST: usize = 20_000;

/// What a search for cycles says of the formula of a random program, and how many states it visited; `None` if there are too many, or the
/// program has no meaning somewhere.
fn search(model: &Model, property: PropertyId, interleavings: Interleavings) -> Option<(&'static str, usize)> {
    let mut handle = Handle::default();
    let few = &mut handle.patient(Patience::of_states(MOST));
    let found = find_cycle(&model.machine, property, interleavings, 1 << 30, few).without_fault().ok()?;
    match (&found.verdicts[0].1, found.stop) {
        (Verdict::Holds(_), _) => Some(("holds", found.states())),
        (Verdict::Violated(trace), _) => {
            uwbmc::check::confirm(&model.machine, property, trace)
                .expect("a counterexample is a run that violates the formula");
            Some(("violated", 0))
        }
        (_, Stop::Refused) => Some(("unknown", 0)),
        _ => None,
    }
}

#[test]
fn interleavings_that_are_left_out_change_no_verdict() {
    // In the last one, the process that could be tried alone goes round in a section for ever.
    compare_interleavings(promela::temporal_program, [9_944]);
}

#[test]
fn interleavings_of_processes_that_hand_on_messages_are_left_out_as_well() {
    compare_interleavings(promela::ring_program, []);
}

#[test]
fn one_of_several_states_that_differ_in_who_is_who_stands_for_all() {
    compare_interleavings(alike_program, []);
}

/// Elves and reindeer wake Santa: all that matters is how many of them wait.
const SANTA: &str = "chan arrive = [0] of { bit }; chan go = [0] of { bit }; byte waiting; bit asked, served;
active [9] proctype Elf() { do :: arrive!1; go?1 od }
active proctype Room() {
    byte i;
    do
    :: waiting < 3 -> atomic { arrive?1; waiting++; if :: waiting == 3 -> asked = 1 :: else fi }
    :: waiting == 3 && served -> served = 0; i = 0; do :: i < 3 -> atomic { go!1; i++ } :: else -> break od; waiting = 0
    od
}
active proctype Santa() { do :: asked -> atomic { asked = 0; served = 1 } od }
ltl p { [] (asked -> <> served) }
ltl q { [] <> (waiting == 2) }
ltl r { <> [] (waiting < 3) }";

#[test]
fn processes_that_are_alike_are_counted_and_not_told_apart() {
    let model = Model::parse(SANTA, uwbmc::Language::Promela).expect("a program");
    for (property, expected) in [("p", "holds"), ("q", "holds"), ("r", "violated")] {
        let wanted = model.machine.system().properties.position(|one| one.name == property).expect("a formula");
        let all = search(&model, wanted, Interleavings::All).expect("few states");
        let fewest = search(&model, wanted, Interleavings::Fewest).expect("few states");
        assert_eq!((all.0, fewest.0), (expected, expected), "{property}");
        assert!(10 * fewest.1 <= all.1, "{property}: {} of {}", fewest.1, all.1);
    }
}

#[test]
fn the_first_of_several_timeouts_ends_it_for_the_others() {
    let text = "byte x; active proctype A() { timeout -> x = 1 } active proctype B() { timeout -> x = 2 }
ltl one { <> [] (x == 1) } ltl two { <> [] (x == 2) }";
    let model = Model::parse(text, uwbmc::Language::Promela).expect("a program");
    for property in ["one", "two"] {
        let wanted = model.machine.system().properties.position(|one| one.name == property).expect("a formula");
        for interleavings in [Interleavings::All, Interleavings::Fewest] {
            assert_eq!(search(&model, wanted, interleavings), Some(("violated", 0)), "{property} {interleavings:?}");
        }
    }
}

/// Whether random programs get the same verdict when interleavings are left out, and some are.
fn compare_interleavings<const N: usize>(program: fn(u64) -> String, more: [u64; N]) {
    let programs = std::env::var("UWBMC_PROMELA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(300);
    let (mut compared, mut all, mut some) = (0, 0, 0);
    for seed in (0..programs).chain(more) {
        let text = program(seed);
        // Some programs are refused, for a rendezvous in a d_step and the like.
        let Ok(model) = Model::parse(&text, uwbmc::Language::Promela) else { continue };
        let wanted = model.machine.system().properties.position(|property| property.name == "f").expect("a formula");
        let Some((expected, states)) = search(&model, wanted, Interleavings::All) else { continue };
        let Some((found, fewer)) = search(&model, wanted, Interleavings::Fewest) else { continue };
        // An atomic section without an end may be on no run that is tried.
        if expected != "unknown" {
            assert_eq!(found, expected, "seed {seed}\n{text}");
            assert!(fewer <= states, "seed {seed}\n{text}");
            (compared, all, some) = (compared + 1, all + states, some + fewer);
        }
    }
    println!("{compared} formulas compared; {some} states instead of {all}");
    assert!(2 * compared > programs && some < all);
}

/// The claim that not all of some variables become true, whose violations have an automaton with a state for every set of them.
fn never_all(variables: usize) -> String {
    let each: Vec<String> = (0..variables).map(|number| format!("F x{number}")).collect();
    format!("LTLSPEC NAME never_all := !({});", each.join(" & "))
}

#[test]
fn an_automaton_that_explodes_keeps_no_other_property_from_an_answer() {
    for variables in [11, 40] {
        let declared: String = (0..variables).map(|number| format!("x{number} : boolean; ")).collect();
        // The variables never become true, so that no set of them is left out.
        let never =
            (0..variables).map(|number| format!("init(x{number}) := FALSE; next(x{number}) := x{number} & n = 1; "));
        let never: String = never.collect();
        let text = format!(
            "MODULE main VAR n : 0..3; {declared} ASSIGN init(n) := 0; next(n) := (n + 1) mod 4; {never}
            {} LTLSPEC NAME recurs := G F n = 2; LTLSPEC NAME rests := F G n = 2;",
            never_all(variables)
        );
        let model = Model::parse(&text, uwbmc::Language::Smv).expect("a model");
        let report = check(&model, &Options { engine: Choice::Explicit, ..Options::default() }, &mut ());
        let properties = report.expect("checked").properties;
        let verdict = |name: &str| {
            let property = properties.iter().find(|property| property.name == name).expect("a property");
            property.verdict.to_string()
        };
        assert!(verdict("recurs").starts_with("holds") && verdict("rests").starts_with("violated"));
        let expected = if variables == 11 { "holds" } else { "unknown (the automaton of the formula is too large)" };
        assert!(verdict("never_all").starts_with(expected), "{}", verdict("never_all"));
    }
}

/// Two counters, of which any may go on until both are at their ends and begin anew.
const GRID: &str = "MODULE main IVAR m : boolean; VAR x : 0..100; y : 0..100;
    DEFINE ends := x = 100 & y = 100;
    ASSIGN init(x) := 0; init(y) := 0;
    next(x) := case ends : 0; x < 100 & (m | y = 100) : x + 1; TRUE : x; esac;
    next(y) := case ends : 0; y < 100 & (!m | x = 100) : y + 1; TRUE : y; esac;
    LTLSPEC NAME recurs := G F (x = 0 & y = 0); LTLSPEC NAME even := G F (x = y & x = 50); LTLSPEC NAME rests := F G x = 0;";

/// States that do not fit are forgotten and visited again, and what is found is what is found without that.
#[test]
fn depth_first_search_in_little_memory_decides_formulas() {
    let model = Model::parse(GRID, uwbmc::Language::Smv).expect("a model");
    let mut options = Options { engine: Choice::Explicit, ..Options::default() };
    let verdicts = |options: &Options| -> Vec<String> {
        let properties = check(&model, options, &mut ()).expect("checked").properties;
        properties.iter().map(|property| property.verdict.to_string()).collect()
    };
    let expected = verdicts(&options);
    options.visiting.order = Some(Order::DepthFirst);
    let found = verdicts(&options);
    let word = |verdict: &String| verdict.split(' ').next().map(str::to_owned);
    assert_eq!(found.iter().map(word).collect::<Vec<_>>(), expected.iter().map(word).collect::<Vec<_>>());
    // A limit on the memory of a check is one on that of the whole process, which other tests share.
    let recurs = PropertyId::new(0);
    let found = find_cycle_on_line(&model.machine, recurs, 500_000, 0, &mut Handle::default());
    let found = found.expect("the automaton is deterministic").verdicts[0].1.to_string();
    let visited: Option<usize> = found.split(' ').find_map(|part| part.parse().ok());
    assert!(found.starts_with("holds") && visited > Some(101 * 101), "no state was forgotten: {found}");
}

/// There are more states than are looked at before it is asked whether the formula holds of all runs, fair or not.
#[test]
fn what_holds_without_fairness_holds_with_it() {
    let text = "byte g; active [5] proctype P() { byte n; n = 1; n = 2; n = 3; n = 4; n = 5; n = 6; n = 7; n = 8 }
        active proctype Q() { do :: g = 0 od } ltl p { <> [] (g == 0) }";
    let mut model = Model::parse(text, uwbmc::Language::Promela).expect("a program");
    model.assume_fairness(Fairness::Weak);
    let properties = &model.machine.system().properties;
    let property = properties.position(|property| property.name == "p").expect("a formula");
    let found = find_cycle(&model.machine, property, Interleavings::default(), 1 << 30, &mut Handle::default());
    assert!(matches!(found.verdict(property), Some(Verdict::Holds(_))), "{:?}", found.verdicts);
}

/// There are more states than are looked at before it is asked what can be left out, and before other orders are tried. Each is behind one
/// other only, so that nothing is found that is not gone on with.
#[test]
fn a_search_that_was_interrupted_goes_on_where_it_was() {
    let text = "int a; active proctype P() { do :: a < 120000 -> a++ od }
        ltl p { [] (a == 119999 -> X X (a == 120000)) } ltl q { [] (a == 119999 -> X X (a == 119999)) }";
    let model = Model::parse(text, uwbmc::Language::Promela).expect("a program");
    let by = |name: &str, interleavings: Interleavings| {
        let property = model.machine.system().properties.position(|one| one.name == name).expect("a formula");
        let found = find_cycle(&model.machine, property, interleavings, 1 << 30, &mut Handle::default());
        (found.verdicts[0].1.word(), found.states())
    };
    let expected = by("p", Interleavings::All);
    assert!(expected.0 == "holds" && expected.1 > 120_000, "{expected:?}");
    assert_eq!(by("p", Interleavings::Representative), expected);
    assert_eq!(by("q", Interleavings::Representative).0, "violated");
}

#[test]
fn a_starved_process_is_named() {
    let remark = |text: &str| {
        let model = Model::parse(text, uwbmc::Language::Promela).expect("a program");
        let report = check(&model, &Options::default().property("p"), &mut ()).expect("checked");
        assert_eq!(report.properties[0].verdict.word(), "violated", "{text}");
        report.remarks.join("\n")
    };
    let idle = "active proctype Idle() { do :: a = 0 od }";
    let once = format!("byte a; bool b; {idle} active proctype Once() {{ b = true }} ltl p {{ <> b }}");
    assert_eq!(
        remark(&once),
        "p: Once_1 could move in every state of the loop and never does; with --fair the property holds"
    );
    let both = format!("byte a; bool b; {idle} active proctype Once() {{ b = true }} ltl p {{ <> (a == 1) }}");
    assert_eq!(
        remark(&both),
        "p: Once_1 could move in every state of the loop and never does; with --fair the property is violated as well, by another run"
    );
    // A process that waits for ever is not starved.
    let waits = format!("byte a; bool b; {idle} active proctype Waits() {{ a == 1; b = true }} ltl p {{ <> b }}");
    assert_eq!(remark(&waits), "");
}

/// A state may have many bits and few successors: to look at some states comes before diagrams.
#[test]
fn what_comes_to_an_invariant_is_decided_by_few_states_of_many_bits() {
    let text = "MODULE main VAR a : 0..255; b : 0..255; c : 0..255; d : 0..255;
        ASSIGN init(a) := 0; init(b) := 0; init(c) := 0; init(d) := 0;
        next(a) := (a + 1) mod 256; next(b) := a; next(c) := b; next(d) := c;
        FAIRNESS a = 0
        LTLSPEC NAME p := G (d = 7 -> a = 10)";
    let model = Model::parse(text, uwbmc::Language::Smv).expect("a model");
    let report = check(&model, &Options::default().property("p"), &mut ()).expect("checked");
    let Verdict::Holds(reason) = &report.properties[0].verdict else { panic!("{:?}", report.properties[0].verdict) };
    assert!(reason.starts_with("no infinite run violates it: "), "{reason}");
}

/// Assumptions of fairness are conjunctions of implications, of which the automaton has all combinations at once. Its parts are small.
#[test]
fn formulas_under_many_assumptions_are_decided() {
    let conjunction = |parts: Vec<String>| parts.join(" & ");
    let assumed =
        conjunction((0..5).map(|number| format!("(G F n = {} -> G F n = {})", 2 * number, 2 * number + 1)).collect());
    let claimed = |from: u32| conjunction((from..from + 5).map(|number| format!("G F n = {number}")).collect());
    let text = format!(
        "MODULE main VAR n : 0..13; ASSIGN init(n) := 0; next(n) := n < 12 ? n + 1 : 0;
        LTLSPEC NAME recurs := ({assumed}) -> ({}); LTLSPEC NAME beyond := ({assumed}) -> ({});",
        claimed(8),
        claimed(9)
    );
    let model = Model::parse(&text, uwbmc::Language::Smv).expect("a model");
    let report = check(&model, &Options { engine: Choice::Explicit, ..Options::default() }, &mut ());
    let properties = report.expect("checked").properties;
    let verdicts: Vec<String> = properties.iter().map(|property| property.verdict.to_string()).collect();
    assert!(verdicts[0].starts_with("holds") && verdicts[1].starts_with("violated"), "{verdicts:?}");
}
