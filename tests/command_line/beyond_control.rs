//! Programs that do what is beyond our control are refused, and what looks like it and is not, is fine: signals that are blocked, other system calls.

use super::programs::compiled;
use std::path::PathBuf;
use std::process::Command;
use testkit::command::{stderr, stdout, temporary, text, uwbmc};

#[test]
fn what_cannot_be_controlled_is_refused() {
    assert_eq!(uwbmc(&["run", "no-such-program"]).status.code(), Some(2));
    if let Some(program) = compiled("fixed", "work(&t);", &["-static"]) {
        let refused = uwbmc(&["run", text(&program)]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains("link dynamically"), "{}", stderr(&refused));
    }
    if let Some(program) = compiled("raised", "work(&t);", &[]) {
        let rights = std::os::unix::fs::PermissionsExt::from_mode(0o4755);
        std::fs::set_permissions(&program, rights).expect("our own file");
        let refused = uwbmc(&["run", text(&program)]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains("its file is setuid"), "{}", stderr(&refused));
    }
    if let Some(program) = compiled("fifo", "if (mkfifo(\"x\", 0600)) return 1; work(0);", &[]) {
        assert!(stdout(&uwbmc(&["run", text(&program)])).contains("not modelled: mkfifo"));
    }
    // A pipe that is made and read past the C library: the thread waits, and does not go on.
    let waiting =
        "int ends[2]; char x; pthread_create(&t, 0, work, 0); syscall(293, ends, 0); syscall(0, ends[0], &x, 1);";
    if let Some(program) = compiled("waiting", waiting, &[]) {
        let refused = uwbmc(&["run", "--patience", "3", text(&program)]);
        assert_eq!(refused.status.code(), Some(3), "{}", stdout(&refused));
        let why = "waits for something that is not controlled (system call 0)";
        assert!(stdout(&refused).contains(why), "{}", stdout(&refused));
    }
    if let Some(program) = compiled("kill", "pthread_create(&t, 0, work, 0); pthread_kill(t, 10);", &[]) {
        let refused = uwbmc(&["run", text(&program)]);
        assert_eq!(refused.status.code(), Some(3));
        assert!(
            stdout(&refused).contains("not modelled: pthread_kill of a signal that is not blocked: set a variable"),
            "{}",
            stdout(&refused)
        );
    }
}

/// Each with what the refusal says of it.
#[test]
fn what_lanes_could_wait_for_unseen_is_refused() {
    let raw = |number: u32| {
        format!(
            "pthread_create(&t, 0, work, 0); long p; \
             __asm__ volatile(\"syscall\" : \"=a\"(p) : \"a\"({number}L), \"D\"(17L), \"S\"(0L), \"d\"(0L) : \"rcx\", \"r11\", \"memory\"); \
             if (p == 0) _exit(0); work(0);"
        )
    };
    let [clone, fork, vfork, clone3] = [56, 57, 58, 435].map(raw);
    let rows = [
        ("raw-fork", fork.as_str(), "a system call in assembly that creates a process or thread"),
        ("raw-clone", clone.as_str(), "a system call in assembly that creates a process or thread"),
        ("raw-vfork", vfork.as_str(), "a system call in assembly that creates a process or thread"),
        ("raw-clone3", clone3.as_str(), "a system call in assembly that creates a process or thread"),
        ("eventfd", "eventfd(0, 0); work(0);", "eventfd: call pipe"),
        ("flock", "flock(0, LOCK_EX); work(0);", "flock: lock a mutex"),
        ("fcntl", "struct flock whole = {F_WRLCK}; fcntl(0, F_SETLKW, &whole); work(0);", "fcntl that locks a file"),
        ("group", "if (fork() == 0) _exit(0); waitpid(0, 0, 0);", "waitpid for a group of processes"),
        (
            "all",
            "unsigned short one[1] = {1}; int set = semget(7, 1, IPC_CREAT | 0600); pthread_create(&t, 0, work, 0); \
                 semctl(set, 0, SETALL, one);",
            "SETALL while other threads or processes run",
        ),
    ];
    for (name, main, expected) in rows {
        let Some(program) = compiled(&format!("unseen-{name}"), main, &[]) else { return };
        let refused = uwbmc(&["run", text(&program)]);
        assert_eq!(refused.status.code(), Some(3), "{name}: {}", stdout(&refused));
        assert!(stdout(&refused).contains(expected), "{name}: {}", stdout(&refused));
    }
}

/// A library that creates a process by system calls of its own, which it waits for or not, and a thread, which ends at once or stays.
const LIBRARY: &str = r#"
static char stack[1 << 16];
static volatile int lives = 1;
static long call(long number, long a) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(0L), "d"(0L) : "rcx", "r11", "r10", "memory");
    return result;
}
void create_process(int waits) {
    if (call(57, 0) == 0)
        for (;;) call(waits ? 60 : 34, 0);
    if (waits) call(61, -1);
}
void create_thread(int stays) {
    /* Memory, files and signals are those of the process; the word is cleared when the thread ends. */
    register volatile int *word __asm__("r10") = &lives;
    long result;
    __asm__ volatile("syscall; test %%rax, %%rax; jnz 1f; 0: test %%ebx, %%ebx; jz 2f; mov $34, %%eax; syscall; jmp 0b; "
                     "2: mov $60, %%eax; xor %%edi, %%edi; syscall; 1:"
                     : "=a"(result) : "a"(56L), "D"(0x250f00L), "S"(stack + sizeof stack - 64), "d"(0L), "r"(word), "b"(stays) : "rcx", "r11", "memory");
    while (!stays && lives) call(24, 0);
}
"#;

/// The library, compiled.
fn library() -> Option<PathBuf> {
    let (source, library) = (temporary("creating.c"), temporary("libcreating.so"));
    std::fs::write(&source, LIBRARY).expect("writable");
    let mut cc = Command::new("cc");
    let status = cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    status.is_ok_and(|status| status.success()).then_some(library)
}

/// Threads and processes that libraries create past the functions that are hooked are noticed, also when they have ended since.
#[test]
fn what_libraries_create_by_themselves_is_noticed() {
    let Some(library) = library() else { return eprintln!("skipped: no C compiler") };
    let flags = ["-w", "-Wl,--no-as-needed", text(&library)];
    let (thread, process) = ("a thread that a library has created", "a process that a library has created");
    let rows = [
        ("thread", "create_thread(0);", thread),
        ("thread-stays", "create_thread(1);", thread),
        ("process", "create_process(1);", process),
        ("process-stays", "create_process(0);", process),
        (
            "asynchronous",
            "static char x; struct aiocb about = {.aio_buf = &x, .aio_nbytes = 1}; aio_read(&about);",
            thread,
        ),
    ];
    for (name, creation, expected) in rows {
        for (when, main) in [
            ("before", format!("{creation} work(0);")),
            ("amid", format!("work(0); {creation} work(0);")),
            ("beside", format!("pthread_create(&t, 0, work, 0); {creation} pthread_join(t, 0);")),
            ("below", format!("if (fork() == 0) {{ {creation} _exit(0); }} wait(0);")),
        ] {
            let Some(program) = compiled(&format!("company-{name}-{when}"), &main, &flags) else { return };
            let refused = uwbmc(&["run", text(&program)]);
            assert_eq!(refused.status.code(), Some(3), "{name} {when}: {}{}", stdout(&refused), stderr(&refused));
            assert!(stdout(&refused).contains(expected), "{name} {when}: {}", stdout(&refused));
        }
    }
    // What the program creates itself is none of that, nor are commands.
    let main = "pthread_attr_t large; pthread_attr_init(&large); pthread_attr_setstacksize(&large, 1 << 26); \
        pthread_create(&t, &large, work, 0); system(\"true\"); pclose(popen(\"true\", \"r\")); pthread_join(t, 0);";
    let Some(program) = compiled("company-expected", main, &[]) else { return };
    let fine = uwbmc(&["run", text(&program)]);
    assert_eq!(fine.status.code(), Some(0), "{}", stdout(&fine));
}

/// Code that is not part of the program, though near to it or at addresses that end alike, is what a library could be: what it creates is noticed when the run
/// ends, and is not stopped there.
#[test]
fn only_the_program_itself_is_stopped_at_system_calls() {
    let main = "static const unsigned char code[] = {0xb8, 57, 0, 0, 0, 0x0f, 0x05, 0xc3}; extern char __executable_start, end; \
        char *place = WHERE; \
        char *made = mmap(place, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0); \
        assert(made == place); memcpy(made, code, sizeof code); \
        long mine; __asm__ volatile(\"syscall\" : \"=a\"(mine) : \"a\"(39L) : \"rcx\", \"r11\", \"memory\"); \
        if (((int (*)(void))made)() == 0) syscall(231, 0); work(0);";
    let rows = [
        ("below", "&__executable_start - 0x10000"),
        ("above", "(char *)((long)&end + 0x10000 & -4096)"),
        ("far", "&__executable_start + 0x100001000"),
    ];
    for (name, place) in rows {
        let Some(program) =
            compiled(&format!("near-{name}"), &main.replace("WHERE", place), &["-w", "-include", "sys/mman.h"])
        else {
            return;
        };
        let refused = uwbmc(&["run", text(&program)]);
        assert_eq!(refused.status.code(), Some(3), "{name}: {}{}", stdout(&refused), stderr(&refused));
        assert!(stdout(&refused).contains("a process that a library has created"), "{name}: {}", stdout(&refused));
    }
}

/// What is sent to a thread or process that blocks it waits to be taken, the lowest signal first, and is there once.
#[test]
fn signals_that_are_blocked_wait_to_be_taken() {
    let rows = [
        (
            "order",
            "raise(SIGUSR2); raise(SIGUSR1); raise(SIGUSR2); assert(TAKE == SIGUSR1 && TAKE == SIGUSR2); assert(LOOK == -1 && errno == EAGAIN);",
            0,
            "holds",
        ),
        (
            "own-first",
            "kill(getpid(), SIGUSR1); pthread_kill(pthread_self(), SIGUSR2); assert(TAKE == SIGUSR2 && TAKE == SIGUSR1);",
            0,
            "holds",
        ),
        (
            "told",
            "siginfo_t about; int taken; raise(SIGUSR2); assert(sigwaitinfo(&both, &about) == SIGUSR2 && about.si_signo == SIGUSR2); \
             raise(SIGUSR1); assert(sigwait(&both, &taken) == 0 && taken == SIGUSR1);",
            0,
            "holds",
        ),
        (
            "probed",
            "pthread_create(&t, 0, work, 0); assert(pthread_kill(t, 0) == 0 && kill(getpid(), 0) == 0); assert(LOOK == -1); \
             pid_t child = fork(); if (child == 0) _exit(0); assert(kill(child, 0) == 0);",
            0,
            "holds",
        ),
        ("thread", "pthread_create(&t, 0, take, 0); pthread_kill(t, SIGUSR1); pthread_join(t, 0);", 0, "holds"),
        (
            "either",
            "pthread_create(&t, 0, take, 0); kill(getpid(), SIGUSR1); assert(LOOK == -1); raise(SIGUSR2);",
            1,
            "failed assertion",
        ),
        ("outside", "TAKE;", 3, "it would have to come from outside"),
        (
            "unblocked",
            "raise(SIGUSR1); mask((void *)SIG_UNBLOCK);",
            3,
            "a thread that unblocks a signal which was sent to it",
        ),
        (
            "process-unblocked",
            "kill(getpid(), SIGUSR2); mask((void *)SIG_UNBLOCK);",
            3,
            "a thread that unblocks a signal which was sent to it",
        ),
        (
            "set",
            "sigset_t one; sigemptyset(&one); sigaddset(&one, SIGUSR1); pthread_sigmask(SIG_SETMASK, &one, 0); \
             raise(SIGUSR1); assert(TAKE == SIGUSR1); pthread_kill(pthread_self(), SIGUSR2);",
            3,
            "pthread_kill of a signal that is not blocked",
        ),
        (
            "too-late",
            "mask((void *)SIG_UNBLOCK); pthread_create(&t, 0, mask, (void *)SIG_BLOCK); pthread_kill(t, SIGUSR1);",
            3,
            "pthread_kill of a signal that is not blocked",
        ),
        (
            "some",
            "mask((void *)SIG_UNBLOCK); pthread_create(&t, 0, work, 0); mask((void *)SIG_BLOCK); kill(getpid(), SIGUSR1);",
            3,
            "a signal that only some threads block",
        ),
        ("child", "sigaddset(&both, SIGCHLD); if (fork() == 0) _exit(0); TAKE;", 3, "sigwait for the end of a child"),
        ("childless", "sigaddset(&both, SIGCHLD); raise(SIGUSR1); assert(TAKE == SIGUSR1);", 0, "holds"),
        (
            "inherited",
            "int code; if (fork() == 0) { raise(SIGUSR1); _exit(TAKE != SIGUSR1); } assert(wait(&code) > 0 && code == 0);",
            0,
            "holds",
        ),
        (
            "handled",
            "static int handled; void note(int number) { handled += number; } signal(SIGTERM, note); signal(SIGALRM, note); \
             raise(SIGTERM); kill(getpid(), SIGALRM); assert(handled == SIGTERM + SIGALRM);",
            0,
            "holds",
        ),
        ("last", "sigaddset(&both, 31); mask((void *)SIG_BLOCK); raise(31); assert(TAKE == 31);", 0, "holds"),
        ("queued", "sigaddset(&both, 34); mask((void *)SIG_BLOCK); raise(34);", 3, "a signal of real time"),
        (
            "unlimited",
            "void *send(void *x) { kill(getpid(), SIGUSR2); return x; } pthread_create(&t, 0, send, 0); \
             assert(sigtimedwait(&both, 0, 0) == SIGUSR2);",
            0,
            "holds",
        ),
        (
            "asked",
            "sigset_t now; assert(pthread_sigmask(SIG_SETMASK, 0, &now) == 0 && sigismember(&now, SIGUSR1) == 1); \
             raise(SIGUSR1); assert(TAKE == SIGUSR1);",
            0,
            "holds",
        ),
        (
            "set-more",
            "mask((void *)SIG_UNBLOCK); pthread_sigmask(SIG_SETMASK, &both, 0); raise(SIGUSR1); assert(TAKE == SIGUSR1);",
            0,
            "holds",
        ),
        (
            "others-stay",
            "sigset_t one; sigemptyset(&one); sigaddset(&one, SIGALRM); sigprocmask(SIG_BLOCK, &one, 0); raise(SIGUSR1); \
             sigdelset(&both, SIGUSR1); mask((void *)SIG_UNBLOCK); raise(SIGALRM); sigaddset(&one, SIGUSR1); \
             assert(sigwaitinfo(&one, 0) == SIGUSR1 && sigwaitinfo(&one, 0) == SIGALRM);",
            0,
            "holds",
        ),
        (
            "ended",
            "mask((void *)SIG_UNBLOCK); pthread_create(&t, 0, work, 0); pthread_join(t, 0); mask((void *)SIG_BLOCK); \
             kill(getpid(), SIGUSR1); assert(TAKE == SIGUSR1);",
            0,
            "holds",
        ),
        (
            "elsewhere",
            "int ends[2]; char x; if (pipe(ends)) return 1; mask((void *)SIG_UNBLOCK); \
             if (fork() == 0) { read(ends[0], &x, 1); _exit(0); } \
             mask((void *)SIG_BLOCK); kill(getpid(), SIGUSR1); assert(TAKE == SIGUSR1); write(ends[1], \"x\", 1); wait(0);",
            0,
            "holds",
        ),
        // To block what is blocked already is no operation: otherwise there would be two interleavings.
        (
            "blocked-twice",
            "pthread_create(&t, 0, mask, (void *)SIG_BLOCK); kill(getpid(), SIGUSR1);",
            0,
            "(all 1 interleavings",
        ),
        (
            "other",
            "pid_t child = fork(); if (child == 0) _exit(0); kill(child, SIGTERM);",
            3,
            "kill of another process",
        ),
    ];
    for (name, body, code, expected) in rows {
        let Some(program) = signalling(name, body) else { return };
        let answer = uwbmc(&["run", text(&program)]);
        assert_eq!(answer.status.code(), Some(code), "{name}: {}", stdout(&answer));
        assert!(stdout(&answer).contains(expected), "{name}: {}", stdout(&answer));
    }
}

/// A program whose main thread blocks two signals and then does this.
fn signalling(name: &str, body: &str) -> Option<PathBuf> {
    let main = format!(
        "sigemptyset(&both); sigaddset(&both, SIGUSR1); sigaddset(&both, SIGUSR2); struct timespec none = {{0, 0}}; \
         mask((void *)SIG_BLOCK); {body}"
    );
    let main = main.replace("TAKE", "sigwaitinfo(&both, 0)").replace("LOOK", "sigtimedwait(&both, 0, &none)");
    compiled(&format!("signal-{name}"), &main, &["-w"])
}

/// Assembly is no reason for a refusal, nor are processes that such a program creates by the C library.
#[test]
fn other_system_calls_in_assembly_are_fine() {
    let main = "work(0); long p; __asm__ volatile(\"syscall\" : \"=a\"(p) : \"a\"(39L) : \"rcx\", \"r11\", \"memory\"); \
        pthread_create(&t, 0, work, 0); pid_t child = fork(); if (child == 0) _exit(p != getppid()); \
        int status; wait(&status); assert(status == 0); work(0);";
    let Some(program) = compiled("raw-identity", main, &[]) else { return };
    let fine = uwbmc(&["run", text(&program)]);
    assert_eq!(fine.status.code(), Some(0), "{}", stdout(&fine));
}
