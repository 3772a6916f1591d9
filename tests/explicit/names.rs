//! Interchangeable processes whose names are values: the states that stand for others are as many as there are orbits.

use super::plainly::Plainly;
use super::symmetry::{machine, properties, search, symmetry};
use std::collections::BTreeSet;
use system::{Machine, State, Visit};
use testkit::systems::Random;
use uwbmc::engine::Stop;
use uwbmc::explicit::Symmetries;

/// Conditions that treat names alike, over the variables of a process and those that all share.
const ALIKE: [&str; 13] = [
    "pc = a",
    "pc = b",
    "pc != c",
    "owner = id",
    "owner != id",
    "owner = 0",
    "last = id",
    "owner = last",
    "f[id] = 0",
    "f[id] < 2",
    "f[last] = 2",
    "s",
    "(last = id ? f[last] = 1 : s)",
];

/// Conditions that tell names apart.
const APART: [&str; 5] = ["last < id", "owner + 1 = id", "owner = 1", "last in {1, 2}", "f[1] = 2"];

fn condition(random: &mut Random, apart: usize) -> String {
    let mut one = || match random.below(100) < apart {
        true => APART[random.below(APART.len())],
        false => ALIKE[random.below(ALIKE.len())],
    };
    format!("({} & {})", one(), one())
}

fn assignment(random: &mut Random, apart: usize, variable: &str, values: &[&str]) -> String {
    let mut text = format!("  next({variable}) := case\n");
    for _ in 0..1 + random.below(3) {
        let value = values[random.below(values.len())];
        text += &format!("    {} : {value};\n", condition(random, apart));
    }
    text + &format!("    TRUE : {variable};\n  esac;\n")
}

/// Processes that have a number each, and conditions most of which treat them alike.
fn program(seed: u64) -> (String, usize) {
    let mut random = Random(seed);
    let count = 2 + random.below(3);
    let apart = if random.chance(30) { 10 } else { 0 };
    let mut text = "MODULE one(id, owner, last, f, s)\nVAR pc : {a, b, c};\nASSIGN init(pc) := a;\n".to_owned();
    text += &assignment(&mut random, apart, "pc", &["a", "b", "c", "{a, b}", "{b, c}"]);
    text += &assignment(&mut random, apart, "f[id]", &["0", "1", "2", "{0, 1}"]);
    text += &assignment(&mut random, apart, "owner", &["id", "0", "last", "{0, id}", "(s ? id : last)"]);
    text += &assignment(&mut random, apart, "last", &["id", "id", "{last, id}", &format!("1..{count}")]);
    text += &assignment(&mut random, apart, "s", &["TRUE", "FALSE"]);
    text += &format!(
        "MODULE main\nVAR owner : 0..{count}; last : 1..{count}; f : array 1..{count} of 0..2; s : boolean;\n"
    );
    let each = |line: &dyn Fn(usize) -> String| (1..=count).map(line).collect::<String>();
    text += &each(&|id| format!("p{id} : process one({id}, owner, last, f, s);\n"));
    text += ["ASSIGN init(owner) := 0; ", "ASSIGN init(owner) := 1; "][random.below(2)];
    text += ["init(last) := 1;\n", "init(last) := 2;\n", ""][random.below(3)];
    text += &each(&|id| format!("init(f[{id}]) := 0;\n"));
    text += "init(s) := FALSE;\nINVARSPEC s | !s;\n";
    for _ in 0..2 {
        let joined = |parts: &dyn Fn(usize) -> String| (1..=count).map(parts).collect::<Vec<_>>().join(" & ");
        text += &match random.below(4) {
            0 => format!("INVARSPEC !({});\n", joined(&|id| format!("p{id}.pc = c"))),
            1 => format!("INVARSPEC {};\n", joined(&|id| format!("(owner = {id} -> p{id}.pc = b)"))),
            2 => format!("INVARSPEC {};\n", joined(&|id| format!("!(last = {id} & f[{id}] = 2)"))),
            _ if apart > 0 => "INVARSPEC owner != 2;\n".to_owned(),
            _ => "INVARSPEC f[last] = 0 | owner = 0;\n".to_owned(),
        };
    }
    (text, count)
}

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
        let (text, count) = program(seed);
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
