//! The trace document: everything about a run that its readers need, without the model and without this tool.
//!
//! It is what `--trace FILE.json` writes and `uwbmc replay` reads, and every other format is a rendering of it.
//! docs/trace.md describes it; docs/trace.schema.json is its schema.

use super::values::{Values, push, read_states};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// How the document calls itself.
pub const FORMAT: &str = "uwbmc-trace";
/// Grows when a reader of the version before could misread a document. New optional fields do not change it.
pub const VERSION: u32 = 1;

/// A run and what is known of the system that made it. `With` writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Document {
    /// Always [`FORMAT`].
    pub format: String,
    /// At most [`VERSION`].
    pub version: u32,
    /// The model's file name, for people.
    #[serde(default)]
    pub model: String,
    /// The program that made the run, and its arguments, if it is no model.
    #[serde(default)]
    pub command: Vec<String>,
    /// The property that the trace violates, if any.
    #[serde(default)]
    pub property: Option<String>,
    /// The variables, in order; without them, those of the first state.
    #[serde(default)]
    pub variables: Vec<Variable>,
    /// The processes, in order; without them, those that move.
    #[serde(default)]
    pub processes: Vec<Process>,
    /// The queues of messages that some of the variables make up.
    #[serde(default)]
    pub queues: Vec<Queue>,
    /// The states, each with a value for every variable that is no input.
    #[serde(deserialize_with = "read_states")]
    pub states: Vec<Values>,
    /// The steps between them, one fewer.
    pub steps: Vec<Step>,
    /// The state that the last state repeats, if the run goes on from there for ever.
    #[serde(default, rename = "loop")]
    pub loop_start: Option<usize>,
    /// Where each process waits that has not come to its end, if the run ends where no process can move and must not.
    #[serde(default)]
    pub waiting: Vec<Waiting>,
    /// What the violation depends on.
    #[serde(default)]
    pub core: Option<Core>,
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        With { document: self, states: &self.states, steps: &self.steps }.serialize(serializer)
    }
}

/// A document with these states and steps, which may be more than memory should hold.
pub(super) struct With<'a, S, T> {
    pub document: &'a Document,
    pub states: S,
    pub steps: T,
}

impl<States: Serialize, Steps: Serialize> Serialize for With<'_, States, Steps> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Document { format, version, model, command, property, variables, processes, queues, .. } = self.document;
        let Document { loop_start, waiting, core, .. } = self.document;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", format)?;
        map.serialize_entry("version", version)?;
        map.serialize_entry("model", model)?;
        if !command.is_empty() {
            map.serialize_entry("command", command)?;
        }
        map.serialize_entry("property", property)?;
        map.serialize_entry("variables", variables)?;
        map.serialize_entry("processes", processes)?;
        if !queues.is_empty() {
            map.serialize_entry("queues", queues)?;
        }
        map.serialize_entry("states", &self.states)?;
        map.serialize_entry("steps", &self.steps)?;
        map.serialize_entry("loop", loop_start)?;
        if !waiting.is_empty() {
            map.serialize_entry("waiting", waiting)?;
        }
        if let Some(core) = core {
            map.serialize_entry("core", core)?;
        }
        map.end()
    }
}

/// A value as JSON has it: booleans and integers are JSON's own; symbols and words are written as the model does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// `FALSE` or `TRUE`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A symbol such as `idle`, or a word such as `0ud8_5`.
    Text(String),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Boolean(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Scalar::Integer(value) => write!(f, "{value}"),
            Scalar::Text(text) => f.write_str(text),
        }
    }
}

/// A variable of the system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its full name, such as `p1.pc` or `a[2]`.
    pub name: String,
    /// Whether it has a value during steps only.
    #[serde(default)]
    pub input: bool,
    /// The process it belongs to, if it belongs to one.
    #[serde(default)]
    pub process: Option<String>,
    /// The values it can have.
    #[serde(default)]
    pub domain: Option<Domain>,
    /// Whether it only serves the search, and people are not shown it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
}

/// A queue of messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// Its name.
    pub name: String,
    /// The variable that says how many messages there are.
    pub length: String,
    /// For each place, that of the oldest message first, the variables that are the fields of the message.
    pub messages: Vec<Vec<String>>,
}

impl Queue {
    /// The variables that it is made of.
    pub fn variables(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.length).chain(self.messages.iter().flatten())
    }
}

/// A process that waits for something that no process will do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The process.
    pub process: String,
    /// Its control point.
    pub at: String,
    /// The statements there, none of which can run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
    /// Whether the process may stay there for ever.
    #[serde(default)]
    pub end: bool,
}

/// A statement of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The line that it begins on.
    pub line: usize,
    /// The statement.
    pub text: String,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Domain {
    /// `true` and `false`.
    Boolean,
    /// All integers between two bounds, both included.
    Range {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// Some symbols and integers.
    Enumeration {
        /// The values, in order of declaration.
        values: Vec<Scalar>,
    },
    /// All bit vectors of one width.
    Word {
        /// The number of bits.
        width: u32,
        /// Whether it is read in two's complement.
        signed: bool,
    },
}

/// A process of the system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its full name.
    pub name: String,
    /// The variable that says where it is, if it has one.
    #[serde(default)]
    pub pc: Option<String>,
    /// Its control points.
    #[serde(default)]
    pub points: Vec<Point>,
    /// Its control-flow graph, as pairs of positions in `points`; left out where there are very many.
    #[serde(default)]
    pub edges: Vec<(usize, usize)>,
}

/// A control point of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// How people call it.
    pub name: String,
    /// The program counter's value there.
    #[serde(default)]
    pub value: Option<Scalar>,
    /// The statements that the process can come to there, of a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
}

/// A step between two states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The process that moved.
    pub process: String,
    /// The process that moved with it, in a rendezvous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    /// The control point that the process moved from.
    #[serde(default)]
    pub at: Option<String>,
    /// The line of the model that says what the step did.
    #[serde(default)]
    pub line: Option<usize>,
    /// That line.
    #[serde(default)]
    pub text: Option<String>,
    /// The values of the inputs during the step.
    #[serde(default)]
    pub inputs: Values,
    /// Earlier steps of other processes whose changes this step may have read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observes: Vec<Observation>,
    /// The messages that it sends and receives through queues.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// What it prints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prints: Option<String>,
    /// What was chosen, in a run of a program: enough to make the run again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
}

/// What was chosen for a step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The number of the thread or process that moved.
    pub lane: u32,
    /// What a toss gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toss: Option<u32>,
}

impl Step {
    /// The control point that the process moved from, if it has a name of its own and not just a line and a number.
    pub fn label(&self) -> Option<&str> {
        self.at.as_deref().filter(|name| !is_place(name))
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the name of a control point is just a line and a number.
fn is_place(name: &str) -> bool {
    name.split_once(':').is_some_and(|(line, at)| is_number(line) && is_number(at))
}

/// A message on its way into a queue or out of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The queue.
    pub channel: String,
    /// Which way it goes.
    pub direction: Direction,
    /// Its fields.
    pub values: Vec<Scalar>,
    /// For a message that is received: the step that sent it, from 1, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<usize>,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Into the queue.
    Send,
    /// Out of it.
    Receive,
}

impl fmt::Display for Message {
    /// As Promela writes it: `q!1,2` or `q?1,2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(Scalar::to_string).collect();
        let sign = if self.direction == Direction::Send { '!' } else { '?' };
        write!(f, "{}{sign}{}", self.channel, values.join(","))
    }
}

/// A step that another one depends on, and by which variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The earlier step, from 1.
    pub step: usize,
    /// What it changed and the later one may have read.
    pub variables: Vec<String>,
}

/// What a violation depends on, by the flow of data: the property, or a step of the core, may have read what the
/// steps of the core changed, and read nothing that another step changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Core {
    /// The steps that matter, from 1.
    pub steps: Vec<usize>,
    /// The variables that matter.
    pub variables: Vec<String>,
}

/// Why a text is no trace document.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadError(pub String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

impl Document {
    /// The document as JSON, on several lines.
    pub fn to_json(&self) -> String {
        // Strings, numbers and maps with string keys always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a document and checks that it hangs together.
    pub fn from_json(text: &str) -> Result<Document, ReadError> {
        let document: Document =
            serde_json::from_str(text).map_err(|error| ReadError(format!("this is no trace: {error}")))?;
        if document.format != FORMAT || document.version > VERSION {
            let found = format!("{} version {}", document.format, document.version);
            return Err(ReadError(format!("expected {FORMAT} version {VERSION}, found {found}")));
        }
        document.checked()
    }

    /// Where the loop starts, if its last state is the same as the first, and does not differ in what decides nothing.
    pub fn exact_loop_start(&self) -> Option<usize> {
        self.loop_start.filter(|start| self.states.get(*start) == self.states.last())
    }

    /// The document, with what a short one leaves out, if it hangs together.
    pub(super) fn checked(mut self) -> Result<Document, ReadError> {
        self.check_shape()?;
        self.fill_in();
        self.check_values()?;
        Ok(self)
    }

    fn check_shape(&self) -> Result<(), ReadError> {
        let (states, steps) = (self.states.len(), self.steps.len());
        if states != steps + 1 && states + steps > 0 {
            return Err(ReadError(format!("{steps} steps need {} states, not {states}", steps + 1)));
        }
        match self.loop_start {
            // Whether the loop comes back to there is what replaying tells.
            Some(start) if start >= steps => {
                Err(ReadError(format!("the last state is not the state {start} where the loop starts")))
            }
            _ => Ok(()),
        }
    }

    /// Names the variables and processes that a short document leaves out.
    fn fill_in(&mut self) {
        if self.variables.is_empty() {
            let states = self.states.first().into_iter().flat_map(Values::names).map(|name| (name, false));
            let inputs = self.steps.first().into_iter().flat_map(|step| step.inputs.names()).map(|name| (name, true));
            let variables = states.chain(inputs);
            self.variables =
                variables.map(|(name, input)| Variable { name: name.clone(), input, ..Variable::default() }).collect();
        }
        for step in &self.steps {
            if !self.processes.iter().any(|process| process.name == step.process) {
                self.processes.push(Process { name: step.process.clone(), ..Process::default() });
            }
        }
    }

    fn check_values(&self) -> Result<(), ReadError> {
        self.variables.iter().try_for_each(check_domain)?;
        self.processes.iter().try_for_each(check_graph)?;
        let (inputs, others): (Vec<_>, Vec<_>) = self.variables.iter().partition(|variable| variable.input);
        for (index, state) in self.states.iter().enumerate() {
            check_names(state, &others, &format!("state {index}"))?;
        }
        for (index, step) in self.steps.iter().enumerate() {
            check_names(&step.inputs, &inputs, &format!("step {}", index + 1))?;
            check_earlier(step, index + 1)?;
        }
        Ok(())
    }

    /// Forgets the variables that are not wanted, and their values.
    pub fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.variables.retain(|variable| is_wanted(&variable.name));
        self.queues.retain(|queue| queue.variables().all(|name| is_wanted(name)));
        let mut states = Vec::with_capacity(self.states.len());
        self.states.iter().for_each(|values| push(&mut states, values.only(&is_wanted)));
        self.states = states;
        self.steps.iter_mut().for_each(|step| step.inputs = step.inputs.only(&is_wanted));
    }

    /// The variables that are part of a state, apart from those that only serve the search.
    pub fn shown_variables(&self) -> impl Iterator<Item = &Variable> {
        self.state_variables().filter(|variable| !variable.internal)
    }

    /// The variables that are part of a state.
    pub fn state_variables(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|variable| !variable.input)
    }
}

fn check_domain(variable: &Variable) -> Result<(), ReadError> {
    match &variable.domain {
        Some(Domain::Word { width, .. }) if !(1..=system::WIDEST_WORD).contains(width) => {
            Err(ReadError(format!("{} has {width} bits; words have 1 to {}", variable.name, system::WIDEST_WORD)))
        }
        _ => Ok(()),
    }
}

fn check_graph(process: &Process) -> Result<(), ReadError> {
    let points = process.points.len();
    match process.edges.iter().find(|(from, to)| (*from).max(*to) >= points) {
        Some((from, to)) => {
            let name = &process.name;
            Err(ReadError(format!("the edge from {from} to {to} of {name} leads outside its {points} points")))
        }
        None => Ok(()),
    }
}

/// A step refers to earlier ones only.
fn check_earlier(step: &Step, number: usize) -> Result<(), ReadError> {
    let observed = step.observes.iter().map(|seen| seen.step);
    let mut mentioned = observed.chain(step.messages.iter().filter_map(|message| message.sent));
    match mentioned.find(|other| !(1..number).contains(other)) {
        Some(other) => Err(ReadError(format!("step {number} depends on step {other}, which is not before it"))),
        None => Ok(()),
    }
}

fn check_names(values: &Values, known: &[&Variable], place: &str) -> Result<(), ReadError> {
    if let Some(missing) = known.iter().find(|variable| values.get(&variable.name).is_none()) {
        return Err(ReadError(format!("{place} has no value for {}", missing.name)));
    }
    if values.len() == known.len() {
        return Ok(());
    }
    match values.names().find(|name| known.iter().all(|variable| variable.name != **name)) {
        Some(unknown) => Err(ReadError(format!("{place} has a value for {unknown}, which is not declared"))),
        None => Err(ReadError("a variable is declared twice".to_owned())),
    }
}
