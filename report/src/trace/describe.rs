//! From a run of a system to its document.

use super::account::{Account, Facts};
use super::document::{Document, Domain, FORMAT, Point, Process, Queue, Scalar, Statement, Step, VERSION, Variable};
use super::owner::Owners;
use super::values::Values;
use languages::source::Source;
use system::{
    CommandId, Machine, Motion, Moved, PointId, ProcessId, PropertyId, Span, State, System, Trace, Value, VarId,
    control_flows,
};

/// The most edges of a control-flow graph that a document holds.
const MOST_EDGES: usize = 10_000;

/// The document of a trace, and of the property that it violates.
pub fn describe(machine: &Machine, source: &Source, trace: &Trace, property: Option<PropertyId>) -> Document {
    let facts = Facts::of(machine, source, trace, property);
    Account { machine, source, trace, facts: &facts }.document()
}

/// A document without a run: what is known of the system.
pub fn setting(machine: &Machine, source: &Source) -> Document {
    let system = machine.system();
    let owners = Owners::new(system);
    Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        model: source.name().to_owned(),
        variables: system.variables.indices().map(|var| variable(system, &owners, var)).collect(),
        processes: control_flows(system)
            .iter_enumerated()
            .map(|(process, flow)| self::process(system, source, process, flow))
            .collect(),
        queues: system.queues.iter().map(|queue| self::queue(system, queue)).collect(),
        ..Document::default()
    }
}

/// One step of a trace.
pub fn step(machine: &Machine, source: &Source, from: &State, moved: &Moved, to: &State) -> Step {
    let system = machine.system();
    let process = &system.processes[moved.process];
    // A statement of a program says more than what it changes.
    let statement = moved.command.filter(|_| system.has_statements).map(|command| &system.commands[command]);
    let cause = statement.map(|command| command.span).or_else(|| cause(machine, from, moved, to));
    Step {
        process: process.name.clone(),
        partner: moved.command.and_then(|command| partner(system, command)),
        at: process.pc.and_then(|_| machine.point(moved.process, from)).map(|p| process.points[p].name.clone()),
        line: cause.map(|span| source.line(span)),
        text: match statement {
            Some(command) => Some(command.label.clone()),
            None => cause.map(|span| source.clause(span)),
        },
        inputs: moved.inputs.iter().map(|(var, value)| named_value(system, *var, *value)).collect(),
        prints: moved.command.and_then(|command| prints(machine, command, from)),
        ..Step::default()
    }
}

/// What a command prints when it runs in a state, without the end of the line.
fn prints(machine: &Machine, command: CommandId, from: &State) -> Option<String> {
    let parts = machine.system().prints.get(&command)?;
    let text = machine.printed(parts, from, &mut machine.workspace());
    Some(text.strip_suffix('\n').map_or(text.clone(), str::to_owned))
}

/// The place that says what the step changed: of the program counter, or else of the first variable.
fn cause(machine: &Machine, from: &State, moved: &Moved, to: &State) -> Option<system::Span> {
    let pc = machine.system().processes[moved.process].pc;
    let variables = pc.into_iter().chain(machine.system().state_variables().map(|(var, _)| var));
    let mut changed = variables.filter(|var| machine.layout().differ(&from.0, &to.0, *var));
    changed.find_map(|var| machine.cause(from, moved, to, var))
}

fn partner(system: &System, command: CommandId) -> Option<String> {
    let partner = system.commands[command].partner?;
    Some(system.processes[partner.process].name.clone())
}

/// The values of a state.
pub fn values(machine: &Machine, state: &State) -> Values {
    let system = machine.system();
    let values = system.state_variables().filter_map(|(var, _)| Some((var, machine.layout().get(&state.0, var)?)));
    values.map(|(var, value)| named_value(system, var, value)).collect()
}

fn named_value(system: &System, var: VarId, value: Value) -> (String, Scalar) {
    (system.variables[var].name.clone(), scalar(system, var, value))
}

pub(super) fn scalar(system: &System, var: VarId, value: Value) -> Scalar {
    let text = system.render_value(var, value);
    match system.variables[var].domain {
        system::Domain::Boolean => Scalar::Boolean(value != 0),
        system::Domain::Word(_) => Scalar::Text(text),
        _ if text.parse() == Ok(value) => Scalar::Integer(value),
        _ => Scalar::Text(text),
    }
}

fn variable(system: &System, owners: &Owners<'_>, var: VarId) -> Variable {
    let system::Variable { name, domain, motion, .. } = &system.variables[var];
    let domain = match domain {
        _ if system.value_names.contains_key(&var) => named(system, var),
        system::Domain::Boolean => Domain::Boolean,
        system::Domain::Range { low, high } => Domain::Range { low: *low, high: *high },
        system::Domain::Values(values) => {
            Domain::Enumeration { values: values.iter().map(|value| scalar(system, var, *value)).collect() }
        }
        system::Domain::Word(word) => Domain::Word { width: word.width, signed: word.signed },
    };
    let process = owners.owner(var).map(|process| system.processes[process].name.clone());
    // What watches the run and is written nowhere is of no interest to people.
    let internal = system.variables[var].span == Span::default() && system.monitors.contains(&var);
    Variable { name: name.clone(), input: *motion == Motion::Input, process, domain: Some(domain), internal }
}

fn queue(system: &System, queue: &system::Queue) -> Queue {
    let places = match system.variables[queue.length].domain {
        system::Domain::Range { high, .. } => usize::try_from(high).unwrap_or(0),
        _ => 0,
    };
    Queue {
        name: queue.name.clone(),
        length: system.variables[queue.length].name.clone(),
        messages: (0..places).map(|at| fields(system, queue, at)).collect(),
    }
}

/// The variables of the message at a place of a queue.
fn fields(system: &System, queue: &system::Queue, at: usize) -> Vec<String> {
    let variables = queue.fields.iter().map(|first| VarId::from(first.index() + at));
    variables.map(|var| system.variables[var].name.clone()).collect()
}

/// The values of a variable that have names, and 0, which has none.
fn named(system: &System, var: VarId) -> Domain {
    let names = system.value_names.get(&var).map_or(&[][..], |names| names);
    let names = names.iter().map(|name| Scalar::Text(name.clone()));
    Domain::Enumeration { values: std::iter::once(Scalar::Integer(0)).chain(names).collect() }
}

fn process(system: &System, source: &Source, id: ProcessId, flow: &system::Flow) -> Process {
    let process = &system.processes[id];
    let mut edges: Vec<(usize, usize)> = flow.iter().map(|(from, to)| (from.index(), to.index())).collect();
    if edges.len() > MOST_EDGES {
        edges.clear();
    }
    let pc = process.pc.map(|pc| system.variables[pc].name.clone());
    let points = process.points.indices().map(|at| point(system, source, (id, at))).collect();
    Process { name: process.name.clone(), pc, points, edges }
}

fn point(system: &System, source: &Source, (id, at): (ProcessId, PointId)) -> Point {
    let (process, known) = (&system.processes[id], system.statements.get(&id));
    let point = &process.points[at];
    Point {
        name: point.name.clone(),
        value: process.pc.zip(point.value).map(|(pc, value)| scalar(system, pc, value)),
        statements: known.map_or_else(Vec::new, |known| statements(source, &known[at.index()])),
    }
}

/// Statements with their lines, each once.
fn statements(source: &Source, known: &[system::Statement]) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for system::Statement { text, span } in known {
        let statement = Statement { line: source.line(*span), text: text.clone() };
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    statements
}
