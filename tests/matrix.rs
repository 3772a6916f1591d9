//! Every model by every solver in every way of plain bounded model checking gives the sidecar's verdict and depth.
//!
//! That takes minutes: `cargo test --release --test matrix -- --ignored --nocapture`. Large questions, by the bits of the
//! state times the bound, are put to the default solver only. A run that is not through in time is counted and says
//! nothing; UWBMC_MATRIX_SECONDS says how long that is. Without `--ignored`, every third model is run in one way, another
//! one for each, with little time.

#[path = "common/files.rs"]
mod files;
#[path = "common/sidecar.rs"]
#[allow(dead_code, reason = "other tests read the rest of it")]
mod sidecar;

use clap::ValueEnum;
use std::path::Path;
use std::process::Command;
use uwbmc::sat::Choice;
use uwbmc::smv::load;
use uwbmc::source::Source;

/// How far properties that hold are checked.
const FAR: usize = 10;

/// Up to so many bits times steps, every solver is asked in every way.
const SMALL: usize = 400;

/// Up to so many, the default solver is asked in every way; beyond, it only extends its formula.
const MIDDLE: usize = 1200;

/// The ways of plain bounded model checking.
const WAYS: [&[&str]; 4] = [&[], &["--por"], &["--fresh"], &["--por", "--fresh"]];

#[derive(Debug, PartialEq, Eq)]
enum Found {
    Violated(u64),
    Holds,
    OutOfTime,
}

fn check(model: &Path, property: &str, bound: usize, solver: Choice, way: &[&str], seconds: u32) -> Found {
    let mut command = Command::new("timeout");
    command.arg((seconds + 5).to_string()).arg(env!("CARGO_BIN_EXE_uwbmc")).arg("check").arg(model);
    command.args(["--engine", "bmc", "--json", "--property", property, "--k", &bound.to_string()]);
    command.args(["--solver", &solver.to_string(), "--timeout", &seconds.to_string()]).args(way);
    let output = command.output().expect("it runs");
    let Ok(report) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
        assert_eq!(output.status.code(), Some(124), "{}: {output:?}", model.display());
        return Found::OutOfTime;
    };
    let property = &report["properties"][0];
    match property["verdict"].as_str() {
        Some("violated") => Found::Violated(property["bound"].as_u64().expect("a number")),
        Some("holds" | "holds up to bound") => Found::Holds,
        _ => Found::OutOfTime,
    }
}

/// The bits of a model's state.
fn bits(model: &Path) -> usize {
    let source = Source::new(model.display().to_string(), &std::fs::read(model).expect("readable"));
    load(&source, &[]).system.expect("accepted").state_bits() as usize
}

/// Which way of which model, and how large the question is.
struct Case {
    number: usize,
    index: usize,
    size: usize,
}

impl Case {
    /// Whether a solver in a way of its own is likely to be through.
    fn is_worth_it(&self) -> bool {
        let default = Choice::value_variants().iter().position(|choice| *choice == Choice::default());
        let (solver, way) = (self.index / WAYS.len(), WAYS[self.index % WAYS.len()]);
        let extends = !way.contains(&"--fresh");
        self.size <= SMALL || (Some(solver) == default && (self.size <= MIDDLE || extends))
    }
}

/// Runs what `choose` chooses of each model; gives how many runs were through in time, and how many not.
fn run(seconds: u32, choose: &dyn Fn(&Case) -> bool) -> (usize, usize) {
    let solvers = Choice::value_variants();
    let (mut done, mut late) = (0, 0);
    for (number, model) in files::smv_files(&["models"]).into_iter().enumerate() {
        let bits = bits(&model);
        for expected in sidecar::read(&model).property {
            let bound = expected.depth.unwrap_or(FAR);
            let wanted = expected.depth.map_or(Found::Holds, |depth| Found::Violated(depth as u64));
            for (index, (solver, way)) in
                solvers.iter().flat_map(|solver| WAYS.iter().map(move |way| (solver, way))).enumerate()
            {
                if !choose(&Case { number, index, size: bits * bound }) {
                    continue;
                }
                match check(&model, &expected.name, bound, *solver, way, seconds) {
                    Found::OutOfTime => late += 1,
                    found => {
                        let what = format!("{} of {} by {solver} {way:?}", expected.name, model.display());
                        assert_eq!(found, wanted, "{what}");
                        done += 1;
                    }
                }
            }
        }
    }
    println!("{done} runs agree with the sidecars, {late} were not through in {seconds} seconds");
    (done, late)
}

fn ways() -> usize {
    Choice::value_variants().len() * WAYS.len()
}

#[test]
fn some_models_in_one_way_each() {
    let (done, _) = run(1, &|case| case.number % 3 == 0 && case.number / 3 % ways() == case.index);
    assert!(done > 25, "{done} runs were through in time");
}

#[test]
#[ignore = "takes minutes"]
fn the_whole_matrix() {
    let seconds = std::env::var("UWBMC_MATRIX_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let (done, _) = run(seconds, &Case::is_worth_it);
    assert!(done > 500, "{done} runs were through in time");
}
