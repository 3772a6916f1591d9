//! The formulas behind `holds up to bound k`: for each bound, one that is unsatisfiable if the property holds there.

use encoder::{ClauseSink, Cnf, Rules, Unrolling, Unsupported};
use system::{Claim, Machine, PropertyId};

/// Eq. (5) of \[GLST05\]: I(s_0) ∧ T(s_0, s_1) ∧ ... ∧ T(s_{k-1}, s_k) ∧ F(s_k), without any restriction. F says that the
/// last state violates the property, or that the model has no meaning there. `None` for properties without an F.
pub fn refutation(machine: &Machine, property: PropertyId, bound: usize) -> Result<Option<Cnf>, Unsupported> {
    let mut cnf = Cnf::default();
    let mut unrolling = Unrolling::new(machine.system(), Rules::default(), &mut cnf)?;
    for _ in 0..bound {
        unrolling.extend(&mut cnf);
    }
    let violation = match machine.system().properties[property].claim {
        Claim::Invariant(expr) if machine.is_state_invariant(property) => Some(unrolling.violates(expr, &mut cnf)),
        Claim::Invariant(expr) => unrolling.step_violates(expr, &mut cnf),
        Claim::DeadlockFree => Some(unrolling.deadlock(&mut cnf)),
        _ => return Ok(None),
    };
    let fault = unrolling.fault(&mut cnf);
    let bad: Vec<encoder::Lit> = violation.into_iter().chain(fault).collect();
    cnf.clause(&bad);
    Ok(Some(cnf))
}
