//! Comparisons bound by bound: a run of `uwbmc compare` each, and what the bounds that are questions of their own come to.

use super::suite::{BoundByBound, Suite, stem};
use check::Error;
use report::{Table, html};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The column that the others are compared with.
const BASELINE: &str = "BMC";

/// What came of a comparison.
pub struct Compared {
    /// Its name.
    name: String,
    /// Its solver.
    solver: String,
    /// Its tables, as a section in Markdown.
    section: String,
    /// The seconds of each column on valid and on violated bounds. None where a bound is no question of its own.
    spent: BTreeMap<Kind, Spent>,
}

/// What is true of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Valid,
    Violated,
}

impl Kind {
    fn of(result: &str) -> Option<Kind> {
        match result {
            "valid" => Some(Kind::Valid),
            "violated" => Some(Kind::Violated),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Kind::Valid => "valid",
            Kind::Violated => "violated",
        }
    }
}

/// Seconds on bounds of a kind.
#[derive(Default)]
struct Spent {
    /// How many bounds there are.
    bounds: usize,
    /// For each column its name, its seconds, and at how many bounds it had no answer.
    columns: Vec<(String, f64, usize)>,
}

impl Spent {
    /// A column at one more bound, where it has a cell. Without an answer, the time limit counts, and so it does where it had given up
    /// before.
    fn add(&mut self, column: &str, cell: Option<&Cell>, limit: f64) {
        let known = self.columns.iter().position(|(name, ..)| name == column);
        let place = known.unwrap_or_else(|| {
            self.columns.push((column.to_owned(), 0.0, 0));
            self.columns.len() - 1
        });
        let (_, seconds, missing) = &mut self.columns[place];
        let answered = cell.filter(|cell| Kind::of(&cell.result).is_some());
        *seconds += answered.map_or(limit, |cell| cell.seconds);
        *missing += usize::from(answered.is_none());
    }

    fn seconds(&self, column: &str) -> Option<f64> {
        self.columns.iter().find(|(name, ..)| name == column).map(|(_, seconds, _)| seconds.max(1e-3))
    }
}

/// A column at a bound.
struct Cell {
    bound: usize,
    column: String,
    result: String,
    seconds: f64,
}

/// A file about a comparison.
fn file(table: &BoundByBound, folder: &Path, ending: &str) -> PathBuf {
    let solver = table.solver.as_ref().map_or(String::new(), |solver| format!("-{solver}"));
    folder.join(format!("{}-{}{solver}.{ending}", stem(&table.model), table.property))
}

/// The plot that a comparison has drawn.
pub fn drawn(table: &BoundByBound, folder: &Path) -> Option<html::Figure> {
    let svg = std::fs::read_to_string(file(table, folder, "svg")).ok()?;
    Some(html::Figure { caption: format!("{}: time at each bound", table.name()), svg })
}

/// One comparison.
pub fn compare(suite: &Suite, table: &BoundByBound, folder: &Path) -> Result<Compared, Error> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["compare", &table.model, "--k", &table.k.to_string(), "--property", &table.property]);
    command.args(["--timeout", &suite.timeout.to_string()]);
    if table.exact {
        command.arg("--exact");
    }
    if let Some(solver) = &table.solver {
        command.args(["--solver", solver]);
    }
    for ending in ["csv", "svg"] {
        command.arg(format!("--{ending}")).arg(file(table, folder, ending));
    }
    let markdown = file(table, folder, "md");
    let output = command.arg("--markdown").arg(&markdown).output()?;
    if !markdown.exists() {
        return Err(Error::Usage(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let text = std::fs::read_to_string(&markdown)?;
    let _ = std::fs::remove_file(markdown);
    let kind = if table.exact { "runs of exactly k steps" } else { "runs of up to k steps" };
    let csv = std::fs::read_to_string(file(table, folder, "csv"))?;
    Ok(Compared {
        name: stem(&table.model),
        solver: table.solver.clone().unwrap_or_else(|| "the default".to_owned()),
        section: format!("## {}: {kind}\n\n{text}\n", table.name()),
        spent: if table.exact { spent(&cells(&csv), suite.timeout) } else { BTreeMap::new() },
    })
}

/// The cells of a table of comma-separated values as `uwbmc compare` writes it.
fn cells(csv: &str) -> Vec<Cell> {
    let mut lines = csv.lines().map(fields);
    let names = lines.next().unwrap_or_default();
    let read = |row: Vec<String>| -> Option<Cell> {
        let of = |wanted: &str| row.get(names.iter().position(|name| *name == wanted)?);
        Some(Cell {
            bound: of("k")?.parse().ok()?,
            column: of("column")?.clone(),
            result: of("result")?.clone(),
            seconds: of("seconds")?.parse().ok()?,
        })
    };
    lines.filter_map(read).collect()
}

/// The fields of a line. A comma between quotation marks is part of a name.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().into_iter().for_each(|field| field.push(letter)),
        }
    }
    fields
}

/// The seconds by kind of bound. A bound is of the kind that any column says, as all that answer agree.
fn spent(cells: &[Cell], limit: f64) -> BTreeMap<Kind, Spent> {
    let kinds: BTreeMap<usize, Kind> =
        cells.iter().filter_map(|cell| Some((cell.bound, Kind::of(&cell.result)?))).collect();
    let mut columns: Vec<&str> = Vec::new();
    for cell in cells {
        if !columns.contains(&cell.column.as_str()) {
            columns.push(&cell.column);
        }
    }
    let mut spent: BTreeMap<Kind, Spent> = BTreeMap::new();
    for (bound, kind) in kinds {
        let of_kind = spent.entry(kind).or_default();
        of_kind.bounds += 1;
        for column in &columns {
            let cell = cells.iter().find(|cell| cell.bound == bound && cell.column == *column);
            of_kind.add(column, cell, limit);
        }
    }
    spent
}

/// All comparisons as sections in Markdown. Where there are several, what they come to is first.
pub fn sections(compared: &[Compared]) -> Vec<String> {
    let mut sections = Vec::new();
    if compared.iter().filter(|one| !one.spent.is_empty()).count() > 1 {
        sections.push(format!("## How many times as fast as {BASELINE}\n\n{}\n", means(compared)));
        sections.push(format!("## Seconds for all bounds\n\n{}\n", totals(compared)));
    }
    sections.extend(compared.iter().map(|one| one.section.clone()));
    sections
}

/// The columns of all comparisons, in the order of the first.
fn columns(compared: &[Compared]) -> Vec<String> {
    let first = compared.iter().flat_map(|one| one.spent.values()).next();
    first.map_or_else(Vec::new, |spent| spent.columns.iter().map(|(name, ..)| name.clone()).collect())
}

/// Geometric means over the comparisons with the same solver.
fn means(compared: &[Compared]) -> String {
    let names = columns(compared);
    let mut groups: BTreeMap<(&str, Kind), Vec<&Spent>> = BTreeMap::new();
    for one in compared {
        for (kind, spent) in &one.spent {
            groups.entry((&one.solver, *kind)).or_default().push(spent);
        }
    }
    let mut table = Table::new(["solver", "bounds", "rings"].map(str::to_owned).into_iter().chain(names.clone()));
    for ((solver, kind), all) in groups {
        let mut row = vec![solver.to_owned(), kind.word().to_owned(), all.len().to_string()];
        row.extend(names.iter().map(|name| mean(&all, name).map_or("-".to_owned(), |mean| format!("{mean:.2}"))));
        table.rows.push(row);
    }
    format!(
        "Geometric means over the rings of the time for all their bounds of a kind. Where there was no answer in time, the time limit \
         counts, so that a ratio of one that has no answer is an upper bound.\n\n{}",
        table.render_markdown()
    )
}

fn mean(all: &[&Spent], column: &str) -> Option<f64> {
    let logarithms = all.iter().map(|spent| Some((spent.seconds(BASELINE)? / spent.seconds(column)?).ln()));
    let logarithms: Vec<f64> = logarithms.collect::<Option<_>>()?;
    Some((logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// A row for each comparison and kind of bound.
fn totals(compared: &[Compared]) -> String {
    let names = columns(compared);
    let heads = ["model", "solver", "bounds", "how many"].map(str::to_owned);
    let mut table = Table::new(heads.into_iter().chain(names));
    for one in compared {
        for (kind, spent) in &one.spent {
            let mut row = vec![one.name.clone(), one.solver.clone(), kind.word().to_owned(), spent.bounds.to_string()];
            row.extend(spent.columns.iter().map(|(_, seconds, missing)| match missing {
                0 => format!("{seconds:.2}"),
                _ => format!("> {seconds:.2} ({missing} without an answer)"),
            }));
            table.rows.push(row);
        }
    }
    table.render_markdown()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "k,column,result,steps,seconds
0,BMC,valid,,1.0
1,BMC,unknown,,6.0
2,BMC,unknown,,6.0
0,UW,valid,,0.5
1,UW,violated,1,0.25
2,UW,unknown,,6.0
0,\"BMC, scheduling\",unknown,,7.5
";

    #[test]
    fn seconds_are_added_up_by_what_is_true_of_a_bound() {
        let spent = spent(&cells(CSV), 6.0);
        let of = |kind| (spent[&kind].bounds, spent[&kind].columns.clone());
        assert_eq!(
            of(Kind::Valid),
            (1, vec![("BMC".into(), 1.0, 0), ("UW".into(), 0.5, 0), ("BMC, scheduling".into(), 6.0, 1)])
        );
        assert_eq!(
            of(Kind::Violated),
            (1, vec![("BMC".into(), 6.0, 1), ("UW".into(), 0.25, 0), ("BMC, scheduling".into(), 6.0, 1)])
        );
    }

    #[test]
    fn means_are_those_of_ratios() {
        let one = |seconds: f64| Spent { bounds: 1, columns: vec![("BMC".into(), seconds, 0), ("UW".into(), 1.0, 0)] };
        let mean = mean(&[&one(2.0), &one(8.0)], "UW").expect("both columns are there");
        assert!((mean - 4.0).abs() < 1e-9, "{mean}");
    }
}
