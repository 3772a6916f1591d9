//! Mutated Promela: nothing that a user can write makes the front end or the machine panic, overflow the stack or hang.
//!
//! `UWBMC_FUZZ_SECONDS=600 cargo test --release --test languages promela_fuzz::` goes on for that long, from a seed that is printed (or from `UWBMC_FUZZ_SEED`), and
//! `UWBMC_PROMELA_CORPUS` names a folder with more models to start from. What a crash of the whole test leaves behind is the
//! text in `target/tmp/promela-fuzz.pml`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use system::{Machine, State, Visit};
use testkit::numbers::Random;
use testkit::pml;

/// How many cases run when nothing else is asked for.
const CASES: u64 = 3000;

/// The most steps of the walk through a model that is accepted.
const STEPS: usize = 40;

/// The seed of the cases that always run.
const SEED: u64 = 7;

/// How long a case may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a mutation may insert besides pieces of other models.
const WORDS: &[&str] = &[
    "atomic",
    "d_step",
    "unless",
    "else",
    "timeout",
    "goto",
    "break",
    "run",
    "for",
    "select",
    "in",
    "eval",
    "len",
    "full",
    "nempty",
    "typedef",
    "inline",
    "mtype",
    "chan",
    "unsigned",
    "hidden",
    "provided",
    "active",
    "init",
    "never",
    "ltl",
    "xr",
    "xs",
    "skip",
    "assert",
    "printf",
    "_pid",
    "_nr_pr",
    "_",
    "_last",
    "np_",
    "enabled",
    "0",
    "1",
    "255",
    "65536",
    "-1",
    "2147483647",
    "99999999999",
    "#define",
    "#if",
    "#endif",
    "#include",
    "::",
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "?",
    "??",
    "!",
    "!!",
    "?<",
    ">",
    "?[",
    "@",
    ":",
    "..",
    ".",
    ",",
    "=",
    "++",
    "--",
    "<<",
    "%",
    "/",
    "~",
    "&&",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\n",
];

/// A text in pieces: words, numbers, white space and single signs.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for c in text.chars() {
        match pieces.last_mut() {
            Some(last) if is_word(c) && last.chars().all(is_word) => last.push(c),
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

fn mutate(random: &mut Random, sources: &[Vec<String>]) -> String {
    let mut text = random.pick(sources).clone();
    for _ in 0..1 + random.below(5) {
        if text.is_empty() {
            break;
        }
        let (from, to) = (random.below(text.len()), random.below(text.len()));
        match random.below(8) {
            0 => drop(text.remove(from)),
            1 => text.insert(from, text[to].clone()),
            2 => text.truncate(from + 1),
            3 => text.swap(from, to),
            4 => text.insert(from, format!(" {} ", random.pick(WORDS))),
            5 => text[from] = (*random.pick(WORDS)).to_owned(),
            6 => {
                // A stretch of the text once more, at another place.
                let stretch: Vec<String> = text[from..].iter().take(1 + random.below(40)).cloned().collect();
                text.splice(to..to, stretch);
            }
            _ => {
                let other = random.pick(sources);
                let start = random.below(other.len().max(1));
                let stretch: Vec<String> = other.iter().skip(start).take(1 + random.below(40)).cloned().collect();
                text.splice(from..from, stretch);
            }
        }
    }
    text.concat()
}

/// Loads a text and walks through its meaning.
fn exercise(text: &str) {
    let (_, loaded) = pml::read_text("noise.pml", text);
    assert!(loaded.system.is_some() || loaded.diagnostics.has_errors(), "neither accepted nor rejected");
    let Some(system) = loaded.system else { return };
    let machine = Machine::new(Arc::new(system));
    let mut workspace = machine.workspace();
    let mut state: Option<State> = None;
    let _ = machine.initial_states(&mut workspace, |first| {
        state = Some(first);
        Visit::Break(())
    });
    for step in 0..STEPS {
        let Some(at) = state.take() else { return };
        let mut seen = 0;
        let outcome = machine.successors(&at.0, &mut workspace, |successor| {
            seen += 1;
            state = Some(State(successor.state.into()));
            if seen > step % 3 { Visit::Break(()) } else { Visit::Continue(()) }
        });
        if outcome.is_err() {
            return;
        }
    }
}

#[test]
fn no_text_makes_the_front_end_or_the_machine_panic() {
    let mut files = pml::files("tests/promela");
    files.extend(pml::files("models"));
    if let Some(corpus) = std::env::var_os("UWBMC_PROMELA_CORPUS") {
        files.extend(pml::files(&corpus.to_string_lossy()));
    }
    let read =
        |path: &std::path::PathBuf| String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
    let sources: Vec<Vec<String>> = files.iter().map(|path| pieces(&read(path))).collect();
    let seconds = std::env::var("UWBMC_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let seed = std::env::var("UWBMC_FUZZ_SEED").ok().and_then(|text| text.parse().ok());
    let first = seed.unwrap_or(if seconds.is_some() { now } else { SEED });
    println!("the first seed is {first}");
    let last = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("promela-fuzz.pml");
    let start = Instant::now();
    let mut cases = 0;
    while seconds.map_or(cases < CASES, |seconds| start.elapsed() < seconds) {
        let text = mutate(&mut Random::new(first.wrapping_mul(1 << 20).wrapping_add(cases)), &sources);
        if seconds.is_some() {
            std::fs::write(&last, &text).expect("writable");
        }
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| exercise(&text)));
        assert!(outcome.is_ok(), "this text makes it panic:\n{text}");
        assert!(began.elapsed() < PATIENCE, "this text takes {:?}:\n{text}", began.elapsed());
        cases += 1;
    }
    println!("{cases} cases");
}
