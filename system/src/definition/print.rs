//! A readable printed form of systems: guarded commands.

use super::expr::{Exprs, Node};
use super::formula::{BinaryTemporal, Formula, UnaryTemporal, Window};
use super::ids::{ExprId, FormulaId, VarId};
use super::op::{Binary, Unary};
use super::sort::{Domain, WordSort};
use super::system::{Choice, Claim, Command, Extreme, Fairness, Motion, Move, Place, System, Update};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Longest expression that is printed in full; beyond it, `...` stands for the rest.
const LONGEST: usize = 4_000;

/// Prints an expression. Very large ones are cut short: the printed form is for people.
pub fn render_expr(system: &System, root: ExprId) -> String {
    let mut texts: FxHashMap<ExprId, (String, u8)> = FxHashMap::default();
    for id in system.exprs.reachable(&[root]) {
        let text = render_node(system, id, &texts);
        texts.insert(id, text);
    }
    texts.remove(&root).map(|(text, _)| text).unwrap_or_default()
}

/// How tightly an operator binds; a leaf binds tightest.
const LEAF: u8 = 10;

fn binary_form(op: Binary) -> (&'static str, u8) {
    match op {
        Binary::Or => ("|", 1),
        Binary::Xor => ("xor", 1),
        Binary::And => ("&", 2),
        Binary::Equal => ("=", 3),
        Binary::Less => ("<", 3),
        Binary::LessEqual => ("<=", 3),
        Binary::ShiftLeft => ("<<", 5),
        Binary::ShiftRight => (">>", 5),
        Binary::Add => ("+", 6),
        Binary::Subtract => ("-", 6),
        Binary::Multiply => ("*", 7),
        Binary::Divide => ("/", 7),
        Binary::Modulo => ("mod", 7),
        Binary::Concat => ("::", 8),
        Binary::BitAnd => ("&", 2),
        Binary::BitOr => ("|", 1),
        Binary::BitXor => ("xor", 1),
    }
}

fn render_node(system: &System, id: ExprId, texts: &FxHashMap<ExprId, (String, u8)>) -> (String, u8) {
    let exprs = &system.exprs;
    let part = |id: &ExprId, tightness: u8| {
        let (text, own) = &texts[id];
        if *own < tightness { format!("({text})") } else { text.clone() }
    };
    let (text, tightness) = match exprs.node(id) {
        Node::Constant(value) => (system.symbols.render(*value, exprs.sort(id)), LEAF),
        Node::Now(var) => (system.variables[*var].name.clone(), LEAF),
        Node::Next(var) => (format!("next({})", system.variables[*var].name), LEAF),
        Node::Running(process) => (format!("{}.running", system.processes[*process].name), LEAF),
        Node::Timeout => ("timeout".to_owned(), LEAF),
        Node::Unary(op, a) => render_unary(*op, a, part),
        Node::Binary(op, a, b) => {
            let (sign, tightness) = binary_form(*op);
            let right = if matches!(op, Binary::And | Binary::Or) { tightness } else { tightness + 1 };
            (format!("{} {sign} {}", part(a, tightness), part(b, right)), tightness)
        }
        Node::Ite(c, a, b) => (format!("{} ? {} : {}", part(c, 1), part(a, 1), part(b, 0)), 0),
        Node::Select { index, low, elements } => (render_select(exprs, system, &part(index, 0), *low, elements), LEAF),
        Node::Union(a, b) => (format!("{} union {}", part(a, 4), part(b, 5)), 4),
        Node::Interval(low, high) => (format!("{low}..{high}"), 4),
        Node::Gap(_) => ("<no value>".to_owned(), LEAF),
    };
    if text.len() > LONGEST { ("...".to_owned(), LEAF) } else { (text, tightness) }
}

fn render_unary(op: Unary, a: &ExprId, part: impl Fn(&ExprId, u8) -> String) -> (String, u8) {
    match op {
        Unary::Not | Unary::Complement => (format!("!{}", part(a, 9)), 9),
        Unary::Negate => (format!("-{}", part(a, 9)), 9),
        Unary::Extract { high, low } => (format!("{}[{high}:{low}]", part(a, LEAF)), LEAF),
        Unary::Resize(to) => (format!("resize({}, {})", part(a, 0), render_word(to)), LEAF),
        Unary::Reinterpret(to) => (format!("as({}, {})", part(a, 0), render_word(to)), LEAF),
        Unary::ToInteger => (format!("toint({})", part(a, 0)), LEAF),
        Unary::ToWord(to) => (format!("to({}, {})", part(a, 0), render_word(to)), LEAF),
        Unary::ToBoolean => (format!("bool({})", part(a, 0)), LEAF),
        Unary::BooleanToInteger => (format!("count({})", part(a, 0)), LEAF),
        Unary::Truncate(to) => (format!("truncate({}, {})", part(a, 0), render_word(to)), LEAF),
    }
}

fn render_word(word: WordSort) -> String {
    format!("{} word[{}]", if word.signed { "signed" } else { "unsigned" }, word.width)
}

/// An array read is printed with the array's name where the elements are those of one array.
fn render_select(exprs: &Exprs, system: &System, index: &str, low: i64, elements: &[ExprId]) -> String {
    let name = elements.first().and_then(|first| match exprs.node(*first) {
        Node::Now(var) => system.variables[*var].name.strip_suffix(&format!("[{low}]")),
        _ => None,
    });
    match name {
        Some(name) => format!("{name}[{index}]"),
        None => {
            let parts: Vec<String> = elements.iter().map(|element| render_expr(system, *element)).collect();
            format!("[{}][{index}]", parts.join(", "))
        }
    }
}

/// Prints a temporal formula.
pub fn render_formula(system: &System, root: FormulaId) -> String {
    // Operands have smaller ids, so one pass up to the root finds every text it needs.
    let mut needed = vec![root];
    let mut at = 0;
    while let Some(id) = needed.get(at).copied() {
        at += 1;
        match system.formulas.get(id) {
            Formula::State(_) => {}
            Formula::Not(a) | Formula::Unary(_, _, a) => needed.push(a),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Iff(a, b)
            | Formula::Xor(a, b)
            | Formula::Binary(_, _, a, b) => needed.extend([a, b]),
        }
    }
    needed.sort_unstable();
    needed.dedup();
    let mut texts: FxHashMap<FormulaId, String> = FxHashMap::default();
    for id in needed {
        let text = match system.formulas.get(id) {
            Formula::State(expr) => match system.exprs.node(expr) {
                Node::Constant(_) | Node::Now(_) | Node::Unary(..) | Node::Running(_) => render_expr(system, expr),
                _ => format!("({})", render_expr(system, expr)),
            },
            Formula::Not(a) => format!("!{}", texts[&a]),
            Formula::And(a, b) => format!("({} & {})", texts[&a], texts[&b]),
            Formula::Or(a, b) => format!("({} | {})", texts[&a], texts[&b]),
            Formula::Implies(a, b) => format!("({} -> {})", texts[&a], texts[&b]),
            Formula::Iff(a, b) => format!("({} <-> {})", texts[&a], texts[&b]),
            Formula::Xor(a, b) => format!("({} xor {})", texts[&a], texts[&b]),
            Formula::Unary(op, window, a) => format!("{}{} {}", unary_name(op), render_window(window), texts[&a]),
            Formula::Binary(op, window, a, b) => {
                let (before, name) = binary_name(op);
                format!("{before}({} {name}{} {})", texts[&a], render_window(window), texts[&b])
            }
        };
        texts.insert(id, if text.len() > LONGEST { "...".to_owned() } else { text });
    }
    texts.remove(&root).unwrap_or_default()
}

fn render_window(window: Option<Window>) -> String {
    window.map_or_else(String::new, |window| format!(" [{}, {}]", window.from, window.to))
}

fn unary_name(op: UnaryTemporal) -> &'static str {
    match op {
        UnaryTemporal::Next => "X",
        UnaryTemporal::Globally => "G",
        UnaryTemporal::Finally => "F",
        UnaryTemporal::Yesterday => "Y",
        UnaryTemporal::WeakYesterday => "Z",
        UnaryTemporal::Historically => "H",
        UnaryTemporal::Once => "O",
        UnaryTemporal::SomeNext => "EX",
        UnaryTemporal::AllNext => "AX",
        UnaryTemporal::SomeFinally => "EF",
        UnaryTemporal::AllFinally => "AF",
        UnaryTemporal::SomeGlobally => "EG",
        UnaryTemporal::AllGlobally => "AG",
    }
}

fn binary_name(op: BinaryTemporal) -> (&'static str, &'static str) {
    match op {
        BinaryTemporal::Until => ("", "U"),
        BinaryTemporal::Releases => ("", "V"),
        BinaryTemporal::Since => ("", "S"),
        BinaryTemporal::Triggered => ("", "T"),
        BinaryTemporal::SomeUntil => ("E ", "U"),
        BinaryTemporal::AllUntil => ("A ", "U"),
    }
}

/// Prints a whole system.
pub fn render_system(system: &System) -> String {
    let mut out = String::new();
    for (var, variable) in system.variables.iter_enumerated() {
        let kind = match variable.motion {
            Motion::Kept => "var",
            Motion::Free => "free",
            Motion::Defined => "defined",
            Motion::Input => "input",
        };
        let _ = writeln!(out, "{kind} {} : {}", variable.name, render_domain(system, var));
    }
    for update in &system.initial_values {
        let _ = writeln!(out, "init {}", render_update(system, update));
    }
    for (title, conditions) in
        [("init", &system.initial), ("always", &system.constraints), ("every step", &system.relations)]
    {
        for condition in conditions {
            let _ = writeln!(out, "{title} {}", render_expr(system, condition.holds));
        }
    }
    for definition in &system.definitions {
        let name = &system.variables[definition.variable].name;
        let _ = writeln!(out, "always {name} {}", render_choice(system, definition.choice));
    }
    for fairness in &system.fairness {
        let _ = match fairness {
            Fairness::Justice(expr) => writeln!(out, "justice {}", render_expr(system, *expr)),
            Fairness::Compassion(often, then) => {
                writeln!(out, "compassion {} => {}", render_expr(system, *often), render_expr(system, *then))
            }
            Fairness::Weak(process) => writeln!(out, "weakly fair {}", system.processes[*process].name),
            Fairness::Strong(process) => writeln!(out, "strongly fair {}", system.processes[*process].name),
        };
    }
    let own = system.commands_by_process();
    for (id, process) in system.processes.iter_enumerated() {
        let _ = match process.pc {
            Some(pc) => writeln!(out, "process {} (pc {})", process.name, system.variables[pc].name),
            None => writeln!(out, "process {}", process.name),
        };
        for command in &own[id] {
            out.push_str(&render_command(system, &system.commands[*command]));
        }
    }
    for property in &system.properties {
        let claim = match &property.claim {
            Claim::Invariant(expr) => format!("invariant {}", render_expr(system, *expr)),
            Claim::DeadlockFree => "deadlock-free".to_owned(),
            Claim::Ltl(formula) => format!("ltl {}", render_formula(system, *formula)),
            Claim::Ctl(formula) => format!("ctl {}", render_formula(system, *formula)),
            Claim::Compute(extreme, start, end) => {
                format!("compute {}", render_quantity(system, *extreme, *start, *end))
            }
            Claim::Progress(expr) => format!("progress {}", render_expr(system, *expr)),
            Claim::Never(automaton) => format!("never {}", system.automata[*automaton].name),
            Claim::Unsupported(why) => format!("not checked: {why}"),
        };
        let _ = writeln!(out, "property {}: {claim}", property.name);
    }
    out
}

/// A question about steps between states as SMV asks it.
pub fn render_quantity(system: &System, extreme: Extreme, start: FormulaId, end: FormulaId) -> String {
    format!("{extreme} [ {} , {} ]", render_formula(system, start), render_formula(system, end))
}

/// A domain as SMV declares it.
pub fn render_domain(system: &System, var: VarId) -> String {
    match &system.variables[var].domain {
        Domain::Boolean => "boolean".to_owned(),
        Domain::Range { low, high } => format!("{low}..{high}"),
        Domain::Word(word) => {
            format!("{} word[{}]", if word.signed { "signed" } else { "unsigned" }, word.width)
        }
        Domain::Values(values) => {
            let names: Vec<String> = values.iter().map(|value| system.render_value(var, *value)).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}

fn render_move(system: &System, part: &Move) -> String {
    let points = &system.processes[part.process].points;
    let from = part.from.map_or("*", |point| points[point].name.as_str());
    let to = part.to.map_or(String::new(), |point| format!(" -> {}", points[point].name));
    format!("[{from}{to}]")
}

fn render_command(system: &System, command: &Command) -> String {
    let mut out = String::from("  ");
    let mut parts = vec![command.owner];
    parts.extend(command.partner);
    out.push_str(&parts.iter().map(|part| render_move(system, part)).collect::<Vec<_>>().join(" with "));
    if system.exprs.constant_value(command.guard) != Some(1) {
        let _ = write!(out, " when {}", render_expr(system, command.guard));
    }
    if let Some(relation) = command.relation {
        let _ = write!(out, " where {}", render_expr(system, relation));
    }
    if command.updates.is_empty() {
        out.push_str(" skip");
    }
    out.push('\n');
    for update in &command.updates {
        let _ = writeln!(out, "    {}", render_update(system, update));
    }
    out
}

fn render_update(system: &System, update: &Update) -> String {
    let place = match update.place {
        Place::Variable(var) => system.variables[var].name.clone(),
        Place::Element { first, low, index, .. } => {
            let name = &system.variables[first].name;
            let array = name.strip_suffix(&format!("[{low}]")).unwrap_or(name);
            format!("{array}[{}]", render_expr(system, index))
        }
    };
    format!("{place} {}", render_choice(system, update.choice))
}

fn render_choice(system: &System, choice: Choice) -> String {
    match choice {
        Choice::Exactly(expr) => format!(":= {}", render_expr(system, expr)),
        Choice::OneOf(expr) => format!(":= one of {}", render_expr(system, expr)),
        Choice::Anything => ":= anything".to_owned(),
    }
}
