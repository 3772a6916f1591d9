//! How large the formulas of runs were, and what it took to make them.

use super::run::Run;
use engine::FormulaReport;
use report::Table;

/// What is told of every run that unrolled.
pub const COLUMNS: [&str; 5] = ["variables", "clauses", "unrolling", "solving", "peak memory"];

/// The same for one run; empty where that is unknown.
pub fn cells(formulas: Option<&FormulaReport>) -> [String; 5] {
    let Some(formulas) = formulas else { return Default::default() };
    [
        formulas.variables.to_string(),
        formulas.clauses.to_string(),
        formulas.unrolling.map_or(String::new(), |seconds| format!("{seconds:.3}")),
        format!("{:.3}", formulas.solving),
        formulas.peak_memory.map_or(String::new(), |bytes| bytes.to_string()),
    ]
}

/// A row for each run.
pub fn table(runs: &[Run]) -> Table {
    let mut table = Table::new([
        "instance",
        "way",
        "bits of a state",
        "bound",
        "clauses",
        "seconds of unrolling",
        "seconds of solving",
        "share of unrolling",
        "million clauses a second",
        "megabytes",
    ]);
    for run in runs {
        let Some(formulas) = &run.formulas else { continue };
        let number =
            |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
        table.rows.push(vec![
            run.instance.clone(),
            run.contestant.clone(),
            formulas.state_bits.to_string(),
            run.depth.map_or("none".to_owned(), |depth| depth.to_string()),
            formulas.clauses.to_string(),
            number(formulas.unrolling, 3),
            number(Some(formulas.solving), 3),
            formulas.share().map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share)),
            number(formulas.rate().map(|rate| rate / 1e6), 2),
            number(formulas.peak_memory.map(|bytes| bytes as f64 / 1e6), 0),
        ]);
    }
    table
}
