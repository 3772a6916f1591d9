//! Sight: which states never claims and `ltl` blocks look at.
//!
//! A claim moves before every step of the model, but SPIN does not let it move inside an atomic section as long as the
//! process there can go on. So a state is hidden if some process has kept control and can move. Where that cannot be told
//! from the control points alone, a variable records who has kept control.

use super::super::lowering::Lowering;
use crate::promela::ids::InstanceId;
use std::collections::{BTreeMap, BTreeSet};
use system::{Choice, CommandId, Domain, ExprId, Node, Place, PointId, ProcessId, Span, Update, VarId};

/// A process at a control point.
type Position = (ProcessId, PointId);

/// What the value of `timeout` is taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeout {
    /// False: something else can run.
    NotYet,
    /// True: nothing else can.
    Passed,
}

/// What hides states.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// Where a process can be that has kept control, and when it is hidden there.
    held: BTreeMap<Position, ExprId>,
}

impl Sight {
    /// When a step from a position goes on with an atomic section; none if it never does.
    pub fn held_at(&self, position: Position) -> Option<ExprId> {
        self.held.get(&position).copied()
    }
}

impl Lowering<'_> {
    /// Finds out which states are hidden, once there are commands.
    pub fn sight(&mut self) -> Option<Sight> {
        let (kept, free) = self.arrivals();
        let mut never_blocks = BTreeSet::new();
        let mut plain = BTreeSet::new();
        for position in &kept {
            if self.is_inside_d_step(*position) || self.is_always_possible(*position) {
                never_blocks.insert(*position);
                if !free.contains(position) {
                    plain.insert(*position);
                }
            }
        }
        let always = self.system.exprs.boolean(true);
        let mut sight = Sight { held: plain.iter().map(|position| (*position, always)).collect() };
        if plain.len() == kept.len() {
            return Some(sight);
        }
        let control = self.record_control(&kept, never_blocks.len() < kept.len())?;
        for (process, point) in kept.difference(&plain) {
            let (holder, own) = (self.now(control), self.integer(process.index() as i64 + 1));
            let has_control = self.system.exprs.equal(holder, own);
            let goes_on = self.can_move_from((*process, *point));
            let hidden = self.both(has_control, goes_on);
            sight.held.insert((*process, *point), hidden);
        }
        Some(sight)
    }

    /// Whether the state is not seen.
    pub fn hidden(&mut self, sight: &Sight) -> ExprId {
        let mut hidden = self.system.exprs.boolean(false);
        for (position, when) in &sight.held {
            let there = self.at(*position);
            let here = self.both(there, *when);
            hidden = self.either(hidden, here);
        }
        hidden
    }

    /// Where processes arrive with control, and where without.
    fn arrivals(&self) -> (BTreeSet<Position>, BTreeSet<Position>) {
        let (mut kept, mut free) = (BTreeSet::new(), BTreeSet::new());
        for process in self.system.processes.indices() {
            free.insert((process, PointId::new(1)));
        }
        for command in &self.system.commands {
            for part in command.parts() {
                let Some(to) = part.to else { continue };
                let keeps = command.holder_afterwards() == Some(part.process);
                if keeps { &mut kept } else { &mut free }.insert((part.process, to));
            }
        }
        (kept, free)
    }

    fn is_inside_d_step(&self, (process, point): Position) -> bool {
        let points = self.points(InstanceId::of(process));
        point.index().checked_sub(1).is_some_and(|number| points[number].inside_d_step)
    }

    fn is_always_possible(&self, position: Position) -> bool {
        self.commands_from(position).into_iter().any(|id| {
            let command = &self.system.commands[id];
            command.partner.is_none() && self.system.exprs.constant_value(command.guard) == Some(1)
        })
    }

    fn commands_from(&self, (process, point): Position) -> Vec<CommandId> {
        let commands = self.system.commands.iter_enumerated().map(|(id, command)| (id, command.owner));
        let own = commands.filter(|(_, owner)| owner.process == process && owner.from == Some(point));
        own.map(|(id, _)| id).collect()
    }

    /// Adds the variable that says who has kept control: 0 for none. Where a process with control can block, every
    /// step has to say so.
    fn record_control(&mut self, kept: &BTreeSet<Position>, may_block: bool) -> Option<VarId> {
        let control = Domain::Range { low: 0, high: self.instances.all.len() as i64 };
        let nobody = self.integer(0);
        let control = self.monitor_variable("_control".to_owned(), control, nobody, Span::default())?;
        for id in self.system.commands.indices() {
            let command = &self.system.commands[id];
            let (owner, span) = (command.owner, command.span);
            let from_kept = owner.from.is_some_and(|from| kept.contains(&(owner.process, from)));
            let holder = command.holder_afterwards().map_or(0, |process| process.index() as i64 + 1);
            if holder != 0 || from_kept || may_block {
                let choice = Choice::Exactly(self.integer(holder));
                self.system.commands[id].updates.push(Update { place: Place::Variable(control), choice, span });
            }
        }
        Some(control)
    }

    /// Whether a process is at a control point.
    fn at(&mut self, (process, point): Position) -> ExprId {
        self.is_at(InstanceId::of(process), point)
    }

    /// Whether a process can move from where it is, if it is there, without a timeout.
    fn can_move_from(&mut self, position: Position) -> ExprId {
        let mut possible = self.system.exprs.boolean(false);
        for id in self.commands_from(position) {
            let ready = self.ready(id);
            possible = self.either(possible, ready);
        }
        self.with_timeout(possible, Timeout::NotYet)
    }

    /// Whether a command can run, if its process is where it starts.
    fn ready(&mut self, id: CommandId) -> ExprId {
        let (guard, partner) = (self.system.commands[id].guard, self.system.commands[id].partner);
        match partner.and_then(|partner| Some((partner.process, partner.from?))) {
            Some(position) => {
                let there = self.at(position);
                self.both(there, guard)
            }
            None => guard,
        }
    }

    /// Whether some command of some processes can run.
    pub fn can_move(&mut self, moves: impl Fn(ProcessId) -> bool, timeout: Timeout) -> ExprId {
        let mut possible = self.system.exprs.boolean(false);
        for id in self.system.commands.indices() {
            let owner = self.system.commands[id].owner;
            let Some(from) = owner.from.filter(|_| moves(owner.process)) else { continue };
            let there = self.at((owner.process, from));
            let ready = self.ready(id);
            let this = self.both(there, ready);
            possible = self.either(possible, this);
        }
        self.with_timeout(possible, timeout)
    }

    fn with_timeout(&mut self, expr: ExprId, timeout: Timeout) -> ExprId {
        self.system.exprs.rewrite(expr, |exprs, id| match exprs.node(id) {
            Node::Timeout => Some(exprs.boolean(timeout == Timeout::Passed)),
            _ => None,
        })
    }
}
