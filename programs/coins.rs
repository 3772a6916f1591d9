//! Two threads that toss a coin each, and add what they see: 2 is possible.
//! found: assertion

use std::sync::Mutex;
use std::thread;
use uwbmc_visible::{ensure, toss};

fn main() {
    let sum = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| *sum.lock().unwrap() += toss(1));
        }
    });
    ensure(*sum.lock().unwrap() < 2);
}
