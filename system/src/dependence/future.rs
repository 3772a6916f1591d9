//! Where processes can still come to.
//!
//! A process moves from control point to control point by its own commands, as the partner of others, or where a command
//! writes its program counter. What it did at points to which it cannot come back, it will not do again.

use super::liveness::destination;
use crate::definition::ids::{CommandId, PointId, ProcessId, VarId};
use crate::definition::system::{Motion, System};
use crate::execution::state::Layout;
use index_vec::IndexVec;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Of processes with more control points than this, nothing is known.
const MOST_POINTS: usize = 1_000;

/// For each control point of a process, the points to which it can come.
type Reach = IndexVec<PointId, FxHashSet<PointId>>;

/// Where each process can come to; nothing where that is not known.
#[derive(Clone, Debug)]
pub struct Futures(IndexVec<ProcessId, Option<Reach>>);

/// A process that has some commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commander {
    pub process: ProcessId,
    /// The program counter, and for each of its values whether the process can still come to one of the commands; nothing where
    /// that is not known.
    coming: Option<(VarId, Box<[bool]>)>,
}

impl Commander {
    /// Whether the process can still come to one of the commands.
    pub fn may_come(&self, layout: &Layout, state: &[u64]) -> bool {
        let Some((pc, coming)) = &self.coming else { return true };
        let at = layout.index(state, *pc).and_then(|at| coming.get(at as usize).copied());
        at.unwrap_or(true)
    }
}

impl Futures {
    pub fn new(system: &System) -> Futures {
        Futures(system.processes.indices().map(|process| reach(system, process)).collect())
    }

    /// The processes that have some commands.
    pub fn commanders(&self, system: &System, commands: impl Iterator<Item = CommandId>) -> Vec<Commander> {
        let mut starts: BTreeMap<ProcessId, Vec<Option<PointId>>> = BTreeMap::new();
        for command in commands {
            let owner = system.commands[command].owner;
            starts.entry(owner.process).or_default().push(owner.from);
        }
        let mut commanders = Vec::new();
        for (process, starts) in starts {
            let starts: Option<Vec<PointId>> = starts.into_iter().collect();
            let coming = starts.and_then(|starts| self.coming(system, process, &starts));
            commanders.push(Commander { process, coming });
        }
        commanders
    }

    /// For each value of the program counter, whether the process can come to one of some control points.
    fn coming(&self, system: &System, process: ProcessId, starts: &[PointId]) -> Option<(VarId, Box<[bool]>)> {
        let reach = self.0[process].as_ref()?;
        let pc = system.processes[process].pc?;
        let domain = &system.variables[pc].domain;
        let mut coming = vec![true; usize::try_from(domain.size()).ok()?];
        for (point, info) in system.processes[process].points.iter_enumerated() {
            let at = domain.index_of(info.value?);
            coming[at as usize] = starts.iter().any(|start| reach[point].contains(start));
        }
        Some((pc, coming.into()))
    }
}

/// Where a process can come to from each of its control points, itself included.
fn reach(system: &System, process: ProcessId) -> Option<Reach> {
    let points = Some(&system.processes[process].points).filter(|points| points.len() <= MOST_POINTS)?;
    let edges = edges(system, process)?;
    Some(points.indices().map(|start| reach_from(&edges, start)).collect())
}

fn reach_from(edges: &IndexVec<PointId, FxHashSet<PointId>>, start: PointId) -> FxHashSet<PointId> {
    let mut seen = FxHashSet::from_iter([start]);
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        open.extend(edges[at].iter().copied().filter(|next| seen.insert(*next)));
    }
    seen
}

/// Where a process can be after a step, for each control point; nothing if some step leads anywhere.
fn edges(system: &System, process: ProcessId) -> Option<IndexVec<PointId, FxHashSet<PointId>>> {
    let points = &system.processes[process].points;
    let pc = system.processes[process].pc.filter(|pc| system.variables[*pc].motion == Motion::Kept)?;
    let mut edges: IndexVec<PointId, FxHashSet<PointId>> = points.iter().map(|_| FxHashSet::default()).collect();
    for command in &system.commands {
        for part in command.parts().filter(|part| part.process == process) {
            let (from, to) = (part.from?, part.to?);
            edges[from].insert(to);
        }
        for update in command.updates.iter().filter(|update| update.place.variables().any(|var| var == pc)) {
            let to = destination(system, process, update)?;
            for goals in &mut edges {
                goals.insert(to);
            }
        }
    }
    Some(edges)
}
