//! Infinite runs beside SPIN: the same formulas of the same programs, by `pan -a` and by our search for cycles, without and with
//! weak fairness.

use crate::spin::{self, example, number_before, output};
use check::{Error, Model};
use engine::Verdict;
use explicit::{Interleavings, find_cycle};
use limits::{Handle, Observer, Progress};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};
use system::{Fairness, PropertyId};

/// Our models and SPIN's examples, with formulas that are measured: of our models all.
const PROGRAMS: [(&str, &[&str]); 8] = [
    ("models/liveness/ticket-3.pml", &["in_turn", "again"]),
    ("models/liveness/ring-4.pml", &["elected_at_last", "at_rest"]),
    ("models/liveness/delivery.pml", &["delivered", "if_not_all_is_lost"]),
    ("LTL/train.pml", &["c1", "c2", "c4"]),
    ("LTL/pftp.pml", &["p1", "p2", "p3"]),
    (ELECTION, &["p0", "p1"]),
    ("LTL/petersonN.pml", &["bounded_bypass"]),
    ("LTL/mobile1.pml", &["ltl_0"]),
];

/// SPIN's example of an election, with six processes instead of five: a search that takes no longer than SPIN's clock can tell says
/// nothing.
const ELECTION: &str = "LTL/leader.pml with N = 6";
const SIX: [(&str, &str); 2] = [("#define N\t5", "#define N\t6"), ("#define L\t10", "#define L\t12")];

/// How long each of the two may search.
const LONGEST: Duration = Duration::from_secs(20);

/// The memory that each of the two may take.
const MEGABYTES: usize = 4000;

/// What a search came to.
struct Answer {
    verdict: &'static str,
    states: f64,
    seconds: f64,
}

/// Runs both on every formula, and says in comma-separated values how they compare. SPIN's files go to `folder`.
pub fn table(folder: &Path) -> Result<String, Error> {
    let mut table =
        "program,formula,fairness,tool,verdict,states,seconds,states a second,seconds with compiling\n".to_owned();
    for (program, formulas) in PROGRAMS {
        let Ok(text) = text_of(program) else {
            table += &format!("# {program}: not measured: it is not here\n");
            continue;
        };
        let compiling = compile(folder, &text)?;
        for formula in formulas {
            for fairness in ["none", "weak"] {
                let mut row = |tool: &str, answer: &Answer, compiling: f64| {
                    let Answer { verdict, states, seconds } = answer;
                    let (rate, total) = (states / seconds, seconds + compiling);
                    table += &format!(
                        "{program},{formula},{fairness},{tool},{verdict},{states},{seconds:.2},{rate:.0},{total:.2}\n"
                    );
                };
                row("spin", &theirs(folder, formula, fairness)?, compiling);
                row("uwbmc", &ours(&text, formula, fairness)?, 0.0);
            }
        }
    }
    Ok(table)
}

/// The text of a program.
fn text_of(program: &str) -> Result<String, Error> {
    if program == ELECTION {
        let five = example("LTL/leader.pml")?;
        return Ok(SIX.iter().fold(five, |text, (five, six)| text.replace(five, six)));
    }
    match program.starts_with("models/") {
        true => std::fs::read_to_string(program).map_err(|error| Error::Usage(format!("{program}: {error}"))),
        false => example(program),
    }
}

/// Makes SPIN's verifier, with its reduction; gives the seconds that it takes.
fn compile(folder: &Path, text: &str) -> Result<f64, Error> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("model.pml"), text)?;
    let start = Instant::now();
    output(folder, "spin", &["-a", "model.pml"])?;
    let memory = format!("-DMEMLIM={MEGABYTES}");
    output(folder, "gcc", &["-O2", "-w", "-DNFAIR=3", &memory, "-o", "pan", "pan.c"])?;
    Ok(start.elapsed().as_secs_f64())
}

/// SPIN's answer.
fn theirs(folder: &Path, formula: &str, fairness: &str) -> Result<Answer, Error> {
    let seconds = LONGEST.as_secs().to_string();
    let mut arguments = vec![seconds.as_str(), "./pan", "-a", "-m2000000", "-N", formula];
    if fairness == "weak" {
        arguments.push("-f");
    }
    let start = Instant::now();
    let Ok(report) = output(folder, "timeout", &arguments) else {
        return Ok(Answer { verdict: "unknown", states: 0.0, seconds: start.elapsed().as_secs_f64() });
    };
    let elapsed = report.lines().find_map(|line| line.strip_prefix("pan: elapsed time "));
    let verdict = match (report.contains("errors: 0"), report.contains("max search depth too small")) {
        (true, false) => "holds",
        (true, true) => "unknown",
        (false, _) => "violated",
    };
    Ok(Answer {
        verdict,
        states: number_before(&report, "states, stored")?,
        seconds: number_before(elapsed.unwrap_or_default(), "seconds")?.max(spin::SHORTEST),
    })
}

/// Our answer, by states alone.
fn ours(text: &str, formula: &str, fairness: &str) -> Result<Answer, Error> {
    let start = Instant::now();
    let mut model = Model::parse(text, check::Language::Promela)?;
    if fairness == "weak" {
        model.assume_fairness(Fairness::Weak);
    }
    let is_meant = |id: &PropertyId| model.machine.system().properties[*id].name == formula;
    let property = model.machine.system().properties.indices().find(is_meant);
    let property = property.ok_or_else(|| Error::Usage(format!("there is no formula {formula}")))?;
    let (mut met, memory) = (Met(0), MEGABYTES * 1_000_000);
    let mut handle = Handle::new(Some(LONGEST), memory, &mut met);
    let found = find_cycle(model.machine.of(property), property, Interleavings::default(), memory, &mut handle);
    let (verdict, states) = match found.verdict(property) {
        Some(Verdict::Holds(_)) => ("holds", found.states()),
        Some(Verdict::Violated(_)) => ("violated", met.0),
        _ => ("unknown", met.0),
    };
    Ok(Answer { verdict, states: states as f64, seconds: start.elapsed().as_secs_f64().max(spin::SHORTEST) })
}

/// How many states were met so far.
struct Met(usize);

impl Observer for Met {
    fn see(&mut self, now: &Progress) -> ControlFlow<()> {
        if let Progress::States { states, .. } = now {
            self.0 = *states;
        }
        ControlFlow::Continue(())
    }
}
