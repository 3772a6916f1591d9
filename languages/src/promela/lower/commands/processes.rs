//! The processes of the system, with their control points and what can be done there.

use super::super::lowering::Lowering;
use super::label::label;
use crate::promela::flow::{Automaton, Point};
use std::sync::Arc;
use system::{ControlPoint, IndexVec, PointId, Process, Statement};

impl Lowering<'_> {
    /// Makes the processes, in the order of the instances.
    pub fn processes(&mut self) {
        let statements: IndexVec<_, Arc<[Vec<Statement>]>> =
            self.program.automata.iter().map(|automaton| self.statements(automaton)).collect();
        for (id, instance) in self.instances.all.iter_enumerated() {
            let points = self.control_points(&self.program.automata[instance.proctype]);
            let span = self.program.ast.proctypes[instance.proctype].span;
            let pc = Some(self.memory.frames[id].pc);
            let process = self.system.processes.push(Process { name: instance.name.clone(), pc, points, span });
            self.system.dormant.insert(process, PointId::new(0));
            self.system.statements.insert(process, Arc::clone(&statements[instance.proctype]));
        }
    }

    /// The control points of a process, of which the first one means that it does not run.
    fn control_points(&self, automaton: &Automaton) -> IndexVec<PointId, ControlPoint> {
        let gone = ControlPoint { name: "-".to_owned(), value: Some(0), end: true };
        let rest = automaton.points.iter().enumerate().map(|(number, point)| ControlPoint {
            name: self.point_name(number, point),
            value: Some(number as i64 + 1),
            end: point.end,
        });
        std::iter::once(gone).chain(rest).collect()
    }

    /// What a control point is called: by its label, or by its line and its number.
    pub fn point_name(&self, number: usize, point: &Point) -> String {
        match point.labels.first() {
            Some(label) => label.to_string(),
            None => format!("{}:{}", self.program.source.line(point.span), number + 1),
        }
    }

    /// What a process can come to at each of its control points.
    fn statements(&self, automaton: &Automaton) -> Arc<[Vec<Statement>]> {
        let points = automaton.points.iter().map(|point| self.statements_at(point));
        std::iter::once(Vec::new()).chain(points).collect()
    }

    fn statements_at(&self, point: &Point) -> Vec<Statement> {
        let source = self.program.source;
        point.edges().map(|edge| Statement { text: label(edge, source), span: edge.span }).collect()
    }
}
