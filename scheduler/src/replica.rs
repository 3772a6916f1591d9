//! The objects of a run, as the scheduler computes them from its events.

use operations::{Class, Key, Kind, Lane, LaneState, Object, Op, Status, World, apply};
use rustc_hash::FxHashMap;

/// Objects and lanes after some events.
#[derive(Clone, Debug, Default)]
pub struct Replica {
    objects: FxHashMap<(Class, Key), Object>,
    lanes: Vec<LaneState>,
}

impl Replica {
    /// Where a run begins: with its main thread.
    pub fn initial() -> Replica {
        let main = LaneState { status: Status::Alive, ..LaneState::default() };
        Replica { objects: FxHashMap::default(), lanes: vec![main] }
    }

    /// Executes an operation.
    pub fn execute(&mut self, lane: Lane, op: &Op) {
        if !op.kind.is_access() && op.kind != Kind::Toss {
            apply(self, lane, op);
        }
    }
}

impl World for Replica {
    fn object(&self, class: Class, key: Key) -> Object {
        self.objects.get(&(class, key)).copied().unwrap_or_default()
    }

    fn set_object(&mut self, class: Class, key: Key, object: Object) {
        self.objects.insert((class, key), object);
    }

    fn lane(&self, lane: Lane) -> LaneState {
        self.lanes.get(lane.index()).copied().unwrap_or_default()
    }

    fn set_lane(&mut self, lane: Lane, state: LaneState) {
        if self.lanes.len() <= lane.index() {
            self.lanes.resize(lane.index() + 1, LaneState::default());
        }
        self.lanes[lane.index()] = state;
    }

    fn lanes(&self) -> u16 {
        self.lanes.len() as u16
    }
}
