//! Visible successors: atomic sections and what they pass through in one go.
//!
//! A state where a process has control and can go on is seen by no other process. SPIN does not store such states, and
//! neither needs a search that only looks at what processes can observe.

use super::machine::{Halt, Machine};
use super::memo::Memo;
use super::step::Visit;
use crate::definition::ids::ProcessId;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The memory that one thread needs to compute visible successors.
#[derive(Debug)]
pub struct Sections {
    memo: Memo,
    /// The states that are still to be left or visited, the next one last.
    open: Vec<u64>,
    at: Vec<u64>,
    /// The states that the section at hand has passed.
    passed: Vec<Passed>,
    passed_states: Vec<u64>,
}

/// A state that a section has passed.
#[derive(Clone, Copy, Debug)]
struct Passed {
    hash: u64,
    /// How many words were open when it was left: when there are this many again, all its successors are done.
    below: usize,
}

impl Machine {
    /// Memory for computing visible successors.
    pub fn sections(&self) -> Sections {
        let at = vec![0; self.layout().words()];
        Sections { memo: self.memo(), open: Vec::new(), at, passed: Vec::new(), passed_states: Vec::new() }
    }
}

impl Sections {
    /// How much memory is taken, about.
    pub fn bytes(&self) -> usize {
        self.memo.bytes()
    }

    /// Visits every visible state that is reached from a visible one without passing another, once for each way there, in
    /// the order in which SPIN does: the last process first, and its steps in order. Where a process that has control
    /// cannot go on, it loses control, and the state is visible.
    pub fn visible_successors(
        &mut self,
        machine: &Machine,
        state: &[u64],
        mut visit: impl FnMut(&[u64]),
    ) -> Result<(), Halt> {
        self.open.clear();
        self.passed.clear();
        self.passed_states.clear();
        let open = &mut self.open;
        let mut mover: Option<(ProcessId, usize)> = None;
        self.memo.successors(machine, state, |local, _, next| {
            // What is open last comes first.
            let (_, start) =
                mover.filter(|(process, _)| *process == local.process).unwrap_or((local.process, open.len()));
            mover = Some((local.process, start));
            open.splice(start..start, next.iter().copied());
            Visit::Continue(())
        })?;
        while !self.open.is_empty() {
            self.go_on(machine, &mut visit)?;
        }
        Ok(())
    }

    /// Whether the model asks for timeouts and this state is one.
    pub fn times_out(&mut self, machine: &Machine, state: &[u64]) -> Result<bool, Halt> {
        self.memo.times_out(machine, state)
    }

    /// Leaves the next open state, or visits it if it is visible.
    fn go_on(&mut self, machine: &Machine, visit: &mut impl FnMut(&[u64])) -> Result<(), Halt> {
        let Sections { memo, open, at, passed, passed_states } = self;
        while passed.last().is_some_and(|last| last.below == open.len()) {
            passed.pop();
        }
        passed_states.truncate(passed.len() * at.len());
        let below = open.len() - at.len();
        at.copy_from_slice(&open[below..]);
        open.truncate(below);
        if machine.layout().holder(at).is_none() {
            visit(at);
            return Ok(());
        }
        memo.held_successors(machine, at, |_, next| drop(open.splice(below..below, next.iter().copied())))?;
        if open.len() == below {
            machine.layout().set_holder(at, None);
            visit(at);
            return Ok(());
        }
        let mut hasher = FxHasher::default();
        at.iter().for_each(|word| hasher.write_u64(*word));
        let hash = hasher.finish();
        // A section that comes back to where it was goes round for ever and is never seen again.
        let mut known = passed.iter().zip(passed_states.chunks_exact(at.len()));
        if known.any(|(passed, state)| passed.hash == hash && state == at.as_slice()) {
            open.truncate(below);
        } else {
            passed.push(Passed { hash, below });
            passed_states.extend_from_slice(at);
        }
        Ok(())
    }
}
