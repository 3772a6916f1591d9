//! Whether finite runs go on for ever, as far as the form of a system tells.

use super::system::{Command, FiniteRuns, System};

impl System {
    /// Whether every finite run is the beginning of an infinite one because nothing forbids a step.
    pub fn never_blocks(&self) -> bool {
        self.relations.is_empty()
            && self.constraints.is_empty()
            && self.commands.iter().all(|command| self.can_always_run(command))
    }

    fn can_always_run(&self, command: &Command) -> bool {
        command.relation.is_none() && self.exprs.constant_value(command.guard) == Some(1)
    }

    /// Whether a finite run that violates a formula however it goes on is a counterexample: it goes on for ever, if only by
    /// staying where it is, and any way of doing so is fair. A program may go round for ever inside an atomic section,
    /// which is no run that a formula could look at; and states inside one are not looked at, whether its steps can be forbidden or not.
    pub fn has_finite_counterexamples(&self) -> bool {
        let goes_on = self.finite_runs == FiniteRuns::Prolonged || self.never_blocks();
        self.fairness.is_empty() && !self.has_atomic_sections && goes_on
    }
}
