//! Two transfers between two accounts, both of which lock the first account first.
//! found: nothing

use std::sync::Mutex;
use std::thread;

fn transfer(accounts: &[Mutex<i64>; 2], to_second: i64) {
    let mut first = accounts[0].lock().unwrap();
    let mut second = accounts[1].lock().unwrap();
    *first -= to_second;
    *second += to_second;
}

fn main() {
    let accounts = [Mutex::new(10), Mutex::new(10)];
    thread::scope(|scope| {
        scope.spawn(|| transfer(&accounts, 3));
        scope.spawn(|| transfer(&accounts, -5));
    });
    let sum: i64 = accounts.iter().map(|account| *account.lock().unwrap()).sum();
    assert_eq!(sum, 20);
}
