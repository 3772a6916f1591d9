//! Sampling partial orders \[POS\]: each lane's next operation has a random priority, the greatest goes first, and
//! what conflicts with it gets another one. Orders of independent operations count less than by chance alone, so that
//! rare orders of conflicting ones are met more often.

use super::shared::{Here, at, get, pending, set};
use super::turn::random;
use operations::region::{input, lane, output};
use operations::{Event, Lane, LaneSet, Status, World, depends, foresee, is_enabled};

/// Added to the priority of a lane that does not give way to others.
const EAGER: u64 = 1 << 32;
/// After as many steps all priorities are drawn again: otherwise lanes that wait in loops can go on for very long before
/// the one that they wait for.
const ROUND: u64 = 128;

/// The lane whose next operation has the greatest priority.
pub fn pick(awake: &LaneSet) -> Lane {
    awake.iter().max_by_key(|of| get(at(*of, lane::PRIORITY))).unwrap_or(Lane::MAIN)
}

/// After an event its lane has another next operation; those that conflict with the event are drawn again as well. Where
/// the lane gives way, those that gave way before do so no longer.
pub unsafe fn draw_again(event: &Event, yields: bool) {
    let is_over = get(output::STEPS).is_multiple_of(ROUND);
    for of in (0..get(input::KNOWN) as u16).map(Lane) {
        let eager = if of == event.lane && yields { 0 } else { EAGER };
        if of == event.lane || is_over || conflicts(of, event) {
            set(at(of, lane::PRIORITY), eager | random() >> 33);
        } else if yields {
            set(at(of, lane::PRIORITY), eager | get(at(of, lane::PRIORITY)));
        }
    }
}

/// Whether the next operation of a lane depends on an event.
fn conflicts(of: Lane, event: &Event) -> bool {
    let op = pending(of);
    Here.lane(of).status == Status::Alive
        && is_enabled(&Here, of, &op)
        && depends(event, &Event { lane: of, op, result: foresee(&Here, of, &op) })
}
