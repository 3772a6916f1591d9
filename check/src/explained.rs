//! No explanation leaves before its runs have replayed, and what it says of their states has been looked at, as far as runs tell.

use crate::confirm::replays;
use crate::error::Error;
use engine::{Branch, Explanation, Grounds, Reason, Truth};
use system::{BinaryTemporal, ExprId, Formula, FormulaId, Machine, UnaryTemporal, Window};

/// Whether an explanation of a property is one.
pub fn confirm(machine: &Machine, name: &str, explanation: &Explanation) -> Result<(), Error> {
    if !explanation.fits_together() {
        return Err(wrong(name, "a branch does not leave the run that it is said to leave"));
    }
    for branch in &explanation.branches {
        replays(machine, &format!("explanation of {name}"), &branch.run)?;
        let sight = Sight { machine, branch };
        if let Some(reason) = branch.reasons.iter().find(|reason| !sight.agrees(reason)) {
            return Err(wrong(name, &format!("state {} does not show what is said of it", reason.state)));
        }
    }
    Ok(())
}

fn wrong(name: &str, what: &str) -> Error {
    Error::Bug(format!("the explanation of {name} is none: {what}"))
}

/// What is seen along a run.
struct Sight<'a> {
    machine: &'a Machine,
    branch: &'a Branch,
}

impl Sight<'_> {
    /// Whether the run has nothing against what is said of a state.
    fn agrees(&self, reason: &Reason) -> bool {
        let Reason { state, formula, truth, grounds, .. } = *reason;
        let system = self.machine.system();
        if state >= self.branch.run.states.len() {
            return false;
        }
        match system.formulas.get(formula) {
            Formula::State(expr) => self.value(expr, state).is_none_or(|value| value == (truth == Truth::Holds)),
            Formula::Unary(op, window, a) if grounds == Grounds::Run => self.unary(op, window, (a, truth), state),
            Formula::Binary(op, window, a, b) if grounds == Grounds::Run => {
                self.binary(op, window, [a, b], truth, state)
            }
            _ => true,
        }
    }

    fn unary(&self, op: UnaryTemporal, window: Option<Window>, part: (FormulaId, Truth), state: usize) -> bool {
        let (first, last) = self.seen(window, state);
        match op {
            UnaryTemporal::SomeNext | UnaryTemporal::AllNext => self.has(state + 1) && self.shows(part, state + 1),
            UnaryTemporal::SomeFinally | UnaryTemporal::AllGlobally => (first..=last).any(|at| self.shows(part, at)),
            _ => self.is_long_enough(window, state) && (first..=last).all(|at| self.shows(part, at)),
        }
    }

    fn binary(
        &self,
        op: BinaryTemporal,
        window: Option<Window>,
        [a, b]: [FormulaId; 2],
        truth: Truth,
        state: usize,
    ) -> bool {
        let (first, last) = self.seen(window, state);
        let shows = |part: FormulaId, at: usize| self.shows((part, truth), at);
        match op {
            BinaryTemporal::SomeUntil => {
                (first..=last).any(|end| shows(b, end) && (state..end).all(|before| shows(a, before)))
            }
            _ => {
                // The run may go on behind the state that ends it, to show why.
                let is_over = self.is_long_enough(window, state) && (first..=last).all(|at| shows(b, at));
                is_over || (state..=last).any(|end| shows(a, end) && (first..=end).all(|at| shows(b, at)))
            }
        }
    }

    /// The states of the run that a window speaks of.
    fn seen(&self, window: Option<Window>, state: usize) -> (usize, usize) {
        let end = self.branch.run.states.len() - 1;
        match window {
            None => (state, end),
            Some(Window { from, to }) => (state + from as usize, end.min(state + to as usize)),
        }
    }

    /// Whether the run has all states of a window; all that ever come, if there is none.
    fn is_long_enough(&self, window: Option<Window>, state: usize) -> bool {
        match window {
            None => self.branch.run.loop_start.is_some(),
            Some(window) => self.has(state + window.to as usize) || self.branch.run.loop_start.is_some(),
        }
    }

    fn has(&self, state: usize) -> bool {
        state < self.branch.run.states.len()
    }

    /// Whether a part has a value in a state, or is not of the state alone: then it is said of the state if it matters.
    fn shows(&self, (part, truth): (FormulaId, Truth), at: usize) -> bool {
        match self.machine.system().formulas.get(part) {
            Formula::State(expr) => self.value(expr, at).is_none_or(|value| value == (truth == Truth::Holds)),
            _ => true,
        }
    }

    /// The value of a condition; `None` if it has none.
    fn value(&self, expr: ExprId, at: usize) -> Option<bool> {
        let value = self.machine.evaluate(expr, &self.branch.run.states.at(at), &mut self.machine.workspace());
        value.ok().map(|value| value != 0)
    }
}
