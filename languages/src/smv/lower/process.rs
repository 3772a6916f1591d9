//! Processes and their commands.
//!
//! A step of an SMV model with processes is a step of one of them, `main` included: the chosen process's `next(x)`
//! are carried out, every other variable with a `next(x)` somewhere keeps its value, and variables without any
//! change freely. A process becomes one command per control point, its updates simplified by what is known there.

use super::Lowering;
use super::control::{PcChoice, process_name};
use super::value::InstanceId;
use rustc_hash::{FxHashMap, FxHashSet};
use system::{
    Choice, Command, ControlPoint, IndexVec, Motion, Move, Node, Place, PointId, Process, ProcessId, Update, Value,
    VarId,
};

impl Lowering<'_> {
    pub fn build_processes(&mut self, pcs: &[PcChoice]) {
        self.settle_motions();
        let mut writers: FxHashMap<VarId, FxHashSet<ProcessId>> = FxHashMap::default();
        for (var, process) in self.assignments.next.keys() {
            writers.entry(*var).or_default().insert(*process);
        }
        let processes: Vec<InstanceId> =
            (0..self.instances.len() as u32).map(InstanceId).filter(|id| self.instance(*id).is_process).collect();
        for choice in pcs {
            let known = processes.iter().any(|id| process_name(&self.instance(*id).name) == choice.process);
            if !known {
                self.report_option(format!("there is no process `{}`", choice.process));
            }
        }
        for id in processes {
            let number = self.instance(id).number;
            let updates = self.assignments.updates.remove(&number).unwrap_or_default();
            let pc = self.program_counter(id, &updates, pcs, &writers);
            self.add_process(id, pc, updates);
        }
    }

    /// What happens to the variables that a step does not mention.
    fn settle_motions(&mut self) {
        for var in self.assignments.moved.keys() {
            self.system.variables[*var].motion = Motion::Kept;
        }
        for var in self.assignments.always.keys() {
            self.system.variables[*var].motion = Motion::Defined;
        }
    }

    fn add_process(&mut self, id: InstanceId, pc: Option<VarId>, updates: Vec<Update>) {
        let instance = self.instance(id);
        let (name, span) = (process_name(&instance.name).to_owned(), instance.span);
        let points = self.control_points(pc);
        let process = ProcessId::from(self.system.processes.len());
        for (point, info) in points.iter_enumerated() {
            if self.diagnostics.is_over_after(updates.len()) {
                return;
            }
            let (from, mut updates) = match (pc, info.value) {
                (Some(pc), Some(value)) => (Some(point), self.updates_at(&updates, pc, value)),
                _ => (None, updates.clone()),
            };
            updates.retain(|update| !self.keeps_value(update, pc.zip(info.value)));
            self.system.commands.push(Command {
                owner: Move { process, from, to: None },
                partner: None,
                guard: self.system.exprs.boolean(true),
                updates,
                relation: None,
                keeps_control: false,
                label: info.name.clone(),
                span,
            });
        }
        self.system.processes.push(Process { name, pc, points, span });
    }

    /// Whether an update only says what the frame says: x := x, where the program counter's value may be known.
    fn keeps_value(&self, update: &Update, known: Option<(VarId, Value)>) -> bool {
        match (update.place, update.choice) {
            (Place::Variable(var), Choice::Exactly(expr)) => match *self.system.exprs.node(expr) {
                Node::Now(read) => read == var,
                Node::Constant(value) => known == Some((var, value)),
                _ => false,
            },
            _ => false,
        }
    }

    fn control_points(&self, pc: Option<VarId>) -> IndexVec<PointId, ControlPoint> {
        let Some(pc) = pc else {
            return IndexVec::from_vec(vec![ControlPoint { name: "anywhere".to_owned(), value: None, end: false }]);
        };
        let domain = &self.system.variables[pc].domain;
        (0..domain.size() as u64)
            .map(|index| {
                let value = domain.value_at(index);
                ControlPoint { name: self.system.render_value(pc, value), value: Some(value), end: false }
            })
            .collect()
    }

    /// The updates where the program counter has a known value.
    fn updates_at(&mut self, updates: &[Update], pc: VarId, value: Value) -> Vec<Update> {
        updates
            .iter()
            .map(|update| {
                let (Choice::Exactly(expr) | Choice::OneOf(expr)) = update.choice else { return *update };
                let expr = self.system.exprs.assume(expr, pc, value);
                let is_set = self.system.exprs.is_set(expr);
                let choice = if is_set { Choice::OneOf(expr) } else { Choice::Exactly(expr) };
                Update { choice, ..*update }
            })
            .collect()
    }
}
