//! Systems built by hand: processes with control points, variables, channels, commands.

use crate::{
    Binary, Choice, Claim, Command, ControlPoint, Domain, ExprId, IndexVec, Motion, Move, Place, PointId, Process,
    ProcessId, Property, PropertyId, Sort, Span, System, Update, Value, VarId, Variable,
};

/// A system in the making.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The system so far.
    pub system: System,
}

/// A bounded FIFO channel: the messages from the oldest on, then zeros, and how many there are.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// How many messages there are.
    pub length: VarId,
    /// The place of the oldest message; the others follow.
    pub first: VarId,
    /// How many messages there can be.
    pub capacity: u32,
}

impl Channel {
    /// The place of a message by its age, the oldest first.
    fn place(self, index: u32) -> VarId {
        VarId::from(self.first.index() + index as usize)
    }
}

impl Program {
    /// A variable that keeps its value.
    pub fn variable(&mut self, name: &str, domain: Domain, initial: Value) -> VarId {
        let sort = domain.sort();
        let variable = Variable { name: name.to_owned(), domain, motion: Motion::Kept, span: Span::default() };
        let var = self.system.variables.push(variable);
        let value = self.system.exprs.constant(initial, sort);
        self.system.initial_values.push(update(var, value));
        var
    }

    /// An integer from 0 to `high`.
    pub fn number(&mut self, name: &str, high: i64, initial: Value) -> VarId {
        self.variable(name, Domain::Range { low: 0, high }, initial)
    }

    /// A process with this many control points, which starts at the first and may rest at some.
    pub fn process(&mut self, name: &str, points: usize, ends: &[usize]) -> ProcessId {
        let pc = self.number(&format!("{name}.pc"), points as i64 - 1, 0);
        let points: IndexVec<PointId, ControlPoint> = (0..points)
            .map(|index| ControlPoint {
                name: index.to_string(),
                value: Some(index as Value),
                end: ends.contains(&index),
            })
            .collect();
        self.system.processes.push(Process { name: name.to_owned(), pc: Some(pc), points, span: Span::default() })
    }

    /// A command that goes from one control point to another.
    pub fn command(&mut self, process: ProcessId, from: usize, to: usize, guard: ExprId, updates: Vec<Update>) {
        let owner = Move { process, from: Some(PointId::from(from)), to: Some(PointId::from(to)) };
        self.system.commands.push(Command {
            owner,
            partner: None,
            guard,
            updates,
            relation: None,
            keeps_control: false,
            label: format!("{from} to {to}"),
            span: Span::default(),
        });
    }

    /// An invariant.
    pub fn invariant(&mut self, name: &str, condition: ExprId) -> PropertyId {
        self.claim(name, Claim::Invariant(condition))
    }

    /// The claim that nothing gets stuck.
    pub fn deadlock_free(&mut self) -> PropertyId {
        self.claim("deadlock", Claim::DeadlockFree)
    }

    fn claim(&mut self, name: &str, claim: Claim) -> PropertyId {
        self.system.properties.push(Property::new(name.to_owned(), claim, Span::default()))
    }

    /// The condition that is always true.
    pub fn always(&mut self) -> ExprId {
        self.system.exprs.boolean(true)
    }

    /// A variable's value.
    pub fn now(&mut self, var: VarId) -> ExprId {
        let sort = self.system.variables[var].domain.sort();
        self.system.exprs.now(var, sort)
    }

    /// Whether a process is at a control point.
    pub fn at(&mut self, process: ProcessId, point: usize) -> ExprId {
        match self.system.processes[process].pc {
            Some(pc) => self.equals(pc, point as Value),
            None => self.always(),
        }
    }

    /// Whether a variable has a value.
    pub fn equals(&mut self, var: VarId, value: Value) -> ExprId {
        let sort = self.system.variables[var].domain.sort();
        let value = self.system.exprs.constant(value, sort);
        let now = self.now(var);
        self.system.exprs.equal(now, value)
    }

    /// Whether a number is less than a constant.
    pub fn is_less(&mut self, var: VarId, limit: i64) -> ExprId {
        let (now, limit) = (self.now(var), self.system.exprs.integer(limit));
        self.system.exprs.binary(Binary::Less, now, limit)
    }

    /// Whether a number is more than a constant.
    pub fn is_more(&mut self, var: VarId, limit: i64) -> ExprId {
        let (now, limit) = (self.now(var), self.system.exprs.integer(limit));
        self.system.exprs.binary(Binary::Less, limit, now)
    }

    /// Storing a constant.
    pub fn set(&mut self, var: VarId, value: Value) -> Update {
        let sort = self.system.variables[var].domain.sort();
        update(var, self.system.exprs.constant(value, sort))
    }

    /// Adding a constant.
    pub fn add(&mut self, var: VarId, amount: i64) -> Update {
        let (now, amount) = (self.now(var), self.system.exprs.integer(amount));
        update(var, self.system.exprs.binary(Binary::Add, now, amount))
    }

    /// Storing an expression's value.
    pub fn assign(&mut self, var: VarId, value: ExprId) -> Update {
        update(var, value)
    }

    /// A channel for messages from 1 to `messages`, with room for at least one.
    pub fn channel(&mut self, name: &str, capacity: u32, messages: i64) -> Channel {
        let length = self.number(&format!("{name}.length"), i64::from(capacity), 0);
        let places: Vec<VarId> =
            (0..capacity).map(|index| self.number(&format!("{name}[{index}]"), messages, 0)).collect();
        Channel { length, first: places[0], capacity }
    }

    /// Guard and updates of sending a message: the guard is that there is room.
    pub fn send(&mut self, channel: Channel, message: ExprId) -> (ExprId, Vec<Update>) {
        let room = self.is_less(channel.length, i64::from(channel.capacity));
        let index = self.now(channel.length);
        let place = Place::Element { first: channel.first, length: channel.capacity, low: 0, index };
        let append = Update { place, choice: Choice::Exactly(message), span: Span::default() };
        (room, vec![append, self.add(channel.length, 1)])
    }

    /// Guard and updates of receiving a message into a variable, if any: the guard is that there is one.
    pub fn receive(&mut self, channel: Channel, into: Option<VarId>) -> (ExprId, Vec<Update>) {
        let mail = self.is_more(channel.length, 0);
        let mut updates = Vec::new();
        if let Some(into) = into {
            let message = self.now(channel.first);
            updates.push(update(into, message));
        }
        for index in 1..channel.capacity {
            let next = self.now(channel.place(index));
            updates.push(update(channel.place(index - 1), next));
        }
        updates.push(self.set(channel.place(channel.capacity - 1), 0));
        updates.push(self.add(channel.length, -1));
        (mail, updates)
    }

    /// An integer constant.
    pub fn integer(&mut self, value: i64) -> ExprId {
        self.system.exprs.constant(value, Sort::Integer { low: value, high: value })
    }
}

fn update(var: VarId, value: ExprId) -> Update {
    Update { place: Place::Variable(var), choice: Choice::Exactly(value), span: Span::default() }
}
