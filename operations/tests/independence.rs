//! Definition 1 of [God97] on random states: operations that are called independent are. Executing one neither enables
//! nor disables the other, and in both orders they have the same results and lead to the same state.

use operations::{
    Class, Event, Flags, Key, Kind, Lane, LaneState, Object, Op, Status, World, pack_changes, pack_range, unpack_range,
};
use operations::{apply, depends, foresee, is_enabled, is_idle, signals_of_process};
use std::collections::BTreeMap;

/// Four lanes, and few objects, so that operations meet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Toy {
    objects: BTreeMap<(Class, Key), Object>,
    lanes: Vec<LaneState>,
}

impl World for Toy {
    fn object(&self, class: Class, key: Key) -> Object {
        self.objects.get(&(class, key)).copied().unwrap_or_default()
    }

    fn set_object(&mut self, class: Class, key: Key, object: Object) {
        self.objects.insert((class, key), object);
        self.objects.retain(|_, object| *object != Object::default());
    }

    fn lane(&self, lane: Lane) -> LaneState {
        self.lanes[lane.index()]
    }

    fn set_lane(&mut self, lane: Lane, state: LaneState) {
        self.lanes[lane.index()] = state;
    }

    fn lanes(&self) -> u16 {
        self.lanes.len() as u16
    }

    /// What accesses change is not part of the state: accesses that write depend on all others there.
    fn word(&self, _: Key, _: u64) -> u64 {
        1
    }
}

const LANES: u16 = 4;

/// A generator of small numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

/// What a lane might do next, by what it waits for.
fn random_op(world: &Toy, lane: Lane, random: &mut Random) -> Op {
    let state = world.lane(lane);
    if let Some((class, key)) = state.queue {
        let kind = if class == Class::Condition { Kind::ConditionLeave } else { Kind::FutexLeave };
        let cancellable = if kind == Kind::ConditionLeave { Flags::CANCELLABLE } else { Flags::default() };
        let timed = [Flags::TIMED, Flags::default(), cancellable][random.below(3)];
        return Op::on(kind, key).with_extra(100).valued(state.ticket.into()).flagged(timed);
    }
    let keys = [100, 101].map(|address| Key { process: 1, address });
    let once = keys.into_iter().find(|key| world.object(Class::Once, *key).is_held_by(lane));
    if let Some(key) = once.filter(|_| random.below(2) == 0) {
        return Op::on([Kind::OnceEnd, Kind::OnceAbort][random.below(2)], key);
    }
    const KINDS: &[Kind] = Kind::ALL;
    loop {
        let kind = KINDS[random.below(KINDS.len())];
        let key = Key { process: 1, address: 100 + random.below(2) as u64 };
        let flags = [Flags::default(), Flags::RECURSIVE, Flags::CHECKED][random.below(3)];
        let op = Op::on(kind, key).flagged(flags);
        match kind {
            // These follow what the lane did before, or are not decided here.
            Kind::ConditionLeave | Kind::FutexLeave => {}
            Kind::Exit | Kind::Fail | Kind::Create | Kind::Start | Kind::Toss => {}
            Kind::OnceEnd | Kind::OnceAbort => {}
            // The generation at hand, or the one before.
            Kind::BarrierLeave => {
                let turn = i64::from(world.object(Class::Barrier, key).turn);
                return op.valued((turn - random.below(2) as i64).max(0));
            }
            Kind::End => return Op::local(kind, 0),
            Kind::Join => return Op::on(kind, Key { process: 0, address: random.below(LANES.into()) as u64 }),
            Kind::BarrierInit | Kind::SemaphoreInit => return op.valued(1 + random.below(2) as i64),
            Kind::FutexWait => return op.valued(random.below(2) as i64),
            Kind::FutexWake => return op.valued(1 + random.below(2) as i64),
            Kind::AtomicUpdate => {
                let op = op.with_extra(1 + random.below(2) as u64).valued(random.below(2) as i64);
                return op.flagged([Flags::default(), Flags::COMPARES, Flags::SETS][random.below(3)]);
            }
            Kind::JoinAny => return Op::local(kind, 0).with_extra(1 + random.below(15) as u64),
            Kind::JoinTry => return Op::on(kind, Key { process: 0, address: random.below(LANES.into()) as u64 }),
            Kind::SemaphoreSet => {
                let pairs = (0..1 + random.below(2)).map(|_| (random.below(2) as u16, random.below(4) as i16 - 2));
                let [extra, value] = pack_changes(pairs.collect::<Vec<_>>().into_iter()).expect("small");
                let flags = [Flags::default(), Flags::NO_WAIT][random.below(2)];
                let set = Key { process: 1, address: 100 };
                return Op::on(kind, set).with_extra(extra).valued(value as i64).flagged(flags);
            }
            Kind::NameOpen => {
                let flags = [Flags::default(), Flags::CREATES, Flags::CREATES.with(Flags::EXCLUSIVE)];
                return Op::on(kind, key).flagged(flags[random.below(3)]);
            }
            Kind::QueueEnds => {
                let pipe = Key { address: key.address + 50, ..key };
                let queue = world.object(Class::Queue, pipe);
                let mut change = |count: u32| (random.below(3) as i32 - i32::from(count > 0)) as u32;
                let ends = pack_range(change(queue.holder), change(queue.serial[0]));
                return Op::on(kind, pipe).valued(ends);
            }
            Kind::QueuePut | Kind::QueueGet => return random_move(kind, key, random),
            Kind::QueueReady => {
                let pipe = Key { address: key.address + 50, ..key };
                let flags = [Flags::ENDS, Flags::ENDS.with(Flags::NO_WAIT)][random.below(2)];
                return Op::on(kind, pipe).with_extra(random.below(2) as u64).valued(pack_range(1, 3)).flagged(flags);
            }
            Kind::Cancel => return Op::on(kind, Key { process: 0, address: random.below(LANES.into()) as u64 }),
            Kind::CancelTest => return Op::on(kind, Key { process: 0, address: lane.0.into() }),
            Kind::SignalSend => {
                let receiver = Key { process: 0, address: random.below(LANES.into()) as u64 };
                let receiver = [receiver, signals_of_process(1)][random.below(2)];
                return Op::on(kind, receiver).valued(1 + random.below(2) as i64);
            }
            Kind::SignalTake => {
                let flags = [Flags::default(), Flags::NO_WAIT][random.below(2)];
                let own =
                    Op::on(kind, Key { process: 0, address: lane.0.into() }).with_extra(signals_of_process(1).address);
                return own.valued(1 + random.below(3) as i64).flagged(flags);
            }
            Kind::SignalMask => {
                let own = Op::on(kind, Key { process: 0, address: lane.0.into() });
                return own.with_extra(signals_of_process(1).address);
            }
            Kind::SemaphoreWait => return op.flagged([Flags::default(), Flags::CANCELLABLE][random.below(2)]),
            Kind::Free | Kind::Read | Kind::Write | Kind::AtomicLoad | Kind::AtomicStore => {
                return op.with_extra(1 + random.below(2) as u64);
            }
            _ => return op.with_extra(100),
        }
    }
}

/// Something is put into a queue, or taken out.
fn random_move(kind: Kind, key: Key, random: &mut Random) -> Op {
    let flags = [Flags::default(), Flags::NO_WAIT, Flags::ENDS, Flags::CHOOSY][random.below(4)];
    // Messages of a kind and bytes are not in one queue.
    let (kind_of_message, units) = if flags == Flags::ENDS { (0, 1 + random.below(2) as u32) } else { (1, 1) };
    let address = key.address + if flags == Flags::ENDS { 50 } else { 0 };
    let op = Op::on(kind, Key { address, ..key }).with_extra(kind_of_message).flagged(flags);
    op.valued(pack_range(units, if kind == Kind::QueuePut { 3 } else { 0 }))
}

/// A state that is reached by executing operations.
fn random_world(random: &mut Random) -> Toy {
    let alive = LaneState { status: Status::Alive, ..LaneState::default() };
    let mut world = Toy { objects: BTreeMap::new(), lanes: vec![alive; LANES.into()] };
    for address in [100, 101] {
        let key = Key { process: 1, address };
        apply(&mut world, Lane(0), &Op::on(Kind::BarrierInit, key).valued(2 + random.below(2) as i64));
        apply(&mut world, Lane(0), &Op::on(Kind::SemaphoreInit, key).valued(random.below(3) as i64));
        let pipe = Key { address: address + 50, ..key };
        apply(&mut world, Lane(0), &Op::on(Kind::QueueEnds, pipe).valued(pack_range(1, 1)));
        for _ in 0..random.below(5) {
            let put = random_move(Kind::QueuePut, key, random);
            if is_enabled(&world, Lane(0), &put) {
                apply(&mut world, Lane(0), &put);
            }
        }
    }
    for signal in 1..=2 {
        let receivers = [Key { process: 0, address: random.below(2) as u64 }, signals_of_process(1)];
        let sent = Op::on(Kind::SignalSend, receivers[random.below(2)]).valued(signal);
        apply(&mut world, Lane(0), &sent);
    }
    for _ in 0..random.below(12) {
        let lane = Lane(random.below(LANES.into()) as u16);
        let op = random_op(&world, lane, random);
        if is_alive(&world, lane) && is_enabled(&world, lane, &op) {
            apply(&mut world, lane, &op);
        }
    }
    world
}

/// Whether a read-write lock is released that is free: a mistake that is reported, after which all bets are off.
fn is_mistake(world: &Toy, op: &Op) -> bool {
    let lock = world.object(Class::ReadWrite, op.key);
    op.kind == Kind::ReadWriteUnlock && lock.holder == 0 && lock.count == 0
}

/// Whether one lane closes the last end of a pipe to which another one adds an end of the same kind: it would need to have one.
fn adds_to_nothing(world: &Toy, one: &Op, other: &Op) -> bool {
    let queue = world.object(Class::Queue, one.key);
    let halves = |op: &Op| <[u32; 2]>::from(unpack_range(op.value)).map(u32::cast_signed);
    let is_so = |(count, (by, and)): (u32, (i32, i32))| count <= 1 && by.signum() * and.signum() < 0;
    let is_of_ends = |op: &Op| op.kind == Kind::QueueEnds;
    let pairs = [queue.holder, queue.serial[0]].into_iter().zip(halves(one).into_iter().zip(halves(other)));
    is_of_ends(one) && is_of_ends(other) && one.key == other.key && { pairs }.any(is_so)
}

fn is_alive(world: &Toy, lane: Lane) -> bool {
    world.lane(lane).status == Status::Alive
}

/// An operation executed in a state, if it is enabled.
fn executed(world: &Toy, lane: Lane, op: &Op) -> Option<(Event, Toy)> {
    let mut after = world.clone();
    (is_alive(world, lane) && is_enabled(world, lane, op) && !is_mistake(world, op)).then(|| {
        let result = apply(&mut after, lane, op).result;
        (Event { lane, op: *op, result }, after)
    })
}

#[test]
fn independent_operations_commute() {
    let mut random = Random(1);
    let (mut independent, mut kinds) = (0, std::collections::BTreeSet::new());
    for _ in 0..rounds(300_000) {
        let world = random_world(&mut random);
        let (one, other) = (Lane(0), Lane(1));
        let (first, second) = (random_op(&world, one, &mut random), random_op(&world, other, &mut random));
        let Some((event, between)) = executed(&world, one, &first) else { continue };
        // What the first enables depends on it.
        let Some((next, after)) = executed(&between, other, &second) else { continue };
        if depends(&event, &next) {
            continue;
        }
        independent += 1;
        kinds.insert((first.kind, second.kind));
        let what = format!("{first:?}\n{second:?}\nin {world:?}");
        if is_mistake(&world, &second) || adds_to_nothing(&world, &first, &second) {
            continue;
        }
        let (swapped, middle) =
            executed(&world, other, &second).unwrap_or_else(|| panic!("enabled by the first: {what}"));
        let (last, end) = executed(&middle, one, &first).unwrap_or_else(|| panic!("disabled by the second: {what}"));
        assert_eq!((swapped.result, last.result), (next.result, event.result), "{what}");
        assert_eq!(end, after, "{what}");
    }
    assert!(cfg!(miri) || independent > 50_000 && kinds.len() > 400, "{independent} pairs of {} kinds", kinds.len());
}

#[test]
fn an_operation_that_disables_another_depends_on_it() {
    let mut random = Random(7);
    let mut disabled = 0;
    for _ in 0..rounds(700_000) {
        let world = random_world(&mut random);
        let (first, second) = (random_op(&world, Lane(0), &mut random), random_op(&world, Lane(1), &mut random));
        let Some((event, between)) = executed(&world, Lane(0), &first) else { continue };
        if is_enabled(&world, Lane(1), &second) && !is_enabled(&between, Lane(1), &second) {
            disabled += 1;
            let result = foresee(&world, Lane(1), &second);
            assert!(
                depends(&event, &Event { lane: Lane(1), op: second, result }),
                "{first:?}\n{second:?}\nin {world:?}"
            );
        }
    }
    assert!(cfg!(miri) || disabled > 1000, "{disabled}");
}

/// What is called idle changes nothing, and of what others do it depends on what would change its result alone.
#[test]
fn idle_operations_change_nothing() {
    let mut random = Random(3);
    let mut kinds = std::collections::BTreeSet::new();
    for _ in 0..rounds(100_000) {
        let world = random_world(&mut random);
        let op = random_op(&world, Lane(0), &mut random);
        let Some((event, after)) = executed(&world, Lane(0), &op) else { continue };
        if is_idle(&event) {
            kinds.insert(op.kind);
            assert_eq!(world, after, "{op:?}");
            assert!(!depends(&event, &Event { lane: Lane(1), ..event }), "{op:?}");
        }
    }
    assert!(cfg!(miri) || kinds.len() >= 11, "{kinds:?}");
}

/// Miri is a thousand times slower.
fn rounds(usual: u32) -> u32 {
    if cfg!(miri) { usual / 1000 } else { usual }
}
