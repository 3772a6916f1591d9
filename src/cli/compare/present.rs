//! A comparison as a table, in words, as a plot and as a page.

use super::CompareArgs;
use super::column::{Answer, Cell};
use super::measure::Measured;
use crate::report::html::{self, Part};
use crate::report::plot::{Axis, Mark, Plot, Scale, Series};
use crate::report::{Heading, Table};

/// Totals below this are told with their spread.
const SHORT: f64 = 1.0;

/// A row for each bound: the answer, on which the columns agree, and the seconds that each took for it.
pub fn table(columns: &[Measured]) -> Table {
    let names = columns.iter().map(|column| column.name.to_owned());
    let mut table = Table::new(["k".to_owned(), "answer".to_owned()].into_iter().chain(names));
    for bound in 0..bounds(columns) {
        let cells = columns.iter().map(|column| column.bounds.get(bound).map_or(String::new(), seconds));
        table.rows.push([bound.to_string(), answer(columns, bound)].into_iter().chain(cells).collect());
    }
    let totals = columns.iter().map(|column| format!("{:.3}", column.seconds));
    table.total = Some(["total".to_owned(), String::new()].into_iter().chain(totals).collect());
    table
}

/// A row for each bound with everything about each column: answer, seconds, conflicts, and rounds and widened points where there
/// are any.
pub fn details(columns: &[Measured]) -> Table {
    let mut table = Table::new(std::iter::once(Heading::from("k")).chain(columns.iter().flat_map(headings)));
    for bound in 0..bounds(columns) {
        let cells = columns.iter().flat_map(|column| at(column, bound));
        table.rows.push(std::iter::once(bound.to_string()).chain(cells).collect());
    }
    table.total = Some(std::iter::once("total".to_owned()).chain(columns.iter().flat_map(total)).collect());
    table
}

/// What there is to say about a column at a bound.
const MEASURES: [&str; 5] = ["answer", "seconds", "conflicts", "rounds", "widened"];

/// Those that apply to a column: without control points to restrict there are no rounds.
fn measured<T>(column: &Measured, measures: [T; 5]) -> impl Iterator<Item = T> + use<T> {
    measures.into_iter().take(if column.points > 0 { 5 } else { 3 })
}

fn headings(column: &Measured) -> impl Iterator<Item = Heading> {
    measured(column, MEASURES).map(|measure| Heading::of(column.name, measure))
}

/// The cells of a column at a bound.
fn at(column: &Measured, bound: usize) -> impl Iterator<Item = String> {
    let cells = column.bounds.get(bound).map_or_else(Default::default, |cell| {
        [
            told(cell.answer),
            format!("{:.3}", cell.seconds),
            cell.conflicts.to_string(),
            cell.rounds.to_string(),
            format!("{} of {}", cell.widened, column.points),
        ]
    });
    measured(column, cells)
}

/// The cells of a column over all bounds.
fn total(column: &Measured) -> impl Iterator<Item = String> {
    let conflicts: u64 = column.bounds.iter().map(|cell| cell.conflicts).sum();
    let rounds: usize = column.bounds.iter().map(|cell| cell.rounds).sum();
    let seconds = format!("{:.3}", column.seconds);
    measured(column, [String::new(), seconds, conflicts.to_string(), rounds.to_string(), String::new()])
}

/// A row for each bound and column, for spreadsheets.
pub fn long(columns: &[Measured]) -> Table {
    let mut table =
        Table::new(["k", "column", "result", "steps", "seconds", "conflicts", "rounds", "widened", "points"]);
    for column in columns {
        for (bound, cell) in column.bounds.iter().enumerate() {
            table.rows.push(vec![
                bound.to_string(),
                column.name.to_owned(),
                cell.result.to_owned(),
                cell.steps.map_or(String::new(), |steps| steps.to_string()),
                format!("{:.6}", cell.seconds),
                cell.conflicts.to_string(),
                cell.rounds.to_string(),
                cell.widened.to_string(),
                column.points.to_string(),
            ]);
        }
    }
    table
}

fn bounds(columns: &[Measured]) -> usize {
    columns.iter().map(|column| column.bounds.len()).max().unwrap_or(0)
}

/// The answer at a bound, from any column that has it.
fn answer(columns: &[Measured], bound: usize) -> String {
    let mut answers = columns.iter().filter_map(|column| Some(column.bounds.get(bound)?.answer));
    told(answers.find(|answer| matches!(answer, Answer::Valid | Answer::Violated(_))).unwrap_or(Answer::Unknown))
}

/// An answer in words.
fn told(answer: Answer) -> String {
    match answer.steps() {
        None => answer.word().to_owned(),
        Some(1) => format!("{} (1 step)", answer.word()),
        Some(steps) => format!("{} ({steps} steps)", answer.word()),
    }
}

/// The seconds that a column took at a bound, and what is special about it.
fn seconds(cell: &Cell) -> String {
    match cell.answer {
        Answer::Valid | Answer::Violated(_) => format!("{:.3}", cell.seconds),
        Answer::Ahead(steps) => format!("{:.3} ahead: {steps}", cell.seconds),
        Answer::Unknown => format!("{:.3} no answer", cell.seconds),
    }
}

/// What there is to say besides the table: who knew a counterexample early, spreads, and how the times compare.
pub fn notes(columns: &[Measured], repeat: usize) -> Vec<String> {
    let mut notes = Vec::new();
    for column in columns {
        let known = column.ahead.and_then(|bound| Some((bound, column.bounds.get(bound)?.steps?)));
        if let Some((bound, steps)) = known {
            let until: f64 = column.bounds[..=bound].iter().map(|cell| cell.seconds).sum();
            let length = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
            notes.push(format!(
                "{} hunts beyond the bound (ahead): it knew a counterexample of {length} at k = {bound}, after \
                 {until:.3} s, and did not ask about shorter ones",
                column.name
            ));
        }
    }
    for column in columns.iter().filter(|column| repeat > 1 && column.seconds < SHORT) {
        let (least, most) = column.spread;
        notes.push(format!("{}: {:.3} s, from {least:.3} to {most:.3} in {repeat} runs", column.name, column.seconds));
    }
    notes.extend(ratios(columns));
    notes
}

/// How much faster the last column is than the others.
fn ratios(columns: &[Measured]) -> Vec<String> {
    let Some((ours, others)) = columns.split_last() else { return Vec::new() };
    others.iter().map(|other| ratio(other, ours)).collect()
}

fn ratio(other: &Measured, ours: &Measured) -> String {
    let ratio = other.seconds.max(1e-6) / ours.seconds.max(1e-6);
    let at_least = if other.is_unfinished() { "at least " } else { "" };
    format!("{} took {at_least}{ratio:.2} times the time of {}", other.name, ours.name)
}

/// The comparison in Markdown: the tables and what there is to say.
pub fn markdown(columns: &[Measured], repeat: usize) -> String {
    let (table, details) = (table(columns).render_markdown(), details(columns).render_markdown());
    format!("{table}\n{}\n{details}", listed(columns, repeat))
}

/// What there is to say, as a list.
fn listed(columns: &[Measured], repeat: usize) -> String {
    notes(columns, repeat).iter().map(|note| format!("- {note}\n")).collect()
}

/// The comparison as a page.
pub fn page(columns: &[Measured], plot: &Plot, args: &CompareArgs) -> String {
    let kind = if args.exact { "Runs of exactly k steps, each bound by itself." } else { "Runs of up to k steps." };
    let words = format!("{kind} Times in seconds.\n\n{}", listed(columns, args.repeat.get()));
    let figure = html::Figure { caption: plot.title.clone(), svg: plot.render() };
    html::sheet(
        &format!("compare {}", args.model.model.display()),
        &[Part::Words(&words), Part::Table(&details(columns))],
        &[figure],
    )
}

/// Time over k.
pub fn plot(name: &str, columns: &[Measured]) -> Plot {
    let series = columns.iter().map(|column| {
        let points = column.bounds.iter().enumerate().map(|(k, cell)| (k as f64, cell.seconds.max(1e-4)));
        Series { name: column.name.to_owned(), points: points.collect() }
    });
    Plot {
        title: format!("{name}: time at each bound"),
        x: Axis { label: "bound k".to_owned(), scale: Scale::Linear },
        y: Axis { label: "seconds".to_owned(), scale: Scale::Log },
        mark: Mark::Line,
        diagonal: false,
        series: series.collect(),
    }
}
