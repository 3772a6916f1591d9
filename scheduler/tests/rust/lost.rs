// A thread looks whether it has to wait, and then waits. The other one tells it in between, without the lock. What the standard library
// does for that is not visible.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};

static LOCK: Mutex<()> = Mutex::new(());
static CHANGED: Condvar = Condvar::new();
static IS_READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let waiting = std::thread::spawn(|| {
        let guard = LOCK.lock().unwrap();
        if !IS_READY.load(SeqCst) {
            drop(CHANGED.wait(guard));
        }
    });
    IS_READY.store(true, SeqCst);
    CHANGED.notify_one();
    waiting.join().unwrap();
}
