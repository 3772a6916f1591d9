//! Decision diagrams beside engines that unroll: what they decide, they decide for runs of every length.

use super::options::{Choice, Options};
use bounded::Guest;
use engine::{Engine, Findings, Stop, Trouble, Verdict};
use limits::{Effort, Handle, Work};
use symbolic::Limits;
use system::{Machine, PropertyId};

/// How many results may be computed in the first turn and in the last one. Each turn has four times as many as the one before.
const FIRST: u64 = 1 << 18;
const LAST: u64 = 1 << 24;
const MORE: u64 = 4;

/// What a result costs in a solver's ticks, about.
const TICKS: u64 = 32;

/// The share of the memory that is theirs.
const SHARE: usize = 4;

/// Diagrams as a guest of the race, where they take part: not where every answer needs a proof of a bound, and not in programs,
/// where they explode.
pub fn guest(machine: &Machine, options: &Options) -> Option<Guest> {
    let is_welcome = options.engine == Choice::Auto && !options.proofs.are_wanted() && !machine.system().has_statements;
    is_welcome.then_some(Guest { begin, memory: options.memory / SHARE })
}

/// Diagrams as an engine that takes turns.
fn begin<'m>(machine: &'m Machine, properties: &'m [PropertyId], limits: explicit::Limits) -> Box<dyn Engine + 'm> {
    let (bound, limits) = (limits.depth, Limits::of_memory(limits.memory));
    let found = Findings::new("symbolic");
    Box::new(Diagrams { machine, open: properties.to_vec(), bound, limits, effort: FIRST, spent: 0, found })
}

struct Diagrams<'m> {
    machine: &'m Machine,
    open: Vec<PropertyId>,
    bound: usize,
    limits: Limits,
    /// What the next turn may take, and what all turns have taken.
    effort: u64,
    spent: u64,
    found: Findings,
}

impl Diagrams<'_> {
    /// Takes over what is decided within the bound: a longer counterexample is none of the question's.
    fn take(&mut self, theirs: Findings) {
        let decided = theirs.verdicts.into_iter().filter(|(_, verdict)| match verdict {
            Verdict::Holds(_) => true,
            Verdict::Violated(trace) => trace.moves.len() <= self.bound,
            _ => false,
        });
        self.found.verdicts.extend(decided);
        self.found.fault = theirs.fault.filter(|(_, trace)| trace.moves.len() <= self.bound);
        self.found.cost.states = theirs.cost.states;
        self.open.retain(|property| !self.found.verdicts.iter().any(|(known, _)| known == property));
    }
}

impl Engine for Diagrams<'_> {
    /// Begins anew, with more than before.
    fn turn(&mut self, _: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let limits = self.limits.with_effort(self.effort).starting_with(self.effort);
        let theirs = symbolic::check(self.machine, &self.open, limits, handle);
        let stop = theirs.stop;
        self.take(theirs);
        self.spent += self.effort;
        self.effort *= MORE;
        // More effort helps where that was what ended the work.
        let goes_on = stop == Stop::Interrupted && self.effort <= LAST && !self.open.is_empty();
        Ok((!goes_on).then_some(stop))
    }

    fn found(&self) -> &Findings {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        self.open.retain(|open| *open != property);
    }

    fn work(&self) -> Work {
        Work { conflicts: 0, ticks: self.spent * TICKS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Language, Model};

    /// What diagrams find within a bound of a counter that goes wrong after fifteen steps.
    fn found(bound: usize) -> Vec<(PropertyId, Verdict)> {
        let text = "MODULE main VAR x : 0..20; ASSIGN init(x) := 0; next(x) := x < 20 ? x + 1 : x; INVARSPEC x < 15";
        let model = Model::parse(text, Language::Smv).expect("a model");
        let properties: Vec<PropertyId> = model.machine.system().properties.indices().collect();
        let limits = explicit::Limits { depth: bound, memory: 1 << 30 };
        let mut engine = begin(&model.machine, &properties, limits);
        engine.turn(Effort::Unlimited, &mut Handle::default()).expect("an answer");
        engine.found().verdicts.clone()
    }

    #[test]
    fn a_counterexample_beyond_the_bound_is_none() {
        assert!(found(14).is_empty());
        assert!(matches!(found(15).as_slice(), [(_, Verdict::Violated(trace))] if trace.moves.len() == 15));
    }
}
