//! Beside SPIN: the same Promela text through both, on the same machine in the same minute.

use crate::experiment::lock::promela;
use crate::experiment::protocol::{ALGORITHMS, sizes_of};
use check::Error;
use explicit::{Options, run};
use languages::promela::{Included, Settings, load};
use languages::smv;
use languages::source::Source;
use limits::Handle;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;
use system::{Claim, Machine, PropertyId};

/// The shortest time that SPIN tells, in seconds.
pub const SHORTEST: f64 = 0.01;

/// Where Debian's package has SPIN's examples.
const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// The states that \[GP93\] stores of dtp by its three algorithms.
const PAPER: [&str; 4] = ["251409", "56626", "9920", ""];

/// Models with a Promela twin.
const TWINS: [&str; 3] = ["mutex/peterson-5", "philosophers/philosophers-8", "philosophers/philosophers-8-broken"];

/// What SPIN's verifier reports.
struct Report {
    compiling: f64,
    searching: f64,
    states: f64,
    transitions: f64,
    megabytes: f64,
}

/// What both run on.
#[derive(Clone, Copy, Debug)]
pub enum Contest {
    /// Peterson's filter lock for this many processes.
    Lock(usize),
    /// SPIN's example LTL/leader.
    Leader,
}

/// Runs both, and says in comma-separated values how they compare. SPIN's files go to `folder`.
pub fn compare(folder: &Path, contests: &[Contest]) -> Result<String, Error> {
    let mut table =
        "model,tool,threads,states,seconds,states a second,bytes a state,seconds with compiling\n".to_owned();
    let mut ratios = String::new();
    for contest in contests {
        let (name, text) = match contest {
            Contest::Lock(processes) => ("lock", Ok(promela(*processes))),
            Contest::Leader => ("leader", example("LTL/leader.pml")),
        };
        match text {
            Ok(text) => beside(folder, name, &text, (&mut table, &mut ratios))?,
            Err(error) => ratios += &format!("# {name}: not measured: {error}\n"),
        }
    }
    Ok(table + &ratios)
}

/// Runs both on a text, SPIN without its optimisations and claims, and adds rows and ratios.
fn beside(folder: &Path, name: &str, text: &str, (table, ratios): (&mut String, &mut String)) -> Result<(), Error> {
    let spin = verify(folder, text, &["-o1", "-o2", "-o3"], &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"])?;
    let mut row = |tool: &str, threads: usize, states: f64, seconds: f64, bytes: f64, total: f64| {
        let (rate, each) = (states / seconds, bytes / states);
        *table += &format!("{name},{tool},{threads},{states},{seconds:.2},{rate:.0},{each:.1},{total:.2}\n");
        (rate, each, total)
    };
    let theirs = row("spin", 1, spin.states, spin.searching, spin.megabytes * 1e6, spin.compiling + spin.searching);
    for jobs in [1, 2] {
        let start = Instant::now();
        let machine = read(name, text.as_bytes())?;
        let options = Options { jobs: NonZeroUsize::new(jobs).unwrap_or(NonZeroUsize::MIN), ..Options::default() };
        let Ok(found) = run(&machine, &[], &options, &mut Handle::default()).without_fault() else {
            return Err(Error::Usage(format!("{name} has a fault")));
        };
        let seconds = start.elapsed().as_secs_f64();
        let ours = row("uwbmc", jobs, found.states() as f64, seconds, found.cost.bytes as f64, seconds);
        *ratios += &format!(
            "# {name}, uwbmc to spin, {jobs} threads: states a second {:.2}, bytes a state {:.2}, time with compiling {:.2}\n",
            ours.0 / theirs.0,
            ours.1 / theirs.1,
            ours.2 / theirs.2
        );
    }
    Ok(())
}

/// One of SPIN's examples.
pub fn example(name: &str) -> Result<String, Error> {
    let path = std::env::var_os("SPIN_EXAMPLES").map_or_else(|| PathBuf::from(EXAMPLES), PathBuf::from).join(name);
    std::fs::read_to_string(&path)
        .map_err(|error| Error::about(&path, &format_args!("{error}; SPIN_EXAMPLES says where it is")))
}

/// The table of \[GP93\] for SPIN's example dtp, with SPIN's own reduction beside it if SPIN is there.
pub fn dtp(folder: &Path) -> Result<String, Error> {
    let text = example("dtp.pml")?;
    let machine = read("dtp.pml", text.as_bytes())?;
    let is_checked =
        |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_) | Claim::DeadlockFree);
    let properties: Vec<PropertyId> = machine.system().properties.indices().filter(is_checked).collect();
    let sizes = sizes_of(&machine, &properties).ok_or_else(|| Error::Usage("dtp.pml has a fault".to_owned()))?;
    let mut table = "algorithm,stored states,visited,transitions,stored in the paper\n".to_owned();
    for ((name, size), paper) in ALGORITHMS.iter().zip(sizes).zip(PAPER) {
        table += &format!("{name},{},{},{},{paper}\n", size.stored, size.states, size.transitions);
    }
    for (name, flags) in
        [("SPIN with no reduction", &["-DSAFETY", "-DNOREDUCE"][..]), ("SPIN with its own", &["-DSAFETY"])]
    {
        match verify(folder, &text, &["-o1", "-o2", "-o3"], flags) {
            Ok(Report { states, transitions, .. }) => table += &format!("{name},{states},{states},{transitions},\n"),
            Err(error) => table += &format!("# {name}: not measured: {error}\n"),
        }
    }
    Ok(table)
}

/// Times SPIN and explicit search on Promela models that are twins of SMV models.
pub fn twins(folder: &Path) -> Result<String, Error> {
    let mut table =
        "model,states,SPIN's search,SPIN with compiling,uwbmc on the Promela twin,uwbmc on the SMV model\n".to_owned();
    for name in TWINS {
        let text = std::fs::read_to_string(format!("models/{name}.pml"))
            .map_err(|error| Error::Usage(format!("models/{name}.pml: {error}")))?;
        let spin = verify(folder, &text, &[], &["-DSAFETY", "-DNOREDUCE"])?;
        let start = Instant::now();
        let found = all_states(&read(name, text.as_bytes())?)?;
        let on_twin = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let source = Source::new(format!("models/{name}.smv"), &std::fs::read(format!("models/{name}.smv"))?);
        let system =
            smv::load(&source, &[]).system.ok_or_else(|| Error::Usage(format!("models/{name}.smv is wrong")))?;
        let on_smv = all_states(&Machine::new(Arc::new(system)))?;
        let seconds = start.elapsed().as_secs_f64();
        let Report { searching, compiling, .. } = spin;
        let total = searching + compiling;
        table += &format!("{name},{on_smv},{searching:.2},{total:.2},{on_twin:.2},{seconds:.2}\n");
        if spin.states as usize != found && !text.contains("atomic") {
            table += &format!("# {name}: SPIN stores {} states and uwbmc {found}\n", spin.states);
        }
    }
    Ok(table)
}

/// How many states plain breadth-first search visits.
fn all_states(machine: &Machine) -> Result<usize, Error> {
    let found = run(machine, &[], &Options::default(), &mut Handle::default()).without_fault();
    found.map(|found| found.states()).map_err(|_| Error::Usage("the model has a fault".to_owned()))
}

fn read(name: &str, text: &[u8]) -> Result<Machine, Error> {
    let mut source = Source::new(name, text);
    let loaded = load(&mut source, Settings::default(), &nothing_included);
    let system = loaded.system.ok_or_else(|| Error::Usage(format!("{name} is not understood")))?;
    Ok(Machine::new(Arc::new(system)))
}

fn nothing_included(_: &str, wanted: &str) -> Result<Included, String> {
    Err(format!("{wanted} is not there"))
}

/// Makes SPIN's verifier of a text and runs it.
fn verify(folder: &Path, text: &str, spin: &[&str], gcc: &[&str]) -> Result<Report, Error> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("model.pml"), text)?;
    let start = Instant::now();
    output(folder, "spin", &[spin, &["-a", "model.pml"]].concat())?;
    output(folder, "gcc", &[&["-O2"], gcc, &["-o", "pan", "pan.c"]].concat())?;
    let compiling = start.elapsed().as_secs_f64();
    let report = output(folder, "./pan", &["-c0", "-m20000000", "-w24"])?;
    // SPIN's own time, which leaves out the making of its stack.
    let elapsed = report.lines().find_map(|line| line.strip_prefix("pan: elapsed time "));
    Ok(Report {
        compiling,
        searching: number_before(elapsed.unwrap_or_default(), "seconds")?.max(SHORTEST),
        states: number_before(&report, "states, stored")?,
        transitions: number_before(&report, "transitions (=")?,
        megabytes: number_before(&report, "actual memory usage for states")
            .or_else(|_| number_before(&report, "equivalent memory usage for states"))?,
    })
}

/// Runs a program in a folder: what it prints.
pub fn output(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| Error::Usage(format!("{program}: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(Error::Usage(format!("{program} failed: {text}"))) }
}

/// The first number of the line that has a text.
pub fn number_before(report: &str, text: &str) -> Result<f64, Error> {
    let line = report.lines().find(|line| line.contains(text));
    let number = line.and_then(|line| line.split_whitespace().next()).and_then(|word| word.parse().ok());
    number.ok_or_else(|| Error::Usage(format!("SPIN's report has no {text}")))
}
