//! Programs in C, compiled here, under the scheduler: how many traces they have, and what is found in them.
#![cfg(target_os = "linux")]

mod connected;
mod kit;
mod overwriting;
mod sections;
mod unforeseen;
mod waiting;

use kit::{Compiled, Memory, compile, explored};
use operations::{Flags, Kind};
use scheduler::{End, Exploration, Options, Plan, Reduction, Strategy, Violation};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// The number of traces of each program; none of them is run in part by optimal DPOR.
#[test]
fn optimal_reduction_runs_each_trace_once() {
    let rows: &[(&str, &[&str], Memory, u64)] = &[
        ("philosophers", &["-DN=2"], Memory::Hidden, 3),
        ("philosophers", &["-DN=3"], Memory::Hidden, 7),
        ("philosophers", &["-DN=4"], Memory::Hidden, 15),
        ("philosophers", &["-DN=5"], Memory::Hidden, 31),
        ("sections", &["-DN=2", "-DR=4"], Memory::Hidden, 70),
        ("sections", &["-DN=2", "-DR=3"], Memory::Hidden, 20),
        ("sections", &["-DN=3", "-DR=2"], Memory::Hidden, 90),
        ("trylock", &["-DN=2"], Memory::Hidden, 4),
        ("trylock", &["-DN=3"], Memory::Hidden, 21),
        ("barrier", &[], Memory::Hidden, 1),
        ("condition", &[], Memory::Hidden, 2),
        ("filesystem", &["-DN=14"], Memory::Hidden, 2),
        ("filesystem", &["-DN=16"], Memory::Visible, 8),
        ("readers", &["-DN=2"], Memory::Visible, 4),
        ("readers", &["-DN=8"], Memory::Visible, 256),
        ("lastzero", &["-DN=1"], Memory::Visible, 2),
        ("lastzero", &["-DN=2"], Memory::Visible, 5),
        ("lastzero", &["-DN=3"], Memory::Visible, 12),
        ("lastzero", &["-DN=4"], Memory::Visible, 28),
        ("lastzero", &["-DN=5"], Memory::Visible, 64),
        ("indexer", &["-DN=12"], Memory::Visible, 8),
        ("stores", &["-DN=4", "-DDISJOINT=0"], Memory::Visible, 24),
        ("stores", &["-DN=4", "-DDISJOINT=1"], Memory::Visible, 1),
        ("buffering", &[], Memory::Visible, 3),
        ("tosses", &[], Memory::Hidden, 18),
        ("lost", &[], Memory::Hidden, 3),
        ("items", &[], Memory::Hidden, 1),
        ("destructors", &[], Memory::Hidden, 2),
        ("forks", &[], Memory::Hidden, 4),
    ];
    for (name, flags, memory, traces) in rows {
        let Some(program) = compiled(name, flags, *memory) else { return };
        let found = explored(&program, &[], Reduction::Optimal);
        assert_eq!((found.search.complete, found.search.asleep), (*traces, 0), "{name} {flags:?}");
    }
}

/// The same of programs with thousands of traces, by two servers.
#[test]
fn large_programs_have_as_many_traces_as_was_published() {
    let rows: &[(&str, &[&str], Memory, u64)] = &[
        ("readers", &["-DN=13"], Memory::Visible, 8192),
        ("lastzero", &["-DN=10"], Memory::Visible, 3328),
        ("filesystem", &["-DN=18"], Memory::Hidden, 32),
        ("filesystem", &["-DN=19"], Memory::Visible, 64),
        ("indexer", &["-DN=15"], Memory::Visible, 4096),
    ];
    for (name, flags, memory, traces) in rows {
        let Some(program) = compiled(name, flags, *memory) else { return };
        let options = Options { strategy: Strategy::Exhaustive, finds_all: true, servers: 2, ..kit::defaults() };
        let found = kit::explored_as(&program, &options);
        assert_eq!((found.search.complete, found.search.asleep), (*traces, 0), "{name} {flags:?}");
    }
}

/// Of the values that are tossed one pair is wrong, in both orders; of the waits one comes too late.
#[test]
fn wrong_traces_are_counted() {
    for (name, wrong) in [("tosses", 2), ("lost", 1)] {
        let Some(program) = compiled(name, &[], Memory::Hidden) else { return };
        for reduction in [Reduction::Sleep, Reduction::Source, Reduction::Optimal] {
            assert_eq!(explored(&program, &[], reduction).failures, wrong, "{name} {reduction:?}");
        }
    }
}

/// Sleep sets alone run each trace to its end once, and share nothing with the reversal of races.
#[test]
fn reductions_agree_on_random_programs() {
    let Some(program) = compiled("script", &[], Memory::Visible) else { return };
    random_scripts(kit::PIECES, 7, 25).for_each(|script| reductions_agree(&program, &script));
}

/// What such an operation does depends on what is in memory when it happens.
#[test]
fn reductions_agree_where_words_are_compared() {
    let Some(program) = compiled("script", &[], Memory::Visible) else { return };
    let scripts = meetings().chain(random_scripts(kit::WORDS, 5, 25));
    scripts.for_each(|script| reductions_agree(&program, &script));
}

/// What was there before is written down of each atomic access that writes, and of an exchange whether it has left what was there.
#[test]
fn what_is_found_in_words_is_written_down() {
    let Some(program) = compiled("script", &[], Memory::Visible) else { return };
    let mut session = program.session(&["X0X0z0z0g0E0E0e0e0".to_owned(), "o0".to_owned()]);
    let record = session.run(&Plan::free(500)).expect("a run");
    let writes = record.steps.iter().map(|step| step.event);
    let writes = writes.filter(|event| matches!(event.op.kind, Kind::AtomicStore | Kind::AtomicUpdate));
    let found: Vec<_> = writes.map(|event| (event.op.value, event.op.flags, event.result)).collect();
    let (plain, sets, compares) = (Flags::default(), Flags::SETS, Flags::COMPARES);
    let exchanges = [(0, plain, 1), (1, sets, 0)];
    let others =
        [(1, plain, 1), (0, plain, 1), (0, plain, 1), (1, plain, 1), (0, sets, 0), (0, compares, 1), (0, compares, 0)];
    assert_eq!(found, [&exchanges[..], &others].concat());
}

/// Signals that are blocked are taken by who comes first.
#[test]
fn reductions_agree_where_signals_are_sent() {
    let Some(program) = compiled("script", &[], Memory::Visible) else { return };
    random_scripts(kit::SIGNALS, 6, 25).for_each(|script| reductions_agree(&program, &script));
}

/// Random scripts: as many, unless the environment says how many and from which on.
fn random_scripts(pieces: &[&str], length: usize, usual: u64) -> impl Iterator<Item = Vec<String>> {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let (first, cases) = (number("UWBMC_FUZZ_FIRST").unwrap_or(0), number("UWBMC_FUZZ_CASES").unwrap_or(usual));
    (first..first + cases).map(move |seed| kit::random_script(seed, pieces, length))
}

fn meetings() -> impl Iterator<Item = Vec<String>> {
    kit::MEETINGS.iter().map(|script| script.iter().map(|thread| (*thread).to_owned()).collect())
}

fn reductions_agree(program: &Compiled, script: &[String]) {
    let [sleep, source, optimal] =
        [Reduction::Sleep, Reduction::Source, Reduction::Optimal].map(|way| explored(program, script, way));
    let count = |found: &Exploration| (found.search.complete, found.failures);
    assert_eq!(count(&source), count(&sleep), "source sets: {script:?}");
    assert_eq!(count(&optimal), count(&sleep), "optimal: {script:?}");
    assert_eq!(optimal.search.asleep, 0, "{script:?}");
}

/// Sleep sets belong to the library that is in the program, which all reductions share. So the traces that chance meets, which
/// needs no sleep sets, have to be among those that are explored, each of them once.
#[test]
fn what_chance_meets_is_explored_once() {
    let Some(program) = compiled("script", &[], Memory::Visible) else { return };
    let scripts = meetings()
        .chain(random_scripts(kit::PIECES, 5, 12))
        .chain(random_scripts(kit::WORDS, 4, 12))
        .chain(random_scripts(kit::SIGNALS, 5, 12));
    for script in scripts {
        let (explored, runs) = kit::traces::explored(&program, &script, Reduction::Optimal);
        let met = kit::traces::met_by_chance(&program, &script, 150);
        assert_eq!(met.difference(&explored).count(), 0, "{script:?}");
        assert_eq!(explored.len(), runs, "{script:?}");
    }
}

/// The locks of the standard library of Rust are words that are compared; the threads wait for each other by such, too.
#[test]
fn no_run_of_a_program_in_rust_is_given_up() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/accounts.rs");
    let Some(program) = compile(&source, &[], Memory::Visible) else { return };
    let [source, optimal] = [Reduction::Source, Reduction::Optimal].map(|way| explored(&program, &[], way));
    assert_eq!((optimal.search.complete, optimal.search.asleep), (source.search.complete, 0));
    assert_eq!(optimal.failures, source.failures);
}

/// What a lock in Rust does is in the program itself where it is free, optimised or not: twelve traces, and the deadlock.
#[test]
fn locks_of_rust_have_the_same_traces_in_every_build() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust/crossed.rs");
    for flags in [&[][..], &["-O"]] {
        let Some(program) = compile(&source, flags, Memory::Visible) else { return };
        for reduction in [Reduction::Sleep, Reduction::Source, Reduction::Optimal] {
            let found = explored(&program, &[], reduction);
            assert_eq!((found.search.complete, found.failures), (13, 1), "{flags:?} {reduction:?}");
        }
    }
}

/// The library looks at a word before it waits, unseen. Where runs can be interrupted before that, it comes too late.
#[test]
fn a_wake_up_that_the_standard_library_of_rust_loses_is_found() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust/lost.rs");
    let Some(program) = compile(&source, &[], Memory::Visible) else { return };
    let found = kit::in_turns(&program);
    assert_eq!(in_a_word(&found), "deadlock", "{:?}", found.end);
}

/// A data race is wrong by itself: where nothing else is found for long, the search for it ends.
#[test]
fn a_data_race_is_enough_after_a_while() {
    let Some(program) = compiled("lastzero", &["-DN=10"], Memory::Visible) else { return };
    let found = kit::explored_as(&program, &Options { runs_after_race: 16, ..kit::defaults() });
    let all = kit::explored_as(&program, &Options { strategy: Strategy::Exhaustive, ..kit::defaults() });
    assert!(found.race.is_some() && all.race.is_some());
    assert!((16..all.total.runs).contains(&found.total.runs), "{} runs", found.total.runs);
    assert!(matches!((found.end, all.end), (End::Stopped, End::Complete)));
}

/// How much follows a data race is measured by the work that the first run makes, which counts as 200 at least and 40,000 at most. Here all runs make as
/// much, and the first one shows the race.
#[test]
fn as_much_follows_a_data_race_as_was_asked_for() {
    for (rounds, runs_after_race) in [(4, 3), (4, 4), (5, 3), (60, 2), (700, 3)] {
        let flags = ["-DLATE=0", &format!("-DROUNDS={rounds}")];
        let Some((found, expected)) = after_a_race(&flags, runs_after_race) else { return };
        assert_eq!((found.total.runs, found.races), (expected, 1), "{rounds} {runs_after_race}");
    }
}

/// What is found later gives no more time.
#[test]
fn no_more_follows_a_second_data_race() {
    let Some((found, expected)) = after_a_race(&["-DLATE=1", "-DROUNDS=4"], 4) else { return };
    assert!(found.races > 1 && found.total.runs <= expected, "{} races, {} runs", found.races, found.total.runs);
}

/// The exhaustive search of a program that has data races, and how many runs it should make.
fn after_a_race(flags: &[&str], runs_after_race: u64) -> Option<(Exploration, u64)> {
    let program = compiled("raced", flags, Memory::Visible)?;
    let strategy = Strategy::Exhaustive;
    let options = Options { strategy, runs_after_race, runs: 300, ..kit::defaults() };
    let found = kit::explored_as(&program, &options);
    assert!(found.race.is_some() && matches!(found.end, End::Stopped), "{:?}", found.end);
    let steps = found.total.steps / found.total.runs;
    let work = steps + steps * steps / 100;
    let expected = 1 + runs_after_race * work.clamp(200, 40_000) / work + 1;
    Some((found, expected))
}

/// Figure 4 of [God97]: the transitions of dining philosophers without reduction, from the state on in which the
/// semaphores are there, by real processes.
#[test]
fn philosophers_have_the_transitions_of_the_paper() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/processes.c");
    for (count, transitions, runs) in [(2, 18, 4), (3, 1680, 396)] {
        let Some(program) = compile(&source, &[&format!("-DN={count}")], Memory::Hidden) else { return };
        let found = explored(&program, &[], Reduction::None);
        assert_eq!((found.search.transitions - count, found.search.complete), (transitions, runs), "{count}");
    }
}

/// Philosophers that are processes, with semaphores of the system, have as many traces as those that are threads: each subset of
/// the forks but one can be taken first from the left, and all at once is the deadlock.
#[test]
fn processes_have_as_many_traces_as_threads() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/processes.c");
    for (count, traces) in [(2, 3), (3, 7), (4, 15), (5, 31)] {
        let Some(program) = compile(&source, &[&format!("-DN={count}")], Memory::Hidden) else { return };
        let found = explored(&program, &[], Reduction::Optimal);
        assert_eq!((found.search.complete, found.search.asleep, found.failures), (traces, 0, 1), "{count}");
    }
}

/// What is in memory that processes share is found under the addresses that it has in each.
#[test]
fn processes_compare_words_that_they_share() {
    let Some(program) = compiled("handed", &[], Memory::Visible) else { return };
    let [sleep, optimal] = [Reduction::Sleep, Reduction::Optimal].map(|way| explored(&program, &[], way));
    assert_eq!((optimal.failures, optimal.search.asleep), (0, 0), "{:?}", optimal.found);
    assert_eq!(optimal.search.complete, sleep.search.complete);
}

/// A thread notices nothing of being a fibre: it has its own stack, thread-local memory, number and way to compute, and ends
/// as other threads do. One of those here has a stack of its own, and is no fibre.
#[test]
fn fibres_are_threads() {
    let Some(program) = compiled("fibres", &[], Memory::Hidden) else { return };
    let found = explored(&program, &[], Reduction::Optimal);
    assert_eq!((in_a_word(&found), found.search.complete, found.search.asleep), ("nothing", 6, 0), "{:?}", found.found);
}

/// Fibres and threads of the system are scheduled alike.
#[test]
fn threads_of_the_system_have_the_same_traces() {
    let rows: &[(&str, &[&str], Memory)] = &[
        ("philosophers", &["-DN=4"], Memory::Hidden),
        ("condition", &[], Memory::Hidden),
        ("filesystem", &["-DN=14"], Memory::Visible),
        ("lastzero", &["-DN=3"], Memory::Visible),
        ("fibres", &[], Memory::Hidden),
        ("forks", &[], Memory::Hidden),
    ];
    for (name, flags, memory) in rows {
        let Some(program) = compiled(name, flags, *memory) else { return };
        let fibres = explored(&program, &[], Reduction::Optimal);
        let threads = kit::explored_by(program.session(&[]).without_fibres(), Reduction::Optimal);
        assert_eq!((fibres.search, fibres.failures), (threads.search, threads.failures), "{name}");
    }
}

/// However many servers execute runs, what is counted and found is the same.
#[test]
fn several_servers_explore_as_one_does() {
    let rows: &[(&str, &[&str], Memory)] = &[
        ("sections", &["-DN=3", "-DR=2"], Memory::Hidden),
        ("philosophers", &["-DN=4"], Memory::Hidden),
        ("lastzero", &["-DN=4"], Memory::Visible),
    ];
    let reductions = [Reduction::None, Reduction::Sleep, Reduction::Source, Reduction::Optimal];
    for (name, flags, memory) in rows {
        let Some(program) = compiled(name, flags, *memory) else { return };
        for strategy in
            [Strategy::Exhaustive, Strategy::Turns, Strategy::Random, Strategy::Priorities, Strategy::Novelty]
        {
            // Without reduction there are too many runs of some.
            let reductions = if strategy == Strategy::Exhaustive { &reductions[..] } else { &reductions[3..] };
            for reduction in reductions {
                let [one, two, three] = [1, 2, 3].map(|servers| {
                    let options = Options { strategy, reduction: *reduction, servers, runs: 300, ..kit::defaults() };
                    in_full(&kit::explored_as(&program, &Options { finds_all: true, ..options }))
                });
                assert_eq!(one, two, "{name}, {strategy:?}, {reduction:?}");
                assert_eq!(one, three, "{name}, {strategy:?}, {reduction:?}");
            }
        }
    }
}

/// What came of an exploration, the run that was found included.
fn in_full(found: &Exploration) -> String {
    let steps = found.found.as_ref().map(|found| (&found.finding, &found.record.steps));
    format!("{:?} {:?} {:?} {} {} {steps:?}", found.end, found.search, found.total, found.races, found.failures)
}

/// What the loader of libraries does for a thread that exits must not be interrupted: it holds a lock of its own.
#[test]
fn threads_that_exit_do_not_wait_for_the_loader() {
    let Some(program) = compiled("exits", &["-DN=6"], Memory::Visible) else { return };
    let found = kit::in_turns(&program);
    assert_eq!(in_a_word(&found), "deadlock", "{:?}", found.end);
}

/// Of the standard library of C++: its accesses to memory add nothing but what the byte that guards a static adds.
#[test]
fn synchronisation_of_cpp_is_visible() {
    let Some(program) = compiled_cpp(&[], Memory::Hidden) else { return };
    for reduction in [Reduction::Sleep, Reduction::Source, Reduction::Optimal] {
        let found = explored(&program, &[], reduction);
        assert_eq!((found.search.complete, found.failures), (40, 0), "{reduction:?}");
    }
}

/// The byte that says whether a static is there, where threads are seen to look at it: who comes second sees it set, or asks and waits. That
/// makes two traces of one, unless the second comes after the end of the first in any case. Compilers write the same as we do in the program.
#[test]
fn a_byte_that_guards_a_static_doubles_traces() {
    let rows: &[(&[&str], Memory, u64)] = &[
        (&["-DFIRST"], Memory::Hidden, 48),
        (&["-DFIRST"], Memory::Visible, 2 * 48),
        (&["-DFIRST", "-DBYTE"], Memory::Visible, 2 * 48),
        (&[], Memory::Visible, 2 * 40 - 8),
        (&["-DBYTE"], Memory::Visible, 2 * 40 - 8),
    ];
    for (flags, memory, traces) in rows {
        let Some(program) = compiled_cpp(flags, *memory) else { return };
        for reduction in [Reduction::Source, Reduction::Optimal] {
            let found = explored(&program, &[], reduction);
            assert_eq!((found.search.complete, found.failures), (*traces, 0), "{flags:?} {memory:?} {reduction:?}");
        }
    }
}

/// Where only some of the code of a program shows its accesses, a byte that is set keeps nobody from asking unseen: each thread comes first in some
/// run, and the one that looks at the byte sees it before or after it is set.
#[test]
fn a_static_may_be_asked_for_unseen() {
    for (flags, traces) in [(&[][..], 3), (&["-DABORTED"], 6)] {
        let Some(program) = compiled("guarded", flags, Memory::Visible) else { return };
        for reduction in [Reduction::Sleep, Reduction::Source, Reduction::Optimal] {
            let found = explored(&program, &[], reduction);
            assert_eq!((found.search.complete, found.failures), (traces, 0), "{flags:?} {reduction:?}");
            assert_eq!(found.codes, BTreeSet::from([1, 2]), "{flags:?} {reduction:?}");
        }
    }
}

fn compiled_cpp(flags: &[&str], memory: Memory) -> Option<Compiled> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/library.cpp");
    compile(&source, &[&["-std=c++17"], flags].concat(), memory)
}

/// Each of a hundred lanes has to stop between its two locks: chance does not meet that.
#[test]
fn a_deadlock_of_a_hundred_lanes_is_found() {
    let Some(program) = compiled("philosophers", &["-DN=100"], Memory::Hidden) else { return };
    let found = kit::explored_as(&program, &Options { runs: 1000, ..kit::defaults() });
    assert_eq!(in_a_word(&found), "deadlock", "{:?}", found.end);
}

/// The last of a hundred lanes has to come between what all others do by the same two functions.
#[test]
fn what_one_of_a_hundred_lanes_has_to_do_first_is_found() {
    for flags in [&[][..], &["-DALIKE"]] {
        for memory in [Memory::Hidden, Memory::Visible] {
            let Some(program) = compiled("stages", flags, memory) else { return };
            let found = kit::explored_as(&program, &Options { runs: 1000, ..kit::defaults() });
            assert_eq!(in_a_word(&found), "assertion", "{flags:?} {memory:?}: {:?}", found.end);
        }
    }
}

/// Chance meets the bug of this program about once in two hundred thousand runs.
#[test]
fn a_bug_that_needs_five_preemptions_is_found() {
    let Some(program) = compiled("safestack", &[], Memory::Visible) else { return };
    let options = Options { strategy: Strategy::Novelty, ..kit::defaults() };
    let found = kit::explored_as(&program, &options);
    assert_eq!(in_a_word(&found), "assertion", "{:?}", found.end);
}

/// The threads have to take turns, with as many accesses in each: of all interleavings one in some hundred thousand.
#[test]
fn a_bug_that_needs_regular_turns_is_found() {
    let Some(program) = compiled("alternating", &["-DROUNDS=8", "-DGREATEST=2584"], Memory::Visible) else { return };
    let found = kit::explored_as(&program, &Options { runs: 3000, ..kit::defaults() });
    assert_eq!(in_a_word(&found), "assertion", "{:?}", found.end);
}

/// Threads that wait for ever when the program exits have raced with those that they wait for. An exit is no part of what can
/// happen earlier instead.
#[test]
fn programs_exit_while_threads_wait() {
    let Some(program) = compiled("script", &[], Memory::Visible) else { return };
    for (script, traces) in
        [(&["l0", "l0", "."][..], 2), (&["l0l1u1u0", "l1l0u0u1", "."], 3), (&["w0", "w0", "p0", "."], 2)]
    {
        let script: Vec<String> = script.iter().map(|thread| (*thread).to_owned()).collect();
        for reduction in [Reduction::Sleep, Reduction::Source, Reduction::Optimal] {
            let found = explored(&program, &script, reduction);
            assert_eq!(
                (found.search.complete, found.failures),
                (traces, 0),
                "{script:?} {reduction:?} {:?}",
                found.end
            );
        }
    }
}

/// Without preemptions two threads run one after the other, in two ways; with many, nothing is left out.
#[test]
fn preemptions_are_bounded() {
    let Some(program) = compiled("sections", &["-DN=2", "-DR=2"], Memory::Hidden) else { return };
    let [none, one, many] = [0, 1, 20].map(|most| {
        let found = explored(&program, &[], Reduction::Preemptions(most));
        (found.search.complete, matches!(found.end, End::Complete))
    });
    let all = explored(&program, &[], Reduction::None).search.complete;
    assert_eq!((none, many), ((2, false), (all, true)));
    assert!(none.0 < one.0 && one.0 < many.0 && !one.1, "{one:?}");
}

/// Programs that are executed together, and find their semaphores by a key.
#[test]
fn a_system_of_several_programs_is_explored() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/table/philosopher.c");
    let Some(program) = compile(&source, &[], Memory::Hidden) else { return };
    let found = kit::together(&program, &[&["0", "2"], &["1", "2"]]);
    assert_eq!(in_a_word(&found), "deadlock", "{:?}", found.end);
    let lanes: BTreeSet<u16> = found.found.iter().flat_map(|found| &found.record.pending).map(|of| of.lane.0).collect();
    assert_eq!(lanes, BTreeSet::from([0, 1, 2]));
}

/// What the first lines of the examples say.
#[test]
fn examples_show_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).expect("examples").map(|file| file.expect("file").path()).collect();
    names.retain(|path| path.extension().is_some_and(|ending| ending == "c" || ending == "cpp"));
    names.sort();
    assert!(names.len() >= 10, "{names:?}");
    for path in names {
        let text = std::fs::read_to_string(&path).expect("text");
        let fact =
            |name: &str| text.lines().find_map(|line| line.split_once(&format!("{name}: ")).map(|(_, fact)| fact));
        let memory = if fact("accesses").is_some() { Memory::Visible } else { Memory::Hidden };
        let Some(program) = compile(&path, &[], memory) else { return };
        // A thread that goes on for ever has to be waited for.
        let patience = if fact("found") == Some("divergence") { 3 } else { 60 };
        let found = kit::in_turns_with(&program, Duration::from_secs(patience));
        assert_eq!(fact("found"), Some(in_a_word(&found)), "{}: {:?}", path.display(), found.end);
        if let Some(count) = fact("interleavings") {
            let all = explored(&program, &[], Reduction::Optimal);
            assert_eq!(all.search.complete.to_string(), count, "{}", path.display());
        }
    }
}

fn in_a_word(found: &Exploration) -> &'static str {
    match (found.found.as_ref().map(|found| &found.finding.violation), &found.end) {
        (Some(Violation::Deadlock), _) => "deadlock",
        (Some(Violation::Assertion(_)), _) => "assertion",
        (Some(Violation::Divergence), _) => "divergence",
        (None, End::Complete) => "nothing",
        _ => "something else",
    }
}

fn compiled(name: &str, flags: &[&str], memory: Memory) -> Option<Compiled> {
    compile(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/c/{name}.c")), flags, memory)
}
