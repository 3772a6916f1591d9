//! `uwbmc run system.toml`: programs that are connected by pipes and sockets.

use crate::programs::{compiled, has_compiler};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use testkit::command::{json, stderr, stdout, temporary, text, uwbmc};

/// The examples: descriptions of systems in folders of `programs`.
fn examples() -> Vec<PathBuf> {
    let paths =
        |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> = paths("programs".into()).filter(|path| path.is_dir()).flat_map(paths).collect();
    all.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    all.sort();
    all
}

/// What the first lines of the examples say, by each reduction.
#[test]
fn systems_show_what_they_say() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let examples = examples();
    assert!(examples.len() >= 5, "{examples:?}");
    for example in examples {
        let description = std::fs::read_to_string(&example).expect("a text");
        let fact = |name: &str| {
            description.lines().find_map(|line| line.strip_prefix(&format!("# {name}: "))).expect("a fact")
        };
        for reduction in ["optimal", "source", "sleep"] {
            let report =
                json(&["run", "--json", "--all", "--search", "exhaustive", "--por", reduction, text(&example)]);
            let found = match report["violation"].as_str() {
                None => "nothing",
                Some("deadlock") => "deadlock",
                Some(what) if what.starts_with("failed assertion") => "assertion",
                Some(_) => "something else",
            };
            let count = report["complete"].to_string();
            assert_eq!(
                (found, &count[..]),
                (fact("found"), fact("interleavings")),
                "{example:?} {reduction}: {report}"
            );
        }
    }
}

/// A deadlock names the pipes as the file does, and is found again by what was written of it.
#[test]
fn a_deadlock_between_programs_is_told_and_replayed() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let trace = temporary("unflushed.json");
    let found = uwbmc(&["run", "--trace", text(&trace), "programs/squares/unflushed.toml"]);
    let told = stdout(&found);
    assert!(told.contains("T1 asker waits at line 13: receive squarer:1 to asker:0"), "{told}");
    assert!(told.contains("T2 squarer waits at line 8: receive asker:1 to squarer:0"), "{told}");
    let again = uwbmc(&["replay", text(&trace)]);
    assert_eq!(again.status.code(), Some(0), "{}{}", stdout(&again), stderr(&again));
    assert!(stdout(&again).contains("deadlock is violated in state"), "{}", stdout(&again));
}

/// Each mistake is told with what to change.
#[test]
fn mistakes_in_links_are_told() {
    let pipe = |from: &str, to: &str| format!("[[pipe]]\nfrom = {from}\nto = {to}\n");
    let rows = [
        (pipe("'a:1'", "'c:0'"), "there is no process c, but a, b"),
        (pipe("'a:1'", "'b'"), "write NAME:DESCRIPTOR, for example b:0 for standard input"),
        (pipe("'a:1'", "'b:256'"), "`256` is no descriptor; write a number from 0 to 255"),
        (pipe("'a:1'", "'b:-1'"), "`-1` is no descriptor"),
        (pipe("'a:1'", "['b:0', 'a:1']"), "a:1 stands twice in the pipe from a:1 to b:0,a:1: leave one of them out"),
        (
            pipe("'a:1'", "'b:0'") + "[[sockets]]\nends = ['b:0', 'a:3']\n",
            "b:0 is used twice, by the pipe from a:1 to b:0 and by the sockets",
        ),
        (pipe("[]", "'b:0'"), "an end without a partner: write `from = \"NAME:DESCRIPTOR\"`"),
        (pipe("'a:1'", "3"), "expected \"NAME:DESCRIPTOR\", or a list of such texts"),
        ("[[pipe]]\nfrom = 'a:1'\n".to_owned(), "missing field `to`"),
        ("[[sockets]]\nends = ['a:3']\n".to_owned(), "sockets have two ends, and here are 1"),
        ("[[sockets]]\nends = ['a:3', []]\n".to_owned(), "sockets have an end without a partner, `[]`"),
        ("[[process]]\nname = ''\ncommand = ['/bin/true']\n".to_owned(), "a process has an empty name"),
        (
            "[[process]]\nname = 'c'\ncommand = ['/bin/true', \"\\u0000\"]\n".to_owned(),
            "the command of \"c\" has a zero byte",
        ),
        (pipe("'a:1'", "'b:0'").repeat(65), "there are 65 pipes and pairs of sockets: at most 64 can be made"),
        ("[[pipes]]\nfrom = 'a:1'\n".to_owned(), "unknown field `pipes`"),
        ("[[process]]\nname = 'a'\ncommand = ['/bin/true']\n".to_owned(), "two processes are called a"),
    ];
    let process = |name| format!("[[process]]\nname = '{name}'\ncommand = ['/bin/true']\n");
    for (links, expected) in rows {
        let file = temporary("linked.toml");
        std::fs::write(&file, process("a") + &process("b") + &links).expect("writable");
        let refused = uwbmc(&["run", text(&file)]);
        assert_eq!(refused.status.code(), Some(2), "{links}");
        assert!(stderr(&refused).contains(expected), "{links}\n{}", stderr(&refused));
    }
}

/// Two programs by their texts, with a pipe from standard output of the first to standard input of the second; the file that describes them.
fn piped(name: &str, writer: &str, reader: &str) -> Option<PathBuf> {
    let mut description = String::new();
    for (role, body) in [("writer", writer), ("reader", reader)] {
        let program = compiled(&format!("{name}-{role}"), body, &[])?;
        writeln!(description, "[[process]]\nname = '{role}'\ncommand = ['{}']", text(&program)).expect("a text");
    }
    description += "[[pipe]]\nfrom = 'writer:1'\nto = 'reader:0'\n";
    let file = temporary(&format!("{name}.toml"));
    std::fs::write(&file, description).expect("writable");
    Some(file)
}

/// Streams of the C library are written when they are in reality: when their buffers of 4096 bytes are full, at the end of the
/// process unless that is sudden, and when they are asked to.
#[test]
fn streams_on_pipes_are_buffered_as_in_reality() {
    let reads =
        "char line[9]; assert(fgets(line, 9, stdin) && !strcmp(line, \"word\\n\")); assert(!fgets(line, 9, stdin));";
    let nothing = "assert(getchar() == EOF);";
    let block =
        "char bytes[5000]; int n, all = 0; while ((n = read(0, bytes, 5000)) > 0) all += n; assert(all == 4096);";
    let rows = [
        ("returns", "puts(\"word\");", reads, "holds"),
        ("exits", "puts(\"word\"); exit(0);", reads, "holds"),
        ("ends", "puts(\"word\"); _exit(0);", nothing, "holds"),
        ("flushes", "puts(\"word\"); fflush(stdout); _exit(0);", reads, "holds"),
        ("lines", "setvbuf(stdout, 0, _IOLBF, 0); puts(\"word\"); _exit(0);", reads, "holds"),
        ("block", "for (int i = 0; i < 1000; i++) printf(\"%s\", \"12345\"); _exit(0);", block, "holds"),
        ("twice", "printf(\"wo\"); fflush(stdout); printf(\"rd\"); puts(\"\");", reads, "holds"),
        (
            "prints",
            "dprintf(1, \"%s%c%.0f\", \"wor\", 'd', 0.4); write(1, \"\\n\", 1);",
            "char c; for (int i = 0; i < 6; i++) assert(getchar() == \"word0\\n\"[i]); c = getchar(); assert(c == EOF);",
            "holds",
        ),
        ("opens", "FILE *f = fdopen(1, \"w\"); fputs(\"word\\n\", f); fclose(f);", reads, "holds"),
        ("closes", "fclose(stdout); pause();", nothing, "not modelled: pause"),
        ("forks", "printf(\"word\"); if (!fork()) { puts(\"\"); exit(0); } wait(0); _exit(0);", reads, "holds"),
        (
            "copies",
            "int p[2]; pipe(p); if (!fork()) { dup2(p[1], 1); close(p[0]); close(p[1]); puts(\"word\"); exit(0); } close(p[1]); char b[9]; assert(read(p[0], b, 9) == 5); wait(0); puts(\"word\");",
            reads,
            "holds",
        ),
        (
            "breaks",
            "signal(SIGPIPE, SIG_IGN); for (int i = 0; i < 3; i++) if (write(1, \"x\", 1) < 0) assert(errno == EPIPE);",
            "close(0);",
            "holds",
        ),
        ("dies", "for (;;) write(1, \"x\", 1);", "close(0);", "crash by signal 13"),
        (
            "command",
            "system(\"echo word\");",
            nothing,
            "system or popen in a process whose standard input or output is a pipe",
        ),
        (
            "threads",
            "pthread_create(&t, 0, work, 0); puts(\"word\"); pthread_join(t, 0);",
            nothing,
            "in a process with several threads: call read and write",
        ),
        ("again", "freopen(\"/dev/null\", \"w\", stdout);", nothing, "call open and dup2"),
        (
            "kept",
            "FILE *old = stdout; int p[2]; pipe(p); dup2(p[1], 2); old = stderr; fputs(\"x\", old);",
            nothing,
            "holds",
        ),
        (
            "captured",
            "int p[2]; FILE *old = stderr; pipe(p); dup2(p[1], 2); fputs(\"x\", old);",
            nothing,
            "a copy of stdin or stdout",
        ),
        ("registers", "void say(void) { puts(\"word\"); } atexit(say);", reads, "holds"),
        ("fails", "assert(dup2(77, 1) < 0); puts(\"word\");", reads, "holds"),
        ("sweeps", "for (int i = 3; i < 1024; i++) close(i); puts(\"word\");", reads, "holds"),
        ("moves", "splice(0, 0, 1, 0, 9, 0);", nothing, "splice on a pipe: call read and write"),
        (
            "counts",
            "int ioctl(int, unsigned long, ...); int n; ioctl(1, 0x541B, &n);",
            nothing,
            "ioctl on a pipe: call read and write",
        ),
        (
            "shares",
            "int p[2]; char b; pipe(p); int copy = dup(p[0]); fcntl(copy, F_SETFL, O_NONBLOCK); assert(read(p[0], &b, 1) < 0 && errno == EAGAIN); puts(\"word\");",
            reads,
            "holds",
        ),
        ("names", "open(\"/dev/stdout\", O_WRONLY);", nothing, "a pipe that is opened as a file of /dev or /proc"),
        ("raw", "syscall(SYS_write, 1, \"x\", 1);", nothing, "call read, write, close or dup2"),
    ];
    for (name, writer, reader, expected) in rows {
        let Some(system) = piped(&format!("stream-{name}"), writer, reader) else { return };
        let answer = stdout(&uwbmc(&["run", "--runs", "300", text(&system)]));
        assert!(answer.contains(expected), "{name}: {answer}");
    }
}

/// `std::cout` and `std::cin` note the streams of the C library before the program begins: they are ours by then.
#[test]
fn streams_of_cpp_are_those_of_the_pipes() {
    let source = temporary("cpp-stream.cpp");
    let body = "#include <iostream>\n#include <cassert>\nint main(int count, char **) { int number = 0; \
        if (count > 1) std::cout << 42 << std::endl; else { assert(std::cin >> number && number == 42); assert(!(std::cin >> number)); } return 0; }\n";
    std::fs::write(&source, body).expect("writable");
    if !Command::new("c++").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return eprintln!("skipped: no C++ compiler");
    }
    let file = temporary("cpp-stream.toml");
    let source = text(&source);
    let description = format!(
        "[[process]]\nname = 'a'\ncommand = ['{source}', 'x']\n[[process]]\nname = 'b'\ncommand = ['{source}']\n[[pipe]]\nfrom = 'a:1'\nto = 'b:0'\n"
    );
    std::fs::write(&file, description).expect("writable");
    let answer = json(&["run", "--json", "--all", text(&file)]);
    assert_eq!((&answer["violation"], &answer["complete"]), (&serde_json::Value::Null, &1.into()), "{answer}");
}

/// Launchers that create pipes, and programs by them.
#[test]
fn launchers_connect_programs_that_they_execute() {
    let me = "extern char **environ; int p[2]; if (getenv(\"ROLE\")) { char b; assert(read(0, &b, 1) == 1 && read(0, &b, 1) == 0); return 0; } \
        assert(!pipe(p)); setenv(\"ROLE\", \"reader\", 1);";
    let rows = [
        (
            "forked",
            "if (!fork()) { dup2(p[0], 0); close(p[0]); close(p[1]); execl(\"/proc/self/exe\", \"me\", NULL); _exit(9); }",
            "holds",
        ),
        (
            "spawned",
            "fcntl(p[1], F_SETFD, FD_CLOEXEC); dup2(p[0], 0); char *list[] = {\"me\", 0}; assert(!posix_spawn(0, \"/proc/self/exe\", 0, 0, list, environ));",
            "holds",
        ),
        (
            "arranged",
            "posix_spawn_file_actions_t a; posix_spawn_file_actions_init(&a); posix_spawn_file_actions_adddup2(&a, p[0], 0); posix_spawn_file_actions_addclose(&a, p[0]); posix_spawn_file_actions_addclose(&a, p[1]); char *list[] = {\"me\", 0}; assert(!posix_spawn(0, \"/proc/self/exe\", &a, 0, list, environ));",
            "holds",
        ),
        (
            "flagged",
            "dup3(p[1], 9, O_CLOEXEC); if (!fork()) { dup2(p[0], 0); close(p[0]); close(p[1]); execl(\"/proc/self/exe\", \"me\", NULL); _exit(9); } close(9);",
            "holds",
        ),
        (
            "swept",
            "if (!fork()) { dup2(p[0], 0); close_range(3, ~0U, 0); execl(\"/proc/self/exe\", \"me\", NULL); _exit(9); }",
            "holds",
        ),
        (
            "leaked",
            "if (!fork()) { dup2(p[0], 0); execl(\"/proc/self/exe\", \"me\", NULL); _exit(9); }",
            "violated: deadlock",
        ),
    ];
    for (name, launch, expected) in rows {
        let main = format!("{me} {launch} close(p[0]); write(p[1], \"x\", 1); close(p[1]); wait(0);");
        let Some(program) = compiled(&format!("launcher-{name}"), &main, &[]) else { return };
        let answer = stdout(&uwbmc(&["run", text(&program)]));
        assert!(answer.contains(expected), "{name}: {answer}");
    }
}

/// One thread closes the descriptor of a pipe that another one writes to: the search does not explore both orders, and says so. After `join`, there is
/// one order only.
#[test]
fn closing_what_other_threads_may_use_is_told() {
    let rows = [
        (
            "beside",
            "close(p[1]); pthread_join(t, 0);",
            "holds up to bound (all 1 interleavings that differ were explored, but threads wait",
        ),
        (
            "after",
            "pthread_join(t, 0); close(p[1]);",
            "(all 1 interleavings that differ by synchronisation were explored",
        ),
    ];
    for (name, end, expected) in rows {
        let main = format!("int p[2]; pipe(p); pthread_create(&t, 0, work, 0); {end}");
        let Some(program) = compiled(&format!("closing-{name}"), &main, &[]) else { return };
        let answer = stdout(&uwbmc(&["run", text(&program)]));
        assert!(answer.contains(expected), "{name}: {answer}");
    }
}
