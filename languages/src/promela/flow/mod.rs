//! Control flow: where a process can rest, and what it can do there.
//!
//! How many states a model has depends on where processes rest between steps: behind a block, at the end of an atomic
//! section, before a `goto`. The elements and the rules by which a step skips some of them follow SPIN (its `flow.c` and
//! the tables of `pan`), so that the control points here are the states of SPIN's automata.

mod build;
mod entry;
mod points;

use super::ast::{Kind, Name, Proctype};
use crate::diagnostic::Diagnostics;
use rustc_hash::{FxHashMap, FxHashSet};
use system::Span;

pub use points::Target;

/// What one edge does.
#[derive(Clone, Debug)]
pub enum Action {
    /// A statement.
    Statement(Kind),
    /// Nothing: a jump or the end of a selection that is a step of its own.
    Skip,
    /// The process goes away.
    Die,
}

/// A step that a process can make at a control point.
#[derive(Clone, Debug)]
pub struct Edge {
    /// What it does.
    pub action: Action,
    /// Where it leads.
    pub target: Target,
    /// Whether the process keeps control.
    pub keeps_control: bool,
    /// The number of its statement in SPIN's trails, counted within the proctype; none inside a `d_step`, which is one
    /// step there.
    pub number: Option<usize>,
    /// Where the statement is.
    pub span: Span,
}

/// Steps of which one is chosen. An `else` is possible if nothing is that the process tries before it.
#[derive(Clone, Debug)]
pub enum Choice {
    /// Any that is possible.
    Free(Edge),
    /// The first that is possible, where the `d_step` that they belong to can begin.
    First(Entry, Vec<Edge>),
}

/// When a `d_step` can begin.
#[derive(Clone, Debug)]
pub enum Entry {
    /// When one of its first statements is possible.
    Possible,
    /// When nothing is possible that the process tries before it: it begins with an `else`.
    Otherwise,
    /// When one of these statements is possible, or always if there are none. SPIN does not look at every option.
    Guards(Vec<Edge>),
}

/// A place where a process can rest.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name for people: a label, or a line.
    pub labels: Vec<Name>,
    /// Where it is.
    pub span: Span,
    /// How SPIN numbers it within the proctype: `pc_value` has this value.
    pub state: usize,
    /// Whether the process may stay here for ever.
    pub end: bool,
    /// Whether it is inside a `d_step`: no other process ever sees it, and blocking is an error.
    pub inside_d_step: bool,
    /// Escapes: while one of a group is possible, later groups and the choices are not.
    pub escapes: Vec<Vec<Choice>>,
    /// What the process can do.
    pub choices: Vec<Choice>,
}

/// The control flow of a proctype.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The control points, the first one initial.
    pub points: Vec<Point>,
    /// The control points with labels, by name; none where no process ever rests.
    pub labelled: FxHashMap<Name, Option<usize>>,
    /// How many statements SPIN numbers.
    pub numbered: usize,
}

/// What statements are the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A process, or something that is laid out like one.
    Process,
    /// A never claim.
    Claim,
}

/// Builds the automaton of a proctype. `observed` are the labels that remote references name.
pub fn automaton(
    proctype: &Proctype,
    role: Role,
    observed: &FxHashSet<Name>,
    diagnostics: &mut Diagnostics,
) -> Automaton {
    let graph = build::build(proctype, role, observed, diagnostics);
    if diagnostics.is_rejected() {
        return Automaton { points: Vec::new(), labelled: FxHashMap::default(), numbered: 0 };
    }
    points::points(graph, diagnostics)
}

impl Point {
    /// All steps, escapes first.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.escapes.iter().flatten().chain(&self.choices).flat_map(|choice| match choice {
            Choice::Free(edge) => std::slice::from_ref(edge),
            Choice::First(_, edges) => edges.as_slice(),
        })
    }
}
