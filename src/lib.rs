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
mod error;
pub mod experiment;
pub mod export;
mod file;
mod model;
pub mod observer;
pub mod report;
mod resources;
pub mod trace;

pub use languages::{define, diagnostic, promela, smv, source, suggest, visible};
pub use {bounded as engine, explicit, sat, symbolic, temporal};

pub use budget::Interrupt;
pub use check::{Checked, Options, Report, Verdict, check};
pub use error::{Error, Mistakes};
pub use model::{Language, Model};
pub use observer::{Observer, Progress};
