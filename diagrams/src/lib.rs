//! Reduced ordered binary decision diagrams for sets of states and for relations between states.
//!
//! A [`Manager`] has a fixed number of variables, each with a value now and a value in the next state, next to each other
//! in the order. A set of states is a function of the values now; a relation also reads next values, and says besides
//! which variables it writes ([`Relation`]): all others keep their values, without a frame condition in the diagram.
//!
//! Why a package of our own: images and preimages are one recursion instead of conjunction, quantification and renaming,
//! and [`Manager::closure`] is saturation (Ciardo, Lüttgen, Siminiescu), for which a package has to open its nodes.
//!
//! Every operation is a [`Result`]: there is an exact budget of nodes, and an alarm may ring. Operations recurse over
//! variables, so their depth is bounded by the number of variables, never by the size of a diagram; [`on_deep_stack`] runs
//! them on a stack that is large enough for that.
//!
//! The order of variables is the one they are numbered in, or a better one that is looked for as diagrams grow ([`Ordering`]).
//!
//! Handles ([`Diagram`]) keep what they stand for alive. Garbage is collected by mark and sweep at the beginning of an
//! operation and between the steps of a saturation, when there is much of it.
//!
//! # What is where
//!
//! ```text
//! node store cache      nodes, the unique table, results of operations
//! manager handle stack  budget and garbage; what is kept alive; why nothing overflows the stack
//! boolean quantify simplify   operations; small sets between two others
//! image saturate        images without frame conditions; closures by saturation
//! order/                where variables are; sifting
//! count natural pick    how many states, in numbers of any size; single ones
//! ```

mod boolean;
mod cache;
mod count;
mod graph;
mod handle;
mod image;
mod manager;
mod natural;
mod node;
mod order;
mod pick;
mod quantify;
mod saturate;
mod simplify;
mod stack;
mod store;

pub use graph::{Branch, Target};
pub use handle::Diagram;
pub use manager::{Collecting, Exhausted, Manager, Support};
pub use natural::Natural;
pub use node::Variable;
pub use order::Ordering;
pub use saturate::{Direction, Relation};
pub use stack::on_deep_stack;
