//! The catalogue of diagnostics: for each code its meaning, a model that has the mistake, and the cure.
//!
//! `uwbmc explain CODE` prints an entry; docs/diagnostics.md holds all of them. A front end adds a [`Family`]. The
//! diagnostic that an entry shows is what the front end says about the example now, not a copy of it.

pub mod hoa;
mod promela;
mod run;
mod smv;

use serde::Serialize;
use std::fmt::Write;

/// The diagnostics of one part of the tool.
pub struct Family {
    /// Whose diagnostics they are.
    pub title: &'static str,
    /// How the examples are written, as Markdown and files know it.
    pub language: &'static str,
    /// Every code with its meaning.
    pub codes: &'static [(&'static str, &'static str)],
    /// Examples and cures, in the order of the codes.
    pub entries: &'static [Entry],
    /// What the tool says about an example.
    pub diagnose: fn(&str) -> String,
}

/// A mistake and its cure.
pub struct Entry {
    /// The code of the diagnostic.
    pub code: &'static str,
    /// A model with the mistake.
    pub example: &'static str,
    /// What to do about it.
    pub cure: &'static str,
    /// The model without the mistake, unless only a smaller one would do.
    pub cured: Option<&'static str>,
}

/// All diagnostics of the tool.
pub const FAMILIES: [&Family; 4] = [&smv::FAMILY, &promela::FAMILY, &hoa::FAMILY, &run::FAMILY];

/// Everything there is to say about a code.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The code.
    pub code: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// A model with the mistake.
    pub example: &'static str,
    /// What the tool says about it.
    pub diagnostic: String,
    /// What to do.
    pub cure: &'static str,
    /// The model without the mistake.
    pub cured: Option<&'static str>,
}

/// Explains a code, in upper or lower case.
pub fn explain(code: &str) -> Option<Explanation> {
    let mut entries = FAMILIES.iter().flat_map(|family| family.entries.iter().map(move |entry| (family, entry)));
    let found = entries.find(|(_, entry)| entry.code.eq_ignore_ascii_case(code));
    found.map(|(family, entry)| Explanation::new(family, entry))
}

impl Explanation {
    fn new(family: &Family, entry: &Entry) -> Explanation {
        let Entry { code, example, cure, cured } = *entry;
        let meaning = family.codes.iter().find(|(known, _)| *known == code).map_or("", |(_, meaning)| meaning);
        Explanation { code, meaning, example, diagnostic: (family.diagnose)(example), cure, cured }
    }

    /// For a terminal.
    pub fn render(&self) -> String {
        let mut out = format!("{}: {}\n\nExample:\n\n{}\n", self.code, self.meaning, indented(self.example));
        let _ = write!(out, "{}\n{}", indented(&self.diagnostic), wrapped(self.cure));
        if let Some(cured) = self.cured {
            let _ = write!(out, "\n{}", indented(cured));
        }
        out
    }

    fn section(&self, language: &str) -> String {
        let mut out = format!("\n### {}\n\n{}\n", self.code, wrapped(self.meaning).trim_end());
        out.push_str(&block(language, self.example));
        out.push_str(&block("text", &self.diagnostic));
        let _ = write!(out, "\n{}", wrapped(self.cure));
        out.extend(self.cured.map(|cured| block(language, cured)));
        out
    }
}

/// A block of code in Markdown.
fn block(language: &str, text: &str) -> String {
    format!("\n```{language}\n{}\n```\n", text.trim_end())
}

/// The whole catalogue in Markdown.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Diagnostics\n\nEvery diagnostic has a code that stays the same across versions. \
         `uwbmc explain CODE` prints an entry of this page.\n\
         This file is generated: `UPDATE=1 cargo test --test documents catalogue::` writes it.\n",
    );
    for family in FAMILIES {
        let _ = write!(out, "\n## {}\n", family.title);
        for entry in family.entries {
            out.push_str(&Explanation::new(family, entry).section(family.language));
        }
    }
    out
}

fn indented(text: &str) -> String {
    text.trim_end().lines().map(line).collect()
}

fn line(line: &str) -> String {
    if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }
}

/// A paragraph in lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    const WIDEST: usize = 100;
    let mut out = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDEST {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out + "\n"
}
