//! Wakeup trees: what is still to be tried from a state, as sequences that share their beginnings. Optimal DPOR of
//! Abdulla, Aronis, Jonsson, Sagonas (POPL 2014, JACM 2017).

use operations::{Event, Kind, Lane, depends};

/// The sequences that begin with nothing in particular.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    branches: Vec<Branch>,
}

/// The sequences that begin with an event.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The event.
    pub event: Event,
    /// How they go on.
    pub rest: Tree,
}

impl Tree {
    /// Takes the first branch out.
    pub fn take_first(&mut self) -> Option<Branch> {
        if self.branches.is_empty() { None } else { Some(self.branches.remove(0)) }
    }

    /// The first sequence; none if there is no branch.
    pub fn first(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut tree = self;
        while let Some(branch) = tree.branches.first() {
            events.push(branch.event);
            tree = &branch.rest;
        }
        events
    }

    /// How many branches there are.
    pub fn width(&self) -> usize {
        self.branches.len()
    }

    /// Puts a single event before all others.
    pub fn put_first(&mut self, event: Event) {
        self.branches.insert(0, Branch { event, rest: Tree::default() });
    }

    /// Whether a branch begins with a lane.
    pub fn begins_with(&self, lane: Lane) -> bool {
        self.branches.iter().any(|branch| branch.event.lane == lane)
    }

    /// Adds a sequence, unless one that is there already leads to where it leads.
    pub fn insert(&mut self, mut sequence: Vec<Event>) {
        let mut tree = self;
        while !sequence.is_empty() {
            let found = tree.branches.iter().position(|branch| is_weak_initial(&branch.event, &sequence));
            let Some(index) = found else {
                tree.branches.push(chain(sequence));
                return;
            };
            let branch = &mut tree.branches[index];
            let own = sequence.iter().position(|event| event.lane == branch.event.lane);
            own.map(|own| sequence.remove(own));
            if branch.rest.branches.is_empty() {
                return;
            }
            tree = &mut branch.rest;
        }
    }
}

fn chain(sequence: Vec<Event>) -> Branch {
    let mut events = sequence.into_iter().rev();
    let last = events.next().map(|event| Branch { event, rest: Tree::default() });
    let joined =
        events.fold(last, |rest, event| Some(Branch { event, rest: Tree { branches: rest.into_iter().collect() } }));
    joined.expect("sequences that are inserted have events")
}

/// Whether a sequence, perhaps with more after it, can begin with an event: the lane's first event in it depends on
/// nothing before, or the lane has none and the event depends on nothing in it.
pub fn is_weak_initial(event: &Event, sequence: &[Event]) -> bool {
    match sequence.iter().position(|other| other.lane == event.lane) {
        Some(own) => is_same_choice(event, &sequence[own]) && is_initial(own, sequence),
        None => sequence.iter().all(|other| !depends(event, other)),
    }
}

fn is_same_choice(event: &Event, other: &Event) -> bool {
    event.op.kind != Kind::Toss || event.result == other.result
}

fn is_initial(place: usize, sequence: &[Event]) -> bool {
    sequence[..place].iter().all(|earlier| !depends(earlier, &sequence[place]))
}

/// The lanes that a sequence can begin with.
pub fn initials(sequence: &[Event]) -> impl Iterator<Item = Lane> {
    let is_first = |place: usize| sequence[..place].iter().all(|earlier| earlier.lane != sequence[place].lane);
    (0..sequence.len())
        .filter(move |place| is_first(*place) && is_initial(*place, sequence))
        .map(|place| sequence[place].lane)
}
