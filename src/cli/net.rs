//! The net under a command that has nothing to tell before its end.

use super::terminal;
use crate::Error;
use limits::Ended;
pub use limits::net::{Limits, Net, under};

/// Does some work; `unended` says what it means that it has to be left alone.
pub fn ended<T: Send + 'static>(
    limits: &Limits,
    unended: impl FnOnce(Ended) -> Error,
    work: impl FnOnce(&Net) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    under(limits, work).unwrap_or_else(|why| {
        terminal::clear_line();
        Err(unended(why))
    })
}
