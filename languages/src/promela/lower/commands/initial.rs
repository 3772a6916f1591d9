//! The initial state.

use super::super::expressions::{Context, Effects};
use super::super::instances::Beginning;
use super::super::lowering::Lowering;
use super::super::storage::{Cells, Leaf, cell};
use crate::promela::ast::Initial;
use crate::promela::ids::InstanceId;
use system::{Choice, ExprId, Place, Update};

impl Lowering<'_> {
    /// Says what every variable begins with: 0 unless it is global or belongs to a process that runs.
    pub fn initial_state(&mut self) -> Option<()> {
        let mut effects = Effects::initial();
        let memory = self.memory;
        for leaf in memory.global_leaves() {
            self.initialise(None, leaf, &mut effects)?;
        }
        for (id, instance) in self.instances.all.iter_enumerated() {
            if instance.beginning == Beginning::Active {
                let priority = self.program.ast.proctypes[instance.proctype].priority;
                self.create(id, &[], priority, &mut effects)?;
            }
        }
        // Whether a claim runs is known already, if a process asks for it here.
        let claim_runs = self.system.claim_runs;
        for var in self.system.variables.indices().filter(|var| Some(*var) != claim_runs) {
            let value = self.read(&effects, var);
            let span = self.system.variables[var].span;
            let update = Update { place: Place::Variable(var), choice: Choice::Exactly(value), span };
            self.system.initial_values.push(update);
        }
        Some(())
    }

    /// What a leaf begins with.
    pub fn initialise(&mut self, instance: Option<InstanceId>, leaf: &Leaf, effects: &mut Effects) -> Option<()> {
        let Cells::Variables(first) = leaf.cells else { return Some(()) };
        match &leaf.shape.initial {
            Initial::Zero => {}
            Initial::Value(value) => {
                let so_far = effects.clone();
                let value = self.value(Context { instance, effects: &so_far, created: None }, *value)?;
                let value = self.begins_with(leaf, value);
                (0..leaf.shape.count()).for_each(|at| effects.set(cell(first, at), value));
            }
            Initial::List(list) => {
                for (at, value) in list.iter().enumerate().take(leaf.shape.count()) {
                    let value = self.integer(*value);
                    effects.set(cell(first, at), self.begins_with(leaf, value));
                }
            }
            Initial::Channel(_) => {
                for (at, channel) in leaf.created.iter().enumerate() {
                    effects.set(cell(first, at), self.integer(channel.value()));
                }
            }
        }
        Some(())
    }

    fn begins_with(&mut self, leaf: &Leaf, value: ExprId) -> ExprId {
        self.truncate(value, leaf.shape.ty, leaf.shape.extent())
    }
}
