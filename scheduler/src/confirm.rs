//! Executing a run again: what does not repeat is no finding.

use crate::finding::WaitStatus;
use crate::plan::{Choice, Plan};
use crate::record::{Record, Step};
use crate::session::{Failure, Session};
use operations::region::Ending;
use operations::{Event, Kind};

/// Where two runs differ that should be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The step.
    pub step: usize,
    /// What had happened there.
    pub expected: Option<Box<Step>>,
    /// What happened now.
    pub found: Option<Box<Step>>,
}

impl Difference {
    /// Compares steps with those that another run begins with.
    pub fn between(expected: &[Step], found: &[Step]) -> Result<(), Difference> {
        let is_same = |one: &Step, other: &Step| is_same(&one.event, &other.event) && one.caller == other.caller;
        let differs = |step: &usize| found.get(*step).is_none_or(|now| !is_same(&expected[*step], now));
        match (0..expected.len()).find(differs) {
            None => Ok(()),
            Some(step) => {
                let boxed = |steps: &[Step]| steps.get(step).copied().map(Box::new);
                Err(Difference { step, expected: boxed(expected), found: boxed(found) })
            }
        }
    }
}

/// Whether two events are the same. What is in memory need not be: it can be the time, or a number of a process.
fn is_same(one: &Event, other: &Event) -> bool {
    let looks = one.op.kind.is_access() || one.op.kind == Kind::FutexWait;
    let without_value = |event: &Event| Event { op: event.op.valued(0), ..*event };
    one == other || looks && without_value(one) == without_value(other)
}

/// What came of executing a run again.
#[derive(Clone, Debug)]
pub enum Confirmation {
    /// The same.
    Same(Box<Record>),
    /// Something else.
    Different(Difference),
    /// The exploration has to end before that is known.
    Halted,
}

/// Executes a run again and compares all its steps and its end.
pub fn repeat(session: &mut Session, record: &Record, plan: &Plan) -> Result<Confirmation, Failure> {
    let again = again(session, &record.steps, plan)?;
    let difference = Difference::between(&record.steps, &again.steps).err();
    let is_same_end = again.ending == record.ending && again.status == record.status && again.lane == record.lane;
    let length = record.steps.len();
    let end = Difference { step: length, expected: None, found: again.steps.get(length).copied().map(Box::new) };
    Ok(match difference {
        _ if again.status == WaitStatus::Halted => Confirmation::Halted,
        Some(difference) => Confirmation::Different(difference),
        None if !is_same_end || again.steps.len() != record.steps.len() => Confirmation::Different(end),
        None => Confirmation::Same(Box::new(again)),
    })
}

/// Executes the first steps of a run again. What comes after them is left out.
pub fn repeat_up_to(
    session: &mut Session,
    record: &Record,
    length: usize,
    plan: &Plan,
) -> Result<Confirmation, Failure> {
    let steps = &record.steps[..length];
    let mut again = again(session, steps, plan)?;
    Ok(match Difference::between(steps, &again.steps) {
        Err(_) if again.status == WaitStatus::Halted => Confirmation::Halted,
        Err(difference) => Confirmation::Different(difference),
        Ok(()) => {
            again.steps.truncate(length);
            Confirmation::Same(Box::new(Record { pending: Vec::new(), ending: Ending::Unknown, ..again }))
        }
    })
}

/// Steps are executed again by a program that is started again: what it does before its first visible operation has to
/// repeat too.
fn again(session: &mut Session, steps: &[Step], plan: &Plan) -> Result<Record, Failure> {
    let tape: Vec<Choice> = steps.iter().map(Step::choice).collect();
    session.run_afresh(&Plan { branch: tape.len(), tape, sleep: Default::default(), ..plan.clone() })
}
