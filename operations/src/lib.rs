//! What the visible operations of running programs mean: when an operation can run ([`is_enabled`]), what it does
//! ([`apply`]), and which events depend on each other ([`depends`]).
//!
//! The library inside the program and the scheduler outside use this crate, and nothing else says what an operation
//! does. It knows neither threads nor memory: a [`World`] stores the objects for it. `region` is the layout of the file
//! that both sides share.

#![no_std]

mod apply;
mod depends;
mod enabled;
mod kind;
mod lanes;
mod op;
mod queues;
pub mod region;
mod semaphores;
mod signals;
mod thin;
mod world;

pub use apply::{Applied, Misuse, apply, foresee};
pub use depends::{covers, depends, is_idle, marks};
pub use enabled::is_enabled;
pub use kind::{Class, Kind};
pub use lanes::{Lane, LaneSet, MAX_LANES};
pub use op::{Event, Flags, Key, Op, SECTIONS, pack_range, unpack_range};
pub use semaphores::pack_changes;
pub use signals::signals_of_process;
pub use thin::{THICK, is_shown};
pub use world::{LaneState, Object, Status, World};

/// Where the source of this crate is, for the build script of the library that is preloaded into programs.
pub const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs");
