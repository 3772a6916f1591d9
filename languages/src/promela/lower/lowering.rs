//! What commands and properties are made with: the findings of the earlier phases, and the system that grows.

use super::channels::Held;
use super::instances::Instances;
use super::program::Program;
use super::storage::Memory;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::promela::codes;
use crate::promela::flow::Point;
use crate::promela::ids::InstanceId;
use system::{Domain, ExprId, Motion, PointId, Span, System, VarId, Variable};

/// The most variables that a model may have.
const MOST_VARIABLES: usize = 1_000_000;

pub struct Lowering<'a> {
    pub program: &'a Program<'a>,
    pub instances: &'a Instances,
    pub memory: &'a Memory,
    pub held: &'a Held<'a>,
    pub system: System,
    pub diagnostics: &'a mut Diagnostics,
}

impl<'a> Lowering<'a> {
    /// Says what is wrong.
    pub fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        None
    }

    /// A new variable of the system.
    pub fn variable(&mut self, name: String, domain: Domain, span: Span) -> Option<VarId> {
        declare(&mut self.system, self.diagnostics, name, domain, span)
    }

    /// What a variable holds before the step.
    pub fn now(&mut self, var: VarId) -> ExprId {
        let sort = self.system.variables[var].domain.sort();
        self.system.exprs.now(var, sort)
    }

    pub fn integer(&mut self, value: i64) -> ExprId {
        self.system.exprs.integer(value)
    }

    /// The places where a process can rest.
    pub fn points(&self, instance: InstanceId) -> &'a [Point] {
        self.program.points(self.instances.all[instance].proctype)
    }

    /// Whether a process is at a control point of its automaton.
    pub fn is_at(&mut self, instance: InstanceId, point: PointId) -> ExprId {
        let (pc, value) = (self.now(self.memory.frames[instance].pc), self.integer(point.index() as i64));
        self.system.exprs.equal(pc, value)
    }
}

/// Adds a variable to a system, which has a limit.
pub fn declare(
    system: &mut System,
    diagnostics: &mut Diagnostics,
    name: String,
    domain: Domain,
    span: Span,
) -> Option<VarId> {
    if diagnostics.is_over_after(1) {
        return None;
    }
    if system.variables.len() >= MOST_VARIABLES {
        diagnostics.push(Diagnostic::error(codes::TOO_LARGE, span, "the model has too many variables"));
        return None;
    }
    Some(system.variables.push(Variable { name, domain, motion: Motion::Kept, span }))
}

/// The control point of the system where a process rests: the first one of the system means that it does not run.
pub fn resting(point: usize) -> PointId {
    PointId::from(point + 1)
}
