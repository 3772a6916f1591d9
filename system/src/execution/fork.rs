//! Commands told apart by a variable: where a process looks at one of several channels, say, the variable that says at
//! which decides most guards, and what is left of the commands depends on much less of the state.

use super::compile::{Frame, compile};
use super::machine::{Machine, Workspace};
use crate::definition::footprint::Footprint;
use crate::definition::ids::{CommandId, ExprId, VarId};
use crate::definition::system::Motion;
use rustc_hash::FxHashMap;

/// A set of numbers that are stored for a variable, a bit each.
type Numbers = u64;

/// Variables with more values than this tell no commands apart.
const MOST_VALUES: u128 = Numbers::BITS as u128;

/// A variable, and which of some commands can run for each number that is stored for it.
#[derive(Debug)]
pub(crate) struct Fork {
    pub var: VarId,
    pub ways: Vec<Vec<CommandId>>,
}

/// A condition of a guard on a single variable: the numbers for which it holds.
#[derive(Clone, Copy, Debug)]
struct Test {
    var: VarId,
    holds: Numbers,
}

/// A command, the variables that it looks at or changes, their bits in the state, and what its guard says of single variables.
#[derive(Debug)]
struct Candidate {
    command: CommandId,
    vars: Vec<VarId>,
    part: Vec<u64>,
    tests: Vec<Test>,
}

impl Candidate {
    /// The numbers of a variable for which its guard may hold, unless it does not look.
    fn test(&self, var: VarId) -> Option<Numbers> {
        let tests = self.tests.iter().filter(|test| test.var == var).map(|test| test.holds);
        tests.reduce(|all, holds| all & holds)
    }

    /// Whether its guard may hold where a number is stored for a variable.
    fn can_run(&self, var: VarId, number: usize) -> bool {
        self.test(var).is_none_or(|holds| has(holds, number))
    }
}

/// Finds forks. What is known of commands and conditions is remembered: those of one fork are met again in the next.
#[derive(Debug)]
pub(crate) struct Forks {
    workspace: Workspace,
    candidates: FxHashMap<CommandId, Candidate>,
    tests: FxHashMap<ExprId, Option<Test>>,
}

impl Forks {
    /// Nothing is known.
    pub fn new(machine: &Machine) -> Forks {
        let workspace = machine.workspace();
        Forks { workspace, candidates: FxHashMap::default(), tests: FxHashMap::default() }
    }

    /// The variable after which the commands that are left depend on least, if there is one that makes a difference.
    pub fn fork(&mut self, machine: &Machine, commands: &[CommandId]) -> Option<Fork> {
        if commands.len() < 2 {
            return None;
        }
        let candidates = self.candidates(machine, commands);
        let mut vars: Vec<VarId> = candidates.iter().flat_map(|at| &at.tests).map(|test| test.var).collect();
        vars.sort_unstable();
        vars.dedup();
        let all = bits(&together(candidates.iter().copied()));
        let numbers = |var: VarId| 0..machine.system().variables[var].domain.size() as usize;
        let most = vars.into_iter().map(|var| (most_bits(var, numbers(var), &candidates), var));
        let (most, var) = most.min_by_key(|(most, _)| *most)?;
        (most <= all / 4 * 3).then(|| {
            let able = |number| candidates.iter().filter(move |candidate| candidate.can_run(var, number));
            Fork { var, ways: numbers(var).map(|number| able(number).map(|at| at.command).collect()).collect() }
        })
    }

    /// The variables that some commands look at or change, in order.
    pub fn touched(&mut self, machine: &Machine, commands: &[CommandId]) -> Box<[VarId]> {
        let mut vars: Vec<VarId> =
            self.candidates(machine, commands).into_iter().flat_map(|candidate| &candidate.vars).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        vars.into()
    }

    fn candidates(&mut self, machine: &Machine, commands: &[CommandId]) -> Vec<&Candidate> {
        for command in commands {
            if !self.candidates.contains_key(command) {
                let vars = machine.touched(*command);
                let part = machine.layout().mask(vars.iter().copied());
                let candidate = Candidate { command: *command, vars, part, tests: self.tests(machine, *command) };
                self.candidates.insert(*command, candidate);
            }
        }
        commands.iter().map(|command| &self.candidates[command]).collect()
    }

    /// The conditions on single variables that a guard begins with. What comes after a condition that can fail does not
    /// count: the failure is found first.
    fn tests(&mut self, machine: &Machine, command: CommandId) -> Vec<Test> {
        let system = machine.system();
        let conjuncts = system.exprs.conjuncts(system.commands[command].guard).into_iter();
        let total = conjuncts.take_while(|part| system.exprs.is_total(*part));
        let Forks { tests, workspace, .. } = self;
        total.filter_map(|part| *tests.entry(part).or_insert_with(|| machine.test(part, workspace))).collect()
    }
}

impl Machine {
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
        let mut holds = 0;
        for number in 0..variable.domain.size() as u64 {
            workspace.values[var.index()] = variable.domain.value_at(number);
            holds |= Numbers::from(self.run(&program, workspace).ok()? != 0) << number;
        }
        Some(Test { var, holds })
    }
}

/// Whether a number is in a set.
fn has(numbers: Numbers, number: usize) -> bool {
    numbers >> number & 1 == 1
}

/// On how many bits the commands depend that are left for one of these numbers of a variable, at most.
fn most_bits(var: VarId, numbers: std::ops::Range<usize>, candidates: &[&Candidate]) -> u32 {
    let (tested, others): (Vec<&Candidate>, Vec<&Candidate>) =
        candidates.iter().partition(|candidate| candidate.test(var).is_some());
    let tested: Vec<(Numbers, &Candidate)> =
        tested.into_iter().filter_map(|candidate| Some((candidate.test(var)?, candidate))).collect();
    let (always, mut now) = (together(others.into_iter()), Vec::new());
    let left = numbers.map(|number| {
        now.clone_from(&always);
        let able = tested.iter().filter(|(holds, _)| has(*holds, number));
        able.for_each(|(_, candidate)| add(&mut now, &candidate.part));
        bits(&now)
    });
    left.max().unwrap_or(0)
}

/// The bits that some commands depend on.
fn together<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Vec<u64> {
    let mut all = Vec::new();
    candidates.for_each(|candidate| add(&mut all, &candidate.part));
    all
}

/// Adds bits to others.
fn add(all: &mut Vec<u64>, more: &[u64]) {
    all.resize(more.len(), 0);
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

/// How many bits there are.
fn bits(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}
