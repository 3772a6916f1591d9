//! Successors and replay are two readings of the same step: on random systems they agree on every pair of states.

mod random;

use proptest::prelude::*;
use random::{Coordination, random_system};
use std::collections::BTreeSet;
use std::sync::Arc;
use system::{CommandId, Dependency, Independence, Machine, Moved, ProcessId, State, Value, VarId, Visit};

/// The most states of a system from which every pair is looked at.
const MOST_EXPANDED: usize = 12;

/// A step: who, with which inputs, to which values.
type StepView = (ProcessId, Vec<(VarId, Value)>, Vec<Value>);

/// All combinations of values of some variables.
fn all_values(machine: &Machine, vars: &[VarId]) -> Vec<Vec<(VarId, Value)>> {
    let mut all = vec![Vec::new()];
    for var in vars {
        let domain = &machine.system().variables[*var].domain;
        all = all
            .into_iter()
            .flat_map(|prefix| {
                (0..domain.size() as u64).map(move |index| {
                    let mut longer = prefix.clone();
                    longer.push((*var, domain.value_at(index)));
                    longer
                })
            })
            .collect();
    }
    all
}

fn all_states(machine: &Machine) -> Vec<State> {
    let vars: Vec<VarId> = machine.system().state_variables().map(|(var, _)| var).collect();
    let pack = |pairs: Vec<(VarId, Value)>| {
        let mut values = vec![0; machine.system().variables.len()];
        pairs.into_iter().for_each(|(var, value)| values[var.index()] = value);
        machine.layout().pack(&values, None)
    };
    all_values(machine, &vars).into_iter().map(pack).collect()
}

fn initial_states(machine: &Machine) -> BTreeSet<State> {
    let mut found = BTreeSet::new();
    machine
        .initial_states(&mut machine.workspace(), |state| {
            found.insert(state);
            Visit::Continue(())
        })
        .expect("random systems have no faults");
    found
}

/// What the enumeration says, and the successor states with their control information.
fn enumerated(machine: &Machine, from: &State) -> (BTreeSet<StepView>, BTreeSet<State>) {
    let (mut views, mut states) = (BTreeSet::new(), BTreeSet::new());
    machine
        .successors(&from.0, &mut machine.workspace(), |successor| {
            let step = successor.step();
            let to = State(successor.state.into());
            let process = machine.system().commands[step.command].owner.process;
            views.insert((process, step.inputs, machine.values(&to)));
            states.insert(to);
            Visit::Continue(())
        })
        .expect("random systems have no faults");
    (views, states)
}

/// Some reachable states.
fn reachable(machine: &Machine, most: usize) -> BTreeSet<State> {
    let (mut seen, mut open) = (BTreeSet::new(), initial_states(machine).into_iter().collect::<Vec<State>>());
    while let (Some(state), true) = (open.pop(), seen.len() < most) {
        if seen.insert(state.clone()) {
            open.extend(enumerated(machine, &state).1);
        }
    }
    seen
}

/// What replay says of every pair.
fn replayed(machine: &Machine, from: &State, candidates: &[State]) -> BTreeSet<StepView> {
    let inputs: Vec<VarId> = machine.system().inputs().map(|(var, _)| var).collect();
    let mut views = BTreeSet::new();
    for process in machine.system().processes.indices() {
        for inputs in all_values(machine, &inputs) {
            let moved = Moved { process, command: None, inputs: inputs.clone() };
            for to in candidates {
                if machine.check_step(from, &moved, to).is_ok() {
                    views.insert((process, inputs.clone(), machine.values(to)));
                }
            }
        }
    }
    views
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Steps with given inputs are those of all steps that have these inputs, also where a plan is made for the values: when they
    /// are asked for again, in the same workspace.
    #[test]
    fn given_inputs_leave_the_steps_that_have_them(seed in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::Any)));
        let inputs: Vec<VarId> = machine.system().inputs().map(|(var, _)| var).collect();
        let mut workspace = machine.workspace();
        for state in reachable(&machine, 20) {
            for process in machine.system().processes.indices() {
                let mut all = Vec::new();
                let outcome = machine.successors_among([process], &state.0, &mut machine.workspace(), |successor| {
                    all.push((successor.step().inputs, State(successor.state.into())));
                    Visit::Continue(())
                });
                outcome.expect("random systems have no faults");
                for given in all_values(&machine, &inputs) {
                    let expected: BTreeSet<_> =
                        all.iter().filter(|(inputs, _)| *inputs == given).map(|(_, state)| state.clone()).collect();
                    for _ in 0..3 {
                        let mut found = BTreeSet::new();
                        let outcome = machine.successors_with(&given, process, &state.0, &mut workspace, |successor| {
                            found.insert(State(successor.state.into()));
                            Visit::Continue(())
                        });
                        outcome.expect("random systems have no faults");
                        prop_assert_eq!(&found, &expected, "seed {}", seed);
                    }
                }
            }
        }
    }

    #[test]
    fn replay_accepts_exactly_the_successors(seed in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::Any)));
        let candidates = all_states(&machine);
        let initial = initial_states(&machine);
        for state in &candidates {
            prop_assert_eq!(machine.check_initial(state).is_ok(), initial.contains(state), "seed {}", seed);
        }
        let (mut seen, mut open) = (BTreeSet::new(), initial.into_iter().collect::<Vec<State>>());
        while let (Some(state), true) = (open.pop(), seen.len() < MOST_EXPANDED) {
            if !seen.insert(state.clone()) {
                continue;
            }
            let (steps, states) = enumerated(&machine, &state);
            prop_assert_eq!(&steps, &replayed(&machine, &state, &candidates), "seed {}", seed);
            prop_assert_eq!(steps.is_empty(), !machine.can_move(&state.0, &mut machine.workspace()).expect("no faults"));
            open.extend(states);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Twice over the reachable states: first the memo learns, then it remembers.
    #[test]
    fn a_memo_finds_the_same_steps_in_the_same_order(seed in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::Any)));
        let (mut seen, mut open) = (BTreeSet::new(), initial_states(&machine).into_iter().collect::<Vec<State>>());
        while let (Some(state), true) = (open.pop(), seen.len() < 4 * MOST_EXPANDED) {
            if seen.insert(state.clone()) {
                open.extend(enumerated(&machine, &state).1);
            }
        }
        let mut memo = machine.memo();
        for state in seen.iter().chain(&seen) {
            let (mut plain, mut remembered) = (Vec::new(), Vec::new());
            machine.successors(&state.0, &mut machine.workspace(), |successor| {
                plain.push((successor.command, successor.state.to_vec()));
                Visit::Continue(())
            }).expect("random systems have no faults");
            let mut locals = Vec::new();
            memo.successors(&machine, &state.0, |local, command, next| {
                locals.push(local);
                remembered.push((command, next.to_vec()));
                Visit::Continue(())
            }).expect("random systems have no faults");
            prop_assert_eq!(&plain, &remembered, "seed {}", seed);
            for (local, (command, next)) in locals.iter().zip(&plain) {
                let mut again = state.0.to_vec();
                let found = memo.execute(&machine, &state.0, *local, &mut again).expect("no faults");
                prop_assert_eq!((found, &again), (Some(*command), next), "seed {}", seed);
            }
        }
    }

    /// A successor that a number stands for is one, and there is one if the process can move.
    #[test]
    fn successors_can_be_drawn(seed in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::Any)));
        let mut workspace = machine.workspace();
        for state in initial_states(&machine).iter().take(5) {
            for process in machine.system().processes.indices() {
                let (mut all, mut drawn) = (BTreeSet::new(), BTreeSet::new());
                machine.successors_among([process], &state.0, &mut workspace, |successor| {
                    all.insert((successor.command, successor.state.to_vec()));
                    Visit::Continue(())
                }).expect("random systems have no faults");
                for number in 1..20_u64 {
                    let moves = machine.successor_drawn(process, &state.0, &mut workspace, number << 40 | number, |successor| {
                        drawn.insert((successor.command, successor.state.to_vec()));
                    }).expect("random systems have no faults");
                    prop_assert_eq!(moves, !all.is_empty(), "seed {}", seed);
                }
                prop_assert!(drawn.is_subset(&all), "seed {}", seed);
            }
        }
    }

    /// What a number stands for is an initial state, and numbers stand for all of them where there are few.
    #[test]
    fn initial_states_can_be_drawn(seed in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::Any)));
        let all = initial_states(&machine);
        let mut workspace = machine.workspace();
        let drawn: BTreeSet<State> = (1..200_u64)
            .filter_map(|number| machine.initial_state(&mut workspace, number << 40 | number).expect("no faults"))
            .collect();
        prop_assert!(drawn.is_subset(&all.iter().cloned().collect()), "seed {}", seed);
        prop_assert_eq!(drawn.is_empty(), all.is_empty(), "seed {}", seed);
        prop_assert!(all.len() < 2 || drawn.len() > 1, "seed {}: {} of {}", seed, drawn.len(), all.len());
    }
}

/// The states that a command leads to.
fn after(machine: &Machine, state: &State, command: CommandId) -> BTreeSet<State> {
    let mut found = BTreeSet::new();
    machine
        .successors(&state.0, &mut machine.workspace(), |successor| {
            if successor.command == command {
                found.insert(State(successor.state.into()));
            }
            Visit::Continue(())
        })
        .expect("random systems have no faults");
    found
}

/// Definition 1 of [GP93]: independent commands neither enable nor disable each other, and they commute.
fn check_independence(machine: &Machine, state: &State, a: CommandId, b: CommandId) -> bool {
    let (after_a, after_b) = (after(machine, state, a), after(machine, state, b));
    let then = |states: &BTreeSet<State>, command: CommandId| -> Vec<BTreeSet<State>> {
        states.iter().map(|state| after(machine, state, command)).collect()
    };
    let (a_then_b, b_then_a) = (then(&after_a, b), then(&after_b, a));
    let b_stays = a_then_b.iter().all(|states| states.is_empty() == after_b.is_empty());
    let a_stays = b_then_a.iter().all(|states| states.is_empty() == after_a.is_empty());
    let join = |all: Vec<BTreeSet<State>>| all.into_iter().flatten().collect::<BTreeSet<State>>();
    b_stays && a_stays && (after_a.is_empty() || after_b.is_empty() || join(a_then_b) == join(b_then_a))
}

/// Definition 5 on the reachable states of a system, and Definition 1 with it.
fn check_dependency(machine: &Machine) -> Result<(), TestCaseError> {
    let system = machine.system();
    let dependency = Dependency::new(system);
    let (mut seen, mut open) = (BTreeSet::new(), initial_states(machine).into_iter().collect::<Vec<State>>());
    while let (Some(state), true) = (open.pop(), seen.len() < 2 * MOST_EXPANDED) {
        if !seen.insert(state.clone()) {
            continue;
        }
        for a in system.commands.indices() {
            for b in system.commands.indices().filter(|b| a < *b) {
                let in_state = dependency.are_independent_in(a, b, machine.layout(), &state.0);
                prop_assert!(in_state || !dependency.are_independent(a, b));
                prop_assert_eq!(in_state, says_independent(machine, &dependency.condition(a, b), &state));
                if in_state {
                    prop_assert!(check_independence(machine, &state, a, b), "{:?} and {:?} in {:?}", a, b, state);
                }
            }
        }
        open.extend(enumerated(machine, &state).1);
    }
    Ok(())
}

fn says_independent(machine: &Machine, independence: &Independence, state: &State) -> bool {
    match independence {
        Independence::Always => true,
        Independence::Never => false,
        Independence::When(values) => {
            let now = machine.values(state);
            values.iter().all(|(var, allowed)| allowed.contains(&now[var.index()]))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn independent_commands_commute(seed in any::<u64>()) {
        check_dependency(&Machine::new(Arc::new(random_system(seed, Coordination::None))))?;
    }

    #[test]
    fn independent_commands_commute_between_atomic_sections(seed in any::<u64>()) {
        check_dependency(&Machine::new(Arc::new(random_system(seed, Coordination::Any))))?;
    }
}

#[test]
fn some_random_commands_are_independent() {
    let pairs = (0..200).map(|seed| {
        let system = random_system(seed, Coordination::None);
        let dependency = Dependency::new(&system);
        let mut pairs = 0;
        for (a, first) in system.commands.iter_enumerated() {
            for (b, second) in system.commands.iter_enumerated() {
                pairs += usize::from(first.owner.process < second.owner.process && dependency.are_independent(a, b));
            }
        }
        pairs
    });
    assert!(pairs.sum::<usize>() > 50);
}

#[test]
fn random_systems_are_not_trivial() {
    let (mut steps, mut held, mut stuck) = (0, 0, 0);
    for seed in 0..200 {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::Any)));
        for state in initial_states(&machine).iter().take(3) {
            let (views, states) = enumerated(&machine, state);
            steps += views.len();
            stuck += usize::from(views.is_empty());
            held += states.iter().filter(|state| machine.layout().holder(&state.0).is_some()).count();
        }
    }
    assert!(steps > 500 && held > 50 && stuck > 20, "{steps} steps, {held} in atomic sections, {stuck} stuck states");
}
