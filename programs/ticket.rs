//! Two threads that draw tickets, by a load and a store instead of an addition.
//! found: assertion

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

static NEXT: AtomicU64 = AtomicU64::new(0);

fn draw() -> u64 {
    let ticket = NEXT.load(Ordering::SeqCst);
    NEXT.store(ticket + 1, Ordering::SeqCst);
    ticket
}

fn main() {
    let (one, other) = (thread::spawn(draw), thread::spawn(draw));
    assert_ne!(one.join().unwrap(), other.join().unwrap());
}
