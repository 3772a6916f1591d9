//! Explicit-state search: breadth-first on several threads, depth-first in bounded memory.
//!
//! # What is where
//!
//! ```text
//! bfs worker store later breadth-first search on several threads
//! dfs cache             depth-first search in bounded memory
//! stateless             runs again instead of states: [God97]
//! persistent sleep slumber   which commands are tried in a state, and which are not again; whether that pays
//! tree shape rows       states folded into trees
//! count product         states and transitions as SPIN counts them
//! branching/            CTL by labelling
//! cycle/                the product with a tableau, its components, fairness, lassos; on-line checking of [JJ91]
//! ```

mod bfs;
mod branching;
mod cache;
mod check;
mod count;
mod cycle;
mod dfs;
mod later;
mod options;
mod persistent;
mod product;
mod result;
mod rows;
mod shape;
mod sleep;
mod slumber;
mod stateless;
mod store;
mod successors;
mod trace;
mod tree;
mod verdict;
mod worker;

pub use bfs::BreadthFirst;
pub use branching::label;
pub use check::watched_points;
pub use count::{Count, count_visible};
pub use cycle::{
    Interleavings, Obstacle, OnLine, Room, check_on_line, continue_for_ever, find_cycle, find_cycle_on_line,
};
pub use options::{Forgetting, Keeping, Limits, Options, Order, Reduction, Sets, Symmetries};
pub use product::{Product, count_product};
pub use stateless::{Stateless, StepLimits, stateless};

use engine::Findings;
use limits::Handle;
use system::{Machine, PropertyId};

/// Searches breadth-first for violations of invariants and deadlock freedom.
pub fn search(machine: &Machine, properties: &[PropertyId], limits: Limits, handle: &mut Handle<'_>) -> Findings {
    run(machine, properties, &Options { limits, ..Options::default() }, handle)
}

/// Searches in the way that the options say.
pub fn run(machine: &Machine, properties: &[PropertyId], options: &Options, handle: &mut Handle<'_>) -> Findings {
    match options.order {
        Order::BreadthFirst => bfs::search(machine, properties, options, handle),
        Order::DepthFirst => dfs::search(machine, properties, options, handle),
    }
}
