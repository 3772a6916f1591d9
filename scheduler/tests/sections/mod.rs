//! Programs with atomic sections end as they would if nothing could come between the operations of one.

use super::compiled;
use super::kit::{self, Compiled, Memory};
use operations::region::Policy;
use operations::{Kind, SECTIONS};
use scheduler::{End, Plan, Reduction};
use std::collections::BTreeSet;
use std::ops::Range;

/// Where each thread is, what it has loaded, and the variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    places: Vec<usize>,
    loaded: Vec<i32>,
    variables: [i32; 2],
    /// The thread that is in a section.
    inside: Option<usize>,
    /// In which order operations happened that depend on each other, if that is to be told apart.
    order: Option<Order>,
}

/// What each thread has found, what was stored in each variable, and the threads that have begun a section, in order. No two places store the same,
/// so that two runs differ in this or are the same but for the order of operations that do not depend on each other.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    found: Vec<(usize, usize, i32)>,
    stored: [Vec<i32>; 2],
    sections: Vec<usize>,
}

impl Order {
    fn note(&mut self, what: u8, thread: usize, place: usize, variables: [i32; 2]) {
        match what {
            b'(' => self.sections.push(thread),
            b')' => {}
            b'a' | b'b' => {
                self.found.push((thread, place, variables[usize::from(what - b'a')]));
                self.found.sort_unstable();
            }
            _ => self.stored[usize::from(what - b'A')].push(variables[usize::from(what - b'A')]),
        }
    }
}

impl State {
    /// After the next operation of a thread; none if there is none, or another one is in a section.
    fn after(&self, script: &[String], thread: usize) -> Option<State> {
        let place = self.places[thread];
        let what = *script[thread].as_bytes().get(place)?;
        if self.inside.is_some_and(|inside| inside != thread) {
            return None;
        }
        let mut next = self.clone();
        next.places[thread] += 1;
        match what {
            b'(' => next.inside = Some(thread),
            b')' => next.inside = None,
            b'a' | b'b' => next.loaded[thread] = self.loaded[thread] * 3 + self.variables[usize::from(what - b'a')],
            _ => next.variables[usize::from(what - b'A')] = 16 * thread as i32 + place as i32 + 1,
        }
        if let Some(order) = &mut next.order {
            order.note(what, thread, place, next.variables);
        }
        Some(next)
    }

    fn code(&self) -> i64 {
        let sum = self.loaded.iter().fold(0_i32, |sum, loaded| sum * 5 + loaded);
        i64::from((sum * 49 + self.variables[0] * 7 + self.variables[1]) & 255)
    }
}

/// The numbers that a program can exit with, by going through its states.
fn codes(script: &[String]) -> BTreeSet<i64> {
    ends(script, None).iter().map(State::code).collect()
}

/// The states in which all threads have ended.
fn ends(script: &[String], order: Option<Order>) -> Vec<State> {
    let count = script.len();
    let first = State { places: vec![0; count], loaded: vec![0; count], variables: [0; 2], inside: None, order };
    let (mut seen, mut open, mut ends) = (BTreeSet::from([first.clone()]), vec![first], Vec::new());
    while let Some(state) = open.pop() {
        let next: Vec<State> = (0..count).filter_map(|thread| state.after(script, thread)).collect();
        if next.is_empty() {
            ends.push(state);
        }
        open.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
    }
    ends
}

fn random_script(seed: u64) -> Vec<String> {
    const PIECES: [&str; 12] = ["(aA)", "(ab)", "(AB)", "(AaB)", "(bAb)", "(A", ")", "a", "b", "A", "B", "ab"];
    let mut random = fastrand::Rng::with_seed(seed);
    let mut thread = || {
        let text: String = (0..random.usize(1..=3)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        balanced(&text)
    };
    let threads = [3, 2, 2][seed as usize % 3];
    (0..threads).map(|_| thread()).collect()
}

/// With no section within another, and none that does not end, at most six operations long.
fn balanced(text: &str) -> String {
    let mut is_inside = false;
    let is_fitting = |what: &char| match what {
        '(' => !std::mem::replace(&mut is_inside, true),
        ')' => std::mem::replace(&mut is_inside, false),
        _ => true,
    };
    let mut kept: String = text.chars().take(6).filter(is_fitting).collect();
    if is_inside {
        kept.push(')');
    }
    kept
}

#[test]
fn nothing_comes_between_the_operations_of_a_section() {
    let Some(program) = compiled("atomic", &[], Memory::Visible) else { return };
    ends_as_it_should(&program);
}

/// A section may be what a function does whose name says so, also where the compiler has put the function into the one that calls
/// it.
#[test]
fn nothing_comes_between_the_operations_of_an_atomic_function() {
    let ways: [&[&str]; 3] = [
        &["-O0", "-DFUNCTION="],
        &["-O2", "-DFUNCTION=static"],
        &["-O2", "-DFUNCTION=static inline __attribute__((always_inline))"],
    ];
    for way in ways {
        let flags = [way, &["-finstrument-functions"]].concat();
        let Some(program) = compiled("atomic", &flags, Memory::Visible) else { return };
        ends_as_it_should(&program);
    }
}

fn seeds() -> Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let first = number("UWBMC_FUZZ_FIRST").unwrap_or(0);
    first..first + number("UWBMC_FUZZ_CASES").unwrap_or(30)
}

fn ends_as_it_should(program: &Compiled) {
    for seed in seeds() {
        let script = random_script(seed);
        let found = kit::explored(program, &script, Reduction::Optimal);
        assert!(matches!(found.end, End::Complete), "{script:?}: {:?}", found.end);
        assert_eq!(found.codes, codes(&script), "{script:?}");
    }
}

/// A run in which a thread comes between the operations of a section is none of the program, so it is no interleaving that is counted.
#[test]
fn each_run_of_atomic_sections_is_counted_once() {
    let Some(program) = compiled("atomic", &[], Memory::Visible) else { return };
    let mut torn = 0;
    for seed in seeds() {
        let script = random_script(seed);
        let traces = ends(&script, Some(Order::default())).len() as u64;
        for reduction in [Reduction::Source, Reduction::Optimal] {
            let found = kit::explored(&program, &script, reduction);
            assert_eq!(found.search.complete, traces, "{script:?} {reduction:?}");
            torn += found.search.torn;
        }
    }
    assert!(torn > 0);
}

/// Where lanes are picked by chance, the one that is in a section goes on.
#[test]
fn chance_interrupts_no_section() {
    let Some(program) = compiled("atomic", &[], Memory::Visible) else { return };
    let mut session = program.session(&["(AB)(ab)", "(ab)(AB)"].map(str::to_owned));
    for seed in 1..60 {
        let policy = [Policy::Random, Policy::Priorities, Policy::Sampling, Policy::Rotation][seed as usize % 4];
        let record = session.run(&Plan { policy, seed: seed << 20, ..Plan::free(500) }).expect("a run");
        let mut inside = None;
        for event in record.steps.iter().map(|step| step.event) {
            assert!(inside.is_none_or(|lane| lane == event.lane), "{policy:?} {seed}");
            match event.op.kind {
                Kind::MutexLock if event.op.key == SECTIONS => inside = Some(event.lane),
                Kind::MutexUnlock if event.op.key == SECTIONS => inside = None,
                _ => {}
            }
        }
    }
}
