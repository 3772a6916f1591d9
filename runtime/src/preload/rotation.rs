//! Lanes that take turns, each for a number of steps that the plan gives it: a bug may need that they alternate more often and
//! more regularly than chance ever has them do.

use super::shared::{at, get};
use operations::region::{self, input, lane, output};
use operations::{Kind, Lane, LaneSet};

/// The lane that moved last as long as its turn is, then the next one. Lanes that are to wait move if no other one can.
pub fn pick(me: Lane, awake: &LaneSet) -> Lane {
    let prompt: LaneSet = awake.iter().filter(|of| !is_late(*of)).collect();
    let going = if prompt.is_empty() { awake } else { &prompt };
    let is_over = get(output::STREAK) >= quantum(me) || get(at(me, lane::YIELDS)) != 0 || !has_begun();
    if going.contains(me) && !is_over {
        return me;
    }
    let mut after = going.iter().filter(|of| *of > me).chain(going.iter());
    after.next().unwrap_or(Lane::MAIN)
}

/// Whether the last step is part of a turn: lanes begin and end outside of turns, or they would be out of step from then on.
fn has_begun() -> bool {
    let last = get(output::STEPS).saturating_sub(1) as usize;
    Kind::of(get(region::LOG + last * region::ENTRY_WORDS) as u8).is_some_and(|kind| !kind.is_of_life())
}

fn quantum(of: Lane) -> u64 {
    (get(input::QUANTA) >> (of.0 % 16 * 4) & 15).max(1)
}

fn is_late(of: Lane) -> bool {
    get(input::LATE) >> (of.0 % 64) & 1 == 1
}
