//! A bound for more than one machine: what one machine cannot refute is split into jobs, which any scheduler can run.
//!
//! [`split`] writes a folder: the model, one formula that says that a run of at most k steps violates a property, cubes that
//! divide the runs among them, and hunting jobs. [`Job`] does one of them, knowing nothing but the folder. [`join`] believes
//! nothing of what came of them: the formula has to be the model's, the cubes have to cover all of its solutions, each proof
//! has to pass our own checker and each run has to replay. So a job that is missing, was killed or was done twice costs time
//! and nothing else.
//!
//! # What is where
//!
//! ```text
//! split folder included writing the folder; its files; the files that a model includes
//! propagation cubes     unit propagation; dividing a formula by who moves and where processes are
//! icnf                  formulas and cubes as text
//! job hunt              doing a job: refuting a cube; looking for a violation
//! join cover            the verdict; that cubes leave nothing out
//! ```

mod cover;
mod cubes;
mod folder;
mod hunt;
mod icnf;
mod included;
mod job;
mod join;
mod propagation;
mod split;

pub use folder::{Subject, Work};
pub use hunt::Method;
pub use included::Included;
pub use job::{Done, Job};
pub use join::{Joined, Tally, join};
pub use split::{Plan, only_property, split};
