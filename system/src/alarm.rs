//! An alarm: whether long work is to go on.

use std::sync::Arc;

/// Asked now and then while states are computed, from any thread; work ends when it rings.
#[derive(Clone, Default)]
pub struct Alarm(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Alarm {
    /// One that rings when `rings` says so.
    pub fn new(rings: impl Fn() -> bool + Send + Sync + 'static) -> Alarm {
        Alarm(Some(Arc::new(rings)))
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
