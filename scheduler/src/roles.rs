//! What kind of thread a lane is: what one of a hundred can do that are created alike, all can.

use crate::record::Step;
use operations::{Kind, Lane};
use std::collections::BTreeMap;

/// The kind of each lane of a run.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    creators: BTreeMap<Lane, u64>,
}

impl Roles {
    /// Lanes that were created at the same place are of one kind.
    pub fn of(steps: &[Step]) -> Roles {
        let created = steps.iter().filter(|step| step.event.op.kind == Kind::Create);
        let creator = |step: &Step| Some((Lane::of(u64::try_from(step.event.op.value).ok()?)?, step.caller));
        Roles { creators: created.filter_map(creator).collect() }
    }

    /// A number that stands for the kind of a lane.
    pub fn role(&self, lane: Lane) -> u64 {
        self.creators.get(&lane).copied().unwrap_or(0)
    }
}
