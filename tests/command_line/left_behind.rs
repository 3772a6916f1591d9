//! Limits of programs under control, and that nothing is left behind by them.

use super::programs::{compiled, has_compiler, processes_of, wait_until};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testkit::command::{stderr, stdout, temporary, text, uwbmc};

/// Whichever way processes are created, the limit holds for all of them together.
#[test]
fn a_fork_bomb_is_kept_within_limits() {
    for way in ["fork", "vfork"] {
        let Some(program) = compiled(&format!("bomb-{way}"), &format!("for (;;) {way}();"), &[]) else { return };
        let program = program.canonicalize().expect("a path");
        let answer = uwbmc(&["run", "--threads", "9", text(&program)]);
        assert_eq!(answer.status.code(), Some(3), "{way}: {}{}", stdout(&answer), stderr(&answer));
        assert!(stdout(&answer).contains("more threads than --threads allows"), "{way}: {}", stdout(&answer));
        assert!(wait_until(|| processes_of(&program) == 0), "{} processes are left", processes_of(&program));
    }
}

/// The processes that were started with a place for temporary files.
fn processes_with(place: &Path) -> usize {
    let setting = format!("TMPDIR={}", text(place));
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let environments = processes.filter_map(|process| std::fs::read(process.path().join("environ")).ok());
    environments.filter(|bytes| bytes.split(|byte| *byte == 0).any(|word| word == setting.as_bytes())).count()
}

/// Whether a process has an argument that begins so.
fn is_named(beginning: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let mut arguments = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    arguments.any(|bytes| bytes.split(|byte| *byte == 0).any(|word| word.starts_with(beginning.as_bytes())))
}

/// Whether there is a file in memory whose path begins so.
fn exists(beginning: &str) -> bool {
    let files = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    files.map(|file| file.path()).any(|path| text(&path).starts_with(beginning))
}

/// Explores programs, and prints what is left then of files in memory and of objects of the system. Everything that it sees is
/// its own: what others do at the same time is elsewhere.
const EXPLORE: &str = r#"mount -t tmpfs none /dev/shm && mkdir "$TMPDIR/queues" && mount -t mqueue none "$TMPDIR/queues" || exit 9
for program; do "$UWBMC" run --patience 2 --runs 40 "$program" >"$TMPDIR/answer" 2>&1; [ $? -le 3 ] || cat "$TMPDIR/answer"; done
rm "$TMPDIR/answer"
ls -A /dev/shm "$TMPDIR/queues" | grep -v ':$' | grep .
tail -q -n +2 /proc/sysvipc/msg /proc/sysvipc/sem /proc/sysvipc/shm
umount "$TMPDIR/queues" && rmdir "$TMPDIR/queues""#;

#[test]
fn examples_leave_nothing_behind() {
    let has_namespaces = Command::new("unshare").args(["-Urim", "true"]).stderr(Stdio::null()).status();
    if !has_compiler() || !has_namespaces.is_ok_and(|status| status.success()) {
        return eprintln!("skipped: no C compiler, or no namespaces");
    }
    let is_example =
        |path: &PathBuf| path.extension().is_some_and(|end| ["c", "cpp", "rs"].iter().any(|of| end == *of));
    let files = std::fs::read_dir("programs").expect("examples").map(|file| file.expect("file").path());
    let mut examples: Vec<PathBuf> = files.filter(is_example).collect();
    examples.sort();
    assert!(examples.len() >= 20, "{examples:?}");
    let place = temporary("place");
    std::fs::create_dir(&place).expect("a folder");
    let answer = Command::new("unshare")
        .args(["-Urim", "sh", "-c", EXPLORE, "sh", "programs/table/philosophers.toml"])
        .args(&examples)
        .env("TMPDIR", &place)
        .env("UWBMC", env!("CARGO_BIN_EXE_uwbmc"))
        .output()
        .expect("a shell");
    if answer.status.code() == Some(9) {
        return eprintln!("skipped: nothing can be mounted");
    }
    assert_eq!((stdout(&answer), stderr(&answer)), (String::new(), String::new()));
    assert!(wait_until(|| processes_with(&place) == 0), "{} processes are left", processes_with(&place));
    // A folder that is not empty cannot be removed in this way.
    std::fs::remove_dir(&place).expect("nothing is left");
}

/// The program that was compiled for it goes too when an exploration is interrupted.
#[test]
fn an_interruption_leaves_no_file_behind() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let (source, place, sign) = (temporary("endless.c"), temporary("place"), temporary("sign"));
    std::fs::create_dir(&place).expect("a folder");
    let program = format!(
        "#include <fcntl.h>\n#include <pthread.h>\nstatic void *work(void *x) {{ return x; }}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); open({:?}, O_CREAT | O_WRONLY, 0600); for (;;); }}\n",
        text(&sign)
    );
    std::fs::write(&source, program).expect("writable");
    let run = ["run", "--patience", "600", text(&source)];
    let mut uwbmc = Command::new(env!("CARGO_BIN_EXE_uwbmc"));
    let mut child = uwbmc.args(run).env("TMPDIR", &place).stdout(Stdio::null()).spawn().expect("uwbmc");
    let has_begun = wait_until(|| sign.exists());
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(has_begun && interrupted.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().expect("ended").code(), Some(3));
    assert!(wait_until(|| processes_with(&place) == 0), "{} processes are left", processes_with(&place));
    std::fs::remove_dir(&place).expect("nothing is left");
}

#[test]
fn a_program_is_kept_within_limits() {
    let rows = [
        ("file", "int fd = open(\"PLACE\", O_CREAT | O_WRONLY, 0600); work(0); assert(fd >= 0);", "--sandbox", "1"),
        ("memory", "void *p = malloc(1 << 30); work(0); assert(p != NULL);", "--memory", "500"),
        ("threads", "for (int i = 0; i < 3; i++) pthread_create(&t, 0, work, 0);", "--threads", "3"),
    ];
    for (name, main, option, value) in rows {
        let place = temporary("limited");
        let Some(program) = compiled(&format!("within-{name}"), &main.replace("PLACE", text(&place)), &[]) else {
            return;
        };
        assert_eq!(uwbmc(&["run", text(&program)]).status.code(), Some(0), "{name}");
        let options = if option == "--sandbox" { vec![option] } else { vec![option, value] };
        let limited = uwbmc(&[&["run"], &options[..], &[text(&program)]].concat());
        if stderr(&limited).contains("--sandbox needs namespaces") {
            eprintln!("skipped: no namespaces");
            continue;
        }
        assert!(
            [Some(1), Some(3)].contains(&limited.status.code()),
            "{name}: {}{}",
            stdout(&limited),
            stderr(&limited)
        );
    }
}

/// Processes that leave their group are ended with the run; so is everything else when the user loses patience.
#[test]
fn nothing_is_left_behind_by_daemons_and_interruptions() {
    let daemon = "if (!fork()) { setsid(); for (;;); }";
    let Some(program) = compiled("daemon", daemon, &[]) else { return };
    let program = program.canonicalize().expect("a path");
    uwbmc(&["run", "--patience", "2", text(&program)]);
    assert!(wait_until(|| processes_of(&program) == 0), "{} processes are left", processes_of(&program));
    let Some(program) = compiled("interrupted", "pthread_create(&t, 0, work, 0); for (;;);", &[]) else { return };
    let program = program.canonicalize().expect("a path");
    let run = ["run", "--patience", "600", text(&program)];
    let mut child = Command::new(env!("CARGO_BIN_EXE_uwbmc")).args(run).stdout(Stdio::piped()).spawn().expect("uwbmc");
    let is_running = wait_until(|| processes_of(&program) >= 2);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(is_running && interrupted.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().expect("ended").code(), Some(3));
    assert!(wait_until(|| processes_of(&program) == 0), "{} processes are left", processes_of(&program));
}

/// A text is compiled into a folder that is removed by another process, if uwbmc itself cannot any more.
#[test]
fn what_was_compiled_is_removed_when_uwbmc_is_killed() {
    if !has_compiler() {
        return eprintln!("skipped: no C compiler");
    }
    let (place, source) = (temporary("place"), temporary("endless.c"));
    std::fs::create_dir(&place).expect("a folder");
    std::fs::write(&source, "int main(void) { for (;;); }\n").expect("writable");
    let mut child = Command::new(env!("CARGO_BIN_EXE_uwbmc"))
        .args(["run", "--patience", "600", text(&source)])
        .env("TMPDIR", &place)
        .stdout(Stdio::null())
        .spawn()
        .expect("uwbmc");
    let files = || std::fs::read_dir(&place).expect("a folder").flatten().map(|file| file.path().join("program"));
    let is_compiled = wait_until(|| files().any(|program| processes_of(&program) >= 1));
    // The program never tells us that it has begun, and what it would find us by stays, with a process that is to remove it.
    let meeting = format!("/dev/shm/uwbmc-{}-", child.id());
    assert!(!Path::new("/dev/shm").is_dir() || wait_until(|| is_named(&meeting)));
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert!(is_compiled);
    assert!(
        wait_until(|| files().count() == 0 && processes_with(&place) == 0 && !exists(&meeting)),
        "{:?}",
        files().collect::<Vec<_>>()
    );
}
