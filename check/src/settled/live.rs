//! Where processes can come to from a state, as far as control flow tells.

use std::collections::BTreeSet;
use system::{Choice, Command, Exprs, Machine, Move, PointId, ProcessId, State, System, Update, VarId};

/// The control points that processes can come to.
#[derive(Debug)]
pub struct Live {
    points: BTreeSet<(ProcessId, PointId)>,
}

impl Live {
    /// From a state.
    pub fn from(machine: &Machine, state: &State) -> Live {
        let system = machine.system();
        let begin = |process| Some((process, machine.point(process, state)?));
        let mut live = Live { points: system.processes.indices().filter_map(begin).collect() };
        loop {
            let before = live.points.len();
            for command in &system.commands {
                live.follow(system, command);
            }
            if live.points.len() == before {
                return live;
            }
        }
    }

    /// Whether the processes that take part in a command can come to where it begins.
    pub fn can_run(&self, command: &Command) -> bool {
        command.parts().all(|part| part.from.is_none_or(|from| self.points.contains(&(part.process, from))))
    }

    /// Adds where a command leads to, if it can run.
    fn follow(&mut self, system: &System, command: &Command) {
        if !self.can_run(command) {
            return;
        }
        self.points.extend(command.parts().filter_map(|part| Some((part.process, part.to?))));
        for update in &command.updates {
            for var in update.place.variables() {
                self.write(system, update, var);
            }
        }
    }

    /// Adds where an update leads to that writes a program counter.
    fn write(&mut self, system: &System, update: &Update, var: VarId) {
        let value = match update.choice {
            Choice::Exactly(expr) => system.exprs.constant_value(expr),
            Choice::OneOf(_) | Choice::Anything => None,
        };
        for (process, info) in system.processes.iter_enumerated().filter(|(_, info)| info.pc == Some(var)) {
            let points = info.points.iter_enumerated();
            let reached = points.filter(|(_, point)| value.is_none() || point.value == value);
            self.points.extend(reached.map(|(point, _)| (process, point)));
        }
    }
}

/// A command that never runs, in the place of one.
pub fn nothing(exprs: &mut Exprs, command: &Command) -> Command {
    let owner = Move { to: command.owner.from, ..command.owner };
    let guard = exprs.boolean(false);
    Command {
        owner,
        partner: None,
        guard,
        updates: Vec::new(),
        relation: None,
        keeps_control: false,
        ..command.clone()
    }
}
