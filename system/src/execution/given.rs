//! Plans for commands of which some inputs are known.
//!
//! Where a model moves as a whole and an input, or a variable that may have any value in any state, says which of its many components
//! makes a step, the plan of its only command computes the next value of every variable, nearly all of which stay as they are. Once it is
//! known what the input is, most branches of most cases are known not to apply: what is left of the command is a guard and a few
//! variables. So a command has a plan of its own for values that are asked for more than once, as partial evaluation has it
//! (N. Jones, C. Gomard, P. Sestoft, Partial Evaluation and Automatic Program Generation, 1993).
//!
//! It has the same steps as the plan of the command where the inputs have these values: expressions are rebuilt by the laws of
//! [`Exprs`](crate::definition::expr::Exprs), none of which hides a failure, and a variable is left out only if it is kept unless written and what is left of
//! its update is the variable itself.

use super::machine::{Machine, Workspace};
use super::plan::{Plan, plan_command};
use crate::definition::expr::{Exprs, Node};
use crate::definition::footprint::{Footprint, VarSet};
use crate::definition::ids::{CommandId, ExprId, ProcessId, VarId};
use crate::definition::op::Binary;
use crate::definition::span::Span;
use crate::definition::system::{Choice, Claim, Command, Condition, Motion, Place, System, Update};
use crate::definition::value::Value;
use rustc_hash::FxHashMap;
use std::cell::LazyCell;
use std::sync::Arc;

/// The most operations of all plans that are made. Beyond, commands run by the plans that they have.
const MOST_OPERATIONS: usize = 1 << 20;

/// What is left of a command.
#[derive(Debug)]
pub(crate) struct GivenPlan {
    /// How its successors are enumerated: one way after the other. None if it cannot run.
    pub plans: Vec<Plan>,
    /// The variables that are looked at or changed, by the plans or by a property of steps.
    pub vars: Vec<VarId>,
}

/// The most values for which is remembered that they were asked for, of a command.
const MOST_SEEN: usize = 1 << 16;

/// The most commands of which is remembered what is left.
const MOST_RESTS: usize = 1 << 12;

/// The most ways to satisfy a condition that are planned one by one.
const MOST_WAYS: usize = 64;

/// A free variable with more values than this says nothing about who moves.
const MOST_VALUES: u128 = 256;

/// As many combinations of values of free variables have plans of their own whatever these variables say.
const FEW_COMBINATIONS: u128 = 64;

/// The most combinations of values that have them where the variables say much.
const MOST_COMBINATIONS: u128 = 1024;

/// A free variable says much if it decides one in this many of the updates of a command.
const SAYS_MUCH: usize = 4;

/// How many instructions it is like to execute to make an expression or an operation.
const MAKING: u64 = 64;

/// Values of the inputs of a command, and of free variables.
type Values = Vec<(VarId, Value)>;

/// What is known for values of inputs.
#[derive(Clone, Debug)]
enum Known {
    /// They were asked for once.
    Seen,
    Made(Arc<GivenPlan>),
}

/// What is left of a command and of the relations of its system.
#[derive(Debug)]
struct Rest {
    command: Command,
    relations: Vec<Condition>,
}

/// The plans that have been made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// The same system, with room for what is left of expressions.
    scratch: Option<Box<System>>,
    /// What is left of commands where the first inputs are known: what is left where one more is known is computed from that.
    rests: FxHashMap<(CommandId, Values), Arc<Rest>>,
    /// The inputs and free variables that a command looks at.
    inputs: FxHashMap<CommandId, Arc<[VarId]>>,
    known: FxHashMap<CommandId, FxHashMap<Values, Known>>,
    operations: usize,
}

impl Machine {
    /// The plan of a command for the pinned values of its inputs and the values of free variables in a state. Nothing if it looks at none,
    /// these are asked for for the first time, or there is no room.
    pub(crate) fn given_plan(
        &self,
        command: CommandId,
        state: &[u64],
        workspace: &mut Workspace,
    ) -> Option<Arc<GivenPlan>> {
        let Workspace { given, pinned, executed, .. } = workspace;
        let inputs = given.inputs.entry(command).or_insert_with(|| self.inputs_of(command));
        let value_of = |var: &VarId| {
            let pinned = pinned.iter().find(|(pinned, _)| pinned == var).map(|(_, value)| *value);
            pinned.or_else(|| self.layout().get(state, *var)).map(|value| (*var, value))
        };
        let values: Values = inputs.iter().filter_map(value_of).collect();
        if values.is_empty() {
            return None;
        }
        let known = given.known.entry(command).or_default();
        match known.get(&values) {
            Some(Known::Made(plan)) => return Some(Arc::clone(plan)),
            Some(Known::Seen) if given.operations < MOST_OPERATIONS => {}
            Some(Known::Seen) => return None,
            None if known.len() < MOST_SEEN => {
                known.insert(values, Known::Seen);
                return None;
            }
            None => return None,
        }
        let expressions = given.scratch.as_ref().map_or(0, |scratch| scratch.exprs.len());
        let plan = Arc::new(self.specialised(command, &values, given));
        let made = given.scratch.as_ref().map_or(0, |scratch| scratch.exprs.len()) - expressions;
        let known = given.known.entry(command).or_default();
        let operations = 1 + plan.plans.iter().map(|plan| plan.ops.len()).sum::<usize>();
        given.operations += operations;
        *executed += MAKING * (made + operations) as u64;
        known.insert(values, Known::Made(Arc::clone(&plan)));
        Some(plan)
    }

    /// The inputs that a command looks at, and the free variables that nothing is said about, in order. None for one with a partner, whose
    /// control point would have to be looked at first.
    fn inputs_of(&self, command: CommandId) -> Arc<[VarId]> {
        if self.system().commands[command].partner.is_some() {
            return Arc::new([]);
        }
        let mut inputs = self.mentioned(self.plan(command));
        inputs.sort_unstable();
        inputs.dedup();
        let is_told = LazyCell::new(|| told(self.system()));
        inputs.retain(|var| {
            let variable = &self.system().variables[*var];
            match variable.motion {
                Motion::Input => true,
                Motion::Free => !is_told.contains(*var) && variable.domain.size() <= MOST_VALUES,
                Motion::Kept | Motion::Defined => false,
            }
        });
        let dropped = self.saying_little(command, &inputs);
        inputs.retain(|var| !dropped.contains(var));
        inputs.into()
    }

    /// Those of these free variables that have so many values together, and decide so little each, that no plan is worth making for what they
    /// have: where each component has a variable of its own that says what it does, the same values hardly ever come again.
    fn saying_little(&self, command: CommandId, inputs: &[VarId]) -> Vec<VarId> {
        let system = self.system();
        let size = |var: &VarId| system.variables[*var].domain.size();
        let free: Vec<VarId> = inputs.iter().copied().filter(|var| !system.is_input(*var)).collect();
        let together = free.iter().map(size).fold(1, u128::saturating_mul);
        if together <= FEW_COMBINATIONS {
            return Vec::new();
        }
        let updates = &system.commands[command].updates;
        let mut decides: FxHashMap<VarId, usize> = FxHashMap::default();
        for update in updates {
            let (Choice::Exactly(expr) | Choice::OneOf(expr)) = update.choice else { continue };
            let reads = Footprint::of(&system.exprs, &[expr]).now;
            reads.into_iter().for_each(|var| *decides.entry(var).or_default() += 1);
        }
        let says_much = |var: &VarId| {
            updates.is_empty() || decides.get(var).is_some_and(|count| count * SAYS_MUCH >= updates.len())
        };
        let mut combinations = 1;
        let mut is_kept = |var: &VarId| {
            let more = size(var).saturating_mul(combinations);
            let is_kept = says_much(var) && more <= MOST_COMBINATIONS;
            combinations = if is_kept { more } else { combinations };
            is_kept
        };
        free.into_iter().filter(|var| !is_kept(var)).collect()
    }

    /// The inputs that the commands of a process look at, in order.
    pub fn inputs_read_by(&self, process: ProcessId) -> Vec<VarId> {
        let own = self.system().commands.iter_enumerated().filter(|(_, command)| command.owner.process == process);
        let mut inputs: Vec<VarId> = own.flat_map(|(command, _)| self.mentioned(self.plan(command))).collect();
        inputs.retain(|var| self.system().is_input(*var));
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// Plans what is left of a command. The scratch system is what it was before, but for expressions that nothing refers to.
    fn specialised(&self, command: CommandId, values: &Values, given: &mut Given) -> GivenPlan {
        let mut scratch = given.scratch.take().unwrap_or_else(|| Box::new(self.system().clone()));
        let Rest { command: left, relations } = &*self.rest(command, values, &mut scratch, &mut given.rests);
        let whole = std::mem::replace(&mut scratch.commands[command], left.clone());
        let all = std::mem::replace(&mut scratch.relations, relations.clone());
        let plans = if can_run(left, relations, &scratch.exprs) {
            self.plans_by_ways(command, &mut scratch)
        } else {
            Vec::new()
        };
        scratch.commands[command] = whole;
        scratch.relations = all;
        given.scratch = Some(scratch);
        let mut vars: Vec<VarId> = plans.iter().flat_map(|plan| self.mentioned(plan)).collect();
        vars.extend(self.step_reads());
        vars.retain(|var| !self.system().is_input(*var));
        vars.sort_unstable();
        vars.dedup();
        GivenPlan { plans, vars }
    }

    /// What is left of a command for some values: one after the other is written into it. What is left for all but the last is
    /// remembered, as it is small and the last may have many values.
    fn rest(
        &self,
        command: CommandId,
        values: &Values,
        scratch: &mut System,
        rests: &mut FxHashMap<(CommandId, Values), Arc<Rest>>,
    ) -> Arc<Rest> {
        let known = (0..values.len()).rev().find_map(|count| {
            let first = (command, values[..count].to_vec());
            rests.get(&first).map(|rest| (count, Arc::clone(rest)))
        });
        let whole =
            || Rest { command: self.system().commands[command].clone(), relations: self.system().relations.clone() };
        let (count, mut rest) = known.unwrap_or_else(|| (0, Arc::new(whole())));
        for place in count..values.len() {
            if rests.len() < MOST_RESTS {
                rests.insert((command, values[..place].to_vec()), Arc::clone(&rest));
            }
            rest = Arc::new(self.assume(&rest, values[place], scratch));
        }
        rest
    }

    /// The plans of a command: one for each of the ways to satisfy what is asked of its steps, if one of the conditions is a
    /// disjunction. In each way of a relation in disjunctive form, most next values are determined.
    fn plans_by_ways(&self, command: CommandId, scratch: &mut System) -> Vec<Plan> {
        let plan = |system: &System| plan_command(system, &self.constants, self.registers, command, &self.common);
        let System { commands, exprs, relations, .. } = &mut *scratch;
        let asked = relations.iter().map(|relation| relation.holds).chain(commands[command].relation);
        let mut conditions: Vec<ExprId> = asked.flat_map(|condition| exprs.conjuncts(condition)).collect();
        let ways = conditions.iter().map(|condition| ways_of(exprs, *condition));
        let Some((place, ways)) = ways.enumerate().find(|(_, ways)| (2..=MOST_WAYS).contains(&ways.len())) else {
            return vec![plan(scratch)];
        };
        commands[command].relation = None;
        let mut plans = Vec::with_capacity(ways.len());
        for way in ways {
            conditions[place] = way;
            let conditions = conditions.iter().map(|holds| Condition { holds: *holds, span: Span::default() });
            scratch.relations = conditions.collect();
            plans.push(plan(scratch));
        }
        plans
    }

    /// The variables that invariants over steps look at.
    fn step_reads(&self) -> Vec<VarId> {
        let system = self.system();
        let over_steps = system.properties.iter_enumerated().filter(|(id, _)| !self.is_state_invariant(*id));
        let conditions = over_steps.filter_map(|(_, property)| match property.claim {
            Claim::Invariant(expr) => Some(expr),
            _ => None,
        });
        let Footprint { now, next, .. } = Footprint::of(&system.exprs, &conditions.collect::<Vec<_>>());
        now.into_iter().chain(next).collect()
    }

    /// Writes the value of an input into what is left of a command.
    fn assume(&self, rest: &Rest, (input, value): (VarId, Value), system: &mut System) -> Rest {
        let System { exprs, variables, .. } = system;
        let (mut command, mut relations) = (rest.command.clone(), rest.relations.clone());
        let mut left = |expr: ExprId| {
            let left = exprs.assume(expr, input, value);
            // A plan can look at constants only that the machine has.
            if self.constants.have_all_of(exprs, left) { left } else { expr }
        };
        command.guard = left(command.guard);
        command.relation = command.relation.map(&mut left);
        relations.iter_mut().for_each(|relation| relation.holds = left(relation.holds));
        for update in &mut command.updates {
            if let Choice::Exactly(expr) | Choice::OneOf(expr) = &mut update.choice {
                *expr = left(*expr);
            }
        }
        command.updates.retain(|update| !keeps(update, exprs) || variables[first(update)].motion != Motion::Kept);
        for update in &mut command.updates {
            if let Choice::OneOf(expr) = update.choice
                && !exprs.is_set(expr)
            {
                update.choice = Choice::Exactly(expr);
            }
        }
        Rest { command, relations }
    }
}

/// Whether some step may satisfy what is left of a command.
fn can_run(command: &Command, relations: &[Condition], exprs: &Exprs) -> bool {
    let conditions = relations.iter().map(|relation| relation.holds).chain(command.relation).chain([command.guard]);
    conditions.into_iter().all(|condition| exprs.constant_value(condition) != Some(0))
}

/// The ways to satisfy a condition that has a value in any case: the operands of a disjunction.
fn ways_of(exprs: &Exprs, condition: ExprId) -> Vec<ExprId> {
    let (mut open, mut ways) = (vec![condition], Vec::new());
    while let Some(id) = open.pop() {
        match *exprs.node(id) {
            Node::Binary(Binary::Or, a, b) if exprs.is_total(condition) => open.extend([b, a]),
            _ => ways.push(id),
        }
    }
    ways
}

/// The variables that a command or a relation says something about.
fn told(system: &System) -> VarSet {
    let mut told = VarSet::new(system.variables.len());
    for node in (0..system.exprs.len()).map(|id| system.exprs.node(ExprId::from(id))) {
        if let Node::Next(var) = node {
            told.insert(*var);
        }
    }
    for update in system.commands.iter().flat_map(|command| &command.updates) {
        update.place.variables().for_each(|var| {
            told.insert(var);
        });
    }
    told
}

/// Whether an update writes back what a variable has.
fn keeps(update: &Update, exprs: &Exprs) -> bool {
    match (update.place, update.choice) {
        (Place::Variable(var), Choice::Exactly(expr) | Choice::OneOf(expr)) => *exprs.node(expr) == Node::Now(var),
        _ => false,
    }
}

fn first(update: &Update) -> VarId {
    match update.place {
        Place::Variable(var) => var,
        Place::Element { first, .. } => first,
    }
}
