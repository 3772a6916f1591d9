//! Scheduling constraints: partial-order reduction inside the formula.
//!
//! Peephole partial-order reduction (C. Wang, Z. Yang, V. Kahlon, A. Gupta: Peephole partial order reduction, TACAS
//! 2008): for a command a of an earlier process and a command b of a later one, ¬(b at t ∧ a at t+1) if the two are
//! independent in the state at t (Definition 5 of \[GP93\]: a send and a receive are, if the channel is neither empty nor
//! full). As b can neither enable a there nor influence it, a was enabled before b already, and the other order leads to
//! the same state. The states that are reachable in exactly k steps stay the same.
//!
//! An infinite run that closes a loop is looked at as a whole, not for its last state. Changing the order of two steps in a
//! row changes the state in between. That does no harm if
//!  * the formula does not tell how often a state is repeated: no X, Y or Z (it is invariant under stuttering),
//!  * at most one of the two commands writes something that the formula or a fairness constraint reads: two such *visible*
//!    commands are dependent, so that what is seen of the three states is the same up to repetition, and
//!  * the state in between is not where the loop begins, which has to be met again: that pair is exempt.
//!
//! Each change brings a run closer to the order of processes, so that one without forbidden pairs is left of each.

use super::Unrolling;
use crate::gate::Signal;
use crate::lit::ClauseSink;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use system::{
    Command, CommandId, Dependency, ExprId, Footprint, Independence, IndexVec, ProcessId, System, Value, VarId,
};

/// Two processes have at most this many pairs of commands looked at: what is not forbidden costs time only.
const MOST_PAIRS: usize = 1 << 16;

/// None of some commands may be followed directly by any of others, if the state before has these values.
struct Order {
    when: Condition,
    not_first: Vec<CommandId>,
    not_second: Vec<CommandId>,
}

/// Each of these variables has one of these values.
type Condition = Vec<(VarId, Vec<Value>)>;

/// The commands of each process that can run in a step.
type Possible = IndexVec<ProcessId, Vec<CommandId>>;

/// Which orders of commands are forbidden. They are found out for the commands that can run at all, and kept as long as
/// these are the same.
pub(super) struct Forbidden {
    dependency: Dependency,
    /// For each command, whether it writes what is looked at; empty if nothing is.
    visible: IndexVec<CommandId, bool>,
    before: Option<Possible>,
    known: FxHashMap<(ProcessId, ProcessId), Known>,
}

/// The forbidden orders of two processes, if these of their commands can run.
struct Known {
    second: Vec<CommandId>,
    first: Vec<CommandId>,
    orders: Vec<Order>,
}

impl Forbidden {
    pub fn new(system: &System) -> Forbidden {
        let (dependency, visible) = (Dependency::new(system), IndexVec::new());
        Forbidden { dependency, visible, before: None, known: FxHashMap::default() }
    }

    /// The orders that are forbidden for a process and one before it.
    fn orders(&mut self, pair: &Pair<'_>) -> &[Order] {
        let (dependency, visible) = (&self.dependency, &self.visible);
        let is_visible = |command: CommandId| visible.get(command).is_some_and(|visible| *visible);
        let condition = |a: CommandId, b: CommandId| match is_visible(a) && is_visible(b) {
            true => Independence::Never,
            false => dependency.condition(a, b),
        };
        let find =
            || Known { second: pair.second.to_vec(), first: pair.first.to_vec(), orders: pair.forbid(condition) };
        let known = self.known.entry((pair.later, pair.earlier)).or_insert_with(find);
        if known.second != pair.second || known.first != pair.first {
            *known = find();
        }
        &known.orders
    }
}

/// Two processes in their order, and the commands that can run: of the later one first, then of the earlier one.
struct Pair<'a> {
    earlier: ProcessId,
    later: ProcessId,
    first: &'a [CommandId],
    second: &'a [CommandId],
}

impl Pair<'_> {
    /// Commands of the later process that are independent of the same commands of the earlier one share a constraint.
    fn forbid(&self, condition: impl Fn(CommandId, CommandId) -> Independence) -> Vec<Order> {
        if self.first.len() * self.second.len() > MOST_PAIRS {
            return Vec::new();
        }
        let mut groups: BTreeMap<(Condition, Vec<CommandId>), Vec<CommandId>> = BTreeMap::new();
        for b in self.second {
            let mut independent: BTreeMap<Condition, Vec<CommandId>> = BTreeMap::new();
            for a in self.first {
                match condition(*a, *b) {
                    Independence::Always => independent.entry(Condition::new()).or_default().push(*a),
                    Independence::When(when) => independent.entry(when).or_default().push(*a),
                    Independence::Never => {}
                }
            }
            for group in independent {
                groups.entry(group).or_default().push(*b);
            }
        }
        groups.into_iter().map(|((when, not_second), not_first)| Order { when, not_first, not_second }).collect()
    }
}

impl Unrolling<'_> {
    /// Says that runs are looked at as a whole, by these conditions.
    pub fn look_at(&mut self, conditions: &[ExprId]) {
        let reads = read_by(self.system, conditions);
        let changes_anyway = self.moves_by_itself.iter().any(|var| reads.contains(var));
        if let Some(forbidden) = &mut self.forbidden {
            let commands = self.system.commands.iter();
            let visible = commands
                .map(|command| changes_anyway || command.relation.is_some() || writes(self.system, command, &reads));
            forbidden.visible = visible.collect();
        }
    }

    /// Forbids the wrong order of independent commands in the last two steps.
    pub(super) fn schedule(&mut self, sink: &mut dyn ClauseSink) {
        let Some(mut forbidden) = self.forbidden.take() else { return };
        let step = self.frames.len() - 1;
        let begins = self.loop_begins.unwrap_or(Signal::FALSE);
        let possible = self.possible(step);
        if let Some(before) = forbidden.before.replace(possible.clone()) {
            for (later, second) in before.iter_enumerated().filter(|(_, commands)| !commands.is_empty()) {
                for (earlier, first) in possible.iter_enumerated().take_while(|(earlier, _)| *earlier < later) {
                    for order in forbidden.orders(&Pair { earlier, later, first, second }) {
                        let when = self.has_values(&order.when, step - 1);
                        if when == Signal::FALSE {
                            continue;
                        }
                        let ran = self.some_runs(later, (&order.not_first, second), step - 1);
                        let runs = self.some_runs(earlier, (&order.not_second, first), step);
                        for (ran, runs) in ran.iter().flat_map(|ran| runs.iter().map(move |runs| (*ran, *runs))) {
                            self.gates.assert_any(&[!when, !ran, !runs, begins], sink);
                        }
                    }
                }
            }
        }
        self.forbidden = Some(forbidden);
    }

    /// Whether a state satisfies a condition.
    fn has_values(&mut self, condition: &Condition, time: usize) -> Signal {
        let mut all = Vec::new();
        for (var, values) in condition {
            let Some(encoded) = self.frames[time].values[var.index()].clone() else { return Signal::FALSE };
            let any: Vec<Signal> = values.iter().map(|value| encoded.equals(&mut self.gates, *value)).collect();
            all.push(self.gates.any(&any));
        }
        self.gates.all(&all)
    }

    /// The commands that can run in the step out of a state.
    fn possible(&self, step: usize) -> Possible {
        let fires = &self.frames[step].fires;
        let commands = self.commands.iter().map(|own| own.iter().copied());
        commands.map(|own| own.filter(|id| fires[id.index()] != Signal::FALSE).collect()).collect()
    }

    /// Signals one of which is true if one of these commands of a process runs in the step out of a state: the selector
    /// if that is all that can run, one for each command if these are few, else one for all.
    fn some_runs(
        &mut self,
        process: ProcessId,
        (commands, possible): (&[CommandId], &[CommandId]),
        step: usize,
    ) -> Vec<Signal> {
        const FEW: usize = 3;
        if commands.len() == possible.len() {
            return vec![self.frames[step].selector[process.index()]];
        }
        let fires: Vec<Signal> = commands.iter().map(|id| self.frames[step].fires[id.index()]).collect();
        if fires.len() <= FEW { fires } else { vec![self.gates.any(&fires)] }
    }
}

/// Whether a step of a process may change what conditions on states say, where nothing moves by itself.
pub fn may_change(system: &System, process: ProcessId, conditions: &[ExprId]) -> bool {
    let reads = read_by(system, conditions);
    let mut own = system.commands.iter().filter(|command| command.owner.process == process);
    own.any(|command| command.relation.is_some() || writes(system, command, &reads))
}

/// What conditions read, perhaps by way of definitions.
fn read_by(system: &System, conditions: &[ExprId]) -> Vec<VarId> {
    let mut reads = Footprint::of(&system.exprs, conditions).now;
    // A definition comes after those that it follows from.
    for definition in system.definitions.iter().rev() {
        if let Some(expr) = super::expression(definition.choice).filter(|_| reads.contains(&definition.variable)) {
            reads.extend(Footprint::of(&system.exprs, &[expr]).now);
        }
    }
    reads
}

/// Whether a command may write one of some variables.
fn writes(system: &System, command: &Command, variables: &[VarId]) -> bool {
    let pcs = command.parts().filter(|part| part.to.is_some()).filter_map(|part| system.processes[part.process].pc);
    let mut written = command.updates.iter().flat_map(|update| update.place.variables()).chain(pcs);
    written.any(|var| variables.contains(&var))
}
