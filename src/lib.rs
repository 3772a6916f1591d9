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

pub mod catalogue;
#[cfg(feature = "cli")]
pub mod cli;
pub mod export;
#[cfg(target_os = "linux")]
pub mod program;

pub use ::{bounded as engine, explicit, sat, symbolic, temporal};
#[cfg(feature = "cli")]
pub use ::bench::experiment;
pub use ::languages::{define, diagnostic, hidden, promela, smv, source, suggest};
pub use ::limits as observer;
pub use ::report::{self, trace};

pub use ::check::{self, Checked, Error, Language, Mistakes, Model, Options, Report, Verdict, check};
pub use ::limits::{Interrupt, Observer, Progress};

pub use ::system;

#[cfg(feature = "cli")]
use ::check::{file, model};

/// The page on adding an engine, whose program is a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/engine.md")]
mod engine_page {}
