//! Compiling and exploring programs.

pub mod traces;

use scheduler::{
    Command, ExitCodes, Exploration, Limits, Link, Member, Members, Options, Reduction, Session, Strategy, explore,
};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Whether the accesses of a program to memory are operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Hidden,
    Visible,
}

/// A compiled program, which is removed in the end.
pub struct Compiled {
    folder: PathBuf,
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Compiles a program; none where there is no compiler.
pub fn compile(source: &Path, flags: &[&str], memory: Memory) -> Option<Compiled> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("uwbmc-test-{}-{number}", std::process::id()));
    std::fs::create_dir(&folder).expect("a folder");
    let compiled = Compiled { folder };
    let (object, library) = (compiled.folder.join("object.o"), compiled.folder.join("libuwbmc.so"));
    std::fs::write(&library, runtime::LIBRARY).expect("library");
    std::fs::write(compiled.folder.join("uwbmc.h"), runtime::HEADER).expect("header");
    if source.extension().is_some_and(|ending| ending == "rs") {
        return compile_rust(source, flags, &compiled.folder.join("program")).then_some(compiled);
    }
    let compiler = if source.extension().is_some_and(|ending| ending == "cpp") { "c++" } else { "cc" };
    let mut cc = std::process::Command::new(compiler);
    if memory == Memory::Visible {
        cc.arg("-fsanitize=thread");
    }
    cc.args(["-g", "-O1", "-pthread", "-c"])
        .args(flags)
        .arg("-I")
        .arg(&compiled.folder)
        .arg("-o")
        .arg(&object)
        .arg(source);
    let Ok(status) = cc.status() else {
        eprintln!("skipped: there is no compiler `{compiler}`");
        return None;
    };
    assert!(status.success(), "{}", source.display());
    let mut link = std::process::Command::new(compiler);
    link.arg("-pthread").arg("-o").arg(compiled.folder.join("program")).arg(&object);
    if memory == Memory::Visible {
        link.arg(&library);
    }
    assert!(link.status().expect("linker").success(), "{}", source.display());
    Some(compiled)
}

/// Compiles a program in Rust so that its atomic accesses are visible; not where there is no compiler.
fn compile_rust(source: &Path, flags: &[&str], program: &Path) -> bool {
    let mut rustc = std::process::Command::new("rustc");
    rustc.args(["--edition=2024", "-Cpasses=tsan-module,function(tsan)"]).args(flags);
    rustc.arg("-Clink-arg=-Wl,--unresolved-symbols=ignore-in-object-files").arg("-o").args([program, source]);
    let Ok(status) = rustc.status() else {
        eprintln!("skipped: there is no compiler `rustc`");
        return false;
    };
    assert!(status.success(), "{}", source.display());
    true
}

/// Explores a program that is executed several times, each with arguments of its own, until something is found.
pub fn together(program: &Compiled, arguments: &[&[&str]]) -> Exploration {
    let mut session = connected(program, arguments, &[]);
    explore(&mut session, &defaults(), &mut |_| ControlFlow::Continue(())).expect("exploration")
}

/// A program that is executed several times, each with arguments of its own, and connected.
pub fn connected(program: &Compiled, arguments: &[&[&str]], links: &[Link]) -> Session {
    let path = program.folder.join("program");
    let words = |arguments: &&[&str]| {
        [path.clone().into_os_string()].into_iter().chain(arguments.iter().map(OsString::from)).collect()
    };
    let member = |arguments| Member { words: words(arguments), folder: program.folder.clone(), settings: Vec::new() };
    let programs = arguments.iter().map(member).collect();
    let members = Members { programs, links: links.to_vec() };
    Session::start(command(path.clone(), Vec::new(), members, Duration::from_secs(60))).expect("session")
}

fn command(program: PathBuf, arguments: Vec<OsString>, members: Members, patience: Duration) -> Command {
    Command { program, arguments, members, patience, limits: Limits::default() }
}

impl Compiled {
    pub fn session(&self, arguments: &[String]) -> Session {
        self.session_with(arguments, Duration::from_secs(60))
    }

    pub fn session_with(&self, arguments: &[String], patience: Duration) -> Session {
        let arguments = arguments.iter().map(OsString::from).collect();
        let program = self.folder.join("program");
        Session::start(command(program, arguments, Members::default(), patience)).expect("session")
    }
}

/// Explores all interleavings.
pub fn explored(program: &Compiled, arguments: &[String], reduction: Reduction) -> Exploration {
    explored_by(program.session(arguments), reduction)
}

/// Explores all interleavings of the program of a session.
pub fn explored_by(mut session: Session, reduction: Reduction) -> Exploration {
    // Sleep sets alone can need hundreds of runs for each trace.
    let (strategy, runs, servers) = (Strategy::Exhaustive, u64::MAX, 2);
    let options = Options { strategy, reduction, finds_all: true, runs, servers, ..defaults() };
    explore(&mut session, &options, &mut |_| ControlFlow::Continue(())).expect("exploration")
}

/// Explores until something is found, by threads that may go on for some time without a visible operation.
pub fn in_turns_with(program: &Compiled, patience: Duration) -> Exploration {
    explore(&mut program.session_with(&[], patience), &defaults(), &mut |_| ControlFlow::Continue(()))
        .expect("exploration")
}

/// Explores as options say.
pub fn explored_as(program: &Compiled, options: &Options) -> Exploration {
    explore(&mut program.session(&[]), options, &mut |_| ControlFlow::Continue(())).expect("exploration")
}

/// Explores until something is found.
pub fn in_turns(program: &Compiled) -> Exploration {
    explored_as(program, &defaults())
}

/// What is asked for where nothing else is said.
pub fn defaults() -> Options {
    Options {
        strategy: Strategy::Turns,
        reduction: Reduction::Optimal,
        depth: 5000,
        runs: 50_000,
        seed: 1,
        livelock: None,
        exit_codes: ExitCodes::Ignored,
        finds_all: false,
        runs_after_race: u64::MAX,
        servers: 1,
    }
}

/// Pieces of what threads do; see `script.c`. The digits of objects are `#` and `@`.
pub const PIECES: &[&str] = &[
    "l#u#", "l#l@u@u#", "t#", "R#U#", "W#U#", "p#", "w#", "y#", "c#", "s#", "b#", "B0", "r#", "v#", "r#v#", "x1", "x2",
    "i0v#", "r#a0", "l#r@v@u#", "i0p#",
];

/// Pieces that compare words of memory, and wait at them.
pub const WORDS: &[&str] =
    &["h#f#", "h#h@f@f#", "h#r@v@f#", "e#", "d#", "e#i0z#", "g#", "o#", "z#", "z#k#", "q#", "Q#", "k#", "x1", "o#i0k#"];

/// Pieces that send signals to the process and to the thread itself, and take them.
pub const SIGNALS: &[&str] = &["n#", "m#", "j#", "J0", "n#j@", "j#i0n@", "J0i0v#", "r#a0", "x1", "l#n@u#", "l#j@u#"];

/// What threads do that meet at one word: waiting and waking in both orders, waiting for a value that another writes, and
/// comparing where others write and read, and setting a word to what it is already, where a write is not atomic.
pub const MEETINGS: &[&[&str]] = &[
    &["q0", "k0"],
    &["Q0", "g0k0"],
    &["g0", "Q0", "k0"],
    &["k0", "Q0", "g0"],
    &["g0", "e0", "o0"],
    &["g0", "d0", "o0"],
    &["e0", "d0", "o0", "z0"],
    &["h0f0", "h0f0", "o0"],
    &["Z0", "E0", "o0"],
    &["o0", "E0", "Z0"],
    &["E0", "Z0", "o0", "e0"],
];

/// What two or three threads do, and now and then that the program does not wait for their ends.
pub fn random_script(seed: u64, pieces: &[&str], length: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let threads = random.usize(2..=3);
    let mut script: Vec<String> = (0..threads).map(|_| random_thread(&mut random, pieces, length - threads)).collect();
    script.extend((random.usize(..4) == 0).then(|| ".".to_owned()));
    script
}

fn random_thread(random: &mut fastrand::Rng, pieces: &[&str], length: usize) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(1..=length) {
        let piece = random.choice(pieces).copied().unwrap_or("v#");
        let (one, other) = (random.usize(0..2).to_string(), random.usize(0..2).to_string());
        text += &piece.replace('#', &one).replace('@', &other);
    }
    text
}
