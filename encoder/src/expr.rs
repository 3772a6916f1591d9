//! Expressions as signals: one function per kind of operator.

use crate::arithmetic::{Bits, constant, extend, sign_extend, zero_extend};
use crate::gate::{Gates, Signal};
use crate::value::{Encoded, width_of};
use rustc_hash::FxHashMap;
use system::{Binary, ExprId, Exprs, Node, ProcessId, Sort, Unary, Value, VarId, WordSort};

/// What expressions read: the two states of a step, its inputs, and who makes it.
pub struct Surroundings<'a> {
    /// The current state and the inputs.
    pub now: &'a [Option<Encoded>],
    /// The next state.
    pub next: &'a [Option<Encoded>],
    /// The process selector.
    pub selector: &'a [Signal],
    /// Whether nothing else can run; none where no expression asks.
    pub timeout: Option<Signal>,
}

impl Surroundings<'_> {
    fn now(&self, var: VarId) -> &Encoded {
        match &self.now[var.index()] {
            Some(value) => value,
            None => unreachable!("a variable is encoded before it is read"),
        }
    }

    fn next(&self, var: VarId) -> &Encoded {
        match &self.next[var.index()] {
            Some(value) => value,
            None => unreachable!("a next value is encoded before it is read"),
        }
    }

    fn running(&self, process: ProcessId) -> Signal {
        self.selector[process.index()]
    }

    fn timeout(&self) -> Signal {
        match self.timeout {
            Some(timeout) => timeout,
            None => unreachable!("who may move is settled before it is asked for"),
        }
    }
}

/// An expression's value, and whether evaluating it fails.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The value; meaningless where evaluation fails.
    pub value: Encoded,
    /// Whether there is no value.
    pub fails: Signal,
}

/// What the expressions of one step have been encoded to.
pub type Memo = FxHashMap<ExprId, Evaluated>;

/// Encodes an expression with a single value.
pub fn encode<'m>(
    exprs: &Exprs,
    gates: &mut Gates,
    memo: &'m mut Memo,
    around: &Surroundings<'_>,
    root: ExprId,
) -> &'m Evaluated {
    let mut open = vec![root];
    while let Some(id) = open.last().copied() {
        if memo.contains_key(&id) {
            open.pop();
            continue;
        }
        let before = open.len();
        exprs.for_each_child(id, |child| {
            if !memo.contains_key(&child) {
                open.push(child);
            }
        });
        if open.len() == before {
            open.pop();
            let evaluated = Encoder { exprs, gates, memo, around }.node(id);
            memo.insert(id, evaluated);
        }
    }
    &memo[&root]
}

struct Encoder<'a> {
    exprs: &'a Exprs,
    gates: &'a mut Gates,
    memo: &'a Memo,
    around: &'a Surroundings<'a>,
}

impl Encoder<'_> {
    fn node(&mut self, id: ExprId) -> Evaluated {
        let sort = self.exprs.sort(id);
        match self.exprs.node(id) {
            Node::Constant(value) => total(Encoded::constant(*value, sort)),
            Node::Now(var) => total(self.around.now(*var).clone()),
            Node::Next(var) => total(self.around.next(*var).clone()),
            Node::Running(process) => total(Encoded::Boolean(self.around.running(*process))),
            Node::Unary(op, a) => self.unary(*op, *a, sort),
            Node::Binary(op @ (Binary::And | Binary::Or), a, b) => self.connective(*op, *a, *b),
            Node::Binary(op, a, b) => self.binary(*op, *a, *b, sort),
            Node::Ite(c, a, b) => self.ite(*c, *a, *b, sort),
            Node::Select { index, low, elements } => self.select(*index, *low, elements, sort),
            Node::Gap(_) => Evaluated { value: Encoded::Boolean(Signal::FALSE), fails: Signal::TRUE },
            Node::Union(..) | Node::Interval(..) => {
                unreachable!("a set is a choice, and choices are encoded as memberships")
            }
            Node::Timeout => total(Encoded::Boolean(self.around.timeout())),
        }
    }

    fn value(&self, id: ExprId) -> &Encoded {
        &self.memo[&id].value
    }

    fn fails(&self, id: ExprId) -> Signal {
        self.memo[&id].fails
    }

    fn integer(&mut self, id: ExprId, width: usize) -> Bits {
        let value = self.memo[&id].value.clone();
        value.integer(self.gates, width)
    }

    fn unary(&mut self, op: Unary, a: ExprId, sort: Sort) -> Evaluated {
        let (from, fails) = (self.exprs.sort(a), self.fails(a));
        if from == Sort::Never {
            return Evaluated { value: Encoded::constant(0, sort), fails: Signal::TRUE };
        }
        let mut overflow = match (op, from) {
            (Unary::ToInteger, Sort::Word(WordSort { width: 64, signed: false })) => self.value(a).word()[63],
            _ => Signal::FALSE,
        };
        let value = match (op, sort) {
            (Unary::Not, _) => Encoded::Boolean(!self.value(a).boolean()),
            (Unary::Negate, Sort::Integer { .. }) => {
                let bits = self.integer(a, width_of(from).max(width_of(sort)) + 1);
                let negated = self.gates.negate(&bits);
                overflow = self.overflows(&negated);
                Encoded::Integer(sign_extend(&negated, width_of(sort)))
            }
            (Unary::Negate, _) => {
                let bits = self.value(a).word().to_vec();
                Encoded::Word(self.gates.negate(&bits))
            }
            (Unary::Complement, _) => Encoded::Word(self.value(a).word().iter().map(|bit| !*bit).collect()),
            (Unary::Extract { high, low }, _) => {
                Encoded::Word(self.value(a).word()[low as usize..=high as usize].to_vec())
            }
            (Unary::Resize(to), _) => Encoded::Word(resize(self.value(a).word(), from, to)),
            (Unary::Reinterpret(_), _) => Encoded::Word(self.value(a).word().to_vec()),
            (Unary::ToInteger, _) => {
                let signed = matches!(from, Sort::Word(word) if word.signed);
                Encoded::Integer(extend(self.value(a).word(), width_of(sort), signed))
            }
            (Unary::ToWord(to), _) if from == Sort::Boolean => {
                Encoded::Word(zero_extend(&[self.value(a).boolean()], to.width as usize))
            }
            (Unary::ToWord(to), _) => Encoded::Word(self.integer(a, to.width as usize)),
            (Unary::ToBoolean, _) => {
                let bits = self.integer(a, width_of(from));
                Encoded::Boolean(self.gates.any(&bits))
            }
            (Unary::BooleanToInteger, _) => Encoded::Integer(vec![self.value(a).boolean(), Signal::FALSE]),
            (Unary::Truncate(to), _) => {
                let bits = self.integer(a, to.width as usize);
                Encoded::Integer(extend(&bits, to.width as usize + 1, to.signed))
            }
        };
        Evaluated { value, fails: self.gates.or(fails, overflow) }
    }

    /// The right operand counts only where the left one does not decide.
    fn connective(&mut self, op: Binary, a: ExprId, b: ExprId) -> Evaluated {
        let (x, y) = (self.value(a).boolean(), self.value(b).boolean());
        let (fails_a, fails_b) = (self.fails(a), self.fails(b));
        let (value, undecided) = match op {
            Binary::And => (self.gates.and(x, y), x),
            _ => (self.gates.or(x, y), !x),
        };
        let later = self.gates.and(undecided, fails_b);
        Evaluated { value: Encoded::Boolean(value), fails: self.gates.or(fails_a, later) }
    }

    fn binary(&mut self, op: Binary, a: ExprId, b: ExprId, sort: Sort) -> Evaluated {
        let (left, right) = (self.exprs.sort(a), self.exprs.sort(b));
        if left == Sort::Never || right == Sort::Never {
            return Evaluated { value: Encoded::constant(0, sort), fails: Signal::TRUE };
        }
        let (value, own) = match left {
            Sort::Word(word) if op != Binary::Equal => self.binary_words(op, word, a, b, right),
            _ if op == Binary::Equal => (Encoded::Boolean(self.equal(a, b)), Signal::FALSE),
            Sort::Boolean => {
                let (x, y) = (self.value(a).boolean(), self.value(b).boolean());
                (Encoded::Boolean(self.gates.xor(x, y)), Signal::FALSE)
            }
            _ => self.binary_integers(op, a, b, sort),
        };
        let fails = [self.fails(a), self.fails(b), own];
        Evaluated { value, fails: self.gates.any(&fails) }
    }

    fn equal(&mut self, a: ExprId, b: ExprId) -> Signal {
        let (x, y) = (self.value(a).clone(), self.value(b).clone());
        match (&x, &y) {
            (Encoded::Boolean(x), Encoded::Boolean(y)) => self.gates.iff(*x, *y),
            (Encoded::Word(x), Encoded::Word(y)) => self.gates.equal_bits(x, y),
            (Encoded::OneHot(x), Encoded::OneHot(y)) => self.same_one_hot(x, y),
            (Encoded::OneHot(hot), Encoded::Integer(bits)) | (Encoded::Integer(bits), Encoded::OneHot(hot)) => {
                let same: Vec<Signal> = hot
                    .iter()
                    .filter(|(value, _)| !system::is_symbol(*value))
                    .map(|(value, signal)| {
                        let width = bits.len().max(crate::value::integer_width(*value, *value));
                        let wide = sign_extend(bits, width);
                        let equal = self.gates.equal_bits(&wide, &constant((*value).into(), width));
                        self.gates.and(*signal, equal)
                    })
                    .collect();
                self.gates.any(&same)
            }
            _ => {
                let width = width_of(self.exprs.sort(a)).max(width_of(self.exprs.sort(b)));
                let (x, y) = (x.integer(self.gates, width), y.integer(self.gates, width));
                self.gates.equal_bits(&x, &y)
            }
        }
    }

    fn same_one_hot(&mut self, x: &[(Value, Signal)], y: &[(Value, Signal)]) -> Signal {
        let mut same = Vec::new();
        for (value, signal) in x {
            if let Some((_, other)) = y.iter().find(|(other, _)| other == value) {
                same.push(self.gates.and(*signal, *other));
            }
        }
        self.gates.any(&same)
    }

    fn binary_integers(&mut self, op: Binary, a: ExprId, b: ExprId, sort: Sort) -> (Encoded, Signal) {
        let (left, right) = (self.exprs.sort(a), self.exprs.sort(b));
        let operands = width_of(left).max(width_of(right));
        let exact = if op == Binary::Multiply { 2 * operands } else { operands + 1 };
        let width = exact.min(operands.max(width_of(sort)) + 1);
        let width = if op.can_fail(left, right) { exact } else { width };
        let (x, y) = (self.integer(a, width), self.integer(b, width));
        let gates = &mut *self.gates;
        let number = match op {
            Binary::Less => return (Encoded::Boolean(gates.less_signed(&x, &y)), Signal::FALSE),
            Binary::LessEqual => return (Encoded::Boolean(!gates.less_signed(&y, &x)), Signal::FALSE),
            Binary::Add => gates.add(&x, &y, Signal::FALSE),
            Binary::Subtract => gates.subtract(&x, &y),
            Binary::Multiply => gates.multiply(&x, &y),
            Binary::Divide => gates.divide_signed(&x, &y).0,
            Binary::Modulo => gates.divide_signed(&x, &y).1,
            other => unreachable!("{other:?} is no operator of integers"),
        };
        let by_zero = match op {
            Binary::Divide | Binary::Modulo => !gates.any(&y),
            _ => Signal::FALSE,
        };
        let overflow = self.overflows(&number);
        (Encoded::Integer(sign_extend(&number, width_of(sort))), self.gates.or(by_zero, overflow))
    }

    /// Whether a number in two's complement is none that a [`Value`] can be.
    fn overflows(&mut self, number: &[Signal]) -> Signal {
        const SIGN: usize = Value::BITS as usize - 1;
        let Some((sign, above)) = number.get(SIGN..).and_then(<[Signal]>::split_first) else { return Signal::FALSE };
        let differ: Vec<Signal> = above.iter().map(|bit| self.gates.xor(*sign, *bit)).collect();
        self.gates.any(&differ)
    }

    fn binary_words(&mut self, op: Binary, word: WordSort, a: ExprId, b: ExprId, right: Sort) -> (Encoded, Signal) {
        if matches!(op, Binary::ShiftLeft | Binary::ShiftRight) {
            return self.shift(op, word, a, b, right);
        }
        let (x, y) = (self.value(a).word().to_vec(), self.value(b).word().to_vec());
        let gates = &mut *self.gates;
        let zip = |gates: &mut Gates, op: fn(&mut Gates, Signal, Signal) -> Signal| -> Bits {
            x.iter().zip(&y).map(|(x, y)| op(gates, *x, *y)).collect()
        };
        let less = |gates: &mut Gates, x: &[Signal], y: &[Signal]| {
            if word.signed { gates.less_signed(x, y) } else { gates.less_unsigned(x, y) }
        };
        let mut by_zero = Signal::FALSE;
        let bits = match op {
            Binary::Less => return (Encoded::Boolean(less(gates, &x, &y)), Signal::FALSE),
            Binary::LessEqual => return (Encoded::Boolean(!less(gates, &y, &x)), Signal::FALSE),
            Binary::Add => gates.add(&x, &y, Signal::FALSE),
            Binary::Subtract => gates.subtract(&x, &y),
            Binary::Multiply => gates.multiply(&x, &y),
            Binary::Divide | Binary::Modulo => {
                by_zero = !gates.any(&y);
                let (quotient, remainder) =
                    if word.signed { gates.divide_signed(&x, &y) } else { gates.divide_unsigned(&x, &y) };
                if op == Binary::Divide { quotient } else { remainder }
            }
            Binary::BitAnd => zip(gates, Gates::and),
            Binary::BitOr => zip(gates, Gates::or),
            Binary::BitXor => zip(gates, Gates::xor),
            Binary::Concat => y.iter().chain(&x).copied().collect(),
            other => unreachable!("{other:?} is no operator of words"),
        };
        (Encoded::Word(bits), by_zero)
    }

    fn shift(&mut self, op: Binary, word: WordSort, a: ExprId, b: ExprId, right: Sort) -> (Encoded, Signal) {
        let x = self.value(a).word().to_vec();
        // One bit more than the amount needs, so that it can be compared as a number.
        let amount = match right {
            Sort::Word(by) => extend(self.value(b).word(), by.width as usize + 1, by.signed),
            _ => self.integer(b, width_of(right).max(2)),
        };
        let width = amount.len().max(crate::value::integer_width(0, word.width.into()));
        let wide = sign_extend(&amount, width);
        let gates = &mut *self.gates;
        let most = constant(word.width.into(), width);
        let too_far = gates.less_signed(&most, &wide);
        let negative = wide[width - 1];
        let magnitude = &wide[..width - 1];
        let bits = match op {
            Binary::ShiftLeft => gates.shift_left(&x, magnitude),
            _ => {
                let fill = if word.signed { x[x.len() - 1] } else { Signal::FALSE };
                gates.shift_right(&x, magnitude, fill)
            }
        };
        (Encoded::Word(bits), gates.or(too_far, negative))
    }

    fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId, sort: Sort) -> Evaluated {
        let condition = self.value(c).boolean();
        let fails_inside = {
            let (x, y) = (self.fails(a), self.fails(b));
            self.gates.mux(condition, x, y)
        };
        let fails_condition = self.fails(c);
        let fails = self.gates.or(fails_condition, fails_inside);
        let value = match (self.exprs.sort(a), self.exprs.sort(b)) {
            (Sort::Never, _) => self.value(b).clone(),
            (_, Sort::Never) => self.value(a).clone(),
            (from, with) => {
                let (x, y) = (self.value(a).clone(), self.value(b).clone());
                self.mux(condition, (&x, from), (&y, with), sort)
            }
        };
        Evaluated { value, fails }
    }

    /// One of two values, each with its own sort, as a value of the sort that joins them.
    fn mux(&mut self, condition: Signal, x: (&Encoded, Sort), y: (&Encoded, Sort), sort: Sort) -> Encoded {
        let ((x, from), (y, with)) = (x, y);
        match sort {
            Sort::Boolean => Encoded::Boolean(self.gates.mux(condition, x.boolean(), y.boolean())),
            Sort::Word(_) => Encoded::Word(self.gates.mux_bits(condition, x.word(), y.word())),
            Sort::Integer { .. } => {
                let width = width_of(sort);
                let (x, y) = (x.integer(self.gates, width), y.integer(self.gates, width));
                Encoded::Integer(self.gates.mux_bits(condition, &x, &y))
            }
            Sort::Enumeration | Sort::Never => {
                let (x, y) = (x.one_hot(self.gates, from), y.one_hot(self.gates, with));
                Encoded::OneHot(mux_one_hot(self.gates, condition, &x, &y))
            }
        }
    }

    fn select(&mut self, index: ExprId, low: i64, elements: &[ExprId], sort: Sort) -> Evaluated {
        if self.exprs.sort(index) == Sort::Never {
            return Evaluated { value: Encoded::constant(0, sort), fails: Signal::TRUE };
        }
        let high = low + elements.len() as i64 - 1;
        let width = width_of(self.exprs.sort(index)).max(crate::value::integer_width(low, high));
        let at = self.integer(index, width);
        let mut value = self.value(elements[elements.len() - 1]).clone();
        let mut hits = Vec::new();
        for (offset, element) in elements.iter().enumerate().rev() {
            let position = constant(i128::from(low) + offset as i128, width);
            let here = self.gates.equal_bits(&at, &position);
            hits.push(here);
            let read = self.value(*element).clone();
            let from = self.exprs.sort(*element);
            value = self.mux(here, (&read, from), (&value, from), sort);
        }
        let inside = self.gates.any(&hits);
        let fails = self.fails(index);
        Evaluated { value, fails: self.gates.or(fails, !inside) }
    }
}

/// A value that never fails.
fn total(value: Encoded) -> Evaluated {
    Evaluated { value, fails: Signal::FALSE }
}

fn mux_one_hot(gates: &mut Gates, c: Signal, x: &[(Value, Signal)], y: &[(Value, Signal)]) -> Vec<(Value, Signal)> {
    let only_y = y.iter().filter(|(value, _)| !x.iter().any(|(other, _)| other == value));
    let values: Vec<Value> = x.iter().chain(only_y).map(|(value, _)| *value).collect();
    values.into_iter().map(|value| (value, gates.mux(c, signal_of(x, value), signal_of(y, value)))).collect()
}

/// The signal of a value among some; never if it is none of them.
fn signal_of(values: &[(Value, Signal)], wanted: Value) -> Signal {
    values.iter().find(|(value, _)| *value == wanted).map_or(Signal::FALSE, |(_, signal)| *signal)
}

/// Narrowing a signed word keeps its sign and low bits; everything else keeps the low bits or extends.
fn resize(bits: &[Signal], from: Sort, to: WordSort) -> Bits {
    let signed = matches!(from, Sort::Word(word) if word.signed);
    let width = to.width as usize;
    let mut resized = extend(bits, width, signed);
    if signed && width < bits.len() {
        resized[width - 1] = bits[bits.len() - 1];
    }
    resized
}
