//! Programs that write over the memory by which they are controlled: what comes of them is what would have come of them undisturbed,
//! or no verdict.

use super::compiled;
use super::kit::{self, Compiled, Memory};
use operations::region::{self, Ending, lane, object, output, slot};
use operations::{Class, Kind, Lane};
use scheduler::{End, ExitCodes, Exploration, Options, Plan, explore};
use std::ops::ControlFlow;
use std::time::Duration;

/// Runs of each program: as many as show all ways in which threads meet, and some by chance.
const RUNS: u64 = 40;

fn astray() -> Option<Compiled> {
    let first = format!("-DFIRST_OBJECT={}", object::START);
    compiled("astray", &[&first], Memory::Hidden)
}

fn explored(program: &Compiled, arguments: &[String]) -> Exploration {
    let options = Options { runs: RUNS, exit_codes: ExitCodes::Checked, ..kit::defaults() };
    let mut session = program.session_with(arguments, Duration::from_secs(5));
    explore(&mut session, &options, &mut |_| ControlFlow::Continue(())).expect("exploration")
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Whether it was noticed that the program has written where it must not.
fn is_refused(found: &Exploration) -> bool {
    matches!(found.end, End::Refused(_) | End::NotDeterministic(_))
}

/// What is found in a program that does nothing wrong but that, if anything.
fn wrong(found: &Exploration) -> Option<String> {
    found.wrong().map(|wrong| format!("{:?}", wrong.finding))
}

/// Undisturbed, the program is fine, and its crossed variant has a deadlock.
#[test]
fn what_is_found_without_writing() {
    let Some(program) = astray() else { return };
    let fine = explored(&program, &[]);
    assert_eq!(wrong(&fine), None);
    assert!(!is_refused(&fine), "{:?}", fine.end);
    let crossed = explored(&program, &words("crossed"));
    assert!(matches!(crossed.end, End::Found) && wrong(&crossed).is_some_and(|wrong| wrong.contains("Deadlock")));
}

/// The parts of the region: the first words, the lanes, the first objects, the tape, the log, and all of it.
const AREAS: [(usize, usize); 6] = [
    (0, lane::START),
    (lane::START, lane::START + 4 * lane::WORDS),
    (object::START, object::START + 64 * object::WORDS),
    (region::TAPE, region::TAPE + 40),
    (region::LOG, region::LOG + 40 * region::ENTRY_WORDS),
    (0, region::LOG + 40 * region::ENTRY_WORDS),
];

#[test]
fn what_is_written_at_random_is_no_finding() {
    let Some(program) = astray() else { return };
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let first = number("UWBMC_FUZZ_FIRST").unwrap_or(0);
    let mut refused = 0;
    for seed in first..first + number("UWBMC_FUZZ_CASES").unwrap_or(60) {
        let (from, to) = AREAS[seed as usize % AREAS.len()];
        let fine = explored(&program, &words(&format!("random {seed} {from} {to}")));
        assert_eq!(wrong(&fine), None, "{seed}");
        let crossed = explored(&program, &words(&format!("random {seed} {from} {to} crossed")));
        assert!(!matches!(crossed.end, End::Complete), "{seed}");
        assert!(wrong(&crossed).is_none_or(|wrong| wrong.contains("Deadlock")), "{seed}: {:?}", wrong(&crossed));
        refused += u64::from(is_refused(&fine));
    }
    assert!(refused > 0);
}

/// Whether writing as it is told, at any of the moments of a run, leads to a refusal.
fn is_noticed(program: &Compiled, writing: &str) -> bool {
    let found = explored(program, &words(writing));
    assert_eq!(wrong(&found), None, "{writing}");
    is_refused(&found)
}

/// Each word that is accounted for, of the main thread and of one that it creates.
#[test]
fn no_word_that_is_accounted_for_changes_unnoticed() {
    let Some(program) = astray() else { return };
    let words =
        (0..lane::START + 2 * lane::WORDS).filter(|index| region::is_accounted(*index) || *index == output::SUM);
    for index in words {
        assert!(is_noticed(&program, &format!("flip 2 {index}")), "{index}");
    }
}

/// Each word of a step that has been executed.
#[test]
fn no_step_changes_unnoticed() {
    let Some(program) = astray() else { return };
    for index in 0..2 * region::ENTRY_WORDS {
        assert!(is_noticed(&program, &format!("flip 3 {}", region::LOG + index)), "{index}");
    }
}

/// Who is to move, where that is prescribed, and to what a choice is to come.
#[test]
fn no_other_moves_are_made_than_are_prescribed() {
    let Some(program) = astray() else { return };
    let record = program.session(&[]).run(&Plan::free(500)).expect("a run");
    let other = |lane: Lane| region::tape_word(Lane((lane.0 + 1) % 3), None);
    let mut rows: Vec<(usize, u64)> = Vec::new();
    for (step, event) in record.steps.iter().map(|step| step.event).enumerate() {
        rows.push((step, other(event.lane)));
        if event.op.kind == Kind::Toss {
            rows.extend([1, 2, 9].map(|value| (step, region::tape_word(event.lane, Some(value)))));
        }
    }
    let tape = record.choices();
    let plan = Plan { branch: tape.len(), tape, ..Plan::free(500) };
    let mut noticed = 0;
    for (step, value) in rows {
        let mut session = program.session(&words(&format!("word 2 {} {value}", region::TAPE + step)));
        let again = session.run(&plan).expect("a run");
        let is_noticed = again.is_overwritten || again.ending == Ending::Mismatch;
        assert!(is_noticed || again.choices() == record.choices(), "{step} {value}");
        noticed += usize::from(is_noticed);
    }
    assert!(noticed > 10, "{noticed}");
}

/// The state of locks, where threads are amid them or have given them back, and the count of a semaphore.
#[test]
fn no_object_changes_unnoticed() {
    let Some(program) = astray() else { return };
    // The holder and the count of a mutex are two halves of a word.
    let held_by = |lane: u64| lane | 1 << 32;
    let rows = [
        (Class::Mutex, 3, 0),
        (Class::Mutex, 3, held_by(1)),
        (Class::Mutex, 3, held_by(2)),
        (Class::ReadWrite, 3, 2),
        (Class::ReadWrite, 3, 0),
        (Class::Semaphore, 3, 7 << 32),
        (Class::Semaphore, 3, 0),
    ];
    for (class, field, value) in rows {
        let noticed = (1..12).map(|moment| format!("object {moment} {} {field} {value}", class as u64));
        assert!(noticed.filter(|writing| is_noticed(&program, writing)).count() > 2, "{class:?} {value}");
    }
}

/// A message that waits to be received, and what is said of it.
#[test]
fn no_message_changes_unnoticed() {
    let Some(program) = astray() else { return };
    for index in
        [slot::RUN, slot::QUEUE, slot::PLACE, slot::KIND, slot::LENGTH, slot::CHECK, slot::DATA, slot::DATA + 1]
    {
        assert!(is_noticed(&program, &format!("flip 12 {}", slot::START + index)), "{index}");
    }
}

/// What is said of the end of a run.
#[test]
fn no_end_is_made_up() {
    let Some(program) = astray() else { return };
    for ending in [Ending::Deadlock, Ending::Assertion, Ending::Abort, Ending::NotHeld, Ending::Livelock, Ending::Freed]
    {
        for moment in 1..12 {
            let writing = format!("word {moment} {} {}", output::ENDING, ending as u64);
            assert!(is_noticed(&program, &writing), "{writing}");
        }
    }
}
