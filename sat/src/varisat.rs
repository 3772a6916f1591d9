//! varisat: pure Rust.
//!
//! # Stopping
//!
//! It cannot be stopped in the middle of a query. So it lives on a thread of its own, which is given clauses and queries and
//! is left alone when a search has to end. The next query then begins anew with all clauses, on another thread.

use super::{Answer, Attempt, Files, Model, Solver};
use encoder::{ClauseSink, Cnf, Lit};
use limits::{Effort, Handle};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;
use varisat::ExtendFormula;

/// How often it is asked whether to go on.
const POLL: Duration = Duration::from_millis(20);

/// The formula, and the thread that knows it.
#[derive(Default)]
pub struct Varisat {
    variables: u32,
    clauses: Vec<Vec<varisat::Lit>>,
    /// There is none before the first query, and after one in the middle of which the search had to end.
    beside: Option<Beside>,
}

/// The thread.
struct Beside {
    queries: Sender<Query>,
    answers: Receiver<Answer>,
    /// How many of the clauses it has been given.
    given: usize,
}

/// A query, with the clauses that are new.
struct Query {
    clauses: Vec<Vec<varisat::Lit>>,
    assumptions: Vec<varisat::Lit>,
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
        self.clauses.push(clause.iter().map(|lit| theirs(*lit)).collect());
    }
}

impl Solver for Varisat {
    fn solve(&mut self, assumptions: &[Lit], _: Effort, handle: &mut Handle<'_>) -> Answer {
        if handle.is_over() {
            return Answer::Interrupted;
        }
        if let Some(core) = contradiction(assumptions) {
            return Answer::Unsat(core);
        }
        let beside = self.beside.get_or_insert_with(start);
        let clauses = self.clauses[beside.given..].to_vec();
        let assumptions = assumptions.iter().map(|lit| theirs(*lit)).collect();
        beside.given = self.clauses.len();
        let is_asked = beside.queries.send(Query { clauses, assumptions, variables: self.variables }).is_ok();
        let answer = if is_asked { wait(&beside.answers, handle) } else { None };
        let answer = answer.unwrap_or_else(|| Answer::Failed("varisat: its thread ended".to_owned()));
        if matches!(answer, Answer::Interrupted | Answer::Failed(_)) {
            self.beside = None;
        }
        answer
    }

    fn name(&self) -> &'static str {
        "varisat"
    }
}

/// Two assumptions that contradict each other. varisat 0.2.2 then names a core that can be satisfied.
fn contradiction(assumptions: &[Lit]) -> Option<Vec<Lit>> {
    let mut sorted = assumptions.to_vec();
    sorted.sort_unstable_by_key(|lit| (lit.variable(), lit.is_positive()));
    sorted.windows(2).find(|pair| pair[0] == !pair[1]).map(<[Lit]>::to_vec)
}

/// Starts the thread.
fn start() -> Beside {
    let ((queries, asked), (answer, answers)) = (channel::<Query>(), channel());
    std::thread::spawn(move || {
        let mut solver = varisat::Solver::new();
        for query in asked {
            // A search that has to end leaves the thread alone, and the answer is for no one.
            if answer.send(solve(&mut solver, &query)).is_err() {
                return;
            }
        }
    });
    Beside { queries, answers, given: 0 }
}

/// Waits for an answer until the search has to end; nothing if there will be none.
fn wait(answers: &Receiver<Answer>, handle: &mut Handle<'_>) -> Option<Answer> {
    loop {
        match answers.recv_timeout(POLL) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Timeout) if handle.is_over() => return Some(Answer::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

fn solve(solver: &mut varisat::Solver<'_>, query: &Query) -> Answer {
    query.clauses.iter().for_each(|clause| solver.add_clause(clause));
    solver.assume(&query.assumptions);
    match solver.solve() {
        Ok(true) => {
            let mut values = vec![false; query.variables as usize];
            for lit in solver.model().into_iter().flatten().filter_map(ours) {
                if let Some(value) = values.get_mut(lit.variable() as usize - 1) {
                    *value = lit.is_positive();
                }
            }
            Answer::Sat(Model::new(values))
        }
        Ok(false) => {
            let core = solver.failed_core().unwrap_or_default();
            Answer::Unsat(core.iter().copied().filter_map(ours).collect())
        }
        Err(error) => Answer::Failed(format!("varisat: {error}")),
    }
}

/// Refutes a formula with a DRAT proof.
pub fn prove(cnf: &Cnf, files: Files<'_>, handle: &mut Handle<'_>) -> Attempt {
    let clauses = cnf.clauses.iter().map(|clause| clause.iter().map(|lit| theirs(*lit)).collect()).collect();
    let file = files.proof.to_owned();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        // A search that had to end has no listener.
        let _ = sender.send(refute(clauses, &file));
    });
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(attempt) => return attempt,
            Err(RecvTimeoutError::Timeout) if handle.is_over() => return Attempt::Interrupted,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Attempt::Failed,
        }
    }
}

fn refute(clauses: Vec<Vec<varisat::Lit>>, proof: &Path) -> Attempt {
    let Ok(file) = std::fs::File::create(proof) else { return Attempt::Failed };
    let mut solver = varisat::Solver::new();
    solver.write_proof(std::io::BufWriter::new(file), varisat::ProofFormat::Drat);
    for clause in clauses {
        solver.add_clause(&clause);
    }
    let answer = solver.solve();
    match (answer, solver.close_proof()) {
        (Ok(false), Ok(())) => Attempt::Refuted,
        (Ok(true), _) => Attempt::Satisfiable,
        _ => Attempt::Failed,
    }
}
