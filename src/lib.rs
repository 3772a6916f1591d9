//! uwbmc: a model checker for multi-process systems.

pub mod diagnostic;
pub mod smv;
pub mod source;
