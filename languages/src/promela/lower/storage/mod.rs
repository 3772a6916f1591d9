//! Where variables are: a variable is flattened into leaves, a leaf is a row of cells of one type. Channels are created
//! beside the variables that begin with them.

mod access;
mod allocate;
mod assigned;
mod channel;
mod shape;

pub use access::{Access, Index};
pub use allocate::allocate;
pub use channel::Channel;
pub use shape::{Extent, Shape, word};

use crate::promela::ast::{Reference, Root};
use crate::promela::ids::{ChannelId, InstanceId};
use std::ops::Range;
use system::{IndexVec, VarId};

/// All that the model stores.
#[derive(Debug)]
pub struct Memory {
    /// `_nr_pr`
    pub process_count: VarId,
    /// `_last`, if the model mentions it.
    pub last: Option<VarId>,
    globals: Vec<Storage>,
    pub frames: IndexVec<InstanceId, Frame>,
    pub channels: IndexVec<ChannelId, Channel>,
}

/// What belongs to a process.
#[derive(Debug)]
pub struct Frame {
    pub pc: VarId,
    /// `_priority`, if the model has priorities.
    pub priority: Option<VarId>,
    pub locals: Vec<Storage>,
    /// The places that arguments are handed to.
    pub parameters: Vec<Access>,
    /// The channels that it creates.
    pub channels: Range<ChannelId>,
}

/// A variable.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    pub leaves: Vec<Leaf>,
}

/// A leaf of a variable: all cells that differ in indices only.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub shape: Shape,
    pub cells: Cells,
    /// The channels that variable cells begin with.
    pub created: Vec<ChannelId>,
}

/// The cells of a leaf.
#[derive(Clone, Debug)]
pub enum Cells {
    /// Neighbouring variables from this one on.
    Variables(VarId),
    /// Channels that never change.
    Constants(Vec<ChannelId>),
}

impl Storage {
    /// The leaf at the end of a path.
    pub fn leaf(&self, access: &Access) -> Option<&Leaf> {
        self.leaves.iter().find(|leaf| leaf.shape.path == access.path)
    }
}

/// A variable of a row.
pub fn cell(first: VarId, at: usize) -> VarId {
    VarId::from(first.index() + at)
}

impl Memory {
    /// The leaves of all global variables.
    pub fn global_leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.globals.iter().flat_map(|storage| &storage.leaves)
    }

    /// The leaves of all variables.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        let locals = self.frames.iter().flat_map(|frame| &frame.locals).flat_map(|storage| &storage.leaves);
        self.global_leaves().chain(locals)
    }

    /// The variable that a reference begins with.
    pub fn storage(&self, instance: Option<InstanceId>, root: Root) -> Option<&Storage> {
        match root {
            Root::Global(global) => self.globals.get(global),
            Root::Local(local) => self.frames[instance?].locals.get(local),
            _ => None,
        }
    }

    /// What a reference stands for as part of a message: itself, or each leaf of a structure.
    pub fn parts(&self, instance: Option<InstanceId>, reference: &Reference) -> Vec<Access> {
        let access = Access::of(reference);
        let Some(storage) = self.storage(instance, access.root) else { return vec![access] };
        if storage.leaf(&access).is_some() {
            return vec![access];
        }
        let inside = storage.leaves.iter().filter(|leaf| leaf.shape.path.starts_with(&access.path));
        let parts: Vec<Access> = inside.flat_map(|leaf| access.cells_of(&leaf.shape)).collect();
        if parts.is_empty() { vec![access] } else { parts }
    }

    /// Whether there is a channel without room for a message.
    pub fn has_rendezvous(&self) -> bool {
        self.channels.iter().any(|channel| channel.capacity == 0)
    }
}
