//! The proof checker, from outside: hand-written proofs, proofs of solvers, mutated proofs and noise.

mod brute;
mod damage;
mod dimacs;
mod dpll;
mod drat;
mod extended_resolution;
mod formulas;
mod lrat;
mod mutations;
mod naive;
mod noise;
mod script;
mod solvers;
