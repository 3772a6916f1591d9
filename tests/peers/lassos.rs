//! Infinite counterexamples in Promela, where SPIN and a C compiler are installed: SPIN's verifier makes every step of them, and
//! every step of the loop a second time.

use testkit::pan::{Pan, tools};
use testkit::pml;
use uwbmc::{Model, Options, Verdict, check};

/// The line that begins the loop of a trail.
const CYCLE: &str = "-1:-1:-1";

/// A trail whose loop is passed twice; the numbers of the steps go on. One without a loop is as it is.
fn twice_round(trail: &str) -> String {
    let lines: Vec<&str> = trail.lines().collect();
    let start = lines.iter().position(|line| *line == CYCLE);
    let (before, round) = start.map_or((&lines[..], &[][..]), |start| (&lines[..start], &lines[start + 1..]));
    let steps = before.iter().chain(round).chain(round);
    let numbered = steps.enumerate().map(|(number, line)| {
        let step = line.split_once(':').map_or("", |(_, step)| step);
        format!("{}:{step}\n", number + 1)
    });
    numbered.collect()
}

#[test]
fn a_loop_is_passed_twice() {
    assert_eq!(twice_round("1:0:4\n-1:-1:-1\n2:1:7\n3:0:5\n"), "1:0:4\n2:1:7\n3:0:5\n4:1:7\n5:0:5\n");
    assert_eq!(twice_round("1:0:4\n2:1:7\n"), "1:0:4\n2:1:7\n");
}

#[test]
fn a_loop_that_cannot_be_passed_twice_is_noticed() {
    if tools().is_none() {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    }
    let text = "byte x; active proctype P() { do :: x < 2 -> x++ od }";
    let pan = Pan::of(text).expect("SPIN takes the model");
    let once = "1:0:0\n2:0:1\n-1:-1:-1\n3:0:0\n4:0:1\n";
    assert_eq!(pan.confirm(&once.replace("-1:-1:-1\n", "")), Ok(()));
    let twice = pan.confirm(&twice_round(once)).expect_err("x is 2 by then");
    assert!(twice.starts_with("step 5 (5:0:0) is not executable"), "{twice}");
}

#[test]
fn infinite_counterexamples_are_confirmed_by_spin() {
    if tools().is_none() {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    }
    let mut loops = 0;
    for path in pml::files("tests/temporal") {
        let mut model = Model::load(&path).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        model.claim_progress();
        let report = check(&model, &Options::default(), &mut ()).expect("checked");
        let text = std::fs::read_to_string(&path).expect("readable");
        let mut pan = None;
        for property in &report.properties {
            let Verdict::Violated(trace) = &property.verdict else { continue };
            let trail = model.trail().expect("a program").render(trace);
            let pan: &Pan = pan.get_or_insert_with(|| Pan::of(&text).expect("SPIN takes the model"));
            let confirmed = pan.confirm(&twice_round(&trail));
            confirmed.unwrap_or_else(|wrong| panic!("{}: {}: {wrong}\n{trail}", path.display(), property.name));
            loops += usize::from(trace.loop_start.is_some());
        }
    }
    assert!(loops > 20, "{loops} loops");
}
