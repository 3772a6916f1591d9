//! The same work by three packages of decision diagrams: `cargo run --release --manifest-path diagrams/peers/Cargo.toml`.
//!
//! Queens are placed on a board, which is conjunction, disjunction and negation. Philosophers take forks, which is conjunction with
//! quantification: the reachable states by chaining, the same strategy for all, and by saturation, which only ours has.

mod biodivine;
mod ours;
mod oxidd;
mod philosophers;
mod queens;

use std::hint::black_box;
use std::time::Instant;

/// A package of decision diagrams.
trait Package {
    /// A boolean function.
    type Function: Clone + PartialEq;

    /// What the package is called.
    const NAME: &'static str;

    /// For this many variables, the first one on top.
    fn new(variables: u32) -> Self;

    /// The value of a variable.
    fn variable(&mut self, variable: u32) -> Self::Function;

    /// The constant true.
    fn always(&mut self) -> Self::Function;

    fn not(&mut self, a: &Self::Function) -> Self::Function;

    fn and(&mut self, a: &Self::Function, b: &Self::Function) -> Self::Function;

    fn or(&mut self, a: &Self::Function, b: &Self::Function) -> Self::Function;

    /// The conjunction, whatever the values of some variables are.
    fn and_exists(&mut self, a: &Self::Function, b: &Self::Function, variables: &[u32]) -> Self::Function;

    /// For how many values of all variables a function is true.
    fn count(&mut self, a: &Self::Function) -> f64;
}

/// How often each piece of work is done; the fastest time counts.
const TIMES: usize = 3;

fn measured(what: &str, package: &str, work: impl Fn() -> f64) {
    let mut best = f64::INFINITY;
    let mut result = 0.0;
    for _ in 0..TIMES {
        let start = Instant::now();
        result = black_box(work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{what:24}{package:24}{best:10.3} s   {result:e}");
}

fn compare<P: Package>() {
    for size in [7, 8] {
        measured(&format!("queens-{size}"), P::NAME, || queens::solutions::<P>(size));
    }
    for count in [20, 40, 80] {
        measured(&format!("philosophers-{count}"), P::NAME, || philosophers::chained::<P>(count));
    }
}

fn main() {
    compare::<ours::Ours>();
    compare::<oxidd::Oxidd>();
    compare::<biodivine::Biodivine>();
    for count in [20, 40, 80] {
        measured(&format!("philosophers-{count}"), "ours, saturation", || ours::saturated(count));
    }
}
