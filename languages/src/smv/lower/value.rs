//! What SMV expressions denote, and SMV's types.

use std::rc::Rc;
use system::{Domain, ExprId, FormulaId, VarId, WordSort, is_symbol};

/// An instance of a module, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstanceId(pub u32);

/// The types that SMV tells apart. Bounds and the members of enumerations play no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `boolean`
    Boolean,
    /// Ranges, and enumerations of integers.
    Integer,
    /// Enumerations of symbolic constants.
    Symbolic,
    /// Enumerations of both.
    Mixed,
    /// Words.
    Word(WordSort),
}

impl Ty {
    /// The type of variables with a domain.
    pub fn of(domain: &Domain) -> Ty {
        match domain {
            Domain::Boolean => Ty::Boolean,
            Domain::Range { .. } => Ty::Integer,
            Domain::Word(word) => Ty::Word(*word),
            Domain::Values(values) => {
                let symbols = values.iter().filter(|value| is_symbol(**value)).count();
                match symbols {
                    0 => Ty::Integer,
                    n if n == values.len() => Ty::Symbolic,
                    _ => Ty::Mixed,
                }
            }
        }
    }

    /// The type that values of both can be converted to.
    pub fn join(self, other: Ty) -> Option<Ty> {
        use Ty::{Integer, Mixed, Symbolic};
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Integer | Symbolic | Mixed, Integer | Symbolic | Mixed) => Some(Mixed),
            _ => None,
        }
    }

    /// Whether a value of this type may be stored in a variable of another.
    pub fn converts_to(self, target: Ty) -> bool {
        self == target || target == Ty::Mixed && matches!(self, Ty::Integer | Ty::Symbolic)
    }

    /// The type in words.
    pub fn describe(self) -> String {
        match self {
            Ty::Boolean => "boolean".to_owned(),
            Ty::Integer => "integer".to_owned(),
            Ty::Symbolic => "symbolic enumeration".to_owned(),
            Ty::Mixed => "mixed enumeration".to_owned(),
            Ty::Word(word) => {
                format!("{} word[{}]", if word.signed { "signed" } else { "unsigned" }, word.width)
            }
        }
    }
}

/// An expression of the system with its SMV type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The expression; it may be a set.
    pub expr: ExprId,
    /// The type of its value or values.
    pub ty: Ty,
}

/// What an SMV expression denotes.
#[derive(Clone, Debug)]
pub enum Lowered {
    /// A value or a set of values.
    Value(Typed),
    /// A temporal formula.
    Formula(FormulaId),
    /// An instance of a module.
    Instance(InstanceId),
    /// The input that says which process runs.
    Selector,
    /// The variables of an array, or of a part of one.
    Cells(Cells),
    /// An array of anything, its first element having index `low`.
    Array {
        /// Index of the first element.
        low: i64,
        /// The elements.
        items: Rc<Vec<Lowered>>,
    },
    /// The beginning of a flat name that looks like a path, such as `a` in a variable named `a.b`, and where it is
    /// looked for.
    Prefix(InstanceId, Rc<str>),
    /// An error that was reported already.
    Wrong,
}

/// Neighbouring variables that make up an array.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The first variable.
    pub first: VarId,
    /// Lowest index and length of each dimension, outermost first.
    pub dimensions: Rc<[(i64, u32)]>,
    /// How many dimensions are indexed already.
    pub depth: usize,
}

impl Cells {
    /// How many variables an element of the outermost open dimension has.
    pub fn stride(&self) -> usize {
        self.dimensions[self.depth + 1..].iter().map(|(_, length)| *length as usize).product()
    }

    /// The element at an offset of the outermost open dimension.
    pub fn element(&self, offset: usize) -> Cells {
        let first = VarId::from(self.first.index() + offset * self.stride());
        Cells { first, dimensions: Rc::clone(&self.dimensions), depth: self.depth + 1 }
    }

    /// Whether every dimension is indexed.
    pub fn is_scalar(&self) -> bool {
        self.depth == self.dimensions.len()
    }
}
