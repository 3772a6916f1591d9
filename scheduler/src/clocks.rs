//! Which events of a run happen before which: vector clocks over the dependent events.

use operations::{Event, Kind, Lane, covers, depends, marks};
use rustc_hash::FxHashMap;

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

/// What an exit is ordered after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exits {
    /// All that came before it: a process exits when no other lane can do anything, so nothing of that can come later.
    Last,
    /// What its lane has done: that it comes last is our choice, and orders no accesses.
    Anywhere,
}

/// The events of a run in their order, and what happened before what.
#[derive(Clone, Debug)]
pub struct Clocks {
    relation: fn(&Event, &Event) -> bool,
    exits: Exits,
    events: Vec<Event>,
    /// For each event, all that happened before it, and itself.
    clocks: Vec<Clock>,
    /// For each event, how many events its lane had before.
    positions: Vec<u32>,
    /// For each mark, the events that bear it: events that have none in common do not depend on each other.
    marked: FxHashMap<u64, Vec<usize>>,
    /// For each lane, its events.
    lanes: FxHashMap<Lane, Vec<usize>>,
    /// For each lane, its creation.
    creations: FxHashMap<Lane, usize>,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks::of(depends, Exits::Last)
    }
}

impl Clocks {
    /// No events, which a relation is to order.
    pub fn of(relation: fn(&Event, &Event) -> bool, exits: Exits) -> Clocks {
        Clocks {
            relation,
            exits,
            events: Vec::new(),
            clocks: Vec::new(),
            positions: Vec::new(),
            marked: FxHashMap::default(),
            lanes: FxHashMap::default(),
            creations: FxHashMap::default(),
        }
    }

    /// Forgets the events from one on.
    pub fn truncate(&mut self, length: usize) {
        for event in self.events.drain(length.min(self.events.len())..).rev() {
            for mark in marks(&event) {
                self.marked.entry(mark).and_modify(forget_last);
            }
            self.lanes.entry(event.lane).and_modify(forget_last);
            if let Some(created) = created_by(&event) {
                self.creations.remove(&created);
            }
        }
        self.clocks.truncate(length);
        self.positions.truncate(length);
    }

    /// Adds an event.
    pub fn push(&mut self, event: Event) {
        let last = self.last_of(event.lane);
        let mut clock = last.map(|index| self.clocks[index].clone()).unwrap_or_default();
        let mut related = self.related(&event);
        while let Some(index) = related.next() {
            let earlier = &self.events[index];
            if !(self.relation)(earlier, &event) {
                continue;
            }
            if earlier.lane != event.lane && clock.count(earlier.lane) <= self.positions[index] {
                clock.join(&self.clocks[index]);
            }
            related.leave_out_before(earlier, &event);
        }
        if event.op.kind == Kind::Exit && self.exits == Exits::Last {
            let ends = self.lanes.values().filter_map(|events| events.last());
            ends.for_each(|index| clock.join(&self.clocks[*index]));
        }
        let position = last.map_or(0, |index| self.positions[index] + 1);
        clock.set(event.lane, position + 1);
        self.note(&event);
        self.events.push(event);
        self.clocks.push(clock);
        self.positions.push(position);
    }

    fn note(&mut self, event: &Event) {
        let index = self.events.len();
        for mark in marks(event) {
            self.marked.entry(mark).or_default().push(index);
        }
        self.lanes.entry(event.lane).or_default().push(index);
        if let Some(created) = created_by(event) {
            self.creations.insert(created, index);
        }
    }

    /// The events that an event can depend on, the last first: those with a mark in common, and the creation of its lane.
    pub fn related(&self, event: &Event) -> Related<'_> {
        let marked = marks(event).into_iter().filter_map(|mark| Some((mark, self.marked.get(&mark)?.as_slice())));
        Related { marked: marked.collect(), creation: self.creations.get(&event.lane).copied() }
    }

    /// The creation of a lane.
    pub fn creation(&self, lane: Lane) -> Option<usize> {
        self.creations.get(&lane).copied()
    }

    /// The last event of a lane.
    fn last_of(&self, lane: Lane) -> Option<usize> {
        self.lanes.get(&lane)?.last().copied()
    }

    /// What happened before the last event of a lane before an index, and that event.
    pub fn before(&self, index: usize, lane: Lane) -> Clock {
        let last = self.lanes.get(&lane).and_then(|events| events.iter().rev().find(|event| **event < index));
        last.map(|last| self.clocks[*last].clone()).unwrap_or_default()
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

/// Events that another one can depend on, the last first.
#[derive(Clone, Debug)]
pub struct Related<'a> {
    /// For each mark of that event, the events with it that are left, in their order.
    marked: Vec<(u64, &'a [usize])>,
    creation: Option<usize>,
}

impl Related<'_> {
    /// Leaves out what is before an event that conflicts with all of it; the event has to be ordered before that other one.
    pub fn leave_out_before(&mut self, earlier: &Event, event: &Event) {
        self.marked.retain(|(mark, _)| !covers(earlier, event, *mark));
    }
}

impl Iterator for Related<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let marked = self.marked.iter().filter_map(|(_, left)| left.last().copied()).max();
        let last = marked.max(self.creation)?;
        for (_, left) in &mut self.marked {
            if let Some((_, before)) = left.split_last().filter(|(end, _)| **end == last) {
                *left = before;
            }
        }
        self.creation = self.creation.filter(|creation| *creation != last);
        Some(last)
    }
}

/// The lane that an event creates.
fn created_by(event: &Event) -> Option<Lane> {
    if event.op.kind == Kind::Create { Lane::of(event.op.value as u64) } else { None }
}

fn forget_last(indices: &mut Vec<usize>) {
    indices.pop();
}
