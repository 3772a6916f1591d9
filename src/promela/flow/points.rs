//! From elements to control points: where each step leads, and what can be done there.

use super::super::ast::{Label, Name};
use super::super::codes;
use super::build::{ElementId, ElementKind, Graph, SequenceId};
use super::{Action, Automaton, Choice, Edge, Point};
use crate::diagnostic::{Diagnostic, Diagnostics};
use rustc_hash::FxHashMap;

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a control point.
    Point(usize),
    /// Nowhere: the process goes away.
    Gone,
}

/// How many elements a step may skip.
const LONGEST_HUNT: usize = 500;

/// Builds the automaton of a graph.
pub fn points(graph: &Graph, diagnostics: &mut Diagnostics) -> Automaton {
    let mut tracer = Tracer { graph, diagnostics, numbers: FxHashMap::default(), order: Vec::new() };
    let first = graph.chains[graph.body.0].first;
    let initial = tracer.hunt(first, graph.elements[first.0].atomic);
    tracer.number(initial);
    let mut points = Vec::new();
    while points.len() < tracer.order.len() {
        let element = tracer.order[points.len()];
        points.push(tracer.point(element));
    }
    let mut labelled: FxHashMap<Name, usize> = FxHashMap::default();
    for (index, element) in graph.elements.iter().enumerate() {
        for label in &element.labels {
            // A label whose place no process ever rests at stays unknown, so that a reference to it is never true.
            if let Some(point) = tracer.numbers.get(&ElementId(index)) {
                labelled.insert(label.name.clone(), *point);
            } else {
                labelled.entry(label.name.clone()).or_insert(usize::MAX);
            }
        }
    }
    Automaton { points, labelled }
}

struct Tracer<'a> {
    graph: &'a Graph,
    diagnostics: &'a mut Diagnostics,
    numbers: FxHashMap<ElementId, usize>,
    order: Vec<ElementId>,
}

impl Tracer<'_> {
    fn number(&mut self, element: ElementId) -> usize {
        let next = self.order.len();
        let number = *self.numbers.entry(element).or_insert(next);
        if number == next {
            self.order.push(element);
        }
        number
    }

    /// Where a process comes to rest that goes to an element: jumps and joins are skipped, but an atomic section is not
    /// left without a step.
    fn hunt(&mut self, start: ElementId, in_atomic: bool) -> ElementId {
        let mut at = start;
        for _ in 0..LONGEST_HUNT {
            let element = &self.graph.elements[at.0];
            let next = match &element.kind {
                ElementKind::Goto(label) => match self.find(label) {
                    Some(goal) if goal != at => goal,
                    Some(_) => return at,
                    None => {
                        let message = format!("there is no label {}", label.name);
                        self.diagnostics.push(Diagnostic::error(codes::LABEL, element.span, message));
                        return at;
                    }
                },
                ElementKind::Break(number) => self.graph.loop_ends[*number],
                ElementKind::Join | ElementKind::LoopEnd => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                ElementKind::Unless(main) => {
                    let first = self.graph.chains[main.0].first;
                    self.hunt(first, in_atomic)
                }
                _ => return at,
            };
            if in_atomic && !self.graph.elements[next.0].atomic {
                return at;
            }
            at = next;
        }
        let span = self.graph.elements[start.0].span;
        self.diagnostics.push(Diagnostic::error(codes::LABEL, span, "these jumps lead nowhere but to each other"));
        start
    }

    /// The element with a label, from the same expansion of an inline if there is one.
    fn find(&self, label: &Label) -> Option<ElementId> {
        let with = |accept: &dyn Fn(&Label) -> bool| {
            self.graph.elements.iter().position(|element| element.labels.iter().any(accept)).map(ElementId)
        };
        with(&|other| other == label).or_else(|| with(&|other| other.name == label.name))
    }

    /// The element that a sequence begins with.
    fn start(&self, sequence: SequenceId) -> ElementId {
        let mut at = self.graph.chains[sequence.0].first;
        for _ in 0..LONGEST_HUNT {
            let element = &self.graph.elements[at.0];
            at = match (&element.kind, element.next) {
                (ElementKind::Join, Some(next)) => next,
                (ElementKind::Unless(main), _) => self.graph.chains[main.0].first,
                _ => return at,
            };
        }
        at
    }

    fn point(&mut self, element: ElementId) -> Point {
        let info = &self.graph.elements[element.0];
        let mut leaves = Vec::new();
        self.leaves(element, &mut leaves);
        let mut groups: Vec<SequenceId> = Vec::new();
        for leaf in &leaves {
            let escapes = &self.graph.elements[leaf.0].escapes;
            groups.extend(escapes.iter().filter(|escape| !groups.contains(escape)).copied().collect::<Vec<_>>());
        }
        let mut escapes = Vec::new();
        for group in groups {
            let first = self.graph.chains[group.0].first;
            let start = self.hunt(first, info.atomic);
            let mut inner = Vec::new();
            self.leaves(start, &mut inner);
            escapes.push(inner.into_iter().map(|leaf| self.choice(leaf)).collect());
        }
        let inside_d_step = info.d_step.is_some();
        let choices = if inside_d_step {
            vec![Choice::First(leaves.into_iter().map(|leaf| self.edge(leaf)).collect())]
        } else {
            leaves.into_iter().map(|leaf| self.choice(leaf)).collect()
        };
        let end = matches!(info.kind, ElementKind::End) || info.labels.iter().any(|label| label.name.starts_with("end"));
        let labels = info.labels.iter().map(|label| label.name.clone()).collect();
        Point { labels, span: info.span, end, inside_d_step, escapes, choices }
    }

    /// The statements that can run first at an element.
    fn leaves(&self, element: ElementId, found: &mut Vec<ElementId>) {
        let mut open = vec![element];
        while let Some(element) = open.pop() {
            match &self.graph.elements[element.0].kind {
                ElementKind::Selection(options) => open.extend(options.iter().rev().map(|option| self.start(*option))),
                ElementKind::Block(inner) => open.push(self.start(*inner)),
                ElementKind::Unless(main) => open.push(self.graph.chains[main.0].first),
                _ => {
                    if !found.contains(&element) {
                        found.push(element);
                    }
                }
            }
        }
    }

    fn choice(&mut self, leaf: ElementId) -> Choice {
        let ElementKind::DStep(inner) = self.graph.elements[leaf.0].kind else { return Choice::Free(self.edge(leaf)) };
        let mut first = Vec::new();
        self.leaves(self.start(inner), &mut first);
        Choice::First(first.into_iter().map(|leaf| self.edge(leaf)).collect())
    }

    fn edge(&mut self, leaf: ElementId) -> Edge {
        let element = self.graph.elements[leaf.0].clone();
        let span = element.span;
        let action = match element.kind {
            ElementKind::Statement(kind) => Action::Statement(kind),
            ElementKind::End => {
                return Edge { action: Action::Die, target: Target::Gone, keeps_control: false, span };
            }
            _ => Action::Skip,
        };
        let next = match &self.graph.elements[leaf.0].kind {
            ElementKind::Goto(label) => self.find(label),
            ElementKind::Break(number) => Some(self.graph.loop_ends[*number]),
            _ => element.next,
        };
        let Some(next) = next else {
            if let ElementKind::Goto(label) = &self.graph.elements[leaf.0].kind {
                let message = format!("there is no label {}", label.name);
                self.diagnostics.push(Diagnostic::error(codes::LABEL, span, message));
            }
            return Edge { action, target: Target::Gone, keeps_control: false, span };
        };
        let mut goal = self.hunt(next, element.atomic);
        let mut keeps_control = self.keeps_control(leaf);
        if let ElementKind::DStepEnd(d_step) = self.graph.elements[goal.0].kind {
            let outside = self.graph.elements[d_step.0].clone();
            goal = outside.next.map_or(goal, |behind| self.hunt(behind, outside.atomic));
            keeps_control = outside.atomic;
        } else if element.d_step.is_some() {
            keeps_control = true;
            if self.graph.elements[goal.0].d_step != element.d_step {
                self.diagnostics.push(Diagnostic::error(codes::LABEL, span, "a jump cannot leave a d_step"));
            }
        } else if self.graph.elements[goal.0].d_step.is_some() {
            self.diagnostics.push(Diagnostic::error(codes::LABEL, span, "a jump cannot lead into a d_step"));
        }
        Edge { action, target: Target::Point(self.number(goal)), keeps_control, span }
    }

    /// Whether a statement is followed by another one of the same atomic section. A jump out of it ends it, and a jump
    /// from its end into another one goes on.
    fn keeps_control(&self, leaf: ElementId) -> bool {
        let element = &self.graph.elements[leaf.0];
        let goal = match &element.kind {
            ElementKind::Goto(label) => self.find(label),
            ElementKind::Break(number) => Some(self.graph.loop_ends[*number]),
            _ => None,
        };
        match goal.map(|goal| &self.graph.elements[goal.0]) {
            Some(goal) if element.atomic || element.last_atomic => goal.atomic || goal.last_atomic,
            _ => element.atomic,
        }
    }
}
