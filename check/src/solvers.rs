//! Solvers for a search, and what they need: a bound, a folder for those that are commands, and a meter.

use super::meter::Meter;
use super::options::{self, Options};
use bounded::Start;
use engine::Trouble;
use sat::{External, Phase, Setup, Solver};
use std::path::PathBuf;
use std::sync::Arc;

/// What a search by solvers works with.
pub(super) struct Solvers<'a> {
    /// How many steps are looked ahead.
    pub bound: usize,
    /// Makes solvers that the meter measures.
    pub start: Start<'a>,
    /// What they take.
    pub meter: &'a Meter,
}

/// Searches with the solvers that the options name; nothing of them stays behind.
pub(super) fn with_solvers<T>(
    options: &Options,
    search: impl FnOnce(Solvers<'_>) -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let Some(bound) = options.bound else {
        return Err(Trouble::Usage("bounded model checking needs a bound: add --k N".to_owned()));
    };
    let folder = std::env::temp_dir().join(format!("uwbmc-solver-{}", std::process::id()));
    let meter = Arc::new(Meter::default());
    let start = starter(options, folder.clone(), Arc::clone(&meter));
    let result = search(Solvers { bound, start: &start, meter: &meter });
    if let options::Solver::Command(_) = options.unrolling.solver {
        let _ = std::fs::remove_dir_all(&folder);
    }
    result
}

/// Makes the solvers that the options name, and measures them.
fn starter(options: &Options, folder: PathBuf, meter: Arc<Meter>) -> impl Fn(Phase) -> Box<dyn Solver> + Sync {
    let start = solvers(&options.unrolling.solver, options.seed, folder);
    move |phase| meter.attach(start(phase))
}

/// Makes solvers. Those that are commands work in a folder.
fn solvers(solver: &options::Solver, seed: u32, folder: PathBuf) -> impl Fn(Phase) -> Box<dyn Solver> + Sync {
    let solver = solver.clone();
    move |phase| match &solver {
        options::Solver::Command(command) => Box::new(External::new(command.clone(), folder.clone())),
        options::Solver::BuiltIn(choice) => choice.start(Setup { phase, seed }),
    }
}
