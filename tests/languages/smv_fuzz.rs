//! Mutated models: nothing that a user can write makes the front end or the machine panic, overflow the stack or hang.
//!
//! Every case follows from its seed. `UWBMC_FUZZ_SECONDS=720 cargo test --release --test languages smv_fuzz::` goes on for that long,
//! from a seed that is printed; `UWBMC_FUZZ_SEED=17` runs the case of one seed and keeps its text. What a crash of the
//! whole test leaves behind is the seed in `target/tmp/fuzz-seed`.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use system::{Machine, State, System};
use testkit::files;
use testkit::numbers::Random;
use uwbmc::diagnostic::Style;
use uwbmc::smv::load;
use uwbmc::source::Source;

/// How many cases run when nothing else is asked for.
const CASES: u64 = 15_000;

/// Models with more bits of state and inputs are loaded and shown, not run: to find a first state may take too long.
const MOST_BITS: u32 = 16;

/// How many states are visited at each step of a short run.
const MOST_VISITS: usize = 100;

/// How long a case may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many failures are reported.
const MOST_FAILURES: usize = 20;

const WORDS: &[&str] = &[
    "MODULE",
    "main",
    "process",
    "DEFINE",
    "VAR",
    "FROZENVAR",
    "IVAR",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "PSLSPEC",
    "COMPUTE",
    "INVARSPEC",
    "NAME",
    "CONSTANTS",
    "IN",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "ASSIGN",
    "PRED",
    "array",
    "of",
    "boolean",
    "integer",
    "word",
    "word1",
    "bool",
    "signed",
    "unsigned",
    "extend",
    "resize",
    "sizeof",
    "toint",
    "count",
    "uwconst",
    "swconst",
    "READ",
    "EX",
    "AG",
    "E",
    "A",
    "F",
    "O",
    "G",
    "H",
    "X",
    "Y",
    "Z",
    "U",
    "S",
    "V",
    "T",
    "BU",
    "EBF",
    "ABG",
    "MIN",
    "TRUE",
    "FALSE",
    "case",
    "esac",
    "mod",
    "next",
    "init",
    "self",
    "union",
    "in",
    "xor",
    "xnor",
    "running",
    "_process_selector_",
    "abs",
    "min",
    "max",
];

const SIGNS: &[&str] = &[
    "<<<",
    "<->",
    ":=",
    "::",
    "..",
    "->",
    "!=",
    "<=",
    ">=",
    "<<",
    ">>",
    "&&",
    "==",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "+",
    "-",
    "*",
    "/",
    "=",
    "<",
    ">",
    ".",
    "|",
    "&",
    "!",
    "?",
    ",",
    ":",
    ";",
    "--",
    "/--",
    "--/",
    "--@ pc: x\n",
    "\"",
];

const OPERATORS: &[&str] = &[
    "&", "|", "xor", "xnor", "->", "<->", "=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "mod", "<<", ">>", "::",
    "union", "in", "U", "V", "S", "T",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "31",
    "32",
    "63",
    "64",
    "65",
    "1000",
    "65536",
    "2147483647",
    "2147483648",
    "99999999999999999999",
    "0ud1_1",
    "0sd4_8",
    "0ud64_18446744073709551615",
    "0sh64_8000000000000000",
    "0b_1",
    "1.5",
    "1e9",
    "f'1/2",
];

/// Expressions and declarations that take the front end to rarely visited places.
const FRAGMENTS: &[&str] = &[
    "case FALSE : 0ud2_1; esac",
    "case FALSE : TRUE; esac",
    "{1, 2, TRUE}",
    "(1 union 2)",
    "0..1",
    "next(x)",
    "resize(0sd8_200, 64)",
    "0ud8_255[7:0]",
    "toint(0ud64_18446744073709551615)",
    "[1, [2]][0]",
    "(TRUE ? 1 : 0ud1_1)",
    " INIT FALSE; ",
    " VAR fresh : 0..3; ",
    " VAR fresh : array -1..1 of signed word[64]; ",
    " VAR fresh.x : {a, 1, -1}; ",
    " IVAR chosen : boolean; ",
    " DEFINE fresh := fresh; ",
    " INVARSPEC next(TRUE) ",
    " LTLSPEC G F TRUE ",
    " SPEC AG EF TRUE ",
];

/// Nesting, as what comes before, in the middle and after.
const NESTS: &[[&str; 3]] = &[
    ["(", "1", ")"],
    ["!", "x", ""],
    ["- ", "1", ""],
    ["x -> ", "x", ""],
    ["x & (", "x", ")"],
    ["1 + ", "1", ""],
    ["(", "x", ") -> x"],
    ["TRUE ? 1 : ", "1", ""],
    ["TRUE ? ", "1", " : 0"],
    ["case TRUE : ", "1", "; esac"],
    ["case ", "TRUE", " : TRUE; esac"],
    ["{", "1", "}"],
    ["[", "1", "]"],
    ["x[", "0", "]"],
    ["", "x", ".x"],
    ["", "x", "[0]"],
    ["next(", "x", ")"],
    ["abs(", "1", ")"],
    ["count(", "TRUE", ")"],
    ["G ", "TRUE", ""],
    ["A [ TRUE U ", "TRUE", " ]"],
    ["A [ ", "TRUE", " U TRUE ]"],
    ["array 0..0 of ", "boolean", ""],
    ["/--", "", ""],
];

/// What cases are made from.
struct Pool {
    right: Vec<Vec<u8>>,
    wrong: Vec<Vec<u8>>,
}

impl Pool {
    fn read() -> Pool {
        let read = |folders: &[&str]| {
            let models = files::smv_files(folders).into_iter();
            let texts = models.map(|path| std::fs::read(path).expect("a model can be read"));
            // Deep nesting is put in here; large models only take time.
            texts.filter(|text| text.len() < 20_000).collect()
        };
        Pool { right: read(&["models", "tests/smv/good"]), wrong: read(&["tests/smv/bad"]) }
    }

    fn pick(&self, random: &mut Random) -> &Vec<u8> {
        let one_in_eight = random.below(8) == 0;
        let texts = if one_in_eight { &self.wrong } else { &self.right };
        random.pick(texts.as_slice())
    }

    /// The text that a seed stands for.
    fn case(&self, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        let mut text = self.pick(&mut random).clone();
        let mutations = *random.pick(&[1, 1, 1, 1, 2, 2, 3, 6]);
        for _ in 0..mutations {
            mutate(&mut text, self, &mut random);
        }
        text
    }
}

fn mutate(text: &mut Vec<u8>, pool: &Pool, random: &mut Random) {
    match random.below(24) {
        0 => {
            let at = random.below(text.len() + 1);
            text.insert(at, random.next() as u8);
        }
        1 => {
            let (from, to) = some_range(text.len(), 200, random);
            text.drain(from..to);
        }
        2 => {
            let (from, to) = some_range(text.len(), 400, random);
            let copy = text[from..to].to_vec();
            insert(text, &copy, random);
        }
        3 => {
            let other = pool.pick(random);
            text.truncate(random.below(text.len() + 1));
            text.extend(&other[random.below(other.len() + 1)..]);
        }
        4 => {
            let other = pool.pick(random);
            let (from, to) = some_range(other.len(), 400, random);
            insert(text, &other[from..to], random);
        }
        5 => insert_spaced(text, &[*random.pick(WORDS)], random),
        6 => insert_spaced(text, &[*random.pick(SIGNS)], random),
        7 => insert_spaced(text, &[*random.pick(FRAGMENTS)], random),
        8 => nest(text, random),
        9 => replace_token(text, random, |token| !token[0].is_ascii_whitespace(), WORDS),
        10 => replace_token(text, random, |token| !token[0].is_ascii_whitespace(), FRAGMENTS),
        11 => replace_line(text, random),
        12..=15 => replace_token(text, random, |token| token[0].is_ascii_digit(), NUMBERS),
        16..=18 => replace_token(text, random, |token| OPERATORS.iter().any(|op| op.as_bytes() == token), OPERATORS),
        _ => replace_by_another_name(text, random),
    }
}

/// A range of at most this many places.
fn some_range(length: usize, most: usize, random: &mut Random) -> (usize, usize) {
    let from = random.below(length + 1);
    (from, (from + random.below(most)).min(length))
}

fn insert(text: &mut Vec<u8>, piece: &[u8], random: &mut Random) {
    let at = random.below(text.len() + 1);
    text.splice(at..at, piece.iter().copied());
}

/// Inserts words at a place between two tokens.
fn insert_spaced(text: &mut Vec<u8>, words: &[&str], random: &mut Random) {
    let boundaries: Vec<usize> = tokens(text).into_iter().map(|(start, _)| start).collect();
    let at = if boundaries.is_empty() { 0 } else { *random.pick(&boundaries) };
    let piece = format!(" {} ", words.concat());
    text.splice(at..at, piece.bytes());
}

fn nest(text: &mut Vec<u8>, random: &mut Random) {
    let depth = *random.pick(&[3, 50, 3_000]) + random.below(50);
    let [before, middle, after] = *random.pick(NESTS);
    let (before, after) = (before.repeat(depth), after.repeat(depth));
    insert_spaced(text, &[&before, middle, &after], random);
}

fn replace_token(text: &mut Vec<u8>, random: &mut Random, fits: impl Fn(&[u8]) -> bool, by: &[&str]) {
    let places: Vec<(usize, usize)> = tokens(text).into_iter().filter(|(from, to)| fits(&text[*from..*to])).collect();
    if !places.is_empty() {
        let (from, to) = *random.pick(&places);
        text.splice(from..to, format!(" {} ", random.pick(by)).bytes());
    }
}

fn replace_by_another_name(text: &mut Vec<u8>, random: &mut Random) {
    let is_name = |(from, _): &(usize, usize)| text[*from].is_ascii_alphabetic();
    let names: Vec<(usize, usize)> = tokens(text).into_iter().filter(is_name).collect();
    if !names.is_empty() {
        let (from, to) = *random.pick(&names);
        let (other_from, other_to) = *random.pick(&names);
        let name = text[other_from..other_to].to_vec();
        text.splice(from..to, name);
    }
}

/// Puts one line in the place of another.
fn replace_line(text: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let (from, to) = (random.below(lines.len()), random.below(lines.len()));
    lines[to] = lines[from];
    *text = lines.join(&b'\n');
}

/// Where names, numbers, blanks and single signs are.
fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let kind = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'#' => 1,
        b' ' | b'\n' | b'\t' | b'\r' => 2,
        _ => 3,
    };
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        match tokens.last_mut() {
            Some((from, to)) if kind(*byte) != 3 && kind(text[*from]) == kind(*byte) => *to = at + 1,
            _ => tokens.push((at, at + 1)),
        }
    }
    tokens
}

/// Everything that a case goes through. Returns whether the model was right.
fn exercise(bytes: &[u8]) -> bool {
    let source = Source::new("fuzz.smv", bytes);
    let loaded = load(&source, &[]);
    loaded.diagnostics.render(&source, Style::Plain);
    let Some(system) = loaded.system else { return false };
    system::render_system(&system);
    let bits: u32 = system.variables.iter().map(|variable| variable.domain.bits()).sum();
    if bits <= MOST_BITS {
        run(system);
    }
    true
}

/// A few initial states and successors, and the invariants in them.
fn run(system: System) {
    let machine = Machine::new(Arc::new(system));
    let mut workspace = machine.workspace();
    let mut states: Vec<State> = Vec::new();
    let mut keep = |state: State| {
        states.push(state);
        if states.len() < MOST_VISITS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    // A fault is a property of the model, and here as good as a state.
    let _ = machine.initial_states(&mut workspace, &mut keep);
    for state in states.into_iter().take(3) {
        for property in machine.system().properties.indices() {
            if machine.is_state_invariant(property) {
                let _ = machine.holds(property, &state.0, &mut workspace);
            }
        }
        let mut visits = 0;
        let _ = machine.successors(&state.0, &mut workspace, |mut successor| {
            successor.step();
            for property in machine.system().properties.indices() {
                let _ = successor.step_holds(property);
            }
            visits += 1;
            if visits < MOST_VISITS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
}

/// The seed of the running case and when it began, for the watchdog.
struct Watch {
    seed: AtomicU64,
    began: AtomicU64,
    start: Instant,
}

/// Ends the whole test if a case hangs: a thread cannot be stopped from outside.
fn watchdog(watch: Arc<Watch>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let began = Duration::from_millis(watch.began.load(Ordering::Relaxed));
            if watch.start.elapsed().saturating_sub(began) > PATIENCE {
                eprintln!("the case of the seed {} hangs", watch.seed.load(Ordering::Relaxed));
                std::process::exit(1);
            }
        }
    });
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn number_from(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}

#[test]
fn mutated_models_are_loaded_or_rejected() {
    let pool = Pool::read();
    if let Some(seed) = number_from("UWBMC_FUZZ_SEED") {
        let text = pool.case(seed);
        let path = scratch(&format!("fuzz-{seed}.smv"));
        std::fs::write(&path, &text).expect("the folder for temporary files can be written");
        eprintln!("the text is in {}", path.display());
        exercise(&text);
        return;
    }
    let seconds = number_from("UWBMC_FUZZ_SECONDS").map(Duration::from_secs);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_micros());
    let first = if seconds.is_some() { now as u64 } else { 0 };
    eprintln!("fuzzing from the seed {first}");
    let start = Instant::now();
    let watch = Arc::new(Watch { seed: first.into(), began: 0.into(), start });
    watchdog(Arc::clone(&watch));
    // Written over, not anew: file systems write a file that was cut to nothing to the disk at once.
    let mut note = File::create(scratch("fuzz-seed")).expect("the folder for temporary files can be written");
    let (mut failures, mut right, mut cases) = (Vec::new(), 0u64, 0u64);
    let goes_on = |cases: u64| seconds.map_or(cases < CASES, |seconds| start.elapsed() < seconds);
    while goes_on(cases) && failures.len() < MOST_FAILURES {
        let seed = first + cases;
        watch.seed.store(seed, Ordering::Relaxed);
        watch.began.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        note.seek(SeekFrom::Start(0)).expect("a file");
        writeln!(note, "{seed:020}").expect("the folder for temporary files can be written");
        let text = pool.case(seed);
        match catch_unwind(|| exercise(&text)) {
            Ok(loads) => right += u64::from(loads),
            Err(_) => failures.push(seed),
        }
        cases += 1;
    }
    eprintln!("{cases} cases, {right} of them right");
    assert!(failures.is_empty(), "run UWBMC_FUZZ_SEED=... for the seeds {failures:?}");
}
