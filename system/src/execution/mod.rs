//! How a system runs: packed states, expressions as flat code, plans that enumerate successors, and runs.

pub(crate) mod alarm;
pub(crate) mod code;
mod coding;
pub(crate) mod compact;
pub(crate) mod compile;
pub(crate) mod fork;
pub(crate) mod given;
pub(crate) mod lasso;
pub(crate) mod machine;
pub(crate) mod memo;
pub(crate) mod plan;
mod prefix;
mod round;
mod said;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod trace;
pub(crate) mod visible;
pub(crate) mod word;
