//! Agreement with SPIN, where it and a C compiler are installed: the same visible states, the same transitions.
//!
//! SPIN is found in the environment variable `SPIN` or as `spin` in the path. `UWBMC_PROMELA_CORPUS` names a folder with
//! more models to compare on, and `UWBMC_PROMELA_SEEDS` says how many random programs are compared, those from seed
//! `UWBMC_FUZZ_FIRST` on.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::{Machine, Moved, State, Trace, Visit};
use testkit::counted::{COUNTED, Counted, PROGRESS};
use testkit::nested;
use testkit::pan::{Pan, tools};
use testkit::pml;
use testkit::promela;

/// How long SPIN may take to translate a model, and its search to end.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many of the small files are compared, which is enough to see that the recorded counts are SPIN's.
const SOME_FILES: usize = 5;
/// The first seed that no recorded count belongs to.
const UNRECORDED: u64 = 1000;

/// A folder of its own for a comparison, removed afterwards.
struct Workplace(PathBuf);

impl Workplace {
    fn new(name: &str) -> Workplace {
        let folder = std::env::temp_dir().join(format!("uwbmc-spin-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Workplace(folder)
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What SPIN's search of a model says; `None` if it rejects the model or does not finish.
fn spin_search(
    (spin, compiler): &(PathBuf, PathBuf),
    model: &Path,
    place: &Workplace,
    flags: &[&str],
    arguments: &[&str],
) -> Option<String> {
    let name = model.file_name()?;
    if model.parent()? != place.0 {
        for entry in std::fs::read_dir(model.parent()?).ok()?.flatten().filter(|entry| entry.path().is_file()) {
            std::fs::copy(entry.path(), place.0.join(entry.file_name())).ok()?;
        }
    }
    let run = |program: &Path, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&place.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        in_time(&mut command)
    };
    let _ = std::fs::remove_file(place.0.join("pan.c"));
    run(spin, &["-o1", "-o2", "-o3", "-a", name.to_str()?])?;
    if !place.0.join("pan.c").is_file()
        || !run(compiler, &[&["-w", "-DSAFETY", "-DNOREDUCE"], flags, &["-o", "pan", "pan.c"]].concat())?.success()
    {
        return None;
    }
    let output = search(&place.0, arguments)?;
    (!output.contains("max search depth too small")).then_some(output)
}

/// States and transitions that SPIN counts, without claims.
fn spin_counts(tools: &(PathBuf, PathBuf), model: &Path, place: &Workplace) -> Option<String> {
    counts_in(&spin_search(tools, model, place, &["-DNOCLAIM"], &["-c0"])?)
}

/// States and transitions as SPIN prints them.
fn counts_in(output: &str) -> Option<String> {
    let number = |what: &str| {
        let line = output.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next().map(str::to_owned)
    };
    Some(format!("{} {}", number("states, stored")?, number("transitions (=")?))
}

/// What SPIN says about a model with a claim.
struct Claimed {
    /// Whether there is a run that the claim accepts, in finitely many steps.
    is_violated: bool,
    /// States and transitions of the product.
    counts: String,
}

fn spin_on_claim(tools: &(PathBuf, PathBuf), model: &Path, place: &Workplace) -> Option<Claimed> {
    let output = spin_search(tools, model, place, &[], &["-A", "-c0"])?;
    Some(Claimed { is_violated: output.contains("end state in claim reached"), counts: counts_in(&output)? })
}

fn search(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = folder.join("output");
    let mut pan = Command::new(folder.join("pan"));
    pan.args(arguments).arg("-m200000").current_dir(folder);
    pan.stdout(std::fs::File::create(&output).ok()?).stderr(Stdio::null());
    in_time(&mut pan)?;
    std::fs::read_to_string(output).ok()
}

/// Runs a command; `None` if it does not start or does not end in time.
fn in_time(command: &mut Command) -> Option<ExitStatus> {
    let mut child = command.spawn().ok()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().ok()? {
            return Some(status);
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Compares on some models; what SPIN does not answer is skipped and said.
fn compare(tools: &(PathBuf, PathBuf), models: &[PathBuf], place: &Workplace) -> usize {
    let mut compared = 0;
    for model in models {
        let Some(expected) = spin_counts(tools, model, place) else {
            println!("skipped: SPIN has no counts for {}", model.display());
            continue;
        };
        let text = std::fs::read_to_string(model).expect("readable");
        assert_eq!(pml::counts(&pml::machine(model)), expected, "{}:\n{text}", model.display());
        compared += 1;
    }
    compared
}

#[test]
fn small_files_and_a_corpus_have_spins_counts() {
    let Some(tools) = tools() else {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    };
    let place = Workplace::new("files");
    let mut models = pml::files("tests/promela/good");
    models.truncate(SOME_FILES);
    assert_eq!(compare(&tools, &models, &place), SOME_FILES);
    if let Some(corpus) = std::env::var_os("UWBMC_PROMELA_CORPUS") {
        // Joining an absolute path to the repository's gives the absolute path.
        let more = pml::files(&corpus.to_string_lossy());
        println!("{} of {} models compared", compare(&tools, &more, &place), more.len());
    }
}

/// The seeds of the random programs that are compared.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("UWBMC_FUZZ_FIRST").unwrap_or(UNRECORDED);
    first..first + number("UWBMC_PROMELA_SEEDS").unwrap_or(6)
}

/// Compares on the programs that a generator makes.
fn compare_random(name: &str, program: impl Fn(u64) -> String) {
    let Some(tools) = tools() else {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    };
    let place = Workplace::new(name);
    let mut models = Vec::new();
    for seed in seeds() {
        let path = place.0.join(format!("{name}{seed}.pml"));
        std::fs::write(&path, program(seed)).expect("writable");
        models.push(path);
    }
    let compared = compare(&tools, &models, &place);
    println!("{compared} of {} programs compared", models.len());
    assert!(compared > 0);
}

#[test]
fn random_programs_have_spins_counts() {
    compare_random("random", promela::program);
}

#[test]
fn nested_random_programs_have_spins_counts() {
    compare_random("nested", nested::nested_program);
}

/// What is wrong with a trail, as far as SPIN's replay finds it.
fn objection(text: &str, trail: &str) -> Option<String> {
    Pan::of(text).expect("SPIN takes the model").confirm(trail).err()
}

#[test]
fn a_trail_with_a_step_that_is_not_executable_is_noticed() {
    if tools().is_none() {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    }
    let text = "byte x = 1; byte y;
        active proctype T() { if :: d_step { x == 1 -> skip } :: d_step { else -> assert(false) } fi; y = 2; x == 3 }
        active proctype Q() { x = 1; if :: x == 5 -> y = 7 :: x == 1 -> y = 8 fi; if :: y == 8 -> y = 2 :: else -> y = 3 fi }";
    assert_eq!(objection(text, "1:0:2\n2:0:8\n3:1:11\n4:1:14\n"), None);
    let wrong = [
        ("1:0:5\n", "step 1 (1:0:5) is an else"),
        ("1:0:2\n2:0:8\n3:0:9\n", "step 3 (3:0:9) is not executable"),
        ("1:1:11\n2:1:12\n", "step 2 (2:1:12) is not executable"),
        ("1:0:2\n2:0:9\n", "step 2 (2:0:9) is not executable"),
        ("1:1:11\n2:1:14\n3:1:15\n4:1:20\n", "step 4 (4:1:20) is an else"),
    ];
    for (trail, expected) in wrong {
        let found = objection(text, trail).unwrap_or_default();
        assert!(found.starts_with(expected), "{trail}{found}");
    }
}

#[test]
fn random_counterexamples_are_confirmed_by_spin() {
    if tools().is_none() {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    }
    let mut confirmed = 0;
    for seed in seeds() {
        for text in [promela::program(seed), nested::nested_program(seed)] {
            confirmed += pml::confirm(&text, |trail| {
                let pan = Pan::of(&text)?;
                Some(pan.confirm(trail))
            });
        }
    }
    println!("{confirmed} counterexamples confirmed");
}

#[test]
fn random_programs_with_priorities_have_spins_counts() {
    compare_random("prioritised", promela::prioritised_program);
}

#[test]
fn random_programs_with_trace_assertions_have_spins_counts() {
    compare_random("traced", promela::traced_program);
}

#[test]
fn random_claims_have_spins_verdicts_and_products() {
    compare_claims("claims", |seed| Some(promela::claimed_program(seed)));
}

#[test]
fn random_claims_on_programs_that_count_have_spins_verdicts_and_products() {
    compare_claims("counting-claims", promela::counting_claim);
}

fn compare_claims(name: &str, program: impl Fn(u64) -> Option<String>) {
    let Some(tools) = tools() else {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    };
    let place = Workplace::new(name);
    let (mut compared, mut violated) = (0, 0);
    for seed in seeds() {
        let path = place.0.join(format!("claim{seed}.pml"));
        let Some(text) = program(seed) else { continue };
        std::fs::write(&path, &text).expect("writable");
        let Some(expected) = spin_on_claim(&tools, &path, &place) else { continue };
        let machine = pml::machine(&path);
        assert_eq!(pml::violates(&machine, "never_0"), expected.is_violated, "seed {seed}:\n{text}");
        assert_eq!(pml::product_counts(&machine, "never_0"), Some(expected.counts.clone()), "seed {seed}:\n{text}");
        compared += 1;
        violated += u32::from(expected.is_violated);
        println!("{seed} {} {}", if expected.is_violated { "violated" } else { "holds" }, expected.counts);
    }
    println!("{compared} claims compared, {violated} of them violated");
    assert!(compared > 0);
}

/// What SPIN's search for acceptance cycles says of a model with one formula: without fairness, and with weak fairness.
fn spin_on_formula(tools: &(PathBuf, PathBuf), model: &Path, place: &Workplace) -> Option<[bool; 2]> {
    let is_violated = |output: String| match (output.contains("errors: 0"), output.contains("pan:1:")) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    };
    // A small table: to make a large one takes longer than the search.
    let plain = spin_search(tools, model, place, &["-USAFETY", "-DNFAIR=3"], &["-a", "-w18"])?;
    let fair =
        search(&place.0, &["-a", "-f", "-w18"]).filter(|output| !output.contains("max search depth too small"))?;
    Some([is_violated(plain)?, is_violated(fair)?])
}

/// The verdict on a formula, and whether it is a run that comes to its end.
fn verdict_on_formula(
    path: &Path,
    fairness: Option<fn(system::ProcessId) -> system::Fairness>,
) -> Option<(bool, bool)> {
    let mut model = uwbmc::Model::load(path).expect("a model");
    if let Some(fairness) = fairness {
        model.assume_fairness(fairness);
    }
    let options = uwbmc::Options::default().property("f");
    let report = uwbmc::check(&model, &options, &mut ()).expect("checked");
    match &report.properties[0].verdict {
        uwbmc::Verdict::Violated(trace) => Some((true, trace.loop_start.is_none())),
        uwbmc::Verdict::Holds(_) => Some((false, false)),
        _ => None,
    }
}

#[test]
fn random_formulas_have_spins_verdicts() {
    compare_formulas("formulas", |seed| Some(promela::temporal_program(seed)));
}

#[test]
fn random_formulas_on_programs_that_end_have_spins_verdicts() {
    compare_formulas("ending", |seed| Some(promela::ending_program(seed)));
}

#[test]
fn random_formulas_on_programs_that_count_have_spins_verdicts() {
    compare_formulas("counting", promela::counting_program);
}

fn compare_formulas(name: &str, program: impl Fn(u64) -> Option<String>) {
    let Some(tools) = tools() else {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    };
    let place = Workplace::new(name);
    let (mut compared, mut violated, mut passed_over) = (0, 0, 0);
    for seed in seeds() {
        let path = place.0.join(format!("formula{seed}.pml"));
        let Some(text) = program(seed) else { continue };
        std::fs::write(&path, &text).expect("writable");
        let Some([plain, fair]) = spin_on_formula(&tools, &path, &place) else {
            passed_over += 1;
            continue;
        };
        let Some((ours, _)) = verdict_on_formula(&path, None) else { continue };
        assert_eq!(ours, plain, "seed {seed}:\n{text}");
        let Some((ours, comes_to_its_end)) = verdict_on_formula(&path, Some(system::Fairness::Weak)) else { continue };
        // With fairness, SPIN misses runs that come to their end where the claim needs two steps to go round, and runs round an
        // atomic section with an `unless` inside.
        let may_miss = comes_to_its_end || text.contains("unless");
        if fair || !may_miss {
            assert_eq!(ours, fair, "seed {seed}, with weak fairness:\n{text}");
        }
        compared += 1;
        violated += u32::from(plain);
        let _ = std::fs::remove_file(&path);
    }
    println!(
        "{compared} formulas compared, {violated} of them violated; {passed_over} that SPIN refuses or does not finish"
    );
    assert!(compared > 0);
}

/// What SPIN finds in programs that count processes is what is recorded of them.
#[test]
fn spin_counts_the_claim() {
    let Some(tools) = tools() else {
        println!("skipped: this test needs SPIN and a C compiler");
        return;
    };
    let place = Workplace::new("counted");
    for Counted { text, property, violated } in &COUNTED {
        let path = place.0.join("counted.pml");
        std::fs::write(&path, text).expect("writable");
        let (flags, search_for): (&[&str], &str) = match *property {
            PROGRESS => (&["-USAFETY", "-DNP", "-DNFAIR=3"], "-l"),
            _ => (&["-USAFETY", "-DNFAIR=3"], "-a"),
        };
        let plain = spin_search(&tools, &path, &place, flags, &[search_for, "-w18"]).expect("SPIN takes it");
        let fair = search(&place.0, &[search_for, "-f", "-w18"]).expect("a search");
        assert_eq!([plain, fair].map(|said| !said.contains("errors: 0")), *violated, "{property}: {text}");
    }
}

/// A process that goes round for ever, beside one that helps it by a rendezvous.
const ROUND: &str = "byte x; chan c = [0] of { byte };
active proctype P() { x = 3; do :: x = 1; c ! 7; x = 0 od }
active proctype Q() { byte y; do :: c ? y od }
";

/// The run in which the first process that can move does, until a state comes back.
fn lasso(machine: &Machine) -> Trace {
    let mut workspace = machine.workspace();
    let mut trace = Trace::default();
    let _ = machine.initial_states(&mut workspace, |state| {
        trace.states.push(state);
        Visit::Break(())
    });
    while trace.loop_start.is_none() {
        let last = trace.states.last().expect("an initial state").clone();
        let mut next = None;
        let _ = machine.successors(&last.0, &mut workspace, |successor| {
            let step = successor.step();
            let process = machine.system().commands[step.command].owner.process;
            let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
            next = Some((moved, State(successor.state.into())));
            Visit::Break(())
        });
        let (moved, state) = next.expect("it goes on for ever");
        trace.loop_start = trace.states.iter().position(|earlier| earlier == state);
        trace.moves.push(moved);
        trace.states.push(state);
    }
    trace
}

#[test]
fn spin_finds_the_cycle_in_a_trail() {
    let (_, loaded) = pml::read_text("model.pml", ROUND);
    let machine = Machine::new(Arc::new(loaded.system.expect("it is right")));
    let trace = lasso(&machine);
    assert_eq!((trace.loop_start, trace.moves.len()), (Some(3), 6), "the first round is before the loop");
    let trail = loaded.trail.expect("a program").render(&trace);
    let lines: Vec<&str> = trail.lines().collect();
    assert_eq!(lines.len(), 9, "a rendezvous has two lines: {trail}");
    assert_eq!(lines[4], "-1:-1:-1", "{trail}");
    let Some((spin, _)) = tools() else {
        println!("skipped: SPIN is not installed");
        return;
    };
    let place = Workplace::new("cycle");
    std::fs::write(place.0.join("model.pml"), ROUND).expect("writable");
    std::fs::write(place.0.join("model.pml.trail"), &trail).expect("writable");
    let output = Command::new(spin).args(["-t", "-p", "model.pml"]).current_dir(&place.0).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (before, after) = said.split_once("<<<<<START OF CYCLE>>>>>").unwrap_or_else(|| panic!("no cycle: {said}"));
    assert!(before.contains("x = 3") && after.contains("x = 0") && !after.contains("x = 3"), "{said}");
    assert!(after.contains("trail ends after 8 steps"), "{said}");
}
