//! The engine that works on sets of states: decision diagrams.

use super::portfolio::{Engine, Task, is_invariant};
use crate::error::Error;
use engine::Findings;
use limits::Handle;
use symbolic::Limits;
use system::{Claim, Machine, PropertyId};

/// Decision diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbolic {
    /// What for.
    pub asked: Asked,
    /// How much work each attempt may be.
    pub effort: u64,
}

/// What decision diagrams are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Formulas of CTL and COMPUTE, which no other engine decides.
    Branching,
    /// Invariants, deadlock freedom and formulas of LTL as well.
    Everything,
}

impl Symbolic {
    /// Nothing but memory and time limits it.
    pub fn alone(asked: Asked) -> Symbolic {
        Symbolic { asked, effort: u64::MAX }
    }
}

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        match machine.system().properties[property].claim {
            Claim::Ctl(_) | Claim::Compute(..) => true,
            Claim::Ltl(_) => self.asked == Asked::Everything,
            _ => self.asked == Asked::Everything && is_invariant(machine, property),
        }
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let limits = Limits { effort: self.effort, ..Limits::of_memory(handle.memory()) };
        Ok(symbolic::check(task.machine, task.properties, limits, handle))
    }
}
