//! Two transfers between two accounts, each of which locks the account that it takes from first.
//! found: deadlock

use std::sync::Mutex;
use std::thread;

fn transfer(from: &Mutex<i64>, to: &Mutex<i64>, amount: i64) {
    let mut source = from.lock().unwrap();
    let mut target = to.lock().unwrap();
    *source -= amount;
    *target += amount;
}

fn main() {
    let (one, other) = (Mutex::new(10), Mutex::new(10));
    thread::scope(|scope| {
        scope.spawn(|| transfer(&one, &other, 3));
        scope.spawn(|| transfer(&other, &one, 5));
    });
    assert_eq!(*one.lock().unwrap() + *other.lock().unwrap(), 20);
}
