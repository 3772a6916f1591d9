//! Interchangeable processes whose names are values: the states that stand for others are as many as there are orbits.

use super::plainly::Plainly;
use super::symmetry::{machine, properties, search, symmetry};
use std::collections::BTreeSet;
use system::{Machine, State, Visit};
use testkit::symmetric::numbered_instances;
use uwbmc::engine::Stop;
use uwbmc::explicit::Symmetries;

/// Every state that can be reached.
fn reachable(machine: &Machine) -> BTreeSet<State> {
    let (mut seen, mut open) = (BTreeSet::new(), Vec::new());
    let mut workspace = machine.workspace();
    machine
        .initial_states(&mut workspace, |state| {
            open.push(state);
            Visit::Continue(())
        })
        .expect("initial states");
    while let Some(state) = open.pop() {
        if seen.insert(state.clone()) {
            let found = machine.successors(&state.0, &mut workspace, |successor| {
                open.push(State(successor.state.into()));
                Visit::Continue(())
            });
            found.expect("no faults");
        }
    }
    seen
}

/// All orders of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|order| {
            let next = (0..count).filter(|next| !order.contains(next));
            next.map(|next| [order.clone(), vec![next]].concat())
        });
        all = longer.collect();
    }
    all
}

/// How many states there are if those that differ in the names of processes only are one, by trying all orders.
fn orbits(machine: &Machine, count: usize) -> usize {
    let var = |name: &str| machine.system().variables.position(|variable| variable.name == name).expect("a variable");
    let orders = orders(count);
    let least = |state: State| {
        let value = |name: &str| machine.layout().get(&state.0, var(name)).expect("a value");
        let (owner, last, s) = (value("owner"), value("last"), value("s"));
        let own = |id: usize| (value(&format!("f[{id}]")), value(&format!("p{id}.pc")));
        let own: Vec<_> = (1..=count).map(own).collect();
        let turned = orders.iter().map(|order| {
            let name = |old: i64| if old == 0 { 0 } else { order[old as usize - 1] as i64 + 1 };
            let mut moved = own.clone();
            order.iter().zip(&own).for_each(|(to, own)| moved[*to] = *own);
            (moved, name(owner), name(last), s)
        });
        turned.min()
    };
    reachable(machine).into_iter().map(least).collect::<BTreeSet<_>>().len()
}

#[test]
fn one_state_stands_for_each_orbit_in_random_systems() {
    let [mut alike, mut apart] = [0, 0];
    for seed in 0..150 {
        let (text, count) = numbered_instances(seed);
        let machine = machine(&text);
        let plainly = Plainly::visit(&machine).expect("no faults");
        let found = search(&machine, Symmetries::Exploited, usize::MAX);
        assert_eq!(found.stop, Stop::Complete, "{text}");
        assert_eq!(found.deadlocks.is_empty(), plainly.deadlocks.is_empty(), "{text}");
        for (property, trace) in found.violations() {
            trace.replay(&machine).unwrap_or_else(|mismatch| panic!("{mismatch:?}\n{text}"));
            assert_eq!(trace.violates(&machine, property), Some(trace.moves.len()), "{text}");
        }
        let lengths: Vec<_> = found.violations().into_iter().map(|(id, trace)| (id, trace.moves.len())).collect();
        assert_eq!(plainly.violated, lengths.into_iter().collect(), "{text}");
        match system::Symmetry::of(machine.system(), &properties(&machine)).sizes()[..] {
            [size] if size == count => {
                assert_eq!(found.states(), orbits(&machine, count), "{text}");
                alike += 1;
            }
            _ => apart += 1,
        }
    }
    assert!(alike > 60 && apart > 20, "{alike} {apart}");
}

/// Three processes with a number each, which one variable holds, and what else they do.
fn numbered(process: &str, main: &str) -> Vec<usize> {
    let text = format!(
        "MODULE worker(id, turn, f) VAR pc : {{idle, busy}}; ASSIGN init(pc) := idle;
        next(pc) := case turn = id : busy; TRUE : pc; esac; next(turn) := case pc = idle : id; TRUE : turn; esac; {process}
        MODULE main VAR turn : 0..3; f : array 0..3 of boolean; a : process worker(1, turn, f); b : process worker(2, turn, f);
        c : process worker(3, turn, f); ASSIGN init(turn) := 1; {main}"
    );
    symmetry(&text)
}

#[test]
fn names_may_be_compared_copied_and_used_as_an_index() {
    assert_eq!(numbered("", ""), [3], "where a run begins does not matter");
    assert_eq!(numbered("next(f[id]) := case f[turn] : pc = busy; TRUE : f[id]; esac;", ""), [3]);
    assert_eq!(
        numbered("", "INVARSPEC (turn = 1 -> a.pc = idle) & (turn = 2 -> b.pc = idle) & (turn = 3 -> c.pc = idle)"),
        [3]
    );
    assert_eq!(numbered("", "INVARSPEC turn = 0 -> a.pc = idle & b.pc = idle & c.pc = idle"), [3]);
    assert_eq!(numbered("", "INVARSPEC turn = 1 -> a.pc = idle"), [2], "one is named");
    assert_eq!(numbered("", "INVARSPEC turn = 2 -> c.pc = idle"), [0; 0], "two are named, and differ");
}

#[test]
fn numbers_that_are_ordered_or_added_are_no_names() {
    assert_eq!(numbered("DEFINE is_low := turn < id; ASSIGN next(f[0]) := is_low;", ""), [0; 0]);
    assert_eq!(numbered("next(f[0]) := turn + 1 = id;", ""), [0; 0]);
    assert_eq!(numbered("next(f[0]) := f[turn] & turn < 3;", ""), [0; 0]);
    assert_eq!(numbered("", "INVARSPEC turn < 3"), [0; 0]);
    assert_eq!(numbered("", "INVARSPEC turn in {1, 2}"), [2], "the first two are alike");
    assert_eq!(
        numbered("", "VAR other : 1..2; INVARSPEC other = turn"),
        [2],
        "one has a name that not all variables can hold"
    );
    assert_eq!(numbered("", "VAR other : 0..3; ASSIGN next(other) := 1..2; INVARSPEC other = turn"), [2]);
    assert_eq!(numbered("", "VAR other : 0..3; ASSIGN next(other) := 1..3; INVARSPEC other = turn"), [3]);
    assert_eq!(numbered("", "INVARSPEC !f[1] & !f[2] & !f[3] | turn = 1"), [2], "one is named");
}

#[test]
fn models_with_names_have_interchangeable_processes() {
    let model = |path: &str| {
        let path = testkit::root().join("models").join(path);
        symmetry(&std::fs::read_to_string(path).expect("a model"))
    };
    assert_eq!(model("mutex/peterson-5.smv"), [5]);
    assert_eq!(model("large/mesi-6.smv"), [6]);
    assert_eq!(model("large/german-5.smv"), [0; 0], "the home goes from one client to the next");
    assert_eq!(model("mutex/bakery-3.smv"), [0; 0], "numbers decide");
}
