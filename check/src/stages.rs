//! Invariants and deadlock freedom without a bound: states and decision diagrams in turns, each with more than before.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all. What is allowed is counted in states and results, not in seconds, so that the same engine
//! answers every time.
//!
//! In programs, most interleavings differ in nothing that matters: there, a search that leaves such out takes the place of
//! small diagrams. As it goes in depth, its counterexamples are long, and one is shown only if no search in breadth finds
//! another.

use super::engine::{Engine, Task, is_invariant};
use super::findings::Findings;
use super::handle::Handle;
use super::options::{Options, Visiting};
use super::states::{Explicit, Extent};
use super::symbolic::{Asked, Symbolic};
use super::verdict::Verdict;
use crate::error::Error;
use explicit::{Reduction, Sets};
use system::{Machine, PropertyId, Refinement};

/// States and diagrams in turns.
pub struct Stages;

/// What is done in a stage.
enum Stage {
    /// An engine looks at what is left over.
    Engine(Box<dyn Engine>),
    /// As many states are visited in depth, and of interleavings that differ in nothing that matters only some are tried.
    Representatives(usize),
}

/// The stages: what is left over goes to the next one. Each takes about as long as the one before, or a few times as long, so
/// that a million states are not kept waiting by diagrams that explode.
fn stages(machine: &Machine) -> Vec<Stage> {
    let states = |most| Stage::Engine(Box::new(Explicit(Extent::UpTo(most))));
    let diagrams = |effort| Stage::Engine(Box::new(Symbolic { asked: Asked::Everything, effort }));
    let mut stages = match machine.system().has_statements {
        true => vec![states(2_000_000), Stage::Representatives(1_000_000)],
        false => vec![states(200_000), diagrams(1 << 20), states(2_000_000), diagrams(1 << 23)],
    };
    stages.extend([states(8_000_000), diagrams(1 << 30), Stage::Engine(Box::new(Explicit(Extent::All)))]);
    stages
}

impl Stage {
    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        match self {
            Stage::Engine(engine) => engine.run(task, handle),
            Stage::Representatives(most) => {
                let reduction = Reduction { sets: Sets::Both, refinement: Refinement::Operations };
                let visiting = Visiting { reduction, ..task.options.visiting };
                let options = Options { visiting, ..task.options.clone() };
                Explicit(Extent::UpTo(*most)).run(&Task { options: &options, ..*task }, handle)
            }
        }
    }
}

impl Engine for Stages {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        is_invariant(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let mut stages = stages(task.machine).into_iter();
        // Without properties, the first stage says whether the model makes sense.
        let mut known =
            stages.next().map_or_else(|| Ok(Findings::new(self.name())), |first| first.run(task, handle))?;
        let mut long = Vec::new();
        for stage in stages {
            let open = undecided(&known);
            let is_over = open.is_empty() || known.fault.is_some() || handle.why().is_some();
            if is_over || !known.has_initial_state {
                break;
            }
            let mut found = stage.run(&Task { properties: &open, ..*task }, handle)?;
            if let Stage::Representatives(_) = stage {
                long = put_off(&mut found);
            }
            known = joined(known, found);
        }
        for (property, violation) in long {
            let open = known.verdicts.iter_mut().find(|(open, verdict)| *open == property && is_unknown(verdict));
            open.into_iter().for_each(|(_, verdict)| *verdict = violation.clone());
        }
        Ok(known)
    }
}

/// Takes the counterexamples out of what was found: shorter ones may be found later.
fn put_off(found: &mut Findings) -> Vec<(PropertyId, Verdict)> {
    let is_violated = |(_, verdict): &(PropertyId, Verdict)| matches!(verdict, Verdict::Violated(_));
    let violated: Vec<(PropertyId, Verdict)> = found.verdicts.extract_if(.., |found| is_violated(found)).collect();
    let reason = "a counterexample is known, a short one is not";
    found.verdicts.extend(violated.iter().map(|(property, _)| (*property, Verdict::unknown(reason))));
    violated
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

fn undecided(findings: &Findings) -> Vec<PropertyId> {
    let verdicts = findings.verdicts.iter();
    verdicts.filter(|(_, verdict)| is_unknown(verdict)).map(|(property, _)| *property).collect()
}

/// What a stage adds to what is known. The engine that is named is the one that decided last.
fn joined(mut known: Findings, found: Findings) -> Findings {
    let has_decided = undecided(&found).len() < found.verdicts.len();
    for (property, verdict) in found.verdicts {
        known.verdicts.retain(|(other, _)| *other != property);
        known.verdicts.push((property, verdict));
    }
    known.fault = known.fault.or(found.fault);
    known.deadlock = known.deadlock.or(found.deadlock);
    known.has_initial_state &= found.has_initial_state;
    known.remarks.extend(found.remarks);
    if has_decided || known.fault.is_some() {
        (known.engine, known.effort) = (found.engine, found.effort);
    }
    known
}
