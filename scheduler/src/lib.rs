//! Explores the interleavings of running programs.
//!
//! A [`Session`] starts a program with the library of the crate `runtime` in it, and executes runs, each by a [`Plan`]; a
//! [`Record`] is what came of it. [`Search`] decides which run comes next: it works between runs, never between steps.
//! Nothing is stored but the path of the last run \[God97\].
//!
//! # What is where
//!
//! ```text
//! ahead cores           runs that are executed before they are asked for, on other cores
//! session plan record   a program under control; what a run is to do, what came of it
//! members               systems of several programs, and what connects them
//! folder heir           where a program finds us; who removes it if we are killed
//! clocks race wakeup    what happens before what; pairs that can be reversed; wakeup trees
//! search explore        sleep sets, source-DPOR, optimal DPOR; searches in turns
//! pairs roles holding   conflicts brought together; what kind of thread a lane is; lanes that stop before they take a second lock
//! novelty               runs that go on where others showed something new
//! explorer preemption   what is known while a program is explored; how often lanes are interrupted
//! credible sections     whether a run can have gone as it is written down; whether what is to be atomic is in it
//! finding confirm idle  what is wrong; executing it again; whether a run computes or waits
//! livelock simplify     lanes that are kept waiting; runs with fewer context switches that show the same
//! nature imports        what kind of program it is; what the functions that it calls could keep unseen
//! ```

#![cfg(target_os = "linux")]

mod ahead;
mod clocks;
mod confirm;
mod cores;
mod credible;
mod explore;
mod explorer;
mod finding;
mod folder;
mod heir;
mod holding;
mod idle;
mod imports;
mod livelock;
mod members;
mod nature;
mod novelty;
mod pairs;
mod plan;
mod preemption;
mod race;
mod record;
mod replica;
mod roles;
mod search;
mod sections;
mod session;
mod simplify;
mod wakeup;

pub use confirm::{Confirmation, Difference};
pub use explore::{End, Exploration, Found, Options, Strategy, explore, follow};
pub use finding::{ExitCodes, Finding, Violation, WaitStatus};
pub use heir::Heir;
pub use members::{Link, MOST_DESCRIPTORS, Member, Members, Port, Way};
pub use nature::Nature;
pub use pairs::Pairs;
pub use plan::{Choice, Loops, Plan, Rotation};
pub use record::{Pending, Record, Step};
pub use replica::Replica;
pub use search::{Reduction, Search, Statistics};
pub use session::{Command, Failure, Limits, Session, Stopped};
pub use simplify::{context_switches, simplify};
