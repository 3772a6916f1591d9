//! Compiling programs so that their accesses to memory are visible: the compiler announces each access, as it does for
//! its own detector of data races, but to us.

use super::rust;
use super::scratch::Scratch;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The flags that the compiler needs.
const INSTRUMENT: [&str; 3] = ["-fsanitize=thread", "-g", "-pthread"];

/// The library that programs are linked against, under the name that they look for it by.
const LIBRARY: &str = "libuwbmc.so";

/// A program that was compiled for a single exploration; it is removed afterwards.
#[derive(Debug)]
pub struct Compiled {
    scratch: Scratch,
    /// The program.
    pub program: PathBuf,
}

/// Whether a file is the text of a program: its name says so, and it is none itself.
pub fn is_source(path: &Path) -> bool {
    (compiler_for(path).is_some() || rust::is_rust(path)) && !is_executable(path)
}

/// Whether a file begins as programs do.
fn is_executable(path: &Path) -> bool {
    let mut head = [0; 4];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *b"\x7fELF"
}

fn compiler_for(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "c" | "i" => Some("cc"),
        "cc" | "cpp" | "cxx" | "C" => Some("c++"),
        _ => None,
    }
}

impl Compiled {
    /// Compiles the text of a program.
    pub fn of(source: &Path) -> io::Result<Result<Compiled, ExitStatus>> {
        let scratch = Scratch::new()?;
        let compiled = Compiled { program: scratch.path().join("program"), scratch };
        if rust::is_rust(source) {
            let status = rust::compile(source, &compiled.program, compiled.scratch.path())?;
            return Ok(if status.success() { Ok(compiled) } else { Err(status) });
        }
        let compiler = compiler_for(source).unwrap_or("cc");
        let mut arguments = vec![OsStr::new("-O0"), OsStr::new("-w"), source.as_os_str(), OsStr::new("-lm")];
        arguments.extend([OsStr::new("-o"), compiled.program.as_os_str()]);
        let arguments: Vec<OsString> = arguments.into_iter().map(OsString::from).collect();
        let status = compile(compiler, &arguments)?;
        Ok(if status.success() { Ok(compiled) } else { Err(status) })
    }
}

/// Runs a compiler with arguments of its own and ours.
pub fn compile(compiler: &str, arguments: &[OsString]) -> io::Result<ExitStatus> {
    compile_with(compiler, arguments, Scratch::new()?.path())
}

fn compile_with(compiler: &str, arguments: &[OsString], folder: &Path) -> io::Result<ExitStatus> {
    fs::write(folder.join(LIBRARY), runtime::LIBRARY)?;
    fs::write(folder.join("uwbmc.h"), runtime::HEADER)?;
    let is_linking = !arguments.iter().any(|argument| ["-c", "-S", "-E"].iter().any(|flag| argument == flag));
    if !is_linking {
        return Command::new(compiler).args(INSTRUMENT).arg("-I").arg(folder).args(arguments).status();
    }
    link(compiler, arguments, folder)
}

/// Compiles the sources one by one, and links them without the compiler's own library for the accesses, which
/// `-fsanitize=thread` would bring in.
fn link(compiler: &str, arguments: &[OsString], folder: &Path) -> io::Result<ExitStatus> {
    let is_text = |argument: &OsString| compiler_for(Path::new(argument)).is_some() && Path::new(argument).exists();
    let is_for_linker = |argument: &OsString| {
        let text = argument.to_string_lossy();
        text.starts_with("-l")
            || text.starts_with("-L")
            || text.starts_with("-Wl,")
            || text.ends_with(".o")
            || text.ends_with(".a")
    };
    let mut options = Vec::new();
    let mut linked = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "-o" {
            linked.push(argument.clone());
            linked.extend(arguments.next().cloned());
        } else if is_for_linker(argument) {
            linked.push(argument.clone());
        } else if !is_text(argument) {
            options.push(argument.clone());
        } else {
            linked.push(argument.clone());
        }
    }
    let mut objects = Vec::new();
    for argument in linked {
        if !is_text(&argument) {
            objects.push(argument);
            continue;
        }
        let object = folder.join(format!("{}.o", objects.len()));
        let mut command = Command::new(compiler);
        command.args(INSTRUMENT).arg("-I").arg(folder).args(&options).arg("-c").arg(&argument).arg("-o").arg(&object);
        let status = command.status()?;
        if !status.success() {
            return Ok(status);
        }
        objects.push(object.into());
    }
    Command::new(compiler).args(options).arg("-pthread").args(objects).arg(folder.join(LIBRARY)).status()
}
