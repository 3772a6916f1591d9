//! The functions that a program takes from libraries, and whether one of them could change memory or look there unseen: the library is not compiled by
//! us, and does not announce its accesses.

/// Functions that keep nothing, and whose results depend on no memory of the program: what they change is the object of a visible
/// operation, output, or memory that they hand out or take back; or they do not return. A star stands for any ending.
const HARMLESS: &[&str] = &[
    "__tsan_*",
    "__cyg_profile_func_*",
    "VS_*",
    "pthread_mutex_*",
    "pthread_mutexattr_*",
    "pthread_cond_*",
    "pthread_rwlock_*",
    "pthread_barrier_*",
    "pthread_spin_*",
    "pthread_attr_*",
    "pthread_create",
    "pthread_join",
    "pthread_tryjoin_np",
    "pthread_detach",
    "pthread_self",
    "pthread_equal",
    "pthread_exit",
    "pthread_yield",
    "pthread_kill",
    "pthread_cancel",
    "pthread_testcancel",
    "sem_*",
    "thrd_*",
    "mtx_*",
    "cnd_*",
    "call_once",
    "sched_yield",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "clock_gettime",
    "gettimeofday",
    "time",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "fflush",
    "perror",
    "fwrite",
    "stdout",
    "stderr",
    "abort",
    "exit",
    "_exit",
    "__assert_fail",
    "__stack_chk_fail",
    "__libc_start_main",
    "__cxa_finalize",
    "__cxa_atexit",
    "__gmon_start__",
    "_ITM_*",
    "__errno_location",
    "getpid",
    "gettid",
    "reach_error",
    "__VERIFIER_*",
    "_Znwm",
    "_Znam",
    "_ZdlPv*",
    "_ZdaPv*",
    "_ZNSt6thread*",
    "_ZNKSt6thread*",
    "_ZTVNSt6thread*",
    "_ZTINSt6thread*",
    "_ZTVN10__cxxabiv1*",
    "_ZNSt18condition_variable*",
    "_ZNSt6chrono*",
    "_ZNSt8ios_base4Init*",
    "_ZSt4cout",
    "_ZSt4endl*",
    "_ZStlsISt11char_traits*",
    "_ZNSolsE*",
    "_ZSt9terminatev",
    "_ZSt20__throw_*",
    "_ZSt16__throw_*",
    "__gxx_personality_v0",
    "__cxa_guard_*",
    "_Unwind_Resume",
];

/// Functions that take or give numbers of processes.
const OF_PROCESSES: [&str; 26] = [
    "fork",
    "vfork",
    "clone",
    "posix_spawn*",
    "exec*",
    "kill",
    "tgkill",
    "sigqueue",
    "getppid",
    "wait*",
    "getpgid",
    "getpgrp",
    "setpgid",
    "getsid",
    "sched_get*",
    "sched_set*",
    "sched_rr*",
    "getpriority",
    "setpriority",
    "prlimit*",
    "process_*",
    "pidfd_*",
    "ptrace",
    "semctl",
    "shmctl",
    "msgctl",
];

/// Whether a program takes functions from libraries to which the number of a process is more than a number.
pub fn names_processes(program: &[u8]) -> bool {
    imports(program).is_none_or(|names| names.into_iter().any(|name| is_one_of(&OF_PROCESSES, name)))
}

/// Whether no function that a program takes from libraries could change memory unseen, as far as that can be said.
pub fn keep_nothing_unseen(program: &[u8]) -> bool {
    imports(program).is_some_and(|names| names.into_iter().all(|name| is_one_of(HARMLESS, name)))
}

fn is_one_of(known: &[&str], name: &[u8]) -> bool {
    known.iter().any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning.as_bytes()),
        None => name == known.as_bytes(),
    })
}

/// The names that are undefined in the table of dynamic symbols (ELF, 64 bits, little endian).
fn imports(program: &[u8]) -> Option<Vec<&[u8]>> {
    const DYNAMIC_SYMBOLS: u64 = 11;
    const SECTION: usize = 64;
    const SYMBOL: usize = 24;
    if program.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, count) = (number(program, 40, 8)?, number(program, 60, 2)?);
    let section = |index: u64| {
        let start = usize::try_from(table.checked_add(index.checked_mul(SECTION as u64)?)?).ok()?;
        program.get(start..start.checked_add(SECTION)?)
    };
    let contents = |section: &[u8]| {
        let (from, size) = (number(section, 24, 8)? as usize, number(section, 32, 8)? as usize);
        program.get(from..from.checked_add(size)?)
    };
    let symbols = (0..count).filter_map(section).find(|section| number(section, 4, 4) == Some(DYNAMIC_SYMBOLS))?;
    let names = contents(section(number(symbols, 40, 4)?)?)?;
    let undefined = |symbol: &&[u8]| number(symbol, 6, 2) == Some(0);
    let name = |symbol: &[u8]| {
        let rest = names.get(number(symbol, 0, 4)? as usize..)?;
        rest.split(|byte| *byte == 0).next()
    };
    // The first symbol of a table is none.
    contents(symbols)?.chunks_exact(SYMBOL).skip(1).filter(undefined).map(name).collect()
}

/// A number of as many bytes at a place.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_names() {
        let is_harmless = |name: &[u8]| is_one_of(HARMLESS, name);
        assert!(is_harmless(b"printf") && is_harmless(b"pthread_mutex_lock") && is_harmless(b"__tsan_read4"));
        assert!(!is_harmless(b"rand") && !is_harmless(b"printf_hidden") && !is_harmless(b"strtok"));
        assert!(is_one_of(&OF_PROCESSES, b"execvp") && !is_one_of(&OF_PROCESSES, b"getpid"));
    }

    #[test]
    fn what_a_program_takes_from_libraries_is_read_from_its_file() {
        let this = std::fs::read("/proc/self/exe").expect("this program");
        let names = imports(&this).expect("a table of symbols");
        assert!(names.contains(&&b"write"[..]) && !keep_nothing_unseen(&this), "{}", names.len());
    }

    /// Nothing is said of what is no program, or a part of one.
    #[test]
    fn what_cannot_be_read_could_do_anything() {
        let this = std::fs::read("/proc/self/exe").expect("this program");
        for bytes in [&b"#!/bin/sh"[..], b"", &this[..this.len() / 2], &this[..64]] {
            assert!(!keep_nothing_unseen(bytes), "{} bytes", bytes.len());
        }
    }
}
