//! The formulas behind `holds up to bound k`: for each bound, one that is unsatisfiable if the property holds there.

use super::lasso::{self, Lassos, Wanted};
use encoder::{ClauseSink, Cnf, Lit, Rules, Unrolling, Unsupported};
use system::{Claim, Machine, PropertyId};

/// Formulas without any restriction, bound after bound: I(s_0) ∧ T(s_0, s_1) ∧ ... ∧ T(s_{k-1}, s_k) ∧ ¬F(s_0) ∧ ... ∧
/// ¬F(s_{k-1}) ∧ F(s_k). F says that a state violates the property, or that the model has no meaning there.
///
/// # Differs from the paper
///
/// Eq. (5) of \[GLST05\] has only the last F. Here a formula says that a run goes wrong after k steps for the first time.
/// None of them having a solution means the same as before, and each is as much easier as the bounds before it tell.
pub struct Refutations<'a> {
    machine: &'a Machine,
    property: PropertyId,
    unrolling: Unrolling<'a>,
    /// The infinite runs that are asked about, for a temporal formula.
    lassos: Option<Lassos>,
    /// All of the next formula but its F(s_k).
    cnf: Cnf,
    bound: usize,
}

impl<'a> Refutations<'a> {
    /// The formulas of a property, from bound 0 on.
    pub fn new(machine: &'a Machine, property: PropertyId) -> Result<Refutations<'a>, Unsupported> {
        let mut cnf = Cnf::default();
        let mut unrolling = Unrolling::new(machine.system(), free_rules(machine, property), &mut cnf)?;
        let lassos = Lassos::new(machine.system(), &[property], Wanted::Violation, &mut unrolling, &mut cnf);
        Ok(Refutations { machine, property, unrolling, lassos, cnf, bound: 0 })
    }

    /// The formula of the next bound. `None` for properties without an F.
    pub fn next_bound(&mut self) -> Option<Cnf> {
        if self.bound > 0 {
            lasso::extend(self.lassos.as_mut(), &mut self.unrolling, &mut self.cnf);
        }
        self.bound += 1;
        let lassos = self.lassos.as_mut();
        let bad = goes_wrong(self.machine, self.property, &mut self.unrolling, lassos, &mut self.cnf)?;
        let mut formula = self.cnf.clone();
        formula.clause(&bad);
        for lit in bad {
            self.cnf.clause(&[!lit]);
        }
        Some(formula)
    }
}

/// The rules of formulas that have every run that a property can be asked about.
pub(super) fn free_rules(machine: &Machine, property: PropertyId) -> Rules {
    match lasso::is_temporal(machine.system(), property) {
        true => lasso::rules(machine.system(), [property], Rules::default()),
        false => Rules::default(),
    }
}

/// F(s_k): one of these. None for properties without an F.
pub(super) fn goes_wrong(
    machine: &Machine,
    property: PropertyId,
    unrolling: &mut Unrolling<'_>,
    lassos: Option<&mut Lassos>,
    sink: &mut dyn ClauseSink,
) -> Option<Vec<Lit>> {
    let mut wrong = Vec::new();
    match machine.system().properties[property].claim {
        Claim::Invariant(expr) if machine.is_state_invariant(property) => wrong.push(unrolling.violates(expr, sink)),
        Claim::Invariant(expr) => wrong.extend(unrolling.step_violates(expr, sink)),
        Claim::DeadlockFree => wrong.push(unrolling.deadlock(sink)),
        Claim::Ltl(_) | Claim::Never(_) | Claim::Progress(_) => {
            let lassos = lassos?;
            wrong.extend(lassos.query(property, sink));
            wrong.extend(lassos.prefix(property, unrolling, sink));
        }
        _ => return None,
    }
    wrong.extend(unrolling.fault(sink));
    Some(wrong)
}
