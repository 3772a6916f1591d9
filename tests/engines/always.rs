//! What a program always satisfies, in several words: as an invariant, and as a formula like any other.

use super::inductive::follow;
use std::sync::Arc;
use system::{Claim, Machine};
use testkit::promela::always_program;
use uwbmc::bounded::can_be_inductive;
use uwbmc::check::Settled;
use uwbmc::engine::Verdict;
use uwbmc::explicit::{Interleavings, Limits, find_cycle, search};
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

/// Whether the first of them holds by induction in the program without its beginning.
fn by_induction(model: &Model) -> bool {
    let (property, _) =
        model.machine.system().written.first_key_value().expect("an invariant that is written as a formula");
    let machine = Settled::for_invariant(&model.machine, *property);
    let Some(machine) = machine.filter(|machine| can_be_inductive(machine, *property)) else { return false };
    let Some(found) = follow(&machine, &[*property]) else { return false };
    let limits = Limits { depth: found.depth, memory: usize::MAX };
    let searched = search(&machine, &[*property], limits, &mut Handle::default());
    searched.violations().is_empty() && searched.fault.is_none()
}

#[test]
fn all_words_for_what_always_holds_say_the_same() {
    let seeds = std::env::var("UWBMC_PROMELA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    let (mut holds, mut violated, mut inductive) = (0, 0, 0);
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
        if by_induction(&model) {
            assert_eq!(expected, "holds", "by induction\n{text}");
            inductive += 1;
        }
        if expected == "holds" { holds += 1 } else { violated += 1 }
    }
    println!("{holds} hold, {inductive} of them by induction, {violated} are violated");
    assert!(5 * holds > seeds && 5 * violated > seeds && 20 * inductive > seeds, "{holds} {inductive} {violated}");
}

/// Four processes that are created in an atomic section keep each other out by what they look at in one step; what each of them counts makes too many
/// states to visit.
#[test]
fn what_follows_from_itself_after_the_beginning_holds() {
    let text = "bool open[4]; byte cars[4];
        proctype way(byte id) {
          do
          :: id == 0 && !open[1] && !open[2] -> open[0] = !open[1] && !open[2]
          :: id == 1 && !open[0] && !open[3] -> open[1] = !open[0] && !open[3]
          :: id == 2 && !open[0] -> open[2] = !open[0]
          :: id == 3 && !open[1] -> open[3] = !open[1]
          :: open[id] -> open[id] = 0; cars[id]++
          od
        }
        proctype arrivals() { do :: cars[0]++ :: cars[1] = cars[1] + cars[0] :: cars[2]++ :: cars[3] = cars[3] + cars[2] od }
        init { atomic { byte i; for (i : 0 .. 3) { run way(i) } run arrivals() } }
        ltl apart { [] !((open[0] && (open[1] || open[2])) || (open[1] && open[3]) || cars[0] + cars[1] + cars[2] + cars[3] > 1020) }
        ltl met { [] !(open[1] && open[2]) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let options = Options::default().property("apart").property("met");
    let report = check(&model, &options, &mut ()).expect("checked");
    let verdicts: Vec<String> = report.properties.iter().map(|property| property.verdict.to_string()).collect();
    assert!(verdicts[0].starts_with("holds (by induction over "), "{verdicts:?}");
    assert!(verdicts[1].starts_with("violated in "), "{verdicts:?}");
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
