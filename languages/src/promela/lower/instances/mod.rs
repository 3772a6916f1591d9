//! Instances: which proctypes can run at which pids.
//!
//! Active proctypes and init have their pids from the beginning. What init runs before anything else can interfere is
//! found by following it, along all its ways where it chooses. Where others create processes, too, each of them is followed, and who can be created before whom says
//! where each can be. Where that has no end, there is some room, and a run that needs more reaches a limit.

mod created;
mod known;
mod lineage;
mod placed;
mod runs;
mod started;
mod walk;
mod ways;

use super::program::Program;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::promela::ast::ExprRef;
use crate::promela::codes;
use crate::promela::ids::{InstanceId, ProctypeId};
use crate::promela::room::{MOST, Room};
use placed::Creature;
use started::Started;
use std::collections::BTreeSet;
use system::{IndexVec, Span};

/// A process of the system: a proctype at a pid.
#[derive(Clone, Debug)]
pub struct Instance {
    pub pid: u32,
    pub proctype: ProctypeId,
    pub beginning: Beginning,
    pub name: String,
}

/// When a process begins to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// It runs from the beginning.
    Active,
    /// A `run` creates it.
    Created,
}

/// The processes of the system, by pid and proctype.
#[derive(Debug)]
pub struct Instances {
    pub all: IndexVec<InstanceId, Instance>,
    /// What is created, if that is known.
    creatures: Vec<Creature>,
    /// For how many processes there is room.
    pub room: Room,
}

/// A place where a process can run.
type Seat = (u32, ProctypeId);

/// A process that a `run` can create.
pub struct Child<'a> {
    pub instance: InstanceId,
    /// For each argument that is an element of an array, which one, if that is known.
    elements: &'a [Option<u32>],
}

impl Child<'_> {
    /// Which element of an array an argument is, if that is known.
    pub fn element(&self, argument: usize) -> Option<u32> {
        self.elements.get(argument).copied().flatten()
    }
}

/// Finds the instances.
pub fn infer(program: &Program<'_>, room: Room, diagnostics: &mut Diagnostics) -> Option<Instances> {
    let started = Started::of(program.ast);
    if started.count() == 0 {
        let message = "no process runs: there is no init and no active proctype";
        return wrong(diagnostics, Diagnostic::error(codes::NO_PROCESS, first_span(program), message));
    }
    runs::check(program, diagnostics)?;
    if started.count() > MOST {
        let message = "more than 255 processes are active, the most that SPIN has";
        return wrong(diagnostics, Diagnostic::error(codes::PROCESSES, first_span(program), message));
    }
    let walk = walk::follow_init(program);
    let mut creatures = placed::creatures(program, &walk, &started);
    if creatures.is_empty() {
        creatures = lineage::creatures(program, &started).unwrap_or_default();
    }
    let (mut seats, room) = match creatures.is_empty() {
        true => created::seats(program, &walk, &started, room),
        false => (placed::seats(&creatures), room),
    };
    seats.extend(started.seats());
    let all = numbered(program, &started, seats);
    Some(Instances { all, creatures, room })
}

/// The instances in the order of their pids. What init creates beyond the limit is found out when the model runs.
fn numbered(program: &Program<'_>, started: &Started, seats: BTreeSet<Seat>) -> IndexVec<InstanceId, Instance> {
    let seats = seats.into_iter().filter(|(pid, _)| *pid < MOST);
    let instances = seats.map(|(pid, proctype)| {
        let plain = program.ast.proctypes[proctype].name.trim_matches(':');
        let beginning = if started.at(pid) == Some(proctype) { Beginning::Active } else { Beginning::Created };
        Instance { pid, proctype, beginning, name: format!("{plain}_{pid}") }
    });
    instances.collect()
}

fn first_span(program: &Program<'_>) -> Span {
    program.ast.proctypes.first().map(|proctype| proctype.span).unwrap_or_default()
}

fn wrong<T>(diagnostics: &mut Diagnostics, diagnostic: Diagnostic) -> Option<T> {
    diagnostics.push(diagnostic);
    None
}

impl Instances {
    /// The processes that a `run` of another process can create.
    pub fn children(&self, creator: InstanceId, by: ExprRef, proctype: ProctypeId) -> Vec<Child<'_>> {
        let pid = self.all[creator].pid;
        let instances = self.all.iter_enumerated().filter(|(_, other)| other.proctype == proctype && other.pid > pid);
        let possible = instances.map(|(index, _)| index);
        let known: Vec<&Creature> = self.creatures.iter().filter(|creature| creature.by == by).collect();
        if known.is_empty() {
            return possible.map(|instance| Child { instance, elements: &[] }).collect();
        }
        let mut children = Vec::new();
        for instance in possible {
            let here = known.iter().filter(|creature| creature.pids.contains(&self.all[instance].pid));
            children.extend(here.map(|creature| Child { instance, elements: &creature.elements }));
        }
        children
    }
}
