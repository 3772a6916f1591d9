//! The automaton of what violates a property, in the Hanoi format (version 1): generalised Büchi, with acceptance on
//! transitions. `--automaton` reads it.

use super::{Refusal, kind};
use crate::Language;
use std::fmt::Write;
use system::{Claim, PropertyId, System, render_expr, render_formula};
use temporal::{Arena, Edge, Letter, Monitor, Node, NodeId, Tableau, normalise};

/// The most states that are written.
const MOST_STATES: usize = 10_000;

/// Writes the automaton of the runs that violate a property.
pub fn export(system: &System, property: PropertyId, language: Language) -> Result<String, Refusal> {
    let name = &system.properties[property].name;
    let (arena, root, formula) = violation(system, property)?;
    if arena.has_past(root) {
        let why = "it has past operators, and the automaton is told what they say by a monitor of its own";
        return Err(Refusal(format!("the automaton of {name} cannot be written: {why}; leave them out")));
    }
    let refuse = |why: String| Refusal(format!("the automaton of {name} cannot be written: {why}"));
    let (mut tableau, monitor) = Tableau::new(arena, root).map_err(refuse)?;
    let mut body = String::new();
    let mut state = 0;
    while state < tableau.len() {
        if state == MOST_STATES {
            return Err(refuse(format!("it has more than {MOST_STATES} states")));
        }
        let edges = tableau.edges(state as u32).map_err(refuse)?.to_vec();
        let _ = writeln!(body, "State: {state}");
        for edge in edges {
            let _ = writeln!(body, "[{}] {} {}", label(&tableau, &monitor, edge), edge.to, sets(edge.marks));
        }
        state += 1;
    }
    let propositions = monitor.atoms().iter().map(|atom| quoted(&spelled(&render_expr(system, *atom), language)));
    let propositions: Vec<String> = propositions.collect();
    Ok(header(&formula, state, &propositions, tableau.acceptance().count_ones()) + &body + "--END--\n")
}

/// The formula of what violates a property, and how it is written.
fn violation(system: &System, property: PropertyId) -> Result<(Arena, NodeId, String), Refusal> {
    let mut arena = Arena::default();
    match &system.properties[property].claim {
        Claim::Ltl(formula) => {
            let root = normalise(system, *formula, &mut arena).map_err(Refusal)?;
            let negated = arena.not(root);
            Ok((arena, negated, format!("!({})", render_formula(system, *formula))))
        }
        Claim::Invariant(invariant) => {
            let holds = arena.atom(*invariant);
            let negated = arena.eventually(arena.not(holds));
            Ok((arena, negated, format!("F !({})", render_expr(system, *invariant))))
        }
        claim => {
            let (name, kind) = (&system.properties[property].name, kind(claim));
            Err(Refusal(format!("the property {name} is {kind}; only formulas of LTL have an automaton to write")))
        }
    }
}

fn header(formula: &str, states: usize, propositions: &[String], sets: u32) -> String {
    let (known_as, condition) = match sets {
        0 => ("all".to_owned(), "t".to_owned()),
        1 => ("Buchi".to_owned(), "Inf(0)".to_owned()),
        _ => {
            let each: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
            (format!("generalized-Buchi {sets}"), each.join("&"))
        }
    };
    let names = propositions.iter().fold(String::new(), |names, name| names + " " + name);
    format!(
        "HOA: v1\nname: {}\ntool: \"uwbmc\" \"{}\"\nStates: {states}\nStart: 0\nAP: {}{names}\nacc-name: {known_as}\n\
         Acceptance: {sets} {condition}\nproperties: trans-labels explicit-labels trans-acc\n--BODY--\n",
        quoted(formula),
        env!("CARGO_PKG_VERSION"),
        propositions.len(),
    )
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// An expression as its language has it, as far as only operators differ.
fn spelled(expr: &str, language: Language) -> String {
    match language {
        Language::Smv => expr.to_owned(),
        Language::Promela => [(" = ", " == "), (" & ", " && "), (" | ", " || "), ("TRUE", "true"), ("FALSE", "false")]
            .iter()
            .fold(expr.to_owned(), |text, (ours, theirs)| text.replace(ours, theirs)),
    }
}

fn sets(marks: u64) -> String {
    let sets: Vec<String> = (0..u64::BITS).filter(|set| marks >> set & 1 == 1).map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!("{{{}}}", sets.join(" ")) }
}

/// What a transition asks of the propositions.
fn label(tableau: &Tableau, monitor: &Monitor, edge: Edge) -> String {
    let mut parts = Vec::new();
    for (bit, condition) in tableau.conditions().iter().enumerate() {
        if has(edge.holds, bit) {
            parts.push(proposition(tableau.arena(), monitor, *condition));
        } else if has(edge.fails, bit) {
            parts.push(proposition(tableau.arena(), monitor, tableau.arena().not(*condition)));
        }
    }
    if parts.is_empty() { "t".to_owned() } else { parts.join("&") }
}

fn has(letter: Letter, bit: usize) -> bool {
    letter >> bit & 1 == 1
}

/// A condition over the propositions: operands come before what they are part of.
fn proposition(arena: &Arena, monitor: &Monitor, condition: NodeId) -> String {
    let mut known: std::collections::BTreeMap<NodeId, String> = std::collections::BTreeMap::new();
    for part in arena.parts(condition) {
        let number = |atom| monitor.atoms().iter().position(|own| *own == atom).unwrap_or_default();
        let text = match arena.get(part) {
            Node::Atom(atom) => number(atom).to_string(),
            Node::NotAtom(atom) => format!("!{}", number(atom)),
            Node::And(a, b) => format!("({}&{})", known[&a], known[&b]),
            Node::Or(a, b) => format!("({}|{})", known[&a], known[&b]),
            Node::False => "f".to_owned(),
            // Conditions have no other operators where the formula has no past.
            _ => "t".to_owned(),
        };
        known.insert(part, text);
    }
    known.remove(&condition).unwrap_or_default()
}
