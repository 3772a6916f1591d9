//! Infinite runs by the engines that unroll: a counterexample is a lasso of at most as many steps as the bound says.

use super::effort::Effort;
use super::engine::{Engine, Task};
use super::findings::Findings;
use super::handle::Handle;
use super::meter::{Beside, Meter};
use super::options::{self, Choice, Options, Procedure};
use super::unrolling::{bounds, report, starter, unsupported, verdict};
use crate::error::Error;
use bounded::{Strategy, Sweep, can_be_asked, run};
use limits::Progress;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId};
use temporal::always;

/// Lassos by plain bounded model checking or by underapproximation-widening.
pub struct Lassos(pub Choice);

impl Engine for Lassos {
    fn name(&self) -> &'static str {
        if self.0 == Choice::Plain { "bmc" } else { "uw" }
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        let is_temporal = matches!(machine.system().properties[property].claim, Claim::Ltl(_));
        // `G p` is an invariant first.
        is_temporal && always(machine.system(), property).is_none() && can_be_asked(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let Task { machine, properties, options } = *task;
        let Some(bound) = options.bound else {
            return Err(Error::Usage("bounded model checking needs a bound: add --k N".to_owned()));
        };
        let folder = std::env::temp_dir().join(format!("uwbmc-lassos-{}", std::process::id()));
        let meter = Arc::new(Meter::default());
        let start = starter(options, folder.clone(), Arc::clone(&meter));
        handle.limit_memory(options.memory as u64);
        let sweep = || Sweep::new(machine, properties, bound, self.strategy(options), &start);
        let result = meter.search(|| {
            let sweep = sweep()?;
            Ok(run(sweep, &mut |seen| handle.see(&Progress::Bounds(bounds(seen, bound))).is_break()))
        });
        if let options::Solver::Command(_) = options.unrolling.solver {
            let _ = std::fs::remove_dir_all(&folder);
        }
        let result = result.map_err(unsupported)?;
        if let Some(failure) = result.failure {
            return Err(Error::Solver(failure));
        }
        let otherwise = verdict(&result, false, handle.why().unwrap_or("interrupted"));
        Ok(Findings {
            effort: Effort {
                states: None,
                rounds: result.rounds.iter().map(|round| report(machine.system(), round)).collect(),
                points: result.points,
                formulas: Some(meter.read(u64::from(machine.system().state_bits()), Beside::Nothing)),
            },
            verdicts: Findings::decide(properties, result.violations, &otherwise),
            fault: result.fault,
            ..Findings::new(self.name())
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
