//! How a `d_step` begins and goes on: which statements it tries, and when it can begin.
//!
//! Both follow the code that SPIN makes of a `d_step` (its `dstep.c`). What it tries are the options in order, but an option
//! that begins with a block or with another selection is final: if nothing in it can run, the `d_step` blocks. Whether
//! it can begin is asked separately, and only of some options: those that begin with a condition, a send, a receive or
//! `else`, also inside a nested `if`. If there is one of them, an option that begins with an assignment, a jump, a loop
//! or a block does not open the `d_step`.

use super::super::ast::Kind;
use super::Entry;
use super::build::{ElementId, ElementKind, SequenceId};
use super::points::Tracer;

impl Tracer<'_> {
    fn kind(&self, element: ElementId) -> &ElementKind {
        &self.graph.elements[element.0].kind
    }

    /// The statements that a `d_step` tries at one of its elements, in order.
    pub(super) fn tried(&self, element: ElementId) -> Vec<ElementId> {
        let mut found = Vec::new();
        let mut next = Some(element);
        while let Some(at) = next.take() {
            match self.kind(at) {
                ElementKind::Block(inner) => next = Some(self.start(*inner)),
                ElementKind::Selection(options) => {
                    let mut starts = options.iter().map(|option| self.start(*option));
                    next = starts.by_ref().find(|start| {
                        let is_nested = matches!(self.kind(*start), ElementKind::Block(_) | ElementKind::Selection(_));
                        found.extend((!is_nested).then_some(*start));
                        is_nested
                    });
                }
                _ => found.push(at),
            }
        }
        found
    }

    /// When a `d_step` with this first element can begin.
    pub(super) fn entry(&mut self, first: ElementId) -> Entry {
        let mut at = first;
        while let ElementKind::Block(inner) = self.kind(at) {
            at = self.start(*inner);
        }
        match self.kind(at) {
            ElementKind::Statement(Kind::Else) => Entry::Otherwise,
            ElementKind::Selection(options) => {
                let (guards, tried) = (self.guards(options), self.tried(at));
                let always_opens = guards.is_empty() && tried.iter().any(|leaf| !self.is_guard(*leaf));
                if always_opens || guards == tried {
                    return Entry::Possible;
                }
                Entry::Guards(guards.into_iter().map(|guard| self.edge(guard)).collect())
            }
            _ => Entry::Possible,
        }
    }

    /// The first statements of options that SPIN asks whether the `d_step` can begin.
    fn guards(&self, options: &[SequenceId]) -> Vec<ElementId> {
        let mut guards = Vec::new();
        let mut open: Vec<ElementId> = options.iter().rev().map(|option| self.start(*option)).collect();
        while let Some(at) = open.pop() {
            let inside = match self.kind(at) {
                ElementKind::Block(inner) => self.graph.chains[inner.0].first,
                _ => at,
            };
            match self.kind(inside) {
                ElementKind::Selection(options) if !self.is_loop(inside) => {
                    open.extend(options.iter().rev().map(|option| self.start(*option)));
                }
                _ if inside == at && self.is_guard(at) => guards.push(at),
                _ => {}
            }
        }
        guards
    }

    fn is_guard(&self, leaf: ElementId) -> bool {
        let ElementKind::Statement(kind) = self.kind(leaf) else { return false };
        matches!(kind, Kind::Condition(_) | Kind::Skip | Kind::Send(..) | Kind::Receive(..) | Kind::Else)
    }

    fn is_loop(&self, selection: ElementId) -> bool {
        let behind = self.graph.elements[selection.0].next;
        behind.is_some_and(|behind| matches!(self.kind(behind), ElementKind::LoopEnd))
    }
}
