//! Definition 5 of [GP93] where a step is a whole atomic section: in each state that other processes see, sections that are
//! said to be independent neither enable nor disable each other, and both orders lead to the same states.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use system::{CommandId, Dependency, Granularity, Halt, Machine, Memo, Refinement, State, System, Visit, Watched};
use testkit::pml;
use testkit::promela;
use testkit::systems::{Coordination, random_system};

/// How many states of each system are looked at.
const MOST: usize = 30;

/// What the section that a command begins leads to: nothing where it cannot begin.
type Ends = Option<BTreeSet<State>>;

/// Runs the sections that begin in a state, command by command.
fn ends(machine: &Machine, memo: &mut Memo, state: &State) -> Result<Vec<Ends>, Halt> {
    let mut open = Vec::new();
    machine.successors(&state.0, &mut machine.workspace(), |successor| {
        open.push((successor.command, State(successor.state.into())));
        Visit::Continue(())
    })?;
    let mut ends = vec![None; machine.system().commands.len()];
    let mut seen = BTreeSet::new();
    while let Some((first, mut at)) = open.pop() {
        let all = ends[first.index()].get_or_insert_with(BTreeSet::new);
        if !seen.insert((first, at.clone())) {
            continue;
        }
        let before = open.len();
        memo.held_successors(machine, &at.0, |_, next| open.push((first, State(next.into()))))?;
        if open.len() == before {
            machine.layout().set_holder(&mut at.0, None);
            all.insert(at);
        }
    }
    Ok(ends)
}

/// A state with the ends of its sections, and with the ends of those that begin at each of these.
struct Around {
    now: Vec<Ends>,
    then: Vec<Vec<Vec<Ends>>>,
}

impl Around {
    fn new(machine: &Machine, memo: &mut Memo, state: &State) -> Result<Around, Halt> {
        let now = ends(machine, memo, state)?;
        let mut then = Vec::new();
        for states in &now {
            let after: Result<_, _> = states.iter().flatten().map(|state| ends(machine, memo, state)).collect();
            then.push(after?);
        }
        Ok(Around { now, then })
    }

    /// Whether one section leaves the other as able to begin as it was.
    fn leaves(&self, a: CommandId, b: CommandId) -> bool {
        let is_able = self.now[b.index()].is_some();
        self.then[a.index()].iter().all(|after| after[b.index()].is_some() == is_able)
    }

    fn one_after_the_other(&self, a: CommandId, b: CommandId) -> BTreeSet<&State> {
        self.then[a.index()].iter().flat_map(|after| after[b.index()].iter().flatten()).collect()
    }

    /// Definition 5.
    fn are_independent(&self, a: CommandId, b: CommandId) -> bool {
        let both = self.now[a.index()].is_some() && self.now[b.index()].is_some();
        let commute = || self.one_after_the_other(a, b) == self.one_after_the_other(b, a);
        self.leaves(a, b) && self.leaves(b, a) && (!both || commute())
    }
}

/// Compares what the relation says with what the sections do; how many pairs are independent. Nothing if running fails.
fn check(system: &System, refinement: Refinement) -> Result<usize, Halt> {
    let machine = Machine::new(Arc::new(system.clone()));
    let dependency = Dependency::watching(system, Watched::default(), refinement, Granularity::Sections);
    let mut memo = machine.memo();
    let (mut seen, mut open, mut independent) = (BTreeSet::new(), Vec::new(), 0);
    machine.initial_states(&mut machine.workspace(), |state| {
        open.push(state);
        Visit::Continue(())
    })?;
    while let (Some(state), true) = (open.pop(), seen.len() < MOST) {
        if !seen.insert(state.clone()) {
            continue;
        }
        let around = Around::new(&machine, &mut memo, &state)?;
        let commands = || system.commands.indices();
        for (a, b) in commands().flat_map(|a| commands().map(move |b| (a, b))).filter(|(a, b)| a < b) {
            // Of what cannot begin, nothing can be wrong.
            let matters = around.now[a.index()].is_some() || around.now[b.index()].is_some();
            if matters && dependency.are_independent_in(a, b, machine.layout(), &state.0) {
                assert!(around.are_independent(a, b), "{a:?} and {b:?} in {:?}", machine.values(&state));
                independent += 1;
            }
        }
        open.extend(around.now.into_iter().flatten().flatten());
    }
    Ok(independent)
}

const REFINEMENTS: [Refinement; 2] = [Refinement::Operations, Refinement::Accesses];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn independent_sections_of_random_systems_commute(seed in any::<u64>(), is_program in any::<bool>()) {
        let coordination = if is_program { Coordination::Program } else { Coordination::Any };
        let system = random_system(seed, coordination);
        for refinement in REFINEMENTS {
            check(&system, refinement).expect("random systems have no faults");
        }
    }
}

/// Random programs; `UWBMC_PROMELA_SEEDS` asks for more.
#[test]
fn independent_sections_of_random_promela_programs_commute() {
    let seeds = std::env::var("UWBMC_PROMELA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(150);
    let mut independent = 0;
    for seed in 0..seeds {
        let name = format!("random-{seed}.pml");
        let Some(machine) = pml::machine_of_random(&name, &promela::program(seed)) else { continue };
        for refinement in REFINEMENTS {
            // Programs in which something fails are passed over.
            independent += check(machine.system(), refinement).unwrap_or_default();
        }
    }
    assert!(independent > 1000, "{independent} pairs are independent");
}

#[test]
fn sections_of_our_models_commute() {
    for path in pml::files("models") {
        check(pml::machine(&path).system(), Refinement::Operations).expect("no faults");
    }
}
