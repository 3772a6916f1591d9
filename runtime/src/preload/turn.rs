//! Whose turn it is.

use super::attach::{is_running, serve};
use super::fibre::{go_on_as, host};
use super::finish::{finish, unsupported};
use super::repetition::gives_way;
use super::shared::{Here, at, current, get, pending, set, set_pending, sleep_at_branch, word};
use super::{hooks, rotation, sampling, sys, waiting};
use core::sync::atomic::Ordering;
use operations::region::{self, Ending, Policy, input, lane, output};
use operations::{Event, Flags, Key, Kind, Lane, LaneSet, MAX_LANES, Misuse, Op, Status, World};
use operations::{apply, depends, foresee, is_enabled};

/// As often all lanes may give way to each other while some are asleep.
const MOST_ROUNDS: u64 = 64;

/// A visible operation: says what comes next, lets others go on as it pleases the schedule, and executes it.
pub unsafe fn visible(op: Op) -> i64 {
    visible_with(op, 0)
}

/// The same, of an operation that writes an operand.
pub unsafe fn visible_with(op: Op, operand: u64) -> i64 {
    if !is_running() {
        serve();
    }
    hooks::check();
    let me = current();
    if get(at(me, lane::THREAD)) != sys::thread_pointer() {
        finish(Ending::Foreign, 0);
    }
    set_pending(me, &op);
    set(at(me, lane::CALLER), hooks::caller());
    waiting::arrive(me, &op, operand);
    hooks::forget_registers();
    hand_over(me);
    execute(me)
}

/// Lets the lane go on that is to go on next, and returns when this one is.
unsafe fn hand_over(me: Lane) {
    let next = choose(me);
    if next != me {
        pass_to(next, me);
        wait_for_turn(me);
    }
}

/// Lets others go on for ever.
pub unsafe fn depart(me: Lane) -> ! {
    pass_to(choose(me), me);
    wait_for_turn(me);
    finish(Ending::Mismatch, -1)
}

/// It is another lane's turn, which its host is told, unless that is ours.
unsafe fn pass_to(next: Lane, me: Lane) {
    set(output::CURRENT, next.0.into());
    if host(next) != host(me) {
        let turn = word(at(host(next), lane::TURN));
        turn.fetch_add(1, Ordering::AcqRel);
        sys::futex_wake(turn.as_ptr().cast());
    }
}

/// Waits until it is a lane's turn; meanwhile the others that this thread runs go on.
pub unsafe fn wait_for_turn(me: Lane) {
    let host_of_mine = host(me);
    loop {
        let turn = word(at(host_of_mine, lane::TURN));
        let seen = turn.load(Ordering::Acquire) as u32;
        let next = current();
        if next == me {
            return;
        }
        if host(next) == host_of_mine {
            go_on_as(next, me);
        } else {
            sys::futex_wait(turn.as_ptr().cast(), seen);
        }
    }
}

/// A point at which others may go on after a visible operation, before what follows it and is not visible. Runs by chance have such
/// points, so that hidden accesses come later than what is seen before them. The exhaustive search has none: hidden accesses are
/// mostly to the object of the operation before them, whose order it explores.
pub unsafe fn pause(object: Key) {
    if get(input::HIDDEN) != 0 && pauses() {
        visible(Op::on(Kind::Pause, object));
    }
}

/// Whether this lane pauses: as the tape has it, and else by the policy.
fn pauses() -> bool {
    let me = u64::from(current().0);
    let ahead = (get(output::STEPS)..get(input::TAPE)).map(|step| get(region::TAPE + step as usize));
    match ahead.into_iter().find(|choice| choice & 0xffff == me) {
        Some(choice) => choice == region::tape_word(current(), Some(region::PAUSE)),
        None => !matches!(policy(), Policy::Stay | Policy::LivesFirst),
    }
}

/// Executes the next operation of the lane whose turn it is, and writes it down.
pub unsafe fn execute(me: Lane) -> i64 {
    let mut op = pending(me);
    settle(me, &mut op);
    let step = get(output::STEPS) as usize;
    if get(input::STOP) == step as u64 + 1 {
        stop_for_debugger();
    }
    let mut applied = apply(&mut Here, me, &op);
    if op.kind == Kind::Toss {
        applied.result = toss(step, op.value);
    }
    if op.kind == Kind::AtomicUpdate && applied.result != 0 && !op.flags.has(Flags::COMPARES) {
        op.flags.0 &= !Flags::SETS.0;
    }
    write_down(step, me, &op, applied.result);
    write_down_word(step, &op);
    set(output::SEAL, region::seal(get(output::SEAL), |index| get(region::LOG + step * region::ENTRY_WORDS + index)));
    let event = Event { lane: me, op, result: applied.result };
    wake_dependent(step, &event);
    waiting::wake(&event);
    let yields = gives_way(me, &op);
    set(at(me, lane::YIELDS), yields.into());
    if policy() == Policy::Sampling {
        sampling::draw_again(&event, yields);
    }
    if applied.misuse == Some(Misuse::NotHeld) {
        hooks::fail(Ending::NotHeld);
    }
    applied.result
}

/// Stops the process with all its threads, so that a debugger can look at it.
unsafe fn stop_for_debugger() {
    let (process, thread) = sys::identity();
    set(output::THREAD, thread);
    set(output::PROCESS, process);
    sys::stop();
}

/// What an operation is can depend on when it happens: the lane that is created, the message
/// that is received.
unsafe fn settle(me: Lane, op: &mut Op) {
    match op.kind {
        Kind::Create => op.value = i64::from(child(me).0),
        Kind::QueueGet if !op.flags.has(Flags::CHOOSY) && !op.flags.has(Flags::ENDS) => {
            op.extra = hooks::first_kind(op.key.address);
        }
        _ => {}
    }
}

/// The lane of the next child of a lane. Who is whose how many-th child decides its number, in all runs.
fn child(parent: Lane) -> Lane {
    let which = get(at(parent, lane::CHILDREN));
    set(at(parent, lane::CHILDREN), which + 1);
    let known = get(input::KNOWN) as u16;
    let is_it = |of: &Lane| get(at(*of, lane::PARENT)) == u64::from(parent.0) && get(at(*of, lane::CHILD)) == which;
    let of = (1..known).map(Lane).find(is_it).unwrap_or_else(|| number_new(parent, which));
    set(at(of, lane::PROCESS), get(at(parent, lane::PROCESS)));
    set(at(of, lane::HOST), of.0.into());
    set_pending(of, &Op::local(Kind::Start, 0));
    set(at(of, lane::CALLER), hooks::caller());
    set(at(of, lane::PRIORITY), 1 << 32 | random() >> 33);
    of
}

fn number_new(parent: Lane, which: u64) -> Lane {
    let known = get(input::KNOWN);
    if known >= MAX_LANES as u64 {
        unsupported("more than 256 threads");
    }
    if known >= get(input::LANES) {
        unsupported("more threads than --threads allows");
    }
    let of = Lane(known as u16);
    set(input::KNOWN, known + 1);
    set(at(of, lane::PARENT), parent.0.into());
    set(at(of, lane::CHILD), which);
    of
}

fn toss(step: usize, greatest: i64) -> i64 {
    let on_tape = if (step as u64) < get(input::TAPE) { get(region::TAPE + step) >> 16 } else { 0 };
    match on_tape {
        0 if !matches!(policy(), Policy::Stay | Policy::LivesFirst) => (random() >> 16) as i64 % (greatest.max(0) + 1),
        0 => 0,
        value => (value as i64 - 1).min(greatest.max(0)),
    }
}

unsafe fn write_down(step: usize, me: Lane, op: &Op, result: i64) {
    let entry = region::LOG + step * region::ENTRY_WORDS;
    for (index, value) in op.to_words().into_iter().enumerate() {
        set(entry + index, value);
    }
    let output = if get(input::OUTPUT) == 0 { 0 } else { sys::length(1) };
    set(entry + 4, result as u64);
    set(entry + 5, get(at(me, lane::CALLER)));
    set(entry + 6, me.0.into());
    set(entry + 7, output);
    let asleep = asleep_at(step).words();
    let enabled: [u64; LaneSet::WORDS] = core::array::from_fn(|index| get(output::ENABLED + index));
    for index in 0..LaneSet::WORDS {
        set(entry + 8 + index, enabled[index]);
        set(entry + 8 + LaneSet::WORDS + index, asleep[index]);
    }
    set(output::STEPS, step as u64 + 1);
}

/// What a word holds before an atomic operation writes it: others would find that there if they were first. The operation is
/// written down by then, as the address may be none.
fn write_down_word(step: usize, op: &Op) {
    let compares = op.flags.has(Flags::COMPARES);
    if op.kind == Kind::AtomicStore || op.kind == Kind::AtomicUpdate && !compares {
        set(region::LOG + step * region::ENTRY_WORDS + 3, Here.word(op.key, op.extra));
    }
}

/// Lanes that are asleep wake up when something happens that their next operation depends on.
unsafe fn wake_dependent(step: usize, event: &Event) {
    if (step as u64) < get(input::BRANCH) {
        return;
    }
    let mut asleep = sleep_at_branch();
    for sleeper in sleep_at_branch().iter() {
        let op = pending(sleeper);
        let stays = sleeper != event.lane && is_enabled(&Here, sleeper, &op) && {
            let result = foresee(&Here, sleeper, &op);
            let sleeping = Event { lane: sleeper, op, result };
            !depends(event, &sleeping) && !has_missed(event, &sleeping)
        };
        if !stays {
            asleep.remove(sleeper);
        }
    }
    for (index, value) in asleep.words().into_iter().enumerate() {
        set(input::SLEEP + index, value);
    }
}

/// Whether a lane that would wait at a word has been told in vain that the word has changed, where such changes are not seen: then
/// the waking stands for the change.
fn has_missed(event: &Event, sleeping: &Event) -> bool {
    let is_hidden = get(input::HIDDEN) != 0 || !hooks::is_instrumented();
    let waits = sleeping.op.kind == Kind::FutexWait && sleeping.result < 0;
    waits && is_hidden && depends(event, &Event { result: 0, ..*sleeping })
}

/// The lane that goes on next. Ends the run if there is none.
unsafe fn choose(me: Lane) -> Lane {
    let step = get(output::STEPS) as usize;
    if step as u64 >= get(input::DEPTH).min(region::MAX_DEPTH as u64) {
        finish(Ending::Depth, 0);
    }
    let possible = enabled_lanes();
    let enabled: LaneSet = possible.iter().filter(|of| !waiting::is_waiting(*of)).collect();
    let shown = if get(input::FOR_GOOD) != 0 { &enabled } else { &possible };
    for (index, value) in shown.words().into_iter().enumerate() {
        set(output::ENABLED + index, value);
    }
    if (step as u64) < get(input::TAPE)
        && let Some(next) = prescribed(step, &enabled)
    {
        return next;
    }
    if enabled.is_empty() {
        return without_moves(me);
    }
    let asleep = asleep_at(step);
    let awake: LaneSet = enabled.iter().filter(|lane| !asleep.contains(*lane)).collect();
    if awake.is_empty() {
        finish(Ending::Asleep, 0);
    }
    if let Some(of) = in_section().filter(|of| awake.contains(*of)) {
        return of;
    }
    match policy() {
        Policy::Stay => steady(me, &awake, &asleep),
        Policy::Random => nth(&awake, random() as usize >> 16),
        Policy::Priorities => most_urgent(me, step, &awake),
        Policy::LivesFirst => awake.iter().find(lives).unwrap_or_else(|| steady(me, &awake, &asleep)),
        Policy::Sampling => sampling::pick(&awake),
        Policy::Rotation => awake.iter().find(lives).unwrap_or_else(|| rotation::pick(me, &awake)),
    }
}

/// The lane that is in an atomic section, where lanes are picked by chance.
fn in_section() -> Option<Lane> {
    let number = get(output::SECTION).checked_sub(1)?;
    if matches!(policy(), Policy::Stay | Policy::LivesFirst) { None } else { Lane::of(number) }
}

/// Whether a lane begins or ends next, or waits for that.
fn lives(of: &Lane) -> bool {
    pending(*of).kind.is_of_life()
}

/// The lanes that are asleep before a step, which is the next one.
fn asleep_at(step: usize) -> LaneSet {
    if step as u64 >= get(input::BRANCH) { sleep_at_branch() } else { LaneSet::default() }
}

fn is_alive(of: &Lane) -> bool {
    Here.lane(*of).status == Status::Alive
}

/// The lanes whose next operation is enabled.
fn enabled_lanes() -> LaneSet {
    let known = get(input::KNOWN) as u16;
    (0..known).map(Lane).filter(is_alive).filter(|of| is_enabled(&Here, *of, &pending(*of))).collect()
}

fn exiting() -> Option<Lane> {
    let known = get(input::KNOWN) as u16;
    let exits = |of: &Lane| Here.lane(*of).status == Status::Alive && pending(*of).kind == Kind::Exit;
    (0..known).map(Lane).find(exits)
}

fn prescribed(step: usize, enabled: &LaneSet) -> Option<Lane> {
    let next = Lane::of(get(region::TAPE + step) & 0xffff).unwrap_or(Lane::MAIN);
    let may_exit = enabled.is_empty() && exiting() == Some(next);
    if enabled.contains(next) || may_exit || is_alive(&next) && waiting::goes_on_as_prescribed(next) {
        return Some(next);
    }
    if get(input::LENIENT) == 0 {
        finish(Ending::Mismatch, step as i64);
    }
    None
}

/// No lane is enabled: one exits, or all have ended, or it is a deadlock, or lanes wait in loops.
unsafe fn without_moves(me: Lane) -> Lane {
    let exiting = exiting();
    let known = get(input::KNOWN) as u16;
    let alive = || (0..known).map(Lane).filter(is_alive);
    if exiting.is_none() && alive().any(|of| pending(of).kind == Kind::SignalTake) {
        unsupported("sigwait for a signal that no thread sends: it would have to come from outside");
    }
    if waiting::settle(exiting) == waiting::Outcome::Again {
        return choose(me);
    }
    if let Some(of) = exiting {
        return of;
    }
    let waits = alive().next().is_some();
    finish(if waits { Ending::Deadlock } else { Ending::Complete }, 0)
}

fn policy() -> Policy {
    match get(input::POLICY) {
        0 => Policy::Stay,
        1 => Policy::Random,
        2 => Policy::Priorities,
        3 => Policy::LivesFirst,
        4 => Policy::Sampling,
        _ => Policy::Rotation,
    }
}

/// This lane if it can go on and does not yield, else the next one that does not yield.
fn steady(me: Lane, awake: &LaneSet, asleep: &LaneSet) -> Lane {
    let yields = |of: &Lane| get(at(*of, lane::YIELDS)) != 0;
    let round = || awake.iter().filter(|of| *of >= me).chain(awake.iter().filter(|of| *of < me));
    if let Some(willing) = round().find(|of| !yields(of)) {
        return willing;
    }
    begin_round(awake, asleep);
    round().find(|of| *of != me).unwrap_or(me)
}

/// All lanes that are awake have given way. If they do so again and again it is one that is asleep that they wait for, and
/// the run is as long as it needs to be.
fn begin_round(awake: &LaneSet, asleep: &LaneSet) {
    awake.iter().for_each(|of| set(at(of, lane::YIELDS), 0));
    let rounds = get(output::ROUNDS) + 1;
    set(output::ROUNDS, rounds);
    if rounds > MOST_ROUNDS && !asleep.is_empty() {
        finish(Ending::Depth, 0);
    }
}

fn nth(lanes: &LaneSet, number: usize) -> Lane {
    lanes.iter().nth(number % lanes.len()).unwrap_or(Lane::MAIN)
}

/// The lane with the highest priority; at the steps of change that lane gets the lowest.
fn most_urgent(me: Lane, step: usize, awake: &LaneSet) -> Lane {
    let changes = (0..8).any(|index| get(input::CHANGES + index) == step as u64 + 1);
    if changes || get(at(me, lane::YIELDS)) != 0 {
        set(at(me, lane::PRIORITY), (region::MAX_DEPTH - step) as u64);
    }
    awake.iter().max_by_key(|of| get(at(*of, lane::PRIORITY))).unwrap_or(Lane::MAIN)
}

/// A pseudorandom number (xorshift).
pub fn random() -> u64 {
    let mut state = get(input::SEED) | 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    set(input::SEED, state);
    state
}
