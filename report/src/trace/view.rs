//! What people see of a state: queues as queues, program counters of programs as lines, and nothing that only serves the
//! search. Formats for other tools have the variables as they are.

use super::document::{Document, Process, Queue, Scalar, Statement, Variable};
use super::values::Values;
use std::collections::{HashMap, HashSet};

/// What there is to see, in order.
pub struct View<'a> {
    items: Vec<Item<'a>>,
}

/// Something that has a value in every state.
pub enum Item<'a> {
    /// A variable.
    Variable(&'a Variable),
    /// A queue.
    Queue(&'a Queue),
    /// Where a process is: its program counter's values with what is there.
    Counter(&'a Process, &'a Variable, HashMap<String, String>),
}

/// What is said of a process that is nowhere in its program.
const NOWHERE: &str = "not running";

/// The most statements of a control point that are shown.
const MOST_STATEMENTS: usize = 4;

impl<'a> View<'a> {
    /// What there is to see of the states of a document.
    pub fn new(document: &'a Document) -> View<'a> {
        let declared: HashSet<&str> = document.state_variables().map(|variable| variable.name.as_str()).collect();
        let whole =
            document.queues.iter().filter(|queue| queue.variables().all(|name| declared.contains(name.as_str())));
        let queues: HashMap<&str, &Queue> = whole.map(|queue| (queue.length.as_str(), queue)).collect();
        let parts: HashSet<&str> =
            queues.values().flat_map(|queue| queue.messages.iter().flatten()).map(String::as_str).collect();
        let counters: HashMap<&str, &Process> = (document.processes.iter())
            .filter(|process| process.points.iter().any(|point| !point.statements.is_empty()))
            .filter_map(|process| Some((process.pc.as_deref()?, process)))
            .collect();
        let shown = document.state_variables();
        let shown = shown.filter(|variable| !variable.internal && !parts.contains(variable.name.as_str()));
        let items = shown.map(|variable| {
            let name = variable.name.as_str();
            match (queues.get(name), counters.get(name)) {
                (Some(queue), _) => Item::Queue(queue),
                (None, Some(process)) => Item::Counter(process, variable, whereabouts(process)),
                (None, None) => Item::Variable(variable),
            }
        });
        View { items: items.collect() }
    }

    /// Everything, in order.
    pub fn items(&self) -> &[Item<'a>] {
        &self.items
    }

    /// The positions of what differs between two states.
    pub fn changes<'s>(&'s self, before: &'s Values, after: &'s Values) -> impl Iterator<Item = usize> + 's {
        let items = self.items.iter().enumerate();
        let changed = items.filter(|(_, item)| item.variables().any(|name| before.get(name) != after.get(name)));
        changed.map(|(position, _)| position)
    }
}

impl Item<'_> {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Item::Variable(variable) => &variable.name,
            Item::Queue(queue) => &queue.name,
            Item::Counter(process, ..) => &process.name,
        }
    }

    /// The process that it belongs to.
    pub fn process(&self) -> Option<&str> {
        match self {
            Item::Variable(variable) => variable.process.as_deref(),
            Item::Queue(_) => None,
            Item::Counter(process, ..) => Some(&process.name),
        }
    }

    /// The variables that it is made of.
    pub fn variables(&self) -> impl Iterator<Item = &String> {
        let (one, queue) = match self {
            Item::Variable(variable) | Item::Counter(_, variable, _) => (Some(&variable.name), None),
            Item::Queue(queue) => (None, Some(queue.variables())),
        };
        one.into_iter().chain(queue.into_iter().flatten())
    }

    /// Its value in a state.
    pub fn value(&self, state: &Values) -> String {
        match self {
            Item::Variable(variable) => shown(state, &variable.name),
            Item::Queue(queue) => contents(queue, state),
            Item::Counter(_, variable, places) => {
                let value = shown(state, &variable.name);
                places.get(&value).cloned().unwrap_or(value)
            }
        }
    }

    /// What its value says of a control point of the process, if it is that process's program counter.
    pub fn place(&self, value: &str) -> Option<&str> {
        match self {
            Item::Counter(_, _, places) => places.get(value).map(String::as_str),
            _ => None,
        }
    }

    /// Its value in a state as people say it, such as `x = 1` or `P_0 at line 12: x = 1`.
    pub fn sentence(&self, state: &Values) -> String {
        let (name, value) = (self.name(), self.value(state));
        match self {
            Item::Counter(..) if value == NOWHERE => format!("{name} is {value}"),
            Item::Counter(..) => format!("{name} at {value}"),
            _ => format!("{name} = {value}"),
        }
    }
}

/// The messages in a queue, the oldest first, as SPIN shows them: `[REQ, 1] [ACK, 0]`.
fn contents(queue: &Queue, state: &Values) -> String {
    let length = match state.get(&queue.length) {
        Some(Scalar::Integer(length)) => usize::try_from(*length).unwrap_or(0),
        _ => 0,
    };
    let messages: Vec<String> = queue.messages.iter().take(length).map(|fields| message(state, fields)).collect();
    if messages.is_empty() { "[]".to_owned() } else { messages.join(" ") }
}

fn message(state: &Values, fields: &[String]) -> String {
    let values: Vec<String> = fields.iter().map(|name| shown(state, name)).collect();
    format!("[{}]", values.join(", "))
}

/// The value of a variable in a state; nothing if it has none there.
fn shown(state: &Values, name: &str) -> String {
    state.get(name).map_or_else(String::new, Scalar::to_string)
}

/// What is at each value of a program counter. Points that would read the same are told apart by their names.
fn whereabouts(process: &Process) -> HashMap<String, String> {
    let mut seen = HashSet::new();
    let mut found = HashMap::new();
    for point in &process.points {
        let Some(value) = &point.value else { continue };
        let mut place = places(&point.statements);
        if !seen.insert(place.clone()) {
            place = format!("{place} ({})", point.name);
        }
        found.insert(value.to_string(), place);
    }
    found
}

/// Statements with their lines: `line 6: c ? x | line 7: d ? x`.
pub fn places(statements: &[Statement]) -> String {
    let mut text = String::new();
    let mut line = None;
    for statement in statements.iter().take(MOST_STATEMENTS) {
        if line.is_some() {
            text.push_str(" | ");
        }
        if line != Some(statement.line) {
            text.push_str(&format!("line {}: ", statement.line));
            line = Some(statement.line);
        }
        text.push_str(&statement.text);
    }
    if statements.len() > MOST_STATEMENTS {
        text.push_str(" | ...");
    }
    if text.is_empty() { NOWHERE.to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_shows_its_messages_and_not_what_is_left_behind_them() {
        let names = |at: usize| vec![format!("q[{at}].0"), format!("q[{at}].1")];
        let queue = Queue { name: "q".into(), length: "q.len".into(), messages: vec![names(0), names(1)] };
        let state = |length: i64| -> Values {
            let fields = queue.messages.iter().flatten().enumerate();
            let fields = fields.map(|(at, name)| (name.clone(), Scalar::Integer(at as i64)));
            std::iter::once(("q.len".to_owned(), Scalar::Integer(length))).chain(fields).collect()
        };
        let shown: Vec<String> = [0, 1, 2].iter().map(|length| contents(&queue, &state(*length))).collect();
        assert_eq!(shown, ["[]", "[0, 1]", "[0, 1] [2, 3]"]);
    }

    #[test]
    fn statements_of_one_line_share_its_number() {
        let at = |line: usize, text: &str| Statement { line, text: text.to_owned() };
        assert_eq!(places(&[at(6, "c ? x"), at(6, "skip"), at(7, "d ! 1")]), "line 6: c ? x | skip | line 7: d ! 1");
        assert_eq!(places(&vec![at(1, "a"); 6]), "line 1: a | a | a | a | ...");
        assert_eq!(places(&[]), NOWHERE);
    }
}
