//! `uwbmc compare`: plain bounded model checking, underapproximation-widening and the default side by side, bound by bound.
//!
//! The columns take turns at each bound, so that their ratios hold on a machine that is busy with other things. All of them are
//! asked the same: whether a property is violated within k steps, or after exactly k.

mod agree;
mod column;
mod measure;
mod present;

use super::terminal::Audience;
use super::watch::Watch;
use super::{ModelArgs, Outcome, UsageError, model, output, say, seconds, terminal};
use crate::check::{Solver, bounds, chosen, is_invariant, solvers};
use crate::engine::{Attitude, Grounds, Race, Strategy, Stride, Sweep, Team, Workers};
use crate::observer::{Observer, Progress};
use crate::sat::{Choice, Effort};
use agree::agree;
use clap::Args;
use column::{Column, Count, Scene, answer};
use encoder::{Idling, Unsupported};
use measure::Measured;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::{Apart, Machine, Slice};

#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The bound.
    #[arg(long = "k", short = 'k', value_name = "N", default_value_t = 12)]
    bound: usize,
    /// Ask about each bound by itself, about runs of exactly this many steps, as in Table 1 of the paper.
    #[arg(long)]
    exact: bool,
    /// The SAT solver.
    #[arg(long, value_enum, default_value_t)]
    solver: Choice,
    /// A solver as a command, such as "kissat -q {cnf} {proof}".
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver")]
    solver_cmd: Option<String>,
    /// Compare this many times, and tell the medians of the times.
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroUsize,
    /// The seed of what the solver does at random.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u32,
    /// Check only this property (may be repeated).
    #[arg(long = "property", value_name = "NAME")]
    properties: Vec<String>,
    /// A column gives up after this many seconds in all (with --exact: at each bound).
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds::parse)]
    timeout: Duration,
    /// Write comma-separated values, a row for each bound and column.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table in Markdown.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Draw the time over k.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the table and the plot as a page for a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// The memory of those who visit states in the default, in bytes: half of what `check` may take by default.
const VISITS: usize = 2_000_000_000;

/// A comparison, for machines.
#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    bound: usize,
    exact: bool,
    repeat: usize,
    columns: &'a [Measured],
}

pub fn run(args: &CompareArgs) -> Result<Outcome, UsageError> {
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let whole = &model.machine;
    let mut properties = chosen(whole.system(), &args.properties)?;
    properties.retain(|id| is_invariant(whole, *id));
    if properties.is_empty() {
        return Err(UsageError(format!("{}: there is no invariant to compare on", model.source.name())));
    }
    let folder = std::env::temp_dir().join(format!("uwbmc-compare-{}", std::process::id()));
    let solver = args.solver_cmd.clone().map_or(Solver::BuiltIn(args.solver), Solver::Command);
    let start = solvers(&solver, args.seed, folder.clone());
    let slice = Slice::new(whole.system(), &properties, Apart::Kept);
    let cone = slice.as_ref().map(|slice| Machine::new(Arc::new(slice.system.clone())));
    let machine = cone.as_ref().unwrap_or(whole);
    let question = Race { machine, properties: &properties, bound: args.bound, start: &start };
    let scene = Scene { whole, slice: slice.as_ref() };
    let mut watch = Watch::start(None, Audience::of(args.json));
    let outcome = measure(question, scene, args, &mut watch);
    watch.clear();
    let _ = std::fs::remove_dir_all(folder);
    match outcome? {
        Comparison::Fault(fault) => {
            say::fault(&model, &fault);
            Ok(Outcome::BadInput)
        }
        Comparison::Measured(columns) => {
            show(model.source.name(), &columns, args)?;
            let any = |word| columns.iter().flat_map(|column| &column.bounds).any(|cell| cell.result == word);
            Ok(if any("violated") || any("ahead") {
                Outcome::Violated
            } else if any("unknown") || watch.why().is_some() {
                Outcome::Undecided
            } else {
                Outcome::Fine
            })
        }
    }
}

/// Prints and writes what was measured.
fn show(name: &str, columns: &[Measured], args: &CompareArgs) -> Result<(), UsageError> {
    let plot = present::plot(name, columns);
    let repeat = args.repeat.get();
    let files = [
        (&args.csv, present::long(columns).render_csv()),
        (&args.markdown, present::markdown(columns, repeat)),
        (&args.svg, plot.render()),
        (&args.html, present::page(columns, &plot, args)),
    ];
    for (path, contents) in files {
        path.as_ref().map_or(Ok(()), |path| output::write(path, &contents))?;
    }
    if args.json {
        let report = Report { model: name, bound: args.bound, exact: args.exact, repeat, columns };
        terminal::print_json("uwbmc-compare", &report);
    } else {
        terminal::print(&present::table(columns).render_text());
        present::notes(columns, repeat).iter().for_each(|note| terminal::print(&format!("{note}\n")));
    }
    Ok(())
}

/// What came of a comparison.
enum Comparison {
    Measured(Vec<Measured>),
    /// A column met a place where the model has no meaning.
    Fault(Box<crate::check::Fault>),
}

/// Compares as often as it is asked for.
fn measure(
    question: Race<'_>,
    scene: Scene<'_>,
    args: &CompareArgs,
    watch: &mut Watch,
) -> Result<Comparison, UsageError> {
    let mut runs: Vec<Vec<Measured>> = Vec::new();
    for _ in 0..args.repeat.get() {
        let grounds = Grounds::of(question.machine);
        let columns = compare(question, scene, &grounds, args, watch)?;
        for column in &columns {
            if let Some(fault) = column.fault()? {
                return Ok(Comparison::Fault(Box::new(fault)));
            }
        }
        agree(&columns)?;
        runs.push(columns.iter().map(Measured::of).collect());
        if watch.why().is_some() {
            break;
        }
    }
    let columns = 0..runs.first().map_or(0, Vec::len);
    let of_column = |column: usize| runs.iter().map(|run| run[column].clone()).collect::<Vec<Measured>>();
    Ok(Comparison::Measured(columns.filter_map(|column| Measured::merged(&of_column(column))).collect()))
}

/// The ways to sweep over the bounds that are compared.
fn strategies() -> [(&'static str, Strategy); 4] {
    // Each bound has a row of its own.
    let plain = Strategy { stride: Stride::One, ..Strategy::plain() };
    [
        ("BMC", plain),
        ("BMC, scheduling", Strategy::pruned()),
        ("paper's UW", Strategy::paper()),
        ("UW alone", Strategy::widening()),
    ]
}

fn unsupported(unsupported: Unsupported) -> UsageError {
    UsageError(format!("bounded model checking does not support {}", unsupported.0))
}

/// The columns, which have begun.
fn columns<'a>(
    question: Race<'a>,
    scene: Scene<'a>,
    grounds: &'a Grounds,
    args: &CompareArgs,
    watch: &mut Watch,
) -> Result<Vec<Column<'a>>, UsageError> {
    let Race { machine, properties, bound, start } = question;
    let mut columns = Vec::new();
    for (name, strategy) in strategies() {
        let begun = Instant::now();
        let sweep = Sweep::new(machine, properties, bound, strategy, start).map_err(unsupported)?;
        // With --exact, each bound begins anew.
        let spent = if args.exact { Duration::ZERO } else { begun.elapsed() };
        columns.push(Column::new(name, (scene, bound), Box::new(sweep), None, spent));
    }
    // The race has no question about runs of exactly this many steps.
    if !args.exact {
        let workers = Workers { visits: Some(VISITS), walks: Some(u64::from(args.seed)), ..Workers::default() };
        let begun = Instant::now();
        let mut stop = |seen: &crate::engine::Bounded| {
            watch.see(&Progress::Comparing { column: "default", bounds: bounds(seen, bound) }).is_break()
        };
        let (team, end) = Team::start(question, &workers, grounds, &mut stop).map_err(unsupported)?;
        columns.push(Column::new("default", (scene, bound), Box::new(team), end, begun.elapsed()));
    }
    Ok(columns)
}

fn compare<'a>(
    question: Race<'a>,
    scene: Scene<'a>,
    grounds: &'a Grounds,
    args: &CompareArgs,
    watch: &mut Watch,
) -> Result<Vec<Column<'a>>, UsageError> {
    let mut columns = columns(question, scene, grounds, args, watch)?;
    for bound in 0..=args.bound {
        let count = columns.len();
        for turn in 0..count {
            let index = (bound + turn) % count;
            let column = &mut columns[index];
            if args.exact {
                ask_exactly(column, strategies()[index].1, (question, bound), args.timeout, watch)?;
            } else {
                column.advance(bound, args.timeout, watch)?;
            }
        }
        let has_fault = columns.iter().any(|column| column.attitude.found().fault.is_some());
        if has_fault || watch.why().is_some() || columns.iter().all(Column::is_over) {
            break;
        }
    }
    Ok(columns)
}

/// Asks about runs of exactly this many steps, from the beginning: a row of the paper's Table 1.
fn ask_exactly<'a>(
    column: &mut Column<'a>,
    mut strategy: Strategy,
    (question, bound): (Race<'a>, usize),
    limit: Duration,
    watch: &mut Watch,
) -> Result<(), UsageError> {
    let Race { machine, properties, start: starter, .. } = question;
    strategy.rules.idling = Idling::Allowed;
    let start = Instant::now();
    let mut sweep = Sweep::exactly(machine, properties, bound, strategy, starter).map_err(unsupported)?;
    let (mut is_late, mut end) = (false, None);
    while !is_late && end.is_none() {
        let now = Progress::Comparing { column: column.name, bounds: bounds(sweep.found(), bound) };
        let mut stop = || start.elapsed() > limit || watch.see(&now).is_break();
        end = sweep.step(Effort::Unlimited, &mut stop);
        is_late = stop();
    }
    let answer = answer(sweep.found(), bound, end.filter(|_| !is_late));
    let cell = Count::of(&sweep).since(&Count::default(), answer, start.elapsed());
    column.spent += start.elapsed();
    column.cells.push(cell);
    column.replace(Box::new(sweep))
}
