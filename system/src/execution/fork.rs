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
    var: VarId,
    holds: Vec<bool>,
}

/// A command, the bits of the state that it looks at or changes, and what its guard says of single variables.
struct Candidate {
    command: CommandId,
    part: Vec<u64>,
    tests: Vec<Test>,
}

impl Candidate {
    /// Whether its guard may hold where a number is stored for a variable.
    fn can_run(&self, var: VarId, number: usize) -> bool {
        self.tests.iter().filter(|test| test.var == var).all(|test| test.holds[number])
    }
}

/// How many bits some commands depend on.
fn bits<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> u32 {
    let mut all: Vec<u64> = Vec::new();
    for candidate in candidates {
        all.resize(candidate.part.len(), 0);
        all.iter_mut().zip(&candidate.part).for_each(|(all, own)| *all |= own);
    }
    all.iter().map(|word| word.count_ones()).sum()
}

/// Those of some commands whose guards may hold where a number is stored for a variable.
fn able(candidates: &[Candidate], var: VarId, number: usize) -> impl Iterator<Item = &Candidate> {
    candidates.iter().filter(move |candidate| candidate.can_run(var, number))
}

impl Machine {
    /// The variable after which the commands that are left depend on least, if there is one that makes a difference.
    pub(crate) fn fork(&self, commands: &[CommandId]) -> Option<Fork> {
        if commands.len() < 2 {
            return None;
        }
        let mut workspace = self.workspace();
        let candidates: Vec<Candidate> = commands
            .iter()
            .map(|command| Candidate {
                command: *command,
                part: self.layout().mask(self.touched(*command)),
                tests: self.tests(*command, &mut workspace),
            })
            .collect();
        let mut vars: Vec<VarId> = candidates.iter().flat_map(|at| &at.tests).map(|test| test.var).collect();
        vars.sort_unstable();
        vars.dedup();
        let all = bits(candidates.iter());
        let most = vars.into_iter().map(|var| (self.most_bits(var, &candidates), var));
        let (most, var) = most.min_by_key(|(most, _)| *most)?;
        (most <= all / 4 * 3).then(|| {
            let ways = self.numbers(var).map(|number| able(&candidates, var, number).map(|at| at.command).collect());
            Fork { var, ways: ways.collect() }
        })
    }

    /// The numbers that can be stored for a variable.
    fn numbers(&self, var: VarId) -> std::ops::Range<usize> {
        0..self.system().variables[var].domain.size() as usize
    }

    /// On how many bits the commands depend that are left for a value of a variable, at most.
    fn most_bits(&self, var: VarId, candidates: &[Candidate]) -> u32 {
        self.numbers(var).map(|number| bits(able(candidates, var, number))).max().unwrap_or(0)
    }

    /// The conditions on single variables that a guard begins with. What comes after a condition that can fail does not
    /// count: the failure is found first.
    fn tests(&self, command: CommandId, workspace: &mut Workspace) -> Vec<Test> {
        let system = self.system();
        let conjuncts = system.exprs.conjuncts(system.commands[command].guard).into_iter();
        let total = conjuncts.take_while(|part| system.exprs.is_total(*part));
        total.filter_map(|part| self.test(part, workspace)).collect()
    }

    fn test(&self, condition: ExprId, workspace: &mut Workspace) -> Option<Test> {
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
        Some(Test { var, holds: holds.collect::<Option<_>>()? })
    }
}
