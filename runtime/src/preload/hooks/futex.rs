//! `syscall(SYS_futex, …)`, which the standard libraries of Rust and C++ wait by.

use super::{hook, identity, key, pipe};
use crate::preload::finish::unsupported;
use crate::preload::real::error;
use crate::preload::sys;
use crate::preload::turn::{pause, visible};
use operations::{Flags, Kind, Op};

hook! {
    syscall => syscall;
}

const FUTEX: i64 = 202;
const CLONE: i64 = 56;
const VFORK: i64 = 58;
const CLONE3: i64 = 435;
const READ: i64 = 0;
const WRITE: i64 = 1;
const CLOSE: i64 = 3;
const DUP: i64 = 32;
const DUP2: i64 = 33;
const DUP3: i64 = 292;
const READV: i64 = 19;
const WRITEV: i64 = 20;
const SENDFILE: i64 = 40;
const SENDTO: i64 = 44;
const RECVFROM: i64 = 45;
const SENDMSG: i64 = 46;
const RECVMSG: i64 = 47;
const SHUTDOWN: i64 = 48;
const FCNTL: i64 = 72;
const SPLICE: i64 = 275;
const TEE: i64 = 276;
const VMSPLICE: i64 = 278;
const RECVMMSG: i64 = 299;
const SENDMMSG: i64 = 307;
const PREADV2: i64 = 327;
const PWRITEV2: i64 = 328;
pub const GETTID: i64 = 186;
const EAGAIN: i32 = 11;
const ETIMEDOUT: i32 = 110;

/// The operations of a futex, without the bits for private words and for the clock.
const WAIT: u64 = 0;
const WAKE: u64 = 1;
const WAIT_BITSET: u64 = 9;
const WAKE_BITSET: u64 = 10;

/// The numbers of calls that do something to the descriptor that comes first.
const ON_FILES: [i64; 22] = [
    READ, WRITE, CLOSE, DUP, DUP2, DUP3, READV, WRITEV, SENDFILE, SENDTO, RECVFROM, SENDMSG, RECVMSG, SHUTDOWN, FCNTL,
    SPLICE, TEE, VMSPLICE, RECVMMSG, SENDMMSG, PREADV2, PWRITEV2,
];

/// Whether a call is about a pipe, which is its first descriptor or the second.
unsafe fn uses_pipe(number: i64, a: u64, b: u64, c: u64) -> bool {
    let second = match number {
        SENDFILE | TEE | DUP2 | DUP3 => b,
        SPLICE => c,
        _ => a,
    };
    pipe::end(a as i32).or(pipe::end(second as i32)).is_some()
}

unsafe extern "C" fn syscall(number: i64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> i64 {
    match (number, b & 0x7f) {
        (FUTEX, WAIT | WAIT_BITSET) => wait(a, c, d != 0),
        (FUTEX, WAKE | WAKE_BITSET) => wake(a, c),
        (CLONE..=VFORK | CLONE3, _) => unsupported("syscall(SYS_fork or SYS_clone): call fork or pthread_create"),
        (GETTID, _) => identity::number().into(),
        _ if ON_FILES.contains(&number) && uses_pipe(number, a, b, c) => {
            unsupported("syscall on a pipe: call read, write, close or dup2")
        }
        _ => {
            let result = sys::call(number as u64, [a, b, c, d, e, f]);
            if (-4095..0).contains(&result) { error(-result as i32).into() } else { result }
        }
    }
}

unsafe fn wait(address: u64, expected: u64, is_timed: bool) -> i64 {
    let flags = if is_timed { Flags::TIMED } else { Flags::default() };
    let wait = Op::on(Kind::FutexWait, key(address as *const u8)).valued(i64::from(expected as u32)).flagged(flags);
    let ticket = visible(wait);
    if ticket < 0 {
        pause(wait.key);
        return error(EAGAIN).into();
    }
    let result = visible(Op { kind: Kind::FutexLeave, ..wait }.valued(ticket));
    pause(wait.key);
    if result == 0 { 0 } else { error(ETIMEDOUT).into() }
}

unsafe fn wake(address: u64, how_many: u64) -> i64 {
    let how_many = i64::from(how_many as i32).max(0);
    let woken = visible(Op::on(Kind::FutexWake, key(address as *const u8)).valued(how_many));
    let (from, to) = operations::unpack_range(woken);
    i64::from(to - from)
}
