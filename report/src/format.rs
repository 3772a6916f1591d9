//! The formats of a trace in a file.

use super::html;
use crate::trace::{self, Document, Told, csv, itf, markdown, vcd, xml};
use std::io::{self, Write};
use std::path::Path;

/// A way to write a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// Our own document, which `replay` and `trace convert` read.
    Json,
    /// For people: who moved, and what changed.
    Text,
    /// NuSMV's XML, for its `read_trace`.
    Xml,
    /// The Informal Trace Format of Apalache and Quint.
    Itf,
    /// A value change dump, for waveform viewers.
    Vcd,
    /// Comma-separated values, a row per state.
    Csv,
    /// A Markdown table.
    Markdown,
    /// A page to walk through the trace in a browser.
    Html,
}

impl Format {
    /// The format that a file's ending stands for.
    pub fn of_path(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let endings = [
            (".itf.json", Format::Itf),
            (".json", Format::Json),
            (".txt", Format::Text),
            (".xml", Format::Xml),
            (".vcd", Format::Vcd),
            (".csv", Format::Csv),
            (".md", Format::Markdown),
            (".html", Format::Html),
        ];
        endings.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| *format)
    }

    /// Writes the trace in this format. Those that a long trace is read in are written piece by piece.
    pub fn write(self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Format::Json => document.write_json(out),
            Format::Text => trace::pieces(document).try_for_each(|piece| out.write_all(piece.as_bytes())),
            _ => out.write_all(self.render(document).as_bytes()),
        }
    }

    /// Writes a run in this format. Those that a long one is read in are made while they are written.
    pub fn tell(self, run: &Told, out: &mut dyn Write) -> io::Result<()> {
        match (self, run) {
            (_, Told::Document(document)) => self.write(document, out),
            (Format::Json, _) => {
                serde_json::to_writer_pretty(&mut *out, run)?;
                out.write_all(b"\n")
            }
            (Format::Text, _) => run.pieces().try_for_each(|piece| out.write_all(piece.as_bytes())),
            (_, _) => self.write(&run.document(), out),
        }
    }

    /// The trace in this format.
    pub fn render(self, document: &Document) -> String {
        match self {
            Format::Json => document.to_json(),
            Format::Text => trace::render(document),
            Format::Xml => xml::render(document),
            Format::Itf => itf::render(document),
            Format::Vcd => vcd::render(document),
            Format::Csv => csv::render(document),
            Format::Markdown => markdown::render(document),
            Format::Html => html::trace(document),
        }
    }
}
