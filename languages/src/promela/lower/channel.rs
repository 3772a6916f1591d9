//! Channels, and which of them a variable can hold.
//!
//! A channel is a row of cells for each message field and a length. Cells behind the last message are 0, so that equal
//! contents are equal states. Which channels a variable can hold is found by following assignments, `run` and messages
//! until nothing new comes up; a send or receive becomes one command for each of them. A parameter that always holds one
//! and the same channel is as good as its name: commands do not look at it, so that nothing seems to depend on its value.

use super::super::ast::{Creation, Expr, ExprRef, Initial, Kind, Pattern, Reference, Root, Type};
use super::super::flow::Action;
use super::Lowering;
use super::effect::Effects;
use super::expr::{Context, Spot};
use super::storage::{Access, Cells, Index, Leaf};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use system::{ExprId, VarId};

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u32,
    /// The types of a message's fields.
    pub fields: Vec<Type>,
    /// How many messages there are, unless it is a rendezvous.
    pub length: Option<VarId>,
    /// For each field, the first of its cells.
    pub cells: Vec<VarId>,
}

/// A place that can hold a channel: a variable, or a field of the messages in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Variable(VarId),
    Field(usize, usize),
}

/// What a place can hold: channels by number, and `None` for whatever is no channel.
type Contents = BTreeSet<Option<usize>>;

/// What each place can hold. Only for parameters it is known whether that can be something that is no channel.
#[derive(Clone, Debug, Default)]
pub struct Holders {
    sets: FxHashMap<Holder, Contents>,
    changed: bool,
}

impl Holders {
    /// Neighbouring variables that begin with a channel each.
    pub fn begin(&mut self, first: VarId, first_id: i64, count: usize) {
        for offset in 0..count {
            let holder = Holder::Variable(VarId::from(first.index() + offset));
            self.flow(holder, &BTreeSet::from([Some(first_id as usize - 1 + offset)]));
        }
    }

    fn flow(&mut self, holder: Holder, channels: &Contents) {
        let set = self.sets.entry(holder).or_default();
        let before = set.len();
        set.extend(channels);
        self.changed |= set.len() > before;
    }

    fn get(&self, holder: Holder) -> Contents {
        self.sets.get(&holder).cloned().unwrap_or_default()
    }
}

impl Lowering<'_> {
    /// Finds out which channels the variables of type `chan` can hold.
    pub(super) fn find_holders(&mut self) -> Option<()> {
        loop {
            self.holders.changed = false;
            self.flow_of_globals();
            for instance in 0..self.instances.len() {
                self.flow_of_instance(instance);
            }
            if !self.holders.changed {
                return Some(());
            }
        }
    }

    /// What global variables begin with. That names no local variable, so that any process will do.
    fn flow_of_globals(&mut self) {
        let ast = self.ast;
        for (number, global) in ast.globals.iter().enumerate() {
            if let (Initial::Value(value), false) = (&global.initial, self.instances.is_empty()) {
                let channels = self.channels_of(0, *value);
                self.flow_to(0, &whole(Root::Global(number)), &channels);
            }
        }
    }

    fn flow_of_instance(&mut self, instance: usize) {
        let ast = self.ast;
        let proctype = self.instances[instance].proctype;
        for (number, local) in ast.proctypes[proctype].locals.iter().enumerate() {
            if let Initial::Value(value) = &local.initial {
                let channels = self.channels_of(instance, *value);
                self.flow_to(instance, &whole(Root::Local(number)), &channels);
            }
        }
        for point in 0..self.automata[proctype].points.len() {
            let edges: Vec<Action> =
                self.automata[proctype].points[point].edges().map(|edge| edge.action.clone()).collect();
            for action in edges {
                if let Action::Statement(kind) = action {
                    self.flow_of_statement(instance, &kind);
                }
            }
        }
    }

    fn flow_of_statement(&mut self, instance: usize, kind: &Kind) {
        match kind {
            Kind::Assign(place, value) => {
                let channels = self.channels_of(instance, *value);
                self.flow_to(instance, &Access::of(place), &channels);
                self.flow_of_run(instance, *value);
            }
            Kind::Condition(value) => self.flow_of_run(instance, *value),
            Kind::Send(channel, _, fields) => {
                let leaves = |field: &ExprRef| self.channels_of_leaves(instance, *field, None);
                let sets: Vec<Contents> = fields.iter().flat_map(leaves).collect();
                for number in self.channels_at(instance, &Access::of(channel)).into_iter().flatten() {
                    for (field, set) in sets.iter().enumerate() {
                        if field < self.channels[number].fields.len() {
                            self.holders.flow(Holder::Field(number, field), set);
                        }
                    }
                }
            }
            Kind::Receive(channel, _, _, patterns) => {
                let places = self.places(instance, patterns);
                for number in self.channels_at(instance, &Access::of(channel)).into_iter().flatten() {
                    for (field, place) in places.iter().enumerate() {
                        let set = self.holders.get(Holder::Field(number, field));
                        if let Some(place) = place {
                            self.flow_to(instance, place, &(&set | &no_channel()));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The channels that each leaf of a message's field or of an argument can be; `element` says which one of an array.
    fn channels_of_leaves(&self, instance: usize, value: ExprRef, element: Option<u32>) -> Vec<Contents> {
        let Expr::Variable(reference) = self.ast.expr(value) else { return vec![self.channels_of(instance, value)] };
        let mut parts = self.parts(Some(instance), reference);
        for part in &mut parts {
            part.indices[0] = element.map(Index::Constant).or(part.indices[0]);
        }
        parts.iter().map(|part| self.channels_at(instance, part)).collect()
    }

    /// The places that a receive stores to, field by field.
    fn places(&self, instance: usize, patterns: &[Pattern]) -> Vec<Option<Access>> {
        let mut places = Vec::new();
        for pattern in patterns {
            match pattern {
                Pattern::Store(reference) => {
                    places.extend(self.parts(Some(instance), reference).into_iter().map(Some));
                }
                Pattern::Match(_) => places.push(None),
            }
        }
        places
    }

    fn flow_of_run(&mut self, instance: usize, expr: ExprRef) {
        let ast = self.ast;
        let Some(Creation { name, arguments, .. }) = self.find_run(expr) else { return };
        let Some(proctype) = ast.proctypes.iter().position(|proctype| proctype.name == name) else { return };
        let mut given = Vec::new();
        for child in self.children(instance, expr, proctype) {
            let leaves = |(number, argument): (usize, &ExprRef)| {
                self.channels_of_leaves(instance, *argument, child.element(number))
            };
            let sets = arguments.iter().enumerate().flat_map(leaves);
            given.extend(self.parameters(child.instance).into_iter().zip(sets).map(|to| (child.instance, to)));
        }
        for (child, (parameter, channels)) in given {
            self.flow_to(child, &parameter, &channels);
        }
    }

    /// The cells that a reference can mean, as far as constant indices tell.
    fn cells(&self, instance: usize, access: &Access) -> Option<(Leaf, Option<usize>)> {
        let storage = self.storage(Some(instance), access.root)?;
        let leaf = storage.leaves.iter().find(|leaf| leaf.path == access.path)?.clone();
        let mut flat = Some(0usize);
        for (length, index) in leaf.dims.iter().zip(&access.indices) {
            let Some(length) = length else { continue };
            let at = match index {
                Some(Index::Constant(at)) => Some(*at as usize),
                Some(Index::Expr(expr)) => match self.ast.expr(*expr) {
                    Expr::Number(value) => usize::try_from(*value).ok(),
                    Expr::Variable(Reference { root: Root::Pid, .. }) => Some(self.instances[instance].pid as usize),
                    _ => None,
                },
                Some(Index::Value(_)) | None => None,
            };
            flat = flat.zip(at).map(|(flat, at)| flat * *length as usize + at);
        }
        let flat = flat.filter(|at| *at < leaf.count());
        Some((leaf, flat))
    }

    fn flow_to(&mut self, instance: usize, access: &Access, channels: &Contents) {
        let Some((leaf, at)) = self.cells(instance, access) else { return };
        let Cells::Variables(first) = leaf.cells else { return };
        if channels.iter().all(Option::is_none) && !self.is_given(instance, access) {
            return;
        }
        let cells = at.map_or(0..leaf.count(), |at| at..at + 1);
        for cell in cells {
            self.holders.flow(Holder::Variable(VarId::from(first.index() + cell)), channels);
        }
    }

    /// Whether the variable has no other value than those that `run` and the statements of its process give it: it is a
    /// parameter of a process that does not run from the beginning.
    fn is_given(&self, instance: usize, access: &Access) -> bool {
        let Root::Local(number) = access.root else { return false };
        let proctype = &self.ast.proctypes[self.instances[instance].proctype];
        let is_channel = |leaf: &Leaf| leaf.ty == Type::Chan && leaf.count() == 1;
        !self.instances[instance].starts
            && number < proctype.parameters
            && self.cells(instance, access).is_some_and(|(leaf, _)| is_channel(&leaf))
    }

    fn channels_of(&self, instance: usize, expr: ExprRef) -> Contents {
        match self.ast.expr(expr) {
            Expr::Variable(reference) => self.channels_at(instance, &Access::of(reference)),
            Expr::Conditional(_, then, otherwise) => {
                &self.channels_of(instance, *then) | &self.channels_of(instance, *otherwise)
            }
            _ => no_channel(),
        }
    }

    fn channels_at(&self, instance: usize, access: &Access) -> Contents {
        let Some((leaf, at)) = self.cells(instance, access) else { return no_channel() };
        let cells = at.map_or(0..leaf.count(), |at| at..at + 1);
        match &leaf.cells {
            Cells::Constants(ids) => cells.map(|cell| Some(ids[cell] as usize - 1)).collect(),
            Cells::Variables(first) => {
                let held = |cell: usize| self.holders.get(Holder::Variable(VarId::from(first.index() + cell)));
                let beginning = if self.is_given(instance, access) { Contents::new() } else { no_channel() };
                cells.flat_map(held).chain(beginning).collect()
            }
        }
    }

    /// The channels that a reference can mean, each with the condition that it does.
    pub(super) fn candidates(&mut self, context: Context<'_>, access: &Access) -> Option<Vec<(usize, ExprId)>> {
        let located = self.locate(context, access)?;
        let known = match context.instance {
            Some(instance) => self.channels_at(instance, access),
            None => self.channels_at_global(access),
        };
        let mut candidates = Vec::new();
        if let Spot::Constants { ids, index } = &located.place {
            // Which channel it is follows from the index alone.
            for (at, id) in ids.iter().enumerate() {
                let at = self.integer(at as i64);
                let here = self.system.exprs.equal(*index, at);
                if self.system.exprs.constant_value(here) != Some(0) {
                    candidates.push((*id as usize - 1, here));
                }
            }
        } else if let [Some(only)] = known.iter().copied().collect::<Vec<_>>()[..] {
            candidates.push((only, self.system.exprs.boolean(true)));
        } else {
            let value = self.read_place(context, &located.place);
            for number in known.into_iter().flatten() {
                let id = self.integer(number as i64 + 1);
                let here = self.system.exprs.equal(value, id);
                if self.system.exprs.constant_value(here) != Some(0) {
                    candidates.push((number, here));
                }
            }
        }
        Some(candidates)
    }

    fn channels_at_global(&self, access: &Access) -> Contents {
        // Constant indices do not depend on the process; any will do.
        if self.instances.is_empty() { Contents::new() } else { self.channels_at(0, access) }
    }

    /// The effects of emptying a channel.
    pub(super) fn empty_channel(&mut self, number: usize, effects: &mut Effects) {
        let channel = self.channels[number].clone();
        let zero = self.integer(0);
        effects_of_all(&channel, |var| effects.set(var, zero));
    }
}

/// Calls `visit` with every variable of a channel.
fn effects_of_all(channel: &Channel, mut visit: impl FnMut(VarId)) {
    channel.length.into_iter().for_each(&mut visit);
    for first in &channel.cells {
        (0..channel.capacity as usize).for_each(|at| visit(VarId::from(first.index() + at)));
    }
}

fn no_channel() -> Contents {
    Contents::from([None])
}

fn whole(root: Root) -> Access {
    Access { root, path: Vec::new(), indices: vec![None], span: system::Span::default() }
}
