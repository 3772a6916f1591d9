//! Values chosen from a set: `x := {a, b}`, and sets in the branches of a case.
//!
//! Where each value has a signal of its own, a choice says for each of them that the variable has it only if the set does.
//! That needs no signal for "the value is the first element" or "it is the second", which would be equivalences.

use super::Unrolling;
use super::successor::Destination;
use crate::gate::Signal;
use crate::lit::ClauseSink;
use crate::value::Encoded;
use rustc_hash::FxHashMap;
use system::{ExprId, Node, Value, VarId};

/// What is known of a set that an expression describes.
#[derive(Clone)]
struct Set {
    /// For each value that matters, whether it is in the set.
    has: Vec<Signal>,
    /// Whether an element has no value, or one outside the variable's domain.
    fails: Signal,
}

impl Unrolling<'_> {
    /// The variable gets a value of the set, read in frame `source`.
    pub(super) fn store_one_of(&mut self, source: usize, to: Destination, set: ExprId, sink: &mut dyn ClauseSink) {
        let Destination { frame, var, when } = to;
        let Some(new) = self.frames[frame].values[var.index()].clone() else { return };
        let values: Option<Vec<(Value, Signal)>> = match &new {
            Encoded::Boolean(signal) => Some(vec![(0, !*signal), (1, *signal)]),
            Encoded::OneHot(values) => Some(values.clone()),
            Encoded::Integer(_) | Encoded::Word(_) => None,
        };
        let fails = match values {
            Some(values) => {
                let set = self.set(source, var, set, &Elements::Values(&values));
                for ((_, is_it), has) in values.iter().zip(&set.has) {
                    self.gates.assert_any(&[!when, !*is_it, *has, set.fails], sink);
                }
                set.fails
            }
            None => {
                let set = self.set(source, var, set, &Elements::Equal(&new));
                self.gates.assert_any(&[!when, set.has[0], set.fails], sink);
                set.fails
            }
        };
        let fault = self.gates.and(when, fails);
        self.note_fault(fault);
    }

    /// The set of an expression, from its elements up.
    fn set(&mut self, source: usize, var: VarId, root: ExprId, elements: &Elements<'_>) -> Set {
        let mut done: FxHashMap<ExprId, Set> = FxHashMap::default();
        for id in self.system.exprs.sets_inside(root) {
            let set = self.set_of(source, var, id, elements, &done);
            done.insert(id, set);
        }
        done[&root].clone()
    }

    fn set_of(
        &mut self,
        source: usize,
        var: VarId,
        id: ExprId,
        elements: &Elements<'_>,
        done: &FxHashMap<ExprId, Set>,
    ) -> Set {
        match *self.system.exprs.node(id) {
            Node::Union(a, b) => {
                let (a, b) = (&done[&a], &done[&b]);
                let has = a.has.iter().zip(&b.has).map(|(x, y)| self.gates.or(*x, *y)).collect();
                Set { has, fails: self.gates.or(a.fails, b.fails) }
            }
            Node::Ite(c, a, b) if self.system.exprs.is_set(id) => {
                let condition = self.evaluate(source, c);
                let (choice, a, b) = (condition.value.boolean(), &done[&a], &done[&b]);
                let has = a.has.iter().zip(&b.has).map(|(x, y)| self.gates.mux(choice, *x, *y)).collect();
                let inner = self.gates.mux(choice, a.fails, b.fails);
                Set { has, fails: self.gates.or(condition.fails, inner) }
            }
            Node::Interval(low, high) => self.interval(var, (low, high), elements),
            _ => {
                let evaluated = self.evaluate(source, id);
                let inside = self.is_inside_domain(var, id, &evaluated.value);
                let has = match elements {
                    Elements::Equal(new) => vec![self.same(var, id, new, &evaluated.value)],
                    Elements::Values(values) => {
                        let value = self.in_form(var, id, &evaluated.value);
                        values.iter().map(|(wanted, _)| value.equals(&mut self.gates, *wanted)).collect()
                    }
                };
                Set { has, fails: self.gates.or(evaluated.fails, !inside) }
            }
        }
    }

    fn interval(&mut self, var: VarId, (low, high): (Value, Value), elements: &Elements<'_>) -> Set {
        let has = match elements {
            Elements::Values(values) => {
                values.iter().map(|(value, _)| Signal::constant((low..=high).contains(value))).collect()
            }
            Elements::Equal(new) => {
                let hits: Vec<Signal> = (low..=high).map(|value| new.equals(&mut self.gates, value)).collect();
                vec![self.gates.any(&hits)]
            }
        };
        let is_inside = (low..=high).all(|value| self.domain(var).contains(value));
        Set { has, fails: Signal::constant(!is_inside) }
    }
}

/// What is asked about a set.
enum Elements<'a> {
    /// Which of these values it has.
    Values(&'a [(Value, Signal)]),
    /// Whether it has the value that is encoded so.
    Equal(&'a Encoded),
}
