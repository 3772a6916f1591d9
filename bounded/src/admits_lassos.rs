//! Whether formulas for lassos admit those of the machine.
//!
//! What is refuted says that a run closes a fair loop and violates a property. A formula that says too much of loops, of
//! fairness or of operators is refuted too easily. So lassos of the machine on which the property holds, as an evaluator says
//! that shares nothing with the encoding, have to be solutions of the formula that asks for runs on which it holds. The same goes for
//! finite runs that show that it holds, where those count.

use super::admits::{Admission, Probe, is_run, trouble};
use super::lasso::{self, Lassos, Wanted};
use super::sample::Sample;
use encoder::Unsupported;
use fastrand::Rng;
use limits::Handle;
use sat::Solver;
use system::{Claim, FiniteRuns, Machine, PropertyId, State, Trace};

/// How many random runs are made to find lassos.
const WALKS: usize = 200;

/// How many lassos are looked at.
const MOST: usize = 100;

impl Probe<'_> {
    /// Looks whether the formulas of a property about infinite runs have lassos of the machine. Of claims, nothing is said.
    pub fn lassos(self, solver: &mut dyn Solver, handle: &mut Handle<'_>) -> Result<Admission, Unsupported> {
        let Probe { machine, property, bound, seed } = self;
        let mut unrolling = self.unrolling(solver)?;
        let wanted = Wanted::Satisfaction;
        let Some(mut lassos) = Lassos::new(machine.system(), &[property], wanted, &mut unrolling, solver) else {
            return Ok(Admission::Admits { runs: 0 });
        };
        let known = Walks::new(machine).lassos(property, bound, seed);
        for depth in 0..=bound {
            if depth > 0 {
                lasso::extend(Some(&mut lassos), &mut unrolling, solver);
            }
            let closes = lassos.query(property, solver);
            let shows = lassos.prefix(property, &mut unrolling, solver);
            for lasso in known.iter().filter(|lasso| lasso.steps == depth) {
                let asked = match lasso.start {
                    Some(start) => closes.map(|closes| vec![closes, lassos.starts()[start]]),
                    None => shows.map(|shows| vec![shows]),
                };
                let is_run = is_run(&mut unrolling, machine, &lasso.states, solver);
                let (Some(asked), Some(is_run)) = (asked, is_run) else {
                    return Ok(Admission::Excludes(lasso.states.clone()));
                };
                if let Some(trouble) = trouble(solver, &[is_run, asked].concat(), &lasso.states, handle) {
                    return Ok(trouble);
                }
            }
        }
        Ok(Admission::Admits { runs: known.len() })
    }
}

/// The states of a lasso as the unrolling has them, where the loop begins, and how many steps there are. Without a loop, the property
/// holds however the run goes on.
struct Lasso {
    states: Vec<State>,
    start: Option<usize>,
    steps: usize,
}

/// Finds lassos of a machine by random runs.
struct Walks<'a> {
    machine: &'a Machine,
    sample: Sample,
}

impl Walks<'_> {
    fn new(machine: &Machine) -> Walks<'_> {
        Walks { machine, sample: Sample::of(machine) }
    }

    /// Lassos of at most this many steps on which a property holds.
    fn lassos(&self, property: PropertyId, bound: usize, seed: u64) -> Vec<Lasso> {
        let mut random = Rng::with_seed(seed);
        let first = self.sample.first_states();
        let mut found = Vec::new();
        for _ in 0..WALKS {
            if let Some(walk) = self.walk(&first, bound, &mut random) {
                found.extend(self.closed(&walk, property, bound));
                found.extend(self.shown(&walk, property));
            }
            if found.len() >= MOST {
                break;
            }
        }
        found
    }

    /// The first lasso along a run, and the run itself if it has come to its end.
    fn closed(&self, walk: &Trace, property: PropertyId, bound: usize) -> Option<Lasso> {
        let mut states: Vec<State> = walk.states.iter().collect();
        for last in 1..states.len() {
            let Some(start) = states[..last].iter().position(|state| *state == states[last]) else {
                continue;
            };
            let lasso = Trace { loop_start: Some(start), ..walk.beginning(last) };
            if lasso.satisfies(self.machine, property) {
                states.truncate(last + 1);
                return Some(Lasso { states, start: Some(start), steps: last });
            }
        }
        let steps = states.len();
        let ends = self.machine.system().finite_runs == FiniteRuns::Prolonged && steps <= bound;
        states.extend(states.last().cloned());
        (ends && walk.satisfies(self.machine, property)).then_some(Lasso { states, start: Some(steps - 1), steps })
    }

    /// The shortest beginning of a run that shows that the property holds, if that counts.
    fn shown(&self, walk: &Trace, property: PropertyId) -> Option<Lasso> {
        let Claim::Ltl(formula) = self.machine.system().properties[property].claim else { return None };
        let mut beginnings = (0..walk.states.len()).map(|steps| walk.beginning(steps));
        let shown = beginnings.find(|run| run.decides(self.machine, formula) == Some(true))?;
        Some(Lasso { steps: shown.moves.len(), states: shown.states.iter().collect(), start: None })
    }

    fn walk(&self, first: &[State], bound: usize, random: &mut Rng) -> Option<Trace> {
        let mut walk = Trace::starting(random.choice(first)?.clone());
        while walk.moves.len() < bound
            && let Some((moved, next)) = random.choice(self.sample.steps(walk.states.last()?))
        {
            walk.push(moved, next);
        }
        Some(walk)
    }
}
