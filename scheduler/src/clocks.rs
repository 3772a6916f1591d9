//! Which events of a run happen before which: vector clocks over the dependent events.

use operations::{Event, Lane, depends};

/// For each lane, how many of its events happened before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    /// How many events of a lane happened before.
    pub fn count(&self, lane: Lane) -> u32 {
        self.0.get(lane.index()).copied().unwrap_or(0)
    }

    /// All that happened before either.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    fn set(&mut self, lane: Lane, count: u32) {
        if self.0.len() <= lane.index() {
            self.0.resize(lane.index() + 1, 0);
        }
        self.0[lane.index()] = count;
    }
}

/// The events of a run in their order, and what happened before what.
#[derive(Clone, Debug)]
pub struct Clocks {
    relation: fn(&Event, &Event) -> bool,
    events: Vec<Event>,
    /// For each event, all that happened before it, and itself.
    clocks: Vec<Clock>,
    /// For each event, how many events its lane had before.
    positions: Vec<u32>,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks::of(depends)
    }
}

impl Clocks {
    /// No events, which a relation is to order.
    pub fn of(relation: fn(&Event, &Event) -> bool) -> Clocks {
        Clocks { relation, events: Vec::new(), clocks: Vec::new(), positions: Vec::new() }
    }

    /// Forgets the events from one on.
    pub fn truncate(&mut self, length: usize) {
        self.events.truncate(length);
        self.clocks.truncate(length);
        self.positions.truncate(length);
    }

    /// Adds an event.
    pub fn push(&mut self, event: Event) {
        let last = self.last_of(event.lane);
        let mut clock = last.map(|index| self.clocks[index].clone()).unwrap_or_default();
        for index in (0..self.events.len()).rev() {
            let earlier = &self.events[index];
            let is_new = earlier.lane != event.lane && clock.count(earlier.lane) <= self.positions[index];
            if is_new && (self.relation)(earlier, &event) {
                clock.join(&self.clocks[index]);
            }
        }
        let position = last.map_or(0, |index| self.positions[index] + 1);
        clock.set(event.lane, position + 1);
        self.events.push(event);
        self.clocks.push(clock);
        self.positions.push(position);
    }

    /// The last event of a lane.
    fn last_of(&self, lane: Lane) -> Option<usize> {
        self.events.iter().rposition(|event| event.lane == lane)
    }

    /// The event of a lane before an index, and what happened before it.
    pub fn before(&self, index: usize, lane: Lane) -> Clock {
        let last = self.events[..index].iter().rposition(|event| event.lane == lane);
        last.map(|last| self.clocks[last].clone()).unwrap_or_default()
    }

    /// What happened before an event, and itself.
    pub fn clock(&self, index: usize) -> &Clock {
        &self.clocks[index]
    }

    /// Whether an event is among those that a clock counts.
    pub fn is_in(&self, index: usize, clock: &Clock) -> bool {
        clock.count(self.events[index].lane) > self.positions[index]
    }

    /// Whether an event happened before a later one.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        self.is_in(first, &self.clocks[second])
    }

    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}
