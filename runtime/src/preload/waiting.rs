//! Loops in which a lane waits for others, by looking again and again.
//!
//! A turn of a loop is *idle* if the lane is in the same state after it as before, and everything else is too, as far as the lane
//! is concerned. A run stays a run if an idle turn is taken out of it, and all others are in the states that they were in. So
//! nothing is lost if a lane goes no further after its first idle turn: whatever it does later, it also does in a run in which
//! it comes to the loop later, and the reversal of races leads there, as what others write races with what the lane has read.
//! Without that, each number of idle turns is an interleaving of its own, and there is no end of them \[KRV21\].
//!
//! # Differs from the paper
//!
//! Loops are found in the text of the program there. Here they are recognised as they run:
//!
//!  * The state of a lane is its stack, its thread-local memory and the registers that a function has to preserve. It is compared
//!    where the lane is about to make an operation, by a number of 64 bits that stands for it.
//!  * In between the lane has only looked ([`is_idle`]), written to its own stack, which is as it was, and taken and given
//!    back locks. No other lane has noticed: none has touched such bytes between the first and the last writing of them,
//!    nor tried to take such a lock meanwhile.
//!
//! All of that is the same in all runs that differ in the order of independent operations only, as what it depends on is what the lane
//! has done itself, and events that depend on those. There is one exception: other lanes can write to the stack of this one, without its
//! reading that. Where it happens the answer is not exact (`UNCLEAR`). It is not exact either where a program calls functions that
//! keep something in memory unseen, or look there; `SIGHT` says whether it can. What our own functions keep is counted ([`note_change`]).
//!
//! Runs by chance have no use for lanes that stop for good: there a lane waits until others touch what it has looked at.

use super::attach::is_running;
use super::finish::finish;
use super::hooks;
use super::shared::{Here, at, current, get, pending, set};
use super::sys;
use operations::region::{self, Ending, Sight, input, lane, output};
use operations::{Class, Event, Flags, Key, Kind, Lane, MAX_LANES, Op, depends, is_enabled, is_idle};

/// As many operations of each lane are remembered.
const REMEMBERED: usize = 64;
/// The largest stack that is looked at, in bytes: a deep recursion is no loop that waits.
const LARGEST: u64 = 1 << 15;
/// A turn takes and gives back at most as many locks.
const MOST_LOCKS: usize = 4;

/// The state of a lane before an operation, and how many steps the run had then.
#[derive(Clone, Copy)]
struct Visit {
    state: u64,
    steps: u64,
}

/// How often each lane has changed something that neither an operation nor its state shows.
static mut CHANGES: [u64; MAX_LANES] = [0; MAX_LANES];

/// The lane that runs changes something that neither its operations nor its state show: it is not as it was.
pub unsafe fn note_change() {
    if is_running() {
        CHANGES[current().index()] += 1;
    }
}

/// The last visits of each lane, in a ring, and how many there were.
static mut VISITS: [[Visit; REMEMBERED]; MAX_LANES] = [[Visit { state: 0, steps: 0 }; REMEMBERED]; MAX_LANES];
static mut COUNTS: [usize; MAX_LANES] = [0; MAX_LANES];

unsafe extern "C" {
    /// Where the stack of the main thread ends.
    static __libc_stack_end: u64;
}

/// The stack of the thread that runs, from the frame that called us on; with thread-local memory, which is above it, where the
/// thread is not the main one. None if it is elsewhere or too large.
fn stack() -> Option<(u64, u64)> {
    let from = hooks::registers()[0];
    // SAFETY: the dynamic loader has set it before anything else.
    let ends = [sys::thread_pointer(), unsafe { __libc_stack_end }];
    let is_near = |end: &u64| from < *end && *end - from <= LARGEST;
    ends.into_iter().filter(is_near).min().filter(|_| from != 0).map(|end| (from, end))
}

/// How many words the stack of the thread that runs has from an address on.
pub fn words_above(from: u64) -> usize {
    // SAFETY: as above.
    let ends = [sys::thread_pointer(), unsafe { __libc_stack_end }];
    ends.into_iter().filter(|end| from < *end).min().map_or(0, |end| ((end - from) / 8) as usize)
}

/// Whether bytes are in the stack of the thread that runs.
pub fn is_own(address: *const u8, size: usize) -> bool {
    stack().is_some_and(|(from, to)| from <= address as u64 && address as u64 + size as u64 <= to)
}

/// A number that stands for the state of the lane that runs, and for what it is about to do. Each word changes it one to one, so
/// that states that differ in one word are never taken for the same.
unsafe fn state(me: Lane, op: &Op, operand: u64, (from, to): (u64, u64)) -> u64 {
    let mut sums = [0; 4];
    let words = (to - from) / 8;
    for index in 0..words {
        let sum = &mut sums[(index % 4) as usize];
        *sum = mix(*sum, *core::ptr::with_exposed_provenance::<u64>((from + index * 8) as usize));
    }
    let rest = op.to_words().into_iter().chain(hooks::registers()).chain([operand, CHANGES[me.index()]]);
    sums.into_iter().chain(rest).fold(0, mix)
}

fn mix(sum: u64, word: u64) -> u64 {
    let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// Whether an operation and its operand say all that the lane is about to do: the value of a plain write is not known.
fn is_known(op: &Op) -> bool {
    use Kind::{AtomicLoad, AtomicUpdate, MutexLock, MutexTry, Read, ReadTry, SemaphoreTry, WriteTry, Yield};
    matches!(
        op.kind,
        AtomicLoad | AtomicUpdate | MutexLock | MutexTry | Read | ReadTry | SemaphoreTry | WriteTry | Yield
    )
}

/// A lane has come to an operation: it waits if it has been here in the same state, and the turn since then was idle. What the
/// operation writes is its operand.
pub unsafe fn arrive(me: Lane, op: &Op, operand: u64) {
    let stack = stack();
    let Some(stack) = stack.filter(|_| is_known(op)) else { return };
    let state = state(me, op, operand, stack);
    let (visits, count) = (&raw mut VISITS[me.index()], &raw mut COUNTS[me.index()]);
    let remembered = (*count).min(REMEMBERED);
    let latest = (1..=remembered).map(|back| (*visits)[(*count - back) % REMEMBERED]);
    let same = { latest }.find(|visit| visit.state == state);
    let steps = get(output::STEPS);
    (*visits)[*count % REMEMBERED] = Visit { state, steps };
    *count += 1;
    let is_idle = |visit: &Visit| is_idle_turn(me, visit.steps as usize) && is_telling(me, visit.steps as usize);
    if let Some(visit) = same.filter(is_idle) {
        set(at(me, lane::LOOP), visit.steps + 1);
        set(at(me, lane::LOOP_END), steps);
        set(at(me, lane::STACK), stack.0);
        set(at(me, lane::STACK_END), stack.1);
        match waits_for_good() {
            true if !is_exact(me) => set(output::UNCLEAR, 1),
            true => {}
            // Others were faster than this turn.
            false if is_over(me) => go_on(me),
            false => {}
        }
    }
}

fn waits_for_good() -> bool {
    get(input::FOR_GOOD) != 0
}

/// Whether everything is seen that a lane does to memory. Processes that took the place of others are other programs.
fn is_exact(of: Lane) -> bool {
    get(input::SIGHT) == Sight::Full as u64 && get(at(of, lane::PROCESS)) < MAX_LANES as u64
}

/// Whether an idle turn says that a lane waits, where accesses are hidden. It does if the lane has failed to get something. If it
/// has only given way, or taken and given back a lock, it may wait for what others write unseen, or do its work there: it has to go
/// on. So it has in runs by chance, as an answer does not depend on these.
fn is_telling(me: Lane, from: usize) -> bool {
    let own = || events(from, get(output::STEPS) as usize).filter(|(_, event)| event.lane == me);
    let looks = |(_, event): (usize, Event)| is_idle(&event) && !matches!(event.op.kind, Kind::Yield | Kind::Pause);
    let locks = |(_, event): (usize, Event)| event.op.class() == Class::Mutex && !is_idle(&event);
    get(input::SIGHT) != Sight::Hidden as u64 || waits_for_good() && own().any(looks) && !own().any(locks)
}

/// The event of a step.
fn event(step: usize) -> Option<Event> {
    let entry = region::LOG + step * region::ENTRY_WORDS;
    let op = Op::from_words(core::array::from_fn(|index| get(entry + index)))?;
    Some(Event { lane: Lane::of(get(entry + 6))?, op, result: get(entry + 4) as i64 })
}

fn events(from: usize, to: usize) -> impl DoubleEndedIterator<Item = (usize, Event)> {
    (from..to).filter_map(|step| event(step).map(|event| (step, event)))
}

/// Whether what a lane has done since a step can be left out.
fn is_idle_turn(me: Lane, from: usize) -> bool {
    let to = get(output::STEPS) as usize;
    let mut locks = Locks::default();
    let is_left_out = |(step, event): (usize, Event)| {
        if event.lane != me {
            return !locks.are_noticed_by(&event) && !is_amid_writing(me, &event, (from, step, to));
        }
        is_idle(&event) || writes_own(&event) || locks.follow(&event)
    };
    from < to && events(from, to).all(is_left_out) && locks.are_back()
}

fn writes_own(event: &Event) -> bool {
    matches!(event.op.kind, Kind::Write | Kind::AtomicStore | Kind::AtomicUpdate) && event.op.flags.has(Flags::OWN)
}

/// Whether an event touches bytes that a lane has written before in this turn, and writes once more after it.
fn is_amid_writing(me: Lane, other: &Event, (from, step, to): (usize, usize, usize)) -> bool {
    let writes = |(_, event): (usize, Event)| event.lane == me && writes_own(&event) && depends(&event, other);
    other.op.kind.is_access() && events(from, step).any(writes) && events(step, to).any(writes)
}

/// The locks that a lane takes and gives back in a turn, with how deep it holds each.
#[derive(Default)]
struct Locks {
    held: [(Key, u32); MOST_LOCKS],
}

impl Locks {
    /// Takes note of an event of the lane; whether it is one of a lock that it did not hold before.
    fn follow(&mut self, event: &Event) -> bool {
        let (key, is_fine) = (event.op.key, event.result == 0);
        let place = self.held.iter().position(|(held, depth)| *depth > 0 && *held == key);
        match (event.op.kind, place) {
            (Kind::MutexUnlock, Some(index)) if is_fine => self.held[index].1 -= 1,
            (Kind::MutexLock | Kind::MutexTry, Some(index)) if is_fine => self.held[index].1 += 1,
            (Kind::MutexLock | Kind::MutexTry, None) if is_fine => {
                let Some(free) = self.held.iter_mut().find(|(_, depth)| *depth == 0) else { return false };
                *free = (key, 1);
            }
            _ => return false,
        }
        true
    }

    /// Whether an event of another lane is one of a lock that is held.
    fn are_noticed_by(&self, other: &Event) -> bool {
        let is_of = |key: Key| other.op.class() == Class::Mutex && other.op.key == key || other.op.mutex() == key;
        self.held.iter().any(|(key, depth)| *depth > 0 && is_of(*key))
    }

    /// Whether the lane has given back what it took.
    fn are_back(&self) -> bool {
        self.held.iter().all(|(_, depth)| *depth == 0)
    }
}

/// Whether a lane waits in a loop.
pub fn is_waiting(of: Lane) -> bool {
    get(at(of, lane::LOOP)) != 0
}

fn go_on(of: Lane) {
    set(at(of, lane::LOOP), 0);
}

fn waiting_lanes() -> impl Iterator<Item = Lane> {
    (0..get(input::KNOWN) as u16).map(Lane).filter(|of| is_waiting(*of))
}

/// What a lane has looked at in the last turn of its loop.
fn looks(of: Lane) -> impl Iterator<Item = Event> {
    let (from, to) = (get(at(of, lane::LOOP)) as usize - 1, get(at(of, lane::LOOP_END)) as usize);
    events(from, to).map(|(_, event)| event).filter(move |event| event.lane == of && is_idle(event))
}

/// After an event, lanes go on that have looked at what it changes, unless they wait for good.
pub fn wake(event: &Event) {
    if waits_for_good() {
        return;
    }
    waiting_lanes().filter(|of| *of != event.lane && looks(*of).any(|look| depends(&look, event))).for_each(go_on);
}

/// Whether a lane waits, and could go on; it does then, as that is prescribed.
pub fn goes_on_as_prescribed(of: Lane) -> bool {
    let may = is_waiting(of) && is_enabled(&Here, of, &pending(of));
    if may {
        go_on(of);
    }
    may
}

/// Whether what a lane waits for has come: another one has changed what it looked at, after it did.
fn is_over(of: Lane) -> bool {
    let (from, to) = (get(at(of, lane::LOOP)) as usize - 1, get(output::STEPS) as usize);
    let is_change =
        |look: &Event, step: usize| events(step + 1, to).any(|(_, event)| event.lane != of && depends(look, &event));
    let end = get(at(of, lane::LOOP_END)) as usize;
    events(from, end).any(|(step, event)| event.lane == of && is_idle(&event) && is_change(&event, step))
}

/// Whether another lane has written to the stack of a lane that waits.
fn is_disturbed(of: Lane) -> bool {
    let (from, to) = (get(at(of, lane::STACK)), get(at(of, lane::STACK_END)));
    let process = get(at(of, lane::PROCESS));
    let is_there = |event: &Event| {
        let (start, end) = (event.op.key.address, event.op.key.address.saturating_add(event.op.extra));
        u64::from(event.op.key.process) == process && start < to && from < end
    };
    events(0, get(output::STEPS) as usize)
        .any(|(_, event)| event.lane != of && event.op.kind.is_access() && !is_idle(&event) && is_there(&event))
}

/// What comes of lanes that wait in loops if no other one can move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// There is none, or the process may exit although they wait.
    Over,
    /// They go on: it is not known whether they would wait for ever.
    Again,
}

/// Looks at the lanes that wait where no other lane can move, but perhaps one that exits. Ends the run if what they wait for has come,
/// or never will.
pub fn settle(exiting: Option<Lane>) -> Outcome {
    if waiting_lanes().next().is_none() {
        return Outcome::Over;
    }
    if waits_for_good() && waiting_lanes().any(is_disturbed) {
        set(output::UNCLEAR, 1);
    }
    if waits_for_good() && waiting_lanes().any(is_over) {
        finish(Ending::Idle, 0);
    }
    if exiting.is_some() {
        return Outcome::Over;
    }
    if waiting_lanes().all(is_exact) {
        finish(Ending::Livelock, 0);
    }
    if waits_for_good() {
        finish(Ending::Idle, 0);
    }
    waiting_lanes().for_each(go_on);
    Outcome::Again
}
