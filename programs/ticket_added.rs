//! Two threads that draw tickets by an addition.
//! found: nothing

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

static NEXT: AtomicU64 = AtomicU64::new(0);

fn draw() -> u64 {
    NEXT.fetch_add(1, Ordering::SeqCst)
}

fn main() {
    let (one, other) = (thread::spawn(draw), thread::spawn(draw));
    assert_ne!(one.join().unwrap(), other.join().unwrap());
}
