//! What the beginning of a word says of a formula of LTL with past, however the word goes on: that it holds, that it does not, or nothing.
//!
//! Values are those of Kleene's logic: a formula is decided if what is known of its operands decides it. Such a beginning is
//! "informative" in the sense of O. Kupferman and M. Vardi (Formal Methods in System Design, 2001). One more position stands for all that
//! come: nothing is known there but constants, and what they decide.

use crate::definition::formula::{BinaryTemporal, Formula, Formulas, UnaryTemporal, Window};
use crate::definition::ids::{ExprId, FormulaId};
use rustc_hash::FxHashMap;

/// What is known of a formula, position by position; the last of them is every later one.
type Known = Vec<Option<bool>>;

/// What some positions, and at last all that come, say of a formula at the first of them. `atom` says what is known of an expression at each.
pub fn decided(
    formulas: &Formulas,
    root: FormulaId,
    length: usize,
    mut atom: impl FnMut(ExprId, usize) -> Option<bool>,
) -> Option<bool> {
    let mut known: FxHashMap<FormulaId, Known> = FxHashMap::default();
    for part in formulas.parts(root) {
        let of = |part: FormulaId| &known[&part];
        let found = match formulas.get(part) {
            Formula::State(expr) => (0..=length).map(|position| atom(expr, position)).collect(),
            Formula::Not(a) => of(a).iter().map(|a| not(*a)).collect(),
            Formula::And(a, b) => pointwise(of(a), of(b), and),
            Formula::Or(a, b) => pointwise(of(a), of(b), or),
            Formula::Implies(a, b) => pointwise(of(a), of(b), |a, b| or(not(a), b)),
            Formula::Iff(a, b) => pointwise(of(a), of(b), |a, b| Some(a? == b?)),
            Formula::Xor(a, b) => pointwise(of(a), of(b), |a, b| Some(a? != b?)),
            Formula::Unary(op, None, a) => unary(op, of(a))?,
            Formula::Unary(op, Some(window), a) => windowed(op, window, of(a))?,
            Formula::Binary(op, None, a, b) => binary(op, of(a), of(b))?,
            Formula::Binary(_, Some(_), ..) => return None,
        };
        known.insert(part, found);
    }
    known[&root][0]
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), b) => b,
        (None, _) => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    not(and(not(a), not(b)))
}

fn pointwise(a: &Known, b: &Known, op: impl Fn(Option<bool>, Option<bool>) -> Option<bool>) -> Known {
    a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
}

/// Always the same, whatever comes.
fn always(value: bool, like: &Known) -> Known {
    vec![Some(value); like.len()]
}

fn unary(op: UnaryTemporal, a: &Known) -> Option<Known> {
    match op {
        UnaryTemporal::Next => Some(a[1..].iter().chain(a.last()).copied().collect()),
        UnaryTemporal::Yesterday => Some(before(a, Some(false))),
        UnaryTemporal::WeakYesterday => Some(before(a, Some(true))),
        UnaryTemporal::Finally => binary(BinaryTemporal::Until, &always(true, a), a),
        UnaryTemporal::Globally => binary(BinaryTemporal::Releases, &always(false, a), a),
        UnaryTemporal::Once => binary(BinaryTemporal::Since, &always(true, a), a),
        UnaryTemporal::Historically => binary(BinaryTemporal::Triggered, &always(false, a), a),
        _ => None,
    }
}

fn binary(op: BinaryTemporal, a: &Known, b: &Known) -> Option<Known> {
    match op {
        BinaryTemporal::Until => Some(from_the_end(b, |at, next| or(b[at], and(a[at], next)))),
        BinaryTemporal::Releases => Some(from_the_end(b, |at, next| and(b[at], or(a[at], next)))),
        BinaryTemporal::Since => Some(from_the_beginning(Some(false), b, |at, before| or(b[at], and(a[at], before)))),
        BinaryTemporal::Triggered => {
            Some(from_the_beginning(Some(true), b, |at, before| and(b[at], or(a[at], before))))
        }
        BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil => None,
    }
}

/// A fixpoint that looks ahead. If its goal is the same at all positions that come, so is the fixpoint.
fn from_the_end(goal: &Known, step: impl Fn(usize, Option<bool>) -> Option<bool>) -> Known {
    let mut found = goal.clone();
    for at in (0..goal.len() - 1).rev() {
        found[at] = step(at, found[at + 1]);
    }
    found
}

/// One that looks back. Its goal decides it at all positions that come, as long as it is the same.
fn from_the_beginning(first: Option<bool>, goal: &Known, step: impl Fn(usize, Option<bool>) -> Option<bool>) -> Known {
    let mut before = first;
    let looked_back = (0..goal.len() - 1).map(|at| {
        before = step(at, before);
        before
    });
    looked_back.chain(goal.last().copied()).collect()
}

/// The position before. At positions that come, it is not known whether there is the same behind them, unless it is at the first, too.
fn before(a: &Known, first: Option<bool>) -> Known {
    let (coming, known) = a.split_last().expect("there is a position for all that come");
    let real = std::iter::once(first).chain(known[..known.len().saturating_sub(1)].iter().copied());
    real.chain([coming.filter(|_| *coming == first)]).collect()
}

/// Operators that look at some positions ahead or back.
fn windowed(op: UnaryTemporal, window: Window, a: &Known) -> Option<Known> {
    let (from, to, last) = (window.from as usize, window.to as usize, a.len() - 1);
    let some = |values: &[Option<bool>]| values.iter().copied().fold(Some(false), or);
    let all = |values: &[Option<bool>]| values.iter().copied().fold(Some(true), and);
    let ahead = |at: usize| &a[(at + from).min(last)..=(at + to).min(last)];
    let behind = |at: usize| &a[at.saturating_sub(to)..(at + 1).saturating_sub(from)];
    // What lies behind the positions that come, if it is what there is where nothing lies behind.
    let coming = |nothing: bool| a[last].filter(|value| from == 0 || *value == nothing);
    Some(match op {
        UnaryTemporal::Finally => (0..=last).map(|at| some(ahead(at))).collect(),
        UnaryTemporal::Globally => (0..=last).map(|at| all(ahead(at))).collect(),
        UnaryTemporal::Once => (0..last).map(|at| some(behind(at))).chain([coming(false)]).collect(),
        UnaryTemporal::Historically => (0..last).map(|at| all(behind(at))).chain([coming(true)]).collect(),
        _ => return None,
    })
}
