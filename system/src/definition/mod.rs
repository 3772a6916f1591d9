//! What a system is: plain data, and how it is written.

pub(crate) mod automaton;
mod endless;
pub(crate) mod expr;
pub(crate) mod fault;
pub(crate) mod footprint;
pub(crate) mod formula;
pub(crate) mod ids;
pub(crate) mod op;
pub(crate) mod print;
pub(crate) mod program;
pub(crate) mod sort;
pub(crate) mod span;
pub(crate) mod system;
pub(crate) mod talk;
pub(crate) mod value;
