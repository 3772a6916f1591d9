//! Programs in Rust: how their accesses to memory become visible.
//!
//! The pass that announces accesses for the compiler's own detector of data races works on the stable compiler too. What
//! it announces is left undefined by the linker: the library that `uwbmc run` loads into the program defines it. By itself it
//! announces atomic accesses; others only in functions with an attribute, which another pass gives to all functions. In
//! safe Rust they do not race, and a trace is easier to read without them.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// Which accesses of a program in Rust are visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accesses {
    /// Atomic ones, which is enough for safe Rust.
    Atomic,
    /// Others too.
    All,
}

/// What accesses are announced to is found when the program is loaded.
const LINKED: &str = "-Clink-arg=-Wl,--unresolved-symbols=ignore-in-object-files";

impl Accesses {
    /// The accesses that have to be visible in a program with this text.
    fn needed_by(text: &str) -> Accesses {
        if text.contains("unsafe") { Accesses::All } else { Accesses::Atomic }
    }

    /// The flags that rustc needs.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Accesses::Atomic => &["-Cpasses=tsan-module,function(tsan)", LINKED],
            Accesses::All => &[
                "-Cllvm-args=-force-attribute=sanitize_thread",
                "-Cpasses=forceattrs,tsan-module,function(tsan)",
                LINKED,
            ],
        }
    }
}

/// Whether a file is a program in Rust.
pub fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs")
}

/// Compiles a program of one file, which can use the crate `uwbmc_visible`.
pub fn compile(source: &Path, program: &Path, folder: &Path) -> io::Result<ExitStatus> {
    let (text, library) = (folder.join("lib.rs"), folder.join("libuwbmc_visible.rlib"));
    fs::write(&text, uwbmc_visible::SOURCE)?;
    let crate_flags = ["--edition=2024", "--crate-type=rlib", "--crate-name=uwbmc_visible", "--cap-lints=allow", "-o"];
    let status = Command::new("rustc").args(crate_flags).args([&library, &text]).status()?;
    if !status.success() {
        return Ok(status);
    }
    let mut visible = OsString::from("--extern=uwbmc_visible=");
    visible.push(&library);
    let accesses = Accesses::needed_by(&String::from_utf8_lossy(&fs::read(source)?));
    let program_flags = ["--edition=2024", "-g", "--cap-lints=allow"];
    let mut rustc = Command::new("rustc");
    rustc.args(program_flags).args(accesses.flags()).arg(visible).arg("-o").args([program, source]).status()
}
