//! The syntax tree of an SMV file.
//!
//! Expressions of a whole file are nodes in one list, operands before operators, each expression one contiguous
//! run of it. A pass over an expression is a loop over that run; nothing recurses.

use indexmap::IndexSet;
use system::{Extreme, Span};

/// A name, as an index into [`Ast::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(pub u32);

/// A node of an expression, as an index into [`Ast::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A whole expression: the nodes from `first` to `last`, `last` being the outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    /// The first node.
    pub first: NodeId,
    /// The outermost node.
    pub last: NodeId,
}

impl Root {
    /// The leftmost operand of the outermost node: what a dot or an index is applied to.
    pub fn base(self, base: NodeId) -> Root {
        Root { last: base, ..self }
    }
}

/// Operands of a node, as a range of [`Ast::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// Where the list begins.
    pub start: u32,
    /// How long it is.
    pub length: u32,
}

/// A prefix operator of ordinary expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prefix {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// An infix operator of ordinary expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Infix {
    Concat,
    Times,
    Divide,
    Mod,
    Plus,
    Minus,
    ShiftLeft,
    ShiftRight,
    Range,
    Union,
    In,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    And,
    Or,
    Xor,
    Xnor,
    Iff,
    Implies,
}

impl Infix {
    /// How the operator is written.
    pub fn text(self) -> &'static str {
        match self {
            Infix::Concat => "::",
            Infix::Times => "*",
            Infix::Divide => "/",
            Infix::Mod => "mod",
            Infix::Plus => "+",
            Infix::Minus => "-",
            Infix::ShiftLeft => "<<",
            Infix::ShiftRight => ">>",
            Infix::Range => "..",
            Infix::Union => "union",
            Infix::In => "in",
            Infix::Equal => "=",
            Infix::NotEqual => "!=",
            Infix::Less => "<",
            Infix::Greater => ">",
            Infix::LessEqual => "<=",
            Infix::GreaterEqual => ">=",
            Infix::And => "&",
            Infix::Or => "|",
            Infix::Xor => "xor",
            Infix::Xnor => "xnor",
            Infix::Iff => "<->",
            Infix::Implies => "->",
        }
    }
}

/// A built-in function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Function {
    Next,
    Bool,
    Word1,
    Signed,
    Unsigned,
    Extend,
    Resize,
    SizeOf,
    ToInt,
    Count,
    UnsignedConst,
    SignedConst,
    Abs,
    Min,
    Max,
}

/// Between how many steps a bounded temporal operator looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Fewest steps.
    pub low: i64,
    /// Most steps.
    pub high: i64,
}

/// A node of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Expr {
    Name(Name),
    SelfRef,
    Number(i64),
    Word {
        bits: u64,
        width: u32,
        signed: bool,
    },
    Boolean(bool),
    Dot(NodeId, Name),
    Index(NodeId, NodeId),
    Bits {
        word: NodeId,
        high: NodeId,
        low: NodeId,
    },
    Prefix(Prefix, NodeId),
    Infix(Infix, NodeId, NodeId),
    Conditional(NodeId, NodeId, NodeId),
    /// Guards and values in turn.
    Case(List),
    Set(List),
    Array(List),
    Call(Function, List),
    Temporal(system::UnaryTemporal, Option<Bounds>, NodeId),
    TemporalPair(system::BinaryTemporal, Option<Bounds>, NodeId, NodeId),
}

/// A declared value of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumValue {
    /// A symbolic constant.
    Symbol(Name),
    /// An integer.
    Number(i64),
}

/// The type of a variable's elements (of the variable itself, if it is no array).
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Element {
    Boolean,
    Word { signed: bool, width: Root },
    Range(Root, Root),
    Enumeration(Vec<(EnumValue, Span)>),
}

/// What a declaration in `VAR` and its relatives declares.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Type {
    /// A variable; `dimensions` are the bounds of an array, outermost first.
    Data { dimensions: Vec<(Root, Root)>, element: Element },
    /// An instance of a module.
    Instance { module: Name, module_span: Span, arguments: Vec<Root>, is_process: bool },
}

/// Which section declares a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum VarKind {
    State,
    Frozen,
    Input,
}

/// Which value an assignment gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignKind {
    /// `init(x) := e`
    Init,
    /// `next(x) := e`
    Next,
    /// `x := e`
    Always,
}

/// Which logic a specification is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SpecKind {
    Invariant,
    Ltl,
    Ctl,
}

/// A declaration inside a module.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Item {
    Variable { kind: VarKind, name: Name, ty: Type },
    Define { name: Name, body: Root },
    Assign { kind: AssignKind, target: Root, value: Root },
    Init(Root),
    Invar(Root),
    Trans(Root),
    Justice(Root),
    Compassion(Root, Root),
    Spec { kind: SpecKind, name: Option<Name>, body: Root, context: Option<Root> },
    Compute { extreme: Extreme, name: Option<Name>, start: Root, end: Root, context: Option<Root> },
    Unsupported { what: &'static str, name: Option<Name> },
    Constants(Vec<Name>),
    Isa(Name),
}

/// A declaration and its place.
#[derive(Clone, Debug)]
pub struct SpannedItem {
    /// What is declared.
    pub item: Item,
    /// Where.
    pub span: Span,
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Where it is named.
    pub span: Span,
    /// Its formal parameters.
    pub parameters: Vec<(Name, Span)>,
    /// Its declarations.
    pub items: Vec<SpannedItem>,
    /// The program counter that a comment `--@ pc: x` names.
    pub pc: Option<(String, Span)>,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// All names.
    pub names: IndexSet<String>,
    /// All nodes of expressions.
    pub nodes: Vec<(Expr, Span)>,
    /// The operands of nodes with many.
    pub lists: Vec<NodeId>,
    /// The modules, in order.
    pub modules: Vec<Module>,
}

impl Ast {
    /// The name for a text.
    pub fn intern(&mut self, text: &str) -> Name {
        match self.names.get_index_of(text) {
            Some(index) => Name(index as u32),
            None => Name(self.names.insert_full(text.to_owned()).0 as u32),
        }
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.get_index(name.0 as usize).map_or("", String::as_str)
    }

    /// Adds an expression that is one node.
    pub fn leaf(&mut self, expr: Expr, span: Span) -> Root {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push((expr, span));
        Root { first: id, last: id }
    }

    /// A node.
    pub fn expr(&self, id: NodeId) -> Expr {
        self.nodes[id.0 as usize].0
    }

    /// The place of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id.0 as usize].1
    }

    /// The place of an expression.
    pub fn root_span(&self, root: Root) -> Span {
        self.span(root.last)
    }

    /// The members of a list.
    pub fn list(&self, list: List) -> &[NodeId] {
        &self.lists[list.start as usize..(list.start + list.length) as usize]
    }

    /// The nodes of an expression, operands first.
    pub fn nodes_of(&self, root: Root) -> impl Iterator<Item = NodeId> + use<> {
        (root.first.0..=root.last.0).map(NodeId)
    }
}
