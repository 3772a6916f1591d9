//! Modules and their instances.

use super::value::{Cells, InstanceId, Lowered};
use super::{Lowering, MOST, codes};
use crate::smv::ast::{Expr, Item, Module, Name, NodeId, Root, SpannedItem, Type};
use crate::suggest::nearest;
use rustc_hash::{FxHashMap, FxHashSet};
use system::{ProcessId, Span};

/// The name of the input that says which process runs.
pub const SELECTOR: &str = "_process_selector_";

/// How many parameters and dots a name may lead through before it reaches an instance.
const LONGEST_CHAIN: u32 = 200;

/// What a name stands for inside a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// A formal parameter, by position.
    Parameter(u32),
    /// A variable, by position among the module's variables.
    Variable(u32),
    /// A definition, by position among the module's definitions.
    Define(u32),
    /// An instance, by position among the module's instances.
    Child(u32),
}

/// A module made ready for instantiation: names resolved to members, `ISA` expanded.
pub struct ModuleInfo {
    pub name: Name,
    pub members: FxHashMap<Name, Member>,
    pub parameters: Vec<Name>,
    /// Indices of the items of the syntax tree: module and item.
    pub items: Vec<(usize, usize)>,
    pub variables: Vec<(usize, usize)>,
    pub defines: Vec<(usize, usize)>,
    pub children: Vec<(usize, usize)>,
    /// Whether some declared name looks like a path.
    pub has_flat_paths: bool,
}

/// A value that is computed when it is first needed.
#[derive(Clone, Debug, Default)]
pub enum Lazy {
    #[default]
    Untouched,
    /// Being computed: to need it now is a circle.
    InProgress,
    Done(Lowered),
}

/// An instance of a module.
pub struct Instance {
    pub module: usize,
    pub parent: Option<InstanceId>,
    /// Full name; empty for main.
    pub name: String,
    pub span: Span,
    pub arguments: Vec<Root>,
    pub is_process: bool,
    /// The process that it is or belongs to: processes are numbered in order of declaration, main first.
    pub number: ProcessId,
    /// The nearest process around it, itself included; main counts as one.
    pub process: InstanceId,
    pub variables: Vec<Option<Cells>>,
    pub defines: Vec<Lazy>,
    pub parameters: Vec<Lazy>,
    pub children: Vec<InstanceId>,
    /// Members that an instance around this one declared for it, as in `DEFINE cell.ack := ...`.
    pub foreign: FxHashMap<Name, (InstanceId, Member)>,
}

/// What an instance begins with; see [`Instance`].
struct New {
    module: usize,
    parent: Option<InstanceId>,
    name: String,
    span: Span,
    arguments: Vec<Root>,
    is_process: bool,
}

impl Instance {
    /// The full name of a member.
    pub fn qualified(&self, member: &str) -> String {
        if self.name.is_empty() { member.to_owned() } else { format!("{}.{member}", self.name) }
    }
}

impl<'a> Lowering<'a> {
    pub fn item(&self, at: (usize, usize)) -> &'a SpannedItem {
        &self.ast.modules[at.0].items[at.1]
    }

    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id.0 as usize]
    }

    pub fn instance_mut(&mut self, id: InstanceId) -> &mut Instance {
        &mut self.instances[id.0 as usize]
    }

    pub fn info(&self, id: InstanceId) -> &ModuleInfo {
        &self.modules[self.instance(id).module]
    }

    /// What a name stands for in an instance, and whose member that is.
    pub fn member_named(&self, id: InstanceId, name: Name) -> Option<(InstanceId, Member)> {
        let own = self.info(id).members.get(&name).map(|member| (id, *member));
        own.or_else(|| self.instance(id).foreign.get(&name).copied())
    }

    /// The member of an instance whose name looks like a path.
    pub fn flat_member(&self, id: InstanceId, text: &str) -> Option<(InstanceId, Member)> {
        let name = Name(self.ast.names.get_index_of(text)? as u32);
        self.info(id).members.get(&name).map(|member| (id, *member))
    }

    /// Whether a member of an instance has a name that looks like a path and begins with this text.
    pub fn begins_flat_path(&self, id: InstanceId, text: &str) -> bool {
        let mut rests = self.info(id).members.keys().filter_map(|name| self.ast.text(*name).strip_prefix(text));
        self.info(id).has_flat_paths && rests.any(|rest| rest.starts_with(['.', '[']))
    }

    /// Creates all instances, from main downwards. `None` if that is impossible.
    pub fn instantiate(&mut self) -> Option<()> {
        let by_name = self.index_modules();
        let main = self.ast.names.get_index_of("main").and_then(|index| by_name.get(&Name(index as u32)).copied());
        let Some(main) = main else {
            let span = self.ast.modules.first().map_or(Span::default(), |module| module.span);
            if !self.diagnostics.has_errors() {
                let modules = self.ast.modules.iter().map(|module| self.ast.text(module.name));
                let help = match nearest("main", modules) {
                    Some(meant) => format!("a model is an instance of `MODULE main`: is `{meant}` meant to be it?"),
                    None => "a model is an instance of `MODULE main`".to_owned(),
                };
                self.error_with_help(codes::NO_MAIN, span, "there is no module main", &help);
            }
            return None;
        };
        let module = &self.ast.modules[main];
        if let Some((_, span)) = module.parameters.first() {
            self.error(codes::NO_MAIN, *span, "the module main has no parameters");
        }
        self.modules = (0..self.ast.modules.len()).map(|index| self.module_info(index, &by_name)).collect();
        if !self.check_recursion(main, &by_name) {
            return None;
        }
        let (name, arguments) = (String::new(), Vec::new());
        self.add_instance(New { module: main, parent: None, name, span: module.span, arguments, is_process: true });
        let mut at = 0;
        while at < self.instances.len() {
            if self.diagnostics.is_over_after(1) {
                return None;
            }
            self.add_children(InstanceId(at as u32), &by_name)?;
            at += 1;
        }
        for index in 0..self.instances.len() {
            if self.has_processes && self.instances[index].is_process {
                self.check_reserved(self.instances[index].module);
            }
            self.hand_down(InstanceId(index as u32));
        }
        Some(())
    }

    fn index_modules(&mut self) -> FxHashMap<Name, usize> {
        let mut by_name: FxHashMap<Name, usize> = FxHashMap::default();
        for (index, module) in self.ast.modules.iter().enumerate() {
            if by_name.insert(module.name, index).is_some() {
                let message = format!("the module `{}` is declared twice", self.ast.text(module.name));
                self.error(codes::DUPLICATE, module.span, message);
            }
        }
        by_name
    }

    fn module_info(&mut self, index: usize, by_name: &FxHashMap<Name, usize>) -> ModuleInfo {
        let module = &self.ast.modules[index];
        let mut info = ModuleInfo {
            name: module.name,
            members: FxHashMap::default(),
            parameters: module.parameters.iter().map(|(name, _)| *name).collect(),
            items: Vec::new(),
            variables: Vec::new(),
            defines: Vec::new(),
            children: Vec::new(),
            has_flat_paths: false,
        };
        for (position, (name, span)) in module.parameters.iter().enumerate() {
            self.add_member(&mut info, *name, Member::Parameter(position as u32), *span);
        }
        for at in self.expand(index, by_name) {
            self.add_item(&mut info, at);
        }
        info
    }

    /// The items of a module, those of the modules that it ISA included.
    fn expand(&mut self, index: usize, by_name: &FxHashMap<Name, usize>) -> Vec<(usize, usize)> {
        let mut items = Vec::new();
        let mut open = vec![index];
        let mut seen = FxHashSet::default();
        while let Some(module) = open.pop() {
            if !seen.insert(module) {
                let span = self.ast.modules[module].span;
                self.error(codes::RECURSIVE_MODULE, span, "this module is included twice by ISA, or includes itself");
                return items;
            }
            for (position, item) in self.ast.modules[module].items.iter().enumerate() {
                let Item::Isa(name) = item.item else {
                    items.push((module, position));
                    continue;
                };
                match by_name.get(&name) {
                    Some(other) if !self.ast.modules[*other].parameters.is_empty() => {
                        let message = format!("`{}` has parameters, and ISA cannot pass any", self.ast.text(name));
                        self.error(codes::ARGUMENT_COUNT, item.span, message);
                    }
                    Some(other) => open.push(*other),
                    None => self.no_module(name, item.span),
                }
            }
        }
        items
    }

    fn add_item(&mut self, info: &mut ModuleInfo, at: (usize, usize)) {
        info.items.push(at);
        let spanned = self.item(at);
        match &spanned.item {
            Item::Variable { name, ty: Type::Instance { .. }, .. } => {
                self.add_member(info, *name, Member::Child(info.children.len() as u32), spanned.span);
                info.children.push(at);
            }
            Item::Variable { name, .. } => {
                self.add_member(info, *name, Member::Variable(info.variables.len() as u32), spanned.span);
                info.variables.push(at);
            }
            Item::Define { name, .. } => {
                self.add_member(info, *name, Member::Define(info.defines.len() as u32), spanned.span);
                info.defines.push(at);
            }
            _ => {}
        }
    }

    /// Whether the name is taken by SMV itself in a model with processes.
    fn check_reserved(&mut self, module: usize) {
        for at in self.modules[module].items.clone() {
            let spanned = self.item(at);
            if let Item::Variable { name, .. } | Item::Define { name, .. } = &spanned.item
                && matches!(self.ast.text(*name), "running" | SELECTOR)
            {
                let message = format!("`{}` has a meaning of its own in a model with processes", self.ast.text(*name));
                self.error_with_help(codes::DUPLICATE, spanned.span, message, "choose another name");
            }
        }
    }

    fn add_member(&mut self, info: &mut ModuleInfo, name: Name, member: Member, span: Span) {
        let text = self.ast.text(name);
        info.has_flat_paths |= !text.starts_with('"') && text.contains(['.', '[']);
        if info.members.insert(name, member).is_some() {
            let message = format!("`{text}` is declared twice in this module");
            self.error(codes::DUPLICATE, span, message);
        }
    }

    /// Whether no module that main needs contains itself.
    fn check_recursion(&mut self, main: usize, by_name: &FxHashMap<Name, usize>) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Closed,
        }
        let mut marks = vec![Mark::New; self.modules.len()];
        let mut stack = vec![(main, 0usize)];
        marks[main] = Mark::Open;
        while let Some((module, position)) = stack.pop() {
            let Some(at) = self.modules[module].children.get(position).copied() else {
                marks[module] = Mark::Closed;
                continue;
            };
            stack.push((module, position + 1));
            let Item::Variable { ty: Type::Instance { module: name, module_span, .. }, .. } = &self.item(at).item
            else {
                continue;
            };
            match by_name.get(name).map(|child| (*child, marks[*child])) {
                Some((_, Mark::Open)) => {
                    let message = format!("the module `{}` contains itself", self.ast.text(*name));
                    self.error(codes::RECURSIVE_MODULE, *module_span, message);
                    return false;
                }
                Some((child, Mark::New)) => {
                    marks[child] = Mark::Open;
                    stack.push((child, 0));
                }
                _ => {}
            }
        }
        true
    }

    fn add_instance(&mut self, new: New) -> InstanceId {
        let New { module, parent, name, span, arguments, is_process } = new;
        let id = InstanceId(self.instances.len() as u32);
        let info = &self.modules[module];
        let (process, number) = match parent {
            Some(parent) if !is_process => (self.instance(parent).process, self.instance(parent).number),
            _ => (id, self.process_count),
        };
        if is_process {
            self.process_count = ProcessId::from(self.process_count.index() + 1);
        }
        self.instances.push(Instance {
            module,
            parent,
            name,
            span,
            is_process,
            number,
            process,
            variables: vec![None; info.variables.len()],
            defines: vec![Lazy::Untouched; info.defines.len()],
            parameters: vec![Lazy::Untouched; arguments.len()],
            children: Vec::new(),
            foreign: FxHashMap::default(),
            arguments,
        });
        id
    }

    fn add_children(&mut self, parent: InstanceId, by_name: &FxHashMap<Name, usize>) -> Option<()> {
        for at in self.info(parent).children.clone() {
            let spanned = self.item(at);
            let Item::Variable { name, ty: Type::Instance { module, module_span, arguments, is_process }, .. } =
                &spanned.item
            else {
                continue;
            };
            let text = self.ast.text(*module);
            let Some(index) = by_name.get(module).copied() else {
                self.no_module(*module, *module_span);
                return None;
            };
            let wanted = self.modules[index].parameters.len();
            if wanted != arguments.len() {
                let plural = if wanted == 1 { "" } else { "s" };
                let message = format!("`{text}` takes {wanted} argument{plural}, not {}", arguments.len());
                self.error(codes::ARGUMENT_COUNT, *module_span, message);
                return None;
            }
            if self.instances.len() >= MOST {
                self.error(codes::TOO_LARGE, spanned.span, format!("more than {MOST} instances"));
                return None;
            }
            self.has_processes |= *is_process;
            let name = self.instance(parent).qualified(self.ast.text(*name));
            let (arguments, is_process) = (arguments.clone(), *is_process);
            let new = New { module: index, parent: Some(parent), name, span: spanned.span, arguments, is_process };
            let child = self.add_instance(new);
            self.instance_mut(parent).children.push(child);
        }
        Some(())
    }

    /// Gives members with names such as `cell.ack` to the instances that they name, also through parameters.
    fn hand_down(&mut self, id: InstanceId) {
        if !self.info(id).has_flat_paths {
            return;
        }
        let members: Vec<(Name, Member)> =
            self.info(id).members.iter().map(|(name, member)| (*name, *member)).collect();
        for (name, member) in members {
            let mut rest = self.ast.text(name);
            let mut owner = id;
            while let Some((first, behind)) = rest.split_once('.')
                && let Some(name) = self.ast.names.get_index_of(first)
                && let Some(inner) = self.instance_named(owner, Name(name as u32), LONGEST_CHAIN)
            {
                (owner, rest) = (inner, behind);
            }
            if let (true, Some(name)) = (owner != id, self.ast.names.get_index_of(rest)) {
                self.instance_mut(owner).foreign.insert(Name(name as u32), (id, member));
            }
        }
    }

    /// The instance that a name stands for, if it does: a child, or what was passed for a parameter.
    fn instance_named(&self, id: InstanceId, name: Name, chain: u32) -> Option<InstanceId> {
        match *self.info(id).members.get(&name)? {
            Member::Child(index) => Some(self.instance(id).children[index as usize]),
            Member::Parameter(index) => {
                let instance = self.instance(id);
                let argument = instance.arguments.get(index as usize)?;
                self.instance_at(instance.parent?, argument.last, chain.checked_sub(1)?)
            }
            _ => None,
        }
    }

    fn instance_at(&self, id: InstanceId, node: NodeId, chain: u32) -> Option<InstanceId> {
        match self.ast.expr(node) {
            Expr::SelfRef => Some(id),
            Expr::Name(name) => self.instance_named(id, name, chain),
            Expr::Dot(base, name) => {
                let base = self.instance_at(id, base, chain.checked_sub(1)?)?;
                self.instance_named(base, name, chain)
            }
            _ => None,
        }
    }

    pub fn module(&self, id: InstanceId) -> &'a Module {
        &self.ast.modules[self.instance(id).module]
    }
}
