//! Programs in which threads wait in loops: what is found in them, how many traces they have, and that nothing is lost by leaving a
//! loop after a turn without effect.

mod states;

use super::compiled;
use super::kit::{self, Compiled, Memory};
use operations::region::Ending;
use scheduler::{End, Exploration, Options, Reduction, Search, Strategy, Violation};
use std::collections::BTreeSet;

/// What comes of exploring all interleavings of a script: the codes that it exits with, whether threads are left waiting, and how many
/// runs end.
#[derive(Debug, PartialEq, Eq)]
struct Explored {
    codes: BTreeSet<i64>,
    has_stuck: bool,
    complete: usize,
    idle: usize,
}

fn explored(program: &Compiled, script: &[String], reduction: Reduction) -> Explored {
    let mut session = program.session(script);
    let mut search = Search::new(reduction, 2000, true);
    let mut all = Explored { codes: BTreeSet::new(), has_stuck: false, complete: 0, idle: 0 };
    while let Some(plan) = search.next_plan() {
        let record = session.run(&plan).expect("a run");
        search.learn(&record).expect("the same beginning");
        assert!(!record.is_unclear, "{script:?}");
        match record.ending {
            Ending::Complete => _ = all.codes.insert(record.value),
            Ending::Deadlock | Ending::Livelock => all.has_stuck = true,
            Ending::Idle => all.idle += 1,
            Ending::Asleep if reduction != Reduction::Optimal => continue,
            other => panic!("{script:?}: {other:?}"),
        }
        all.complete += usize::from(record.ending != Ending::Idle);
    }
    all
}

/// Pieces of what threads do, with numbers of objects in place of `#`.
const PIECES: &[&str] =
    &["1#", "0#", "a#", "z#", "x#g#0#", "c#g#0#", "t#u#", "t#o#u#", "b0", "b1", "p#", "g#", "o#", "x#0#", "x#"];

fn random_script(seed: u64) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let threads = random.usize(2..=3);
    let thread = |random: &mut fastrand::Rng| {
        let pieces = (0..random.usize(1..=(6 - threads) / 2)).map(|_| *random.choice(PIECES).unwrap_or(&"o0"));
        pieces.collect::<Vec<_>>().into_iter().map(|piece| piece.replace('#', &random.usize(..2).to_string())).collect()
    };
    (0..threads).map(|_| thread(&mut random)).collect()
}

/// A search through states, which knows nothing of runs, comes to the same ends.
#[test]
fn what_states_lead_to_is_explored() {
    let Some(program) = compiled("loops", &[], Memory::Visible) else { return };
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let (first, cases) = (number("UWBMC_FUZZ_FIRST").unwrap_or(0), number("UWBMC_FUZZ_CASES").unwrap_or(20));
    for seed in first..first + cases {
        let script = random_script(seed);
        let [sleep, source, optimal] =
            [Reduction::Sleep, Reduction::Source, Reduction::Optimal].map(|way| explored(&program, &script, way));
        let (codes, has_stuck) = states::ends(&script);
        assert_eq!((&optimal.codes, optimal.has_stuck), (&codes, has_stuck), "{seed} {script:?}");
        assert_eq!(optimal, sleep, "{seed} {script:?}");
        assert_eq!(optimal, source, "{seed} {script:?}");
    }
}

fn exhaustively(program: &Compiled) -> Exploration {
    kit::explored_as(program, &Options { strategy: Strategy::Exhaustive, ..kit::defaults() })
}

/// Counted by hand: who waits in a loop comes to it before or after what it waits for.
#[test]
fn waiting_loops_have_as_many_traces_as_ways_to_leave_them() {
    let Some(program) = compiled("loops", &[], Memory::Visible) else { return };
    let rows: &[(&[&str], usize, usize)] = &[
        // The flag is set before it is looked at; or it is looked at before, in vain.
        (&["a0", "10"], 1, 1),
        (&["a0", "a0", "10"], 1, 3),
        // One lock: either thread is first; the second finds it free, or held.
        (&["x000", "x000"], 2, 2),
        (&["c000", "c000"], 2, 2),
        (&["t0u0", "t0u0"], 2, 2),
        // Nothing sets it.
        (&["a0", "11"], 1, 0),
        // The program exits when the thread has left its loop, or would be left there for ever.
        (&["a0", "10", "."], 1, 1),
        (&["a0", "11", "."], 1, 0),
    ];
    for (script, complete, idle) in rows {
        let script: Vec<String> = script.iter().map(|thread| (*thread).to_owned()).collect();
        for reduction in [Reduction::Sleep, Reduction::Source, Reduction::Optimal] {
            let found = explored(&program, &script, reduction);
            assert_eq!((found.complete, found.idle), (*complete, *idle), "{script:?} {reduction:?}");
        }
    }
}

/// Algorithms that exclude each other by waiting in loops do, optimised or not.
#[test]
fn locks_that_spin_are_proved_to_exclude() {
    let rows: &[(&str, &[&str])] = &[
        ("peterson", &["-DN=2"]),
        ("peterson", &["-DN=2", "-O0"]),
        ("spinning", &["-DTAS", "-DN=3"]),
        ("spinning", &["-DTAS", "-DN=2", "-O0"]),
        ("spinning", &["-DTTAS", "-DN=2"]),
        ("spinning", &["-DCAS", "-DN=3"]),
        ("spinning", &["-DCAS", "-DN=2", "-O0"]),
        ("spinning", &["-DTICKET", "-DN=3"]),
        ("spinning", &["-DTRY", "-DN=3"]),
        ("spinning", &["-DSEQUENCE", "-DN=1"]),
    ];
    for (name, flags) in rows {
        let Some(program) = compiled(name, flags, Memory::Visible) else { return };
        let found = exhaustively(&program);
        assert!(matches!(found.end, End::Complete) && found.wrong().is_none(), "{name} {flags:?}: {found:?}");
        assert_eq!(found.search.asleep, 0, "{name} {flags:?}");
    }
}

/// A thread that counts its turns, in a register or on its stack, is not as it was. Either thread is first. The other one finds the lock
/// held none to three times, and both add to what is served, in either order; or it finds it held four times, and gives up.
#[test]
fn turns_that_are_counted_differ() {
    for flags in [&["-DCOUNTED", "-DN=2"][..], &["-DCOUNTED", "-DN=2", "-O0"]] {
        let Some(program) = compiled("spinning", flags, Memory::Visible) else { return };
        let found = exhaustively(&program);
        assert_eq!((found.search.complete, found.search.idle), (2 * (4 * 2 + 1), 0), "{flags:?}");
    }
}

/// The same with mistakes in them, by all ways to search.
#[test]
fn locks_that_spin_and_do_not_exclude_are_found() {
    let rows: &[(&str, &[&str])] = &[
        ("peterson", &["-DN=2", "-DWRONG"]),
        ("spinning", &["-DTTAS", "-DN=2", "-DWRONG"]),
        ("spinning", &["-DSEQUENCE", "-DN=1", "-DWRONG"]),
    ];
    for (name, flags) in rows {
        let Some(program) = compiled(name, flags, Memory::Visible) else { return };
        for strategy in [Strategy::Exhaustive, Strategy::Random, Strategy::Priorities, Strategy::Turns] {
            let found = kit::explored_as(&program, &Options { strategy, ..kit::defaults() });
            let violation = found.found.as_ref().map(|found| &found.finding.violation);
            assert!(matches!(violation, Some(Violation::Assertion(_))), "{name} {flags:?} {strategy:?}: {found:?}");
        }
    }
}

/// A lock that is not given back, and a flag that is not set: the threads wait for ever, and all ways to search notice.
#[test]
fn threads_that_wait_for_ever_are_found() {
    let rows: &[&[&str]] = &[
        &["-DTAS", "-DN=2", "-DKEPT"],
        &["-DCAS", "-DN=2", "-DKEPT", "-O0"],
        &["-DTTAS", "-DN=2", "-DKEPT"],
        &["-DTRY", "-DN=2", "-DKEPT"],
    ];
    for flags in rows {
        let Some(program) = compiled("spinning", flags, Memory::Visible) else { return };
        for strategy in [Strategy::Exhaustive, Strategy::Random, Strategy::Priorities, Strategy::Sampling] {
            let found = kit::explored_as(&program, &Options { strategy, ..kit::defaults() });
            let violation = found.found.as_ref().map(|found| &found.finding.violation);
            assert_eq!(violation, Some(&Violation::WaitsForEver), "{flags:?} {strategy:?}");
        }
    }
}

/// Where accesses or effects are hidden, no thread is said to wait for ever, and not everything is said to be explored: the loop could
/// count its turns.
#[test]
fn what_a_loop_does_unseen_is_not_ruled_out() {
    let rows: &[(&[&str], Memory)] = &[
        (&["-DTRY", "-DN=2", "-DKEPT", "-DLIMITED"], Memory::Hidden),
        (&["-DTRY", "-DN=2", "-DKEPT", "-DRANDOM"], Memory::Visible),
    ];
    for (flags, memory) in rows {
        let Some(program) = compiled("spinning", flags, *memory) else { return };
        let found = exhaustively(&program);
        assert!(matches!(found.end, End::Unclear) && found.found.is_none(), "{flags:?}: {:?}", found.end);
        let found = kit::explored_as(&program, &Options { strategy: Strategy::Random, runs: 50, ..kit::defaults() });
        assert!(found.found.is_none() && found.total.complete == 50, "{flags:?}: {:?}", found.total);
    }
}

/// Whether the stack of a thread is as it was can depend on what others write there, and when.
#[test]
fn a_stack_that_others_write_to_is_no_measure() {
    let Some(program) = compiled("borrowed", &[], Memory::Visible) else { return };
    let found = exhaustively(&program);
    assert!(matches!(found.end, End::Unclear) && found.wrong().is_none(), "{found:?}");
}

/// Where accesses are hidden, a thread that only gives way waits for what others write there, and one that takes and gives back a lock
/// works there.
#[test]
fn work_that_is_hidden_goes_on() {
    for (work, traces) in [("-DFLAG", 1), ("-DITEMS", 4)] {
        let Some(program) = compiled("hidden", &[work], Memory::Hidden) else { return };
        let found = exhaustively(&program);
        assert!(matches!(found.end, End::Complete), "{work}: {:?}", found.end);
        assert_eq!((found.search.complete, found.search.idle), (traces, 0), "{work}");
    }
}

/// A loop with an effect is no waiting: another thread notices it, or it makes a difference later.
#[test]
fn loops_with_effects_go_on() {
    for effect in ["-DCOUNTS", "-DSIGNALS", "-DLOCKED", "-DTAKES", "-DSHOWN", "-DEXPECTED", "-DTIMED"] {
        let Some(program) = compiled("effects", &[effect], Memory::Visible) else { return };
        let options = Options { strategy: Strategy::Exhaustive, depth: 100, ..kit::defaults() };
        let found = kit::explored_as(&program, &options);
        assert!(found.found.is_some(), "{effect}: {:?}", found.end);
        assert!(found.found.iter().all(|found| matches!(found.finding.violation, Violation::Assertion(_))), "{effect}");
    }
}
