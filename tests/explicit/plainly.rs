//! What there is to find in a system, by visiting every state in the plainest way: no store but a set, and every command a step.

use std::collections::{BTreeMap, BTreeSet};
use system::{Claim, Halt, Machine, PropertyId, State, Visit};
use uwbmc::engine::Findings;

/// What there is to find.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plainly {
    /// The length of the shortest violation of each property that is violated.
    pub violated: BTreeMap<PropertyId, usize>,
    /// The states that no process can leave and that are no valid end.
    pub deadlocks: BTreeSet<State>,
}

impl Plainly {
    /// Visits all states that can be reached; none if a step or a property fails in one of them.
    pub fn visit(machine: &Machine) -> Option<Plainly> {
        let (mut found, mut seen, mut level) = (Plainly::default(), BTreeSet::new(), Vec::new());
        machine
            .initial_states(&mut machine.workspace(), |state| {
                level.push(state);
                Visit::Continue(())
            })
            .ok()?;
        level.retain(|state| seen.insert(state.clone()));
        for depth in 0.. {
            if level.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for state in &level {
                found.look_at(machine, state, depth, &mut next).ok()?;
            }
            next.retain(|state| seen.insert(state.clone()));
            level = next;
        }
        Some(found)
    }

    fn look_at(&mut self, machine: &Machine, state: &State, depth: usize, next: &mut Vec<State>) -> Result<(), Halt> {
        let mut workspace = machine.workspace();
        let properties = || machine.system().properties.iter_enumerated();
        let invariants = || properties().filter(|(_, property)| matches!(property.claim, Claim::Invariant(_)));
        for (id, _) in invariants().filter(|(id, _)| machine.is_state_invariant(*id)) {
            if !machine.holds(id, &state.0, &mut workspace)? {
                self.violated.entry(id).or_insert(depth);
            }
        }
        let (mut failed, before) = (None, next.len());
        machine.successors(&state.0, &mut workspace, |mut successor| {
            next.push(State(successor.state.into()));
            for (id, _) in invariants().filter(|(id, _)| !machine.is_state_invariant(*id)) {
                match successor.step_holds(id) {
                    Ok(true) => {}
                    Ok(false) => drop(self.violated.entry(id).or_insert(depth + 1)),
                    Err(failure) => failed = Some(failure),
                }
            }
            Visit::Continue(())
        })?;
        if next.len() == before && !machine.is_valid_end(state) {
            let mut alone = state.clone();
            machine.layout().set_holder(&mut alone.0, None);
            self.deadlocks.insert(alone);
            for (id, _) in properties().filter(|(_, property)| matches!(property.claim, Claim::DeadlockFree)) {
                self.violated.entry(id).or_insert(depth);
            }
        }
        failed.map_or(Ok(()), |failure| Err(Halt::Failed(failure)))
    }

    /// Whether a breadth-first search that went on to the end found the same, by runs as short.
    pub fn is_what(&self, found: &Findings) -> bool {
        let violated = found.violations().into_iter().map(|(property, trace)| (property, trace.moves.len()));
        self.violated == violated.collect() && self.deadlocks == found.deadlocks
    }
}
