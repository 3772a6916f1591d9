//! Dependency between commands, by the operations on objects that they use (\[GP93\]).
//!
//! Two commands are independent in a state (Definition 5) if neither can enable, disable or influence the other there
//! and the two orders lead to the same state. They are, if their operations on each common object are (Definition 3);
//! [`super::object`] tabulates for which values that is so.

use super::channel::join_channels;
use super::failing::may_fail;
use super::object::{Effect, Object, Operation, Values, first_values, members};
use super::observed::{observed_by_sections, observed_by_steps, parts};
use super::operation::{
    Operations, anything, is_fine, observe, observe_fully, of_command, of_watcher, scattered, value_count,
};
use super::section::{followers, join_sections};
use crate::definition::expr::Node;
use crate::definition::footprint::{Footprint, VarSet};
use crate::definition::ids::{CommandId, ExprId, PropertyId, VarId};
use crate::definition::op::Binary;
use crate::definition::system::{Choice, Claim, Command, Move, Place, System};
use crate::definition::value::Value;
use crate::execution::state::Layout;
use index_vec::IndexVec;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

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
    /// A command that changes a variable is dependent on one that uses it, program counters aside: the unrefined relation that
    /// \[GP93\] compares with.
    Accesses,
}

/// What is one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// A command. Those inside atomic sections are dependent on all others.
    Commands,
    /// A command with the atomic section that it begins, from one state that other processes see to the next.
    Sections,
}

/// The invariants that are asked about.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watched<'a> {
    /// Those over states.
    pub states: &'a [PropertyId],
    /// Those over steps; each [looks at who moves](Dependency::can_watch) only.
    pub steps: &'a [PropertyId],
    /// Conditions on states, whose changes are seen.
    pub conditions: &'a [ExprId],
}

/// Forgets what operations do, except to program counters.
fn blur(system: &System, counters: &VarSet, operations: &mut Operations) {
    for (var, operation) in operations.iter_mut().filter(|(var, _)| !counters.contains(**var)) {
        operation.defined = first_values(operation.classes.len());
        operation.classes = (0..operation.classes.len() as u32).collect();
        if operation.effect != Effect::Keep {
            operation.effect = anything(system, *var);
        }
    }
}

/// An object, and who uses which operation on it.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    var: VarId,
    /// Whether the object's value is the variable's; otherwise it is unknown, and nothing depends on it.
    fine: bool,
    pub(crate) object: Arc<Object>,
    /// For each operation, who uses it.
    pub(crate) users: Vec<Vec<Actor>>,
}

impl Shared {
    #[inline]
    pub(crate) fn value(&self, layout: &Layout, state: &[u64]) -> usize {
        if self.fine { layout.index(state, self.var).unwrap_or(0) as usize } else { 0 }
    }

    /// Whether the object's value is known to keep an operation from being carried out.
    pub(crate) fn is_in_the_way(&self, operation: u32, layout: &Layout, state: &[u64]) -> bool {
        self.fine && !self.object.is_defined(operation as usize, self.value(layout, state))
    }
}

/// An operation that an actor uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) object: u32,
    pub(crate) operation: u32,
}

/// The dependency relation of a system's commands.
#[derive(Clone, Debug)]
pub struct Dependency {
    pub(crate) objects: Vec<Shared>,
    /// For each actor, its operations in the order of objects.
    pub(crate) uses: Vec<Vec<Use>>,
    commands: usize,
    /// For each command, the object that is the program counter of its process.
    pc: IndexVec<CommandId, Option<u32>>,
    /// Commands that are dependent on all others: those that take or give up control in atomic sections, those that wait
    /// for a timeout, or all of them where relations or timeouts tie every step to everything.
    tied: IndexVec<CommandId, bool>,
    /// The tied ones that may run where others can: a persistent set has all of them or none.
    pub(crate) dependent_on_all: Vec<Actor>,
    /// Commands that run only where no other can, by a timeout.
    waiting: IndexVec<CommandId, bool>,
    /// Commands whose steps a property looks at, also if they change nothing.
    subjects: IndexVec<CommandId, bool>,
    /// Whether something is lost if a command is put off for ever.
    must_not_ignore: bool,
    domains: BTreeMap<VarId, crate::definition::sort::Domain>,
}

impl Dependency {
    /// Computes the relation.
    pub fn new(system: &System) -> Dependency {
        Dependency::watching(system, Watched::default(), Refinement::Operations, Granularity::Commands)
    }

    /// Whether an invariant over steps only looks at who moves, and from which state.
    pub fn can_watch(system: &System, property: PropertyId) -> bool {
        super::observed::is_about_movers(system, property)
    }

    /// The commands whose steps some invariants over steps look at; all of them, if that is not known.
    pub fn subjects(system: &System, steps: &[PropertyId]) -> IndexVec<CommandId, bool> {
        let is_known = steps.iter().all(|property| Dependency::can_watch(system, *property));
        let mut subjects: IndexVec<CommandId, bool> = system.commands.iter().map(|_| !is_known).collect();
        if is_known {
            observed_by_steps(system, steps).into_iter().for_each(|(command, _)| subjects[command] = true);
        }
        subjects
    }

    /// Computes the relation of the steps and the watchers of some invariants.
    pub fn watching(
        system: &System,
        watched: Watched<'_>,
        refinement: Refinement,
        granularity: Granularity,
    ) -> Dependency {
        let scattered = scattered(system);
        let mut actors: Vec<Operations> =
            system.commands.iter().map(|command| of_command(system, command, &scattered)).collect();
        let may_fail = may_fail(system, &actors);
        let observed = observed_by_steps(system, watched.steps);
        for property in watched.states {
            if let Claim::Invariant(condition) = system.properties[*property].claim {
                actors.extend(parts(&system.exprs, condition).into_iter().map(|part| of_watcher(system, part)));
            }
        }
        actors.extend(watched.conditions.iter().map(|condition| of_watcher(system, *condition)));
        match refinement {
            Refinement::Operations => join_channels(system, &observed, &mut actors),
            Refinement::Accesses => {
                let counters = system.program_counters();
                actors.iter_mut().for_each(|operations| blur(system, &counters, operations));
            }
        }
        for (command, part) in observed {
            observe(system, &mut actors[command.index()], part);
        }
        if granularity == Granularity::Sections && system.has_atomic_sections {
            let followers = followers(system);
            join_sections(system, &followers, &mut actors);
            for (command, part) in observed_by_sections(system, watched.states, &followers, &actors) {
                observe_fully(system, &mut actors[command.index()], part);
            }
        }
        let (tied, waiting) = tied(system, granularity);
        let mut dependency = Dependency {
            objects: Vec::new(),
            uses: vec![Vec::new(); actors.len()],
            commands: system.commands.len(),
            pc: IndexVec::new(),
            dependent_on_all: tied
                .indices()
                .filter(|id| tied[*id] && !waiting[*id])
                .map(|command| command.raw())
                .collect(),
            tied,
            waiting,
            subjects: Dependency::subjects(system, watched.steps),
            must_not_ignore: may_fail
                || !watched.states.is_empty()
                || !watched.steps.is_empty()
                || !watched.conditions.is_empty(),
            domains: system.variables.iter_enumerated().map(|(var, info)| (var, info.domain.clone())).collect(),
        };
        dependency.tabulate(system, &actors);
        let numbers: BTreeMap<VarId, u32> =
            dependency.objects.iter().zip(0..).map(|(shared, number)| (shared.var, number)).collect();
        let counters = system.commands.iter().map(|command| system.processes[command.owner.process].pc);
        dependency.pc = counters.map(|pc| numbers.get(&pc?).copied()).collect();
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
        // Processes that are alike do the same to variables of theirs.
        let mut alike: FxHashMap<(usize, Vec<Operation>), usize> = FxHashMap::default();
        for (number, (var, (operations, users))) in by_object.into_iter().enumerate() {
            for (operation, users) in users.iter().enumerate() {
                for actor in users {
                    self.uses[*actor as usize].push(Use { object: number as u32, operation: operation as u32 });
                }
            }
            let (values, operations) = (value_count(system, var), operations.into_iter().collect::<Vec<_>>());
            let object = match alike.entry((values, operations)) {
                Entry::Occupied(earlier) => Arc::clone(&self.objects[*earlier.get()].object),
                Entry::Vacant(new) => {
                    let object = Arc::new(Object::new(values, new.key().1.clone()));
                    new.insert(number);
                    object
                }
            };
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

    /// Whether something is lost if a command is put off for ever: a property might see what it does, or it might fail.
    /// States without successors are never lost (Lemma 4.2 of Godefroid's thesis, quoted in \[God97\]).
    pub fn must_not_ignore(&self) -> bool {
        self.must_not_ignore
    }

    /// How many commands and watchers there are.
    pub fn actors(&self) -> usize {
        self.uses.len()
    }

    /// The command that an actor is, unless it is a watcher.
    pub fn command(&self, actor: Actor) -> Option<CommandId> {
        ((actor as usize) < self.commands).then(|| CommandId::from(actor as usize))
    }

    /// How many users the objects have that a command uses: the more, the less it is independent of others.
    pub fn company(&self, command: CommandId) -> usize {
        let objects = self.uses[command.index()].iter().map(|used| &self.objects[used.object as usize]);
        objects.flat_map(|shared| &shared.users).map(Vec::len).sum()
    }

    /// Whether a command may change what some watcher sees.
    pub fn is_watched(&self, command: CommandId) -> bool {
        let mut watchers = self.commands as Actor..self.uses.len() as Actor;
        watchers.any(|watcher| self.common(command.raw(), watcher).any(|(_, dependent)| dependent != 0))
    }

    /// Whether a command runs only by a timeout: the first one that does ends it for the others.
    pub fn runs_by_timeout(&self, command: CommandId) -> bool {
        self.waiting[command]
    }

    /// Whether a command runs only where no other can. Where one can, the waiting ones do not matter: what is
    /// independent of the enabled commands of a persistent set leaves them enabled, so that no timeout comes before one of
    /// them has run.
    pub(crate) fn is_waiting(&self, actor: Actor) -> bool {
        self.command(actor).is_some_and(|command| self.waiting[command])
    }

    /// Tells who might interact with an enabled command (▷, Definition 11): they belong to a conditional stubborn set
    /// with it. Some are told more than once.
    pub fn interacting(&self, command: CommandId, layout: &Layout, state: &[u64], mut tell: impl FnMut(Actor)) {
        if self.tied[command] {
            (0..self.uses.len() as Actor).for_each(tell);
            return;
        }
        self.dependent_on_all.iter().for_each(|actor| tell(*actor));
        self.partners(command.raw(), Object::interacting, layout, state, &mut tell);
    }

    /// Tells who might be the first to make a difference to an enabled command that changes nothing. Until then, the command
    /// counts as disabled: a step from a state to itself leads nowhere.
    pub fn stirring(&self, command: CommandId, layout: &Layout, state: &[u64], mut tell: impl FnMut(Actor)) {
        if self.tied[command] || self.subjects[command] {
            self.interacting(command, layout, state, tell);
            return;
        }
        self.dependent_on_all.iter().for_each(|actor| tell(*actor));
        self.partners(command.raw(), Object::stirring, layout, state, &mut tell);
    }

    fn partners(
        &self,
        actor: Actor,
        who: fn(&Object, usize, usize) -> &[u32],
        layout: &Layout,
        state: &[u64],
        tell: &mut impl FnMut(Actor),
    ) {
        for Use { object, operation } in &self.uses[actor as usize] {
            let shared = &self.objects[*object as usize];
            let value = shared.value(layout, state);
            for other in who(&shared.object, *operation as usize, value) {
                let users = shared.users[*other as usize].iter().copied();
                users.filter(|actor| !self.is_waiting(*actor)).for_each(&mut *tell);
            }
        }
    }

    /// Tells who might be the first to make a disabled actor able to run: a necessary enabling set of it. Where several variables stand in its way,
    /// one is enough: the one whose change costs least, which is said of those who might change it. Says whether costs made a difference.
    pub fn enabling(
        &self,
        actor: Actor,
        layout: &Layout,
        state: &[u64],
        cost: impl Fn(Actor) -> u32,
        mut tell: impl FnMut(Actor),
    ) -> Costs {
        if self.command(actor).is_some_and(|command| self.tied[command]) {
            (0..self.uses.len() as Actor).for_each(tell);
            return Costs::Ignored;
        }
        let own = self.command(actor).and_then(|command| self.pc[command]);
        let mut obstacles = self.uses[actor as usize].iter().filter_map(|Use { object, operation }| {
            let shared = &self.objects[*object as usize];
            if !shared.fine {
                return None;
            }
            let (operation, value) = (*operation as usize, shared.value(layout, state));
            let is_defined = shared.object.is_defined(operation, value);
            (!is_defined).then(|| (*object, shared, shared.object.enabling(operation, value)))
        });
        let ease = |(object, shared, enabling): &(u32, &Shared, &[u32])| {
            let others = Some(*object) != own;
            let (mut costs, mut enablers) = (0, 0);
            for op in *enabling {
                let users = &shared.users[*op as usize];
                costs += users.iter().map(|actor| cost(*actor)).sum::<u32>();
                enablers += users.len();
            }
            (costs, others, enablers)
        };
        // Most often there is one only, and what it costs does not matter.
        let (first, second) = (obstacles.next(), obstacles.next());
        let (easiest, costs) = match second {
            None => (first, Costs::Ignored),
            Some(_) => (first.into_iter().chain(second).chain(obstacles).min_by_key(ease), Costs::Compared),
        };
        match easiest {
            Some((_, shared, enabling)) => {
                let actors = enabling.iter().flat_map(|op| &shared.users[*op as usize]).copied();
                actors.filter(|actor| !self.is_waiting(*actor)).for_each(tell);
            }
            // Something that reads several variables stands in the way: a command that changes one of them counts.
            None => {
                self.dependent_on_all.iter().for_each(|actor| tell(*actor));
                self.partners(actor, Object::interacting, layout, state, &mut tell);
            }
        }
        costs
    }
}

/// Whether it was looked at what it costs to change a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// One variable at most stands in the way.
    Ignored,
    /// Several do, and the costs decided.
    Compared,
}

/// Commands that are dependent on all others, and those of them that run by a timeout only.
fn tied(system: &System, granularity: Granularity) -> (IndexVec<CommandId, bool>, IndexVec<CommandId, bool>) {
    let commands = &system.commands;
    let none: IndexVec<CommandId, bool> = commands.iter().map(|_| false).collect();
    let all: IndexVec<CommandId, bool> = commands.iter().map(|_| true).collect();
    let waiting: IndexVec<CommandId, bool> = commands.iter().map(|command| is_waiting(system, command)).collect();
    let mut asking = commands.iter_enumerated().filter(|(_, command)| mentions_timeout(system, command));
    let entangled = match granularity {
        Granularity::Commands => asking.next().is_some(),
        Granularity::Sections => asking.any(|(id, _)| !waiting[id]),
    };
    if entangled || !system.relations.is_empty() {
        return (all, none);
    }
    match granularity {
        Granularity::Sections => (waiting.clone(), waiting),
        Granularity::Commands => (inside_sections(system), none),
    }
}

/// Whether a command can only run by a timeout, and its guard fails to have a value only then.
fn is_waiting(system: &System, command: &Command) -> bool {
    let exprs = &system.exprs;
    let mut open = vec![command.guard];
    while let Some(part) = open.pop() {
        match *exprs.node(part) {
            Node::Timeout => return true,
            // What can fail is evaluated last.
            Node::Binary(Binary::And, a, b) if exprs.is_total(a) || exprs.is_total(b) => open.extend([a, b]),
            Node::Ite(condition, then, otherwise) if exprs.constant_value(otherwise) == Some(0) => {
                open.push(condition);
                open.extend(exprs.is_total(condition).then_some(then));
            }
            _ => {}
        }
    }
    false
}

fn mentions_timeout(system: &System, command: &Command) -> bool {
    let mut roots: Vec<ExprId> = vec![command.guard];
    roots.extend(command.relation);
    for update in &command.updates {
        if let Place::Element { index, .. } = update.place {
            roots.push(index);
        }
        if let Choice::Exactly(value) | Choice::OneOf(value) = update.choice {
            roots.push(value);
        }
    }
    Footprint::of(&system.exprs, &roots).timeout
}

/// The commands that take control, have it or give it up.
fn inside_sections(system: &System) -> IndexVec<CommandId, bool> {
    let kept = system.kept_points();
    let mut inside = IndexVec::new();
    for command in &system.commands {
        let Move { process, from, .. } = command.owner;
        let is_anywhere = kept.contains(&(process, None));
        let is_there = kept.iter().any(|(keeper, to)| *keeper == process && (from.is_none() || *to == from));
        inside.push(command.keeps_control || is_anywhere || is_there);
    }
    inside
}
