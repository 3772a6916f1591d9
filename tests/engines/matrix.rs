//! Every model by every solver in every way of plain bounded model checking gives the sidecar's verdict and depth.
//!
//! That takes long: `cargo test --release --test engines matrix:: -- --ignored --nocapture`. Each run goes as far as it gets in its time,
//! of which UWBMC_MATRIX_SECONDS says how long it is. What a run that is not through has settled must agree, too: no
//! bound without a violation may be as large as the sidecar's depth. Without `--ignored`, every third model is run in one
//! way, another one for each, with little time.

use clap::ValueEnum;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use testkit::files;
use testkit::sidecar;
use uwbmc::sat::Choice;

/// How far properties that hold are checked.
const FAR: usize = 10;

/// Seconds that a run has on top of its time before it is killed: some solvers cannot be interrupted.
const GRACE: u32 = 2;

/// The ways of plain bounded model checking.
const WAYS: [&[&str]; 4] = [&[], &["--por"], &["--fresh"], &["--por", "--fresh"]];

/// A solver and a way to use it.
#[derive(Clone, Copy, Debug)]
struct Way {
    solver: Choice,
    arguments: &'static [&'static str],
}

fn ways() -> Vec<Way> {
    let solvers = Choice::value_variants().iter();
    solvers.flat_map(|solver| WAYS.iter().map(|arguments| Way { solver: *solver, arguments })).collect()
}

/// What a run says of a property.
#[derive(Clone, Copy, Debug)]
enum Found {
    Violated(usize),
    Holds,
    /// It is not through; the greatest bound without a violation, if there is one.
    Settled(Option<usize>),
}

impl Found {
    fn agrees(self, depth: Option<usize>) -> bool {
        match (self, depth) {
            (Found::Violated(found), depth) => Some(found) == depth,
            (Found::Holds, depth) => depth.is_none(),
            (Found::Settled(settled), Some(depth)) => settled < Some(depth),
            (Found::Settled(_), None) => true,
        }
    }
}

/// One run; nothing if it had to be killed.
fn ask(model: &Path, property: &str, bound: usize, way: Way, seconds: u32) -> Option<Found> {
    let mut command = Command::new("timeout");
    command.arg((seconds + GRACE).to_string()).arg(env!("CARGO_BIN_EXE_uwbmc")).arg("check").arg(model);
    command.args(["--engine", "bmc", "--json", "--property", property, "--k", &bound.to_string()]);
    command.args(["--solver", &way.solver.to_string(), "--timeout", &seconds.to_string()]).args(way.arguments);
    let output = command.output().expect("it runs");
    let Ok(report) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
        assert_eq!(output.status.code(), Some(124), "{}: {output:?}", model.display());
        return None;
    };
    let property = &report["properties"][0];
    Some(match property["verdict"].as_str() {
        Some("violated") => Found::Violated(property["bound"].as_u64().expect("a number") as usize),
        Some("holds" | "holds up to bound") => Found::Holds,
        _ => {
            let reason = property["reason"].as_str().unwrap_or_default();
            Found::Settled(reason.split("within ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()))
        }
    })
}

/// As far as it gets: who is killed, and tells nothing, is asked for half as many steps.
fn check(model: &Path, property: &str, bound: usize, way: Way, seconds: u32) -> Found {
    let mut asked = bound;
    loop {
        match ask(model, property, asked, way, seconds) {
            Some(Found::Holds) if asked < bound => return Found::Settled(Some(asked)),
            Some(found) => return found,
            None if asked == 0 => return Found::Settled(None),
            None => asked /= 2,
        }
    }
}

/// How the runs by a solver went.
#[derive(Default)]
struct Tally {
    through: usize,
    /// Of those that were not through, the settled bounds, and all of them.
    short: Vec<(usize, usize)>,
}

impl Tally {
    fn note(&mut self, found: Found, bound: usize) {
        match found {
            Found::Settled(settled) => self.short.push((settled.map_or(0, |settled| settled + 1), bound + 1)),
            Found::Violated(_) | Found::Holds => self.through += 1,
        }
    }

    fn describe(&self) -> String {
        let Tally { through, short } = self;
        if short.is_empty() {
            return format!("all {through} were through");
        }
        let shares = short.iter().map(|(settled, all)| 100 * settled / all);
        let (mean, least) = (shares.clone().sum::<usize>() / short.len(), shares.min().unwrap_or(0));
        let count = short.len();
        format!("{through} were through; {count} were not and settled {mean} % of their bounds, at least {least} %")
    }
}

/// Runs what `choose` chooses by the number of a model and of a way; gives how many runs were through in time.
fn run(seconds: u32, choose: &dyn Fn(usize, usize) -> bool) -> usize {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (number, model) in files::smv_files(&["models"]).into_iter().enumerate() {
        for expected in sidecar::read(&model).property {
            let bound = expected.depth.unwrap_or(FAR);
            for (_, way) in ways().into_iter().enumerate().filter(|(index, _)| choose(number, *index)) {
                let found = check(&model, &expected.name, bound, way, seconds);
                let what = format!("{} of {} by {way:?}: {found:?}", expected.name, model.display());
                assert!(found.agrees(expected.depth), "{what}, but the sidecar says {:?}", expected.depth);
                tallies.entry(way.solver.to_string()).or_default().note(found, bound);
            }
        }
    }
    for (solver, tally) in &tallies {
        println!("{solver}, {seconds} seconds each: {}", tally.describe());
    }
    tallies.values().map(|tally| tally.through).sum()
}

#[test]
fn some_models_in_one_way_each() {
    let through = run(1, &|number, way| number % 3 == 0 && number / 3 % ways().len() == way);
    assert!(through > 25, "{through} runs were through in time");
}

#[test]
#[ignore = "takes long"]
fn the_whole_matrix() {
    let seconds = std::env::var("UWBMC_MATRIX_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let through = run(seconds, &|_, _| true);
    assert!(through > 1_500, "{through} runs were through in time");
}

#[test]
fn what_is_settled_has_to_agree() {
    let violated = Some(5);
    for agreeing in [Found::Violated(5), Found::Settled(Some(4)), Found::Settled(None)] {
        assert!(agreeing.agrees(violated), "{agreeing:?}");
    }
    for wrong in [Found::Violated(4), Found::Violated(6), Found::Settled(Some(5)), Found::Holds] {
        assert!(!wrong.agrees(violated), "{wrong:?}");
    }
    assert!(Found::Holds.agrees(None) && Found::Settled(Some(3)).agrees(None) && !Found::Violated(3).agrees(None));
}
