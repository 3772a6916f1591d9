//! Infinite runs by the engines that unroll: a counterexample is a lasso of at most as many steps as the bound says.

use super::engine::{Engine, Task};
use super::findings::Findings;
use super::handle::Handle;
use super::meter::Beside;
use super::options::{Choice, Options, Procedure};
use super::solvers::{Solvers, with_solvers};
use super::unrolling::{bounds, effort, unsupported, verdict};
use crate::error::Error;
use bounded::{Strategy, Sweep, can_be_asked, is_temporal, run};
use limits::Progress;
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
        handle.limit_memory(options.memory as u64);
        with_solvers(options, |Solvers { bound, start, meter }| {
            let result = meter.search(|| {
                let sweep = Sweep::new(machine, properties, bound, self.strategy(options), start)?;
                Ok(run(sweep, &mut |seen| handle.see(&Progress::Bounds(bounds(seen, bound))).is_break()))
            });
            let result = result.map_err(unsupported)?;
            if let Some(failure) = &result.failure {
                return Err(Error::Solver(failure.clone()));
            }
            let otherwise = verdict(&result, false, handle.why().unwrap_or("interrupted"));
            Ok(Findings {
                effort: effort(machine, &result, meter, Beside::Nothing),
                verdicts: Findings::decide(properties, result.violations, &otherwise),
                fault: result.fault,
                ..Findings::new(self.name())
            })
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
