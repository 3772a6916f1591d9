//! A search over some states of a program that stand for all: of interleavings that differ in nothing that matters, some are tried.

use super::engine::{Engine, Task, is_invariant};
use super::findings::Findings;
use super::handle::Handle;
use super::options::{Options, Visiting};
use super::states::{Explicit, Extent};
use crate::error::Error;
use explicit::{Reduction, Sets};
use system::{Machine, PropertyId, Refinement};

/// Depth-first search with persistent and sleep sets, of about this many states.
pub struct Representatives(pub usize);

impl Engine for Representatives {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        is_invariant(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let reduction = Reduction { sets: Sets::Both, refinement: Refinement::Operations };
        let visiting = Visiting { reduction, ..task.options.visiting };
        let options = Options { visiting, ..task.options.clone() };
        Explicit(Extent::UpTo(self.0)).run(&Task { options: &options, ..*task }, handle)
    }
}
