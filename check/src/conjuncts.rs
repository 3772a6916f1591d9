//! Which conjunct of a property a counterexample makes false.

use super::report::Checked;
use engine::Verdict;
use system::{Claim, ExprId, Footprint, Formula, FormulaId, Machine, State, System, Trace, UnaryTemporal};

/// A conjunct that is false, and the number of the state where that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conjunct {
    /// A formula.
    Formula(FormulaId, usize),
    /// A condition on states.
    Condition(ExprId, usize),
}

/// The conjuncts of an invariant or a formula of LTL that its counterexample makes false. Nothing if it is no conjunction.
pub fn failing(machine: &Machine, checked: &Checked) -> Vec<Conjunct> {
    let Verdict::Violated(run) = &checked.verdict else { return Vec::new() };
    match machine.system().properties[checked.id].claim {
        Claim::Invariant(expr) if machine.is_state_invariant(checked.id) => {
            let state = run.violates(machine, checked.id);
            state.map_or_else(Vec::new, |at| conditions(machine, expr, (at, &run.states.at(at))))
        }
        Claim::Ltl(formula) => linear(machine, formula, run),
        _ => Vec::new(),
    }
}

/// The conjuncts of a condition that are false in a state; none if there is but one.
pub fn false_conjuncts(machine: &Machine, expr: ExprId, state: &State) -> Vec<ExprId> {
    let parts = machine.system().exprs.conjuncts(expr);
    if parts.len() == 1 || parts.iter().any(|part| speaks_of_steps(machine.system(), *part)) {
        return Vec::new();
    }
    let mut workspace = machine.workspace();
    parts.into_iter().filter(|part| machine.evaluate(*part, state, &mut workspace) == Ok(0)).collect()
}

fn conditions(machine: &Machine, expr: ExprId, (number, state): (usize, &State)) -> Vec<Conjunct> {
    let parts = false_conjuncts(machine, expr, state);
    parts.into_iter().map(|part| Conjunct::Condition(part, number)).collect()
}

/// The conjuncts of a formula of LTL that the run violates, and where a condition that always has to hold is false.
fn linear(machine: &Machine, formula: FormulaId, run: &Trace) -> Vec<Conjunct> {
    let system = machine.system();
    let parts = conjuncts(system, formula);
    let is_one = parts.len() == 1;
    let mut found = Vec::new();
    for part in parts.into_iter().filter(|part| is_one || run.violates_formula(machine, *part)) {
        if !is_one {
            found.push(Conjunct::Formula(part, 0));
        }
        let Formula::Unary(UnaryTemporal::Globally, None, inner) = system.formulas.get(part) else { continue };
        let Formula::State(expr) = system.formulas.get(inner) else { continue };
        let mut each = run.states.iter().enumerate().map(|(at, state)| conditions(machine, expr, (at, &state)));
        found.extend(each.find(|parts| !parts.is_empty()).unwrap_or_default());
    }
    found
}

/// The conjuncts of a formula: itself unless it is a conjunction.
fn conjuncts(system: &System, root: FormulaId) -> Vec<FormulaId> {
    let (mut open, mut found) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        match system.formulas.get(id) {
            Formula::And(a, b) => open.extend([b, a]),
            _ => found.push(id),
        }
    }
    found
}

fn speaks_of_steps(system: &System, expr: ExprId) -> bool {
    Footprint::of(&system.exprs, &[expr]).has_step(system)
}
