//! `uwbmc join`

use super::terminal::Audience;
use super::watch::Watch;
use super::{Outcome, colour, output, terminal};
use crate::Error;
use crate::check::Verdict;
use crate::hidden::visible;
use crate::report::Format;
use crate::trace::{Told, describe};
use jobs::{Joined, Tally, join};
use limits::Handle;
use serde::Serialize;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct JoinArgs {
    /// The folder that `uwbmc split` wrote, with the results of its jobs.
    folder: PathBuf,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    output: output::TraceArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    property: &'a str,
    verdict: &'static str,
    summary: String,
    /// How many proofs were accepted.
    proofs: usize,
    /// Results that were not accepted, and why.
    rejected: &'a [String],
    /// Cubes that no accepted result settles.
    missing: &'a [String],
    trace: Option<Told>,
}

pub fn run(args: &JoinArgs) -> Result<Outcome, Error> {
    args.output.check()?;
    let mut watch = Watch::start(None, Audience::of(args.json));
    let joined = join(&args.folder, &mut Handle::new(None, usize::MAX, &mut watch));
    watch.clear();
    let Joined { model, property, verdict, tally } = joined?;
    let trace = match &verdict {
        Verdict::Violated(trace) => Some(Told::from(describe(&model.machine, &model.source, trace, Some(property)))),
        _ => None,
    };
    if let Some(trace) = &trace {
        args.output.write(trace)?;
    }
    let name = &model.machine.system().properties[property].name;
    if args.json {
        let Tally { proofs, rejected, missing } = &tally;
        let (verdict, summary) = (verdict.word(), verdict.describe());
        let document = Document { property: name, verdict, summary, proofs: *proofs, rejected, missing, trace };
        terminal::print_json("uwbmc-join", &document);
    } else {
        say(name, &verdict, &tally, trace.as_ref());
    }
    Ok(match verdict {
        Verdict::Violated(_) => Outcome::Violated,
        Verdict::Unknown(_) => Outcome::Undecided,
        _ => Outcome::Fine,
    })
}

fn say(name: &str, verdict: &Verdict, tally: &Tally, trace: Option<&Told>) {
    tally.rejected.iter().for_each(|rejected| terminal::complain(rejected));
    let summary = colour::painted(verdict.word(), &visible(&verdict.describe()));
    terminal::print(&format!("{}: {summary}\n", visible(name)));
    if let Some(trace) = trace.filter(|_| !terminal::is_quiet()) {
        terminal::print_by(|out| Format::Text.tell(trace, out));
    }
    match verdict {
        Verdict::HoldsUpTo(_) => terminal::remark(&format!(
            "certified: {} proofs accepted, one of them that the cubes leave nothing out",
            tally.proofs
        )),
        Verdict::Unknown(_) if !tally.missing.is_empty() => {
            terminal::remark(&format!("to be done: {}", tally.missing.join(" ")));
        }
        _ => {}
    }
}
