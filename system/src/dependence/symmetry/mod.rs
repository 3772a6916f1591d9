//! Interchangeable processes: those that can change places, with their variables and their names, without changing the system.
//!
//! A process is matched with another one by going through their commands side by side, which says which variables correspond, and which
//! values: where one process stores 1 and the other 2, those may be their names. What comes of it is believed only after the whole system has been
//! written with the two exchanged and is the same as before, up to the order of what is commutative; see [`form`] for what that proves. States that
//! differ by such exchanges behave alike (E. Clarke, T. Filkorn, S. Jha, Exploiting symmetry in temporal logic model checking, CAV 1993),
//! so that one of them stands for all: the one in which the processes are sorted by their values.
//!
//! Initial states need not be the same after an exchange. Let r(s) be the state that stands for s; it is π(s) for a product π of exchanges. A search
//! that begins with r(s) for each initial state s, and goes on from a state t to r(u) for each successor u of t, visits r(s) for each s that
//! can be reached: by induction over a run s₀, s₁, …, the search visits some π(sᵢ); as sᵢ₊₁ follows sᵢ, π(sᵢ₊₁) follows π(sᵢ), so that r(π(sᵢ₊₁))
//! is visited, which is π'(sᵢ₊₁) for another product. In the same way, what it visits is π(s) for some s that can be reached in as many steps. Conditions that are
//! kept are true in s and π(s) alike. For the same reason the words of conditions along the runs from s and from π(s) are the same, which is what
//! cycles are about.

mod class;
mod exchange;
mod form;
mod kind;
mod matching;

use crate::definition::ids::{ExprId, ProcessId, PropertyId};
use crate::definition::system::{Claim, System};
use crate::execution::state::Layout;
use class::Class;
pub use class::Sorting;
use form::{Extent, Forms};

/// Processes that can change places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    classes: Vec<Class>,
}

impl Symmetry {
    /// The processes of a system that can change places without changing what some properties say. None where states record who
    /// has control.
    pub fn of(system: &System, properties: &[PropertyId]) -> Symmetry {
        match conditions(system, properties) {
            Some(conditions) if !system.has_atomic_sections => Symmetry::keeping(system, conditions),
            _ => Symmetry::default(),
        }
    }

    /// The processes of a system that can change places in all of a finite run: what some properties say of each of its states and
    /// steps is the same as before. None where states record who has control.
    pub fn of_finite_runs(system: &System, properties: &[PropertyId]) -> Symmetry {
        conditions(system, properties)
            .map_or_else(Symmetry::default, |conditions| Symmetry::of_runs(system, conditions))
    }

    /// The processes of a system that can change places without changing some conditions, in states in which no process has
    /// control.
    pub fn keeping(system: &System, conditions: Vec<ExprId>) -> Symmetry {
        Symmetry::found(system, conditions, Extent::Steps)
    }

    /// The processes of a system that can change places in all of an infinite run: each of the conditions is true in the same states as
    /// before, and the run is as fair as before. None where states record who has control.
    pub fn of_runs(system: &System, conditions: Vec<ExprId>) -> Symmetry {
        match system.has_atomic_sections {
            true => Symmetry::default(),
            false => Symmetry::found(system, conditions, Extent::Runs),
        }
    }

    fn found(system: &System, conditions: Vec<ExprId>, extent: Extent) -> Symmetry {
        let Some(mut forms) = Forms::new(system, conditions, extent) else { return Symmetry::default() };
        let mut classes: Vec<Class> = Vec::new();
        for process in system.processes.indices() {
            let joined = classes.iter_mut().any(|class| class.join(process, system, &mut forms));
            if !joined {
                classes.push(Class::alone(process));
            }
        }
        classes.retain(|class| class.processes.len() > 1);
        Symmetry { classes: canonical(classes) }
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
        self.classes.iter().for_each(|class| class.sort(layout, state, sorting));
    }
}

/// What some properties say of states and steps, if that is all they say.
fn conditions(system: &System, properties: &[PropertyId]) -> Option<Vec<ExprId>> {
    let claims = properties.iter().map(|property| &system.properties[*property].claim);
    let conditions = claims.map(|claim| match claim {
        Claim::Invariant(condition) => Some(vec![*condition]),
        Claim::DeadlockFree => Some(Vec::new()),
        _ => None,
    });
    conditions.collect::<Option<Vec<_>>>().map(|conditions| conditions.concat())
}

/// The classes without those whose names are in variables that are moved with processes: there, one order does not stand for all.
fn canonical(classes: Vec<Class>) -> Vec<Class> {
    let is_moved = |var| classes.iter().any(|class| class.moves(var));
    let stays: Vec<bool> = classes.iter().map(|class| !class.holders().any(is_moved)).collect();
    classes.into_iter().zip(stays).filter(|(_, stays)| *stays).map(|(class, _)| class).collect()
}
