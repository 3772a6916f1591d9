//! Which channels a variable or a message can hold.
//!
//! That is found by following assignments, `run` and messages until nothing new comes up; a send or receive becomes one
//! command for each channel that it can mean. A parameter that always holds one and the same channel is as good as its
//! name: commands do not look at it, so that nothing seems to depend on its value.

mod candidates;
mod flow;

pub use candidates::Candidate;
pub use flow::find;

use super::instances::{Beginning, Instances};
use super::program::Program;
use super::storage::{Access, Cells, Index, Leaf, Memory, cell};
use crate::promela::ast::{Expr, ExprRef, Reference, Root, Type};
use crate::promela::ids::{ChannelId, InstanceId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use system::VarId;

/// A place that can hold a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Variable(VarId),
    /// A field of the messages in a channel.
    Field(ChannelId, usize),
}

/// What a place can hold: channels, and `None` for whatever is no channel.
type Contents = BTreeSet<Option<ChannelId>>;

fn no_channel() -> Contents {
    Contents::from([None])
}

/// What each place can hold. Only for parameters it is known whether that can be something that is no channel.
pub struct Held<'a> {
    program: &'a Program<'a>,
    instances: &'a Instances,
    memory: &'a Memory,
    sets: FxHashMap<Holder, Contents>,
}

impl Held<'_> {
    fn holder(&self, holder: Holder) -> Contents {
        self.sets.get(&holder).cloned().unwrap_or_default()
    }

    /// What an expression of a process can be.
    fn of_value(&self, instance: InstanceId, expr: ExprRef) -> Contents {
        match self.program.ast.expr(expr) {
            Expr::Variable(reference) => self.at(instance, &Access::of(reference)),
            Expr::Conditional(_, then, otherwise) => {
                &self.of_value(instance, *then) | &self.of_value(instance, *otherwise)
            }
            _ => no_channel(),
        }
    }

    /// What a place can hold.
    fn at(&self, instance: InstanceId, access: &Access) -> Contents {
        let Some((leaf, cells)) = self.cells(instance, access) else { return no_channel() };
        match &leaf.cells {
            Cells::Constants(ids) => cells.map(|at| Some(ids[at])).collect(),
            Cells::Variables(first) => {
                let beginning = if self.is_given(instance, access) { Contents::new() } else { no_channel() };
                cells.flat_map(|at| self.holder(Holder::Variable(cell(*first, at)))).chain(beginning).collect()
            }
        }
    }

    /// What a place can hold that a property names: an index does not depend on the process there, so that any will do.
    fn at_global(&self, access: &Access) -> Contents {
        if self.instances.all.is_empty() { Contents::new() } else { self.at(InstanceId::new(0), access) }
    }

    /// The cells of a leaf that a reference can mean, as far as constant indices tell.
    fn cells(&self, instance: InstanceId, access: &Access) -> Option<(&Leaf, std::ops::Range<usize>)> {
        let leaf = self.memory.storage(Some(instance), access.root)?.leaf(access)?;
        let mut flat = Some(0usize);
        for (length, index) in leaf.shape.dims.iter().zip(&access.indices) {
            let Some(length) = length else { continue };
            let at = index.as_ref().and_then(|index| self.constant(instance, index));
            flat = flat.zip(at).map(|(flat, at)| flat * *length as usize + at);
        }
        let flat = flat.filter(|at| *at < leaf.shape.count());
        Some((leaf, flat.map_or(0..leaf.shape.count(), |at| at..at + 1)))
    }

    fn constant(&self, instance: InstanceId, index: &Index) -> Option<usize> {
        match index {
            Index::Constant(at) => Some(*at as usize),
            Index::Value(_) => None,
            Index::Expr(expr) => match self.program.ast.expr(*expr) {
                Expr::Number(value) => usize::try_from(*value).ok(),
                Expr::Variable(Reference { root: Root::Pid, .. }) => Some(self.instances.all[instance].pid as usize),
                _ => None,
            },
        }
    }

    /// Whether the variable has no other value than those that `run` and the statements of its process give it: it is a
    /// parameter of a process that does not run from the beginning.
    fn is_given(&self, instance: InstanceId, access: &Access) -> bool {
        let Root::Local(number) = access.root else { return false };
        let info = &self.instances.all[instance];
        info.beginning == Beginning::Created
            && number < self.program.ast.proctypes[info.proctype].parameters
            && self.cells(instance, access).is_some_and(|(leaf, _)| is_channel(leaf))
    }
}

fn is_channel(leaf: &Leaf) -> bool {
    leaf.shape.ty == Type::Chan && leaf.shape.count() == 1
}
