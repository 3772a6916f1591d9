//! Diagnostics: what is wrong with a user's input, where, and what to do about it.

use crate::hidden::visible;
use crate::source::Source;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::collections::HashSet;
use system::{Alarm, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, in a way that the user should know.
    Warning,
}

/// A kind of diagnostic, with a name that stays the same across versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code(pub &'static str);

/// Defines the codes of a front end with what they mean.
macro_rules! codes {
    ($($name:ident = $id:literal: $meaning:literal;)*) => {
        $(#[doc = $meaning] pub const $name: Code = Code($id);)*

        /// Every code with its meaning.
        pub const ALL: &[(&str, &str)] = &[$(($id, $meaning)),*];
    };
}
pub(crate) use codes;

/// One finding about the input.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where, if it is about a place in the source.
    pub span: Option<Span>,
    /// What the underlined text is.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic { code, severity: Severity::Error, message, span: Some(span), label: String::new(), help: None }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Says what the underlined text is.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// The findings of one run, without repetitions: a module that is instantiated a thousand times is wrong once.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: HashSet<(Code, Option<Span>)>,
    errors: usize,
    /// How many of the errors cost a property only.
    confined: usize,
    /// Whether reading may go on.
    watch: Watch,
}

/// When reading has to end.
#[derive(Clone, Debug, Default)]
struct Watch {
    /// Rings when it has to.
    alarm: Alarm,
    /// How much work was done since it was last asked.
    work: usize,
    /// Whether it rang.
    rang: bool,
}

/// How many findings there were at some moment.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// How many diagnostics are shown before the rest is only counted.
const MOST_SHOWN: usize = 20;

/// How many tokens, expressions or assignments are read between two looks at the alarm.
const PATIENCE: usize = 1 << 14;

impl Diagnostics {
    /// None so far, for reading that ends when an alarm rings.
    pub fn until(alarm: Alarm) -> Diagnostics {
        Diagnostics { watch: Watch { alarm, ..Watch::default() }, ..Diagnostics::default() }
    }

    /// What says that reading has to end.
    pub fn alarm(&self) -> &Alarm {
        &self.watch.alarm
    }

    /// Whether reading has to end. Then the input counts as rejected, and what is found in the rest of it means nothing.
    pub fn is_over(&mut self) -> bool {
        self.watch.work = 0;
        self.watch.rang |= self.watch.alarm.rings();
        self.watch.rang
    }

    /// The same for passes that do a little work at a time: tokens, expressions or assignments.
    pub fn is_over_after(&mut self, work: usize) -> bool {
        self.watch.work = self.watch.work.saturating_add(work);
        if self.watch.work < PATIENCE { self.watch.rang } else { self.is_over() }
    }

    /// Whether reading had to end.
    pub fn is_interrupted(&self) -> bool {
        self.watch.rang
    }

    /// Adds a finding, unless the same kind of thing was already found at the same place.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.seen.insert((diagnostic.code, diagnostic.span)) {
            self.errors += usize::from(diagnostic.severity == Severity::Error);
            self.list.push(diagnostic);
        }
    }

    /// Whether there are errors, be it that they cost some properties only, or reading had to end.
    pub fn has_errors(&self) -> bool {
        self.errors > 0 || self.is_interrupted()
    }

    /// Whether the input is rejected: some error is not confined to a property, or reading had to end.
    pub fn is_rejected(&self) -> bool {
        self.errors > self.confined || self.is_interrupted()
    }

    /// Where the list ends now.
    pub fn mark(&self) -> Mark {
        Mark(self.list.len())
    }

    /// The errors since then are about one property, which cannot be checked because of them; the rest of the input
    /// is not rejected for them. Says what the first error was: if it was found before, in another instance of the
    /// same text, the one inside `part` of the source.
    pub fn confine(&mut self, since: Mark, part: Span) -> Option<&Diagnostic> {
        self.confined += self.list[since.0..].iter().filter(is_error).count();
        let new = self.list[since.0..].iter().find(is_error);
        new.or_else(|| {
            let mut placed = self.list.iter().filter(is_error).filter_map(|error| Some((error, error.span?)));
            placed.find(|(_, span)| part.start <= span.start && span.end <= part.end).map(|(error, _)| error)
        })
    }

    /// All findings, in order of place.
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.list.iter().collect();
        sorted.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
        sorted
    }

    /// How many findings there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Leaves nothing of a text that was taken away in what is said about it: only what kind of mistake it is, and where.
    pub fn conceal(&mut self, source: &Source, meanings: &[(&'static str, &'static str)]) {
        for diagnostic in &mut self.list {
            if diagnostic.span.is_some_and(|span| source.is_concealed(span)) {
                let meaning = meanings.iter().find(|(code, _)| *code == diagnostic.code.0).map_or("", |(_, text)| text);
                diagnostic.message = meaning.trim_end_matches('.').to_owned();
                diagnostic.label.clear();
                let help = "the file is not in the model's folder, so its text is not shown; copy it there to see more";
                diagnostic.help = Some(help.to_owned());
            }
        }
    }

    /// Writes the findings for people.
    pub fn render(&self, source: &Source, style: Style) -> String {
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        let sorted = self.sorted();
        let mut out = String::new();
        for diagnostic in sorted.iter().take(MOST_SHOWN) {
            out.push_str(&render_one(diagnostic, source, &renderer));
            out.push_str("\n\n");
        }
        if sorted.len() > MOST_SHOWN {
            out.push_str(&format!("... and {} more\n", sorted.len() - MOST_SHOWN));
        }
        out
    }
}

fn is_error(diagnostic: &&Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// With terminal colours.
    Coloured,
}

fn render_one(diagnostic: &Diagnostic, source: &Source, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&diagnostic.message);
    let help = diagnostic.help.as_deref().map(printable);
    let label = printable(&diagnostic.label);
    let title = level.primary_title(message).id(diagnostic.code.0);
    let excerpt = diagnostic.span.map(|span| source.excerpt(span));
    let mut group = match &excerpt {
        None => Group::with_title(title),
        Some(excerpt) if diagnostic.span.is_some_and(|span| source.is_concealed(span)) => {
            let file = source.file(diagnostic.span.unwrap_or_default());
            title.element(Origin::path(file).line(excerpt.first_line))
        }
        Some(excerpt) => {
            let mut annotation = AnnotationKind::Primary.span(excerpt.marked.clone());
            if !label.is_empty() {
                annotation = annotation.label(label);
            }
            let snippet = Snippet::source(excerpt.text.as_str())
                .line_start(excerpt.first_line)
                .path(source.file(diagnostic.span.unwrap_or_default()))
                .annotation(annotation);
            title.element(snippet)
        }
    };
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group]).to_string()
}

/// Names come from the model: what would change how a line is read is spelled out, and very long names are cut.
fn printable(text: &str) -> String {
    const LONGEST: usize = 300;
    let kept: String = text.chars().take(LONGEST).collect();
    let lines: Vec<_> = kept.split('\n').map(visible).collect();
    let dots = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    lines.join("\n") + dots
}
