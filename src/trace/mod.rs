//! Traces as files and as text.

mod json;
mod text;

pub use json::{ReadError, read, write};
pub use text::{changes, render, render_state, who_moved};
