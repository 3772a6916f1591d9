//! What a run may take: time, memory, and the patience of the user.

use crate::resources::resident;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use system::Alarm;

/// A flag that ends the work once it is raised, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks for the end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The limits of a run, from its beginning on.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    interrupt: Interrupt,
}

impl Budget {
    /// Begins now.
    pub fn new(timeout: Option<Duration>, interrupt: Interrupt) -> Budget {
        let start = Instant::now();
        // A limit that the clock cannot express is none.
        let deadline = timeout.and_then(|timeout| start.checked_add(timeout));
        Budget { start, deadline, memory: None, interrupt }
    }

    /// From now on the run also has to end when the process takes more than this; where the system does not tell, it
    /// goes on.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.memory = Some(bytes);
    }

    /// How long the run has taken.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Why the run has to end, if it has to.
    pub fn reason(&self) -> Option<&'static str> {
        if self.interrupt.is_raised() {
            Some("interrupted")
        } else if self.is_late() {
            Some("out of time")
        } else if self.memory.is_some_and(|most| resident().is_some_and(|bytes| bytes > most)) {
            Some("out of memory")
        } else {
            None
        }
    }

    /// What the whole process may take if a run has this many bytes of memory: a limit that is below what the program itself
    /// may need is one on states alone.
    pub fn memory_of_process(memory: u64) -> u64 {
        /// What the program may need besides states.
        const BASE: u64 = 200_000_000;
        memory.max(BASE)
    }

    /// What tells other threads, and work that cannot report how far it is, that the run has to end: also when the process
    /// takes more than these bytes.
    pub fn alarm(&self, memory: usize) -> Alarm {
        let most = Budget::memory_of_process(memory as u64);
        let budget = self.clone();
        Alarm::new(move || {
            budget.interrupt.is_raised() || budget.is_late() || resident().is_some_and(|bytes| bytes > most)
        })
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}
