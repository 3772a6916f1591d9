//! Live progress: it appears on a terminal and disappears, no file or pipe sees it, and what it watches can be ended. Colours.
//!
//! `script` is the terminal.

#![cfg(unix)]

use std::process::{Command, Stdio};
use testkit::command::{BROKEN, PETERSON, stderr, stdout, temporary, text, uwbmc};

/// How the line is taken away.
const CLEAR: &str = "\r\u{1b}[2K";

/// What a terminal is sent when the tool runs there; `None` where there is no `script`.
fn on_terminal(arguments: &[&str]) -> Option<String> {
    on_terminal_with("NO_COLOR=1", arguments)
}

/// The same with variables of the environment, or after another command.
fn on_terminal_with(variables: &str, arguments: &[&str]) -> Option<String> {
    let words = arguments.iter().map(|word| format!("'{word}'")).collect::<Vec<String>>().join(" ");
    let line = format!("{variables} '{}' {words}", env!("CARGO_BIN_EXE_uwbmc"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    match script.output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            println!("skipped: script is not installed");
            None
        }
    }
}

/// The lines that were shown, and what is left on the terminal at the end.
fn shown(sent: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = sent.split(CLEAR).collect();
    let left = parts.pop().expect("at least one part");
    (parts, left)
}

/// Work that lasts until it is stopped, and what its progress has to say.
const LONG: [(&[&str], &[&str]); 5] = [
    (
        &["models/leader/leader-6.smv", "--k", "90", "--engine", "uw"],
        &["bound ", "round ", " points widened", " conflicts", " MB, "],
    ),
    (&["models/leader/leader-6.smv", "--k", "90", "--engine", "bmc"], &["bound ", " conflicts", " MB, "]),
    (
        &["models/philosophers/philosophers-12.smv", "--engine", "explicit"],
        &["depth ", " states, ", " a second", " MB, "],
    ),
    (&["models/mutex/peterson-7.smv", "--engine", "symbolic"], &[" nodes, ", " MB, "]),
    (
        &["models/philosophers/philosophers-12.smv", "--engine", "stateless", "--depth", "100000"],
        &["depth ", " states visited, ", " a second", " MB, "],
    ),
];

#[test]
fn each_engine_shows_how_far_it_is_and_takes_it_away() {
    for (arguments, expected) in LONG {
        let Some(sent) = on_terminal(&[arguments, &["--timeout", "1.2", "--property", "safe"]].concat()) else {
            return;
        };
        let (lines, left) = shown(&sent);
        let found = lines.iter().any(|line| expected.iter().all(|part| line.contains(part)));
        assert!(found, "{arguments:?} showed {lines:?}");
        assert!(left.starts_with("safe: unknown ("), "{arguments:?} left {left:?}");
        assert!(!left.contains('\u{1b}'), "{arguments:?} left {left:?}");
    }
}

#[test]
fn comparing_counting_proving_and_measuring_show_how_far_they_are() {
    let suite = temporary("progress.toml");
    let contents = format!(
        "about = \"x\"\ntimeout = 9\nmemory = 4000\nseeds = [0]\nbaseline = \"UW\"\nhero = \"UW\"\n\
         [[contestants]]\nname = \"UW\"\n[[instances]]\nmodel = {BROKEN:?}\nk = 9\n"
    );
    std::fs::write(&suite, contents).expect("writable");
    let results = temporary("progress-results");
    for (arguments, seconds, expected) in [
        (
            &["compare", "models/leader/leader-6.smv", "--k", "90", "--property", "safe"][..],
            &["0.5", "3", "15"][..],
            &["UW", "bound ", " conflicts", " MB, "][..],
        ),
        (
            &["count", "models/philosophers/philosophers-12.smv"],
            &["1", "6", "30"],
            &[" states, ", " a second", " MB, "],
        ),
        (
            &[PETERSON, "--k", "90", "--certify", "--property", "safe"],
            &["2", "6", "30"],
            &["proving safe, bound ", " of 90", " MB, "],
        ),
    ] {
        // A busy machine may need longer to show something.
        let timeouts = seconds.iter().map(|seconds| [arguments, &["--timeout", seconds]].concat());
        assert!(timeouts.into_iter().any(|arguments| shows(&arguments, expected)), "{arguments:?}");
    }
    let bench = ["bench", text(&suite), "--results", text(&results)];
    assert!(shows(&bench, &["1 of 1: peterson-2-broken, k=9 by UW, seed 0", " MB, "]));
}

/// Whether a command shows a line with these parts while it works, and takes it away; also where there is no terminal to show it on.
fn shows(arguments: &[&str], expected: &[&str]) -> bool {
    let Some(sent) = on_terminal(arguments) else { return true };
    let (lines, left) = shown(&sent);
    assert!(!left.contains('\u{1b}') && !left.contains(" MB, "), "{arguments:?} left {left:?}");
    lines.iter().any(|line| expected.iter().all(|part| line.contains(part)))
}

#[test]
fn only_a_person_at_a_terminal_sees_it() {
    let arguments =
        ["models/leader/leader-6.smv", "--k", "90", "--engine", "uw", "--timeout", "0.6", "--property", "safe"];
    for more in ["--quiet", "--json"] {
        let Some(sent) = on_terminal(&[&arguments[..], &[more]].concat()) else { return };
        assert!(!sent.contains('\u{1b}'), "{more}: {sent:?}");
    }
    let output = uwbmc(&arguments);
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(3)));
    assert!(stdout(&output).starts_with("safe: unknown (out of time"), "{}", stdout(&output));
}

#[test]
fn the_line_fits_the_terminal() {
    let arguments = [LONG[0].0, &["--timeout", "1.2", "--property", "safe"]].concat();
    for narrow in ["stty cols 30; NO_COLOR=1", "NO_COLOR=1 COLUMNS=30"] {
        let Some(sent) = on_terminal_with(narrow, &arguments) else { return };
        let (lines, _) = shown(&sent);
        let widths: Vec<usize> = (lines.iter())
            .map(|line| line.replace("\u{1b}[?7l", "").replace("\u{1b}[?7h", "").chars().count())
            .collect();
        assert!(widths.iter().any(|width| *width > 20) && widths.iter().all(|width| *width < 30), "{lines:?}");
    }
}

#[test]
fn verdicts_have_colours_where_they_are_wanted() {
    let arguments = [BROKEN, "--quiet"];
    let red = "safe: \u{1b}[1;31mviolated in 8 steps\u{1b}[0m";
    let Some(sent) = on_terminal_with("", &arguments) else { return };
    assert!(sent.starts_with(red), "{sent:?}");
    for plain in [on_terminal_with("NO_COLOR=1", &arguments), on_terminal_with("", &[BROKEN, "-q", "--color", "never"])]
    {
        assert_eq!(plain.unwrap_or_default().trim_end(), "safe: violated in 8 steps");
    }
    let always = stdout(&uwbmc(&["--color=always", PETERSON, "-q"]));
    assert!(always.starts_with("safe: \u{1b}[1;32mholds ("), "{always:?}");
    let undecided = stdout(&uwbmc(&["--color=always", PETERSON, "-q", "--timeout", "0", "--property", "safe"]));
    assert!(undecided.contains("\u{1b}[1;33munknown ("), "{undecided:?}");
    let first = stdout(&uwbmc(&["--color", "always", BROKEN, "-q"]));
    assert_eq!(first.trim_end(), red, "an option may stand before the model");
}

#[test]
fn diagnostics_have_colours_where_they_are_wanted() {
    let bad = ["show", "tests/smv/bad/type/type-bool-plus-int.smv"];
    let Some(sent) = on_terminal_with("", &bad) else { return };
    assert!(sent.contains("\u{1b}[1m") && sent.contains("SMV020"), "{sent:?}");
    let plain = on_terminal_with("NO_COLOR=1", &bad).unwrap_or_default();
    assert!(plain.contains("SMV020") && !plain.contains('\u{1b}'), "{plain:?}");
}

/// Runs the tool and presses Ctrl-C after a while.
fn interrupted(arguments: &[&str]) -> Option<(String, Option<i32>)> {
    let mut timeout = Command::new("timeout");
    timeout.args(["-s", "INT", "--preserve-status", "1.5", env!("CARGO_BIN_EXE_uwbmc")]).args(arguments);
    match timeout.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null()).output() {
        Ok(output) => Some((stdout(&output), output.status.code())),
        Err(_) => {
            println!("skipped: timeout is not installed");
            None
        }
    }
}

#[test]
fn ctrl_c_ends_a_run_with_what_was_established() {
    for (arguments, _) in LONG {
        let Some((printed, code)) = interrupted(&[arguments, &["--property", "safe"]].concat()) else { return };
        assert!(printed.starts_with("safe: unknown (interrupted"), "{arguments:?}: {printed}");
        assert_eq!(code, Some(3), "{arguments:?}");
    }
    let compare = ["compare", "models/leader/leader-6.smv", "--k", "90", "--property", "safe"];
    let Some((printed, code)) = interrupted(&compare) else { return };
    assert!(printed.contains("no answer") && code == Some(3), "{code:?}: {printed}");
}

#[test]
fn an_answer_that_could_not_be_certified_in_time_is_none() {
    let arguments = [PETERSON, "--k", "1000", "--property", "safe", "--timeout", "2"];
    let output = uwbmc(&[&arguments[..], &["--certify"]].concat());
    let printed = stdout(&output);
    assert!(printed.starts_with("safe: unknown (out of time"), "{printed}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn simplifying_ends_with_the_run() {
    let trace = temporary("long-walk.json");
    uwbmc(&["simulate", BROKEN, "--steps", "80", "--seed", "5", "--trace", text(&trace)]);
    let output = uwbmc(&["trace", "simplify", BROKEN, text(&trace), "--timeout", "0"]);
    let first = "simplified to 39 steps instead of 80, ";
    assert!(stderr(&output).starts_with(first), "only what is after the violation is gone: {}", stderr(&output));
    assert!(stderr(&output).contains("until the search for a simpler one ended: out of time\n"), "{}", stderr(&output));
    assert!(stdout(&output).contains("state 39: "), "{}", stdout(&output));
}
