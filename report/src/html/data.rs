//! What the page knows of a run: the trace documents, with states as changes, so that long runs stay small.

use super::super::{BranchReport, DiagnosticReport, PropertyReport, RunReport};
use crate::trace::{self, Document, Place, Scalar, Telling, View};
use indexmap::IndexSet;
use languages::hidden::visible;
use serde::{Serialize, Serializer};
use std::collections::HashMap;

/// Everything on a page.
#[derive(Serialize)]
pub struct Page<'a> {
    pub title: String,
    /// How the run was made, in a line.
    about: String,
    /// Each property with its verdict, in words.
    pub verdicts: Vec<String>,
    /// What there is to say about the model itself.
    findings: Vec<Finding>,
    properties: Vec<Property>,
    runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
struct Finding {
    severity: &'static str,
    code: &'static str,
    place: String,
    message: String,
    text: Option<String>,
    help: Option<String>,
    /// The position in `runs` of the run that leads there.
    runs: Vec<usize>,
}

#[derive(Serialize)]
struct Property {
    name: String,
    verdict: &'static str,
    summary: String,
    /// What is claimed, and where.
    written: String,
    /// The positions in `runs` of its counterexample, and of the one that was found before it was simplified; or of its witness.
    runs: Vec<usize>,
    /// What the buttons for these say.
    shows: Vec<&'static str>,
    /// Which conjuncts fail, if that is not part of what follows.
    conjuncts: Vec<String>,
    /// Why it has its value: runs that leave each other, and what is said of their states.
    tree: Vec<Limb>,
}

/// A run that leaves another one.
#[derive(Serialize)]
struct Limb {
    /// The position in `tree` of the run that it leaves.
    parent: Option<usize>,
    /// What it is, in words.
    label: String,
    /// Its position in `runs`, if it is there.
    run: Option<usize>,
    claims: Vec<String>,
}

#[derive(Serialize)]
struct Run<'a> {
    label: String,
    variables: Vec<Variable>,
    processes: Vec<Process>,
    /// The values of the first state, by variable.
    first: Vec<String>,
    steps: Steps<'a>,
    #[serde(rename = "loop")]
    loop_start: Option<usize>,
    /// Who waits where at the end, if no process can move there.
    waiting: Vec<String>,
    /// Positions of the variables, and numbers of the steps, that the violation depends on.
    core: Option<(Vec<usize>, Vec<usize>)>,
}

#[derive(Serialize)]
struct Variable {
    name: String,
    /// The position of its process.
    process: Option<usize>,
}

#[derive(Serialize)]
struct Process {
    name: String,
    /// The position of its program counter among the variables.
    pc: Option<usize>,
    /// Names and program counter values of its control points, and the rounds in which they were widened.
    points: Vec<(String, String, Option<usize>)>,
    edges: Vec<(usize, usize)>,
}

#[derive(Serialize)]
struct Step {
    /// Positions of the process that moves and of its partner.
    process: usize,
    partner: Option<usize>,
    at: Option<String>,
    line: Option<usize>,
    text: Option<String>,
    inputs: Vec<(String, String)>,
    /// Earlier steps that it depends on, with names of variables.
    observes: Vec<(usize, Vec<String>)>,
    /// What changes: positions of variables and their new values.
    changes: Vec<(usize, String)>,
    /// The messages that it sends and receives, as Promela writes them, and the steps that sent those received.
    messages: Vec<(String, Option<usize>)>,
    prints: Option<String>,
}

/// The steps of a run, which are made while they are written.
struct Steps<'a>(Telling<'a>);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let about = self.0.about();
        let (view, processes) = (View::new(about), names(about));
        serializer.collect_seq(self.0.places().filter_map(|place| step(&place, &view, &processes)))
    }
}

impl<'a> Page<'a> {
    /// The page of a run of the checker.
    pub fn of_report(report: &'a RunReport) -> Page<'a> {
        let widened = widened(report);
        let mut runs = Vec::new();
        let mut properties = Vec::new();
        for property in &report.properties {
            properties.push(Property::new(property, &mut runs, &widened));
        }
        let mut findings: Vec<Finding> = report.diagnostics.iter().map(|found| finding(found, Vec::new())).collect();
        if let Some(fault) = &report.fault {
            findings.push(finding(&fault.diagnostic, vec![runs.len()]));
            runs.push(Run::new(
                "the run to where the model has no meaning".to_owned(),
                fault.trace.telling(),
                &widened,
            ));
        }
        let said = findings.iter().map(|found| format!("{}: {}", found.severity, found.message));
        let verdicts = properties.iter().map(|property| format!("{}: {}", property.name, property.summary));
        let engine =
            report.engine.map_or_else(|| "nothing was checked".to_owned(), |engine| format!("engine {engine}"));
        let bound = report.bound.map_or_else(String::new, |bound| format!(", bound {bound}"));
        let states = report.states.map_or_else(String::new, |states| format!(", {states} states visited"));
        Page {
            title: text(&report.model),
            about: format!("{engine}{bound}{states}"),
            verdicts: said.chain(verdicts).collect(),
            findings,
            properties,
            runs,
        }
    }

    /// The page of a single trace.
    pub fn of_trace(run: Telling<'a>) -> Page<'a> {
        let label = run.about().property.as_deref().unwrap_or("run");
        let steps = run.length().saturating_sub(1);
        Page {
            title: text(&run.about().model),
            about: format!("a trace of {steps} steps"),
            verdicts: Vec::new(),
            findings: Vec::new(),
            properties: Vec::new(),
            runs: vec![Run::new(text(label), run, &Widened::new())],
        }
    }
}

impl Property {
    /// What is known of a property; its runs are added to those of the page.
    fn new<'a>(property: &'a PropertyReport, runs: &mut Vec<Run<'a>>, widened: &Widened) -> Property {
        let name = text(&property.name);
        let shown = [
            (&property.trace, "show", String::new()),
            (&property.original, "as found", ", as it was found".to_owned()),
            (&property.witness, "show a witness", ", why it holds".to_owned()),
        ];
        let (mut own, mut shows) = (Vec::new(), Vec::new());
        for (trace, button, label) in shown {
            let Some(trace) = trace else { continue };
            own.push(runs.len());
            shows.push(button);
            runs.push(Run::new(format!("{name}{label}"), trace.telling(), widened));
        }
        let summary = match &property.simplified {
            Some(note) => format!("{}, {note}", property.summary),
            None => property.summary.clone(),
        };
        let branches = property.explanation.as_ref().map_or(&[][..], |explanation| &explanation.branches);
        let tree = branches.iter().map(|branch| limb(branch, &name, runs, widened)).collect();
        let conjuncts = property.conjuncts.iter().filter(|_| branches.is_empty());
        Property {
            verdict: property.verdict,
            summary: text(&summary),
            written: text(&property.written.describe()),
            runs: own,
            shows,
            conjuncts: conjuncts
                .map(|conjunct| text(&format!("state {}: the conjunct {} is false", conjunct.state, conjunct.formula)))
                .collect(),
            tree,
            name,
        }
    }
}

/// A branch, whose run is added to those of the page.
fn limb<'a>(branch: &'a BranchReport, name: &str, runs: &mut Vec<Run<'a>>, widened: &Widened) -> Limb {
    let label = match branch.parent {
        Some(_) => format!("another run, from state {}", branch.from),
        None => "why".to_owned(),
    };
    let run = branch.trace.as_ref().map(|trace| {
        runs.push(Run::new(format!("{name}, {label}"), Telling::Document(trace), widened));
        runs.len() - 1
    });
    let claims = branch.claims.iter().map(|claim| text(&claim.describe())).collect();
    Limb { parent: branch.parent, label, run, claims }
}

fn finding(found: &DiagnosticReport, runs: Vec<usize>) -> Finding {
    Finding {
        severity: found.severity,
        code: found.code,
        place: text(&found.place()),
        message: text(&found.message),
        text: found.text.as_deref().map(text),
        help: found.help.as_deref().map(text),
        runs,
    }
}

/// The number of the first round in which each control point was widened, by names such as `p1@await`.
type Widened = HashMap<String, usize>;

fn widened(report: &RunReport) -> Widened {
    let mut widened = Widened::new();
    for (number, round) in report.rounds.iter().enumerate() {
        for point in &round.widened {
            widened.entry(point.clone()).or_insert(number + 1);
        }
    }
    widened
}

impl<'a> Run<'a> {
    fn new(label: String, run: Telling<'a>, widened: &Widened) -> Run<'a> {
        let document = run.about();
        let view = View::new(document);
        let positions = positions(&view);
        let processes = names(document);
        let variables = view.items().iter().map(|item| Variable {
            name: text(item.name()),
            process: item.process().and_then(|name| processes.get_index_of(name)),
        });
        let first = run.states().next();
        let first = first.map(|values| view.items().iter().map(|item| text(&item.value(&values))).collect());
        let core = document.core.as_ref().map(|core| {
            let variables = core.variables.iter().filter_map(|name| positions.get(name.as_str()).copied());
            (variables.collect(), core.steps.clone())
        });
        let points = document.processes.iter().map(|own| process(own, &view, &positions, widened));
        Run {
            label,
            variables: variables.collect(),
            processes: points.collect(),
            first: first.unwrap_or_default(),
            steps: Steps(run),
            waiting: document.waiting.iter().map(|process| text(&process.describe())).collect(),
            loop_start: document.loop_start,
            core,
        }
    }
}

/// The names of the processes.
fn names(document: &Document) -> IndexSet<&str> {
    document.processes.iter().map(|process| process.name.as_str()).collect()
}

/// Where each variable is among what is shown.
fn positions<'v>(view: &'v View<'_>) -> HashMap<&'v str, usize> {
    let items = view.items().iter().enumerate();
    items.flat_map(|(position, item)| item.variables().map(move |name| (name.as_str(), position))).collect()
}

fn process(process: &trace::Process, view: &View<'_>, positions: &HashMap<&str, usize>, widened: &Widened) -> Process {
    let pc = process.pc.as_deref().and_then(|pc| positions.get(pc).copied());
    let mut points = Vec::new();
    for point in &process.points {
        let round = widened.get(&format!("{}@{}", process.name, point.name)).copied();
        let value = point.value.as_ref().map_or_else(String::new, Scalar::to_string);
        let place = pc.and_then(|pc| view.items()[pc].place(&value));
        points.push((text(&point.name), text(place.unwrap_or(&value)), round));
    }
    Process { name: text(&process.name), pc, points, edges: process.edges.clone() }
}

/// The step to a state; none leads to the first.
fn step(place: &Place, view: &View<'_>, processes: &IndexSet<&str>) -> Option<Step> {
    let (step, before, state) = (place.by.as_deref()?, place.before.as_ref()?, &place.state);
    let changes = view.changes(before, state);
    Some(Step {
        // Reading a document adds the processes that it does not list.
        process: processes.get_index_of(step.process.as_str()).unwrap_or_default(),
        partner: step.partner.as_deref().and_then(|name| processes.get_index_of(name)),
        at: step.at.as_deref().map(text),
        line: step.line,
        text: step.text.as_deref().map(text),
        inputs: step.inputs.iter().map(|(name, input)| (text(name), value(input))).collect(),
        observes: step
            .observes
            .iter()
            .map(|seen| (seen.step, seen.variables.iter().map(|name| text(name)).collect()))
            .collect(),
        changes: changes.map(|position| (position, text(&view.items()[position].value(state)))).collect(),
        messages: step.messages.iter().map(|message| (text(&message.to_string()), message.sent)).collect(),
        prints: step.prints.as_deref().map(text),
    })
}

fn value(value: &Scalar) -> String {
    text(&value.to_string())
}

fn text(text: &str) -> String {
    visible(text).into_owned()
}
