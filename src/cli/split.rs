//! `uwbmc split`

use super::{ModelArgs, Outcome, WHAT, model, terminal};
use crate::Error;
use jobs::{Included, Plan, only_property, split};
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct SplitArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The bound: how many steps to look ahead.
    #[arg(long = "k", short = 'k', value_name = "N")]
    bound: usize,
    /// Into how many cubes to divide the runs, at most.
    #[arg(long, value_name = "C", default_value = "16")]
    cubes: NonZeroUsize,
    /// How many jobs beside them look for a violation: walks, parallel steps, orders of the processes.
    #[arg(long, value_name = "N", default_value_t = 0)]
    hunts: usize,
    /// The first seed of walks.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// The property (without it, there has to be a single one that can be split).
    #[arg(long, value_name = "NAME", help_heading = WHAT)]
    property: Option<String>,
    /// Also claim that no state is without successors.
    #[arg(long, help_heading = WHAT)]
    deadlock: bool,
    /// The folder that takes the jobs; it has to be new.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

pub fn run(args: &SplitArgs) -> Result<Outcome, Error> {
    let Some(mut model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    if args.deadlock {
        model.claim_deadlock_freedom();
    }
    let property = match &args.property {
        Some(name) => name.clone(),
        None => only_property(&model.machine)?,
    };
    let (text, subject) = args.model.subject(args.deadlock, property, args.bound)?;
    let included = Included::by(&model.source)?;
    let plan = Plan { subject, text, included, cubes: args.cubes.get(), hunts: args.hunts, seed: args.seed };
    let cubes = split(plan, &args.output)?;
    let folder = args.output.display();
    let hunts = match args.hunts {
        0 => String::new(),
        hunts => format!(" and {hunts} hunts"),
    };
    terminal::print(&format!(
        "{cubes} cubes{hunts} in {folder}; do each of {folder}/jobs/*.json by `uwbmc job`, then `uwbmc join {folder}`\n"
    ));
    Ok(Outcome::Fine)
}
