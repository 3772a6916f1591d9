//! Plain bounded model checking: Figure 3 of \[GLST05\], incremental over the bound.
//!
//! At each bound k the question is whether the last state of a run of exactly k steps violates a property. As k grows
//! from 0 and what was refuted is kept as a clause, a violation is found at its smallest depth, and nothing hides
//! behind a run that ends early.

use crate::sat::{Answer, Solver};
use encoder::{Lit, Scheduling, Unrolling, Unsupported};
use system::{Claim, ExprId, Failure, Machine, PropertyId, Trace, Visit};

/// Why the engine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The bound was reached.
    Bound,
    /// No run is as long as the bound that was reached: every run has been looked at.
    NoLongerRuns,
    /// Every property is violated.
    Decided,
    /// Somebody asked for it.
    Interrupted,
}

/// What the engine found.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// Violations, at their smallest depths.
    pub violations: Vec<(PropertyId, Trace)>,
    /// A run to a state in which the model has no meaning.
    pub fault: Option<(Failure, Trace)>,
    /// The greatest bound for which every remaining property was refuted; `None` if not even 0.
    pub bound: Option<usize>,
    /// Why the engine stopped.
    pub stop: Stop,
    /// What went wrong if the solver failed; the engine counts as interrupted then.
    pub failure: Option<String>,
}

/// What is kept from one bound to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// One solver for all bounds: the formula grows.
    Incremental,
    /// A new solver and a new formula at each bound, as the paper has it.
    Fresh,
}

/// How the engine works.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// What is kept between bounds.
    pub reuse: Reuse,
    /// Which interleavings are looked at.
    pub scheduling: Scheduling,
}

impl Default for Mode {
    fn default() -> Mode {
        Mode { reuse: Reuse::Incremental, scheduling: Scheduling::Free }
    }
}

/// Pruning keeps the states that are reachable in each number of steps, but not the steps: an invariant over steps
/// needs all interleavings.
fn allowed_scheduling(machine: &Machine, properties: &[PropertyId], wanted: Scheduling) -> Scheduling {
    let is_about_steps = |id: &PropertyId| invariant(machine, *id).is_some() && !machine.is_state_invariant(*id);
    if properties.iter().any(is_about_steps) { Scheduling::Free } else { wanted }
}

/// Checks properties for runs of up to `bound` steps, with solvers that `start` makes. `go_on` is told the depth now and then and can end the run.
pub fn bmc(
    machine: &Machine,
    properties: &[PropertyId],
    bound: usize,
    start: &dyn Fn() -> Box<dyn Solver>,
    mode: Mode,
    mut go_on: impl FnMut(usize) -> bool,
) -> Result<Bounded, Unsupported> {
    let mode = Mode { scheduling: allowed_scheduling(machine, properties, mode.scheduling), ..mode };
    let mut first = start();
    let mut run = Bmc {
        machine,
        unrolling: Unrolling::new(machine.system(), mode.scheduling, first.as_mut())?,
        solver: first,
        open: properties.to_vec(),
        result: Bounded { violations: Vec::new(), fault: None, bound: None, stop: Stop::Bound, failure: None },
    };
    for depth in 0..=bound {
        if mode.reuse == Reuse::Fresh && depth > 0 {
            run.start_over(start(), mode.scheduling, depth - 1)?;
        }
        if depth > 0 {
            run.unrolling.extend(run.solver.as_mut());
        }
        let step = run.at_depth(&mut || !go_on(depth));
        if let Some(stop) = step {
            run.result.stop = stop;
            return Ok(run.result);
        }
        run.result.bound = Some(depth);
    }
    Ok(run.result)
}

struct Bmc<'a> {
    machine: &'a Machine,
    unrolling: Unrolling<'a>,
    solver: Box<dyn Solver>,
    open: Vec<PropertyId>,
    result: Bounded,
}

/// The outcome of one query.
enum Query {
    Found(Trace),
    Refuted,
    NoRuns,
    Interrupted,
}

impl Bmc<'_> {
    /// A new solver with the unrolling to some depth.
    fn start_over(&mut self, solver: Box<dyn Solver>, scheduling: Scheduling, depth: usize) -> Result<(), Unsupported> {
        self.solver = solver;
        self.unrolling = Unrolling::new(self.machine.system(), scheduling, self.solver.as_mut())?;
        for _ in 0..depth {
            self.unrolling.extend(self.solver.as_mut());
        }
        Ok(())
    }

    /// Asks everything at the current depth; says so if that was the end.
    fn at_depth(&mut self, stop: &mut dyn FnMut() -> bool) -> Option<Stop> {
        let violations: Vec<(PropertyId, Lit)> =
            self.open.clone().into_iter().filter_map(|property| Some((property, self.violation(property)?))).collect();
        if let Some(fault) = self.unrolling.fault(self.solver.as_mut()) {
            match self.ask(fault, stop) {
                Query::Found(trace) => {
                    self.result.fault = self.explain(trace);
                    return Some(Stop::Decided);
                }
                Query::Interrupted => return Some(Stop::Interrupted),
                Query::Refuted | Query::NoRuns => {}
            }
        }
        for (property, violation) in violations {
            match self.ask(violation, stop) {
                Query::Found(trace) => {
                    self.open.retain(|open| *open != property);
                    self.result.violations.push((property, trace));
                }
                Query::Interrupted => return Some(Stop::Interrupted),
                Query::NoRuns => return Some(Stop::NoLongerRuns),
                Query::Refuted => {}
            }
        }
        (self.open.is_empty() && !self.result.violations.is_empty()).then_some(Stop::Decided)
    }

    /// The literal that says that a property is violated at the current depth.
    fn violation(&mut self, property: PropertyId) -> Option<Lit> {
        if let Claim::DeadlockFree = self.machine.system().properties[property].claim {
            return Some(self.unrolling.deadlock(self.solver.as_mut()));
        }
        let expr = invariant(self.machine, property)?;
        if self.machine.is_state_invariant(property) {
            Some(self.unrolling.violates(expr, self.solver.as_mut()))
        } else {
            self.unrolling.step_violates(expr, self.solver.as_mut())
        }
    }

    /// Asks whether a literal can be true; if not, that is kept.
    fn ask(&mut self, lit: Lit, stop: &mut dyn FnMut() -> bool) -> Query {
        match self.solver.solve(&[lit], stop) {
            Answer::Sat(model) => Query::Found(self.unrolling.decode(self.machine, |lit| model.holds(lit))),
            Answer::Unsat(blamed) if blamed.is_empty() => Query::NoRuns,
            Answer::Unsat(_) => {
                self.solver.clause(&[!lit]);
                Query::Refuted
            }
            Answer::Interrupted => Query::Interrupted,
            Answer::Failed(why) => {
                self.result.failure = Some(why);
                Query::Interrupted
            }
        }
    }

    /// Finds the fault that a run leads to by executing its last step.
    fn explain(&self, mut trace: Trace) -> Option<(Failure, Trace)> {
        let machine = self.machine;
        let mut workspace = machine.workspace();
        for property in machine.system().properties.indices() {
            if let (true, Some(last)) = (machine.is_state_invariant(property), trace.states.last())
                && let Err(failure) = machine.holds(property, &last.0, &mut workspace)
            {
                return Some((failure, trace));
            }
        }
        trace.states.pop();
        trace.moves.pop();
        let outcome = match trace.states.last() {
            Some(last) => machine.successors(&last.0, &mut workspace, |_| Visit::Continue(())),
            None => machine.initial_states(&mut workspace, |_| Visit::Continue(())),
        };
        outcome.err().map(|failure| (failure, trace))
    }
}

fn invariant(machine: &Machine, property: PropertyId) -> Option<ExprId> {
    match machine.system().properties[property].claim {
        Claim::Invariant(expr) => Some(expr),
        _ => None,
    }
}
