//! The files that a run writes for people and for other tools.

use super::{OUTPUT, terminal};
use crate::Error;
use crate::report::{Format, RunReport, html, junit};
use crate::trace::{Document, Told};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct TraceArgs {
    /// Write the trace, or the first counterexample or witness, to a file (.json, .txt, .xml, .itf.json, .vcd, .csv, .md or
    /// .html; .trail for SPIN).
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    trace: Option<PathBuf>,
    /// The format of that file (by default its ending tells).
    #[arg(long, value_enum, value_name = "FORMAT", requires = "trace", help_heading = OUTPUT)]
    trace_format: Option<Format>,
}

impl TraceArgs {
    /// The file, if it is to be a trail for SPIN.
    fn trail(&self) -> Option<&Path> {
        self.trace.as_deref().filter(is_trail)
    }

    /// Whether a file is asked for.
    pub fn is_wanted(&self) -> bool {
        self.trace.is_some()
    }

    /// Refuses, before any work is done, a file whose format is not known.
    pub fn check(&self) -> Result<(), Error> {
        if self.trail().is_some() {
            return Ok(());
        }
        self.trace.as_deref().map_or(Ok(()), |path| format_for(path, self.trace_format).map(drop))
    }

    /// Writes a trace, if that is asked for.
    pub fn write(&self, run: &Told) -> Result<(), Error> {
        let Some(path) = &self.trace else { return Ok(()) };
        if self.trail().is_some() {
            return Ok(());
        }
        let format = format_for(path, self.trace_format)?;
        write_by(path, |out| format.tell(run, out))
    }
}

fn is_trail(path: &&Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("trail"))
}

#[derive(clap::Args)]
pub struct OutputArgs {
    #[command(flatten)]
    trace: TraceArgs,
    /// Write the verdicts and counterexamples as a page for a browser.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    html: Option<PathBuf>,
    /// Write the verdicts as JUnit XML, for continuous integration.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    junit: Option<PathBuf>,
    /// Look for counterexamples with fewer steps and fewer context switches, by searching and replaying.
    #[arg(long, help_heading = OUTPUT)]
    pub simplify: bool,
}

impl OutputArgs {
    /// Refuses what cannot be written, before any work is done.
    pub fn check(&self) -> Result<(), Error> {
        let files = [("--trace", &self.trace.trace), ("--html", &self.html), ("--junit", &self.junit)];
        for (index, (option, path)) in files.iter().enumerate() {
            let same = files[..index].iter().find(|(_, other)| other.is_some() && other == path);
            if let (Some((other, _)), Some(path)) = (same, path) {
                return Err(Error::Usage(format!("{other} and {option} both write to {}", path.display())));
            }
        }
        self.trace.check()
    }

    /// Refuses what is about a single model.
    pub fn check_for_several(&self) -> Result<(), Error> {
        let single = [("--trace", &self.trace.trace), ("--html", &self.html)];
        match single.iter().find(|(_, path)| path.is_some()) {
            Some((option, _)) => Err(Error::Usage(format!("{option} is for a single model"))),
            None => Ok(()),
        }
    }

    /// Writes the files that are about several models.
    pub fn write_several(&self, reports: &[RunReport]) -> Result<(), Error> {
        self.junit.as_ref().map_or(Ok(()), |path| write(path, &junit::render(reports)))
    }

    /// The file for a trail, if one is asked for.
    pub fn trail(&self) -> Option<&Path> {
        self.trace.trail()
    }

    /// Writes every file that is asked for, but no trail: that is the model's to write.
    pub fn write(&self, report: &RunReport) -> Result<(), Error> {
        let first = report.properties.iter().find_map(|property| property.trace.as_ref());
        let first = first.or(report.properties.iter().find_map(|property| property.witness.as_ref()));
        let first = first.or(report.fault.as_ref().map(|fault| &fault.trace));
        match (first, &self.trace.trace) {
            (Some(run), _) => self.trace.write(run)?,
            (None, Some(path)) => {
                terminal::remark(&format!("no trace is written to {}: there is none", path.display()));
            }
            (None, None) => {}
        }
        self.html.as_ref().map_or(Ok(()), |path| write_by(path, |out| html::report(report, out)))?;
        self.junit.as_ref().map_or(Ok(()), |path| write(path, &junit::render(std::slice::from_ref(report))))
    }
}

/// The format that is asked for, or that the file's ending stands for.
pub fn format_for(path: &Path, wanted: Option<Format>) -> Result<Format, Error> {
    wanted.or_else(|| Format::of_path(path)).ok_or_else(|| {
        let endings = ".json, .txt, .xml, .itf.json, .vcd, .csv, .md or .html";
        let path = path.display();
        Error::Usage(format!("{path}: the ending does not tell the format; use {endings}, or say it with an option"))
    })
}

/// Writes a trace to a file, or prints it.
pub fn write_or_print(path: Option<&Path>, wanted: Option<Format>, document: &Document) -> Result<(), Error> {
    match path {
        Some(path) => {
            let format = format_for(path, wanted)?;
            write_by(path, |out| format.write(document, out))
        }
        None => {
            terminal::print_by(|out| wanted.unwrap_or(Format::Text).write(document, out));
            Ok(())
        }
    }
}

/// Writes a file piece by piece.
fn write_by(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let written = File::create(path).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(|error| Error::in_file(path, &error))
}

/// Writes a file.
pub fn write(path: &Path, contents: &str) -> Result<(), Error> {
    std::fs::write(path, contents).map_err(|error| Error::in_file(path, &error))
}
