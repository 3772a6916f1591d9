//! Formulas of CTL that are true in every model: formulas are about the states that infinite fair runs pass, and on such a run there is
//! always a next state. `AG EX TRUE`, which is written to ask for dead ends, says no more than that.

use super::portfolio::Task;
use super::states::attentive;
use engine::{Findings, Verdict};
use limits::{Handle, Patience};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use system::{
    BinaryTemporal, Claim, Formula, FormulaId, Machine, PropertyId, System, Truth, UnaryTemporal, never_fails,
};

/// How often those who choose values for an initial state may ask whether to go on.
const LOOKS: u32 = 16;

/// Whether a property is true in every state that counts, and has a value there.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    match machine.system().properties[property].claim {
        Claim::Ctl(formula) => is_valid(machine.system(), formula),
        _ => false,
    }
}

/// Says that properties hold that are true in every model, unless this one may have no meaning: that is for those to find who look at
/// its states.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Findings {
    let mut found = Findings::new("formula");
    if !never_fails(task.machine.system()) || !has_initial_state(task.machine, handle) {
        return found;
    }
    for property in task.properties {
        found.verdicts.push((*property, Verdict::Holds(REASON.to_owned())));
    }
    if task.properties.iter().any(|property| asks_for_next(task.machine.system(), *property)) {
        found.remarks.push(ADVICE.to_owned());
    }
    found
}

const REASON: &str =
    "in every model: it is true wherever an infinite fair run begins, and formulas of CTL are about no other states";

const ADVICE: &str = "note: states without successors are on no infinite run, so that EX TRUE says nothing about them; --deadlock looks for them";

/// Whether a formula has an operator for the next state.
fn asks_for_next(system: &System, property: PropertyId) -> bool {
    let Claim::Ctl(formula) = system.properties[property].claim else { return false };
    let is_next = |part: &FormulaId| matches!(system.formulas.get(*part), Formula::Unary(UnaryTemporal::SomeNext, ..));
    system.formulas.parts(formula).iter().any(is_next)
}

/// Whether an initial state is found soon.
fn has_initial_state(machine: &Machine, handle: &mut Handle<'_>) -> bool {
    let machine = attentive(machine, &handle.patient(Patience { looks: LOOKS, ..Patience::default() }));
    let mut is_found = false;
    let visit = |_| {
        is_found = true;
        ControlFlow::Break(())
    };
    machine.initial_states(&mut machine.workspace(), visit).is_ok() && is_found
}

/// Whether a formula always has a value, which is true wherever an infinite fair run begins.
fn is_valid(system: &System, root: FormulaId) -> bool {
    let mut known: BTreeMap<FormulaId, Option<Truth>> = BTreeMap::new();
    for part in system.formulas.parts(root) {
        if let Formula::State(expr) = system.formulas.get(part)
            && !system.exprs.is_total(expr)
        {
            return false;
        }
        let value = value(system, part, |operand| known[&operand]);
        known.insert(part, value);
    }
    known[&root] == Some(Truth::Holds)
}

/// The value of a formula in every state in which an infinite fair run begins, if that follows from those of its operands.
fn value(system: &System, formula: FormulaId, of: impl Fn(FormulaId) -> Option<Truth>) -> Option<Truth> {
    let not = |a: FormulaId| of(a).map(Truth::opposite);
    match system.formulas.get(formula) {
        Formula::State(expr) => system.exprs.constant_value(expr).map(|value| truth(value != 0)),
        Formula::Not(a) => not(a),
        Formula::And(a, b) => either(of(a), of(b), Truth::Fails),
        Formula::Or(a, b) => either(of(a), of(b), Truth::Holds),
        Formula::Implies(a, b) => either(not(a), of(b), Truth::Holds),
        Formula::Iff(a, b) => of(a).zip(of(b)).map(|(a, b)| truth(a == b)),
        Formula::Xor(a, b) => of(a).zip(of(b)).map(|(a, b)| truth(a != b)),
        // There is a fair run, and what is constant is so on all of it.
        Formula::Unary(op, None, a) if op.is_branching() => of(a),
        Formula::Binary(BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil, None, _, b) => of(b),
        Formula::Unary(..) | Formula::Binary(..) => None,
    }
}

fn truth(is_true: bool) -> Truth {
    if is_true { Truth::Holds } else { Truth::Fails }
}

/// The value of an operator that has this one where one operand has it, and the other one where both have the other.
fn either(a: Option<Truth>, b: Option<Truth>, decisive: Truth) -> Option<Truth> {
    if a == Some(decisive) || b == Some(decisive) {
        return Some(decisive);
    }
    a.zip(b).map(|_| decisive.opposite())
}
