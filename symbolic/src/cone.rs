//! Deciding properties in their cones of influence.
//!
//! Properties of one cone share a model, and so do all properties where that is not too large. As it shows only when it is
//! tried, all have a little effort together, then those of each cone a share of it, then four times as much, and so on.

use super::Refusal;
use super::attempt::Limits;
use super::check::{Answer, Decided, Question, check_whole, undecided};
use super::space::Part;
use super::watch::Watch;
use diagrams::Exhausted;
use engine::{Explanation, Witnesses};
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Slice, System, VarId};

/// The share of all bits that a cone may have to be looked at by itself.
const LARGE: [u32; 2] = [2, 3];

/// Decides properties within limits, in the cone of influence if not everything matters.
pub(super) fn decide_all(
    machine: &Machine,
    Question { properties, witnesses }: Question<'_>,
    limits: Limits,
    watch: &mut Watch<'_, '_>,
) -> Decided {
    let cones = cones(machine, properties);
    let mut work = Work { machine, watch, order: Vec::new(), witnesses };
    if cones.is_empty() || properties.len() == 1 {
        return work.together(properties, limits).about(properties);
    }
    let mut known = undecided(properties, &[], &Refusal::NotCtl.into());
    let mut round = limits.first_round();
    loop {
        let mut can_help = false;
        for together in std::iter::once(properties).chain(cones.iter().map(Vec::as_slice)) {
            let open: Vec<PropertyId> = together.iter().copied().filter(|one| known.is_open(*one)).collect();
            if open.is_empty() {
                continue;
            }
            let is_all = together.len() == properties.len();
            let found = work.together(&open, if is_all { round } else { round.shared(cones.len()) });
            if found.fault.is_some() || !found.has_initial_state {
                return found.about(properties);
            }
            can_help |= found.stopped == Some(Exhausted::Effort);
            known.add(found);
        }
        // More effort helps only those that had too little of it.
        match round.next_round(limits).filter(|_| can_help && !work.watch.rings()) {
            Some(next) => round = next,
            None => return known,
        }
    }
}

/// The properties by their cones, small cones first. Those whose cone is hardly smaller than that of all of them have no model of
/// their own.
fn cones(machine: &Machine, properties: &[PropertyId]) -> Vec<Vec<PropertyId>> {
    let system = machine.system();
    let whole = bits(system, &cone(system, properties));
    let mut cones: Vec<(Vec<VarId>, Vec<PropertyId>)> = Vec::new();
    for property in properties {
        let cone = cone(system, &[*property]);
        if bits(system, &cone) * LARGE[1] > whole * LARGE[0] {
            continue;
        }
        match cones.iter_mut().find(|(known, _)| *known == cone) {
            Some((_, properties)) => properties.push(*property),
            None => cones.push((cone, vec![*property])),
        }
    }
    cones.sort_by_key(|(cone, _)| cone.len());
    cones.into_iter().map(|(_, properties)| properties).collect()
}

/// The variables that can influence properties.
fn cone(system: &System, properties: &[PropertyId]) -> Vec<VarId> {
    let slice = Slice::new(system, properties, Apart::Kept);
    system.variables.indices().filter(|var| slice.as_ref().is_none_or(|slice| slice.has(*var))).collect()
}

fn bits(system: &System, cone: &[VarId]) -> u32 {
    cone.iter().map(|var| system.variables[*var].domain.bits()).sum()
}

/// What is asked of a machine, and an order of its bits that was good.
struct Work<'a, 'w, 'h> {
    machine: &'a Machine,
    watch: &'a mut Watch<'w, 'h>,
    order: Vec<Part>,
    witnesses: Witnesses,
}

impl Work<'_, '_, '_> {
    /// Decides properties in the cone of all of them.
    fn together(&mut self, properties: &[PropertyId], limits: Limits) -> Decided {
        let Some(slice) = Slice::new(self.machine.system(), properties, Apart::Kept) else {
            return self.whole(properties, limits);
        };
        let part = Machine::new(Arc::new(slice.system.clone()));
        let question = Question { properties, witnesses: self.witnesses };
        let mut findings = check_whole(&part, question, &mut self.order, limits, self.watch);
        if findings.fault.is_some() {
            return self.whole(properties, limits);
        }
        findings.states = None;
        for (property, verdict) in &mut findings.verdicts {
            match verdict {
                Answer::Violated(shown) => *verdict = self.lifted(&slice, *property, shown, limits),
                Answer::Holds(Some(shown)) => *verdict = self.lifted_witness(&slice, *property, shown, limits),
                _ => {}
            }
        }
        findings
    }

    fn whole(&mut self, properties: &[PropertyId], limits: Limits) -> Decided {
        let question = Question { properties, witnesses: self.witnesses };
        check_whole(self.machine, question, &mut self.order, limits, self.watch)
    }

    /// A violation in the cone, as a run of the whole system. What is outside the cone may keep a cycle from closing: then
    /// another one is looked for in the whole system, and if that is too large, the cycle is shown once, where that is
    /// enough.
    fn lifted(&mut self, slice: &Slice, property: PropertyId, shown: &Explanation, limits: Limits) -> Answer {
        let system = self.machine.system();
        let is_linear = matches!(system.properties[property].claim, Claim::Ltl(_));
        let lifted = shown.clone().with_runs(|run| slice.lift(system, run));
        if lifted.as_ref().is_none_or(|lifted| !is_closed(lifted, shown))
            && let Some(found @ Answer::Violated(_)) = self.again(property, limits)
        {
            return found;
        }
        match lifted.filter(|lifted| !is_linear || is_closed(lifted, shown)) {
            Some(lifted) => Answer::Violated(lifted),
            None => Answer::Unknown(Refusal::RunOfPart.into()),
        }
    }

    /// A witness in the cone, as one of the whole system, if there is one.
    fn lifted_witness(&mut self, slice: &Slice, property: PropertyId, shown: &Explanation, limits: Limits) -> Answer {
        let lifted = shown.clone().with_runs(|run| slice.lift(self.machine.system(), run));
        match lifted.filter(|lifted| is_closed(lifted, shown)) {
            Some(lifted) => Answer::Holds(Some(lifted)),
            None => match self.again(property, limits) {
                Some(found @ Answer::Holds(_)) => found,
                _ => Answer::Holds(None),
            },
        }
    }

    /// A second look at a property, in the whole system.
    fn again(&mut self, property: PropertyId, limits: Limits) -> Option<Answer> {
        /// How much it may take.
        const LITTLE: u64 = 1 << 22;
        let mut whole = self.whole(&[property], limits.with_effort(LITTLE)).verdicts;
        whole.pop().map(|(_, answer)| answer)
    }
}

/// Whether a run goes round if it did so in the cone.
fn is_closed(lifted: &Explanation, shown: &Explanation) -> bool {
    lifted.run().loop_start.is_some() == shown.run().loop_start.is_some()
}

impl Decided {
    fn is_open(&self, property: PropertyId) -> bool {
        self.verdicts.iter().any(|(known, verdict)| *known == property && matches!(verdict, Answer::Unknown(_)))
    }

    /// What was found later.
    fn add(&mut self, found: Decided) {
        let is_all = found.verdicts.len() == self.verdicts.len();
        for (property, verdict) in found.verdicts {
            if let Some((_, known)) = self.verdicts.iter_mut().find(|(known, _)| *known == property) {
                *known = verdict;
            }
        }
        self.states = found.states.filter(|_| is_all);
        self.fairness = self.fairness.max(found.fairness);
    }
}
