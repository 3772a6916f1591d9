//! Who may move besides what guards say: atomic sections, rendezvous and `timeout`.
//!
//! A process that keeps control of an atomic section goes on alone as long as it can. `timeout` is true where no command
//! can run without it. Both ask whether commands can run, which guards and control points have to decide by themselves:
//! [`decides_deadlock`](super::decides_deadlock) says whether they do.
//!
//! Who has control after a step follows from the command that ran, so that it needs no variables of its own.

use super::fire::Movers;
use super::{Ending, Unrolling, decides_deadlock};
use crate::expr::Evaluated;
use crate::gate::Signal;
use crate::lit::ClauseSink;
use std::collections::BTreeSet;
use system::{Command, CommandId, Footprint, Move, ProcessId, System};

/// What a state says about who may move.
#[derive(Clone, Default)]
pub(super) struct Control {
    /// For each process, whether it has control of an atomic section; empty if there are none.
    pub holder: Vec<Signal>,
    /// For each process, whether it has control and can go on, so that no other process may move.
    keeps: Vec<Signal>,
    /// The value of `timeout`; none if no expression asks.
    timeout: Option<Signal>,
}

/// Whether systems like this one can be unrolled.
pub(super) fn is_supported(system: &System) -> bool {
    !(system.has_atomic_sections || system.has_timeout()) || decides_deadlock(system)
}

/// Which commands decide who may move.
pub(super) struct Sections {
    /// For each process, the commands that can run where it has control.
    going_on: Vec<Vec<CommandId>>,
    /// The commands whose guards mention `timeout`.
    waiting: BTreeSet<CommandId>,
    waits: bool,
}

impl Sections {
    pub fn new(system: &System) -> Sections {
        let processes = if system.has_atomic_sections { system.processes.len() } else { 0 };
        let mut going_on = vec![Vec::new(); processes];
        let kept = system.kept_points();
        for (id, command) in system.commands.iter_enumerated() {
            let Move { process, from, .. } = command.owner;
            let mut own = kept.iter().filter(|(keeper, _)| *keeper == process);
            let goes_on = own.any(|(_, at)| from.is_none() || at.is_none() || *at == from);
            if let Some(going_on) = going_on.get_mut(process.index()).filter(|_| goes_on) {
                going_on.push(id);
            }
        }
        let commands = system.commands.iter_enumerated();
        let waiting = commands.filter(|(_, command)| Footprint::of(&system.exprs, &[command.guard]).timeout);
        let waiting = waiting.map(|(id, _)| id);
        Sections { going_on, waiting: waiting.collect(), waits: system.has_timeout() }
    }

    /// Of how many processes states say whether they have control.
    pub fn holders(&self) -> usize {
        self.going_on.len()
    }
}

impl Unrolling<'_> {
    /// Says who may move in the last state, given who has control.
    pub(super) fn settle_control(&mut self, holder: Vec<Signal>) {
        let last = self.frames.len() - 1;
        let mut control = Control { holder, ..Control::default() };
        for (process, holds) in control.holder.iter().enumerate() {
            let keeps = match *holds {
                Signal::FALSE => Signal::FALSE,
                holds => {
                    let going_on = self.sections.going_on[process].clone();
                    let goes_on = self.any_can_run(&going_on);
                    self.gates.and(holds, goes_on)
                }
            };
            control.keeps.push(keeps);
        }
        if self.sections.waits {
            let all: Vec<CommandId> = self.system.commands.indices().collect();
            control.timeout = Some(!self.any_can_run(&all));
        }
        self.frames[last].control = control;
    }

    /// Whether one of the commands can run in the last state before a timeout.
    fn any_can_run(&mut self, commands: &[CommandId]) -> Signal {
        let mut ways = Vec::new();
        for id in commands {
            let place = self.in_place(*id);
            if place != Signal::FALSE {
                let guard = self.before_timeout(*id).value.boolean();
                ways.push(self.gates.and(place, guard));
            }
        }
        self.gates.any(&ways)
    }

    /// What a command's guard is in the last state as long as `timeout` is false.
    pub(super) fn before_timeout(&mut self, id: CommandId) -> Evaluated {
        let Command { guard, owner, .. } = self.system.commands[id];
        if self.sections.waiting.contains(&id) {
            self.evaluate_alone(owner.process, guard, Some(Signal::FALSE))
        } else {
            self.evaluate_by(owner.process, guard)
        }
    }

    /// The value of `timeout` in a state.
    pub(super) fn timeout(&self, time: usize) -> Option<Signal> {
        self.frames[time].control.timeout
    }

    /// Whether the processes of a command are where it begins, in the last state.
    pub(super) fn in_place(&mut self, id: CommandId) -> Signal {
        let command = &self.system.commands[id];
        let owner = self.at(command.owner);
        let partner = command.partner.map_or(Signal::TRUE, |partner| self.at(partner));
        self.gates.and(owner, partner)
    }

    /// Whether no other process is inside an atomic section that goes on, in the last state.
    pub(super) fn may_move(&mut self, process: ProcessId) -> Signal {
        let keeps = &self.frames[self.frames.len() - 1].control.keeps;
        let others: Vec<Signal> =
            keeps.iter().enumerate().filter(|(other, _)| *other != process.index()).map(|(_, keeps)| *keeps).collect();
        !self.gates.any(&others)
    }

    /// Whether a process is inside an atomic section that goes on, in a state.
    pub(super) fn inside_section(&mut self, time: usize) -> Signal {
        let keeps = self.frames[time].control.keeps.clone();
        self.gates.any(&keeps)
    }

    /// Who keeps control makes the step.
    pub(super) fn leave_control(&mut self, movers: Movers, sink: &mut dyn ClauseSink) {
        let frame = &self.frames[self.frames.len() - 1];
        let (keeps, selector) = (frame.control.keeps.clone(), frame.selector.clone());
        for (process, keeps) in keeps.into_iter().enumerate() {
            match movers {
                Movers::Anybody => self.gates.assert_any(&[!keeps, selector[process]], sink),
                Movers::AtMost(mover) if mover.index() != process => {
                    self.gates.assert_any(&[!keeps, !selector[mover.index()]], sink);
                }
                Movers::AtMost(_) => {}
            }
        }
    }

    /// Who has control after the step in which these commands fire. If no process moves, nothing changes.
    pub(super) fn holder_after(&mut self, movers: Movers, fires: &[Signal]) -> Vec<Signal> {
        let frame = &self.frames[self.frames.len() - 1];
        let (before, selector) = (frame.control.holder.clone(), frame.selector.clone());
        let mut ways: Vec<Vec<Signal>> = vec![Vec::new(); before.len()];
        for (command, fires) in self.system.commands.iter().zip(fires) {
            if let Some(holder) = command.holder_afterwards() {
                ways[holder.index()].push(*fires);
            }
        }
        let may_rest = matches!(movers, Movers::AtMost(_)) || self.rules.ending == Ending::Stays;
        if may_rest {
            let moves = self.gates.any(&selector);
            for (ways, before) in ways.iter_mut().zip(&before) {
                ways.push(self.gates.and(*before, !moves));
            }
        }
        ways.iter().map(|ways| self.gates.any(ways)).collect()
    }

    /// Whether a command that runs in a state gives control to a process that does not have it, or takes it away.
    pub(super) fn passes_control(&mut self, command: &Command, time: usize) -> Signal {
        let holder = self.frames[time].control.holder.clone();
        match command.holder_afterwards() {
            Some(next) => !holder[next.index()],
            None => self.gates.any(&holder),
        }
    }
}
