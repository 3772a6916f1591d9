//! Partial and full expansion: T'(s, s') of Eq. (12) of \[GLST05\], that is, T with a selector that valid(s, ps) ties to
//! one switch p_{i,j} for each control point.
//!
//! With every switch off, a state has the successors of one process only: the first in the order that is enabled. A
//! switch that may be on lets other processes move while its process is at its control point. Restricting a point is
//! assuming its switch off; widening it is not assuming that any more.
//!
//! # Differs from the paper
//!
//! Eq. (11), [`Valid::Paper`], asks for a full expansion of all or a partial expansion of the first process that is
//! restricted. [`Valid::Monotone`] says only what an interleaving must not do: pass over an enabled process whose switch
//! is off. So a process may move whose own switch is on, or that comes first. With all switches off the two are the
//! same; with all on, both are T; in between, the monotone form has every run that Eq. (11) has. Turning a switch on only
//! ever adds runs to it, and the switches of a process that is always last do not matter, so they are left out.
//!
//! The control points of a process can share one switch ([`Grain::Process`]): what is restricted, and what is widened, is then
//! the process wherever it is. With all switches off and with all on that is the same; there are fewer steps in between.

use super::progress::moving_by_themselves;
use super::{Grain, Order, Rules, Unrolling, Valid};
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use std::collections::BTreeSet;
use system::{CommandId, Move, PointId, ProcessId, System};

/// The predicate p_{i,j} of a control point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// P_i
    pub process: ProcessId,
    /// j
    pub point: PointId,
    /// If the literal is true, the process at the point can be passed over.
    pub lit: Lit,
}

/// One switch for each control point, or one for those of a process; none for a point where it could not matter.
pub(super) fn switches(system: &System, rules: Rules, sink: &mut dyn ClauseSink) -> Vec<Switch> {
    let (mut switches, busy): (Vec<Switch>, Busy) = (Vec::new(), Busy::of(system));
    for (process, point) in system.control_points() {
        let is_wanted = match rules.valid {
            Valid::Absent => false,
            Valid::Paper => true,
            Valid::Monotone => busy.can_be_passed_over(rules.order, process, point),
        };
        if is_wanted {
            let shared = switches.last().filter(|last| rules.grain == Grain::Process && last.process == process);
            let lit = shared.map_or_else(|| sink.fresh(), |last| last.lit);
            switches.push(Switch { process, point, lit });
        }
    }
    switches
}

/// Where processes have something to do.
struct Busy {
    /// The points; none where it may be at any.
    places: BTreeSet<(ProcessId, Option<PointId>)>,
    /// The last process that has.
    last: Option<ProcessId>,
}

impl Busy {
    fn of(system: &System) -> Busy {
        let is_still = moving_by_themselves(system).is_empty();
        let busy = system.commands.iter().filter(|command| !(is_still && command.does_nothing()));
        let places: BTreeSet<_> = busy.map(|command| (command.owner.process, command.owner.from)).collect();
        let last = places.last().map(|(process, _)| *process);
        Busy { places, last }
    }

    /// Whether a process can ever be passed over at a point: it has something to do there, and a process comes after it.
    fn can_be_passed_over(&self, order: Order, process: ProcessId, point: PointId) -> bool {
        let has_command = [None, Some(point)].iter().any(|point| self.places.contains(&(process, *point)));
        has_command && (order != Order::Fixed || self.last > Some(process))
    }
}

impl Unrolling<'_> {
    /// The switches p_{i,j}.
    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// Says that switches are on for good, from here on: a clause of the solver says so, and they will never be assumed
    /// otherwise. What is left of valid(s, ps) in later steps has no clause about them.
    ///
    /// That changes nothing where `valid` is monotone: a switch occurs in it only as the last literal of clauses, which are
    /// satisfied when it is on. So the formula with these clauses and the one without have the same solutions.
    pub fn release(&mut self, switches: &[Lit]) {
        if self.rules.valid == Valid::Monotone {
            self.released.extend_from_slice(switches);
        }
    }

    fn is_released(&self, switch: &Switch) -> bool {
        self.released.contains(&switch.lit)
    }

    /// Whether a process may be held back at some point.
    fn is_restricted(&self, process: ProcessId) -> bool {
        self.switches.iter().any(|switch| switch.process == process && !self.is_released(switch))
    }

    /// valid(s, ps) for the step out of the last state.
    pub(super) fn expand(&mut self, sink: &mut dyn ClauseSink) {
        match self.rules.valid {
            Valid::Absent => {}
            Valid::Paper => self.valid(sink),
            Valid::Monotone if self.switches.iter().all(|switch| self.is_released(switch)) => {}
            Valid::Monotone => self.valid_monotone(sink),
        }
    }

    /// Eq. (7): enabled_i(s).
    fn enabled(&mut self, process: ProcessId) -> Signal {
        let mut ways = Vec::new();
        for (_, at, can_move) in self.ways(process) {
            ways.push(self.gates.and(at, can_move));
        }
        self.gates.any(&ways)
    }

    /// The commands of a process: whether it may move and is where they begin, and whether they can change the state then.
    fn ways(&mut self, process: ProcessId) -> Vec<(CommandId, Signal, Signal)> {
        let may_move = self.may_move(process);
        let mut ways = Vec::new();
        for id in self.commands[process].clone() {
            let place = self.in_place(id);
            let place = self.gates.and(may_move, place);
            if place != Signal::FALSE {
                ways.push((id, place, self.can_move(id)));
            }
        }
        ways
    }

    /// p_{i,j} of a control point. One that has none is always on: with every switch on, T' has to be T.
    fn switch(&mut self, process: ProcessId, point: PointId) -> Signal {
        let switch = self.switches.iter().find(|switch| switch.process == process && switch.point == point);
        let switch = switch.copied().filter(|switch| !self.is_released(switch));
        switch.map_or(Signal::TRUE, |switch| self.gates.input(switch.lit))
    }

    /// at_{i,j}
    fn at_point(&mut self, process: ProcessId, point: PointId) -> Signal {
        self.at(Move { process, from: Some(point), to: None })
    }

    /// Eq. (8): partial_i(s), the process is enabled and where it is, its switch is off.
    fn partial(&mut self, process: ProcessId) -> Signal {
        let mut conditions = vec![self.enabled(process)];
        for point in self.system.processes[process].points.indices() {
            let (at, switch) = (self.at_point(process, point), self.switch(process, point));
            conditions.push(!self.gates.and(at, switch));
        }
        self.gates.all(&conditions)
    }

    /// Eq. (9): first_partial_i(s), for each process: it is the first one for which (8) is true.
    fn first_partial(&mut self, partial: &[Signal]) -> Vec<Signal> {
        let mut none_before = Signal::TRUE;
        let mut first = Vec::new();
        for partial in partial {
            first.push(self.gates.and(*partial, none_before));
            none_before = self.gates.and(none_before, !*partial);
        }
        first
    }

    /// Eq. (10): exists_partial(s).
    fn exists_partial(&mut self, partial: &[Signal]) -> Signal {
        self.gates.any(partial)
    }

    /// Eq. (11): valid(s, ps) = exists_partial(s) → first_partial_ps(s).
    fn valid(&mut self, sink: &mut dyn ClauseSink) {
        let partial: Vec<Signal> = self.system.processes.indices().map(|process| self.partial(process)).collect();
        let first_partial = self.first_partial(&partial);
        let exists_partial = self.exists_partial(&partial);
        for (process, first) in first_partial.into_iter().enumerate() {
            let selected = self.last_selector(process);
            self.gates.assert_any(&[!selected, !exists_partial, first], sink);
        }
    }

    /// The monotone form of Eq. (11): selected_i ∧ enabled_{i'} ∧ at_{i',j} → p_{i',j} for each i' before i in the order.
    ///
    /// clear_i says that no process before i is passed over that must not be. It is defined along the order, one process from
    /// the one before it, except where the order begins.
    fn valid_monotone(&mut self, sink: &mut dyn ClauseSink) {
        let count = self.system.processes.len();
        let clear: Vec<Signal> = (0..count).map(|_| self.gates.fresh(sink)).collect();
        for process in 0..count {
            let selected = self.last_selector(process);
            self.gates.assert_any(&[!selected, clear[process]], sink);
            let begins = self.begins(process);
            if begins == Signal::TRUE {
                continue;
            }
            let before = ProcessId::from((process + count - 1) % count);
            self.gates.assert_any(&[!clear[process], begins, clear[before.index()]], sink);
            let ways = if self.is_restricted(before) { self.ways(before) } else { Vec::new() };
            for (id, at, can_move) in ways {
                for (at, switch) in self.held_at(id, at) {
                    self.gates.assert_any(&[!clear[process], begins, !at, !can_move, switch], sink);
                }
            }
        }
    }

    /// The control points at which a command can run, with their switches.
    fn held_at(&mut self, id: CommandId, at: Signal) -> Vec<(Signal, Signal)> {
        let owner = self.system.commands[id].owner;
        if let Some(point) = owner.from {
            return vec![(at, self.switch(owner.process, point))];
        }
        let points = self.system.processes[owner.process].points.indices();
        points.map(|point| (self.at_point(owner.process, point), self.switch(owner.process, point))).collect()
    }

    /// Whether the order of the step out of the last state begins with a process.
    fn begins(&self, process: usize) -> Signal {
        let count = self.system.processes.len();
        let time = self.frames.len() - 1;
        let first = match self.rules.order {
            Order::RoundRobin if time > 0 => {
                return self.frames[time - 1].selector[(process + count - 1) % count];
            }
            Order::RunOn if time > 0 => return self.frames[time - 1].selector[process],
            Order::Rotating => time % count,
            Order::Fixed | Order::RoundRobin | Order::RunOn => 0,
        };
        if process == first { Signal::TRUE } else { Signal::FALSE }
    }

    fn last_selector(&self, process: usize) -> Signal {
        self.frames[self.frames.len() - 1].selector[process]
    }
}
