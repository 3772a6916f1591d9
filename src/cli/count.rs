//! `uwbmc count`

use super::model::Model;
use super::net::{self, Limits};
use super::terminal::Audience;
use super::watch::Watch;
use super::{HOW, LIMITS, ModelArgs, OUTPUT, Outcome, WHAT, model, seconds, terminal};
use crate::Error;
use engine::Stop;
use explicit::{Count, Product, count_product, count_visible};
use limits::{Ended, Handle};
use serde::Serialize;
use std::time::Duration;
use system::Failure;

#[derive(clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::parse, help_heading = LIMITS)]
    timeout: Option<Duration>,
    /// Use at most this many megabytes.
    #[arg(long, value_name = "MB", default_value_t = 4000, help_heading = LIMITS)]
    memory: usize,
    /// Count the product with this never claim or ltl formula, as SPIN does (a claim without a name is never_0, never_1..).
    #[arg(long, value_name = "NAME", help_heading = WHAT)]
    claim: Option<String>,
    /// How to count.
    #[arg(long, value_enum, default_value = "explicit", conflicts_with = "claim", help_heading = HOW)]
    engine: Engine,
    /// Print one JSON document instead of text.
    #[arg(long, help_heading = OUTPUT)]
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
    states: Option<&'a str>,
    complete: bool,
    /// Why there is no number.
    reason: Option<&'a str>,
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
    reason: Option<&'a str>,
}

/// What was counted.
enum Counted {
    /// States and transitions, one by one.
    Each { states: usize, transitions: usize },
    /// The states as a set; none if it is not known.
    Set(Option<String>),
}

/// What came of counting.
struct Answer {
    model: String,
    counted: Counted,
    /// Why that is not all.
    reason: Option<String>,
}

pub fn run(args: CountArgs) -> Result<Outcome, Error> {
    let mut watch = Watch::start(args.timeout, Audience::of(args.json));
    let limits = Limits { budget: watch.budget().clone(), memory: bytes(&args) as u64 };
    let (json, model) = (args.json, args.model.model.display().to_string());
    let nothing = match args.engine {
        Engine::Explicit => Counted::Each { states: 0, transitions: 0 },
        Engine::Symbolic => Counted::Set(None),
    };
    let answer = net::ended(&limits, Error::Unread, move |_| answer(&args, &mut watch));
    let answer = match answer {
        Err(Error::Unread(why)) => Some(Answer { model, counted: nothing, reason: Some(why.to_string()) }),
        answer => answer?,
    };
    let Some(answer) = answer else { return Ok(Outcome::BadInput) };
    if json {
        answer.print_json()
    } else {
        answer.print()
    }
    Ok(if answer.reason.is_none() { Outcome::Fine } else { Outcome::Undecided })
}

impl Answer {
    fn print(&self) {
        let reason = self.reason.as_deref();
        let text = match &self.counted {
            Counted::Each { states, transitions } => {
                let rest = reason.map_or(String::new(), |reason| format!(", and there may be more: {reason}"));
                format!("{states} states, {transitions} transitions{rest}\n")
            }
            Counted::Set(Some(states)) => format!("{states} states\n"),
            Counted::Set(None) => format!("unknown: {}\n", reason.unwrap_or_default()),
        };
        terminal::print(&text);
    }

    fn print_json(&self) {
        let Answer { model, counted, reason } = self;
        let (complete, reason) = (reason.is_none(), reason.as_deref());
        match counted {
            Counted::Each { states, transitions } => {
                let (states, transitions) = (*states, *transitions);
                terminal::print_json("uwbmc-count", &Document { model, states, transitions, complete, reason });
            }
            Counted::Set(states) => {
                let states = states.as_deref();
                terminal::print_json("uwbmc-count", &Many { model, states, complete, reason });
            }
        }
    }
}

/// The memory that it may take.
fn bytes(args: &CountArgs) -> usize {
    args.memory.saturating_mul(1_000_000)
}

/// Reads the model and counts; nothing if the model is wrong and that has been said.
fn answer(args: &CountArgs, watch: &mut Watch) -> Result<Option<Answer>, Error> {
    let Some(mut model) = model::load_until(watch.budget(), &args.model)? else { return Ok(None) };
    let timeout = args.timeout.map(|timeout| timeout.saturating_sub(watch.elapsed()));
    let mut handle = Handle::new(timeout, bytes(args), watch);
    model.machine.heed(handle.alarm());
    let name = model.source.name().to_owned();
    if args.engine == Engine::Symbolic {
        let (states, reason) = count_sets(&model, &mut handle)?;
        return Ok(Some(Answer { model: name, counted: Counted::Set(states), reason }));
    }
    let counted = count(args, &model, &mut handle)?;
    let ended = handle.why();
    watch.clear();
    let (Count { states, transitions, stop }, reason) = match counted {
        Ok(count) => (count, why(count.stop, ended)),
        Err((failure, count)) => (count, Some(failure.fault.describe(model.machine.system()))),
    };
    let reason = reason.or_else(|| (stop != Stop::Complete).then(|| "the search ended early".to_owned()));
    Ok(Some(Answer { model: name, counted: Counted::Each { states, transitions }, reason }))
}

/// Counts the states by decision diagrams, or says why that is not possible.
fn count_sets(model: &Model, handle: &mut Handle<'_>) -> Result<(Option<String>, Option<String>), Error> {
    if model.machine.system().has_atomic_sections {
        let message = "the model has atomic sections, whose inside --engine symbolic would count as well";
        return Err(Error::Usage(message.to_owned()));
    }
    let limits = symbolic::Limits::of_memory(handle.memory());
    let counted = symbolic::count(&model.machine, limits, handle);
    Ok(match counted {
        Ok(states) => (Some(states), None),
        Err(trouble) => (None, Some(handle.why().map_or_else(|| trouble.to_string(), |why| why.to_string()))),
    })
}

/// Counts the states of the model, or of its product with a claim.
fn count(args: &CountArgs, model: &Model, handle: &mut Handle<'_>) -> Result<Result<Count, (Failure, Count)>, Error> {
    let most = bytes(args);
    let Some(name) = &args.claim else {
        return Ok(count_visible(&model.machine, most, handle));
    };
    let automata = &model.machine.system().automata;
    let Some(claim) = automata.iter().find(|claim| claim.name == *name) else {
        let names: Vec<&str> = automata.iter().map(|claim| claim.name.as_str()).collect();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(Error::Usage(format!(
            "there is no claim {name} whose product can be counted (there is: {there}); a formula other than [] p has to be \
             written as a never claim, as spin -f prints it"
        )));
    };
    let machine = model.machine.beside_claim().unwrap_or(&model.machine);
    let product = count_product(machine, claim, most, handle);
    if let Ok(Product { is_endless: true, .. }) = product {
        terminal::remark(
            "the claim goes round for ever in an atomic section; SPIN counts that up to its limit on the depth",
        );
    }
    Ok(product.map(|product| product.count).map_err(|(failure, product)| (failure, product.count)))
}

fn why(stop: Stop, ended: Option<Ended>) -> Option<String> {
    match stop {
        Stop::Complete => None,
        Stop::Memory => Some("the memory limit was reached".to_owned()),
        Stop::Interrupted => Some(ended.unwrap_or(Ended::Memory).to_string()),
        _ => ended.map(|why| why.to_string()),
    }
}
