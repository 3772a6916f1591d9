//! The engines, and which of them is given which property.
//!
//! A new engine is a type that implements [`Engine`] and a line in [`portfolio`].

use super::cycles::Cycles;
use super::findings::Findings;
use super::handle::Handle;
use super::lassos::Lassos;
use super::options::{Choice, Options};
use super::stages::Stages;
use super::states::{Explicit, Extent, Stateless};
use super::symbolic::{Asked, Symbolic};
use super::unrolling::Unroller;
use crate::error::Error;
use bounded::can_be_asked;
use system::{Claim, Machine, PropertyId};

/// A way to decide properties.
pub trait Engine {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// Whether it can decide a property, as far as the claim tells. One that it is given may still turn out undecided.
    fn decides(&self, machine: &Machine, property: PropertyId) -> bool;

    /// Works until everything is decided or the handle says that it has to end, and gives a verdict on each property of the
    /// task. Counterexamples need not have been replayed; those who call it do that.
    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error>;
}

/// What an engine is asked.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The system.
    pub machine: &'a Machine,
    /// Properties that the engine can decide.
    pub properties: &'a [PropertyId],
    /// How to work.
    pub options: &'a Options,
}

/// An engine with the properties that are its to decide.
pub struct Assignment {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// Its properties.
    pub properties: Vec<PropertyId>,
}

/// Gives each property to the first engine that can decide it; the others are left over. An engine without properties does
/// not run, but where no engine has any, the first one runs all the same: it says whether the model makes sense.
pub fn assign(machine: &Machine, wanted: &[PropertyId], engines: Vec<Box<dyn Engine>>) -> Vec<Assignment> {
    let mut left = wanted.to_vec();
    let mut assignments = Vec::new();
    for engine in engines {
        let (properties, others) = left.iter().partition(|property| engine.decides(machine, **property));
        left = others;
        assignments.push(Assignment { engine, properties });
    }
    let is_idle = assignments.iter().all(|assignment| assignment.properties.is_empty());
    match is_idle {
        true => assignments.truncate(1),
        false => assignments.retain(|assignment| !assignment.properties.is_empty()),
    }
    assignments
}

/// The engines that take part, those to be preferred first.
pub fn portfolio(machine: &Machine, wanted: &[PropertyId], options: &Options) -> Vec<Box<dyn Engine>> {
    let branching: Box<dyn Engine> = match options.engine {
        Choice::Symbolic => Box::new(Symbolic::alone(Asked::Branching)),
        _ => Box::new(Stages::branching()),
    };
    let mut engines = vec![invariants(machine, wanted, options), branching];
    if let choice @ (Choice::Widening | Choice::Plain) = options.engine {
        engines.push(Box::new(Lassos(choice)));
    }
    engines.push(Box::new(Cycles));
    engines
}

/// The engine that checks the properties of a task, all of which are about states and steps, one by one.
pub fn engine_for_invariants(task: &Task<'_>) -> Box<dyn Engine> {
    invariants(task.machine, task.properties, task.options)
}

/// The engine for invariants: where there is no bound, or a formula cannot say what is asked, states and diagrams are all
/// there is.
fn invariants(machine: &Machine, wanted: &[PropertyId], options: &Options) -> Box<dyn Engine> {
    let can_unroll = || {
        let mut invariants = wanted.iter().filter(|property| is_invariant(machine, **property));
        invariants.all(|property| can_be_asked(machine, *property))
    };
    match options.engine {
        Choice::Auto if options.bound.is_none() && options.visiting.is_plain() => Box::new(Stages::invariants(machine)),
        Choice::Auto if options.bound.is_none() || !can_unroll() => Box::new(Explicit(Extent::All)),
        Choice::Explicit => Box::new(Explicit(Extent::All)),
        Choice::Stateless => Box::new(Stateless),
        Choice::Symbolic => Box::new(Symbolic::alone(Asked::Everything)),
        choice @ (Choice::Auto | Choice::Widening | Choice::Plain) => Box::new(Unroller(choice)),
    }
}

/// Whether a property is about states and steps, one by one.
pub fn is_invariant(machine: &Machine, property: PropertyId) -> bool {
    matches!(machine.system().properties[property].claim, Claim::Invariant(_) | Claim::DeadlockFree)
}
