//! The objects of a run, as the scheduler computes them from its events.

use operations::{Class, Event, Key, Kind, Lane, LaneState, Object, Status, World, apply, is_enabled};
use rustc_hash::FxHashMap;

/// Objects and lanes after some events.
#[derive(Clone, Debug, Default)]
pub struct Replica {
    objects: FxHashMap<(Class, Key), Object>,
    lanes: Vec<LaneState>,
    /// Whether a lock was released by a lane that does not hold it.
    pub(crate) has_misuse: bool,
    /// What is in the word that is asked for.
    word: u64,
}

impl Replica {
    /// Where a run begins: with its main thread.
    pub fn initial() -> Replica {
        let main = LaneState { status: Status::Alive, ..LaneState::default() };
        Replica { objects: FxHashMap::default(), lanes: vec![main], ..Replica::default() }
    }

    /// Executes what was executed in a run.
    pub fn execute(&mut self, event: &Event) {
        let has_failed = event.op.kind == Kind::FutexWait && event.result < 0;
        if !event.op.kind.is_access() && event.op.kind != Kind::Toss && !has_failed {
            self.word = event.op.value as u64;
            apply(self, event.lane, &event.op);
        }
    }

    /// Executes what was executed in a run; whether it could be, and comes to the same. What is in memory is not known here, nor what
    /// is tossed.
    pub(crate) fn repeats(&mut self, event: &Event) -> bool {
        let Event { lane, op, result } = event;
        let looks = op.kind.is_access() || op.kind == Kind::Toss || op.kind == Kind::FutexWait && *result < 0;
        self.word = op.value as u64;
        let may = op.kind == Kind::Exit || looks || is_enabled(self, *lane, op);
        if self.lane(*lane).status != Status::Alive || !may {
            return false;
        }
        if looks {
            return true;
        }
        let applied = apply(self, *lane, op);
        self.has_misuse |= applied.misuse.is_some();
        applied.result == *result
    }

    /// What the next operation finds in memory, if it looks there.
    #[must_use]
    pub fn finding(self, word: u64) -> Replica {
        Replica { word, ..self }
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

    fn word(&self, _: Key, _: u64) -> u64 {
        self.word
    }
}
