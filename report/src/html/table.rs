//! Tables of a page: numbers to the right, and headings in groups.
//!
//! Columns of the same group stand below its name, and a narrow window has a line for each group instead of a row that is cut off.
//! Tables that are written in Markdown have no groups.

use super::sheet::{plain, text};
use crate::table::{Heading, Table, is_number};

/// What the cells below a heading have in common.
struct Column {
    heading: Heading,
    is_first_of_group: bool,
    is_numeric: bool,
}

impl Column {
    /// The classes, and what a line of a narrow window says beside the cell.
    fn attributes(&self) -> String {
        let classes = [(self.is_numeric, "number"), (self.is_first_of_group, "first")];
        let classes: Vec<&str> = classes.iter().filter(|(applies, _)| *applies).map(|(_, class)| *class).collect();
        let class = if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
        let Some(group) = &self.heading.group else { return class };
        let group = if self.is_first_of_group { format!(" data-group=\"{}\"", plain(group)) } else { String::new() };
        format!("{class}{group} data-name=\"{}\"", plain(&self.heading.name))
    }

    fn heading(&self) -> String {
        let class = if self.is_numeric { " class=\"number\"" } else { "" };
        format!("<th scope=\"col\"{class}>{}</th>", text(&self.heading.name))
    }
}

/// The table that these lines of Markdown are.
pub fn written(lines: &[&str]) -> String {
    let mut rows = lines.iter().map(|line| cells(line)).filter(|row| !is_rule(row));
    let Some(header) = rows.next() else { return String::new() };
    table(&Table { rows: rows.collect(), ..Table::new(header) })
}

/// A table. The totals stay at the bottom when rows are sorted.
pub fn table(table: &Table) -> String {
    let columns = columns(&table.header, &table.rows);
    let rows: String = table.rows.iter().map(|cells| row(&columns, cells)).collect();
    let total = table.total.as_ref().map(|cells| format!("<tfoot>{}</tfoot>\n", row(&columns, cells)));
    let foot = total.unwrap_or_default();
    let groups = groups(&columns);
    let class = if groups.is_empty() { "" } else { " class=\"grouped\"" };
    let headings: String = columns.iter().map(Column::heading).collect();
    format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table{class}>\n\
         <thead>{groups}<tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody>\n{foot}</table></div>\n"
    )
}

/// Whether it is what Markdown has between the headings and the rows.
fn is_rule(row: &[String]) -> bool {
    row.iter().all(|cell| cell.trim_matches([':', '-']).is_empty())
}

fn columns(header: &[Heading], rows: &[Vec<String>]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (index, heading) in header.iter().enumerate() {
        let mut cells = rows.iter().filter_map(|row| row.get(index)).filter(|cell| !cell.is_empty()).peekable();
        let is_numeric = cells.peek().is_some() && cells.all(|cell| is_number(cell));
        let is_first_of_group =
            heading.group.is_some() && columns.last().is_none_or(|before| before.heading.group != heading.group);
        columns.push(Column { heading: heading.clone(), is_first_of_group, is_numeric });
    }
    columns
}

/// The row with the names of the groups, if there are any.
fn groups(columns: &[Column]) -> String {
    if columns.iter().all(|column| column.heading.group.is_none()) {
        return String::new();
    }
    let groups = columns.chunk_by(|before, column| before.heading.group == column.heading.group);
    format!("<tr>{}</tr>\n", groups.map(group).collect::<String>())
}

/// The name of a group, above its columns.
fn group(columns: &[Column]) -> String {
    match &columns[0].heading.group {
        None => format!("<td colspan=\"{}\"></td>", columns.len()),
        Some(name) => format!("<th scope=\"colgroup\" colspan=\"{}\">{}</th>", columns.len(), text(name)),
    }
}

/// A row. Its first cell says what it is about.
fn row(columns: &[Column], cells: &[String]) -> String {
    let cells = columns.iter().zip(cells).enumerate().map(|(index, (column, text))| cell(index, column, text));
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}

fn cell(index: usize, column: &Column, markdown: &str) -> String {
    let (attributes, cell) = (column.attributes(), text(markdown));
    match index {
        0 => format!("<th scope=\"row\" data-name=\"{}\"{attributes}>{cell}</th>", plain(&column.heading.name)),
        _ => format!("<td{attributes}>{cell}</td>"),
    }
}

/// The cells of a row, between bars that are not escaped.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().replace("\\|", "\u{0}");
    let inner = line.strip_prefix('|').unwrap_or(&line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    inner.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_a_group_stand_below_its_name() {
        let grouped =
            [("A", "answer"), ("A", "seconds"), ("B", "answer")].map(|(group, name)| Heading::of(group, name));
        let mut example = Table::new(std::iter::once(Heading::from("k")).chain(grouped));
        example.rows.push(["1", "x", "2", "y"].map(str::to_owned).to_vec());
        let html = table(&example);
        for expected in [
            "<table class=\"grouped\">",
            "<tr><td colspan=\"1\"></td><th scope=\"colgroup\" colspan=\"2\">A</th><th scope=\"colgroup\" colspan=\"1\">B</th></tr>",
            "<th scope=\"col\">answer</th><th scope=\"col\" class=\"number\">seconds</th><th scope=\"col\">answer</th></tr></thead>",
            "<td class=\"first\" data-group=\"A\" data-name=\"answer\">x</td><td class=\"number\" data-name=\"seconds\">2</td>",
        ] {
            assert!(html.contains(expected), "{expected} is missing in\n{html}");
        }
    }

    #[test]
    fn only_columns_of_numbers_are_aligned_to_the_right() {
        let mut example = Table::new(["a", "b"]);
        example.rows = [["1", "2"], ["3", "none"]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
        example.total = Some(vec!["total".to_owned(), String::new()]);
        let html = table(&example);
        assert!(html.contains("<th scope=\"row\" data-name=\"a\" class=\"number\">1</th><td>2</td>"), "{html}");
        assert!(html.contains("<tfoot><tr><th scope=\"row\" data-name=\"a\" class=\"number\">total</th>"), "{html}");
    }
}
