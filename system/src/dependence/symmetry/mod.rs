//! Interchangeable processes: those that can change places, with their variables, without changing the system.
//!
//! A process is matched with another one by going through their commands side by side, which says which variables correspond. What
//! comes of it is believed only after the whole system has been written with the two exchanged and is the same as before, up to the order of
//! what is commutative. States that differ by such exchanges behave alike (E. Clarke, T. Filkorn, S. Jha, Exploiting symmetry in temporal
//! logic model checking, CAV 1993), so that one of them stands for all: the one in which the processes are sorted by their
//! values.

mod form;
mod matching;

use crate::definition::ids::{ExprId, ProcessId, PropertyId, VarId};
use crate::definition::system::{Claim, Fairness, System};
use crate::execution::state::Layout;
use form::Forms;
use matching::{Exchange, matching};

/// The most expressions that are written again, over all exchanges: more than that takes longer than it is worth.
const MOST: usize = 400_000;

/// Processes that can change places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    classes: Vec<Class>,
}

impl Symmetry {
    /// The processes of a system that can change places without changing what some properties say. None where states record who
    /// has control.
    pub fn of(system: &System, properties: &[PropertyId]) -> Symmetry {
        let mut conditions = Vec::new();
        for property in properties {
            match system.properties[*property].claim {
                Claim::Invariant(condition) => conditions.push(condition),
                Claim::DeadlockFree => {}
                _ => return Symmetry::default(),
            }
        }
        if system.has_atomic_sections { Symmetry::default() } else { Symmetry::keeping(system, conditions) }
    }

    /// The processes of a system that can change places without changing some conditions, in states in which no process has
    /// control.
    pub fn keeping(system: &System, conditions: Vec<ExprId>) -> Symmetry {
        Symmetry::found(system, conditions, &[])
    }

    /// The processes of a system that can change places in all of an infinite run: each of the conditions is true in the same states as
    /// before, and the run is as fair as before. None where states record who has control.
    pub fn of_runs(system: &System, conditions: Vec<ExprId>) -> Symmetry {
        match system.has_atomic_sections {
            true => Symmetry::default(),
            false => Symmetry::found(system, conditions, &system.fairness),
        }
    }

    fn found(system: &System, conditions: Vec<ExprId>, fairness: &[Fairness]) -> Symmetry {
        let is_much = system.exprs.len().saturating_mul(system.processes.len()) > MOST;
        if is_much {
            return Symmetry::default();
        }
        let mut forms = Forms::new(system, conditions, fairness);
        let mut classes: Vec<Class> = Vec::new();
        for process in system.processes.indices() {
            let joined = classes.iter_mut().any(|class| class.join(process, system, &mut forms));
            if !joined {
                classes.push(Class { processes: vec![process], blocks: Vec::new() });
            }
        }
        classes.retain(|class| class.processes.len() > 1);
        Symmetry { classes }
    }

    /// Whether no processes can change places.
    pub fn is_trivial(&self) -> bool {
        self.classes.is_empty()
    }

    /// The most states that one can stand for.
    pub fn gain(&self) -> usize {
        let orders = self.sizes().into_iter().flat_map(|size| 1..=size);
        orders.fold(1, usize::saturating_mul)
    }

    /// How many processes each class has.
    pub fn sizes(&self) -> Vec<usize> {
        self.classes.iter().map(|class| class.processes.len()).collect()
    }

    /// The processes of each class.
    pub fn classes(&self) -> impl Iterator<Item = &[ProcessId]> {
        self.classes.iter().map(|class| &class.processes[..])
    }

    /// Brings a state to the one that stands for it.
    pub fn sort(&self, layout: &Layout, state: &mut [u64], sorting: &mut Sorting) {
        for Class { blocks: class, .. } in &self.classes {
            let width = class[0].len();
            sorting.values.clear();
            for block in class {
                sorting.values.extend(block.iter().map(|var| layout.index(state, *var).unwrap_or(0)));
            }
            let is_sorted = sorting.values.chunks_exact(width).is_sorted();
            if is_sorted {
                continue;
            }
            sorting.order.clear();
            sorting.order.extend(0..class.len());
            let Sorting { values, order } = &mut *sorting;
            let block = |at: usize| &values[at * width..][..width];
            order.sort_by(|one, other| block(*one).cmp(block(*other)));
            for (block, from) in class.iter().zip(&*order) {
                for (var, number) in block.iter().zip(&values[from * width..][..width]) {
                    layout.set_index(state, *var, *number);
                }
            }
        }
    }
}

/// The memory that sorting needs.
#[derive(Clone, Debug, Default)]
pub struct Sorting {
    values: Vec<u64>,
    order: Vec<usize>,
}

/// Processes that can change places, as far as they are found.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    processes: Vec<ProcessId>,
    /// The variables of each; those at the same position correspond. None as long as there is one process.
    blocks: Vec<Vec<VarId>>,
}

impl Class {
    /// Takes in a process if it can change places with the last one, and the variables of that one are the same as before.
    fn join(&mut self, process: ProcessId, system: &System, forms: &mut Forms<'_>) -> bool {
        let Some(last) = self.processes.last() else { return false };
        let Some(exchange) = matching(system, *last, process) else { return false };
        let Some(block) = self.continued(&exchange) else { return false };
        if !forms.are_kept(&exchange) {
            return false;
        }
        if self.blocks.is_empty() {
            self.blocks.push(exchange.variables().map(|(var, _)| var).collect());
        }
        self.blocks.push(block);
        self.processes.push(process);
        true
    }

    /// The variables of the next process, in the order of those of the last one.
    fn continued(&self, exchange: &Exchange) -> Option<Vec<VarId>> {
        let Some(last) = self.blocks.last() else { return Some(exchange.variables().map(|(_, var)| var).collect()) };
        let next: Vec<VarId> = last.iter().map(|var| exchange.of(*var)).collect();
        let are_new = next.iter().all(|var| self.blocks.iter().all(|block| !block.contains(var)));
        (exchange.variables().count() == last.len() && are_new).then_some(next)
    }
}
