//! The syntax tree of a Promela model. Names are resolved while parsing: Promela declares before it uses.

use super::ids::ProctypeId;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use system::{IndexVec, Span};

/// A name as the model spells it.
pub type Name = Rc<str>;

/// An expression of an [`Ast`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprRef(pub u32);

/// The type of a variable or message field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bit` and `bool`.
    Bit,
    /// `byte`.
    Byte,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned x : n`.
    Unsigned(u32),
    /// `mtype`, by its number among those of the model.
    Mtype(usize),
    /// `pid`.
    Pid,
    /// `chan`.
    Chan,
    /// A `typedef`, by its number.
    Struct(usize),
}

/// A new channel: `[capacity] of { fields }`.
#[derive(Clone, Debug)]
pub struct NewChannel {
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u32,
    /// The types of a message's fields.
    pub fields: Vec<Type>,
}

/// How a variable begins.
#[derive(Clone, Debug)]
pub enum Initial {
    /// With zeros.
    Zero,
    /// With the value of an expression (each element of an array).
    Value(ExprRef),
    /// With a list of elements.
    List(Vec<i64>),
    /// With a new channel (each element of an array with one of its own).
    Channel(NewChannel),
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: Name,
    /// Its type, or that of its elements.
    pub ty: Type,
    /// The number of elements, if it is an array.
    pub length: Option<u32>,
    /// How it begins.
    pub initial: Initial,
    /// Whether it is declared `hidden`.
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Declaration>,
}

/// The variable that a reference begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// A global variable, by its number.
    Global(usize),
    /// A local variable of the proctype, by its number.
    Local(usize),
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    /// `_`
    Scratch,
}

/// A reference to a variable, element or field.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The variable.
    pub root: Root,
    /// The index behind the variable's name.
    pub index: Option<ExprRef>,
    /// The fields, each with an index if there is one.
    pub fields: Vec<(Name, Option<ExprRef>)>,
    /// Where it is.
    pub span: Span,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Not,
    Negate,
    Complement,
    Always,
    Eventually,
    Next,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Implies,
    Iff,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl BinaryOp {
    /// Whether the operator belongs to LTL only.
    pub fn is_temporal(self) -> bool {
        matches!(self, BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release | BinaryOp::Iff)
    }
}

/// What is asked of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Query {
    Len,
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

/// What a receive expects in a field.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Anything; it is stored.
    Store(Reference),
    /// The value of an expression.
    Match(ExprRef),
}

/// Where a receive looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// At the oldest message, or behind the youngest.
    Fifo,
    /// `??`: at the oldest message that fits; `!!`: before the first greater message.
    Any,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// A variable.
    Variable(Reference),
    /// An operator applied.
    Unary(UnaryOp, ExprRef),
    /// An operator applied.
    Binary(BinaryOp, ExprRef, ExprRef),
    /// `(c -> a : b)`
    Conditional(ExprRef, ExprRef, ExprRef),
    /// `run p(..)`
    Run(Creation),
    /// `len(c)` and its like.
    Query(Query, Reference),
    /// `c?[..]`
    Poll(Reference, Order, Vec<Pattern>),
    /// `timeout`
    Timeout,
    /// `enabled(pid)`
    Enabled(ExprRef),
    /// `pc_value(pid)`
    PcValue(ExprRef),
    /// `np_`
    NonProgress,
    /// `get_priority(pid)`
    Priority(ExprRef),
    /// `p[pid]@label`
    RemoteLabel(Name, Option<ExprRef>, Name),
    /// `p[pid]:variable`
    RemoteVariable(Name, Option<ExprRef>, Name, Option<ExprRef>),
}

impl Expr {
    /// The global variable that it is, or is part of.
    pub fn global(&self) -> Option<usize> {
        match self {
            Expr::Variable(Reference { root: Root::Global(global), .. }) => Some(*global),
            _ => None,
        }
    }
}

/// What a `run` creates.
#[derive(Clone, Debug)]
pub struct Creation {
    /// The name of the proctype.
    pub name: Name,
    /// The arguments.
    pub arguments: Vec<ExprRef>,
    /// The priority, if it is given.
    pub priority: Option<u32>,
}

/// A label and which expansion of an inline it is in (0 for none).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: Name,
    /// The expansion.
    pub expansion: usize,
}

/// A sequence of statements.
pub type Sequence = Vec<Statement>;

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
    /// The labels before it.
    pub labels: Vec<Label>,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum Kind {
    /// An assignment.
    Assign(Reference, ExprRef),
    /// The step that a declaration in the middle of a body makes: it sets the variable, or the first element of an array,
    /// to 0. A structure stays as it is.
    Clear(usize),
    /// The step that a declaration with a list, in the middle of a body, makes.
    AssignList(usize, Vec<i64>),
    /// `c!..` and `c!!..`
    Send(Reference, Order, Vec<ExprRef>),
    /// `c?..` and its like; the flag says whether the message stays.
    Receive(Reference, Order, Copying, Vec<Pattern>),
    /// An expression as a statement: it waits until it is true.
    Condition(ExprRef),
    /// `skip`, `true` and its like.
    Skip,
    /// `else`
    Else,
    /// `assert(..)`
    Assert(ExprRef),
    /// `printf`, `printm`: the format and the values.
    Print(Rc<str>, Vec<ExprRef>),
    /// `set_priority(pid, value)`
    SetPriority(ExprRef, ExprRef),
    /// `if .. fi`
    If(Vec<Sequence>),
    /// `do .. od`
    Do(Vec<Sequence>),
    /// `break`
    Break,
    /// `goto label`
    Goto(Label),
    /// `atomic { .. }`
    Atomic(Sequence),
    /// `d_step { .. }`
    DStep(Sequence),
    /// `{ .. }`
    Block(Sequence),
    /// `.. unless ..`
    Unless(Box<Statement>, Box<Statement>),
}

/// Whether a receive takes the message or only copies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copying {
    /// The message is taken.
    Takes,
    /// `?<..>`: the message stays.
    Copies,
}

/// A proctype, `init`, or a never claim.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name; `:init:` for init.
    pub name: Name,
    /// How many instances run from the beginning.
    pub active: u32,
    /// All local variables, the parameters first.
    pub locals: Vec<Declaration>,
    /// How many of them are parameters.
    pub parameters: usize,
    /// How many locals (parameters included) are initialised when the process is created.
    pub initialised: usize,
    /// Whether it may choose.
    pub choice: Choosing,
    /// When it may run.
    pub provided: Option<ExprRef>,
    /// The priority that its processes begin with, if it is given.
    pub priority: Option<u32>,
    /// Its statements.
    pub body: Sequence,
    /// Where it is declared.
    pub span: Span,
    /// Where its body ends.
    pub end: Span,
    /// How many proctypes come before it in the text.
    pub earlier: usize,
}

impl Proctype {
    /// All statements, also those inside others, in the order of the text.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        let mut open: Vec<&Statement> = self.body.iter().rev().collect();
        std::iter::from_fn(move || {
            let statement = open.pop()?;
            match &statement.kind {
                Kind::If(options) | Kind::Do(options) => open.extend(options.iter().flatten().rev()),
                Kind::Atomic(inner) | Kind::DStep(inner) | Kind::Block(inner) => open.extend(inner.iter().rev()),
                Kind::Unless(main, escape) => open.extend([&**escape, &**main]),
                _ => {}
            }
            Some(statement)
        })
    }
}

/// Whether the processes of a proctype may have several steps to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// They may.
    Allowed,
    /// `D_proctype`: having a choice is an error.
    Forbidden,
}

/// An mtype.
#[derive(Clone, Debug, Default)]
pub struct Mtype {
    /// Its name.
    pub name: String,
    /// Its constants, the first of which is 1.
    pub constants: Vec<Name>,
}

/// A `trace` or `notrace` assertion: what is sent and received on the channels that it names.
#[derive(Clone, Debug)]
pub struct TraceAssertion {
    /// What it forbids.
    pub forbids: Forbidden,
    /// The events, as the statements of a process.
    pub body: Proctype,
}

/// What a trace assertion forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// `trace`: every other sequence of events.
    Others,
    /// `notrace`: this sequence, as a whole.
    Itself,
}

/// A named formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its name.
    pub name: Name,
    /// What it says.
    pub formula: ExprRef,
    /// Where it is.
    pub span: Span,
}

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    exprs: Vec<(Expr, Span, u32)>,
    /// The global variables.
    pub globals: Vec<Declaration>,
    /// The typedefs.
    pub structures: Vec<Structure>,
    /// The proctypes and init, in order.
    pub proctypes: IndexVec<ProctypeId, Proctype>,
    /// The ltl blocks.
    pub formulas: Vec<Formula>,
    /// The never claims.
    pub claims: Vec<Proctype>,
    /// The trace or notrace assertion.
    pub trace: Option<TraceAssertion>,
    /// Where a process says first that it alone sends to or receives from a channel (`xs`, `xr`).
    pub exclusive: Option<Span>,
    /// Where priorities are mentioned first.
    pub priorities: Option<Span>,
    /// The mtypes, the first of which is the one without a name.
    pub mtypes: Vec<Mtype>,
}

impl Ast {
    /// Adds an expression, whose operands are there already.
    pub fn add(&mut self, expr: Expr, span: Span) -> ExprRef {
        let depth = 1 + match &expr {
            Expr::Unary(_, a) => self.depth_of(*a),
            Expr::Binary(_, a, b) => self.depth_of(*a).max(self.depth_of(*b)),
            Expr::Conditional(a, b, c) => self.depth_of(*a).max(self.depth_of(*b)).max(self.depth_of(*c)),
            _ => 0,
        };
        self.exprs.push((expr, span, depth));
        ExprRef(self.exprs.len() as u32 - 1)
    }

    fn depth_of(&self, expr: ExprRef) -> u32 {
        self.exprs[expr.0 as usize].2
    }

    /// An expression.
    pub fn expr(&self, expr: ExprRef) -> &Expr {
        &self.exprs[expr.0 as usize].0
    }

    /// An expression and all that operators combine in it.
    pub fn within(&self, expr: ExprRef) -> impl Iterator<Item = &Expr> {
        let mut open = vec![expr];
        std::iter::from_fn(move || {
            let expr = self.expr(open.pop()?);
            match expr {
                Expr::Unary(_, a) => open.push(*a),
                Expr::Binary(_, a, b) => open.extend([*a, *b]),
                Expr::Conditional(a, b, c) => open.extend([*a, *b, *c]),
                _ => {}
            }
            Some(expr)
        })
    }

    /// The `run` inside an expression.
    pub fn run_within(&self, expr: ExprRef) -> Option<&Creation> {
        self.within(expr).find_map(|part| match part {
            Expr::Run(creation) => Some(creation),
            _ => None,
        })
    }

    /// The proctype with a name.
    pub fn proctype(&self, name: &str) -> Option<ProctypeId> {
        self.proctypes.position(|proctype| &*proctype.name == name)
    }

    /// `init`
    pub fn init(&self) -> Option<ProctypeId> {
        self.proctype(":init:")
    }

    /// All expressions, those inside others too.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.exprs.iter().map(|(expr, ..)| expr)
    }

    /// The labels of a proctype that remote references name, also those in claims.
    pub fn observed_labels(&self, proctype: &str) -> FxHashSet<Name> {
        let labels = self.exprs.iter().filter_map(|(expr, ..)| match expr {
            Expr::RemoteLabel(process, _, label) if **process == *proctype => Some(label.clone()),
            _ => None,
        });
        labels.collect()
    }

    /// Whether `_last` is read anywhere.
    pub fn mentions_last(&self) -> bool {
        self.exprs.iter().any(|(expr, ..)| is_last(expr))
    }

    /// Where an expression is.
    pub fn span(&self, expr: ExprRef) -> Span {
        self.exprs[expr.0 as usize].1
    }

    /// How many operators are nested in it.
    pub fn depth(&self, expr: ExprRef) -> u32 {
        self.exprs[expr.0 as usize].2
    }
}

fn is_last(expr: &Expr) -> bool {
    matches!(expr, Expr::Variable(Reference { root: Root::Last, .. }))
}
