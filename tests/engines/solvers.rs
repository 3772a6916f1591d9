//! One conformance suite that every solver passes: the built-in ones, and an external one that comes with the suite.

use encoder::{ClauseSink, Lit};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use uwbmc::limits::{Effort, Handle, Interrupt};
use uwbmc::sat::{Answer, Choice, External, Setup, Solver};

/// A solver under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    BuiltIn(Choice),
    /// The command `tests/solvers/tiny.awk`, which gives no proofs.
    Tiny,
}

impl Backend {
    fn start(self) -> Box<dyn Solver> {
        match self {
            Backend::BuiltIn(choice) => choice.start(Setup::default()),
            Backend::Tiny => Box::new(External::new("awk -f tests/solvers/tiny.awk {cnf}".to_owned(), folder())),
        }
    }

    /// Whether it knows that assumptions are not to blame for what the clauses alone contradict.
    fn tells_who_is_to_blame(self) -> bool {
        self != Backend::Tiny
    }
}

fn backends() -> Vec<Backend> {
    let built_in = <Choice as clap::ValueEnum>::value_variants().iter().map(|choice| Backend::BuiltIn(*choice));
    built_in.chain(has("awk").then_some(Backend::Tiny)).collect()
}

/// Whether there is a program; says so if not, as tests are left out then.
fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let found = command.status().is_ok();
    if !found {
        eprintln!("there is no {program}: the external solver is left out");
    }
    found
}

/// A folder for the files of an external solver, one for each test: none has two such solvers at a time.
fn folder() -> PathBuf {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solvers-{test}"))
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("a literal")
}

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().copied().map(lit).collect()
}

/// A solver and what it was told, to check its answers against.
struct Session {
    backend: Backend,
    solver: Box<dyn Solver>,
    variables: u32,
    clauses: Vec<Vec<Lit>>,
}

/// An answer that was found to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Checked {
    Sat,
    Unsat(BTreeSet<Lit>),
}

impl Session {
    fn new(backend: Backend, variables: u32, clauses: &[&[i32]]) -> Session {
        let mut session = Session { backend, solver: backend.start(), variables, clauses: Vec::new() };
        for number in 1..=variables {
            assert_eq!(session.solver.fresh(), lit(number as i32), "variables are numbered from 1 without gaps");
        }
        for clause in clauses {
            session.clause(&lits(clause));
        }
        session
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.solver.clause(clause);
        self.clauses.push(clause.to_vec());
    }

    /// Asks, and checks the answer in itself: a model satisfies everything, a core is enough for a contradiction.
    fn ask(&mut self, assumptions: &[Lit]) -> Checked {
        let backend = self.backend;
        match self.solver.solve(assumptions, Effort::Unlimited, &mut Handle::default()) {
            Answer::Sat(model) => {
                for clause in &self.clauses {
                    assert!(clause.iter().any(|lit| model.holds(*lit)), "{backend:?}: the model violates {clause:?}");
                }
                for lit in assumptions {
                    assert!(model.holds(*lit), "{backend:?}: the model violates the assumption {lit:?}");
                }
                Checked::Sat
            }
            Answer::Unsat(core) => {
                let core: BTreeSet<Lit> = core.into_iter().collect();
                let allowed: BTreeSet<Lit> = assumptions.iter().copied().collect();
                assert!(core.is_subset(&allowed), "{backend:?}: the core {core:?} is no subset of {allowed:?}");
                assert!(!self.satisfiable(&core), "{backend:?}: the core {core:?} can be satisfied");
                Checked::Unsat(core)
            }
            other => panic!("{backend:?}: {other:?}"),
        }
    }

    fn expect_sat(&mut self, assumptions: &[i32]) {
        assert_eq!(self.ask(&lits(assumptions)), Checked::Sat, "{:?}", self.backend);
    }

    fn expect_unsat(&mut self, assumptions: &[i32]) -> BTreeSet<Lit> {
        match self.ask(&lits(assumptions)) {
            Checked::Unsat(core) => core,
            Checked::Sat => panic!("{:?}: assumptions {assumptions:?}", self.backend),
        }
    }

    /// The truth: by trying all assignments, or by another solver where there are too many.
    fn satisfiable(&self, assumptions: &BTreeSet<Lit>) -> bool {
        if self.variables <= 10 {
            return (0..1_u32 << self.variables).any(|assignment| {
                let holds = |lit: &Lit| (assignment >> (lit.variable() - 1) & 1 == 1) == lit.is_positive();
                assumptions.iter().all(holds) && self.clauses.iter().all(|clause| clause.iter().any(holds))
            });
        }
        let itself = self.backend == Backend::BuiltIn(Choice::default());
        let other = if itself { Choice::Splr } else { Choice::default() };
        let mut other = Session::new(Backend::BuiltIn(other), self.variables, &[]);
        let units = assumptions.iter().map(|lit| vec![*lit]);
        for clause in self.clauses.iter().cloned().chain(units) {
            other.solver.clause(&clause);
        }
        matches!(other.solver.solve(&[], Effort::Unlimited, &mut Handle::default()), Answer::Sat(_))
    }
}

#[test]
fn no_clauses() {
    for backend in backends() {
        Session::new(backend, 0, &[]).expect_sat(&[]);
        Session::new(backend, 3, &[]).expect_sat(&[-1, 2]);
    }
}

#[test]
fn the_empty_clause() {
    for backend in backends() {
        let mut session = Session::new(backend, 2, &[&[1, 2], &[]]);
        assert!(session.expect_unsat(&[]).is_empty());
        assert!(session.expect_unsat(&[1]).is_empty(), "{backend:?}");
        session.clause(&lits(&[-1]));
        assert!(session.expect_unsat(&[2]).is_empty(), "{backend:?}");
    }
}

#[test]
fn repeated_and_opposite_literals_in_a_clause() {
    for backend in backends() {
        let mut session = Session::new(backend, 4, &[&[1, 1], &[2, -2], &[-1, 3, 3, -1], &[4, -4, 4, -4]]);
        session.expect_sat(&[]);
        session.expect_sat(&[-2, -4]);
        session.expect_sat(&[2, 4]);
        session.expect_unsat(&[-3]);
        session.clause(&lits(&[-3, -3]));
        session.expect_unsat(&[]);
    }
}

#[test]
fn contradictory_assumptions() {
    for backend in backends() {
        let mut session = Session::new(backend, 4, &[&[1, 2]]);
        assert_eq!(session.expect_unsat(&[3, 1, -3]), lits(&[3, -3]).into_iter().collect(), "{backend:?}");
        assert_eq!(session.expect_unsat(&[-4, 4]), lits(&[4, -4]).into_iter().collect(), "{backend:?}");
        session.expect_sat(&[3, 1]);
    }
}

#[test]
fn repeated_assumptions() {
    for backend in backends() {
        let mut session = Session::new(backend, 3, &[&[-1, -2]]);
        session.expect_sat(&[1, 1, 3, 3, 1]);
        session.expect_unsat(&[1, 2, 1, 2, 2]);
        session.expect_sat(&[2, 2]);
    }
}

/// Assumptions hold for one query only.
#[test]
fn assumptions_are_forgotten() {
    for backend in backends() {
        let mut session = Session::new(backend, 2, &[&[1, 2]]);
        session.expect_unsat(&[-1, -2]);
        session.expect_sat(&[-1]);
        session.expect_sat(&[-2]);
        session.expect_sat(&[]);
    }
}

/// A core that is negated, as one binding returns it, is no subset of the assumptions.
#[test]
fn a_core_has_the_signs_of_the_assumptions() {
    for backend in backends().into_iter().filter(|backend| backend.tells_who_is_to_blame()) {
        for signs in 0..4 {
            let (a, b) = (if signs & 1 == 0 { 1 } else { -1 }, if signs & 2 == 0 { 2 } else { -2 });
            let mut session = Session::new(backend, 4, &[&[-a, -b], &[3, 4]]);
            assert_eq!(session.expect_unsat(&[3, a, b]), lits(&[a, b]).into_iter().collect(), "{backend:?}");
            // One link between the two, so that the solver has to propagate.
            let mut session = Session::new(backend, 4, &[&[-a, 4], &[-4, -b]]);
            assert_eq!(session.expect_unsat(&[a, 3, b]), lits(&[a, b]).into_iter().collect(), "{backend:?}");
        }
    }
}

#[test]
fn clauses_that_contradict_each_other_blame_no_assumption() {
    for backend in backends().into_iter().filter(|backend| backend.tells_who_is_to_blame()) {
        let contradiction: [&[i32]; 4] = [&[1, 2], &[-1, 2], &[1, -2], &[-1, -2]];
        let mut session = Session::new(backend, 4, &contradiction);
        // The engines take an empty core to mean that there are no more runs; they ask again and again.
        session.expect_unsat(&[]);
        assert!(session.expect_unsat(&[3, -4]).is_empty(), "{backend:?}");
        let mut session = Session::new(backend, 4, &contradiction);
        assert!(session.expect_unsat(&[3, -4]).is_empty(), "{backend:?}");
    }
}

#[test]
fn a_variable_in_no_clause() {
    for backend in backends() {
        let mut session = Session::new(backend, 9, &[&[2, 3]]);
        session.expect_sat(&[]);
        session.expect_sat(&[9, -8, 1]);
        session.expect_sat(&[-9, 8, -1]);
        let late = session.solver.fresh();
        session.variables += 1;
        assert_eq!(session.ask(&[!late]), Checked::Sat);
        assert_eq!(session.ask(&[late]), Checked::Sat);
        session.clause(&[late]);
        assert_eq!(session.ask(&[!late]), Checked::Unsat([!late].into()));
    }
}

#[test]
fn twenty_thousand_assumptions() {
    const MANY: i32 = 20_000;
    for backend in backends() {
        let mut session = Session::new(backend, MANY as u32, &[]);
        for number in 1..MANY {
            session.clause(&lits(&[-number, number + 1]));
        }
        let all: Vec<i32> = (1..=MANY).collect();
        session.expect_sat(&all);
        session.clause(&lits(&[-(MANY / 2), -MANY]));
        session.expect_unsat(&all);
        let none: Vec<i32> = (1..=MANY).map(|number| -number).collect();
        session.expect_sat(&none);
    }
}

/// More pigeons than holes: each in a hole, no two in one. Hard for resolution.
fn pigeons(backend: Backend, holes: u32) -> Session {
    let mut session = Session::new(backend, (holes + 1) * holes, &[]);
    let sits = |pigeon: u32, hole: u32| lit((pigeon * holes + hole + 1) as i32);
    for pigeon in 0..=holes {
        let somewhere: Vec<Lit> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        session.clause(&somewhere);
        for (hole, other) in (0..holes).flat_map(|hole| (0..pigeon).map(move |other| (hole, other))) {
            session.clause(&[!sits(pigeon, hole), !sits(other, hole)]);
        }
    }
    session
}

#[test]
fn pigeons_that_do_not_fit() {
    for backend in backends() {
        for holes in 1..=4 {
            pigeons(backend, holes).expect_unsat(&[]);
            pigeons(backend, holes).expect_unsat(&[1, -2]);
        }
    }
}

#[test]
fn an_observer_that_says_stop_at_once_is_obeyed() {
    for backend in backends() {
        let (mut handle, flag) = (Handle::default(), Interrupt::default());
        flag.raise();
        let answer = pigeons(backend, 12).solver.solve(&[], Effort::Unlimited, &mut handle.until(flag));
        assert!(matches!(answer, Answer::Interrupted), "{backend:?}: {answer:?}");
    }
}

#[test]
fn a_search_can_be_stopped() {
    for backend in backends() {
        let mut session = pigeons(backend, 12);
        let (start, patience) = (Instant::now(), Some(Duration::from_millis(300)));
        let answer = session.solver.solve(&[], Effort::Unlimited, &mut Handle::new(patience, usize::MAX, &mut ()));
        assert!(matches!(answer, Answer::Interrupted), "{backend:?}: {answer:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{backend:?} took {:?}", start.elapsed());
        // And can be used afterwards.
        session.clause(&[]);
        session.expect_unsat(&[1]);
    }
}

/// What can be done with a solver.
#[derive(Clone, Debug)]
enum Step {
    Clause(Vec<i32>),
    Ask(Vec<i32>),
}

const VARIABLES: i32 = 6;

fn literals(count: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Vec<i32>> {
    let literal = (1..=VARIABLES, any::<bool>()).prop_map(|(number, sign)| if sign { number } else { -number });
    proptest::collection::vec(literal, count)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let clause = prop_oneof![1 => literals(0..=1), 30 => literals(2..=4)].prop_map(Step::Clause);
    let ask = literals(0..=5).prop_map(Step::Ask);
    proptest::collection::vec(prop_oneof![4 => clause, 1 => ask], 1..50)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Clauses and queries in any order.
    #[test]
    fn random_sessions(steps in steps()) {
        for backend in backends() {
            let mut session = Session::new(backend, VARIABLES as u32, &[]);
            for step in &steps {
                match step {
                    Step::Clause(clause) => session.clause(&lits(clause)),
                    Step::Ask(assumptions) => {
                        let assumptions = lits(assumptions);
                        let expected = session.satisfiable(&assumptions.iter().copied().collect());
                        let answer = session.ask(&assumptions);
                        prop_assert_eq!(answer == Checked::Sat, expected, "{:?}", backend);
                    }
                }
            }
        }
    }
}

#[test]
fn assumptions_that_contradict_each_other_are_a_core() {
    for backend in backends() {
        let mut session = Session::new(backend, 4, &[&[-4, -4]]);
        session.expect_unsat(&[4]);
        session.clause(&lits(&[-1, -2, 4]));
        session.expect_sat(&[]);
        session.expect_sat(&[]);
        let core = session.expect_unsat(&[1, -3, -1]);
        assert!(core.contains(&lit(1)) && core.contains(&lit(-1)), "{backend:?}: {core:?}");
    }
}

/// What becomes of the formula below, which unit propagation does not decide, under the assumption 3, if the external
/// solver says this and writes this proof.
fn told(verdict: &str, proof: &str) -> Answer {
    let command = format!("sh tests/solvers/says.sh {verdict} {{cnf}} {{proof}} {proof}");
    let mut solver = External::new(command, folder());
    for _ in 0..4 {
        solver.fresh();
    }
    for clause in [[1, 2], [-1, 2], [1, -2]] {
        solver.clause(&lits(&clause));
    }
    solver.clause(&lits(&[-1, -2, -3]));
    solver.solve(&lits(&[3, 4]), Effort::Unlimited, &mut Handle::default())
}

fn expect_failure(answer: &Answer, why: &str) {
    assert!(matches!(answer, Answer::Failed(said) if said.contains(why)), "{answer:?}");
}

#[test]
fn an_external_solver_is_believed_only_what_it_proves() {
    if !has("sh") {
        return;
    }
    let core = |answer| match answer {
        Answer::Unsat(core) => core,
        other => panic!("{other:?}"),
    };
    assert_eq!(core(told("s,UNSATISFIABLE", "")), lits(&[3, 4]), "no proof: all assumptions");
    assert_eq!(core(told("s,UNSATISFIABLE", "2,0,0")), lits(&[3]), "DRAT");
    assert_eq!(core(told("s,UNSATISFIABLE", "7,2,0,1,2,0,8,0,7,3,5,4,0")), lits(&[3]), "LRAT");
    expect_failure(&told("s,UNSATISFIABLE", "4,0"), "its proof is not accepted");
    expect_failure(&told("s,SATISFIABLE", ""), "gives no satisfying assignment");
    expect_failure(&told("v,1,2,x,0", ""), "`x`");
    expect_failure(&told("s,PERHAPS", ""), "`PERHAPS`");
    expect_failure(&told("c,nothing", ""), "it gave no answer");
}

#[test]
fn an_external_solver_that_cannot_be_run() {
    for command in ["", "there-is-no-such-solver {cnf}"] {
        let mut solver = External::new(command.to_owned(), folder());
        let a = solver.fresh();
        solver.clause(&[a]);
        expect_failure(&solver.solve(&[], Effort::Unlimited, &mut Handle::default()), "cannot run");
    }
}

/// The file is the last argument of a command that does not mention it.
#[test]
fn a_command_without_places_to_fill() {
    if !has("awk") {
        return;
    }
    let mut solver = External::new("awk -f tests/solvers/tiny.awk".to_owned(), folder());
    let (a, b) = (solver.fresh(), solver.fresh());
    solver.clause(&[a, b]);
    assert!(
        matches!(solver.solve(&[!a], Effort::Unlimited, &mut Handle::default()), Answer::Sat(model) if model.holds(b))
    );
    solver.clause(&[!b]);
    assert!(
        matches!(solver.solve(&[!a], Effort::Unlimited, &mut Handle::default()), Answer::Unsat(core) if core == [!a])
    );
}
