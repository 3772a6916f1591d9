//! Formulas about the present and the past as expressions, over variables that remember.
//!
//! A past operator needs one bit of what was: how its operand (Y, Z) or it itself (S, T) was a step before. As a variable that
//! every command updates, it makes the formula a condition on states and steps like any other.

use super::Refusal;
use super::arena::{Arena, Node, NodeId};
use rustc_hash::FxHashMap;
use system::{Choice, Domain, ExprId, Motion, Place, Sort, Span, System, Truth, Update, VarId, Variable};

/// What formulas have become in one system.
#[derive(Debug, Default)]
pub struct History {
    known: FxHashMap<NodeId, ExprId>,
}

impl History {
    /// A formula without future operators as an expression. The system gets a variable for each past operator.
    pub fn expression(&mut self, system: &mut System, arena: &Arena, root: NodeId) -> Result<ExprId, Refusal> {
        for part in arena.parts(root) {
            if !self.known.contains_key(&part) {
                let expr = self.make(system, arena, part)?;
                self.known.insert(part, expr);
            }
        }
        Ok(self.known[&root])
    }

    fn make(&self, system: &mut System, arena: &Arena, part: NodeId) -> Result<ExprId, Refusal> {
        if let Some(negation) = self.known.get(&arena.not(part)) {
            return Ok(system.exprs.not(*negation));
        }
        let of = |part: NodeId| self.known[&part];
        Ok(match arena.get(part) {
            Node::True => system.exprs.boolean(true),
            Node::False => system.exprs.boolean(false),
            Node::Atom(expr) => expr,
            Node::NotAtom(expr) => system.exprs.not(expr),
            Node::And(a, b) => system.exprs.and(of(a), of(b)),
            Node::Or(a, b) => system.exprs.or(of(a), of(b)),
            Node::Yesterday(a) => remember(system, Truth::Fails, |_, _| of(a)),
            Node::WeakYesterday(a) => remember(system, Truth::Holds, |_, _| of(a)),
            Node::Since(a, b) => {
                let now = |system: &mut System, before| {
                    let still = system.exprs.and(of(a), before);
                    system.exprs.or(of(b), still)
                };
                let before = remember(system, Truth::Fails, now);
                now(system, before)
            }
            Node::Triggered(a, b) => {
                let now = |system: &mut System, before| {
                    let free = system.exprs.or(of(a), before);
                    system.exprs.and(of(b), free)
                };
                let before = remember(system, Truth::Holds, now);
                now(system, before)
            }
            Node::Next(_) | Node::Until(..) | Node::Releases(..) => {
                return Err("the formula asks about the future where it has to be known".to_owned());
            }
        })
    }
}

/// A new variable that says whether the step that was made last satisfied a condition.
pub fn last_step(system: &mut System, condition: ExprId) -> ExprId {
    remember(system, Truth::Fails, |_, _| condition)
}

/// A new variable that begins with a value, and that every step gives the value of an expression, which may read it.
fn remember(system: &mut System, beginning: Truth, value: impl FnOnce(&mut System, ExprId) -> ExprId) -> ExprId {
    let (name, span) = (format!("past {}", system.variables.len()), Span::default());
    let var: VarId = system.variables.push(Variable { name, domain: Domain::Boolean, motion: Motion::Kept, span });
    let before = system.exprs.now(var, Sort::Boolean);
    let value = value(system, before);
    let place = Place::Variable(var);
    let beginning = Choice::Exactly(system.exprs.boolean(beginning.value()));
    system.initial_values.push(Update { place, choice: beginning, span });
    for command in &mut system.commands {
        command.updates.push(Update { place, choice: Choice::Exactly(value), span });
    }
    before
}
