//! The diagnostics of the Promela front end.

use super::{Entry, Family};
use crate::diagnostic::Style;
use crate::promela::{Settings, codes, load};
use crate::source::Source;

/// What is wrong with the text of a model.
pub const FAMILY: Family =
    Family { title: "Promela", language: "promela", codes: codes::ALL, entries: ENTRIES, diagnose };

fn diagnose(example: &str) -> String {
    let mut source = Source::new("example.pml", example.as_bytes());
    let loaded = load(&mut source, Settings::default(), &|_, _| Err("no such file".to_owned()));
    let diagnostics = loaded.diagnostics;
    diagnostics.render(&source, Style::Plain)
}

const ENTRIES: &[Entry] = &[
    Entry {
        code: "PML001",
        example: "byte x;
active proctype P() { x = 1 x = 2 }
",
        cure: "Compare with the grammar: statements are separated by `;` or `->`. The message says what would fit at the underlined place; the mistake may also be right before it.",
        cured: Some(
            "byte x;
active proctype P() { x = 1; x = 2 }
",
        ),
    },
    Entry {
        code: "PML002",
        example: "byte x;
active proctype P() { x = 1 $ 2 }
",
        cure: "Remove the character. Comments have to end with `*/`, and texts on the line where they begin.",
        cured: Some(
            "byte x;
active proctype P() { x = 1 + 2 }
",
        ),
    },
    Entry {
        code: "PML003",
        example: "#ifdef FAST
byte x;
active proctype P() { x = 1 }
",
        cure: "Close every `#if` with `#endif`, give a macro as many arguments as it has parameters, and put included files where the model can find them: beside it.",
        cured: Some(
            "#ifdef FAST
#endif
byte x;
active proctype P() { x = 1 }
",
        ),
    },
    Entry {
        code: "PML004",
        example: "int x;
active proctype P() { x = 99999999999 }
",
        cure: "Numbers have 32 bits, as in SPIN. Scale the model down.",
        cured: Some(
            "int x;
active proctype P() { x = 999999999 }
",
        ),
    },
    Entry {
        code: "PML005",
        example: "byte x;
active proctype P() { c_code { now.x = 1; } }
",
        cure: "Say the same in Promela: embedded C in statements, an inline that returns a value by a parameter that it assigns, priorities without rendezvous channels.",
        cured: Some(
            "byte x;
active proctype P() { x = 1 }
",
        ),
    },
    Entry {
        code: "PML006",
        example: "inline again() { again() }
active proctype P() { again() }
",
        cure: "An inline cannot call itself; use a loop. Break up what nests too deeply or has too many variables.",
        cured: Some(
            "active proctype P() { do :: skip od }
",
        ),
    },
    Entry {
        code: "PML007",
        example: "byte len;
active proctype P() { len = 1 }
",
        cure: "Choose another name: words such as len, run, full, empty, init, of and show have a meaning of their own.",
        cured: Some(
            "byte length;
active proctype P() { length = 1 }
",
        ),
    },
    Entry {
        code: "PML010",
        example: "byte x;
bool x;
active proctype P() { x = 1 }
",
        cure: "Give one of them another name.",
        cured: Some(
            "byte x;
bool y;
active proctype P() { x = 1 }
",
        ),
    },
    Entry {
        code: "PML011",
        example: "byte count;
active proctype P() { cuont = 1 }
",
        cure: "Check the spelling, and declare the name before it is used: Promela is read from top to bottom.",
        cured: Some(
            "byte count;
active proctype P() { count = 1 }
",
        ),
    },
    Entry {
        code: "PML012",
        example: "byte x;
proctype P() { x = 1 }
",
        cure: "Write `active` before a proctype, or an init that runs it.",
        cured: Some(
            "byte x;
active proctype P() { x = 1 }
",
        ),
    },
    Entry {
        code: "PML013",
        example: "proctype P(byte a, b) { a = b }
init { run P(1) }
",
        cure: "A run has as many arguments as the proctype has parameters, a call as many as the inline. A message has as many fields as its channel says; where it has not, that is a warning, and an error of the runs that get there.",
        cured: Some(
            "proctype P(byte a, b) { a = b }
init { run P(1, 2) }
",
        ),
    },
    Entry {
        code: "PML014",
        example: "byte x;
active proctype P() { x = 1; goto done }
",
        cure: "Write the label in the same proctype, before a statement. A jump can neither lead into a d_step nor out of it.",
        cured: Some(
            "byte x;
active proctype P() { x = 1; goto done; done: skip }
",
        ),
    },
    Entry {
        code: "PML015",
        example: "byte x;
active proctype P() { x = 1; break }
",
        cure: "A break leaves the innermost do or for around it; elsewhere, use goto.",
        cured: Some(
            "byte x;
active proctype P() { do :: x = 1; break od }
",
        ),
    },
    Entry {
        code: "PML020",
        example: "byte a[3];
active proctype P() { a = 1 }
",
        cure: "An array needs an index, a structure a field, and a send a channel.",
        cured: Some(
            "byte a[3];
active proctype P() { a[0] = 1 }
",
        ),
    },
    Entry {
        code: "PML021",
        example: "byte n;
active proctype P() { n = 3; chan c = [n] of { byte } }
",
        cure: "Lengths, capacities and numbers of processes are known before the model runs: write a number or a macro.",
        cured: Some(
            "byte n;
active proctype P() { chan c = [3] of { byte }; n = 3 }
",
        ),
    },
    Entry {
        code: "PML022",
        example: "byte x;
byte a[0];
active proctype P() { x = 1 }
",
        cure: "An array has at least one element; widths are between 1 and 32 bits, priorities between 1 and 255.",
        cured: Some(
            "byte x;
byte a[1];
active proctype P() { x = a[0] }
",
        ),
    },
    Entry {
        code: "PML023",
        example: "proctype Q() { skip }
active proctype P() { assert(run Q()) }
",
        cure: "Let a statement of its own run the process, and use its pid afterwards.",
        cured: Some(
            "proctype Q() { skip }
active proctype P() { pid q; q = run Q(); assert(q) }
",
        ),
    },
    Entry {
        code: "PML024",
        example: "byte x;
active proctype P() { if :: x == 0 -> x = 1 :: else -> skip :: else -> x = 2 fi }
",
        cure: "A selection has at most one else, at the beginning of an option.",
        cured: Some(
            "byte x;
active proctype P() { if :: x == 0 -> x = 1 :: else -> x = 2 fi }
",
        ),
    },
    Entry {
        code: "PML025",
        example: "byte x;
active proctype P() { x = 1 }
never { byte y; do :: x == 1 -> break :: else od }
",
        cure: "A claim only watches: declare variables outside it, and let processes assign them. What depends on all processes, such as enabled and np_, only claims, formulas and invariants may ask.",
        cured: Some(
            "byte x;
active proctype P() { x = 1 }
never { do :: x == 1 -> break :: else od }
",
        ),
    },
    Entry {
        code: "PML026",
        example: "byte x;
active proctype P() { do :: x = 1 - x od }
ltl small { [] x <= 3 }
",
        cure: "Put what the operator is about into parentheses: `[] x <= 3` is `([] x) <= 3`, and SPIN compares something else without a word.",
        cured: Some(
            "byte x;
active proctype P() { do :: x = 1 - x od }
ltl small { [] (x <= 3) }
",
        ),
    },
    Entry {
        code: "PML027",
        example: "byte x;
active proctype P() { do :: x = 1 -> break :: else -> x = 1 od }
",
        cure: "Compare with `==`. An assignment is always possible: an option that begins with one is no test. Where one is meant, write `;` behind it.",
        cured: Some(
            "byte x;
active proctype P() { do :: x == 1 -> break :: else -> x = 1 od }
",
        ),
    },
    Entry {
        code: "PML028",
        example: "bool a, b, c;
active proctype P() { a = 1; c = 1 }
ltl p { a -> b -> c }
",
        cure: "Write parentheses. Implications are read from the left, as by SPIN, and so are `U`, `W` and `V`; many books and tools read them from the right.",
        cured: Some(
            "bool a, b, c;
active proctype P() { a = 1; c = 1 }
ltl p { a -> (b -> c) }
",
        ),
    },
    Entry {
        code: "PML029",
        example: "bool a;
active proctype P() { a = 1 }
ltl p { X a }
",
        cure: "The formula is checked, but SPIN refuses it. A formula with X depends on how many steps processes take, and interleavings that differ in nothing else cannot be left out.",
        cured: Some(
            "bool a;
active proctype P() { a = 1 }
ltl p { <> a }
",
        ),
    },
    Entry {
        code: "PML030",
        example: "active [300] proctype P() { skip }
",
        cure: "SPIN has at most 255 processes, and so have we: check a smaller instance.",
        cured: Some(
            "active [3] proctype P() { skip }
",
        ),
    },
];
