//! Programs in Rust: how their atomic accesses become visible.
//!
//! The pass that announces accesses for the compiler's own detector of data races works on the stable compiler too. What
//! it announces is left undefined by the linker: the library that `uwbmc run` loads into the program defines it. Accesses
//! that are not atomic are not announced; in safe Rust they do not race.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// The flags that rustc needs.
pub const FLAGS: [&str; 2] =
    ["-Cpasses=tsan-module,function(tsan)", "-Clink-arg=-Wl,--unresolved-symbols=ignore-in-object-files"];

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
    let program_flags = ["--edition=2024", "-g", "--cap-lints=allow"];
    let mut rustc = Command::new("rustc");
    rustc.args(program_flags).args(FLAGS).arg(visible).arg("-o").args([program, source]).status()
}
