//! What has to be so before a condition can come to be: a command that writes what it reads, and when that command may run.
//!
//! Who waits until a token has gone round, or until a quorum has answered, sees nothing of the way there in the condition itself. One command
//! further back it shows: the token has to be here, and a count has to be so high. This is goal regression (R. Waldinger, Achieving
//! several goals simultaneously, Machine Intelligence 8, 1977), with one of the commands drawn at random for each condition, so that it is a
//! guess and no proof: walks that aim at the wrong one are lost work, and the next one draws another.

use super::aim::{Condition, Goal, way_to};
use fastrand::Rng;
use rustc_hash::FxHashMap;
use system::{
    Binary, Choice, CommandId, ExprId, Exprs, Footprint, Motion, Move, Node, Place, PointId, ProcessId, System, Value,
    VarId,
};

/// The most ways to write a value that are looked at in one command.
const MOST_WAYS: usize = 64;

/// The most commands that are looked at for one condition.
const MOST_COMMANDS: usize = 64;

/// Which commands write what.
#[derive(Default)]
pub(super) struct Writers {
    /// Those that choose a value for a variable.
    choices: FxHashMap<VarId, Vec<(CommandId, Choice)>>,
    /// Those by which a process comes to a control point.
    arrivals: FxHashMap<(ProcessId, PointId), Vec<CommandId>>,
    /// What follows from other variables.
    definitions: FxHashMap<VarId, Choice>,
    /// Whose value says where a process is.
    counters: FxHashMap<VarId, ProcessId>,
    /// Whether a variable has any value in the next state, whatever is done.
    drifts: Vec<bool>,
}

impl Writers {
    /// The writers of a system. Of each variable it is told whether a command or a relation says what becomes of it.
    pub fn of(system: &System, is_told: &[bool]) -> Writers {
        let mut writers = Writers::default();
        for (id, command) in system.commands.iter_enumerated() {
            for update in &command.updates {
                if let Place::Variable(var) = update.place {
                    writers.choices.entry(var).or_default().push((id, update.choice));
                }
            }
            for part in command.parts() {
                if let Some(to) = part.to.filter(|to| part.from != Some(*to)) {
                    writers.arrivals.entry((part.process, to)).or_default().push(id);
                }
            }
        }
        let counters = system.processes.iter_enumerated().filter_map(|(id, process)| Some((process.pc?, id)));
        writers.counters = counters.collect();
        writers.definitions = system.definitions.iter().map(|found| (found.variable, found.choice)).collect();
        let drifts = |(var, variable): (VarId, &system::Variable)| {
            variable.motion == Motion::Input || variable.motion == Motion::Free && !is_told[var.index()]
        };
        writers.drifts = system.variables.iter_enumerated().map(drifts).collect();
        writers
    }

    /// What has to be so for a step after which a goal is there, in one way that is drawn. None if no way is seen.
    pub fn before(&self, system: &System, goal: Goal, random: &mut Rng) -> Option<Vec<Goal>> {
        let mut found = match goal {
            Goal::At(process, point) => self.before_arrival(system, (process, point), random),
            Goal::Has(condition, value) => {
                let (var, wanted) = Test::of(&system.exprs, condition, value)?;
                self.before_value(system, var, wanted, random)
            }
        }?;
        found.retain(|goal| self.lasts(system, *goal));
        Some(found)
    }

    /// Whether a condition says something of the state that remains until something is done about it.
    fn lasts(&self, system: &System, goal: Goal) -> bool {
        let Goal::Has(condition, _) = goal else { return true };
        let reads = Footprint::of(&system.exprs, &[condition]);
        !reads.has_step(system) && !reads.now.iter().any(|var| self.drifts[var.index()])
    }

    fn before_arrival(&self, system: &System, at: (ProcessId, PointId), random: &mut Rng) -> Option<Vec<Goal>> {
        let commands = self.arrivals.get(&at)?;
        Some(may_run(system, commands[random.usize(..commands.len())], random))
    }

    fn before_value(&self, system: &System, var: VarId, wanted: Test, random: &mut Rng) -> Option<Vec<Goal>> {
        if let Some(choice) = self.definitions.get(&var) {
            let ways = ways_to_write(&system.exprs, var, *choice, wanted);
            return ways.get(random.usize(..ways.len().max(1))).map(|way| expanded(system, way, random));
        }
        let mut found = Vec::new();
        if let Some(process) = self.counters.get(&var) {
            let points = system.processes[*process].points.iter_enumerated();
            for (point, _) in points.filter(|(_, point)| point.value.is_some_and(|value| wanted.accepts(value))) {
                found.extend(self.arrivals.get(&(*process, point)).into_iter().flatten().map(|id| (*id, Vec::new())));
            }
        }
        let choices = self.choices.get(&var).map_or(&[][..], Vec::as_slice);
        let first = random.usize(..choices.len().max(1));
        for (command, choice) in choices.iter().cycle().skip(first).take(choices.len().min(MOST_COMMANDS)) {
            let ways = ways_to_write(&system.exprs, var, *choice, wanted);
            found.extend(ways.into_iter().map(|way| (*command, way)));
        }
        if found.is_empty() {
            return None;
        }
        let (command, way) = found.swap_remove(random.usize(..found.len()));
        let mut goals = may_run(system, command, random);
        goals.extend(expanded(system, &way, random));
        Some(goals)
    }
}

/// When a command may run.
fn may_run(system: &System, command: CommandId, random: &mut Rng) -> Vec<Goal> {
    let command = &system.commands[command];
    let places = command.parts().filter_map(|Move { process, from, .. }| Some(Goal::At(process, from?)));
    let mut goals: Vec<Goal> = places.collect();
    goals.extend(expanded(system, &[(command.guard, true)], random));
    goals
}

/// Conditions that are enough for others to hold.
fn expanded(system: &System, conditions: &[Condition], random: &mut Rng) -> Vec<Goal> {
    let ways = conditions.iter().flat_map(|condition| way_to(&system.exprs, *condition, random));
    ways.map(|(condition, value)| Goal::Has(condition, value)).collect()
}

/// The conditions on the ways through a choice to a value that is wanted. That other branches are not taken is left out: it is mostly so.
fn ways_to_write(exprs: &Exprs, var: VarId, choice: Choice, wanted: Test) -> Vec<Vec<Condition>> {
    let (Choice::Exactly(root) | Choice::OneOf(root)) = choice else { return vec![Vec::new()] };
    let (mut open, mut found) = (vec![(root, Vec::new())], Vec::new());
    while let Some((expr, way)) = open.pop() {
        if found.len() == MOST_WAYS || open.len() > MOST_WAYS * MOST_WAYS {
            break;
        }
        match exprs.node(expr) {
            Node::Ite(condition, yes, no) => {
                open.push((*no, way.clone()));
                open.push((*yes, way.into_iter().chain([(*condition, true)]).collect()));
            }
            Node::Union(one, other) => open.extend([(*one, way.clone()), (*other, way)]),
            Node::Constant(value) if wanted.accepts(*value) => found.push(way),
            Node::Constant(_) | Node::Gap(_) => {}
            Node::Now(same) if *same == var => {}
            _ => found.push(match wanted {
                // The value is a condition itself.
                Test::Is(value) => way.into_iter().chain([(expr, value)]).collect(),
                _ => way,
            }),
        }
    }
    found
}

/// Which values of a variable are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Is(bool),
    /// Those that compare with a number, on the left or the right, as is wanted.
    Compares {
        by: Binary,
        number: Value,
        is_left: bool,
        wanted: bool,
    },
}

impl Test {
    /// The variable that a condition is about, and which values of it are wanted.
    fn of(exprs: &Exprs, condition: ExprId, wanted: bool) -> Option<(VarId, Test)> {
        match *exprs.node(condition) {
            Node::Now(var) => Some((var, Test::Is(wanted))),
            Node::Binary(by @ (Binary::Equal | Binary::Less | Binary::LessEqual), a, b) => {
                let test = |number, is_left| Test::Compares { by, number, is_left, wanted };
                match (exprs.node(a), exprs.node(b)) {
                    (Node::Now(var), Node::Constant(number)) => Some((*var, test(*number, false))),
                    (Node::Constant(number), Node::Now(var)) => Some((*var, test(*number, true))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn accepts(self, value: Value) -> bool {
        match self {
            Test::Is(wanted) => (value != 0) == wanted,
            Test::Compares { by, number, is_left, wanted } => {
                let (a, b) = if is_left { (number, value) } else { (value, number) };
                let holds = match by {
                    Binary::Equal => a == b,
                    Binary::Less => a < b,
                    _ => a <= b,
                };
                holds == wanted
            }
        }
    }
}
