//! Syntax trees without places and without the numbering of names, so that they can be compared.

use uwbmc::smv::ast::{Ast, Element, Expr, Item, Module, NodeId, Root, Type};

/// The nodes of an expression in order, with names spelled out and operands counted from the first node.
pub fn expr(ast: &Ast, root: Root) -> Vec<String> {
    ast.nodes_of(root).map(|id| node(ast, root, id)).collect()
}

fn node(ast: &Ast, root: Root, id: NodeId) -> String {
    let relative = |id: NodeId| NodeId(id.0 - root.first.0);
    let members = |list| ast.list(list).iter().map(|id| relative(*id)).collect::<Vec<NodeId>>();
    match ast.expr(id) {
        Expr::Name(name) => format!("Name {}", ast.text(name)),
        Expr::Dot(base, name) => format!("Dot {:?} {}", relative(base), ast.text(name)),
        Expr::Index(base, index) => format!("Index {:?}", [base, index].map(relative)),
        Expr::Bits { word, high, low } => format!("Bits {:?}", [word, high, low].map(relative)),
        Expr::Prefix(op, a) => format!("{op:?} {:?}", relative(a)),
        Expr::Infix(op, a, b) => format!("{op:?} {:?}", [a, b].map(relative)),
        Expr::Conditional(a, b, c) => format!("Conditional {:?}", [a, b, c].map(relative)),
        Expr::Case(list) => format!("Case {:?}", members(list)),
        Expr::Set(list) => format!("Set {:?}", members(list)),
        Expr::Array(list) => format!("Array {:?}", members(list)),
        Expr::Call(function, list) => format!("{function:?} {:?}", members(list)),
        Expr::Temporal(op, bounds, a) => format!("{op:?} {bounds:?} {:?}", relative(a)),
        Expr::TemporalPair(op, bounds, a, b) => format!("{op:?} {bounds:?} {:?}", [a, b].map(relative)),
        leaf @ (Expr::SelfRef | Expr::Number(_) | Expr::Word { .. } | Expr::Boolean(_)) => format!("{leaf:?}"),
    }
}

/// Every declaration of every module.
pub fn file(ast: &Ast) -> Vec<String> {
    ast.modules.iter().flat_map(|module| whole_module(ast, module)).collect()
}

fn whole_module(ast: &Ast, module: &Module) -> Vec<String> {
    let parameters: Vec<&str> = module.parameters.iter().map(|(name, _)| ast.text(*name)).collect();
    let pc = module.pc.as_ref().map(|(variable, _)| variable);
    let mut lines = vec![format!("MODULE {} {parameters:?} {pc:?}", ast.text(module.name))];
    lines.extend(module.items.iter().map(|item| declaration(ast, &item.item)));
    lines
}

fn declaration(ast: &Ast, item: &Item) -> String {
    let expr = |root: Root| expr(ast, root);
    match item {
        Item::Variable { kind, name, ty } => format!("{kind:?} {} {}", ast.text(*name), variable_type(ast, ty)),
        Item::Define { name, body } => format!("Define {} {:?}", ast.text(*name), expr(*body)),
        Item::Assign { kind, target, value } => format!("{kind:?} {:?} {:?}", expr(*target), expr(*value)),
        Item::Init(root) => format!("Init {:?}", expr(*root)),
        Item::Invar(root) => format!("Invar {:?}", expr(*root)),
        Item::Trans(root) => format!("Trans {:?}", expr(*root)),
        Item::Justice(root) => format!("Justice {:?}", expr(*root)),
        Item::Compassion(often, then) => format!("Compassion {:?} {:?}", expr(*often), expr(*then)),
        Item::Spec { kind, name, body, context } => {
            let name = name.map(|name| ast.text(name));
            format!("{kind:?} {name:?} {:?} {:?}", expr(*body), context.map(expr))
        }
        Item::Compute { extreme, name, start, end, context } => {
            let name = name.map(|name| ast.text(name));
            format!("{extreme} {name:?} {:?} {:?} {:?}", expr(*start), expr(*end), context.map(expr))
        }
        Item::Unsupported { what, name } => format!("{what} {:?}", name.map(|name| ast.text(name))),
        Item::Constants(names) => {
            format!("Constants {:?}", names.iter().map(|name| ast.text(*name)).collect::<Vec<_>>())
        }
        Item::Isa(name) => format!("Isa {}", ast.text(*name)),
    }
}

fn variable_type(ast: &Ast, ty: &Type) -> String {
    let expr = |root: &Root| expr(ast, *root);
    match ty {
        Type::Data { dimensions, element } => {
            let dimensions: Vec<_> = dimensions.iter().map(|(low, high)| (expr(low), expr(high))).collect();
            let element = match element {
                Element::Boolean => "Boolean".to_owned(),
                Element::Word { signed, width } => format!("Word {signed} {:?}", expr(width)),
                Element::Range(low, high) => format!("Range {:?} {:?}", expr(low), expr(high)),
                Element::Enumeration(values) => {
                    let values = values.iter().map(|(value, _)| match value {
                        uwbmc::smv::ast::EnumValue::Symbol(name) => ast.text(*name).to_owned(),
                        uwbmc::smv::ast::EnumValue::Number(number) => number.to_string(),
                    });
                    format!("Enumeration {:?}", values.collect::<Vec<_>>())
                }
            };
            format!("{dimensions:?} {element}")
        }
        Type::Instance { module, arguments, is_process, .. } => {
            let arguments: Vec<_> = arguments.iter().map(expr).collect();
            format!("Instance {} {is_process} {arguments:?}", ast.text(*module))
        }
    }
}
