//! uwbmc: a model checker for multi-process systems.
//!
//! A model in SMV or Promela is loaded into a [`system::System`]; engines search it, and every trace they find replays on
//! the one executable semantics of the crate `system`. See ARCHITECTURE.md for the map.
//!
//! [`Model`] is what is checked, [`Options`] say how, [`check()`] does it, and a [`Report`] has a [`Verdict`] for each property.
//! An [`Observer`] sees how far the work is and may end it. Engines implement [`check::Engine`]; a [`system::Program`] builds
//! systems without a file.
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
//!
//! # What is where
//!
//! ```text
//! program/              runs of programs as people see them: names, lines, documents; compiling with visible accesses
//! cli/                  commands and their options; watch is the observer: Ctrl-C and progress line
//! export/               DIMACS of the unrolling; AIGER and BTOR2 of the transition system
//! catalogue/            the catalogue of diagnostics: meaning, example, cure
//! ```

#[doc(inline)]
pub use ::check::{self, Checked, Error, Language, Mistakes, Model, Options, Reader, Report, Verdict, check};
#[doc(inline)]
pub use ::limits::{Interrupt, Observer, Progress};
#[doc(inline)]
pub use ::report::trace;
pub use ::system;

// What is behind the front door, for our own tests and commands. It changes without notice.
#[doc(hidden)]
pub mod catalogue;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod export;
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub use ::{bounded, engine, explicit, limits, report, sat, symbolic, temporal};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use ::bench::experiment;
#[doc(hidden)]
pub use ::languages::{define, diagnostic, hidden, hoa, promela, smv, source, suggest};

#[cfg(feature = "cli")]
use ::check::{file, model};

/// The page on adding an engine, whose program is a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/engine.md")]
mod engine_page {}
