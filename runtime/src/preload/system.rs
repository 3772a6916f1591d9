//! A system of several programs: the first process of the session is none of them, but makes what connects them, starts
//! them and waits for their ends, as the file says that the scheduler wrote (`scheduler/src/members.rs`).
//!
//! The descriptors of all members are counted before the first member is there, and what the first process has of them
//! counts for nothing: no opening or closing of its own is to come between what the members do.

use super::finish::{finish, say, unsupported};
use super::hooks::{End, call, execve, exit, fork, give, make, note_no_caller, wait_for};
use super::real::{environ, getenv, unsetenv};
use super::sys;
use core::ffi::{CStr, c_char, c_int};
use core::ptr::null;
use operations::region::Ending;

/// Names the file.
const SYSTEM: &CStr = c"UWBMC_SYSTEM";
/// How long the file can be, how many texts a process can have, how many processes there can be, and how many links.
const BYTES: usize = 1 << 16;
const TEXTS: usize = 256;
const PROCESSES: usize = 64;
const LINKS: usize = 64;

static mut FILE: [u8; BYTES] = [0; BYTES];

/// What connects members: for each side, a descriptor of the first process, and what it is an end of.
type Link = [(c_int, End); 2];

static mut LINKED: [Option<Link>; LINKS] = [None; LINKS];

/// Runs the system, if there is one to be run.
pub unsafe fn run() {
    let path = getenv(SYSTEM.as_ptr());
    if path.is_null() {
        return;
    }
    let file = sys::open(path.cast());
    let length = sys::read(file, (&raw mut FILE).cast(), BYTES).max(0) as usize;
    sys::close(file);
    unsetenv(SYSTEM.as_ptr());
    if length == BYTES {
        unsupported("a system whose commands and settings have more than 65536 bytes");
    }
    note_no_caller();
    let mut at = 0;
    let links = number(&mut at);
    if links > LINKS {
        unsupported("a system with more than 64 pipes and pairs of sockets");
    }
    for place in LINKED.iter_mut().take(links) {
        *place = Some(link(&mut at));
    }
    let mut processes = [0; PROCESSES];
    let count = number(&mut at).min(PROCESSES);
    for process in processes.iter_mut().take(count) {
        *process = start(&mut at);
    }
    let mut code = 0;
    for process in processes.into_iter().take(count) {
        let mut status = 0;
        wait_for(process, &raw mut status, 0);
        code = code.max(status >> 8 & 0xff);
    }
    exit(code)
}

/// Makes the link whose description begins at an index; moves the index behind it.
unsafe fn link(at: &mut usize) -> Link {
    let queues = number(at);
    let sizes = [number(at), number(at)];
    let names = [text(at), text(at)];
    let link = make(queues, sizes);
    call(link[0].1.to, CStr::from_ptr(names[0]).to_bytes());
    call(link[1].1.to, CStr::from_ptr(names[1]).to_bytes());
    link
}

/// Starts the process whose description begins at an index; moves the index behind it.
unsafe fn start(at: &mut usize) -> c_int {
    let directory = text(at);
    let arguments = texts(at);
    let settings = texts(at);
    let ports = number(at);
    let from = *at;
    (0..3 * ports).for_each(|_| *at = after(*at));
    let process = fork();
    if process == 0 {
        take(from, ports);
        sys::change_directory(directory.cast());
        execve(arguments[0], arguments.as_ptr(), with(&settings).as_ptr());
        say(&[CStr::from_ptr(arguments[0]).to_bytes(), b" cannot be executed"]);
        finish(Ending::Unsupported, 0);
    }
    process
}

/// The new process has these descriptors of links; the others close when it executes its program.
unsafe fn take(mut at: usize, ports: usize) {
    for _ in 0..ports {
        let (link, side, descriptor) = (number(&mut at), number(&mut at), number(&mut at));
        if let Some((real, end)) = LINKED.get(link).copied().flatten().map(|sides| sides[side % 2]) {
            give(descriptor as c_int, real, end);
        }
    }
}

/// Where the text after the one at an index begins.
unsafe fn after(mut at: usize) -> usize {
    while at < BYTES - 1 && FILE[at] != 0 {
        at += 1;
    }
    (at + 1).min(BYTES - 1)
}

/// A text that ends with a zero.
unsafe fn text(at: &mut usize) -> *const c_char {
    let start = (&raw const FILE).cast::<c_char>().add(*at);
    *at = after(*at);
    start
}

unsafe fn number(at: &mut usize) -> usize {
    let digits = CStr::from_ptr(text(at)).to_bytes();
    digits.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0'))
}

/// Texts, after how many there are: each of them can be empty.
unsafe fn texts(at: &mut usize) -> [*const c_char; TEXTS] {
    let count = number(at);
    if count >= TEXTS {
        unsupported("a process of a system with more than 255 arguments or settings");
    }
    let mut all = [null(); TEXTS];
    for place in all.iter_mut().take(count) {
        *place = text(at);
    }
    all
}

/// The environment with settings of a process before it.
unsafe fn with(settings: &[*const c_char; TEXTS]) -> [*const c_char; 2 * TEXTS] {
    let mut all = [null(); 2 * TEXTS];
    let mut count = 0;
    for setting in settings.iter().take_while(|setting| !setting.is_null()) {
        all[count] = *setting;
        count += 1;
    }
    let mut from = environ.cast::<*const c_char>();
    while !from.is_null() && !(*from).is_null() && count < all.len() - 1 {
        all[count] = *from;
        count += 1;
        from = from.add(1);
    }
    all
}
