//! What depends on what: control flow, operations on objects, independence of commands, and systems without what some
//! properties do not depend on.

pub(crate) mod attained;
pub(crate) mod channel;
pub(crate) mod circulation;
pub(crate) mod constants;
pub(crate) mod dependency;
pub(crate) mod failing;
pub(crate) mod felt;
pub(crate) mod flow;
pub(crate) mod future;
pub(crate) mod lift;
pub(crate) mod liveness;
pub(crate) mod object;
pub(crate) mod observed;
pub(crate) mod operation;
pub(crate) mod resets;
pub(crate) mod seclusion;
pub(crate) mod section;
pub(crate) mod slice;
pub(crate) mod symmetry;
pub(crate) mod turning;
