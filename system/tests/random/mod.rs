//! Random systems: small, with every construct that systems are made of, with or without faults.

#![allow(dead_code, reason = "each test uses its own part")]

pub mod numbers;
mod terms;

pub use numbers::Random;
use system::{
    Choice, Claim, Command, Condition, ControlPoint, Definition, Domain, IndexVec, Motion, Move, Place, PointId,
    Process, ProcessId, Property, Sort, Span, System, Update, Value, VarId, Variable, WordSort,
};
use terms::Reads;

struct Builder {
    random: Random,
    system: System,
    coordination: Coordination,
    /// Whether commands touch few variables, so that some of them are independent.
    sparse: bool,
    /// Whether program counters are numbers that updates assign, computed from values that are often known.
    assigns_counters: bool,
    /// Whether evaluation may fail.
    has_faults: bool,
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
    build(seed, coordination, false)
}

/// A system in which evaluation may fail here and there.
pub fn random_system_with_faults(seed: u64, coordination: Coordination) -> System {
    build(seed, coordination, true)
}

fn build(seed: u64, coordination: Coordination, has_faults: bool) -> System {
    let (random, system) = (Random(seed), System::default());
    let (sparse, assigns_counters) = (seed.is_multiple_of(2), seed % 4 == 3);
    let mut builder = Builder { random, system, coordination, sparse, assigns_counters, has_faults };
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
            Domain::Range { low: 1, high: 2 },
            Domain::Range { low: 0, high: 2 },
            Domain::Range { low: 0, high: 2 },
            Domain::Values(vec![red, 5].into()),
            Domain::Values(vec![1, 4, -2].into()),
            Domain::Word(WordSort { width: 2, signed: true }),
            Domain::Word(WordSort { width: 2, signed: false }),
        ];
        let (domains, most) = if self.assigns_counters { (&domains[1..5], 2) } else { (&domains[..], 3) };
        for index in 0..2 + self.random.below(most - 1) {
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
            let choice = self.choice(variable, Reads::default());
            self.system.definitions.push(Definition { variable, choice, span: Span::default() });
        }
    }

    fn processes(&mut self) {
        let (idle, busy) = (self.system.symbols.intern("idle"), self.system.symbols.intern("busy"));
        let domains = [
            Domain::Boolean,
            Domain::Word(WordSort { width: 1, signed: false }),
            Domain::Values(vec![idle, busy].into()),
            Domain::Values(vec![7, 3].into()),
            Domain::Range { low: 1, high: 2 },
            Domain::Range { low: -1, high: 2 },
            Domain::Range { low: 0, high: 3 },
            Domain::Range { low: 0, high: 1 },
        ];
        let domains = if self.assigns_counters { &domains[5..7] } else { &domains[..] };
        for index in 0..2 {
            let is_end = |position: u64| position == 1 && index == 0;
            let point = |value: Option<Value>, position: u64| {
                let name = value.map_or("anywhere".to_owned(), |value| format!("l{value}"));
                ControlPoint { name, value, end: is_end(position) }
            };
            let domain = domains[self.random.below(domains.len())].clone();
            let has_pc = self.random.chance(95);
            let positions = 0..domain.size() as u64;
            let points: IndexVec<PointId, ControlPoint> = if has_pc {
                positions.map(|position| point(Some(domain.value_at(position)), position)).collect()
            } else {
                [point(None, 0)].into_iter().collect()
            };
            let pc = has_pc.then(|| self.add_variable(format!("pc{index}"), domain, Motion::Kept));
            self.system.processes.push(Process { name: format!("p{index}"), pc, points, span: Span::default() });
        }
        for index in 0..3 + self.random.below(3) {
            self.command(index);
        }
        self.system.has_atomic_sections = self.system.commands.iter().any(|command| command.keeps_control);
    }

    fn some_process(&mut self) -> ProcessId {
        ProcessId::from(self.random.below(2))
    }

    fn command(&mut self, index: usize) {
        let process = self.some_process();
        let owner = self.movement(process);
        let coordinates = self.coordination != Coordination::None;
        let partner =
            (coordinates && self.random.chance(20)).then(|| self.movement(ProcessId::from(1 - process.index())));
        let has_input = self.system.inputs().next().is_some();
        let reads = Reads { inputs: has_input, running: true, next: &[] };
        let mut guard = self.condition(reads, 1);
        if self.sparse && self.random.chance(60) {
            guard = self.system.exprs.boolean(true);
        }
        if coordinates && self.random.chance(10) {
            let timeout = self.system.exprs.timeout();
            guard = self.system.exprs.and(timeout, guard);
        }
        let (mut updates, mut written) = self.updates();
        if owner.to.is_none()
            && let Some(pc) = self.system.processes[process].pc
            && self.random.chance(if self.assigns_counters { 95 } else { 60 })
        {
            let copied = if self.random.chance(50) { self.copied(pc) } else { None };
            let choice = copied.unwrap_or_else(|| self.choice(pc, Reads { running: true, ..Reads::default() }));
            updates.push(Update { place: Place::Variable(pc), choice, span: Span::default() });
            written.push(pc);
        }
        let is_related = !written.is_empty() && self.random.chance(30) && !self.is_program();
        let relation = is_related.then(|| self.condition(Reads { next: &written, ..reads }, 1));
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
        let points = self.system.processes[process].points.len();
        let mut point = || PointId::from(self.random.below(points));
        let (from, to) = (point(), point());
        let from = self.random.chance(80).then_some(from);
        let to = self.random.chance(if self.assigns_counters { 30 } else { 70 }).then_some(to);
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
                let choice = self.choice(var, Reads { next: &written, running: true, inputs: false });
                updates.push(Update { place: Place::Variable(var), choice, span: Span::default() });
                written.push(var);
            }
        }
        if self.random.chance(if self.sparse { 10 } else { 30 }) {
            let first = self.system.variables.position(|variable| variable.name == "a[0]").expect("always there");
            let index = if self.fails() {
                self.integer(Reads::default(), 1)
            } else {
                let which = self.condition(Reads::default(), 0);
                let (zero, one) = (self.system.exprs.integer(0), self.system.exprs.integer(1));
                self.system.exprs.ite(which, zero, one)
            };
            let value = self.condition(Reads { running: true, ..Reads::default() }, 0);
            let place = Place::Element { first, length: 2, low: 0, index };
            updates.push(Update { place, choice: Choice::Exactly(value), span: Span::default() });
        }
        (updates, written)
    }

    fn conditions(&mut self) {
        // As in most models: a formula is simplest where the first state is known.
        let starts_known = self.random.chance(if self.assigns_counters { 80 } else { 40 });
        for var in 0..self.system.variables.len() {
            let var = VarId::from(var);
            let movable = matches!(self.system.variables[var].motion, Motion::Kept | Motion::Free);
            if movable && (starts_known || self.random.chance(50)) {
                let choice = if starts_known { self.constant_choice(var) } else { self.choice(var, Reads::default()) };
                // Initial values that read one another would be a circle.
                let is_circular = match choice {
                    Choice::Exactly(expr) | Choice::OneOf(expr) => {
                        system::Footprint::of(&self.system.exprs, &[expr]).now.iter().any(|read| *read >= var)
                    }
                    Choice::Anything => false,
                };
                if !is_circular {
                    self.system.initial_values.push(Update {
                        place: Place::Variable(var),
                        choice,
                        span: Span::default(),
                    });
                }
            }
        }
        if self.random.chance(40) {
            let holds = self.condition(Reads::default(), 1);
            self.system.initial.push(Condition { holds, span: Span::default() });
        }
        if self.random.chance(30) && !self.is_program() {
            let holds = self.condition(Reads::default(), 1);
            self.system.constraints.push(Condition { holds, span: Span::default() });
        }
        if self.random.chance(30) && !self.sparse && !self.is_program() {
            let next: Vec<VarId> = self.system.state_variables().map(|(var, _)| var).collect();
            let holds = self.condition(Reads { next: &next, inputs: true, running: true }, 2);
            self.system.relations.push(Condition { holds, span: Span::default() });
        }
    }

    /// Invariants over states, and one that mentions the input, so that every step says what it was.
    fn properties(&mut self) {
        for index in 0..2 {
            let expr = self.condition(Reads::default(), 2);
            let (name, claim) = (format!("invariant{index}"), Claim::Invariant(expr));
            self.system.properties.push(Property::new(name, claim, Span::default()));
        }
        let inputs: Vec<VarId> = self.system.inputs().map(|(var, _)| var).collect();
        for var in inputs {
            let claim = Claim::Invariant(self.system.exprs.now(var, Sort::Boolean));
            self.system.properties.push(Property::new("input".to_owned(), claim, Span::default()));
        }
        if self.is_program() {
            self.assertions();
        }
    }
    /// Whenever a process moves from a point, something holds; and no state is without successors, unless it may.
    fn assertions(&mut self) {
        for process in self.system.processes.indices() {
            let Some(pc) = self.system.processes[process].pc else { continue };
            let points = &self.system.processes[process].points;
            let value = points[PointId::from(self.random.below(points.len()))].value;
            let sort = self.system.variables[pc].domain.sort();
            let holds = self.condition(Reads::default(), 1);
            let exprs = &mut self.system.exprs;
            let (running, now) = (exprs.running(process), exprs.now(pc, sort));
            let point = exprs.constant(value.expect("each point has one"), sort);
            let at = exprs.equal(now, point);
            let moves = exprs.and(running, at);
            let elsewhere = exprs.not(moves);
            let claim = Claim::Invariant(exprs.or(elsewhere, holds));
            let name = format!("assertion{}", process.index());
            self.system.properties.push(Property::new(name, claim, Span::default()));
        }
        let claim = Claim::DeadlockFree;
        self.system.properties.push(Property::new("deadlock".to_owned(), claim, Span::default()));
    }
}
