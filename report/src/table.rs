//! Tables, for the terminal, for Markdown and for spreadsheets.

use std::fmt::{self, Display, Formatter};

/// The name of a column. Columns that are side by side can form a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The group, if there is one.
    pub group: Option<String>,
    /// The name, in its group.
    pub name: String,
}

impl Heading {
    /// The name of a column in a group.
    pub fn of(group: impl Into<String>, name: impl Into<String>) -> Heading {
        Heading { group: Some(group.into()), name: name.into() }
    }
}

impl<S: Into<String>> From<S> for Heading {
    fn from(name: S) -> Heading {
        Heading { group: None, name: name.into() }
    }
}

impl Display for Heading {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.group {
            Some(group) => write!(f, "{group}: {}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A table of texts.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The names of the columns.
    pub header: Vec<Heading>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
    /// The totals below them, if there are any.
    pub total: Option<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<H: Into<Heading>>(header: impl IntoIterator<Item = H>) -> Table {
        Table { header: header.into_iter().map(Into::into).collect(), rows: Vec::new(), total: None }
    }

    /// Columns aligned by spaces; numbers to the right.
    pub fn render_text(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in std::iter::once(&self.names()).chain(self.lines()) {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// A table of GitHub's Markdown.
    pub fn render_markdown(&self) -> String {
        let mut text = line(escaped(&self.names()));
        text.push_str(&line(vec!["---".to_owned(); self.header.len()]));
        for row in self.lines() {
            text.push_str(&line(escaped(row)));
        }
        text
    }

    /// Comma-separated values, as RFC 4180 has them, but with plain line ends.
    pub fn render_csv(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.names()).chain(self.lines()) {
            text.push_str(&row.iter().map(|cell| quoted(cell)).collect::<Vec<String>>().join(","));
            text.push('\n');
        }
        text
    }

    /// The rows, and the totals.
    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        self.rows.iter().chain(&self.total)
    }

    /// The row of headings.
    fn names(&self) -> Vec<String> {
        self.header.iter().map(Heading::to_string).collect()
    }

    fn widths(&self) -> Vec<usize> {
        self.names().iter().enumerate().map(|(column, name)| self.width(column).max(name.chars().count())).collect()
    }

    /// The most characters in a column below its name.
    fn width(&self, column: usize) -> usize {
        let cells = self.lines().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

/// A cell of a file of comma-separated values.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// The cells of a row, so that none of them ends a column.
fn escaped(row: &[String]) -> Vec<String> {
    row.iter().map(|cell| cell.replace('|', "\\|")).collect()
}

/// A row of a table in Markdown.
fn line(cells: Vec<String>) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn padded(cell: &str, width: usize) -> String {
    if is_number(cell) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
}

/// Whether a cell is aligned as numbers are, whatever stands behind the number.
pub(super) fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let mut table = Table::new(["k", "result, in words"]);
        table.rows.push(vec!["12".into(), "holds|\"up\" to".into()]);
        table
    }

    #[test]
    fn text_is_aligned() {
        assert_eq!(example().render_text(), "k   result, in words\n12  holds|\"up\" to\n");
    }

    #[test]
    fn separators_inside_cells_are_escaped() {
        assert_eq!(example().render_csv(), "k,\"result, in words\"\n12,\"holds|\"\"up\"\" to\"\n");
        assert!(example().render_markdown().contains("holds\\|\"up\" to |"));
    }
}
