//! Traces: the document that describes a run, and its renderings.

mod account;
pub mod csv;
mod describe;
mod document;
mod flow;
pub mod itf;
pub mod markdown;
mod messages;
mod owner;
mod rebuild;
mod simplify;
mod telling;
mod text;
mod told;
mod values;
pub mod vcd;
mod view;
mod waiting;
pub mod xml;
pub mod xml_read;

pub use describe::{describe, setting};
pub use document::{
    Chosen, Core, Direction, Document, Domain, FORMAT, Message, Observation, Point, Process, Queue, ReadError, Scalar,
    Statement, Step, VERSION, Variable, Waiting,
};
pub use rebuild::rebuild;
pub use simplify::{Simplified, context_switches, shorten, simplify};
pub use telling::{Each, Place, Telling};
pub use text::{pieces, render, render_state, who_moved};
pub use told::{Run, Told};
pub use values::Values;
pub use view::{Item, View};
