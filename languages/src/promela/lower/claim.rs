//! Never claims: monitors that watch the model without holding it up.
//!
//! A claim moves before each step of the model, by a statement that can run in the state at hand; where it cannot, the run
//! is none of its business any more. SPIN searches the product of both. Here all states that the claim can be in are
//! followed at once, a boolean variable each, so that a claim neither chooses nor blocks and several of them do not
//! disturb each other. The claim is violated where it can reach its end. When the model has come to its end, the claim goes
//! on alone.

use super::super::ast::{Kind, Proctype};
use super::super::flow::{Action, Choice as Choices, Edge, Entry, Point, Role, Target, automaton};
use super::Lowering;
use super::effect::Effects;
use super::expr::Context;
use super::sight::Sight;
use rustc_hash::{FxHashMap, FxHashSet};
use system::{
    Choice, Claim, ClaimAutomaton, ClaimMove, ClaimStateId, Domain, ExprId, IndexVec, Place, Span, Statements, Update,
    VarId,
};

/// The most moves that a claim may have between its states.
const MOST_MOVES: usize = 5_000;

/// A move of a claim: one statement, or those of an atomic section.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: usize,
    to: usize,
    /// When it is possible.
    guard: ExprId,
    /// When an assertion on the way fails.
    fails: ExprId,
    statements: Statements,
}

/// A claim as an automaton over states of the model.
#[derive(Debug, Default)]
struct Monitor {
    /// The control points where the claim can be between steps of the model.
    states: Vec<usize>,
    steps: Vec<Step>,
}

/// A move that is being followed through an atomic section.
enum Open {
    /// It goes on.
    Inside(Step),
    Done(Step),
}

/// Why a claim cannot be checked.
type Refusal = String;

/// The claim's states, each with the condition that the claim can be there.
type Where = FxHashMap<usize, ExprId>;

impl Lowering<'_> {
    /// Adds the properties of a claim, and its monitor.
    pub(super) fn never(&mut self, claim: &Proctype, sight: &Sight) -> Option<()> {
        let name = claim.name.to_string();
        let points = automaton(claim, Role::Claim, &FxHashSet::default(), self.diagnostics).points;
        if points.is_empty() {
            return None;
        }
        let monitor = match self.monitor(&points)? {
            Ok(monitor) => monitor,
            Err(why) => {
                self.property(name, Claim::Unsupported(why), claim.span);
                return Some(());
            }
        };
        let automaton = self.system.automata.len();
        self.automaton_of(&name, &points, &monitor);
        let monitor = monitor.until_the_end(&points);
        let ends = monitor.states.iter().any(|state| points[*state].end);
        let never = self.system.exprs.boolean(false);
        let is_finite = ends || monitor.steps.iter().any(|step| step.fails != never);
        let accepts = monitor.accepts(&points);
        if is_finite || !accepts {
            let variables = self.watch(&name, &points, &monitor, sight)?;
            let violated = self.violation(&points, &monitor, &variables, sight);
            let holds = self.system.exprs.not(violated);
            self.property(name.clone(), Claim::Invariant(holds), claim.span);
        }
        if accepts {
            let name = if is_finite { format!("{name}_accept") } else { name };
            self.property(name, Claim::Never(automaton), claim.span);
        }
        Some(())
    }

    /// Finds the states of a claim and its moves between them, in the order in which SPIN tries them.
    fn monitor(&mut self, points: &[Point]) -> Option<Result<Monitor, Refusal>> {
        let mut monitor = Monitor { states: vec![0], steps: Vec::new() };
        let (always, never) = (self.system.exprs.boolean(true), self.system.exprs.boolean(false));
        let mut next = 0;
        while let Some(from) = monitor.states.get(next).copied() {
            next += 1;
            let start = Step { from, to: from, guard: always, fails: never, statements: Statements::One };
            let mut open = vec![Open::Inside(start)];
            while let Some(way) = open.pop() {
                let so_far = match way {
                    Open::Inside(so_far) => so_far,
                    Open::Done(step) => {
                        monitor.add(step, points);
                        continue;
                    }
                };
                let first = open.len();
                let edges = match self.claim_edges(&points[so_far.to])? {
                    Ok(edges) => edges,
                    Err(why) => return Some(Err(why)),
                };
                for (edge, possible) in edges {
                    let guard = self.both(so_far.guard, possible);
                    let fails = self.failure_of(edge, guard)?;
                    let fails = self.either(so_far.fails, fails);
                    let to = match edge.target {
                        Target::Point(to) => to,
                        Target::Gone => points.len(),
                    };
                    let step = Step { to, guard, fails, ..so_far };
                    let inside = Step { statements: Statements::Several, ..step };
                    open.push(if edge.keeps_control { Open::Inside(inside) } else { Open::Done(step) });
                }
                open[first..].reverse();
                if open.len() + monitor.steps.len() > MOST_MOVES {
                    return Some(Err("the never claim has too many moves".to_owned()));
                }
            }
        }
        Some(Ok(monitor))
    }

    /// Keeps the claim as an automaton. At its end it goes away when all processes have.
    fn automaton_of(&mut self, name: &str, points: &[Point], monitor: &Monitor) {
        let gone = points.len();
        let numbers: FxHashMap<usize, ClaimStateId> = (monitor.states.iter().chain([&gone]).enumerate())
            .map(|(number, state)| (*state, ClaimStateId::from(number)))
            .collect();
        let mut moves: IndexVec<ClaimStateId, Vec<ClaimMove>> = IndexVec::from_vec(vec![Vec::new(); numbers.len()]);
        let impossible = self.system.exprs.boolean(false);
        for step in monitor.steps.iter().filter(|step| step.guard != impossible) {
            let Step { guard, statements, .. } = *step;
            moves[numbers[&step.from]].push(ClaimMove { guard, to: numbers[&step.to], statements });
        }
        let is_accepting = |state: &&usize| points[**state].labels.iter().any(|label| label.starts_with("accept"));
        let accepting = monitor.states.iter().filter(is_accepting).map(|state| numbers[state]).collect();
        self.system.automata.push(ClaimAutomaton { name: name.to_owned(), moves, accepting });
    }

    /// The statements of a claim at a point, each with the condition that it can run.
    fn claim_edges<'p>(&mut self, point: &'p Point) -> Option<Result<Vec<(&'p Edge, ExprId)>, Refusal>> {
        if !point.escapes.is_empty() {
            return Some(Err("the never claim has an escape".to_owned()));
        }
        let mut edges = Vec::new();
        let mut any = self.system.exprs.boolean(false);
        for choice in &point.choices {
            let (sequence, in_order) = match choice {
                Choices::Free(edge) => (std::slice::from_ref(edge), false),
                Choices::First(Entry::Guards(_), _) => {
                    return Some(Err("a d_step of the never claim has options that SPIN passes over".to_owned()));
                }
                Choices::First(Entry::Possible | Entry::Otherwise, edges) => (edges.as_slice(), true),
            };
            let mut earlier = self.system.exprs.boolean(false);
            for edge in sequence {
                let mut possible = match self.claim_condition(edge, any)? {
                    Ok(possible) => possible,
                    Err(why) => return Some(Err(why)),
                };
                if in_order {
                    let first = self.system.exprs.not(earlier);
                    let both = self.both(first, possible);
                    earlier = self.either(earlier, possible);
                    possible = both;
                }
                any = self.either(any, possible);
                edges.push((edge, possible));
            }
        }
        Some(Ok(edges))
    }

    /// When a statement of a claim can run, given when those before it can.
    fn claim_condition(&mut self, edge: &Edge, others: ExprId) -> Option<Result<ExprId, Refusal>> {
        let always = self.system.exprs.boolean(true);
        let kind = match &edge.action {
            Action::Statement(kind) => kind,
            Action::Skip => return Some(Ok(always)),
            Action::Die => {
                let (count, none) = (self.now(self.process_count), self.integer(0));
                return Some(Ok(self.system.exprs.equal(count, none)));
            }
        };
        Some(match kind {
            Kind::Condition(condition) => {
                let holds = self.condition(*condition)?;
                let waits = system::Footprint::of(&self.system.exprs, &[holds]).timeout;
                if waits { Err(self.refusal(edge.span, "asks for a timeout")) } else { Ok(holds) }
            }
            Kind::Skip | Kind::Print(..) | Kind::Assert(_) => Ok(always),
            // The flow puts an else behind its siblings.
            Kind::Else => Ok(self.system.exprs.not(others)),
            _ => Err(self.refusal(edge.span, "does more than observe")),
        })
    }

    fn refusal(&self, span: Span, what: &str) -> Refusal {
        format!("the never claim {what} on line {}", self.source.line(span))
    }

    /// When a statement of a claim runs and is an assertion that fails.
    fn failure_of(&mut self, edge: &Edge, guard: ExprId) -> Option<ExprId> {
        let Action::Statement(Kind::Assert(condition)) = edge.action else {
            return Some(self.system.exprs.boolean(false));
        };
        let holds = self.condition(condition)?;
        let fails = self.system.exprs.not(holds);
        Some(self.both(guard, fails))
    }

    /// Adds the variables of a monitor, and to every command what it does to them.
    fn watch(
        &mut self,
        name: &str,
        points: &[Point],
        monitor: &Monitor,
        sight: &Sight,
    ) -> Option<FxHashMap<usize, VarId>> {
        let mut variables = FxHashMap::default();
        for state in &monitor.states {
            let place = match points[*state].labels.first() {
                Some(label) => label.to_string(),
                None => format!("{}:{}", self.source.line(points[*state].span), state + 1),
            };
            let begins = self.system.exprs.boolean(*state == 0);
            let span = points[*state].span;
            let variable = self.monitor_variable(format!("{name}.{place}"), Domain::Boolean, begins, span)?;
            variables.insert(*state, variable);
        }
        let now: Where = variables.iter().map(|(state, variable)| (*state, self.now(*variable))).collect();
        let then = self.after_a_move(monitor, &now);
        for id in self.system.commands.indices() {
            let (owner, span) = (self.system.commands[id].owner, self.system.commands[id].span);
            let held = owner.from.and_then(|from| sight.held_at((owner.process, from)));
            let held = held.unwrap_or_else(|| self.system.exprs.boolean(false));
            for state in &monitor.states {
                let value = self.system.exprs.ite(held, now[state], then[state]);
                if value != now[state] {
                    let update =
                        Update { place: Place::Variable(variables[state]), choice: Choice::Exactly(value), span };
                    self.system.commands[id].updates.push(update);
                }
            }
        }
        Some(variables)
    }

    /// Where the claim can be after a move.
    fn after_a_move(&mut self, monitor: &Monitor, now: &Where) -> Where {
        let nowhere = self.system.exprs.boolean(false);
        let mut then: Where = monitor.states.iter().map(|state| (*state, nowhere)).collect();
        for step in &monitor.steps {
            let moves = self.both(now[&step.from], step.guard);
            let reached = self.either(then[&step.to], moves);
            then.insert(step.to, reached);
        }
        then
    }

    /// When the claim has come to its end, or does so by moving in the state at hand.
    fn violation(
        &mut self,
        points: &[Point],
        monitor: &Monitor,
        variables: &FxHashMap<usize, VarId>,
        sight: &Sight,
    ) -> ExprId {
        let now: Where = variables.iter().map(|(state, variable)| (*state, self.now(*variable))).collect();
        let at_once = self.reaches_end(points, monitor, &now);
        let hidden = self.hidden(sight);
        let seen = self.system.exprs.not(hidden);
        let at_once = self.both(seen, at_once);
        // Where the model has come to its end, the claim goes on in the same state.
        let mut later = now.clone();
        let is_loop = |step: &Step| step.from == step.to;
        for _ in 0..monitor.states.len() {
            let mut further = later.clone();
            for step in monitor.steps.iter().filter(|step| !is_loop(step)) {
                let moves = self.both(later[&step.from], step.guard);
                let reached = self.either(further[&step.to], moves);
                further.insert(step.to, reached);
            }
            if further == later {
                break;
            }
            later = further;
        }
        if later == now {
            return at_once;
        }
        let in_the_end = self.reaches_end(points, monitor, &later);
        let moves = self.can_move(|_| true, true);
        let stuck = self.system.exprs.not(moves);
        let in_the_end = self.both(in_the_end, stuck);
        self.either(at_once, in_the_end)
    }

    fn reaches_end(&mut self, points: &[Point], monitor: &Monitor, places: &Where) -> ExprId {
        let mut reached = self.system.exprs.boolean(false);
        for state in monitor.states.iter().filter(|state| points[**state].end) {
            reached = self.either(reached, places[state]);
        }
        for step in &monitor.steps {
            let ends = if points[step.to].end { self.either(step.guard, step.fails) } else { step.fails };
            let moves = self.both(places[&step.from], ends);
            reached = self.either(reached, moves);
        }
        reached
    }

    /// A variable that watches the run: nothing else depends on it.
    pub(super) fn monitor_variable(
        &mut self,
        name: String,
        domain: Domain,
        begins: ExprId,
        span: Span,
    ) -> Option<VarId> {
        let variable = self.variable(name, domain, span)?;
        let update = Update { place: Place::Variable(variable), choice: Choice::Exactly(begins), span };
        self.system.initial_values.push(update);
        self.system.monitors.push(variable);
        Some(variable)
    }

    /// A condition over a state that no process evaluates.
    pub(super) fn condition(&mut self, expr: super::super::ast::ExprRef) -> Option<ExprId> {
        let none = Effects::default();
        let value = self.value(Context { instance: None, effects: &none, created: None }, expr)?;
        Some(self.truth(value))
    }
}

impl Monitor {
    fn add(&mut self, step: Step, points: &[Point]) {
        self.steps.push(step);
        if step.to < points.len() && !self.states.contains(&step.to) {
            self.states.push(step.to);
        }
    }

    /// Without what follows the end of the claim, where it is violated anyway.
    fn until_the_end(mut self, points: &[Point]) -> Monitor {
        self.steps.retain(|step| !points[step.from].end);
        let goals: FxHashSet<usize> = self.steps.iter().map(|step| step.to).collect();
        self.states.retain(|state| *state == 0 || goals.contains(state));
        self
    }

    /// Whether the claim can go round for ever through an accepting state.
    fn accepts(&self, points: &[Point]) -> bool {
        let accepting = |state: &&usize| points[**state].labels.iter().any(|label| label.starts_with("accept"));
        self.states.iter().filter(accepting).any(|state| self.returns_to(*state))
    }

    fn returns_to(&self, state: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![state];
        while let Some(at) = open.pop() {
            for step in self.steps.iter().filter(|step| step.from == at) {
                if step.to == state {
                    return true;
                }
                if seen.insert(step.to) {
                    open.push(step.to);
                }
            }
        }
        false
    }
}
