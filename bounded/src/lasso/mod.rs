//! F(s_k) for lassos: the last state of a run equals an earlier one, and the infinite run that goes round in between is fair
//! and violates a formula. \[GLST05\] §4.2 has it that the underapproximation limits the traces and F says what is asked of
//! them; so nothing else changes for widening.
//!
//! The encoding is the linear, incremental one of \[BHJLS06\]: everything that is said about a position of the run stays
//! true when the run gets longer, and only what closes the loop hangs on a literal of the bound. A past operator has a value
//! for each time that a position is passed, as its past differs from round to round, up to as many rounds as past
//! operators are nested ("virtual unrolling").
//!
//! Where finite runs are prolonged, as those of programs are, the unrolling has steps that no process makes in states where none
//! can move: a run of n moves that has come to its end is a lasso of n + 1 steps.
//!
//! # Differs from the paper
//!
//! Formulas are in negation normal form, so that implications from a formula to its parts are enough; the least fixpoint of
//! U is the one condition that its goal recurs in the loop. Finite counterexamples are looked for where every finite run is the
//! beginning of an infinite fair one, as far as the form of the system tells: formulas are about infinite fair runs. They are a question of
//! their own beside that for lassos. States inside atomic sections are not looked at.

mod claim;
mod closing;
mod formula;
mod prefix;
mod violation;

pub use closing::Longer;
pub use violation::Wanted;

use closing::{Closing, Repetition};
use encoder::{ClauseSink, Ending, Idling, Lit, Rules, Scheduling, Unrolling};
use system::{Claim, ExprId, FiniteRuns, ProcessId, PropertyId, Symmetry, System, Trace};
use temporal::Refusal;
use violation::Violation;

/// The lassos that violate, or satisfy, some properties.
pub(super) struct Lassos {
    closing: Closing,
    violations: Vec<(PropertyId, Violation)>,
    /// The processes whose steps no property tells from none, where it does not matter how often a state is repeated.
    unfelt: Vec<ProcessId>,
}

/// Whether a property is about infinite runs.
pub fn is_temporal(system: &System, property: PropertyId) -> bool {
    matches!(system.properties[property].claim, Claim::Ltl(_) | Claim::Never(_) | Claim::Progress(_))
}

/// Why lassos of a system, or one that violates a property, cannot be looked for.
pub fn refuses(system: &System, property: PropertyId) -> Option<Refusal> {
    closing::refuses(system).or_else(|| violation::refuses(system, property))
}

/// Whether a formula has past operators.
pub fn looks_back(system: &System, property: PropertyId) -> bool {
    violation::looks_back(system, property)
}

/// Whether finite runs can violate a property about infinite ones: however they go on.
pub fn has_prefixes(system: &System, property: PropertyId) -> bool {
    violation::has_prefixes(system, property)
}

/// The rules of an unrolling in which lassos are looked for. A step that changes nothing may be what fairness asks for, and
/// steps can be put in an order only if none of the properties can tell.
pub fn rules(system: &System, properties: impl IntoIterator<Item = PropertyId>, wanted: Rules) -> Rules {
    let ending = match system.finite_runs {
        FiniteRuns::Prolonged => Ending::Stays,
        FiniteRuns::Ignored => Ending::Stops,
    };
    let scheduling = match looked_at(system, properties) {
        Some(_) => wanted.scheduling,
        None => Scheduling::Free,
    };
    Rules { scheduling, ending, idling: Idling::Allowed, ..wanted }
}

/// What some properties look at, if the order of steps that they do not see does not matter to them.
fn looked_at(system: &System, properties: impl IntoIterator<Item = PropertyId>) -> Option<Vec<ExprId>> {
    let each = properties.into_iter().map(|property| violation::looked_at(system, property));
    each.collect::<Option<Vec<_>>>().map(|conditions| conditions.concat())
}

/// The processes that can change places without changing what any of some properties says of runs.
fn alike(system: &System, properties: &[PropertyId]) -> Symmetry {
    let conditions = properties.iter().map(|property| violation::conditions(system, *property));
    let conditions: Option<Vec<Vec<ExprId>>> = conditions.collect();
    conditions.map_or_else(Symmetry::default, |conditions| Symmetry::of_runs(system, conditions.concat()))
}

impl Lassos {
    /// Of those properties that are about infinite runs; of none if there are none.
    pub fn new(
        system: &System,
        properties: &[PropertyId],
        wanted: Wanted,
        unrolling: &mut Unrolling<'_>,
        sink: &mut dyn ClauseSink,
    ) -> Option<Lassos> {
        let temporal = properties.iter().copied().filter(|property| is_temporal(system, *property));
        let temporal: Vec<PropertyId> = temporal.collect();
        let violation = |property: &PropertyId| Some((*property, Violation::new(system, *property, wanted, sink)?));
        let violations: Vec<_> = temporal.iter().filter_map(violation).collect();
        let conditions = looked_at(system, temporal.iter().copied());
        unrolling.look_at(conditions.as_deref().unwrap_or_default());
        // Inside an atomic section there is more to hide than repeated states.
        let conditions = conditions.filter(|_| !system.has_atomic_sections);
        let repetition = if conditions.is_some() { Repetition::DoesNotMatter } else { Repetition::Matters };
        if temporal.len() == properties.len() {
            unrolling.are_alike(|| alike(system, &temporal), sink);
        }
        let is_unfelt = |process: &ProcessId| {
            conditions.as_ref().is_some_and(|conditions| !encoder::may_change(system, *process, conditions))
        };
        let unfelt = system.processes.indices().filter(is_unfelt).collect();
        (!violations.is_empty()).then(|| Lassos {
            closing: Closing::new(system, repetition, unrolling, sink),
            violations,
            unfelt,
        })
    }

    /// Makes the runs of the unrolling longer, if they can be, and speaks of the step.
    ///
    /// A formula that cannot tell how often a state is repeated need not look at the position before a step that changes nothing that it
    /// reads: it looks at one after it, at the first position of the next pass at the latest, or at the loop's first position.
    pub fn extend(&mut self, longer: Longer, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> bool {
        let is_longer = self.closing.extend(longer, unrolling, sink);
        let is_unfelt = matches!(longer, Longer::Further(process) if self.unfelt.contains(&process));
        for (_, violation) in self.violations.iter_mut().filter(|_| is_longer && !is_unfelt) {
            violation.extend(&self.closing, unrolling, sink);
        }
        is_longer
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

    /// A literal that implies that the run violates the property however it goes on from its last state, if that counts.
    pub fn prefix(
        &mut self,
        property: PropertyId,
        unrolling: &mut Unrolling<'_>,
        sink: &mut dyn ClauseSink,
    ) -> Option<Lit> {
        let (_, violation) = self.violations.iter_mut().find(|(violated, _)| *violated == property)?;
        violation.shown(unrolling, sink)
    }

    /// For each position, a literal that says that the loop begins there.
    pub fn starts(&self) -> &[Lit] {
        &self.closing.starts
    }

    /// A run that satisfies a query, with its loop: one that has come to its end has none. Of the steps of the formula, those are its moves that a
    /// process makes.
    pub fn close(&self, trace: Trace, is_made: &[bool], holds: impl Fn(Lit) -> bool) -> Trace {
        let start = self.closing.starts.iter().position(|start| holds(*start));
        let start = start.filter(|start| is_made[*start..].contains(&true));
        Trace { loop_start: start.map(|start| is_made[..start].iter().filter(|made| **made).count()), ..trace }
    }
}

/// Adds a step to an unrolling, in which lassos may be looked for.
pub(super) fn extend(lassos: Option<&mut Lassos>, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
    match lassos {
        Some(lassos) => {
            lassos.extend(Longer::Step, unrolling, sink);
        }
        None => unrolling.extend(sink),
    }
}
