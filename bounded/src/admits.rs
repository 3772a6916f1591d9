//! Whether formulas admit what the machine does.
//!
//! A refutation is as good as its formula: one that excludes runs of the system is refuted too easily, and a proof of that is
//! accepted by every checker. So runs of the machine have to be solutions: those along a breadth-first search of the first
//! states, and random ones. Their states are assumed; the rest follows by propagation.

use super::lasso::{self, Lassos, Wanted};
use super::refutation::{free_rules, goes_wrong};
use super::sample::Sample;
use encoder::{Bit, ClauseSink, Lit, Time, Unrolling, Unsupported};
use fastrand::Rng;
use limits::{Effort, Handle};
use sat::{Answer, Solver};
use std::collections::BTreeSet;
use system::{Domain, Machine, PropertyId, State};

/// How many runs are random.
const RANDOM: usize = 100;

/// How many states the breadth-first search visits.
const VISITED: usize = 200;

/// Whether a formula has what it has to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It has every run that was looked at.
    Admits {
        /// How many there were.
        runs: usize,
    },
    /// It does not have the run with these states.
    Excludes(Vec<State>),
    /// There was not enough time.
    Interrupted,
    /// The solver failed, and why.
    Failed(String),
}

/// The formulas of a property that holds up to a bound, and the seed of the runs that they are to have.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The property.
    pub property: PropertyId,
    /// Up to which bound it holds.
    pub bound: usize,
    /// The seed.
    pub seed: u64,
}

impl<'a> Probe<'a> {
    /// Looks whether the formulas have runs of the machine: I(s_0) ∧ T(s_0, s_1) ∧ ... ∧ ¬F(s_0) ∧ ... ∧ ¬F(s_k), as
    /// [`Refutations`](super::Refutations) has them.
    pub fn runs(self, solver: &mut dyn Solver, handle: &mut Handle<'_>) -> Result<Admission, Unsupported> {
        let Probe { machine, property, bound, seed } = self;
        let mut unrolling = self.unrolling(solver)?;
        let mut lassos = Lassos::new(machine.system(), &[property], Wanted::Violation, &mut unrolling, solver);
        let runs = Runs::new(machine, bound).choose(seed);
        for depth in 0..=bound {
            if depth > 0 {
                lasso::extend(lassos.as_mut(), &mut unrolling, solver);
            }
            for lit in goes_wrong(machine, property, &mut unrolling, lassos.as_mut(), solver).unwrap_or_default() {
                solver.clause(&[!lit]);
            }
            for run in runs.iter().filter(|run| run.len() == depth + 1) {
                let Some(assumptions) = is_run(&mut unrolling, machine, run, solver) else {
                    return Ok(Admission::Excludes(run.clone()));
                };
                if let Some(trouble) = trouble(solver, &assumptions, run, handle) {
                    return Ok(trouble);
                }
            }
        }
        Ok(Admission::Admits { runs: runs.len() })
    }

    pub(super) fn unrolling(self, solver: &mut dyn Solver) -> Result<Unrolling<'a>, Unsupported> {
        Unrolling::new(self.machine.system(), free_rules(self.machine, self.property), solver)
    }
}

/// What is wrong if a run is not found to be a solution.
pub(super) fn trouble(
    solver: &mut dyn Solver,
    is_run: &[Lit],
    run: &[State],
    handle: &mut Handle<'_>,
) -> Option<Admission> {
    match solver.solve(is_run, Effort::Unlimited, handle) {
        Answer::Sat(_) => None,
        Answer::Unsat(_) => Some(Admission::Excludes(run.to_vec())),
        Answer::Exhausted | Answer::Interrupted => Some(Admission::Interrupted),
        Answer::Failed(why) => Some(Admission::Failed(why)),
    }
}

/// Literals that say that the states of an unrolling are those of a run.
pub(super) fn is_run(
    unrolling: &mut Unrolling<'_>,
    machine: &Machine,
    run: &[State],
    sink: &mut dyn ClauseSink,
) -> Option<Vec<Lit>> {
    let mut lits = Vec::new();
    for (time, state) in run.iter().enumerate() {
        lits.extend(is_state(unrolling, machine, (Time(time), state), sink)?);
    }
    Some(lits)
}

/// Literals that say that the state of an unrolling at a time is a certain one; none if the formula has no such state.
pub fn is_state(
    unrolling: &mut Unrolling<'_>,
    machine: &Machine,
    (time, state): (Time, &State),
    sink: &mut dyn ClauseSink,
) -> Option<Vec<Lit>> {
    let bits = unrolling.bits(time);
    let names: Vec<Bit> = bits.iter().map(|(bit, _)| *bit).collect();
    if !can_be_written(machine, state, &names) {
        return None;
    }
    let mut lits = Vec::new();
    for (bit, signal) in bits {
        let Some(wanted) = bit_of(machine, state, bit) else { continue };
        match signal.as_constant() {
            Some(value) if value != wanted => return None,
            Some(_) => {}
            None => {
                let lit = unrolling.literal(signal, sink);
                lits.push(if wanted { lit } else { !lit });
            }
        }
    }
    Some(lits)
}

/// What a bit is in a state; none for what is no part of it.
fn bit_of(machine: &Machine, state: &State, bit: Bit) -> Option<bool> {
    let layout = machine.layout();
    match bit {
        Bit::Selector(_) => None,
        Bit::Holder(process) => Some(layout.holder(&state.0) == Some(process)),
        Bit::Value(var, wanted) => layout.get(&state.0, var).map(|value| value == wanted),
        Bit::Position(var, position) => layout.get(&state.0, var).map(|value| value >> position.min(63) & 1 == 1),
    }
}

/// Whether these bits can tell a state: a one-hot variable has one for its value, a number has enough of them.
fn can_be_written(machine: &Machine, state: &State, bits: &[Bit]) -> bool {
    let mut positions = vec![0u32; machine.system().variables.len()];
    let mut values = BTreeSet::new();
    for bit in bits {
        match bit {
            Bit::Position(var, _) => positions[var.index()] += 1,
            Bit::Value(var, value) => {
                values.insert((*var, *value));
            }
            Bit::Selector(_) | Bit::Holder(_) => {}
        }
    }
    machine.system().state_variables().all(|(var, variable)| {
        let Some(value) = machine.layout().get(&state.0, var) else { return false };
        match (&variable.domain, positions[var.index()]) {
            (Domain::Boolean | Domain::Word(_), _) => true,
            (_, 0) => values.contains(&(var, value)),
            (_, count) => {
                let unused = 64 - count.min(64);
                (value << unused) >> unused == value
            }
        }
    })
}

/// Finds runs of a machine, up to a length.
struct Runs {
    sample: Sample,
    bound: usize,
}

impl Runs {
    fn new(machine: &Machine, bound: usize) -> Runs {
        Runs { sample: Sample::of(machine), bound }
    }

    /// Runs along a breadth-first search, then random ones; each once.
    fn choose(&self, seed: u64) -> BTreeSet<Vec<State>> {
        let first = self.sample.first_states();
        let mut runs = self.breadth_first(&first);
        let mut random = Rng::with_seed(seed);
        for _ in 0..RANDOM {
            runs.extend(self.walk(&first, &mut random));
        }
        runs
    }

    fn successors(&self, state: &State) -> Vec<State> {
        self.sample.steps(state).into_iter().map(|(_, next)| next).collect()
    }

    /// The ways to the leaves of a breadth-first tree.
    fn breadth_first(&self, first: &[State]) -> BTreeSet<Vec<State>> {
        let mut seen: BTreeSet<State> = first.iter().cloned().collect();
        let mut tree: Vec<Vec<State>> = seen.iter().map(|state| vec![state.clone()]).collect();
        let mut leaves = BTreeSet::new();
        let mut at = 0;
        while let Some(way) = tree.get(at).cloned() {
            at += 1;
            let mut is_leaf = true;
            for next in way.last().filter(|_| way.len() <= self.bound).map_or(Vec::new(), |last| self.successors(last))
            {
                if seen.len() < VISITED && seen.insert(next.clone()) {
                    is_leaf = false;
                    let mut longer = way.clone();
                    longer.push(next);
                    tree.push(longer);
                }
            }
            if is_leaf {
                leaves.insert(way);
            }
        }
        leaves
    }

    /// A random run, which ends early where no process can move.
    fn walk(&self, first: &[State], random: &mut Rng) -> Option<Vec<State>> {
        let mut run = vec![random.choice(first)?.clone()];
        while run.len() <= self.bound
            && let Some(next) = random.choice(self.successors(run.last()?))
        {
            run.push(next);
        }
        Some(run)
    }
}
