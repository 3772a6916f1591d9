//! What kind of claim a formula is, by its form.

use super::arena::{Arena, Node, NodeId};
use rustc_hash::FxHashMap;

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

/// Whether a finite run can satisfy a formula however it goes on, as far as the form of the formula tells: not if it is about what is
/// never to happen.
pub fn can_show(arena: &Arena, root: NodeId) -> bool {
    let mut shows: FxHashMap<NodeId, bool> = FxHashMap::default();
    for part in arena.parts(root) {
        let of = |part: NodeId| shows[&part];
        let can = match arena.get(part) {
            Node::True | Node::Atom(_) | Node::NotAtom(_) | Node::WeakYesterday(_) => true,
            Node::False => false,
            Node::And(a, b) | Node::Releases(a, b) => of(a) && of(b),
            Node::Or(a, b) => of(a) || of(b),
            Node::Next(a) | Node::Yesterday(a) => of(a),
            Node::Until(_, goal) | Node::Since(_, goal) | Node::Triggered(_, goal) => of(goal),
        };
        shows.insert(part, can);
    }
    shows[&root]
}

/// The p of `G p`, if it is a boolean combination of atoms.
pub fn invariant(arena: &Arena, root: NodeId) -> Option<NodeId> {
    match arena.get(root) {
        Node::Releases(NodeId::FALSE, p) if !arena.has_future(p) && !arena.has_past(p) => Some(p),
        _ => None,
    }
}
