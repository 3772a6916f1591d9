//! Whether what is written always fits where it is written, given the conditions that are met on the way to it:
//! `case n < 9 : n + 1; TRUE : 0; esac` is never above 9. Sorts alone say that it may be 10.

use crate::definition::expr::{Exprs, Node};
use crate::definition::ids::ExprId;
use crate::definition::op::{Binary, Unary};
use crate::definition::sort::{Domain, Sort};
use crate::definition::system::System;

/// How many parts of an expression are looked at before it counts as one that may not fit.
const PARTS: usize = 1 << 12;

/// How many bounds are remembered on the way to a value. A bound that is forgotten makes the answer less exact, not wrong.
const BOUNDS: usize = 8;

/// How deep arithmetic is followed; below, sorts tell.
const DEPTH: usize = 8;

/// How many integers are looked at one by one, where a domain is a list.
const LISTED: i128 = 256;

/// Whether the value of an expression (each member, if it is a set) belongs to a domain wherever it has one and the guard is true.
pub fn always_fits(system: &System, guard: Option<ExprId>, expr: ExprId, domain: &Domain) -> bool {
    let exprs = &system.exprs;
    let Some(known) = guard.map_or(Some(Known::default()), |guard| Known::default().given(exprs, guard, true)) else {
        return true;
    };
    let mut open = vec![(expr, known)];
    for _ in 0..PARTS {
        let Some((part, known)) = open.pop() else { return true };
        match exprs.node(part) {
            Node::Ite(condition, yes, no) => {
                let ways = [(*yes, known.given(exprs, *condition, true)), (*no, known.given(exprs, *condition, false))];
                open.extend(ways.into_iter().filter_map(|(way, known)| Some((way, known?))));
            }
            Node::Union(one, other) => open.extend([(*one, known.clone()), (*other, known)]),
            Node::Select { elements, .. } => open.extend(elements.iter().map(|element| (*element, known.clone()))),
            Node::Constant(value) if domain.contains(*value) => {}
            Node::Now(var) | Node::Next(var) if has_all(domain, &system.variables[*var].domain) => {}
            _ if fits(domain, known.sort(exprs, part, DEPTH)) => {}
            _ => return false,
        }
    }
    open.is_empty()
}

/// Whether a domain has all values of another one. Only lists are looked at; of others, the sort tells.
fn has_all(domain: &Domain, other: &Domain) -> bool {
    matches!(other, Domain::Values(values) if values.iter().all(|value| domain.contains(*value)))
}

/// Whether all values of a sort belong to a domain.
fn fits(domain: &Domain, sort: Sort) -> bool {
    match sort {
        Sort::Integer { low, high } if i128::from(high) - i128::from(low) < LISTED => {
            (low..=high).all(|value| domain.contains(value))
        }
        _ => domain.covers(sort),
    }
}

/// Between which integers the values of some expressions are.
#[derive(Clone, Debug, Default)]
struct Known(Vec<(ExprId, i64, i64)>);

impl Known {
    /// What is known where a condition has a value besides. None if it cannot have it.
    fn given(&self, exprs: &Exprs, condition: ExprId, value: bool) -> Option<Known> {
        let mut known = self.clone();
        let mut open = vec![(condition, value)];
        for _ in 0..PARTS {
            let Some((part, is_true)) = open.pop() else { break };
            match (exprs.node(part), is_true) {
                (Node::Constant(constant), _) if (*constant != 0) != is_true => return None,
                (Node::Unary(Unary::Not, inner), _) => open.push((*inner, !is_true)),
                (Node::Binary(Binary::And, left, right), true) | (Node::Binary(Binary::Or, left, right), false) => {
                    open.extend([(*left, is_true), (*right, is_true)]);
                }
                (Node::Binary(Binary::Less, left, right), true) => known.order(exprs, *left, *right, 1)?,
                (Node::Binary(Binary::Less, left, right), false) => known.order(exprs, *right, *left, 0)?,
                (Node::Binary(Binary::LessEqual, left, right), true) => known.order(exprs, *left, *right, 0)?,
                (Node::Binary(Binary::LessEqual, left, right), false) => known.order(exprs, *right, *left, 1)?,
                (Node::Binary(Binary::Equal, left, right), true) => {
                    known.order(exprs, *left, *right, 0)?;
                    known.order(exprs, *right, *left, 0)?;
                }
                (Node::Binary(Binary::Equal, left, right), false) => {
                    known.differ(exprs, *left, *right)?;
                    known.differ(exprs, *right, *left)?;
                }
                _ => {}
            }
        }
        Some(known)
    }

    /// Notes that an integer is less than another one by at least so much. None if that cannot be.
    fn order(&mut self, exprs: &Exprs, less: ExprId, more: ExprId, by: i64) -> Option<()> {
        let sorts = (self.sort(exprs, less, DEPTH), self.sort(exprs, more, DEPTH));
        let (Sort::Integer { low, high: most }, Sort::Integer { low: least, high }) = sorts else { return Some(()) };
        self.narrow(exprs, less, low, most.min(high.saturating_sub(by)))?;
        self.narrow(exprs, more, least.max(low.saturating_add(by)), high)
    }

    /// Notes that an integer differs from another one, which tells something if that is its least or greatest value. None if that cannot be.
    fn differ(&mut self, exprs: &Exprs, one: ExprId, other: ExprId) -> Option<()> {
        let sorts = (self.sort(exprs, one, DEPTH), self.sort(exprs, other, DEPTH));
        let (Sort::Integer { low, high }, Sort::Integer { low: only, high: last }) = sorts else { return Some(()) };
        if only != last {
            return Some(());
        }
        let (low, high) = (low.saturating_add(i64::from(low == only)), high.saturating_sub(i64::from(high == only)));
        self.narrow(exprs, one, low, high)
    }

    /// Notes the bounds of an expression. None if there is no integer between them.
    fn narrow(&mut self, exprs: &Exprs, expr: ExprId, low: i64, high: i64) -> Option<()> {
        if low > high {
            return None;
        }
        if exprs.constant_value(expr).is_none() {
            self.0.retain(|(other, ..)| *other != expr);
            if self.0.len() == BOUNDS {
                self.0.remove(0);
            }
            self.0.push((expr, low, high));
        }
        Some(())
    }

    /// The sort that an expression has here. A set has that of its members.
    fn sort(&self, exprs: &Exprs, expr: ExprId, depth: usize) -> Sort {
        let plain = exprs.sort(expr);
        let Sort::Integer { low, high } = plain else { return plain };
        let found = match exprs.node(expr) {
            _ if depth == 0 => plain,
            Node::Binary(op, left, right) => {
                let (left, right) = (self.sort(exprs, *left, depth - 1), self.sort(exprs, *right, depth - 1));
                op.interval(left, right).unwrap_or(plain)
            }
            _ => plain,
        };
        let bounds = self.0.iter().find(|(other, ..)| *other == expr);
        let (low, high) = bounds.map_or((low, high), |(_, least, most)| (low.max(*least), high.min(*most)));
        match found {
            Sort::Integer { low: least, high: most } => Sort::Integer { low: low.max(least), high: high.min(most) },
            _ => Sort::Integer { low, high },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::ids::VarId;
    use crate::definition::span::Span;
    use crate::definition::system::{Motion, Variable};
    use proptest::prelude::*;

    /// The domain of the variables `x` and `y` of the tests.
    const RANGE: (i64, i64) = (-2, 4);

    /// An expression as a tree.
    #[derive(Clone, Debug)]
    enum Tree {
        Variable(usize),
        Number(i64),
        Apply(Binary, Box<Tree>, Box<Tree>),
        Not(Box<Tree>),
        If(Box<Tree>, Box<Tree>, Box<Tree>),
    }

    impl Tree {
        fn build(&self, exprs: &mut Exprs) -> ExprId {
            match self {
                Tree::Variable(number) => exprs.now(VarId::new(*number), Sort::Integer { low: RANGE.0, high: RANGE.1 }),
                Tree::Number(number) => exprs.integer(*number),
                Tree::Apply(op, left, right) => {
                    let (left, right) = (left.build(exprs), right.build(exprs));
                    exprs.binary(*op, left, right)
                }
                Tree::Not(inner) => {
                    let inner = inner.build(exprs);
                    exprs.not(inner)
                }
                Tree::If(condition, yes, no) => {
                    let [condition, yes, no] = [condition, yes, no].map(|part| part.build(exprs));
                    exprs.ite(condition, yes, no)
                }
            }
        }

        /// The value where the variables have these; None if there is none.
        fn value(&self, variables: [i64; 2]) -> Option<i64> {
            let value = |tree: &Tree| tree.value(variables);
            Some(match self {
                Tree::Variable(number) => variables[*number],
                Tree::Number(number) => *number,
                Tree::Not(inner) => 1 - value(inner)?,
                Tree::If(condition, yes, no) => value(if value(condition)? != 0 { yes } else { no })?,
                Tree::Apply(op, left, right) => {
                    let first = value(left)?;
                    match op {
                        Binary::And if first == 0 => 0,
                        Binary::Or if first != 0 => 1,
                        Binary::And | Binary::Or => value(right)?,
                        Binary::Less => (first < value(right)?).into(),
                        Binary::LessEqual => (first <= value(right)?).into(),
                        Binary::Equal => (first == value(right)?).into(),
                        Binary::Add => first + value(right)?,
                        Binary::Subtract => first - value(right)?,
                        Binary::Multiply => first * value(right)?,
                        Binary::Modulo => first.checked_rem(value(right)?)?,
                        _ => unreachable!("no such operator is made"),
                    }
                }
            })
        }
    }

    fn integers(conditions: bool) -> BoxedStrategy<Tree> {
        let leaf = prop_oneof![(0usize..2).prop_map(Tree::Variable), (-3i64..6).prop_map(Tree::Number)];
        let ops = prop::sample::select(vec![Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Modulo]);
        leaf.prop_recursive(4, 24, 3, move |inner| {
            let applied = (ops.clone(), inner.clone(), inner.clone())
                .prop_map(|(op, left, right)| Tree::Apply(op, Box::new(left), Box::new(right)));
            let chosen = (truths(), inner.clone(), inner)
                .prop_map(|(condition, yes, no)| Tree::If(Box::new(condition), Box::new(yes), Box::new(no)));
            if conditions { prop_oneof![1 => applied, 2 => chosen].boxed() } else { applied.boxed() }
        })
        .boxed()
    }

    fn truths() -> BoxedStrategy<Tree> {
        let ops = prop::sample::select(vec![Binary::Less, Binary::LessEqual, Binary::Equal]);
        let small = prop_oneof![
            4 => (0usize..2).prop_map(Tree::Variable),
            4 => (-3i64..6).prop_map(Tree::Number),
            1 => integers(false)
        ];
        let compared =
            (ops, small.clone(), small).prop_map(|(op, left, right)| Tree::Apply(op, Box::new(left), Box::new(right)));
        let both = prop::sample::select(vec![Binary::And, Binary::Or]);
        compared
            .prop_recursive(2, 6, 2, move |inner| {
                prop_oneof![
                    (both.clone(), inner.clone(), inner.clone()).prop_map(|(op, left, right)| Tree::Apply(
                        op,
                        Box::new(left),
                        Box::new(right)
                    )),
                    inner.prop_map(|inner| Tree::Not(Box::new(inner))),
                ]
            })
            .boxed()
    }

    fn system_of(names: [Domain; 2]) -> System {
        let mut system = System::default();
        for domain in names {
            let span = Span::default();
            system.variables.push(Variable { name: "x".into(), domain, motion: Motion::Kept, span });
        }
        system
    }

    fn integer_system() -> System {
        system_of([(); 2].map(|()| Domain::Range { low: RANGE.0, high: RANGE.1 }))
    }

    fn all_pairs() -> impl Iterator<Item = [i64; 2]> {
        (RANGE.0..=RANGE.1).flat_map(|x| (RANGE.0..=RANGE.1).map(move |y| [x, y]))
    }

    /// Whether a command with the guard `x < 4` may write the value somewhere else than in `0..=4`.
    fn leaves(guard: bool, value: &Tree) -> bool {
        let mut system = integer_system();
        let bound = Tree::Apply(Binary::Less, Box::new(Tree::Variable(0)), Box::new(Tree::Number(4)));
        let guard = guard.then(|| bound.build(&mut system.exprs));
        let value = value.build(&mut system.exprs);
        !always_fits(&system, guard, value, &Domain::Range { low: 0, high: 4 })
    }

    fn apply(op: Binary, left: &Tree, right: &Tree) -> Tree {
        Tree::Apply(op, Box::new(left.clone()), Box::new(right.clone()))
    }

    #[test]
    fn counters_stay_below_the_bounds_that_they_ask_about() {
        let (x, y, one) = (Tree::Variable(0), Tree::Variable(1), Tree::Number(1));
        let next = apply(Binary::Add, &x, &one);
        let is_positive = apply(Binary::Less, &Tree::Number(0), &x);
        let (four, zero) = (Tree::Number(4), Tree::Number(0));
        let counting = |condition: Tree, yes: &Tree, no: &Tree| {
            let inner = Tree::If(Box::new(condition), Box::new(yes.clone()), Box::new(no.clone()));
            Tree::If(Box::new(is_positive.clone()), Box::new(inner), Box::new(zero.clone()))
        };
        assert!(!leaves(false, &counting(apply(Binary::Less, &x, &four), &next, &zero)));
        assert!(!leaves(false, &counting(apply(Binary::LessEqual, &four, &x), &zero, &next)));
        assert!(!leaves(false, &counting(apply(Binary::Equal, &x, &four), &zero, &next)));
        assert!(!leaves(false, &counting(apply(Binary::Less, &x, &y), &next, &zero)));
        assert!(!leaves(true, &counting(apply(Binary::Less, &zero, &y), &next, &zero)));
        assert!(leaves(false, &counting(apply(Binary::Less, &y, &four), &next, &zero)));
        assert!(leaves(false, &counting(apply(Binary::LessEqual, &x, &four), &next, &zero)));
        assert!(leaves(false, &next));
        assert!(leaves(true, &next), "x may be -2");
    }

    #[test]
    fn lists_hold_what_shorter_lists_do() {
        let list = |values: &[i64]| Domain::Values(values.into());
        let (red, green) = (crate::definition::value::SYMBOL_BASE, crate::definition::value::SYMBOL_BASE + 1);
        let mut system = system_of([list(&[red, 3]), list(&[red, green, 3])]);
        let [one, other] = [0, 1].map(|number| system.exprs.now(VarId::new(number), Sort::Enumeration));
        let fits = |expr, number| always_fits(&system, None, expr, &system.variables[VarId::new(number)].domain);
        assert!(fits(one, 1) && fits(one, 0));
        assert!(!fits(other, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn what_always_fits_has_no_value_elsewhere(
            guard in truths(), tree in integers(true), low in -4i64..2, more in 0i64..9
        ) {
            let mut system = integer_system();
            let (condition, expr) = (guard.build(&mut system.exprs), tree.build(&mut system.exprs));
            let domain = Domain::Range { low, high: low + more };
            if always_fits(&system, Some(condition), expr, &domain) {
                for pair in all_pairs().filter(|pair| guard.value(*pair) == Some(1)) {
                    let value = tree.value(pair);
                    prop_assert!(value.is_none_or(|value| domain.contains(value)), "{value:?} for {pair:?}");
                }
            }
        }
    }
}
