//! Reductions on Promela: atomic sections are single steps, assertions are looked at by the process that makes the step, and timeouts
//! come last. Every search says what plain breadth-first search says.

use super::plainly::Plainly;
use std::collections::BTreeSet;
use system::{Claim, Machine, PropertyId, Refinement, State};
use testkit::pml;
use testkit::promela;
use uwbmc::engine::{Findings, Stop};
use uwbmc::explicit::{
    Keeping, Limits, Options, Order, Reduction, Sets, Stateless, StepLimits, count_visible, run, stateless,
};
use uwbmc::limits::{Handle, Patience};

/// How many random programs are searched; `UWBMC_PROMELA_SEEDS` says otherwise.
const SEEDS: u64 = 150;
/// Larger state spaces are passed over.
const MOST: usize = 20_000;

fn checkable(machine: &Machine) -> Vec<PropertyId> {
    let properties = machine.system().properties.iter_enumerated();
    let is_checkable = |claim: &Claim| matches!(claim, Claim::Invariant(_) | Claim::DeadlockFree);
    properties.filter(|(_, property)| is_checkable(&property.claim)).map(|(id, _)| id).collect()
}

/// What a search says: nothing if running the model fails.
fn view(machine: &Machine, found: &Findings) -> (BTreeSet<PropertyId>, BTreeSet<State>) {
    for (property, trace) in found.violations() {
        trace.replay(machine).expect("a counterexample is a run");
        assert_eq!(trace.violates(machine, property), Some(trace.moves.len()));
    }
    (found.violations().into_iter().map(|(property, _)| property).collect(), found.deadlocks.clone())
}

/// Searches in one way, to the end: no property is asked about that ends the search.
fn look(machine: &Machine, options: &Options) -> Option<(BTreeSet<PropertyId>, BTreeSet<State>)> {
    let mut violated = BTreeSet::new();
    for property in checkable(machine) {
        let found = run(machine, &[property], options, &mut Handle::default()).without_fault().ok()?;
        violated.extend(view(machine, &found).0);
    }
    let found = run(machine, &[], options, &mut Handle::default()).without_fault().ok()?;
    Some((violated, found.deadlocks))
}

fn reductions() -> impl Iterator<Item = Reduction> {
    let sets = [Sets::None, Sets::Persistent, Sets::Sleep, Sets::Both];
    sets.into_iter().flat_map(|sets| {
        [Refinement::Operations, Refinement::Accesses].map(|refinement| Reduction { sets, refinement })
    })
}

fn agree(name: &str, machine: &Machine) {
    let plain = look(machine, &Options::default());
    sleep_spares_no_state(name, machine);
    shortest(name, machine, plain.as_ref());
    for reduction in reductions() {
        let deep = Options { order: Order::DepthFirst, reduction, ..Options::default() };
        assert_eq!(look(machine, &deep), plain, "{name}, {reduction:?}");
        let lean = Options { keeping: Keeping::Branching, ..deep };
        assert_eq!(look(machine, &lean), plain, "{name}, branching states only, {reduction:?}");
        if !reduction.sleeps() {
            let wide = Options { reduction, ..Options::default() };
            assert_eq!(look(machine, &wide), plain, "{name}, breadth-first, {reduction:?}");
        }
        let limits = Limits { depth: 12, memory: usize::MAX };
        let how = Stateless { limits, reduction, steps: StepLimits::default() };
        let walked = stateless(machine, &checkable(machine), how, &mut Handle::default());
        if let (Ok(walked), Some((violated, deadlocks))) = (walked.without_fault(), &plain) {
            let seen = view(machine, &walked);
            assert!(seen.0.is_subset(violated) && seen.1.is_subset(deadlocks), "{name}, stateless, {reduction:?}");
            assert!(walked.stop != Stop::Complete || seen.0 == *violated, "{name}, stateless, {reduction:?}");
        }
    }
}

/// Commands that sleep are tried elsewhere: each state is visited all the same, also where it is met again with other commands asleep.
fn sleep_spares_no_state(name: &str, machine: &Machine) {
    let states = |sets| {
        let reduction = Reduction { sets, ..Reduction::default() };
        let deep = Options { order: Order::DepthFirst, reduction, ..Options::default() };
        run(machine, &[], &deep, &mut Handle::default()).without_fault().ok().map(|found| found.states())
    };
    assert_eq!(states(Sets::Sleep), states(Sets::None), "{name}");
}

/// Breadth-first search runs through atomic sections in one go, and finds the same as one that makes every step: runs as short, and
/// under a limit on the depth as far.
fn shortest(name: &str, machine: &Machine, found: Option<&(BTreeSet<PropertyId>, BTreeSet<State>)>) {
    let plainly = Plainly::visit(machine);
    assert_eq!(plainly.is_some(), found.is_some(), "{name}");
    let (Some(plainly), Some((violated, deadlocks))) = (plainly, found) else { return };
    assert_eq!((&plainly.deadlocks, plainly.violated.len()), (deadlocks, violated.len()), "{name}");
    for (property, depth) in plainly.violated {
        let within = |depth| {
            let options = Options { limits: Limits { depth, memory: usize::MAX }, ..Options::default() };
            run(machine, &[property], &options, &mut Handle::default())
        };
        let lengths: Vec<usize> = within(depth).violations().iter().map(|(_, trace)| trace.moves.len()).collect();
        assert_eq!(lengths, [depth], "{name}");
        let Some(less) = depth.checked_sub(1) else { continue };
        let cut = within(less);
        assert_eq!((cut.violations().len(), cut.stop), (0, Stop::Bound), "{name}");
    }
}

/// Reads a program and leaves out those that are too large for this.
fn small(name: &str, text: &str) -> Option<Machine> {
    let machine = pml::machine_of_random(name, text)?;
    let count = count_visible(&machine, usize::MAX, &mut Handle::default().patient(Patience::of_states(MOST)));
    count.is_ok_and(|count| count.stop == Stop::Complete).then_some(machine)
}

#[test]
fn reductions_of_random_programs_agree() {
    let seeds = std::env::var("UWBMC_PROMELA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    let mut searched = 0;
    for seed in 0..seeds {
        let name = format!("random-{seed}.pml");
        if let Some(machine) = small(&name, &promela::program(seed)) {
            agree(&name, &machine);
            searched += 1;
        }
    }
    assert!(searched * 2 > seeds, "{searched} of {seeds} programs are small enough");
}

#[test]
fn reductions_of_our_models_agree() {
    for path in pml::files("models") {
        let text = std::fs::read_to_string(&path).expect("it is there");
        if let Some(machine) = small(&path.display().to_string(), &text) {
            agree(&path.display().to_string(), &machine);
        }
    }
}

/// A section that comes back to where it began must not keep others waiting for ever.
#[test]
fn no_process_is_ignored_behind_a_section_that_goes_round() {
    let text = "byte x; bool b;
active proctype P() { do :: atomic { x = 1; x = 0 } od }
active proctype Q() { b = true; assert(false) }
";
    let machine = pml::machine_of("round.pml", text);
    agree("round.pml", &machine);
}

/// What is inside of sections is run through and not stored, unless something fails there or there is too much of it.
#[test]
fn sections_are_single_steps_of_breadth_first_search() {
    let searched = |text: &str| {
        let machine = pml::machine_of("sections.pml", text);
        shortest("sections.pml", &machine, look(&machine, &Options::default()).as_ref());
        let states = run(&machine, &[], &Options::default(), &mut Handle::default()).states();
        (states, count_visible(&machine, usize::MAX, &mut Handle::default()).map_or(0, |count| count.states))
    };
    let (states, visible) = searched("byte x; active [3] proctype P() { atomic { x++; x++; x++; x-- } }");
    assert_eq!(states, visible);
    let wide = "byte a, b; active proctype P() { atomic { select(a : 0..99); select(b : 0..99); a = 0; b = 0 } }";
    let (states, visible) = searched(wide);
    assert!(states > visible && visible < 10, "{states} {visible}");
    // A longer section that begins earlier must not hide a shorter way, nor a violation on it.
    let ways = "byte x, y;
active proctype P() { atomic { y = 1; y = 2; y = 3; y = 0; x = 1 } }
active proctype Q() { x = 1; assert(x == 0) }";
    searched(ways);
    let fails = "byte x; byte a[2]; active proctype P() { atomic { x = 1; x = 2; a[x] = 1; x = 0 } }
active proctype Q() { assert(x == 0); assert(false) }";
    let machine = pml::machine_of("fails.pml", fails);
    let found = run(&machine, &checkable(&machine), &Options::default(), &mut Handle::default());
    let (_, trace) = found.fault.expect("an index is outside");
    assert_eq!(trace.moves.len(), 2, "the run up to the failing step");
    assert!(trace.replay(&machine).is_ok());
}

/// An assertion inside a section looks at what others write.
#[test]
fn assertions_inside_sections_are_looked_at() {
    let text = "byte x; byte y;
active proctype P() { atomic { y = 1; assert(x != 1); y = 0 } }
active proctype Q() { x = 1; x = 2 }
";
    agree("inside.pml", &pml::machine_of("inside.pml", text));
}

/// What a section passes through is seen by invariants.
#[test]
fn invariants_look_into_sections() {
    let text = "byte x; byte y;
active proctype P() { atomic { y = 1; y = 0 } }
active proctype Q() { x = 1; x = 2 }
ltl safe { [] !(x == 1 && y == 1) }
";
    agree("invariant.pml", &pml::machine_of("invariant.pml", text));
}

/// A guard that begins with `timeout` is no hindrance to the others, even if the rest of it may have no value.
#[test]
fn a_process_that_waits_for_a_timeout_does_not_tie_the_others() {
    let program = |last: u32| {
        let text = format!(
            "byte a[2]; byte i; byte x;
active proctype P() {{ x++; x++; x++; i = {last} }}
active proctype Q() {{ byte y; y++; y++; y++ }}
active proctype R() {{ timeout && a[i] == 0 }}
active proctype S() {{ timeout; i = 0 }}
"
        );
        pml::machine_of("waiting.pml", &text)
    };
    let inside = program(1);
    agree("waiting.pml", &inside);
    let states = |sets: Sets| {
        let reduction = Reduction { sets, ..Reduction::default() };
        let options = Options { order: Order::DepthFirst, reduction, ..Options::default() };
        run(&inside, &[], &options, &mut Handle::default()).without_fault().expect("no faults").states()
    };
    assert!(states(Sets::Persistent) < states(Sets::None));
    agree("waiting.pml, with an index outside", &program(2));
}

/// Where there are thousands of commands, a search visits some states before it computes what depends on what. If it goes on then, it leaves
/// out interleavings from the beginning.
#[test]
fn many_commands_are_reduced_where_there_are_many_states() {
    let found = |steps: usize, sets: Sets| {
        let moving = |name: usize| {
            let steps = "i = 1 - i; ".repeat(steps);
            format!("active proctype P{name}() {{ bit i; {steps} done++; assert(done < 4) }}\n")
        };
        let waiting = |name: usize| {
            format!("active proctype W{name}() {{ bit i; end: done == 9; {} }}\n", "i = 1 - i; ".repeat(120))
        };
        let processes: String = (0..3).map(moving).chain((0..10).map(waiting)).collect();
        let machine = pml::machine_of("long.pml", &format!("byte done;\n{processes}"));
        let reduction = Reduction { sets, ..Reduction::default() };
        let options = Options { order: Order::DepthFirst, reduction, ..Options::default() };
        let found = run(&machine, &checkable(&machine), &options, &mut Handle::default()).without_fault();
        let found = found.expect("no faults");
        (view(&machine, &found).0, found.states())
    };
    let [(expected, all), (reduced, few)] = [Sets::None, Sets::Both].map(|sets| found(60, sets));
    assert_eq!(reduced, expected);
    assert!(few * 50 < all, "{few} of {all} states");
    let [(_, all), (_, looked_at)] = [Sets::None, Sets::Both].map(|sets| found(10, sets));
    assert_eq!(looked_at, all, "the first look is all of it");
}

/// [GP93]'s table on SPIN's example dtp, where it is installed. The paper stores 56,626 states with unrefined and 9,920 with
/// refined dependencies.
#[test]
fn dtp_is_reduced_as_far_as_in_the_paper() {
    let folder = std::env::var("SPIN_EXAMPLES").unwrap_or("/usr/share/doc/spin/examples/Examples".to_owned());
    let path = std::path::Path::new(&folder).join("dtp.pml");
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
        return;
    }
    let machine = pml::machine(&path);
    let sizes = uwbmc::experiment::protocol::sizes_of(&machine, &checkable(&machine)).expect("no faults");
    let [plain, unrefined, refined, branching] = sizes.map(|size| size.stored);
    assert_eq!(plain, 251_409);
    assert!(unrefined < plain / 3 && refined < unrefined / 5 && refined <= 9_920, "{sizes:?}");
    assert!(branching < refined, "{sizes:?}");
}
