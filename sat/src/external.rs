//! Any solver that is a program: it reads DIMACS and answers as in the SAT competitions.
//!
//! Nothing of the answer is believed. A model has to satisfy every clause; a proof of unsatisfiability, if the command
//! asks for one, has to pass our own checker.

use super::descendants;
use super::one_shot::Query;
use super::{Answer, Solver};
use encoder::{ClauseSink, Cnf, Lit};
use limits::{Effort, Handle};
use proof::check_either;
use std::fmt::Write;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// How long to wait at most before asking again whether to go on.
const POLL: Duration = Duration::from_millis(20);

/// The exit codes of the SAT competitions.
const SATISFIABLE: i32 = 10;
const UNSATISFIABLE: i32 = 20;

/// A command, and the clauses, which it gets anew for each query.
///
/// With a proof the core is what the proof rests on; without one it is all assumptions, or none where there are none.
pub struct External {
    command: String,
    folder: PathBuf,
    formula: Cnf,
}

impl External {
    /// A solver that is called as `command`, such as `kissat -q {cnf} {proof}`.
    ///
    /// `{cnf}` stands for the formula's file (without it, the file is the last argument) and `{proof}` for the file
    /// that takes the proof, in DRAT or LRAT, text or binary. There is no shell: arguments end at blanks. What the
    /// command starts is ended with it on Linux; elsewhere a script should call the solver by `exec`.
    ///
    /// The files live in `folder`, which is made if there is none, is used by no other solver, and is left to the
    /// caller to remove.
    pub fn new(command: String, folder: PathBuf) -> External {
        External { command, folder, formula: Cnf::default() }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where the proof of the last answer is, if the command wrote one.
    pub fn proof(&self) -> PathBuf {
        self.file("query.proof")
    }

    fn answer(&self, query: &Query, handle: &mut Handle<'_>) -> Result<Answer, String> {
        let cnf = self.file("query.cnf");
        self.prepare(&cnf, query).map_err(|error| format!("cannot write {}: {error}", cnf.display()))?;
        let started = self.start(&cnf).map_err(|error| format!("cannot run `{}`: {error}", self.command))?;
        let Some(status) = started.finish(handle).map_err(|error| error.to_string())? else {
            return Ok(Answer::Interrupted);
        };
        let output = fs::read(self.file("query.out")).map_err(|error| error.to_string())?;
        let output = Output::parse(&String::from_utf8_lossy(&output))?;
        match output.verdict(status)? {
            Verdict::Satisfiable => {
                let model = query.model(&output.literals);
                let wrong = "it says satisfiable and gives no satisfying assignment";
                if query.is_satisfied_by(&model) { Ok(Answer::Sat(model)) } else { Err(wrong.to_owned()) }
            }
            Verdict::Unsatisfiable => self.core(query).map(Answer::Unsat),
            Verdict::Unknown => Err(format!("it gave no answer ({status}){}", self.last_words())),
        }
    }

    /// Writes the formula and removes the proof of the query before.
    fn prepare(&self, cnf: &Path, query: &Query) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        match fs::remove_file(self.proof()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::write(cnf, dimacs(query))
    }

    fn start(&self, cnf: &Path) -> io::Result<Running> {
        let (cnf, proof) = (cnf.to_string_lossy(), self.proof());
        let fill = |word: &str| word.replace("{cnf}", &cnf).replace("{proof}", &proof.to_string_lossy());
        let mut words = self.command.split_ascii_whitespace();
        let program = words.next().ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut command = Command::new(fill(program));
        command.args(words.map(fill));
        if !self.command.contains("{cnf}") {
            command.arg(&*cnf);
        }
        // Files, not pipes: a pipe that is not emptied would block a talkative solver.
        command.stdin(Stdio::null());
        command.stdout(File::create(self.file("query.out"))?);
        command.stderr(File::create(self.file("query.err"))?);
        command.spawn().map(Running)
    }

    fn core(&self, query: &Query) -> Result<Vec<Lit>, String> {
        let proof = match fs::read(self.proof()) {
            Ok(proof) => proof,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(query.assumptions.clone()),
            Err(error) => return Err(format!("cannot read its proof: {error}")),
        };
        let accepted = check_either(&query.to_refute(), &proof).map_err(|why| format!("its proof is {why}"))?;
        Ok(query.blamed(&accepted))
    }

    /// The last line that the solver complained in.
    fn last_words(&self) -> String {
        let complaints = fs::read(self.file("query.err")).unwrap_or_default();
        let complaints = String::from_utf8_lossy(&complaints);
        complaints.trim_end().lines().last().map(|line| format!(": {line}")).unwrap_or_default()
    }
}

impl ClauseSink for External {
    fn fresh(&mut self) -> Lit {
        self.formula.fresh()
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.formula.clause(clause);
    }
}

impl Solver for External {
    fn solve(&mut self, assumptions: &[Lit], _: Effort, handle: &mut Handle<'_>) -> Answer {
        let query = Query::new(&self.formula, assumptions);
        let failed = |why| Answer::Failed(format!("the solver `{}`: {why}", self.command));
        query.trivial().unwrap_or_else(|| self.answer(&query, handle).unwrap_or_else(failed))
    }

    fn name(&self) -> &'static str {
        "external"
    }
}

fn dimacs(query: &Query) -> String {
    let mut text = format!("p cnf {} {}\n", query.variables, query.clauses.len());
    for clause in &query.clauses {
        for lit in clause {
            let _ = write!(text, "{lit:?} ");
        }
        text.push_str("0\n");
    }
    text
}

/// The process; neither it nor what it started outlives us.
struct Running(Child);

impl Running {
    /// Waits for the end; none if it was stopped.
    fn finish(mut self, handle: &mut Handle<'_>) -> io::Result<Option<ExitStatus>> {
        let mut pause = Duration::from_millis(1);
        loop {
            if handle.is_over() {
                return Ok(None);
            }
            if let Some(status) = self.0.try_wait()? {
                return Ok(Some(status));
            }
            std::thread::sleep(pause);
            pause = POLL.min(2 * pause);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        descendants::end(&mut self.0);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

/// What a solver printed.
#[derive(Debug, PartialEq, Eq)]
struct Output {
    verdict: Verdict,
    literals: Vec<Lit>,
}

impl Output {
    /// Reads the lines that begin with `s` and `v`; others are comments.
    fn parse(text: &str) -> Result<Output, String> {
        let mut output = Output { verdict: Verdict::Unknown, literals: Vec::new() };
        for line in text.lines() {
            match line.split_once(char::is_whitespace) {
                Some(("s", verdict)) => output.verdict = parse_verdict(verdict.trim())?,
                Some(("v", literals)) => {
                    for word in literals.split_ascii_whitespace().filter(|word| *word != "0") {
                        output.literals.push(parse_literal(word)?);
                    }
                }
                _ => {}
            }
        }
        Ok(output)
    }

    /// What the output says, or the exit code where it says nothing; they must not contradict each other.
    fn verdict(&self, status: ExitStatus) -> Result<Verdict, String> {
        let by_code = match status.code() {
            Some(SATISFIABLE) => Verdict::Satisfiable,
            Some(UNSATISFIABLE) => Verdict::Unsatisfiable,
            _ => Verdict::Unknown,
        };
        match (self.verdict, by_code) {
            (said, Verdict::Unknown) => Ok(said),
            (Verdict::Unknown, code) => Ok(code),
            (said, code) if said == code => Ok(said),
            (said, _) => Err(format!("it says {said:?}, and by its {status} the opposite")),
        }
    }
}

fn parse_verdict(word: &str) -> Result<Verdict, String> {
    match word {
        "SATISFIABLE" => Ok(Verdict::Satisfiable),
        "UNSATISFIABLE" => Ok(Verdict::Unsatisfiable),
        "UNKNOWN" | "INDETERMINATE" => Ok(Verdict::Unknown),
        _ => Err(format!("it printed the verdict `{word}`, which is none of the competition's")),
    }
}

fn parse_literal(word: &str) -> Result<Lit, String> {
    let literal = word.parse().ok().and_then(Lit::from_dimacs);
    literal.ok_or_else(|| format!("it printed `{word}` where a literal was expected"))
}
