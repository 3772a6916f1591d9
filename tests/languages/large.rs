//! Very large and very deep models load, or are rejected, with memory and time in proportion to their size.

use std::fmt::Write;
use system::{Claim, System};
use uwbmc::diagnostic::{Code, Diagnostics, Style};
use uwbmc::smv::{codes, load};
use uwbmc::source::Source;

const DEEP: usize = 100_000;

/// Loads a model; what is wrong with it is shown, as a user would see it.
fn try_to_load(text: impl AsRef<[u8]>) -> Result<System, Box<(Diagnostics, String)>> {
    let source = Source::new("large.smv", text.as_ref());
    let loaded = load(&source, &[]);
    let shown = loaded.diagnostics.render(&source, Style::Plain);
    // What is wrong with a property alone leaves the rest of the model.
    let is_wrong = loaded.diagnostics.has_errors();
    loaded.system.filter(|_| !is_wrong).ok_or_else(|| Box::new((loaded.diagnostics, shown)))
}

fn loaded(text: impl AsRef<[u8]>) -> System {
    try_to_load(text).unwrap_or_else(|mistakes| panic!("{}", mistakes.1))
}

/// Checks that a model is rejected, with diagnostics that a person can read.
fn rejected(text: impl AsRef<[u8]>, code: Code) {
    let (diagnostics, shown) = *try_to_load(text).expect_err("the model is wrong");
    assert!(diagnostics.sorted().iter().any(|diagnostic| diagnostic.code == code), "{shown}");
    assert!(shown.len() < 100_000, "the diagnostics are {} bytes long", shown.len());
}

/// The value of a constant invariant.
fn constant(system: &System) -> Option<i64> {
    match &system.properties.first()?.claim {
        Claim::Invariant(expr) => system.exprs.constant_value(*expr),
        _ => None,
    }
}

/// A model with one boolean x, one integer n, and an invariant.
fn invariant(text: &str) -> System {
    loaded(format!("MODULE main VAR x : boolean; n : 0..3; INVARSPEC {text}"))
}

fn nested(before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(DEEP), after.repeat(DEEP))
}

#[test]
fn ten_megabytes_of_variables_and_assignments() {
    let mut text = String::from("MODULE main\n");
    let mut count = 0;
    while text.len() < 10_000_000 {
        let before = count - usize::from(count > 0);
        let _ = write!(
            text,
            "VAR v{count} : 0..7;\nASSIGN init(v{count}) := {{0, 1}}; next(v{count}) := \
             case v{before} = 7 : 0; v{count} < 7 : v{count} + 1; TRUE : v{before}; esac;\n"
        );
        count += 1;
    }
    let system = loaded(text);
    assert_eq!(system.variables.len(), count);
    assert_eq!(system.initial_values.len(), count);
}

#[test]
fn deep_brackets() {
    let system = invariant(&nested("(", "x", ")"));
    assert_eq!(constant(&system), None);
}

#[test]
fn deep_negation() {
    assert_eq!(invariant(&nested("!", "x", "")).exprs.len(), invariant("!x").exprs.len());
}

#[test]
fn deep_implication() {
    invariant(&nested("x -> ", "x", ""));
    invariant(&nested("(", "x", ") -> x"));
}

#[test]
fn deep_conditional() {
    invariant(&nested("n = 1 ? x : ", "x", ""));
    invariant(&nested("n = 1 ? ", "x", " : !x"));
    invariant(&nested("(", "x", ") ? x : !x"));
}

#[test]
fn deep_case() {
    invariant(&nested("case n = 1 : x; TRUE : ", "x", "; esac"));
    invariant(&nested("case ", "x", " : x; TRUE : !x; esac"));
}

#[test]
fn deep_sets_and_indices() {
    let system = invariant(&format!("n in {}", nested("{", "1", "}")));
    assert_eq!(constant(&system), None);
    rejected(format!("MODULE main VAR a : boolean; INVARSPEC {}", nested("a[", "0", "]")), codes::NOT_A_VALUE);
}

#[test]
fn deep_temporal_formulas() {
    let system = loaded(format!("MODULE main VAR x : boolean; LTLSPEC {}", nested("X ", "x", "")));
    assert!(matches!(system.properties.first().map(|property| &property.claim), Some(Claim::Ltl(_))));
    loaded(format!("MODULE main VAR x : boolean; CTLSPEC {}", nested("A [ x U ", "x", " ]")));
    loaded(format!("MODULE main VAR x : boolean; LTLSPEC {}", nested("x U x -> ", "x", "")));
}

#[test]
fn long_chains_of_operators() {
    invariant(&nested("x & ", "x", ""));
    invariant(&nested("x | n = 1 | ", "x", ""));
    invariant(&format!("{} > 0", nested("n + ", "n", "")));
    let sum = invariant(&format!("{} = {}", nested("1 + ", "1", ""), DEEP + 1));
    assert_eq!(constant(&sum), Some(1));
}

#[test]
fn brackets_that_never_close() {
    rejected(format!("MODULE main VAR x : boolean; INVARSPEC {}x", "(".repeat(DEEP)), codes::SYNTAX);
    rejected(format!("MODULE main VAR x : boolean; INVARSPEC x{}", ")".repeat(DEEP)), codes::SYNTAX);
    rejected(format!("MODULE main VAR x : boolean; INVARSPEC {}", "case ".repeat(DEEP)), codes::SYNTAX);
}

#[test]
fn a_chain_of_definitions() {
    const LENGTH: usize = 20_000;
    let mut text = format!("MODULE main VAR n : 0..1; INVARSPEC d{LENGTH} = 0\nDEFINE d0 := n;\n");
    for index in 1..=LENGTH {
        let _ = writeln!(text, "d{index} := d{} + 1;", index - 1);
    }
    assert_eq!(constant(&loaded(&text)), Some(0), "the sum is known to be greater");
    let _ = writeln!(text, "e := e{LENGTH}; e0 := e;");
    for index in 1..=LENGTH {
        let _ = writeln!(text, "e{index} := e{} + 1;", index - 1);
    }
    rejected(&text, codes::CIRCULAR);
}

#[test]
fn a_definition_that_doubles() {
    let mut text = String::from("MODULE main VAR w : word[8]; DEFINE d0 := w;\n");
    for index in 1..=200 {
        let _ = writeln!(text, "d{index} := d{} + d{};", index - 1, index - 1);
    }
    let system = loaded(format!("{text} INVARSPEC d200 = 0ud8_0"));
    assert!(system.exprs.len() < 1_000);
    assert!(!system::render_system(&system).is_empty());
}

fn instances(kind: &str) -> System {
    let mut text = String::from("MODULE m(other)\nVAR x : boolean; ASSIGN next(x) := other;\nMODULE main\n");
    for index in 0..10_000 {
        let other = if index == 0 { "TRUE".to_owned() } else { format!("i{}.x", index - 1) };
        let _ = writeln!(text, "VAR i{index} : {kind} m({other});");
    }
    loaded(text)
}

#[test]
fn many_instances() {
    let system = instances("");
    assert_eq!((system.variables.len(), system.processes.len()), (10_000, 1));
}

#[test]
fn many_processes() {
    let system = instances("process");
    assert_eq!((system.variables.len(), system.processes.len()), (10_000, 10_001));
}

#[test]
fn a_tower_of_instances() {
    let mut text = String::from("MODULE m0(p)\nVAR x : boolean; INVARSPEC x = p\n");
    for level in 1..1_000 {
        let _ = writeln!(text, "MODULE m{level}(p)\nVAR i : m{}(p);", level - 1);
    }
    let _ = writeln!(text, "MODULE main VAR y : boolean; i : m999(y);");
    assert_eq!(loaded(text).variables.len(), 2);
}

#[test]
fn instances_that_double_at_every_level_are_rejected_or_loaded() {
    let mut text = String::from("MODULE m0\nVAR x : boolean;\n");
    for level in 1..=12 {
        let _ = writeln!(text, "MODULE m{level}\nVAR a : m{0}; b : m{0};", level - 1);
    }
    let _ = writeln!(text, "MODULE main VAR i : m12;");
    assert_eq!(loaded(text).variables.len(), 1 << 12);
}

#[test]
fn a_large_array() {
    let text = "MODULE main VAR a : array 0..99999 of 0..3; i : 0..99999; INVARSPEC a[i] = 0";
    let system = loaded(text);
    assert_eq!(system.variables.len(), 100_001);
    rejected("MODULE main VAR a : array 0..2147483647 of array 0..2147483647 of boolean;", codes::TOO_LARGE);
}

#[test]
fn ten_megabytes_of_garbage() {
    let mut state = 1u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let garbage: Vec<u8> = (0..10_000_000).map(|_| byte()).collect();
    rejected(&garbage, codes::SYNTAX);
    rejected([b"MODULE main VAR ".as_slice(), &garbage].concat(), codes::CHARACTER);
    let printable: Vec<u8> = garbage.iter().map(|byte| b' ' + byte % 95).collect();
    rejected([b"MODULE main VAR ".as_slice(), &printable].concat(), codes::SYNTAX);
}

#[test]
fn one_line_of_five_megabytes() {
    let mut text = String::from("MODULE main VAR x : boolean; ");
    let start = text.len();
    while text.len() < 5_000_000 {
        let _ = write!(text, "DEFINE d{} := x & !x | x; ", text.len());
    }
    loaded(&text);
    let wrong = format!("{}y;{}", &text[..start], text[start..].replace("!x", "!z"));
    rejected(wrong, codes::SYNTAX);
    rejected(text.replace("!x", "!z"), codes::UNDEFINED);
}

#[test]
fn a_very_long_name() {
    let name = "a".repeat(100_000);
    let system = loaded(format!("MODULE main VAR {name} : boolean; INVARSPEC {name} -> !{name}"));
    assert_eq!(system.variables.first().map(|variable| variable.name.len()), Some(name.len()));
    rejected(format!("MODULE main INVARSPEC {name}"), codes::UNDEFINED);
    rejected(format!("MODULE main VAR x : \"{}\";", name.repeat(20)), codes::UNKNOWN_MODULE);
}
