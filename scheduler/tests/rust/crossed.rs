//! Two locks of the standard library that two threads take in different orders, and give back in the same order.

use std::sync::Mutex;
use std::thread;

static LEFT: Mutex<()> = Mutex::new(());
static RIGHT: Mutex<()> = Mutex::new(());

fn main() {
    let one = thread::spawn(|| {
        let left = LEFT.lock().unwrap();
        let right = RIGHT.lock().unwrap();
        drop(right);
        drop(left);
    });
    let other = thread::spawn(|| {
        let right = RIGHT.lock().unwrap();
        let left = LEFT.lock().unwrap();
        drop(right);
        drop(left);
    });
    one.join().unwrap();
    other.join().unwrap();
}
