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

/// Functions whose own names begin so are executed in one step.
const ATOMIC: &str = "__VERIFIER_atomic_";
/// What the compiler needs besides for a text that has such functions: it announces where functions begin and end.
const ANNOUNCE: &str = "-finstrument-functions";

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
    let arguments: Vec<OsString> = arguments.iter().filter(|argument| !is_in_the_way(argument)).cloned().collect();
    let only_compiles =
        |argument: &OsString| ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"].iter().any(|flag| argument == flag);
    if arguments.iter().any(only_compiles) {
        let texts = arguments.iter().filter(|argument| matches!(use_of(argument), Use::Text));
        let announced = texts.filter_map(announcing).take(1);
        return Command::new(compiler).args(INSTRUMENT).args(announced).arg("-I").arg(folder).args(&arguments).status();
    }
    link(compiler, &arguments, folder)
}

/// What a text needs that names functions which are executed in one step.
fn announcing(text: &OsString) -> Option<&'static str> {
    let bytes = fs::read(text).unwrap_or_default();
    let is_meant = |rest: &str| {
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        !matches!(&rest[..end], "begin" | "end")
    };
    String::from_utf8_lossy(&bytes).split(ATOMIC).skip(1).any(is_meant).then_some(ANNOUNCE)
}

/// Whether an option keeps accesses from being announced to us: those of other detectors, which are linked into the program, and
/// optimisation at link time, which forgets the announcing. A program that is linked statically does not load our library.
fn is_in_the_way(argument: &OsString) -> bool {
    let text = argument.to_string_lossy();
    ["-fsanitize", "-fno-sanitize", "-flto", "-fno-lto"].iter().any(|option| text.starts_with(option))
        || text == "-static"
        || text == "-static-pie"
}

/// What an argument is to a compiler that compiles and links.
enum Use {
    /// A text to be compiled.
    Text,
    /// An option of compiling, and of linking.
    Option,
    /// The language of texts, perhaps in the argument after it; objects have none.
    Language { takes_next: bool },
    /// What only the linker needs; with the argument after it, if that belongs to it.
    Linker { takes_next: bool },
}

fn use_of(argument: &OsString) -> Use {
    let text = argument.to_string_lossy();
    let is_file = |ending: &str| !text.starts_with('-') && text.ends_with(ending);
    let is_library =
        is_file(".o") || is_file(".a") || is_file(".so") || text.contains(".so.") && !text.starts_with('-');
    match &*text {
        "-o" | "-l" | "-L" | "-Xlinker" | "-u" | "-z" | "-T" => Use::Linker { takes_next: true },
        _ if text.starts_with("-x") => Use::Language { takes_next: text == "-x" },
        _ if compiler_for(Path::new(argument)).is_some() && Path::new(argument).exists() => Use::Text,
        _ if is_library || ["-l", "-L", "-Wl,"].iter().any(|option| text.starts_with(option)) => {
            Use::Linker { takes_next: false }
        }
        _ => Use::Option,
    }
}

/// Compiles the texts one by one, and links them, each in the place of its text, without the compiler's own library for the accesses,
/// which `-fsanitize=thread` would bring in.
fn link(compiler: &str, arguments: &[OsString], folder: &Path) -> io::Result<ExitStatus> {
    let (mut options, mut texts, mut linked) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        match use_of(argument) {
            Use::Text => {
                let object = folder.join(format!("{}.o", texts.len()));
                linked.push(object.clone().into_os_string());
                texts.push((argument, object));
            }
            Use::Option => {
                options.push(argument);
                linked.push(argument.clone());
            }
            Use::Language { takes_next } => {
                options.push(argument);
                options.extend(rest.next_if(|_| takes_next));
            }
            Use::Linker { takes_next } => {
                linked.push(argument.clone());
                linked.extend(rest.next_if(|_| takes_next).cloned());
            }
        }
    }
    for (text, object) in texts {
        let mut command = Command::new(compiler);
        command.args(INSTRUMENT).args(announcing(text)).arg("-I").arg(folder).args(&options);
        command.arg("-c").arg(text).arg("-o").arg(&object);
        let status = command.status()?;
        if !status.success() {
            return Ok(status);
        }
    }
    Command::new(compiler).args(linked).arg("-pthread").arg(folder.join(LIBRARY)).status()
}
