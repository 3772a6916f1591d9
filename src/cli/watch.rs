//! The observer of the command line: deadline, Ctrl-C, and the line that shows how far the work is.

use super::terminal::{Audience, Pace, ProgressLine};
use crate::hidden::visible;
use limits::resources::resident;
use limits::{Budget, Ended, Interrupt, Observer, Progress};
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Watches a run from its beginning to its end.
pub struct Watch {
    budget: Budget,
    interrupt: Interrupt,
    line: ProgressLine,
    /// Why the run has to end, once it has to.
    why: Option<Ended>,
}

impl Watch {
    /// Begins, with a limit on the time.
    pub fn start(timeout: Option<Duration>, audience: Audience) -> Watch {
        let interrupt = INTERRUPT.clone();
        let flag = interrupt.clone();
        let mut first: Option<Instant> = None;
        // A second handler in one process is refused; the first one then does the work. Who presses Ctrl-C again does
        // not want to wait for a clean end; some programs that start others send the signal twice at once.
        let _ = ctrlc::set_handler(move || {
            flag.raise();
            if first.get_or_insert_with(Instant::now).elapsed() > TWICE {
                std::process::exit(INTERRUPTED);
            }
        });
        let budget = Budget::new(timeout, interrupt.clone());
        Watch { budget, interrupt, line: ProgressLine::new(audience), why: None }
    }

    /// The limits of the run, for a net under it.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The same for work on another thread.
    pub fn again(&self) -> Watch {
        let (budget, interrupt) = (self.budget.clone(), self.interrupt.clone());
        Watch { budget, interrupt, line: self.line.again(), why: self.why }
    }

    /// How long it has been watching.
    pub fn elapsed(&self) -> Duration {
        self.budget.elapsed()
    }

    /// Takes the line off the terminal, so that something else can be printed.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

impl Observer for Watch {
    fn see(&mut self, now: &Progress) -> ControlFlow<()> {
        let elapsed = self.budget.elapsed().as_secs_f64();
        // What is measured elsewhere is told once and then takes long.
        let pace = if matches!(now, Progress::Measuring { .. }) { Pace::AtOnce } else { Pace::NowAndThen };
        self.line.update(pace, || {
            let memory = resident().map_or(String::new(), |bytes| format!(", {} MB", bytes / 1_000_000));
            format!("{}{memory}, {elapsed:.0} s", visible(&now.render(elapsed)))
        });
        self.why = self.budget.reason();
        if self.why.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn why(&self) -> Option<Ended> {
        self.why.or_else(|| self.budget.reason())
    }
}

/// Ctrl-C is meant for all that the process does.
static INTERRUPT: LazyLock<Interrupt> = LazyLock::new(Interrupt::default);

/// Signals that are further apart are two.
const TWICE: Duration = Duration::from_millis(300);

/// The exit code after a second Ctrl-C: nothing is decided.
const INTERRUPTED: i32 = 3;
