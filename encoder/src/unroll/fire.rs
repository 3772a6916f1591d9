//! Who moves: the process selector ps of Eq. (6), and the command that runs.

use super::{Ending, Idling, Unrolling};
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use crate::value::exactly_one;
use system::{Command, CommandId, Footprint, Move, ProcessId, System};

/// Who may make a step.
#[derive(Clone, Copy)]
pub(super) enum Movers {
    /// One of the processes.
    Anybody,
    /// This process or none.
    AtMost(ProcessId),
}

impl Unrolling<'_> {
    /// The selector of the step out of the last state, one signal per process.
    pub(super) fn select(&mut self, movers: Movers, sink: &mut dyn ClauseSink) {
        let mut selector = vec![Signal::FALSE; self.system.processes.len()];
        let mut left_out = Signal::FALSE;
        match movers {
            Movers::Anybody => {
                let processes: Vec<ProcessId> =
                    self.system.processes.indices().filter(|process| !self.represented.contains(process)).collect();
                let able: Vec<ProcessId> = processes.into_iter().filter(|process| self.is_in_place(*process)).collect();
                let stays = match self.rules.ending {
                    Ending::Stops => Signal::FALSE,
                    Ending::Stays => !self.anybody_can_run(),
                };
                for process in &able {
                    let alone = able.len() == 1 && stays == Signal::FALSE;
                    selector[process.index()] = if alone { Signal::TRUE } else { self.gates.fresh(sink) };
                }
                let selected = able.iter().map(|process| selector[process.index()]);
                let signals: Vec<Signal> = selected.chain((stays != Signal::FALSE).then_some(stays)).collect();
                exactly_one(&mut self.gates, sink, &signals);
            }
            Movers::AtMost(mover) => {
                let moves = self.gates.fresh(sink);
                selector[mover.index()] = moves;
                let could = match self.rules.ending {
                    Ending::Stops => Signal::TRUE,
                    Ending::Stays => self.anybody_can_run(),
                };
                left_out = self.gates.and(could, !moves);
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.selector, frame.left_out) = (selector, left_out);
        }
    }

    /// Whether a process can be where one of its commands begins.
    pub(super) fn is_in_place(&mut self, process: ProcessId) -> bool {
        self.commands[process].clone().into_iter().any(|id| self.in_place(id) != Signal::FALSE)
    }

    /// For each command, whether it makes the step. A process that has no command to run is not selected.
    pub(super) fn fires(&mut self, sink: &mut dyn ClauseSink) -> Vec<Signal> {
        let system = self.system;
        let mut fires = vec![Signal::FALSE; system.commands.len()];
        for process in system.processes.indices() {
            let time = self.frames.len() - 1;
            let selected = self.frames[time].selector[process.index()];
            if selected == Signal::FALSE {
                continue;
            }
            let commands = &self.commands[process].clone();
            let possible: Vec<Signal> = if self.are_exclusive(commands) {
                commands.iter().map(|id| self.fires_alone(*id, selected, sink)).collect()
            } else {
                commands.iter().map(|id| self.fires_among(*id, selected, sink)).collect()
            };
            let mut clause = vec![!selected];
            clause.extend(&possible);
            self.gates.assert_any(&clause, sink);
            if !self.are_exclusive(commands) {
                self.at_most_one(&possible, sink);
            }
            for (id, signal) in commands.iter().zip(possible) {
                fires[id.index()] = signal;
                if self.rules.idling == Idling::Excluded {
                    self.exclude_waiting(*id, signal, sink);
                }
            }
        }
        fires
    }

    /// Whether the control points alone tell the commands apart.
    fn are_exclusive(&self, commands: &[CommandId]) -> bool {
        let mut points: Vec<Option<system::PointId>> =
            commands.iter().map(|id| self.system.commands[*id].owner.from).collect();
        points.sort_unstable();
        commands.len() == 1 || points.windows(2).all(|pair| pair[0].is_some() && pair[0] != pair[1])
    }

    /// The only command at its control point: it runs if its process does and is there.
    fn fires_alone(&mut self, id: CommandId, selected: Signal, sink: &mut dyn ClauseSink) -> Signal {
        let at = self.at(self.system.commands[id].owner);
        if at == Signal::FALSE {
            return Signal::FALSE;
        }
        let fires = self.gates.and(selected, at);
        let (place, guard) = (self.in_place(id), self.guard(id));
        for needed in [place, guard] {
            self.gates.assert_any(&[!fires, needed], sink);
        }
        fires
    }

    /// One of several commands at a control point: a choice of its own.
    fn fires_among(&mut self, id: CommandId, selected: Signal, sink: &mut dyn ClauseSink) -> Signal {
        let place = self.in_place(id);
        if place == Signal::FALSE {
            return Signal::FALSE;
        }
        let guard = self.guard(id);
        if guard == Signal::FALSE {
            return Signal::FALSE;
        }
        let fires = self.gates.fresh(sink);
        for needed in [selected, place, guard] {
            self.gates.assert_any(&[!fires, needed], sink);
        }
        fires
    }

    /// Whether a command's guard lets it run in the last state. The guard is evaluated, and may fail, where its processes are
    /// in place and no other process keeps control, first before a timeout. Where it fails, the command runs as well:
    /// that step has no meaning, and it may be the only one.
    fn guard(&mut self, id: CommandId) -> Signal {
        let Command { guard, owner, .. } = self.system.commands[id];
        let evaluated = self.evaluate_by(owner.process, guard);
        let early = self.before_timeout(id).fails;
        if evaluated.fails != Signal::FALSE || early != Signal::FALSE {
            let (place, may_move) = (self.in_place(id), self.may_move(owner.process));
            let fails = self.gates.or(evaluated.fails, early);
            let fault = self.gates.all(&[place, may_move, fails]);
            self.note_fault(fault);
            return self.gates.or(evaluated.value.boolean(), fails);
        }
        evaluated.value.boolean()
    }

    /// Whether no process can move in the last state, and not every one of them is where it may rest. Only for
    /// systems of which [`decides_deadlock`] says so.
    pub fn deadlock(&mut self, sink: &mut dyn ClauseSink) -> Lit {
        let system = self.system;
        let mut ways_on = vec![self.anybody_can_run()];
        let mut resting = Vec::new();
        for (id, process) in system.processes.iter_enumerated() {
            let ends = process.points.iter_enumerated().filter(|(_, point)| point.end);
            let ends: Vec<Move> = ends.map(|(point, _)| Move { process: id, from: Some(point), to: None }).collect();
            let rests: Vec<Signal> = ends.into_iter().map(|end| self.at(end)).collect();
            resting.push(self.gates.any(&rests));
        }
        ways_on.push(self.gates.all(&resting));
        let goes_on = self.gates.any(&ways_on);
        self.gates.literal(!goes_on, sink)
    }

    /// Whether some process can move in the last state, as far as guards say.
    fn anybody_can_run(&mut self) -> Signal {
        let able: Vec<Signal> = self.system.processes.indices().map(|process| self.can_run(process)).collect();
        self.gates.any(&able)
    }

    /// Whether a process can move in the last state, as far as guards say.
    pub(super) fn can_run(&mut self, process: ProcessId) -> Signal {
        let mut ways = Vec::new();
        for id in self.commands[process].clone() {
            let place = self.in_place(id);
            if place == Signal::FALSE {
                continue;
            }
            let guard = self.evaluate_by(process, self.system.commands[id].guard);
            // Where a guard has no value, the step is a fault, and nothing has come to its end.
            let runs = self.gates.or(guard.value.boolean(), guard.fails);
            ways.push(self.gates.and(place, runs));
        }
        self.gates.any(&ways)
    }

    fn at_most_one(&mut self, signals: &[Signal], sink: &mut dyn ClauseSink) {
        for (index, a) in signals.iter().enumerate() {
            for b in &signals[index + 1..] {
                self.gates.assert_any(&[!*a, !*b], sink);
            }
        }
    }

    /// at_{i,j} of Eq. (4) in the last state.
    pub(super) fn at(&mut self, part: Move) -> Signal {
        let process = &self.system.processes[part.process];
        let (Some(pc), Some(from)) = (process.pc, part.from) else { return Signal::TRUE };
        let Some(value) = process.points[from].value else { return Signal::TRUE };
        let last = self.frames.len() - 1;
        let Some(encoded) = self.frames[last].values[pc.index()].clone() else { return Signal::FALSE };
        encoded.equals(&mut self.gates, value)
    }
}

/// Whether guards alone say who can move: no relation, constraint or input takes part.
pub fn decides_deadlock(system: &System) -> bool {
    let mut commands = system.commands.iter();
    system.relations.is_empty()
        && system.constraints.is_empty()
        && commands.all(|command| {
            command.relation.is_none() && !Footprint::of(&system.exprs, &[command.guard]).has_inputs(system)
        })
}
