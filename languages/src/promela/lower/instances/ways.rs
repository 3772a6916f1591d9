//! What init creates whatever it chooses: where all its ways create the same processes, its choices do not matter.
//!
//! Init is followed along every way, with the values that are known on it. Ways that come to the same place with the same
//! values and the same creations are one.

use super::super::program::Program;
use super::known::Known;
use super::runs::lead_to_runs;
use super::walk::{Created, LONGEST_WALK, creation};
use crate::promela::flow::{Choice, Edge, Entry, Point};
use crate::promela::ids::ProctypeId;
use crate::promela::room::MOST;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Where init can come to.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Stage<'p> {
    /// The control point; none when init is gone.
    at: Option<usize>,
    known: Known<'p>,
    /// The atomic section that init is in: how many processes were created when it began.
    section: Option<usize>,
    created: Rc<Vec<Created>>,
}

/// What init creates, if all its ways create the same processes in the same order, as far as they come.
pub fn created_on_all(program: &Program<'_>, init: ProctypeId) -> Option<Vec<Created>> {
    let still_runs = lead_to_runs(program, init);
    let start = Stage { at: Some(0), known: Known::at_start(program, init), section: None, created: Rc::default() };
    let mut open = vec![start];
    let mut seen: FxHashSet<Stage<'_>> = FxHashSet::default();
    let mut most: Vec<Created> = Vec::new();
    while let Some(stage) = open.pop() {
        match stage.at.filter(|at| still_runs[*at]) {
            None => most = longer(most, stage.created.to_vec())?,
            Some(at) if seen.insert(stage.clone()) => open.extend(stage.next(program, &program.points(init)[at])),
            Some(_) => {}
        }
        if seen.len() > LONGEST_WALK || open.last().is_some_and(|stage| stage.created.len() > MOST as usize) {
            return None;
        }
    }
    Some(most)
}

/// The longer one of two lists, if the other one is its beginning.
fn longer(one: Vec<Created>, other: Vec<Created>) -> Option<Vec<Created>> {
    let (long, short) = if one.len() < other.len() { (other, one) } else { (one, other) };
    long.starts_with(&short).then_some(long)
}

impl<'p> Stage<'p> {
    /// Where init can be after its next step.
    fn next(&self, program: &'p Program<'p>, point: &'p Point) -> Vec<Stage<'p>> {
        let (steps, waits) = self.steps(point);
        steps.into_iter().map(|edge| self.after(program, edge, waits)).collect()
    }

    /// The steps that may be possible, and whether init may have to wait for one.
    fn steps(&self, point: &'p Point) -> (Vec<&'p Edge>, Waits) {
        let mut steps = Vec::new();
        let mut waits = Waits::Perhaps;
        for choice in point.escapes.iter().flatten().chain(&point.choices) {
            match choice {
                Choice::Free(edge) => {
                    let possible = self.known.allows_beside(edge, waits == Waits::Never);
                    steps.extend(Some(edge).filter(|_| possible != Some(false)));
                    waits = waits.unless(possible == Some(true));
                }
                Choice::First(entry, edges) => {
                    steps.extend(edges.iter().filter(|edge| self.known.allows(edge) != Some(false)));
                    let is_sure = edges.iter().any(|edge| self.known.allows(edge) == Some(true));
                    waits = waits.unless(is_sure && matches!(entry, Entry::Possible));
                }
            }
        }
        (steps, waits)
    }

    /// Where init is after a step. Where it may have to wait, others can move in between, also inside an atomic section.
    fn after(&self, program: &'p Program<'p>, edge: &'p Edge, waits: Waits) -> Stage<'p> {
        let mut stage = Stage { at: edge.target.point(), ..self.clone() };
        if waits == Waits::Perhaps {
            stage.section = None;
        }
        if edge.keeps_control {
            stage.section = stage.section.or(Some(self.created.len()));
        }
        if let Some(created) = creation(program, &self.known, edge, stage.section) {
            Rc::make_mut(&mut stage.created).push(created);
        }
        if !edge.keeps_control {
            stage.section = None;
        }
        stage.known.follow(edge);
        stage
    }
}

/// Whether a process may have to wait at a control point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    Never,
    Perhaps,
}

impl Waits {
    fn unless(self, is_sure: bool) -> Waits {
        if is_sure { Waits::Never } else { self }
    }
}
