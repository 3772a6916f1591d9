//! The act of checking: each property goes to an engine that can decide it, counterexamples are replayed, and bounds are
//! certified where that is asked for.
//!
//! # What is where
//!
//! ```text
//! model automata error file   a text and what it means; automata from files as claims about it; why something could not be done; reading what users name
//! options report        what is asked; what it came to
//! portfolio             which property goes to which engine
//! states unrolling cycles lassos symbolic labelling   engines behind that trait
//! cone                  the cone of influence: searched instead of the whole, and what was found there lifted
//! stages hunting short written inductively diagrams   states, diagrams, hunts, short runs, formulas and induction in turns: CTL, and invariants without a bound; diagrams beside engines that unroll
//! confirm herald explained certify proof    replay of counterexamples, which are told at once, witnesses and their branches; proofs of bounds
//! induction manifest    inductive invariants as formulas; what belongs to a folder of proofs
//! fault starvation rounds conjuncts obligation   runs that lead to a fault; which process never moves in a lasso; what a round changes; which conjunct fails; what is never met
//! settled               programs without their beginning and the ends of their processes, for formulas
//! meter solvers         progress of a search; which solver is used
//! ```

mod automata;
mod certify;
mod cone;
mod confirm;
mod conjuncts;
mod cycles;
mod diagrams;
mod error;
mod explained;
mod fault;
pub mod file;
mod herald;
mod hunting;
mod induction;
mod inductively;
mod labelling;
mod lassos;
mod manifest;
mod meter;
pub mod model;
mod obligation;
mod options;
mod portfolio;
mod proof;
mod report;
mod rounds;
mod settled;
mod short;
mod solvers;
mod stages;
mod starvation;
mod states;
mod symbolic;
mod unrolling;
mod valid;
mod written;

pub use confirm::{confirm, replays};
pub use conjuncts::{Conjunct, failing, false_conjuncts};
pub use engine::{
    Branch, Cause, Cost, Engine, Explanation, Findings, FormulaReport, Grounds, Oddity, Reason, Role, Round, Stop,
    Trouble, Truth, Undecided, Verdict,
};
pub use error::{Error, Mistakes};
pub use fault::Fault;
pub use limits::{Effort, Handle};
pub use manifest::{Manifest, Proved, Stamp};
pub use model::{Language, Model, Reader};
pub use obligation::unmet;
pub use options::{
    Choice, Cone, DEPTH, Options, Procedure, Proofs, Runs, Solver, Trust, Unrolling, Visiting, Witnesses,
};
pub use portfolio::{Candidate, Task, Working, is_invariant};
pub use proof::{admit, check as check_proof};
pub use report::{Checked, Known, Report};
pub use settled::Settled;

use languages::suggest::named;
use limits::Observer;
use portfolio::{Assignment, Turn, assign, portfolio};
use system::{Claim, Machine, PropertyId, System};

/// Checks the properties of a model that the options name.
///
/// ```
/// use uwbmc::{Language, Model, Options, check};
///
/// let text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; INVARSPEC x < 3";
/// let model = Model::parse(text, Language::Smv)?;
/// let report = check(&model, &Options::default().bound(12), &mut ())?;
/// let verdicts: Vec<String> = report.properties.iter().map(|property| property.verdict.to_string()).collect();
/// assert_eq!(verdicts, ["violated in 3 steps"]);
/// # Ok::<(), uwbmc::Error>(())
/// ```
pub fn check(model: &Model, options: &Options, observer: &mut dyn Observer) -> Result<Report, Error> {
    check_with(Vec::new(), model, options, observer)
}

/// Checks the properties of a model that the options name. Each goes to the first of these engines that can decide it, or
/// else to one of ours. docs/engine.md has an example.
pub fn check_with(
    mut engines: Vec<Candidate>,
    model: &Model,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    let machine = &model.machine;
    let wanted = chosen(machine.system(), &options.properties)?;
    engines.extend(portfolio(options));
    let assignments = assign(machine, &wanted, engines);
    let mut handle = Handle::new(options.timeout, options.memory, observer);
    let Searched { mut findings, faults, mut decided } = search(machine, assignments, options, &mut handle)?;
    if faults.is_empty() && !findings.has_initial_state {
        findings.hold_vacuously();
        decided = confirmed(machine, &findings)?;
    }
    let mut report = Report {
        properties: report::in_order(machine.system(), &wanted, &decided, &unlooked()),
        faults,
        oddities: findings.oddities,
        engine: findings.engine,
        deadlock: findings.deadlock,
        cost: findings.cost,
        remarks: findings.remarks,
        elapsed: handle.elapsed(),
    };
    for oddity in &report.oddities {
        replays(machine, oddity.kind, &oddity.trace)?;
    }
    report.remarks.extend(unwitnessed(machine, &report, options));
    report.remarks.extend(rounds::remarks(machine, &report));
    report.remarks.extend(starvation::remarks(machine, &report, &mut handle));
    certify::certify(machine, &mut report, options, &mut handle)?;
    Ok(Report { elapsed: handle.elapsed(), ..report })
}

/// What there is to say where a witness is wanted and there is none.
fn unwitnessed(machine: &Machine, report: &Report, options: &Options) -> Vec<String> {
    if options.witnesses == Witnesses::NotWanted {
        return Vec::new();
    }
    let open = report.properties.iter().filter(|checked| lacks_witness(machine, checked));
    open.map(|checked| format!("note: {} has no witness: no run was found that shows it", checked.name)).collect()
}

/// Whether a formula of CTL holds and no run is there that shows it.
fn lacks_witness(machine: &Machine, checked: &Checked) -> bool {
    let is_branching = matches!(machine.system().properties[checked.id].claim, Claim::Ctl(_));
    let is_shown = checked.explanation.as_ref().is_some_and(Explanation::shows_steps);
    is_branching && matches!(checked.verdict, Verdict::Holds(_)) && !is_shown
}

/// What is known of a property that no engine decides.
fn unlooked() -> Verdict {
    Verdict::unknown(Cause::Refused, "no engine looked at it")
}

/// The properties with these names; all of them without names.
pub fn chosen(system: &System, names: &[String]) -> Result<Vec<PropertyId>, Error> {
    if names.is_empty() {
        return Ok(system.properties.indices().collect());
    }
    names.iter().map(|name| named(system, name).map_err(Error::Usage)).collect()
}

/// What the engines found.
struct Searched {
    findings: Findings,
    faults: Vec<Fault>,
    /// What is known of the properties that engines looked at. Counterexamples have been replayed.
    decided: Vec<Checked>,
}

/// Runs the engines, one after the other, each on the processes alone and beside a claim: where a process may notice, these are two systems.
fn search(
    machine: &Machine,
    assignments: Vec<Assignment>,
    options: &Options,
    handle: &mut Handle<'_>,
) -> Result<Searched, Error> {
    let mut all: Option<Findings> = None;
    let (mut faults, mut decided) = (Vec::new(), Vec::new());
    for Assignment { engine, mut properties, turn } in assignments {
        if turn == Turn::Further {
            properties = left_open(&mut decided, &properties);
            if properties.is_empty() {
                continue;
            }
        }
        for (asked, properties) in machine.grouped(&properties) {
            let task = Task { machine: asked, properties: &properties, options };
            let mut findings = rounds::tidied(asked, run(&engine, task, handle, &mut faults)?);
            // Without the claim, a process may be able to move there.
            findings.deadlock = findings.deadlock.filter(|_| std::ptr::eq(asked, machine));
            // What is wrong with the model is found by every engine that gets there.
            faults.dedup_by(|later, earlier| later.failure == earlier.failure && later.property == earlier.property);
            decided.extend(told(machine, &findings, options)?);
            all = Some(match all {
                None => findings,
                Some(before) => report::merge(before, findings),
            });
        }
    }
    Ok(Searched { findings: all.unwrap_or_else(|| Findings::new("none")), faults, decided })
}

/// What an engine says of each property, which others may want to know at once.
fn told(machine: &Machine, findings: &Findings, options: &Options) -> Result<Vec<Checked>, Error> {
    let known = confirmed(machine, findings)?;
    // What has to be certified first is not known yet, and of a model without runs nothing is worth telling.
    if findings.has_initial_state && !options.proofs.are_checked() {
        let settled: Vec<Checked> = known.iter().filter(|checked| !is_open(&checked.verdict)).cloned().collect();
        options.known.learn(&settled);
    }
    Ok(known)
}

/// Takes back what was said of those properties that an engine may yet decide.
fn left_open(decided: &mut Vec<Checked>, properties: &[PropertyId]) -> Vec<PropertyId> {
    let may_be_decided = |checked: &mut Checked| properties.contains(&checked.id) && is_open(&checked.verdict);
    decided.extract_if(.., may_be_decided).map(|checked| checked.id).collect()
}

/// Whether more work may tell more: nothing is known, but the model has a meaning.
fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(undecided) if undecided.cause != Cause::NoMeaning)
}

/// Runs an engine. A property that has no value in a reachable state is undecided, and the engine begins anew without it:
/// the others have a meaning there.
fn run(
    candidate: &Candidate,
    task: Task<'_>,
    handle: &mut Handle<'_>,
    faults: &mut Vec<Fault>,
) -> Result<Findings, Error> {
    let (machine, mut open) = (task.machine, task.properties.to_vec());
    let mut undefined = Vec::new();
    loop {
        let mut findings = engine::run(candidate.begin(Task { properties: &open, ..task }).as_mut(), handle)?;
        let fault = findings.fault.take().map(|fault| Fault::new(machine, &open, fault)).transpose()?;
        let Some(fault) = fault else {
            findings.verdicts.extend(undefined);
            return Ok(findings);
        };
        let Fault { failure, property, .. } = fault;
        faults.push(fault);
        if let Some(property) = property {
            let reason = fault::reason_of_property(machine.system(), failure);
            undefined.push((property, Verdict::unknown(Cause::NoMeaning, reason)));
            open.retain(|open| *open != property);
        }
        if property.is_none() || open.is_empty() {
            findings.verdicts.retain(|(property, _)| open.contains(property));
            findings.verdicts.extend(undefined);
            return Ok(findings);
        }
    }
}

/// What an engine says of each property, if its counterexamples replay.
fn confirmed(machine: &Machine, findings: &Findings) -> Result<Vec<Checked>, Error> {
    let mut confirmed = Vec::with_capacity(findings.verdicts.len());
    for (id, verdict) in &findings.verdicts {
        if let Verdict::Violated(trace) = verdict {
            confirm(machine, *id, trace)?;
        }
        let name = machine.system().properties[*id].name.clone();
        let explanation = findings.explanation(*id).cloned();
        if let Some(explanation) = &explanation {
            explained::confirm(machine, &name, explanation)?;
        }
        confirmed.push(Checked { id: *id, name, verdict: verdict.clone(), explanation });
    }
    Ok(confirmed)
}
