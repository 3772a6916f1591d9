//! The past in programs with atomic sections: a loop may begin inside one, and what was seen last before its first round is then another state than
//! before all others. Promela has no past operators, so that formulas are added to systems that are read from texts without them.

use crate::lasso::{Repetition, Vocabulary, agree_up_to, formula, seeds, swept};
use std::sync::Arc;
use system::{Claim, ExprId, Formula, FormulaId, Machine, Property, PropertyId, Span, System, UnaryTemporal};
use testkit::systems::Random;
use uwbmc::bounded::Strategy;
use uwbmc::{Language, Model};

/// How many steps a lasso of the oracle has at most: sections hide some of them.
const LONGEST: usize = 6;

/// What formulas speak of.
const ATOMS: [&str; 4] = ["x == 0", "x == 1", "x == 2", "y == 1"];

fn one_of<'a>(texts: &[&'a str], random: &mut Random) -> &'a str {
    texts[random.below(texts.len())]
}

/// A statement that can be executed at once, or may have to wait.
fn statement(random: &mut Random) -> &'static str {
    one_of(&["x = 0", "x = 1", "x = 2", "y = 1 - y", "y = 1", "x = (x + 1) % 3", "x != 1", "y == 0"], random)
}

/// Statements, more often than not in an atomic section.
fn block(random: &mut Random) -> String {
    let statements: Vec<&str> = (0..1 + random.below(3)).map(|_| statement(random)).collect();
    let block = statements.join("; ");
    if random.chance(75) { format!("atomic {{ {block} }}") } else { block }
}

/// One process or two, which go round in blocks.
fn program(random: &mut Random) -> String {
    let mut text = format!("byte x = {}; byte y;\n", random.below(3));
    for process in 0..1 + random.below(2) {
        let options: Vec<String> = (0..1 + random.below(2)).map(|_| format!(":: {}", block(random))).collect();
        let begin = if random.chance(30) { format!("{}; ", block(random)) } else { String::new() };
        text += &format!("active proctype P{process}() {{ {begin}do {} od }}\n", options.join(" "));
    }
    for (index, atom) in ATOMS.iter().enumerate() {
        text += &format!("ltl a{index} {{ {atom} }}\n");
    }
    text
}

/// The conditions of a system's properties, which are left out.
fn conditions(system: &mut System) -> Vec<ExprId> {
    let condition = |property: Property| match property.claim {
        Claim::Ltl(root) => match system.formulas.get(root) {
            Formula::State(expr) => Some(expr),
            _ => None,
        },
        _ => None,
    };
    std::mem::take(&mut system.properties.raw).into_iter().filter_map(condition).collect()
}

/// A system with other properties.
fn with(text: &str, properties: impl FnOnce(&mut System, Vec<ExprId>) -> Vec<FormulaId>) -> Machine {
    let model = Model::parse(text, Language::Promela).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let mut system = model.machine.system().clone();
    let atoms = conditions(&mut system);
    for root in properties(&mut system, atoms) {
        system.properties.push(Property::new("f".to_owned(), Claim::Ltl(root), Span::default()));
    }
    Machine::new(Arc::new(system))
}

/// Whether plain bounded model checking finds a violation within a bound.
fn is_violated(machine: &Machine, property: PropertyId, bound: usize) -> bool {
    !swept(machine, &[property], bound, Strategy::plain()).violations().is_empty()
}

#[test]
fn random_programs_with_sections() {
    let compared = seeds().filter(|seed| {
        let mut random = Random(seed ^ 0x5ec7);
        let text = program(&mut random);
        let machine = with(&text, |system, atoms| {
            let letters = Vocabulary { atoms, repetition: Repetition::Matters };
            (0..4).map(|index| formula(system, &letters, &mut random, 2 + index % 3)).collect()
        });
        agree_up_to(LONGEST, &machine, &format!("seed {seed}:\n{text}"))
    });
    let compared = compared.count();
    println!("{compared} programs compared, with four formulas each");
    assert!(compared * 2 > seeds().count(), "{compared}");
}

/// The shortest loop begins inside the section: in its first round, what was seen last is the first state of the run, and never again.
#[test]
fn a_loop_that_begins_inside_a_section_looks_back_at_another_state_in_each_round() {
    let text = "byte x; active proctype P() { do :: atomic { x = 2; x = 1 } od } ltl a { x == 0 } ltl b { x == 1 }";
    let machine = with(text, |system, atoms| {
        let roots = atoms.into_iter().flat_map(|atom| {
            let atom = system.formulas.add(Formula::State(atom));
            let mut unary = |op, a| system.formulas.add(Formula::Unary(op, None, a));
            let before = unary(UnaryTemporal::Yesterday, atom);
            let long_before = unary(UnaryTemporal::Yesterday, before);
            [before, long_before].map(|before| {
                let recurs = unary(UnaryTemporal::Finally, before);
                unary(UnaryTemporal::Globally, recurs)
            })
        });
        let roots: Vec<FormulaId> = roots.collect();
        let not = |root: &FormulaId| system.formulas.add(Formula::Not(*root));
        let negated: Vec<FormulaId> = roots.iter().map(not).collect();
        roots.into_iter().chain(negated).collect()
    });
    let violated: Vec<usize> = (0..8).filter(|index| is_violated(&machine, PropertyId::from(*index), 3)).collect();
    // Of x = 0, that it recurs in the past; of x = 1, that it does not.
    assert_eq!(violated, [0, 1, 6, 7]);
    assert!(agree_up_to(LONGEST, &machine, text));
}
