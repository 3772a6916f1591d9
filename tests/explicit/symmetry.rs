//! States that differ in interchangeable processes only: one stands for all, and what is found is what a search of every state finds.

use super::plainly::Plainly;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId, Symmetry};
use testkit::symmetric::instances;
use uwbmc::engine::{Findings, Stop};
use uwbmc::explicit::{Limits, Options, Symmetries, run};
use uwbmc::limits::Handle;
use uwbmc::smv::load;
use uwbmc::source::Source;

pub fn machine(text: &str) -> Machine {
    let source = Source::new("symmetric.smv", text.as_bytes());
    let loaded = load(&source, &[]);
    Machine::new(Arc::new(loaded.system.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))))
}

pub fn properties(machine: &Machine) -> Vec<PropertyId> {
    let is_invariant = |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_));
    machine.system().properties.indices().filter(is_invariant).collect()
}

pub fn symmetry(text: &str) -> Vec<usize> {
    let machine = machine(text);
    Symmetry::of(machine.system(), &properties(&machine)).sizes()
}

pub fn search(machine: &Machine, symmetries: Symmetries, depth: usize) -> Findings {
    let options = Options { limits: Limits { depth, memory: usize::MAX }, symmetries, ..Options::default() };
    run(machine, &properties(machine), &options, &mut Handle::default())
}

#[test]
fn one_of_symmetric_states_stands_for_all_in_random_systems() {
    let (mut reduced, mut saved) = (0, 0);
    for seed in 0..120 {
        let text = instances(seed);
        let machine = machine(&text);
        let plain = search(&machine, Symmetries::Ignored, usize::MAX);
        if plain.states() > 20_000 {
            continue;
        }
        let plainly = Plainly::visit(&machine).expect("no faults");
        let found = search(&machine, Symmetries::Exploited, usize::MAX);
        assert_eq!(found.deadlocks.is_empty(), plainly.deadlocks.is_empty(), "{text}");
        for (property, trace) in found.violations() {
            trace.replay(&machine).unwrap_or_else(|mismatch| panic!("{mismatch:?}\n{text}"));
            assert_eq!(trace.violates(&machine, property), Some(trace.moves.len()), "{text}");
        }
        let lengths: Vec<_> = found.violations().into_iter().map(|(id, trace)| (id, trace.moves.len())).collect();
        assert_eq!(plainly.violated, lengths.into_iter().collect(), "{text}");
        assert_eq!(found.stop, plain.stop, "{text}");
        for depth in 0..4 {
            let [ours, theirs] = [Symmetries::Exploited, Symmetries::Ignored].map(|how| search(&machine, how, depth));
            assert_eq!((ours.stop, ours.settled), (theirs.stop, theirs.settled), "{text}");
        }
        if found.stop == Stop::Complete {
            assert!(found.states() <= plain.states(), "{text}");
            reduced += usize::from(found.states() < plain.states());
            saved += usize::from(3 * found.states() < plain.states());
        }
    }
    assert!(reduced > 8 && saved > 1, "{reduced} {saved}");
}

const WORKERS: &str = "MODULE worker(s) VAR pc : {idle, busy}; ASSIGN init(pc) := idle;
    next(pc) := case pc = idle & !s : busy; pc = busy : idle; TRUE : pc; esac;
    next(s) := case pc = idle & !s : TRUE; pc = busy : FALSE; TRUE : s; esac;
    MODULE main VAR s : boolean; a : process worker(s); b : process worker(s); c : process worker(s); d : process worker(s);
    ASSIGN init(s) := FALSE;\n";

#[test]
fn processes_are_interchangeable_where_nothing_tells_them_apart() {
    let with = |more: &str| symmetry(&format!("{WORKERS}{more}"));
    assert_eq!(with(""), [4]);
    assert_eq!(
        with(
            "INVARSPEC !(a.pc = busy & b.pc = busy) & !(a.pc = busy & c.pc = busy) & !(a.pc = busy & d.pc = busy) \
        & !(b.pc = busy & c.pc = busy) & !(b.pc = busy & d.pc = busy) & !(c.pc = busy & d.pc = busy)"
        ),
        [4]
    );
    assert_eq!(with("INVARSPEC a.pc = idle"), [3], "one is named");
    assert_eq!(with("INVARSPEC a.running -> s"), [3], "the steps of one are asked about");
    assert_eq!(with("TRANS a.running -> s | next(s)"), [3], "the steps of one are restricted");
    let all = ["a", "b", "c", "d"].map(|name| format!("({name}.running -> {name}.pc = idle)"));
    assert_eq!(with(&format!("INVARSPEC {}", all.join(" & "))), [4], "the steps of all are asked about alike");
    assert_eq!(with("INVARSPEC a.pc = idle | b.pc = idle"), [2, 2], "two pairs");
    assert_eq!(with("INVAR a.pc = idle -> c.pc = idle"), [2], "b and d only");
    assert_eq!(with("INIT d.pc = busy"), [4], "one begins otherwise, and goes on like the others");
    let neighbours = "MODULE worker(mine, next_one) VAR pc : {idle, busy}; ASSIGN init(pc) := idle;
        next(pc) := case !mine & !next_one : busy; TRUE : idle; esac; next(mine) := case pc = busy : TRUE; TRUE : mine; esac;
        MODULE main VAR f : array 0..2 of boolean; a : process worker(f[0], f[1]); b : process worker(f[1], f[2]);
        c : process worker(f[2], f[0]);";
    assert_eq!(symmetry(neighbours), [0; 0], "a ring can only be turned");
}

#[test]
fn symmetry_saves_states() {
    let machine = machine(&format!("{WORKERS}INVARSPEC TRUE"));
    let [plain, reduced] =
        [Symmetries::Ignored, Symmetries::Exploited].map(|how| search(&machine, how, usize::MAX).states());
    assert_eq!((plain, reduced), (5, 2));
}
