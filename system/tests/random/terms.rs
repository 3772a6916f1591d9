//! Random expressions of every kind. Where no faults are wanted, every operator that can fail gets operands for which it
//! does not.

use super::Builder;
use system::{Binary, Choice, Domain, ExprId, Motion, Sort, Span, Unary, Value, VarId, WordSort};

/// What an expression may read besides the current state.
#[derive(Clone, Copy, Default)]
pub struct Reads<'a> {
    /// New values of these variables.
    pub next: &'a [VarId],
    /// Inputs.
    pub inputs: bool,
    /// Who makes the step.
    pub running: bool,
}

/// The shapes of words that terms are made of.
const SHAPES: [WordSort; 4] = [
    WordSort { width: 1, signed: false },
    WordSort { width: 2, signed: false },
    WordSort { width: 2, signed: true },
    WordSort { width: 3, signed: true },
];

impl Builder {
    /// A boolean expression.
    pub fn condition(&mut self, reads: Reads<'_>, depth: usize) -> ExprId {
        if depth > 0 {
            let left = self.condition(reads, depth - 1);
            let right = self.condition(reads, depth - 1);
            let exprs = &mut self.system.exprs;
            return match self.random.below(4) {
                0 => exprs.and(left, right),
                1 => exprs.or(left, right),
                2 => exprs.binary(Binary::Xor, left, right),
                _ => exprs.not(left),
            };
        }
        match self.random.below(20) {
            0 if reads.running => {
                let process = self.some_process();
                self.system.exprs.running(process)
            }
            1..4 => self.comparison(reads),
            4 => {
                let number = self.integer(reads, 1);
                self.system.exprs.unary(Unary::ToBoolean, number)
            }
            _ => {
                let read = self.read(reads);
                self.compare(read)
            }
        }
    }

    /// A comparison of two terms of one kind.
    fn comparison(&mut self, reads: Reads<'_>) -> ExprId {
        let op = [Binary::Equal, Binary::Less, Binary::LessEqual][self.random.below(3)];
        match self.random.below(4) {
            0 => {
                let shape = self.shape();
                let (a, b) = (self.word(shape, reads, 2), self.word(shape, reads, 1));
                self.system.exprs.binary(op, a, b)
            }
            1 => {
                let (a, b) = (self.mixed(reads), self.mixed(reads));
                self.system.exprs.equal(a, b)
            }
            _ => {
                let (a, b) = (self.integer(reads, 2), self.integer(reads, 1));
                self.system.exprs.binary(op, a, b)
            }
        }
    }

    fn compare(&mut self, read: ExprId) -> ExprId {
        let sort = self.system.exprs.sort(read);
        let constant = match sort {
            Sort::Boolean => return read,
            Sort::Integer { low, high } => {
                let value = low + self.random.below((high - low + 2) as usize) as Value;
                self.system.exprs.integer(value)
            }
            Sort::Word(_) => self.system.exprs.constant(self.random.below(2) as Value, sort),
            _ => self.system.exprs.constant(5, sort),
        };
        if matches!(sort, Sort::Word(_) | Sort::Integer { .. }) && self.random.chance(40) {
            return self.system.exprs.binary(Binary::Less, read, constant);
        }
        self.system.exprs.equal(read, constant)
    }

    /// A variable's value, now or next.
    fn read(&mut self, reads: Reads<'_>) -> ExprId {
        let found = self.read_where(reads, |_| true);
        found.unwrap_or_else(|| unreachable!("some variable can always be read"))
    }

    /// The value of a variable of some sort, if there is one.
    fn read_where(&mut self, reads: Reads<'_>, is_wanted: impl Fn(Sort) -> bool) -> Option<ExprId> {
        let is_wanted = |var: VarId, system: &system::System| is_wanted(system.variables[var].domain.sort());
        let next: Vec<VarId> = reads.next.iter().copied().filter(|var| is_wanted(*var, &self.system)).collect();
        if !next.is_empty() && self.random.chance(60) {
            let var = next[self.random.below(next.len())];
            let sort = self.system.variables[var].domain.sort();
            return Some(self.system.exprs.next(var, sort));
        }
        let variables = self.system.variables.iter_enumerated();
        let known = variables.filter(|(var, variable)| {
            let is_known = match variable.motion {
                Motion::Input => reads.inputs,
                Motion::Defined => false,
                Motion::Kept | Motion::Free => true,
            };
            is_known && is_wanted(*var, &self.system)
        });
        let known: Vec<VarId> = known.map(|(var, _)| var).collect();
        if known.is_empty() {
            return None;
        }
        let var = known[self.random.below(known.len())];
        let sort = self.system.variables[var].domain.sort();
        Some(self.system.exprs.now(var, sort))
    }

    /// An integer.
    pub fn integer(&mut self, reads: Reads<'_>, depth: usize) -> ExprId {
        if depth == 0 {
            let found = self.read_where(reads, |sort| matches!(sort, Sort::Integer { .. }));
            let constant = self.random.below(6) as Value - 2;
            return found.unwrap_or_else(|| self.system.exprs.integer(constant));
        }
        let a = self.integer(reads, depth - 1);
        match self.random.below(12) {
            0 => self.system.exprs.unary(Unary::Negate, a),
            op @ 1..4 => {
                let b = self.integer(reads, 0);
                self.system.exprs.binary([Binary::Add, Binary::Subtract, Binary::Multiply][op - 1], a, b)
            }
            op @ 4..6 => {
                let b = if self.fails() { self.integer(reads, 0) } else { self.some_number(&[-2, 2, 3]) };
                self.system.exprs.binary([Binary::Divide, Binary::Modulo][op - 4], a, b)
            }
            6 => {
                let shape = self.shape();
                let word = self.word(shape, reads, depth - 1);
                self.system.exprs.unary(Unary::ToInteger, word)
            }
            7 => {
                let condition = self.condition(reads, 0);
                self.system.exprs.unary(Unary::BooleanToInteger, condition)
            }
            8 => {
                let shape = self.shape();
                self.system.exprs.unary(Unary::Truncate(shape), a)
            }
            9 => {
                let (condition, b) = (self.condition(reads, 0), self.integer(reads, 0));
                self.system.exprs.ite(condition, a, b)
            }
            10 => {
                let elements = vec![a_constant(self), a_constant(self), a_constant(self)];
                self.element(elements, reads)
            }
            _ => a,
        }
    }

    fn some_number(&mut self, among: &[Value]) -> ExprId {
        let value = among[self.random.below(among.len())];
        self.system.exprs.integer(value)
    }

    fn shape(&mut self) -> WordSort {
        SHAPES[self.random.below(SHAPES.len())]
    }

    /// A word of a shape.
    fn word(&mut self, shape: WordSort, reads: Reads<'_>, depth: usize) -> ExprId {
        if depth == 0 {
            let found = self.read_where(reads, |sort| sort == Sort::Word(shape));
            let constant = shape.wrap(self.random.below(8) as i128);
            return found.unwrap_or_else(|| self.system.exprs.constant(constant, Sort::Word(shape)));
        }
        let a = self.word(shape, reads, depth - 1);
        let b = self.word(shape, reads, 0);
        match self.random.below(14) {
            op @ 0..6 => {
                let ops =
                    [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::BitAnd, Binary::BitOr, Binary::BitXor];
                self.system.exprs.binary(ops[op], a, b)
            }
            op @ 6..8 => {
                let one = self.system.exprs.constant(shape.wrap(1), Sort::Word(shape));
                let by = if self.fails() { b } else { one };
                self.system.exprs.binary([Binary::Divide, Binary::Modulo][op - 6], a, by)
            }
            op @ 8..10 => {
                let by = self.shift_amount(shape, reads);
                self.system.exprs.binary([Binary::ShiftLeft, Binary::ShiftRight][op - 8], a, by)
            }
            10 => self.system.exprs.unary([Unary::Negate, Unary::Complement][self.random.below(2)], a),
            11 => {
                let condition = self.condition(reads, 0);
                self.system.exprs.ite(condition, a, b)
            }
            _ => self.converted(shape, reads),
        }
    }

    fn shift_amount(&mut self, shape: WordSort, reads: Reads<'_>) -> ExprId {
        if self.fails() {
            return self.integer(reads, 0);
        }
        let (condition, none) = (self.condition(reads, 0), self.system.exprs.integer(0));
        let some = self.system.exprs.integer(shape.width.into());
        self.system.exprs.ite(condition, none, some)
    }

    /// A word of a shape, made of something else.
    fn converted(&mut self, shape: WordSort, reads: Reads<'_>) -> ExprId {
        let other = self.shape();
        let word = self.word(other, reads, 0);
        let flipped = WordSort { signed: !shape.signed, ..shape };
        match self.random.below(6) {
            0 if !shape.signed && other.width >= shape.width => {
                let low = self.random.below((other.width - shape.width + 1) as usize) as u32;
                self.system.exprs.unary(Unary::Extract { high: low + shape.width - 1, low }, word)
            }
            1 if !shape.signed && shape.width == 2 => {
                let one = self.word(WordSort { width: 1, signed: false }, reads, 0);
                self.system.exprs.binary(Binary::Concat, one, one)
            }
            2 => {
                let word = self.word(flipped, reads, 0);
                self.system.exprs.unary(Unary::Reinterpret(shape), word)
            }
            3 => {
                let number = self.integer(reads, 1);
                self.system.exprs.unary(Unary::ToWord(shape), number)
            }
            4 => {
                let condition = self.condition(reads, 0);
                self.system.exprs.unary(Unary::ToWord(shape), condition)
            }
            _ => self.system.exprs.unary(Unary::Resize(shape), word),
        }
    }

    /// A symbol or a number.
    fn mixed(&mut self, reads: Reads<'_>) -> ExprId {
        let red = self.system.symbols.intern("red");
        let found = self.read_where(reads, |sort| sort == Sort::Enumeration);
        let symbol = found.unwrap_or_else(|| self.system.exprs.constant(red, Sort::Enumeration));
        if self.random.chance(50) {
            return symbol;
        }
        let (condition, number) = (self.condition(reads, 0), self.integer(reads, 0));
        self.system.exprs.ite(condition, symbol, number)
    }

    /// One of three expressions, by an index from 1 on.
    fn element(&mut self, elements: Vec<ExprId>, reads: Reads<'_>) -> ExprId {
        let index = self.integer(reads, 0);
        let index = if self.fails() { index } else { self.inside(index, &Domain::Range { low: 1, high: 3 }) };
        self.system.exprs.select(index, 1, elements)
    }

    /// The expression where its value belongs to a domain, else a constant that does.
    fn inside(&mut self, expr: ExprId, domain: &Domain) -> ExprId {
        let exprs = &mut self.system.exprs;
        if domain.covers(exprs.sort(expr)) {
            return expr;
        }
        let mut values = (0..domain.size() as u64).map(|index| domain.value_at(index));
        let mut is_one = exprs.boolean(false);
        for value in values.clone() {
            let constant = exprs.constant(value, domain.sort());
            let same = exprs.equal(expr, constant);
            is_one = exprs.or(is_one, same);
        }
        let Some(first) = values.next() else { return expr };
        let otherwise = exprs.constant(first, domain.sort());
        exprs.ite(is_one, expr, otherwise)
    }

    /// A value for a variable: inside its domain, unless faults are wanted.
    pub fn value(&mut self, var: VarId, reads: Reads<'_>) -> ExprId {
        let domain = self.system.variables[var].domain.clone();
        if self.fails() && self.random.chance(50) {
            let (condition, value) = (self.condition(reads, 0), self.constant_of(&domain));
            let gap = self.system.exprs.gap(Span::default());
            return self.system.exprs.ite(condition, value, gap);
        }
        if self.random.chance(20)
            && let Some(copied) = self.read_where(reads, |sort| domain.covers(sort))
        {
            return copied;
        }
        if self.random.chance(30) {
            return self.computed(&domain, reads);
        }
        let (a, b) = (self.constant_of(&domain), self.constant_of(&domain));
        let condition = self.condition(reads, 1);
        self.system.exprs.ite(condition, a, b)
    }

    /// One of a variable's values, often the first.
    pub fn constant_choice(&mut self, var: VarId) -> Choice {
        let domain = self.system.variables[var].domain.clone();
        let first = self.system.exprs.constant(domain.value_at(0), domain.sort());
        Choice::Exactly(if self.random.chance(50) { first } else { self.constant_of(&domain) })
    }

    /// The value of another variable, all of whose values a variable can have.
    pub fn copied(&mut self, var: VarId) -> Option<Choice> {
        let domain = self.system.variables[var].domain.clone();
        self.read_where(Reads::default(), |sort| domain.covers(sort)).map(Choice::Exactly)
    }

    fn constant_of(&mut self, domain: &Domain) -> ExprId {
        let value = domain.value_at(self.random.next() % domain.size() as u64);
        self.system.exprs.constant(value, domain.sort())
    }

    fn computed(&mut self, domain: &Domain, reads: Reads<'_>) -> ExprId {
        let term = match domain.sort() {
            Sort::Boolean => self.condition(reads, 1),
            Sort::Word(shape) => self.word(shape, reads, 2),
            Sort::Integer { .. } => {
                let depth = self.random.below(3);
                self.integer(reads, depth)
            }
            Sort::Enumeration | Sort::Never => self.mixed(reads),
        };
        let is_small = self.system.exprs.reachable(&[term]).len() < 200;
        if !is_small {
            return self.constant_of(domain);
        }
        if self.fails() { term } else { self.inside(term, domain) }
    }

    /// What an update stores.
    pub fn choice(&mut self, var: VarId, reads: Reads<'_>) -> Choice {
        let value = self.value(var, reads);
        match self.random.below(10) {
            0 => Choice::Anything,
            1..4 => {
                let other = if self.random.chance(30) { self.interval(var) } else { None };
                let other = other.unwrap_or_else(|| self.value(var, reads));
                let set = match self.random.below(3) {
                    0 => {
                        let (condition, both) = (self.condition(reads, 0), self.system.exprs.union(value, other));
                        self.system.exprs.ite(condition, both, value)
                    }
                    1 => other,
                    _ => self.system.exprs.union(value, other),
                };
                if self.system.exprs.is_set(set) { Choice::OneOf(set) } else { Choice::Exactly(set) }
            }
            _ => Choice::Exactly(value),
        }
    }

    /// Some neighbouring values of a variable, if it has any.
    fn interval(&mut self, var: VarId) -> Option<ExprId> {
        let Domain::Range { low, high } = self.system.variables[var].domain else { return None };
        let high = if self.fails() { high + 1 } else { high };
        let from = low + self.random.below((high - low + 1) as usize) as Value;
        Some(self.system.exprs.interval(from, high))
    }

    /// Whether this is a place for something that can fail.
    pub fn fails(&mut self) -> bool {
        self.has_faults && self.random.chance(15)
    }
}

fn a_constant(builder: &mut Builder) -> ExprId {
    let value = builder.random.below(5) as Value - 1;
    builder.system.exprs.integer(value)
}
