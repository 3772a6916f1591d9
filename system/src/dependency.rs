//! Dependency between commands, by the operations on objects that they use (\[GP93\]).
//!
//! Two commands are independent in a state (Definition 5) if neither can enable, disable or influence the other there
//! and the two orders lead to the same state. They are, if their operations on each common object are (Definition 3);
//! [`crate::object`] tabulates for which values that is so.

use crate::channel::join_channels;
use crate::failing::may_fail;
use crate::ids::{CommandId, PropertyId, VarId};
use crate::object::{Effect, Object, Operation, Values, first_values, members};
use crate::operation::{Operations, anything, is_fine, of_command, of_watcher, value_count};
use crate::state::Layout;
use crate::system::{Claim, Command, Move, System};
use crate::value::Value;
use index_vec::IndexVec;
use indexmap::IndexSet;
use std::collections::BTreeMap;

/// Something that moves or watches: a command, or the watcher of a part of an invariant, which "runs" where that part
/// is violated. Numbers below the number of commands are commands.
pub type Actor = u32;

/// When two commands are independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Independence {
    /// In every state.
    Always,
    /// In no state, as far as is known.
    Never,
    /// At least in the states where each of these variables has one of these values.
    When(Vec<(VarId, Vec<Value>)>),
}

/// How finely operations are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refinement {
    /// By what they do, and by the value of the object.
    #[default]
    Operations,
    /// Whoever changes a variable is dependent on whoever uses it, program counters aside: the unrefined relation that
    /// \[GP93\] compares with.
    Accesses,
}

/// Forgets what operations do, except to program counters.
fn blur(system: &System, operations: &mut Operations) {
    let is_pc = |var: VarId| system.processes.iter().any(|process| process.pc == Some(var));
    for (var, operation) in operations.iter_mut().filter(|(var, _)| !is_pc(**var)) {
        operation.defined = first_values(operation.classes.len());
        operation.classes = (0..operation.classes.len() as u32).collect();
        if operation.effect != Effect::Keep {
            operation.effect = anything(system, *var);
        }
    }
}

/// An object, and who uses which operation on it.
#[derive(Clone, Debug)]
struct Shared {
    var: VarId,
    /// Whether the object's value is the variable's; otherwise it is unknown, and nothing depends on it.
    fine: bool,
    object: Object,
    /// For each operation, who uses it.
    users: Vec<Vec<Actor>>,
}

impl Shared {
    #[inline]
    fn value(&self, layout: &Layout, state: &[u64]) -> usize {
        if self.fine { layout.index(state, self.var).unwrap_or(0) as usize } else { 0 }
    }
}

/// An operation that an actor uses.
#[derive(Clone, Copy, Debug)]
struct Use {
    object: u32,
    operation: u32,
}

/// The dependency relation of a system's commands.
#[derive(Clone, Debug)]
pub struct Dependency {
    objects: Vec<Shared>,
    /// For each actor, its operations in the order of objects.
    uses: Vec<Vec<Use>>,
    commands: usize,
    /// Commands that are dependent on all others: those that take or give up control in atomic sections, or all of
    /// them where relations or timeouts tie every step to everything.
    tied: IndexVec<CommandId, bool>,
    /// Whether running some command may fail.
    may_fail: bool,
    domains: BTreeMap<VarId, crate::sort::Domain>,
}

impl Dependency {
    /// Computes the relation.
    pub fn new(system: &System) -> Dependency {
        Dependency::watching(system, &[], Refinement::Operations)
    }

    /// Computes the relation of the commands and the watchers of some invariants over states.
    pub fn watching(system: &System, properties: &[PropertyId], refinement: Refinement) -> Dependency {
        let mut actors: Vec<Operations> = system.commands.iter().map(|command| of_command(system, command)).collect();
        for property in properties {
            if let Claim::Invariant(condition) = system.properties[*property].claim {
                let total = system.exprs.is_total(condition);
                let parts = if total { system.exprs.conjuncts(condition) } else { vec![condition] };
                actors.extend(parts.into_iter().map(|part| of_watcher(system, part)));
            }
        }
        let may_fail = may_fail(system, &actors);
        match refinement {
            Refinement::Operations => join_channels(system, &mut actors),
            Refinement::Accesses => actors.iter_mut().for_each(|operations| blur(system, operations)),
        }
        let mut dependency = Dependency {
            objects: Vec::new(),
            uses: vec![Vec::new(); actors.len()],
            commands: system.commands.len(),
            tied: tied(system),
            may_fail,
            domains: system.variables.iter_enumerated().map(|(var, info)| (var, info.domain.clone())).collect(),
        };
        dependency.tabulate(system, &actors);
        dependency
    }

    fn tabulate(&mut self, system: &System, actors: &[Operations]) {
        let mut by_object: BTreeMap<VarId, (IndexSet<Operation>, Vec<Vec<Actor>>)> = BTreeMap::new();
        for (actor, operations) in actors.iter().enumerate() {
            for (var, operation) in operations {
                let (known, users) = by_object.entry(*var).or_default();
                let (index, is_new) = known.insert_full(operation.clone());
                if is_new {
                    users.push(Vec::new());
                }
                users[index].push(actor as Actor);
            }
        }
        for (number, (var, (operations, users))) in by_object.into_iter().enumerate() {
            for (operation, users) in users.iter().enumerate() {
                for actor in users {
                    self.uses[*actor as usize].push(Use { object: number as u32, operation: operation as u32 });
                }
            }
            let object = Object::new(value_count(system, var), operations.into_iter().collect());
            self.objects.push(Shared { var, fine: is_fine(system, var), object, users });
        }
    }

    /// Whether two commands are independent in every state (Definition 1 of \[GP93\]).
    pub fn are_independent(&self, a: CommandId, b: CommandId) -> bool {
        !self.tied[a] && !self.tied[b] && self.common(a.raw(), b.raw()).all(|(_, dependent)| dependent == 0)
    }

    /// Whether two commands are independent in a state (Definition 5).
    pub fn are_independent_in(&self, a: CommandId, b: CommandId, layout: &Layout, state: &[u64]) -> bool {
        let is_met = |(shared, dependent): (&Shared, Values)| {
            dependent != 0 && (!shared.fine || dependent >> shared.value(layout, state) & 1 == 1)
        };
        !self.tied[a] && !self.tied[b] && !self.common(a.raw(), b.raw()).any(is_met)
    }

    /// In which states two commands are independent, as far as the value of single variables tells.
    pub fn condition(&self, a: CommandId, b: CommandId) -> Independence {
        let mut needed = Vec::new();
        if self.tied[a] || self.tied[b] {
            return Independence::Never;
        }
        for (shared, dependent) in self.common(a.raw(), b.raw()).filter(|(_, dependent)| *dependent != 0) {
            let free = shared.object.all() & !dependent;
            if !shared.fine || free == 0 {
                return Independence::Never;
            }
            let domain = &self.domains[&shared.var];
            needed.push((shared.var, members(free).map(|index| domain.value_at(index as u64)).collect()));
        }
        if needed.is_empty() { Independence::Always } else { Independence::When(needed) }
    }

    /// The common objects of two actors, and the values for which their operations are dependent.
    fn common(&self, a: Actor, b: Actor) -> impl Iterator<Item = (&Shared, Values)> {
        let (mut left, mut right) = (self.uses[a as usize].as_slice(), self.uses[b as usize].as_slice());
        std::iter::from_fn(move || {
            loop {
                let (first, second) = (left.first()?, right.first()?);
                match first.object.cmp(&second.object) {
                    std::cmp::Ordering::Less => left = &left[1..],
                    std::cmp::Ordering::Greater => right = &right[1..],
                    std::cmp::Ordering::Equal => {
                        (left, right) = (&left[1..], &right[1..]);
                        let shared = &self.objects[first.object as usize];
                        let dependent = shared.object.dependent(first.operation as usize, second.operation as usize);
                        return Some((shared, dependent));
                    }
                }
            }
        })
    }

    /// Whether something is lost if a command is put off for ever: a watcher might see what it does, or it might fail.
    /// States without successors are never lost (Lemma 4.2 of Godefroid's thesis, quoted in \[God97\]).
    pub fn must_not_ignore(&self) -> bool {
        self.may_fail || self.uses.len() > self.commands
    }

    /// How many commands and watchers there are.
    pub fn actors(&self) -> usize {
        self.uses.len()
    }

    /// The command that an actor is, unless it is a watcher.
    pub fn command(&self, actor: Actor) -> Option<CommandId> {
        ((actor as usize) < self.commands).then(|| CommandId::from(actor as usize))
    }

    /// Whether a command may change what some watcher sees.
    pub fn is_watched(&self, command: CommandId) -> bool {
        let mut watchers = self.commands as Actor..self.uses.len() as Actor;
        watchers.any(|watcher| self.common(command.raw(), watcher).any(|(_, dependent)| dependent != 0))
    }

    /// Tells who might interact with an enabled command (▷, Definition 11): they belong to a conditional stubborn set
    /// with it. Some are told more than once.
    pub fn interacting(&self, command: CommandId, layout: &Layout, state: &[u64], mut tell: impl FnMut(Actor)) {
        let all_tied = self.tied.iter_enumerated().filter(|(_, tied)| **tied).map(|(command, _)| command.raw());
        if self.tied[command] {
            (0..self.uses.len() as Actor).for_each(tell);
            return;
        }
        all_tied.for_each(&mut tell);
        self.partners(command.raw(), layout, state, &mut tell);
    }

    fn partners(&self, actor: Actor, layout: &Layout, state: &[u64], tell: &mut impl FnMut(Actor)) {
        for Use { object, operation } in &self.uses[actor as usize] {
            let shared = &self.objects[*object as usize];
            let value = shared.value(layout, state);
            for other in shared.object.interacting(*operation as usize, value) {
                shared.users[*other as usize].iter().for_each(|actor| tell(*actor));
            }
        }
    }

    /// Tells who might be the first to make a disabled actor able to run. Where several variables stand in its way,
    /// one is enough: the one that fewest can change.
    pub fn waking(&self, actor: Actor, layout: &Layout, state: &[u64], mut tell: impl FnMut(Actor)) {
        if self.command(actor).is_some_and(|command| self.tied[command]) {
            (0..self.uses.len() as Actor).for_each(tell);
            return;
        }
        let users = |shared: &Shared, op: u32| shared.users[op as usize].len();
        let obstacles = self.uses[actor as usize].iter().filter_map(|Use { object, operation }| {
            let shared = &self.objects[*object as usize];
            let value = shared.value(layout, state);
            let stands_in_the_way = shared.fine && !shared.object.is_defined(*operation as usize, value);
            stands_in_the_way.then(|| (shared, shared.object.waking(*operation as usize, value)))
        });
        match obstacles.min_by_key(|(shared, waking)| waking.iter().map(|op| users(shared, *op)).sum::<usize>()) {
            Some((shared, waking)) => {
                let actors = waking.iter().flat_map(|op| &shared.users[*op as usize]);
                actors.for_each(|actor| tell(*actor));
            }
            // Something that reads several variables stands in the way: whoever changes one of them counts.
            None => {
                (0..self.commands as Actor)
                    .filter(|command| self.tied[CommandId::from(*command as usize)])
                    .for_each(&mut tell);
                self.partners(actor, layout, state, &mut tell);
            }
        }
    }
}

/// Commands that are dependent on all others.
fn tied(system: &System) -> IndexVec<CommandId, bool> {
    let entangled = system.has_timeout() || !system.relations.is_empty();
    let kept = system.kept_points();
    let in_control = |command: &Command| {
        let Move { process, from, .. } = command.owner;
        let is_anywhere = kept.contains(&(process, None));
        let is_there = kept.iter().any(|(keeper, to)| *keeper == process && (from.is_none() || *to == from));
        command.keeps_control || is_anywhere || is_there
    };
    system.commands.iter().map(|command| entangled || in_control(command)).collect()
}
