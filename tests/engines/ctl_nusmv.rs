//! Random models with random formulas of CTL and quantities, as NuSMV answers them: dead ends, unfair states, unfair initial
//! states. Many models are asked about in one run of NuSMV.

use testkit::ctl::random_formula;
use testkit::systems::Random;
use testkit::{nusmv, scratch};
use uwbmc::{Language, Model, Options};

/// How many models NuSMV is asked about at once.
const TOGETHER: u64 = 50;

/// A model without properties, and the formulas and quantities that it is asked.
struct Question {
    model: String,
    formulas: Vec<String>,
    quantities: Vec<String>,
}

/// Some of the values.
fn some(random: &mut Random, values: usize) -> String {
    let chosen: Vec<String> = (0..values).filter(|_| random.chance(45)).map(|value| value.to_string()).collect();
    if chosen.is_empty() { format!("s = {}", random.below(values)) } else { format!("s in {{{}}}", chosen.join(", ")) }
}

fn question(seed: u64) -> Question {
    let mut random = Random(seed ^ 0xc71);
    let values = 3 + random.below(4);
    let mut model = format!("MODULE main\nVAR s : 0..{};\nINIT {}\nTRANS FALSE", values - 1, some(&mut random, values));
    for from in 0..values {
        for to in (0..values).filter(|_| random.chance(30)).collect::<Vec<_>>() {
            model.push_str(&format!(" | s = {from} & next(s) = {to}"));
        }
    }
    model.push('\n');
    for _ in 0..random.below(3) {
        model.push_str(&format!("FAIRNESS {}\n", some(&mut random, values)));
    }
    let mut atoms: Vec<String> = (0..3).map(|_| some(&mut random, values)).collect();
    atoms.push("TRUE".to_owned());
    let mut formulas = vec!["FALSE".to_owned()];
    formulas.extend((0..6).map(|index| random_formula(&mut random, atoms.len(), 1 + index % 3).written(&atoms)));
    let quantities = ["MIN", "MAX"].map(|extreme| {
        let [start, end] =
            [(); 2].map(|()| random_formula(&mut random, atoms.len(), random_depth(seed)).written(&atoms));
        format!("{extreme} [ {start} , {end} ]")
    });
    Question { model, formulas, quantities: quantities.into() }
}

/// Quantities are about conditions mostly.
fn random_depth(seed: u64) -> usize {
    usize::from(seed.is_multiple_of(3))
}

impl Question {
    /// The model with all that is asked as properties, in order.
    fn with_properties(&self) -> String {
        let formulas = self.formulas.iter().map(|formula| format!("SPEC {formula}\n"));
        let quantities = self.quantities.iter().map(|quantity| format!("COMPUTE {quantity}\n"));
        self.model.clone() + &formulas.chain(quantities).collect::<String>()
    }

    /// How NuSMV is asked all of it, in order.
    fn commands(&self, file: &std::path::Path) -> String {
        let formulas = self.formulas.iter().map(|formula| format!("check_ctlspec -p \"{formula}\"\n"));
        let quantities = self.quantities.iter().map(|quantity| format!("check_compute -p \"{quantity}\"\n"));
        let asks: String = formulas.chain(quantities).collect();
        format!("reset\nread_model -i {}\ngo\n{asks}", file.display())
    }
}

/// What NuSMV answers, in its words: `true`, `false`, or a number of steps.
fn answers(output: &str) -> Vec<String> {
    let is_answer = |line: &&str| line.starts_with("-- specification") || line.starts_with("-- the result of");
    let lines = output.lines().filter(is_answer);
    lines.filter_map(|line| line.rsplit_once(" is ")).map(|(_, answer)| answer.trim().to_owned()).collect()
}

/// The same by us.
fn own_answers(question: &Question) -> Vec<String> {
    let model = Model::parse(&question.with_properties(), Language::Smv).expect("a model");
    let report = uwbmc::check(&model, &Options::default(), &mut ()).expect("an answer");
    let word = |property: &uwbmc::Checked| match property.verdict.word() {
        "holds" => "true".to_owned(),
        "violated" => "false".to_owned(),
        _ => property.verdict.to_string().trim_start_matches("is ").to_owned(),
    };
    report.properties.iter().map(word).collect()
}

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn random_models_are_answered_as_by_nusmv() {
    /// As many as a test of every day looks at.
    const ENOUGH: u64 = 200;
    let Some(nusmv) = nusmv::find() else { return eprintln!("skipped: no NuSMV") };
    let first = from_environment("UWBMC_FUZZ_FIRST").unwrap_or(0);
    let count = from_environment("UWBMC_FUZZ_CASES").unwrap_or(ENOUGH);
    let (mut compared, mut holds, mut numbers, mut passed_over) = (0, 0, 0, 0);
    for begin in (first..first + count).step_by(TOGETHER as usize) {
        let seeds = begin..(begin + TOGETHER).min(first + count);
        let questions: Vec<Question> = seeds.map(question).collect();
        let file = |index: usize| scratch().join(format!("ctl-{}-{index}.smv", std::process::id()));
        let mut commands = "set counter_examples 0\n".to_owned();
        for (index, question) in questions.iter().enumerate() {
            std::fs::write(file(index), &question.model).expect("writable");
            commands += &question.commands(&file(index));
        }
        let output = nusmv::ask(&nusmv, &file(0), &commands).expect("NuSMV answers in time");
        (0..questions.len()).for_each(|index| std::fs::remove_file(file(index)).expect("it is ours"));
        let mut expected = answers(&output).into_iter();
        for (index, question) in questions.iter().enumerate() {
            let own = own_answers(question);
            let mut theirs: Vec<String> = expected.by_ref().take(own.len()).collect();
            // Formulas have no meaning in states on no fair run. If no other is reachable, so that even FALSE holds, NuSMV's MAX
            // depends on how it computes the bounded ones there.
            let max = own.len() - 1;
            let is_known = own[max] == "0" && theirs[max] == "undefined";
            if own[0] == "true" && question.quantities[1].contains("BU") && is_known {
                theirs[max].clone_from(&own[max]);
                passed_over += 1;
            }
            assert_eq!(own, theirs, "seed {}:\n{}", begin + index as u64, question.with_properties());
            compared += own.len();
            holds += own.iter().filter(|answer| *answer == "true").count();
            numbers += own.iter().filter(|answer| answer.parse::<usize>().is_ok()).count();
        }
        assert_eq!(expected.next(), None, "NuSMV answers no more than it is asked");
    }
    let counts = format!("{compared} answers, {holds} true, {numbers} numbers, {passed_over} passed over");
    println!("from {first} on, {count} models: {counts}");
    let is_enough = holds as u64 > count && numbers as u64 > count / 4 && passed_over <= count / 100;
    assert!(is_enough, "{counts}");
}
