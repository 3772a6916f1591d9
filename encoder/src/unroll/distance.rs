//! No process is further than the steps allow: Σ_i distance(pc_i) ≤ t after t steps, where the distance of a control point
//! is the least number of moves that bring its process there.
//!
//! Every run satisfies this, as a step is a move of one process, so nothing is lost and no interleaving is left out. But
//! a solver cannot find it out by itself: that n processes cannot all have moved in fewer than n steps is the pigeonhole
//! principle, whose shortest proofs by resolution are exponentially long (A. Haken, The intractability of resolution,
//! 1985), and a refutation of a bound that is too small for a violation contains it. Said by a sum in unary, it follows
//! by propagation. When every process can have been everywhere, there is nothing left to say. The states before the last
//! one need no limit: on the way there, solvers do as well without it. Nor do processes of which a question does not ask
//! where they are: with many processes, their sum would be larger than the rest of the formula.

use super::Unrolling;
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use system::{
    Claim, Command, Fairness, Footprint, Motion, Move, Node, Place, PointId, ProcessId, PropertyId, System, VarId,
    control_flow,
};

/// The distances of one process's control points, where they can be told.
#[derive(Clone, Debug)]
pub(super) struct Distances {
    process: ProcessId,
    /// By point.
    moves: Vec<usize>,
}

impl Distances {
    fn furthest(&self) -> usize {
        self.moves.iter().copied().max().unwrap_or(0)
    }
}

impl Unrolling<'_> {
    /// How many steps a loop has at least, if the formula is to say what no solver finds out: fairness may ask some processes to run,
    /// each step is one's only, and that they do not fit into fewer is the pigeonhole principle again.
    pub fn least_loop(&self) -> usize {
        let asked = self.system.fairness.iter().filter_map(|constraint| match *constraint {
            Fairness::Justice(often) => match *self.system.exprs.node(often) {
                Node::Running(process) => Some(process),
                _ => None,
            },
            _ => None,
        });
        let asked: BTreeSet<ProcessId> = asked.collect();
        if self.rules.distances == super::Distances::Limited { asked.len().max(1) } else { 1 }
    }

    /// The distances of all processes, from where the initial states have them.
    pub(super) fn distances(&self) -> Vec<Distances> {
        let moving = self.system.processes.indices().filter(|process| moves_alone(self.system, *process));
        let distances = moving.map(|process| Distances { process, moves: self.distances_of(process) });
        distances.filter(|distances| distances.furthest() > 0).collect()
    }

    /// Breadth-first from the points where the process can begin. A point that is never reached counts as near.
    fn distances_of(&self, process: ProcessId) -> Vec<usize> {
        let flow = control_flow(self.system, process);
        let points = &self.system.processes[process].points;
        let mut moves: Vec<Option<usize>> = vec![None; points.len()];
        let mut open: VecDeque<PointId> = points.indices().filter(|point| self.may_begin(process, *point)).collect();
        for point in &open {
            moves[point.index()] = Some(0);
        }
        while let Some(from) = open.pop_front() {
            let next = moves[from.index()].map(|so_far| so_far + 1);
            for (_, to) in flow.iter().filter(|(source, _)| *source == from) {
                if moves[to.index()].is_none() {
                    moves[to.index()] = next;
                    open.push_back(*to);
                }
            }
        }
        moves.into_iter().map(Option::unwrap_or_default).collect()
    }

    fn may_begin(&self, process: ProcessId, point: PointId) -> bool {
        let info = &self.system.processes[process];
        let (Some(pc), Some(value)) = (info.pc, info.points[point].value) else { return true };
        match &self.frames[0].values[pc.index()] {
            Some(crate::value::Encoded::OneHot(values)) => values.iter().any(|(possible, _)| *possible == value),
            _ => true,
        }
    }

    /// Asserts the limit for the last state where a question is asked about it: when the question is answered, the
    /// clauses are satisfied, and a solver gets rid of them. The sum is built up process by process, in unary: what it is
    /// at least. Parts that those to come cannot bring over the limit are left out.
    pub fn limit_distances(&mut self, question: Lit, about: &[PropertyId], sink: &mut dyn ClauseSink) {
        let steps = self.frames.len() - 1;
        let outside = !self.gates.input(question);
        let asked = self.distances.iter().filter(|one| about.iter().any(|id| asks_for(self.system, *id, one.process)));
        let distances: Vec<Distances> = asked.cloned().collect();
        let total: usize = distances.iter().map(Distances::furthest).sum();
        let mut to_come = total;
        let mut at_least: BTreeMap<usize, Signal> = BTreeMap::from([(0, Signal::TRUE)]);
        for one in distances.iter().filter(|_| total > steps) {
            to_come -= one.furthest();
            let mut sum: BTreeMap<usize, Signal> = BTreeMap::new();
            for further in 0..=one.furthest() {
                let is_there = self.is_as_far_as(one, further);
                for (before, so_far) in &at_least {
                    let after = before + further;
                    if after + to_come > steps && after <= steps + 1 {
                        let enough = if after > steps {
                            outside
                        } else {
                            *sum.entry(after).or_insert_with(|| self.gates.fresh(sink))
                        };
                        self.gates.assert_any(&[!*so_far, !is_there, enough], sink);
                    }
                }
            }
            at_least = sum;
        }
    }

    /// Whether a process is in the last state at least so far from where it began.
    fn is_as_far_as(&mut self, distances: &Distances, moves: usize) -> Signal {
        if moves == 0 {
            return Signal::TRUE;
        }
        let far = distances.moves.iter().enumerate().filter(|(_, distance)| **distance >= moves);
        let points: Vec<PointId> = far.map(|(point, _)| PointId::from(point)).collect();
        let process = distances.process;
        let there: Vec<Signal> =
            points.into_iter().map(|point| self.at(Move { process, from: Some(point), to: None })).collect();
        self.gates.any(&there)
    }
}

/// Whether it depends on where a process is whether a state violates a property.
fn asks_for(system: &System, property: PropertyId, process: ProcessId) -> bool {
    match system.properties[property].claim {
        Claim::Invariant(expr) => {
            let pc = system.processes[process].pc;
            pc.is_some_and(|pc| Footprint::of(&system.exprs, &[expr]).now.contains(&pc))
        }
        _ => true,
    }
}

/// Whether a process goes from point to point by moves of its own only, one at a time.
fn moves_alone(system: &System, process: ProcessId) -> bool {
    let Some(pc) = system.processes[process].pc else { return false };
    system.variables[pc].motion == Motion::Kept
        && system.commands.iter().all(|command| is_own_or_elsewhere(command, process, pc))
}

/// Whether a command is the process's own, and stores no more than a value in its program counter, or does nothing to it.
fn is_own_or_elsewhere(command: &Command, process: ProcessId, pc: VarId) -> bool {
    let is_owner = command.owner.process == process;
    let is_partner = command.partner.is_some_and(|partner| partner.process == process);
    let mut places = command.updates.iter().map(|update| update.place);
    !is_partner
        && places.all(|place| {
            let may_write = place.variables().any(|var| var == pc);
            !may_write || is_owner && place == Place::Variable(pc)
        })
}
