//! `uwbmc count`

use super::model::Model;
use super::terminal::Audience;
use super::watch::Watch;
use super::{ModelArgs, Outcome, UsageError, model, seconds, terminal};
use crate::explicit::{self, Count, Product, Stop, count_product, count_visible};
use crate::observer::{Observer, Progress};
use crate::symbolic;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Duration;
use system::{Failure, Fault};

#[derive(clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::parse)]
    timeout: Option<Duration>,
    /// Use at most this many megabytes for states.
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    memory: usize,
    /// Count the product with this never claim or ltl formula, as SPIN does (a claim without a name is never_0, never_1..).
    #[arg(long, value_name = "NAME")]
    claim: Option<String>,
    /// How to count.
    #[arg(long, value_enum, default_value = "explicit", conflicts_with = "claim")]
    engine: Engine,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// A way to count.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// State after state, with transitions.
    Explicit,
    /// Decision diagrams of all reachable states: any number of them, without transitions.
    Symbolic,
}

/// What `--json` prints for a number of states of any size.
#[derive(Serialize)]
struct Many<'a> {
    model: &'a str,
    /// In decimal digits: it may be too large for a number.
    states: Option<String>,
    complete: bool,
    /// Why there is no number.
    reason: Option<String>,
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
    model.machine.heed(watch.alarm(args.memory.saturating_mul(1_000_000)));
    if args.engine == Engine::Symbolic {
        return count_sets(args, &model, &watch);
    }
    let outcome = count(args, &model, &mut watch)?;
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
        terminal::print_json("uwbmc-count", &Document { model, states, transitions, complete, reason });
    } else {
        let rest = reason.map_or(String::new(), |reason| format!(", and there may be more: {reason}"));
        terminal::print(&format!("{states} states, {transitions} transitions{rest}\n"));
    }
    Ok(if complete { Outcome::Fine } else { Outcome::Undecided })
}

/// Counts the states by decision diagrams.
fn count_sets(args: &CountArgs, model: &Model, watch: &Watch) -> Result<Outcome, UsageError> {
    if model.machine.system().has_atomic_sections {
        let message = "the model has atomic sections, whose inside --engine symbolic would count as well";
        return Err(UsageError(message.to_owned()));
    }
    let memory = args.memory.saturating_mul(1_000_000);
    let counted = symbolic::count(&model.machine, symbolic::nodes(memory), &watch.alarm(memory));
    let (states, reason) = match counted {
        Ok(states) => (Some(states), None),
        Err(trouble) => (None, Some(watch.why().map_or_else(|| trouble.to_string(), str::to_owned))),
    };
    let complete = states.is_some();
    if args.json {
        terminal::print_json("uwbmc-count", &Many { model: model.source.name(), states, complete, reason });
    } else {
        let unknown = format!("unknown: {}", reason.unwrap_or_default());
        terminal::print(&format!("{}\n", states.map_or(unknown, |states| format!("{states} states"))));
    }
    Ok(if complete { Outcome::Fine } else { Outcome::Undecided })
}

/// Counts the states of the model, or of its product with a claim.
fn count(args: &CountArgs, model: &Model, watch: &mut Watch) -> Result<Result<Count, (Failure, Count)>, UsageError> {
    let most = args.memory.saturating_mul(1_000_000);
    let Some(name) = &args.claim else {
        return Ok(count_visible(&model.machine, most, |now| see_states(watch, now)));
    };
    let automata = &model.machine.system().automata;
    let Some(claim) = automata.iter().find(|claim| claim.name == *name) else {
        let names: Vec<&str> = automata.iter().map(|claim| claim.name.as_str()).collect();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(UsageError(format!(
            "there is no claim {name} whose product can be counted (there is: {there}); a formula other than [] p has to be \
             written as a never claim, as spin -f prints it"
        )));
    };
    let product = count_product(&model.machine, claim, most, |now| see_states(watch, now));
    if let Ok(Product { is_endless: true, .. }) = product {
        terminal::remark(
            "the claim goes round for ever in an atomic section; SPIN counts that up to its limit on the depth",
        );
    }
    Ok(product.map(|product| product.count).map_err(|(failure, product)| (failure, product.count)))
}

fn why(stop: Stop, watch: &Watch) -> Option<String> {
    match stop {
        Stop::Complete => None,
        Stop::Memory => Some("the memory limit was reached".to_owned()),
        _ => watch.why().map(str::to_owned),
    }
}

fn see_states(watch: &mut Watch, now: explicit::Progress) -> ControlFlow<()> {
    watch.see(&Progress::States { states: now.states, depth: now.depth })
}
