//! System calls, without the functions of libc, some of which are hooked.

use core::arch::asm;

/// A system call of Linux on x86-64.
///
/// # Safety
/// As with the call itself.
pub unsafe fn call(number: u64, a: [u64; 6]) -> i64 {
    let result: i64;
    asm!("syscall", inlateout("rax") number as i64 => result, in("rdi") a[0], in("rsi") a[1], in("rdx") a[2],
        in("r10") a[3], in("r8") a[4], in("r9") a[5], lateout("rcx") _, lateout("r11") _, options(nostack));
    result
}

macro_rules! arguments {
    ($($value:expr),*) => {{
        let mut all = [0_u64; 6];
        let given = [$($value as u64),*];
        all[..given.len()].copy_from_slice(&given);
        all
    }};
}

const READ: u64 = 0;
const WRITE: u64 = 1;
const OPEN: u64 = 2;
const CLOSE: u64 = 3;
const LSEEK: u64 = 8;
const MMAP: u64 = 9;
const DUP2: u64 = 33;
const GETPID: u64 = 39;
const SOCKET: u64 = 41;
const CONNECT: u64 = 42;
const EXECVE: u64 = 59;
const WAIT4: u64 = 61;
const KILL: u64 = 62;
const FTRUNCATE: u64 = 77;
const SETPGID: u64 = 109;
const CHDIR: u64 = 80;
const PERSONALITY: u64 = 135;
const PRCTL: u64 = 157;
const GETTID: u64 = 186;
const ARCH_PRCTL: u64 = 158;
const FUTEX: u64 = 202;
const EXIT_GROUP: u64 = 231;
const WAITID: u64 = 247;

pub unsafe fn read(fd: i32, bytes: *mut u8, length: usize) -> i64 {
    call(READ, arguments!(fd, bytes, length))
}

pub unsafe fn write(fd: i32, bytes: *const u8, length: usize) -> i64 {
    call(WRITE, arguments!(fd, bytes, length))
}

/// Opens a file for reading and writing; not for programs that are executed.
pub unsafe fn open(path: *const u8) -> i32 {
    call(OPEN, arguments!(path, 0o2_000_002)) as i32
}

pub unsafe fn close(fd: i32) {
    call(CLOSE, arguments!(fd));
}

/// Makes another number for a file, which programs that are executed have too.
pub unsafe fn duplicate(fd: i32, number: i32) {
    call(DUP2, arguments!(fd, number));
}

pub unsafe fn change_directory(path: *const u8) {
    call(CHDIR, arguments!(path));
}

/// How long the file behind a descriptor is.
pub unsafe fn length(fd: i32) -> u64 {
    call(LSEEK, arguments!(fd, 0, 2)).max(0) as u64
}

/// Empties the file behind a descriptor.
pub unsafe fn empty(fd: i32) {
    call(FTRUNCATE, arguments!(fd, 0));
}

/// What is printed from now on is lost.
pub unsafe fn print_nowhere() {
    let nowhere = open(c"/dev/null".as_ptr().cast());
    call(DUP2, arguments!(nowhere, 1));
    call(DUP2, arguments!(nowhere, 2));
    close(nowhere);
}

/// Maps a file into memory that is shared with others.
pub unsafe fn map_shared(fd: i32, bytes: usize) -> *mut u64 {
    let address = call(MMAP, arguments!(0, bytes, 3, 1, fd, 0));
    if address < 0 { core::ptr::null_mut() } else { address as *mut u64 }
}

/// Maps the file of the program into memory, to be read; none where that is not possible.
pub unsafe fn map_program() -> Option<&'static [u8]> {
    const READING: u64 = 1;
    const PRIVATE: u64 = 2;
    let file = call(OPEN, arguments!(c"/proc/self/exe".as_ptr(), 0o2_000_000));
    if file < 0 {
        return None;
    }
    let bytes = length(file as i32);
    let address = call(MMAP, arguments!(0, bytes, READING, PRIVATE, file, 0));
    close(file as i32);
    (address > 0).then(|| core::slice::from_raw_parts(address as *const u8, bytes as usize))
}

pub unsafe fn unmap(bytes: &[u8]) {
    const MUNMAP: u64 = 11;
    call(MUNMAP, arguments!(bytes.as_ptr(), bytes.len()));
}

/// Connects to a socket in the file system, whose address is a `sockaddr_un`.
pub unsafe fn connect(address: *const u8, length: usize) -> i32 {
    let fd = call(SOCKET, arguments!(1, 0o2_000_001, 0)) as i32;
    if call(CONNECT, arguments!(fd, address, length)) < 0 { -1 } else { fd }
}

/// Waits for the end of a child (-1: of any); what it returned, and how it ended.
pub unsafe fn wait(pid: i64) -> (i64, i32) {
    let mut status = 0_i32;
    let ended = call(WAIT4, arguments!(pid, &raw mut status, 0x4000_0000_u64, 0));
    (ended, status)
}

/// The signal that killed a child of this process, if there is such a child; the child stays to be waited for.
pub unsafe fn signal_of_killed_child() -> Option<i32> {
    const ANY: u64 = 0;
    const KILLED: i32 = 2;
    const DUMPED: i32 = 3;
    // The words of a `siginfo_t`: signal, error, code, padding, pid, user, status.
    let mut about = [0_i32; 32];
    let ended_and_stays = 4 | 1 | 0x0100_0000_u64;
    call(WAITID, arguments!(ANY, 0, about.as_mut_ptr(), ended_and_stays, 0));
    matches!(about[2], KILLED | DUMPED).then_some(about[6])
}

/// Whether this process has children, or has waited for some.
pub unsafe fn has_had_children() -> bool {
    const ANY: u64 = 0;
    const LOOK_AND_LEAVE: u64 = 4 | 1 | 0x4100_0000;
    const GETRUSAGE: u64 = 98;
    const OF_CHILDREN: i64 = -1;
    // The ninth word of a `struct rusage` counts pages.
    let mut used = [0_u64; 18];
    call(GETRUSAGE, arguments!(OF_CHILDREN, used.as_mut_ptr()));
    used[8] != 0 || call(WAITID, arguments!(ANY, 0, 0, LOOK_AND_LEAVE, 0)) == 0
}

/// How many threads this process has: its folder of threads has as many links, and two.
pub unsafe fn count_of_threads() -> u64 {
    const STAT: u64 = 4;
    // The third word of a `struct stat` is the number of links.
    let mut about = [0_u64; 18];
    call(STAT, arguments!(c"/proc/self/task".as_ptr(), about.as_mut_ptr()));
    about[2].saturating_sub(2)
}

/// How much processor time all threads of this process have had, in nanoseconds, those included that have ended.
pub unsafe fn time_of_process() -> u64 {
    const PROCESS: u64 = 2;
    time(PROCESS)
}

/// How much processor time this thread has had.
pub unsafe fn time_of_thread() -> u64 {
    const THREAD: u64 = 3;
    time(THREAD)
}

unsafe fn time(clock: u64) -> u64 {
    const CLOCK_GETTIME: u64 = 228;
    let mut now = [0_u64; 2];
    call(CLOCK_GETTIME, arguments!(clock, now.as_mut_ptr()));
    now[0] * 1_000_000_000 + now[1]
}

pub unsafe fn kill_group(pid: i64) {
    call(KILL, arguments!(-pid, 9));
}

/// Kills this process and those of its group.
pub fn kill_own_group() {
    // SAFETY: the call takes no pointers.
    unsafe { call(KILL, arguments!(0, 9)) };
}

pub unsafe fn set_group(pid: i64) {
    call(SETPGID, arguments!(pid, pid));
}

/// Programs that this process executes are no longer placed at random addresses; whether that is new.
pub unsafe fn stop_randomising() -> bool {
    const QUERY: u64 = 0xffff_ffff;
    const FIXED: i64 = 0x0004_0000;
    let now = call(PERSONALITY, arguments!(QUERY));
    now >= 0 && now & FIXED == 0 && {
        call(PERSONALITY, arguments!(now | FIXED));
        call(PERSONALITY, arguments!(QUERY)) & FIXED != 0
    }
}

/// Executes another program in this process; returns if that is not possible.
pub unsafe fn execute(path: *const u8, arguments: *const *const u8, environment: *const *const u8) {
    call(EXECVE, arguments!(path, arguments, environment));
}

/// The numbers of this process and of this thread.
pub unsafe fn identity() -> (u64, u64) {
    (call(GETPID, arguments!(0)) as u64, call(GETTID, arguments!(0)) as u64)
}

/// Stops this process until it is told to go on, and lets any process of the user debug it.
pub unsafe fn stop() {
    const SET_TRACER: u64 = 0x5961_6d61;
    const STOP: u64 = 19;
    call(PRCTL, arguments!(SET_TRACER, u64::MAX));
    // A signal to the whole process may be taken by another thread, and this one goes on until then.
    signal_this_thread(STOP);
}

/// Sends a signal to this thread.
pub unsafe fn signal_this_thread(signal: u64) {
    const TGKILL: u64 = 234;
    let (process, thread) = identity();
    call(TGKILL, arguments!(process, thread, signal));
}

/// Limits what this process may use of something.
pub unsafe fn limit(what: u64, most: u64) {
    const PRLIMIT: u64 = 302;
    let limits = [most, most];
    call(PRLIMIT, arguments!(0, what, limits.as_ptr(), 0));
}

/// Has the system look at the calls of this process and of those that it creates, by a filter of at most 255 instructions.
pub unsafe fn filter_calls(filter: &[(u16, u8, u8, u32)]) {
    const SET_NO_NEW_PRIVILEGES: u64 = 38;
    const SET_SECCOMP: u64 = 22;
    const FILTER: u64 = 2;
    let mut packed = [0_u64; 255];
    for (word, (what, then, otherwise, with)) in packed.iter_mut().zip(filter) {
        *word = u64::from(*what) | u64::from(*then) << 16 | u64::from(*otherwise) << 24 | u64::from(*with) << 32;
    }
    let program = [filter.len() as u64, packed.as_ptr() as u64];
    call(PRCTL, arguments!(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0));
    call(PRCTL, arguments!(SET_SECCOMP, FILTER, program.as_ptr()));
}

/// Gives this process namespaces of its own; whether that is possible.
pub unsafe fn unshare(namespaces: u64) -> bool {
    const UNSHARE: u64 = 272;
    const SET_DUMPABLE: u64 = 4;
    let is_done = call(UNSHARE, arguments!(namespaces)) == 0;
    // With new rights a process is hidden from others of the same user, from us too.
    call(PRCTL, arguments!(SET_DUMPABLE, 1));
    is_done
}

/// No file in the namespace of this process can be changed from now on; whether that is possible.
pub unsafe fn mount_for_reading() -> bool {
    const MOUNT_SETATTR: u64 = 442;
    const HERE: i64 = -100;
    const WITH_ALL_BELOW: u64 = 0x8000;
    const READ_ONLY: u64 = 1;
    const PRIVATE: u64 = 1 << 18;
    let attributes = [READ_ONLY, 0, PRIVATE, 0];
    let size = size_of_val(&attributes);
    call(MOUNT_SETATTR, arguments!(HERE, c"/".as_ptr(), WITH_ALL_BELOW, attributes.as_ptr(), size)) == 0
}

/// Ends what is left of the children of this process, those included that it has adopted.
pub unsafe fn end_children() {
    const NOW: u64 = 1;
    const ANY_KIND: u64 = 0x4000_0000;
    loop {
        match call(WAIT4, arguments!(-1_i64, 0, NOW | ANY_KIND, 0)) {
            1.. => {}
            0 => kill_children(),
            _ => return,
        }
    }
}

/// Kills the children that the system tells of, numbers with spaces between them, and waits for one of them.
unsafe fn kill_children() {
    let mut text = [0_u8; 4096];
    let file = call(OPEN, arguments!(c"/proc/thread-self/children".as_ptr(), 0o2_000_000)) as i32;
    let length = read(file, text.as_mut_ptr(), text.len()).max(0) as usize;
    close(file);
    let mut pid = 0_i64;
    for byte in &text[..length] {
        match byte {
            b'0'..=b'9' => pid = pid * 10 + i64::from(byte - b'0'),
            _ if pid != 0 => {
                call(KILL, arguments!(pid, 9));
                pid = 0;
            }
            _ => {}
        }
    }
    wait(-1);
}

/// This process is killed when the one that started it ends.
pub unsafe fn die_with_parent() {
    call(PRCTL, arguments!(1, 9));
}

/// Processes whose parents have ended become children of this one.
pub unsafe fn adopt_orphans() {
    call(PRCTL, arguments!(36, 1));
}

pub unsafe fn futex_wait(word: *const u32, expected: u32) {
    call(FUTEX, arguments!(word, 0, expected, 0));
}

pub unsafe fn futex_wake(word: *const u32) {
    call(FUTEX, arguments!(word, 1, i32::MAX));
}

/// Ends this process with all its threads.
pub fn exit_group(code: i32) -> ! {
    loop {
        // SAFETY: the call takes no pointers.
        unsafe { call(EXIT_GROUP, arguments!(code)) };
    }
}

/// Changes the thread pointer.
pub unsafe fn set_thread_pointer(pointer: u64) {
    const SET: u64 = 0x1002;
    call(ARCH_PRCTL, arguments!(SET, pointer));
}

/// Where the stack of this thread is.
pub fn stack_pointer() -> u64 {
    let pointer: u64;
    // SAFETY: nothing but a register is read.
    unsafe { asm!("mov {}, rsp", out(reg) pointer, options(nostack, nomem, preserves_flags)) };
    pointer
}

/// What tells this thread from others: its thread pointer.
pub fn thread_pointer() -> u64 {
    let pointer: u64;
    // SAFETY: on x86-64 the first word at the thread pointer is the thread pointer.
    unsafe { asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly, preserves_flags)) };
    pointer
}
