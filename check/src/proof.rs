//! Evidence for `holds up to bound k`: a formula and its refutation for each bound. For `holds`, see [`induction`].

use super::induction;
use super::manifest::{Bound, Manifest, Proved};
use super::options::{Options, Solver};
use super::report::Checked;
use crate::error::Error;
use bounded::{Admission, Probe, Refutations, can_be_asked, is_temporal};
use encoder::Unsupported;
use engine::Verdict;
use limits::{Handle, Progress};
use proof::{Cnf, check_drat, check_lrat};
use sat::{Attempt, Files, Setup};
use std::path::Path;
use system::{Machine, PropertyId, State};

/// How far the evidence for a property goes.
pub struct Evidence {
    /// The property.
    pub property: PropertyId,
    /// The bound up to which it was found to hold; 0 if it was proved for runs of every length.
    pub wanted: usize,
    /// The bound up to which there is a proof, checked if that was asked for.
    pub reached: Option<usize>,
    /// How many proofs there are.
    pub proofs: usize,
}

impl Evidence {
    /// Whether there is a proof for every bound.
    pub fn is_complete(&self) -> bool {
        self.reached == Some(self.wanted)
    }
}

/// Writes a formula and its refutation for every property and bound that holds, one bound after the other as long as
/// time and memory last; with `--certify`, each proof is checked before the next one is written. A manifest says what there
/// is; what an earlier run wrote to the folder is removed.
pub fn write(
    machine: &Machine,
    properties: &[Checked],
    folder: &Path,
    options: &Options,
    handle: &mut Handle<'_>,
) -> Result<Vec<Evidence>, Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::in_file(folder, &error))?;
    Manifest::clear(folder);
    let (mut written, mut manifest) = (Vec::new(), Manifest::default());
    let mut stems = Vec::new();
    for property in properties {
        let machine = machine.of(property.id);
        if let (Verdict::Holds(_), Some(depth)) = (&property.verdict, options.bound)
            && options.proofs.are_checked()
            && can_be_asked(machine, property.id)
        {
            let now = Progress::Proving { property: property.name.as_str().into(), depth, bound: depth };
            let _ = handle.see(now);
            admit(machine, (property.id, depth), options, handle)?;
        }
        let stem = unused(file_name(&property.name), &stems);
        stems.push(stem.clone());
        if let Verdict::Holds(_) = property.verdict
            && let Some(induction) =
                induction::prove(machine, (property.id, &property.name), (folder, &stem), options, handle)?
        {
            written.push(Evidence { property: property.id, wanted: 0, reached: Some(0), proofs: induction.len() });
            manifest.properties.push(Proved { property: property.name.clone(), bounds: Vec::new(), induction });
        }
        let Verdict::HoldsUpTo(wanted) = property.verdict else { continue };
        let bounds = prove(machine, property, wanted, (folder, &stem), options, handle)?;
        let reached = bounds.len().checked_sub(1);
        if let Some(depth) = reached.filter(|_| options.proofs.are_checked()) {
            let now = Progress::Proving { property: property.name.as_str().into(), depth, bound: wanted };
            let _ = handle.see(now);
            admit(machine, (property.id, depth), options, handle)?;
        }
        written.push(Evidence { property: property.id, wanted, reached, proofs: bounds.len() });
        manifest.properties.push(Proved { property: property.name.clone(), bounds, induction: Vec::new() });
    }
    manifest.write(folder)?;
    Ok(written)
}

/// Writes the proofs of a property, to files that begin with a stem.
fn prove(
    machine: &Machine,
    Checked { id, name, .. }: &Checked,
    wanted: usize,
    (folder, stem): (&Path, &str),
    options: &Options,
    handle: &mut Handle<'_>,
) -> Result<Vec<Bound>, Error> {
    let solver = solver(options);
    let mut bounds = Vec::new();
    let mut formulas = Refutations::new(machine, *id).map_err(unsupported)?;
    for depth in 0..=wanted {
        let now = Progress::Proving { property: name.as_str().into(), depth, bound: wanted };
        if handle.see(now).is_break() {
            break;
        }
        let Some(formula) = formulas.next_bound() else { break };
        let file = |ending: &str| format!("{stem}-{depth}.{ending}");
        let path = folder.join(file("cnf"));
        if !refute(&formula, &path, solver, handle)? {
            break;
        }
        if options.proofs.are_checked() {
            check(&path)?;
        }
        bounds.push(Bound::of(folder, depth, &file("cnf"), &file(solver.proof_format().ending()))?);
    }
    Ok(bounds)
}

/// A beginning of file names that no other property has.
fn unused(mut stem: String, used: &[String]) -> String {
    while used.contains(&stem) {
        stem.push('_');
    }
    stem
}

/// Checks that the formulas that were refuted have runs of the machine otherwise.
pub fn admit(
    machine: &Machine,
    (property, bound): (PropertyId, usize),
    options: &Options,
    handle: &mut Handle<'_>,
) -> Result<(), Error> {
    let (machine, solver) = (machine.of(property), solver(options));
    let probe = Probe { machine, property, bound, seed: options.seed.into() };
    let runs = probe.runs(solver.start(Setup::default()).as_mut(), handle).map_err(unsupported)?;
    admitted(machine, runs)?;
    if is_temporal(machine.system(), property) {
        let lassos = probe.lassos(solver.start(Setup::default()).as_mut(), handle).map_err(unsupported)?;
        admitted(machine, lassos)?;
    }
    Ok(())
}

fn unsupported(Unsupported(what): Unsupported) -> Error {
    Error::Usage(format!("proofs do not support {what}"))
}

/// A formula that excludes a run of the machine is a bug of ours.
fn admitted(machine: &Machine, looked: Admission) -> Result<(), Error> {
    match looked {
        Admission::Admits { .. } | Admission::Interrupted => Ok(()),
        Admission::Failed(why) => Err(Error::Solver(why)),
        Admission::Excludes(run) => {
            let states: Vec<String> =
                run.iter().enumerate().map(|(time, state)| spelled(machine, time, state)).collect();
            let steps = run.len() - 1;
            Err(Error::bug(format!(
                "the formula of bound {steps} excludes this run of the model:\n{}",
                states.join("\n")
            )))
        }
    }
}

/// A state as a line.
fn spelled(machine: &Machine, time: usize, state: &State) -> String {
    let (system, values) = (machine.system(), machine.values(state));
    let values: Vec<String> = system
        .state_variables()
        .map(|(var, variable)| format!("{} = {}", variable.name, system.render_value(var, values[var.index()])))
        .collect();
    format!("  state {time}: {}", values.join(", "))
}

/// Writes a formula and its refutation; says whether there was enough time. What is not finished is not left behind.
pub(super) fn refute(
    formula: &encoder::Cnf,
    path: &Path,
    solver: sat::Choice,
    handle: &mut Handle<'_>,
) -> Result<bool, Error> {
    std::fs::write(path, formula.render()).map_err(|error| Error::in_file(path, &error))?;
    let proof = path.with_extension(solver.proof_format().ending());
    match solver.prove(formula, Files { formula: path, proof: &proof }, handle) {
        Attempt::Refuted => Ok(true),
        Attempt::Satisfiable => Err(bug(path, "it has a solution")),
        Attempt::Interrupted => {
            for unfinished in [path, &proof] {
                let _ = std::fs::remove_file(unfinished);
            }
            Ok(false)
        }
        Attempt::Failed => Err(Error::Io(format!("{}: no proof could be written", proof.display()))),
    }
}

/// Checks the refutation beside a formula, with the checker that shares no code with any solver.
pub fn check(formula: &Path) -> Result<(), Error> {
    let cnf = Cnf::parse(&read(formula)?).map_err(|error| Error::about(formula, &error))?;
    let (lrat, drat) = (formula.with_extension("lrat"), formula.with_extension("drat"));
    let (path, outcome) = if lrat.exists() {
        let outcome = check_lrat(&cnf, &read(&lrat)?);
        (lrat, outcome)
    } else {
        let outcome = check_drat(&cnf, &read(&drat)?);
        (drat, outcome)
    };
    outcome.map(drop).map_err(|rejected| Error::Usage(format!("{}: rejected: {rejected}", path.display())))
}

/// The formula of a bound that holds has a solution: never a verdict, always a bug.
fn bug(path: &Path, what: &str) -> Error {
    Error::Bug(format!("{} should have no solution, but {what}", path.display()))
}

/// The solver that writes proofs. A command need not write any.
pub(super) fn solver(options: &Options) -> sat::Choice {
    match options.unrolling.solver {
        Solver::BuiltIn(choice) => choice,
        Solver::Command(_) => sat::Choice::default(),
    }
}

/// A property's name as part of a file name.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).take(80).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| Error::in_file(path, &error))
}
