//! The conditions of initial states and of a command's steps, as signals over the bits of a state, the next state and inputs.
//!
//! Expressions are the encoder's; which conditions a step has is what the plans of `system` say: guard, updates,
//! definitions that change, relations, and constraints on what changes.

use super::Refusal;
use super::space::{Space, When};
use encoder::{Encoded, Evaluated, Gates, Memo, Signal, Surroundings, encode};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use system::{Choice, Command, Domain, ExprId, Footprint, Motion, Move, Node, Place, Sort, System, VarId};

/// In which state an expression is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// The current one, `next(x)` being the other.
    Current,
    /// The one after the step, by itself.
    Following,
}

/// Conditions that are being collected.
pub struct Conditions<'a> {
    system: &'a System,
    space: &'a Space,
    /// What the signals are made of.
    pub gates: Gates,
    now: Vec<Option<Encoded>>,
    next: Vec<Option<Encoded>>,
    selector: Vec<Signal>,
    timeout: Signal,
    memos: [Memo; 2],
    /// What has to be true.
    pub holds: Vec<Signal>,
    /// What is sure to be true where what comes later is evaluated: control points, and parts of the guard.
    first: Vec<Signal>,
    /// What the updates of variables say, if they do not fail: there are always new values for which it is true.
    pub updates: Vec<(VarId, Signal)>,
    /// Where evaluation may fail.
    pub fails: Vec<Signal>,
    /// The variables that the step may change.
    pub written: BTreeSet<VarId>,
}

/// Whether a variable has one of the values of a set, and whether the set has no meaning.
#[derive(Clone, Copy)]
struct Among {
    has: Signal,
    fails: Signal,
}

impl<'a> Conditions<'a> {
    fn new(system: &'a System, space: &'a Space) -> Conditions<'a> {
        Conditions {
            system,
            space,
            gates: Gates::default(),
            now: vec![None; system.variables.len()],
            next: vec![None; system.variables.len()],
            selector: vec![Signal::FALSE; system.processes.len()],
            timeout: Signal::FALSE,
            memos: Default::default(),
            holds: Vec::new(),
            first: Vec::new(),
            updates: Vec::new(),
            fails: Vec::new(),
            written: BTreeSet::new(),
        }
    }

    /// Conditions on a single state.
    pub fn of_state(system: &'a System, space: &'a Space) -> Conditions<'a> {
        Conditions::new(system, space)
    }

    /// What makes a state initial.
    pub fn initial(system: &'a System, space: &'a Space) -> Result<Conditions<'a>, Refusal> {
        let mut conditions = Conditions::new(system, space);
        for (var, _) in system.state_variables() {
            conditions.domain(var, When::Now);
        }
        for update in &system.initial_values {
            let Place::Variable(var) = update.place else { return Err(Refusal::InitialElement) };
            conditions.store(var, update.choice, Frame::Current, When::Now)?;
        }
        for definition in &system.definitions {
            conditions.store(definition.variable, definition.choice, Frame::Current, When::Now)?;
        }
        for condition in system.initial.iter().chain(&system.constraints) {
            conditions.require(condition.holds, Frame::Current);
        }
        let nobody = space.holds(&mut conditions.gates, None, When::Now);
        conditions.holds.push(nobody);
        Ok(conditions)
    }

    /// What makes a step one of the command. `timeout` is the value of the expression of that name.
    pub fn command(
        system: &'a System,
        space: &'a Space,
        command: &Command,
        timeout: bool,
    ) -> Result<Conditions<'a>, Refusal> {
        let mut conditions = Conditions::new(system, space);
        conditions.selector[command.owner.process.index()] = Signal::TRUE;
        conditions.timeout = Signal::constant(timeout);
        conditions.find_written(command)?;
        for part in command.parts() {
            conditions.takes_part(part);
        }
        for part in system.exprs.conjuncts(command.guard) {
            let holds = conditions.require(part, Frame::Current);
            let reads = Footprint::of(&system.exprs, &[part]);
            if !reads.has_inputs(system) {
                conditions.first.push(holds);
            }
        }
        conditions.update(command)?;
        conditions.follow()?;
        let relations = system.relations.iter().map(|relation| relation.holds).chain(command.relation);
        for relation in relations {
            for part in system.exprs.conjuncts(relation) {
                conditions.require(part, Frame::Current);
            }
        }
        conditions.keep_constraints();
        let holder = space.holds(&mut conditions.gates, command.holder_afterwards(), When::Next);
        conditions.holds.push(holder);
        Ok(conditions)
    }

    /// The value of a condition, to be used as one more.
    pub fn condition(&mut self, expr: ExprId) -> Evaluated {
        self.evaluate(expr, Frame::Current)
    }

    /// Whether every process may rest.
    pub fn valid_end(&mut self) -> Signal {
        let mut resting = Vec::new();
        for process in &self.system.processes {
            let ends = process.points.iter().filter(|point| point.end);
            let ends: Vec<_> = ends.map(|point| process.pc.zip(point.value)).collect();
            let rests = ends.into_iter().map(|end| end.map_or(Signal::TRUE, |(pc, value)| self.has_value(pc, value)));
            let rests: Vec<Signal> = rests.collect();
            resting.push(self.gates.any(&rests));
        }
        self.gates.all(&resting)
    }

    fn has_value(&mut self, var: VarId, value: system::Value) -> Signal {
        let encoded = self.value(var, When::Now);
        encoded.equals(&mut self.gates, value)
    }

    /// What the command may change.
    fn find_written(&mut self, command: &Command) -> Result<(), Refusal> {
        let system = self.system;
        for part in command.parts() {
            if let (Some(pc), Some(_)) = (system.processes[part.process].pc, part.to) {
                self.written.insert(pc);
            }
        }
        for var in command.updates.iter().flat_map(|update| update.place.variables()) {
            if !self.written.insert(var) {
                return Err(Refusal::WrittenTwice(system.variables[var].name.clone()));
            }
        }
        let free = system.state_variables().filter(|(_, variable)| variable.motion == Motion::Free);
        self.written.extend(free.map(|(var, _)| var));
        for definition in &system.definitions {
            let changes = match definition.choice {
                Choice::Exactly(value) => {
                    Footprint::of(&system.exprs, &[value]).now.iter().any(|var| self.written.contains(var))
                }
                Choice::OneOf(_) | Choice::Anything => true,
            };
            if changes {
                self.written.insert(definition.variable);
            }
        }
        Ok(())
    }

    /// A process is where the command begins, and gets where it leads.
    fn takes_part(&mut self, part: Move) {
        let process = &self.system.processes[part.process];
        let Some(pc) = process.pc else { return };
        if let Some(value) = part.from.and_then(|from| process.points[from].value) {
            let here = self.has_value(pc, value);
            self.holds.push(here);
            self.first.push(here);
        }
        if let Some(value) = part.to.and_then(|to| process.points[to].value) {
            let next = self.value(pc, When::Next);
            let there = next.equals(&mut self.gates, value);
            self.holds.push(there);
            self.updates.push((pc, there));
        }
    }

    fn update(&mut self, command: &Command) -> Result<(), Refusal> {
        for update in &command.updates {
            match update.place {
                Place::Variable(var) => self.store(var, update.choice, Frame::Current, When::Next)?,
                Place::Element { low, index, .. } => self.store_element(update.place, low, index, update.choice)?,
            }
        }
        let free = self.system.state_variables().filter(|(_, variable)| variable.motion == Motion::Free);
        let updated: BTreeSet<VarId> = command.updates.iter().flat_map(|update| update.place.variables()).collect();
        let free: Vec<VarId> = free.map(|(var, _)| var).filter(|var| !updated.contains(var)).collect();
        for var in free {
            self.domain(var, When::Next);
        }
        Ok(())
    }

    /// The element at the index gets the value, the others keep theirs.
    fn store_element(&mut self, place: Place, low: i64, index: ExprId, choice: Choice) -> Result<(), Refusal> {
        let at = self.evaluate(index, Frame::Current);
        self.fail(at.fails);
        let mut hits = Vec::new();
        for (offset, var) in place.variables().enumerate() {
            let hit = if self.system.exprs.sort(index) == Sort::Never {
                Signal::FALSE
            } else {
                at.value.equals(&mut self.gates, low + offset as i64)
            };
            hits.push(hit);
            let target = self.value(var, When::Next);
            let old = self.value(var, When::Now);
            let kept = self.same(&target, &old)?;
            let among = self.among(var, choice, &target, Frame::Current)?;
            let fault = self.gates.and(hit, among.fails);
            self.fail(fault);
            let holds = self.gates.mux(hit, among.has, kept);
            self.holds.push(holds);
            let or_fails = self.gates.or(holds, fault);
            self.updates.push((var, or_fails));
        }
        let inside = self.gates.any(&hits);
        self.fail(!inside);
        self.holds.push(inside);
        Ok(())
    }

    /// Defined variables that change follow from the new state.
    fn follow(&mut self) -> Result<(), Refusal> {
        for definition in &self.system.definitions {
            if self.written.contains(&definition.variable) {
                self.store(definition.variable, definition.choice, Frame::Following, When::Next)?;
            }
        }
        Ok(())
    }

    /// Constraints held before: what reads a changed variable has to hold again.
    fn keep_constraints(&mut self) {
        for constraint in &self.system.constraints {
            for part in self.system.exprs.conjuncts(constraint.holds) {
                let reads = Footprint::of(&self.system.exprs, &[part]);
                if reads.now.iter().any(|var| self.written.contains(var)) {
                    self.require(part, Frame::Following);
                }
            }
        }
    }

    /// The condition has to hold, and is a fault where it has no value.
    fn require(&mut self, expr: ExprId, frame: Frame) -> Signal {
        let evaluated = self.evaluate(expr, frame);
        let holds = self.defined(&evaluated);
        self.holds.push(holds);
        self.fail(evaluated.fails);
        holds
    }

    fn fail(&mut self, fails: Signal) {
        if fails != Signal::FALSE {
            let before = self.gates.all(&self.first);
            let fault = self.gates.and(before, fails);
            self.fails.push(fault);
        }
    }

    fn defined(&mut self, evaluated: &Evaluated) -> Signal {
        match evaluated.value {
            Encoded::Boolean(value) => self.gates.and(value, !evaluated.fails),
            // A condition that is sure to fail has no boolean.
            _ => Signal::FALSE,
        }
    }

    /// The variable has one of the values that the choice allows.
    fn store(&mut self, var: VarId, choice: Choice, frame: Frame, when: When) -> Result<(), Refusal> {
        let target = self.value(var, when);
        let among = self.among(var, choice, &target, frame)?;
        self.holds.push(among.has);
        let or_fails = self.gates.or(among.has, among.fails);
        self.updates.push((var, or_fails));
        self.fail(among.fails);
        if choice == Choice::Anything {
            self.domain(var, when);
        }
        Ok(())
    }

    /// The variable has a value of its domain.
    fn domain(&mut self, var: VarId, when: When) {
        let value = self.value(var, when);
        let domain = self.system.variables[var].domain.clone();
        let inside = self.inside(&domain, &value);
        self.holds.push(inside);
        self.updates.push((var, inside));
    }

    fn among(&mut self, var: VarId, choice: Choice, target: &Encoded, frame: Frame) -> Result<Among, Refusal> {
        let (Choice::Exactly(root) | Choice::OneOf(root)) = choice else {
            return Ok(Among { has: Signal::TRUE, fails: Signal::FALSE });
        };
        let mut done: FxHashMap<ExprId, Among> = FxHashMap::default();
        for id in self.system.exprs.sets_inside(root) {
            let set = self.set(var, id, target, frame, &done)?;
            done.insert(id, set);
        }
        Ok(done[&root])
    }

    fn set(
        &mut self,
        var: VarId,
        id: ExprId,
        target: &Encoded,
        frame: Frame,
        done: &FxHashMap<ExprId, Among>,
    ) -> Result<Among, Refusal> {
        let exprs = &self.system.exprs;
        Ok(match *exprs.node(id) {
            Node::Union(a, b) => {
                let (a, b) = (done[&a], done[&b]);
                Among { has: self.gates.or(a.has, b.has), fails: self.gates.or(a.fails, b.fails) }
            }
            Node::Ite(c, a, b) if exprs.is_set(id) => {
                let condition = self.evaluate(c, frame);
                let chosen = self.defined(&condition);
                let (a, b) = (done[&a], done[&b]);
                let inner = self.gates.mux(chosen, a.fails, b.fails);
                Among { has: self.gates.mux(chosen, a.has, b.has), fails: self.gates.or(condition.fails, inner) }
            }
            Node::Interval(low, high) => {
                let domain = self.system.variables[var].domain.clone();
                let is_inside = (low..=high).all(|value| domain.contains(value));
                Among { has: self.inside(&Domain::Range { low, high }, target), fails: Signal::constant(!is_inside) }
            }
            _ if exprs.sort(id) == Sort::Never => Among { has: Signal::FALSE, fails: Signal::TRUE },
            _ => {
                let value = self.evaluate(id, frame);
                let domain = self.system.variables[var].domain.clone();
                let inside = if domain.covers(self.system.exprs.sort(id)) {
                    Signal::TRUE
                } else {
                    self.inside(&domain, &value.value)
                };
                let same = self.same(target, &value.value)?;
                let has = self.gates.all(&[same, inside, !value.fails]);
                Among { has, fails: self.gates.or(value.fails, !inside) }
            }
        })
    }

    /// Whether two values are the same.
    fn same(&mut self, a: &Encoded, b: &Encoded) -> Result<Signal, Refusal> {
        let gates = &mut self.gates;
        Ok(match (a, b) {
            (Encoded::Boolean(a), Encoded::Boolean(b)) => gates.iff(*a, *b),
            (Encoded::Word(a), Encoded::Word(b)) if a.len() == b.len() => gates.equal_bits(a, b),
            (Encoded::Integer(x), Encoded::Integer(y)) => {
                let width = x.len().max(y.len());
                let (x, y) = (a.integer(gates, width), b.integer(gates, width));
                gates.equal_bits(&x, &y)
            }
            (Encoded::OneHot(values), other) | (other @ Encoded::Integer(_), Encoded::OneHot(values)) => {
                let mut ways = Vec::new();
                for (value, signal) in values {
                    if matches!(other, Encoded::OneHot(_) | Encoded::Integer(_)) {
                        let equal = other.equals(gates, *value);
                        ways.push(gates.and(*signal, equal));
                    } else {
                        return Err(Refusal::MixedSorts);
                    }
                }
                gates.any(&ways)
            }
            _ => return Err(Refusal::MixedSorts),
        })
    }

    /// Whether a value belongs to a domain.
    fn inside(&mut self, domain: &Domain, value: &Encoded) -> Signal {
        let gates = &mut self.gates;
        match (domain, value) {
            (Domain::Range { low, high }, Encoded::Integer(bits)) => {
                let bounds = Domain::Range { low: *low, high: *high };
                let width = bits.len().max(encoder::integer_width(*low, *high));
                let bits = value.integer(gates, width);
                let low = Encoded::constant(*low, bounds.sort()).integer(gates, width);
                let high = Encoded::constant(*high, bounds.sort()).integer(gates, width);
                let (below, above) = (gates.less_signed(&bits, &low), gates.less_signed(&high, &bits));
                gates.and(!below, !above)
            }
            (_, Encoded::OneHot(values)) => {
                let inside: Vec<Signal> =
                    values.iter().filter(|(value, _)| domain.contains(*value)).map(|(_, signal)| *signal).collect();
                gates.any(&inside)
            }
            (Domain::Values(values), Encoded::Integer(_)) => {
                let ways: Vec<Signal> = values.iter().map(|wanted| value.equals(gates, *wanted)).collect();
                gates.any(&ways)
            }
            // Booleans and words have no values outside their domains.
            _ => Signal::TRUE,
        }
    }

    /// A variable's value; what the step does not change has its old value as next one.
    fn value(&mut self, var: VarId, when: When) -> Encoded {
        let is_written = when == When::Next && self.written.contains(&var);
        let values = if is_written { &mut self.next } else { &mut self.now };
        if let Some(known) = &values[var.index()] {
            return known.clone();
        }
        let when = if is_written { When::Next } else { When::Now };
        let value = self.space.encoded(&mut self.gates, self.system, var, when);
        values[var.index()] = Some(value.clone());
        value
    }

    fn evaluate(&mut self, expr: ExprId, frame: Frame) -> Evaluated {
        let reads = Footprint::of(&self.system.exprs, &[expr]);
        for var in &reads.now {
            let is_input = self.system.is_input(*var);
            let when = if frame == Frame::Following && !is_input { When::Next } else { When::Now };
            let value = self.value(*var, when);
            if frame == Frame::Following {
                self.next[var.index()] = Some(value);
            }
        }
        for var in &reads.next {
            let value = self.value(*var, When::Next);
            self.next[var.index()] = Some(value);
        }
        let Conditions { system, gates, now, next, selector, timeout, memos, .. } = self;
        let [current, following] = memos;
        let (memo, now, next) = match frame {
            Frame::Current => (current, &now[..], &next[..]),
            Frame::Following => (following, &next[..], &[][..]),
        };
        let around = Surroundings { now, next, selector, timeout: Some(*timeout) };
        encode(&system.exprs, gates, memo, &around, expr).clone()
    }

    /// The bits that the step may change, who has control among them.
    pub fn written_bits(&self) -> Vec<diagrams::Variable> {
        let of_variables = self.written.iter().flat_map(|var| self.space.of(*var));
        of_variables.chain(self.space.holder()).copied().collect()
    }
}
