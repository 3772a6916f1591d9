//! Pages of one HTML file that load nothing from elsewhere: runs, and tables of measurements.
//!
//! The page of a run is a fixed program and a fixed style with the run as data. Names from the model, which is untrusted input,
//! are only ever data: here they are escaped for where they stand, and the program only sets texts, never markup.

mod data;
mod sheet;
mod table;

pub use sheet::{Figure, Part, sheet};

use super::{RoundReport, RunReport};
use crate::trace::{Telling, xml::escaped};
use data::Page;
use languages::hidden::visible;
use std::io::{self, Write};

const STYLE: &str = include_str!("style.css");

/// What the programs of all pages begin with.
const ELEMENTS: &str = include_str!("elements.js");

/// The parts of the program that walks through a run, in order.
const PROGRAM: [&str; 5] = [
    include_str!("run.js"),
    include_str!("chart.js"),
    include_str!("graph.js"),
    include_str!("variables.js"),
    include_str!("page.js"),
];

/// Writes the page of a run of the checker: verdicts, counterexamples, and rounds of underapproximation-widening.
pub fn report(report: &RunReport, out: &mut dyn Write) -> io::Result<()> {
    write(&Page::of_report(report), &rounds(report), out)
}

/// Which control points were blamed and widened in which round.
fn rounds(report: &RunReport) -> String {
    if report.rounds.is_empty() {
        return String::new();
    }
    let rows = (1..).zip(&report.rounds).map(|(number, round)| round_row(number, round, report.points));
    let rows: String = rows.collect();
    format!(
        "<details id=\"rounds\"><summary>rounds of underapproximation-widening: {}</summary>\n<table><thead><tr><th>round</th>\
         <th>bound</th><th>restricted</th><th>blamed</th><th>widened</th></tr></thead><tbody>\n{rows}</tbody></table></details>\n",
        report.rounds.len()
    )
}

/// A round as a row of the table.
fn round_row(number: usize, round: &RoundReport, points: usize) -> String {
    let RoundReport { bound, restricted, blamed, widened } = round;
    let [blamed, widened] = [blamed, widened].map(|points| escaped(&visible(&points.join(" "))));
    format!(
        "<tr><td>{number}</td><td>{bound}</td><td>{restricted} of {points}</td><td>{blamed}</td><td>{widened}</td></tr>\n"
    )
}

/// Writes the page of a single trace.
pub fn trace(run: Telling<'_>, out: &mut dyn Write) -> io::Result<()> {
    write(&Page::of_trace(run), "", out)
}

fn write(page: &Page<'_>, rounds: &str, out: &mut dyn Write) -> io::Result<()> {
    let summary: String = page.verdicts.iter().map(|verdict| format!("<li>{}</li>\n", escaped(verdict))).collect();
    out.write_all(beginning(&page.title).as_bytes())?;
    write!(
        out,
        "<noscript><ul>\n{summary}</ul><p>Counterexamples are shown with JavaScript only.</p></noscript>\n\
         {rounds}<script type=\"application/json\" id=\"data\">"
    )?;
    serde_json::to_writer(InScript(out), page)?;
    writeln!(out, "</script>")?;
    out.write_all(end(&PROGRAM.join("\n")).as_bytes())
}

/// JSON inside a script element, where only `<` can end the data.
struct InScript<'a>(&'a mut dyn Write);

impl Write for InScript<'_> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        for (index, part) in json.split(|byte| *byte == b'<').enumerate() {
            if index > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A page around a body: the style, what every program needs, and no way to load anything.
fn shell(title: &str, body: &str, program: &str) -> String {
    beginning(title) + body + &end(program)
}

/// What comes before the body of a page.
fn beginning(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<link rel=\"icon\" href=\"data:,\">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
"
    )
}

/// What comes after it.
fn end(program: &str) -> String {
    format!(
        "<script>
\"use strict\";
{ELEMENTS}
{program}</script>
</body>
</html>
"
    )
}
