//! Hunting jobs: each looks for a violation in its own way, within an amount of work.

use bounded::{Hunt, Strategy, Sweep, Walks};
use check::Error;
use encoder::{Order, Unsupported};
use engine::Engine;
use limits::{Effort, Handle};
use sat::Setup;
use serde::{Deserialize, Serialize};
use system::{Machine, PropertyId, Trace};

/// The work between two looks at whether it was enough.
const CHUNK: i32 = 10_000_000;

/// A way to look for a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Random runs, each under a schedule and a data policy of its own.
    Walks {
        /// The seed.
        seed: u64,
    },
    /// Parallel steps.
    Passes,
    /// The first underapproximation, in which processes take turns.
    RoundRobin,
    /// The same, in which another process comes first at each step.
    Rotating,
    /// The same, in which a process goes on as long as it can.
    RunOn,
}

/// Those that need no seed.
const OTHERS: [Method; 4] = [Method::Passes, Method::RoundRobin, Method::Rotating, Method::RunOn];

/// As many ways as wanted: walks alternate with the others as long as there are any.
pub fn methods(wanted: usize, seed: u64) -> Vec<Method> {
    let mut others = OTHERS.into_iter();
    let mut walks = (seed..).map(|seed| Method::Walks { seed });
    let mut methods = Vec::with_capacity(wanted);
    while methods.len() < wanted {
        methods.extend(walks.next());
        if methods.len() < wanted {
            methods.extend(others.next());
        }
    }
    methods
}

fn unsupported(Unsupported(what): Unsupported) -> Error {
    Error::Usage(format!("jobs do not support {what}"))
}

/// Looks for a violation.
pub fn hunt(
    machine: &Machine,
    (property, bound): (PropertyId, usize),
    (method, ticks): (Method, u64),
    handle: &mut Handle<'_>,
) -> Result<Option<Trace>, Error> {
    let machine = machine.of(property);
    let start = |phase| sat::Choice::default().start(Setup { phase, seed: 0 });
    let properties = [property];
    let scout = |order| Sweep::new(machine, &properties, bound, Strategy::scout(order), &start).map_err(unsupported);
    let mut engine: Box<dyn Engine + '_> = match method {
        Method::Walks { seed } => Box::new(Walks::new(machine, &properties, bound, seed)),
        Method::Passes => match Hunt::new(machine, &properties, bound, &start).map_err(unsupported)? {
            Some(hunt) => Box::new(hunt),
            None => return Ok(None),
        },
        Method::RoundRobin => Box::new(scout(Order::RoundRobin)?),
        Method::Rotating => Box::new(scout(Order::Rotating)?),
        Method::RunOn => Box::new(scout(Order::RunOn)?),
    };
    loop {
        let end = engine.turn(Effort::Ticks(CHUNK), handle)?;
        if let [(_, trace), ..] = engine.found().violations()[..] {
            return Ok(Some(trace.clone()));
        }
        if end.is_some() || engine.work().ticks >= ticks || handle.is_over() {
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_ways_as_wanted_and_no_two_alike() {
        for wanted in 0..20 {
            let methods = methods(wanted, 7);
            assert_eq!(methods.len(), wanted);
            assert!((0..wanted).all(|one| !methods[..one].contains(&methods[one])), "{methods:?}");
        }
        assert!(OTHERS.iter().all(|other| methods(8, 0).contains(other)));
    }
}
