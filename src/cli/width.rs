//! How wide the terminal is, and texts that fit.

use std::fs::File;
use std::process::{Command, Stdio};

/// The columns of the terminal: what `COLUMNS` says, or else `stty`; unknown where neither does.
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    said.or_else(measured).filter(|columns| *columns > 0)
}

/// `stty` knows the size of the terminal that it reads from: rows and columns.
fn measured() -> Option<usize> {
    let terminal = File::open("/dev/tty").ok()?;
    let stty = Command::new("stty").arg("size").stdin(terminal).stderr(Stdio::null()).output().ok()?;
    String::from_utf8(stty.stdout).ok()?.split_whitespace().nth(1)?.parse().ok()
}

/// A line that fits, cut where it is too long. The last column stays free: some terminals wrap when it is written.
pub fn fitted(text: String, columns: Option<usize>) -> String {
    let Some(room) = columns.map(|columns| columns.saturating_sub(1)) else { return text };
    if text.chars().count() <= room {
        return text;
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_and_a_short_one_is_not() {
        assert_eq!(fitted("bound 7".to_owned(), Some(8)), "bound 7");
        assert_eq!(fitted("bound 7".to_owned(), Some(7)), "bound…");
        assert_eq!(fitted("bound 7".to_owned(), Some(1)), "…");
        assert_eq!(fitted("bound 7".to_owned(), None), "bound 7");
    }
}
