//! Temporal formulas: LTL with past in one normal form, what kind of claim it is, and the automaton of its violations.
//!
//! [`Arena`] has formulas in negation normal form, simplified when they are made. What says nothing about the future is read
//! by a [`Monitor`], which remembers what it needs of the past; the rest becomes a [`Tableau`], a generalised Büchi automaton
//! with acceptance on its transitions, made while it is used. Where it is small, it is made at once and simplified: an [`Automaton`].

mod always;
mod arena;
mod automaton;
mod components;
mod history;
mod kind;
mod monitor;
mod normal;
mod simulation;
mod tableau;

pub use always::{always, every_run_goes_on};
pub use arena::{Arena, Node, NodeId};
pub use automaton::Automaton;
pub use components::components;
pub use history::{History, last_step};
pub use kind::{Kind, can_show, invariant};
pub use monitor::{Letter, Monitor};
pub use normal::normalise;
pub use tableau::{Edge, Tableau};

/// Why a formula is not checked.
pub type Refusal = String;
