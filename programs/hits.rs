//! Two threads count in a variable that nothing protects, and unsafe code lets them.
//! found: assertion

use std::thread;

static mut HITS: u32 = 0;

fn hit() {
    // SAFETY: there is none. Each thread can have read what the other is about to replace.
    unsafe { HITS += 1 };
}

fn main() {
    let other = thread::spawn(hit);
    hit();
    other.join().unwrap();
    // SAFETY: the other thread has ended.
    assert_eq!(unsafe { HITS }, 2);
}
