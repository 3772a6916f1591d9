//! k-induction: invariants that follow from themselves.
//!
//! Where k states in a row satisfy some invariants, so does the next one, whatever state comes first. If also no run of fewer than k steps violates
//! them, they hold in every run. No initial state is looked at for the first part, however many there are.
//!
//! Invariants help each other: all that are open are assumed together, and one that fails is assumed no more.

use super::question::any_of;
use super::{Start, unsupported};
use encoder::{Lit, Rules, Unrolling};
use engine::Trouble;
use limits::{Effort, Handle};
use sat::{Answer, Phase, Solver};
use std::sync::Arc;
use system::{Claim, ExprId, Machine, PropertyId, System};

/// The most states in a row that are assumed.
const DEEPEST: usize = 6;

/// Invariants that hold if no run of fewer steps than `depth` violates them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inductive {
    /// The invariants.
    pub properties: Vec<PropertyId>,
    /// How many states in a row they follow from.
    pub depth: usize,
}

/// Whether a property can be asked about: it is about states, and no atomic section is under way where a run may begin anywhere.
pub fn can_be_inductive(machine: &Machine, property: PropertyId) -> bool {
    let is_invariant = matches!(machine.system().properties[property].claim, Claim::Invariant(_));
    is_invariant && machine.is_state_invariant(property) && !machine.system().has_atomic_sections
}

/// The invariants that follow from themselves, with at most about this many ticks of the solver. All of them are to satisfy [`can_be_inductive`].
pub fn inductive(
    machine: &Machine,
    properties: &[PropertyId],
    start: Start<'_>,
    ticks: u64,
    handle: &mut Handle<'_>,
) -> Result<Option<Inductive>, Trouble> {
    let system = anywhere(machine.system());
    let anywhere = Machine::new(Arc::new(system));
    let mut induction = Induction::new(&anywhere, properties, start)?;
    let mut depth = None;
    for states in 1..=DEEPEST {
        induction.extend();
        match induction.ask(ticks, handle)? {
            Asked::Follow(some) if some.is_empty() => {}
            Asked::Follow(some) => {
                depth = Some(states);
                induction.settle(&some);
            }
            Asked::Nothing => break,
        }
        if induction.open.is_empty() {
            break;
        }
    }
    let found = induction.settled.iter().map(|at| induction.invariants[*at].0).collect();
    Ok(depth.map(|depth| Inductive { properties: found, depth }))
}

/// The same system, begun in any state.
fn anywhere(system: &System) -> System {
    let mut system = system.clone();
    system.initial_values.clear();
    system.initial.clear();
    system
}

/// What came of asking.
enum Asked {
    /// These follow, by their places among the invariants; there may be none.
    Follow(Vec<usize>),
    /// The effort was spent, or the run has to end.
    Nothing,
}

/// How a state goes wrong.
struct Level {
    /// By violating an invariant, for each of them.
    violated: Vec<Lit>,
    /// Because the model has no meaning there.
    fault: Option<Lit>,
}

struct Induction<'a> {
    invariants: Vec<(PropertyId, ExprId)>,
    /// Those that are not known to follow, and those that are, by their places.
    open: Vec<usize>,
    settled: Vec<usize>,
    solver: Box<dyn Solver>,
    unrolling: Unrolling<'a>,
    levels: Vec<Level>,
}

impl<'a> Induction<'a> {
    fn new(anywhere: &'a Machine, properties: &[PropertyId], start: Start<'_>) -> Result<Induction<'a>, Trouble> {
        let claims = properties.iter().map(|id| (*id, &anywhere.system().properties[*id].claim));
        let invariants: Vec<(PropertyId, ExprId)> = claims
            .filter_map(|(id, claim)| match claim {
                Claim::Invariant(expr) => Some((id, *expr)),
                _ => None,
            })
            .collect();
        let mut solver = start(Phase::default());
        let unrolling = Unrolling::new(anywhere.system(), Rules::default(), solver.as_mut()).map_err(unsupported)?;
        let open = (0..invariants.len()).collect();
        let mut induction = Induction { invariants, open, settled: Vec::new(), solver, unrolling, levels: Vec::new() };
        induction.look();
        Ok(induction)
    }

    /// Adds a step.
    fn extend(&mut self) {
        self.unrolling.extend(self.solver.as_mut());
        self.look();
    }

    /// Says how the last state goes wrong.
    fn look(&mut self) {
        let (unrolling, solver) = (&mut self.unrolling, self.solver.as_mut());
        let violated = self.invariants.iter().map(|(_, invariant)| unrolling.violates(*invariant, solver)).collect();
        let fault = unrolling.fault(solver);
        self.levels.push(Level { violated, fault });
    }

    fn settle(&mut self, some: &[usize]) {
        self.open.retain(|at| !some.contains(at));
        self.settled.extend_from_slice(some);
    }

    /// Which of the open invariants are satisfied by the last state if those before it satisfy them and what is settled.
    fn ask(&mut self, ticks: u64, handle: &mut Handle<'_>) -> Result<Asked, Trouble> {
        let mut candidates = self.open.clone();
        while !candidates.is_empty() {
            let question = self.question(&candidates);
            let spent = self.solver.work().map_or(0, |work| work.ticks);
            let left = i32::try_from(ticks.saturating_sub(spent)).unwrap_or(i32::MAX);
            match self.solver.solve(&question, Effort::Ticks(left), handle) {
                Answer::Unsat(_) => return Ok(Asked::Follow(candidates)),
                Answer::Sat(model) => {
                    let last = &self.levels[self.levels.len() - 1];
                    let before = candidates.len();
                    candidates.retain(|at| !model.holds(last.violated[*at]));
                    // None is violated: the model has no meaning there.
                    if candidates.len() == before {
                        candidates.clear();
                    }
                }
                Answer::Interrupted | Answer::Exhausted => return Ok(Asked::Nothing),
                Answer::Failed(why) => return Err(Trouble::Solver(why)),
            }
        }
        Ok(Asked::Follow(Vec::new()))
    }

    /// That nothing is wrong before the last state, as far as these invariants and what is settled go, and something is there.
    fn question(&mut self, candidates: &[usize]) -> Vec<Lit> {
        let Some((last, before)) = self.levels.split_last() else { return Vec::new() };
        let assumed = candidates.iter().chain(&self.settled);
        let mut question = Vec::new();
        for level in before {
            question.extend(assumed.clone().map(|at| !level.violated[*at]));
            question.extend(level.fault.map(|fault| !fault));
        }
        let wrong: Vec<Lit> = candidates.iter().map(|at| last.violated[*at]).chain(last.fault).collect();
        question.push(any_of(&wrong, self.solver.as_mut()));
        question
    }
}
