//! Every model by every solver in every way of plain bounded model checking gives the sidecar's verdict and depth.
//!
//! That takes long: `cargo test --release --test matrix -- --ignored --nocapture`. A run that is not through in time is
//! counted and says nothing; UWBMC_MATRIX_SECONDS says how long that is. Without `--ignored`, every third model is run
//! in one way, another one for each, with little time.

#[path = "common/files.rs"]
mod files;
#[path = "common/sidecar.rs"]
#[allow(dead_code, reason = "other tests read the rest of it")]
mod sidecar;

use std::path::Path;
use std::process::Command;
use uwbmc::sat::Choice;

/// How far properties that hold are checked.
const FAR: usize = 10;

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

/// Runs what `choose` chooses of each model; gives how many runs were through in time, and how many not.
fn run(seconds: u32, choose: &dyn Fn(usize, usize) -> bool) -> (usize, usize) {
    let solvers = <Choice as clap::ValueEnum>::value_variants();
    let (mut done, mut late) = (0, 0);
    for (number, model) in files::smv_files(&["models"]).into_iter().enumerate() {
        for expected in sidecar::read(&model).property {
            let bound = expected.depth.unwrap_or(FAR);
            let wanted = expected.depth.map_or(Found::Holds, |depth| Found::Violated(depth as u64));
            for (index, (solver, way)) in
                solvers.iter().flat_map(|solver| WAYS.iter().map(move |way| (solver, way))).enumerate()
            {
                if !choose(number, index) {
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
    <Choice as clap::ValueEnum>::value_variants().len() * WAYS.len()
}

#[test]
fn some_models_in_one_way_each() {
    let (done, _) = run(1, &|number, index| number % 3 == 0 && number / 3 % ways() == index);
    assert!(done > 25, "{done} runs were through in time");
}

#[test]
#[ignore = "takes an hour or so"]
fn the_whole_matrix() {
    let seconds = std::env::var("UWBMC_MATRIX_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let (done, _) = run(seconds, &|_, _| true);
    assert!(done > 500, "{done} runs were through in time");
}
