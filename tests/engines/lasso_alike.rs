//! Lassos of processes that can change places: their first moves come in an order, and the shortest lassos are as long as before.

use crate::lasso::{Hunted, agree, agree_on_passes, seeds};
use std::sync::Arc;
use system::{Claim, Machine, Symmetry, System};
use testkit::systems::Random;
use uwbmc::smv::load;
use uwbmc::source::Source;

fn one_of<'a>(texts: &[&'a str], random: &mut Random) -> &'a str {
    texts[random.below(texts.len())]
}

/// Three processes of a random module, with fairness that may tell them apart, and formulas that may.
fn text(random: &mut Random) -> String {
    let values = ["0", "1", "2", "{0, 1}", "{1, 2}"];
    let when = ["", " & s", " & !s"];
    let mut text = "MODULE worker(s)\nVAR\n  pc : 0..2;\nASSIGN\n  init(pc) := 0;\n  next(pc) := case\n".to_owned();
    for pc in 0..3 {
        text += &format!("    pc = {pc}{} : {};\n", one_of(&when, random), one_of(&values, random));
    }
    text += "    TRUE : pc;\n  esac;\n";
    let changes = ["TRUE", "FALSE", "!s"];
    text += &format!("  next(s) := case pc = {} : {}; TRUE : s; esac;\n", random.below(3), one_of(&changes, random));
    text += one_of(&["", "FAIRNESS running\n", "FAIRNESS running\n", "FAIRNESS pc = 0\n"], random);
    text += "MODULE main\nVAR\n  s : boolean;\n";
    for process in 1..=3 {
        text += &format!("  p{process} : process worker(s);\n");
    }
    text += "ASSIGN\n  init(s) := FALSE;\n";
    text += one_of(
        &["", "", "FAIRNESS p2.running\n", "FAIRNESS p3.pc = 1\n", "COMPASSION (p2.pc = 1, p2.pc = 2)\n"],
        random,
    );
    for _ in 0..3 {
        let atoms = ["p1.pc = 1", "p1.pc = 2", "p2.pc = 1", "p3.pc = 0", "s", "p2.pc = 2 | p3.pc = 2", "p3.running"];
        let [a, b] = [one_of(&atoms, random), one_of(&atoms, random)];
        let shapes = [
            format!("F ({a})"),
            format!("G F ({a})"),
            format!("F G ({a})"),
            format!("G (({a}) -> F ({b}))"),
            format!("({a}) U ({b})"),
            format!("G (({a}) -> X ({b}))"),
            format!("G (({a}) -> O ({b}))"),
        ];
        text += &format!("LTLSPEC {};\n", shapes[random.below(shapes.len())]);
    }
    text
}

/// Whether some processes can change places as far as a formula tells.
fn has_alike(system: &System) -> bool {
    system.properties.iter().any(|property| match property.claim {
        Claim::Ltl(root) => !Symmetry::of_runs(system, system.formulas.states(root)).is_trivial(),
        _ => false,
    })
}

/// Each formula by itself, so that others do not tell apart what it does not.
fn alone(system: &System) -> Vec<System> {
    let only = |property: &system::Property| {
        let mut system = system.clone();
        system.properties.raw.clear();
        system.properties.push(property.clone());
        system
    };
    system.properties.iter().map(only).collect()
}

#[test]
fn the_order_of_first_moves_loses_no_shortest_lasso() {
    let (mut compared, mut alike) = (0, 0);
    for seed in seeds() {
        let text = text(&mut Random(seed ^ 0xa11e));
        let source = Source::new("alike.smv", text.as_bytes());
        let system = load(&source, &[]).system.unwrap_or_else(|| panic!("seed {seed}:\n{text}"));
        for system in alone(&system) {
            let has_alike = has_alike(&system);
            if agree(&Machine::new(Arc::new(system)), &format!("seed {seed}:\n{text}")) {
                compared += 1;
                alike += usize::from(has_alike);
            }
        }
    }
    println!("{compared} formulas compared, {alike} of them with processes that can change places");
    assert!(alike * 4 > compared && compared > 0, "{alike} of {compared}");
}

/// Most of these formulas cannot tell how often a state is repeated, and do not feel the steps of every process.
#[test]
fn passes_look_at_what_a_formula_feels() {
    let mut hunted = Hunted::default();
    for seed in seeds() {
        let text = text(&mut Random(seed ^ 0xa11e));
        let source = Source::new("alike.smv", text.as_bytes());
        let system = load(&source, &[]).system.unwrap_or_else(|| panic!("seed {seed}:\n{text}"));
        agree_on_passes(&Machine::new(Arc::new(system)), &format!("seed {seed}:\n{text}"), &mut hunted);
    }
    println!("{hunted:?}");
    assert!(hunted.found > 0 && 10 * hunted.found >= 9 * hunted.asked, "{hunted:?}");
}

/// What one process does and another undoes in the same pass is seen in between.
#[test]
fn a_state_inside_a_pass_is_looked_at() {
    let text = "MODULE flips(s) ASSIGN next(s) := !s; FAIRNESS running\n\
                MODULE counts VAR n : 0..1; ASSIGN init(n) := 0; next(n) := 1 - n; FAIRNESS running\n\
                MODULE main VAR s : boolean; p1 : process flips(s); p2 : process flips(s); p3 : process counts;\n\
                ASSIGN init(s) := FALSE;\nLTLSPEC F s\nLTLSPEC G F !s\nLTLSPEC F G !s\n";
    let system = load(&Source::new("flips.smv", text.as_bytes()), &[]).system.expect("accepted");
    let mut hunted = Hunted::default();
    agree_on_passes(&Machine::new(Arc::new(system)), text, &mut hunted);
    assert_eq!((hunted.asked, hunted.found), (1, 1), "the last of them is violated");
}
