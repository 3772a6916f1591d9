//! Looking ahead: whether some step from the last state would violate an invariant over steps.
//!
//! An assertion of a program is such an invariant: whenever its process moves from its control point, a condition holds.
//! Which of several steps the process makes does not matter, so that the state before the step tells. Asked that way, the
//! formula needs no step that scheduling constraints or underapproximations could leave out.

use super::{Unrolling, decides_deadlock};
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use system::{Binary, Claim, Dependency, ExprId, Exprs, Node, ProcessId, PropertyId, System, Unary};

/// Whether the state before a step tells if the step violates the invariant.
pub fn tells_ahead(system: &System, property: PropertyId) -> bool {
    let Claim::Invariant(invariant) = system.properties[property].claim else { return false };
    let exprs = &system.exprs;
    Dependency::can_watch(system, property)
        && exprs.is_total(invariant)
        && decides_deadlock(system)
        && exprs.conjuncts(invariant).into_iter().all(|part| subject(exprs, part).is_some())
}

/// The process without whose moves a condition is true: ¬running_i is one of its disjuncts.
fn subject(exprs: &Exprs, condition: ExprId) -> Option<ProcessId> {
    let mut open = vec![(condition, true)];
    while let Some((id, positive)) = open.pop() {
        match *exprs.node(id) {
            Node::Running(process) if !positive => return Some(process),
            Node::Unary(Unary::Not, inner) => open.push((inner, !positive)),
            Node::Binary(Binary::Or, a, b) if positive => open.extend([(a, true), (b, true)]),
            Node::Binary(Binary::And, a, b) if !positive => open.extend([(a, false), (b, false)]),
            _ => {}
        }
    }
    None
}

impl Unrolling<'_> {
    /// F(s_k) of Eq. (5) for an invariant of which [`tells_ahead`] says so: a literal that says that some step from the last
    /// state violates it.
    pub fn may_violate(&mut self, invariant: ExprId, sink: &mut dyn ClauseSink) -> Lit {
        let mut ways = Vec::new();
        for part in self.system.exprs.conjuncts(invariant) {
            let Some(process) = subject(&self.system.exprs, part) else { continue };
            let holds = self.evaluate_by(process, part).value.boolean();
            if holds != Signal::TRUE {
                let goes = self.goes(process);
                ways.push(self.gates.and(goes, !holds));
            }
        }
        let violated = self.gates.any(&ways);
        self.gates.literal(violated, sink)
    }

    /// Whether a process can make a step from the last state.
    fn goes(&mut self, process: ProcessId) -> Signal {
        let mut ways = Vec::new();
        for id in self.commands[process].clone() {
            let place = self.in_place(id);
            if place != Signal::FALSE {
                let guard = self.evaluate_by(process, self.system.commands[id].guard).value.boolean();
                ways.push(self.gates.and(place, guard));
            }
        }
        let (can_go, may_move) = (self.gates.any(&ways), self.may_move(process));
        self.gates.and(can_go, may_move)
    }
}
