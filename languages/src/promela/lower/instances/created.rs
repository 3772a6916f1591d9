//! Where processes can be that are created while the model runs.

use super::super::program::Program;
use super::Seat;
use super::runs::{Often, children, creates, is_mortal, runs};
use super::started::Started;
use super::walk::Walk;
use crate::promela::ids::ProctypeId;
use crate::promela::room::{MOST, Room};
use std::collections::{BTreeMap, BTreeSet};

/// The places of the created processes, and the room that there is then.
pub fn seats(program: &Program<'_>, walk: &Walk, started: &Started, room: Room) -> (BTreeSet<Seat>, Room) {
    let all_runs = program.automata.indices().flat_map(|proctype| runs(program, proctype));
    let types: BTreeSet<ProctypeId> = all_runs.filter_map(|run| program.created(run.creation)).collect();
    let (bound, room) = match bound(program, walk) {
        Some(bound) => (bound, room),
        None => spare(walk, started, room, types.len()),
    };
    let lowest = started.first(|proctype| creates(program, proctype)).unwrap_or(MOST) + 1;
    // A pid below the number of started processes is free only after the processes from there on have died.
    let pids = (lowest..(started.count() + bound).min(MOST))
        .filter(|pid| *pid >= started.count() || can_die_from(program, started, *pid));
    (pids.flat_map(|pid| types.iter().map(move |proctype| (pid, *proctype))).collect(), room)
}

/// How many processes there is room for where their number is not known.
fn spare(walk: &Walk, started: &Started, room: Room, types: usize) -> (u32, Room) {
    let spare = room.spare(types);
    let bound = spare + walk.created.len() as u32;
    let room = if started.count() + bound < MOST { Room::Spare(spare) } else { Room::Most };
    (bound, room)
}

/// Whether every started process from a pid on can come to its end.
fn can_die_from(program: &Program<'_>, started: &Started, from: u32) -> bool {
    started.seats().filter(|(pid, _)| *pid >= from).all(|(_, proctype)| is_mortal(program, proctype))
}

/// How many processes can be created at most, if that can be told.
fn bound(program: &Program<'_>, walk: &Walk) -> Option<u32> {
    let count = program.ast.proctypes.len();
    let mut total: u64 = walk.created.len() as u64;
    let mut open = counted(program, walk);
    let mut rounds = 0;
    while let Some((number, instances)) = open.pop() {
        rounds += 1;
        if rounds > count * count + 100 {
            return None;
        }
        for (child, often) in children(program, number) {
            if often == Often::AnyNumber {
                return None;
            }
            total += instances;
            open.push((child, instances));
        }
        if total > u64::from(MOST) {
            return None;
        }
    }
    Some(total as u32)
}

/// How many instances there are whose own runs are still to be counted, by proctype.
fn counted(program: &Program<'_>, walk: &Walk) -> Vec<(ProctypeId, u64)> {
    let init = program.ast.init();
    let proctypes = program.ast.proctypes.iter_enumerated();
    let active = proctypes.filter(|(id, proctype)| Some(*id) != init && proctype.active > 0);
    let mut counted: Vec<(ProctypeId, u64)> = active.map(|(id, proctype)| (id, proctype.active.into())).collect();
    let mut created: BTreeMap<ProctypeId, u64> = BTreeMap::new();
    walk.created.iter().for_each(|this| *created.entry(this.proctype).or_default() += 1);
    counted.extend(created);
    counted.extend(walk.rest.map(|rest| (rest, 1)));
    counted
}
