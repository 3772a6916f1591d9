//! uwbmc: a model checker for multi-process systems.
//!
//! A model in SMV is loaded into a [`system::System`]; engines search it, and every trace they find replays on the
//! one executable semantics of the crate `system`. See ARCHITECTURE.md for the map.

pub mod catalogue;
pub mod cli;
pub mod diagnostic;
pub mod engine;
pub mod experiment;
pub mod explicit;
pub mod export;
pub mod observer;
pub mod promela;
pub mod report;
pub mod sat;
pub mod smv;
pub mod source;
mod spelled;
pub mod suggest;
pub mod symbolic;
pub mod trace;
pub mod visible;
