//! What a walk aims at: conditions that together violate an invariant.
//!
//! An invariant with many processes can mostly be violated in many ways, each of which asks something of a few processes, or
//! of all of them at once. A walk that aims draws one of the ways and holds on to what it has reached: a step that undoes a
//! condition is made only now and then, or where nothing else can be done. So processes wait where they are wanted until the
//! others are there, which no blind choice does for long.

use fastrand::Rng;
use rustc_hash::FxHashMap;
use system::{Binary, Claim, ExprId, Exprs, Machine, Node, Predicate, PropertyId, Unary, Workspace};

/// The most conditions that are aimed at.
const MOST: usize = 256;

/// With how many percent a condition is given up, in one walk or another.
const GIVES_UP: [u32; 3] = [1, 5, 20];

/// A condition and the value that it is to have.
type Wanted = (ExprId, bool);

/// What one walk aims at.
pub(super) struct Aim {
    wanted: Vec<Wanted>,
    gives_up: u32,
    /// How many conditions are not there yet.
    distance: usize,
}

/// The conditions that walks have aimed at, ready for evaluation.
#[derive(Default)]
pub(super) struct Conditions(FxHashMap<ExprId, Predicate>);

impl Conditions {
    /// Draws a way to violate an invariant. The walk begins in a state.
    pub fn aim(
        &mut self,
        machine: &Machine,
        property: PropertyId,
        state: &[u64],
        workspace: &mut Workspace,
        random: &mut Rng,
    ) -> Option<Aim> {
        let Claim::Invariant(expr) = machine.system().properties[property].claim else { return None };
        let wanted = way_to(&machine.system().exprs, (expr, false), random);
        for (condition, _) in &wanted {
            self.0.entry(*condition).or_insert_with(|| machine.predicate(*condition));
        }
        let gives_up = GIVES_UP[random.usize(..GIVES_UP.len())];
        let mut aim = Aim { wanted, gives_up, distance: 0 };
        aim.distance = self.distance(&aim, machine, state, workspace);
        Some(aim)
    }

    /// Whether a walk makes the step to a state; if it does, it is there now.
    pub fn accepts(
        &self,
        aim: &mut Aim,
        machine: &Machine,
        state: &[u64],
        workspace: &mut Workspace,
        random: &mut Rng,
    ) -> bool {
        let distance = self.distance(aim, machine, state, workspace);
        let accepts = distance <= aim.distance || random.u32(..100) < aim.gives_up;
        if accepts {
            aim.distance = distance;
        }
        accepts
    }

    /// Follows a walk that had no other choice.
    pub fn follow(&self, aim: &mut Aim, machine: &Machine, state: &[u64], workspace: &mut Workspace) {
        aim.distance = self.distance(aim, machine, state, workspace);
    }

    /// How many conditions a state does not satisfy. One that has no value there is not satisfied.
    fn distance(&self, aim: &Aim, machine: &Machine, state: &[u64], workspace: &mut Workspace) -> usize {
        let missed = aim.wanted.iter().filter(|(condition, value)| {
            self.0.get(condition).is_none_or(|known| machine.satisfies(known, state, workspace) != Ok(*value))
        });
        missed.count()
    }
}

/// Conditions that are enough for an expression to have a value, drawn at random where there are several ways.
fn way_to(exprs: &Exprs, goal: Wanted, random: &mut Rng) -> Vec<Wanted> {
    let (mut open, mut found) = (vec![goal], Vec::new());
    while let Some((expr, value)) = open.pop() {
        match *exprs.node(expr) {
            _ if found.len() >= MOST => break,
            Node::Constant(_) => {}
            Node::Unary(Unary::Not, operand) => open.push((operand, !value)),
            Node::Binary(operator @ (Binary::And | Binary::Or), ..) => {
                let operands = operands(exprs, operator, expr);
                // A conjunction is true if all of it is, a disjunction is false if all of it is.
                if value == (operator == Binary::And) {
                    open.extend(operands.into_iter().map(|operand| (operand, value)));
                } else {
                    open.push((operands[random.usize(..operands.len())], value));
                }
            }
            _ => found.push((expr, value)),
        }
    }
    found
}

/// The operands of a chain of equal operators.
fn operands(exprs: &Exprs, operator: Binary, root: ExprId) -> Vec<ExprId> {
    let (mut open, mut found) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        match *exprs.node(id) {
            Node::Binary(same, a, b) if same == operator => open.extend([b, a]),
            _ => found.push(id),
        }
    }
    found
}
