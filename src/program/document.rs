//! A run of a program as a trace document: lanes are processes, operations are steps, and the state shows who holds what.

use super::{Names, violation};
use operations::region::Ending;
use operations::{Class, Key, Kind, Lane, Object, World};
use report::trace::{Chosen, Document, FORMAT, Process, Scalar, Statement, Step, VERSION, Values, Variable, Waiting};
use scheduler::{Choice, Found, Record, Replica};

/// The objects whose state is shown.
const SHOWN: [Class; 6] = [Class::Mutex, Class::ReadWrite, Class::Semaphore, Class::Barrier, Class::Once, Class::Queue];

/// Describes a run that was found.
pub fn document(command: &[String], found: &Found, names: &mut Names) -> Document {
    let record = &found.record;
    let pending = record.pending.iter().map(|pending| (pending.lane, pending.caller));
    names.look_up(record.steps.iter().map(|step| (step.event.lane, step.caller)).chain(pending));
    names.call(&record.names);
    let objects = objects(record);
    let variables = objects
        .iter()
        .map(|(lane, class, key)| Variable { name: names.object(*lane, *class, *key), ..Variable::default() });
    let variables: Vec<Variable> = variables.collect();
    let mut replica = Replica::initial();
    let mut states = vec![state(&replica, &objects, &variables, names)];
    for step in &record.steps {
        replica.execute(&step.event);
        states.push(state(&replica, &objects, &variables, names));
    }
    let steps = (0..record.steps.len()).map(|index| step(record, index, &found.printed, names)).collect();
    Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        model: command.first().cloned().unwrap_or_default(),
        command: command.to_vec(),
        property: Some(violation(&found.finding.violation)),
        variables,
        processes: lanes(record, names),
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
    let Chosen { lane, toss } = step.chosen?;
    Some(Choice { lane: Lane::of(lane.into())?, toss })
}

/// The objects of a run, each with a lane that uses it.
fn objects(record: &Record) -> Vec<(Lane, Class, Key)> {
    let mut seen: Vec<(Lane, Class, Key)> = Vec::new();
    for event in record.steps.iter().map(|step| step.event) {
        let (class, key) = (event.op.class(), event.op.key);
        if SHOWN.contains(&class) && !seen.iter().any(|(_, other, at)| (*other, *at) == (class, key)) {
            seen.push((event.lane, class, key));
        }
    }
    seen
}

fn state(replica: &Replica, objects: &[(Lane, Class, Key)], variables: &[Variable], names: &Names) -> Values {
    let value = |(_, class, key): &(Lane, Class, Key)| describe(*class, &replica.object(*class, *key), names);
    variables.iter().map(|variable| variable.name.clone()).zip(objects.iter().map(value)).collect()
}

fn describe(class: Class, object: &Object, names: &Names) -> Scalar {
    let holder = object.holder().filter(|_| class != Class::Queue).map(|lane| names.label(lane));
    match (class, holder) {
        (Class::Semaphore | Class::Barrier | Class::Queue, _) => Scalar::Integer(object.count.into()),
        (Class::Once, None) => Scalar::Text(if object.count == 0 { "open" } else { "done" }.to_owned()),
        (_, Some(holder)) => Scalar::Text(holder),
        (Class::ReadWrite, None) if object.count > 0 => Scalar::Text(format!("{} reading", object.count)),
        (_, None) => Scalar::Text("free".to_owned()),
    }
}

fn lanes(record: &Record, names: &Names) -> Vec<Process> {
    let mut lanes: Vec<Lane> = record.steps.iter().map(|step| step.event.lane).collect();
    lanes.extend(record.pending.iter().map(|pending| pending.lane));
    lanes.sort();
    lanes.dedup();
    lanes.into_iter().map(|lane| Process { name: names.label(lane), ..Process::default() }).collect()
}

fn step(record: &Record, index: usize, printed: &[u8], names: &mut Names) -> Step {
    let step = &record.steps[index];
    let place = names.place(step.event.lane, step.caller).cloned();
    let until = record.steps.get(index + 1).map_or(printed.len(), |next| next.printed as usize);
    let output = printed.get(step.printed as usize..until).unwrap_or_default();
    let output = String::from_utf8_lossy(output).into_owned();
    let mut text = names.operation(step.event.lane, &step.event.op);
    let Choice { lane, toss } = step.choice();
    if let Some(value) = toss.filter(|_| step.event.op.kind == Kind::Toss) {
        text = format!("{text} gives {value}");
    }
    Step {
        process: names.label(step.event.lane),
        at: place.as_ref().map(|place| format!("{} in {}", place.function, place.file)),
        line: place.and_then(|place| place.line),
        text: Some(text),
        prints: Some(output).filter(|output| !output.is_empty()),
        chosen: Some(Chosen { lane: lane.0.into(), toss }),
        ..Step::default()
    }
}

/// Who waits for what, if the run ends where no lane can move.
fn waiting(record: &Record, replica: &Replica, names: &mut Names) -> Vec<Waiting> {
    if !matches!(record.ending, Ending::Deadlock | Ending::Livelock) {
        return Vec::new();
    }
    let mut waiting = Vec::new();
    for pending in &record.pending {
        let place = names.place(pending.lane, pending.caller).cloned();
        let mut text = names.operation(pending.lane, &pending.op);
        let holder = replica.object(pending.op.class(), pending.op.key).holder();
        if let Some(holder) = holder.filter(|_| pending.op.class() != Class::Queue) {
            text = format!("{text}, which {} holds", names.label(holder));
        }
        if pending.is_in_loop {
            text = format!("{text}, in a loop");
        }
        // Where the line is not known, what is waited for says enough.
        let (at, statements) = match place.and_then(|place| Some((place.line?, place.function))) {
            Some((line, function)) => (function, vec![Statement { line, text }]),
            None => (text, Vec::new()),
        };
        waiting.push(Waiting { process: names.label(pending.lane), at, statements, end: false });
    }
    waiting
}
