//! The elements of a proctype: one for each statement, and some for where control flow splits and joins.

use super::super::ast::{Kind, Label, Name, Proctype, Sequence, Statement};
use super::super::codes;
use super::Role;
use crate::diagnostic::{Diagnostic, Diagnostics};
use rustc_hash::FxHashSet;
use system::Span;

/// An element of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub usize);

/// A sequence of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceId(pub usize);

/// What an element is.
#[derive(Clone, Debug)]
pub enum ElementKind {
    /// A basic statement.
    Statement(Kind),
    /// A jump to a label.
    Goto(Label),
    /// A jump behind a loop.
    Break(usize),
    /// Where the options of a selection join.
    Join,
    /// Behind a loop.
    LoopEnd,
    /// `if` and `do`
    Selection(Vec<SequenceId>),
    /// A statement with an escape, which is attached to all it can interrupt.
    Unless(SequenceId),
    /// `atomic { .. }` and `{ .. }`
    Block(SequenceId),
    /// `d_step { .. }`
    DStep(SequenceId),
    /// Behind the last statement of a `d_step`, which is this element.
    DStepEnd(ElementId),
    /// The end of the body.
    End,
}

/// An element.
#[derive(Clone, Debug)]
pub struct Element {
    pub kind: ElementKind,
    pub next: Option<ElementId>,
    pub span: Span,
    /// Inside an atomic section, and not its last statement.
    pub atomic: bool,
    /// The last statement of an atomic section.
    pub last_atomic: bool,
    /// The `d_step` that it is part of.
    pub d_step: Option<ElementId>,
    pub labels: Vec<Label>,
    /// The escapes that can interrupt it, the outermost first.
    pub escapes: Vec<SequenceId>,
}

/// A sequence: its first and its last element.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    pub first: ElementId,
    pub last: ElementId,
    /// The last element before the join was added.
    pub extent: ElementId,
}

/// The elements of a proctype.
pub struct Graph {
    pub elements: Vec<Element>,
    pub chains: Vec<Chain>,
    pub body: SequenceId,
    /// Where a `break` of each loop leads.
    pub loop_ends: Vec<ElementId>,
}

/// Lays out a proctype.
pub fn build(proctype: &Proctype, role: Role, observed: &FxHashSet<Name>, diagnostics: &mut Diagnostics) -> Graph {
    let graph = Graph { elements: Vec::new(), chains: Vec::new(), body: SequenceId(0), loop_ends: Vec::new() };
    let mut builder = Builder { graph, open: Vec::new(), loops: Vec::new(), role, observed, diagnostics };
    builder.open.push(Vec::new());
    for statement in &proctype.body {
        builder.statement(statement);
    }
    let end = builder.element(ElementKind::End, proctype.end);
    builder.append(end);
    builder.graph.body = builder.close();
    builder.link_blocks();
    builder.graph
}

struct Builder<'a> {
    graph: Graph,
    /// The elements of the sequences that are being built.
    open: Vec<Vec<ElementId>>,
    loops: Vec<usize>,
    role: Role,
    observed: &'a FxHashSet<Name>,
    diagnostics: &'a mut Diagnostics,
}

impl Builder<'_> {
    fn element(&mut self, kind: ElementKind, span: Span) -> ElementId {
        self.graph.elements.push(Element {
            kind,
            next: None,
            span,
            atomic: false,
            last_atomic: false,
            d_step: None,
            labels: Vec::new(),
            escapes: Vec::new(),
        });
        ElementId(self.graph.elements.len() - 1)
    }

    fn append(&mut self, element: ElementId) {
        if let Some(open) = self.open.last_mut() {
            if let Some(last) = open.last() {
                self.graph.elements[last.0].next = Some(element);
            }
            open.push(element);
        }
    }

    fn close(&mut self) -> SequenceId {
        let elements = self.open.pop().unwrap_or_default();
        // The parser rejects empty sequences, and a body ends with an element of its own.
        let (first, last) = match (elements.first(), elements.last()) {
            (Some(first), Some(last)) => (*first, *last),
            _ => {
                let skip = self.element(ElementKind::Join, Span::default());
                (skip, skip)
            }
        };
        self.graph.chains.push(Chain { first, last, extent: last });
        SequenceId(self.graph.chains.len() - 1)
    }

    fn sequence(&mut self, sequence: &Sequence) -> SequenceId {
        self.open.push(Vec::new());
        for statement in sequence {
            self.statement(statement);
        }
        self.close()
    }

    /// What follows a block follows the last element inside it. Outer blocks come first, since an inner one may be last.
    fn link_blocks(&mut self) {
        let mut open = vec![self.graph.body];
        let mut seen = vec![false; self.graph.chains.len()];
        while let Some(sequence) = open.pop() {
            if std::mem::replace(&mut seen[sequence.0], true) {
                continue;
            }
            for element in self.along(sequence) {
                let Element { kind, next, escapes, .. } = self.graph.elements[element.0].clone();
                match kind {
                    ElementKind::Block(inner) => {
                        let last = self.graph.chains[inner.0].last;
                        self.graph.elements[last.0].next = next;
                        open.push(inner);
                    }
                    ElementKind::Selection(options) => open.extend(options),
                    ElementKind::Unless(inner) | ElementKind::DStep(inner) => open.push(inner),
                    _ => {}
                }
                open.extend(escapes);
            }
        }
    }

    /// Of several unlabelled `skip` in a row inside an option, SPIN keeps one, except in never claims.
    fn prune_skips(&mut self, option: SequenceId) {
        let Chain { last, .. } = self.graph.chains[option.0];
        let (mut before, mut run) = (None, 0);
        for at in self.along(option) {
            let element = &self.graph.elements[at.0];
            let prints = matches!(element.kind, ElementKind::Statement(Kind::Print(..)));
            let skips = prints || matches!(element.kind, ElementKind::Statement(Kind::Skip));
            run = if skips && element.labels.is_empty() { run + 1 } else { 0 };
            match before {
                Some(ElementId(before)) if run > 1 && !prints && at != last => {
                    self.graph.elements[before].next = element.next;
                }
                _ => before = Some(at),
            }
        }
    }

    /// A statement as a sequence of its own; a block is its sequence.
    fn as_sequence(&mut self, statement: &Statement) -> SequenceId {
        if let (Kind::Block(inner), true) = (&statement.kind, statement.labels.is_empty()) {
            return self.sequence(inner);
        }
        self.open.push(Vec::new());
        self.statement(statement);
        self.close()
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        let labelled = match &statement.kind {
            Kind::If(options) => self.selection(options, span, None),
            Kind::Do(options) => {
                let number = self.graph.loop_ends.len();
                self.graph.loop_ends.push(ElementId(usize::MAX));
                self.loops.push(number);
                self.selection(options, span, Some(number))
            }
            Kind::Unless(main, escape) => self.unless(statement, main, escape),
            kind => {
                let kind = self.simple(kind);
                let element = self.element(kind, span);
                self.mark_inside(element);
                self.before_labelled_goto(element, statement);
                self.append(element);
                element
            }
        };
        // The labels of a jump were moved to the skip before it.
        if self.graph.elements[labelled.0].labels.is_empty() && !self.took_labels(labelled, statement) {
            self.graph.elements[labelled.0].labels = statement.labels.clone();
        }
    }

    fn took_labels(&self, element: ElementId, statement: &Statement) -> bool {
        is_jump(&self.graph.elements[element.0].kind) && self.has_special_label(&statement.labels)
    }

    /// Whether it matters that a process is at one of the labels: they mean something, or a remote reference names them.
    fn has_special_label(&self, labels: &[Label]) -> bool {
        labels.iter().any(|label| is_special(label) || self.observed.contains(&label.name))
    }

    fn simple(&mut self, kind: &Kind) -> ElementKind {
        match kind {
            Kind::Goto(label) => ElementKind::Goto(label.clone()),
            Kind::Break => ElementKind::Break(self.loops.last().copied().unwrap_or_default()),
            Kind::Atomic(inner) => {
                let inner = self.sequence(inner);
                self.make_atomic(inner);
                ElementKind::Block(inner)
            }
            Kind::DStep(inner) => {
                let inner = self.sequence(inner);
                self.make_atomic(inner);
                ElementKind::DStep(inner)
            }
            Kind::Block(inner) => ElementKind::Block(self.sequence(inner)),
            other => ElementKind::Statement(other.clone()),
        }
    }

    /// A jump at which it matters to be is left by a step of its own.
    fn before_labelled_goto(&mut self, element: ElementId, statement: &Statement) {
        if is_jump(&self.graph.elements[element.0].kind) && self.has_special_label(&statement.labels) {
            let skip = self.element(ElementKind::Statement(Kind::Skip), statement.span);
            self.graph.elements[skip.0].labels = statement.labels.clone();
            self.append(skip);
        }
    }

    /// Says of the elements of a `d_step` that they are inside it.
    fn mark_inside(&mut self, d_step: ElementId) {
        let ElementKind::DStep(inner) = self.graph.elements[d_step.0].kind else { return };
        let span = self.graph.elements[d_step.0].span;
        let end = self.element(ElementKind::DStepEnd(d_step), span);
        self.graph.elements[end.0].atomic = true;
        for element in self.inside(inner) {
            let element = &mut self.graph.elements[element.0];
            element.d_step = Some(d_step);
            if let ElementKind::Unless(_) = element.kind {
                let message = "a d_step cannot contain unless";
                let help = "nothing interrupts a d_step once it has begun: put the escape around it, or write an if";
                self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, element.span, message).help(help));
            }
            // A d_step inside a d_step means nothing of its own.
            if let ElementKind::DStep(nested) = element.kind {
                element.kind = ElementKind::Block(nested);
            }
        }
        self.graph.elements[end.0].d_step = Some(d_step);
        let last = self.graph.chains[inner.0].last;
        self.graph.elements[last.0].next = Some(end);
    }

    /// All elements of a sequence, also those of nested ones.
    fn inside(&self, sequence: SequenceId) -> Vec<ElementId> {
        let (mut open, mut found) = (vec![sequence], Vec::new());
        while let Some(sequence) = open.pop() {
            for element in self.along(sequence) {
                found.push(element);
                match &self.graph.elements[element.0].kind {
                    ElementKind::Selection(options) => open.extend(options),
                    ElementKind::Unless(inner) | ElementKind::Block(inner) | ElementKind::DStep(inner) => {
                        open.push(*inner);
                    }
                    _ => {}
                }
                open.extend(&self.graph.elements[element.0].escapes);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The elements of a sequence itself.
    fn along(&self, sequence: SequenceId) -> Vec<ElementId> {
        let Chain { first, last, .. } = self.graph.chains[sequence.0];
        let mut found = vec![first];
        let mut at = first;
        while at != last {
            match self.graph.elements[at.0].next {
                Some(next) => at = next,
                None => break,
            }
            found.push(at);
        }
        found
    }

    fn selection(&mut self, options: &[Sequence], span: Span, number: Option<usize>) -> ElementId {
        let mut sequences: Vec<SequenceId> = options.iter().map(|option| self.sequence(option)).collect();
        if self.role == Role::Process {
            sequences.iter().for_each(|option| self.prune_skips(*option));
        }
        let (others, mut last): (Vec<_>, Vec<_>) =
            sequences.drain(..).partition(|sequence| !is_else(&self.graph, sequence));
        if last.len() > 1 {
            self.diagnostics.push(Diagnostic::error(codes::ELSE, span, "there are two else in this selection"));
        }
        sequences = others;
        sequences.append(&mut last);
        let element = self.element(ElementKind::Selection(sequences.clone()), span);
        let join = self.element(ElementKind::Join, span);
        for sequence in sequences {
            let chain = &mut self.graph.chains[sequence.0];
            let last = std::mem::replace(&mut chain.last, join);
            self.graph.elements[last.0].next = Some(join);
        }
        match number {
            Some(number) => {
                self.append(join);
                self.append(element);
                let end = self.element(ElementKind::LoopEnd, span);
                self.append(end);
                self.graph.loop_ends[number] = end;
                self.loops.pop();
            }
            None => {
                self.append(element);
                self.append(join);
            }
        }
        element
    }

    fn unless(&mut self, statement: &Statement, main: &Statement, escape: &Statement) -> ElementId {
        let span = statement.span;
        // A labelled block with an escape is a block around both, so that the label has a place of its own.
        if let (false, Kind::Block(inner) | Kind::Atomic(inner) | Kind::DStep(inner)) =
            (statement.labels.is_empty(), &main.kind)
        {
            if matches!(main.kind, Kind::DStep(_)) {
                let message = "a d_step with a label cannot have an escape";
                let help = "put the label on a skip before it";
                self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, span, message).help(help));
            }
            self.open.push(Vec::new());
            let main_sequence = self.sequence(inner);
            // Neither the block nor the escape is part of the atomic section.
            if matches!(main.kind, Kind::Atomic(_)) {
                self.make_atomic(main_sequence);
            }
            let escape_sequence = self.as_sequence(escape);
            self.interruptible(main_sequence, escape_sequence, span);
            let body = self.close();
            let block = self.element(ElementKind::Block(body), span);
            self.append(block);
            return block;
        }
        let main_sequence = self.as_sequence(main);
        let escape_sequence = self.as_sequence(escape);
        self.interruptible(main_sequence, escape_sequence, span)
    }

    fn interruptible(&mut self, main: SequenceId, escape: SequenceId, span: Span) -> ElementId {
        let element = self.element(ElementKind::Unless(main), span);
        let join = self.element(ElementKind::Join, span);
        for sequence in [main, escape] {
            let chain = &mut self.graph.chains[sequence.0];
            let last = std::mem::replace(&mut chain.last, join);
            self.graph.elements[last.0].next = Some(join);
        }
        self.attach(main, escape);
        self.append(element);
        self.append(join);
        element
    }

    /// Attaches an escape to everything that it can interrupt.
    fn attach(&mut self, main: SequenceId, escape: SequenceId) {
        let Chain { first, extent, .. } = self.graph.chains[main.0];
        let mut at = Some(first);
        while let Some(element) = at {
            self.attach_to(element, escape);
            at = self.graph.elements[element.0].next.filter(|_| element != extent);
        }
    }

    fn attach_to(&mut self, element: ElementId, escape: SequenceId) {
        if self.graph.elements[element.0].escapes.contains(&escape) {
            return;
        }
        for inner in self.graph.elements[element.0].escapes.clone() {
            self.attach(inner, escape);
        }
        self.graph.elements[element.0].escapes.insert(0, escape);
        match self.graph.elements[element.0].kind.clone() {
            ElementKind::Unless(inner) | ElementKind::Block(inner) => self.attach(inner, escape),
            ElementKind::Selection(options) => options.into_iter().for_each(|option| self.attach(option, escape)),
            ElementKind::DStep(inner) => self.attach_to(self.graph.chains[inner.0].first, escape),
            _ => {}
        }
    }

    /// Marks an atomic section: every statement but the last keeps control.
    fn make_atomic(&mut self, sequence: SequenceId) {
        self.walk_atomic(sequence);
        let last = self.graph.chains[sequence.0].last;
        match self.graph.elements[last.0].kind.clone() {
            ElementKind::Block(inner) | ElementKind::Unless(inner) => self.make_atomic(inner),
            _ => {
                self.graph.elements[last.0].atomic = false;
                self.graph.elements[last.0].last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, sequence: SequenceId) {
        for element in self.along(sequence) {
            self.graph.elements[element.0].atomic = true;
            match self.graph.elements[element.0].kind.clone() {
                ElementKind::Block(inner) | ElementKind::Unless(inner) => self.walk_atomic(inner),
                ElementKind::Selection(options) => options.into_iter().for_each(|option| self.walk_atomic(option)),
                _ => {}
            }
            for escape in self.graph.elements[element.0].escapes.clone() {
                if !self.graph.elements[self.graph.chains[escape.0].first.0].atomic {
                    self.walk_atomic(escape);
                }
            }
        }
    }
}

/// Whether a sequence begins with an `else`.
fn is_else(graph: &Graph, sequence: &SequenceId) -> bool {
    let first = graph.chains[sequence.0].first;
    matches!(graph.elements[first.0].kind, ElementKind::Statement(Kind::Else))
}

/// Whether a label has a meaning of its own.
fn is_special(label: &Label) -> bool {
    ["accept", "end", "progress"].iter().any(|word| label.name.starts_with(word))
}

fn is_jump(kind: &ElementKind) -> bool {
    matches!(kind, ElementKind::Goto(_) | ElementKind::Break(_))
}
