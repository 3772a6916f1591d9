//! The net under a run: work that does not hear that it has to end is left alone, and the run ends without it.
//!
//! Engines and readers of models ask now and then whether they may go on. Some work cannot ask, such as compiling a large
//! model. So the work is done on a thread of its own, and the thread that started it watches the limits.

use crate::budget::{Budget, Ended};
use crate::resources::resident;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How often the limits are looked at.
const POLL: Duration = Duration::from_millis(20);

/// How long work that asks has to end by itself, once it has to.
const GRACE: Duration = Duration::from_millis(400);

/// The stack of the work. It costs nothing where it is not used.
const STACK: usize = 64 << 20;

/// What the work may take.
pub struct Limits {
    /// Time, and the patience of the user.
    pub budget: Budget,
    /// The bytes of memory that it has to get along with. Work that asks ends where it has taken as much; some more is
    /// given to what it does then.
    pub memory: u64,
}

impl Limits {
    /// Where work that asks would have ended.
    fn most(&self) -> u64 {
        let memory = Budget::memory_of_process(self.memory);
        memory.saturating_add(memory / 20)
    }
}

/// What the work holds on to.
#[derive(Clone, Default)]
pub struct Net(Arc<AtomicBool>);

impl Net {
    /// From now on the work is waited for, however late it is: it has its answer, and only has to say it.
    pub fn leave(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does some work. If it does not end when it has to, the reason for which it has to; then the work goes on until its own
/// end, or that of the process, and what comes of it is lost.
pub fn under<T: Send + 'static>(limits: &Limits, work: impl FnOnce(&Net) -> T + Send + 'static) -> Result<T, Ended> {
    let net = Net::default();
    let (held, (sender, receiver)) = (net.clone(), channel());
    let thread = Builder::new().name("work".to_owned()).stack_size(STACK);
    let started = thread.spawn(move || {
        // Work that was left alone has no listener.
        let _ = sender.send(work(&held));
    });
    match started {
        Ok(thread) => wait(limits, &net, thread, &receiver),
        Err(_) => Err(Ended::Memory),
    }
}

fn wait<T>(limits: &Limits, net: &Net, thread: JoinHandle<()>, done: &Receiver<T>) -> Result<T, Ended> {
    let mut late: Option<Instant> = None;
    loop {
        match done.recv_timeout(POLL) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(Ended::Interrupted),
            },
        }
        if net.0.load(Ordering::Relaxed) {
            continue;
        }
        if resident().is_some_and(|bytes| bytes > limits.most()) {
            return Err(Ended::Memory);
        }
        if let Some(why) = limits.budget.reason()
            && late.get_or_insert_with(Instant::now).elapsed() > GRACE
        {
            return Err(why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Interrupt;

    fn limits(timeout: Option<Duration>, memory: u64) -> Limits {
        Limits { budget: Budget::new(timeout, Interrupt::default()), memory }
    }

    #[test]
    fn work_that_never_ends_is_left_alone() {
        let forever = |_: &Net| loop {
            std::thread::park();
        };
        assert_eq!(under(&limits(Some(Duration::ZERO), u64::MAX), forever), Err::<(), _>(Ended::Time));
        let interrupt = Interrupt::default();
        interrupt.raise();
        let limits = Limits { budget: Budget::new(None, interrupt), memory: u64::MAX };
        assert_eq!(under(&limits, forever), Err::<(), _>(Ended::Interrupted));
    }

    #[test]
    fn work_that_has_its_answer_is_waited_for() {
        let slow = |net: &Net| {
            net.leave();
            std::thread::sleep(GRACE * 2);
            7
        };
        assert_eq!(under(&limits(Some(Duration::ZERO), u64::MAX), slow), Ok(7));
    }

    #[test]
    fn work_that_takes_too_much_memory_is_left_alone() {
        /// Far more than the tests beside this one take.
        const MUCH: usize = 600_000_000;
        if resident().is_none() {
            println!("skipped: the system does not tell how much memory a process takes");
            return;
        }
        let greedy = |_: &Net| {
            let taken = vec![1_u8; MUCH];
            std::thread::sleep(POLL * 20);
            taken.len()
        };
        assert_eq!(under(&limits(None, 1), greedy), Err(Ended::Memory));
    }

    #[test]
    #[should_panic(expected = "as it does")]
    fn a_panic_is_passed_on() {
        let _ = under(&limits(None, u64::MAX), |_| panic!("as it does"));
    }
}
