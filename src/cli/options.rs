//! From the arguments of `uwbmc check` to the options of the library.

use super::{CheckArgs, Engine, Extra, Ingredient, Widening};
use crate::check::{Choice, Cone, Known, Options, Procedure, Proofs, Runs, Solver, Trust, Unrolling, Witnesses};
use bounded::{Carry, Hunter, Minimise, Reuse, Rounds, Strategy, Stride, Widen, Workers};
use encoder::{Alike, Distances, Grain, Idling, Scheduling, Valid};

/// The bytes of a megabyte.
const MEGABYTE: usize = 1_000_000;

/// The conflicts that leaving out one blamed point may cost.
const MINIMISE_WITHIN: i32 = 200;

impl CheckArgs {
    /// What they ask for.
    pub fn options(&self) -> Options {
        let trust = if self.certify { Trust::Checker } else { Trust::Solver };
        Options {
            engine: self.engine().into(),
            bound: self.bound,
            properties: self.properties.clone(),
            timeout: self.timeout,
            memory: self.memory.saturating_mul(MEGABYTE),
            seed: self.seed,
            jobs: self.jobs,
            unrolling: self.unrolling(),
            visiting: self.explicit.visiting(),
            witnesses: if self.witness { Witnesses::Wanted } else { Witnesses::NotWanted },
            proofs: Proofs { folder: self.proof.clone(), trust },
            known: Known::default(),
        }
    }

    fn unrolling(&self) -> Unrolling {
        let is_left_out = |ingredient| self.without.contains(&ingredient);
        let solver = self.solver_cmd.clone().map_or(Solver::BuiltIn(self.solver()), Solver::Command);
        Unrolling {
            widening: self.widening_procedure(),
            plain: self.alone(if self.por { Strategy::pruned() } else { Strategy::plain() }),
            runs: if self.exact { Runs::Exactly } else { Runs::UpTo },
            cone: if is_left_out(Ingredient::Cone) { Cone::Whole } else { Cone::Influence },
            solver,
        }
    }

    fn widening_procedure(&self) -> Procedure {
        let mut workers = workers(&self.with, &self.without);
        if self.fresh {
            workers.provers.iter_mut().for_each(|prover| prover.reuse = Reuse::Fresh);
        }
        match self.widening {
            Widening::Paper => Procedure::Alone(self.alone(Strategy::paper())),
            Widening::Incremental if self.exact => Procedure::Alone(self.alone(workers.provers[0])),
            Widening::Incremental => Procedure::Team(workers),
        }
    }

    /// A strategy that works alone.
    fn alone(&self, mut strategy: Strategy) -> Strategy {
        if self.without.contains(&Ingredient::Distances) {
            strategy.rules.distances = Distances::Unlimited;
        }
        if self.without.contains(&Ingredient::Alike) {
            strategy.rules.alike = Alike::Free;
        }
        if self.fresh {
            strategy.reuse = Reuse::Fresh;
        }
        strategy
    }
}

impl From<Engine> for Choice {
    fn from(engine: Engine) -> Choice {
        match engine {
            Engine::Auto => Choice::Auto,
            Engine::Explicit => Choice::Explicit,
            Engine::Stateless => Choice::Stateless,
            Engine::Symbolic => Choice::Symbolic,
            Engine::Uw => Choice::Widening,
            Engine::Bmc => Choice::Plain,
        }
    }
}

/// Who takes part by default, and who and what is left out.
fn workers(with: &[Extra], without: &[Ingredient]) -> Workers {
    let has = |ingredient| !without.contains(&ingredient);
    let is_team = has(Ingredient::Race);
    let hunter = if is_team && has(Ingredient::Passes) { Hunter::Present } else { Hunter::Absent };
    let mut workers = Workers { hunter, ..Workers::default() };
    if let Some(pruned) = workers.provers.get_mut(1) {
        if !has(Ingredient::Scheduling) {
            pruned.rules.scheduling = Scheduling::Free;
        }
        if !has(Ingredient::Idling) {
            pruned.rules.idling = Idling::Allowed;
        }
    }
    let prover = &mut workers.provers[0];
    if !has(Ingredient::Switches) {
        *prover = Strategy::plain();
    }
    if !has(Ingredient::Grain) {
        prover.rules.grain = Grain::Point;
    }
    if !has(Ingredient::Limit) {
        prover.rounds = Rounds::Unlimited;
    }
    if !has(Ingredient::Stride) {
        prover.stride = Stride::One;
    }
    if !has(Ingredient::Monotone) && has(Ingredient::Switches) {
        prover.rules.valid = Valid::Paper;
        prover.rules.grain = Grain::Point;
    }
    if !has(Ingredient::Together) {
        prover.widen = Widen::One;
    }
    if !has(Ingredient::Carry) {
        prover.carry = Carry::Restart;
    }
    if with.contains(&Extra::Minimise) {
        prover.minimise = Minimise::Within(MINIMISE_WITHIN);
    }
    if !has(Ingredient::Incremental) {
        prover.reuse = Reuse::Fresh;
    }
    if !has(Ingredient::Pruned) || !is_team {
        workers.provers.truncate(1);
    }
    if !has(Ingredient::Distances) {
        workers.provers.iter_mut().for_each(|prover| prover.rules.distances = Distances::Unlimited);
    }
    if !has(Ingredient::Alike) {
        workers.provers.iter_mut().for_each(|prover| prover.rules.alike = Alike::Free);
    }
    if !has(Ingredient::Orders) {
        workers.scouts.clear();
    }
    workers
}
