//! Random expressions, loaded and evaluated, against a plain evaluator of their own and against NuSMV.

use proptest::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::{Binary, Claim, ExprId, Machine, Node, System};
use testkit::evaluate::{Evaluator, Outcome};
use testkit::expression::{Domain, Shape, State, Tree, Type, Universe, Value, literal};
use testkit::generate::{Generator, Language};
use testkit::numbers::Random;
use uwbmc::diagnostic::{Diagnostics, Style};
use uwbmc::smv::{codes, load};
use uwbmc::source::Source;

/// A random expression with the variables it is about.
struct Sample {
    universe: Universe,
    ty: Type,
    tree: Tree,
    random: Random,
}

fn sample(seed: u64, depth: usize, language: Language) -> Sample {
    let mut random = Random::new(seed);
    let universe = Universe::new(&mut random);
    let mut generator = Generator { random: &mut random, universe: &universe, language };
    let ty = generator.some_type();
    let tree = generator.tree(ty, depth);
    Sample { universe, ty, tree, random }
}

/// A model that claims the expression, or that it equals a variable that can have any value of its type.
fn model(sample: &Sample) -> String {
    let declarations = format!("MODULE main\nVAR\n{}", sample.universe.declare());
    let body = sample.tree.text();
    let result = match sample.ty {
        Type::Boolean => return format!("{declarations}DEFINE d := {body};\nINVARSPEC d\n"),
        Type::Integer => "-2147483647..2147483647".to_owned(),
        Type::Symbolic => "{red, green, blue, cyan}".to_owned(),
        Type::Mixed => "{red, 0}".to_owned(),
        Type::Word(Shape { width, signed }) => {
            format!("{} word[{width}]", if signed { "signed" } else { "unsigned" })
        }
    };
    format!("{declarations}result : {result};\nDEFINE d := {body};\nINVARSPEC d = result\n")
}

/// The expression in the loaded system; none if nothing is left of it.
fn expression_of(system: &System, ty: Type) -> Option<ExprId> {
    let Claim::Invariant(claim) = system.properties.first()?.claim else { return None };
    match *system.exprs.node(claim) {
        _ if ty == Type::Boolean => Some(claim),
        Node::Binary(Binary::Equal, expr, _) => Some(expr),
        _ => None,
    }
}

/// The machine's form of a value.
fn encode(system: &System, value: Value) -> i64 {
    match value {
        Value::Boolean(value) => value.into(),
        Value::Integer(number) => number as i64,
        Value::Symbol(name) => system.symbols.get(name).expect("every symbol belongs to some variable"),
        Value::Word(number, _) => number as u64 as i64,
    }
}

fn pack(machine: &Machine, universe: &Universe, state: &State) -> system::State {
    let system = machine.system();
    let names = universe.variables.iter().flat_map(|variable| variable.parts());
    let by_name: HashMap<String, i64> = names.zip(state).map(|(name, value)| (name, encode(system, *value))).collect();
    let value = |variable: &system::Variable| by_name.get(&variable.name).copied();
    let values: Vec<i64> = system.variables.iter().map(|v| value(v).unwrap_or_else(|| v.domain.value_at(0))).collect();
    machine.layout().pack(&values, None)
}

/// Whether a model is rejected because some part of it is a constant that fails.
fn fails_before_running(diagnostics: &Diagnostics) -> bool {
    diagnostics.sorted().iter().all(|diagnostic| [codes::NUMBER, codes::WIDTH, codes::INDEX].contains(&diagnostic.code))
}

fn agrees(outcome: Outcome, system: &System, computed: Option<i64>) -> bool {
    match computed {
        Some(value) => outcome.value.map(|expected| encode(system, expected)) == Some(value),
        None => outcome.may_fail,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_machine_computes_what_expressions_mean(seed in any::<u64>(), depth in 1usize..6) {
        let mut sample = sample(seed, depth, Language::Whole);
        let text = model(&sample);
        let source = Source::new("expression.smv", text.as_bytes());
        let loaded = load(&source, &[]);
        let Some(system) = loaded.system else {
            let shown = loaded.diagnostics.render(&source, Style::Plain);
            prop_assert!(fails_before_running(&loaded.diagnostics), "{}\n{}", shown, text);
            return Ok(());
        };
        let Some(expr) = expression_of(&system, sample.ty) else { return Ok(()) };
        let machine = Machine::new(Arc::new(system));
        let mut workspace = machine.workspace();
        for _ in 0..8 {
            let state = sample.universe.state(&mut sample.random);
            let expected = Evaluator::new(&state).outcome(&sample.tree);
            let packed = pack(&machine, &sample.universe, &state);
            let computed = machine.evaluate(expr, &packed, &mut workspace);
            let fits = agrees(expected, machine.system(), computed.ok());
            prop_assert!(fits, "{:?}, not {:?}, in {:?}\n{}", computed, expected, state, text);
        }
    }
}

/// How long NuSMV may take for one file.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many files are checked with NuSMV, and how many expressions each of them has.
const FILES: u64 = 20;
const EXPRESSIONS: u64 = 40;

/// The path of NuSMV, if it is installed.
fn nusmv() -> Option<PathBuf> {
    let given = std::env::var_os("NUSMV").map(PathBuf::from);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&paths).map(|folder| folder.join("NuSMV")).find(|path| path.is_file());
    given.or(in_path)
}

/// A model in which every variable has one value, with claims about expressions. Wide words are definitions: NuSMV
/// builds decision diagrams over all values that the variables could have.
fn closed_model(seed: u64) -> String {
    let mut random = Random::new(seed);
    let universe = Universe::new(&mut random);
    let state = universe.state(&mut random);
    let mut text = String::from("MODULE main\n");
    for variable in &universe.variables {
        let values = || variable.parts().into_iter().zip(&state[variable.first..]);
        let is_wide = matches!(variable.domain, Domain::Word(shape) if shape.width > 2);
        match (is_wide, variable.bounds) {
            (true, None) => {
                text.extend(values().map(|(name, value)| format!("DEFINE {name} := {};\n", literal(*value, 4))))
            }
            _ => {
                text.push_str(&format!("FROZENVAR {}", variable.declare()));
                text.extend(values().map(|(name, value)| format!("INIT {name} = {};\n", literal(*value, 4))));
            }
        }
    }
    let mut claims = 0;
    while claims < EXPRESSIONS {
        let mut generator = Generator { random: &mut random, universe: &universe, language: Language::OldAndTotal };
        let ty = generator.some_type();
        let depth = generator.random.below(4) + 1;
        let tree = generator.tree(ty, depth);
        let mut evaluator = Evaluator::new(&state);
        let outcome = evaluator.outcome(&tree);
        if let (Some(value), false, false) = (outcome.value, outcome.may_fail, evaluator.left_32_bits) {
            text.push_str(&format!("INVARSPEC {} = {};\n", tree.text(), literal(value, 4)));
            claims += 1;
        }
    }
    text
}

/// Runs NuSMV on a file and returns what it says, or nothing if it takes too long.
fn run_nusmv(nusmv: &Path, model: &Path) -> Option<String> {
    let output = model.with_extension("out");
    let file = std::fs::File::create(&output).expect("the folder for temporary files can be written");
    let errors = file.try_clone().expect("a file can be shared");
    let mut child = Command::new(nusmv)
        .arg("-dcx")
        .arg(model)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn()
        .expect("NuSMV can be started");
    let start = Instant::now();
    while child.try_wait().expect("NuSMV can be waited for").is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(String::from_utf8_lossy(&std::fs::read(&output).unwrap_or_default()).into_owned())
}

#[test]
fn nusmv_agrees_on_what_expressions_mean() {
    let Some(nusmv) = nusmv() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let files = std::env::var("UWBMC_NUSMV_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(FILES);
    for seed in 0..files {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("expressions-{seed}.smv"));
        let text = closed_model(seed);
        std::fs::write(&path, &text).expect("the folder for temporary files can be written");
        let Some(said) = run_nusmv(&nusmv, &path) else {
            println!("NuSMV takes too long for {}", path.display());
            continue;
        };
        let confirmed = said.lines().filter(|line| line.ends_with(" is true"));
        assert_eq!(confirmed.count() as u64, EXPRESSIONS, "{}\n{said}\n{text}", path.display());
    }
}

/// What the machine makes of an expression in a state where every variable has its first value.
fn evaluated(declarations: &str, text: &str) -> Result<i64, system::Fault> {
    let source = Source::new("expression.smv", format!("MODULE main {declarations} INVARSPEC {text}").as_bytes());
    let loaded = load(&source, &[]);
    let system = loaded.system.unwrap_or_else(|| panic!("{}", loaded.diagnostics.render(&source, Style::Plain)));
    let expr = expression_of(&system, Type::Boolean).expect("an invariant is an expression");
    let values: Vec<i64> = system.variables.iter().map(|variable| variable.domain.value_at(0)).collect();
    let machine = Machine::new(Arc::new(system));
    machine.evaluate(expr, &machine.layout().pack(&values, None), &mut machine.workspace())
}

#[test]
fn what_never_has_a_value_fails_in_every_place() {
    for text in [
        "(case FALSE : 0ud2_1; esac :: 0ud2_1) = 0ud4_0",
        "(0ud2_1 :: case FALSE : 0ud2_1; esac) = 0ud4_0",
        "case FALSE : 0ud2_1; esac[1:0] = 0ud2_0",
        "case FALSE : 1; esac in {1, 2}",
        "[TRUE][case b : 0; esac]",
        "[1 + n][n mod case b : 1; esac] = 1",
    ] {
        assert!(evaluated("VAR b : boolean; n : 0..3;", text).is_err(), "{text}");
    }
}
