//! Measurements on programs that are run.

use check::Error;
use scheduler::{Command, ExitCodes, Exploration, Limits, Members, Options, Reduction, Session, Strategy, explore};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Philosophers as processes that share semaphores, where the experiments are run from.
const PROCESSES: &str = "programs/processes.c";
/// Five philosophers as threads.
const TABLE: &str = include_str!("table.c");

/// What is said instead of a table where there is no compiler.
const WITHOUT: &str = "# There is no C compiler `cc`.\n";

fn has_compiler() -> bool {
    let mut cc = std::process::Command::new("cc");
    cc.arg("--version").stdout(std::process::Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Compiles a program in a folder.
fn compiled(source: &Path, definition: &str, folder: &Path) -> Result<PathBuf, Error> {
    let program = folder.join(definition);
    let mut cc = std::process::Command::new("cc");
    let status =
        cc.args(["-O1", "-pthread"]).arg(format!("-D{definition}")).arg("-o").arg(&program).arg(source).status();
    match status {
        Ok(status) if status.success() => Ok(program),
        Ok(status) => Err(Error::Usage(format!("cc cannot compile {}: {status}", source.display()))),
        Err(error) => Err(Error::Usage(format!("cc: {error}"))),
    }
}

/// Explores a program; what came of it, and in how many seconds.
fn explored(program: &Path, options: &Options) -> Result<(Exploration, f64), Error> {
    let patience = Duration::from_secs(60);
    let command = Command {
        program: program.to_owned(),
        arguments: Vec::new(),
        members: Members::default(),
        patience,
        limits: Limits::default(),
    };
    let failed = |failure: scheduler::Failure| Error::Usage(failure.to_string());
    let mut session = Session::start(command).map_err(failed)?;
    let start = Instant::now();
    let found = explore(&mut session, options, &mut |_| ControlFlow::Continue(())).map_err(failed)?;
    Ok((found, start.elapsed().as_secs_f64()))
}

fn options(strategy: Strategy, reduction: Reduction) -> Options {
    let depth = operations::region::MAX_DEPTH;
    Options {
        strategy,
        reduction,
        depth,
        runs: u64::MAX,
        seed: 1,
        exit_codes: ExitCodes::Ignored,
        livelock: None,
        finds_all: true,
        runs_after_race: u64::MAX,
        servers: 1,
    }
}

/// Figure 4 for 2 to `most` processes: the transitions from the state on in which the semaphores have their values, which
/// takes a transition each.
pub fn processes(most: u64, folder: &Path) -> Result<String, Error> {
    if !has_compiler() {
        return Ok(WITHOUT.to_owned());
    }
    std::fs::create_dir_all(folder)?;
    let mut table = "philosophers,transitions,runs,runs with optimal reduction,runs a second\n".to_owned();
    for count in 2..=most {
        let program = compiled(Path::new(PROCESSES), &format!("N={count}"), folder)?;
        let (all, seconds) = explored(&program, &options(Strategy::Exhaustive, Reduction::None))?;
        let (optimal, _) = explored(&program, &options(Strategy::Exhaustive, Reduction::Optimal))?;
        let (transitions, runs) = (all.search.transitions - count, all.search.complete);
        let rate = runs as f64 / seconds;
        let _ = writeln!(table, "{count},{transitions},{runs},{},{rate:.0}", optimal.search.complete);
    }
    Ok(table)
}

/// How many runs and steps a second there are, of runs that are chosen at random.
pub fn speed(folder: &Path) -> Result<String, Error> {
    if !has_compiler() {
        return Ok(WITHOUT.to_owned());
    }
    std::fs::create_dir_all(folder)?;
    let source = folder.join("table.c");
    std::fs::write(&source, TABLE)?;
    let mut table = "meals,servers,steps of a run,runs,runs a second,steps a second\n".to_owned();
    for (meals, runs) in [(1, 6000), (900, 200)] {
        let program = compiled(&source, &format!("MEALS={meals}"), folder)?;
        for servers in [1, 2] {
            let options = Options { runs, servers, ..options(Strategy::Random, Reduction::Optimal) };
            let (found, seconds) = explored(&program, &options)?;
            let rate = |count: u64| count as f64 / seconds;
            let (steps, all) = (found.total.longest, found.total);
            let (runs_rate, steps_rate) = (rate(all.runs), rate(all.steps));
            let _ = writeln!(table, "{meals},{servers},{steps},{runs},{runs_rate:.0},{steps_rate:.0}");
        }
    }
    Ok(table)
}
