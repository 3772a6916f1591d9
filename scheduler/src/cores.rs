//! Which cores a server and its runs are on.
//!
//! Handing over between two cores takes ten times as long as on one, and only one thread of a run goes on at a time.

use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::Pid;
use std::sync::OnceLock;

/// A core for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// The one that this thread happens to be on.
    This,
    /// One of the others, by number; there can be fewer.
    Other(usize),
}

/// The cores that this process could use in the beginning, without the one of its first server.
static OTHERS: OnceLock<Vec<usize>> = OnceLock::new();

impl Core {
    /// This thread, and what it starts, stays on the core.
    pub fn stay(self) {
        let this = sched_getcpu().ok();
        let others = OTHERS.get_or_init(|| others_than(this));
        let core = match self {
            Core::This => this,
            Core::Other(number) => others.get(number % others.len().max(1)).copied(),
        };
        let mut cores = CpuSet::new();
        if core.is_some_and(|core| cores.set(core).is_ok()) {
            let _ = sched_setaffinity(Pid::from_raw(0), &cores);
        }
    }
}

fn others_than(this: Option<usize>) -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(Pid::from_raw(0)) else { return Vec::new() };
    let is_other = |core: &usize| Some(*core) != this && allowed.is_set(*core).unwrap_or(false);
    (0..CpuSet::count()).filter(is_other).collect()
}
