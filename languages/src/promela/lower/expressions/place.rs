//! Places: the cells that references denote, reading and writing them.

use super::super::lowering::Lowering;
use super::super::storage::{Access, Cells, Extent, Index, Leaf, cell};
use super::{Context, Effects};
use crate::promela::ast::{Root, Type};
use crate::promela::codes;
use crate::promela::ids::{ChannelId, InstanceId};
use system::{Binary, ExprId, Node, Span, VarId};

/// The cells that a reference denotes.
#[derive(Clone, Debug)]
pub enum Spot {
    /// One cell.
    Cell(VarId),
    /// A computed element.
    Element { first: VarId, length: u32, index: ExprId },
    /// One of the channels that never change.
    Constants { ids: Vec<ChannelId>, index: ExprId },
    /// `_`
    Scratch,
}

/// A located place with its type.
#[derive(Clone, Debug)]
pub struct Located {
    pub place: Spot,
    pub ty: Type,
    pub extent: Extent,
}

impl<'a> Lowering<'a> {
    /// The place that a reference denotes.
    pub fn locate(&mut self, context: Context<'_>, access: &Access) -> Option<Located> {
        if access.root == Root::Scratch || self.program.is_ignored(access.root) {
            return Some(Located { place: Spot::Scratch, ty: Type::Int, extent: Extent::Scalar });
        }
        let own_priority = context.instance.and_then(|instance| self.memory.frames[instance].priority);
        if let (Root::Priority, Some(own)) = (access.root, own_priority) {
            return Some(Located { place: Spot::Cell(own), ty: Type::Byte, extent: Extent::Scalar });
        }
        if !matches!(access.root, Root::Global(_) | Root::Local(_)) {
            return self.error(codes::TYPE, access.span, "this variable cannot be written");
        }
        let leaf = self.leaf(context.instance, access)?;
        let place = self.place(context, access, leaf)?;
        Some(Located { place, ty: leaf.shape.ty, extent: leaf.shape.extent() })
    }

    fn index(&mut self, context: Context<'_>, index: Index) -> Option<ExprId> {
        Some(match index {
            Index::Constant(value) => self.integer(value.into()),
            Index::Value(value) => self.number(value),
            Index::Expr(expr) => {
                let value = self.value(context, expr)?;
                self.number(value)
            }
        })
    }

    /// The leaf that a reference names, or nothing after having said what is wrong.
    fn leaf(&mut self, instance: Option<InstanceId>, access: &Access) -> Option<&'a Leaf> {
        let memory = self.memory;
        let Some(leaf) = memory.storage(instance, access.root).and_then(|storage| storage.leaf(access)) else {
            let message = if access.path.is_empty() {
                "a structure as a whole has no value".to_owned()
            } else {
                format!("there is no field {}", access.path.join("."))
            };
            return self.error(codes::TYPE, access.span, message);
        };
        match mistaken_index(leaf, access) {
            Some(message) => self.error(codes::TYPE, access.span, message),
            None => Some(leaf),
        }
    }

    fn place(&mut self, context: Context<'_>, access: &Access, leaf: &Leaf) -> Option<Spot> {
        let lengths: Vec<u32> = leaf.shape.dims.iter().flatten().copied().collect();
        let mut flat = self.integer(0);
        for (index, length) in access.indices.iter().flatten().zip(&lengths) {
            let length = *length;
            let index = self.index(context, *index)?;
            // Several indices make one: each has to be checked by itself.
            let index = if lengths.len() > 1 { self.checked(index, length) } else { index };
            let scale = self.integer(length.into());
            let scaled = self.system.exprs.binary(Binary::Multiply, flat, scale);
            flat = self.system.exprs.binary(Binary::Add, scaled, index);
        }
        // An index that is always outside is an error of the runs that get there: another process may never do so.
        let constant = self.system.exprs.constant_value(flat).and_then(|value| usize::try_from(value).ok());
        let constant = constant.filter(|at| *at < leaf.shape.count());
        Some(match (&leaf.cells, constant) {
            (Cells::Variables(first), Some(at)) => Spot::Cell(cell(*first, at)),
            (Cells::Variables(first), None) => {
                Spot::Element { first: *first, length: leaf.shape.count() as u32, index: flat }
            }
            (Cells::Constants(ids), _) => Spot::Constants { ids: ids.clone(), index: flat },
        })
    }

    pub fn read_place(&mut self, context: Context<'_>, place: &Spot) -> ExprId {
        match place {
            Spot::Cell(var) => self.read(context.effects, *var),
            Spot::Element { first, length, index } => {
                let cells: Vec<ExprId> =
                    (0..*length as usize).map(|offset| self.read(context.effects, cell(*first, offset))).collect();
                self.pick(*index, cells)
            }
            Spot::Constants { ids, index } => {
                let ids = ids.iter().map(|id| self.integer(id.value())).collect();
                self.pick(*index, ids)
            }
            Spot::Scratch => self.integer(0),
        }
    }

    /// The element at an index. A table holds variables and constants; what is computed is chosen by comparisons.
    fn pick(&mut self, index: ExprId, cells: Vec<ExprId>) -> ExprId {
        let mut nodes = cells.iter().map(|cell| self.system.exprs.node(*cell));
        let are_leaves = nodes.all(|node| matches!(node, Node::Now(_) | Node::Constant(_)));
        if are_leaves || self.system.exprs.constant_value(index).is_some() {
            return self.system.exprs.select(index, 0, cells);
        }
        let index = self.checked(index, cells.len() as u32);
        let mut cells = cells.into_iter().enumerate().rev();
        let Some((_, mut value)) = cells.next() else { return index };
        for (at, cell) in cells {
            let here = self.integer(at as i64);
            let hit = self.system.exprs.equal(index, here);
            value = self.system.exprs.ite(hit, cell, value);
        }
        value
    }

    /// An index that fails outside its array.
    fn checked(&mut self, index: ExprId, length: u32) -> ExprId {
        let places = (0..length).map(|at| self.integer(at.into())).collect();
        self.system.exprs.select(index, 0, places)
    }

    /// Writes a value to a place.
    pub fn store(&mut self, effects: &mut Effects, located: &Located, value: ExprId, span: Span) -> Option<()> {
        let value = self.truncate(value, located.ty, located.extent);
        match &located.place {
            Spot::Cell(var) => effects.set(*var, value),
            Spot::Element { first, length, index } => effects.set_element(*first, *length, *index, value),
            Spot::Scratch => {}
            Spot::Constants { .. } => {
                return self.error(codes::TYPE, span, "this channel cannot be written");
            }
        }
        Some(())
    }
}

/// What is wrong with the indices of a reference, if something is.
fn mistaken_index(leaf: &Leaf, access: &Access) -> Option<String> {
    for (at, (length, index)) in leaf.shape.dims.iter().zip(&access.indices).enumerate() {
        let what = if at == 0 { "the variable" } else { &*leaf.shape.path[at - 1] };
        match (length, index) {
            (Some(_), None) => return Some(format!("{what} is an array and needs an index")),
            (None, Some(_)) => return Some(format!("{what} is no array and has no index")),
            _ => {}
        }
    }
    None
}
