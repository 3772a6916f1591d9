//! One run of one contestant on one instance, as a process of its own.

use super::pan;
use super::suite::{Contestant, Instance, Suite, Tool};
use engine::FormulaReport;
use languages::smv::load;
use languages::source::Source;
use limits::resources::children_cpu;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use system::{Claim, Property, render_expr, render_formula};

/// How a run ended.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The instance.
    pub instance: String,
    /// The contestant.
    pub contestant: String,
    /// The seed.
    pub seed: u32,
    /// What the answer was.
    pub outcome: Outcome,
    /// The length of the counterexample, or how far there is none.
    pub depth: Option<usize>,
    /// Seconds of the processor.
    pub cpu: f64,
    /// Seconds on the clock.
    pub wall: f64,
    /// How large the formulas were and what they cost, where we unrolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formulas: Option<FormulaReport>,
}

/// What a run answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// There is a counterexample.
    Violated,
    /// There is none.
    Holds,
    /// There is none up to a bound.
    #[serde(rename = "holds up to bound")]
    HoldsUpTo,
    /// Nothing was decided.
    Unknown,
    /// There was no answer: the model was rejected, or the run ended otherwise.
    Failed,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outcome::Violated => "violated",
            Outcome::Holds => "holds",
            Outcome::HoldsUpTo => "holds up to bound",
            Outcome::Unknown => "unknown",
            Outcome::Failed => "failed",
        })
    }
}

impl Run {
    /// Whether the question was answered.
    pub fn is_solved(&self) -> bool {
        matches!(self.outcome, Outcome::Violated | Outcome::Holds | Outcome::HoldsUpTo)
    }
}

/// Runs it on a file that holds the model. `None`: the tool is not there.
pub fn run(suite: &Suite, instance: &Instance, contestant: &Contestant, seed: u32, model: &Path) -> Option<Run> {
    let patience = suite.patience(&contestant.name);
    let limited = limited(suite, if contestant.tool.is_none() { patience * 2.0 + 5.0 } else { patience });
    let mut command = match contestant.tool {
        None => own_command(limited, instance, contestant, patience, seed, model)?,
        Some(Tool::NuSmv) => nusmv_command(limited, instance, model)?,
        Some(Tool::NuSmvDiagrams) => nusmv_diagrams_command(limited, instance, model)?,
        Some(Tool::Abc) => abc_command(limited, instance, model)?,
        Some(Tool::Spin(search)) => pan::command(limited, instance, search, seed, model)?,
    };
    let (cpu_before, start) = (children_cpu(), Instant::now());
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let (wall, cpu) = (start.elapsed(), children_cpu() - cpu_before);
    let text = String::from_utf8_lossy(&output.stdout);
    let own: Option<Own> = serde_json::from_str(&text).ok().filter(|_| contestant.tool.is_none());
    let (outcome, depth) = match contestant.tool {
        None => {
            let own = own.as_ref().filter(|own| own.engine.is_some());
            own.map_or((Outcome::Failed, None), |own| read_own(own, instance))
        }
        Some(Tool::NuSmv) => read_nusmv(&text),
        Some(Tool::NuSmvDiagrams) if output.status.success() => read_nusmv(&text),
        Some(Tool::NuSmvDiagrams) => (Outcome::Unknown, None),
        Some(Tool::Abc) => read_abc(&text),
        Some(Tool::Spin(search)) => pan::read(&text, search),
    };
    let formulas = own.and_then(|own| own.formulas);
    let (instance, contestant) = (instance.name(), contestant.name.clone());
    Some(Run { instance, contestant, seed, outcome, depth, cpu, wall: wall.as_secs_f64(), formulas })
}

/// A shell that limits memory and, as a last resort, time.
fn limited(suite: &Suite, patience: f64) -> Command {
    let mut command = Command::new("sh");
    let limit = format!("ulimit -v {}; exec timeout {patience} \"$@\"", suite.memory * 1000);
    command.args(["-c", &limit, "sh"]);
    command
}

fn own_command(
    mut command: Command,
    instance: &Instance,
    contestant: &Contestant,
    patience: f64,
    seed: u32,
    model: &Path,
) -> Option<Command> {
    command.arg(std::env::current_exe().ok()?).arg("check").arg(model);
    command.arg("--json");
    if let Some(k) = instance.k {
        command.args(["--k", &k.to_string()]);
    }
    command.args(["--timeout", &patience.to_string()]);
    // Not every way to search draws anything: the first seed is the one that is taken without an option.
    if seed != 0 {
        command.args(["--seed", &seed.to_string()]);
    }
    if let Some(property) = &instance.property {
        command.args(["--property", property]);
    }
    command.args(&contestant.arguments);
    Some(command)
}

/// The part of our own document that is measured.
#[derive(Deserialize)]
struct Own {
    /// None if the model was rejected.
    engine: Option<String>,
    properties: Vec<OwnProperty>,
    #[serde(default)]
    formulas: Option<FormulaReport>,
}

#[derive(Deserialize)]
struct OwnProperty {
    kind: Kind,
    verdict: Word,
    bound: Option<usize>,
    #[serde(default)]
    settled: Option<usize>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Invariant,
    Deadlock,
    Ltl,
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Word {
    Violated,
    Holds,
    #[serde(rename = "holds up to bound")]
    HoldsUpTo,
    Unknown,
    /// COMPUTE has an answer that is no verdict.
    Answered,
}

/// The verdict on all invariants together, and on a formula of LTL that is named: the worst one. Where there is no bound, all
/// properties count. Where none does, as of a model whose `AG p` is about fair runs, nothing is known.
fn read_own(report: &Own, instance: &Instance) -> (Outcome, Option<usize>) {
    let mut outcome = (Outcome::Holds, None);
    let counts = |property: &&OwnProperty| match property.kind {
        Kind::Invariant | Kind::Deadlock => true,
        Kind::Ltl => instance.property.is_some() || instance.k.is_none(),
        Kind::Other => instance.k.is_none(),
    };
    if !report.properties.iter().any(|property| counts(&property)) {
        return (Outcome::Unknown, None);
    }
    for property in report.properties.iter().filter(counts) {
        match property.verdict {
            Word::Unknown => return (Outcome::Unknown, property.settled),
            Word::Violated => outcome = (Outcome::Violated, property.bound),
            Word::HoldsUpTo if outcome.0 == Outcome::Holds => outcome = (Outcome::HoldsUpTo, property.bound),
            Word::HoldsUpTo | Word::Holds | Word::Answered => {}
        }
    }
    outcome
}

/// NuSMV checks `G p`, or looks for lassos, at one bound after the other with one solver, and says so after each. It takes part
/// where the variable NUSMV says where it is.
fn nusmv_command(mut command: Command, instance: &Instance, model: &Path) -> Option<Command> {
    let nusmv = std::env::var("NUSMV").ok()?;
    let script = model.with_extension("nusmv");
    let bound = instance.k?;
    let check = match question(model, instance.property.as_deref())? {
        Question::Invariant(invariant) => format!("check_ltlspec_bmc_inc -k {bound} -p \"G ({invariant})\""),
        Question::Ltl(formula) => format!("check_ltlspec_sbmc_inc -k {bound} -p \"{formula}\""),
    };
    let commands = format!("go_bmc\n{check}\nquit\n");
    std::fs::write(&script, commands).ok()?;
    // What it says has to be there when it is stopped.
    command.args(["stdbuf", "-oL"]).arg(nusmv).arg("-source").arg(script).arg(model);
    Some(command)
}

/// NuSMV's decision diagrams on an invariant, or on all that the model asks.
fn nusmv_diagrams_command(mut command: Command, instance: &Instance, model: &Path) -> Option<Command> {
    let nusmv = std::env::var("NUSMV").ok()?;
    command.arg(nusmv).args(["-dynamic", "-coi"]);
    if let Some(property) = &instance.property {
        let script = model.with_extension("nusmv");
        let check = match question(model, Some(property))? {
            Question::Invariant(invariant) => format!("check_invar -p \"{invariant}\""),
            Question::Ltl(formula) => format!("check_ltlspec -p \"{formula}\""),
        };
        std::fs::write(&script, format!("go\n{check}\nquit\n")).ok()?;
        command.arg("-source").arg(script);
    }
    command.arg(model);
    Some(command)
}

/// What NuSMV is asked, as text.
enum Question {
    Invariant(String),
    Ltl(String),
}

/// The question about a property: the named one, or the first invariant.
fn question(model: &Path, name: Option<&str>) -> Option<Question> {
    let source = Source::new("model", &std::fs::read(model).ok()?);
    let system = load(&source, &[]).system?;
    let is_wanted = |property: &&Property| name.is_none_or(|name| property.name == name);
    system.properties.iter().filter(is_wanted).find_map(|property| match property.claim {
        Claim::Invariant(expr) => Some(Question::Invariant(render_expr(&system, expr))),
        Claim::Ltl(formula) if name.is_some() => Some(Question::Ltl(render_formula(&system, formula))),
        _ => None,
    })
}

/// ABC unrolls the circuit that we export; writing that is not part of its time. It takes part where `berkeley-abc` or `abc`
/// is on the path.
fn abc_command(mut command: Command, instance: &Instance, model: &Path) -> Option<Command> {
    let abc = ["berkeley-abc", "abc"].iter().find(|name| Command::new(name).args(["-c", "quit"]).output().is_ok())?;
    let circuit = model.with_extension("aig");
    let mut export = Command::new(std::env::current_exe().ok()?);
    export.arg("export").arg(model).args(["--format", "aiger", "--output"]).arg(&circuit);
    if let Some(property) = &instance.property {
        export.args(["--property", property]);
    }
    export.output().ok().filter(|output| output.status.success())?;
    let script = format!("&read {}; &put; bmc3 -v -F {}", circuit.display(), instance.k? + 1);
    command.args(["stdbuf", "-oL", abc, "-c", &script]);
    Some(command)
}

/// "Output 0 ... was asserted in frame N." for a violation after N steps; lines of frames that were refuted otherwise.
fn read_abc(text: &str) -> (Outcome, Option<usize>) {
    if let Some(frame) = text.lines().find_map(|line| number_after(line, "asserted in frame ")) {
        return (Outcome::Violated, Some(frame));
    }
    let mut refuted =
        text.lines().filter(|line| line.contains("+ :")).filter_map(|line| number_after(line.trim_start(), ""));
    let bound = refuted.next_back();
    let is_done = text.contains("No output asserted") || text.contains("No output failed");
    (if is_done { Outcome::HoldsUpTo } else { Outcome::Unknown }, bound)
}

/// The number behind a word of a line.
fn number_after(line: &str, word: &str) -> Option<usize> {
    let rest = line.split_once(word)?.1.trim_start();
    rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse::<usize>().ok()
}

fn read_nusmv(text: &str) -> (Outcome, Option<usize>) {
    let mut refuted = text.lines().filter(|line| line.contains("no counterexample found with bound"));
    let bound = refuted.next_back().and_then(bound_of);
    if text.contains("is false") {
        return (Outcome::Violated, text.matches("-> State:").count().checked_sub(1));
    }
    (if text.contains("is true") { Outcome::Holds } else { Outcome::Unknown }, bound)
}

/// The bound that a line of NuSMV names.
fn bound_of(line: &str) -> Option<usize> {
    let after = line.split_once("with bound")?.1;
    after.split_whitespace().next()?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}
