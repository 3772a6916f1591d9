//! Those who watch: what ends the work, and who is told how far it is.
//!
//! Diagrams are worked on by a thread with a deep stack, which notes how far it is. The thread that waits for it tells.

use diagrams::on_deep_stack;
use limits::{Handle, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use system::{Alarm, Machine};

/// How far the work is.
#[derive(Debug, Default)]
struct Meter {
    nodes: AtomicUsize,
    layers: AtomicUsize,
    decided: AtomicUsize,
}

/// What work on diagrams is given, on whatever thread it is.
#[derive(Clone, Debug, Default)]
pub struct Lookout {
    alarm: Alarm,
    meter: Arc<Meter>,
}

impl Lookout {
    /// What the diagrams ask, now that there are this many nodes: whether to end.
    pub fn rings(&self, nodes: usize) -> bool {
        self.meter.nodes.store(nodes, Ordering::Relaxed);
        self.alarm.rings()
    }

    /// One more layer of a search, or step of a fixpoint.
    pub fn layer(&self) {
        self.meter.layers.fetch_add(1, Ordering::Relaxed);
    }

    /// A search begins.
    pub fn begin(&self) {
        self.meter.layers.store(0, Ordering::Relaxed);
    }

    /// This many properties are decided.
    pub fn decided(&self, count: usize) {
        self.meter.decided.store(count, Ordering::Relaxed);
    }

    fn read(&self, all: usize) -> Progress {
        let of = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        let Meter { nodes, layers, decided } = &*self.meter;
        Progress::Diagrams { decided: of(decided), all, layers: of(layers), nodes: of(nodes) }
    }
}

/// Who watches.
pub struct Watch<'w, 'h> {
    handle: &'w mut Handle<'h>,
    lookout: Lookout,
}

impl<'w, 'h> Watch<'w, 'h> {
    /// Those behind a handle.
    pub fn new(handle: &'w mut Handle<'h>) -> Watch<'w, 'h> {
        let lookout = Lookout { alarm: handle.alarm(), meter: Arc::default() };
        Watch { handle, lookout }
    }

    /// Whether to end.
    pub fn rings(&self) -> bool {
        self.lookout.alarm.rings()
    }

    /// Works on diagrams of a machine to decide this many properties, telling how far that is. `None` if there is no memory for
    /// a stack.
    pub fn work<T: Send>(
        &mut self,
        machine: &Machine,
        properties: usize,
        work: impl FnOnce(&Lookout) -> T + Send,
    ) -> Option<T> {
        let bits = machine.system().state_bits() as usize + machine.system().variables.len();
        let lookout = self.lookout.clone();
        let tell = || {
            // That it has to end is what the alarm says.
            let _ = self.handle.see(self.lookout.read(properties));
        };
        on_deep_stack(bits, || work(&lookout), tell)
    }
}
