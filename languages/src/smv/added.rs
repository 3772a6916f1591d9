//! What is said about a model outside its text: values for definitions and frozen variables of main,
//! invariants, and conditions with a name. Their texts stand behind the text of the file, so that diagnostics can point at them.

use super::ast::{AssignKind, Ast, Expr, Item, Module, Name, Root, SpannedItem, SpecKind, VarKind};
use super::{PcChoice, codes, parse};
use crate::define::Define;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Origin, Source};
use crate::suggest::did_you_mean;
use system::{Alarm, Span};

/// What is said about a model outside its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings<'a> {
    /// Program counters that are not the inferred ones.
    pub pcs: &'a [PcChoice],
    /// Values for definitions or frozen variables of main; TRUE if none is given.
    pub defines: &'a [Define],
    /// Expressions in the scope of main that have to hold in every state.
    pub invariants: &'a [String],
    /// Conditions in the scope of main with a name each: formulas without temporal operators.
    pub predicates: &'a [Define],
    /// Says when reading has to end.
    pub alarm: Option<&'a Alarm>,
}

/// A text behind the text of the file.
pub struct Added {
    what: What,
    /// Where the expression is.
    expression: Span,
}

enum What {
    /// The value of a name.
    Value { name: String, span: Span },
    /// A specification with this name.
    Spec(SpecKind, String),
}

/// Puts the texts behind that of the file. What does not fit is reported.
pub fn append(source: &mut Source, settings: Settings<'_>, diagnostics: &mut Diagnostics) -> Vec<Added> {
    let mut added = Vec::new();
    for Define { name, value } in settings.defines {
        let value = value.as_deref().unwrap_or("TRUE");
        let Some(span) = append_text(source, "-D", &format!("{name}={value}"), diagnostics) else { return added };
        let end_of_name = span.start + name.len() as u32;
        let what = What::Value { name: name.clone(), span: Span { start: span.start, end: end_of_name } };
        added.push(Added { what, expression: Span { start: end_of_name + 1, ..span } });
    }
    for (number, text) in settings.invariants.iter().enumerate() {
        let Some(expression) = append_text(source, "--invariant", text, diagnostics) else { return added };
        added.push(Added { what: What::Spec(SpecKind::Invariant, format!("invariant_{}", number + 1)), expression });
    }
    for Define { name, value } in settings.predicates {
        let text = value.as_deref().unwrap_or("TRUE");
        let Some(expression) = append_text(source, "--automaton", text, diagnostics) else { return added };
        added.push(Added { what: What::Spec(SpecKind::Ltl, name.clone()), expression });
    }
    added
}

fn append_text(source: &mut Source, option: &str, text: &str, diagnostics: &mut Diagnostics) -> Option<Span> {
    let appended = source.append(option, text.as_bytes(), Origin::Model);
    if appended.is_none() {
        let message = format!("the model is too large for what {option} adds to it");
        diagnostics.push(Diagnostic::error(codes::TOO_LARGE, Span::default(), message));
    }
    appended.map(|(offset, text)| Span { start: offset as u32, end: (offset + text.len()) as u32 })
}

/// Adds to main what the texts say.
pub fn apply(ast: &mut Ast, source: &Source, added: &[Added], diagnostics: &mut Diagnostics) {
    let main = ast.modules.iter().position(|module| ast.text(module.name) == "main");
    for Added { what, expression } in added {
        let body = parse::parse_added(ast, source, *expression, diagnostics);
        let (Some(main), Some(body)) = (main, body) else { continue };
        match what {
            What::Value { name, span } => set(ast, main, (name, *span), body, diagnostics),
            What::Spec(kind, name) => {
                let name = Some(ast.intern(name));
                let item = Item::Spec { kind: *kind, name, body, context: None };
                ast.modules[main].items.push(SpannedItem { item, span: *expression });
            }
        }
    }
}

/// Gives a definition or a frozen variable of main a value.
fn set(ast: &mut Ast, main: usize, (text, span): (&str, Span), value: Root, diagnostics: &mut Diagnostics) {
    let name = ast.intern(text);
    let module = &mut ast.modules[main];
    let define = module.items.iter_mut().find_map(|spanned| match &mut spanned.item {
        Item::Define { name: own, body } if *own == name => Some(body),
        _ => None,
    });
    if let Some(body) = define {
        *body = value;
    } else if frozen(module).any(|own| own == name) {
        let target = ast.leaf(Expr::Name(name), span);
        let items = std::mem::take(&mut ast.modules[main].items);
        let others = items.into_iter().filter(|spanned| !is_initial(ast, &spanned.item, name));
        let mut items: Vec<SpannedItem> = others.collect();
        items.push(SpannedItem { item: Item::Assign { kind: AssignKind::Init, target, value }, span });
        ast.modules[main].items = items;
    } else {
        diagnostics.push(no_constant(ast, main, text, span));
    }
}

fn no_constant(ast: &Ast, main: usize, text: &str, span: Span) -> Diagnostic {
    let module = &ast.modules[main];
    let known = defines(module).chain(frozen(module)).map(|name| ast.text(name));
    let help = did_you_mean(text, known)
        .unwrap_or_else(|| "-D gives a DEFINE or a FROZENVAR of main a value, and nothing else".to_owned());
    let message = format!("main has neither a DEFINE nor a FROZENVAR `{text}`");
    Diagnostic::error(codes::UNDEFINED, span, message).help(help)
}

fn defines(module: &Module) -> impl Iterator<Item = Name> {
    module.items.iter().filter_map(|spanned| match spanned.item {
        Item::Define { name, .. } => Some(name),
        _ => None,
    })
}

fn frozen(module: &Module) -> impl Iterator<Item = Name> {
    module.items.iter().filter_map(|spanned| match spanned.item {
        Item::Variable { kind: VarKind::Frozen, name, .. } => Some(name),
        _ => None,
    })
}

/// Whether an item is `init(name) := ...`.
fn is_initial(ast: &Ast, item: &Item, name: Name) -> bool {
    matches!(item, Item::Assign { kind: AssignKind::Init, target, .. } if ast.expr(target.last) == Expr::Name(name))
}
