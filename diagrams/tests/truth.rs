//! Every operation against truth tables, on random functions of a few variables.

use diagrams::{Collecting, Diagram, Direction, Exhausted, Manager, Ordering, Relation, Variable, on_deep_stack};
use proptest::prelude::*;

const VARIABLES: u32 = 4;
const STATES: usize = 1 << VARIABLES;

/// A function of values now and next: an entry for each pair of states.
type Table = Vec<bool>;

fn bit(state: usize, variable: Variable) -> bool {
    state >> variable & 1 == 1
}

fn pair(now: usize, next: usize) -> usize {
    now * STATES + next
}

/// The diagram of a table, from its minterms.
fn build(manager: &mut Manager, table: &Table) -> Diagram {
    let mut all = manager.never();
    for index in (0..table.len()).filter(|index| table[*index]) {
        let (now, next) = (index / STATES, index % STATES);
        let mut one = manager.always();
        for variable in 0..VARIABLES {
            for (literal, value) in [
                (manager.now(variable).unwrap(), bit(now, variable)),
                (manager.next(variable).unwrap(), bit(next, variable)),
            ] {
                one = if value { manager.and(&one, &literal) } else { manager.without(&one, &literal) }.unwrap();
            }
        }
        all = manager.or(&all, &one).unwrap();
    }
    all
}

fn read(manager: &Manager, diagram: &Diagram) -> Table {
    let entry = |index: usize| manager.contains(diagram, |v| bit(index / STATES, v), |v| bit(index % STATES, v));
    (0..STATES * STATES).map(entry).collect()
}

/// A set as a table that does not read next values.
fn set_table(set: u16) -> Table {
    (0..STATES * STATES).map(|index| set >> (index / STATES) & 1 == 1).collect()
}

fn set_of(manager: &Manager, diagram: &Diagram) -> u16 {
    (0..STATES).filter(|state| manager.contains(diagram, |v| bit(*state, v), |_| false)).fold(0, |set, s| set | 1 << s)
}

fn combine(a: &Table, b: &Table, op: fn(bool, bool) -> bool) -> Table {
    a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
}

/// The states whose values of some variables are those of another one.
fn agree(a: usize, b: usize, mask: usize) -> bool {
    (a ^ b) & mask == 0
}

/// Sparse tables make better relations than those where every pair has an even chance.
fn tables() -> impl Strategy<Value = Table> {
    let dense = prop::collection::vec(any::<bool>(), STATES * STATES);
    let sparse = prop::collection::vec(prop::bool::weighted(0.03), STATES * STATES);
    prop_oneof![dense, sparse]
}

/// A relation that reads and writes some variables only, and the steps it stands for.
#[derive(Clone, Debug)]
struct Step {
    table: Table,
    writes: usize,
    pairs: Vec<(usize, usize)>,
}

fn steps() -> impl Strategy<Value = Step> {
    let seeds = prop::collection::vec(prop::bool::weighted(0.1), STATES * STATES);
    (seeds, 0..STATES, 0..STATES).prop_map(|(seeds, reads, writes)| {
        let reads = reads | writes;
        let entry = |index: usize| seeds[pair((index / STATES) & reads, (index % STATES) & writes)];
        let table: Table = (0..STATES * STATES).map(entry).collect();
        let all = (0..STATES * STATES).map(|index| (index / STATES, index % STATES));
        let pairs = all.filter(|(a, b)| table[pair(*a, *b)] && agree(*a, *b, !writes)).collect();
        Step { table, writes, pairs }
    })
}

fn relation(manager: &mut Manager, step: &Step) -> Relation {
    let written: Vec<Variable> = (0..VARIABLES).filter(|variable| bit(step.writes, *variable)).collect();
    Relation { relation: build(manager, &step.table), writes: manager.cube(&written).unwrap() }
}

fn follow(set: u16, steps: &[Step], direction: Direction) -> u16 {
    let mut found = 0;
    for (a, b) in steps.iter().flat_map(|step| &step.pairs) {
        let (from, to) = if direction == Direction::Forward { (a, b) } else { (b, a) };
        if set >> from & 1 == 1 {
            found |= 1 << to;
        }
    }
    found
}

/// All states that steps lead to from a set.
fn closed(mut set: u16, steps: &[Step], direction: Direction) -> u16 {
    while set != set | follow(set, steps, direction) {
        set |= follow(set, steps, direction);
    }
    set
}

/// The states that are in a set once a variable is 0: a part of its diagram.
fn part(set: u16, variable: Variable) -> u16 {
    (0..STATES).filter(|state| set >> (state & !(1 << variable)) & 1 == 1).fold(0, |part, state| part | 1 << state)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn boolean_operations(a in tables(), b in tables(), c in tables()) {
        let mut manager = Manager::new(VARIABLES, 1 << 16);
        let (x, y, z) = (build(&mut manager, &a), build(&mut manager, &b), build(&mut manager, &c));
        prop_assert_eq!(&read(&manager, &x), &a);
        let results = [
            (manager.and(&x, &y).unwrap(), combine(&a, &b, |a, b| a && b)),
            (manager.or(&x, &y).unwrap(), combine(&a, &b, |a, b| a || b)),
            (manager.without(&x, &y).unwrap(), combine(&a, &b, |a, b| a && !b)),
            (manager.xor(&x, &y).unwrap(), combine(&a, &b, |a, b| a != b)),
            (manager.not(&x).unwrap(), a.iter().map(|a| !a).collect()),
            (manager.choose(&x, &y, &z).unwrap(), (0..a.len()).map(|i| if a[i] { b[i] } else { c[i] }).collect()),
        ];
        manager.collect();
        for (diagram, table) in results {
            prop_assert_eq!(read(&manager, &diagram), table.clone());
            prop_assert_eq!(build(&mut manager, &table), diagram, "equal functions are equal diagrams");
        }
    }

    #[test]
    fn quantification(a in tables(), b in tables(), hidden in 0..STATES) {
        let mut manager = Manager::new(VARIABLES, 1 << 16);
        let (x, y) = (build(&mut manager, &a), build(&mut manager, &b));
        let variables: Vec<Variable> = (0..VARIABLES).filter(|variable| bit(hidden, *variable)).collect();
        let cube = manager.cube(&variables).unwrap();
        let some = |table: &Table| -> Table {
            let entry = |now: usize, next: usize| {
                (0..STATES).any(|other| agree(now, other, !hidden) && table[pair(other, next)])
            };
            (0..STATES * STATES).map(|index| entry(index / STATES, index % STATES)).collect()
        };
        let plain = manager.exists(&x, &cube).unwrap();
        prop_assert_eq!(read(&manager, &plain), some(&a));
        let fused = manager.and_exists(&x, &y, &cube).unwrap();
        prop_assert_eq!(read(&manager, &fused), some(&combine(&a, &b, |a, b| a && b)));
    }

    #[test]
    fn a_set_between_two_others(a in tables(), b in tables()) {
        let mut manager = Manager::new(VARIABLES, 1 << 16);
        let (least, most) = (combine(&a, &b, |a, b| a && b), combine(&a, &b, |a, b| a || b));
        let (x, y) = (build(&mut manager, &least), build(&mut manager, &most));
        let between = manager.between(&x, &y).unwrap();
        let between = read(&manager, &between);
        prop_assert_eq!(combine(&between, &least, |z, x| z || !x), vec![true; STATES * STATES]);
        prop_assert_eq!(combine(&between, &most, |z, y| y || !z), vec![true; STATES * STATES]);
    }

    #[test]
    fn renaming_counting_and_listing(set in any::<u16>(), renamed in 0..STATES) {
        let mut manager = Manager::new(VARIABLES, 1 << 16);
        let now = build(&mut manager, &set_table(set));
        let names: Vec<Variable> = (0..VARIABLES).filter(|variable| bit(renamed, *variable)).collect();
        let cube = manager.cube(&names).unwrap();
        let next = manager.later(&now, &cube).unwrap();
        let mixed = |index: usize| ((index % STATES) & renamed) | ((index / STATES) & !renamed);
        let expected: Table = (0..STATES * STATES).map(|index| set >> mixed(index) & 1 == 1).collect();
        prop_assert_eq!(read(&manager, &next), expected);
        prop_assert_eq!(&manager.earlier(&next).unwrap(), &now);
        let variables: Vec<Variable> = (0..VARIABLES).collect();
        prop_assert_eq!(manager.count(&now, &variables).to_u128(), Some(set.count_ones().into()));
        let number = |values: Vec<bool>| values.iter().enumerate().fold(0, |n, (at, value)| n | usize::from(*value) << at);
        let listed: Vec<usize> = manager.states(&now, &variables).map(number).collect();
        let mut sorted = listed.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..STATES).filter(|state| set >> state & 1 == 1).collect::<Vec<_>>());
        prop_assert_eq!(manager.pick(&now, &variables).map(number), listed.first().copied());
    }

    #[test]
    fn another_order_changes_no_function(a in tables(), b in tables(), set in any::<u16>(), step in steps()) {
        let mut manager = Manager::new(VARIABLES, 1 << 16);
        let (x, y, z) = (build(&mut manager, &a), build(&mut manager, &b), build(&mut manager, &set_table(set)));
        let relation = relation(&mut manager, &step);
        let before = manager.nodes();
        manager.sift();
        prop_assert!(manager.nodes() <= before);
        prop_assert_eq!(&read(&manager, &x), &a);
        prop_assert_eq!(&read(&manager, &y), &b);
        prop_assert_eq!(build(&mut manager, &a), x.clone(), "equal functions are equal diagrams");
        let both = manager.and(&x, &y).unwrap();
        prop_assert_eq!(read(&manager, &both), combine(&a, &b, |a, b| a && b));
        for direction in [Direction::Forward, Direction::Backward] {
            let found = manager.image(direction, &z, &relation).unwrap();
            prop_assert_eq!(set_of(&manager, &found), follow(set, std::slice::from_ref(&step), direction));
            let mut all = set;
            while all != all | follow(all, std::slice::from_ref(&step), direction) {
                all |= follow(all, std::slice::from_ref(&step), direction);
            }
            let closed = manager.closure(direction, &z, std::slice::from_ref(&relation)).unwrap();
            prop_assert_eq!(set_of(&manager, &closed), all);
        }
        let variables: Vec<Variable> = (0..VARIABLES).collect();
        prop_assert_eq!(manager.count(&z, &variables).to_u128(), Some(set.count_ones().into()));
        let mut listed = 0u16;
        for values in manager.states(&z, &variables).collect::<Vec<_>>() {
            let number = values.iter().enumerate().fold(0, |n, (at, value)| n | usize::from(*value) << at);
            prop_assert!(manager.contains(&z, |v| bit(number, v), |_| false));
            let single = manager.minterm(&variables, &values).unwrap();
            prop_assert_eq!(set_of(&manager, &single), 1 << number);
            listed |= 1 << number;
        }
        prop_assert_eq!(listed, set);
    }

    #[test]
    fn images_and_closures(set in any::<u16>(), steps in prop::collection::vec(steps(), 1..4), tidy in any::<bool>()) {
        let mut manager = Manager::new(VARIABLES, 1 << 16);
        manager.set_collecting(if tidy { Collecting::AtEveryOccasion } else { Collecting::WhenMuch });
        let relations: Vec<Relation> = steps.iter().map(|step| relation(&mut manager, step)).collect();
        // Few states to begin with leave something to be found.
        let set = set & set.rotate_left(5) & set.rotate_left(3);
        let start = build(&mut manager, &set_table(set));
        for direction in [Direction::Forward, Direction::Backward] {
            for (step, relation) in steps.iter().zip(&relations) {
                let found = manager.image(direction, &start, relation).unwrap();
                prop_assert_eq!(set_of(&manager, &found), follow(set, std::slice::from_ref(step), direction));
            }
            let found = manager.closure(direction, &start, &relations).unwrap();
            prop_assert_eq!(set_of(&manager, &found), closed(set, &steps, direction));
        }
    }

    /// What is remembered of one set of relations, and of parts of a closure, is not used for others.
    #[test]
    fn closures_one_after_the_other(set in any::<u16>(), steps in prop::collection::vec(steps(), 2..4)) {
        let mut manager = Manager::new(VARIABLES, 1 << 16);
        let relations: Vec<Relation> = steps.iter().map(|step| relation(&mut manager, step)).collect();
        let set = set & set.rotate_left(5) & set.rotate_left(3);
        for (direction, first) in [(Direction::Forward, 0), (Direction::Forward, 1), (Direction::Backward, 1)] {
            let (steps, relations) = (&steps[first..], &relations[first..]);
            let parts = (0..VARIABLES).map(|variable| part(closed(set, steps, direction), variable));
            for set in std::iter::once(set).chain(parts) {
                let start = build(&mut manager, &set_table(set));
                let found = manager.closure(direction, &start, relations).unwrap();
                prop_assert_eq!(set_of(&manager, &found), closed(set, steps, direction));
            }
        }
    }
}

/// A counter of many bits: as deep as there are variables.
fn counter(manager: &mut Manager, bits: u32) -> Vec<Relation> {
    let step = |manager: &mut Manager, bit: u32| -> Result<Relation, Exhausted> {
        // The bit goes up, all lower ones (below it in the order) go from 1 to 0.
        let (now, next) = (manager.now(bit)?, manager.next(bit)?);
        let mut relation = manager.without(&next, &now)?;
        if bit + 1 < bits {
            let (now, next) = (manager.now(bit + 1)?, manager.next(bit + 1)?);
            let down = manager.without(&now, &next)?;
            relation = manager.and(&relation, &down)?;
        }
        let writes = manager.cube(&[bit, (bit + 1).min(bits - 1)])?;
        Ok(Relation { relation, writes })
    };
    (0..bits).map(|bit| step(manager, bit).unwrap()).collect()
}

#[test]
fn deep_diagrams_do_not_overflow_the_stack() {
    const BITS: u32 = 20_000;
    let work = || {
        let mut manager = Manager::new(BITS, 1 << 22);
        let relations = counter(&mut manager, 60);
        let variables: Vec<Variable> = (0..BITS).collect();
        let all = manager.cube(&variables).unwrap();
        let none = manager.not(&all).unwrap();
        assert_eq!(manager.size(&none), BITS as usize);
        let mut zero = manager.always();
        for variable in (0..BITS).rev() {
            let bit = manager.now(variable).unwrap();
            let clear = manager.not(&bit).unwrap();
            zero = manager.and(&clear, &zero).unwrap();
        }
        let reached = manager.closure(Direction::Forward, &zero, &relations).unwrap();
        let back = manager.closure(Direction::Backward, &reached, &relations).unwrap();
        assert_eq!(manager.and(&back, &reached).unwrap(), reached);
        manager.count(&reached, &variables).to_string()
    };
    let count = on_deep_stack(BITS as usize, work, || ());
    assert!(count.is_some_and(|count| count.len() > 9));
}

#[test]
fn the_budget_is_exact_and_garbage_does_not_count_for_ever() {
    let mut manager = Manager::new(64, 400);
    // Each of these is dropped at once: far more nodes than the budget, one after the other.
    for round in 0..100 {
        let variables: Vec<Variable> = (0..64).filter(|variable| (variable * 7 + round) % 3 > 0).collect();
        assert!(manager.cube(&variables).is_ok(), "round {round}");
        assert!(manager.nodes() <= 400);
    }
    let mut parity = manager.never();
    let mut stopped = None;
    for variable in 0..64 {
        let step = manager.now(variable).and_then(|bit| manager.xor(&parity, &bit));
        match step {
            Ok(next) => parity = next,
            Err(stop) => stopped = Some(stop),
        }
        assert!(manager.nodes() <= 400);
    }
    assert_eq!(stopped, None, "a parity of 64 bits has 127 nodes");
    let mut kept = Vec::new();
    for variable in 0..64 {
        match manager.now(variable).and_then(|bit| manager.and(&parity, &bit)) {
            Ok(next) => kept.push(next),
            Err(stop) => stopped = Some(stop),
        }
    }
    assert_eq!(stopped, Some(Exhausted::Nodes));
}

/// Equality of far halves of 64 bits, which has 2^32 nodes in this order.
fn equal_halves(manager: &mut Manager) -> Result<Diagram, Exhausted> {
    (0..32).try_fold(manager.always(), |equal, variable| {
        let (a, b) = (manager.now(variable)?, manager.now(variable + 32)?);
        let differ = manager.xor(&a, &b)?;
        manager.without(&equal, &differ)
    })
}

#[test]
fn a_bad_order_is_left_while_diagrams_grow() {
    let mut manager = Manager::new(64, 1 << 20);
    manager.set_ordering(Ordering::Sifted);
    let equal = equal_halves(&mut manager).unwrap();
    assert!(manager.size(&equal) < 1 << 14, "{} nodes", manager.size(&equal));
    assert_eq!(manager.count(&equal, &(0..64).collect::<Vec<_>>()).to_u128(), Some(1 << 32));
    let order = manager.order().to_vec();
    let mut again = Manager::new(64, 1 << 20);
    again.arrange(&order);
    assert_eq!(equal_halves(&mut again).map(|equal| again.size(&equal)), Ok(manager.size(&equal)));
}

#[test]
fn the_alarm_ends_an_operation() {
    let mut manager = Manager::new(64, 1 << 24);
    manager.heed(|_| true);
    assert_eq!(equal_halves(&mut manager), Err(Exhausted::Interrupted));
}

#[test]
fn effort_ends_an_operation_at_the_same_point() {
    let nodes = [(); 2].map(|()| {
        let mut manager = Manager::new(64, 1 << 24);
        manager.limit_effort(100_000);
        assert_eq!(equal_halves(&mut manager), Err(Exhausted::Effort));
        manager.nodes()
    });
    assert_eq!(nodes[0], nodes[1]);
}

#[test]
fn some_work_has_a_smaller_budget() {
    let mut manager = Manager::new(64, 1 << 12);
    let small = |manager: &mut Manager| manager.cube(&[1, 2, 3]);
    assert!(manager.within(10, small).is_ok_and(|cube| cube.is_some()));
    assert_eq!(manager.within(1000, equal_halves), Ok(None));
    assert!(manager.nodes() <= 1010);
    assert_eq!(manager.within(1 << 20, equal_halves), Err(Exhausted::Nodes), "the budget of the manager is not larger");
    assert!(equal_halves(&mut manager) == Err(Exhausted::Nodes) && manager.nodes() > 1010);
}

/// Adds one, the least significant bit on top: each step finds a single state.
fn increment(manager: &mut Manager, bits: u32) -> Result<Relation, Exhausted> {
    let (mut relation, mut carry) = (manager.always(), manager.always());
    for bit in 0..bits {
        let (now, next) = (manager.now(bit)?, manager.next(bit)?);
        let sum = manager.xor(&now, &carry)?;
        let differs = manager.xor(&next, &sum)?;
        relation = manager.without(&relation, &differs)?;
        carry = manager.and(&carry, &now)?;
    }
    Ok(Relation { relation, writes: manager.cube(&(0..bits).collect::<Vec<_>>())? })
}

#[test]
fn a_closure_that_was_ended_by_its_limit_goes_on_from_there() {
    const BITS: u32 = 15;
    let mut manager = Manager::new(BITS, 1 << 20);
    let relations = [increment(&mut manager, BITS).unwrap()];
    let zero = manager.minterm(&(0..BITS).collect::<Vec<_>>(), &[false; BITS as usize]).unwrap();
    let mut attempts = 1;
    let found = loop {
        manager.limit_effort(1 << 13);
        match manager.closure(Direction::Forward, &zero, &relations) {
            Ok(found) => break found,
            Err(stop) => assert_eq!(stop, Exhausted::Effort),
        }
        attempts += 1;
        assert!(attempts < 1000, "it does not get any further");
    };
    assert!(attempts > 1, "one attempt is enough, so that nothing is tested");
    assert!(found.is_true());
}

#[test]
fn the_budget_of_nodes_can_change() {
    let mut manager = Manager::new(40, 1 << 20);
    let pairs = |manager: &mut Manager| {
        (0..20).try_fold(manager.never(), |all, at| {
            let (a, b) = (manager.now(at)?, manager.now(at + 20)?);
            let both = manager.and(&a, &b)?;
            manager.or(&all, &both)
        })
    };
    manager.limit_nodes(1000);
    assert_eq!(pairs(&mut manager), Err(Exhausted::Nodes));
    assert!(manager.nodes() <= 1000);
    manager.limit_nodes(1 << 23);
    assert!(pairs(&mut manager).is_ok());
}
