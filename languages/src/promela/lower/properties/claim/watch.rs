//! The monitor of a claim: a boolean variable for each of its states, which every command updates.

use super::super::super::lowering::Lowering;
use super::super::sight::{Sight, Timeout};
use super::monitor::{Monitor, Step};
use rustc_hash::FxHashMap;
use system::{Choice, Domain, ExprId, Place, Span, Update, VarId};

/// The claim's states, each with the condition that the claim can be there.
type Where = FxHashMap<usize, ExprId>;

impl Lowering<'_> {
    /// Adds the variables of a monitor, and to every command what it does to them.
    pub fn watch(&mut self, name: &str, monitor: &Monitor<'_>, sight: &Sight) -> Option<FxHashMap<usize, VarId>> {
        let mut variables = FxHashMap::default();
        for state in &monitor.states {
            let point = &monitor.points[*state];
            let place = self.point_name(*state, point);
            let begins = self.system.exprs.boolean(*state == 0);
            let span = point.span;
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
    fn after_a_move(&mut self, monitor: &Monitor<'_>, now: &Where) -> Where {
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
    pub fn violation(&mut self, monitor: &Monitor<'_>, variables: &FxHashMap<usize, VarId>, sight: &Sight) -> ExprId {
        let now: Where = variables.iter().map(|(state, variable)| (*state, self.now(*variable))).collect();
        let at_once = self.reaches_end(monitor, &now);
        let hidden = self.hidden(sight);
        let seen = self.system.exprs.not(hidden);
        let at_once = self.both(seen, at_once);
        let later = self.alone(monitor, &now);
        if later == now {
            return at_once;
        }
        let in_the_end = self.reaches_end(monitor, &later);
        let moves = self.can_move(|_| true, Timeout::Passed);
        let stuck = self.system.exprs.not(moves);
        let in_the_end = self.both(in_the_end, stuck);
        self.either(at_once, in_the_end)
    }

    /// Where the claim can get to when the model has come to its end, so that it goes on in the same state.
    fn alone(&mut self, monitor: &Monitor<'_>, now: &Where) -> Where {
        let mut later = now.clone();
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
        later
    }

    fn reaches_end(&mut self, monitor: &Monitor<'_>, places: &Where) -> ExprId {
        let mut reached = self.system.exprs.boolean(false);
        for state in monitor.states.iter().filter(|state| monitor.points[**state].end) {
            reached = self.either(reached, places[state]);
        }
        for step in &monitor.steps {
            let ends = if monitor.points[step.to].end { self.either(step.guard, step.fails) } else { step.fails };
            let moves = self.both(places[&step.from], ends);
            reached = self.either(reached, moves);
        }
        reached
    }

    /// A variable that watches the run: nothing else depends on it.
    pub fn monitor_variable(&mut self, name: String, domain: Domain, begins: ExprId, span: Span) -> Option<VarId> {
        let variable = self.variable(name, domain, span)?;
        let update = Update { place: Place::Variable(variable), choice: Choice::Exactly(begins), span };
        self.system.initial_values.push(update);
        self.system.monitors.push(variable);
        Some(variable)
    }
}

fn is_loop(step: &Step) -> bool {
    step.from == step.to
}
