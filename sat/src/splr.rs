//! splr: pure Rust, one query per solver.
//!
//! What splr says is checked here: a model against every clause, "unsatisfiable" by running its DRAT certificate
//! through our own checker, which also tells which assumptions are to blame.
//!
//! # Features
//!
//! We build splr without elimination of variables (feature `incremental_solver`), where version 0.17 panics on some
//! formulas, and without `unsafe_access`. A panic that still happens is caught; the query is then tried once more with
//! the clauses in reverse order.
//!
//! # Stopping
//!
//! splr looks at the clock and at nothing else. So it searches on a thread of its own, which is left alone when the search has
//! to end: for a second at first, then anew for two, for four and so on, so that a thread that is left alone ends by itself.
//! Continuing a search that ran out of time makes splr panic now and then; starting over costs at most three times the time
//! and keeps the answer independent of the clock. Our check of its certificate is on such a thread, too.

use super::one_shot::Query;
use super::{Answer, Solver};
use encoder::{ClauseSink, Cnf, Lit};
use limits::{Effort, Handle};
use proof::check_drat;
use splr::{Certificate, Config, SatSolverIF, SolveIF, SolverError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The clauses; a solver lives only as long as a query.
#[derive(Default)]
pub struct Splr {
    formula: Cnf,
}

impl ClauseSink for Splr {
    fn fresh(&mut self) -> Lit {
        self.formula.fresh()
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.formula.clause(clause);
    }
}

impl Solver for Splr {
    /// The core is what the certificate rests on. Where there is no certificate, because no temporary file could be
    /// written or our checker does not accept it, the core is none if splr refutes the clauses alone, and else all
    /// assumptions: coarse, but sound.
    fn solve(&mut self, assumptions: &[Lit], _: Effort, handle: &mut Handle<'_>) -> Answer {
        let query = Query::new(&self.formula, assumptions);
        match decide(&query, handle) {
            Outcome::Model(literals) => {
                let model = query.model(&literals);
                let wrong = || Answer::Failed("splr gave an assignment that satisfies not all clauses".to_owned());
                if query.is_satisfied_by(&model) { Answer::Sat(model) } else { wrong() }
            }
            Outcome::Refuted(certificate) => {
                let formula = query.to_refute();
                match beside(move || check_drat(&formula, &certificate), handle) {
                    Beside::Done(Ok(accepted)) => Answer::Unsat(query.blamed(&accepted)),
                    Beside::Done(Err(_)) | Beside::Lost => self.without_certificate(query, handle),
                    Beside::LeftAlone => Answer::Interrupted,
                }
            }
            Outcome::Trivial(answer) => answer,
            Outcome::OutOfTime => Answer::Interrupted,
            Outcome::Broken(why) => Answer::Failed(format!("splr failed: {why}")),
        }
    }

    fn name(&self) -> &'static str {
        "splr"
    }
}

impl Splr {
    fn without_certificate(&self, query: Query, handle: &mut Handle<'_>) -> Answer {
        match decide(&Query::new(&self.formula, &[]), handle) {
            Outcome::Refuted(_) | Outcome::Trivial(Answer::Unsat(_)) => Answer::Unsat(Vec::new()),
            Outcome::OutOfTime => Answer::Interrupted,
            _ => Answer::Unsat(query.assumptions),
        }
    }
}

enum Outcome {
    /// Literals that are true.
    Model(Vec<Lit>),
    /// Unsatisfiable, and the certificate.
    Refuted(Vec<u8>),
    /// No search was needed.
    Trivial(Answer),
    OutOfTime,
    /// splr panicked, or said itself that it is wrong.
    Broken(String),
}

/// Searches for as long as it takes.
fn decide(query: &Query, handle: &mut Handle<'_>) -> Outcome {
    if let Some(answer) = query.trivial() {
        return Outcome::Trivial(answer);
    }
    let clauses = || query.clauses.iter().map(|clause| clause.iter().map(|lit| lit.to_dimacs()).collect());
    let first = decide_as_ordered(clauses().collect(), handle);
    if let Outcome::Broken(_) = first {
        return decide_as_ordered(clauses().rev().collect(), handle);
    }
    first
}

fn decide_as_ordered(clauses: Vec<Vec<i32>>, handle: &mut Handle<'_>) -> Outcome {
    let clauses = Arc::new(clauses);
    let mut seconds = 1.0;
    while !handle.is_over() {
        match search_beside(&clauses, seconds, handle) {
            Outcome::OutOfTime => seconds *= 2.0,
            outcome => return outcome,
        }
    }
    Outcome::OutOfTime
}

/// How often it is asked whether to go on.
const POLL: Duration = Duration::from_millis(20);

/// What became of work on another thread.
enum Beside<T> {
    Done(T),
    /// The run had to end before.
    LeftAlone,
    /// The thread ended without a result.
    Lost,
}

/// Does something that looks at no handle on another thread, which is left alone if the run has to end before: its result is dropped then.
fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static, handle: &mut Handle<'_>) -> Beside<T> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let _ = sender.send(work());
    });
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(done) => return Beside::Done(done),
            Err(RecvTimeoutError::Timeout) if handle.is_over() => return Beside::LeftAlone,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Beside::Lost,
        }
    }
}

/// Searches for this many seconds on another thread, which is left alone if the search has to end before.
fn search_beside(clauses: &Arc<Vec<Vec<i32>>>, seconds: f64, handle: &mut Handle<'_>) -> Outcome {
    let scratch = Scratch::new();
    let folder = scratch.as_ref().map(|scratch| scratch.0.clone());
    let clauses = Arc::clone(clauses);
    let searched = beside(
        move || {
            let searched = catch_unwind(AssertUnwindSafe(|| search(&clauses, seconds, folder.as_deref())));
            searched.unwrap_or_else(|_| Outcome::Broken("it panicked".to_owned()))
        },
        handle,
    );
    match searched {
        Beside::Done(outcome) => outcome,
        Beside::LeftAlone => Outcome::OutOfTime,
        Beside::Lost => Outcome::Broken("its thread ended".to_owned()),
    }
}

/// Searches for this many seconds, which splr rounds down to whole ones, with a folder for the certificate.
fn search(clauses: &[Vec<i32>], seconds: f64, folder: Option<&Path>) -> Outcome {
    let config = Config {
        c_timeout: seconds,
        quiet_mode: true,
        use_certification: folder.is_some(),
        io_odir: folder.map(Path::to_owned).unwrap_or_default(),
        ..Config::default()
    };
    let mut solver = match splr::Solver::try_from((config, clauses)) {
        Ok(solver) => solver,
        // The clauses that are units are in conflict, which the checker finds without a certificate.
        Err(Ok(Certificate::UNSAT) | Err(SolverError::EmptyClause)) => return Outcome::Refuted(Vec::new()),
        Err(other) => return Outcome::Broken(format!("{other:?}")),
    };
    match solver.solve() {
        Ok(Certificate::SAT(literals)) => Outcome::Model(literals.into_iter().filter_map(Lit::from_dimacs).collect()),
        Ok(Certificate::UNSAT) => {
            solver.save_certification();
            Outcome::Refuted(folder.map(certificate).unwrap_or_default())
        }
        Err(SolverError::TimeOut) => Outcome::OutOfTime,
        Err(error) => Outcome::Broken(error.to_string()),
    }
}

/// What splr wrote to its folder.
fn certificate(folder: &Path) -> Vec<u8> {
    let file: &Path = splr::config::CERTIFICATION_DEFAULT_FILENAME.as_ref();
    std::fs::read(folder.join(file)).unwrap_or_default()
}

/// A folder of our own for the certificate, which splr writes to a file and nowhere else.
struct Scratch(PathBuf);

/// Folders that a process left behind when it was killed may be in the way of one with the same number.
const ATTEMPTS: usize = 100;

impl Scratch {
    fn new() -> Option<Scratch> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        (0..ATTEMPTS).find_map(|_| {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("uwbmc-splr-{}-{number}", std::process::id()));
            std::fs::create_dir(&path).ok().map(|()| Scratch(path))
        })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind in the temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
