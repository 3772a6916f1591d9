//! Where in the text of a program an address is, and what its global variables are called. The tools `addr2line` and `nm`,
//! which come with every C compiler, know that; without them traces have no lines.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A place in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The function.
    pub function: String,
    /// The name of the file, without folders.
    pub file: String,
    /// The line, if it is known.
    pub line: Option<usize>,
}

/// A global variable.
#[derive(Clone, Debug)]
struct Symbol {
    start: u64,
    size: u64,
    name: String,
}

/// What is known of the addresses of a program.
#[derive(Clone, Debug)]
pub struct Places {
    program: PathBuf,
    /// What is added to the addresses in the file.
    shift: u64,
    /// The addresses that the program's own file is mapped to.
    range: std::ops::Range<u64>,
    known: BTreeMap<u64, Place>,
    symbols: Vec<Symbol>,
}

/// How many addresses are asked for at a time.
const AT_A_TIME: usize = 500;

impl Places {
    /// The places of a program that is mapped as `/proc/PID/maps` says.
    pub fn new(program: &Path, maps: &str) -> Places {
        let program = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
        let name = program.display().to_string();
        let ranges: Vec<_> = maps.lines().filter(|line| line.ends_with(&name)).filter_map(range).collect();
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let shift = if is_movable(&program) { start } else { 0 };
        let symbols = symbols(&program);
        Places { program, shift, range: start..end, known: BTreeMap::new(), symbols }
    }

    /// The places of a program that another one executes: where Linux puts programs that it does not put anywhere at
    /// random.
    pub fn unmapped(program: &Path) -> Places {
        const USUAL: u64 = 0x5555_5555_4000;
        let program = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
        let shift = if is_movable(&program) { USUAL } else { 0 };
        let symbols = symbols(&program);
        Places { program, shift, range: shift..USUAL + (1 << 32), known: BTreeMap::new(), symbols }
    }

    /// Looks up the places that functions were called from.
    pub fn look_up(&mut self, callers: impl Iterator<Item = u64>) {
        let wanted: Vec<u64> = callers.filter(|caller| self.range.contains(caller)).collect();
        for some in wanted.chunks(AT_A_TIME) {
            // The call is before the address that it returns to.
            let addresses = some.iter().map(|caller| format!("{:#x}", caller - self.shift - 1));
            let mut tool = Command::new("addr2line");
            tool.args(["-f", "-C", "-e"]).arg(&self.program).args(addresses);
            let text = output(&mut tool);
            let lines: Vec<&str> = text.lines().collect();
            let places = lines.chunks_exact(2).map(|pair| place(pair[0], pair[1]));
            self.known.extend(some.iter().copied().zip(places));
        }
    }

    /// The place that a function was called from, if it has been looked up and is known.
    pub fn caller(&self, address: u64) -> Option<&Place> {
        self.known.get(&address).filter(|place| place.function != "??")
    }

    /// The global variable at an address, and how far into it.
    pub fn variable(&self, address: u64) -> Option<(&str, u64)> {
        let address = address.checked_sub(self.shift)?;
        let after = self.symbols.partition_point(|symbol| symbol.start <= address);
        let symbol = &self.symbols[after.checked_sub(1)?];
        let offset = address - symbol.start;
        (offset < symbol.size.max(1)).then_some((symbol.name.as_str(), offset))
    }
}

fn range(line: &str) -> Option<std::ops::Range<u64>> {
    let (start, end) = line.split_whitespace().next()?.split_once('-')?;
    Some(u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?)
}

/// Whether the program can be at any address: its ELF type is that of a shared object.
fn is_movable(program: &Path) -> bool {
    let mut head = [0; 18];
    File::open(program).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head[16] == 3
}

fn output(tool: &mut Command) -> String {
    let output = tool.stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn place(function: &str, line: &str) -> Place {
    let (file, number) = line.rsplit_once(':').unwrap_or((line, ""));
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    let file = file.rsplit('/').next().unwrap_or(file).to_owned();
    let function = function.split('(').next().unwrap_or(function).to_owned();
    Place { function, file, line: digits.parse().ok().filter(|line| *line > 0) }
}

/// The variables of a program, by address.
fn symbols(program: &Path) -> Vec<Symbol> {
    let text = output(Command::new("nm").args(["-n", "-S", "-C", "--defined-only"]).arg(program));
    text.lines().filter_map(symbol).collect()
}

fn symbol(line: &str) -> Option<Symbol> {
    let mut words = line.splitn(4, ' ');
    let start = u64::from_str_radix(words.next()?, 16).ok()?;
    let size = u64::from_str_radix(words.next()?, 16).ok()?;
    let is_data = words.next()?.chars().all(|kind| "bBdDuVvGgSs".contains(kind));
    is_data.then_some(Symbol { start, size, name: words.next()?.to_owned() })
}
