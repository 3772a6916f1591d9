//! The formula is the relation: on small random systems, I(s), T(s, s'), faults and properties as the encoder has them are
//! compared with the machine, every pair of states in both directions, for every set of rules.
//!
//! `UWBMC_FUZZ_CASES=1000 cargo test --test engines relation::` looks at that many systems.

use encoder::{
    Distances, Grain, Idling, Lit, Order, Rules, Scheduling, Valid, decides_deadlock, has_passes, tells_ahead,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Slice, State, System, Visit, render_system};
use testkit::constructs;
use testkit::formula;
use testkit::formula::{Formula, View, initial_states_of, steps_of};
use testkit::systems::{Coordination, Random, random_system, random_system_with_faults};
use uwbmc::smv::load;
use uwbmc::source::Source;

/// Systems with more values of variables to combine are left out: every pair of states is looked at.
const MOST_STATES: u128 = 600;

/// How many steps formulas have.
const STEPS: usize = 2;

fn cases() -> u32 {
    std::env::var("UWBMC_FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// The first random system from a seed on that is small enough.
fn next_small_system(seed: u64, make: fn(u64, Coordination) -> System) -> System {
    (0..).find_map(|more| small_system(seed.wrapping_add(more), make)).expect("there are many")
}

/// A random system if it is small enough, with its initial states or with all states as initial ones: the known values of
/// the first state make a formula simpler, and without them every state takes part.
fn small_system(seed: u64, make: fn(u64, Coordination) -> System) -> Option<System> {
    let coordination = if seed.is_multiple_of(3) { Coordination::Program } else { Coordination::None };
    let mut system = make(seed, coordination);
    if seed.is_multiple_of(5) {
        system.initial_values.clear();
        system.initial.clear();
    }
    let states: u128 = system.state_variables().map(|(_, variable)| variable.domain.size()).product();
    (states <= MOST_STATES).then_some(system)
}

/// What becomes of the machine's steps in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    /// They are the steps of the formula.
    Same,
    /// They are, but a step that does nothing may be said to be another process's.
    SameButWho,
    /// Those that change the state are.
    Changing,
}

impl Promise {
    /// A step as the promise sees it, if it is promised.
    fn view(self, from: &State, step: View) -> Option<View> {
        let (process, inputs, to) = step;
        match self {
            Promise::Same => Some((process, inputs, to)),
            Promise::SameButWho => Some((0usize.into(), inputs, to)),
            Promise::Changing => (*from != to).then_some((process, inputs, to)),
        }
    }

    fn views(self, from: &State, steps: BTreeSet<View>) -> BTreeSet<View> {
        steps.into_iter().filter_map(|step| self.view(from, step)).collect()
    }
}

/// The sets of rules that promise something of each step, with every switch on or without switches.
fn rules_of_steps() -> Vec<(Rules, Promise)> {
    let plain = Rules::default();
    let mut rules = vec![
        (plain, Promise::Same),
        (Rules { idling: Idling::Represented, ..plain }, Promise::SameButWho),
        (Rules { idling: Idling::Excluded, ..plain }, Promise::Changing),
        (Rules { distances: Distances::Limited, ..plain }, Promise::Same),
    ];
    for valid in [Valid::Paper, Valid::Monotone] {
        rules.push((Rules { valid, ..plain }, Promise::Same));
        rules.push((Rules { valid, idling: Idling::Excluded, ..plain }, Promise::Changing));
    }
    for order in [Order::Rotating, Order::RoundRobin, Order::RunOn] {
        rules.push((Rules { valid: Valid::Monotone, order, ..plain }, Promise::Same));
        rules.push((Rules { valid: Valid::Monotone, grain: Grain::Process, order, ..plain }, Promise::Same));
    }
    rules
}

/// The machine's relation, as far as it was asked for.
struct Relation<'m> {
    machine: &'m Machine,
    known: BTreeMap<State, Option<BTreeSet<View>>>,
}

impl<'m> Relation<'m> {
    fn new(machine: &'m Machine) -> Relation<'m> {
        Relation { machine, known: BTreeMap::new() }
    }

    /// The steps out of a state; none if one of them has no meaning.
    fn steps(&mut self, from: &State) -> Option<BTreeSet<View>> {
        self.known.entry(from.clone()).or_insert_with(|| steps_of(self.machine, from)).clone()
    }

    /// The states after one more step, each of which is promised; none if a step has no meaning.
    fn next(&mut self, states: &BTreeSet<State>, promise: Promise) -> Option<BTreeSet<State>> {
        let mut next = BTreeSet::new();
        for state in states {
            next.extend(promise.views(state, self.steps(state)?).into_iter().map(|(.., to)| to));
        }
        Some(next)
    }
}

/// A step without its inputs: where nothing reads an input, the machine does not try all its values.
fn without_inputs(steps: BTreeSet<View>) -> BTreeSet<View> {
    steps.into_iter().map(|(process, _, to)| (process, Vec::new(), to)).collect()
}

/// The steps of a formula out of each state, after each number of steps, are what the rules promise.
fn compare_steps(machine: &Machine, see: fn(BTreeSet<View>) -> BTreeSet<View>) -> Result<(), TestCaseError> {
    let mut relation = Relation::new(machine);
    for (rules, promise) in rules_of_steps() {
        let mut formula = Formula::new(machine, rules);
        let mut states = initial_states_of(machine).expect("no faults");
        prop_assert_eq!(&formula.states_at(0), &states, "initial states");
        for time in 0..STEPS {
            formula.extend();
            let always = formula.solver.fresh();
            formula.solver.clause(&[always]);
            let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
            formula.unrolling.limit_distances(always, &properties, formula.solver.as_mut());
            for state in &states {
                let expected = see(promise.views(state, relation.steps(state).expect("no faults")));
                let found = see(promise.views(state, formula.steps_from(time, state)));
                prop_assert_eq!(&found, &expected, "{:?} from {:?} after {}", rules, state, time);
            }
            states = relation.next(&states, promise).expect("no faults");
            prop_assert_eq!(&formula.states_at(time + 1), &states, "{:?} after {}", rules, time + 1);
        }
    }
    Ok(())
}

/// Eq. (12): with switches off, the steps of the formula are some of the machine's. With all of them on they are all. In the
/// monotone form, more switches that are on never take a step away.
fn compare_switches(machine: &Machine, random: &mut Random) -> Result<(), TestCaseError> {
    let mut relation = Relation::new(machine);
    for valid in [Valid::Paper, Valid::Monotone] {
        let mut formula = Formula::new(machine, Rules { valid, ..Rules::default() });
        formula.extend();
        let on: Vec<Lit> = formula.unrolling.switches().iter().map(|switch| switch.lit).collect();
        let off: Vec<Lit> = on.iter().map(|lit| !*lit).collect();
        let some: Vec<Lit> = on.iter().map(|lit| if random.chance(50) { *lit } else { !*lit }).collect();
        for state in initial_states_of(machine).expect("no faults") {
            let all = relation.steps(&state).expect("no faults");
            let mut under = |switches: &[Lit]| {
                formula.assumed = switches.to_vec();
                formula.steps_from(0, &state)
            };
            let (least, middle, most) = (under(&off), under(&some), under(&on));
            prop_assert_eq!(&most, &all, "{:?} with every switch on", valid);
            prop_assert!(least.is_subset(&all) && middle.is_subset(&all), "{:?}", valid);
            if valid == Valid::Monotone {
                prop_assert!(least.is_subset(&middle), "{:?}", valid);
            }
        }
    }
    Ok(())
}

/// Scheduling constraints keep the states that are reachable in exactly k steps; without idling, those that are reachable in
/// k steps and no fewer, and none that is not reachable in k steps.
fn compare_scheduling(machine: &Machine) -> Result<(), TestCaseError> {
    let mut relation = Relation::new(machine);
    for idling in [Idling::Allowed, Idling::Excluded] {
        for valid in [Valid::Absent, Valid::Paper, Valid::Monotone] {
            let rules = Rules { scheduling: Scheduling::Peephole, idling, valid, ..Rules::default() };
            let mut formula = Formula::new(machine, rules);
            let mut states = initial_states_of(machine).expect("no faults");
            let mut before = BTreeSet::new();
            for time in 0..=STEPS {
                let found = formula.states_at(time);
                if idling == Idling::Allowed {
                    prop_assert_eq!(&found, &states, "{:?} after {}", rules, time);
                }
                let nearest: BTreeSet<State> = states.difference(&before).cloned().collect();
                prop_assert!(found.is_subset(&states) && nearest.is_subset(&found), "{:?} after {}", rules, time);
                before.extend(states.iter().cloned());
                states = relation.next(&states, Promise::Same).expect("no faults");
                formula.extend();
            }
        }
    }
    Ok(())
}

/// A process's part of a pass: it changes the state, or no process moves. A process without a part cannot change any state.
fn compare_passes(machine: &Machine) -> Result<(), TestCaseError> {
    let mut relation = Relation::new(machine);
    for first in machine.system().processes.indices() {
        let mut formula = Formula::new(machine, Rules { idling: Idling::Excluded, ..Rules::default() });
        let mut states = initial_states_of(machine).expect("no faults");
        let others = machine.system().processes.indices().filter(|process| *process != first);
        let mut steps = 0;
        for process in [first].into_iter().chain(others) {
            let has_part = formula.unrolling.extend_by(process, formula.solver.as_mut());
            let mut after = states.clone();
            for state in &states {
                let own = relation.steps(state).expect("no faults").into_iter().filter(|(mover, ..)| *mover == process);
                let changed: BTreeSet<State> = own.map(|(.., to)| to).filter(|to| to != state).collect();
                prop_assert!(has_part || changed.is_empty(), "{:?} changes {:?}", process, state);
                for to in changed.iter().filter(|_| has_part).chain([state]) {
                    let times = [(steps, state), (steps + usize::from(has_part), to)];
                    prop_assert!(formula.has(&times, &[]), "{:?}: {:?} to {:?}", process, state, to);
                }
                after.extend(changed);
            }
            steps += usize::from(has_part);
            states = after;
            let mut found = BTreeSet::new();
            formula.enumerate(&[], &[(steps, formula::Part::State)], |formula, model| {
                let trace = formula.unrolling.decode(formula.machine, |lit| model.holds(lit));
                found.insert(trace.states.last().expect("a state").clone());
            });
            prop_assert_eq!(&found, &states, "after {:?}", process);
        }
    }
    Ok(())
}

/// Whether some step out of a state violates an invariant over steps.
fn some_step_violates(machine: &Machine, from: &State, property: PropertyId) -> bool {
    let mut violates = false;
    let look = |mut successor: system::Successor<'_>| {
        violates |= successor.step_holds(property) == Ok(false);
        Visit::Continue(())
    };
    machine.successors(&from.0, &mut machine.workspace(), look).expect("no faults");
    violates
}

/// In each state, each property is as true as the machine says.
fn compare_properties(machine: &Machine) -> Result<(), TestCaseError> {
    let system = machine.system();
    let states = initial_states_of(machine).expect("no faults");
    for (id, property) in system.properties.iter_enumerated() {
        let mut formula = Formula::new(machine, Rules::default());
        let holds = |state: &State| machine.holds(id, &state.0, &mut machine.workspace());
        match property.claim {
            Claim::Invariant(expr) if machine.is_state_invariant(id) => {
                let violated = formula.unrolling.violates(expr, formula.solver.as_mut());
                for state in &states {
                    let is_violated = !holds(state).expect("no faults");
                    prop_assert_eq!(formula.has(&[(0, state)], &[violated]), is_violated, "{}", &property.name);
                    prop_assert_eq!(formula.has(&[(0, state)], &[!violated]), !is_violated, "{}", &property.name);
                }
            }
            Claim::Invariant(expr) => {
                let ahead =
                    tells_ahead(system, id).then(|| formula.unrolling.may_violate(expr, formula.solver.as_mut()));
                for state in states.iter().filter(|_| ahead.is_some()) {
                    let expected = some_step_violates(machine, state, id);
                    let lits: Vec<Lit> = ahead.into_iter().collect();
                    prop_assert_eq!(formula.has(&[(0, state)], &lits), expected, "{} ahead", &property.name);
                }
                formula.extend();
                let behind = formula.unrolling.step_violates(expr, formula.solver.as_mut()).expect("a step");
                for state in &states {
                    let expected = some_step_violates(machine, state, id);
                    prop_assert_eq!(formula.has(&[(0, state)], &[behind]), expected, "{} behind", &property.name);
                }
            }
            Claim::DeadlockFree if decides_deadlock(system) => {
                let deadlock = formula.unrolling.deadlock(formula.solver.as_mut());
                for state in &states {
                    let moves = machine.can_move(&state.0, &mut machine.workspace()).expect("no faults");
                    let expected = !moves && !machine.is_valid_end(state);
                    prop_assert_eq!(formula.has(&[(0, state)], &[deadlock]), expected, "a deadlock in {:?}", state);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A state of the slice: what is outside the cone has its first value.
fn inside(slice: &Slice, machine: &Machine, state: &State) -> State {
    let mut values = machine.values(state);
    for (var, variable) in machine.system().state_variables().filter(|(var, _)| !slice.has(*var)) {
        values[var.index()] = variable.domain.value_at(0);
    }
    machine.layout().pack(&values, machine.layout().holder(&state.0))
}

/// The slice for each property: its formulas are its relation, and that is the system's as far as the cone goes; a step that
/// changes nothing inside the cone need not be one of the other.
fn compare_slices(machine: &Machine) -> Result<(), TestCaseError> {
    let mut relation = Relation::new(machine);
    for property in machine.system().properties.indices() {
        let Some(slice) = Slice::new(machine.system(), &[property], Apart::Kept) else { continue };
        let small = Machine::new(Arc::new(slice.system.clone()));
        let states = initial_states_of(machine).expect("no faults");
        let cut: BTreeSet<State> = states.iter().map(|state| inside(&slice, machine, state)).collect();
        prop_assert_eq!(&initial_states_of(&small).expect("no faults"), &cut, "initial states of the slice");
        compare_steps(&small, without_inputs)?;
        for state in &states {
            let from = inside(&slice, machine, state);
            let own = relation.steps(state).expect("no faults").into_iter();
            let mut own: BTreeSet<State> = own.map(|(.., to)| inside(&slice, machine, &to)).collect();
            let steps = steps_of(&small, &from).expect("no faults").into_iter();
            let mut cut: BTreeSet<State> = steps.map(|(.., to)| to).collect();
            own.insert(from.clone());
            cut.insert(from);
            prop_assert_eq!(own, cut, "{:?} from {:?} of\n{}", property, state, render_system(machine.system()));
        }
    }
    Ok(())
}

/// A step without meaning is found in the state that it starts from, and after as many steps as it takes, by every set of
/// rules. Where relations or constraints take part, the machine may meet a fault in a step that one of them forbids, and the
/// formula has no such step; there, what the formula calls a fault is one of the machine's, and all formulas agree.
fn compare_faults(machine: &Machine) -> Result<(), TestCaseError> {
    let mut known: BTreeMap<(usize, State), bool> = BTreeMap::new();
    let is_exact = decides_deadlock(machine.system()) && machine.system().initial.is_empty();
    let mut relation = Relation::new(machine);
    let mut rules = rules_of_steps();
    for valid in [Valid::Absent, Valid::Monotone] {
        let pruned = Rules { scheduling: Scheduling::Peephole, idling: Idling::Excluded, valid, ..Rules::default() };
        rules.push((pruned, Promise::Changing));
    }
    for (rules, promise) in rules {
        let mut formula = Formula::new(machine, rules);
        let mut states = initial_states_of(machine);
        for time in 0..=STEPS {
            let fault = formula.unrolling.fault(formula.solver.as_mut());
            let is_found = fault.is_some_and(|fault| formula.has(&[], &[fault]));
            let is_missed = states.is_none() && !is_found && is_exact;
            prop_assert!(!is_missed && (states.is_none() || !is_found), "{:?} after {}", rules, time);
            let Some(found) = &states else { break };
            if let Some(fault) = fault {
                formula.solver.clause(&[!fault]);
            }
            formula.extend();
            let fault = formula.unrolling.fault(formula.solver.as_mut());
            for state in found.iter().filter(|_| rules.scheduling == Scheduling::Free) {
                let fails = fault.is_some_and(|fault| formula.has(&[(time, state)], &[fault]));
                let expected = relation.steps(state).is_none();
                let is_missed = expected && !fails && is_exact;
                prop_assert!(!is_missed && (expected || !fails), "{:?} from {:?} after {}", rules, state, time);
                let plainly = *known.entry((time, state.clone())).or_insert(fails);
                prop_assert_eq!(fails, plainly, "{:?} from {:?} after {}", rules, state, time);
            }
            states = relation.next(found, promise);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn steps_are_the_machines(seed in any::<u64>()) {
        let system = next_small_system(seed, random_system);
        compare_steps(&Machine::new(Arc::new(system)), |steps| steps)?;
    }

    #[test]
    fn switches_scheduling_and_passes_keep_their_promises(seed in any::<u64>()) {
        let system = next_small_system(seed, random_system);
        let machine = Machine::new(Arc::new(system));
        compare_switches(&machine, &mut Random(seed))?;
        compare_scheduling(&machine)?;
        if has_passes(machine.system()) {
            compare_passes(&machine)?;
        }
    }

    #[test]
    fn properties_are_true_where_the_machine_says(seed in any::<u64>()) {
        let system = next_small_system(seed, random_system);
        compare_properties(&Machine::new(Arc::new(system)))?;
    }

    #[test]
    fn slices_are_the_system_inside_their_cones(seed in any::<u64>()) {
        let system = next_small_system(seed, random_system);
        compare_slices(&Machine::new(Arc::new(system)))?;
    }

    #[test]
    fn faults_are_where_the_machine_has_them(seed in any::<u64>()) {
        let system = next_small_system(seed, random_system_with_faults);
        compare_faults(&Machine::new(Arc::new(system)))?;
    }
}

/// A process outside the cone that cannot always move decides whether free variables inside it change.
#[test]
fn a_slice_has_no_steps_that_free_variables_wait_for() {
    let system = next_small_system(16_144_636_261_292_622_473, random_system);
    compare_slices(&Machine::new(Arc::new(system))).unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// The systems that formulas and engines are compared on have every construct, and so have those that are small enough here.
#[test]
fn random_systems_have_every_construct() {
    let (mut found, mut small) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..1_500 {
        for make in [random_system, random_system_with_faults] {
            let systems = [Coordination::None, Coordination::Program].map(|coordination| make(seed, coordination));
            found.extend(systems.iter().flat_map(constructs::constructs));
            small.extend(small_system(seed, make).iter().flat_map(constructs::constructs));
        }
    }
    let missing = |found: &BTreeSet<&'static str>| constructs::all().difference(found).copied().collect::<Vec<_>>();
    assert_eq!(missing(&found), Vec::<&str>::new());
    assert_eq!(missing(&small), Vec::<&str>::new());
}

/// The same for models in which formulas and machine differed once: a known integer for a one-hot program counter, `running`
/// in an update, a program counter outside the cone.
#[test]
fn steps_of_models_are_the_machines() {
    for text in [
        "MODULE P(g) VAR pc : 0..2; ASSIGN init(pc) := 1; next(pc) := case pc = 1 : g; TRUE : pc; esac;
         MODULE main VAR g : 0..2; p : process P(g); ASSIGN init(g) := 0; next(g) := g; INVARSPEC p.pc != 0",
        "MODULE P VAR gl : boolean; ASSIGN init(gl) := FALSE; next(gl) := running | gl;
         MODULE main VAR x : 0..1; p : process P; ASSIGN init(x) := 0; next(x) := 1; INVARSPEC p.gl -> x = 0",
        "MODULE M VAR x : boolean; ASSIGN init(x) := TRUE; next(x) := case x : FALSE; TRUE : x; esac;
         MODULE main VAR p : process M; h : boolean; g : boolean; ASSIGN init(g) := FALSE; INVARSPEC !(g & h)",
    ] {
        let source = Source::new("text.smv", text.as_bytes());
        let machine = Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")));
        compare_steps(&machine, |steps| steps).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        compare_slices(&machine).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        compare_scheduling(&machine).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        if has_passes(machine.system()) {
            compare_passes(&machine).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        }
    }
}
