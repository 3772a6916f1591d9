//! `uwbmc compare`: plain bounded model checking and underapproximation-widening side by side, bound by bound.
//!
//! The columns take turns at each bound, so that their ratios hold on a machine that is busy with other things.

mod agree;
mod present;

use super::terminal::Audience;
use super::watch::Watch;
use super::{ModelArgs, Outcome, UsageError, model, output, seconds, terminal};
use crate::check::{bounds, chosen, is_invariant};
use crate::engine::{Attitude, Race, Strategy, Stride, Sweep, Team, Workers};
use crate::observer::{Bounds, Observer, Progress};
use crate::sat::{Choice, Effort, Phase, Setup};
use agree::{agree, agree_exactly};
use clap::Args;
use encoder::{Idling, Unsupported};
use present::{page, plot, ratios, table};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::{Apart, Machine, PropertyId, Slice};

#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The bound.
    #[arg(long = "k", short = 'k', value_name = "N", default_value_t = 12)]
    bound: usize,
    /// Ask about each bound by itself, about runs of exactly so many steps, as in Table 1 of the paper.
    #[arg(long)]
    exact: bool,
    /// The SAT solver.
    #[arg(long, value_enum, default_value_t)]
    solver: Choice,
    /// The seed of what the solver does at random.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u32,
    /// Check only this property (may be repeated).
    #[arg(long = "property", value_name = "NAME")]
    properties: Vec<String>,
    /// A column gives up after so many seconds in all (with --exact: at each bound).
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds::parse)]
    timeout: Duration,
    /// Write the table as comma-separated values.
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

/// What a column did at one bound.
#[derive(Clone, Debug, Serialize)]
struct Cell {
    /// valid, violated, or unknown when the time was over.
    result: &'static str,
    seconds: f64,
    /// Rounds of underapproximation-widening at this bound.
    rounds: usize,
    /// Control points that are widened at this bound.
    widened: usize,
    conflicts: u64,
}

/// One way to check, and what it did at each bound.
struct Column<'a> {
    name: &'static str,
    /// For a question at one bound only: how to ask it.
    strategy: Strategy,
    attitude: Box<dyn Attitude + 'a>,
    /// The last bound.
    last: usize,
    points: usize,
    cells: Vec<Cell>,
    spent: Duration,
    over: bool,
}

/// A comparison, for machines.
#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    bound: usize,
    exact: bool,
    columns: Vec<ColumnReport<'a>>,
}

#[derive(Serialize)]
struct ColumnReport<'a> {
    name: &'a str,
    points: usize,
    seconds: f64,
    bounds: &'a [Cell],
}

pub fn run(args: &CompareArgs) -> Result<Outcome, UsageError> {
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let machine = &model.machine;
    let wanted = chosen(machine.system(), &args.properties)?;
    let properties: Vec<PropertyId> = wanted.into_iter().filter(|id| is_invariant(machine, *id)).collect();
    if properties.is_empty() {
        return Err(UsageError(format!("{}: there is no invariant to compare on", model.source.name())));
    }
    let start = |phase: Phase| args.solver.start(Setup { phase, seed: args.seed });
    let small =
        Slice::new(machine.system(), &properties, Apart::Kept).map(|slice| Machine::new(Arc::new(slice.system)));
    let machine = small.as_ref().unwrap_or(machine);
    let question = Race { machine, properties: &properties, bound: args.bound, start: &start };
    let mut watch = Watch::start(None, Audience::of(args.json));
    let columns = compare(question, args, &mut watch)
        .map_err(|unsupported| UsageError(format!("bounded model checking does not support {}", unsupported.0)))?;
    watch.clear();
    if args.exact {
        agree_exactly(&columns)?
    } else {
        agree(machine, &columns)?
    }
    let table = table(&columns, args.bound);
    let plot = plot(model.source.name(), &columns);
    let files = [
        (&args.csv, table.render_csv()),
        (&args.markdown, table.render_markdown()),
        (&args.svg, plot.render()),
        (&args.html, page(&table, &plot, &columns, args)),
    ];
    for (path, contents) in files {
        path.as_ref().map_or(Ok(()), |path| output::write(path, &contents))?;
    }
    if args.json {
        let columns = columns.iter().map(|column| ColumnReport {
            name: column.name,
            points: column.points,
            seconds: column.spent.as_secs_f64(),
            bounds: &column.cells,
        });
        let (model, columns) = (model.source.name(), columns.collect());
        let report = Report { model, bound: args.bound, exact: args.exact, columns };
        terminal::print_json("uwbmc-compare", &report);
    } else {
        terminal::print(&table.render_text());
        terminal::print(&ratios(&columns));
    }
    let violated = columns.iter().flat_map(|column| &column.cells).any(|cell| cell.result == "violated");
    Ok(match watch.why() {
        _ if violated => Outcome::Violated,
        Some(_) => Outcome::Undecided,
        None => Outcome::Fine,
    })
}

/// The columns of the comparison.
fn columns<'a>(question: Race<'a>) -> Result<Vec<Column<'a>>, Unsupported> {
    let Race { machine, properties, bound, start } = question;
    let column = |name, strategy: Strategy, attitude: Box<dyn Attitude + 'a>| {
        let points = attitude.found().points;
        Column { name, strategy, attitude, last: bound, points, cells: Vec::new(), spent: Duration::ZERO, over: false }
    };
    let sweep = |strategy| -> Result<Box<dyn Attitude + 'a>, Unsupported> {
        Ok(Box::new(Sweep::new(machine, properties, bound, strategy, start)?))
    };
    let ours = Workers::default();
    // Each bound has a row of its own.
    let plain = Strategy { stride: Stride::One, ..Strategy::plain() };
    Ok(vec![
        column("BMC", plain, sweep(plain)?),
        column("BMC with scheduling", Strategy::pruned(), sweep(Strategy::pruned())?),
        column("UW of the paper", Strategy::paper(), sweep(Strategy::paper())?),
        column("UW", Strategy::widening(), Box::new(Team::new(question, &ours)?)),
    ])
}

fn compare<'a>(question: Race<'a>, args: &CompareArgs, watch: &mut Watch) -> Result<Vec<Column<'a>>, Unsupported> {
    let mut columns = columns(question)?;
    let limit = args.timeout;
    for bound in 0..=args.bound {
        let count = columns.len();
        for turn in 0..count {
            let column = &mut columns[(bound + turn) % count];
            if args.exact {
                column.ask_exactly(question, bound, limit, watch)?;
            } else {
                column.advance(bound, limit, watch);
            }
        }
        if watch.why().is_some() || columns.iter().all(|column| column.over) {
            break;
        }
    }
    Ok(columns)
}

impl<'a> Column<'a> {
    /// Works until the bound is settled, everything is violated, or the time is over.
    fn advance(&mut self, bound: usize, limit: Duration, watch: &mut Watch) {
        if self.over {
            return;
        }
        let (start, before) = (Instant::now(), Count::of(self.attitude.as_ref()));
        let late = |spent: Duration| spent + start.elapsed() > limit;
        let mut is_late = false;
        while !self.over && self.attitude.found().bound < Some(bound) {
            let spent = self.spent;
            let mut stop = looks(watch, self.name, self.attitude.as_ref(), self.last, move || late(spent));
            self.over = self.attitude.step(Effort::Unlimited, &mut stop).is_some();
            is_late = stop();
            self.over |= is_late;
        }
        let is_settled = self.attitude.found().bound >= Some(bound);
        let result = match (self.attitude.found().violations.is_empty(), is_settled || !is_late) {
            (false, _) => "violated",
            (true, true) => "valid",
            (true, false) => "unknown",
        };
        let after = Count::of(self.attitude.as_ref());
        self.spent += start.elapsed();
        self.cells.push(after.since(&before, result, start.elapsed()));
    }

    /// Asks about runs of exactly so many steps, from the beginning: a row of the paper's Table 1.
    fn ask_exactly(
        &mut self,
        question: Race<'a>,
        bound: usize,
        limit: Duration,
        watch: &mut Watch,
    ) -> Result<(), Unsupported> {
        let Race { machine, properties, start: starter, .. } = question;
        let mut strategy = self.strategy;
        strategy.rules.idling = Idling::Allowed;
        let start = Instant::now();
        let mut sweep = Sweep::exactly(machine, properties, bound, strategy, starter)?;
        let mut is_late = false;
        let mut is_over = false;
        while !is_late && !is_over {
            let mut stop = looks(watch, self.name, &sweep, self.last, || start.elapsed() > limit);
            is_over = sweep.step(Effort::Unlimited, &mut stop).is_some();
            is_late = stop();
        }
        let result = match (sweep.found().violations.is_empty(), is_late) {
            (false, _) => "violated",
            (true, false) => "valid",
            (true, true) => "unknown",
        };
        self.points = sweep.found().points;
        self.spent += start.elapsed();
        self.cells.push(Count::of(&sweep).since(&Count::default(), result, start.elapsed()));
        Ok(())
    }
}

/// Shows how far a column is, and says whether it has to end.
fn looks<'w, L: FnMut() -> bool>(
    watch: &'w mut Watch,
    column: &'static str,
    attitude: &dyn Attitude,
    bound: usize,
    mut is_late: L,
) -> impl FnMut() -> bool + use<'w, L> {
    let bounds = Bounds { conflicts: attitude.work().conflicts, ..bounds(attitude.found(), bound) };
    move || is_late() || watch.see(&Progress::Comparing { column, bounds }).is_break()
}

/// What can be counted about an attitude.
#[derive(Default)]
struct Count {
    rounds: usize,
    widened: usize,
    conflicts: u64,
}

impl Count {
    fn of(attitude: &dyn Attitude) -> Count {
        let found = attitude.found();
        Count { rounds: found.rounds.len(), widened: found.widened(), conflicts: attitude.work().conflicts }
    }

    fn since(&self, before: &Count, result: &'static str, elapsed: Duration) -> Cell {
        Cell {
            result,
            seconds: elapsed.as_secs_f64(),
            rounds: self.rounds.saturating_sub(before.rounds),
            widened: self.widened,
            conflicts: self.conflicts.saturating_sub(before.conflicts),
        }
    }
}
