//! From the formulas of a system to normal form.

use super::Refusal;
use super::arena::{Arena, NodeId};
use rustc_hash::FxHashMap;
use system::{BinaryTemporal, ExprId, Formula, FormulaId, System, Unary, UnaryTemporal, Window};

/// The most steps that a bounded operator may look ahead or back: it becomes as many operators.
const WIDEST: u32 = 1000;

/// A formula of a system in normal form.
pub fn normalise(system: &System, root: FormulaId, arena: &mut Arena) -> Result<NodeId, Refusal> {
    let mut done: FxHashMap<FormulaId, NodeId> = FxHashMap::default();
    for part in system.formulas.parts(root) {
        let of = |part: FormulaId| done[&part];
        let node = match system.formulas.get(part) {
            Formula::State(expr) => atom(system, expr, arena),
            Formula::Not(a) => arena.not(of(a)),
            Formula::And(a, b) => arena.and(of(a), of(b)),
            Formula::Or(a, b) => arena.or(of(a), of(b)),
            Formula::Implies(a, b) => arena.or(arena.not(of(a)), of(b)),
            Formula::Iff(a, b) => iff(of(a), of(b), arena),
            Formula::Xor(a, b) => {
                let iff = iff(of(a), of(b), arena);
                arena.not(iff)
            }
            Formula::Unary(op, None, a) => unary(op, of(a), arena)?,
            Formula::Unary(op, Some(window), a) => bounded(op, window, of(a), arena)?,
            Formula::Binary(op, None, a, b) => binary(op, of(a), of(b), arena)?,
            Formula::Binary(_, Some(_), ..) => return Err(branching()),
        };
        done.insert(part, node);
    }
    Ok(done[&root])
}

fn branching() -> Refusal {
    "the formula has operators of CTL".to_owned()
}

/// A negated expression is a negated formula, so that both are one atom.
fn atom(system: &System, mut expr: ExprId, arena: &mut Arena) -> NodeId {
    let mut negated = false;
    while let system::Node::Unary(Unary::Not, inner) = *system.exprs.node(expr) {
        (expr, negated) = (inner, !negated);
    }
    let node = match system.exprs.constant_value(expr) {
        Some(0) => NodeId::FALSE,
        Some(_) => NodeId::TRUE,
        None => arena.atom(expr),
    };
    if negated { arena.not(node) } else { node }
}

fn iff(a: NodeId, b: NodeId, arena: &mut Arena) -> NodeId {
    let both = arena.and(a, b);
    let neither = arena.and(arena.not(a), arena.not(b));
    arena.or(both, neither)
}

fn unary(op: UnaryTemporal, a: NodeId, arena: &mut Arena) -> Result<NodeId, Refusal> {
    Ok(match op {
        UnaryTemporal::Next => arena.next(a),
        UnaryTemporal::Globally => arena.globally(a),
        UnaryTemporal::Finally => arena.eventually(a),
        UnaryTemporal::Yesterday => arena.yesterday(a),
        UnaryTemporal::WeakYesterday => arena.weak_yesterday(a),
        UnaryTemporal::Historically => arena.triggered(NodeId::FALSE, a),
        UnaryTemporal::Once => arena.since(NodeId::TRUE, a),
        _ => return Err(branching()),
    })
}

fn binary(op: BinaryTemporal, a: NodeId, b: NodeId, arena: &mut Arena) -> Result<NodeId, Refusal> {
    Ok(match op {
        BinaryTemporal::Until => arena.until(a, b),
        BinaryTemporal::Releases => arena.releases(a, b),
        BinaryTemporal::Since => arena.since(a, b),
        BinaryTemporal::Triggered => arena.triggered(a, b),
        BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil => return Err(branching()),
    })
}

/// `F [2, 3] p` is `X X (p | X p)`.
fn bounded(op: UnaryTemporal, window: Window, a: NodeId, arena: &mut Arena) -> Result<NodeId, Refusal> {
    if window.to > WIDEST {
        return Err(format!("it looks {} steps ahead or back; at most {WIDEST} are possible", window.to));
    }
    let step = match op {
        UnaryTemporal::Finally | UnaryTemporal::Globally => UnaryTemporal::Next,
        UnaryTemporal::Once => UnaryTemporal::Yesterday,
        UnaryTemporal::Historically => UnaryTemporal::WeakYesterday,
        _ => return Err(branching()),
    };
    let is_some = matches!(op, UnaryTemporal::Finally | UnaryTemporal::Once);
    let mut found = a;
    for _ in window.from..window.to {
        let further = unary(step, found, arena)?;
        found = if is_some { arena.or(a, further) } else { arena.and(a, further) };
    }
    for _ in 0..window.from {
        found = unary(step, found, arena)?;
    }
    Ok(found)
}
