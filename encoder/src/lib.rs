//! From multi-process systems to clauses.
//!
//! Expressions become gates ([`Gates`]) with constant folding and structural hashing over the whole unrolling; an
//! [`Unrolling`] makes one state after the other, with a process selector per step, and streams clauses into a
//! [`ClauseSink`]. The crate never sees a solver.
//!
//! # What is where
//!
//! ```text
//! gate arithmetic       gates with structural hashing; bit vectors
//! lit guarded           literals and where clauses go; clauses that hold as long as something is not reached
//! value expr            values and expressions as signals
//! circuit               I and T as a circuit, for export
//! unroll/               initial states, steps, selector, frame conditions, decoding; `rules`: which runs a formula has
//!   progress expansion    enabled_i, the switches p_{i,j}, valid(s, ps): Eq. (7) to (12)
//!   schedule pass         scheduling constraints; parallel steps
//!   choose idle distance  values from sets; processes that do nothing, waiting; how far processes can be
//!   snapshot first_moves  a state with variables of its own, to close loops with; who of several alike moves first
//!   control ahead         atomic sections, rendezvous and timeout; violations by a step that could come next
//! ```

mod arithmetic;
mod circuit;
mod expr;
mod gate;
mod guarded;
mod lit;
mod unroll;
mod value;

pub use expr::{Evaluated, Memo, Surroundings, encode};
pub use gate::{Gate, Gates, Signal};
pub use guarded::Guarded;
pub use lit::{ClauseSink, Cnf, Lit};
pub use unroll::{
    Alike, Bit, Distances, Ending, Grain, Idling, Order, Rules, Scheduling, Snapshot, Switch, Time, Unrolling,
    Unsupported, Valid, can_stay, can_wait, decides_deadlock, has_passes, may_change, tells_ahead,
};
pub use value::{Encoded, integer_width};
