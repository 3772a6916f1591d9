//! Infinite runs by the engines that unroll: a counterexample is a lasso of at most as many steps as the bound says.

use super::meter::Beside;
use super::options::{Choice, Options, Procedure};
use super::portfolio::Task;
use super::solvers::{Solvers, with_solvers};
use super::unrolling::{Part, jobs, verdict};
use bounded::{Race, Strategy, Sweep, Workers, can_be_asked, is_temporal, race, unsupported};
use engine::{Findings, Trouble};
use limits::{Ended, Handle};
use system::{Machine, PropertyId};
use temporal::always;

/// Whether lassos can decide a property. `G p` is an invariant first.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    is_temporal(machine.system(), property)
        && always(machine.system(), property).is_none()
        && can_be_asked(machine, property)
}

/// Looks for lassos by plain bounded model checking or by underapproximation-widening.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let Task { machine, properties, options } = task;
    handle.limit_memory();
    with_solvers(options, |Solvers { bound, start, meter }| {
        let mut found = meter.search(|| match (&options.unrolling.widening, options.engine) {
            (Procedure::Team(workers), Choice::Widening) => {
                let question = Race { machine, properties, bound, start, guest: None, tell: &|_| () };
                race(question, &team(workers), jobs(options), handle)
            }
            _ => {
                let sweep = Sweep::new(machine, properties, bound, strategy(options), start);
                engine::run(&mut sweep.map_err(unsupported)?, handle)
            }
        })?;
        let otherwise = verdict(&found, Part::Whole, handle.why().unwrap_or(Ended::Interrupted));
        found.engine = if options.engine == Choice::Plain { "bmc" } else { "uw" };
        found.cost.formulas = Some(meter.read(u64::from(machine.system().state_bits()), Beside::Nothing));
        found.conclude(properties, &otherwise);
        Ok(found)
    })
}

/// Those who look for lassos: the first prover, and beside it one who hunts by parallel steps.
fn team(workers: &Workers) -> Workers {
    Workers { provers: workers.provers[..1].to_vec(), scouts: Vec::new(), ..workers.clone() }
}

fn strategy(options: &Options) -> Strategy {
    match (&options.unrolling.widening, options.engine) {
        (_, Choice::Plain) => options.unrolling.plain,
        (Procedure::Team(workers), _) => workers.provers[0],
        (Procedure::Alone(strategy), _) => *strategy,
    }
}
