//! How channels get into variables and messages.

use super::{Contents, Held, Holder, no_channel};
use crate::diagnostic::Diagnostics;
use crate::promela::ast::{Creation, Expr, ExprRef, Initial, Kind, Pattern, Reference, Root};
use crate::promela::flow::Action;
use crate::promela::ids::InstanceId;
use crate::promela::lower::instances::Instances;
use crate::promela::lower::program::Program;
use crate::promela::lower::storage::{Access, Cells, Index, Memory, cell};
use rustc_hash::FxHashMap;

/// Finds out which channels the variables of type `chan` and the fields of messages can hold; nothing if reading has to end.
pub fn find<'a>(
    program: &'a Program<'a>,
    instances: &'a Instances,
    memory: &'a Memory,
    diagnostics: &mut Diagnostics,
) -> Option<Held<'a>> {
    let held = Held { program, instances, memory, sets: FxHashMap::default() };
    let mut flow = Flow { held, changed: false };
    flow.of_creations();
    loop {
        flow.changed = false;
        flow.of_globals();
        for instance in instances.all.indices() {
            if diagnostics.is_over_after(program.points(instances.all[instance].proctype).len()) {
                return None;
            }
            flow.of_instance(instance);
        }
        if !flow.changed {
            return Some(flow.held);
        }
    }
}

struct Flow<'a> {
    held: Held<'a>,
    changed: bool,
}

impl Flow<'_> {
    fn add(&mut self, holder: Holder, channels: &Contents) {
        let set = self.held.sets.entry(holder).or_default();
        let before = set.len();
        set.extend(channels);
        self.changed |= set.len() > before;
    }

    /// Variables that begin with a channel of their own.
    fn of_creations(&mut self) {
        for leaf in self.held.memory.leaves() {
            let Cells::Variables(first) = leaf.cells else { continue };
            for (at, channel) in leaf.created.iter().enumerate() {
                self.add(Holder::Variable(cell(first, at)), &Contents::from([Some(*channel)]));
            }
        }
    }

    /// What global variables begin with. That names no local variable, so that any process will do.
    fn of_globals(&mut self) {
        let any = InstanceId::new(0);
        for (number, global) in self.held.program.ast.globals.iter().enumerate() {
            if let (Initial::Value(value), false) = (&global.initial, self.held.instances.all.is_empty()) {
                self.of_assignment(any, &Access::whole(Root::Global(number)), *value);
            }
        }
    }

    fn of_instance(&mut self, instance: InstanceId) {
        let program = self.held.program;
        let proctype = self.held.instances.all[instance].proctype;
        for (number, local) in program.ast.proctypes[proctype].locals.iter().enumerate() {
            if let Initial::Value(value) = &local.initial {
                self.of_assignment(instance, &Access::whole(Root::Local(number)), *value);
            }
        }
        for (_, edge) in program.edges(proctype) {
            if let Action::Statement(kind) = &edge.action {
                self.of_statement(instance, kind);
            }
        }
    }

    fn of_statement(&mut self, instance: InstanceId, kind: &Kind) {
        match kind {
            Kind::Assign(place, value) => {
                self.of_assignment(instance, &Access::of(place), *value);
                self.of_run(instance, *value);
            }
            Kind::Condition(value) => self.of_run(instance, *value),
            Kind::Send(channel, _, fields) => self.of_send(instance, channel, fields),
            Kind::Receive(channel, _, _, patterns) => self.of_receive(instance, channel, patterns),
            _ => {}
        }
    }

    fn of_assignment(&mut self, instance: InstanceId, place: &Access, value: ExprRef) {
        let channels = self.held.of_value(instance, value);
        self.flow_to(instance, place, &channels);
    }

    fn of_send(&mut self, instance: InstanceId, channel: &Reference, fields: &[ExprRef]) {
        let sets: Vec<Contents> = fields.iter().flat_map(|field| self.of_leaves(instance, *field, None)).collect();
        for target in self.held.at(instance, &Access::of(channel)).into_iter().flatten() {
            let room = self.held.memory.channels[target].fields.len();
            for (field, set) in sets.iter().enumerate().take(room) {
                self.add(Holder::Field(target, field), set);
            }
        }
    }

    fn of_receive(&mut self, instance: InstanceId, channel: &Reference, patterns: &[Pattern]) {
        let places = self.places(instance, patterns);
        for source in self.held.at(instance, &Access::of(channel)).into_iter().flatten() {
            for (field, place) in places.iter().enumerate() {
                let Some(place) = place else { continue };
                let set = self.held.holder(Holder::Field(source, field));
                self.flow_to(instance, place, &(&set | &no_channel()));
            }
        }
    }

    fn of_run(&mut self, instance: InstanceId, expr: ExprRef) {
        let Held { program, instances, memory, .. } = self.held;
        let Some(creation @ Creation { arguments, .. }) = program.ast.run_within(expr) else { return };
        let Some(proctype) = program.created(creation) else { return };
        let mut given = Vec::new();
        for child in instances.children(instance, expr, proctype) {
            let leaves =
                |(number, argument): (usize, &ExprRef)| self.of_leaves(instance, *argument, child.element(number));
            let sets = arguments.iter().enumerate().flat_map(leaves);
            given.extend(memory.frames[child.instance].parameters.iter().zip(sets).map(|to| (child.instance, to)));
        }
        for (child, (parameter, channels)) in given {
            self.flow_to(child, parameter, &channels);
        }
    }

    /// The channels that each leaf of a message's field or of an argument can be; `element` says which one of an array.
    fn of_leaves(&self, instance: InstanceId, value: ExprRef, element: Option<u32>) -> Vec<Contents> {
        let Expr::Variable(reference) = self.held.program.ast.expr(value) else {
            return vec![self.held.of_value(instance, value)];
        };
        let mut parts = self.held.memory.parts(Some(instance), reference);
        for part in &mut parts {
            part.indices[0] = element.map(Index::Constant).or(part.indices[0]);
        }
        parts.iter().map(|part| self.held.at(instance, part)).collect()
    }

    /// The places that a receive stores to, field by field.
    fn places(&self, instance: InstanceId, patterns: &[Pattern]) -> Vec<Option<Access>> {
        let mut places = Vec::new();
        for pattern in patterns {
            match pattern {
                Pattern::Store(reference) => {
                    places.extend(self.held.memory.parts(Some(instance), reference).into_iter().map(Some));
                }
                Pattern::Match(_) => places.push(None),
            }
        }
        places
    }

    fn flow_to(&mut self, instance: InstanceId, access: &Access, channels: &Contents) {
        let Some((leaf, cells)) = self.held.cells(instance, access) else { return };
        let Cells::Variables(first) = leaf.cells else { return };
        if channels.iter().all(Option::is_none) && !self.held.is_given(instance, access) {
            return;
        }
        for at in cells {
            self.add(Holder::Variable(cell(first, at)), channels);
        }
    }
}
