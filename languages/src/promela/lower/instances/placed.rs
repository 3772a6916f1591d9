//! What init creates where nothing else creates anything: the pid of each is known as far as the processes before it cannot
//! have died.

use super::super::program::Program;
use super::Seat;
use super::runs::{creates, is_mortal};
use super::started::Started;
use super::walk::{Created, Walk};
use crate::promela::ast::ExprRef;
use crate::promela::ids::ProctypeId;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A process that can be created, and where.
#[derive(Clone, Debug)]
pub struct Creature {
    /// The statement's expression with the `run`.
    pub by: ExprRef,
    pub proctype: ProctypeId,
    pub pids: RangeInclusive<u32>,
    /// For each argument that is an element of an array, which one, if that is known.
    pub elements: Vec<Option<u32>>,
}

/// What init creates, if nothing else is created.
pub fn creatures(program: &Program<'_>, walk: &Walk, started: &Started) -> Vec<Creature> {
    let init = program.ast.init();
    let others_run = program.automata.indices().any(|number| Some(number) != init && creates(program, number));
    if walk.rest.is_some() || others_run {
        return Vec::new();
    }
    let lows = lowest_pids(program, &walk.created, started);
    let placed = walk.created.iter().zip(lows).enumerate();
    let creatures = placed.map(|(order, (created, low))| {
        let Created { proctype, by, elements, .. } = created;
        let pids = low..=started.count() + order as u32;
        Creature { by: *by, proctype: *proctype, pids, elements: elements.clone() }
    });
    creatures.collect()
}

/// Where creatures can be.
pub fn seats(creatures: &[Creature]) -> BTreeSet<Seat> {
    let creatures = creatures.iter();
    creatures.flat_map(|creature| creature.pids.clone().map(|pid| (pid, creature.proctype))).collect()
}

/// The lowest pid that each can have.
fn lowest_pids(program: &Program<'_>, created: &[Created], started: &Started) -> Vec<u32> {
    let init = program.ast.init();
    let init_pid = started.first(|proctype| Some(proctype) == init).unwrap_or_default();
    // What started and is sure to live while init goes on keeps its place.
    let mut seats = started.seats().rev();
    let living = seats.find(|(pid, proctype)| *pid <= init_pid || !is_mortal(program, *proctype));
    let base = living.map_or(0, |(last, _)| last + 1);
    let mut lows: Vec<u32> = Vec::new();
    for (order, this) in created.iter().enumerate() {
        let earlier = created[..order].iter().zip(&lows);
        let sure = earlier.filter(|(other, _)| outlives(program, other, this));
        let low = sure.map(|(_, low)| low + 1).max().unwrap_or(0).max(base);
        lows.push(low);
    }
    lows
}

/// Whether a process is sure to be there when a later one is created. One of a higher priority interrupts an atomic
/// section.
pub fn outlives(program: &Program<'_>, this: &Created, later: &Created) -> bool {
    let same_section = this.section.is_some() && this.section == later.section;
    same_section && program.ast.priorities.is_none() || !is_mortal(program, this.proctype)
}
