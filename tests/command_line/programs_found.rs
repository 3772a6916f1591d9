//! `uwbmc run` on programs as they are found: with Makefiles, exit codes, seeds of their own and long loops.

use super::programs::{compiled, has_compiler};
use std::process::Command;
use testkit::command::{json, stderr, stdout, temporary, text, uwbmc};

/// What a Makefile passes to its compiler is passed to ours: detectors of its own, libraries in several ways, a language.
#[test]
fn options_of_makefiles_are_understood() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let folder = temporary("options");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    std::fs::write(path("more.c"), "int more(int number) { return number + 1; }\n").expect("writable");
    let main = "#include <assert.h>\n#include <pthread.h>\nint more(int); int count;\n\
        void *add(void *x) { count = more(count); return x; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); assert(count == 2); }\n";
    std::fs::write(path("main.c"), main).expect("writable");
    let compiled = uwbmc(&["cc", "-c", "-fsanitize=address", &path("more.c"), "-o", &path("more.o")]);
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    let archived = Command::new("ar").arg("rcs").args([path("libmore.a"), path("more.o")]).status();
    assert!(archived.is_ok_and(|status| status.success()), "ar comes with the compiler");
    let (main, more, program) = (path("main.c"), path("more.c"), path("program"));
    let ways: [&[&str]; 5] = [
        &["-fsanitize=thread", "-O1", &main, &more, "-lpthread"],
        &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", &main, &more],
        &["-flto", "-O2", "-static", &main, &more],
        &["-x", "c", &main, &more, "-Xlinker", "--as-needed"],
        &[&main, "-L", text(&folder), "-l", "more", "-l", "pthread"],
    ];
    for way in ways {
        let compiled = uwbmc(&[&["cc", "-g", "-o", &program], way].concat());
        assert!(compiled.status.success(), "{way:?}: {}", stderr(&compiled));
        let found = uwbmc(&["run", &program]);
        assert!(stdout(&found).contains("violated: failed assertion"), "{way:?}: {}{}", stdout(&found), stderr(&found));
    }
}

/// A program may be right and still exit with another code in some interleavings: that is told.
#[test]
fn exit_codes_that_depend_on_the_interleaving_are_told() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let source = temporary("codes.c");
    let program = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int done;\n\
        void *work(void *x) { done = 1; return x; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); int code = done; pthread_join(t, 0); return code; }\n";
    std::fs::write(&source, program).expect("writable");
    let fine = uwbmc(&["run", text(&source)]);
    assert_eq!(fine.status.code(), Some(0), "{}", stdout(&fine));
    assert!(stdout(&fine).contains("exit codes from 0 to 1: they depend on the interleaving"), "{}", stdout(&fine));
    assert_eq!(json(&["run", "--json", text(&source)])["exit_codes"], serde_json::json!([0, 1]));
    let wrong = uwbmc(&["run", "--exit-code", text(&source)]);
    assert!(stdout(&wrong).contains("violated: exit code 1"), "{}", stdout(&wrong));
}

/// The number of a process stands for a random one in many programs. Where a program can do nothing else with it, it repeats.
#[test]
fn a_program_may_take_its_number_for_a_random_one() {
    let main = "srand(getpid()); if (rand() % 2) usleep(1); if (getpid() != gettid()) return 1; \
        pthread_create(&t, 0, work, 0); if (rand() % 2) usleep(1); pthread_join(t, 0); assert(rand() % 2 < 0);";
    let Some(program) = compiled("numbered", main, &[]) else { return };
    let found = uwbmc(&["run", text(&program)]);
    assert!(stdout(&found).contains("violated: failed assertion"), "{}", stdout(&found));
    let main = "pthread_create(&t, 0, work, 0); pthread_join(t, 0); \
        pid_t child = fork(); if (!child) _exit(getppid() == getpid()); int code; waitpid(child, &code, 0); assert(!code);";
    let Some(program) = compiled("parents", main, &[]) else { return };
    let fine = uwbmc(&["run", text(&program)]);
    assert_eq!(fine.status.code(), Some(0), "{}", stdout(&fine));
}

/// What comes after loops of very many accesses is met, and such runs are replayed.
#[test]
fn what_comes_after_long_loops_is_found() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let (source, trace) = (temporary("long.c"), temporary("long.json"));
    let program = "#include <assert.h>\n#include <pthread.h>\nint sums[2], count;\n\
        void *work(void *x) { int *sum = x; for (int i = 0; i < 40000; i++) *sum += i; count = count + 1; return x; }\n\
        int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(t + i, 0, work, sums + i);\n\
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(count == 2); }\n";
    std::fs::write(&source, program).expect("writable");
    let found = uwbmc(&["run", "--trace", text(&trace), text(&source)]);
    assert!(stdout(&found).contains("violated: failed assertion"), "{}", stdout(&found));
    let again = uwbmc(&["replay", text(&trace)]);
    assert!(stdout(&again).starts_with("accepted: "), "{}{}", stdout(&again), stderr(&again));
}

/// What a function does whose name begins with `__VERIFIER_atomic_` is one step, however the program is compiled, and what other functions do that
/// are written alike is not.
#[test]
fn functions_of_the_competition_are_executed_in_one_step() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let program = "#include <assert.h>\n#include <pthread.h>\nvoid __VERIFIER_assume(int);\nint held, count;\n#ifndef STATIC\n#define STATIC\n#endif\n\
        STATIC void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(held == 0); held = 1; }\n\
        STATIC void acquire(void) { __VERIFIER_assume(held == 0); held = 1; }\n\
        STATIC void __VERIFIER_atomic_release(void) { assert(held == 1); held = 0; }\n\
        STATIC int __VERIFIER_atomic_add(int by) { count = count + by; return count; }\n\
        STATIC int add(int by) { count = count + by; return count; }\n\
        void *work(void *x) { BODY return x; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); assert(count == 2); }\n";
    let rows = [
        ("lock", "__VERIFIER_atomic_acquire(); add(1); __VERIFIER_atomic_release();", "holds (all "),
        ("no-lock", "acquire(); add(1); __VERIFIER_atomic_release();", "violated: failed assertion"),
        ("addition", "__VERIFIER_atomic_add(1);", "holds (all 2 interleavings"),
        ("no-addition", "add(1);", "violated: failed assertion"),
    ];
    for (name, body, expected) in rows {
        let source = temporary(&format!("one-step-{name}.c"));
        std::fs::write(&source, program.replace("BODY", body)).expect("writable");
        for flags in [&["-O0", "-DSTATIC="][..], &["-O2", "-DSTATIC="], &["-O2", "-DSTATIC=static inline"]] {
            let (object, binary) = (temporary("one-step.o"), temporary("one-step"));
            let (object, binary) = (text(&object), text(&binary));
            let compiled = uwbmc(&[&["cc", "-c", text(&source), "-o", object], flags].concat());
            assert!(compiled.status.success(), "{name} {flags:?}: {}", stderr(&compiled));
            let linked = uwbmc(&["cc", object, "-o", binary]);
            assert!(linked.status.success(), "{name} {flags:?}: {}", stderr(&linked));
            let found = uwbmc(&["run", binary]);
            assert!(stdout(&found).contains(expected), "{name} {flags:?}: {}", stdout(&found));
        }
        let found = uwbmc(&["run", text(&source)]);
        assert!(stdout(&found).contains(expected), "{name}: {}", stdout(&found));
    }
}
