//! Colours, where a terminal shows them and its user wants them.

use crate::diagnostic::Style;
use std::ffi::OsStr;
use std::io::{IsTerminal, stderr, stdout};
use std::sync::OnceLock;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless the variable NO_COLOR is set.
    #[default]
    Auto,
    /// In any case.
    Always,
    /// Not at all.
    Never,
}

/// What `--color` says: a choice of the user for the whole process, like the terminal itself.
static CHOICE: OnceLock<Colour> = OnceLock::new();

/// From now on colours are used as the user chose; the first choice counts.
pub fn choose(colour: Colour) {
    let _ = CHOICE.set(colour);
}

/// Whether what is said on standard error is in colour.
pub fn of_remarks() -> Style {
    style(stderr().is_terminal())
}

fn style(is_terminal: bool) -> Style {
    style_for(CHOICE.get().copied().unwrap_or_default(), std::env::var_os("NO_COLOR").as_deref(), is_terminal)
}

/// `NO_COLOR` set to anything but nothing is a wish for all programs (<https://no-color.org>); a word on the command line
/// is a wish for this one.
fn style_for(choice: Colour, no_color: Option<&OsStr>, is_terminal: bool) -> Style {
    let wanted = match choice {
        Colour::Auto => is_terminal && no_color.is_none_or(OsStr::is_empty),
        Colour::Always => true,
        Colour::Never => false,
    };
    if wanted { Style::Coloured } else { Style::Plain }
}

/// What the parser of the command line has to say, for standard output.
pub fn rendered(text: &clap::builder::StyledStr) -> String {
    match style(stdout().is_terminal()) {
        Style::Plain => text.to_string(),
        Style::Coloured => text.ansi().to_string(),
    }
}

/// A verdict in its colour, for standard output; `word` is the word that names it.
pub fn painted(word: &str, text: &str) -> String {
    match style(stdout().is_terminal()) {
        Style::Plain => text.to_owned(),
        Style::Coloured => {
            let colour = match word {
                "violated" => RED,
                "unknown" => YELLOW,
                _ => GREEN,
            };
            format!("\x1b[1;{colour}m{text}\x1b[0m")
        }
    }
}

const RED: u8 = 31;
const GREEN: u8 = 32;
const YELLOW: u8 = 33;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_whose_users_want_them() {
        assert_eq!(style_for(Colour::Auto, None, true), Style::Coloured);
        assert_eq!(style_for(Colour::Auto, Some(OsStr::new("")), true), Style::Coloured);
        assert_eq!(style_for(Colour::Auto, Some(OsStr::new("1")), true), Style::Plain);
        assert_eq!(style_for(Colour::Auto, None, false), Style::Plain);
        assert_eq!(style_for(Colour::Always, Some(OsStr::new("1")), false), Style::Coloured);
        assert_eq!(style_for(Colour::Never, None, true), Style::Plain);
    }
}
