//! F(s_k) for lassos: the last state of a run equals an earlier one, and the infinite run that goes round in between is fair
//! and violates a formula. \[GLST05\] §4.2 has it that the underapproximation limits the traces and F says what is asked of
//! them; so nothing else changes for widening.
//!
//! The encoding is the linear, incremental one of \[BHJLS06\]: everything that is said about a position of the run stays
//! true when the run gets longer, and only what closes the loop hangs on a literal of the bound. A past operator has a value
//! for each time that a position is passed, as its past differs from round to round, up to as many rounds as past
//! operators are nested ("virtual unrolling").
//!
//! # Differs from the paper
//!
//! Formulas are in negation normal form, so that implications from a formula to its parts are enough; the least fixpoint of
//! U is the one condition that its goal recurs in the loop. There are no finite counterexamples: SMV asks about infinite
//! fair runs, and a finite one need not be the beginning of any.

mod closing;
mod formula;

use closing::Closing;
use encoder::{ClauseSink, Lit, Unrolling};
use formula::Violation;
use system::{Claim, FiniteRuns, Machine, PropertyId, System};
use temporal::Refusal;

/// The lassos that violate some formulas.
pub(super) struct Lassos {
    closing: Closing,
    violations: Vec<(PropertyId, Violation)>,
}

/// Why lassos of a system, or one that violates a property, cannot be looked for.
pub fn refuses(system: &System, property: PropertyId) -> Option<Refusal> {
    let Claim::Ltl(formula) = system.properties[property].claim else {
        return Some("it is no formula of LTL".to_owned());
    };
    if system.finite_runs != FiniteRuns::Ignored || system.has_atomic_sections || system.has_timeout() {
        return Some("bounded model checking looks for lassos in SMV models only".to_owned());
    }
    closing::refuses(system).or_else(|| Violation::new(system, formula).err())
}

impl Lassos {
    /// Of formulas that are not refused; of none if there are none.
    pub fn new(
        machine: &Machine,
        properties: &[PropertyId],
        unrolling: &mut Unrolling<'_>,
        sink: &mut dyn ClauseSink,
    ) -> Option<Lassos> {
        let system = machine.system();
        let violation = |property: &PropertyId| match system.properties[*property].claim {
            Claim::Ltl(formula) => Some((*property, Violation::new(system, formula).ok()?)),
            _ => None,
        };
        let violations: Vec<_> = properties.iter().filter_map(violation).collect();
        (!violations.is_empty()).then(|| Lassos { closing: Closing::new(system, unrolling, sink), violations })
    }

    /// Speaks of the last step of the unrolling, too.
    pub fn extend(&mut self, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
        self.closing.extend(unrolling, sink);
        for (_, violation) in &mut self.violations {
            violation.extend(&self.closing, unrolling, sink);
        }
    }

    /// A literal that implies that the run is a fair lasso, closed by the last step, that violates the property.
    pub fn query(&mut self, property: PropertyId, sink: &mut dyn ClauseSink) -> Option<Lit> {
        let closed = self.closing.closed?;
        let (_, violation) = self.violations.iter().find(|(violated, _)| *violated == property)?;
        let query = sink.fresh();
        sink.clause(&[!query, closed]);
        violation.close(query, sink);
        Some(query)
    }

    /// Where the loop begins, in a run that satisfies a query.
    pub fn start(&self, holds: impl Fn(Lit) -> bool) -> Option<usize> {
        self.closing.starts.iter().position(|start| holds(*start))
    }
}
