//! Several runs of a comparison: medians, and how far the runs are apart.

use super::column::{Answer, Cell, Column};
use serde::Serialize;

/// What a column did, over all runs.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// Its name.
    pub name: &'static str,
    /// How many control points it can restrict.
    pub points: usize,
    /// The median of the times that it took in all.
    pub seconds: f64,
    /// The least and the greatest of them.
    pub spread: (f64, f64),
    /// What it did at each bound, with medians of the times.
    pub bounds: Vec<Cell>,
    /// The bound at which it first knew a counterexample that is longer than that.
    pub ahead: Option<usize>,
}

impl Measured {
    /// What a column did in one run.
    pub fn of(column: &Column) -> Measured {
        let seconds = column.spent.as_secs_f64();
        Measured {
            name: column.name,
            points: column.points,
            seconds,
            spread: (seconds, seconds),
            bounds: column.cells.clone(),
            ahead: column.cells.iter().position(|cell| matches!(cell.answer, Answer::Ahead(_))),
        }
    }

    /// The same column over several runs. Answers are those of the first run.
    pub fn merged(runs: &[Measured]) -> Option<Measured> {
        let mut merged = runs.first()?.clone();
        let totals: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
        merged.spread = totals.iter().fold(merged.spread, |(least, most), total| (least.min(*total), most.max(*total)));
        merged.seconds = median(totals);
        for (index, cell) in merged.bounds.iter_mut().enumerate() {
            cell.seconds = median(runs.iter().filter_map(|run| Some(run.bounds.get(index)?.seconds)).collect());
        }
        Some(merged)
    }

    /// Whether it ran out of time.
    pub fn is_unfinished(&self) -> bool {
        self.bounds.iter().any(|cell| cell.answer == Answer::Unknown)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[length / 2],
        length => (values[length / 2 - 1] + values[length / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
