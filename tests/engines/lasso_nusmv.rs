//! The least number of steps of a counterexample as NuSMV has it, with a loop and without: random models and formulas, each bound and
//! each place where a loop can begin, one by one.

use crate::lasso::{seeds, strategies, swept};
use std::path::Path;
use std::sync::Arc;
use system::{Machine, PropertyId};
use testkit::systems::Random;
use testkit::{nusmv, scratch};
use uwbmc::smv::load;
use uwbmc::source::Source;

/// How many models NuSMV is asked about at once.
const TOGETHER: u64 = 10;

/// How many steps are looked at.
const LONGEST: usize = 4;

/// A model without properties, and formulas.
struct Question {
    model: String,
    formulas: Vec<String>,
}

/// Some of the values.
fn some(random: &mut Random, values: usize) -> String {
    let chosen: Vec<String> = (0..values).filter(|_| random.chance(35)).map(|value| value.to_string()).collect();
    if chosen.is_empty() { random.below(values).to_string() } else { format!("{{{}}}", chosen.join(", ")) }
}

/// A model in which every run goes on, with an input; one in four has fairness.
fn question(seed: u64) -> Question {
    let mut random = Random(seed ^ 0x1a550);
    let values = 3 + random.below(4);
    let mut model = format!("MODULE main\nIVAR i : boolean;\nVAR s : 0..{};\nASSIGN\n", values - 1);
    model += &format!("  init(s) := {};\n  next(s) := case\n", some(&mut random, values));
    for from in 0..values {
        let when = ["", " & i", " & !i"][random.below(3)];
        model += &format!("    s = {from}{when} : {};\n", some(&mut random, values));
    }
    model += &format!("    TRUE : {};\n  esac;\n", some(&mut random, values));
    if random.chance(25) {
        model += &format!("FAIRNESS s in {}\n", some(&mut random, values));
    }
    let may_read_inputs = random.chance(30);
    let atom = |random: &mut Random| match random.below(4) {
        0 if may_read_inputs => "i".to_owned(),
        1 => format!("s <= {}", random.below(values)),
        _ => format!("s in {}", some(random, values)),
    };
    let atoms: Vec<String> = (0..3).map(|_| atom(&mut random)).collect();
    let letters = Letters { has_input: atoms.iter().any(|atom| atom == "i"), atoms };
    let past = |index: usize| if index.is_multiple_of(2) { Past::Asked } else { Past::NotAsked };
    let formulas = (0..6).map(|index| formula(&mut random, &letters, 1 + index % 3, past(index))).collect();
    Question { model, formulas }
}

/// What is asked about what was. Where there is no loop, NuSMV takes `p V q` over past operators for shown at the end of the run as soon as q
/// holds up to there, though the run may go on otherwise: U and V have to do without them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Past {
    Asked,
    NotAsked,
}

/// What formulas are made of.
struct Letters {
    atoms: Vec<String>,
    /// Whether one of them is an input. A condition on a state and an input at once is one condition to us, of which nothing is known in the last
    /// state of a run, and two to NuSMV: then there are none.
    has_input: bool,
}

/// A formula, which may be about the past.
fn formula(random: &mut Random, letters: &Letters, depth: usize, past: Past) -> String {
    let Letters { atoms, has_input } = letters;
    if depth == 0 || random.chance(10) {
        return format!("({})", atoms[random.below(atoms.len())]);
    }
    let mut one = |past: Past| formula(random, letters, depth - 1, past);
    let (a, b) = (one(past), one(past));
    // We know what is always true or never; NuSMV has to see it.
    if a == b || a == format!("!{b}") || b == format!("!{a}") {
        return a;
    }
    let pick = |random: &mut Random, ops: &[&'static str]| ops[random.below(ops.len())];
    match random.below(10) {
        0 => format!("!{a}"),
        1..=4 => format!("({} {a})", pick(random, &["G", "G", "X", "F"])),
        5 | 6 if past == Past::Asked => format!("({} {a})", pick(random, &["Y", "Z", "O", "H"])),
        7 if past == Past::Asked => format!("({a} {} {b})", pick(random, &["S", "T"])),
        8 if !has_input => format!("({a} {} {b})", pick(random, &["&", "->"])),
        _ if past == Past::NotAsked => format!("({a} {} {b})", pick(random, &["U", "V"])),
        _ if !has_input => format!("({a} <-> {b})"),
        _ => format!("(X {a})"),
    }
}

/// Every bound, with every place where its loop can begin, and none.
fn places() -> Vec<(usize, String)> {
    let of = |bound: usize| (0..bound).map(move |start| (bound, start.to_string())).chain([(bound, "X".to_owned())]);
    (0..=LONGEST).flat_map(of).collect()
}

impl Question {
    fn with_properties(&self) -> String {
        self.model.clone() + &self.formulas.iter().map(|formula| format!("LTLSPEC {formula}\n")).collect::<String>()
    }

    fn commands(&self, file: &Path) -> String {
        let mut commands = format!("reset\nread_model -i {}\ngo_bmc\n", file.display());
        for formula in &self.formulas {
            for (bound, start) in places() {
                commands += &format!("check_ltlspec_bmc_onepb -p \"{formula}\" -k {bound} -l {start}\n");
            }
        }
        commands
    }

    /// The least numbers of steps by each of our strategies.
    fn answers(&self) -> Vec<(&'static str, Vec<Option<usize>>)> {
        let text = self.with_properties();
        let system = load(&Source::new("least.smv", text.as_bytes()), &[]).system;
        let machine = Machine::new(Arc::new(system.unwrap_or_else(|| panic!("{text}"))));
        let least = |property: PropertyId, strategy| {
            let found = swept(&machine, &[property], LONGEST, strategy);
            let trace = found.violations().first().map(|(_, trace)| (*trace).clone())?;
            assert!(trace.violates(&machine, property).is_some(), "{text}");
            Some(trace.moves.len())
        };
        let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
        let each = strategies()
            .map(|(name, strategy)| (name, properties.iter().map(|property| least(*property, strategy)).collect()));
        each.into()
    }
}

/// Whether NuSMV finds a counterexample, for each question that it was asked.
fn found(output: &str) -> Vec<bool> {
    let answers = output.lines().filter_map(|line| {
        let has_none = line.starts_with("-- no counterexample found");
        (has_none || line.starts_with("-- specification")).then_some(!has_none)
    });
    answers.collect()
}

/// The least number of steps for each formula.
fn least(found: &[bool]) -> Vec<Option<usize>> {
    let places = places();
    let of = |found: &[bool]| places.iter().zip(found).find(|(_, found)| **found).map(|((bound, _), _)| *bound);
    found.chunks(places.len()).map(of).collect()
}

#[test]
fn the_least_number_of_steps_is_that_of_nusmv() {
    let Some(nusmv) = nusmv::find() else { return eprintln!("skipped: no NuSMV") };
    let seeds: Vec<u64> = seeds().collect();
    let (mut compared, mut violated) = (0, 0);
    for seeds in seeds.chunks(TOGETHER as usize) {
        let questions: Vec<Question> = seeds.iter().map(|seed| question(*seed)).collect();
        let file = |index: usize| scratch().join(format!("least-{}-{index}.smv", std::process::id()));
        let mut commands = String::new();
        for (index, question) in questions.iter().enumerate() {
            std::fs::write(file(index), &question.model).expect("writable");
            commands += &question.commands(&file(index));
        }
        let output = nusmv::ask(&nusmv, &file(0), &commands).expect("NuSMV answers in time");
        (0..questions.len()).for_each(|index| std::fs::remove_file(file(index)).expect("it is ours"));
        let found = found(&output);
        let asked: usize = questions.iter().map(|question| question.formulas.len() * places().len()).sum();
        assert_eq!(found.len(), asked, "NuSMV answers all that it is asked");
        let theirs = least(&found);
        let mut theirs = theirs.chunks(questions[0].formulas.len());
        for (seed, question) in seeds.iter().zip(&questions) {
            let theirs = theirs.next().expect("as many as are asked");
            for (name, ours) in question.answers() {
                assert_eq!(ours, theirs, "seed {seed}, {name}:\n{}", question.with_properties());
            }
            compared += theirs.len();
            violated += theirs.iter().flatten().count();
        }
    }
    println!("{compared} formulas compared, {violated} of them violated");
    assert!(violated * 4 > compared && violated * 10 < compared * 9, "{violated} of {compared}");
}
