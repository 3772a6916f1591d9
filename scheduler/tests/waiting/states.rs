//! What the scripts of `loops.c` come to, by going through all states: a step of a thread is an access, and a turn of a loop leads back
//! to where it began.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where a thread is: at which operation, at which step inside of it, and what it has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    at: usize,
    inner: u8,
    seen: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    threads: Vec<Thread>,
    words: [i64; 3],
    /// One more than the thread that holds it.
    locks: [usize; 3],
    turns: i64,
}

/// The codes that a script can exit with, and whether its threads can come to where they never end.
pub fn ends(script: &[String]) -> (BTreeSet<i64>, bool) {
    let start = State { threads: vec![Thread::default(); script.len()], words: [0; 3], locks: [0; 3], turns: 0 };
    let mut before: BTreeMap<State, Vec<State>> = BTreeMap::from([(start.clone(), Vec::new())]);
    let mut left = VecDeque::from([start]);
    let mut last = Vec::new();
    while let Some(state) = left.pop_front() {
        if (0..script.len()).all(|thread| is_over(&state, thread, script)) {
            last.push(state);
            continue;
        }
        for next in (0..script.len()).filter_map(|thread| step(&state, thread, script)) {
            if !before.contains_key(&next) {
                left.push_back(next.clone());
            }
            before.entry(next).or_default().push(state.clone());
        }
    }
    let codes = last.iter().map(code).collect();
    let mut ending: BTreeSet<State> = last.iter().cloned().collect();
    while let Some(state) = last.pop() {
        for earlier in &before[&state] {
            if ending.insert(earlier.clone()) {
                last.push(earlier.clone());
            }
        }
    }
    (codes, ending.len() < before.len())
}

fn code(state: &State) -> i64 {
    let factors = [1, 17, 89];
    state.threads.iter().zip(factors).map(|(thread, factor)| thread.seen * factor).sum::<i64>() % 251
}

fn is_over(state: &State, thread: usize, script: &[String]) -> bool {
    state.threads[thread].at >= script[thread].len()
}

/// The state after the next access of a thread; none if it has ended or has to wait for a lock.
fn step(state: &State, me: usize, script: &[String]) -> Option<State> {
    let Thread { at, inner, .. } = state.threads[me];
    let (letter, object) = (*script[me].as_bytes().get(at)?, usize::from(script[me].as_bytes()[at + 1] - b'0'));
    let mut after = state.clone();
    let word = state.words[object];
    let is_done = match (letter, inner) {
        (b'1' | b'0', _) => {
            after.words[object] = i64::from(letter == b'1');
            true
        }
        (b'a', _) => word != 0,
        (b'z', _) => word == 0,
        (b'x' | b'c', _) => {
            after.words[object] = 1;
            word == 0
        }
        (b't', _) if state.locks[object] == 0 => {
            after.locks[object] = me + 1;
            true
        }
        (b't', _) => false,
        (b'u', _) => {
            after.locks[object] = 0;
            true
        }
        (b'b', 0) => {
            after.threads[me].inner = u8::from(state.words[0] == 0);
            state.words[0] != 0
        }
        (b'b', _) => {
            after.threads[me].inner = 0;
            state.words[1] != object as i64
        }
        (b'p', 0) if state.locks[object] != 0 => return None,
        (b'p', 0) => {
            after.locks[object] = me + 1;
            after.threads[me].inner = 1;
            false
        }
        (b'p', 1) => {
            after.threads[me].inner = 2 + u8::from(word != 0);
            false
        }
        (b'p', _) => {
            after.locks[object] = 0;
            after.threads[me].inner = 0;
            inner == 3
        }
        (b'g', _) => {
            after.threads[me].seen = state.threads[me].seen * 2 + word;
            true
        }
        _ => {
            after.threads[me].seen = state.threads[me].seen * 3 + state.turns;
            after.turns += 1;
            true
        }
    };
    if is_done {
        after.threads[me] = Thread { at: at + 2, inner: 0, ..after.threads[me] };
    }
    Some(after)
}
