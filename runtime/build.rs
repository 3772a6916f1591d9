//! Compiles the library that is preloaded into programs, so that the crate can carry it as bytes: `cargo install`
//! installs a single file.
//!
//! The library is this crate's own source with `--cfg uwbmc_preload`, without the standard library, compiled for the
//! same target by the same compiler.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(uwbmc_preload)");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={}", operations_source().parent().unwrap_or(Path::new(".")).display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let library = out.join("libuwbmc_preload.so");
    if !is_supported() {
        std::fs::write(&library, []).expect("cannot write to OUT_DIR");
        return;
    }
    let operations = out.join("libuwbmc_operations.rlib");
    compile(&operations_source(), &["--crate-type=rlib", "--crate-name=operations"], &operations);
    let dependency = format!("operations={}", operations.display());
    // Programs that were linked against the library find the one that is preloaded by this name.
    let name = "-Clink-arg=-Wl,-soname,libuwbmc.so";
    let first = "-Clink-arg=-Wl,-z,initfirst";
    let flags = ["--crate-type=cdylib", "--crate-name=uwbmc_preload", "--cfg=uwbmc_preload", name, first, "--extern"];
    compile(Path::new("src/lib.rs"), &[&flags[..], &[&dependency]].concat(), &library);
}

fn operations_source() -> PathBuf {
    PathBuf::from(operations::SOURCE)
}

/// Whether programs can be controlled on the target: Linux with glibc, on processors that the library knows.
fn is_supported() -> bool {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("CARGO_CFG_TARGET_ARCH", "x86_64")
}

fn compile(source: &Path, flags: &[&str], output: &Path) {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition=2024", "-Cpanic=abort", "-Copt-level=3", "-Cstrip=debuginfo", "-Cforce-unwind-tables=yes"]);
    rustc.args(["--target", &variable("TARGET")]).args(flags).arg("-o").arg(output).arg(source);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={}", linker.to_string_lossy()));
    }
    let status = rustc.status().unwrap_or_else(|error| panic!("cannot start rustc: {error}"));
    assert!(status.success(), "the library for programs does not compile: {}", source.display());
}
