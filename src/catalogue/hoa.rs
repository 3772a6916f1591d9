//! The diagnostics of automata in files.

use super::{Entry, Family};
use crate::Language;
use crate::diagnostic::{Diagnostics, Style};
use crate::hoa::{codes, read};
use crate::source::Source;
use ::check::Error;
use ::check::model::{Additions, lower};
use ::limits::Budget;

/// What is wrong with an automaton.
pub const FAMILY: Family =
    Family { title: "Automata", language: "text", codes: codes::ALL, entries: ENTRIES, diagnose };

/// The model that the examples are about.
const MODEL: &str = "MODULE main\nVAR x : 0..3;\n";

/// What is said about an automaton and a small model.
fn diagnose(example: &str) -> String {
    let (diagnostics, source) = diagnostics(example);
    diagnostics.render(&source, Style::Plain)
}

/// What there is to say about an automaton for a model with `x : 0..3`, and the text that it is about.
pub fn diagnostics(example: &str) -> (Diagnostics, Source) {
    let source = Source::new("example.hoa", example.as_bytes());
    let mut diagnostics = Diagnostics::default();
    let Some(automaton) = read(&source, &mut diagnostics) else { return (diagnostics, source) };
    let additions = Additions { automata: vec![automaton], ..Additions::default() };
    match lower(Source::new("example.smv", MODEL.as_bytes()), Language::Smv, &additions, &Budget::default()) {
        Ok(model) => (model.diagnostics, model.source),
        Err(Error::Model(mistakes)) => (mistakes.diagnostics, mistakes.source),
        // Nothing ends the reading of the small model.
        Err(_) => (diagnostics, source),
    }
}

/// An automaton with one state and one acceptance set, from its atomic proposition, its acceptance and the label of the
/// transition in that set.
macro_rules! automaton {
    ($proposition:literal, $acceptance:literal, $label:literal) => {
        concat!(
            "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"",
            $proposition,
            "\"\nAcceptance: 1 ",
            $acceptance,
            "\n--BODY--\nState: 0\n[",
            $label,
            "] 0 {0}\n[!0] 0\n--END--\n"
        )
    };
}

/// An automaton that accepts the runs in which x is 1 infinitely often.
const OFTEN: &str = automaton!("x = 1", "Inf(0)", "0");

const ENTRIES: &[Entry] = &[
    Entry {
        code: "HOA001",
        example: automaton!("x = 1", "Inf(0)", "0 & "),
        cure: "Compare with the definition of the format, https://adl.github.io/hoaf/. Tools that write it, such as Spot's ltl2tgba, do so without mistakes.",
        cured: Some(OFTEN),
    },
    Entry {
        code: "HOA002",
        example: "HOA: v1
States: 2
Start: 0&1
AP: 1 \"x = 1\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
State: 1
[!0] 1 {0}
--END--
",
        cure: "Rewrite the automaton without it: `autfilt --remove-alternation` of Spot makes an alternating automaton nondeterministic.",
        cured: Some(OFTEN),
    },
    Entry {
        code: "HOA003",
        example: automaton!("x = 1", "Fin(0)", "0"),
        cure: "Convert the automaton to one with generalised Büchi acceptance, `Inf(0)&Inf(1)&...`, for example by `autfilt --gba` of Spot.",
        cured: Some(OFTEN),
    },
    Entry {
        code: "HOA004",
        example: automaton!("x = 1", "Inf(0)", "1"),
        cure: "Numbers of states, propositions and acceptance sets begin with 0. Declare what is missing in `States:`, `AP:`, `Alias:` or `Acceptance:`.",
        cured: Some(OFTEN),
    },
    Entry {
        code: "HOA005",
        example: automaton!("F x = 1", "Inf(0)", "0"),
        cure: "Let the propositions be conditions on states in the language of the model. What is temporal is for the automaton to say.",
        cured: Some(OFTEN),
    },
];
