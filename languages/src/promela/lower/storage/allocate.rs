//! Declares the variables of the system: those that count and record, the global ones, then each process with its own.

use super::super::instances::{Instance, Instances};
use super::super::lowering::declare;
use super::super::program::Program;
use super::assigned::Assigned;
use super::shape::{flat_types, shapes};
use super::{Access, Cells, Channel, Extent, Frame, Leaf, Memory, Shape, Storage, word};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::promela::ast::{Declaration, Initial, NewChannel, Proctype, Root, Type};
use crate::promela::codes;
use crate::promela::ids::{ChannelId, InstanceId};
use std::sync::Arc;
use system::{Domain, IndexVec, Queue, Span, System, VarId};

/// The largest variable, in cells.
const MOST_CELLS: usize = 100_000;

/// Declares all variables and channels.
pub fn allocate(
    program: &Program<'_>,
    instances: &Instances,
    diagnostics: &mut Diagnostics,
) -> Option<(Memory, System)> {
    let mut allocator = Allocator {
        program,
        assigned: Assigned::of(program.ast),
        channel_count: count_channels(program, instances),
        channels: IndexVec::new(),
        system: System::default(),
        diagnostics,
    };
    let most = instances.all.iter().map(|instance| instance.pid + 1).max().unwrap_or(0);
    let pids = Domain::Range { low: 0, high: most.into() };
    let process_count = allocator.variable("_nr_pr".to_owned(), pids.clone(), Span::default())?;
    let last = match program.ast.mentions_last() {
        true => Some(allocator.variable("_last".to_owned(), pids, Span::default())?),
        false => None,
    };
    let mut globals = Vec::new();
    for (number, declaration) in program.ast.globals.iter().enumerate() {
        globals.push(allocator.global(number, declaration)?);
    }
    let mut frames: IndexVec<InstanceId, Frame> = IndexVec::new();
    for instance in &instances.all {
        frames.push(allocator.frame(instance)?);
    }
    let Allocator { channels, system, .. } = allocator;
    Some((Memory { process_count, last, globals, frames, channels }, system))
}

/// How many channels there will be.
fn count_channels(program: &Program<'_>, instances: &Instances) -> usize {
    let mut count = channels_of(program, &program.ast.globals);
    for instance in &instances.all {
        let Proctype { locals, parameters, .. } = &program.ast.proctypes[instance.proctype];
        count += channels_of(program, &locals[*parameters..]);
    }
    count
}

fn channels_of(program: &Program<'_>, declarations: &[Declaration]) -> usize {
    let shapes = declarations.iter().flat_map(|declaration| shapes(program.ast, declaration));
    shapes.filter(|shape| matches!(shape.initial, Initial::Channel(_))).map(|shape| shape.count()).sum()
}

/// Whether a statement can write a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variability {
    Constant,
    Assigned,
}

impl Variability {
    fn of(is_assigned: bool) -> Variability {
        if is_assigned { Variability::Assigned } else { Variability::Constant }
    }
}

struct Allocator<'a> {
    program: &'a Program<'a>,
    assigned: Assigned,
    /// How many channels there will be.
    channel_count: usize,
    channels: IndexVec<ChannelId, Channel>,
    system: System,
    diagnostics: &'a mut Diagnostics,
}

impl Allocator<'_> {
    fn error<T>(&mut self, code: Code, span: Span, message: String) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        None
    }

    fn variable(&mut self, name: String, domain: Domain, span: Span) -> Option<VarId> {
        declare(&mut self.system, self.diagnostics, name, domain, span)
    }

    fn global(&mut self, number: usize, declaration: &Declaration) -> Option<Storage> {
        if self.program.is_ignored(Root::Global(number)) {
            return Some(Storage::default());
        }
        let variability = Variability::of(self.assigned.has_global(number));
        self.storage(shapes(self.program.ast, declaration), declaration.name.to_string(), variability)
    }

    /// The variables of a process.
    fn frame(&mut self, Instance { proctype: id, name, .. }: &Instance) -> Option<Frame> {
        let ast = self.program.ast;
        let proctype = &ast.proctypes[*id];
        let points = self.program.points(*id).len() as i64;
        let pc = self.variable(format!("{name}.pc"), Domain::Range { low: 0, high: points }, proctype.span)?;
        let priority = match ast.priorities {
            Some(_) => Some(self.priority(name, proctype.span)?),
            None => None,
        };
        let first_channel = self.channels.next_idx();
        let mut locals = Vec::new();
        for (number, declaration) in proctype.locals.iter().enumerate() {
            let variability = Variability::of(self.assigned.has_local(*id, number));
            let mut shapes = shapes(ast, declaration);
            if number < proctype.parameters {
                self.receive_arguments(&mut shapes, declaration)?;
            }
            locals.push(self.storage(shapes, format!("{name}.{}", declaration.name), variability)?);
        }
        let parameters = parameters(proctype, &locals);
        Some(Frame { pc, priority, locals, parameters, channels: first_channel..self.channels.next_idx() })
    }

    fn priority(&mut self, name: &str, span: Span) -> Option<VarId> {
        self.variable(format!("{name}._priority"), Domain::Range { low: 0, high: 255 }, span)
    }

    /// The leaves of a parameter begin with what is handed over, whatever their type says.
    fn receive_arguments(&mut self, shapes: &mut [Shape], declaration: &Declaration) -> Option<()> {
        for shape in shapes {
            if shape.is_array() {
                let message = format!("the parameter {} is or contains an array", declaration.name);
                return self.error(codes::TYPE, declaration.span, message);
            }
            shape.initial = Initial::Zero;
        }
        Some(())
    }

    fn storage(&mut self, shapes: Vec<Shape>, name: String, variability: Variability) -> Option<Storage> {
        let mut leaves = Vec::new();
        for shape in shapes {
            leaves.push(self.leaf(shape, &name, variability)?);
        }
        Some(Storage { leaves })
    }

    fn leaf(&mut self, shape: Shape, name: &str, variability: Variability) -> Option<Leaf> {
        let count = shape.count();
        if count > MOST_CELLS {
            return self.error(codes::TOO_LARGE, shape.span, format!("{name} is too large"));
        }
        let name = shape.path.iter().fold(name.to_owned(), |name, field| format!("{name}.{field}"));
        let mut created = Vec::new();
        if let Initial::Channel(new) = &shape.initial {
            for cell in 0..count {
                created.push(self.channel(shape.cell_name(&name, cell), new, shape.span)?);
            }
        }
        if variability == Variability::Constant && !created.is_empty() {
            return Some(Leaf { shape, cells: Cells::Constants(created), created: Vec::new() });
        }
        let domain = self.domain(shape.ty, shape.extent());
        let first = self.system.variables.next_idx();
        for cell in 0..count {
            let var = self.variable(shape.cell_name(&name, cell), domain.clone(), shape.span)?;
            self.name_values(var, shape.ty);
        }
        Some(Leaf { shape, cells: Cells::Variables(first), created })
    }

    fn domain(&self, ty: Type, extent: Extent) -> Domain {
        if ty == Type::Chan {
            return Domain::Range { low: 0, high: self.channel_count as i64 };
        }
        let word = word(ty, extent);
        let half = 1i64 << (word.width - 1);
        if word.signed {
            Domain::Range { low: -half, high: half - 1 }
        } else {
            Domain::Range { low: 0, high: 2 * half - 1 }
        }
    }

    /// Notes what the values of an mtype are called.
    fn name_values(&mut self, var: VarId, ty: Type) {
        let Type::Mtype(number) = ty else { return };
        let names = self.program.mtype_names(number);
        if !names.is_empty() {
            self.system.value_names.insert(var, Arc::clone(names));
        }
    }

    /// Creates a channel.
    fn channel(&mut self, name: String, new: &NewChannel, span: Span) -> Option<ChannelId> {
        let fields = flat_types(self.program.ast, &new.fields);
        if new.capacity == 0 {
            return Some(self.channels.push(Channel { capacity: 0, fields, length: None, cells: Vec::new() }));
        }
        let length = Domain::Range { low: 0, high: new.capacity.into() };
        let length = self.variable(format!("{name}.len"), length, span)?;
        let mut cells = Vec::new();
        for (field, ty) in fields.iter().enumerate() {
            cells.push(self.system.variables.next_idx());
            for at in 0..new.capacity {
                let domain = self.domain(*ty, Extent::Scalar);
                let var = self.variable(format!("{name}[{at}].{field}"), domain, span)?;
                self.name_values(var, *ty);
            }
        }
        self.system.queues.push(Queue { name, length, fields: cells.clone() });
        Some(self.channels.push(Channel { capacity: new.capacity, fields, length: Some(length), cells }))
    }
}

/// The places of a process that arguments are handed to.
fn parameters(proctype: &Proctype, locals: &[Storage]) -> Vec<Access> {
    let mut places = Vec::new();
    for (number, storage) in locals.iter().enumerate().take(proctype.parameters) {
        for leaf in &storage.leaves {
            let path = leaf.shape.path.clone();
            let indices = vec![None; path.len() + 1];
            places.push(Access { root: Root::Local(number), path, indices, span: proctype.span });
        }
    }
    places
}
