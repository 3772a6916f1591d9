//! Hunting by parallel steps, alone, against a search over states: every violation within the bound is found, and nothing else.

use std::fmt::Write;
use std::sync::Arc;
use system::{Machine, PropertyId};
use uwbmc::bounded::Hunt;
use uwbmc::engine;
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::sat::{Choice, Setup};
use uwbmc::smv::load;
use uwbmc::source::Source;

/// How many random systems are looked at.
const CASES: u64 = 150;

/// Values of the counters of a system.
const VALUES: u64 = 4;

/// Some processes that move counters, and invariants that share parts: each is a conjunction of some of the same conditions.
fn text(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let processes = random.u64(2..4);
    let mut text = "MODULE counter(mine, other)\nVAR\n  pc : {even, odd};\nASSIGN\n  init(pc) := even;\n".to_owned();
    let (from, to) = (random.u64(0..VALUES), random.u64(0..VALUES));
    let _ = writeln!(text, "  next(pc) := case pc = even & other != {from} : odd; pc = odd : even; TRUE : pc; esac;");
    let _ = writeln!(
        text,
        "  next(mine) := case pc = odd : (mine + 1) mod {VALUES}; pc = even & other = {from} : {to}; TRUE : mine; esac;"
    );
    text += "MODULE main\nVAR\n";
    for process in 0..processes {
        let _ = writeln!(text, "  x{process} : 0..{};", VALUES - 1);
    }
    for process in 0..processes {
        let _ = writeln!(text, "  p{process} : process counter(x{process}, x{});", (process + 1) % processes);
    }
    text += "ASSIGN\n";
    for process in 0..processes {
        let _ = writeln!(text, "  init(x{process}) := {};", random.u64(0..2));
    }
    let conditions: Vec<String> = (0..5)
        .map(|_| {
            let (one, two) = (random.u64(0..processes), random.u64(0..processes));
            let (this, that) = (random.u64(0..VALUES), random.u64(0..VALUES));
            format!("!(x{one} = {this} & x{two} = {that} & p{one}.pc = odd)")
        })
        .collect();
    for number in 0..4 {
        let parts: Vec<&str> = conditions.iter().filter(|_| random.bool()).map(String::as_str).collect();
        let invariant = if parts.is_empty() { "TRUE".to_owned() } else { parts.join(" & ") };
        let _ = writeln!(text, "INVARSPEC NAME i{number} := {invariant};");
    }
    text
}

fn machine(text: &str) -> Machine {
    let loaded = load(&Source::new("test.smv", text.as_bytes()), &[]);
    Machine::new(Arc::new(loaded.system.unwrap_or_else(|| panic!("refused: {text}"))))
}

#[test]
fn every_violation_within_the_bound_is_found_and_nothing_else() {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    let (mut violated, mut held, mut shared) = (0, 0, 0);
    for seed in 0..CASES {
        let machine = machine(&text(seed));
        let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
        let bound = 3 + seed as usize % 8;
        let mut hunt = Hunt::new(&machine, &properties, bound, &start).expect("supported").expect("parallel steps");
        let hunted = engine::run(&mut hunt, &mut Handle::default()).expect("nothing fails");
        let limits = Limits { depth: bound, memory: 1 << 30 };
        let searched = search(&machine, &properties, limits, &mut Handle::default());
        let names = |found: &engine::Findings| -> Vec<PropertyId> {
            let mut names: Vec<PropertyId> = found.violations().iter().map(|(property, _)| *property).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(names(&hunted), names(&searched), "seed {seed}, bound {bound}");
        for (property, trace) in hunted.violations() {
            assert!(trace.moves.len() <= bound, "seed {seed}: a run of {} steps", trace.moves.len());
            trace.replay(&machine).unwrap_or_else(|mismatch| panic!("seed {seed}: {mismatch:?}"));
            assert_eq!(trace.violates(&machine, property), Some(trace.moves.len()), "seed {seed}");
        }
        violated += hunted.violations().len();
        held += properties.len() - hunted.violations().len();
        shared += usize::from(hunted.violations().len() > 1);
    }
    assert!(violated > 100 && held > 100 && shared > 30, "{violated} violated, {held} hold, {shared} with several");
}
