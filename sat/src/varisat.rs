//! varisat: pure Rust. It cannot be stopped in the middle of a query; whether to go on is asked before each one.

use super::{Answer, Attempt, Effort, Files, Model, Solver};
use encoder::{ClauseSink, Cnf, Lit};
use varisat::ExtendFormula;

/// The solver and how many variables it has.
#[derive(Default)]
pub struct Varisat {
    solver: varisat::Solver<'static>,
    variables: u32,
}

fn theirs(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_dimacs(lit.to_dimacs() as isize)
}

fn ours(lit: varisat::Lit) -> Option<Lit> {
    Lit::from_dimacs(lit.to_dimacs() as i32)
}

impl ClauseSink for Varisat {
    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::numbered(self.variables)
    }

    fn clause(&mut self, clause: &[Lit]) {
        let clause: Vec<varisat::Lit> = clause.iter().map(|lit| theirs(*lit)).collect();
        self.solver.add_clause(&clause);
    }
}

impl Solver for Varisat {
    fn solve(&mut self, assumptions: &[Lit], _: Effort, stop: &mut dyn FnMut() -> bool) -> Answer {
        if stop() {
            return Answer::Interrupted;
        }
        let assumed: Vec<varisat::Lit> = assumptions.iter().map(|lit| theirs(*lit)).collect();
        self.solver.assume(&assumed);
        match self.solver.solve() {
            Ok(true) => {
                let mut values = vec![false; self.variables as usize];
                for lit in self.solver.model().into_iter().flatten().filter_map(ours) {
                    if let Some(value) = values.get_mut(lit.variable() as usize - 1) {
                        *value = lit.is_positive();
                    }
                }
                Answer::Sat(Model::new(values))
            }
            Ok(false) => {
                let core = self.solver.failed_core().unwrap_or_default();
                Answer::Unsat(core.iter().copied().filter_map(ours).collect())
            }
            Err(_) => Answer::Interrupted,
        }
    }

    fn name(&self) -> &'static str {
        "varisat"
    }
}

/// Refutes a formula with a DRAT proof.
pub fn prove(cnf: &Cnf, files: Files<'_>, stop: &mut dyn FnMut() -> bool) -> Attempt {
    let Ok(file) = std::fs::File::create(files.proof) else { return Attempt::Failed };
    if stop() {
        return Attempt::Failed;
    }
    let mut solver = varisat::Solver::new();
    solver.write_proof(std::io::BufWriter::new(file), varisat::ProofFormat::Drat);
    for clause in &cnf.clauses {
        let clause: Vec<varisat::Lit> = clause.iter().map(|lit| theirs(*lit)).collect();
        solver.add_clause(&clause);
    }
    let answer = solver.solve();
    match (answer, solver.close_proof()) {
        (Ok(false), Ok(())) => Attempt::Refuted,
        (Ok(true), _) => Attempt::Satisfiable,
        _ => Attempt::Failed,
    }
}
