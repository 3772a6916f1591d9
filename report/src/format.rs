//! The formats of a trace in a file.

use super::html;
use crate::trace::{self, Document, Telling, Told, csv, itf, markdown, vcd, xml};
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

    /// Writes the trace in this format.
    pub fn write(self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        self.put(Telling::Document(document), out)
    }

    /// Writes a run in this format. It is put into words while it is written.
    pub fn tell(self, run: &Told, out: &mut dyn Write) -> io::Result<()> {
        self.put(run.telling(), out)
    }

    fn put(self, run: Telling<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Format::Json => {
                serde_json::to_writer_pretty(&mut *out, &run)?;
                writeln!(out)
            }
            Format::Text => trace::pieces(run).try_for_each(|piece| out.write_all(piece.as_bytes())),
            Format::Xml => xml::write(run, out),
            Format::Itf => itf::write(run, out),
            Format::Vcd => vcd::write(run, out),
            Format::Csv => csv::write(run, out),
            Format::Markdown => markdown::write(run, out),
            Format::Html => html::trace(run, out),
        }
    }

    /// The trace in this format.
    pub fn render(self, document: &Document) -> String {
        let mut out = Vec::new();
        // Memory takes everything, and all formats are texts.
        let written = self.write(document, &mut out).ok().and_then(|()| String::from_utf8(out).ok());
        written.unwrap_or_default()
    }
}
