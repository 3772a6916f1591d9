//! Values that are known are written as constants: the steps stay the same, and less depends on more.

use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Claim, CommandId, Machine, Place, State, Value, with_constants};
use testkit::alike::alike_program;
use testkit::locals::local_program;
use testkit::promela::{ring_program, temporal_program};
use uwbmc::{Language, Model};

/// This many states of a program are looked at.
const MOST: usize = 1_500;

/// The steps from a state, or that one has no meaning.
fn steps(machine: &Machine, state: &State) -> Option<Vec<(CommandId, State)>> {
    let mut steps = Vec::new();
    let found = machine.successors(&state.0, &mut machine.workspace(), |successor| {
        steps.push((successor.command, State(successor.state.into())));
        ControlFlow::Continue(())
    });
    found.is_ok().then_some(steps)
}

fn initial(machine: &Machine) -> Vec<State> {
    let mut initial = Vec::new();
    let found = machine.initial_states(&mut machine.workspace(), |state| {
        initial.push(state);
        ControlFlow::Continue(())
    });
    assert!(found.is_ok());
    initial
}

/// Whether two machines make the same steps, as far as is looked; says from how many states.
fn compare(one: &Machine, other: &Machine, text: &str) -> usize {
    let mut open = initial(one);
    assert_eq!(open, initial(other), "{text}");
    let mut seen: FxHashSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop().filter(|_| seen.len() < MOST) {
        let expected = steps(one, &state);
        assert_eq!(steps(other, &state), expected, "{text}");
        assert_eq!(conditions(other, &state), conditions(one, &state), "{text}");
        let new = expected.into_iter().flatten().map(|(_, next)| next).filter(|next| seen.insert(next.clone()));
        open.extend(new.collect::<Vec<State>>());
    }
    seen.len()
}

#[test]
fn a_system_with_constants_makes_the_same_steps() {
    let programs = std::env::var("UWBMC_PROMELA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(100);
    let (mut simpler, mut states) = (0, 0);
    for program in [local_program, ring_program, temporal_program, alike_program] {
        for seed in 0..programs {
            let text = program(seed);
            let Ok(model) = Model::parse(&text, Language::Promela) else { continue };
            let Some(system) = with_constants(model.machine.system()) else { continue };
            simpler += 1;
            states += compare(&model.machine, &Machine::new(Arc::new(system)), &text);
        }
    }
    println!("{simpler} programs compared in {states} states");
    assert!(simpler > programs, "{simpler}");
}

/// The values of what formulas are about.
fn conditions(machine: &Machine, state: &State) -> Vec<Option<Value>> {
    let system = machine.system();
    let claims = system.properties.iter().filter_map(|property| match property.claim {
        Claim::Ltl(formula) => Some(formula),
        _ => None,
    });
    let formulas = claims.chain(system.written.values().copied());
    let expressions = formulas.flat_map(|formula| system.formulas.states(formula));
    expressions.map(|expr| machine.evaluate(expr, state, &mut machine.workspace()).ok()).collect()
}

/// What a formula says of variables that never change is known, so that nothing else of the program matters.
#[test]
fn formulas_do_not_depend_on_what_never_changes() {
    let text = "byte n, told[2]; short seen[3]; proctype P(byte me) {
do :: seen[me] < 9000 -> seen[me]++ :: seen[me] > 7 -> seen[me] = seen[me] - 3 :: told[me % 2] = 0 :: n == 0 -> n = 3 od }
init { atomic { n = 3; run P(0); run P(1); run P(2) } }
ltl same { [] (told[0] == told[1]) } ltl goes { [] <> (told[0] + told[1] == 0) } ltl differs { <> (told[0] != told[1]) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    for (name, expected) in [("same", "holds"), ("goes", "holds"), ("differs", "violated")] {
        let report = uwbmc::check(&model, &uwbmc::Options::default().property(name), &mut ()).expect("checked");
        assert_eq!(report.properties[0].verdict.word(), expected, "{name}");
    }
}

/// How many updates of a program write to an array at an index that is not known, as it is and with constants.
fn computed_places(text: &str) -> [usize; 2] {
    let model = Model::parse(text, Language::Promela).expect("a program");
    let simpler = with_constants(model.machine.system());
    let systems = [model.machine.system(), simpler.as_ref().unwrap_or(model.machine.system())];
    systems.map(|system| {
        let updates = system.commands.iter().flat_map(|command| &command.updates);
        updates.filter(|update| matches!(update.place, Place::Element { .. })).count()
    })
}

#[test]
fn the_parameters_of_a_process_are_known() {
    let text = |more: &str| {
        format!(
            "byte a[3]; proctype P(byte me) {{ byte i; {more} do :: a[me] = 1 :: i < 2 -> a[i] = 0; i++ od }}
init {{ run P(1); run P(2) }} ltl p {{ <> (a[0] == 1) }}"
        )
    };
    let [before, after] = computed_places(&text("skip;"));
    assert!(0 < after && after < before, "{after} of {before}: i is not known");
    let [before, after] = computed_places(&text("if :: me = 0 :: skip fi;"));
    assert_eq!(before, after, "the process has two values");
}

/// No update writes a program counter, but every step does: one process waits until another is somewhere, or goes on from where it is itself.
#[test]
fn where_a_process_is_is_not_known() {
    let waits = "bit x, y; active proctype A() { L: x = 1; M: x = 0; goto M } active proctype B() { A@M; y = 1 }
ltl p { <> [] (y == 0) }";
    let looks = "bit x, y; proctype A() { x = 1; M: A@M; y = 1; do :: x = 1 - x od } init { run A() }
ltl p { <> [] (y == 0) }";
    for text in [waits, looks] {
        let model = Model::parse(text, Language::Promela).expect("a program");
        if let Some(system) = with_constants(model.machine.system()) {
            compare(&model.machine, &Machine::new(Arc::new(system)), text);
        }
        let report = uwbmc::check(&model, &uwbmc::Options::default().property("p"), &mut ()).expect("checked");
        assert_eq!(report.properties[0].verdict.word(), "violated", "{text}");
    }
}

#[test]
fn what_is_outside_of_an_array_stays_a_fault() {
    let text = "byte a[2]; proctype P(byte me) { a[me] = 1 } init { run P(7) } ltl p { [] (a[0] == 0) }";
    assert_eq!(computed_places(text), [1, 1]);
}
