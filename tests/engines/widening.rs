//! Underapproximation-widening as the paper has it: its example, its propositions, and the order of its rounds.

use encoder::{Distances, Grain, Idling, Lit, Order, Rules, Scheduling, Unrolling, Valid};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId};
use testkit::systems::{Coordination, random_system};
use uwbmc::bounded::{Carry, Lengths, Strategy, Sweep, Widen};
use uwbmc::engine::{self, Engine, Findings};
use uwbmc::limits::{Effort, Handle};
use uwbmc::sat::{Answer, Choice, Setup};
use uwbmc::smv::load;
use uwbmc::source::Source;

fn model(path: &str) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let source = Source::new(path.display().to_string(), &std::fs::read(&path).expect("readable"));
    Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")))
}

fn invariants(machine: &Machine) -> Vec<PropertyId> {
    let is_invariant = |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_));
    machine.system().properties.indices().filter(is_invariant).collect()
}

fn start(phase: uwbmc::sat::Phase) -> Box<dyn uwbmc::sat::Solver> {
    Choice::default().start(Setup { phase, ..Setup::default() })
}

/// check_uw(M, φ, k): runs of exactly k steps.
fn check_exactly(machine: &Machine, bound: usize, strategy: Strategy) -> Findings {
    let mut sweep =
        Sweep::new(machine, &invariants(machine), Lengths::Exactly(bound), strategy, &start).expect("supported");
    engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails")
}

#[test]
fn example_2_of_the_paper() {
    let machine = model("models/paper/figure1.smv");
    let found = check_exactly(&machine, 3, Strategy::paper());
    assert_eq!(found.violations().len(), 1, "x = 2 is reached when b runs before a");
    let round = found.cost.rounds.first().expect("the first underapproximation has no counterexample");
    assert_eq!(round.restricted, found.cost.points, "it begins with every point restricted");
    let process = machine.system().process_named("pA").expect("a process of the model");
    assert!(round.blamed.iter().any(|point| point.process == process), "b is held back at the point of a: {round:?}");
    assert!(found.cost.rounds.len() < found.cost.points, "not all interleavings are needed");
}

#[test]
fn a_round_of_the_paper_widens_one_point_and_a_bound_starts_over() {
    let machine = model("models/leader/leader-3.smv");
    let mut sweep = Sweep::new(&machine, &invariants(&machine), 6, Strategy::paper(), &start).expect("supported");
    let found = engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails");
    assert_eq!(found.settled, Some(6));
    let mut bounds = BTreeSet::new();
    for round in &found.cost.rounds {
        assert_eq!(round.widened.len(), 1, "{round:?}");
        assert!(round.blamed.contains(&round.widened[0]), "{round:?}");
        if bounds.insert(round.bound) {
            assert_eq!(round.restricted, found.cost.points, "{round:?}");
        }
    }
    assert!(bounds.len() > 2, "several bounds need more than one interleaving");
}

#[test]
fn our_rounds_widen_all_that_is_blamed_and_keep_it() {
    let machine = model("models/leader/leader-3.smv");
    let mut sweep = Sweep::new(&machine, &invariants(&machine), 8, Strategy::widening(), &start).expect("supported");
    let found = engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails");
    assert!(!found.cost.rounds.is_empty());
    let mut restricted = found.cost.points;
    for round in &found.cost.rounds {
        assert_eq!(round.restricted, restricted, "an underapproximation only ever widens");
        assert_eq!(round.widened, round.blamed);
        restricted -= round.widened.len();
    }
}

#[test]
fn a_scout_never_claims_a_bound() {
    let machine = model("models/mutex/peterson-2.smv");
    let strategy = Strategy::scout(Order::RoundRobin);
    let mut sweep = Sweep::new(&machine, &invariants(&machine), 6, strategy, &start).expect("supported");
    assert_eq!(engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails").settled, None);
}

/// A point without a switch must not hold a process back: here the second process only has steps that change nothing, and
/// the first one looks enabled, but a constraint forbids its step.
#[test]
fn a_point_without_a_switch_holds_no_process_back() {
    let text = "MODULE stuck VAR pc : {start, end}; ASSIGN init(pc) := start; next(pc) := end;
        MODULE idle VAR pc : {only}; ASSIGN next(pc) := only;
        MODULE main VAR a : process stuck; b : process idle; IVAR i : boolean;
        INVAR a.pc = start; INVARSPEC i;";
    let source = Source::new("text.smv", text.as_bytes());
    let machine = Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")));
    for strategy in [Strategy::plain(), Strategy::widening(), Strategy::paper()] {
        let mut sweep = Sweep::new(&machine, &invariants(&machine), 2, strategy, &start).expect("supported");
        let found = engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails");
        assert_eq!(found.violations().len(), 1, "a step with i = FALSE is possible: {strategy:?}");
    }
}

/// Why no control point keeps partial expansion for good: the step of `a` is independent of `b` and invisible, so that
/// letting it always go first preserves which states of `b` are reachable, but not in how many steps.
#[test]
fn partial_expansion_for_good_would_lose_a_bound() {
    let text = "MODULE local VAR pc : {start, end}; ASSIGN init(pc) := start; next(pc) := end;
        MODULE visible VAR pc : {start, bad}; ASSIGN init(pc) := start; next(pc) := bad;
        MODULE main VAR a : process local; b : process visible; INVARSPEC b.pc != bad;";
    let source = Source::new("text.smv", text.as_bytes());
    let machine = Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")));
    let a = machine.system().process_named("a").expect("there is one");
    let mut solver = start(uwbmc::sat::Phase::True);
    let rules = Rules { valid: Valid::Monotone, ..Rules::default() };
    let mut unrolling = Unrolling::new(machine.system(), rules, solver.as_mut()).expect("supported");
    let off: Vec<Lit> =
        unrolling.switches().iter().filter(|switch| switch.process == a).map(|switch| !switch.lit).collect();
    assert!(!off.is_empty());
    let Claim::Invariant(invariant) = machine.system().properties[PropertyId::from(0usize)].claim else {
        panic!("an invariant")
    };
    let mut found = Vec::new();
    for _ in 0..2 {
        unrolling.extend(solver.as_mut());
        let violated = unrolling.violates(invariant, solver.as_mut());
        let mut assumptions = off.clone();
        assumptions.push(violated);
        let mut ask = |assumptions: &[Lit]| solver.solve(assumptions, Effort::Unlimited, &mut Handle::default());
        found.push((matches!(ask(&assumptions), Answer::Sat(_)), matches!(ask(&[violated]), Answer::Sat(_))));
    }
    assert_eq!(found, [(false, true), (true, true)], "restricted and free, after one step and after two");
}

/// The final states of all runs of a length, under some of the switches being off.
fn final_states(machine: &Machine, rules: Rules, steps: usize, off: &dyn Fn(usize) -> bool) -> BTreeSet<Vec<u64>> {
    final_states_after(machine, rules, steps, off, &|_, _| {})
}

/// The same, with something done to the formula after each step.
fn final_states_after(
    machine: &Machine,
    rules: Rules,
    steps: usize,
    off: &dyn Fn(usize) -> bool,
    then: &dyn Fn(&mut Unrolling<'_>, &mut dyn uwbmc::sat::Solver),
) -> BTreeSet<Vec<u64>> {
    let mut solver = start(uwbmc::sat::Phase::True);
    let mut unrolling = Unrolling::new(machine.system(), rules, solver.as_mut()).expect("supported");
    for _ in 0..steps {
        unrolling.extend(solver.as_mut());
        then(&mut unrolling, solver.as_mut());
    }
    let always = solver.fresh();
    solver.clause(&[always]);
    unrolling.limit_distances(always, &invariants(machine), solver.as_mut());
    let assumptions: Vec<Lit> = unrolling
        .switches()
        .iter()
        .enumerate()
        .filter(|(index, _)| off(*index))
        .map(|(_, switch)| !switch.lit)
        .collect();
    let bits: Vec<encoder::Signal> =
        unrolling.bits(encoder::Time(steps)).into_iter().map(|(_, signal)| signal).collect();
    let lits: Vec<Lit> = bits.into_iter().map(|signal| unrolling.literal(signal, solver.as_mut())).collect();
    let mut states = BTreeSet::new();
    while let Answer::Sat(found) = solver.solve(&assumptions, Effort::Unlimited, &mut Handle::default()) {
        let trace = unrolling.decode(machine, |lit| found.holds(lit));
        states.insert(trace.states.last().expect("a state").0.to_vec());
        let different: Vec<Lit> = lits.iter().map(|lit| if found.holds(*lit) { !*lit } else { *lit }).collect();
        solver.clause(&different);
    }
    states
}

/// Every other system has atomic sections, rendezvous and timeouts.
fn any_coordination(seed: u64) -> Coordination {
    if seed.is_multiple_of(2) { Coordination::Program } else { Coordination::None }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Equation (12): T' is within T, with free switches it is T, and the monotone form only ever adds runs.
    #[test]
    fn underapproximations_lie_between_nothing_and_all(seed in any::<u64>(), choice in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, any_coordination(seed))));
        let steps = 2;
        let all = final_states(&machine, Rules::default(), steps, &|_| false);
        for order in [Order::Fixed, Order::Rotating, Order::RoundRobin, Order::RunOn] {
            for valid in [Valid::Paper, Valid::Monotone] {
                let rules = Rules { valid, order, scheduling: Scheduling::Free, ..Rules::default() };
                let none_off = final_states(&machine, rules, steps, &|_| false);
                prop_assert_eq!(&none_off, &all, "seed {} {:?}", seed, rules);
                let all_off = final_states(&machine, rules, steps, &|_| true);
                let some_off = final_states(&machine, rules, steps, &|index| choice >> (index % 64) & 1 == 1);
                prop_assert!(all_off.is_subset(&all) && some_off.is_subset(&all), "seed {} {:?}", seed, rules);
                if valid == Valid::Monotone {
                    prop_assert!(all_off.is_subset(&some_off), "seed {} {:?}", seed, rules);
                }
            }
        }
    }

    /// What is on for good needs no clause: the same runs are left, with the other switches off.
    #[test]
    fn released_switches_are_the_same_as_those_that_are_on(seed in any::<u64>(), choice in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, any_coordination(seed))));
        for grain in [Grain::Point, Grain::Process] {
            for order in [Order::Fixed, Order::Rotating, Order::RoundRobin, Order::RunOn] {
                let rules = Rules { valid: Valid::Monotone, grain, order, ..Rules::default() };
                let on = |unrolling: &Unrolling<'_>| -> Vec<Lit> {
                    let is_on = |lit: &Lit| choice >> (lit.variable() % 64) & 1 == 1;
                    unrolling.switches().iter().map(|switch| switch.lit).filter(is_on).collect()
                };
                let fix = |unrolling: &Unrolling<'_>, solver: &mut dyn uwbmc::sat::Solver| {
                    on(unrolling).into_iter().for_each(|lit| solver.clause(&[lit]));
                };
                let release = |unrolling: &mut Unrolling<'_>, solver: &mut dyn uwbmc::sat::Solver| {
                    fix(unrolling, solver);
                    let on = on(unrolling);
                    unrolling.release(&on);
                };
                let switches = Unrolling::new(machine.system(), rules, start(uwbmc::sat::Phase::True).as_mut());
                let lits: Vec<Lit> = switches.expect("supported").switches().iter().map(|switch| switch.lit).collect();
                let off = |index: usize| choice >> (lits[index].variable() % 64) & 1 == 0;
                let fixed = final_states_after(&machine, rules, 3, &off, &|unrolling, solver| fix(unrolling, solver));
                let released = final_states_after(&machine, rules, 3, &off, &release);
                prop_assert_eq!(fixed, released, "seed {} {:?}", seed, rules);
            }
        }
    }

    /// How far processes can be, and who makes the steps that change nothing, is no restriction.
    #[test]
    fn distances_and_representatives_lose_no_state(seed in any::<u64>(), steps in 0usize..4) {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::None)));
        let all = final_states(&machine, Rules::default(), steps, &|_| false);
        let rules = Rules { distances: Distances::Limited, idling: Idling::Represented, ..Rules::default() };
        prop_assert_eq!(&final_states(&machine, rules, steps, &|_| false), &all, "seed {}", seed);
    }

    /// Proposition 3: check_uw returns valid if and only if no run of exactly k steps violates the property.
    /// Proposition 4: it terminates, after as many rounds as there are control points at most.
    #[test]
    fn propositions_3_and_4(seed in any::<u64>(), bound in 0usize..4) {
        let machine = Machine::new(Arc::new(random_system(seed, any_coordination(seed))));
        let plain = check_exactly(&machine, bound, Strategy::plain());
        let violated = |found: &Findings| found.violations().into_iter().map(|(id, _)| id).collect::<BTreeSet<_>>();
        for strategy in [
            Strategy::paper(),
            Strategy { widen: Widen::Blamed, ..Strategy::paper() },
            Strategy { rules: Rules { valid: Valid::Monotone, ..Rules::default() }, ..Strategy::paper() },
            Strategy { carry: Carry::Restart, rules: Rules { valid: Valid::Monotone, ..Rules::default() }, ..Strategy::plain() },
        ] {
            let found = check_exactly(&machine, bound, strategy);
            prop_assert_eq!(violated(&found), violated(&plain), "seed {} {:?}", seed, strategy);
            // One question for all properties, and one for each if that has an answer.
            let questions = invariants(&machine).len() + 2;
            prop_assert!(found.cost.rounds.len() <= found.cost.points * questions, "seed {}: {} rounds", seed, found.cost.rounds.len());
            for round in &found.cost.rounds {
                prop_assert!(!round.widened.is_empty(), "seed {}", seed);
            }
        }
    }
}

/// That sixteen moves need sixteen steps is the pigeonhole principle, which no solver finds out by itself.
#[test]
fn the_deadlock_of_the_philosophers_is_not_looked_for_too_early() {
    let machine = model("models/philosophers/philosophers-8-broken.smv");
    let safe = [machine.system().properties.position(|property| property.name == "safe").expect("there is one")];
    let mut sweep = Sweep::new(&machine, &safe, 15, Strategy::plain(), &start).expect("supported");
    while sweep.turn(Effort::Unlimited, &mut Handle::default()) == Ok(None) {}
    assert_eq!(sweep.found().settled, Some(15));
    assert!(sweep.work().conflicts < 1_000, "{} conflicts", sweep.work().conflicts);
}

#[test]
fn work_is_counted() {
    let machine = model("models/mutex/peterson-2.smv");
    let mut sweep = Sweep::new(&machine, &invariants(&machine), 8, Strategy::paper(), &start).expect("supported");
    let mut before = sweep.work();
    while sweep.turn(Effort::Unlimited, &mut Handle::default()) == Ok(None) {
        let now = sweep.work();
        assert!(now.ticks >= before.ticks && now.conflicts >= before.conflicts, "{before:?} {now:?}");
        before = now;
    }
    assert!(before.ticks > 0);
}
