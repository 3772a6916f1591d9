//! When the statements of a claim can run.

use super::super::super::lowering::Lowering;
use super::Obstacle;
use crate::promela::ast::{ExprRef, Kind};
use crate::promela::flow::{Action, Choice, Edge, Entry, Point};
use system::{ExprId, Footprint, Span};

impl Lowering<'_> {
    /// The statements of a claim at a point, each with the condition that it can run.
    pub fn claim_edges<'p>(&mut self, point: &'p Point) -> Result<Vec<(&'p Edge, ExprId)>, Obstacle> {
        if !point.escapes.is_empty() {
            return Err("the never claim has an escape".to_owned().into());
        }
        let mut edges = Vec::new();
        let mut any = self.system.exprs.boolean(false);
        for choice in &point.choices {
            match choice {
                Choice::Free(edge) => {
                    let possible = self.claim_condition(edge, any)?;
                    any = self.either(any, possible);
                    edges.push((edge, possible));
                }
                Choice::First(Entry::Guards(_), _) => {
                    return Err("a d_step of the never claim has options that SPIN passes over".to_owned().into());
                }
                Choice::First(Entry::Possible | Entry::Otherwise, sequence) => {
                    any = self.first_of_claim(sequence, any, &mut edges)?;
                }
            }
        }
        Ok(edges)
    }

    /// Adds statements of which the first possible one runs, given when those before them can; says when one of all can.
    fn first_of_claim<'p>(
        &mut self,
        sequence: &'p [Edge],
        mut any: ExprId,
        edges: &mut Vec<(&'p Edge, ExprId)>,
    ) -> Result<ExprId, Obstacle> {
        let mut earlier = self.system.exprs.boolean(false);
        for edge in sequence {
            let possible = self.claim_condition(edge, any)?;
            let first = self.system.exprs.not(earlier);
            let runs = self.both(first, possible);
            earlier = self.either(earlier, possible);
            any = self.either(any, runs);
            edges.push((edge, runs));
        }
        Ok(any)
    }

    /// When a statement of a claim can run, given when those before it can.
    fn claim_condition(&mut self, edge: &Edge, others: ExprId) -> Result<ExprId, Obstacle> {
        let always = self.system.exprs.boolean(true);
        let kind = match &edge.action {
            Action::Statement(kind) => kind,
            Action::Skip => return Ok(always),
            Action::Die => {
                let (count, none) = (self.now(self.memory.process_count), self.integer(0));
                return Ok(self.system.exprs.equal(count, none));
            }
        };
        match kind {
            Kind::Condition(condition) => {
                let holds = self.claimed(*condition)?;
                let waits = Footprint::of(&self.system.exprs, &[holds]).timeout;
                if waits { Err(self.refusal(edge.span, "asks for a timeout")) } else { Ok(holds) }
            }
            Kind::Skip | Kind::Print(..) | Kind::Assert(_) => Ok(always),
            // The flow puts an else behind its siblings.
            Kind::Else => Ok(self.system.exprs.not(others)),
            _ => Err(self.refusal(edge.span, "does more than observe")),
        }
    }

    fn claimed(&mut self, condition: ExprRef) -> Result<ExprId, Obstacle> {
        self.condition(condition).ok_or(Obstacle::Reported)
    }

    fn refusal(&self, span: Span, what: &str) -> Obstacle {
        Obstacle::Refused(format!("the never claim {what} on line {}", self.program.source.line(span)))
    }

    /// When a statement of a claim runs and is an assertion that fails.
    pub fn failure_of(&mut self, edge: &Edge, guard: ExprId) -> Result<ExprId, Obstacle> {
        let Action::Statement(Kind::Assert(condition)) = edge.action else {
            return Ok(self.system.exprs.boolean(false));
        };
        let holds = self.claimed(condition)?;
        let fails = self.system.exprs.not(holds);
        Ok(self.both(guard, fails))
    }
}
