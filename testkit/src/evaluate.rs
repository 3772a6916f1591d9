//! What expressions are worth, computed in the plainest way.

use crate::expression::{Function, Infix, Set, Shape, State, Tree, Value};

/// What evaluation may end in. An operand that fails can be masked by the other operand of `&`, `|` and `->`, which
/// depends on the order of evaluation: then there is a value, and failing is right as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The value, unless evaluation fails in any case.
    pub value: Option<Value>,
    pub may_fail: bool,
}

const FAILS: Outcome = Outcome { value: None, may_fail: true };

impl Outcome {
    fn sure(value: Value) -> Outcome {
        Outcome { value: Some(value), may_fail: false }
    }

    fn of(value: Option<Value>) -> Outcome {
        Outcome { value, may_fail: value.is_none() }
    }

    /// What becomes of the value; a failure stays one.
    fn then(self, compute: impl FnOnce(Value) -> Outcome) -> Outcome {
        match self.value {
            None => FAILS,
            Some(value) => {
                let next = compute(value);
                Outcome { value: next.value, may_fail: next.may_fail || self.may_fail }
            }
        }
    }

    fn boolean(self) -> Option<bool> {
        match self.value {
            Some(Value::Boolean(value)) => Some(value),
            _ => None,
        }
    }
}

/// Evaluates expressions in one state, and watches how large the integers get.
pub struct Evaluator<'a> {
    pub state: &'a State,
    /// Whether some integer on the way did not fit 32 bits.
    pub left_32_bits: bool,
}

impl<'a> Evaluator<'a> {
    pub fn new(state: &'a State) -> Self {
        Evaluator { state, left_32_bits: false }
    }

    pub fn outcome(&mut self, tree: &Tree) -> Outcome {
        match tree {
            Tree::Constant(value, _) => Outcome::sure(*value),
            Tree::Variable(_, position) => Outcome::sure(self.state[*position]),
            Tree::Element(array, index) => {
                let low = array.bounds.map_or(0, |(low, _)| low);
                let state = self.state;
                self.outcome(index).then(|index| {
                    let offset = as_integer(index) - low;
                    let inside = (0..array.length() as i128).contains(&offset);
                    if inside { Outcome::sure(state[array.first + offset as usize]) } else { FAILS }
                })
            }
            Tree::OneOf(parts, index) => {
                let index = self.outcome(index);
                index.then(|index| match usize::try_from(as_integer(index)).ok().and_then(|at| parts.get(at)) {
                    Some(part) => self.outcome(part),
                    None => FAILS,
                })
            }
            Tree::Not(a) => self.outcome(a).then(|a| Outcome::sure(not(a))),
            Tree::Minus(a) => {
                let a = self.outcome(a);
                a.then(|a| match a {
                    Value::Word(number, shape) => Outcome::sure(Value::Word(shape.wrap(-number), shape)),
                    other => self.integer(-as_integer(other)),
                })
            }
            Tree::Infix(op, a, b) => self.infix(*op, a, b),
            Tree::Conditional(c, a, b) => {
                let c = self.outcome(c);
                c.then(|c| self.outcome(if c == Value::Boolean(true) { a } else { b }))
            }
            Tree::Case(branches) => self.case(branches),
            Tree::In(a, b) => self.membership(a, b),
            Tree::Bits { word, high, low } => self.outcome(word).then(|word| {
                let (number, shape) = as_word(word);
                let to = Shape { width: high - low + 1, signed: false };
                Outcome::sure(Value::Word(to.wrap(shape.bits(number) >> low), to))
            }),
            Tree::Extend(word, by) => self.outcome(word).then(|word| {
                let (number, shape) = as_word(word);
                Outcome::sure(Value::Word(number, Shape { width: shape.width + by, ..shape }))
            }),
            Tree::Resize(word, to) => self.outcome(word).then(|word| Outcome::sure(resize(word, *to))),
            Tree::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    /// An integer that was computed, if it fits.
    fn integer(&mut self, number: i128) -> Outcome {
        self.left_32_bits |= i32::try_from(number).is_err();
        Outcome::of(i64::try_from(number).is_ok().then_some(Value::Integer(number)))
    }

    fn case(&mut self, branches: &[(Tree, Tree)]) -> Outcome {
        let mut may_fail = false;
        for (guard, value) in branches {
            let guard = self.outcome(guard);
            may_fail |= guard.may_fail;
            match guard.boolean() {
                None => return FAILS,
                Some(true) => {
                    let chosen = self.outcome(value);
                    return Outcome { value: chosen.value, may_fail: may_fail || chosen.may_fail };
                }
                Some(false) => {}
            }
        }
        FAILS
    }

    fn infix(&mut self, op: Infix, a: &Tree, b: &Tree) -> Outcome {
        let (x, y) = (self.outcome(a), self.outcome(b));
        if matches!(op, Infix::And | Infix::Or | Infix::Implies) && is_boolean(x) && is_boolean(y) {
            let (decides_left, decides) = (op == Infix::Or, op != Infix::And);
            let decided = match (x.boolean(), y.boolean()) {
                (Some(left), _) if left == decides_left => Some(x.may_fail),
                (_, Some(right)) if right == decides => Some(y.may_fail || x.may_fail && !is_harmless(b)),
                _ => None,
            };
            if let Some(may_fail) = decided {
                return Outcome { value: Some(Value::Boolean(decides)), may_fail };
            }
        }
        x.then(|x| y.then(|y| self.apply(op, x, y)))
    }

    fn apply(&mut self, op: Infix, a: Value, b: Value) -> Outcome {
        match (op, a, b) {
            (Infix::Equal, ..) => Outcome::sure(Value::Boolean(a == b)),
            (Infix::NotEqual, ..) => Outcome::sure(Value::Boolean(a != b)),
            (Infix::Less, ..) => Outcome::sure(Value::Boolean(order(a) < order(b))),
            (Infix::LessEqual, ..) => Outcome::sure(Value::Boolean(order(a) <= order(b))),
            (Infix::Greater, ..) => Outcome::sure(Value::Boolean(order(a) > order(b))),
            (Infix::GreaterEqual, ..) => Outcome::sure(Value::Boolean(order(a) >= order(b))),
            (_, Value::Boolean(x), Value::Boolean(y)) => Outcome::sure(Value::Boolean(logical(op, x, y))),
            (Infix::ShiftLeft | Infix::ShiftRight, Value::Word(number, shape), by) => {
                let by = order(by);
                if !(0..=i128::from(shape.width)).contains(&by) {
                    return FAILS;
                }
                let shifted = if op == Infix::ShiftLeft { number << by } else { number >> by };
                Outcome::sure(Value::Word(shape.wrap(shifted), shape))
            }
            (Infix::Concat, Value::Word(x, left), Value::Word(y, right)) => {
                let to = Shape { width: left.width + right.width, signed: false };
                Outcome::sure(Value::Word(left.bits(x) * (1 << right.width) + right.bits(y), to))
            }
            (_, Value::Word(x, shape), Value::Word(y, _)) => {
                Outcome::of(words(op, x, y, shape).map(|number| Value::Word(shape.wrap(number), shape)))
            }
            // The remainder is 0, and the quotient that it belongs to does not fit.
            (Infix::Mod, Value::Integer(x), Value::Integer(-1)) if x == i64::MIN.into() => {
                Outcome { value: Some(Value::Integer(0)), may_fail: true }
            }
            (_, Value::Integer(x), Value::Integer(y)) => match integers(op, x, y) {
                Some(number) => self.integer(number),
                None => FAILS,
            },
            _ => unreachable!("expressions are well typed: {a:?} {op:?} {b:?}"),
        }
    }

    fn call(&mut self, function: Function, arguments: &[Tree]) -> Outcome {
        let mut may_fail = false;
        let mut values = Vec::new();
        for argument in arguments {
            let outcome = self.outcome(argument);
            may_fail |= outcome.may_fail;
            match outcome.value {
                Some(value) => values.push(value),
                None => return FAILS,
            }
        }
        let result = match (function, values.as_slice()) {
            (Function::Bool, [Value::Boolean(value)]) => Outcome::sure(Value::Boolean(*value)),
            (Function::Bool, [value]) => Outcome::sure(Value::Boolean(order(*value) != 0)),
            (Function::Word1, [value]) => {
                let bit = i128::from(*value == Value::Boolean(true));
                Outcome::sure(Value::Word(bit, Shape { width: 1, signed: false }))
            }
            (Function::Signed | Function::Unsigned, [value]) => {
                let (number, shape) = as_word(*value);
                let to = Shape { signed: function == Function::Signed, ..shape };
                Outcome::sure(Value::Word(to.wrap(number), to))
            }
            (Function::ToInt, [Value::Boolean(value)]) => Outcome::sure(Value::Integer(i128::from(*value))),
            (Function::ToInt, [value]) => self.integer(order(*value)),
            (Function::SizeOf, [value]) => Outcome::sure(Value::Integer(as_word(*value).1.width.into())),
            (Function::Count, values) => {
                let count = values.iter().filter(|value| **value == Value::Boolean(true)).count();
                Outcome::sure(Value::Integer(count as i128))
            }
            (Function::Abs, [value]) => self.integer(order(*value).abs()),
            (Function::Min, [a, b]) => Outcome::sure(if order(*a) < order(*b) { *a } else { *b }),
            (Function::Max, [a, b]) => Outcome::sure(if order(*a) < order(*b) { *b } else { *a }),
            _ => unreachable!("expressions are well typed: {function:?} {values:?}"),
        };
        Outcome { may_fail: may_fail || result.may_fail, ..result }
    }

    /// Every value of the left set is in the right one. Where a member fails, the others may make up for it.
    fn membership(&mut self, a: &Set, b: &Set) -> Outcome {
        let (left, right) = (self.members(a), self.members(b));
        let may_fail = left.iter().chain(&right).any(|member| member.may_fail);
        let known: Vec<Value> = right.iter().filter_map(|member| member.value).collect();
        let fails = right.len() > known.len();
        let is_in = |member: &Outcome| match member.value {
            None => None,
            Some(value) if known.contains(&value) => Some(true),
            Some(_) if fails => None,
            Some(_) => Some(false),
        };
        let verdicts: Vec<Option<bool>> = left.iter().map(is_in).collect();
        let value = if verdicts.contains(&Some(false)) {
            Some(false)
        } else {
            verdicts.iter().all(Option::is_some).then_some(true)
        };
        Outcome { value: value.map(Value::Boolean), may_fail: may_fail || value.is_none() }
    }

    /// The members of a set. A condition that fails is a member that fails.
    fn members(&mut self, set: &Set) -> Vec<Outcome> {
        match set {
            Set::One(tree) => vec![self.outcome(tree)],
            Set::Range(low, high) => (*low..=*high).map(|number| Outcome::sure(Value::Integer(number))).collect(),
            Set::Braces(parts) => parts.iter().flat_map(|part| self.members(part)).collect(),
            Set::Union(a, b) => [self.members(a), self.members(b)].concat(),
            Set::Conditional(c, a, b) => {
                let c = self.outcome(c);
                let chosen = match c.boolean() {
                    None => return vec![FAILS],
                    Some(true) => self.members(a),
                    Some(false) => self.members(b),
                };
                chosen.into_iter().map(|member| Outcome { may_fail: member.may_fail || c.may_fail, ..member }).collect()
            }
        }
    }
}

fn is_boolean(outcome: Outcome) -> bool {
    outcome.value.is_none() || outcome.boolean().is_some()
}

/// Whether nothing in the expression can fail, as one can see without knowing any values.
fn is_harmless(tree: &Tree) -> bool {
    match tree {
        Tree::Constant(..) | Tree::Variable(..) => true,
        Tree::Not(a) => is_harmless(a),
        Tree::Infix(
            Infix::And
            | Infix::Or
            | Infix::Xor
            | Infix::Xnor
            | Infix::Implies
            | Infix::Iff
            | Infix::Equal
            | Infix::NotEqual
            | Infix::Less
            | Infix::LessEqual
            | Infix::Greater
            | Infix::GreaterEqual,
            a,
            b,
        ) => is_harmless(a) && is_harmless(b),
        Tree::Conditional(c, a, b) => [c, a, b].into_iter().all(|part| is_harmless(part)),
        _ => false,
    }
}

/// The number of an integer or a word.
fn order(value: Value) -> i128 {
    match value {
        Value::Integer(number) | Value::Word(number, _) => number,
        other => unreachable!("{other:?} is no number"),
    }
}

/// The integer that an index is.
fn as_integer(value: Value) -> i128 {
    order(value)
}

fn as_word(value: Value) -> (i128, Shape) {
    match value {
        Value::Word(number, shape) => (number, shape),
        other => unreachable!("{other:?} is no word"),
    }
}

fn not(value: Value) -> Value {
    match value {
        Value::Boolean(value) => Value::Boolean(!value),
        Value::Word(number, shape) => Value::Word(shape.wrap(-1 - number), shape),
        other => unreachable!("{other:?} has no negation"),
    }
}

fn logical(op: Infix, a: bool, b: bool) -> bool {
    match op {
        Infix::And => a && b,
        Infix::Or => a || b,
        Infix::Xor => a != b,
        Infix::Implies => !a || b,
        Infix::Xnor | Infix::Iff => a == b,
        other => unreachable!("{other:?} is no logical operator"),
    }
}

fn words(op: Infix, x: i128, y: i128, shape: Shape) -> Option<i128> {
    let (a, b, all) = (shape.bits(x), shape.bits(y), (1 << shape.width) - 1);
    Some(match op {
        Infix::And => a & b,
        Infix::Or => a | b,
        Infix::Xor => a ^ b,
        Infix::Xnor | Infix::Iff => all - (a ^ b),
        Infix::Implies => (all - a) | b,
        // The product of two bit patterns has the right low bits, and only these count.
        Infix::Times => (a as u128).wrapping_mul(b as u128) as i128 & all,
        _ => return integers(op, x, y),
    })
}

fn integers(op: Infix, x: i128, y: i128) -> Option<i128> {
    match op {
        Infix::Plus => Some(x + y),
        Infix::Minus => Some(x - y),
        Infix::Times => Some(x * y),
        Infix::Divide => x.checked_div(y),
        Infix::Mod => x.checked_rem(y),
        other => unreachable!("{other:?} is no operator of arithmetic"),
    }
}

/// Narrowing a signed word keeps its sign and the low bits beside it.
fn resize(word: Value, to: u32) -> Value {
    let (number, shape) = as_word(word);
    let target = Shape { width: to, ..shape };
    if !shape.signed || to >= shape.width {
        return Value::Word(target.wrap(number), target);
    }
    let half = 1 << (to - 1);
    let magnitude = number.rem_euclid(half);
    Value::Word(if number < 0 { magnitude - half } else { magnitude }, target)
}
