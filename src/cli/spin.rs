//! Speed beside SPIN: the same model through both, on the same machine in the same minute.

use super::UsageError;
use crate::experiment::lock::{filter_lock, promela};
use crate::explicit::{Options, run};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;
use system::Machine;

/// Runs both on Peterson's filter lock and says in comma-separated values how they compare. SPIN's files go to `folder`.
pub fn compare(folder: &Path, processes: usize) -> Result<String, UsageError> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("lock.pml"), promela(processes))?;
    let start = Instant::now();
    output(folder, "spin", &["-a", "lock.pml"])?;
    output(folder, "gcc", &["-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"])?;
    let compiling = start.elapsed().as_secs_f64();
    let report = output(folder, "./pan", &["-m20000000", "-w24"])?;
    // SPIN's own time, which leaves out the making of its stack.
    let elapsed = report.lines().find_map(|line| line.strip_prefix("pan: elapsed time "));
    let searching = number_before(elapsed.unwrap_or_default(), "seconds")?.max(0.01);
    let states = number_before(&report, "states, stored")?;
    let megabytes = number_before(&report, "actual memory usage for states")
        .or_else(|_| number_before(&report, "equivalent memory usage for states"))?;
    let mut table = "tool,threads,states,seconds,states a second,bytes a state,seconds with compiling\n".to_owned();
    let mut row = |tool: &str, threads: usize, states: f64, seconds: f64, bytes: f64, total: f64| {
        let (rate, each) = (states / seconds, bytes / states);
        table += &format!("{tool},{threads},{states},{seconds:.2},{rate:.0},{each:.1},{total:.2}\n");
        rate
    };
    let spin = row("spin", 1, states, searching, megabytes * 1e6, compiling + searching);
    let mut ratios = Vec::new();
    for jobs in [1, 2] {
        let machine = Machine::new(Arc::new(filter_lock(processes)));
        let options = Options { jobs: NonZeroUsize::new(jobs).unwrap_or(NonZeroUsize::MIN), ..Options::default() };
        let start = Instant::now();
        let Ok(found) = run(&machine, &[], &options, |_| ControlFlow::Continue(())) else {
            return Err(UsageError("the lock has a fault".to_owned()));
        };
        let seconds = start.elapsed().as_secs_f64();
        ratios.push(row("uwbmc", jobs, found.states as f64, seconds, found.bytes as f64, seconds) / spin);
    }
    let ratios: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
    Ok(format!("{table}# states a second, uwbmc to spin: {}\n", ratios.join(" and ")))
}

fn output(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, UsageError> {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| UsageError(format!("{program}: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(UsageError(format!("{program} failed: {text}"))) }
}

/// The first number of the line that has a text.
fn number_before(report: &str, text: &str) -> Result<f64, UsageError> {
    let line = report.lines().find(|line| line.contains(text));
    let number = line.and_then(|line| line.split_whitespace().next()).and_then(|word| word.parse().ok());
    number.ok_or_else(|| UsageError(format!("SPIN's report has no {text}")))
}
