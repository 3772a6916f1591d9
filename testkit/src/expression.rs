//! Random well-typed SMV expressions: their trees, how they are written, and the models they live in.

use crate::numbers::Random;
use std::fmt::Write;

/// The types that SMV tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Boolean,
    Integer,
    Symbolic,
    Mixed,
    Word(Shape),
}

/// Width and signedness of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub width: u32,
    pub signed: bool,
}

impl Shape {
    pub fn least(self) -> i128 {
        if self.signed { -(1 << (self.width - 1)) } else { 0 }
    }

    pub fn most(self) -> i128 {
        (if self.signed { 1 << (self.width - 1) } else { 1 << self.width }) - 1
    }

    /// The number that the low bits of another number stand for.
    pub fn wrap(self, number: i128) -> i128 {
        let low = number.rem_euclid(1 << self.width);
        if low > self.most() { low - (1 << self.width) } else { low }
    }

    /// The bits of a number, as an unsigned number.
    pub fn bits(self, number: i128) -> i128 {
        number.rem_euclid(1 << self.width)
    }
}

/// A value of any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Boolean(bool),
    Integer(i128),
    Symbol(&'static str),
    Word(i128, Shape),
}

/// What a variable can be.
#[derive(Clone, Debug)]
pub enum Domain {
    Boolean,
    Range(i128, i128),
    Values(Vec<Value>),
    Word(Shape),
}

impl Domain {
    pub fn ty(&self) -> Type {
        match self {
            Domain::Boolean => Type::Boolean,
            Domain::Range(..) => Type::Integer,
            Domain::Word(shape) => Type::Word(*shape),
            Domain::Values(values) => {
                let symbols = values.iter().filter(|value| matches!(value, Value::Symbol(_))).count();
                match symbols {
                    0 => Type::Integer,
                    all if all == values.len() => Type::Symbolic,
                    _ => Type::Mixed,
                }
            }
        }
    }

    pub fn value(&self, random: &mut Random) -> Value {
        match self {
            Domain::Boolean => Value::Boolean(random.below(2) == 1),
            Domain::Range(low, high) => Value::Integer(low + random.below((high - low + 1) as usize) as i128),
            Domain::Values(values) => *random.pick(values),
            Domain::Word(shape) => Value::Word(number(*shape, random), *shape),
        }
    }
}

/// A number that a word can stand for, the ends of its range more often than others.
fn number(shape: Shape, random: &mut Random) -> i128 {
    let any = shape.wrap(random.next().into());
    *random.pick(&[any, any, any, shape.least(), shape.most(), shape.wrap(1)])
}

/// A variable or, with bounds, an array.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub domain: Domain,
    pub bounds: Option<(i128, i128)>,
    /// The position of its first value in a state.
    pub first: usize,
}

impl Variable {
    pub fn length(&self) -> usize {
        self.bounds.map_or(1, |(low, high)| (high - low + 1) as usize)
    }

    /// The names of its parts, in the order of their values.
    pub fn parts(&self) -> Vec<String> {
        match self.bounds {
            None => vec![self.name.clone()],
            Some((low, high)) => (low..=high).map(|index| format!("{}[{index}]", self.name)).collect(),
        }
    }
}

/// A value for every variable and every element of every array.
pub type State = Vec<Value>;

/// The variables of a model.
#[derive(Clone, Debug)]
pub struct Universe {
    pub variables: Vec<Variable>,
}

impl Universe {
    pub fn new(random: &mut Random) -> Universe {
        let (integer, symbol) = (Value::Integer, Value::Symbol);
        let mut universe = Universe { variables: Vec::new() };
        for domain in [
            Domain::Boolean,
            Domain::Boolean,
            Domain::Range(-3, 4),
            Domain::Range(0, 5),
            Domain::Values(vec![integer(4), integer(1), integer(-2)]),
            Domain::Values(vec![symbol("red"), symbol("green"), symbol("blue")]),
            Domain::Values(vec![symbol("cyan"), symbol("green")]),
            Domain::Values(vec![symbol("red"), integer(1), integer(-2)]),
            Domain::Values(vec![integer(0), symbol("cyan"), integer(4)]),
        ] {
            universe.add(domain, None);
        }
        for _ in 0..4 {
            universe.add(Domain::Word(some_shape(random)), None);
        }
        universe.add(Domain::Boolean, Some((-1, 1)));
        universe.add(Domain::Range(-1, 2), Some((0, 2)));
        universe.add(Domain::Values(vec![symbol("red"), symbol("cyan")]), Some((1, 2)));
        universe.add(Domain::Values(vec![symbol("blue"), integer(3)]), Some((0, 1)));
        universe.add(Domain::Word(some_shape(random)), Some((0, 2)));
        universe
    }

    fn add(&mut self, domain: Domain, bounds: Option<(i128, i128)>) {
        let name = format!("v{}", self.variables.len());
        let first = self.variables.last().map_or(0, |last| last.first + last.length());
        self.variables.push(Variable { name, domain, bounds, first });
    }

    pub fn state(&self, random: &mut Random) -> State {
        let mut state = Vec::new();
        for variable in &self.variables {
            state.extend((0..variable.length()).map(|_| variable.domain.value(random)));
        }
        state
    }

    /// The declarations of all variables, in the form that follows a section's keyword.
    pub fn declare(&self) -> String {
        self.variables.iter().map(Variable::declare).collect()
    }
}

impl Variable {
    pub fn declare(&self) -> String {
        let mut text = format!("{} : ", self.name);
        if let Some((low, high)) = self.bounds {
            let _ = write!(text, "array {low}..{high} of ");
        }
        text.push_str(&declare_type(&self.domain));
        text.push_str(";\n");
        text
    }
}

fn declare_type(domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "boolean".to_owned(),
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Word(Shape { width, signed }) => {
            format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
        }
        Domain::Values(values) => {
            let values: Vec<String> = values
                .iter()
                .map(|value| match value {
                    Value::Integer(number) => number.to_string(),
                    other => literal(*other, 0),
                })
                .collect();
            format!("{{{}}}", values.join(", "))
        }
    }
}

/// Mostly narrow words: the corners of arithmetic are near there.
pub fn some_shape(random: &mut Random) -> Shape {
    let narrow = random.below(8) as u32 + 1;
    let wide = *random.pick(&[9, 16, 31, 32, 33, 63, 64, 64]);
    let width = if random.below(6) == 0 { wide } else { narrow };
    Shape { width, signed: random.below(2) == 1 }
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
    ShiftLeft,
    ShiftRight,
    Concat,
}

impl Infix {
    fn text(self) -> &'static str {
        match self {
            Infix::And => "&",
            Infix::Or => "|",
            Infix::Xor => "xor",
            Infix::Xnor => "xnor",
            Infix::Implies => "->",
            Infix::Iff => "<->",
            Infix::Equal => "=",
            Infix::NotEqual => "!=",
            Infix::Less => "<",
            Infix::LessEqual => "<=",
            Infix::Greater => ">",
            Infix::GreaterEqual => ">=",
            Infix::Plus => "+",
            Infix::Minus => "-",
            Infix::Times => "*",
            Infix::Divide => "/",
            Infix::Mod => "mod",
            Infix::ShiftLeft => "<<",
            Infix::ShiftRight => ">>",
            Infix::Concat => "::",
        }
    }
}

/// Functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Bool,
    Word1,
    Signed,
    Unsigned,
    ToInt,
    SizeOf,
    Count,
    Abs,
    Min,
    Max,
}

impl Function {
    fn text(self) -> &'static str {
        match self {
            Function::Bool => "bool",
            Function::Word1 => "word1",
            Function::Signed => "signed",
            Function::Unsigned => "unsigned",
            Function::ToInt => "toint",
            Function::SizeOf => "sizeof",
            Function::Count => "count",
            Function::Abs => "abs",
            Function::Min => "min",
            Function::Max => "max",
        }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A constant and which of its spellings to use.
    Constant(Value, usize),
    /// The name of a variable, and where its value is in a state.
    Variable(String, usize),
    /// An element of the array that the variable is.
    Element(Variable, Box<Tree>),
    /// `[a, b, c][index]`
    OneOf(Vec<Tree>, Box<Tree>),
    Not(Box<Tree>),
    Minus(Box<Tree>),
    Infix(Infix, Box<Tree>, Box<Tree>),
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
    Case(Vec<(Tree, Tree)>),
    In(Box<Set>, Box<Set>),
    Bits {
        word: Box<Tree>,
        high: u32,
        low: u32,
    },
    Extend(Box<Tree>, u32),
    Resize(Box<Tree>, u32),
    Call(Function, Vec<Tree>),
}

/// A set, as it stands beside `in`.
#[derive(Clone, Debug)]
pub enum Set {
    One(Tree),
    Range(i128, i128),
    Braces(Vec<Set>),
    Union(Box<Set>, Box<Set>),
    Conditional(Box<Tree>, Box<Set>, Box<Set>),
}

/// Writes a constant. Words have many spellings.
pub fn literal(value: Value, spelling: usize) -> String {
    match value {
        Value::Boolean(value) => (if value { "TRUE" } else { "FALSE" }).to_owned(),
        Value::Symbol(name) => name.to_owned(),
        Value::Integer(number) if number < 0 => format!("({number})"),
        Value::Integer(number) => number.to_string(),
        Value::Word(number, shape) => word_literal(number, shape, spelling),
    }
}

fn word_literal(number: i128, shape: Shape, spelling: usize) -> String {
    let Shape { width, signed } = shape;
    let (sign, bits) = (if signed { "s" } else { "u" }, shape.bits(number));
    match spelling % 6 {
        0 => format!("0{sign}b{width}_{bits:b}"),
        1 => format!("0{sign}o{width}_{bits:o}"),
        2 => format!("0{sign}H{width}_{bits:X}"),
        // The functions take integer constants, which have 31 bits.
        3 if number.abs() < 1 << 31 => {
            format!("{}wconst({}, {width})", if signed { "s" } else { "u" }, literal(Value::Integer(number), 0))
        }
        _ if number < 0 => format!("(-0sd{width}_{})", -number),
        _ => format!("0{sign}d{width}_{bits}"),
    }
}

impl Tree {
    /// Writes the expression, with brackets around everything.
    pub fn text(&self) -> String {
        match self {
            Tree::Constant(value, spelling) => literal(*value, *spelling),
            Tree::Variable(name, _) => name.clone(),
            Tree::Element(array, index) => format!("{}[{}]", array.name, index.text()),
            Tree::OneOf(parts, index) => format!("[{}][{}]", list(parts), index.text()),
            Tree::Not(a) => format!("(!{})", a.text()),
            Tree::Minus(a) => format!("(- {})", a.text()),
            Tree::Infix(op, a, b) => format!("({} {} {})", a.text(), op.text(), b.text()),
            Tree::Conditional(c, a, b) => format!("({} ? {} : {})", c.text(), a.text(), b.text()),
            Tree::Case(branches) => {
                format!("case {}esac", branches.iter().map(branch).collect::<String>())
            }
            Tree::In(a, b) => format!("({} in {})", a.text(), b.text()),
            Tree::Bits { word, high, low } => format!("({})[{high}:{low}]", word.text()),
            Tree::Extend(word, by) => format!("extend({}, {by})", word.text()),
            Tree::Resize(word, to) => format!("resize({}, {to})", word.text()),
            Tree::Call(function, arguments) => format!("{}({})", function.text(), list(arguments)),
        }
    }
}

fn branch((guard, value): &(Tree, Tree)) -> String {
    format!("{} : {}; ", guard.text(), value.text())
}

fn list(trees: &[Tree]) -> String {
    trees.iter().map(Tree::text).collect::<Vec<String>>().join(", ")
}

impl Set {
    fn text(&self) -> String {
        match self {
            Set::One(tree) => tree.text(),
            Set::Range(low, high) => format!("{low}..{high}"),
            Set::Braces(members) => {
                format!("{{{}}}", members.iter().map(Set::text).collect::<Vec<String>>().join(", "))
            }
            Set::Union(a, b) => format!("({} union {})", a.text(), b.text()),
            Set::Conditional(c, a, b) => format!("({} ? {} : {})", c.text(), a.text(), b.text()),
        }
    }
}
