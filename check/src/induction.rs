//! Evidence that an invariant holds for runs of every length: a set of states that has the initial ones, that no step leaves, and
//! that satisfies the invariant.
//!
//! The set comes from decision diagrams, but nothing is believed of them: it is an expression of the system like any other, and
//! what has to be so of it becomes formulas by the same encoder as runs, without a restriction, each refuted with a proof.

use super::manifest::Part;
use super::options::Options;
use super::proof::{check, refute, solver};
use crate::error::Error;
use bounded::Refutations;
use encoder::{Cnf, Unsupported};
use limits::{Handle, Progress};
use std::path::Path;
use std::sync::Arc;
use system::{Claim, Condition, ExprId, Machine, Property, PropertyId, Span, System};

/// What is refuted: that an initial state is outside the set; that the model has no meaning in a state of the set; that a step
/// leads out of it; that a state of it violates the invariant.
pub const PARTS: [&str; 4] = ["initial", "meaning", "step", "safe"];

/// Writes the formulas of an inductive invariant and their refutations, and checks them if that is asked for. `None` if
/// there is no such set, or time is over.
pub fn prove(
    machine: &Machine,
    (property, name): (PropertyId, &str),
    (folder, stem): (&Path, &str),
    options: &Options,
    handle: &mut Handle<'_>,
) -> Result<Option<Vec<Part>>, Error> {
    let is_invariant = matches!(machine.system().properties[property].claim, Claim::Invariant(_));
    if !is_invariant || !machine.is_state_invariant(property) {
        return Ok(None);
    }
    let limits = symbolic::Limits::of_memory(handle.memory());
    let Ok(set) = symbolic::reachable_set(machine, property, limits, handle) else { return Ok(None) };
    let Ok(Some(formulas)) = formulas(property, set) else { return Ok(None) };
    let mut parts = Vec::new();
    for (at, (what, formula)) in PARTS.into_iter().zip(&formulas).enumerate() {
        let now = Progress::Proving { property: name.into(), depth: at, bound: PARTS.len() };
        let file = |ending: &str| format!("{stem}-{what}.{ending}");
        let path = folder.join(file("cnf"));
        let _ = handle.see(now);
        if !refute(formula, &path, solver(options), handle)? {
            parts.iter().for_each(|part: &Part| part.remove(folder));
            return Ok(None);
        }
        if options.proofs.are_checked() {
            check(&path)?;
        }
        parts.push(Part::of(folder, what, &file("cnf"), &file(solver(options).proof_format().ending()))?);
    }
    Ok(Some(parts))
}

/// The formulas, in the order of [`PARTS`].
fn formulas(property: PropertyId, (mut system, set): (System, ExprId)) -> Result<Option<[Cnf; 4]>, Unsupported> {
    let claim = Claim::Invariant(set);
    let inductive = system.properties.push(Property::new("reachable".to_owned(), claim, Span::default()));
    let machine = Machine::new(Arc::new(system.clone()));
    system.initial_values.clear();
    system.initial = vec![Condition { holds: set, span: Span::default() }];
    let inside = Machine::new(Arc::new(system));
    let initial = Refutations::new(&machine, inductive)?.next_bound();
    let mut stays = Refutations::new(&inside, inductive)?;
    let (meaning, step) = (stays.next_bound(), stays.next_bound());
    let safe = Refutations::new(&inside, property)?.next_bound();
    let all = [initial, meaning, step, safe].into_iter().collect::<Option<Vec<Cnf>>>();
    Ok(all.and_then(|formulas| formulas.try_into().ok()))
}
