//! Which messages the steps of a run send and receive, by what happens to the queues: a receive takes the message of the
//! step that sent it.

use super::describe::scalar;
use super::document::{Direction, Message};
use system::{Machine, Queue, State, Trace, Value};

/// A message that a step sends or receives.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// The step, from 1.
    step: u32,
    /// The queue's number.
    queue: u32,
    /// Its place in the queue, after it was sent or before it is received.
    at: u32,
    direction: Direction,
    /// The step that sent it, if it is received and that is known.
    sent: Option<u32>,
}

/// The messages of a run, in the order of its steps.
pub fn exchanges(machine: &Machine, trace: &Trace) -> Vec<Exchange> {
    let mut found = Vec::new();
    for (number, queue) in machine.system().queues.iter().enumerate() {
        follow(machine, (number as u32, queue), trace, &mut found);
    }
    found.sort_by_key(|exchange| (exchange.step, exchange.queue));
    found
}

/// The messages of a step, whose number is from 1, between two states.
pub fn messages(machine: &Machine, states: [&State; 2], exchanges: &[Exchange], step: usize) -> Vec<Message> {
    let first = exchanges.partition_point(|exchange| (exchange.step as usize) < step);
    let own = exchanges[first..].iter().take_while(|exchange| exchange.step as usize == step);
    own.map(|exchange| exchange.message(machine, states)).collect()
}

impl Exchange {
    fn message(&self, machine: &Machine, [from, to]: [&State; 2]) -> Message {
        let queue = &machine.system().queues[self.queue as usize];
        let state = match self.direction {
            Direction::Send => to,
            Direction::Receive => from,
        };
        let mut queued = machine.messages(queue, state);
        let fields = queued.swap_remove(self.at as usize);
        Message {
            channel: queue.name.clone(),
            direction: self.direction,
            values: fields.into_iter().map(|(var, value)| scalar(machine.system(), var, value)).collect(),
            sent: self.sent.map(|step| step as usize),
        }
    }
}

/// The values of the messages in a queue.
fn contents(machine: &Machine, queue: &Queue, state: &State) -> Vec<Vec<Value>> {
    let messages = machine.messages(queue, state).into_iter();
    messages.map(|fields| fields.into_iter().map(|(_, value)| value).collect()).collect()
}

fn follow(machine: &Machine, (number, queue): (u32, &Queue), trace: &Trace, found: &mut Vec<Exchange>) {
    let Some(first) = trace.states.first() else { return };
    let mut now = contents(machine, queue, &first);
    // Who sent them: of those that are there at first, it is not known.
    let mut senders: Vec<Option<u32>> = vec![None; now.len()];
    for (index, state) in trace.states.iter().enumerate().skip(1) {
        let after = contents(machine, queue, &state);
        let step = index as u32;
        let mut exchanged = |at: usize, direction: Direction, sent: Option<u32>| {
            found.push(Exchange { step, queue: number, at: at as u32, direction, sent });
        };
        if let Some(at) = added(&now, &after) {
            senders.insert(at, Some(step));
            exchanged(at, Direction::Send, None);
        } else if let Some(at) = taken(&now, &after) {
            exchanged(at, Direction::Receive, senders.remove(at));
        } else if after != now {
            // More than one message at once, as when a process dies with its channels: it is unknown whose they were.
            senders = vec![None; after.len()];
        }
        now = after;
    }
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
