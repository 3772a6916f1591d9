//! Processes that ask for `_nr_pr` count the claim while there is one, as in SPIN, and do not where there is none.

use system::Fairness;
use testkit::counted::{COUNTED, Counted};
use uwbmc::check::Choice;
use uwbmc::engine::Verdict;
use uwbmc::{Language, Model, Options, check};

/// More steps than the shortest runs that violate something.
const BOUND: usize = 25;

fn model(text: &str, is_fair: bool) -> Model {
    let mut model = Model::parse(text, Language::Promela).expect("a program");
    model.claim_progress();
    if is_fair {
        model.assume_fairness(Fairness::Weak);
    }
    model
}

/// Whether there is a run that violates it.
fn is_found(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Violated(_))
}

/// Whether a property is violated.
fn is_violated(model: &Model, options: &Options) -> bool {
    let report = check(model, options, &mut ()).expect("checked");
    match &report.properties[0].verdict {
        Verdict::Violated(_) => true,
        Verdict::Holds(_) | Verdict::HoldsUpTo(_) => false,
        other => panic!("{other}"),
    }
}

#[test]
fn every_engine_counts_the_claim() {
    for Counted { text, property, violated } in &COUNTED {
        for (is_fair, expected) in [(false, violated[0]), (true, violated[1])] {
            let model = model(text, is_fair);
            let options = || Options::default().property(*property);
            for engine in [Choice::Auto, Choice::Explicit, Choice::Stateless] {
                assert_eq!(is_violated(&model, &options().engine(engine)), expected, "{engine:?} {is_fair}\n{text}");
            }
            for engine in [Choice::Auto, Choice::Plain, Choice::Widening] {
                let bounded = options().engine(engine).bound(BOUND);
                assert_eq!(is_violated(&model, &bounded), expected, "{engine:?} {is_fair} within {BOUND}\n{text}");
            }
        }
    }
}

/// Both are asked in one run, of two systems.
#[test]
fn assertions_and_ends_do_not_count_it() {
    let text = "byte x; proctype P() { x = 1 }
        init { run P(); (_nr_pr == 1) -> x = 2; assert(x != 2) }
        ltl f { [] (x != 2) } ltl g { <> (x == 2) }";
    let model = model(text, false);
    let report = check(&model, &Options::default(), &mut ()).expect("checked");
    let verdicts = report.properties.iter().map(|property| (property.name.as_str(), is_found(&property.verdict)));
    let expected =
        [("assert_2", true), ("end_states", false), ("f", false), ("g", true), ("non_progress_cycles", false)];
    assert_eq!(verdicts.collect::<Vec<_>>(), expected);
    let certified = check(&model, &Options::default().bound(8).certify(), &mut ()).expect("checked");
    let verdicts = certified.properties.iter().map(|property| is_found(&property.verdict));
    assert_eq!(verdicts.collect::<Vec<_>>(), expected.map(|(_, is_violated)| is_violated));
}

/// A run of one of the two systems says nothing of the other.
#[test]
fn a_run_violates_what_is_asked_of_its_system() {
    let text =
        "byte x; proctype P() { x = 1 } init { run P(); (_nr_pr > 0) -> x = 2; assert(x != 2) } ltl f { [] (x != 2) }";
    let model = model(text, false);
    let report = check(&model, &Options::default(), &mut ()).expect("checked");
    let properties = model.machine.system().properties.indices();
    for checked in &report.properties {
        let Verdict::Violated(trace) = &checked.verdict else { continue };
        assert!(trace.replay(&model.machine).is_ok());
        let violated: Vec<_> = properties.clone().filter(|id| trace.violates(&model.machine, *id).is_some()).collect();
        assert_eq!(violated, [checked.id], "{}", checked.name);
    }
    assert_eq!(report.properties.iter().filter(|checked| is_found(&checked.verdict)).count(), 2);
}
