//! From multi-process systems to clauses.
//!
//! Expressions become gates ([`Gates`]) with constant folding and structural hashing over the whole unrolling; an
//! [`Unrolling`] makes one state after the other, with a process selector per step, and streams clauses into a
//! [`ClauseSink`]. The crate never sees a solver.

mod arithmetic;
mod circuit;
mod expr;
mod gate;
mod lit;
mod unroll;
mod value;

pub use expr::{Evaluated, Memo, Surroundings, encode};
pub use gate::{Gate, Gates, Signal};
pub use lit::{ClauseSink, Cnf, Lit};
pub use unroll::{
    Bit, Distances, Ending, Grain, Idling, Order, Rules, Scheduling, Snapshot, Switch, Time, Unrolling, Unsupported,
    Valid, can_stay, can_wait, decides_deadlock, has_passes, tells_ahead,
};
pub use value::{Encoded, integer_width};
