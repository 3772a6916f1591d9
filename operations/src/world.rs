//! The state that operations work on.

use crate::{Class, Key, Lane};

/// The state of an object. What the fields mean depends on its class; an object that was never touched has zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// One more than the lane that holds it; 0 if none does. The lane that writes, or that initialises.
    pub holder: u32,
    /// How deep a mutex is locked, how many readers there are, the count of a semaphore, how many arrived at a barrier,
    /// whether an initialisation is done.
    pub count: u32,
    /// The next ticket of a queue, the generation of a barrier, the posts of a semaphore.
    pub turn: u32,
    /// How many a barrier waits for, the waits of a semaphore, the count that a semaphore began with.
    pub need: u32,
    /// One more than the lowest lane of the even and the odd generation of a barrier; the count that a semaphore began
    /// with.
    pub serial: [u32; 2],
}

impl Object {
    /// Who holds it.
    pub fn holder(&self) -> Option<Lane> {
        self.holder.checked_sub(1).and_then(|lane| Lane::of(lane.into()))
    }

    /// Whether a lane holds it.
    pub fn is_held_by(&self, lane: Lane) -> bool {
        self.holder() == Some(lane)
    }
}

/// Whether a lane can still move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// There is no such lane in this run yet.
    #[default]
    Unborn,
    /// It has an operation before it.
    Alive,
    /// It has ended.
    Ended,
    /// It failed and goes no further, but has not ended either.
    Stuck,
}

/// What operations need to know of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneState {
    /// Whether it can move.
    pub status: Status,
    /// The queue that it waits in, if it waits.
    pub queue: Option<(Class, Key)>,
    /// Its ticket there.
    pub ticket: u32,
    /// Whether it has been woken.
    pub is_woken: bool,
}

/// Where objects and lanes are kept.
pub trait World {
    /// The state of an object.
    fn object(&self, class: Class, key: Key) -> Object;
    /// Changes the state of an object.
    fn set_object(&mut self, class: Class, key: Key, object: Object);
    /// The state of a lane.
    fn lane(&self, lane: Lane) -> LaneState;
    /// Changes the state of a lane.
    fn set_lane(&mut self, lane: Lane, state: LaneState);
    /// One more than the greatest lane that was ever there.
    fn lanes(&self) -> u16;
    /// What as many bytes of memory hold, at most eight.
    fn word(&self, key: Key, size: u64) -> u64;
}
