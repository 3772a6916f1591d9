//! The figures of the papers behind the explicit engines.

use bench::spin::{Contest, compare};
use std::sync::Arc;
use system::{Machine, Trace};
use testkit::promela;
use uwbmc::engine::Verdict;
use uwbmc::experiment::graph::{Arcs, Costs, Rule};
use uwbmc::experiment::memory::{Way, curve};
use uwbmc::experiment::philosophers::{Row, philosophers, row};
use uwbmc::experiment::protocol::{protocol, sizes};
use uwbmc::explicit::{
    Forgetting, Interleavings, Limits, Reduction, Room, Sets, Stateless, StepLimits, check_on_line, find_cycle,
    stateless,
};
use uwbmc::limits::{Handle, Patience};
use uwbmc::{Language, Model};

/// Figure 4 of [God97], and the numbers of states.
#[test]
fn philosophers_are_those_of_the_paper() {
    let paper = [(17, 18, 18), (75, 123, 1_680), (321, 708, 386_816), (1_363, 3_765, 354_940_010)];
    for (index, (states, classical, stateless)) in paper.into_iter().enumerate() {
        let found = row(index + 2);
        let Row { deadlocks, reduced, .. } = found;
        assert_eq!((found.states, found.classical, found.stateless), (states, classical, stateless));
        assert_eq!(deadlocks, 1);
        assert!(reduced[2] <= classical, "{found:?}");
    }
    assert_eq!(row(6).states, 5_777);
}

/// The number of steps without reductions is counted above; here they are made.
#[test]
fn stateless_steps_are_counted_right() {
    let machine = Machine::new(Arc::new(philosophers(4)));
    let limits = Limits { depth: usize::MAX, memory: usize::MAX };
    let how = Stateless { limits, reduction: Reduction::default(), steps: StepLimits::default() };
    let found = stateless(&machine, &[], how, &mut Handle::default());
    assert!(found.fault.is_none());
    assert_eq!(found.cost.transitions, 386_816);
}

/// §6 of [GP93]: refining dependencies pays on a protocol with channels.
#[test]
fn refined_dependencies_leave_fewer_states() {
    let [plain, unrefined, refined, branching] = sizes(3, 6);
    assert!(unrefined.states < plain.states, "{unrefined:?} of {plain:?}");
    assert!(refined.states * 3 < unrefined.states * 2, "{refined:?} of {unrefined:?}");
    assert!(branching.stored < refined.stored && branching.states >= refined.states, "{branching:?} of {refined:?}");
    assert!(refined.transitions < unrefined.transitions && unrefined.transitions < plain.transitions);
}

/// Figure 1 of [JJ91]: with room for 40 % of the states, the paper stores 1.7 times as many. Where different orders of
/// independent steps meet again and again, that takes sleep sets.
#[test]
fn forgetting_states_costs_no_more_than_in_the_paper() {
    let sleep = Reduction { sets: Sets::Sleep, ..Reduction::default() };
    for system in [philosophers(6), protocol(3, 6)] {
        let way = Way { reduction: sleep, forgetting: Forgetting::AtRandom };
        let points = curve(&Machine::new(Arc::new(system)), &[100, 40], way);
        let insertions: Vec<usize> =
            points.iter().map(|point| point.cost.expect("short paths fit").insertions).collect();
        assert_eq!(insertions[0], points[0].states);
        assert!(insertions[1] > points[1].states && insertions[1] * 10 <= points[1].states * 17, "{points:?}");
    }
}

/// On random graphs whose arcs lead anywhere, paths are long, and less memory than for 1 - 1 / m of the states is not enough.
#[test]
fn random_graphs_with_arcs_to_anywhere_need_much_memory() {
    for (degree, enough, too_little) in [(4, 60, 40), (5, 60, 50), (6, 70, 60)] {
        let costs = Costs::of(Rule { most: 1000, degree, arcs: Arcs::Anywhere }, 5);
        assert!(costs.path > 0.2, "{costs:?}");
        assert!(costs.median(90).is_some_and(|cost| cost < 1.1), "{costs:?}");
        assert!(costs.median(enough).is_some_and(|cost| cost < 4.0), "{costs:?}");
        assert_eq!(costs.within(too_little, 1.7), (0, 5), "{costs:?}");
    }
}

/// Figure 1 of [JJ91], on random graphs with short paths: with room for 40 % of the states, most searches store no more than
/// 1.7 times as many.
#[test]
fn random_graphs_with_short_paths_cost_no_more_than_in_the_paper() {
    let costs = Costs::of(Rule { most: 2000, degree: 4, arcs: Arcs::Ahead }, 15);
    assert!(costs.path < 0.1, "{costs:?}");
    assert!(costs.median(50).is_some_and(|cost| cost > 1.0 && cost < 1.2), "{costs:?}");
    assert!(costs.median(40).is_some_and(|cost| cost <= 1.7), "{costs:?}");
}

/// The lock in Promela is the lock that we search: SPIN finds as many states.
#[test]
fn spin_finds_the_states_of_the_lock() {
    if std::process::Command::new("spin").arg("-V").output().is_err() {
        println!("skipped: there is no spin");
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin");
    let table = compare(&folder, &[Contest::Lock(3)]).expect("spin and gcc run");
    let states: Vec<&str> = table.lines().skip(1).take(3).filter_map(|line| line.split(',').nth(3)).collect();
    assert_eq!(states, [states[0]; 3], "{table}");
}

/// §3 of [JJ91]: on-line checking says what components say, also where states are forgotten.
#[test]
fn on_line_checking_in_bounded_memory_agrees_with_components() {
    let (mut checked, mut violated, mut forgotten) = (0, 0, 0);
    for seed in 0..200 {
        let text = promela::temporal_program(seed);
        let Ok(model) = Model::parse(&text, Language::Promela) else { continue };
        let properties = &model.machine.system().properties;
        let formula = properties.position(|property| property.name == "f").expect("a formula");
        let mut handle = Handle::default();
        let few = &mut handle.patient(Patience::of_states(3_000));
        let found = find_cycle(&model.machine, formula, Interleavings::All, 1 << 30, few);
        let expected = match found.verdict(formula) {
            Some(Verdict::Holds(_)) => false,
            Some(Verdict::Violated(_)) => true,
            _ => continue,
        };
        let on_line = |states| {
            let room = Room { states, insertions: 100_000 };
            let found = check_on_line(&model.machine, formula, room, seed, &mut Handle::default());
            found.inspect(|found| {
                let violates = |trace: &Trace| {
                    trace.replay(&model.machine).is_ok() && trace.violates(&model.machine, formula).is_some()
                };
                assert!(found.violation.as_ref().is_none_or(violates), "seed {seed}, {states} states\n{text}");
            })
        };
        let Ok(whole) = on_line(usize::MAX) else { continue };
        assert_eq!(whole.violation.is_some(), expected, "seed {seed}\n{text}");
        if let Ok(part) = on_line(whole.insertions * 2 / 3) {
            assert_eq!(part.violation.is_some(), expected, "seed {seed}, in less memory\n{text}");
            forgotten += usize::from(part.forgotten > 0);
        }
        checked += 1;
        violated += usize::from(expected);
    }
    println!("{checked} formulas, {violated} violated, {forgotten} with states forgotten");
    assert!(checked > 10 && violated > 2 && violated < checked && forgotten > 0);
}
