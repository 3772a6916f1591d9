//! Where variables are: a variable is flattened into leaves, a leaf is a row of cells of one type.

use super::super::ast::{Declaration, ExprRef, Initial, Kind, Name, NewChannel, Pattern, Reference, Root, Type};
use super::super::codes;
use super::Lowering;
use super::channel::Channel;
use super::instance::Instance;
use system::{Domain, ExprId, Queue, Span, VarId, WordSort};

/// The largest variable, in cells.
const MOST_CELLS: usize = 100_000;

/// A leaf of a variable: all cells that differ in indices only.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The fields that lead to it.
    pub path: Vec<Name>,
    /// For the variable and each field of the path, its length if it is an array.
    pub dims: Vec<Option<u32>>,
    pub ty: Type,
    pub cells: Cells,
    pub initial: Initial,
    /// The ids of the channels that it begins with.
    pub created: Vec<i64>,
    pub span: Span,
}

/// The cells of a leaf.
#[derive(Clone, Debug)]
pub enum Cells {
    /// Neighbouring variables from this one on.
    Variables(VarId),
    /// Channels that never change, by id.
    Constants(Vec<i64>),
}

impl Leaf {
    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.dims.iter().flatten().map(|length| *length as usize).product()
    }
}

/// A variable.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    pub leaves: Vec<Leaf>,
}

/// An index of a reference.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    Expr(ExprRef),
    /// What another process has computed.
    Value(ExprId),
    Constant(u32),
}

/// A reference, or one leaf of what a reference to a structure stands for.
#[derive(Clone, Debug)]
pub struct Access {
    pub root: Root,
    pub path: Vec<Name>,
    /// For the variable and each field, the index if there is one.
    pub indices: Vec<Option<Index>>,
    pub span: Span,
}

impl Access {
    pub fn of(reference: &Reference) -> Access {
        let index = |index: Option<ExprRef>| index.map(Index::Expr);
        Access {
            root: reference.root,
            path: reference.fields.iter().map(|(name, _)| name.clone()).collect(),
            indices: std::iter::once(index(reference.index))
                .chain(reference.fields.iter().map(|(_, at)| index(*at)))
                .collect(),
            span: reference.span,
        }
    }
}

/// How a machine stores a type. A bit of an array takes a byte, as in SPIN's state vector.
pub fn word(ty: Type, is_array: bool) -> WordSort {
    let (width, signed) = match ty {
        Type::Bit if !is_array => (1, false),
        Type::Bit | Type::Byte | Type::Mtype(_) | Type::Pid | Type::Chan | Type::Struct(_) => (8, false),
        Type::Short => (16, true),
        Type::Int => (32, true),
        Type::Unsigned(width) => (width, false),
    };
    WordSort { width, signed }
}

impl Lowering<'_> {
    /// Notes every variable that a statement writes.
    pub(super) fn collect_assigned(&mut self) {
        let ast = self.ast;
        for (number, proctype) in ast.proctypes.iter().enumerate() {
            for statement in proctype.statements() {
                match &statement.kind {
                    Kind::Assign(place, _) => self.note(number, place.root),
                    Kind::Clear(local) if matches!(proctype.locals[*local].ty, Type::Struct(_)) => {}
                    Kind::Clear(local) | Kind::AssignList(local, _) => self.note(number, Root::Local(*local)),
                    Kind::Receive(_, _, _, patterns) => {
                        for pattern in patterns {
                            if let Pattern::Store(place) = pattern {
                                self.note(number, place.root);
                            }
                        }
                    }
                    _ => {}
                }
            }
            (0..proctype.parameters).for_each(|parameter| self.note(number, Root::Local(parameter)));
        }
    }

    fn note(&mut self, proctype: usize, root: Root) {
        match root {
            Root::Global(global) => self.assigned.insert((None, global)),
            Root::Local(local) => self.assigned.insert((Some(proctype), local)),
            _ => false,
        };
    }

    /// Declares the channels, the global variables and those of every instance.
    pub(super) fn declare(&mut self) -> Option<()> {
        let ast = self.ast;
        self.channel_count = self.count_channels(&ast.globals);
        for index in 0..self.instances.len() {
            let proctype = &ast.proctypes[self.instances[index].proctype];
            self.channel_count += self.count_channels(&proctype.locals[proctype.parameters..]);
        }
        let most = self.instances.iter().map(|instance| instance.pid + 1).max().unwrap_or(0);
        let span = Span::default();
        let count = Domain::Range { low: 0, high: most.into() };
        self.process_count = self.variable("_nr_pr".to_owned(), count, span)?;
        if ast.mentions_last() {
            let pids = Domain::Range { low: 0, high: i64::from(most) };
            self.last = Some(self.variable("_last".to_owned(), pids, span)?);
        }
        for (number, declaration) in ast.globals.iter().enumerate() {
            let constant = !self.assigned.contains(&(None, number));
            let leaves = if self.ignored.contains(&number) { Vec::new() } else { self.shape(declaration) };
            let storage = self.allocate(leaves, declaration.name.to_string(), constant)?;
            self.globals.push(storage);
        }
        for index in 0..self.instances.len() {
            self.declare_instance(index)?;
        }
        Some(())
    }

    fn declare_instance(&mut self, index: usize) -> Option<()> {
        let ast = self.ast;
        let proctype = self.instances[index].proctype;
        let name = self.instances[index].name.clone();
        let points = self.automata[proctype].points.len() as i64;
        let span = ast.proctypes[proctype].span;
        self.instances[index].pc = self.variable(format!("{name}.pc"), Domain::Range { low: 0, high: points }, span)?;
        if ast.priorities.is_some() {
            let priorities = Domain::Range { low: 0, high: 255 };
            self.instances[index].priority = Some(self.variable(format!("{name}._priority"), priorities, span)?);
        }
        let first_channel = self.channels.len();
        for (number, declaration) in ast.proctypes[proctype].locals.iter().enumerate() {
            let constant = !self.assigned.contains(&(Some(proctype), number));
            let mut leaves = self.shape(declaration);
            if number < ast.proctypes[proctype].parameters {
                self.receive_arguments(&mut leaves, declaration)?;
            }
            let storage = self.allocate(leaves, format!("{name}.{}", declaration.name), constant)?;
            self.instances[index].locals.push(storage);
        }
        self.instances[index].channels = first_channel..self.channels.len();
        Some(())
    }

    fn count_channels(&mut self, declarations: &[Declaration]) -> usize {
        let creates = |leaf: &&Leaf| matches!(leaf.initial, Initial::Channel(_));
        let mut count = 0;
        for declaration in declarations {
            count += self.shape(declaration).iter().filter(creates).map(Leaf::count).sum::<usize>();
        }
        count
    }

    /// The leaves of a variable, without cells so far.
    pub(super) fn shape(&self, declaration: &Declaration) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let mut open = vec![(declaration, Vec::<Name>::new(), vec![declaration.length])];
        while let Some((declaration, path, dims)) = open.pop() {
            let Type::Struct(structure) = declaration.ty else {
                leaves.push(Leaf {
                    path,
                    dims,
                    ty: declaration.ty,
                    cells: Cells::Constants(Vec::new()),
                    initial: declaration.initial.clone(),
                    created: Vec::new(),
                    span: declaration.span,
                });
                continue;
            };
            for field in self.ast.structures[structure].fields.iter().rev() {
                let mut path = path.clone();
                path.push(field.name.clone());
                let mut dims = dims.clone();
                dims.push(field.length);
                open.push((field, path, dims));
            }
        }
        leaves
    }

    /// The leaves of a parameter begin with what is handed over, whatever their type says.
    fn receive_arguments(&mut self, leaves: &mut [Leaf], declaration: &Declaration) -> Option<()> {
        for leaf in leaves {
            if leaf.dims.iter().any(Option::is_some) {
                let message = format!("the parameter {} is or contains an array", declaration.name);
                return self.error(codes::TYPE, declaration.span, message);
            }
            leaf.initial = Initial::Zero;
        }
        Some(())
    }

    /// The places of an instance that arguments are handed to.
    pub(super) fn parameters(&self, instance: usize) -> Vec<Access> {
        let Instance { proctype, locals, .. } = &self.instances[instance];
        let proctype = &self.ast.proctypes[*proctype];
        let mut places = Vec::new();
        for (number, storage) in locals.iter().enumerate().take(proctype.parameters) {
            for Leaf { path, .. } in &storage.leaves {
                let indices = vec![None; path.len() + 1];
                let root = Root::Local(number);
                places.push(Access { root, path: path.clone(), indices, span: proctype.span });
            }
        }
        places
    }

    fn allocate(&mut self, mut leaves: Vec<Leaf>, name: String, constant: bool) -> Option<Storage> {
        for leaf in &mut leaves {
            let count = leaf.count();
            if count > MOST_CELLS {
                return self.error(codes::TOO_LARGE, leaf.span, format!("{name} is too large"));
            }
            let full_name = leaf.path.iter().fold(name.clone(), |name, field| format!("{name}.{field}"));
            let mut ids = Vec::new();
            if let Initial::Channel(new) = &leaf.initial {
                for cell in 0..count {
                    ids.push(self.new_channel(cell_name(&full_name, leaf, cell), new, leaf.span)?);
                }
            }
            if constant && !ids.is_empty() {
                leaf.cells = Cells::Constants(ids);
                continue;
            }
            let domain = self.domain(leaf.ty, leaf.dims.iter().any(Option::is_some));
            let first = VarId::from(self.system.variables.len());
            for cell in 0..count {
                let var = self.variable(cell_name(&full_name, leaf, cell), domain.clone(), leaf.span)?;
                self.name_values(var, leaf.ty);
            }
            leaf.cells = Cells::Variables(first);
            if let Some(first_id) = ids.first() {
                self.holders.begin(first, *first_id, count);
            }
            leaf.created = ids;
        }
        Some(Storage { leaves })
    }

    pub(super) fn domain(&self, ty: Type, is_array: bool) -> Domain {
        if ty == Type::Chan {
            return Domain::Range { low: 0, high: self.channel_count as i64 };
        }
        let word = word(ty, is_array);
        let half = 1i64 << (word.width - 1);
        if word.signed {
            Domain::Range { low: -half, high: half - 1 }
        } else {
            Domain::Range { low: 0, high: 2 * half - 1 }
        }
    }

    /// Creates a channel and says its id.
    fn new_channel(&mut self, name: String, new: &NewChannel, span: Span) -> Option<i64> {
        let fields = self.flat_types(&new.fields);
        let id = self.channels.len() as i64 + 1;
        let mut channel = Channel { capacity: new.capacity, fields: fields.clone(), length: None, cells: Vec::new() };
        if new.capacity > 0 {
            let length = Domain::Range { low: 0, high: new.capacity.into() };
            let length = self.variable(format!("{name}.len"), length, span)?;
            channel.length = Some(length);
            for (field, ty) in fields.iter().enumerate() {
                let first = VarId::from(self.system.variables.len());
                for at in 0..new.capacity {
                    let domain = self.domain(*ty, false);
                    let var = self.variable(format!("{name}[{at}].{field}"), domain, span)?;
                    self.name_values(var, *ty);
                }
                channel.cells.push(first);
            }
            self.system.queues.push(Queue { name, length, fields: channel.cells.clone() });
        }
        self.channels.push(channel);
        Some(id)
    }

    /// The types of a message's fields, structures taken apart.
    fn flat_types(&self, types: &[Type]) -> Vec<Type> {
        let mut flat = Vec::new();
        let mut open: Vec<(Type, usize)> = types.iter().rev().map(|ty| (*ty, 1)).collect();
        while let Some((ty, count)) = open.pop() {
            match ty {
                Type::Struct(structure) => {
                    for _ in 0..count {
                        let fields = self.ast.structures[structure].fields.iter().rev();
                        open.extend(fields.map(|field| (field.ty, field.length.unwrap_or(1) as usize)));
                    }
                }
                _ => flat.extend(std::iter::repeat_n(ty, count)),
            }
        }
        flat
    }

    /// The variable that a reference begins with.
    pub(super) fn storage(&self, instance: Option<usize>, root: Root) -> Option<&Storage> {
        match root {
            Root::Global(global) => self.globals.get(global),
            Root::Local(local) => self.instances[instance?].locals.get(local),
            _ => None,
        }
    }

    /// The leaf that a reference names, or nothing after having said what is wrong.
    pub(super) fn leaf(&mut self, instance: Option<usize>, access: &Access) -> Option<Leaf> {
        let storage = self.storage(instance, access.root);
        let found = storage.and_then(|storage| storage.leaves.iter().find(|leaf| leaf.path == access.path)).cloned();
        let Some(leaf) = found else {
            let message = if access.path.is_empty() {
                "a structure as a whole has no value".to_owned()
            } else {
                format!("there is no field {}", access.path.join("."))
            };
            return self.error(codes::TYPE, access.span, message);
        };
        for (at, (length, index)) in leaf.dims.iter().zip(&access.indices).enumerate() {
            let what = if at == 0 { "the variable" } else { &*leaf.path[at - 1] };
            match (length, index) {
                (Some(_), None) => {
                    return self.error(codes::TYPE, access.span, format!("{what} is an array and needs an index"));
                }
                (None, Some(_)) => {
                    return self.error(codes::TYPE, access.span, format!("{what} is no array and has no index"));
                }
                _ => {}
            }
        }
        Some(leaf)
    }

    /// What a reference stands for as part of a message: itself, or each leaf of a structure.
    pub(super) fn parts(&self, instance: Option<usize>, reference: &Reference) -> Vec<Access> {
        let access = Access::of(reference);
        let Some(storage) = self.storage(instance, access.root) else { return vec![access] };
        if storage.leaves.iter().any(|leaf| leaf.path == access.path) {
            return vec![access];
        }
        let mut parts = Vec::new();
        for leaf in storage.leaves.iter().filter(|leaf| leaf.path.starts_with(&access.path)) {
            let rest = &leaf.dims[access.indices.len()..];
            let count: u32 = rest.iter().flatten().product();
            for cell in 0..count {
                let mut indices = access.indices.clone();
                let mut cell = cell;
                let mut tail: Vec<Option<Index>> = Vec::new();
                for length in rest.iter().rev() {
                    tail.push(length.map(|length| {
                        let at = cell % length;
                        cell /= length;
                        Index::Constant(at)
                    }));
                }
                indices.extend(tail.into_iter().rev());
                parts.push(Access { root: access.root, path: leaf.path.clone(), indices, span: access.span });
            }
        }
        if parts.is_empty() { vec![access] } else { parts }
    }
}

fn cell_name(name: &str, leaf: &Leaf, cell: usize) -> String {
    let mut indices = Vec::new();
    let mut cell = cell;
    for length in leaf.dims.iter().rev().flatten() {
        indices.push(format!("[{}]", cell % *length as usize));
        cell /= *length as usize;
    }
    indices.reverse();
    format!("{name}{}", indices.concat())
}
