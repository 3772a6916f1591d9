//! What one thread of a breadth-first search does: expanding some states, and storing those that it owns.
//!
//! Each shard of the store belongs to one worker, and a state's hash says in which shard it is. Workers first expand
//! their part of a chunk of states, putting successors into parcels for the owners; then every owner unpacks its
//! parcels. Keys, made of the place of the expanded state and the number of the successor, put everything back into
//! the order in which a single thread would have found it.

use super::check::{Checker, OpenProperties, check_step};
use super::persistent::Persistent;
use super::rows::{Inserted, are_equal, hash};
use super::store::Store;
use super::successors::{Inside, Successors, Way};
use super::trace::moved;
use super::tree::Cursor;
use system::{
    CommandId, Dependency, Halt, Machine, Memo, Moved, PropertyId, Sorting, State, Symmetry, Visit, Workspace,
};

/// The most states inside the sections that begin in a state: where there are more, it is better to store them once than to run
/// through them from many states.
const MOST_INSIDE: usize = 1 << 10;

/// The part of the states that one worker owns.
#[derive(Debug)]
pub struct Shard {
    pub store: Store,
    /// The state that each state was first reached from; initial states are their own.
    pub parents: Vec<u32>,
}

impl Shard {
    /// A shard without states.
    pub fn new(machine: &Machine) -> Shard {
        Shard { store: Store::new(machine.layout().words()), parents: Vec::new() }
    }
}

/// How states are numbered over all shards.
#[derive(Clone, Copy, Debug)]
pub struct Numbering {
    pub shards: usize,
}

impl Numbering {
    /// The shard that owns a state.
    #[inline]
    pub fn owner(self, state: &[u64]) -> usize {
        if self.shards == 1 { 0 } else { (hash(state) >> 24) as usize % self.shards }
    }

    /// The number over all shards of a state in one shard.
    pub fn join(self, shard: usize, number: u32) -> u32 {
        number * self.shards as u32 + shard as u32
    }

    /// The shard of a state, and its number there.
    pub fn split(self, id: u32) -> (usize, u32) {
        (id as usize % self.shards, id / self.shards as u32)
    }
}

/// When something was found: the place of the expanded state, then the number of the successor.
pub type Key = u64;

fn key(place: usize, successor: u32) -> Key {
    (place as u64) << 32 | u64::from(successor)
}

/// Successors on their way to the worker that owns them.
#[derive(Debug, Default)]
pub struct Parcel {
    items: Vec<Item>,
    words: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    key: Key,
    parent: u32,
    command: CommandId,
}

impl Parcel {
    fn clear(&mut self) {
        self.items.clear();
        self.words.clear();
    }

    fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Item>() + self.words.capacity() * size_of::<u64>()
    }
}

/// A violation inside an atomic section.
#[derive(Debug)]
pub struct Met {
    pub property: PropertyId,
    /// The state from which the section was run.
    pub from: u32,
    /// The state inside of it.
    pub inside: State,
    /// The step from there that violates an invariant over steps.
    pub last: Option<(Moved, State)>,
}

/// Something that a search has to know of.
#[derive(Debug)]
pub enum Event {
    /// A state violates an invariant.
    State(PropertyId, u32),
    /// A step from a state violates an invariant over steps.
    Step(PropertyId, u32, Box<(Moved, State)>),
    /// A state has no successor and is no valid end.
    Deadlock(u32),
    /// The model has no meaning here, a state from which a step fails or on which a property fails; or the work has to end.
    Halt(Halt, u32),
}

/// What all workers see.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub machine: &'a Machine,
    pub open: &'a OpenProperties,
    pub numbering: Numbering,
    /// For each shard, how many of its states belong to this chunk or earlier ones.
    pub expanded: &'a [u32],
    /// Whether commands must not be put off for ever.
    pub needs_proviso: bool,
    /// The processes that can change places.
    pub symmetry: &'a Symmetry,
}

impl Context<'_> {
    /// The state that stands for another one.
    #[inline]
    fn representative<'b>(self, state: &'b [u64], turned: &'b mut Vec<u64>, sorting: &mut Sorting) -> &'b [u64] {
        if self.symmetry.is_trivial() {
            return state;
        }
        turned.clear();
        turned.extend_from_slice(state);
        self.symmetry.sort(self.machine.layout(), turned, sorting);
        turned
    }
}

/// One thread's tools and findings.
#[derive(Debug)]
pub struct Worker<'a> {
    memo: Memo,
    /// For searching with persistent sets.
    persistent: Option<Persistent<&'a Dependency>>,
    found: Successors,
    workspace: Workspace,
    checker: Checker,
    /// For each shard, where it is being read.
    reading: Vec<Cursor>,
    /// For each shard, where states are looked up.
    looking: Vec<Cursor>,
    /// Where the own shard is written to.
    pub writing: Cursor,
    /// One parcel for each shard.
    pub parcels: Vec<Parcel>,
    pub events: Vec<(Key, Event)>,
    /// The states that are new in the own shard, in order.
    pub fresh: Vec<(Key, u32)>,
    pub transitions: u64,
    /// Violations inside of sections, and after how many steps.
    pub inside: Vec<(usize, Met)>,
    /// The states that longer sections lead to, how, and from which states.
    pub later: Vec<(Way, u32)>,
    pub later_states: Vec<u64>,
    /// The state that stands for a successor, and what it takes to find it.
    turned: Vec<u64>,
    sorting: Sorting,
}

impl<'a> Worker<'a> {
    /// The worker that owns a shard.
    pub fn new(machine: &Machine, shards: &[Shard], own: usize, dependency: Option<&'a Dependency>) -> Worker<'a> {
        Worker {
            memo: machine.memo(),
            persistent: dependency.map(Persistent::new),
            found: Successors::default(),
            workspace: machine.workspace(),
            checker: Checker::new(machine),
            reading: shards.iter().map(|shard| shard.store.cursor()).collect(),
            looking: shards.iter().map(|shard| shard.store.cursor()).collect(),
            writing: shards[own].store.cursor(),
            parcels: shards.iter().map(|_| Parcel::default()).collect(),
            events: Vec::new(),
            fresh: Vec::new(),
            transitions: 0,
            inside: Vec::new(),
            later: Vec::new(),
            later_states: Vec::new(),
            turned: Vec::new(),
            sorting: Sorting::default(),
        }
    }

    /// How much it has computed; see [`Workspace::executed`].
    pub fn executed(&self) -> u64 {
        self.memo.executed()
    }

    /// How much memory the worker takes, about.
    pub fn bytes(&self) -> usize {
        self.memo.bytes() + self.parcels.iter().map(Parcel::bytes).sum::<usize>()
    }

    /// Expands some states, the first of which has a given place in the chunk.
    pub fn expand(&mut self, context: Context<'_>, shards: &[Shard], ids: &[u32], first: usize) {
        self.parcels.iter_mut().for_each(Parcel::clear);
        let mut reading = std::mem::take(&mut self.reading);
        for (offset, id) in ids.iter().enumerate() {
            let (shard, number) = context.numbering.split(*id);
            shards[shard].store.go_to(&mut reading[shard], number);
            let state = reading[shard].state();
            let place = first + offset;
            let checked = if context.open.looks_at_steps_from(context.machine, state) {
                self.check_steps(context, state, *id, place)
            } else {
                Ok(())
            };
            let outcome = checked.and_then(|()| {
                let is_plain = self.persistent.is_none() && !context.machine.system().has_atomic_sections;
                match is_plain || self.collect(context, state, *id)?.is_break() {
                    true => self.successors(context, state, *id, place),
                    false => Ok(self.some_successors(context, shards, state, *id, place)),
                }
            });
            match outcome {
                Ok(0) if !context.machine.is_valid_end(&State(state.into())) => {
                    self.events.push((key(place, 0), Event::Deadlock(*id)));
                }
                Ok(count) => self.transitions += u64::from(count),
                Err(halt) => self.events.push((key(place, u32::MAX), Event::Halt(halt, *id))),
            }
        }
        self.reading = reading;
    }

    fn successors(&mut self, context: Context<'_>, state: &[u64], id: u32, place: usize) -> Result<u32, Halt> {
        let mut count = 0;
        let Worker { parcels, turned, sorting, .. } = self;
        self.memo.successors(context.machine, state, |_, command, next| {
            count += 1;
            let next = context.representative(next, turned, sorting);
            post(parcels, context.numbering, state, next, Item { key: key(place, count), parent: id, command });
            Visit::Continue(())
        })?;
        Ok(count)
    }

    /// Collects the successors, atomic sections run to their ends. Breaks off where something fails inside a section or there
    /// is too much inside: then the search goes step by step, and meets in its turn what fails.
    fn collect(&mut self, context: Context<'_>, state: &[u64], id: u32) -> Result<Visit, Halt> {
        let (mut inside, before) = (0, self.inside.len());
        let Worker { found, memo, checker, .. } = self;
        let met = &mut self.inside;
        let collected = found.collect_visible(context.machine, memo, state, |Inside { state, command, length }| {
            inside += 1;
            for (property, last) in checker.violations(context.machine, context.open, Some(command), &state.0)? {
                let steps = length + usize::from(last.is_some());
                met.push((steps, Met { property, from: id, inside: state.clone(), last }));
            }
            Ok(if inside < MOST_INSIDE { Visit::Continue(()) } else { Visit::Break(()) })
        });
        let goes_on = match collected {
            Err(Halt::Interrupted) => return Err(Halt::Interrupted),
            Err(Halt::Failed(_)) => Visit::Break(()),
            Ok(goes_on) => goes_on,
        };
        if goes_on.is_break() {
            self.inside.truncate(before);
        }
        Ok(goes_on)
    }

    /// The collected successors, or those by the commands of a persistent set.
    ///
    /// Commands outside of it are put off, and on a cycle they could be put off for ever. The proviso prevents it: all
    /// commands are tried unless some step of the set leads to a state that is expanded later than this chunk. By
    /// induction from the last chunk back, whatever is put off is not lost. Deadlocks are found without the proviso.
    fn some_successors(&mut self, context: Context<'_>, shards: &[Shard], state: &[u64], id: u32, place: usize) -> u32 {
        let (machine, numbering) = (context.machine, context.numbering);
        let steps = self.found.iter(machine.layout().words());
        let looking = &mut self.looking;
        let mut is_later = |next: &[u64]| {
            let owner = numbering.owner(next);
            let found = shards[owner].store.find(&mut looking[owner], next);
            found.is_none_or(|number| number >= context.expanded[owner])
        };
        let goes_on = |chosen: &[CommandId]| {
            !context.needs_proviso || steps.clone().any(|(way, next)| chosen.contains(&way.command) && is_later(next))
        };
        let enabled = self.found.enabled();
        let tool = self.persistent.as_mut().filter(|_| !self.found.is_held);
        let chosen = tool.and_then(|tool| tool.choose(machine, state, enabled, goes_on));
        let mut count = 0;
        for (way, next) in steps.clone().filter(|(way, _)| chosen.is_none_or(|some| some.contains(&way.command))) {
            count += 1;
            if way.length > 1 {
                self.later.push((way, id));
                self.later_states.extend_from_slice(next);
                continue;
            }
            let item = Item { key: key(place, count), parent: id, command: way.command };
            post(&mut self.parcels, numbering, state, next, item);
        }
        // A section that goes round for ever has no end, but it moves.
        count.max(u32::from(!self.found.is_empty()))
    }

    /// Checks the invariants over steps on the steps from a state.
    fn check_steps(&mut self, context: Context<'_>, state: &[u64], id: u32, place: usize) -> Result<(), Halt> {
        let machine = context.machine;
        let (mut count, mut failed) = (0, None);
        let events = &mut self.events;
        machine.successors(state, &mut self.workspace, |mut successor| {
            count += 1;
            let mut violated = Vec::new();
            if let Err(failure) = check_step(context.open, &mut successor, |property| violated.push(property)) {
                failed = Some(failure);
                return Visit::Break(());
            }
            for property in violated {
                let witness = Box::new((moved(machine, &successor), State(successor.state.into())));
                events.push((key(place, count), Event::Step(property, id, witness)));
            }
            Visit::Continue(())
        })?;
        failed.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// Stores what came for the own shard, and checks what is new.
    pub fn unpack(&mut self, context: Context<'_>, own: usize, shard: &mut Shard, parcels: &[Parcel]) {
        self.fresh.clear();
        for parcel in parcels {
            let mut states = parcel.items.iter().zip(parcel.words.chunks_exact(context.machine.layout().words()));
            let mut writing = std::mem::take(&mut self.writing);
            shard.store.insert_all(&mut writing, &parcel.words, |inserted| {
                if let (Some((item, state)), Inserted::New(number)) = (states.next(), inserted) {
                    shard.parents.push(item.parent);
                    self.fresh.push((item.key, number));
                    let id = context.numbering.join(own, number);
                    // Where processes have changed places, any part of a property may be concerned.
                    let command = Some(item.command).filter(|_| context.symmetry.is_trivial());
                    self.check(context, item.key, command, id, state);
                }
            });
            self.writing = writing;
        }
    }

    /// Checks the invariants over states.
    pub fn check(&mut self, context: Context<'_>, key: Key, command: Option<CommandId>, id: u32, state: &[u64]) {
        let events = &mut self.events;
        let checked = self.checker.check_state(context.machine, context.open, command, state, |property| {
            events.push((key, Event::State(property, id)));
        });
        if let Err(failure) = checked {
            self.events.push((key, Event::Halt(failure.into(), id)));
        }
    }
}

/// Puts a successor into the parcel of its owner, unless it is the state itself.
#[inline]
fn post(parcels: &mut [Parcel], numbering: Numbering, state: &[u64], next: &[u64], item: Item) {
    if !are_equal(next, state) {
        let parcel = &mut parcels[numbering.owner(next)];
        parcel.items.push(item);
        parcel.words.extend_from_slice(next);
    }
}
