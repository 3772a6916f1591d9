//! uwbmc: a model checker for multi-process systems.
//!
//! A model in SMV or Promela is loaded into a [`system::System`]; engines search it, and every trace they find replays on
//! the one executable semantics of the crate `system`. See ARCHITECTURE.md for the map.
//!
//! ```no_run
//! use uwbmc::{Model, Options, check};
//!
//! let model = Model::load("lock.smv")?;
//! let report = check(&model, &Options::default().bound(12), &mut ())?;
//! for property in &report.properties {
//!     println!("{}: {}", property.name, property.verdict);
//! }
//! # Ok::<(), uwbmc::Error>(())
//! ```

mod budget;
pub mod catalogue;
pub mod check;
pub mod cli;
pub mod define;
pub mod diagnostic;
pub mod engine;
mod error;
pub mod experiment;
pub mod explicit;
pub mod export;
mod file;
mod model;
pub mod observer;
pub mod promela;
pub mod report;
mod resources;
pub mod sat;
pub mod smv;
pub mod source;
mod spelled;
pub mod suggest;
pub mod symbolic;
pub mod temporal;
pub mod trace;
pub mod visible;

pub use budget::Interrupt;
pub use check::{Checked, Options, Report, Verdict, check};
pub use error::{Error, Mistakes};
pub use model::{Language, Model};
pub use observer::{Observer, Progress};
pub use system;

/// The page on adding an engine, whose program is a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/engine.md")]
mod engine_page {}
