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

/// An automaton that accepts the runs in which x is 1 infinitely often.
const OFTEN: &str = "HOA: v1
States: 1
Start: 0
AP: 1 \"x = 1\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
";

const ENTRIES: &[Entry] = &[
    Entry {
        code: "HOA001",
        example: "HOA: v1
States: 1
Start: 0
AP: 1 \"x = 1\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0 & ] 0 {0}
[!0] 0
--END--
",
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
        example: "HOA: v1
States: 1
Start: 0
AP: 1 \"x = 1\"
Acceptance: 1 Fin(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
",
        cure: "Convert the automaton to one with generalised Büchi acceptance, `Inf(0)&Inf(1)&...`, for example by `autfilt --gba` of Spot.",
        cured: Some(OFTEN),
    },
    Entry {
        code: "HOA004",
        example: "HOA: v1
States: 1
Start: 0
AP: 1 \"x = 1\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[1] 0 {0}
[!0] 0
--END--
",
        cure: "Numbers of states, propositions and acceptance sets begin with 0. Declare what is missing in `States:`, `AP:`, `Alias:` or `Acceptance:`.",
        cured: Some(OFTEN),
    },
    Entry {
        code: "HOA005",
        example: "HOA: v1
States: 1
Start: 0
AP: 1 \"F x = 1\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
",
        cure: "Let the propositions be conditions on states in the language of the model. What is temporal is for the automaton to say.",
        cured: Some(OFTEN),
    },
];
