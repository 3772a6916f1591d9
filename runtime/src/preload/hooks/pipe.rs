//! Pipes and pairs of sockets. The bytes go through real ones; who may read and write is decided by counting them.

use super::names::private;
use super::ranges::is_ours;
use super::{hook, streams, thread};
use crate::preload::attach::{is_running, serve};
use crate::preload::finish::unsupported;
use crate::preload::real::{Function, error};
use crate::preload::shared::set;
use crate::preload::sys;
use crate::preload::turn::visible;
use core::ffi::{CStr, c_int};
use operations::region::output;
use operations::{Flags, Key, Kind, Op, pack_range, unpack_range};

hook! {
    pipe => pipe;
    pipe2 => pipe2;
    socketpair => socketpair;
    read => read;
    write => write;
    close => close;
    dup => dup;
    dup2 => dup2;
    dup3 => dup3;
    fcntl => fcntl;
    fcntl64 => fcntl;
    send => send;
    recv => receive;
    __read_chk => read;
    __recv_chk => receive_checked;
}

/// As many descriptors of a process are looked at.
pub const MOST: usize = 256;
/// How many bytes a pipe holds, and how many are written at once.
pub const ROOM: u32 = 65_536;
const AT_ONCE: usize = 4096;
const EBADF: c_int = 9;
const EAGAIN: c_int = 11;
const EINVAL: c_int = 22;
const EPIPE: c_int = 32;
const NO_WAIT: c_int = 0o4000;

/// What a descriptor reads from and writes to; 0 if it does not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct End {
    pub from: c_int,
    pub to: c_int,
    pub flags: Flags,
}

static mut ENDS: [Option<End>; MOST] = [None; MOST];

pub fn key(id: c_int) -> Key {
    Key { process: 0, address: id as u64 }
}

/// What a descriptor is an end of.
pub unsafe fn end(file: c_int) -> Option<End> {
    usize::try_from(file).ok().and_then(|index| *ENDS.get(index)?)
}

/// Another descriptor for an end, or one fewer.
pub unsafe fn count(end: End, by: i32) {
    let change = |id, readers: i32, writers: i32| {
        if id != 0 {
            visible(Op::on(Kind::QueueEnds, key(id)).valued(pack_range(readers as u32, writers as u32)));
        }
    };
    change(end.from, by, 0);
    change(end.to, 0, by);
}

unsafe fn set_end(file: c_int, end: End) {
    let Some(place) = usize::try_from(file).ok().filter(|index| *index < MOST) else {
        unsupported("more than 256 open files")
    };
    ENDS[place] = Some(end);
    count(end, 1);
    streams::stand_in(file);
}

/// A descriptor is closed. Another thread of the process may be about to use it, and that order is not explored: to the search, closing one end of
/// a pipe of several does not concern who uses another one.
pub unsafe fn forget(file: c_int) {
    if let Some(end) = end(file) {
        if thread::has_concurrent() {
            set(output::UNCLEAR, 1);
        }
        ENDS[file as usize] = None;
        count(end, -1);
    }
}

/// A descriptor is an end that is counted already.
pub unsafe fn own(file: c_int, end: End) {
    if let Some(place) = usize::try_from(file).ok().and_then(|index| ENDS.get_mut(index)) {
        *place = Some(end);
    }
}

/// Two descriptors that are connected, the second of which reads what the first one writes, and perhaps the other way round. They are
/// not counted yet.
pub unsafe fn connect(is_both_ways: bool) -> ([c_int; 2], [End; 2]) {
    const PIPE2: u64 = 293;
    const SOCKETPAIR: u64 = 53;
    let (there, back) = (private(), if is_both_ways { private() } else { 0 });
    let mut files = [0 as c_int; 2];
    let made = if is_both_ways {
        sys::call(SOCKETPAIR, [1, 1, 0, files.as_mut_ptr() as u64, 0, 0])
    } else {
        sys::call(PIPE2, [files.as_mut_ptr() as u64, 0, 0, 0, 0, 0])
    };
    if made < 0 {
        unsupported("a system whose pipes need more open files than `ulimit -n` allows");
    }
    if !is_both_ways {
        files.swap(0, 1);
    }
    let flags = Flags::ENDS;
    (files, [End { from: back, to: there, flags }, End { from: there, to: back, flags }])
}

/// The processes that this one creates have what it has: counted before they are there.
pub unsafe fn double() {
    for end in (0..MOST).filter_map(|index| ENDS[index]) {
        count(end, 1);
    }
}

/// This process ends.
pub unsafe fn close_all() {
    for end in (0..MOST).filter_map(|index| ENDS[index].take()) {
        count(end, -1);
    }
}

/// What a system call gave, as the C library tells it.
pub unsafe fn result(value: i64) -> c_int {
    if value < 0 { error(-value as c_int) } else { value as c_int }
}

unsafe extern "C" fn pipe(files: *mut c_int) -> c_int {
    pipe2(files, 0)
}

unsafe extern "C" fn pipe2(files: *mut c_int, options: c_int) -> c_int {
    const PIPE2: u64 = 293;
    if !is_running() {
        serve();
    }
    let made = sys::call(PIPE2, [files as u64, options as u64, 0, 0, 0, 0]);
    if made == 0 {
        let (id, flags) = (private(), flags(options));
        set_end(*files, End { from: id, to: 0, flags });
        set_end(*files.add(1), End { from: 0, to: id, flags });
    }
    result(made)
}

fn flags(options: c_int) -> Flags {
    if options & NO_WAIT != 0 { Flags::ENDS.with(Flags::NO_WAIT) } else { Flags::ENDS }
}

unsafe extern "C" fn socketpair(domain: c_int, kind: c_int, protocol: c_int, files: *mut c_int) -> c_int {
    const SOCKETPAIR: u64 = 53;
    const STREAM: c_int = 1;
    if kind & 0xf != STREAM {
        unsupported("socketpair of another type than SOCK_STREAM");
    }
    if !is_running() {
        serve();
    }
    let made = sys::call(SOCKETPAIR, [domain as u64, kind as u64, protocol as u64, files as u64, 0, 0]);
    if made == 0 {
        let (there, back, flags) = (private(), private(), flags(kind));
        set_end(*files, End { from: back, to: there, flags });
        set_end(*files.add(1), End { from: there, to: back, flags });
    }
    result(made)
}

pub unsafe extern "C" fn read(file: c_int, bytes: *mut u8, length: usize) -> isize {
    let Some(end) = end(file).filter(|end| end.from != 0) else {
        return result(sys::read(file, bytes, length)) as isize;
    };
    let most = length.min(ROOM as usize) as u32;
    let got = visible(Op::on(Kind::QueueGet, key(end.from)).valued(pack_range(most, 0)).flagged(end.flags));
    if got < 0 {
        return error(EAGAIN) as isize;
    }
    let (from, to) = unpack_range(got);
    if from == to { 0 } else { result(sys::read(file, bytes, (to - from) as usize)) as isize }
}

pub unsafe extern "C" fn write(file: c_int, bytes: *const u8, length: usize) -> isize {
    let Some(end) = end(file).filter(|end| end.to != 0) else {
        return result(sys::write(file, bytes, length)) as isize;
    };
    let mut done = 0;
    while done < length {
        let some = (length - done).min(AT_ONCE);
        let put = Op::on(Kind::QueuePut, key(end.to)).valued(pack_range(some as u32, ROOM)).flagged(end.flags);
        match visible(put) {
            -1 => return broken() as isize,
            -2 if done == 0 => return error(EAGAIN) as isize,
            -2 => break,
            _ => sys::write(file, bytes.add(done), some),
        };
        done += some;
    }
    done as isize
}

/// Nothing reads what this process writes: a signal says so, which ends most programs.
unsafe fn broken() -> c_int {
    const SIGPIPE: u64 = 13;
    sys::signal_this_thread(SIGPIPE);
    error(EPIPE)
}

pub unsafe extern "C" fn close(file: c_int) -> c_int {
    const CLOSE: u64 = 3;
    if is_ours(file) {
        return error(EBADF);
    }
    forget(file);
    result(sys::call(CLOSE, [file as u64, 0, 0, 0, 0, 0]))
}

unsafe extern "C" fn dup(file: c_int) -> c_int {
    const DUP: u64 = 32;
    let copy = result(sys::call(DUP, [file as u64, 0, 0, 0, 0, 0]));
    copied(file, copy)
}

pub unsafe extern "C" fn dup2(file: c_int, copy: c_int) -> c_int {
    if file == copy {
        return if flags_of(file) < 0 { error(EBADF) } else { copy };
    }
    put_in_place(file, copy, 0)
}

unsafe extern "C" fn dup3(file: c_int, copy: c_int, options: c_int) -> c_int {
    if file == copy { error(EINVAL) } else { put_in_place(file, copy, options) }
}

/// A copy of a descriptor in the place of another one, which is closed if there is something to copy.
unsafe fn put_in_place(file: c_int, copy: c_int, options: c_int) -> c_int {
    const DUP3: u64 = 292;
    if flags_of(file) < 0 || is_ours(copy) {
        return error(EBADF);
    }
    forget(copy);
    let copy = result(sys::call(DUP3, [file as u64, copy as u64, options as u64, 0, 0, 0]));
    copied(file, copy)
}

/// The flags of a descriptor; negative if there is none.
unsafe fn flags_of(file: c_int) -> i64 {
    const FCNTL: u64 = 72;
    const GET_FLAGS: u64 = 1;
    sys::call(FCNTL, [file as u64, GET_FLAGS, 0, 0, 0, 0])
}

unsafe fn copied(file: c_int, copy: c_int) -> c_int {
    if let Some(end) = end(file).filter(|_| copy >= 0) {
        set_end(copy, end);
    }
    copy
}

unsafe extern "C" fn fcntl(file: c_int, command: c_int, argument: u64) -> c_int {
    const FCNTL: u64 = 72;
    const SET_FLAGS: c_int = 4;
    const DUPLICATE: [c_int; 2] = [0, 1030];
    const LOCKS: [c_int; 4] = [6, 7, 37, 38];
    if LOCKS.contains(&command) {
        unsupported("fcntl that locks a file: lock a mutex, or a semaphore of sem_open");
    }
    let answer = result(sys::call(FCNTL, [file as u64, command as u64, argument, 0, 0, 0]));
    if DUPLICATE.contains(&command) {
        return copied(file, answer);
    }
    if let Some(End { from, to, .. }) = end(file).filter(|_| command == SET_FLAGS) {
        // Copies of a descriptor have one set of flags.
        let copies = ENDS.iter_mut().flatten().filter(|other| (other.from, other.to) == (from, to));
        copies.for_each(|copy| copy.flags = flags(argument as c_int));
    }
    answer
}

unsafe extern "C" fn send(file: c_int, bytes: *const u8, length: usize, options: c_int) -> isize {
    const SENDTO: u64 = 44;
    match end(file) {
        Some(_) if options != 0 => unsupported("send with flags"),
        Some(_) => write(file, bytes, length),
        None => result(sys::call(SENDTO, [file as u64, bytes as u64, length as u64, options as u64, 0, 0])) as isize,
    }
}

unsafe extern "C" fn receive(file: c_int, bytes: *mut u8, length: usize, options: c_int) -> isize {
    const RECVFROM: u64 = 45;
    match end(file) {
        Some(_) if options != 0 => unsupported("recv with flags"),
        Some(_) => read(file, bytes, length),
        None => result(sys::call(RECVFROM, [file as u64, bytes as u64, length as u64, options as u64, 0, 0])) as isize,
    }
}

unsafe extern "C" fn receive_checked(file: c_int, bytes: *mut u8, length: usize, _: usize, options: c_int) -> isize {
    receive(file, bytes, length, options)
}

/// Functions that would move bytes without their being counted: refused on pipes, as they are on others.
macro_rules! uncounted {
    ($($name:ident: $($kind:ident)*;)*) => {$(
        const _: () = {
            unsafe extern "C" fn ours(file: c_int, $($kind: u64),*) -> u64 {
                if end(file).is_some() {
                    unsupported(concat!(stringify!($name), " on a pipe"));
                }
                static NAME: &CStr =
                    match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                        Ok(name) => name,
                        Err(_) => c"",
                    };
                static FUNCTION: Function = Function::new(NAME);
                let function: unsafe extern "C" fn(c_int, $(uncounted!(@word $kind)),*) -> u64 =
                    core::mem::transmute(FUNCTION.address());
                function(file, $($kind),*)
            }
            hook! { $name => ours; }
        };
    )*};
    (@word $kind:ident) => { u64 };
}

uncounted! {
    readv: parts count;
    writev: parts count;
    sendto: bytes length flags address size;
    recvfrom: bytes length flags address size;
    sendmsg: message flags;
    recvmsg: message flags;
    shutdown: how;
}

/// The same of functions that move bytes between two descriptors, with the place of the second one among their arguments.
macro_rules! uncounted_between {
    ($($name:ident: $second:literal;)*) => {$(
        const _: () = {
            unsafe extern "C" fn ours(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> u64 {
                let second = [a, b, c, d, e, f][$second];
                if end(a as c_int).or(end(second as c_int)).is_some() {
                    unsupported(concat!(stringify!($name), " on a pipe: call read and write"));
                }
                static NAME: &CStr =
                    match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                        Ok(name) => name,
                        Err(_) => c"",
                    };
                static FUNCTION: Function = Function::new(NAME);
                let function: unsafe extern "C" fn(u64, u64, u64, u64, u64, u64) -> u64 =
                    core::mem::transmute(FUNCTION.address());
                function(a, b, c, d, e, f)
            }
            hook! { $name => ours; }
        };
    )*};
}

uncounted_between! {
    splice: 2;
    tee: 1;
    sendfile: 1;
    sendfile64: 1;
    vmsplice: 0;
    ioctl: 0;
    sendmmsg: 0;
    recvmmsg: 0;
    preadv2: 0;
    pwritev2: 0;
    __recvfrom_chk: 0;
}
