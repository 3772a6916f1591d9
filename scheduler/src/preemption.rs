//! Preemptions: a lane goes on although the one that moved last could have. Few of them show most bugs \[CHESS\].
//!
//! Steps that begin or end a lane do not count, and a lane that gives way is not preempted.

use crate::record::Step;
use operations::{Kind, Lane, LaneSet};

/// How many preemptions the first steps of a run have, if a lane comes after them where some are enabled.
pub fn preemptions(steps: &[Step], next: Lane, enabled: &LaneSet) -> u32 {
    let acting = |step: &&Step| !step.event.op.kind.is_of_life();
    let mut last: Option<&Step> = None;
    let mut count = 0;
    for step in steps.iter().filter(acting) {
        count += u32::from(is_preempted(last, step.event.lane, &step.enabled));
        last = Some(step);
    }
    count + u32::from(is_preempted(last, next, enabled))
}

fn is_preempted(last: Option<&Step>, next: Lane, enabled: &LaneSet) -> bool {
    last.is_some_and(|last| {
        last.event.lane != next && last.event.op.kind != Kind::Yield && enabled.contains(last.event.lane)
    })
}
