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

#[cfg(test)]
mod tests {
    use super::*;
    use operations::{Key, Op};

    /// A lane locks a mutex.
    fn lock(lane: u16, mutex: u64) -> Event {
        Event { lane: Lane(lane), op: Op::on(Kind::MutexLock, Key { process: 1, address: mutex }), result: 0 }
    }

    /// A tree as the lanes of its branches, each with what is below it.
    fn shape(tree: &Tree) -> String {
        let branches = tree.branches.iter().map(|branch| format!("{}{}", branch.event.lane.0, shape(&branch.rest)));
        if tree.branches.is_empty() { String::new() } else { format!("({})", branches.collect::<Vec<_>>().join(" ")) }
    }

    fn after(sequences: &[&[Event]]) -> String {
        let mut tree = Tree::default();
        sequences.iter().for_each(|sequence| tree.insert(sequence.to_vec()));
        shape(&tree)
    }

    /// What follows the end of a sequence is found there: it is not prescribed.
    #[test]
    fn a_sequence_is_not_made_longer() {
        assert_eq!(after(&[&[lock(1, 7)], &[lock(1, 7), lock(2, 7)]]), "(1)");
        assert_eq!(after(&[&[lock(1, 7), lock(2, 7)], &[lock(1, 7), lock(2, 7), lock(3, 7)]]), "(1(2))");
    }

    #[test]
    fn sequences_share_what_they_can_begin_with() {
        let (one, other, third) = (lock(1, 7), lock(2, 7), lock(3, 8));
        // In another order, but the same: the third lane has another mutex.
        assert_eq!(after(&[&[one, third], &[third, one]]), "(1(3))");
        // The first is taken out of the second sequence, the rest of which branches off.
        assert_eq!(after(&[&[one, lock(4, 8)], &[third, one]]), "(1(4 3))");
        assert_eq!(after(&[&[one, other], &[other, one]]), "(1(2) 2(1))");
        // A lane that has no event in the sequence can come first if it depends on none.
        assert_eq!(after(&[&[third], &[one, other]]), "(3)");
        assert_eq!(after(&[&[third], &[one, lock(2, 8)]]), "(3 1(2))");
    }

    /// Two values of a toss are two ways to go on.
    #[test]
    fn tosses_are_told_apart_by_their_values() {
        let toss = |result| Event { lane: Lane(1), op: Op::local(Kind::Toss, 2), result };
        assert_eq!(after(&[&[toss(0)], &[toss(1)], &[toss(0)]]), "(1 1)");
    }
}
