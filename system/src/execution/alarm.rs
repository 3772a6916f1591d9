//! An alarm: whether long work is to go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Asked now and then while states are computed, from any thread; work ends when it rings.
#[derive(Clone, Default)]
pub struct Alarm(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Alarm {
    /// One that rings when `rings` says so.
    pub fn new(rings: impl Fn() -> bool + Send + Sync + 'static) -> Alarm {
        Alarm(Some(Arc::new(rings)))
    }

    /// The same, but it also rings once it has been asked so often: how much work that is does not depend on a clock.
    pub fn or_after(self, times: u32) -> Alarm {
        let asked = AtomicU32::new(0);
        Alarm::new(move || asked.fetch_add(1, Ordering::Relaxed) >= times || self.rings())
    }

    /// Whether it rings. One that was never set does not.
    pub fn rings(&self) -> bool {
        self.0.as_ref().is_some_and(|rings| rings())
    }
}

impl std::fmt::Debug for Alarm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Alarm")
    }
}
