//! Whether a run can have gone as it is written down.
//!
//! A program shares memory with us, and one that goes astray can write there: over what it is to do, over the state of its lanes and
//! objects, over what it has done. It must not end in a verdict. So the library inside the program keeps two numbers: one stands for the
//! steps of the log, the other for what else it keeps of the run and of its lanes, with what it was told to do. They have to go with
//! what is found after the run. Objects and the tape are too large for that: what is written down is executed once more here, on objects
//! of our own, and has to come to the same results and to the same end, by the moves that were prescribed. A program that sets out to
//! deceive us can, as it runs with the library.

use crate::finding::WaitStatus;
use crate::plan::{Choice, Plan};
use crate::record::{Pending, Record, Step};
use crate::replica::Replica;
use operations::region::{self, Ending, lane, output};
use operations::{Kind, LaneSet, Status, World, is_enabled};

/// Whether the words before the objects are those that the library has accounted for, of as many lanes as are known.
pub(crate) fn is_accounted_for(head: &[u64], lanes: &[u64]) -> bool {
    let lanes = lanes.iter().enumerate().map(|(place, word)| (lane::START + place, *word));
    let words = head.iter().copied().enumerate().take(lane::START).chain(lanes);
    let shares =
        words.filter(|(index, _)| region::is_accounted(*index)).map(|(index, word)| region::share(index, word));
    shares.fold(0, u64::wrapping_add) == head[output::SUM]
}

/// Whether a log is the one that the library has written. A program that was killed may have been amid its last step.
pub(crate) fn is_sealed(log: &[u8], seal: u64, status: WaitStatus) -> bool {
    let is_cut = !matches!(status, WaitStatus::Exited(_));
    let before = log.len().saturating_sub(region::ENTRY_WORDS * 8);
    seal_of(log) == seal || is_cut && seal_of(&log[..before]) == seal
}

/// The number that stands for steps as they are in the log.
fn seal_of(log: &[u8]) -> u64 {
    const BYTES: usize = region::ENTRY_WORDS * 8;
    let entries = log.as_chunks::<BYTES>().0.iter();
    entries.fold(0, |sum, entry| {
        let words = entry.as_chunks::<8>().0;
        region::seal(sum, |index| u64::from_le_bytes(words[index]))
    })
}

/// Whether a run can have gone as it is written down.
pub(crate) fn is_credible(record: &Record, plan: &Plan) -> bool {
    let mut replica = Replica::initial();
    record.steps.iter().all(|step| replica.repeats(&step.event))
        && is_as_planned(record, plan)
        && is_the_end(record, plan, &replica)
}

/// Whether the lanes moved that the plan says, and came to the values that it says. Of a plan that may be departed from, a lane that
/// did not move could not.
fn is_as_planned(record: &Record, plan: &Plan) -> bool {
    let is_short = record.steps.len() < plan.tape.len() && !is_by_one_lane(record);
    let mut moves = record.steps.iter().zip(&plan.tape);
    if plan.is_lenient {
        return moves.all(|(step, choice)| step.event.lane == choice.lane || !step.enabled.contains(choice.lane));
    }
    !is_short && moves.all(|(step, choice)| is_prescribed(step, choice))
}

fn is_prescribed(step: &Step, choice: &Choice) -> bool {
    let is_value = step.event.op.kind != Kind::Toss || step.choice().toss == Some(choice.toss.unwrap_or(0));
    step.event.lane == choice.lane && is_value
}

/// Whether a run can end in this way at any time, by what a single lane does.
fn is_by_one_lane(record: &Record) -> bool {
    use Ending::{Abort, Assertion, Assumed, Crash, Foreign, Freed, Full, Mismatch, NotHeld, Unknown, Unsupported};
    matches!(
        record.ending,
        Abort | Assertion | Assumed | Crash | Foreign | Freed | Full | Mismatch | NotHeld | Unknown | Unsupported
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
