//! Expressions: an arena in which equal expressions have equal ids, simplified as they are built.
//!
//! Children always have smaller ids than their parents, so that every pass over an expression is a loop over
//! ids: nothing recurses, however deep a model nests.

use super::ids::{ExprId, GapId, ProcessId, VarId};
use super::op::{Binary, Unary, concatenated};
use super::sort::{Sort, WordSort};
use super::span::Span;
use super::value::Value;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// One expression; see [`Exprs`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant of the node's sort.
    Constant(Value),
    /// A variable's value in the current state, or an input's value during the step.
    Now(VarId),
    /// A variable's value in the next state.
    Next(VarId),
    /// Whether this process makes the step.
    Running(ProcessId),
    /// Whether nothing else in the whole system can make a step (Promela's `timeout`).
    Timeout,
    /// An operator with one operand.
    Unary(Unary, ExprId),
    /// An operator with two operands.
    Binary(Binary, ExprId, ExprId),
    /// The second operand where the first is true, else the third. Only the chosen one is evaluated.
    Ite(ExprId, ExprId, ExprId),
    /// The element at an index, the first element having index `low`.
    Select {
        /// Which element.
        index: ExprId,
        /// The index of the first element.
        low: i64,
        /// Constants or variables, all read in the same state.
        elements: Box<[ExprId]>,
    },
    /// A set: all values of both operands. Allowed where a choice is: in updates and initial values.
    Union(ExprId, ExprId),
    /// A set: all integers between two bounds.
    Interval(i64, i64),
    /// No value: evaluation fails.
    Gap(GapId),
}

/// What is known about a node besides its shape.
#[derive(Clone, Copy, Debug)]
struct Facts {
    sort: Sort,
    /// Denotes a set of values instead of one.
    set: bool,
    /// Evaluation cannot fail.
    total: bool,
}

/// The arena of a system's expressions.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: IndexVec<ExprId, Node>,
    facts: IndexVec<ExprId, Facts>,
    known: FxHashMap<(Node, Sort), ExprId>,
    /// Where evaluation fails on purpose, and why.
    gaps: IndexVec<GapId, (Span, &'static str)>,
    /// The gaps that are limits of a tool and no mistakes of the model.
    limits: Vec<GapId>,
}

impl Exprs {
    /// The shape of an expression.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id]
    }

    /// The sort of an expression's value (or of the values of its set).
    pub fn sort(&self, id: ExprId) -> Sort {
        self.facts[id].sort
    }

    /// Whether the expression denotes a set of values to choose from.
    pub fn is_set(&self, id: ExprId) -> bool {
        self.facts[id].set
    }

    /// Whether evaluating the expression can never fail.
    pub fn is_total(&self, id: ExprId) -> bool {
        self.facts[id].total
    }

    /// Where the gap is in the source.
    pub fn gap_span(&self, gap: GapId) -> Span {
        self.gaps[gap].0
    }

    /// Why the gap has no value.
    pub fn gap_reason(&self, gap: GapId) -> &'static str {
        self.gaps[gap].1
    }

    /// How many expressions the arena holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The constant that the expression is, if it is one.
    pub fn constant_value(&self, id: ExprId) -> Option<Value> {
        match self.nodes[id] {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn add(&mut self, node: Node, facts: Facts) -> ExprId {
        let next = self.nodes.next_idx();
        let id = *self.known.entry((node.clone(), facts.sort)).or_insert(next);
        if id == next {
            self.nodes.push(node);
            self.facts.push(facts);
        }
        id
    }

    fn leaf(&mut self, node: Node, sort: Sort) -> ExprId {
        self.add(node, Facts { sort, set: false, total: true })
    }

    /// A constant. Integers get the interval that holds just them.
    pub fn constant(&mut self, value: Value, sort: Sort) -> ExprId {
        let sort = match sort {
            Sort::Integer { .. } => Sort::Integer { low: value, high: value },
            other => other,
        };
        self.leaf(Node::Constant(value), sort)
    }

    /// `TRUE` or `FALSE`.
    pub fn boolean(&mut self, value: bool) -> ExprId {
        self.constant(Value::from(value), Sort::Boolean)
    }

    /// An integer constant.
    pub fn integer(&mut self, value: i64) -> ExprId {
        self.constant(value, Sort::Integer { low: value, high: value })
    }

    /// A variable in the current state (or an input during the step).
    pub fn now(&mut self, var: VarId, sort: Sort) -> ExprId {
        self.leaf(Node::Now(var), sort)
    }

    /// A variable in the next state.
    pub fn next(&mut self, var: VarId, sort: Sort) -> ExprId {
        self.leaf(Node::Next(var), sort)
    }

    /// Whether a process makes the step.
    pub fn running(&mut self, process: ProcessId) -> ExprId {
        self.leaf(Node::Running(process), Sort::Boolean)
    }

    /// Whether nothing else can make a step.
    pub fn timeout(&mut self) -> ExprId {
        self.leaf(Node::Timeout, Sort::Boolean)
    }

    /// An expression without a value, found at `span`.
    pub fn gap(&mut self, span: Span) -> ExprId {
        self.failure(span, "no branch of this case applies")
    }

    /// An expression without a value, found at `span`, and why it has none.
    pub fn failure(&mut self, span: Span, reason: &'static str) -> ExprId {
        let gap = self.gaps.push((span, reason));
        self.without_value(gap)
    }

    fn without_value(&mut self, gap: GapId) -> ExprId {
        self.add(Node::Gap(gap), Facts { sort: Sort::Never, set: false, total: false })
    }

    /// An expression that has a value, but one beyond a limit, which the reason names.
    pub fn limit(&mut self, span: Span, reason: &'static str) -> ExprId {
        let gap = self.gaps.push((span, reason));
        self.limits.push(gap);
        self.without_value(gap)
    }

    /// Whether a gap is a limit of a tool and no mistake of the model.
    pub fn is_limit(&self, gap: GapId) -> bool {
        self.limits.contains(&gap)
    }

    /// Negation.
    pub fn not(&mut self, operand: ExprId) -> ExprId {
        self.unary(Unary::Not, operand)
    }

    /// Conjunction.
    pub fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::And, left, right)
    }

    /// Disjunction.
    pub fn or(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Or, left, right)
    }

    /// Equality.
    pub fn equal(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.binary(Binary::Equal, left, right)
    }

    /// The conjunction of many; `TRUE` for none.
    pub fn all(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let start = self.boolean(true);
        parts.into_iter().fold(start, |all, part| self.and(all, part))
    }

    /// An operator applied to one operand.
    pub fn unary(&mut self, op: Unary, operand: ExprId) -> ExprId {
        let from = self.sort(operand);
        let sort = unary_sort(op, from);
        if let Some(value) = self.constant_value(operand)
            && let Ok(result) = op.apply(from, value)
        {
            return self.constant(result, sort);
        }
        match (op, &self.nodes[operand]) {
            (Unary::Not, Node::Unary(Unary::Not, inner)) => return *inner,
            (Unary::Resize(to) | Unary::Reinterpret(to), _) if from == Sort::Word(to) => return operand,
            (Unary::Truncate(to), _) if fits(from, to) => return operand,
            _ => {}
        }
        let total = self.is_total(operand) && !op.can_fail(from);
        self.add(Node::Unary(op, operand), Facts { sort, set: self.is_set(operand), total })
    }

    /// An operator applied to two operands of one kind.
    pub fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        // An operand without a value leaves nothing to compute, unless the left operand can decide alone.
        if !matches!(op, Binary::And | Binary::Or)
            && let Some(never) = [left, right].into_iter().find(|part| self.sort(*part) == Sort::Never)
        {
            return never;
        }
        let (from, with) = (self.sort(left), self.sort(right));
        let sort = binary_sort(op, from, with);
        if let (Some(a), Some(b)) = (self.constant_value(left), self.constant_value(right))
            && let Ok(result) = op.apply(from, with, a, b)
        {
            return self.constant(result, sort);
        }
        if let Some(simpler) = self.simplify(op, left, right) {
            return simpler;
        }
        let total = self.is_total(left) && self.is_total(right) && !op.can_fail(from, with);
        let set = self.is_set(left) || self.is_set(right);
        self.add(Node::Binary(op, left, right), Facts { sort, set, total })
    }

    /// The laws of the constants and of equal operands. None of them hides a failure.
    fn simplify(&mut self, op: Binary, left: ExprId, right: ExprId) -> Option<ExprId> {
        let (a, b) = (self.constant_value(left), self.constant_value(right));
        let drops_nothing = self.is_total(left) && self.is_total(right);
        Some(match op {
            Binary::And if a == Some(1) => right,
            Binary::And if a == Some(0) => left,
            Binary::And if b == Some(1) => left,
            Binary::And if b == Some(0) && drops_nothing => right,
            Binary::Or if a == Some(0) => right,
            Binary::Or if a == Some(1) => left,
            Binary::Or if b == Some(0) => left,
            Binary::Or if b == Some(1) && drops_nothing => right,
            Binary::And | Binary::Or if left == right => left,
            Binary::And | Binary::Or if drops_nothing && self.are_opposite(left, right) => {
                self.boolean(op == Binary::Or)
            }
            Binary::Equal if left == right && drops_nothing && !self.is_set(left) => self.boolean(true),
            Binary::Equal if drops_nothing && self.are_disjoint(left, right) => self.boolean(false),
            Binary::Equal | Binary::Xor if self.sort(left) == Sort::Boolean => match (op, a, b) {
                (Binary::Equal, Some(1), _) | (Binary::Xor, Some(0), _) => right,
                (Binary::Equal, _, Some(1)) | (Binary::Xor, _, Some(0)) => left,
                (Binary::Equal, Some(0), _) | (Binary::Xor, Some(1), _) => self.not(right),
                (Binary::Equal, _, Some(0)) | (Binary::Xor, _, Some(1)) => self.not(left),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn are_opposite(&self, left: ExprId, right: ExprId) -> bool {
        self.negates(left, right) || self.negates(right, left)
    }

    fn negates(&self, a: ExprId, b: ExprId) -> bool {
        matches!(self.nodes[a], Node::Unary(Unary::Not, inner) if inner == b)
    }

    fn are_disjoint(&self, left: ExprId, right: ExprId) -> bool {
        match (self.sort(left), self.sort(right)) {
            (Sort::Integer { low: a, high: b }, Sort::Integer { low: c, high: d }) => b < c || d < a,
            _ => false,
        }
    }

    /// `then` where `condition` is true, else `otherwise`. The two must be of one kind.
    pub fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        if let Some(value) = self.constant_value(condition) {
            return if value == 0 { otherwise } else { then };
        }
        if then == otherwise && self.is_total(condition) {
            return then;
        }
        let sort = joined(self.sort(then), self.sort(otherwise));
        if let (Sort::Boolean, Some(a), Some(b)) = (sort, self.constant_value(then), self.constant_value(otherwise))
            && a != b
        {
            return if a == 1 { condition } else { self.not(condition) };
        }
        let facts = Facts {
            sort,
            set: self.is_set(then) || self.is_set(otherwise),
            total: [condition, then, otherwise].iter().all(|part| self.is_total(*part)),
        };
        self.add(Node::Ite(condition, then, otherwise), facts)
    }

    /// The element at `index` of constants or variables; the first one has index `low`.
    pub fn select(&mut self, index: ExprId, low: i64, elements: Vec<ExprId>) -> ExprId {
        let at = self.constant_value(index).and_then(|value| usize::try_from(value.checked_sub(low)?).ok());
        if let Some(element) = at.and_then(|at| elements.get(at)) {
            return *element;
        }
        let sort = elements.iter().fold(Sort::Never, |sort, element| joined(sort, self.sort(*element)));
        let high = low + elements.len() as i64 - 1;
        let inside = matches!(self.sort(index), Sort::Integer { low: a, high: b } if low <= a && b <= high);
        let total = inside && self.is_total(index);
        self.add(Node::Select { index, low, elements: elements.into() }, Facts { sort, set: false, total })
    }

    /// The set of the values of both operands.
    pub fn union(&mut self, left: ExprId, right: ExprId) -> ExprId {
        if left == right {
            return left;
        }
        let facts = Facts {
            sort: joined(self.sort(left), self.sort(right)),
            set: true,
            total: self.is_total(left) && self.is_total(right),
        };
        self.add(Node::Union(left, right), facts)
    }

    /// The set of the integers from `low` to `high`.
    pub fn interval(&mut self, low: i64, high: i64) -> ExprId {
        self.add(Node::Interval(low, high), Facts { sort: Sort::Integer { low, high }, set: true, total: true })
    }

    /// Calls `visit` with every operand of a node.
    pub fn for_each_child(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match &self.nodes[id] {
            Node::Unary(_, a) => visit(*a),
            Node::Binary(_, a, b) | Node::Union(a, b) => [a, b].into_iter().for_each(|child| visit(*child)),
            Node::Ite(a, b, c) => [a, b, c].into_iter().for_each(|child| visit(*child)),
            Node::Select { index, elements, .. } => {
                visit(*index);
                elements.iter().for_each(|element| visit(*element));
            }
            _ => {}
        }
    }

    /// Every expression inside the roots (themselves included), each once, operands first.
    pub fn reachable(&self, roots: &[ExprId]) -> Vec<ExprId> {
        /// As long as there are no more, a look at each of them takes less time than a table.
        const FEW: usize = 24;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<ExprId> = roots.to_vec();
        let mut found: Vec<ExprId> = Vec::with_capacity(FEW);
        while let Some(id) = open.pop() {
            if found.len() == FEW {
                seen.extend(found.iter().copied());
            }
            let is_new = if found.len() < FEW { !found.contains(&id) } else { seen.insert(id) };
            if is_new {
                found.push(id);
                self.for_each_child(id, |child| open.push(child));
            }
        }
        found.sort_unstable();
        found
    }

    /// A set and the sets that it is put together from, each once, parts first.
    pub fn sets_inside(&self, root: ExprId) -> Vec<ExprId> {
        let mut found = rustc_hash::FxHashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if found.insert(id) {
                match self.nodes[id] {
                    Node::Union(a, b) => open.extend([a, b]),
                    Node::Ite(_, a, b) if self.is_set(id) => open.extend([a, b]),
                    _ => {}
                }
            }
        }
        let mut found: Vec<ExprId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The conjuncts of an expression: itself unless it is a conjunction.
    pub fn conjuncts(&self, root: ExprId) -> Vec<ExprId> {
        let (mut open, mut found) = (vec![root], Vec::new());
        while let Some(id) = open.pop() {
            match self.nodes[id] {
                Node::Binary(Binary::And, a, b) => open.extend([b, a]),
                _ => found.push(id),
            }
        }
        found
    }

    /// Rebuilds an expression with some leaves replaced; `replace` returns what stands for a leaf, if anything.
    pub fn rewrite(&mut self, root: ExprId, mut replace: impl FnMut(&mut Exprs, ExprId) -> Option<ExprId>) -> ExprId {
        let mut done = Rewritten { old: self.reachable(&[root]), new: Vec::new() };
        for at in 0..done.old.len() {
            let id = done.old[at];
            let new = match replace(self, id) {
                Some(new) => new,
                None => self.rebuild(id, &done),
            };
            done.new.push(new);
        }
        done[&root]
    }

    fn rebuild(&mut self, id: ExprId, done: &Rewritten) -> ExprId {
        let mut changed = false;
        self.for_each_child(id, |child| changed |= done[&child] != child);
        if !changed {
            return id;
        }
        match self.nodes[id].clone() {
            Node::Unary(op, a) => self.unary(op, done[&a]),
            Node::Binary(op, a, b) => self.binary(op, done[&a], done[&b]),
            Node::Union(a, b) => self.union(done[&a], done[&b]),
            Node::Ite(a, b, c) => self.ite(done[&a], done[&b], done[&c]),
            Node::Select { index, low, elements } => {
                let elements = elements.iter().map(|element| done[element]).collect();
                self.select(done[&index], low, elements)
            }
            _ => id,
        }
    }

    /// The expression one step later: every variable of the state read in the next state instead.
    pub fn shift(&mut self, root: ExprId) -> ExprId {
        self.rewrite(root, |exprs, id| match exprs.nodes[id] {
            Node::Now(var) => Some(exprs.next(var, exprs.sort(id))),
            _ => None,
        })
    }

    /// The expression where a variable's current value is known.
    pub fn assume(&mut self, root: ExprId, var: VarId, value: Value) -> ExprId {
        self.rewrite(root, |exprs, id| match exprs.nodes[id] {
            Node::Now(read) if read == var => Some(exprs.constant(value, exprs.sort(id))),
            _ => None,
        })
    }
}

/// What stands for expressions while one is rebuilt.
struct Rewritten {
    /// The expressions, in order, operands first.
    old: Vec<ExprId>,
    /// What stands for each, as far as that is known.
    new: Vec<ExprId>,
}

impl std::ops::Index<&ExprId> for Rewritten {
    type Output = ExprId;

    fn index(&self, id: &ExprId) -> &ExprId {
        let Ok(at) = self.old.binary_search(id) else { unreachable!("operands come first") };
        &self.new[at]
    }
}

/// Whether every integer of the sort survives truncation.
fn fits(sort: Sort, to: WordSort) -> bool {
    matches!(sort, Sort::Integer { low, high }
        if to.wrap(low.into()) == low && to.wrap(high.into()) == high && to.number(low) >= 0 || to.signed
            && to.wrap(low.into()) == low && to.wrap(high.into()) == high)
}

fn unary_sort(op: Unary, from: Sort) -> Sort {
    match (op, from) {
        (Unary::Not | Unary::ToBoolean, _) => Sort::Boolean,
        (Unary::Negate, Sort::Integer { low, high }) => {
            Sort::Integer { low: high.saturating_neg(), high: low.saturating_neg() }
        }
        (Unary::Negate | Unary::Complement, other) => other,
        (Unary::Extract { high, low }, _) => Sort::Word(WordSort { width: high - low + 1, signed: false }),
        (Unary::Resize(to) | Unary::Reinterpret(to) | Unary::ToWord(to), _) => Sort::Word(to),
        (Unary::ToInteger, Sort::Word(word)) => word_interval(word),
        (Unary::Truncate(to), _) => word_interval(to),
        (Unary::ToInteger | Unary::BooleanToInteger, _) => Sort::Integer { low: 0, high: 1 },
    }
}

/// The integers that words of a sort stand for, as far as values reach.
fn word_interval(word: WordSort) -> Sort {
    let half = 1i128 << (word.width - 1);
    let (low, high) = if word.signed { (-half, half - 1) } else { (0, 2 * half - 1) };
    Sort::Integer { low: low as i64, high: i64::try_from(high).unwrap_or(i64::MAX) }
}

fn binary_sort(op: Binary, left: Sort, right: Sort) -> Sort {
    match (op, left) {
        (Binary::And | Binary::Or | Binary::Equal | Binary::Less | Binary::LessEqual, _) => Sort::Boolean,
        (Binary::Concat, Sort::Word(word)) => Sort::Word(concatenated(word, right)),
        (_, Sort::Integer { .. }) => {
            op.interval(left, right).unwrap_or(Sort::Integer { low: i64::MIN, high: i64::MAX })
        }
        _ => left,
    }
}

fn joined(left: Sort, right: Sort) -> Sort {
    match left.join(right) {
        Some(sort) => sort,
        None => unreachable!("a front end joins values of one kind only: {left:?} and {right:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_one() {
        let mut exprs = Exprs::default();
        let x = exprs.now(VarId::new(0), Sort::Boolean);
        let y = exprs.now(VarId::new(1), Sort::Boolean);
        assert_eq!(exprs.and(x, y), exprs.and(x, y));
        let not_x = exprs.not(x);
        assert_eq!(exprs.not(not_x), x);
    }

    #[test]
    fn simplifying_never_hides_a_failure() {
        let mut exprs = Exprs::default();
        let x = exprs.now(VarId::new(0), Sort::Integer { low: 0, high: 3 });
        let one = exprs.integer(1);
        let quotient = exprs.binary(Binary::Divide, one, x);
        assert!(!exprs.is_total(quotient));
        let check = exprs.equal(quotient, one);
        let never = exprs.boolean(false);
        let kept = exprs.and(check, never);
        assert!(matches!(exprs.node(kept), Node::Binary(Binary::And, ..)));
        assert_eq!(exprs.and(never, check), never, "a false left operand keeps the right one from being evaluated");
    }

    #[test]
    fn assuming_a_value_cuts_a_case_down() {
        let mut exprs = Exprs::default();
        let pc = VarId::new(0);
        let read = exprs.now(pc, Sort::Integer { low: 0, high: 9 });
        let two = exprs.integer(2);
        let at_two = exprs.equal(read, two);
        let ten = exprs.integer(10);
        let choice = exprs.ite(at_two, ten, read);
        assert_eq!(exprs.assume(choice, pc, 2), ten);
        let five = exprs.assume(choice, pc, 5);
        assert_eq!(exprs.constant_value(five), Some(5));
    }

    #[test]
    fn a_very_deep_expression_is_only_long() {
        let mut exprs = Exprs::default();
        let one = exprs.integer(1);
        let mut sum = exprs.now(VarId::new(0), Sort::Integer { low: 0, high: 1 });
        for _ in 0..200_000 {
            sum = exprs.binary(Binary::Add, one, sum);
        }
        let later = exprs.shift(sum);
        assert_ne!(later, sum);
        assert_eq!(exprs.sort(later), Sort::Integer { low: 200_000, high: 200_001 });
    }
}
