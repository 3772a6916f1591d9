//! `uwbmc compare`: plain bounded model checking, underapproximation-widening and the default side by side, bound by bound.
//!
//! A column is what `check` does in one way, with the time at which it had each bound. All of them are asked the same: whether a
//! property is violated within k steps, or after exactly k. On a machine that is busy with other things, `--repeat` tells how
//! far the ratios can be trusted.

mod agree;
mod column;
mod measure;
mod present;
mod timeline;

use super::net::Limits;
use super::terminal::Audience;
use super::watch::Watch;
use super::{HOW, LIMITS, ModelArgs, OUTPUT, Outcome, WHAT, model, output, say, seconds, terminal};
use crate::Error;
use crate::bounded::is_temporal;
use crate::check::{Fault, Options, Runs, Solver, chosen, is_invariant};
use crate::model::Model;
use agree::agree;
use clap::Args;
use column::{Answer, Asked, Column, Way};
use limits::{Budget, Ended, Observer};
use measure::Measured;
use sat::Choice;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use system::PropertyId;

#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The bound.
    #[arg(long = "k", short = 'k', value_name = "N", default_value_t = 12, help_heading = LIMITS)]
    bound: usize,
    /// Ask about each bound by itself, about runs of exactly this many steps, as in Table 1 of the paper.
    #[arg(long, help_heading = HOW)]
    exact: bool,
    /// The SAT solver.
    #[arg(long, value_enum, default_value_t, help_heading = HOW)]
    solver: Choice,
    /// A solver as a command, such as "kissat -q {cnf} {proof}".
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver", help_heading = HOW)]
    solver_cmd: Option<String>,
    /// Compare this many times, and tell the medians of the times.
    #[arg(long, value_name = "N", default_value = "1", help_heading = HOW)]
    repeat: NonZeroUsize,
    /// The seed of what the solver does at random.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, help_heading = HOW)]
    seed: u32,
    /// Check only this property (may be repeated).
    #[arg(long = "property", value_name = "NAME", help_heading = WHAT)]
    properties: Vec<String>,
    /// A column gives up after this many seconds in all (with --exact: at each bound).
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds::parse, help_heading = LIMITS)]
    timeout: Duration,
    /// Write comma-separated values, a row for each bound and column.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    csv: Option<PathBuf>,
    /// Write the table in Markdown.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    markdown: Option<PathBuf>,
    /// Draw the time over k.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    svg: Option<PathBuf>,
    /// Write the table and the plot as a page for a browser.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    html: Option<PathBuf>,
    /// Print one JSON document instead of text.
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

/// A comparison, for machines.
#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    bound: usize,
    exact: bool,
    repeat: usize,
    columns: &'a [Measured],
}

pub fn run(args: &CompareArgs) -> Result<Outcome, Error> {
    let mut watch = Watch::start(None, Audience::of(args.json));
    let options = args.options();
    let reading = Budget::new(options.timeout, watch.interrupt());
    let limits = Limits { budget: reading, memory: options.memory as u64 };
    let Some(model) = model::load_within(&limits, &args.model)? else { return Ok(Outcome::BadInput) };
    let model = Arc::new(model);
    let system = model.machine.system();
    let mut properties = chosen(system, &args.properties)?;
    let is_invariant = |id: &PropertyId| is_invariant(&model.machine, *id);
    // Formulas about infinite runs take part if they are named, or if there is nothing else.
    if args.properties.is_empty() && properties.iter().any(is_invariant) {
        properties.retain(is_invariant);
    }
    properties.retain(|id| is_invariant(id) || is_temporal(system, *id));
    if properties.is_empty() {
        return Err(Error::Usage(format!("{}: there is no property to compare on", model.source.name())));
    }
    if args.exact && !properties.iter().all(is_invariant) {
        let message = "--exact asks about runs of exactly k steps; formulas of LTL are about infinite ones";
        return Err(Error::Usage(message.to_owned()));
    }
    let names = properties.iter().map(|id| system.properties[*id].name.clone()).collect();
    let options = Options { properties: names, ..options };
    let outcome = measure(&model, &options, args, &mut watch);
    watch.clear();
    match outcome? {
        Comparison::Fault(fault) => {
            say::fault(&model, &fault);
            Ok(Outcome::BadInput)
        }
        Comparison::Measured(columns) => {
            show(model.source.name(), &columns, args)?;
            let answers: Vec<Answer> =
                columns.iter().flat_map(|column| &column.bounds).map(|cell| cell.answer).collect();
            let is_unknown = answers.contains(&Answer::Unknown) || watch.why().is_some();
            Ok(match answers.iter().any(|answer| matches!(answer, Answer::Violated(_) | Answer::Ahead(_))) {
                true => Outcome::Violated,
                false if is_unknown => Outcome::Undecided,
                false => Outcome::Fine,
            })
        }
    }
}

impl CompareArgs {
    /// What all columns have in common.
    fn options(&self) -> Options {
        let solver = self.solver_cmd.clone().map_or(Solver::BuiltIn(self.solver), Solver::Command);
        Options { seed: self.seed, ..Options::default().timeout(self.timeout).solver(solver) }
    }
}

/// Prints and writes what was measured.
fn show(name: &str, columns: &[Measured], args: &CompareArgs) -> Result<(), Error> {
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
    Fault(Box<Fault>),
}

/// Compares as often as it is asked for. Each time another column begins, so that none of them always comes after a break.
fn measure(model: &Arc<Model>, options: &Options, args: &CompareArgs, watch: &mut Watch) -> Result<Comparison, Error> {
    let ways = Way::all(if args.exact { Runs::Exactly } else { Runs::UpTo });
    let check = if args.exact { Column::exactly } else { Column::up_to };
    let mut runs: Vec<Vec<Measured>> = vec![Vec::new(); ways.len()];
    let asked = Asked { model, bound: args.bound, options };
    let mut is_over = false;
    for repetition in 0..args.repeat.get() {
        let mut columns = Vec::new();
        for turn in 0..ways.len() {
            let index = (repetition + turn) % ways.len();
            let column = check(&ways[index], &asked, watch)?;
            if let Some(fault) = column.fault {
                return Ok(Comparison::Fault(Box::new(fault)));
            }
            // Beside a check that goes on, times of others say nothing.
            is_over = watch.why().is_some() || column.left_alone.is_some();
            column.left_alone.iter().for_each(|why| remark_end(column.name, *why));
            runs[index].push(Measured::of(&column));
            columns.push(column);
            if is_over {
                break;
            }
        }
        agree(&columns)?;
        if is_over {
            break;
        }
    }
    Ok(Comparison::Measured(runs.iter().filter_map(|runs| Measured::merged(runs)).collect()))
}

fn remark_end(column: &str, why: Ended) {
    terminal::remark(&format!("the comparison ends here: {column} is {why}, and did not end when it had to"));
}
