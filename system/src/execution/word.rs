//! Whether an ultimately periodic word satisfies a formula of LTL with past, straight from the definition.
//!
//! A word is a stem and a loop. Inside the loop the past differs from round to round, but not for ever: the value of a past
//! operator is periodic one round after its operands are. So the loop is unrolled once for each past operator on a path
//! through the formula (the virtual unrolling of A. Biere, K. Heljanko, T. Junttila, T. Latvala and V. Schuppan, LMCS 2006),
//! and in the last round every subformula has the values that it keeps. Replay relies on this alone: it shares nothing with
//! automata or encodings.

use crate::definition::automaton::ClaimAutomaton;
use crate::definition::formula::{BinaryTemporal, Formula, Formulas, Truth, UnaryTemporal, Window};
use crate::definition::ids::{ClaimStateId, ExprId, FormulaId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The positions of an ultimately periodic word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Positions {
    /// How many there are.
    pub length: usize,
    /// The one that follows the last, less than the length.
    pub again: usize,
}

impl Positions {
    fn period(self) -> usize {
        self.length - self.again
    }

    /// The loop, unrolled this many times more.
    fn unrolled(self, rounds: usize) -> Positions {
        let again = self.again + rounds * self.period();
        Positions { length: again + self.period(), again }
    }

    /// Where one is after this many steps from the beginning.
    fn wrap(self, position: usize) -> usize {
        if position < self.length { position } else { self.again + (position - self.again) % self.period() }
    }
}

/// The values of a formula, position by position.
type Values = Vec<bool>;

/// Whether a formula holds at the beginning of a word; nothing if it is no formula of LTL. `atom` evaluates an expression
/// at a position.
pub fn satisfies<E>(
    formulas: &Formulas,
    root: FormulaId,
    word: Positions,
    atom: impl FnMut(ExprId, usize) -> Result<bool, E>,
) -> Result<Option<bool>, E> {
    let valuation = evaluate(formulas, root, word, atom)?;
    Ok(valuation.map(|valuation| valuation.value(root, 0)))
}

/// The values of all parts of a formula along a word, whose loop is unrolled until each of them has the values that it keeps.
#[derive(Clone, Debug)]
pub struct Valuation {
    word: Positions,
    unrolled: Positions,
    values: FxHashMap<FormulaId, Values>,
}

impl Valuation {
    /// The value of a part of the formula at a position.
    pub fn value(&self, part: FormulaId, position: usize) -> bool {
        self.values[&part][position]
    }

    /// A position and all that come after it, each once.
    pub fn from(&self, position: usize) -> impl Iterator<Item = usize> + use<> {
        let unrolled = self.unrolled;
        (position..position.max(unrolled.again) + unrolled.period()).map(move |later| unrolled.wrap(later))
    }

    /// The position after one.
    pub fn next(&self, position: usize) -> usize {
        self.unrolled.wrap(position + 1)
    }

    /// The first position from here on that comes again and again.
    pub fn recurring(&self, position: usize) -> usize {
        position.max(self.unrolled.again)
    }

    /// The position of the word, before its loop was unrolled.
    pub fn place(&self, position: usize) -> usize {
        self.word.wrap(position)
    }
}

/// Evaluates a formula and all its parts on a word; nothing if it is no formula of LTL.
pub fn evaluate<E>(
    formulas: &Formulas,
    root: FormulaId,
    word: Positions,
    mut atom: impl FnMut(ExprId, usize) -> Result<bool, E>,
) -> Result<Option<Valuation>, E> {
    let parts = formulas.parts(root);
    let unrolled = word.unrolled(rounds(formulas, &parts, word.period()));
    let mut values: FxHashMap<FormulaId, Values> = FxHashMap::default();
    for part in parts {
        let of = |part: FormulaId| &values[&part];
        let found = match formulas.get(part) {
            Formula::State(expr) => {
                let once = (0..word.length).map(|position| atom(expr, position)).collect::<Result<Values, E>>()?;
                (0..unrolled.length).map(|position| once[word.wrap(position)]).collect()
            }
            Formula::Not(a) => of(a).iter().map(|a| !a).collect(),
            Formula::And(a, b) => pointwise(of(a), of(b), |a, b| a && b),
            Formula::Or(a, b) => pointwise(of(a), of(b), |a, b| a || b),
            Formula::Implies(a, b) => pointwise(of(a), of(b), |a, b| !a || b),
            Formula::Iff(a, b) => pointwise(of(a), of(b), |a, b| a == b),
            Formula::Xor(a, b) => pointwise(of(a), of(b), |a, b| a != b),
            Formula::Unary(op, window, a) => match unary(op, window, of(a), unrolled) {
                Some(values) => values,
                None => return Ok(None),
            },
            Formula::Binary(op, None, a, b) => match binary(op, of(a), of(b), unrolled) {
                Some(values) => values,
                None => return Ok(None),
            },
            Formula::Binary(_, Some(_), ..) => return Ok(None),
        };
        values.insert(part, found);
    }
    Ok(Some(Valuation { word, unrolled, values }))
}

/// How many more rounds there are until every subformula has the values that it keeps.
fn rounds(formulas: &Formulas, parts: &[FormulaId], period: usize) -> usize {
    let mut needed: FxHashMap<FormulaId, usize> = FxHashMap::default();
    let mut most = 0;
    for part in parts {
        let operands = formulas.operands(*part).into_iter().map(|operand| needed[&operand]);
        let here = operands.max().unwrap_or(0) + own_rounds(formulas.get(*part), period);
        needed.insert(*part, here);
        most = most.max(here);
    }
    most
}

fn own_rounds(formula: Formula, period: usize) -> usize {
    match formula {
        Formula::Unary(op, window, _) if is_past(op) => {
            1 + window.map_or(0, |window| (window.to as usize).div_ceil(period))
        }
        Formula::Binary(BinaryTemporal::Since | BinaryTemporal::Triggered, ..) => 1,
        _ => 0,
    }
}

fn is_past(op: UnaryTemporal) -> bool {
    use UnaryTemporal::{Historically, Once, WeakYesterday, Yesterday};
    matches!(op, Yesterday | WeakYesterday | Historically | Once)
}

fn pointwise(a: &Values, b: &Values, op: impl Fn(bool, bool) -> bool) -> Values {
    a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
}

fn unary(op: UnaryTemporal, window: Option<Window>, a: &Values, word: Positions) -> Option<Values> {
    Some(match (op, window) {
        (UnaryTemporal::Next, None) => (0..word.length).map(|position| a[word.wrap(position + 1)]).collect(),
        (UnaryTemporal::Finally, None) => until(&vec![true; a.len()], a, word),
        (UnaryTemporal::Globally, None) => releases(&vec![false; a.len()], a, word),
        (UnaryTemporal::Yesterday, None) => before(a, Truth::Fails),
        (UnaryTemporal::WeakYesterday, None) => before(a, Truth::Holds),
        (UnaryTemporal::Once, None) => since(&vec![true; a.len()], a),
        (UnaryTemporal::Historically, None) => triggered(&vec![false; a.len()], a),
        (UnaryTemporal::Finally, Some(window)) => ahead(Quantifier::Some, window, a, word),
        (UnaryTemporal::Globally, Some(window)) => ahead(Quantifier::All, window, a, word),
        (UnaryTemporal::Once, Some(window)) => behind(Quantifier::Some, window, a),
        (UnaryTemporal::Historically, Some(window)) => behind(Quantifier::All, window, a),
        _ => return None,
    })
}

fn binary(op: BinaryTemporal, a: &Values, b: &Values, word: Positions) -> Option<Values> {
    Some(match op {
        BinaryTemporal::Until => until(a, b, word),
        BinaryTemporal::Releases => releases(a, b, word),
        BinaryTemporal::Since => since(a, b),
        BinaryTemporal::Triggered => triggered(a, b),
        BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil => return None,
    })
}

/// The least solution of `x = b | a & X x`: the second time round, the first position of the loop is right.
fn until(a: &Values, b: &Values, word: Positions) -> Values {
    let mut found = vec![false; word.length];
    for position in (0..word.length).rev().chain((0..word.length).rev()) {
        found[position] = b[position] || a[position] && found[word.wrap(position + 1)];
    }
    found
}

/// The greatest solution of `x = b & (a | X x)`.
fn releases(a: &Values, b: &Values, word: Positions) -> Values {
    let mut found = vec![true; word.length];
    for position in (0..word.length).rev().chain((0..word.length).rev()) {
        found[position] = b[position] && (a[position] || found[word.wrap(position + 1)]);
    }
    found
}

fn before(a: &Values, at_first: Truth) -> Values {
    std::iter::once(at_first.value()).chain(a[..a.len() - 1].iter().copied()).collect()
}

fn since(a: &Values, b: &Values) -> Values {
    let (mut found, mut yesterday) = (Values::with_capacity(a.len()), false);
    for (a, b) in a.iter().zip(b) {
        yesterday = *b || *a && yesterday;
        found.push(yesterday);
    }
    found
}

fn triggered(a: &Values, b: &Values) -> Values {
    let (mut found, mut yesterday) = (Values::with_capacity(a.len()), true);
    for (a, b) in a.iter().zip(b) {
        yesterday = *b && (*a || yesterday);
        found.push(yesterday);
    }
    found
}

/// Whether some or all of some values are true.
#[derive(Clone, Copy)]
enum Quantifier {
    Some,
    All,
}

impl Quantifier {
    fn over(self, mut values: impl Iterator<Item = bool>) -> bool {
        match self {
            Quantifier::Some => values.any(|value| value),
            Quantifier::All => values.all(|value| value),
        }
    }
}

/// Some or all of the values between some steps from now. No more of them are looked at than there are positions.
fn ahead(quantifier: Quantifier, window: Window, a: &Values, word: Positions) -> Values {
    let (from, to) = (window.from as usize, window.to as usize);
    let to = to.min(from + word.length);
    let over = (0..word.length).map(|position| (from..=to).map(move |steps| a[word.wrap(position + steps)]));
    over.map(|values| quantifier.over(values)).collect()
}

/// The same for steps back, as far as there are states.
fn behind(quantifier: Quantifier, window: Window, a: &Values) -> Values {
    let (from, to) = (window.from as usize, window.to as usize);
    let over = (0..a.len()).map(|position| (from..=to.min(position)).map(move |steps| a[position - steps]));
    over.map(|values| quantifier.over(values)).collect()
}

/// Whether an automaton has a run on a word that passes an accepting state infinitely often.
pub fn accepts(automaton: &ClaimAutomaton, word: Positions, mut atom: impl FnMut(ExprId, usize) -> bool) -> bool {
    let mut steps: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    let mut open = vec![(0, ClaimStateId::new(0))];
    while let Some((position, state)) = open.pop() {
        if steps.contains_key(&(position, state)) {
            continue;
        }
        let possible = automaton.moves[state].iter().filter(|step| atom(step.guard, position));
        let next: Vec<Place> = possible.map(|step| (word.wrap(position + 1), step.to)).collect();
        open.extend(&next);
        steps.insert((position, state), next);
    }
    steps.keys().any(|place| automaton.accepting.contains(&place.1) && returns(&steps, *place))
}

/// A position of the word with a state of the automaton.
type Place = (usize, ClaimStateId);

/// Whether steps lead from a place back to it.
fn returns(steps: &BTreeMap<Place, Vec<Place>>, start: Place) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(place) = open.pop() {
        for next in steps[&place].iter().copied() {
            if next == start {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}
