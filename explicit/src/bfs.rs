//! Breadth-first search: shortest counterexamples, and the whole state space where it is small enough.
//!
//! Level by level, in chunks, on several threads; see [`super::worker`]. How many threads there are does not show in
//! what is found: states, depths and traces are those of a single thread.
//!
//! An atomic section is one step: what is inside it is looked at and not stored; see [`super::later`].

use super::check::OpenProperties;
use super::later::Later;
use super::options::{Limits, Options, Symmetries};
use super::result::{End, deadlocked, with_fault};
use super::rows::Inserted;
use super::trace::{along, moved, through};
use super::verdict::conclude;
use super::worker::{Context, Event, Key, Met, Numbering, Parcel, Shard, Worker};
use engine::{Cost, Findings, Stop};
use limits::{Handle, Progress};
use system::{Dependency, Failure, Halt, Machine, Moved, PropertyId, Sorting, State, Symmetry, Trace, Visit};

/// The most states that are expanded at a time, and how many at first.
const CHUNK: usize = 1 << 13;
const FIRST_CHUNK: usize = 1 << 6;

/// After more transitions than this, fewer states are expanded before the next look at the limits.
const LONG: u64 = 1 << 15;

/// Of a chunk, about this many words are expanded before successors are stored, while those are still in a cache.
const PARCELS: usize = 1 << 15;

/// Fewer states than this are not worth a second thread.
const FEW: usize = 256;

/// Searches breadth-first.
pub fn search(machine: &Machine, properties: &[PropertyId], options: &Options, handle: &mut Handle<'_>) -> Findings {
    let open = OpenProperties::new(machine, properties);
    let watched = open.watched(machine).filter(|_| options.reduction.is_persistent());
    let dependency = watched.map(|watched| options.reduction.dependency(machine.system(), watched));
    let symmetries = if dependency.is_none() { options.symmetries } else { Symmetries::Ignored };
    let symmetry = symmetries.of(machine.system(), properties);
    let mut search = BreadthFirst::new(machine, open, *options, dependency.as_ref(), symmetry);
    let mut chunk = FIRST_CHUNK;
    let found = loop {
        let before = search.result.cost.transitions;
        let outcome = search.step(chunk);
        chunk = match search.result.cost.transitions - before > LONG {
            true => (chunk / 2).max(1),
            false => (chunk * 2).min(CHUNK),
        };
        match outcome {
            Ok(None) if search.open.is_decided() => {}
            Ok(None) if handle.see(search.progress()).is_break() => break search.finish(Stop::Interrupted),
            Ok(None) => {}
            Ok(Some(Stop::Interrupted)) => {
                let _ = handle.see(search.progress());
                break search.finish(Stop::Interrupted);
            }
            Ok(Some(stop)) => break search.finish(stop),
            Err(fault) => break with_fault(search.finish(Stop::Decided), *fault),
        }
    };
    conclude(found, (machine, properties), options, handle)
}

/// A breadth-first search, which can be left alone for a while between two steps.
pub struct BreadthFirst<'a> {
    machine: &'a Machine,
    options: Options,
    numbering: Numbering,
    workers: Vec<Worker<'a>>,
    shards: Vec<Shard>,
    /// For each shard, how many of its states have been expanded, or are being.
    expanded: Vec<u32>,
    open: OpenProperties,
    needs_proviso: bool,
    /// The processes that can change places; one state stands for all that differ by that.
    symmetry: Symmetry,
    /// The most new states from one chunk, and the most new nodes of the trees that they are folded into.
    most_fresh: usize,
    most_nodes: usize,
    /// Whether there are initial states.
    has_begun: bool,
    /// The states of the depth at hand, how many of them have been expanded, and those of the next depth.
    level: Vec<u32>,
    at: usize,
    next: Vec<u32>,
    /// What sections lead to.
    later: Later,
    result: Findings,
}

impl<'a> BreadthFirst<'a> {
    /// A search that leaves out no interleaving, not begun yet.
    pub fn plain(
        machine: &'a Machine,
        properties: &[PropertyId],
        limits: Limits,
        symmetries: Symmetries,
    ) -> BreadthFirst<'a> {
        let symmetry = symmetries.of(machine.system(), properties);
        let options = Options { limits, ..Options::default() };
        BreadthFirst::new(machine, OpenProperties::new(machine, properties), options, None, symmetry)
    }

    fn new(
        machine: &'a Machine,
        open: OpenProperties,
        options: Options,
        dependency: Option<&'a Dependency>,
        symmetry: Symmetry,
    ) -> Self {
        let numbering = Numbering { shards: options.jobs.get() };
        let shards: Vec<Shard> = (0..numbering.shards).map(|_| Shard::new(machine)).collect();
        let classes = symmetry.sizes();
        BreadthFirst {
            machine,
            options,
            numbering,
            workers: (0..numbering.shards).map(|own| Worker::new(machine, &shards, own, dependency)).collect(),
            shards,
            expanded: vec![0; numbering.shards],
            open,
            needs_proviso: dependency.is_some_and(Dependency::must_not_ignore),
            symmetry,
            most_fresh: CHUNK,
            most_nodes: CHUNK,
            has_begun: false,
            level: Vec::new(),
            at: 0,
            next: Vec::new(),
            later: Later::default(),
            result: Findings {
                cost: Cost { interchangeable: classes, ..Cost::default() },
                ..Findings::new("explicit")
            },
        }
    }

    /// Expands up to this many states; says why if that was the end. Where the model has no meaning, a run leads there.
    pub fn step(&mut self, most: usize) -> Result<Option<Stop>, Box<(Failure, Trace)>> {
        match self.try_step(most) {
            Ok(stop) => Ok(stop),
            Err(End::Interrupted) => Ok(Some(Stop::Interrupted)),
            Err(End::Fault(fault)) => Err(fault),
        }
    }

    fn try_step(&mut self, most: usize) -> Result<Option<Stop>, End> {
        if !self.has_begun {
            let stop = self.start()?;
            self.has_begun = stop.is_none();
            return Ok(stop);
        }
        let level = std::mem::take(&mut self.level);
        let outcome = self.expand_some(&level, most);
        self.level = level;
        if let Ok(None) = outcome
            && (self.at == self.level.len() || self.open.is_decided())
        {
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.clear();
            self.at = 0;
            self.result.cost.depth += 1;
            self.come_to_later()?;
        }
        outcome
    }

    /// Takes up what was put off until the depth at hand.
    fn come_to_later(&mut self) -> Result<(), End> {
        let due = self.later.at(self.result.cost.depth);
        let mut level = std::mem::take(&mut self.level);
        // What sections pass through may be changed by any of their commands, so that all of the properties matter.
        due.each_state(|state, parent| self.add(state, Some(parent), &mut level));
        self.level = level;
        for Met { property, from, inside, last } in due.violations {
            self.violated(property, |search| and_then(search.trace_into(from, Some(inside)), last));
        }
        self.conclude()
    }

    fn expand_some(&mut self, level: &[u32], most: usize) -> Result<Option<Stop>, End> {
        if self.at == 0
            && let Some(stop) = self.is_over(level)
        {
            self.find_ends(level)?;
            return Ok(Some(stop));
        }
        if self.bytes(level.len()) > self.options.limits.counted() {
            return Ok(Some(Stop::Memory));
        }
        let end = level.len().min(self.at + most);
        let mut next = std::mem::take(&mut self.next);
        let expanded = self.expand(&level[self.at..end], &mut next);
        self.next = next;
        self.at = end;
        expanded.map(|()| None)
    }

    /// Stops looking at a property.
    pub fn forget(&mut self, property: PropertyId) {
        self.open.close(property);
    }

    /// What was found so far.
    pub fn found(&self) -> &Findings {
        &self.result
    }

    /// The number of steps within which everything was looked at, if any: whether a state at the depth at hand can move is
    /// known only when all of them are expanded.
    pub fn settled(&self) -> Option<usize> {
        let depth = self.result.cost.depth;
        if self.has_begun && self.open.deadlock.is_empty() { Some(depth) } else { depth.checked_sub(1) }
    }

    fn finish(self, stop: Stop) -> Findings {
        let (bytes, settled) = (self.bytes(self.level.capacity()), self.settled());
        let cost = Cost { states: Some(self.states()), bytes, ..self.result.cost };
        Findings { stop, settled, cost, ..self.result }
    }

    /// Stores the initial states. Where there are very many, it is looked at the limits and at what was found on the way.
    fn start(&mut self) -> Result<Option<Stop>, End> {
        let (machine, mut level, mut sorting) = (self.machine, Vec::new(), Sorting::default());
        let (mut found, mut outcome) = (0usize, Ok(None));
        let looked = machine.initial_states(&mut machine.workspace(), |mut state| {
            self.symmetry.sort(machine.layout(), &mut state.0, &mut sorting);
            self.add(&state.0, None, &mut level);
            found += 1;
            if found.is_multiple_of(CHUNK) {
                outcome = self.look_around(level.capacity());
            }
            if matches!(outcome, Ok(None)) { Visit::Continue(()) } else { Visit::Break(()) }
        });
        self.level = level;
        looked.map_err(|halt| End::of(halt, Trace::default))?;
        if let Some(stop) = outcome? {
            return Ok(Some(stop));
        }
        self.result.has_initial_state = found > 0;
        self.conclude()?;
        Ok(None)
    }

    /// Whether there is a reason to look for no more initial states, of which this many are listed.
    fn look_around(&mut self, listed: usize) -> Result<Option<Stop>, End> {
        self.conclude()?;
        if self.open.is_decided() {
            return Ok(Some(Stop::Decided));
        }
        let has_room = self.bytes(listed) <= self.options.limits.counted();
        Ok((!has_room).then_some(Stop::Memory))
    }

    /// Stores an initial state, or one that a section led to from another.
    fn add(&mut self, state: &[u64], parent: Option<u32>, level: &mut Vec<u32>) {
        let (machine, needs_proviso) = (self.machine, self.needs_proviso);
        let (numbering, expanded) = (self.numbering, self.expanded.as_slice());
        let context =
            Context { machine, open: &self.open, numbering, expanded, needs_proviso, symmetry: &self.symmetry };
        let owner = numbering.owner(state);
        let shard = &mut self.shards[owner];
        if let Inserted::New(number) = shard.store.insert(&mut self.workers[owner].writing, state) {
            let id = numbering.join(owner, number);
            shard.parents.push(parent.unwrap_or(id));
            self.workers[0].check(context, level.len() as Key, None, id, state);
            level.push(id);
        }
    }

    fn is_over(&self, level: &[u32]) -> Option<Stop> {
        if self.open.is_decided() {
            Some(Stop::Decided)
        } else if level.is_empty() && self.later.is_empty() {
            Some(Stop::Complete)
        } else if self.result.cost.depth >= self.options.limits.depth {
            Some(Stop::Bound)
        } else {
            None
        }
    }

    /// Looks for deadlocks among states that are not expanded because they are at the greatest allowed depth. What goes
    /// wrong in a step from there is beyond it.
    fn find_ends(&mut self, level: &[u32]) -> Result<(), End> {
        if self.open.deadlock.is_empty() {
            return Ok(());
        }
        let mut workspace = self.machine.workspace();
        for (place, id) in level.iter().enumerate() {
            let (shard, number) = self.numbering.split(*id);
            let state = self.shards[shard].store.get(number);
            match self.machine.can_move(&state.0, &mut workspace) {
                Ok(false) if !self.machine.is_valid_end(&state) => {
                    self.workers[0].events.push((place as Key, Event::Deadlock(*id)));
                }
                // Whether it can move is unknown.
                Err(Halt::Interrupted) => return Err(End::Interrupted),
                _ => {}
            }
        }
        self.conclude()
    }

    /// How many states there are so far.
    pub fn states(&self) -> usize {
        self.shards.iter().map(|shard| shard.store.len()).sum()
    }

    /// How much has been computed to find successors; see [`Workspace::executed`](system::Workspace::executed).
    pub fn executed(&self) -> u64 {
        self.workers.iter().map(Worker::executed).sum()
    }

    fn nodes(&self) -> usize {
        self.shards.iter().map(|shard| shard.store.nodes()).sum()
    }

    fn progress(&self) -> Progress {
        Progress::States { states: self.states(), depth: self.result.cost.depth }
    }

    /// How much memory the search takes while it expands the next chunk, with this many states at the depth at hand.
    fn bytes(&self, listed: usize) -> usize {
        let [each, nodes] = [self.most_fresh, self.most_nodes].map(|most| most / self.numbering.shards + 1);
        let stored = self.shards.iter().map(|shard| {
            let numbers_run_out = shard.store.len() + each > u32::MAX as usize / self.numbering.shards - 1
                || shard.store.nodes() + nodes >= u32::MAX as usize;
            let parents = (shard.parents.len() + each) * size_of::<u32>();
            if numbers_run_out { usize::MAX / 4 } else { shard.store.bytes_with(each, nodes) + parents }
        });
        let workers = self.workers.iter().map(Worker::bytes);
        let listed = (listed + self.next.capacity()) * size_of::<u32>();
        stored.chain(workers).fold(listed + self.later.bytes(), usize::saturating_add)
    }

    /// Expands a chunk of a level: successors go to their owners, and new ones to the next level.
    fn expand(&mut self, chunk: &[u32], next: &mut Vec<u32>) -> Result<(), End> {
        for id in chunk {
            let (shard, number) = self.numbering.split(*id);
            self.expanded[shard] = number + 1;
        }
        let nodes_before = self.nodes();
        let size = (PARCELS / self.machine.layout().words()).clamp(FEW, CHUNK) * self.workers.len();
        let fresh_before = next.len();
        for (index, part) in chunk.chunks(size).enumerate() {
            self.expand_part(part, index * size);
            self.merge(next);
            self.put_off();
        }
        // A tree that is laid out anew can have fewer nodes than before.
        self.most_nodes = self.most_nodes.max(self.nodes().saturating_sub(nodes_before));
        self.most_fresh = self.most_fresh.max(next.len() - fresh_before);
        self.conclude()
    }

    /// Expands some states of a chunk, the first of which has a given place there.
    fn expand_part(&mut self, part: &[u32], first: usize) {
        let (machine, needs_proviso) = (self.machine, self.needs_proviso);
        let (numbering, expanded) = (self.numbering, self.expanded.as_slice());
        let context =
            Context { machine, open: &self.open, numbering, expanded, needs_proviso, symmetry: &self.symmetry };
        let alone = part.len() < FEW || self.workers.len() == 1;
        let share = if alone { part.len() } else { part.len().div_ceil(self.workers.len()) };
        let shards = &self.shards;
        let parts = part.chunks(share).chain(std::iter::repeat(&[][..]));
        let work = self.workers.iter_mut().zip(parts).enumerate();
        together(alone, work, |(index, (worker, part))| worker.expand(context, shards, part, first + index * share));
        let mut parcels = exchange(&mut self.workers);
        let work = self.workers.iter_mut().zip(&mut self.shards).zip(&parcels).enumerate();
        together(alone, work, |(own, ((worker, shard), parcels))| worker.unpack(context, own, shard, parcels));
        for (own, parcels) in parcels.iter_mut().enumerate() {
            for (worker, parcel) in self.workers.iter_mut().zip(parcels.drain(..)) {
                worker.parcels[own] = parcel;
            }
        }
    }

    /// Appends the new states of all shards to the next level, in the order in which they were found.
    fn merge(&mut self, next: &mut Vec<u32>) {
        let mut heads = vec![0; self.workers.len()];
        while let Some((_, own, number)) = self.first_fresh(&heads) {
            heads[own] += 1;
            next.push(self.numbering.join(own, number));
        }
    }

    /// Of the new states of the shards, from a place in each on, the one that was found first.
    fn first_fresh(&self, heads: &[usize]) -> Option<(Key, usize, u32)> {
        let workers = self.workers.iter().zip(heads).enumerate();
        let fresh = workers
            .filter_map(|(own, (worker, head))| worker.fresh.get(*head).map(|(key, number)| (*key, own, *number)));
        fresh.min()
    }

    /// Puts off what sections lead to, in the order in which it was found.
    fn put_off(&mut self) {
        let (depth, width) = (self.result.cost.depth, self.machine.layout().words());
        for worker in &mut self.workers {
            for (steps, met) in worker.inside.drain(..) {
                self.later.violated(depth + steps, met);
            }
            for ((way, parent), state) in worker.later.drain(..).zip(worker.later_states.chunks_exact(width)) {
                self.later.reached(depth + way.length as usize, state, parent);
            }
            worker.later_states.clear();
        }
    }

    /// Draws the conclusions from what the workers met, in the order in which it was found.
    fn conclude(&mut self) -> Result<(), End> {
        let mut events = Vec::new();
        for worker in &mut self.workers {
            events.append(&mut worker.events);
            self.result.cost.transitions += std::mem::take(&mut worker.transitions);
        }
        events.sort_by_key(|(key, _)| *key);
        for (_, event) in events {
            if self.open.is_decided() {
                break;
            }
            match event {
                Event::State(property, id) => self.violated(property, |search| search.trace_to(id)),
                Event::Step(property, from, last) => {
                    self.violated(property, |search| {
                        let trace = search.trace_to(from);
                        let last = search.same_step(property, &trace).unwrap_or(*last);
                        and_then(trace, Some(last))
                    });
                }
                Event::Deadlock(id) => {
                    let (shard, number) = self.numbering.split(id);
                    let state = self.shards[shard].store.get(number);
                    let depth = self.result.cost.depth;
                    deadlocked(&mut self.result, self.machine, depth, &state.0);
                    for property in self.open.deadlock.clone() {
                        self.violated(property, |search| search.trace_to(id));
                    }
                }
                Event::Halt(Halt::Interrupted, _) => return Err(End::Interrupted),
                Event::Halt(Halt::Failed(failure), id) => return Err(self.finding(failure, id)),
            }
        }
        Ok(())
    }

    fn violated(&mut self, property: PropertyId, trace: impl FnOnce(&Self) -> Trace) {
        if self.open.close(property) {
            let trace = trace(self);
            self.result.violated(property, trace);
        }
    }

    /// The run that first led to a state.
    fn trace_to(&self, id: u32) -> Trace {
        self.trace_into(id, None)
    }

    /// The run that first led to a state, and on into a section.
    fn trace_into(&self, id: u32, inside: Option<State>) -> Trace {
        let mut path = vec![id];
        loop {
            let at = path[path.len() - 1];
            let (shard, number) = self.numbering.split(at);
            let parent = self.shards[shard].parents[number as usize];
            if parent == at {
                break;
            }
            path.push(parent);
        }
        let states = path.into_iter().rev().map(|at| {
            let (shard, number) = self.numbering.split(at);
            self.shards[shard].store.get(number)
        });
        let states = states.chain(inside);
        match self.symmetry.is_trivial() {
            true => through(self.machine, states),
            false => along(self.machine, &self.symmetry, states),
        }
    }

    /// The step from the end of a run that violates an invariant over steps, where the run leads to a state that another one
    /// stands for.
    fn same_step(&self, property: PropertyId, trace: &Trace) -> Option<(Moved, State)> {
        let from = trace.states.last().filter(|_| !self.symmetry.is_trivial())?;
        let (machine, mut found) = (self.machine.anew(), None);
        let _ = machine.successors(&from.0, &mut machine.workspace(), |mut successor| {
            if successor.step_holds(property) != Ok(false) {
                return Visit::Continue(());
            }
            found = Some((moved(&machine, &successor), State(successor.state.into())));
            Visit::Break(())
        });
        found
    }

    /// What fails where a run ends, which is in another process where the run leads to a state that another one stands for.
    fn finding(&self, failure: Failure, id: u32) -> End {
        let trace = self.trace_to(id);
        let last = trace.states.last().filter(|_| !self.symmetry.is_trivial() && failure.command.is_some());
        let again = last.and_then(|last| {
            let machine = self.machine.anew();
            machine.successors(&last.0, &mut machine.workspace(), |_| Visit::Continue(())).err()
        });
        End::Fault(Box::new((again.and_then(Halt::failure).unwrap_or(failure), trace)))
    }
}

/// A run with one more step.
fn and_then(mut trace: Trace, last: Option<(Moved, State)>) -> Trace {
    if let Some((moved, state)) = last {
        trace.push(moved, state);
    }
    trace
}

/// Does pieces of work, each on a thread of its own unless there is too little to do.
fn together<Piece: Send>(alone: bool, pieces: impl Iterator<Item = Piece>, work: impl Fn(Piece) + Sync) {
    if alone {
        pieces.for_each(work);
        return;
    }
    std::thread::scope(|scope| {
        for piece in pieces {
            scope.spawn(|| work(piece));
        }
    });
}

/// Hands every parcel to the owner of its states: a list for each owner, in the order of the senders.
fn exchange(workers: &mut [Worker<'_>]) -> Vec<Vec<Parcel>> {
    let owners = 0..workers.len();
    owners.map(|own| workers.iter_mut().map(|worker| std::mem::take(&mut worker.parcels[own])).collect()).collect()
}
