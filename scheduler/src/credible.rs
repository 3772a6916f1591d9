//! Whether a run can have gone as it is written down.
//!
//! A program shares memory with us, and one that goes astray can write there: over what it is to do, over the state of its lanes and
//! objects, over what it has done. It must not end in a verdict. So what is written down is executed once more here, on objects of
//! our own, and has to come to the same results and to the same end; and it has to go with the number that the library inside the
//! program has computed step by step (`operations::region::seal`). A program that sets out to deceive us can, as it runs with the library.

use crate::finding::WaitStatus;
use crate::plan::Plan;
use crate::record::{Pending, Record, Step};
use crate::replica::Replica;
use operations::region::{self, Ending, input};
use operations::{Kind, LaneSet, Status, World, is_enabled};

/// Whether what a plan wrote at the head of the region is still there. What a run changes itself are the lanes that are asleep, the
/// number that random choices start from, and how many lanes have numbers.
pub(crate) fn is_kept(written: &[u64], found: &[u64]) -> bool {
    let changes =
        |index: usize| matches!(index, input::SEED | input::KNOWN) || (input::SLEEP..input::POLICY).contains(&index);
    written.iter().zip(found).enumerate().all(|(index, (before, after))| changes(index) || before == after)
}

/// The number that stands for steps as they are in the log.
pub(crate) fn seal_of(log: &[u8]) -> u64 {
    const BYTES: usize = region::ENTRY_WORDS * 8;
    let entries = log.as_chunks::<BYTES>().0.iter();
    entries.fold(0, |sum, entry| {
        let words = entry.as_chunks::<8>().0;
        region::seal(sum, |index| u64::from_le_bytes(words[index]))
    })
}

/// Whether a run that the library inside the program has ended can have gone as it is written down.
pub(crate) fn is_credible(record: &Record, plan: &Plan) -> bool {
    if record.ending == Ending::Unknown || !matches!(record.status, WaitStatus::Exited(_)) {
        return true;
    }
    let mut replica = Replica::initial();
    record.steps.iter().all(|step| replica.repeats(&step.event) && is_awake_enough(step, plan))
        && is_as_planned(record, plan)
        && is_the_end(record, plan, &replica)
}

/// Nothing falls asleep in a run.
fn is_awake_enough(step: &Step, plan: &Plan) -> bool {
    step.asleep.iter().all(|lane| plan.sleep.contains(lane))
}

/// Whether the lanes moved that the plan says.
fn is_as_planned(record: &Record, plan: &Plan) -> bool {
    let is_short = record.steps.len() < plan.tape.len() && !is_by_one_lane(record.ending);
    let mut moves = record.steps.iter().zip(&plan.tape);
    plan.is_lenient || !is_short && moves.all(|(step, choice)| step.event.lane == choice.lane)
}

/// Whether a run can end in this way at any time, by what a single lane does.
fn is_by_one_lane(ending: Ending) -> bool {
    use Ending::{Abort, Assertion, Assumed, Crash, Foreign, Freed, Full, Mismatch, NotHeld, Overwritten, Unsupported};
    matches!(
        ending,
        Abort | Assertion | Assumed | Crash | Foreign | Freed | Full | Mismatch | NotHeld | Overwritten | Unsupported
    )
}

/// Whether no lane can go on, where that is how the run ended, but those that are asleep or wait in loops; or that one has failed.
fn is_the_end(record: &Record, plan: &Plan, replica: &Replica) -> bool {
    let fails = || record.steps.iter().any(|step| matches!(step.event.op.kind, Kind::Fail | Kind::Exit));
    let asleep = match record.ending {
        Ending::NotHeld => return fails() && replica.has_misuse,
        Ending::Assertion | Ending::Abort | Ending::Freed => return fails(),
        Ending::Complete | Ending::Deadlock | Ending::Livelock | Ending::Idle => LaneSet::default(),
        Ending::Asleep => plan.sleep,
        _ => return true,
    };
    // The lane that has exited may have executed more, and has nothing before it.
    let has_exited =
        |of: &Pending| of.op.kind == Kind::Exit || record.ending == Ending::Complete && of.lane == record.lane;
    let stays = |of: &Pending| {
        has_exited(of) || of.is_in_loop || asleep.contains(of.lane) || !is_enabled(replica, of.lane, &of.op)
    };
    let alive = (0..replica.lanes()).filter(|lane| replica.lane(operations::Lane(*lane)).status == Status::Alive);
    alive.eq(record.pending.iter().map(|of| of.lane.0)) && record.pending.iter().all(stays)
}
