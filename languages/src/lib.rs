//! The languages that models are written in: from a text to a [`system::System`], or to diagnostics that say what is wrong,
//! where, and what to do about it.
//!
//! [`smv`] and [`promela`] are the front ends. They share the text with its places ([`source`]), errors ([`diagnostic`]),
//! definitions from the command line ([`define`]), automata in files ([`hoa`]), guesses at mistyped words ([`suggest`]) and text
//! made safe to show ([`hidden`]).
//!
//! # What is where
//!
//! ```text
//! smv/                  the SMV front end: lexer, parse/ (syntax tree), lower/ (to the system), print (back to text)
//! promela/              the Promela front end: lexer, cpp/ (preprocessor), parse/ (syntax tree), flow/ (where processes
//!                       rest), lower/ (to the system), trail/ (runs for SPIN and from it)
//! hoa/                  automata in the Hanoi format
//! diagnostic source hidden    errors with places; hidden characters, made safe to show
//! define suggest spelled      names from the command line; the known word that a mistyped one is closest to; tokens
//! ```

pub mod define;
pub mod diagnostic;
pub mod hidden;
pub mod hoa;
pub mod promela;
pub mod smv;
pub mod source;
mod spelled;
pub mod suggest;
