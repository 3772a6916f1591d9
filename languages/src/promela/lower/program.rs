//! The program: the syntax tree with the control flow of its proctypes.

use super::{hidden, otherwise};
use crate::diagnostic::Diagnostics;
use crate::promela::ast::{Ast, Creation, Mtype, Root};
use crate::promela::flow::{Automaton, Edge, Point, Role, automaton};
use crate::promela::ids::ProctypeId;
use crate::source::Source;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use system::IndexVec;

/// A model, as far as it is read without asking which processes there are.
pub struct Program<'a> {
    pub ast: &'a Ast,
    pub source: &'a Source,
    /// The control flow of each proctype.
    pub automata: IndexVec<ProctypeId, Automaton>,
    /// For each proctype, how many statements SPIN numbers before its own.
    pub numbered_before: IndexVec<ProctypeId, usize>,
    /// The global variables that are hidden and whose values do not matter, by number: they are not represented.
    ignored: FxHashSet<usize>,
    /// The names of the constants of each mtype, the first one being 1.
    mtype_names: Vec<Arc<[String]>>,
}

/// Follows the control flow of the model.
pub fn read<'a>(ast: &'a Ast, source: &'a Source, diagnostics: &mut Diagnostics) -> Option<Program<'a>> {
    let automata: IndexVec<ProctypeId, Automaton> = (ast.proctypes.iter())
        .map(|proctype| automaton(proctype, Role::Process, &ast.observed_labels(&proctype.name), diagnostics))
        .collect();
    let watching = watching(ast, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    otherwise::check_else(ast, diagnostics);
    let ignored = hidden::irrelevant(ast, diagnostics)?;
    let numbered_before = automata.indices().map(|proctype| numbered_before(proctype, &automata, &watching)).collect();
    let mtype_names = ast.mtypes.iter().map(names).collect();
    Some(Program { ast, source, automata, numbered_before, ignored, mtype_names })
}

fn names(mtype: &Mtype) -> Arc<[String]> {
    mtype.constants.iter().map(|name| name.to_string()).collect()
}

/// A claim or trace assertion, as SPIN numbers statements.
struct Watching {
    /// How many proctypes come before it.
    earlier: usize,
    /// How many statements SPIN numbers in it.
    numbered: usize,
}

fn watching(ast: &Ast, diagnostics: &mut Diagnostics) -> Vec<Watching> {
    let claims = ast.claims.iter().map(|claim| (claim, Role::Claim));
    let trace = ast.trace.iter().map(|assertion| (&assertion.body, Role::Process));
    let mut watching = Vec::new();
    for (body, role) in claims.chain(trace) {
        let numbered = automaton(body, role, &FxHashSet::default(), diagnostics).numbered;
        watching.push(Watching { earlier: body.earlier, numbered });
    }
    watching
}

fn numbered_before(proctype: ProctypeId, automata: &IndexVec<ProctypeId, Automaton>, watching: &[Watching]) -> usize {
    let watching = watching.iter().filter(|body| body.earlier <= proctype.index()).map(|body| body.numbered);
    automata[..proctype].iter().map(|automaton| automaton.numbered).chain(watching).sum()
}

impl Program<'_> {
    /// Whether a variable is not represented.
    pub fn is_ignored(&self, root: Root) -> bool {
        matches!(root, Root::Global(global) if self.ignored.contains(&global))
    }

    /// The names of the constants of an mtype.
    pub fn mtype_names(&self, mtype: usize) -> &Arc<[String]> {
        &self.mtype_names[mtype]
    }

    /// The places where the processes of a proctype rest.
    pub fn points(&self, proctype: ProctypeId) -> &[Point] {
        &self.automata[proctype].points
    }

    /// All steps of a proctype, each with the number of the control point where it starts.
    pub fn edges(&self, proctype: ProctypeId) -> impl Iterator<Item = (usize, &Edge)> {
        let points = self.points(proctype).iter().enumerate();
        points.flat_map(|(from, point)| point.edges().map(move |edge| (from, edge)))
    }

    /// The proctype that a `run` creates.
    pub fn created(&self, creation: &Creation) -> Option<ProctypeId> {
        self.ast.proctype(&creation.name)
    }
}
