//! Why a formula of LTL is false on its counterexample: which obligation is never met, and what gave rise to it.
//!
//! The values are those that replay has, position by position (`Trace::along`). From the formula, one goes down to the parts that make
//! it false: of `G (p -> F q)` to the first state in which p is true and after which q never is.

use engine::{Branch, Explanation, Grounds, Reason, Role, Truth};
use std::sync::Arc;
use system::{Along, BinaryTemporal, Claim, Formula, FormulaId, Machine, PropertyId, Trace, UnaryTemporal};

/// How much is said of a run.
const MOST_REASONS: usize = 16;
/// The longest run that is looked at once more to explain it.
const LONGEST: usize = 20_000;

/// Why a run violates a property, if that is a formula of LTL and the run an infinite one, and there is something to say.
pub fn unmet(machine: &Machine, property: PropertyId, run: &Arc<Trace>) -> Option<Explanation> {
    let Claim::Ltl(formula) = machine.system().properties[property].claim else { return None };
    if run.states.len() > LONGEST {
        return None;
    }
    let along = run.along(machine, formula)?;
    let mut told = Told { machine, along, open: Vec::new(), reasons: Vec::new() };
    told.tell(formula);
    let begins_with_formula = told.reasons.first().is_some_and(|first| first.formula == formula);
    if !begins_with_formula {
        told.reasons.insert(0, told.reason(Goal::new(formula, Truth::Fails, 0), Grounds::Here));
    }
    let is_cut = !told.open.is_empty();
    let explains = told.reasons.len() > 1 || told.reasons[0].grounds == Grounds::Run;
    let branch = Branch { parent: None, from: 0, run: run.as_ref().clone(), reasons: told.reasons };
    explains.then(|| Explanation { branches: vec![branch], is_cut })
}

/// A part of the formula whose value at a position is to be explained.
#[derive(Clone, Copy)]
struct Goal {
    formula: FormulaId,
    truth: Truth,
    role: Role,
    position: usize,
}

impl Goal {
    fn new(formula: FormulaId, truth: Truth, position: usize) -> Goal {
        Goal { formula, truth, role: Role::Operand, position }
    }
}

/// What has been said of a run.
struct Told<'a> {
    machine: &'a Machine,
    along: Along,
    /// What is to be explained yet, the next one last.
    open: Vec<Goal>,
    reasons: Vec<Reason>,
}

impl Told<'_> {
    fn tell(&mut self, formula: FormulaId) {
        self.open.push(Goal::new(formula, Truth::Fails, 0));
        while self.reasons.len() < MOST_REASONS {
            let Some(goal) = self.open.pop() else { return };
            self.explain(goal);
        }
    }

    fn explain(&mut self, goal: Goal) {
        let Goal { formula, truth, role, position } = goal;
        let is_told = match self.machine.system().formulas.get(formula) {
            Formula::Unary(op, None, a) => self.unary(goal, op, a),
            Formula::Binary(op, None, a, b) => self.binary(goal, op, a, b),
            Formula::Not(a) => self.go_on(&[Goal::new(a, truth.opposite(), position)]),
            Formula::And(a, b) if truth == Truth::Fails => {
                let parts = [a, b].map(|part| Goal { role: Role::Conjunct, ..Goal::new(part, truth, position) });
                let fails: Vec<Goal> = parts.into_iter().filter(|part| self.is_so(*part)).collect();
                self.go_on(&fails)
            }
            Formula::Or(a, b) if truth == Truth::Holds => self.either([(a, truth), (b, truth)], position),
            Formula::Implies(a, b) if truth == Truth::Holds => self.either([(a, Truth::Fails), (b, truth)], position),
            Formula::State(_) | Formula::Unary(..) | Formula::Binary(..) => self.say(goal, Grounds::Here),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Iff(a, b)
            | Formula::Xor(a, b) => self.go_on(&[self.as_it_is(a, position), self.as_it_is(b, position)]),
        };
        if role == Role::Conjunct && is_told == Said::Later {
            self.say(goal, Grounds::Here);
        }
    }

    /// `F a` that is false and `G a` that is true are so by all that comes; the others by one state.
    fn unary(&mut self, goal: Goal, op: UnaryTemporal, a: FormulaId) -> Said {
        let Goal { truth, position, .. } = goal;
        match (op, truth) {
            (UnaryTemporal::Next, _) => {
                let next = self.along.values.next(position);
                self.go_on(&[Goal::new(a, truth, next)])
            }
            (UnaryTemporal::Finally, Truth::Fails) | (UnaryTemporal::Globally, Truth::Holds) => self.by_all(goal, a),
            (UnaryTemporal::Finally | UnaryTemporal::Globally, _) => self.by_first(goal, a, truth),
            _ => self.say(goal, Grounds::Here),
        }
    }

    fn binary(&mut self, goal: Goal, op: BinaryTemporal, a: FormulaId, b: FormulaId) -> Said {
        let Goal { truth, position, .. } = goal;
        match (op, truth) {
            (BinaryTemporal::Until, Truth::Holds) | (BinaryTemporal::Releases, Truth::Fails) => {
                self.by_first(goal, b, truth)
            }
            (BinaryTemporal::Until, Truth::Fails) | (BinaryTemporal::Releases, Truth::Holds) => {
                // `a U b` is false where a is false too soon, or else because b never is true.
                match self.along.values.from(position).find(|at| self.is_so(Goal::new(a, truth, *at))) {
                    Some(end) if self.along.values.from(position).any(|at| !self.is_so(Goal::new(b, truth, at))) => {
                        self.go_on(&[Goal::new(a, truth, end), Goal::new(b, truth, end)])
                    }
                    _ => self.by_all(goal, b),
                }
            }
            _ => self.say(goal, Grounds::Here),
        }
    }

    /// A formula that has its value because a part has one in all states to come.
    fn by_all(&mut self, goal: Goal, part: FormulaId) -> Said {
        if !self.machine.system().formulas.is_of_state(part) {
            let position = self.along.values.recurring(goal.position);
            self.go_on(&[Goal::new(part, goal.truth, position)]);
        }
        self.say(goal, Grounds::Run)
    }

    /// A formula that has its value because a part has one in some state to come.
    fn by_first(&mut self, goal: Goal, part: FormulaId, truth: Truth) -> Said {
        let mut later = self.along.values.from(goal.position).map(|at| Goal::new(part, truth, at));
        let first = later.find(|goal| self.is_so(*goal));
        first.map_or(Said::Later, |first| self.go_on(&[first]))
    }

    /// The first of two parts that has the value that makes the whole true.
    fn either(&mut self, parts: [(FormulaId, Truth); 2], position: usize) -> Said {
        let mut parts = parts.into_iter().map(|(part, truth)| Goal::new(part, truth, position));
        let first = parts.find(|part| self.is_so(*part));
        first.map_or(Said::Later, |first| self.go_on(&[first]))
    }

    fn is_so(&self, goal: Goal) -> bool {
        self.along.values.value(goal.formula, goal.position) == goal.truth.value()
    }

    fn as_it_is(&self, part: FormulaId, position: usize) -> Goal {
        let truth = if self.along.values.value(part, position) { Truth::Holds } else { Truth::Fails };
        Goal::new(part, truth, position)
    }

    /// Goes on with parts, the first one first.
    fn go_on(&mut self, parts: &[Goal]) -> Said {
        self.open.extend(parts.iter().rev());
        Said::Later
    }

    fn say(&mut self, goal: Goal, grounds: Grounds) -> Said {
        let reason = self.reason(goal, grounds);
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
        Said::Now
    }

    fn reason(&self, goal: Goal, grounds: Grounds) -> Reason {
        let Goal { formula, truth, role, position } = goal;
        Reason { state: self.along.state(position), formula, truth, role, grounds }
    }
}

/// Whether something was said of a formula itself, or follows from its parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Now,
    Later,
}
