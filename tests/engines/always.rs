//! What a program always satisfies, in several words: as an invariant, and as a formula like any other.

use std::sync::Arc;
use system::{Claim, Machine};
use testkit::promela::always_program;
use uwbmc::engine::Verdict;
use uwbmc::explicit::{Interleavings, find_cycle};
use uwbmc::limits::Handle;
use uwbmc::{Language, Model, Options, check};

/// How many programs are compared; `UWBMC_PROMELA_SEEDS` says otherwise.
const SEEDS: u64 = 200;

/// What a verdict says. A formula of a program with an atomic section that can go round for ever is refused.
fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(undecided) if undecided.reason.contains("an atomic section can go round") => "refused",
        _ => "unknown",
    }
}

/// What the default says of each formula.
fn by_default(model: &Model) -> Vec<(&str, String)> {
    let names = model.machine.system().properties.iter().map(|property| property.name.as_str());
    let always = names.filter(|name| name.starts_with("always_"));
    let options = always.clone().fold(Options::default(), |options, name| options.property(name));
    let report = check(model, &options, &mut ()).expect("checked");
    always.zip(report.properties.iter().map(|property| word(&property.verdict).to_owned())).collect()
}

/// What a search for cycles says of the formula that the first one is written as.
fn by_cycles(model: &Model, interleavings: Interleavings) -> String {
    let mut system = model.machine.system().clone();
    let (property, formula) = system.written.pop_first().expect("an invariant that is written as a formula");
    system.properties[property].claim = Claim::Ltl(formula);
    let found = find_cycle(&Machine::new(Arc::new(system)), property, interleavings, 1 << 30, &mut Handle::default());
    found.verdict(property).map_or("unknown", word).to_owned()
}

/// Whether a formula is answered as the invariant is, or refused.
fn agrees(verdict: &str, invariant: &str) -> bool {
    verdict == invariant || verdict == "refused"
}

#[test]
fn all_words_for_what_always_holds_say_the_same() {
    let seeds = std::env::var("UWBMC_PROMELA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    let (mut holds, mut violated) = (0, 0);
    for seed in 0..seeds {
        let text = always_program(seed);
        let Ok(model) = Model::parse(&text, Language::Promela) else { continue };
        let verdicts = by_default(&model);
        let expected = verdicts[0].1.clone();
        if expected == "unknown" {
            continue;
        }
        for (name, verdict) in verdicts {
            assert!(agrees(&verdict, &expected), "{name}: {verdict} {expected}\n{text}");
        }
        for interleavings in [Interleavings::All, Interleavings::Fewest] {
            let verdict = by_cycles(&model, interleavings);
            assert!(agrees(&verdict, &expected), "{interleavings:?}: {verdict} {expected}\n{text}");
        }
        if expected == "holds" { holds += 1 } else { violated += 1 }
    }
    println!("{holds} hold, {violated} are violated");
    assert!(5 * holds > seeds && 5 * violated > seeds, "{holds} {violated}");
}

/// Formulas do not see what is between the steps of an atomic section.
#[test]
fn states_inside_atomic_sections_violate_nothing() {
    let text = "bool x; active [2] proctype P() { do :: atomic { x = 1; x = 0 } od }
        ltl always_0 { [] !x } ltl always_1 { !(true U x) } ltl always_2 { false V !x } ltl always_3 { [] [] !x }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    for (name, verdict) in by_default(&model) {
        assert_eq!(verdict, "holds", "{name}");
    }
}

/// Three processes count how far they like, which is forgotten: many states, of which few matter.
#[test]
fn an_invariant_that_is_written_as_a_formula_is_found_among_few_states() {
    let text = "byte g; active [3] proctype P() { byte i; do :: i < 60 -> i++ :: break od; g++; g-- }
        ltl p { [] (g < 4) } ltl q { [] (g < 1) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let verdict = |property: &str| {
        let report = check(&model, &Options::default().property(property), &mut ()).expect("checked");
        report.properties[0].verdict.to_string()
    };
    assert!(verdict("p").starts_with("holds (no infinite run violates it"), "{}", verdict("p"));
    assert!(verdict("q").starts_with("violated"), "{}", verdict("q"));
}

/// A violation that only a search for cycles has states enough for ends where the invariant is false.
#[test]
fn a_violation_of_the_formula_is_one_of_the_invariant() {
    let text = "byte g; active [4] proctype P() { byte i; do :: i < 60 -> i++ :: i == 60 -> break od; g++ }
        ltl p { [] (g < 4) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let report = check(&model, &Options::default().property("p"), &mut ()).expect("checked");
    let Verdict::Violated(trace) = &report.properties[0].verdict else { panic!("{}", report.properties[0].verdict) };
    assert_eq!(trace.loop_start, None);
}
