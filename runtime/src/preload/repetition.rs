//! Lanes that are to give way to others, so that a run ends where a lane waits in a loop for what others do.

use super::shared::{get, set};
use operations::region::{self, output};
use operations::{Kind, Lane, Op};

/// After as many steps in a row others go on.
const PATIENCE: u64 = 300;
/// As many times a lane may repeat what it does before others go on.
const REPETITIONS: usize = 3;
/// The longest piece of a run that is recognised when it is repeated.
const LONGEST: usize = 8;

/// Whether a lane, which has just moved, is to give way.
pub fn gives_way(me: Lane, op: &Op) -> bool {
    let streak = streak(me);
    op.kind == Kind::Yield || streak > PATIENCE || (1..=LONGEST).any(|length| is_repeated(length, streak as usize))
}

/// How many steps this lane has made in a row, with the one that is the last now.
fn streak(me: Lane) -> u64 {
    let last = get(output::STEPS) as usize - 1;
    let is_same = last > 0 && get(entry(last - 1) + 6) == u64::from(me.0);
    let length = if is_same { get(output::STREAK) + 1 } else { 1 };
    set(output::STREAK, length);
    length
}

/// Whether the last steps of a lane are the same piece again and again.
fn is_repeated(length: usize, streak: usize) -> bool {
    let compared = length * REPETITIONS;
    let last = get(output::STEPS) as usize - 1;
    streak >= compared + length && (0..compared).all(|back| is_same(last - back, last - back - length))
}

/// Whether the same object is used at the same place of the program.
fn is_same(one: usize, other: usize) -> bool {
    let (one, other) = (entry(one), entry(other));
    get(one + 1) != 0 && get(one + 1) == get(other + 1) && get(one + 5) == get(other + 5)
}

/// Where a step is in the log.
fn entry(step: usize) -> usize {
    region::LOG + step * region::ENTRY_WORDS
}
