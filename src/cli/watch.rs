//! The observer of the command line: deadline, Ctrl-C, memory, and the line that shows how far the work is.

use super::resources::resident;
use super::terminal::{Audience, Pace, ProgressLine};
use crate::observer::{Observer, Progress};
use crate::visible::visible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use system::Alarm;

/// Watches a run from its beginning to its end.
pub struct Watch {
    start: Instant,
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    /// The most bytes that the process may take, if that is watched.
    memory: Option<u64>,
    line: ProgressLine,
    /// Why the run has to end, once it has to.
    why: Option<&'static str>,
}

impl Watch {
    /// Begins, with a limit in seconds.
    pub fn start(timeout: Option<f64>, audience: Audience) -> Watch {
        let start = Instant::now();
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        let mut first: Option<Instant> = None;
        // A second handler in one process is refused; the first one then does the work. Who presses Ctrl-C again does
        // not want to wait for a clean end; some programs that start others send the signal twice at once.
        let _ = ctrlc::set_handler(move || {
            flag.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > TWICE {
                std::process::exit(INTERRUPTED);
            }
        });
        let deadline = timeout.map(|seconds| start + Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
        Watch { start, deadline, interrupted, memory: None, line: ProgressLine::new(audience), why: None }
    }

    /// From now on the run also has to end when the process takes more than this; where nobody knows, it goes on.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.memory = Some(bytes);
    }

    /// What tells other threads, and work that cannot report how far it is, that the run has to end: also when the process
    /// takes far more than these bytes for states.
    pub fn alarm(&self, memory: usize) -> Alarm {
        /// What the process takes besides states.
        const BASE: u64 = 200_000_000;
        let most = (memory as u64).saturating_add(memory as u64 / 4).saturating_add(BASE);
        let (deadline, interrupted) = (self.deadline, Arc::clone(&self.interrupted));
        Alarm::new(move || {
            interrupted.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() > deadline)
                || resident().is_some_and(|bytes| bytes > most)
        })
    }

    /// How long it has been watching.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Why the work had to end, if it had to.
    pub fn why(&self) -> Option<&'static str> {
        self.why.or_else(|| self.reason())
    }

    fn reason(&self) -> Option<&'static str> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some("interrupted")
        } else if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            Some("out of time")
        } else if self.memory.is_some_and(|most| resident().is_some_and(|bytes| bytes > most)) {
            Some("out of memory")
        } else {
            None
        }
    }

    /// Takes the line off the terminal, so that something else can be printed.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

impl Observer for Watch {
    fn see(&mut self, now: &Progress<'_>) -> ControlFlow<()> {
        let elapsed = self.start.elapsed().as_secs_f64();
        // What is measured elsewhere is told once and then takes long.
        let pace = if matches!(now, Progress::Measuring { .. }) { Pace::AtOnce } else { Pace::NowAndThen };
        self.line.update(pace, || {
            let memory = resident().map_or(String::new(), |bytes| format!(", {} MB", bytes / 1_000_000));
            format!("{}{memory}, {elapsed:.0} s", visible(&now.render(elapsed)))
        });
        self.why = self.reason();
        if self.why.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Signals that are further apart are two.
const TWICE: Duration = Duration::from_millis(300);

/// The exit code after a second Ctrl-C: nothing is decided.
const INTERRUPTED: i32 = 3;
