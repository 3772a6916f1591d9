//! `uwbmc show`

use super::{ModelArgs, Outcome, model, terminal};
use crate::Error;
use crate::report::dot::{self, Widened};
use crate::report::show::Overview;
use serde::Deserialize;
use std::path::PathBuf;
use system::render_system;

#[derive(clap::Args)]
pub struct ShowArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Print the system in guarded commands.
    #[arg(long)]
    system: bool,
    /// Print the control-flow graphs for Graphviz.
    #[arg(long, conflicts_with = "system")]
    dot: bool,
    /// Show in the graphs which control points were widened in which round of a run that `check --json` printed.
    #[arg(long, value_name = "FILE", requires = "dot")]
    widening: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long, conflicts_with_all = ["system", "dot"])]
    json: bool,
}

pub fn run(args: &ShowArgs) -> Result<Outcome, Error> {
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let system = model.machine.system();
    if args.json {
        terminal::print_json("uwbmc-show", &Overview::of(system, model.source.name()));
        return Ok(Outcome::Fine);
    }
    let text = if args.system {
        render_system(system)
    } else if args.dot {
        dot::render(system, &widened(args)?)
    } else {
        Overview::of(system, model.source.name()).render()
    };
    terminal::print(&text);
    Ok(Outcome::Fine)
}

/// The rounds of a run that `check --json` printed.
fn widened(args: &ShowArgs) -> Result<Widened, Error> {
    let Some(path) = &args.widening else { return Ok(Widened::new()) };
    let text = std::fs::read_to_string(path).map_err(|error| Error::about(path, &error))?;
    let run: Run = serde_json::from_str(&text).map_err(|error| {
        Error::about(path, &format_args!("{error}; this has to be what `uwbmc check --json` printed"))
    })?;
    let mut widened = Widened::new();
    for (number, round) in run.rounds.into_iter().enumerate() {
        for point in round.widened {
            widened.entry(point).or_insert(number + 1);
        }
    }
    Ok(widened)
}

/// What is needed of a run.
#[derive(Deserialize)]
struct Run {
    rounds: Vec<Round>,
}

#[derive(Deserialize)]
struct Round {
    widened: Vec<String>,
}
