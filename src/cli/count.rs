//! `uwbmc count`

use super::explicit::see_states;
use super::terminal::Audience;
use super::watch::Watch;
use super::{ModelArgs, Outcome, UsageError, model, terminal};
use crate::explicit::{Count, Stop, count_visible};
use serde::Serialize;
use system::Fault;

#[derive(clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Give up after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Use at most so many megabytes for states.
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    memory: usize,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    model: &'a str,
    states: usize,
    transitions: usize,
    /// Whether these are all.
    complete: bool,
    /// Why they are not.
    reason: Option<String>,
}

pub fn run(args: &CountArgs) -> Result<Outcome, UsageError> {
    let Some(mut model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let mut watch = Watch::start(args.timeout, Audience::of(args.json));
    let most = args.memory.saturating_mul(1_000_000);
    model.machine.heed(watch.alarm(most));
    let outcome = count_visible(&model.machine, most, |now| see_states(&mut watch, now));
    let (Count { states, transitions, stop }, reason) = match outcome {
        Ok(count) => (count, why(count.stop, &watch)),
        Err((failure, count)) if failure.fault == Fault::Interrupted => {
            (count, Some(watch.why().unwrap_or("out of memory").to_owned()))
        }
        Err((failure, count)) => (count, Some(failure.fault.describe(model.machine.system()))),
    };
    let complete = reason.is_none() && stop == Stop::Complete;
    if args.json {
        let model = model.source.name();
        terminal::print_json(&Document { model, states, transitions, complete, reason });
    } else {
        let rest = reason.map_or(String::new(), |reason| format!(", and there may be more: {reason}"));
        terminal::print(&format!("{states} states, {transitions} transitions{rest}\n"));
    }
    Ok(if complete { Outcome::Fine } else { Outcome::Undecided })
}

fn why(stop: Stop, watch: &Watch) -> Option<String> {
    match stop {
        Stop::Complete => None,
        Stop::Memory => Some("the memory limit was reached".to_owned()),
        _ => watch.why().map(str::to_owned),
    }
}
