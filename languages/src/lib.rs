//! The languages that models are written in: from a text to a [`system::System`], or to diagnostics that say what is wrong,
//! where, and what to do about it.
//!
//! [`smv`] and [`promela`] are the front ends. They share the text with its places ([`source`]), errors ([`diagnostic`]),
//! definitions from the command line ([`define`]), automata in files ([`hoa`]), guesses at mistyped words ([`suggest`]) and text made safe to show
//! ([`hidden`]).

pub mod define;
pub mod diagnostic;
pub mod hidden;
pub mod hoa;
pub mod promela;
pub mod smv;
pub mod source;
mod spelled;
pub mod suggest;
