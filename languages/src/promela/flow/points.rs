//! From elements to control points: where each step leads, and what can be done there.

use super::super::ast::{Kind, Label, Name};
use super::super::codes;
use super::build::{ElementId, ElementKind, Graph, SequenceId};
use super::{Action, Automaton, Choice, Edge, Entry, Point};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::suggest::did_you_mean;
use rustc_hash::FxHashMap;
use system::Span;

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a control point.
    Point(usize),
    /// Nowhere: the process goes away.
    Gone,
}

impl Target {
    /// The control point that it is, unless the process goes away.
    pub fn point(self) -> Option<usize> {
        match self {
            Target::Point(point) => Some(point),
            Target::Gone => None,
        }
    }
}

/// How many elements a step may skip.
const LONGEST_SKIP: usize = 500;

/// Builds the automaton of a graph.
pub fn points(mut graph: Graph, diagnostics: &mut Diagnostics) -> Automaton {
    patch_jumps(&mut graph);
    let graph = &graph;
    let mut tracer =
        Tracer { graph, diagnostics, numbers: FxHashMap::default(), order: Vec::new(), escapes: FxHashMap::default() };
    tracer.check_jumps();
    tracer.find_escapes();
    let first = graph.chains[graph.body.0].first;
    let initial = tracer.come_to_rest(first, graph.elements[first.0].atomic);
    tracer.number(initial);
    let mut points = Vec::new();
    while points.len() < tracer.order.len() && !tracer.diagnostics.is_over_after(1 + graph.elements.len() / 16) {
        let element = tracer.order[points.len()];
        points.push(tracer.point(element));
    }
    let mut labelled: FxHashMap<Name, Option<usize>> = FxHashMap::default();
    for (index, element) in graph.elements.iter().enumerate() {
        for label in &element.labels {
            match tracer.numbers.get(&ElementId(index)) {
                Some(point) => drop(labelled.insert(label.name.clone(), Some(*point))),
                None => drop(labelled.entry(label.name.clone()).or_default()),
            }
        }
    }
    let numbered = tracer.number_in_trails(ElementId(graph.elements.len()));
    Automaton { points, labelled, numbered }
}

pub(super) struct Tracer<'a> {
    pub(super) graph: &'a Graph,
    diagnostics: &'a mut Diagnostics,
    numbers: FxHashMap<ElementId, usize>,
    order: Vec<ElementId>,
    /// For each element, the statements that can interrupt it and the escape that each belongs to.
    escapes: FxHashMap<ElementId, Vec<(ElementId, ElementId)>>,
}

impl Tracer<'_> {
    /// No jump leads into a `d_step`, whether or not a process gets there.
    fn check_jumps(&mut self) {
        for element in &self.graph.elements {
            let ElementKind::Goto(label) = &element.kind else { continue };
            let into = find(self.graph, label).and_then(|goal| self.graph.elements[goal.0].d_step);
            if into.is_some() && into != element.d_step {
                let message = "a jump cannot lead into a d_step";
                let help = "a d_step is one step: put the label before it, or use atomic";
                self.diagnostics.push(Diagnostic::error(codes::LABEL, element.span, message).help(help));
            }
        }
    }

    fn number(&mut self, element: ElementId) -> usize {
        let next = self.order.len();
        let number = *self.numbers.entry(element).or_insert(next);
        if number == next {
            self.order.push(element);
        }
        number
    }

    /// Where a process comes to rest that goes to an element (SPIN's `huntele`): jumps and joins are skipped, but an atomic section is not
    /// left without a step.
    fn come_to_rest(&mut self, start: ElementId, in_atomic: bool) -> ElementId {
        let mut at = start;
        for _ in 0..LONGEST_SKIP {
            let element = &self.graph.elements[at.0];
            let next = match &element.kind {
                ElementKind::Goto(label) => match find(self.graph, label) {
                    Some(goal) if goal != at => goal,
                    Some(_) => return at,
                    None => {
                        self.diagnostics.push(no_label(self.graph, label, element.span));
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
                    self.come_to_rest(first, in_atomic)
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

    /// The element that a sequence begins with.
    pub(super) fn start(&self, sequence: SequenceId) -> ElementId {
        let mut at = self.graph.chains[sequence.0].first;
        for _ in 0..LONGEST_SKIP {
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
        let mut escapes: Vec<Vec<Choice>> = Vec::new();
        let mut group = None;
        for (leaf, escape) in self.escapes.get(&element).cloned().unwrap_or_default() {
            if group.replace(escape) != Some(escape) {
                escapes.push(Vec::new());
            }
            let choice = self.choice(leaf);
            escapes.last_mut().into_iter().for_each(|group| group.push(choice.clone()));
        }
        let inside_d_step = info.d_step.is_some();
        let choices = if inside_d_step {
            let tried = self.tried(element).into_iter().map(|leaf| self.edge(leaf)).collect();
            vec![Choice::First(Entry::Possible, tried)]
        } else {
            self.check_else(element, &leaves);
            leaves.into_iter().map(|leaf| self.choice(leaf)).collect()
        };
        let end =
            matches!(info.kind, ElementKind::End) || info.labels.iter().any(|label| label.name.starts_with("end"));
        let labels = info.labels.iter().map(|label| label.name.clone()).collect();
        Point {
            labels,
            span: info.span,
            state: self.number_in_trails(element) + 1,
            end,
            inside_d_step,
            escapes,
            choices,
        }
    }

    /// Finds what can interrupt each element, in the order in which it is tried.
    ///
    /// An escape inside another one inherits what can interrupt it, but only if it comes earlier in the text than the
    /// element that it is attached to: so SPIN has it, which goes through the states in order.
    fn find_escapes(&mut self) {
        for index in 0..self.graph.elements.len() {
            let element = ElementId(index);
            let mut leaves = Vec::new();
            self.leaves(element, &mut leaves);
            let mut found: Vec<(ElementId, ElementId)> = Vec::new();
            for leaf in &leaves {
                let info = &self.graph.elements[leaf.0];
                if matches!(info.kind, ElementKind::Join) {
                    continue;
                }
                for escape in info.escapes.iter().rev() {
                    let first = self.graph.chains[escape.0].first;
                    let start = self.come_to_rest(first, info.atomic);
                    let mut further: Vec<ElementId> =
                        self.escapes.get(&start).into_iter().flatten().map(|(leaf, _)| *leaf).collect();
                    self.leaves(start, &mut further);
                    for leaf in further {
                        let is_there = leaves.contains(&leaf) || found.iter().any(|(other, _)| *other == leaf);
                        if !is_there {
                            found.insert(0, (leaf, start));
                        }
                    }
                }
            }
            if !found.is_empty() {
                self.escapes.insert(element, found);
            }
        }
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
        let first = self.start(inner);
        let number = Some(self.number_in_trails(leaf));
        let edges = self.tried(first).into_iter().map(|leaf| Edge { number, ..self.edge(leaf) }).collect();
        Choice::First(self.entry(first), edges)
    }

    /// SPIN takes one `else` among all that a process can do at a point; those that a `d_step` begins with do not count.
    fn check_else(&mut self, element: ElementId, leaves: &[ElementId]) {
        let escapes = self.escapes.get(&element).into_iter().flatten().map(|(leaf, _)| leaf);
        let kinds = escapes.chain(leaves).map(|leaf| &self.graph.elements[leaf.0].kind);
        if kinds.filter(|kind| matches!(kind, ElementKind::Statement(Kind::Else))).count() > 1 {
            let span = self.graph.elements[element.0].span;
            let message = "a process has two else to choose from here";
            let help = "an option or escape that begins with a selection or block brings its else along";
            self.diagnostics.push(Diagnostic::error(codes::ELSE, span, message).help(help));
        }
    }

    /// How SPIN numbers an element: in order, without the elements that only we have.
    fn number_in_trails(&self, element: ElementId) -> usize {
        let earlier = &self.graph.elements[..element.0];
        earlier.iter().filter(|element| !matches!(element.kind, ElementKind::DStepEnd(_))).count()
    }

    pub(super) fn edge(&mut self, leaf: ElementId) -> Edge {
        let element = self.graph.elements[leaf.0].clone();
        let span = element.span;
        let number = element.d_step.is_none().then(|| self.number_in_trails(leaf));
        let action = match element.kind {
            ElementKind::Statement(kind) => Action::Statement(kind),
            ElementKind::End => {
                return Edge { action: Action::Die, target: Target::Gone, keeps_control: false, number, span };
            }
            _ => Action::Skip,
        };
        let next = match &self.graph.elements[leaf.0].kind {
            ElementKind::Goto(label) => find(self.graph, label),
            ElementKind::Break(number) => Some(self.graph.loop_ends[*number]),
            _ => element.next,
        };
        let Some(next) = next else {
            if let ElementKind::Goto(label) = &self.graph.elements[leaf.0].kind {
                self.diagnostics.push(no_label(self.graph, label, span));
            }
            return Edge { action, target: Target::Gone, keeps_control: false, number, span };
        };
        let mut goal = self.come_to_rest(next, element.atomic);
        let mut keeps_control = element.atomic;
        if let ElementKind::DStepEnd(d_step) = self.graph.elements[goal.0].kind {
            let outside = self.graph.elements[d_step.0].clone();
            goal = outside.next.map_or(goal, |behind| self.come_to_rest(behind, outside.atomic));
            keeps_control = outside.atomic;
        } else if element.d_step.is_some() {
            keeps_control = true;
            if self.graph.elements[goal.0].d_step != element.d_step {
                self.diagnostics.push(Diagnostic::error(codes::LABEL, span, "a jump cannot leave a d_step"));
            }
        }
        Edge { action, target: Target::Point(self.number(goal)), keeps_control, number, span }
    }
}

fn no_label(graph: &Graph, label: &Label, span: Span) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(codes::LABEL, span, format!("there is no label {}", label.name));
    let labels = graph.elements.iter().flat_map(|element| &element.labels);
    diagnostic.help = did_you_mean(&label.name, labels.map(|label| &*label.name));
    diagnostic
}

/// The element with a label, from the same expansion of an inline if there is one.
fn find(graph: &Graph, label: &Label) -> Option<ElementId> {
    labelled(graph, |other| other == label).or_else(|| labelled(graph, |other| other.name == label.name))
}

/// The first element with a label that is accepted.
fn labelled(graph: &Graph, accept: impl Fn(&Label) -> bool) -> Option<ElementId> {
    graph.elements.iter().position(|element| element.labels.iter().any(&accept)).map(ElementId)
}

/// A jump out of an atomic section ends it, and a jump from the end of one into another goes on.
fn patch_jumps(graph: &mut Graph) {
    for index in 0..graph.elements.len() {
        let goal = match &graph.elements[index].kind {
            ElementKind::Goto(label) => find(graph, label),
            ElementKind::Break(number) => Some(graph.loop_ends[*number]),
            _ => None,
        };
        let Some(goal) = goal else { continue };
        let goes_on = graph.elements[goal.0].atomic || graph.elements[goal.0].last_atomic;
        let jump = &mut graph.elements[index];
        if jump.atomic || jump.last_atomic {
            (jump.atomic, jump.last_atomic) = (goes_on, !goes_on);
        }
    }
}
