//! What the lanes and objects of a run are called.

use super::Places;
use operations::{Class, Key, Kind, Lane, Op};
use std::collections::BTreeMap;

/// Names for what a run uses. An object that is no global variable is called by its class and by the order in which the
/// run comes to it.
#[derive(Clone, Debug)]
pub struct Names {
    places: Places,
    numbers: BTreeMap<(Class, Key), usize>,
    counts: BTreeMap<Class, usize>,
}

impl Names {
    /// Names that come from places.
    pub fn new(places: Places) -> Names {
        Names { places, numbers: BTreeMap::new(), counts: BTreeMap::new() }
    }

    /// The places.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Looks up the places that operations were called from.
    pub fn look_up(&mut self, callers: impl Iterator<Item = u64>) {
        self.places.look_up(callers);
    }

    /// What a lane is called.
    pub fn lane(lane: Lane) -> String {
        format!("T{}", lane.0)
    }

    /// What an object is called.
    pub fn object(&mut self, class: Class, key: Key) -> String {
        if class == Class::Mutex && key.process == 0 {
            return "the atomic block".to_owned();
        }
        match self.places.variable(key.address) {
            Some((name, 0)) => name.to_owned(),
            Some((name, offset)) => format!("{name}+{offset}"),
            None => format!("{} {}", class_name(class), self.number(class, key)),
        }
    }

    fn number(&mut self, class: Class, key: Key) -> usize {
        if let Some(number) = self.numbers.get(&(class, key)) {
            return *number;
        }
        let count = self.counts.entry(class).or_default();
        *count += 1;
        self.numbers.insert((class, key), *count);
        *count
    }

    /// What an operation does, in words.
    pub fn operation(&mut self, op: &Op) -> String {
        let what = op.kind.name();
        match op.kind {
            Kind::Create => format!("create T{}", op.value),
            Kind::Join => format!("join T{}", op.key.address),
            Kind::Cancel => format!("cancel T{}", op.key.address),
            Kind::CancelTest => what.to_owned(),
            Kind::Exit => format!("exit {}", op.value),
            Kind::Toss => format!("toss 0..{}", op.value),
            Kind::ConditionEnter | Kind::ConditionLeave => {
                let condition = self.object(Class::Condition, op.key);
                format!("{what} {condition}, with {}", self.object(Class::Mutex, op.mutex()))
            }
            _ if op.class() == Class::None || op.class() == Class::Thread => what.to_owned(),
            _ => format!("{what} {}", self.object(op.class(), op.key)),
        }
    }
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::None => "nothing",
        Class::Thread => "thread",
        Class::Mutex => "mutex",
        Class::Condition => "condition",
        Class::ReadWrite => "rwlock",
        Class::Barrier => "barrier",
        Class::Semaphore => "semaphore",
        Class::Once => "once",
        Class::Futex => "futex",
        Class::Memory => "memory",
        Class::Cancellation => "thread",
    }
}
