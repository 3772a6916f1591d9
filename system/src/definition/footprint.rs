//! Footprints: which variables an expression reads, in which state.

use super::expr::{Exprs, Node};
use super::ids::{ExprId, VarId};
use super::system::System;
use bit_vec::BitVec;

/// A set of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VarSet {
    members: BitVec,
}

impl VarSet {
    /// The empty set, with room for this many variables.
    pub fn new(variables: usize) -> VarSet {
        VarSet { members: BitVec::from_elem(variables, false) }
    }

    /// Adds a variable and says whether it is new.
    pub fn insert(&mut self, var: VarId) -> bool {
        let is_new = !self.contains(var);
        self.members.set(var.index(), true);
        is_new
    }

    /// Removes a variable.
    pub fn remove(&mut self, var: VarId) {
        self.members.set(var.index(), false);
    }

    /// Whether the variable is in the set.
    pub fn contains(&self, var: VarId) -> bool {
        self.members.get(var.index()).unwrap_or(false)
    }

    /// Whether the sets have a variable in common.
    pub fn intersects(&self, other: &VarSet) -> bool {
        let mut common = self.members.clone();
        common.and(&other.members);
        common.any()
    }

    /// The variables in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        self.members.blocks().enumerate().filter(|(_, block)| *block != 0).flat_map(|(number, block)| {
            let bits = (0..u32::BITS as usize).filter(move |bit| block >> bit & 1 != 0);
            bits.map(move |bit| VarId::from(number * u32::BITS as usize + bit))
        })
    }
}

/// What an expression reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Variables read in the current state, and inputs, in order.
    pub now: Vec<VarId>,
    /// Variables read in the next state, in order.
    pub next: Vec<VarId>,
    /// Whether it asks which process runs.
    pub running: bool,
    /// Whether it asks if nothing else can run.
    pub timeout: bool,
}

impl Footprint {
    /// What the expressions read together.
    pub fn of(exprs: &Exprs, roots: &[ExprId]) -> Footprint {
        let mut footprint = Footprint::default();
        for id in exprs.reachable(roots) {
            match exprs.node(id) {
                Node::Now(var) => footprint.now.push(*var),
                Node::Next(var) => footprint.next.push(*var),
                Node::Running(_) => footprint.running = true,
                Node::Timeout => footprint.timeout = true,
                _ => {}
            }
        }
        footprint.now.sort_unstable();
        footprint.next.sort_unstable();
        footprint
    }

    /// Whether what is read is not known before the step out of the state: who makes it, its inputs, what it leads to.
    pub fn has_step(&self, system: &System) -> bool {
        self.running || self.timeout || !self.next.is_empty() || self.has_inputs(system)
    }

    /// Whether there are inputs among the variables.
    pub fn has_inputs(&self, system: &System) -> bool {
        self.now.iter().any(|var| system.is_input(*var))
    }
}
