//! A claim as an automaton over states of the model.

use super::super::super::lowering::Lowering;
use super::Obstacle;
use crate::promela::flow::{Edge, Point, Target};
use rustc_hash::FxHashSet;
use system::{ExprId, Statements};

/// The most moves that a claim may have between its states.
const MOST_MOVES: usize = 5_000;

/// A move of a claim: one statement, or those of an atomic section.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub from: usize,
    pub to: usize,
    /// When it is possible.
    pub guard: ExprId,
    /// When an assertion on the way fails.
    pub fails: ExprId,
    pub statements: Statements,
}

/// The states of a claim and its moves between them.
#[derive(Debug)]
pub struct Monitor<'p> {
    /// The control points of the claim.
    pub points: &'p [Point],
    /// Those where the claim can be between steps of the model.
    pub states: Vec<usize>,
    pub steps: Vec<Step>,
}

/// A move that is being followed through an atomic section.
enum Way {
    /// It goes on.
    Inside(Step),
    Done(Step),
}

impl Lowering<'_> {
    /// Finds the states of a claim and its moves between them, in the order in which SPIN tries them.
    pub fn monitor<'p>(&mut self, points: &'p [Point]) -> Result<Monitor<'p>, Obstacle> {
        let mut monitor = Monitor { points, states: vec![0], steps: Vec::new() };
        let mut next = 0;
        while let Some(from) = monitor.states.get(next).copied() {
            next += 1;
            self.moves_of_claim(from, &mut monitor)?;
        }
        Ok(monitor)
    }

    /// Adds the moves of a claim from one of its states.
    fn moves_of_claim(&mut self, from: usize, monitor: &mut Monitor<'_>) -> Result<(), Obstacle> {
        let (always, never) = (self.system.exprs.boolean(true), self.system.exprs.boolean(false));
        let start = Step { from, to: from, guard: always, fails: never, statements: Statements::One };
        let mut open = vec![Way::Inside(start)];
        while let Some(way) = open.pop() {
            match way {
                Way::Done(step) => monitor.add(step),
                Way::Inside(so_far) => {
                    let further = self.further(so_far, monitor.points)?;
                    open.extend(further.into_iter().rev());
                    if open.len() + monitor.steps.len() > MOST_MOVES {
                        return Err("the never claim has too many moves".to_owned().into());
                    }
                }
            }
        }
        Ok(())
    }

    /// A move with one more statement, for each that can follow.
    fn further(&mut self, so_far: Step, points: &[Point]) -> Result<Vec<Way>, Obstacle> {
        let mut further = Vec::new();
        for (edge, possible) in self.claim_edges(&points[so_far.to])? {
            let guard = self.both(so_far.guard, possible);
            let fails = self.failure_of(edge, guard)?;
            let fails = self.either(so_far.fails, fails);
            let step = Step { to: destination(edge, points), guard, fails, ..so_far };
            further.push(match edge.keeps_control {
                true => Way::Inside(Step { statements: Statements::Several, ..step }),
                false => Way::Done(step),
            });
        }
        Ok(further)
    }
}

/// Where a statement of a claim leads; behind the last point if the claim goes away.
fn destination(edge: &Edge, points: &[Point]) -> usize {
    match edge.target {
        Target::Point(to) => to,
        Target::Gone => points.len(),
    }
}

impl Monitor<'_> {
    fn add(&mut self, step: Step) {
        self.steps.push(step);
        if step.to < self.points.len() && !self.states.contains(&step.to) {
            self.states.push(step.to);
        }
    }

    /// Without what follows the end of the claim, where it is violated anyway.
    pub fn until_the_end(mut self) -> Self {
        let points = self.points;
        self.steps.retain(|step| !points[step.from].end);
        let goals: FxHashSet<usize> = self.steps.iter().map(|step| step.to).collect();
        self.states.retain(|state| *state == 0 || goals.contains(state));
        self
    }

    /// Whether the claim can reach its end, or one of its assertions can fail; `never` is the condition that is false.
    pub fn can_end(&self, never: ExprId) -> bool {
        self.states.iter().any(|state| self.points[*state].end) || self.steps.iter().any(|step| step.fails != never)
    }

    /// Whether a state is accepting.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.points[state].labels.iter().any(|label| label.starts_with("accept"))
    }

    /// Whether the claim can go round for ever through an accepting state.
    pub fn accepts(&self) -> bool {
        self.states.iter().filter(|state| self.is_accepting(**state)).any(|state| self.returns_to(*state))
    }

    fn returns_to(&self, state: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![state];
        while let Some(at) = open.pop() {
            for step in self.steps.iter().filter(|step| step.from == at) {
                if step.to == state {
                    return true;
                }
                if seen.insert(step.to) {
                    open.push(step.to);
                }
            }
        }
        false
    }
}
