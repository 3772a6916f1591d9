//! What is printed reads as the same tree.

use proptest::prelude::*;
use system::{BinaryTemporal, Span, UnaryTemporal};
use testkit::files;
use testkit::shape;
use uwbmc::diagnostic::{Diagnostics, Style};
use uwbmc::smv::ast::{Ast, Bounds, Expr, Function, Infix, Item, List, NodeId, Prefix, Root};
use uwbmc::smv::parse;
use uwbmc::smv::print::{print_expr, print_file};
use uwbmc::source::Source;

/// The tree of a text, or what is wrong with the text.
fn tree(name: &str, text: impl AsRef<[u8]>) -> Result<Ast, String> {
    let source = Source::new(name, text.as_ref());
    let mut diagnostics = Diagnostics::default();
    let ast = parse(&source, &mut diagnostics);
    if diagnostics.has_errors() { Err(diagnostics.render(&source, Style::Plain)) } else { Ok(ast) }
}

/// The shape of an expression in a text.
fn expression(text: &str) -> Result<Vec<String>, String> {
    let ast = tree("expression", format!("MODULE main INVARSPEC {text}"))?;
    match ast.modules[0].items[0].item {
        Item::Spec { body, .. } => Ok(shape::expr(&ast, body)),
        _ => unreachable!("the text is a specification"),
    }
}

#[test]
fn every_model_reads_back_as_itself() {
    for path in files::smv_files(&["models", "tests/smv/good"]) {
        let name = path.display().to_string();
        let ast = tree(&name, std::fs::read(&path).expect("a model can be read")).expect("models are right");
        let printed = print_file(&ast);
        let again = tree(&name, &printed).unwrap_or_else(|errors| panic!("{name}\n{printed}\n{errors}"));
        assert_eq!(shape::file(&ast), shape::file(&again), "{name}\n{printed}");
        assert_eq!(print_file(&again), printed, "{name}");
    }
}

#[test]
fn every_kind_of_declaration_reads_back_as_itself() {
    let text = "MODULE cell(a, b)\n--@ pc: s\nVAR s : {p, -1, \"x y\"}; ISA base\n
        MODULE base CONSTANTS ; CONSTANTS c, d.e; DEFINE f[-1].g := a.1 .2;\n
        MODULE main IVAR i.1 .2 : unsigned word[2 + 1]; FROZENVAR z : signed word[8];
        VAR x : (lo union 1)..(hi in 2); y : array -1..1 of array 0..n of boolean; w : ({1})..2; v : (signed(q))..2;
            u : (x + case TRUE : 1; esac)..2; p : process cell(1 -> 2, self); q : cell(x, {1, 2});
        ASSIGN init(x) := 1; next(y[1][2]) := x; self.z := 2;
        INIT x = 1 INVAR TRUE; TRANS next(x) = x FAIRNESS TRUE JUSTICE FALSE; COMPASSION (x, y)
        SPEC NAME n.m := A [ p U q ] IN p.q; CTLSPEC E [ (p U q) & r BU 0..3 q ]; LTLSPEC G [0, 3] F [1, 2] p
        COMPUTE NAME k := MAX [p, q] PSLSPEC NAME l := always {p; q};";
    let ast = tree("declarations", text).expect("every declaration is right");
    let printed = print_file(&ast);
    let again = tree("printed", &printed).unwrap_or_else(|errors| panic!("{printed}\n{errors}"));
    assert_eq!(shape::file(&ast), shape::file(&again), "{printed}");
}

/// What NuSMV reads these as, written in LTL and CTL.
const PSL: [(&str, &str); 27] = [
    ("always p -> q", "LTLSPEC G (p -> q)"),
    ("G p -> q", "LTLSPEC G (p -> q)"),
    ("always p & q", "LTLSPEC G (p & q)"),
    ("never p", "LTLSPEC G !p"),
    ("F p & q", "LTLSPEC F (p & q)"),
    ("p -> q -> r", "LTLSPEC (p -> q) -> r"),
    ("p <-> q -> r", "LTLSPEC p <-> q -> r"),
    ("eventually! p & q", "LTLSPEC F (p & q)"),
    ("eventually! p -> q", "LTLSPEC F p -> q"),
    ("always (p -> eventually! q)", "LTLSPEC G (p -> F q)"),
    ("X p -> q", "LTLSPEC X p -> q"),
    ("X! p", "LTLSPEC X p"),
    ("X !p", "LTLSPEC X !p"),
    ("p & next q", "LTLSPEC p & X q"),
    ("next! p & q", "LTLSPEC X (p & q)"),
    ("next[2] (p)", "LTLSPEC X X p"),
    ("p until! q", "LTLSPEC p U q"),
    ("p until q", "LTLSPEC q V (p | q)"),
    ("p until_ q", "LTLSPEC q V p"),
    ("p until!_ q", "LTLSPEC p U (p & q)"),
    ("p before q", "LTLSPEC p V !q"),
    ("p before! q", "LTLSPEC !q U (!q & p)"),
    ("p before_ q", "LTLSPEC p V (!q | p)"),
    ("p before!_ q", "LTLSPEC !q U p"),
    ("[p U q] && r || p", "LTLSPEC p U q & r | p"),
    ("AG p -> q", "CTLSPEC AG p -> q"),
    ("EF p & E [p U q]", "CTLSPEC EF (p & E [p U q])"),
];

#[test]
fn psl_is_written_with_our_operators() {
    for (psl, expected) in PSL {
        let ast = tree("psl", format!("MODULE main PSLSPEC {psl};")).unwrap_or_else(|errors| panic!("{psl}\n{errors}"));
        let printed = print_file(&ast);
        assert!(printed.contains(&format!("{expected};")), "{psl}: {printed}");
    }
    for other in ["always {p; q}", "p abort q", "forall i in {1, 2} : p", "next_e[1:3] (p)", "always (rose(p) -> q)"] {
        let ast = tree("psl", format!("MODULE main PSLSPEC {other};")).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(matches!(ast.modules[0].items[0].item, Item::Unsupported { .. }), "{other}");
    }
}

#[test]
fn brackets_stand_where_they_are_needed() {
    let same = [
        "a -> b -> c",
        "(a -> b) -> c",
        "a - b - c",
        "a - (b - c)",
        "a - -b",
        "- -a",
        "!!a",
        "!(a & b)",
        "(-a)[1:0]",
        "-a[1:0]",
        "a ? b : c ? d : e",
        "(a ? b : c) ? d : e",
        "a ? b ? c : d : e",
        "a <-> (b -> c)",
        "a | b xor c",
        "a | (b xor c)",
        "G a = b",
        "G (a & b)",
        "G a & b",
        "!(G a)",
        "F ([a, b])",
        "F ([a, b][0])",
        "F [0, 1] [a, b]",
        "A [a & b U c]",
        "A [(a U b) U c U d]",
        "E [a & (b U c) U d]",
        "A [a BU 0..3 b]",
        "ABF 0..3 EBG 1..2 p",
        "a.1 .2.b",
        "1..2 union {3, 4}",
        "case a ? b : c : d; TRUE : e; esac",
        "count(a -> b, c)",
        "0sh4_f + 0sd4_8 + 0ud4_15",
    ];
    for text in same {
        let ast = tree("expression", format!("MODULE main INVARSPEC {text}")).expect(text);
        let Item::Spec { body, .. } = ast.modules[0].items[0].item else { unreachable!("{text}") };
        let printed = print_expr(&ast, body);
        assert_eq!(printed, text);
    }
}

/// What a random tree is built from: a program for a stack machine, so that dropping an instruction leaves a tree.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    kind: u8,
    payload: u32,
}

const ORDINARY_KINDS: u8 = 60;
const ALL_KINDS: u8 = 80;

fn programs(kinds: u8) -> impl Strategy<Value = Vec<Instruction>> {
    let instruction = (0..kinds, any::<u32>()).prop_map(|(kind, payload)| Instruction { kind, payload });
    proptest::collection::vec(instruction, 1..60)
}

const NAMES: [&str; 8] = ["x", "y-1", "a$b", "\"q-- (\"", "abs", "running", "_#", "Gp"];
const PARTS: [&str; 6] = ["x", "part-2", "0", "1", "12", "\"1.2\""];

const INFIX: [Infix; 23] = [
    Infix::Concat,
    Infix::Times,
    Infix::Divide,
    Infix::Mod,
    Infix::Plus,
    Infix::Minus,
    Infix::ShiftLeft,
    Infix::ShiftRight,
    Infix::Range,
    Infix::Union,
    Infix::In,
    Infix::Equal,
    Infix::NotEqual,
    Infix::Less,
    Infix::Greater,
    Infix::LessEqual,
    Infix::GreaterEqual,
    Infix::And,
    Infix::Or,
    Infix::Xor,
    Infix::Xnor,
    Infix::Iff,
    Infix::Implies,
];

const FUNCTIONS: [(Function, usize); 15] = [
    (Function::Next, 1),
    (Function::Bool, 1),
    (Function::Word1, 1),
    (Function::Signed, 1),
    (Function::Unsigned, 1),
    (Function::Extend, 2),
    (Function::Resize, 2),
    (Function::SizeOf, 1),
    (Function::ToInt, 1),
    (Function::Count, 3),
    (Function::UnsignedConst, 2),
    (Function::SignedConst, 2),
    (Function::Abs, 1),
    (Function::Min, 2),
    (Function::Max, 2),
];

const UNARY_TEMPORAL: [UnaryTemporal; 13] = [
    UnaryTemporal::Next,
    UnaryTemporal::Yesterday,
    UnaryTemporal::WeakYesterday,
    UnaryTemporal::SomeNext,
    UnaryTemporal::AllNext,
    UnaryTemporal::Globally,
    UnaryTemporal::Finally,
    UnaryTemporal::Historically,
    UnaryTemporal::Once,
    UnaryTemporal::SomeFinally,
    UnaryTemporal::AllFinally,
    UnaryTemporal::SomeGlobally,
    UnaryTemporal::AllGlobally,
];
/// How many of them, at the beginning, cannot be bounded.
const WITHOUT_BOUNDS: usize = 5;

const BINARY_TEMPORAL: [BinaryTemporal; 6] = [
    BinaryTemporal::Until,
    BinaryTemporal::Releases,
    BinaryTemporal::Since,
    BinaryTemporal::Triggered,
    BinaryTemporal::SomeUntil,
    BinaryTemporal::AllUntil,
];

/// A tree under construction: the finished parts, each with its first node.
#[derive(Default)]
struct Builder {
    ast: Ast,
    parts: Vec<Root>,
}

impl Builder {
    fn run(mut self, program: &[Instruction]) -> (Ast, Root) {
        for instruction in program {
            self.perform(*instruction);
        }
        let root = *self.parts.last().expect("every instruction leaves a part");
        (self.ast, root)
    }

    fn push(&mut self, expr: Expr, first: Option<NodeId>) {
        let last = NodeId(self.ast.nodes.len() as u32);
        self.ast.nodes.push((expr, Span::default()));
        self.parts.push(Root { first: first.unwrap_or(last), last });
    }

    /// Takes the last parts away, if there are this many, and puts what is made of them in their place.
    fn combine(&mut self, count: usize, make: impl FnOnce(&mut Ast, &[NodeId]) -> Option<Expr>) {
        let Some(start) = self.parts.len().checked_sub(count) else { return self.leaf(0, 0) };
        let nodes: Vec<NodeId> = self.parts[start..].iter().map(|part| part.last).collect();
        match make(&mut self.ast, &nodes) {
            Some(expr) => {
                let first = self.parts[start].first;
                self.parts.truncate(start);
                self.push(expr, Some(first));
            }
            None => self.leaf(0, 0),
        }
    }

    fn leaf(&mut self, kind: u8, payload: u32) {
        let expr = match kind {
            0..=7 => Expr::Name(self.ast.intern(NAMES[payload as usize % NAMES.len()])),
            8 => Expr::SelfRef,
            9 => Expr::Number((payload >> 1).into()),
            10 => Expr::Number((payload % 10).into()),
            11 | 12 => {
                let width = payload % 64 + 1;
                let bits = (u64::from(payload) << 32 | u64::from(!payload)) & (u64::MAX >> (64 - width));
                Expr::Word { bits, width, signed: kind == 12 }
            }
            _ => Expr::Boolean(payload % 2 == 1),
        };
        self.push(expr, None);
    }

    fn perform(&mut self, Instruction { kind, payload }: Instruction) {
        let pick = payload as usize;
        let few = pick % 4 + 1;
        let is_bounded = payload % 3 == 0;
        let bounds = is_bounded.then_some(Bounds { low: i64::from(payload % 5), high: i64::from(payload % 5 + 7) });
        let list = |ast: &mut Ast, members: &[NodeId]| {
            let start = ast.lists.len() as u32;
            ast.lists.extend(members);
            List { start, length: members.len() as u32 }
        };
        match kind {
            0..=13 => self.leaf(kind, payload),
            14..=17 => self.combine(1, |_, a| Some(Expr::Prefix(Prefix::Not, a[0]))),
            18..=21 => self.combine(1, |_, a| Some(Expr::Prefix(Prefix::Minus, a[0]))),
            22..=38 => self.combine(2, |_, a| Some(Expr::Infix(INFIX[pick % INFIX.len()], a[0], a[1]))),
            39..=43 => self.combine(3, |_, a| Some(Expr::Conditional(a[0], a[1], a[2]))),
            44..=47 => self.combine(1, |ast, a| {
                let has_parts = Expr::Dot(a[0], ast.intern(PARTS[pick % PARTS.len()]));
                let fits = matches!(ast.expr(a[0]), Expr::Name(_) | Expr::SelfRef | Expr::Dot(..) | Expr::Index(..));
                fits.then_some(has_parts)
            }),
            48..=50 => self.combine(2, |_, a| Some(Expr::Index(a[0], a[1]))),
            51 | 52 => self.combine(3, |_, a| Some(Expr::Bits { word: a[0], high: a[1], low: a[2] })),
            53 | 54 => self.combine(few, |ast, a| Some(Expr::Set(list(ast, a)))),
            55 => self.combine(few, |ast, a| Some(Expr::Array(list(ast, a)))),
            56 => self.combine(2 * (pick % 2) + 2, |ast, a| Some(Expr::Case(list(ast, a)))),
            57..ORDINARY_KINDS => {
                let (function, arguments) = FUNCTIONS[pick % FUNCTIONS.len()];
                self.combine(arguments, |ast, a| Some(Expr::Call(function, list(ast, a))));
            }
            ORDINARY_KINDS..=71 => self.combine(1, |_, a| {
                let position = pick % UNARY_TEMPORAL.len();
                let bounds = bounds.filter(|_| position >= WITHOUT_BOUNDS);
                Some(Expr::Temporal(UNARY_TEMPORAL[position], bounds, a[0]))
            }),
            _ => self.combine(2, |_, a| {
                let op = BINARY_TEMPORAL[pick % BINARY_TEMPORAL.len()];
                let may_be_bounded = matches!(op, BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil);
                Some(Expr::TemporalPair(op, bounds.filter(|_| may_be_bounded), a[0], a[1]))
            }),
        }
    }
}

/// The texts that arise by dropping one pair of brackets that only groups.
fn with_brackets_dropped(text: &str) -> Vec<String> {
    let (mut open, mut pairs, mut in_quotes) = (Vec::new(), Vec::new(), false);
    for (at, c) in text.char_indices() {
        in_quotes ^= c == '"';
        match c {
            '(' if !in_quotes => open.push(at),
            ')' if !in_quotes => pairs.push((open.pop().expect("brackets are balanced"), at)),
            _ => {}
        }
    }
    let groups = |at: usize| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    let drop = |(from, to): (usize, usize)| format!("{} {} {}", &text[..from], &text[from + 1..to], &text[to + 1..]);
    pairs.into_iter().filter(|(from, _)| groups(*from)).map(drop).collect()
}

proptest! {
    #[test]
    fn every_tree_reads_back_as_itself(program in programs(ALL_KINDS)) {
        let (ast, root) = Builder::default().run(&program);
        let printed = print_expr(&ast, root);
        match expression(&printed) {
            Ok(again) => prop_assert_eq!(shape::expr(&ast, root), again, "{}", printed),
            Err(errors) => prop_assert!(false, "{}\n{}", printed, errors),
        }
    }

    #[test]
    fn no_brackets_can_be_spared(program in programs(ORDINARY_KINDS)) {
        let (ast, root) = Builder::default().run(&program);
        let printed = print_expr(&ast, root);
        for spared in with_brackets_dropped(&printed) {
            if let Ok(other) = expression(&spared) {
                prop_assert_ne!(shape::expr(&ast, root), other, "{}\n{}", printed, spared);
            }
        }
    }
}

#[test]
fn a_very_deep_tree_is_printed_without_recursion() {
    let deep = |text: &str| tree("deep", text).expect("deep trees can be read");
    let ast = deep(&format!("MODULE main DEFINE d := {}x{};", "!(a & ".repeat(100_000), ")".repeat(100_000)));
    let printed = print_file(&ast);
    assert_eq!(shape::file(&ast), shape::file(&deep(&printed)));
}
