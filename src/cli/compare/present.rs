//! A comparison as a table, in words, as a plot and as a page.

use super::{Cell, Column, CompareArgs};
use crate::report::plot::{Axis, Mark, Plot, Scale, Series};
use crate::report::{Table, html};

/// A row for each bound, and the totals.
pub fn table(columns: &[Column<'_>], bound: usize) -> Table {
    let mut header = vec!["k".to_owned()];
    for column in columns {
        header.extend([column.name.to_owned(), "seconds".to_owned(), "conflicts".to_owned()]);
        if column.points > 0 {
            header.extend(["rounds".to_owned(), format!("widened of {}", column.points)]);
        }
    }
    let mut table = Table::new(header);
    for k in 0..=bound {
        if columns.iter().all(|column| column.cells.len() <= k) {
            break;
        }
        let mut row = vec![k.to_string()];
        for column in columns {
            row.extend(cells(column.cells.get(k), column.points > 0));
        }
        table.rows.push(row);
    }
    let mut total = vec!["total".to_owned()];
    for column in columns {
        let conflicts: u64 = column.cells.iter().map(|cell| cell.conflicts).sum();
        total.extend([String::new(), format!("{:.2}", column.spent.as_secs_f64()), conflicts.to_string()]);
        if column.points > 0 {
            let rounds: usize = column.cells.iter().map(|cell| cell.rounds).sum();
            total.extend([rounds.to_string(), String::new()]);
        }
    }
    table.rows.push(total);
    table
}

fn cells(cell: Option<&Cell>, has_rounds: bool) -> Vec<String> {
    let mut cells = match cell {
        Some(cell) => vec![cell.result.to_owned(), format!("{:.3}", cell.seconds), cell.conflicts.to_string()],
        None => vec![String::new(); 3],
    };
    if has_rounds {
        cells.push(cell.map_or(String::new(), |cell| cell.rounds.to_string()));
        cells.push(cell.map_or(String::new(), |cell| cell.widened.to_string()));
    }
    cells
}

/// How much faster the last column is than the others.
pub fn ratios(columns: &[Column<'_>]) -> String {
    let Some((ours, others)) = columns.split_last() else { return String::new() };
    let seconds = |column: &Column<'_>| column.spent.as_secs_f64().max(1e-6);
    let mut text = String::new();
    for other in others {
        let ratio = seconds(other) / seconds(ours);
        let unfinished = other.cells.iter().any(|cell| cell.result == "unknown");
        let at_least = if unfinished { "at least " } else { "" };
        text.push_str(&format!("{} took {at_least}{ratio:.2} times the time of {}\n", other.name, ours.name));
    }
    text
}

/// The comparison as a page.
pub fn page(table: &Table, plot: &Plot, columns: &[Column<'_>], args: &CompareArgs) -> String {
    let kind = if args.exact { "Runs of exactly k steps, each bound by itself." } else { "Runs of up to k steps." };
    let ratios: String = ratios(columns).lines().map(|line| format!("- {line}\n")).collect();
    let words = format!("{kind}\n\n{}\n{ratios}", table.render_markdown());
    let figure = html::Figure { caption: plot.title.clone(), svg: plot.render() };
    html::sheet(&format!("compare {}", args.model.model.display()), &words, &[figure])
}

/// Time over k.
pub fn plot(name: &str, columns: &[Column<'_>]) -> Plot {
    let series = columns.iter().map(|column| {
        let points = column.cells.iter().enumerate().map(|(k, cell)| (k as f64, cell.seconds.max(1e-4)));
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
