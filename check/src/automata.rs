//! Automata from files as claims about a model: each atomic proposition is read as a condition in the model's language.

use languages::define::Define;
use languages::diagnostic::{Diagnostic, Diagnostics};
use languages::hoa::{Automaton, codes};
use system::{Claim, ExprId, Formula, Property, Span, System};

/// What an automaton is called as a property: by its position.
fn name(number: usize) -> String {
    format!("automaton_{}", number + 1)
}

/// The propositions of all automata, each with a name of its own.
pub fn predicates(automata: &[Automaton]) -> Vec<Define> {
    let mut defines = Vec::new();
    for (number, automaton) in automata.iter().enumerate() {
        defines.extend(automaton.propositions.iter().enumerate().map(|(at, proposition)| Define {
            name: proposition_name(number, at),
            value: Some(proposition.text.clone()),
        }));
    }
    defines
}

fn proposition_name(automaton: usize, at: usize) -> String {
    format!("{}_{at}", name(automaton))
}

/// Puts a claim for each automaton in the place of the properties that its propositions were read as.
pub fn claim(system: &mut System, automata: &[Automaton], diagnostics: &mut Diagnostics) {
    for (number, automaton) in automata.iter().enumerate() {
        let conditions: Vec<ExprId> = (0..automaton.propositions.len())
            .filter_map(|at| take(system, &proposition_name(number, at), diagnostics))
            .collect();
        if conditions.len() == automaton.propositions.len() {
            let claim = automaton.claim(&name(number), &conditions, &mut system.exprs);
            system.automata.push(claim);
            let claim = Claim::Never(system.automata.len() - 1);
            system.properties.push(Property::new(name(number), claim, Span::default()).beside_claim());
        }
    }
}

/// Takes the condition with a name away from the properties.
fn take(system: &mut System, name: &str, diagnostics: &mut Diagnostics) -> Option<ExprId> {
    let at = system.properties.iter().rposition(|property| property.name == name)?;
    let Property { claim, span, .. } = system.properties.raw.remove(at);
    match claim {
        Claim::Ltl(formula) if let Formula::State(condition) = system.formulas.get(formula) => Some(condition),
        _ => {
            let message = "this atomic proposition is not a condition on states of the model";
            let help =
                "name propositions in the model's language, without temporal operators, such as \"x = 1\" in SMV";
            diagnostics.push(Diagnostic::error(codes::PREDICATE, span, message).help(help));
            None
        }
    }
}
