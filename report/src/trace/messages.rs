//! Which messages the steps of a run send and receive, by what happens to the queues: a receive takes the message of the
//! step that sent it.

use super::describe::scalar;
use super::document::{Direction, Message};
use system::{Machine, Queue, State, Trace, Value, VarId};

/// For each step, the messages that it sends and receives.
pub fn messages(machine: &Machine, trace: &Trace) -> Vec<Vec<Message>> {
    let mut found = vec![Vec::new(); trace.moves.len()];
    for queue in &machine.system().queues {
        follow(machine, queue, trace, &mut found);
    }
    found
}

/// A message, and the step that sent it.
#[derive(Clone)]
struct Sent {
    fields: Vec<(VarId, Value)>,
    by: Option<usize>,
}

impl Sent {
    /// What is said of it where it goes this way.
    fn message(&self, machine: &Machine, queue: &Queue, direction: Direction) -> Message {
        Message {
            channel: queue.name.clone(),
            direction,
            values: self.fields.iter().map(|(var, value)| scalar(machine.system(), *var, *value)).collect(),
            sent: self.by.filter(|_| direction == Direction::Receive),
        }
    }
}

/// The messages in a queue, of which it is not known who sent them.
fn contents(machine: &Machine, queue: &Queue, state: &State) -> Vec<Sent> {
    machine.messages(queue, state).into_iter().map(|fields| Sent { fields, by: None }).collect()
}

fn follow(machine: &Machine, queue: &Queue, trace: &Trace, found: &mut [Vec<Message>]) {
    let Some(first) = trace.states.first() else { return };
    let mut now = contents(machine, queue, first);
    for (index, state) in trace.states.iter().enumerate().skip(1) {
        let after = contents(machine, queue, state);
        let (longer, shorter) = (values(&after), values(&now));
        if let Some(at) = added(&shorter, &longer) {
            let sent = Sent { by: Some(index), ..after[at].clone() };
            found[index - 1].push(sent.message(machine, queue, Direction::Send));
            now.insert(at, sent);
        } else if let Some(at) = taken(&shorter, &longer) {
            found[index - 1].push(now.remove(at).message(machine, queue, Direction::Receive));
        } else if longer != shorter {
            // More than one message at once, as when a process dies with its channels: it is unknown whose they were.
            now = after;
        }
    }
}

fn values(messages: &[Sent]) -> Vec<Vec<Value>> {
    messages.iter().map(|sent| sent.fields.iter().map(|(_, value)| *value).collect()).collect()
}

/// Where a message was added: at the end if that is possible.
fn added<T: PartialEq>(before: &[T], after: &[T]) -> Option<usize> {
    if after.len() != before.len() + 1 {
        return None;
    }
    (0..=before.len()).rev().find(|at| is_without(before, after, *at))
}

/// Where a message was taken: at the beginning if that is possible.
fn taken<T: PartialEq>(before: &[T], after: &[T]) -> Option<usize> {
    if before.len() != after.len() + 1 {
        return None;
    }
    (0..before.len()).find(|at| is_without(after, before, *at))
}

/// Whether a queue is another one without the message at a place.
fn is_without<T: PartialEq>(short: &[T], long: &[T], at: usize) -> bool {
    short[..at] == long[..at] && short[at..] == long[at + 1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_added_at_the_end_and_taken_from_the_beginning_where_that_explains_it() {
        assert_eq!(added(&[1, 1], &[1, 1, 1]), Some(2));
        assert_eq!(added(&[1, 3], &[1, 2, 3]), Some(1), "sorted");
        assert_eq!(taken(&[1, 1, 1], &[1, 1]), Some(0));
        assert_eq!(taken(&[1, 2, 3], &[1, 3]), Some(1), "at random");
        assert_eq!((added(&[1], &[2, 3]), taken(&[1, 2], &[3]), added(&[1], &[1])), (None, None, None));
    }
}
