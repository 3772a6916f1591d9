//! What is said of infinite counterexamples: which obligation is never met, where the loop begins, and who is starved.

use system::Moved;
use uwbmc::report::{ExplanationReport, Runs};
use uwbmc::{Language, Model, Options, Verdict, check};

/// A counter that goes round from 4 to 7 once it has left 0, and a bit that changes when it likes.
const COUNTER: &str = "MODULE main VAR s : 0..7; t : boolean;
    ASSIGN init(s) := 0; next(s) := case s = 7 : 4; TRUE : s + 1; esac;
    ";

/// What is said of the counterexample of a formula.
fn said(model: &str, formula: &str) -> Vec<String> {
    let model = Model::parse(&format!("{model}\nLTLSPEC {formula}"), Language::Smv).expect("a model");
    let report = check(&model, &Options::default(), &mut ()).expect("checked");
    let Verdict::Violated(trace) = &report.properties[0].verdict else { panic!("{formula}") };
    let Some(unmet) = uwbmc::check::unmet(&model.machine, report.properties[0].id, trace) else { return Vec::new() };
    let words = ExplanationReport::new(&model.machine, &model.source, &unmet, Runs::LeftOut);
    words.branches[0].claims.iter().map(|claim| claim.describe()).collect()
}

#[test]
fn the_obligation_that_is_never_met_is_named() {
    let cases: &[(&str, &[&str])] = &[
        ("F s = 0 & F s = 9", &["state 0: the conjunct F s = 9 is false: no state from here on satisfies s = 9"]),
        ("G F s = 3", &["state 4: F s = 3 is false: no state from here on satisfies s = 3"]),
        (
            "G (s = 4 -> F s = 3)",
            &["state 4: s = 4 is true", "state 4: F s = 3 is false: no state from here on satisfies s = 3"],
        ),
        (
            "F G s != 5",
            &["state 0: F G s != 5 is false: no state from here on satisfies G s != 5", "state 5: s != 5 is false"],
        ),
        (
            "F G s mod 2 = 0",
            &[
                "state 0: F G s mod 2 = 0 is false: no state from here on satisfies G s mod 2 = 0",
                "state 5: s mod 2 = 0 is false",
            ],
        ),
        ("s < 3 U s = 5", &["state 3: s < 3 is false", "state 3: s = 5 is false"]),
        ("s < 9 U s = 9", &["state 0: s < 9 U s = 9 is false: no state from here on satisfies s = 9"]),
        ("X X s = 3", &["state 2: s = 3 is false"]),
        (
            "! G F s = 5",
            &["state 0: G F s = 5 is true: every state from here on satisfies F s = 5", "state 5: s = 5 is true"],
        ),
        ("G (s = 7 -> O s = 8)", &["state 7: s = 7 is true", "state 7: O s = 8 is false"]),
    ];
    for (formula, expected) in cases {
        // Fairness leaves no finite counterexample.
        assert_eq!(said(&format!("{COUNTER} FAIRNESS TRUE"), formula), *expected, "{formula}");
    }
}

/// The loop of `G F t` may begin with the first state of the run, and no state is in it twice.
#[test]
fn a_loop_begins_as_early_as_it_can() {
    let program = "int x; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
        active proctype Q() { do :: x == 2 -> x = 5; x = 0 od } ltl p { []<> (x == 5) }";
    let model = Model::parse(program, Language::Promela).expect("a program");
    let report = check(&model, &Options::default().property("p"), &mut ()).expect("checked");
    let Verdict::Violated(trace) = &report.properties[0].verdict else { panic!("{:?}", report.properties[0]) };
    assert_eq!((trace.loop_start, trace.moves.len()), (Some(0), 8));
    assert_eq!(
        report.remarks,
        ["p: Q_1 could move in some states of the loop and never does; with --fair strong the property holds"]
    );
}

/// A loop that is rolled back is the same infinite run, and one inside an atomic section stays where it is.
#[test]
fn a_loop_that_is_rolled_back_is_the_same_run() {
    let text = "byte a; active proctype P() { do :: a = 1; a = 0 od } ltl p { <> (a == 2) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let report = check(&model, &Options::default().property("p"), &mut ()).expect("checked");
    let Verdict::Violated(trace) = &report.properties[0].verdict else { panic!("{:?}", report.properties[0]) };
    assert_eq!((trace.loop_start, trace.moves.len()), (Some(0), 2));
    let mut longer = trace.as_ref().clone();
    for round in 0..3 {
        longer.push(longer.moves.at(round), longer.states.at(round + 1));
    }
    longer.loop_start = Some(3);
    assert!(longer.replay(&model.machine).is_ok());
    assert_eq!(longer.rolled_back(&model.machine).as_ref(), Some(trace.as_ref()));
    assert_eq!(trace.rolled_back(&model.machine), None);
    // Another move of the stem, though it leads to the same state, is not that of a round.
    let unnamed = |(step, moved)| if step == 2 { Moved { command: None, ..moved } } else { moved };
    longer.moves = longer.moves.iter().enumerate().map(unnamed).collect();
    assert_eq!(longer.rolled_back(&model.machine), None);
}

/// A loop in which two processes have to run has no step of a third one for which nothing is owed.
#[test]
fn steps_that_change_nothing_stay_only_where_they_matter() {
    let text = "MODULE user(free) VAR st : {idle, want, crit};
        ASSIGN init(st) := idle;
        next(st) := case st = idle : want; st = want & free : crit; st = crit : idle; TRUE : st; esac;
        next(free) := case st = want & free : FALSE; st = crit : TRUE; TRUE : free; esac;
        FAIRNESS running
        MODULE main VAR free : boolean; p : process user(free); q : process user(free);
        ASSIGN init(free) := TRUE; LTLSPEC G (p.st = want -> F p.st = crit) LTLSPEC !(G F (running & X running))";
    let model = Model::parse(text, Language::Smv).expect("a model");
    let report = check(&model, &Options::default(), &mut ()).expect("checked");
    let lasso = |index: usize| {
        let Verdict::Violated(trace) = &report.properties[index].verdict else { panic!("{:?}", report.properties) };
        (trace.loop_start, trace.moves.len(), trace.steps().filter(|(from, _, to)| from == to).count())
    };
    // One idle step: p runs while q is in its critical section.
    assert_eq!(lasso(0), (Some(1), 5, 1));
    // Two steps of main are what the second formula is violated by.
    assert!(lasso(1).2 >= 2, "{:?}", lasso(1));
}

#[test]
fn a_process_of_smv_that_never_runs_is_named() {
    let text = "MODULE user VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := TRUE;
        MODULE main VAR a : process user; b : process user; LTLSPEC F a.on";
    let model = Model::parse(text, Language::Smv).expect("a model");
    let report = check(&model, &Options::default(), &mut ()).expect("checked");
    assert_eq!(
        report.remarks,
        ["p1: a, b could move in every state of the loop and never do; with --fair the property holds"]
    );
}
