//! From the syntax tree back to text: what is printed reads as the same tree, with no more brackets than that takes.
//!
//! The text is written from left to right, with a stack of what is still to be written: nesting costs memory, never
//! the call stack, and every character is written once.

use super::ast::{
    AssignKind, Ast, Bounds, Element, EnumValue, Expr, Function, Infix, Item, List, Module, Name, NodeId, Prefix, Root,
    SpecKind, Type, VarKind,
};
use super::precedence::{ANYTHING, CONDITIONAL, POSTFIX, PREFIX, RANGE, TEMPORAL_INFIX, TEMPORAL_PREFIX, Tightness};
use std::fmt::Write;
use system::{BinaryTemporal, UnaryTemporal};

/// Writes an expression.
pub fn print_expr(ast: &Ast, root: Root) -> String {
    let mut printer = Printer { ast, out: String::new(), open: Vec::new() };
    printer.expr(root);
    printer.out
}

/// Writes a whole file. PSLSPEC with sequences is read without keeping what it says, so a short one stands for it.
pub fn print_file(ast: &Ast) -> String {
    let mut printer = Printer { ast, out: String::new(), open: Vec::new() };
    for module in &ast.modules {
        printer.module(module);
    }
    printer.out
}

/// What is still to be written.
#[derive(Clone, Copy)]
enum Piece {
    Operand(Operand),
    Text(&'static str),
    Name(Name),
    /// `BU 0..3`
    BoundedUntil(Bounds),
}

/// An expression and where it stands.
#[derive(Clone, Copy)]
struct Operand {
    node: NodeId,
    /// What binds less tightly than this needs brackets.
    loosest: Tightness,
    left_of: LeftOf,
}

/// Which operator an operand must not contain without brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeftOf {
    Nothing,
    /// In `A [ p U q ]`, the first `U` outside brackets ends p.
    Until,
}

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
    /// The next piece last.
    open: Vec<Piece>,
}

impl Printer<'_> {
    fn expr(&mut self, root: Root) {
        self.operand(root.last, ANYTHING);
    }

    fn operand(&mut self, node: NodeId, loosest: Tightness) {
        self.open.push(inside_brackets(node, loosest));
        while let Some(piece) = self.open.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Name(name) => self.out.push_str(self.ast.text(name)),
                Piece::BoundedUntil(Bounds { low, high }) => self.write(format_args!(" BU {low}..{high} ")),
                Piece::Operand(operand) => self.node(operand),
            }
        }
    }

    /// Puts pieces in front of everything that is still to be written.
    fn then(&mut self, pieces: &[Piece]) {
        self.open.extend(pieces.iter().rev());
    }

    fn node(&mut self, operand: Operand) {
        let expr = self.ast.expr(operand.node);
        let is_until = matches!(expr, Expr::TemporalPair(BinaryTemporal::Until, ..));
        if tightness(expr) < operand.loosest || is_until && operand.left_of == LeftOf::Until {
            let inside = inside_brackets(operand.node, ANYTHING);
            return self.then(&[Piece::Text("("), inside, Piece::Text(")")]);
        }
        let beside = |node, loosest| Piece::Operand(Operand { node, loosest, left_of: operand.left_of });
        match expr {
            Expr::Name(name) => self.out.push_str(self.ast.text(name)),
            Expr::SelfRef => self.out.push_str("self"),
            Expr::Number(number) => self.write(format_args!("{number}")),
            Expr::Word { bits, width, signed } => self.word(bits, width, signed),
            Expr::Boolean(value) => self.out.push_str(if value { "TRUE" } else { "FALSE" }),
            Expr::Dot(base, name) => self.dot(base, name),
            Expr::Index(base, index) => {
                let index = inside_brackets(index, ANYTHING);
                self.then(&[beside(base, POSTFIX), Piece::Text("["), index, Piece::Text("]")]);
            }
            Expr::Bits { word, high, low } => {
                let (high, low) = (inside_brackets(high, ANYTHING), inside_brackets(low, ANYTHING));
                let word = beside(word, POSTFIX);
                self.then(&[word, Piece::Text("["), high, Piece::Text(":"), low, Piece::Text("]")]);
            }
            Expr::Prefix(op, a) => {
                let text = match (op, self.ast.expr(a)) {
                    (Prefix::Not, _) => "!",
                    // Two hyphens begin a comment.
                    (Prefix::Minus, Expr::Prefix(Prefix::Minus, _)) => "- ",
                    (Prefix::Minus, _) => "-",
                };
                self.then(&[Piece::Text(text), beside(a, PREFIX)]);
            }
            Expr::Infix(op, a, b) => {
                let (left, right) = sides(op);
                self.then(&[beside(a, left), Piece::Text(spaced(op)), beside(b, right)]);
            }
            Expr::Conditional(c, a, b) => {
                let (c, a, b) = (beside(c, CONDITIONAL + 1), inside_brackets(a, ANYTHING), beside(b, CONDITIONAL));
                self.then(&[c, Piece::Text(" ? "), a, Piece::Text(" : "), b]);
            }
            Expr::Case(list) => self.case(list),
            Expr::Set(list) => self.list("{", list, "}"),
            Expr::Array(list) => self.list("[", list, "]"),
            Expr::Call(function, list) => {
                self.out.push_str(function_name(function));
                self.list("(", list, ")");
            }
            Expr::Temporal(op, bounds, a) => {
                self.temporal_prefix(op, bounds);
                let loosest = if bounds.is_none() && self.begins_with_array(a) { POSTFIX + 1 } else { TEMPORAL_PREFIX };
                self.then(&[beside(a, loosest)]);
            }
            Expr::TemporalPair(op, bounds, a, b) => match infix_name(op) {
                Some(name) => {
                    let (a, b) = (beside(a, TEMPORAL_INFIX), beside(b, TEMPORAL_INFIX + 1));
                    self.then(&[a, Piece::Text(name), b]);
                }
                None => self.path_until(op, bounds, a, b),
            },
        }
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    fn word(&mut self, bits: u64, width: u32, signed: bool) {
        match signed {
            false => self.write(format_args!("0ud{width}_{bits}")),
            // Decimal digits reach to 2^(width - 1) only.
            true if bits <= 1 << (width - 1) => self.write(format_args!("0sd{width}_{bits}")),
            true => self.write(format_args!("0sh{width}_{bits:x}")),
        }
    }

    fn is_number(&self, name: Name) -> bool {
        self.ast.text(name).starts_with(|c: char| c.is_ascii_digit())
    }

    fn dot(&mut self, base: NodeId, name: Name) {
        let dot = match self.ast.expr(base) {
            // `a.1.2` would read as `a` and the real number 1.2.
            Expr::Dot(_, before) if self.is_number(before) && self.is_number(name) => " .",
            _ => ".",
        };
        self.then(&[inside_brackets(base, POSTFIX), Piece::Text(dot), Piece::Name(name)]);
    }

    fn list(&mut self, opening: &'static str, list: List, closing: &'static str) {
        self.open.push(Piece::Text(closing));
        for (position, member) in self.ast.list(list).iter().enumerate().rev() {
            self.open.push(inside_brackets(*member, ANYTHING));
            if position > 0 {
                self.open.push(Piece::Text(", "));
            }
        }
        self.out.push_str(opening);
    }

    fn case(&mut self, branches: List) {
        self.open.push(Piece::Text("esac"));
        for branch in self.ast.list(branches).rchunks(2) {
            if let [guard, value] = branch {
                let (guard, value) = (inside_brackets(*guard, ANYTHING), inside_brackets(*value, ANYTHING));
                self.then(&[guard, Piece::Text(" : "), value, Piece::Text("; ")]);
            }
        }
        self.out.push_str("case ");
    }

    fn temporal_prefix(&mut self, op: UnaryTemporal, bounds: Option<Bounds>) {
        let (plain, bounded) = prefix_names(op);
        match bounds {
            None => self.write(format_args!("{plain} ")),
            Some(Bounds { low, high }) if bounded == plain => self.write(format_args!("{plain} [{low}, {high}] ")),
            Some(Bounds { low, high }) => self.write(format_args!("{bounded} {low}..{high} ")),
        }
    }

    /// `A [ p U q ]` and its relatives.
    fn path_until(&mut self, op: BinaryTemporal, bounds: Option<Bounds>, a: NodeId, b: NodeId) {
        let opening = if op == BinaryTemporal::AllUntil { "A [" } else { "E [" };
        let left = Piece::Operand(Operand { node: a, loosest: ANYTHING, left_of: LeftOf::Until });
        let until = bounds.map_or(Piece::Text(" U "), Piece::BoundedUntil);
        self.then(&[Piece::Text(opening), left, until, inside_brackets(b, ANYTHING), Piece::Text("]")]);
    }

    /// Whether the text of an operand of `F` would begin with a bracket, as the bounds of `F [0, 3]` do.
    fn begins_with_array(&self, node: NodeId) -> bool {
        matches!(self.ast.expr(self.leftmost(node, TEMPORAL_PREFIX)), Expr::Array(_))
    }

    /// The node that the text of an operand begins with.
    fn leftmost(&self, mut node: NodeId, mut loosest: Tightness) -> NodeId {
        loop {
            let expr = self.ast.expr(node);
            match left_operand(expr) {
                Some(left) if tightness(expr) >= loosest => (node, loosest) = left,
                _ => return node,
            }
        }
    }
}

/// Modules and their sections.
impl Printer<'_> {
    fn module(&mut self, module: &Module) {
        self.out.push_str("MODULE ");
        self.out.push_str(self.ast.text(module.name));
        if !module.parameters.is_empty() {
            self.separated("(", &module.parameters, ")", |printer, (name, _)| {
                printer.out.push_str(printer.ast.text(*name));
            });
        }
        self.out.push('\n');
        if let Some((variable, _)) = &module.pc {
            self.write(format_args!("--@ pc: {variable}\n"));
        }
        for item in &module.items {
            self.item(&item.item);
            self.out.push('\n');
        }
    }

    fn separated<T>(&mut self, opening: &str, members: &[T], closing: &str, mut write: impl FnMut(&mut Self, &T)) {
        self.out.push_str(opening);
        for (position, member) in members.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            write(self, member);
        }
        self.out.push_str(closing);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Variable { kind, name, ty } => {
                self.out.push_str(match kind {
                    VarKind::State => "VAR ",
                    VarKind::Frozen => "FROZENVAR ",
                    VarKind::Input => "IVAR ",
                });
                self.declared_name(*name);
                self.out.push_str(" : ");
                self.ty(ty);
            }
            Item::Define { name, body } => {
                self.out.push_str("DEFINE ");
                self.declared_name(*name);
                self.out.push_str(" := ");
                self.expr(*body);
            }
            Item::Assign { kind, target, value } => {
                let (before, after) = match kind {
                    AssignKind::Init => ("ASSIGN init(", ") := "),
                    AssignKind::Next => ("ASSIGN next(", ") := "),
                    AssignKind::Always => ("ASSIGN ", " := "),
                };
                self.out.push_str(before);
                self.expr(*target);
                self.out.push_str(after);
                self.expr(*value);
            }
            Item::Init(root) => self.condition("INIT ", *root),
            Item::Invar(root) => self.condition("INVAR ", *root),
            Item::Trans(root) => self.condition("TRANS ", *root),
            Item::Justice(root) => self.condition("JUSTICE ", *root),
            Item::Compassion(often, then) => {
                self.separated("COMPASSION (", &[often, then], ")", |printer, root| printer.expr(**root));
            }
            Item::Spec { kind, name, body, context } => self.spec(*kind, *name, *body, *context),
            Item::Compute { extreme, name, start, end, context } => {
                self.out.push_str("COMPUTE ");
                self.spec_name(*name);
                self.write(format_args!("{extreme} "));
                self.separated("[", &[start, end], "]", |printer, root| printer.expr(**root));
                if let Some(context) = context {
                    self.out.push_str(" IN ");
                    self.expr(*context);
                }
            }
            Item::Unsupported { name, .. } => {
                self.out.push_str("PSLSPEC ");
                self.spec_name(*name);
                self.out.push_str("{TRUE}");
            }
            Item::Constants(names) => {
                self.separated("CONSTANTS ", names, "", |printer, name| printer.declared_name(*name));
            }
            Item::Isa(name) => {
                self.out.push_str("ISA ");
                self.out.push_str(self.ast.text(*name));
                return;
            }
        }
        self.out.push(';');
    }

    fn condition(&mut self, section: &str, root: Root) {
        self.out.push_str(section);
        self.expr(root);
    }

    fn spec(&mut self, kind: SpecKind, name: Option<Name>, body: Root, context: Option<Root>) {
        self.out.push_str(match kind {
            SpecKind::Invariant => "INVARSPEC ",
            SpecKind::Ltl => "LTLSPEC ",
            SpecKind::Ctl => "CTLSPEC ",
        });
        self.spec_name(name);
        self.expr(body);
        if let Some(context) = context {
            self.out.push_str(" IN ");
            self.expr(context);
        }
    }

    fn spec_name(&mut self, name: Option<Name>) {
        if let Some(name) = name {
            self.out.push_str("NAME ");
            self.declared_name(name);
            self.out.push_str(" := ");
        }
    }

    /// A flat name that may look like a path; see [`Printer::dot`] for its numbers.
    fn declared_name(&mut self, name: Name) {
        let (mut in_quotes, mut after_number) = (false, false);
        for (position, part) in self.ast.text(name).split('.').enumerate() {
            let begins_number = part.starts_with(|c: char| c.is_ascii_digit());
            if position > 0 {
                self.out.push_str(if !in_quotes && after_number && begins_number { " ." } else { "." });
            }
            self.out.push_str(part);
            in_quotes ^= part.matches('"').count() % 2 == 1;
            after_number = !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
        }
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Data { dimensions, element } => {
                for (low, high) in dimensions {
                    self.out.push_str("array ");
                    self.operand(low.last, RANGE);
                    self.out.push_str("..");
                    self.operand(high.last, RANGE + 1);
                    self.out.push_str(" of ");
                }
                self.element(element);
            }
            Type::Instance { module, arguments, is_process, .. } => {
                self.out.push_str(if *is_process { "process " } else { "" });
                self.out.push_str(self.ast.text(*module));
                if !arguments.is_empty() {
                    self.separated("(", arguments, ")", |printer, argument| printer.expr(*argument));
                }
            }
        }
    }

    fn element(&mut self, element: &Element) {
        match element {
            Element::Boolean => self.out.push_str("boolean"),
            Element::Word { signed, width } => {
                self.out.push_str(if *signed { "signed word[" } else { "unsigned word[" });
                self.expr(*width);
                self.out.push(']');
            }
            Element::Range(low, high) => {
                let loosest = if self.looks_like_another_type(*low) { POSTFIX + 1 } else { RANGE };
                self.operand(low.last, loosest);
                self.out.push_str("..");
                self.operand(high.last, RANGE + 1);
            }
            Element::Enumeration(values) => {
                self.separated("{", values, "}", |printer, (value, _)| match value {
                    EnumValue::Symbol(name) => printer.out.push_str(printer.ast.text(*name)),
                    EnumValue::Number(number) => printer.write(format_args!("{number}")),
                });
            }
        }
    }

    /// Whether a range that begins with this expression would be taken for an enumeration, a word or an instance.
    fn looks_like_another_type(&self, low: Root) -> bool {
        match self.ast.expr(self.leftmost(low.last, RANGE)) {
            Expr::Set(_) | Expr::Call(Function::Signed | Function::Unsigned, _) => true,
            // The semicolons of a case hide the dots behind it.
            Expr::Name(_) => self.ast.nodes_of(low).any(|id| matches!(self.ast.expr(id), Expr::Case(_))),
            _ => false,
        }
    }
}

/// An operand that brackets or words of the language surround.
fn inside_brackets(node: NodeId, loosest: Tightness) -> Piece {
    Piece::Operand(Operand { node, loosest, left_of: LeftOf::Nothing })
}

fn tightness(expr: Expr) -> Tightness {
    match expr {
        Expr::Prefix(..) => PREFIX,
        Expr::Infix(op, ..) => op.tightness(),
        Expr::Conditional(..) => CONDITIONAL,
        Expr::Temporal(..) => TEMPORAL_PREFIX,
        Expr::TemporalPair(op, ..) if infix_name(op).is_some() => TEMPORAL_INFIX,
        _ => POSTFIX,
    }
}

/// How tightly the operands of an infix operator have to bind: all but `->` associate to the left.
fn sides(op: Infix) -> (Tightness, Tightness) {
    let own = op.tightness();
    if op == Infix::Implies { (own + 1, own) } else { (own, own + 1) }
}

/// The operand that the text of an expression begins with, and how tightly it has to bind.
fn left_operand(expr: Expr) -> Option<(NodeId, Tightness)> {
    match expr {
        Expr::Infix(op, a, _) => Some((a, sides(op).0)),
        Expr::Conditional(a, ..) => Some((a, CONDITIONAL + 1)),
        Expr::TemporalPair(op, _, a, _) if infix_name(op).is_some() => Some((a, TEMPORAL_INFIX)),
        Expr::Index(a, _) | Expr::Dot(a, _) | Expr::Bits { word: a, .. } => Some((a, POSTFIX)),
        _ => None,
    }
}

fn spaced(op: Infix) -> &'static str {
    match op {
        Infix::Concat => " :: ",
        Infix::Times => " * ",
        Infix::Divide => " / ",
        Infix::Mod => " mod ",
        Infix::Plus => " + ",
        Infix::Minus => " - ",
        Infix::ShiftLeft => " << ",
        Infix::ShiftRight => " >> ",
        Infix::Range => "..",
        Infix::Union => " union ",
        Infix::In => " in ",
        Infix::Equal => " = ",
        Infix::NotEqual => " != ",
        Infix::Less => " < ",
        Infix::Greater => " > ",
        Infix::LessEqual => " <= ",
        Infix::GreaterEqual => " >= ",
        Infix::And => " & ",
        Infix::Or => " | ",
        Infix::Xor => " xor ",
        Infix::Xnor => " xnor ",
        Infix::Iff => " <-> ",
        Infix::Implies => " -> ",
    }
}

fn function_name(function: Function) -> &'static str {
    match function {
        Function::Next => "next",
        Function::Bool => "bool",
        Function::Word1 => "word1",
        Function::Signed => "signed",
        Function::Unsigned => "unsigned",
        Function::Extend => "extend",
        Function::Resize => "resize",
        Function::SizeOf => "sizeof",
        Function::ToInt => "toint",
        Function::Count => "count",
        Function::UnsignedConst => "uwconst",
        Function::SignedConst => "swconst",
        Function::Abs => "abs",
        Function::Min => "min",
        Function::Max => "max",
    }
}

/// The names of a temporal operator without and with bounds. LTL writes bounds in brackets, CTL as a range.
fn prefix_names(op: UnaryTemporal) -> (&'static str, &'static str) {
    match op {
        UnaryTemporal::Next => ("X", "X"),
        UnaryTemporal::Globally => ("G", "G"),
        UnaryTemporal::Finally => ("F", "F"),
        UnaryTemporal::Yesterday => ("Y", "Y"),
        UnaryTemporal::WeakYesterday => ("Z", "Z"),
        UnaryTemporal::Historically => ("H", "H"),
        UnaryTemporal::Once => ("O", "O"),
        UnaryTemporal::SomeNext => ("EX", "EX"),
        UnaryTemporal::AllNext => ("AX", "AX"),
        UnaryTemporal::SomeFinally => ("EF", "EBF"),
        UnaryTemporal::AllFinally => ("AF", "ABF"),
        UnaryTemporal::SomeGlobally => ("EG", "EBG"),
        UnaryTemporal::AllGlobally => ("AG", "ABG"),
    }
}

/// The name of a temporal operator that stands between its operands.
fn infix_name(op: BinaryTemporal) -> Option<&'static str> {
    match op {
        BinaryTemporal::Until => Some(" U "),
        BinaryTemporal::Releases => Some(" V "),
        BinaryTemporal::Since => Some(" S "),
        BinaryTemporal::Triggered => Some(" T "),
        BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil => None,
    }
}
