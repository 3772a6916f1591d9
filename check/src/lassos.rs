//! Infinite runs by the engines that unroll: a counterexample is a lasso of at most as many steps as the bound says.

use super::meter::Beside;
use super::options::{Choice, Options, Procedure};
use super::portfolio::{Engine, Task};
use super::solvers::{Solvers, with_solvers};
use super::unrolling::verdict;
use crate::error::Error;
use bounded::{Strategy, Sweep, can_be_asked, is_temporal, unsupported};
use engine::Findings;
use limits::{Ended, Handle};
use system::{Machine, PropertyId};
use temporal::always;

/// Lassos by plain bounded model checking or by underapproximation-widening.
pub struct Lassos(pub Choice);

impl Engine for Lassos {
    fn name(&self) -> &'static str {
        if self.0 == Choice::Plain { "bmc" } else { "uw" }
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        // `G p` is an invariant first.
        is_temporal(machine.system(), property)
            && always(machine.system(), property).is_none()
            && can_be_asked(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let Task { machine, properties, options } = *task;
        handle.limit_memory();
        with_solvers(options, |Solvers { bound, start, meter }| {
            let mut found = meter.search(|| {
                let sweep = Sweep::new(machine, properties, bound, self.strategy(options), start);
                engine::run(&mut sweep.map_err(unsupported)?, handle)
            })?;
            let otherwise = verdict(&found, false, handle.why().unwrap_or(Ended::Interrupted));
            found.engine = self.name();
            found.cost.formulas = Some(meter.read(u64::from(machine.system().state_bits()), Beside::Nothing));
            found.conclude(properties, &otherwise);
            Ok(found)
        })
    }
}

impl Lassos {
    fn strategy(&self, options: &Options) -> Strategy {
        match (&options.unrolling.widening, self.0) {
            (_, Choice::Plain) => options.unrolling.plain,
            (Procedure::Team(workers), _) => workers.provers[0],
            (Procedure::Alone(strategy), _) => *strategy,
        }
    }
}
