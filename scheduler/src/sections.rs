//! Atomic sections: between `__VERIFIER_atomic_begin` and `_end` no other lane does anything that one could notice.
//!
//! To the search a section is what a lock guards, so other lanes may go on within it. That a run is one of sections
//! that are atomic all the same shows in its order: what others do within a section can be moved before or after it, unless it depends
//! on something in the section and something later in the section depends on it. The search explores each order of dependent operations,
//! so that leaving out the runs in which one cannot be moved leaves out nothing else.

use crate::record::Step;
use operations::{Event, Kind, SECTIONS, depends};

/// Whether the sections of a run can be atomic.
pub fn are_atomic(steps: &[Step]) -> bool {
    let begins = |index: &usize| change(&steps[*index].event) > 0;
    (0..steps.len()).filter(begins).all(|start| is_atomic(&steps[start..]))
}

/// How an event changes how deep its lane is in sections.
fn change(event: &Event) -> i32 {
    match event.op.kind {
        Kind::MutexLock if event.op.key == SECTIONS => 1,
        Kind::MutexUnlock if event.op.key == SECTIONS => -1,
        _ => 0,
    }
}

/// Whether the section that steps begin with can be atomic.
fn is_atomic(steps: &[Step]) -> bool {
    let (me, mut depth) = (steps[0].event.lane, 0);
    let (mut own, mut later): (Vec<Event>, Vec<Event>) = (Vec::new(), Vec::new());
    for event in steps.iter().map(|step| step.event) {
        let comes_after = |before: &Event| before.lane == event.lane || depends(before, &event);
        if event.lane != me {
            if own.iter().chain(&later).any(comes_after) {
                later.push(event);
            }
            continue;
        }
        if later.iter().any(comes_after) {
            return false;
        }
        own.push(event);
        depth += change(&event);
        if depth == 0 {
            break;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::are_atomic;
    use crate::record::Step;
    use operations::{Event, Key, Kind, Lane, LaneSet, Op, SECTIONS};

    /// A step of a lane: `(` and `)` are a section's begin and end, small letters read a variable and capital ones write it.
    fn step(lane: u16, what: char) -> Step {
        let word =
            |kind| Op::on(kind, Key { process: 1, address: u64::from(what.to_ascii_lowercase()) * 8 }).with_extra(4);
        let op = match what {
            '(' => Op::on(Kind::MutexLock, SECTIONS),
            ')' => Op::on(Kind::MutexUnlock, SECTIONS),
            what if what.is_uppercase() => word(Kind::Write),
            _ => word(Kind::Read),
        };
        let event = Event { lane: Lane(lane), op, result: 0 };
        Step { event, caller: 0, printed: 0, enabled: LaneSet::default(), asleep: LaneSet::default() }
    }

    /// Each run is what lanes 1, 2 and 3 do, in three lines.
    fn is_atomic(lanes: [&str; 3]) -> bool {
        let at = |place: usize| (1..).zip(lanes).filter_map(move |(lane, line)| Some((lane, line.chars().nth(place)?)));
        let steps: Vec<Step> = (0..lanes[0].len())
            .flat_map(at)
            .filter(|(_, what)| *what != ' ')
            .map(|(lane, what)| step(lane, what))
            .collect();
        are_atomic(&steps)
    }

    #[test]
    fn what_can_be_moved_out_of_a_section_leaves_it_atomic() {
        // Before it, after it, and what has nothing to do with it.
        assert!(is_atomic(["(A B)   ", "  b     ", "        "]));
        assert!(is_atomic(["(A B)   ", "  a     ", "        "]));
        assert!(is_atomic(["(A B)   ", "  c     ", "        "]));
        // It sees the first write and not the second one, or comes between two.
        assert!(!is_atomic(["(A A)   ", "  a     ", "        "]));
        assert!(!is_atomic(["(A  B)  ", "  ab    ", "        "]));
        assert!(is_atomic(["(A  B)  ", "  ba    ", "        "]));
        // By way of another lane.
        assert!(!is_atomic(["(A    B)", "  aC    ", "    cb  "]));
        assert!(is_atomic(["(A    B)", "    aC  ", "  cb    "]));
        // After the section everything may come, and a section within another one ends nothing.
        assert!(is_atomic(["(A)A    ", "   a    ", "        "]));
        assert!(!is_atomic(["((A) A) ", "    a   ", "        "]));
        // What was begun and did not end.
        assert!(!is_atomic(["(A A    ", "  a     ", "        "]));
    }
}
