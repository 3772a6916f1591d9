//! What kind of claim a formula is, by its form.

use super::arena::{Arena, Node, NodeId};

/// What it takes to violate a formula, or to satisfy it, as far as its form tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `G p`, where p speaks of single states: every violation ends in a state.
    Invariant,
    /// Every violation shows after finitely many steps.
    Safety,
    /// Every satisfaction shows after finitely many steps.
    CoSafety,
    /// Anything.
    Liveness,
}

impl Kind {
    /// The kind of a formula in normal form: without U it is a safety property, without V a co-safety property.
    pub fn of(arena: &Arena, root: NodeId) -> Kind {
        if invariant(arena, root).is_some() {
            return Kind::Invariant;
        }
        let has = |wanted: fn(Node) -> bool| arena.parts(root).into_iter().any(|part| wanted(arena.get(part)));
        if !has(|node| matches!(node, Node::Until(..))) {
            Kind::Safety
        } else if !has(|node| matches!(node, Node::Releases(..))) {
            Kind::CoSafety
        } else {
            Kind::Liveness
        }
    }
}

/// The p of `G p`, if it is a boolean combination of atoms.
pub fn invariant(arena: &Arena, root: NodeId) -> Option<NodeId> {
    match arena.get(root) {
        Node::Releases(NodeId::FALSE, p) if !arena.has_future(p) && !arena.has_past(p) => Some(p),
        _ => None,
    }
}
