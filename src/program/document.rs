//! A run of a program as a trace document: lanes are processes, operations are steps, and the state shows who holds what.

use super::{Names, violation};
use indexmap::IndexMap;
use operations::{Class, Key, Kind, Lane, Object, World};
use report::trace::{Document, FORMAT, Process, Scalar, Statement, Step, VERSION, Variable, Waiting};
use scheduler::{Choice, Found, Record, Replica};

/// The objects whose state is shown.
const SHOWN: [Class; 5] = [Class::Mutex, Class::ReadWrite, Class::Semaphore, Class::Barrier, Class::Once];

/// Describes a run that was found.
pub fn document(program: &str, found: &Found, names: &mut Names) -> Document {
    let record = &found.record;
    let pending = record.pending.iter().map(|pending| pending.caller);
    names.look_up(record.steps.iter().map(|step| step.caller).chain(pending));
    let objects = objects(record);
    let variables =
        objects.iter().map(|(class, key)| Variable { name: names.object(*class, *key), ..Variable::default() });
    let variables: Vec<Variable> = variables.collect();
    let mut replica = Replica::initial();
    let mut states = vec![state(&replica, &objects, &variables)];
    for step in &record.steps {
        replica.execute(step.event.lane, &step.event.op);
        states.push(state(&replica, &objects, &variables));
    }
    let steps = (0..record.steps.len()).map(|index| step(record, index, &found.printed, names)).collect();
    Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        model: program.to_owned(),
        property: Some(violation(&found.finding.violation)),
        variables,
        processes: lanes(record),
        states,
        steps,
        waiting: waiting(record, &replica, names),
        ..Document::default()
    }
}

/// The choices that lead to the run that a document describes; none if it is no run of a program.
pub fn choices(document: &Document) -> Option<Vec<Choice>> {
    document.steps.iter().map(choice).collect()
}

fn choice(step: &Step) -> Option<Choice> {
    let lane = Lane::of(step.process.strip_prefix('T')?.parse().ok()?)?;
    let given = step.text.as_deref().filter(|text| text.starts_with("toss")).and_then(|text| text.rsplit_once(GIVES));
    Some(Choice { lane, toss: given.and_then(|(_, value)| value.parse().ok()) })
}

/// What stands before the value of a toss.
const GIVES: &str = " gives ";

fn objects(record: &Record) -> Vec<(Class, Key)> {
    let mut seen = Vec::new();
    for op in record.steps.iter().map(|step| step.event.op) {
        let object = (op.class(), op.key);
        if SHOWN.contains(&object.0) && !seen.contains(&object) {
            seen.push(object);
        }
    }
    seen
}

fn state(replica: &Replica, objects: &[(Class, Key)], variables: &[Variable]) -> IndexMap<String, Scalar> {
    let value = |(class, key): &(Class, Key)| describe(*class, &replica.object(*class, *key));
    variables.iter().map(|variable| variable.name.clone()).zip(objects.iter().map(value)).collect()
}

fn describe(class: Class, object: &Object) -> Scalar {
    let holder = object.holder().map(Names::lane);
    match (class, holder) {
        (Class::Semaphore | Class::Barrier, _) => Scalar::Integer(object.count.into()),
        (Class::Once, None) => Scalar::Text(if object.count == 0 { "open" } else { "done" }.to_owned()),
        (_, Some(holder)) => Scalar::Text(holder),
        (Class::ReadWrite, None) if object.count > 0 => Scalar::Text(format!("{} reading", object.count)),
        (_, None) => Scalar::Text("free".to_owned()),
    }
}

fn lanes(record: &Record) -> Vec<Process> {
    let mut lanes: Vec<Lane> = record.steps.iter().map(|step| step.event.lane).collect();
    lanes.extend(record.pending.iter().map(|pending| pending.lane));
    lanes.sort();
    lanes.dedup();
    lanes.into_iter().map(|lane| Process { name: Names::lane(lane), ..Process::default() }).collect()
}

fn step(record: &Record, index: usize, printed: &[u8], names: &mut Names) -> Step {
    let step = &record.steps[index];
    let place = names.places().caller(step.caller).cloned();
    let until = record.steps.get(index + 1).map_or(printed.len(), |next| next.printed as usize);
    let output = printed.get(step.printed as usize..until).unwrap_or_default();
    let output = String::from_utf8_lossy(output).into_owned();
    let mut text = names.operation(&step.event.op);
    if step.event.op.kind == Kind::Toss {
        text = format!("{text}{GIVES}{}", step.event.result);
    }
    Step {
        process: Names::lane(step.event.lane),
        at: place.as_ref().map(|place| format!("{} in {}", place.function, place.file)),
        line: place.and_then(|place| place.line),
        text: Some(text),
        prints: Some(output).filter(|output| !output.is_empty()),
        ..Step::default()
    }
}

/// Who waits for what, if the run ends where no lane can move.
fn waiting(record: &Record, replica: &Replica, names: &mut Names) -> Vec<Waiting> {
    if record.ending != operations::region::Ending::Deadlock {
        return Vec::new();
    }
    let mut waiting = Vec::new();
    for pending in &record.pending {
        let place = names.places().caller(pending.caller).cloned();
        let mut text = names.operation(&pending.op);
        let holder = replica.object(pending.op.class(), pending.op.key).holder();
        if let Some(holder) = holder {
            text = format!("{text}, which {} holds", Names::lane(holder));
        }
        let line = place.as_ref().and_then(|place| place.line).unwrap_or(0);
        let at = place.map_or("an unknown place".to_owned(), |place| place.function);
        let statements = vec![Statement { line, text }];
        waiting.push(Waiting { process: Names::lane(pending.lane), at, statements, end: false });
    }
    waiting
}
