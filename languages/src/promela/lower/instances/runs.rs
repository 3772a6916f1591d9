//! The runs of a proctype: what its processes create, and how often.

use super::super::program::Program;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::promela::ast::{Creation, ExprRef, Kind};
use crate::promela::codes;
use crate::promela::flow::{Action, Edge, Target};
use crate::promela::ids::ProctypeId;
use crate::suggest::did_you_mean;

/// A statement with a `run`.
pub struct Run<'p> {
    /// The control point before it.
    pub from: usize,
    pub edge: &'p Edge,
    pub creation: &'p Creation,
}

/// The `run` of a step, with the expression of the statement that it is part of.
pub fn run_of<'p>(program: &'p Program<'_>, edge: &Edge) -> Option<(ExprRef, &'p Creation)> {
    match &edge.action {
        Action::Statement(Kind::Assign(_, value) | Kind::Condition(value)) => {
            program.ast.run_within(*value).map(|creation| (*value, creation))
        }
        _ => None,
    }
}

/// The runs of a proctype.
pub fn runs<'p>(program: &'p Program<'_>, proctype: ProctypeId) -> impl Iterator<Item = Run<'p>> {
    let edges = program.edges(proctype);
    edges.filter_map(|(from, edge)| run_of(program, edge).map(|(_, creation)| Run { from, edge, creation }))
}

/// Whether a proctype runs others.
pub fn creates(program: &Program<'_>, proctype: ProctypeId) -> bool {
    runs(program, proctype).next().is_some()
}

/// Every run names a proctype and has the right number of arguments.
pub fn check(program: &Program<'_>, diagnostics: &mut Diagnostics) -> Option<()> {
    for run in program.automata.indices().flat_map(|proctype| runs(program, proctype)) {
        if let Some(diagnostic) = mistake(program, &run) {
            diagnostics.push(diagnostic);
            return None;
        }
    }
    Some(())
}

fn mistake(program: &Program<'_>, Run { edge, creation, .. }: &Run<'_>) -> Option<Diagnostic> {
    let Creation { name, arguments, .. } = creation;
    let Some(proctype) = program.created(creation) else {
        let mut diagnostic = Diagnostic::error(codes::UNDEFINED, edge.span, format!("there is no proctype {name}"));
        let known = program.ast.proctypes.iter().map(|proctype| &*proctype.name);
        diagnostic.help = did_you_mean(name, known.filter(|known| !known.starts_with(':')));
        return Some(diagnostic);
    };
    let (wanted, given) = (program.ast.proctypes[proctype].parameters, arguments.len());
    let message = format!("{name} has {wanted} parameters, but here are {given} arguments");
    (wanted != given).then(|| Diagnostic::error(codes::ARGUMENT_COUNT, edge.span, message))
}

/// How often a statement runs in one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Often {
    AtMostOnce,
    AnyNumber,
}

/// What the processes of a proctype run, and how often each of those statements can be reached.
pub fn children(program: &Program<'_>, proctype: ProctypeId) -> Vec<(ProctypeId, Often)> {
    let mut children = Vec::new();
    for Run { from, edge, creation } in runs(program, proctype) {
        let Some(child) = program.created(creation) else { continue };
        let comes_back = match edge.target {
            Target::Point(to) => reaches(program, proctype, to, from),
            Target::Gone => false,
        };
        children.push((child, if comes_back { Often::AnyNumber } else { Often::AtMostOnce }));
    }
    children
}

/// Whether a process of a proctype can come from one control point to another.
pub fn reaches(program: &Program<'_>, proctype: ProctypeId, from: usize, to: usize) -> bool {
    let points = program.points(proctype);
    let mut seen = vec![false; points.len()];
    let mut open = vec![from];
    while let Some(point) = open.pop() {
        if point == to {
            return true;
        }
        if !std::mem::replace(&mut seen[point], true) {
            open.extend(points[point].edges().filter_map(|edge| edge.target.point()));
        }
    }
    false
}

/// For each control point of a proctype, whether a process can come from there to a `run`.
pub fn lead_to_runs(program: &Program<'_>, proctype: ProctypeId) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = program.points(proctype).iter().map(|_| Vec::new()).collect();
    for (from, edge) in program.edges(proctype) {
        edge.target.point().into_iter().for_each(|to| before[to].push(from));
    }
    let mut leads = vec![false; before.len()];
    let mut open: Vec<usize> = runs(program, proctype).map(|run| run.from).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut leads[at], true) {
            open.extend(&before[at]);
        }
    }
    leads
}

/// Whether the processes of a proctype can come to their end.
pub fn is_mortal(program: &Program<'_>, proctype: ProctypeId) -> bool {
    program.edges(proctype).any(|(_, edge)| matches!(edge.action, Action::Die))
}
