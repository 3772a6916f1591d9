//! What a run may take: time, memory, and the patience of the user.

use crate::resources::resident;
use std::fmt;
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

/// Why a run has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The user asked for it.
    Interrupted,
    /// The time is over.
    Time,
    /// The memory is used up.
    Memory,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ended::Interrupted => "interrupted",
            Ended::Time => "out of time",
            Ended::Memory => "out of memory",
        })
    }
}

/// Which memory counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// That of states, which those who store them count.
    States,
    /// All that the process takes.
    Process,
}

/// The limits of a run, from its beginning on.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    memory: u64,
    counted: Counted,
    interrupt: Interrupt,
}

/// No limits, from now on.
impl Default for Budget {
    fn default() -> Budget {
        Budget::new(None, Interrupt::default())
    }
}

impl Budget {
    /// Begins now.
    pub fn new(timeout: Option<Duration>, interrupt: Interrupt) -> Budget {
        let start = Instant::now();
        // A limit that the clock cannot express is none.
        let deadline = timeout.and_then(|timeout| start.checked_add(timeout));
        Budget { start, deadline, memory: u64::MAX, counted: Counted::States, interrupt }
    }

    /// The same with a limit on the bytes of memory.
    pub fn with_memory(self, bytes: u64) -> Budget {
        Budget { memory: bytes, ..self }
    }

    /// From now on the run also has to end when the process takes more than its memory; where the system does not tell, it
    /// goes on.
    pub fn watch_memory(&mut self) {
        self.counted = Counted::Process;
    }

    /// The bytes of memory that it may take.
    pub fn memory(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX)
    }

    /// How long the run has taken.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Why the run has to end, if it has to.
    pub fn reason(&self) -> Option<Ended> {
        if self.interrupt.is_raised() {
            Some(Ended::Interrupted)
        } else if self.is_late() {
            Some(Ended::Time)
        } else if self.counted == Counted::Process && resident().is_some_and(|bytes| bytes > self.memory) {
            Some(Ended::Memory)
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
    /// takes more than its memory.
    pub fn alarm(&self) -> Alarm {
        let most = Budget::memory_of_process(self.memory);
        let budget = self.clone();
        Alarm::new(move || {
            budget.interrupt.is_raised() || budget.is_late() || resident().is_some_and(|bytes| bytes > most)
        })
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}
