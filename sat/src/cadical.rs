//! CaDiCaL, by the crate `cadical-sys`.
//!
//! Of the two bindings that need only a C++ compiler, this is the one with options and proof tracing.

use super::{Answer, Attempt, Files, Model, Phase, Setup, Solver};
use cadical_sys::{CaDiCal, Status};
use encoder::{ClauseSink, Lit};
use limits::{Effort, Handle, Work};

/// After this many conflicts the solver comes back to ask whether to go on.
const PATIENCE: i32 = 2_000;

/// What a literal costs that the solver is told, in its ticks, about: the making of a formula is work, too.
const TOLD: u64 = 4;

/// The solver, how many variables it has, and how many literals it was told.
pub struct Cadical {
    solver: CaDiCal,
    variables: u32,
    told: u64,
}

impl Cadical {
    /// A solver without clauses.
    pub fn new(setup: Setup) -> Cadical {
        let mut solver = CaDiCal::new();
        solver.set("phase", i32::from(setup.phase == Phase::True));
        solver.set("seed", i32::try_from(setup.seed).unwrap_or(i32::MAX));
        // Stable mode looks for solutions. Who refutes one bound after the other, and begins with true, is faster without it.
        solver.set("stabilize", i32::from(setup.phase == Phase::False));
        // Factoring introduces variables of its own, which would clash with those that we number.
        solver.set("factor", 0);
        solver.set("luckyassumptions", 0);
        solver.set("quiet", 1);
        Cadical { solver, variables: 0, told: 0 }
    }
}

impl ClauseSink for Cadical {
    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::numbered(self.variables)
    }

    fn clause(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.solver.add(lit.to_dimacs());
        }
        self.solver.add(0);
        self.told += clause.len() as u64;
    }
}

impl Solver for Cadical {
    fn solve(&mut self, assumptions: &[Lit], effort: Effort, handle: &mut Handle<'_>) -> Answer {
        loop {
            for lit in assumptions {
                self.solver.assume(lit.to_dimacs());
            }
            let _ = match effort {
                Effort::Unlimited => self.solver.limit("conflicts", PATIENCE),
                Effort::Conflicts(conflicts) => self.solver.limit("conflicts", conflicts),
                Effort::Ticks(ticks) => self.solver.limit("ticks", ticks),
            };
            match self.solver.solve() {
                Status::SATISFIABLE => {
                    let known = self.solver.vars();
                    let values = (1..=self.variables as i32).map(|var| var <= known && self.solver.val(var) > 0);
                    return Answer::Sat(Model::new(values.collect::<Vec<bool>>()));
                }
                Status::UNSATISFIABLE => {
                    let failed = assumptions.iter().copied().filter(|lit| self.solver.failed(lit.to_dimacs()));
                    return Answer::Unsat(failed.collect());
                }
                Status::UNKNOWN if handle.is_over() => return Answer::Interrupted,
                Status::UNKNOWN if effort != Effort::Unlimited => return Answer::Exhausted,
                Status::UNKNOWN => {}
            }
        }
    }

    fn work(&self) -> Option<Work> {
        let count = |name| u64::try_from(self.solver.get_statistic_value(name)).unwrap_or(0);
        Some(Work { conflicts: count("conflicts"), ticks: count("ticks") + TOLD * self.told })
    }

    fn name(&self) -> &'static str {
        "CaDiCaL"
    }
}

/// Refutes a formula with an LRAT proof. The solver reads the formula from its file: only then are the clauses numbered
/// as they stand there, as LRAT has it.
pub fn prove(files: Files<'_>, handle: &mut Handle<'_>) -> Attempt {
    let mut solver = CaDiCal::new();
    solver.set("quiet", 1);
    solver.set("factor", 0);
    solver.set("lrat", 1);
    solver.set("binary", 0);
    let (Some(formula), Some(proof)) = (files.formula.to_str(), files.proof.to_str()) else { return Attempt::Failed };
    let mut variables = 0;
    if !solver.trace_proof2(proof) || solver.read_dimacs2(formula, &mut variables, 1).is_err() {
        return Attempt::Failed;
    }
    loop {
        solver.limit("conflicts", PATIENCE);
        match solver.solve() {
            Status::SATISFIABLE => return Attempt::Satisfiable,
            Status::UNSATISFIABLE => {
                solver.close_proof_trace(false);
                return Attempt::Refuted;
            }
            Status::UNKNOWN if handle.is_over() => return Attempt::Interrupted,
            Status::UNKNOWN => {}
        }
    }
}
