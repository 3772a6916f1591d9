//! What a process creates whatever it chooses.
//!
//! It is followed along every way, with the values that are known on it. Ways that come to the same place with the same
//! values and as many creations are one: which processes it creates first, second and so on is noted aside.

use super::super::program::Program;
use super::known::Known;
use super::runs::lead_to_runs;
use super::walk::{Created, LONGEST_WALK, creation};
use crate::promela::flow::{Choice, Edge, Entry, Point};
use crate::promela::ids::ProctypeId;
use crate::promela::room::MOST;
use rustc_hash::FxHashSet;

/// What a process creates first, second and so on. Each may be one of several.
pub type Offspring = Vec<Vec<Created>>;

/// Where a process can come to.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Stage<'p> {
    /// The control point; none when the process is gone.
    at: Option<usize>,
    known: Known<'p>,
    /// The atomic section that it is in: how many processes were created when that began.
    section: Option<usize>,
    /// How many processes it has created.
    created: usize,
}

/// What init creates, if all its ways create the same processes in the same order, as far as they come.
pub fn created_on_all(program: &Program<'_>, init: ProctypeId) -> Option<Vec<Created>> {
    let offspring = offspring(program, Known::at_start(program, init), init)?;
    offspring.into_iter().map(only).collect()
}

/// The only process that one of some may be, whatever its arguments are.
fn only(mut one_of: Vec<Created>) -> Option<Created> {
    one_of.iter_mut().for_each(|created| created.arguments.clear());
    let first = one_of.pop()?;
    one_of.iter().all(|other| *other == first).then_some(first)
}

/// What a process of a proctype creates, if that has an end, given what is known when it begins.
pub fn offspring<'p>(program: &'p Program<'p>, known: Known<'p>, proctype: ProctypeId) -> Option<Offspring> {
    let still_runs = lead_to_runs(program, proctype);
    let mut open = vec![Stage { at: Some(0), known, section: None, created: 0 }];
    let mut seen: FxHashSet<Stage<'_>> = FxHashSet::default();
    let mut offspring = Offspring::new();
    while let Some(stage) = open.pop() {
        let Some(at) = stage.at.filter(|at| still_runs[*at]) else { continue };
        if !seen.insert(stage.clone()) {
            continue;
        }
        if seen.len() > LONGEST_WALK || stage.created > MOST as usize {
            return None;
        }
        open.extend(stage.next(program, &program.points(proctype)[at], &mut offspring));
    }
    Some(offspring)
}

impl<'p> Stage<'p> {
    /// Where the process can be after its next step. What that creates is noted.
    fn next(&self, program: &'p Program<'p>, point: &'p Point, offspring: &mut Offspring) -> Vec<Stage<'p>> {
        let (steps, waits) = self.steps(point);
        steps.into_iter().map(|edge| self.after(program, edge, waits, offspring)).collect()
    }

    /// The steps that may be possible, and whether the process may have to wait for one.
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

    /// Where the process is after a step. Where it may have to wait, others can move in between, also inside an atomic section.
    fn after(&self, program: &'p Program<'p>, edge: &'p Edge, waits: Waits, offspring: &mut Offspring) -> Stage<'p> {
        let mut stage = Stage { at: edge.target.point(), ..self.clone() };
        if waits == Waits::Perhaps {
            stage.section = None;
        }
        if edge.keeps_control {
            stage.section = stage.section.or(Some(self.created));
        }
        if let Some(created) = creation(program, &self.known, edge, stage.section) {
            note(offspring, self.created, created);
            stage.created += 1;
        }
        if !edge.keeps_control {
            stage.section = None;
        }
        stage.known.follow(edge);
        stage
    }
}

/// Notes what a process may create after so many others.
fn note(offspring: &mut Offspring, after: usize, created: Created) {
    offspring.resize(offspring.len().max(after + 1), Vec::new());
    if !offspring[after].contains(&created) {
        offspring[after].push(created);
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
