//! Commands told apart by a variable: where a process looks at one of several channels, say, the variable that says at
//! which decides most guards, and what is left of the commands depends on much less of the state.

use super::compile::{Frame, compile};
use super::machine::{Machine, Workspace};
use crate::definition::footprint::Footprint;
use crate::definition::ids::{CommandId, ExprId, VarId};
use crate::definition::system::Motion;

/// Variables with more values than this tell no commands apart.
const MOST_VALUES: u128 = 64;

/// A variable, and which of some commands can run for each number that is stored for it.
#[derive(Debug)]
pub(crate) struct Fork {
    pub var: VarId,
    pub ways: Vec<Vec<CommandId>>,
}

/// A condition of a guard on a single variable: for each number that is stored for it, whether it holds.
struct Test {
    command: CommandId,
    var: VarId,
    holds: Vec<bool>,
}

impl Machine {
    /// The variable after which the commands that are left depend on least, if there is one that makes a difference.
    pub(crate) fn fork(&self, commands: &[CommandId]) -> Option<Fork> {
        let bits = |commands: &[CommandId]| self.part(commands).iter().map(|(_, mask)| mask.count_ones()).sum::<u32>();
        let all = bits(commands);
        if commands.len() < 2 {
            return None;
        }
        let mut workspace = self.workspace();
        let tests: Vec<Test> = commands.iter().flat_map(|command| self.tests(*command, &mut workspace)).collect();
        let mut vars: Vec<VarId> = tests.iter().map(|test| test.var).collect();
        vars.sort_unstable();
        vars.dedup();
        let forks = vars.into_iter().map(|var| Fork { var, ways: self.ways(var, commands, &tests) });
        let weighed = forks.map(|fork| (fork.ways.iter().map(|way| bits(way)).max().unwrap_or(0), fork));
        let best = weighed.min_by_key(|(most, _)| *most)?;
        (best.0 <= all / 4 * 3).then_some(best.1)
    }

    fn ways(&self, var: VarId, commands: &[CommandId], tests: &[Test]) -> Vec<Vec<CommandId>> {
        let of = |command: CommandId| tests.iter().filter(move |test| test.var == var && test.command == command);
        let can_run = |command: CommandId, number: usize| of(command).all(|test| test.holds[number]);
        let numbers = 0..self.system().variables[var].domain.size() as usize;
        let way = |number| commands.iter().copied().filter(|command| can_run(*command, number)).collect();
        numbers.map(way).collect()
    }

    /// The conditions on single variables that a guard begins with. What comes after a condition that can fail does not
    /// count: the failure is found first.
    fn tests(&self, command: CommandId, workspace: &mut Workspace) -> Vec<Test> {
        let system = self.system();
        let conjuncts = system.exprs.conjuncts(system.commands[command].guard).into_iter();
        let total = conjuncts.take_while(|part| system.exprs.is_total(*part));
        total.filter_map(|part| self.test(command, part, workspace)).collect()
    }

    fn test(&self, command: CommandId, condition: ExprId, workspace: &mut Workspace) -> Option<Test> {
        let system = self.system();
        let reads = Footprint::of(&system.exprs, &[condition]);
        let [var] = reads.now[..] else { return None };
        let variable = &system.variables[var];
        let is_alone = reads.next.is_empty() && !reads.running && !reads.timeout;
        if !is_alone || variable.motion == Motion::Input || variable.domain.size() > MOST_VALUES {
            return None;
        }
        let program = compile(&system.exprs, &self.constants, condition, Frame::Current);
        let holds = (0..variable.domain.size() as u64).map(|number| {
            workspace.values[var.index()] = variable.domain.value_at(number);
            self.run(&program, workspace).ok().map(|value| value != 0)
        });
        Some(Test { command, var, holds: holds.collect::<Option<_>>()? })
    }
}
