//! The constructs of SMV's syntax tree by name, and which of them some models have. A construct that is added to the tree
//! does not compile here before it has a name, and then has to occur.

use crate::names::names;
use std::collections::BTreeSet;
use system::{BinaryTemporal, UnaryTemporal};
use uwbmc::smv::ast::{
    AssignKind, Ast, Bounds, Element, EnumValue, Expr, Function, Infix, Item, Module, Prefix, SpecKind, Type, VarKind,
};

names!(item, ITEMS, Item, {
    Item::Variable { .. } => "variable",
    Item::Define { .. } => "DEFINE",
    Item::Assign { .. } => "ASSIGN",
    Item::Init(_) => "INIT",
    Item::Invar(_) => "INVAR",
    Item::Trans(_) => "TRANS",
    Item::Justice(_) => "JUSTICE",
    Item::Compassion(..) => "COMPASSION",
    Item::Spec { .. } => "property",
    Item::Compute { .. } => "COMPUTE",
    Item::Unsupported { .. } => "what is not supported",
    Item::Constants(_) => "CONSTANTS",
    Item::Isa(_) => "ISA",
});

names!(var_kind, VAR_KINDS, VarKind, {
    VarKind::State => "VAR",
    VarKind::Frozen => "FROZENVAR",
    VarKind::Input => "IVAR",
});

names!(assign_kind, ASSIGN_KINDS, AssignKind, {
    AssignKind::Init => "initial value",
    AssignKind::Next => "next value",
    AssignKind::Always => "value in every state",
});

names!(spec_kind, SPEC_KINDS, SpecKind, {
    SpecKind::Invariant => "INVARSPEC",
    SpecKind::Ltl => "LTLSPEC",
    SpecKind::Ctl => "CTLSPEC",
});

names!(ty, TYPES, Type, {
    Type::Data { .. } => "data",
    Type::Instance { is_process: true, .. } => "process",
    Type::Instance { is_process: false, .. } => "instance",
});

names!(element, ELEMENTS, Element, {
    Element::Boolean => "boolean",
    Element::Word { signed: true, .. } => "signed word",
    Element::Word { signed: false, .. } => "unsigned word",
    Element::Range(..) => "range of integers",
    Element::Enumeration(_) => "enumeration",
});

names!(enum_value, ENUM_VALUES, EnumValue, {
    EnumValue::Symbol(_) => "symbol of an enumeration",
    EnumValue::Number(_) => "number of an enumeration",
});

names!(expr, EXPRS, Expr, {
    Expr::Name(_) => "name",
    Expr::SelfRef => "self",
    Expr::Number(_) => "number",
    Expr::Word { signed: true, .. } => "signed constant",
    Expr::Word { signed: false, .. } => "unsigned constant",
    Expr::Boolean(_) => "TRUE or FALSE",
    Expr::Dot(..) => "path",
    Expr::Index(..) => "element of an array",
    Expr::Bits { .. } => "bits of a word",
    Expr::Prefix(..) => "prefix operator",
    Expr::Infix(..) => "infix operator",
    Expr::Conditional(..) => "conditional",
    Expr::Case(_) => "case",
    Expr::Set(_) => "set",
    Expr::Array(_) => "array of expressions",
    Expr::Call(..) => "function",
    Expr::Temporal(..) => "temporal operator",
    Expr::TemporalPair(..) => "temporal operator of two operands",
});

names!(prefix, PREFIXES, Prefix, {
    Prefix::Not => "!",
    Prefix::Minus => "unary -",
});

names!(infix, INFIXES, Infix, {
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
});

names!(function, FUNCTIONS, Function, {
    Function::Next => "next()",
    Function::Bool => "bool()",
    Function::Word1 => "word1()",
    Function::Signed => "signed()",
    Function::Unsigned => "unsigned()",
    Function::Extend => "extend()",
    Function::Resize => "resize()",
    Function::SizeOf => "sizeof()",
    Function::ToInt => "toint()",
    Function::Count => "count()",
    Function::UnsignedConst => "uwconst()",
    Function::SignedConst => "swconst()",
    Function::Abs => "abs()",
    Function::Min => "min()",
    Function::Max => "max()",
});

names!(temporal, TEMPORAL, (UnaryTemporal, Option<Bounds>), {
    (UnaryTemporal::Next, _) => "X",
    (UnaryTemporal::Globally, None) => "G",
    (UnaryTemporal::Globally, Some(_)) => "bounded G",
    (UnaryTemporal::Finally, None) => "F",
    (UnaryTemporal::Finally, Some(_)) => "bounded F",
    (UnaryTemporal::Yesterday, _) => "Y",
    (UnaryTemporal::WeakYesterday, _) => "Z",
    (UnaryTemporal::Historically, None) => "H",
    (UnaryTemporal::Historically, Some(_)) => "bounded H",
    (UnaryTemporal::Once, None) => "O",
    (UnaryTemporal::Once, Some(_)) => "bounded O",
    (UnaryTemporal::SomeNext, _) => "EX",
    (UnaryTemporal::AllNext, _) => "AX",
    (UnaryTemporal::SomeFinally, None) => "EF",
    (UnaryTemporal::SomeFinally, Some(_)) => "EBF",
    (UnaryTemporal::AllFinally, None) => "AF",
    (UnaryTemporal::AllFinally, Some(_)) => "ABF",
    (UnaryTemporal::SomeGlobally, None) => "EG",
    (UnaryTemporal::SomeGlobally, Some(_)) => "EBG",
    (UnaryTemporal::AllGlobally, None) => "AG",
    (UnaryTemporal::AllGlobally, Some(_)) => "ABG",
});

names!(pair, PAIRS, (BinaryTemporal, Option<Bounds>), {
    (BinaryTemporal::Until, _) => "U",
    (BinaryTemporal::Releases, _) => "V",
    (BinaryTemporal::Since, _) => "S",
    (BinaryTemporal::Triggered, _) => "T",
    (BinaryTemporal::SomeUntil, None) => "E U",
    (BinaryTemporal::SomeUntil, Some(_)) => "E BU",
    (BinaryTemporal::AllUntil, None) => "A U",
    (BinaryTemporal::AllUntil, Some(_)) => "A BU",
});

/// What belongs to declarations, and how they are used.
const PARTS: &[&str] = &[
    "parameter",
    "named program counter",
    "named property",
    "property in a context",
    "array",
    "array of arrays",
    "element assigned",
    "running",
];

/// The constructs that models have.
#[derive(Default)]
pub struct Seen(BTreeSet<&'static str>);

impl Seen {
    /// Notes what a model has.
    pub fn note(&mut self, ast: &Ast) {
        ast.nodes.iter().for_each(|(part, _)| self.expr(ast, part));
        for module in &ast.modules {
            self.module(ast, module);
        }
    }

    /// What never occurred.
    pub fn missing(&self) -> Vec<&'static str> {
        let declarations = [ITEMS, VAR_KINDS, ASSIGN_KINDS, SPEC_KINDS, TYPES, ELEMENTS, ENUM_VALUES, PARTS];
        let expressions = [EXPRS, PREFIXES, INFIXES, FUNCTIONS, TEMPORAL, PAIRS];
        let all = declarations.into_iter().chain(expressions).flatten();
        all.filter(|name| !self.0.contains(*name)).copied().collect()
    }

    fn has(&mut self, name: &'static str) {
        self.0.insert(name);
    }

    fn part(&mut self, name: &'static str, is_there: bool) {
        if is_there {
            self.has(name);
        }
    }

    fn module(&mut self, ast: &Ast, module: &Module) {
        self.part("parameter", !module.parameters.is_empty());
        self.part("named program counter", module.pc.is_some());
        for declared in &module.items {
            self.item(ast, &declared.item);
        }
    }

    fn item(&mut self, ast: &Ast, declared: &Item) {
        self.0.insert(item(declared));
        match declared {
            Item::Variable { kind, ty, .. } => {
                self.0.insert(var_kind(kind));
                self.ty(ty);
            }
            Item::Assign { kind, target, .. } => {
                self.0.insert(assign_kind(kind));
                self.part("element assigned", matches!(ast.expr(target.last), Expr::Index(..)));
            }
            Item::Spec { kind, name, context, .. } => {
                self.0.insert(spec_kind(kind));
                self.part("named property", name.is_some());
                self.part("property in a context", context.is_some());
            }
            _ => {}
        }
    }

    fn ty(&mut self, declared: &Type) {
        self.0.insert(ty(declared));
        let Type::Data { dimensions, element: of } = declared else { return };
        self.0.insert(element(of));
        self.part("array", !dimensions.is_empty());
        self.part("array of arrays", dimensions.len() > 1);
        if let Element::Enumeration(values) = of {
            self.0.extend(values.iter().map(|(value, _)| enum_value(value)));
        }
    }

    fn expr(&mut self, ast: &Ast, part: &Expr) {
        self.0.insert(expr(part));
        match part {
            Expr::Name(name) => self.part("running", ast.text(*name) == "running"),
            Expr::Prefix(op, _) => self.has(prefix(op)),
            Expr::Infix(op, ..) => self.has(infix(op)),
            Expr::Call(called, _) => self.has(function(called)),
            Expr::Temporal(op, bounds, _) => self.has(temporal(&(*op, *bounds))),
            Expr::TemporalPair(op, bounds, ..) => self.has(pair(&(*op, *bounds))),
            _ => {}
        }
    }
}
