//! Random systems: small, with every feature of commands, and without faults.

#![allow(dead_code, reason = "each test uses its own part")]

use system::{
    Binary, Choice, Claim, Command, Condition, ControlPoint, Definition, Domain, ExprId, IndexVec, Motion, Move, Place,
    PointId, Process, ProcessId, Property, Sort, Span, System, Update, Value, VarId, Variable, WordSort,
};

/// Steele, Lea and Flood's splitmix generator: all that a test needs.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

struct Builder {
    random: Random,
    system: System,
    coordination: Coordination,
    /// Whether commands touch few variables, so that some of them are independent.
    sparse: bool,
}

/// Whether commands may be rendezvous, keep control or wait for a timeout.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Coordination {
    Any,
    /// They may, and guards alone decide who can move, as in programs.
    Program,
    None,
}

/// A system that depends on the seed alone.
pub fn random_system(seed: u64, coordination: Coordination) -> System {
    let mut builder =
        Builder { random: Random(seed), system: System::default(), coordination, sparse: seed.is_multiple_of(2) };
    builder.variables();
    builder.processes();
    builder.conditions();
    builder.properties();
    builder.system
}

impl Builder {
    fn add_variable(&mut self, name: String, domain: Domain, motion: Motion) -> VarId {
        self.system.variables.push(Variable { name, domain, motion, span: Span::default() })
    }

    fn is_program(&self) -> bool {
        self.coordination == Coordination::Program
    }

    fn variables(&mut self) {
        let red = self.system.symbols.intern("red");
        let domains = [
            Domain::Boolean,
            Domain::Range { low: -1, high: 1 },
            Domain::Values(vec![red, 5].into()),
            Domain::Word(WordSort { width: 2, signed: true }),
        ];
        for index in 0..2 + self.random.below(2) {
            let domain = domains[self.random.below(domains.len())].clone();
            let is_free = self.random.chance(25) && !self.sparse;
            let motion = if is_free { Motion::Free } else { Motion::Kept };
            self.add_variable(format!("x{index}"), domain, motion);
        }
        let first = self.add_variable("a[0]".to_owned(), Domain::Boolean, Motion::Kept);
        self.add_variable("a[1]".to_owned(), Domain::Boolean, Motion::Kept);
        assert!(first.index() + 1 < self.system.variables.len());
        if self.random.chance(40) && !self.is_program() {
            self.add_variable("input".to_owned(), Domain::Boolean, Motion::Input);
        }
        if self.random.chance(40) && !self.sparse {
            let variable = self.add_variable("defined".to_owned(), Domain::Boolean, Motion::Defined);
            let choice = self.choice(variable, &[]);
            self.system.definitions.push(Definition { variable, choice, span: Span::default() });
        }
    }

    /// A variable that an expression may read in the current state: of the state and not defined, or the input.
    fn read(&mut self, inputs: bool) -> ExprId {
        let known: Vec<VarId> = self
            .system
            .variables
            .iter_enumerated()
            .filter(|(_, variable)| match variable.motion {
                Motion::Input => inputs,
                Motion::Defined => false,
                _ => true,
            })
            .map(|(var, _)| var)
            .collect();
        let var = known[self.random.below(known.len())];
        let sort = self.system.variables[var].domain.sort();
        self.system.exprs.now(var, sort)
    }

    /// A boolean expression over the current state, the given next values and maybe inputs.
    fn condition(&mut self, next: &[VarId], inputs: bool, depth: usize) -> ExprId {
        if depth > 0 {
            let left = self.condition(next, inputs, depth - 1);
            let right = self.condition(next, inputs, depth - 1);
            let exprs = &mut self.system.exprs;
            return match self.random.below(4) {
                0 => exprs.and(left, right),
                1 => exprs.or(left, right),
                2 => exprs.binary(Binary::Xor, left, right),
                _ => exprs.not(left),
            };
        }
        let read = if !next.is_empty() && self.random.chance(60) {
            let var = next[self.random.below(next.len())];
            let sort = self.system.variables[var].domain.sort();
            self.system.exprs.next(var, sort)
        } else {
            self.read(inputs)
        };
        self.compare(read)
    }

    fn compare(&mut self, read: ExprId) -> ExprId {
        let sort = self.system.exprs.sort(read);
        let constant = match sort {
            Sort::Boolean => return read,
            Sort::Integer { .. } => self.system.exprs.integer(self.random.below(3) as Value - 1),
            Sort::Word(_) => self.system.exprs.constant(self.random.below(2) as Value, sort),
            _ => self.system.exprs.constant(5, sort),
        };
        if matches!(sort, Sort::Word(_) | Sort::Integer { .. }) && self.random.chance(40) {
            return self.system.exprs.binary(Binary::Less, read, constant);
        }
        self.system.exprs.equal(read, constant)
    }

    /// A value for a variable, always inside its domain.
    fn value(&mut self, var: VarId, next: &[VarId]) -> ExprId {
        let domain = self.system.variables[var].domain.clone();
        let mut pick = || {
            let value = domain.value_at(self.random.next() % domain.size() as u64);
            self.system.exprs.constant(value, domain.sort())
        };
        let (a, b) = (pick(), pick());
        let condition = self.condition(next, false, 1);
        self.system.exprs.ite(condition, a, b)
    }

    fn choice(&mut self, var: VarId, next: &[VarId]) -> Choice {
        let value = self.value(var, next);
        match self.random.below(10) {
            0 => Choice::Anything,
            1..4 => {
                let other = self.value(var, next);
                let set = self.system.exprs.union(value, other);
                if self.system.exprs.is_set(set) { Choice::OneOf(set) } else { Choice::Exactly(set) }
            }
            _ => Choice::Exactly(value),
        }
    }

    fn processes(&mut self) {
        let count = 2;
        for index in 0..count {
            let domain = match self.random.below(4) {
                0 => Domain::Boolean,
                1 => Domain::Word(WordSort { width: 1, signed: false }),
                _ => Domain::Range { low: 0, high: 1 },
            };
            let pc = self.add_variable(format!("pc{index}"), domain, Motion::Kept);
            let point = |value: Value| ControlPoint {
                name: format!("l{value}"),
                value: Some(value),
                end: value == 1 && index == 0,
            };
            let points: IndexVec<PointId, ControlPoint> = (0..2).map(point).collect();
            self.system.processes.push(Process {
                name: format!("p{index}"),
                pc: Some(pc),
                points,
                span: Span::default(),
            });
        }
        for index in 0..3 + self.random.below(3) {
            self.command(index);
        }
        self.system.has_atomic_sections = self.system.commands.iter().any(|command| command.keeps_control);
    }

    fn command(&mut self, index: usize) {
        let process = ProcessId::from(self.random.below(2));
        let owner = self.movement(process);
        let coordinates = self.coordination != Coordination::None;
        let partner =
            (coordinates && self.random.chance(20)).then(|| self.movement(ProcessId::from(1 - process.index())));
        let has_input = self.system.inputs().next().is_some();
        let mut guard = self.condition(&[], has_input, 1);
        if self.sparse && self.random.chance(60) {
            guard = self.system.exprs.boolean(true);
        }
        if coordinates && self.random.chance(10) {
            let timeout = self.system.exprs.timeout();
            guard = self.system.exprs.and(timeout, guard);
        }
        let (updates, written) = self.updates();
        let is_related = !written.is_empty() && self.random.chance(30) && !self.is_program();
        let relation = is_related.then(|| self.condition(&written, has_input, 1));
        self.system.commands.push(Command {
            owner,
            partner,
            guard,
            updates,
            relation,
            keeps_control: coordinates && self.random.chance(20),
            label: format!("c{index}"),
            span: Span::default(),
        });
    }

    fn movement(&mut self, process: ProcessId) -> Move {
        let mut point = || PointId::from(self.random.below(2));
        let (from, to) = (point(), point());
        let from = self.random.chance(80).then_some(from);
        let to = self.random.chance(80).then_some(to);
        Move { process, from, to }
    }

    /// Updates of different variables; later ones may read the new values of earlier ones.
    fn updates(&mut self) -> (Vec<Update>, Vec<VarId>) {
        let (mut updates, mut written) = (Vec::new(), Vec::new());
        let targets: Vec<VarId> = (self.system.variables.iter_enumerated())
            .filter(|(_, variable)| variable.name.starts_with('x'))
            .map(|(var, _)| var)
            .collect();
        for var in targets {
            if self.random.chance(if self.sparse { 25 } else { 50 }) {
                let choice = self.choice(var, &written);
                updates.push(Update { place: Place::Variable(var), choice, span: Span::default() });
                written.push(var);
            }
        }
        if self.random.chance(if self.sparse { 10 } else { 30 }) {
            let first = self.system.variables.position(|variable| variable.name == "a[0]").expect("always there");
            let which = self.condition(&[], false, 0);
            let (zero, one) = (self.system.exprs.integer(0), self.system.exprs.integer(1));
            let index = self.system.exprs.ite(which, zero, one);
            let value = self.condition(&[], false, 0);
            let place = Place::Element { first, length: 2, low: 0, index };
            updates.push(Update { place, choice: Choice::Exactly(value), span: Span::default() });
        }
        (updates, written)
    }

    fn conditions(&mut self) {
        for var in 0..self.system.variables.len() {
            let var = VarId::from(var);
            let movable = matches!(self.system.variables[var].motion, Motion::Kept | Motion::Free);
            if movable && self.random.chance(50) {
                let choice = self.choice(var, &[]);
                // An initial value that reads the variable itself would be a circle.
                let reads_itself = match choice {
                    Choice::Exactly(expr) | Choice::OneOf(expr) => {
                        !system::Footprint::of(&self.system.exprs, &[expr]).now.is_empty()
                    }
                    Choice::Anything => false,
                };
                if !reads_itself {
                    self.system.initial_values.push(Update {
                        place: Place::Variable(var),
                        choice,
                        span: Span::default(),
                    });
                }
            }
        }
        if self.random.chance(40) {
            let holds = self.condition(&[], false, 1);
            self.system.initial.push(Condition { holds, span: Span::default() });
        }
        if self.random.chance(30) && !self.is_program() {
            let holds = self.condition(&[], false, 1);
            self.system.constraints.push(Condition { holds, span: Span::default() });
        }
        if self.random.chance(30) && !self.sparse && !self.is_program() {
            let next: Vec<VarId> = self.system.state_variables().map(|(var, _)| var).collect();
            let holds = self.condition(&next, true, 2);
            self.system.relations.push(Condition { holds, span: Span::default() });
        }
    }

    /// Invariants over states, and one that mentions the input, so that every step says what it was.
    fn properties(&mut self) {
        for index in 0..2 {
            let expr = self.condition(&[], false, 2);
            let (name, claim) = (format!("invariant{index}"), Claim::Invariant(expr));
            self.system.properties.push(Property { name, claim, span: Span::default() });
        }
        let inputs: Vec<VarId> = self.system.inputs().map(|(var, _)| var).collect();
        for var in inputs {
            let claim = Claim::Invariant(self.system.exprs.now(var, Sort::Boolean));
            self.system.properties.push(Property { name: "input".to_owned(), claim, span: Span::default() });
        }
        if self.is_program() {
            self.assertions();
        }
    }
    /// Whenever a process moves from a point, something holds; and no state is without successors, unless it may.
    fn assertions(&mut self) {
        for process in self.system.processes.indices() {
            let pc = self.system.processes[process].pc.expect("each process has one");
            let value = self.system.processes[process].points[PointId::from(self.random.below(2))].value;
            let sort = self.system.variables[pc].domain.sort();
            let holds = self.condition(&[], false, 1);
            let exprs = &mut self.system.exprs;
            let (running, now) = (exprs.running(process), exprs.now(pc, sort));
            let point = exprs.constant(value.expect("each point has one"), sort);
            let at = exprs.equal(now, point);
            let moves = exprs.and(running, at);
            let elsewhere = exprs.not(moves);
            let claim = Claim::Invariant(exprs.or(elsewhere, holds));
            let name = format!("assertion{}", process.index());
            self.system.properties.push(Property { name, claim, span: Span::default() });
        }
        let claim = Claim::DeadlockFree;
        self.system.properties.push(Property { name: "deadlock".to_owned(), claim, span: Span::default() });
    }
}
