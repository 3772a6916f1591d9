//! `uwbmc run`: real programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::command::{json, stderr, stdout, temporary, text, uwbmc};

/// A program with this body of `main`, compiled; none where there is no compiler.
pub fn compiled(name: &str, main: &str, flags: &[&str]) -> Option<PathBuf> {
    let (source, program) = (temporary(&format!("{name}.c")), temporary(name));
    let head = "#define _GNU_SOURCE\n#include <aio.h>\n#include <assert.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <poll.h>\n#include <pthread.h>\n\
        #include <semaphore.h>\n#include <signal.h>\n#include <spawn.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/eventfd.h>\n#include <sys/file.h>\n#include <sys/select.h>\n\
        #include <sys/sem.h>\n#include <sys/stat.h>\n#include <sys/syscall.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *work(void *x) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); return x; }\n\
        static sigset_t both;\nstatic void *take(void *x) { sigwaitinfo(&both, 0); return x; }\n\
        static void *mask(void *how) { pthread_sigmask((long)how, &both, 0); return how; }\n";
    std::fs::write(&source, format!("{head}int main(void) {{ pthread_t t; {main} return 0; }}\n")).expect("writable");
    let mut cc = Command::new("cc");
    let status = cc.args(flags).args(["-g", "-pthread", "-o"]).arg(&program).arg(&source).status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no C compiler, or none for {flags:?}");
        return None;
    }
    Some(program)
}

pub fn has_compiler() -> bool {
    Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_ok()
}

#[test]
fn a_deadlock_is_found_in_a_program_and_told_by_line() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let found = uwbmc(&["run", "programs/philosophers.c"]);
    assert_eq!(found.status.code(), Some(1), "{}", stderr(&found));
    let text = stdout(&found);
    assert!(text.starts_with("programs/philosophers.c: violated: deadlock (after "), "{text}");
    assert!(text.contains("T1 waits at line 15: lock fork_of+40, which T2 holds"), "{text}");
    let fine = uwbmc(&["run", "programs/ordered.c"]);
    assert_eq!(fine.status.code(), Some(0), "{}", stdout(&fine));
    assert!(stdout(&fine).contains("holds (all 6 interleavings that differ were explored)"), "{}", stdout(&fine));
}

/// What a file is called does not make it a text.
#[test]
fn a_program_may_be_called_like_a_text() {
    let Some(program) = compiled("called", "pthread_create(&t, 0, work, 0); pthread_join(t, 0);", &[]) else { return };
    let copy = program.with_extension("cc");
    std::fs::copy(&program, &copy).expect("a copy");
    let found = uwbmc(&["run", text(&copy)]);
    assert_eq!(found.status.code(), Some(0), "{}{}", stdout(&found), stderr(&found));
}

/// Where time runs out while a run is executed again, that is the reason, not that it differs.
#[test]
fn a_run_that_cannot_be_repeated_in_time_is_not_called_different() {
    let main = "pthread_create(&t, 0, work, 0); for (volatile int i = 0;; i = 1) {}";
    let Some(program) = compiled("endless", main, &[]) else { return };
    let found = uwbmc(&["run", "--patience", "2", "--timeout", "3", text(&program)]);
    assert_eq!(found.status.code(), Some(3), "{}", stdout(&found));
    assert!(stdout(&found).contains("unknown (out of time after 1 runs)"), "{}", stdout(&found));
}

#[test]
fn a_run_of_a_program_is_a_trace_document() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let trace = temporary("coins.json");
    let report = json(&["run", "--json", "--trace", text(&trace), "programs/coins.c"]);
    assert_eq!((&report["format"], &report["verdict"]), (&"uwbmc-run".into(), &"violated".into()));
    assert_eq!(report["violation"], "failed assertion: VS_assert");
    let written = std::fs::read_to_string(&trace).expect("a trace");
    let schema = testkit::schema::read("json.schema.json");
    let document: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(testkit::schema::violations(&schema, &document), Vec::<String>::new());
    assert_eq!(testkit::schema::violations(&schema, &report), Vec::<String>::new());
    let again = json(&["run", "--json", "--replay", text(&trace), "programs/coins.c"]);
    assert_eq!((&again["runs"], &again["violation"]), (&1.into(), &report["violation"]));
    let other = uwbmc(&["run", "--replay", text(&trace), "programs/ordered.c"]);
    assert_eq!(other.status.code(), Some(3), "{}", stdout(&other));
}

/// A child that may have ended is looked for without waiting, and the counts of a set of semaphores are set at once.
#[test]
fn children_are_looked_for_and_sets_are_filled() {
    let looked = "pid_t child = fork(); if (child == 0) _exit(7); int status; \
        pid_t ended = waitpid(-1, &status, WNOHANG); if (ended == 0) { puts(\"not yet\"); ended = waitpid(child, &status, 0); } \
        assert(ended == child && WEXITSTATUS(status) == 7 && waitpid(-1, &status, WNOHANG) == -1);";
    let filled = "unsigned short counts[] = {0, 2, 1}; int set = semget(IPC_PRIVATE, 3, 0600); semctl(set, 0, SETALL, counts); \
        assert(semctl(set, 0, GETVAL) == 0 && semctl(set, 1, GETVAL) == 2 && semctl(set, 2, GETVAL) == 1);";
    for (name, main, runs) in [("looked", looked, 2), ("filled", filled, 1)] {
        let Some(program) = compiled(name, main, &[]) else { return };
        let fine = json(&["run", "--json", "--all", text(&program)]);
        assert_eq!((&fine["runs"], &fine["violation"]), (&runs.into(), &serde_json::Value::Null), "{name}: {fine}");
    }
}

/// Locks in Rust are in the program itself; without visible accesses nothing is seen of them.
#[test]
fn a_program_in_rust_is_told_its_flags() {
    let program = temporary("plain-rust");
    let status =
        Command::new("rustc").args(["--edition=2024", "-o"]).args([text(&program), "programs/accounts.rs"]).status();
    if !status.is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there is no compiler `rustc`");
    }
    let answer = uwbmc(&["run", text(&program)]);
    assert_eq!(answer.status.code(), Some(0), "{}", stdout(&answer));
    assert!(stdout(&answer).contains("compile with the flags that `uwbmc flags rust` prints"), "{}", stdout(&answer));
}

#[test]
fn a_program_that_does_not_repeat_gets_no_verdict() {
    // Runs are counted in a file, and every other one locks first.
    let count = temporary("count");
    let _ = std::fs::remove_file(&count);
    let main = format!(
        "pthread_create(&t, 0, work, 0); int fd = open({:?}, O_WRONLY | O_CREAT | O_APPEND, 0600); \
         if (write(fd, \"x\", 1) != 1) return 1; \
         if (lseek(fd, 0, SEEK_END) % 2) work(0); \
         work(0); work(0); pthread_join(t, 0);",
        text(&count)
    );
    let Some(program) = compiled("fickle", &main, &[]) else { return };
    let answer = uwbmc(&["run", text(&program)]);
    assert_eq!(answer.status.code(), Some(3), "{}", stdout(&answer));
    assert!(stdout(&answer).contains("not deterministic here"), "{}", stdout(&answer));
}

/// Both steps are told, with what they are about and where: they may be of the same kind.
#[test]
fn a_program_that_does_not_repeat_is_shown_where() {
    let count = temporary("turns");
    let _ = std::fs::remove_file(&count);
    let main = format!(
        "static pthread_mutex_t even, odd; pthread_create(&t, 0, work, 0); int fd = open({:?}, O_WRONLY | O_CREAT | O_APPEND, 0600); \
         if (write(fd, \"x\", 1) != 1) return 1; \
         pthread_mutex_lock(lseek(fd, 0, SEEK_END) % 2 ? &odd : &even); pthread_join(t, 0);",
        text(&count)
    );
    let Some(program) = compiled("alternate", &main, &[]) else { return };
    let answer = stdout(&uwbmc(&["run", text(&program)]));
    let [one, other] = ["`T0 lock even", "`T0 lock odd"].map(|step| answer.matches(step).count());
    assert_eq!((one, other), (1, 1), "{answer}");
    assert!(answer.contains(" in main, line "), "{answer}");
}

/// What is different in one of several executions is noticed also where one would be enough to explore everything.
#[test]
fn a_program_that_repeats_only_some_times_gets_no_verdict() {
    let count = temporary("executions");
    let _ = std::fs::remove_file(&count);
    let main = format!(
        "work(0); int fd = open({:?}, O_WRONLY | O_CREAT | O_APPEND, 0600); if (write(fd, \"x\", 1) != 1) return 1; \
         if (lseek(fd, 0, SEEK_END) == 6) work(0); work(0);",
        text(&count)
    );
    let Some(program) = compiled("seldom", &main, &[]) else { return };
    let answer = uwbmc(&["run", text(&program)]);
    assert_eq!(answer.status.code(), Some(3), "{}", stdout(&answer));
    assert!(stdout(&answer).contains("not deterministic here"), "{}", stdout(&answer));
}

#[test]
fn a_system_of_programs_is_described_by_a_file() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let found = uwbmc(&["run", "programs/table/philosophers.toml"]);
    assert_eq!(found.status.code(), Some(1), "{}{}", stdout(&found), stderr(&found));
    let text = stdout(&found);
    assert!(text.starts_with("programs/table/philosophers.toml: violated: deadlock (after "), "{text}");
    assert!(text.contains("T2 Hegel waits at line 10: sem wait"), "{text}");
    let file = temporary("system.toml");
    std::fs::write(&file, "[[process]]\nname = \"a\"\ncommand = [\"nowhere\"]\n").expect("writable");
    let refused = uwbmc(&["run", testkit::command::text(&file)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("a: there is no program"), "{}", stderr(&refused));
}

/// What comes before the first visible operation is executed once for all runs, and has to repeat too.
#[test]
fn a_program_that_begins_in_different_ways_gets_no_verdict() {
    let count = temporary("beginnings-count");
    let _ = std::fs::remove_file(&count);
    let main = format!(
        "int fd = open({:?}, O_WRONLY | O_CREAT | O_APPEND, 0600); if (write(fd, \"x\", 1) != 1) return 1; \
         if (lseek(fd, 0, SEEK_END) % 2) pthread_mutex_lock(&lock); else pthread_create(&t, 0, work, 0);",
        text(&count)
    );
    let Some(program) = compiled("beginnings", &main, &[]) else { return };
    let answer = uwbmc(&["run", text(&program)]);
    assert_eq!(answer.status.code(), Some(3), "{}", stdout(&answer));
    assert!(stdout(&answer).contains("not deterministic here"), "{}", stdout(&answer));
}

#[test]
fn a_data_race_is_shown_by_a_run_that_ends_with_it() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let source = temporary("racy.c");
    let program = "#include <pthread.h>\nstatic int x;\nstatic void *work(void *a) { x = 1; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 2; pthread_join(t, 0); return 0; }\n";
    std::fs::write(&source, program).expect("writable");
    let found = json(&["run", "--json", text(&source)]);
    assert_eq!((&found["verdict"], &found["violation"]), (&"violated".into(), &"data race".into()));
    let steps = found["trace"]["steps"].as_array().expect("steps");
    let last = steps.last().expect("a step")["text"].as_str().expect("text");
    let other = found["races_with"].as_u64().expect("a step") as usize;
    assert_eq!((last, &steps[other - 1]["text"]), ("write x", &"write x".into()), "{found}");
    assert_ne!(steps[other - 1]["process"], steps.last().expect("a step")["process"]);
}

/// Without visible accesses, `holds` would claim too much.
#[test]
fn a_program_whose_accesses_are_hidden_is_told_how_to_show_them() {
    let Some(program) = compiled("hidden", "pthread_create(&t, 0, work, 0); work(0);", &[]) else { return };
    let answer = uwbmc(&["run", text(&program)]);
    assert_eq!(answer.status.code(), Some(0));
    assert!(stdout(&answer).contains("holds up to bound (all 2 interleavings"), "{}", stdout(&answer));
    assert!(stdout(&answer).contains("compile with `uwbmc cc`"), "{}", stdout(&answer));
}

#[test]
fn the_use_of_freed_memory_is_found() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let rows = [
        ("twice", "free(p);", "memory is freed after it was freed"),
        ("used", "*p = 1; if (x) free(p);", "memory is used after it was freed"),
    ];
    for (name, body, expected) in rows {
        let source = temporary(&format!("freed-{name}.c"));
        let program = format!(
            "#include <pthread.h>\n#include <stdlib.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static char *p;\n\
             static void *work(void *x) {{ pthread_mutex_lock(&m); {body} pthread_mutex_unlock(&m); return x; }}\n\
             int main(void) {{ pthread_t t; p = malloc(9); pthread_create(&t, 0, work, &t); work(0); pthread_join(t, 0); return 0; }}\n"
        );
        std::fs::write(&source, program).expect("writable");
        let found = uwbmc(&["run", text(&source)]);
        assert!(stdout(&found).contains(expected), "{name}: {}", stdout(&found));
    }
}

/// A thread that is cancelled where it waits, or before, runs what it has put aside for that.
#[test]
fn threads_are_cancelled_where_they_wait() {
    let main = "pthread_mutex_lock(&lock); pthread_create(&t, 0, stuck, 0); pthread_cancel(t); \
        pthread_mutex_unlock(&lock); pthread_join(t, &result); pthread_mutex_lock(&lock);";
    let head = "void *result; void tidy(void *x) { pthread_mutex_unlock(&lock); } \
        void *stuck(void *x) { pthread_mutex_lock(&lock); TIDY sleep(1); pthread_mutex_unlock(&lock); LEAVE return 0; }";
    let rows = [
        ("untidy", "", "", "violated: deadlock"),
        ("tidy", "pthread_cleanup_push(tidy, 0);", "pthread_cleanup_pop(0);", "holds up to bound"),
    ];
    for (name, push, pop, expected) in rows {
        let functions = head.replace("TIDY", push).replace("LEAVE", pop);
        let Some(program) = compiled(&format!("cancel-{name}"), &format!("{functions} {main}"), &[]) else { return };
        let answer = uwbmc(&["run", text(&program)]);
        assert!(stdout(&answer).contains(expected), "{name}: {}{}", stdout(&answer), stderr(&answer));
    }
}

#[test]
fn crashes_divergence_and_wrong_unlocking_are_found() {
    let rows = [
        ("child", "pid_t p = fork(); if (p == 0) *(volatile int *)8 = 1; waitpid(p, 0, 0);", "crash by signal 11"),
        ("crash", "pthread_create(&t, 0, work, 0); *(volatile int *)8 = 1;", "crash by signal 11"),
        ("abort", "pthread_create(&t, 0, work, 0); abort();", "the program aborted itself"),
        ("unheld", "pthread_mutex_unlock(&lock);", "released by a thread that does not hold it"),
        ("endless", "pthread_create(&t, 0, work, 0); for (;;);", "goes on without a visible operation"),
        ("twice", "work(0); pthread_mutex_lock(&lock); pthread_mutex_lock(&lock);", "violated: deadlock"),
    ];
    for (name, main, expected) in rows {
        let Some(program) = compiled(name, main, &[]) else { return };
        let found = uwbmc(&["run", "--patience", "5", text(&program)]);
        assert_eq!(found.status.code(), Some(1), "{name}: {}{}", stdout(&found), stderr(&found));
        assert!(stdout(&found).contains(expected), "{name}: {}", stdout(&found));
    }
    let code = compiled("code", "exit(3);", &[]);
    let Some(program) = code else { return };
    assert_eq!(uwbmc(&["run", text(&program)]).status.code(), Some(0));
    assert_eq!(uwbmc(&["run", "--exit-code", text(&program)]).status.code(), Some(1));
}

/// What the first lines of the examples in Rust say. Data races are none of their findings, whatever the standard library does.
#[test]
fn examples_in_rust_show_what_they_say() {
    if !Command::new("rustc").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there is no `rustc`");
    }
    let files = std::fs::read_dir("programs").expect("examples").map(|file| file.expect("file").path());
    let mut examples: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    examples.sort();
    assert!(examples.len() >= 5, "{examples:?}");
    for example in examples {
        let source = std::fs::read_to_string(&example).expect("a text");
        let expected = source.lines().find_map(|line| line.strip_prefix("//! found: ")).expect("what is found");
        let report = json(&["run", "--json", text(&example)]);
        let found = match (report["verdict"].as_str(), report["violation"].as_str()) {
            (Some("violated"), Some("deadlock")) => "deadlock",
            (Some("violated"), Some(what)) if what.starts_with("failed assertion") => "assertion",
            (Some("holds up to bound"), None) => "nothing",
            _ => "something else",
        };
        assert_eq!(found, expected, "{}: {report}", example.display());
        assert_eq!(report["data_races"], 0, "{}", example.display());
    }
}

/// Two locks of the standard library of Rust, taken in both orders: all reductions see the same interleavings.
#[test]
fn interleavings_of_a_program_in_rust_are_counted() {
    if !Command::new("rustc").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there is no `rustc`");
    }
    let source = temporary("both_orders.rs");
    let program = "use std::sync::Mutex;\nstatic A: Mutex<i32> = Mutex::new(0);\nstatic B: Mutex<i32> = Mutex::new(0);\n\
        fn main() { let other = std::thread::spawn(|| { let _a = A.lock(); let _b = B.lock(); });\n\
        { let _b = B.lock(); let _a = A.lock(); }\nlet _ = other.join(); }\n";
    std::fs::write(&source, program).expect("writable");
    let [sleep, found, optimal] = ["sleep", "source", "optimal"].map(|reduction| {
        json(&["run", "--json", "--all", "--search", "exhaustive", "--por", reduction, text(&source)])
    });
    for report in [&sleep, &found, &optimal] {
        assert_eq!((&report["complete"], &report["wrong"]), (&sleep["complete"], &1.into()), "{report}");
        assert_eq!(report["violation"], "deadlock");
    }
    assert_eq!(optimal["asleep"], 0, "{optimal}");
}

#[test]
fn flags_for_rust_make_its_locks_visible() {
    let flags = uwbmc(&["flags", "rust"]);
    assert_eq!(flags.status.code(), Some(0));
    let program = temporary("accounts");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "-O", "-o"]).arg(&program).arg("programs/accounts.rs");
    if !rustc.args(stdout(&flags).split_whitespace()).status().is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there is no `rustc`, or it does not link");
    }
    let found = uwbmc(&["run", text(&program)]);
    assert!(stdout(&found).contains("violated: deadlock"), "{}{}", stdout(&found), stderr(&found));
}

/// The processes whose program is at a path.
pub fn processes_of(program: &Path) -> usize {
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let links = processes.filter_map(|process| std::fs::read_link(process.path().join("exe")).ok());
    links.filter(|link| link == program).count()
}

#[test]
fn nothing_is_left_behind_when_uwbmc_is_killed() {
    let Some(program) = compiled("lasting", "pthread_create(&t, 0, work, 0); for (;;);", &[]) else { return };
    let program = program.canonicalize().expect("a path");
    let mut child = Command::new(env!("CARGO_BIN_EXE_uwbmc"))
        .args(["run", "--patience", "600"])
        .arg(&program)
        .stdout(Stdio::null())
        .spawn()
        .expect("uwbmc");
    // The server, and the process of a run.
    let is_running = wait_until(|| processes_of(&program) >= 2);
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert!(is_running);
    assert!(wait_until(|| processes_of(&program) == 0), "{} processes are left", processes_of(&program));
    let name = format!("uwbmc-{}-", child.id());
    let left = |folder: &Path| {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.filter(|file| file.file_name().to_string_lossy().starts_with(&name)).count()
    };
    assert_eq!(left(Path::new("/dev/shm")) + left(&std::env::temp_dir()), 0);
}

/// Eight threads that take a lock, in 8! orders; each run of the program appends a byte to a file.
fn eight(name: &str, file: &Path, end: &str) -> Option<PathBuf> {
    let note =
        format!(r#"int f = open("{}", O_CREAT | O_APPEND | O_WRONLY, 0600); write(f, "x", 1); close(f);"#, text(file));
    compiled(name, &format!("for (int i = 0; i < 8; i++) pthread_create(&t, 0, work, 0); {note} {end}"), &[])
}

#[test]
fn an_exploration_that_is_interrupted_tells_what_was_found() {
    for (name, end, expected, code) in [("wrong", "abort();", "violated", 1), ("right", "", "unknown", 3)] {
        let file = temporary(&format!("{name}-runs"));
        let _ = std::fs::remove_file(&file);
        let Some(program) = eight(&format!("interrupted-{name}"), &file, end) else { return };
        let program = program.canonicalize().expect("a path");
        let child = Command::new(env!("CARGO_BIN_EXE_uwbmc"))
            .args(["run", "--all", "--json", "--jobs", "2"])
            .arg(&program)
            .stdout(Stdio::piped())
            .spawn()
            .expect("uwbmc");
        assert!(wait_until(|| std::fs::metadata(&file).is_ok_and(|file| file.len() > 30)));
        let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(interrupt.expect("kill").success());
        let answer = child.wait_with_output().expect("an answer");
        assert_eq!(answer.status.code(), Some(code), "{}", stdout(&answer));
        let report: serde_json::Value = serde_json::from_slice(&answer.stdout).expect("one JSON document");
        assert_eq!(report["verdict"], expected, "{report}");
        let complete = report["complete"].as_u64().expect("a number");
        assert!((1..40320).contains(&complete), "{complete} runs");
        assert!(wait_until(|| processes_of(&program) == 0), "{} processes are left", processes_of(&program));
    }
}

/// A run that takes long does not hold up the end either.
#[test]
fn a_run_ends_when_its_time_is_up() {
    let Some(program) = compiled("slow", "pthread_create(&t, 0, work, 0); for (;;);", &[]) else { return };
    let answer = uwbmc(&["run", "--patience", "600", "--timeout", "0.5", text(&program)]);
    assert_eq!(answer.status.code(), Some(3), "{}", stdout(&answer));
    assert!(stdout(&answer).contains("unknown (out of time after "), "{}", stdout(&answer));
}

#[test]
fn an_exploration_ends_when_its_time_is_up() {
    let Some(program) = eight("timely", &temporary("timely-runs"), "") else { return };
    let answer = uwbmc(&["run", "--search", "exhaustive", "--timeout", "0.5", text(&program)]);
    assert_eq!(answer.status.code(), Some(3), "{}", stdout(&answer));
    assert!(stdout(&answer).contains("unknown (out of time after "), "{}", stdout(&answer));
}

/// Waits for something that happens soon, if at all.
pub fn wait_until(is_so: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() > Duration::from_secs(60) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Functions with which programs wait, look at pipes, execute others and undo what they did.
#[test]
fn ordinary_functions_of_the_system_are_under_control() {
    let looks = "int p[2]; char x; if (pipe(p)) return 1; pid_t c = fork(); \
        if (!c) { close(p[0]); if (write(p[1], \"x\", 1) != 1) return 1; _exit(0); } close(p[1]); \
        struct pollfd f = {p[0], POLLIN, 0}; assert(poll(&f, 1, -1) == 1 && f.revents == POLLIN); \
        assert(read(p[0], &x, 1) == 1); struct timeval tv = {1, 0}; fd_set s; FD_ZERO(&s); FD_SET(p[0], &s); \
        int n = select(p[0] + 1, &s, 0, 0, &tv); assert(n == FD_ISSET(p[0], &s)); waitpid(c, 0, 0);";
    let undo = "int id = semget(77, 1, IPC_CREAT | 0600); struct sembuf b = {0, -1, UNDO}; semctl(id, 0, SETVAL, 1); \
        pid_t c = fork(); if (!c) { semop(id, &b, 1); _exit(0); } waitpid(c, 0, 0); semop(id, &b, 1);";
    let rows = [
        ("poll", looks.to_owned(), "holds up to bound"),
        ("late", looks.replace("n == FD_ISSET(p[0], &s)", "n == 1"), "violated: failed assertion"),
        ("undone", undo.replace("UNDO", "SEM_UNDO"), "holds"),
        ("kept", undo.replace("UNDO", "0"), "violated: deadlock"),
        ("sleep", "pthread_create(&t, 0, work, 0); poll(0, 0, 100000); pthread_join(t, 0);".to_owned(), "holds"),
        (
            "try",
            "pthread_create(&t, 0, work, 0); assert(pthread_tryjoin_np(t, 0) == EBUSY);".to_owned(),
            "failed assertion",
        ),
        (
            "ask",
            "pthread_create(&t, 0, work, 0); assert(pthread_kill(t, 0) == 0); pthread_join(t, 0);".to_owned(),
            "holds",
        ),
        ("stream", "flockfile(stderr); pthread_create(&t, 0, locks, 0); pthread_join(t, 0);".to_owned(), "deadlock"),
        ("raw", "if (syscall(SYS_fork) == 0) _exit(0);".to_owned(), "call fork or pthread_create"),
        ("bomb", "pthread_create(&t, 0, work, 0); for (;;) fork();".to_owned(), "more than 256 threads"),
    ];
    for (name, main, expected) in rows {
        let main = format!("void *locks(void *x) {{ flockfile(stderr); return x; }} {main}");
        let Some(program) = compiled(&format!("system-{name}"), &main, &[]) else { return };
        let answer = uwbmc(&["run", text(&program)]);
        assert!(stdout(&answer).contains(expected), "{name}: {}{}", stdout(&answer), stderr(&answer));
    }
}

/// What the program executes and spawns is under control too, by whichever function.
#[test]
fn programs_are_executed_by_lists_of_arguments_and_spawned() {
    let main = "";
    let rows = [
        ("execl", "if (!fork()) { execl(ME, ME, \"lock\", NULL); _exit(9); } wait(0);"),
        ("execlp", "if (!fork()) { execlp(ME, ME, \"lock\", NULL); _exit(9); } wait(0);"),
        (
            "execle",
            "if (!fork()) { execle(ME, ME, \"a\", \"b\", \"c\", \"d\", \"lock\", NULL, environ); _exit(9); } wait(0);",
        ),
        ("spawn", "char *list[] = {ME, \"lock\", 0}; assert(!posix_spawn(0, ME, 0, 0, list, environ)); wait(0);"),
    ];
    for (name, body) in rows {
        let functions = format!(
            "{main} extern char **environ; const char *ME = \"/proc/self/exe\"; \
             char end[200]; FILE *f = fopen(\"/proc/self/cmdline\", \"r\"); size_t n = fread(end, 1, 199, f); fclose(f); \
             if (n > 5 && !strcmp(end + n - 5, \"lock\")) {{ pthread_mutex_lock(&lock); pthread_mutex_lock(&lock); }} "
        );
        let body = body.replace("{ME,", "{(char *)ME,");
        let Some(program) = compiled(&format!("list-{name}"), &format!("{functions}{body}"), &[]) else { return };
        let answer = uwbmc(&["run", text(&program)]);
        assert!(stdout(&answer).contains("violated: deadlock"), "{name}: {}{}", stdout(&answer), stderr(&answer));
    }
}

/// Two locks that have no names of their own, taken in both orders.
const FORKS: &str = "#include <pthread.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <uwbmc.h>\n\
    static pthread_mutex_t *a, *b;\n\
    static void *work(void *x) { pthread_mutex_lock(a); puts(\"left\"); pthread_mutex_lock(b); pthread_mutex_unlock(b); \
    pthread_mutex_unlock(a); return x; }\n\
    int main(void) { pthread_t t; a = malloc(40); b = malloc(40); pthread_mutex_init(a, 0); pthread_mutex_init(b, 0);\n\
    VS_name(a, \"left fork\"); VS_name(b, \"right fork\"); pthread_create(&t, 0, work, 0);\n\
    pthread_mutex_lock(b); pthread_mutex_lock(a); pthread_mutex_unlock(a); pthread_mutex_unlock(b);\n\
    return pthread_join(t, 0); }\n";

#[test]
fn objects_have_the_names_that_the_program_gives_them() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let source = temporary("forks.c");
    std::fs::write(&source, FORKS).expect("writable");
    let found = stdout(&uwbmc(&["run", text(&source)]));
    assert!(found.contains("T0 waits at line 9: lock left fork, which T1 holds"), "{found}");
    assert!(found.contains("T1 waits at line 6: lock right fork, which T0 holds"), "{found}");
}

#[test]
fn a_run_is_replayed_from_its_trace_alone() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let (source, trace) = (temporary("replayed.c"), temporary("replayed.json"));
    std::fs::write(&source, FORKS).expect("writable");
    assert_eq!(uwbmc(&["run", "--trace", text(&trace), text(&source)]).status.code(), Some(1));
    let again = uwbmc(&["replay", text(&trace)]);
    assert_eq!(again.status.code(), Some(0), "{}{}", stdout(&again), stderr(&again));
    assert!(stdout(&again).contains("steps of the program\ndeadlock is violated in state"), "{}", stdout(&again));
    // With one thread fewer it is no run of the program.
    std::fs::write(&source, FORKS.replace("pthread_create(&t, 0, work, 0);", "")).expect("writable");
    let other = uwbmc(&["replay", text(&trace)]);
    assert_eq!(other.status.code(), Some(1), "{}", stdout(&other));
    assert!(stdout(&other).starts_with("rejected: "), "{}", stdout(&other));
}

#[test]
fn a_debugger_sees_the_program_before_the_last_step() {
    let has_debugger = Command::new("gdb").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_compiler() || !has_debugger {
        return eprintln!("skipped: no C compiler, or no gdb");
    }
    let (source, trace) = (temporary("debugged.c"), temporary("debugged.json"));
    std::fs::write(&source, FORKS).expect("writable");
    uwbmc(&["run", "--trace", text(&trace), text(&source)]);
    let found = uwbmc_with(&["replay", "--gdb", text(&trace)], "thread apply all bt\nkill\nquit\n");
    assert!(found.contains("in work (") && found.contains("in main ("), "{found}");
}

#[test]
fn a_program_is_walked_through_step_by_step() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let source = temporary("walked.c");
    std::fs::write(&source, FORKS).expect("writable");
    let source = text(&source);
    // Init, init, create; then the main thread takes the right fork, and the other one starts.
    let walked = uwbmc_with(&["simulate", "-i", source], "0\n0\n0\n0\nu\nx\nq\n");
    assert!(walked.contains("step 2: T0 mutex init right fork"), "{walked}");
    assert!(walked.contains("back after step 3"), "{walked}");
    assert!(walked.contains("[1] T1 start (main in ") && walked.contains("walked.c:8)"), "{walked}");
    assert!(walked.contains("a number from the list, u to undo, or q to quit"), "{walked}");
    let random = uwbmc(&["simulate", "--steps", "1000", source]);
    let end = stdout(&random);
    assert!(end.contains("the program has ended") || end.contains("violated: deadlock"), "{end}");
}

/// Executes uwbmc with some lines as its input; what it prints.
fn uwbmc_with(arguments: &[&str], input: &str) -> String {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_uwbmc"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("uwbmc");
    child.stdin.take().expect("input").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("ended");
    format!("{}{}", stdout(&output), stderr(&output))
}

#[test]
fn a_found_run_is_simplified() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let switches = |arguments: &[&str]| {
        let report = json(arguments);
        let steps = report["trace"]["steps"].as_array().expect("steps").clone();
        let count = steps.windows(2).filter(|pair| pair[0]["process"] != pair[1]["process"]).count();
        (count, report["violation"].clone(), report["simplified"].clone())
    };
    let run = ["run", "--json", "--search", "random", "--seed", "3", "programs/philosophers.c"];
    let (plain, violation, _) = switches(&run);
    let (fewer, same, note) = switches(&[&run[..6], &["--simplify"], &run[6..]].concat());
    assert_eq!(violation, same);
    assert!(fewer < plain, "{fewer} instead of {plain}: {note}");
}

/// A thread that waits for a lock while another one goes on and on, as [God97] defines a livelock.
#[test]
fn a_livelock_is_a_thread_that_cannot_move_for_long() {
    let Some(program) = starving("livelock") else { return };
    let found = uwbmc(&["run", "--livelock", "30", text(&program)]);
    assert_eq!(found.status.code(), Some(1), "{}", stdout(&found));
    assert!(stdout(&found).contains("violated: livelock: a thread cannot move in more than 30"), "{}", stdout(&found));
    assert_eq!(uwbmc(&["run", "--livelock", "50", text(&program)]).status.code(), Some(0));
}

/// A program whose thread waits for a lock while the first one goes on and on.
fn starving(name: &str) -> Option<PathBuf> {
    let main = "pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER; sem_t there; sem_init(&there, 0, 0); \
        void *waits(void *x) { sem_post(&there); return work(x); } \
        pthread_mutex_lock(&lock); pthread_create(&t, 0, waits, 0); sem_wait(&there); \
        for (int i = 0; i < 20; i++) { pthread_mutex_lock(&other); pthread_mutex_unlock(&other); } \
        pthread_mutex_unlock(&lock); pthread_join(t, 0);";
    compiled(name, main, &[])
}

/// Runs that end where something was noticed are replayed up to there.
#[test]
fn livelocks_and_data_races_are_replayed() {
    let Some(starving) = starving("starving") else { return };
    let racy = temporary("racing.c");
    let program = "#include <assert.h>\n#include <pthread.h>\nstatic int x;\nstatic void *work(void *a) { x = 1; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 2; pthread_join(t, 0); return 0; }\n";
    std::fs::write(&racy, program).expect("writable");
    let rows = [(&["--livelock", "30"][..], starving, "livelock: a thread cannot move"), (&[], racy, "data race")];
    for (options, program, expected) in rows {
        let trace = temporary("noticed.json");
        let found = uwbmc(&[&["run", "--trace", text(&trace)], options, &[text(&program)]].concat());
        assert_eq!(found.status.code(), Some(1), "{}{}", stdout(&found), stderr(&found));
        let again = uwbmc(&["replay", text(&trace)]);
        assert_eq!(again.status.code(), Some(0), "{}{}", stdout(&again), stderr(&again));
        assert!(stdout(&again).contains(expected), "{}", stdout(&again));
    }
}

#[test]
fn a_debugger_that_is_missing_is_asked_for() {
    let locks_twice = "pthread_mutex_lock(&lock); pthread_mutex_lock(&lock);";
    let Some(program) = compiled("undebugged", locks_twice, &[]) else { return };
    let trace = temporary("undebugged.json");
    assert_eq!(uwbmc(&["run", "--trace", text(&trace), text(&program)]).status.code(), Some(1));
    let mut replay = Command::new(env!("CARGO_BIN_EXE_uwbmc"));
    let answer = replay.args(["replay", "--gdb", text(&trace)]).env("PATH", "/nowhere").output().expect("uwbmc");
    assert_eq!(answer.status.code(), Some(2), "{}", stdout(&answer));
    assert!(stderr(&answer).contains("install gdb, or use uwbmc replay without --gdb"), "{}", stderr(&answer));
}
