//! Makes random well-typed expressions.

use crate::expression::{Function, Infix, Set, Shape, Tree, Type, Universe, Value, Variable, some_shape};
use crate::numbers::Random;

/// Which expressions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Everything, also what fails in some states.
    Whole,
    /// What NuSMV 2.5.4 reads and can evaluate whatever the values of the variables are.
    OldAndTotal,
}

const SYMBOLS: [&str; 4] = ["red", "green", "blue", "cyan"];

/// How many bits a word may have at most for these operations to be tried with NuSMV, which works on bits.
const NARROW: u32 = 5;

pub struct Generator<'a> {
    pub random: &'a mut Random,
    pub universe: &'a Universe,
    pub language: Language,
}

impl Generator<'_> {
    /// An expression of a type, nested at most so deep.
    pub fn tree(&mut self, ty: Type, depth: usize) -> Tree {
        if depth == 0 || self.random.below(10) == 0 {
            return self.leaf(ty);
        }
        match self.random.below(9) {
            0 => self.conditional(ty, depth - 1),
            1 => self.case(ty, depth - 1),
            2 => self.element(ty, depth - 1),
            _ => match ty {
                Type::Boolean => self.boolean(depth - 1),
                Type::Integer => self.integer(depth - 1),
                Type::Symbolic => self.leaf(ty),
                Type::Mixed => self.conditional(ty, depth - 1),
                Type::Word(shape) => self.word(shape, depth - 1),
            },
        }
    }

    fn boxed(&mut self, ty: Type, depth: usize) -> Box<Tree> {
        Box::new(self.tree(ty, depth))
    }

    pub fn some_type(&mut self) -> Type {
        let word = Type::Word(some_shape(self.random));
        *self.random.pick(&[Type::Boolean, Type::Integer, Type::Symbolic, Type::Mixed, word, word])
    }

    fn leaf(&mut self, ty: Type) -> Tree {
        let variables: Vec<&Variable> = self.universe.variables.iter().filter(|v| v.domain.ty() == ty).collect();
        let is_constant = self.random.below(3) == 0;
        match ty {
            _ if !variables.is_empty() && !is_constant => {
                let variable = *self.random.pick(&variables);
                let offset = self.random.below(variable.length());
                Tree::Variable(variable.parts().swap_remove(offset), variable.first + offset)
            }
            Type::Word(shape) if !is_constant => self.converted_word(shape),
            _ => self.constant(ty),
        }
    }

    fn constant(&mut self, ty: Type) -> Tree {
        let value = match ty {
            Type::Boolean => Value::Boolean(self.random.below(2) == 1),
            Type::Integer => {
                let small = self.random.below(9) as i128 - 4;
                let large = *self.random.pick(&[100, 65_535, -65_536, 2_147_483_647, -2_147_483_647]);
                let is_large = self.random.below(10) == 0 && self.language == Language::Whole;
                Value::Integer(if is_large { large } else { small })
            }
            Type::Symbolic => Value::Symbol(SYMBOLS[self.random.below(SYMBOLS.len())]),
            Type::Mixed => {
                let (red, one) = (self.constant(Type::Symbolic), self.constant(Type::Integer));
                let condition = self.leaf(Type::Boolean);
                return Tree::Conditional(Box::new(condition), Box::new(red), Box::new(one));
            }
            Type::Word(shape) => crate::expression::Domain::Word(shape).value(self.random),
        };
        // NuSMV 2.5.4 computes the range of swconst() and uwconst() in 32 bits.
        let is_wide = matches!(ty, Type::Word(shape) if shape.width > 32) && self.language == Language::OldAndTotal;
        Tree::Constant(value, if is_wide { self.random.below(3) } else { self.random.below(6) })
    }

    /// A word variable brought to a shape.
    fn converted_word(&mut self, shape: Shape) -> Tree {
        let words = self.universe.variables.iter().filter_map(|v| match v.domain.ty() {
            Type::Word(own) => Some((v, own)),
            _ => None,
        });
        // NuSMV 2.5.4 aborts when it folds a signed word to one bit inside an index.
        let may_narrow = self.language == Language::Whole || shape.width > 1;
        let words: Vec<(&Variable, Shape)> = words.filter(|(_, own)| may_narrow || !own.signed).collect();
        if words.is_empty() {
            return self.constant(Type::Word(shape));
        }
        let (variable, own) = *self.random.pick(&words);
        let offset = self.random.below(variable.length());
        let tree = Tree::Variable(variable.parts().swap_remove(offset), variable.first + offset);
        let tree = if own.width == shape.width { tree } else { Tree::Resize(Box::new(tree), shape.width) };
        match (own.signed, shape.signed) {
            (false, true) => Tree::Call(Function::Signed, vec![tree]),
            (true, false) => Tree::Call(Function::Unsigned, vec![tree]),
            _ => tree,
        }
    }

    /// Types of two branches whose common type is the given one.
    fn branch_types(&mut self, ty: Type) -> (Type, Type) {
        let part = |random: &mut Random| *random.pick(&[Type::Mixed, Type::Integer, Type::Symbolic]);
        match ty {
            Type::Mixed => match part(self.random) {
                Type::Integer => (Type::Integer, *self.random.pick(&[Type::Symbolic, Type::Mixed])),
                Type::Symbolic => (Type::Symbolic, *self.random.pick(&[Type::Integer, Type::Mixed])),
                _ => (Type::Mixed, part(self.random)),
            },
            other => (other, other),
        }
    }

    fn conditional(&mut self, ty: Type, depth: usize) -> Tree {
        let (a, b) = self.branch_types(ty);
        Tree::Conditional(self.boxed(Type::Boolean, depth), self.boxed(a, depth), self.boxed(b, depth))
    }

    fn case(&mut self, ty: Type, depth: usize) -> Tree {
        let (first, others) = self.branch_types(ty);
        let mut branches = vec![(self.tree(Type::Boolean, depth), self.tree(first, depth))];
        for _ in 0..self.random.below(2) {
            branches.push((self.tree(Type::Boolean, depth), self.tree(others, depth)));
        }
        let has_default = self.language == Language::OldAndTotal || self.random.below(4) > 0 || first != others;
        if has_default {
            branches.push((Tree::Constant(Value::Boolean(true), 0), self.tree(others, depth)));
        }
        Tree::Case(branches)
    }

    fn element(&mut self, ty: Type, depth: usize) -> Tree {
        let arrays = self.universe.variables.iter().filter(|v| v.bounds.is_some() && v.domain.ty() == ty);
        let arrays: Vec<&Variable> = arrays.collect();
        if arrays.is_empty() || self.random.below(4) == 0 {
            return self.one_of(ty, depth);
        }
        let array = (*self.random.pick(&arrays)).clone();
        let (low, high) = array.bounds.unwrap_or_default();
        let index = self.index(low, high, depth);
        Tree::Element(array, Box::new(index))
    }

    fn one_of(&mut self, ty: Type, depth: usize) -> Tree {
        if self.language == Language::OldAndTotal || ty == Type::Mixed {
            return self.leaf(ty);
        }
        let parts: Vec<Tree> = (0..=self.random.below(3)).map(|_| self.tree(ty, depth)).collect();
        let index = self.index(0, parts.len() as i128 - 1, depth);
        Tree::OneOf(parts, Box::new(index))
    }

    fn index(&mut self, low: i128, high: i128, depth: usize) -> Tree {
        let is_word = self.random.below(4) == 0 && self.language == Language::Whole;
        let shape = Shape { width: self.random.below(3) as u32 + 1, signed: self.random.below(3) == 0 };
        let index = self.tree(if is_word { Type::Word(shape) } else { Type::Integer }, depth);
        if self.language == Language::OldAndTotal || !is_word && self.random.below(2) == 0 {
            return within(index, Set::Range(low, high), Value::Integer(low));
        }
        index
    }

    fn boolean(&mut self, depth: usize) -> Tree {
        let logical = [Infix::And, Infix::Or, Infix::Implies, Infix::Xor, Infix::Xnor, Infix::Iff];
        match self.random.below(12) {
            0 => Tree::Not(self.boxed(Type::Boolean, depth)),
            1..=3 => {
                let op = *self.random.pick(&logical);
                Tree::Infix(op, self.boxed(Type::Boolean, depth), self.boxed(Type::Boolean, depth))
            }
            4 | 5 => {
                let ty = self.some_type();
                let (a, b) = if ty == Type::Mixed { self.comparable() } else { (ty, ty) };
                let op = *self.random.pick(&[Infix::Equal, Infix::NotEqual]);
                Tree::Infix(op, self.boxed(a, depth), self.boxed(b, depth))
            }
            6 | 7 => {
                let ty = self.numeric();
                let order = [Infix::Less, Infix::LessEqual, Infix::Greater, Infix::GreaterEqual];
                Tree::Infix(*self.random.pick(&order), self.boxed(ty, depth), self.boxed(ty, depth))
            }
            8 | 9 => self.membership(depth),
            10 => {
                let one = Type::Word(Shape { width: 1, signed: false });
                let all = [Type::Integer, one, Type::Boolean];
                let ty = *self.random.pick(if self.language == Language::Whole { &all } else { &all[..2] });
                Tree::Call(Function::Bool, vec![self.tree(ty, depth)])
            }
            _ => self.leaf(Type::Boolean),
        }
    }

    fn numeric(&mut self) -> Type {
        let word = Type::Word(some_shape(self.random));
        *self.random.pick(&[Type::Integer, word])
    }

    /// Two different types that can be compared, one of them being the mixed one.
    fn comparable(&mut self) -> (Type, Type) {
        let other = *self.random.pick(&[Type::Mixed, Type::Integer, Type::Symbolic]);
        if self.random.below(2) == 0 { (Type::Mixed, other) } else { (other, Type::Mixed) }
    }

    fn membership(&mut self, depth: usize) -> Tree {
        let ty = *self.random.pick(&[Type::Boolean, Type::Integer, Type::Integer, Type::Symbolic, Type::Mixed]);
        let (a, b) = if ty == Type::Mixed { self.comparable() } else { (ty, ty) };
        let left = match self.random.below(4) {
            0 => Set::Braces(vec![Set::One(self.tree(a, depth)), Set::One(self.tree(a, depth))]),
            _ => Set::One(self.tree(a, depth)),
        };
        let right = self.set(b, depth);
        Tree::In(Box::new(left), Box::new(right))
    }

    fn set(&mut self, ty: Type, depth: usize) -> Set {
        match self.random.below(if depth == 0 { 3 } else { 6 }) {
            0 if ty == Type::Integer => {
                let low = self.random.below(7) as i128 - 3;
                Set::Range(low, low + self.random.below(4) as i128)
            }
            0..=2 => Set::One(self.tree(ty, depth)),
            3 => Set::Braces((0..=self.random.below(3)).map(|_| self.set(ty, depth - 1)).collect()),
            4 => Set::Union(Box::new(self.set(ty, depth - 1)), Box::new(self.set(ty, depth - 1))),
            _ => {
                let condition = self.boxed(Type::Boolean, depth);
                Set::Conditional(condition, Box::new(self.set(ty, depth - 1)), Box::new(self.set(ty, depth - 1)))
            }
        }
    }

    fn integer(&mut self, depth: usize) -> Tree {
        let is_whole = self.language == Language::Whole;
        match self.random.below(if is_whole { 14 } else { 11 }) {
            0..=2 => {
                let op = *self.random.pick(&[Infix::Plus, Infix::Minus, Infix::Times]);
                Tree::Infix(op, self.boxed(Type::Integer, depth), self.boxed(Type::Integer, depth))
            }
            3 | 4 => {
                let op = *self.random.pick(&[Infix::Divide, Infix::Mod]);
                let (a, b) = (self.boxed(Type::Integer, depth), self.tree(Type::Integer, depth));
                let b = self.not_zero(b, Value::Integer(0), Value::Integer(1));
                Tree::Infix(op, a, Box::new(b))
            }
            5 => Tree::Minus(self.boxed(Type::Integer, depth)),
            6 | 7 => {
                let mut shape = some_shape(self.random);
                shape.width = if is_whole { shape.width } else { shape.width.min(16) };
                let ty = *self.random.pick(&[Type::Boolean, Type::Integer, Type::Word(shape), Type::Word(shape)]);
                Tree::Call(Function::ToInt, vec![self.tree(ty, depth)])
            }
            8 => {
                let arguments = (0..=self.random.below(3)).map(|_| self.tree(Type::Boolean, depth)).collect();
                Tree::Call(Function::Count, arguments)
            }
            9 => {
                let shape = some_shape(self.random);
                Tree::Call(Function::SizeOf, vec![self.leaf(Type::Word(shape))])
            }
            10 => self.leaf(Type::Integer),
            11 => Tree::Call(Function::Abs, vec![self.tree(Type::Integer, depth)]),
            _ => {
                let function = *self.random.pick(&[Function::Min, Function::Max]);
                Tree::Call(function, vec![self.tree(Type::Integer, depth), self.tree(Type::Integer, depth)])
            }
        }
    }

    fn word(&mut self, shape: Shape, depth: usize) -> Tree {
        let ty = Type::Word(shape);
        let is_whole = self.language == Language::Whole;
        let two = |generator: &mut Self| (generator.boxed(ty, depth), generator.boxed(ty, depth));
        match self.random.below(if is_whole { 13 } else { 12 }) {
            0 => Tree::Not(self.boxed(ty, depth)),
            1 => Tree::Minus(self.boxed(ty, depth)),
            2 | 3 => {
                let all = [Infix::Plus, Infix::Minus, Infix::Times];
                let op = *self.random.pick(if is_whole || shape.width <= NARROW { &all } else { &all[..2] });
                let (a, b) = two(self);
                Tree::Infix(op, a, b)
            }
            4 if is_whole || shape.width <= NARROW => {
                let op = *self.random.pick(&[Infix::Divide, Infix::Mod]);
                let (a, b) = two(self);
                let b = self.not_zero(*b, Value::Word(0, shape), Value::Word(shape.wrap(1), shape));
                Tree::Infix(op, a, Box::new(b))
            }
            5 => {
                let ops = [Infix::And, Infix::Or, Infix::Xor, Infix::Xnor, Infix::Implies, Infix::Iff];
                let op = *self.random.pick(&ops);
                let (a, b) = two(self);
                Tree::Infix(op, a, b)
            }
            6 => self.shift(shape, depth),
            7 | 8 if !shape.signed => self.selection(shape, depth),
            7 | 8 => {
                let by = self.random.below(shape.width as usize) as u32;
                Tree::Extend(self.boxed(Type::Word(Shape { width: shape.width - by, ..shape }), depth), by)
            }
            9 if is_whole || shape.width > 1 => {
                let from = Shape { width: some_shape(self.random).width, ..shape };
                Tree::Resize(self.boxed(Type::Word(from), depth), shape.width)
            }
            10 => {
                let function = if shape.signed { Function::Signed } else { Function::Unsigned };
                let from = Shape { signed: !shape.signed, ..shape };
                Tree::Call(function, vec![self.tree(Type::Word(from), depth)])
            }
            12 => {
                let function = *self.random.pick(&[Function::Min, Function::Max]);
                Tree::Call(function, vec![self.tree(ty, depth), self.tree(ty, depth)])
            }
            _ => self.leaf(ty),
        }
    }

    /// An unsigned word that is put together or cut out.
    fn selection(&mut self, shape: Shape, depth: usize) -> Tree {
        let Shape { width, .. } = shape;
        if width == 1 && self.random.below(2) == 0 {
            return Tree::Call(Function::Word1, vec![self.tree(Type::Boolean, depth)]);
        }
        if width > 1 && self.random.below(2) == 0 {
            let low = self.random.below(width as usize - 1) as u32 + 1;
            let mut part = |width| {
                let signed = self.random.below(2) == 1;
                self.boxed(Type::Word(Shape { width, signed }), depth)
            };
            return Tree::Infix(Infix::Concat, part(width - low), part(low));
        }
        let low = self.random.below((64 - width as usize).min(4) + 1) as u32;
        let above = self.random.below((64 - width as usize - low as usize).min(4) + 1) as u32;
        let from = Shape { width: low + width + above, signed: self.random.below(2) == 1 };
        Tree::Bits { word: self.boxed(Type::Word(from), depth), high: low + width - 1, low }
    }

    fn shift(&mut self, shape: Shape, depth: usize) -> Tree {
        let op = *self.random.pick(&[Infix::ShiftLeft, Infix::ShiftRight]);
        let word = self.boxed(Type::Word(shape), depth);
        // NuSMV 2.5.4 stops with an error at some shifts by a word of one bit.
        let narrowest = if self.language == Language::Whole { 1 } else { 2 };
        let by = Shape { width: self.random.below(6) as u32 + narrowest, signed: false };
        let by_word = self.random.below(2) == 0;
        let amount = self.tree(if by_word { Type::Word(by) } else { Type::Integer }, depth);
        let amount = match (self.language, by_word) {
            (Language::Whole, _) if self.random.below(2) == 0 => amount,
            (_, false) => within(amount, Set::Range(0, shape.width.into()), Value::Integer(0)),
            (_, true) if by.most() <= shape.width.into() => amount,
            (_, true) => {
                let most = Tree::Constant(Value::Word(shape.width.into(), by), 4);
                let fits = Tree::Infix(Infix::LessEqual, Box::new(amount.clone()), Box::new(most));
                let zero = Tree::Constant(Value::Word(0, by), 4);
                Tree::Conditional(Box::new(fits), Box::new(amount), Box::new(zero))
            }
        };
        Tree::Infix(op, word, Box::new(amount))
    }

    /// A divisor, guarded unless failing is wanted.
    fn not_zero(&mut self, divisor: Tree, zero: Value, one: Value) -> Tree {
        if self.language == Language::Whole && self.random.below(2) == 0 {
            return divisor;
        }
        let is_zero = Tree::Infix(Infix::Equal, Box::new(divisor.clone()), Box::new(Tree::Constant(zero, 4)));
        Tree::Conditional(Box::new(is_zero), Box::new(Tree::Constant(one, 4)), Box::new(divisor))
    }
}

/// The value if it is in the set, else another one.
fn within(value: Tree, set: Set, otherwise: Value) -> Tree {
    let is_in = Tree::In(Box::new(Set::One(value.clone())), Box::new(set));
    Tree::Conditional(Box::new(is_in), Box::new(value), Box::new(Tree::Constant(otherwise, 0)))
}
