//! What the lanes and objects of a run are called.

use super::{Place, Places};
use operations::{Class, Key, Kind, Lane, Op};
use std::collections::BTreeMap;

/// The lock of atomic blocks, which has no address.
const ATOMIC_BLOCK: Key = Key { process: 0, address: 1 };

/// Names for what a run uses. An object that is no global variable is called by its class and by the order in which the
/// run comes to it.
#[derive(Clone, Debug)]
pub struct Names {
    /// The places of the programs.
    places: Vec<Places>,
    /// For each lane, which program it runs.
    programs: Vec<usize>,
    /// What the first lanes of programs are called.
    labels: BTreeMap<Lane, String>,
    /// What the program itself calls its objects.
    given: BTreeMap<Key, String>,
    numbers: BTreeMap<(Class, Key), usize>,
    counts: BTreeMap<Class, usize>,
}

impl Names {
    /// Names that come from places.
    pub fn new(places: Places) -> Names {
        let (numbers, counts) = (BTreeMap::new(), BTreeMap::new());
        Names {
            places: vec![places],
            programs: Vec::new(),
            labels: BTreeMap::new(),
            given: BTreeMap::new(),
            numbers,
            counts,
        }
    }

    /// Names of a system: the first lane starts its members, whose names are given. For each lane it is said which one
    /// created it, and as which of its children.
    pub fn of_system(members: Vec<(String, Places)>, family: &[(Lane, u64)]) -> Names {
        let (labels, places): (Vec<String>, Vec<Places>) = members.into_iter().unzip();
        let mut programs = vec![0; family.len()];
        let mut named = BTreeMap::from([(Lane::MAIN, "T0 system".to_owned())]);
        for (lane, (parent, child)) in family.iter().enumerate().skip(1) {
            let member = usize::try_from(*child).unwrap_or(0);
            programs[lane] = if *parent == Lane::MAIN { member } else { programs[parent.index()] };
            if let Some(label) = labels.get(member).filter(|_| *parent == Lane::MAIN) {
                named.insert(Lane(lane as u16), format!("T{lane} {label}"));
            }
        }
        let (given, numbers, counts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Names { places, programs, labels: named, given, numbers, counts }
    }

    /// The program has given names to objects.
    pub fn call(&mut self, given: &[(Key, String)]) {
        self.given.extend(given.iter().cloned());
    }

    fn program(&self, lane: Lane) -> usize {
        self.programs.get(lane.index()).copied().unwrap_or(0).min(self.places.len() - 1)
    }

    /// The place that a lane called a function from.
    pub fn place(&self, lane: Lane, caller: u64) -> Option<&Place> {
        self.places[self.program(lane)].caller(caller)
    }

    /// Looks up the places that operations of lanes were called from.
    pub fn look_up(&mut self, callers: impl Iterator<Item = (Lane, u64)> + Clone) {
        for index in 0..self.places.len() {
            let own: Vec<u64> =
                callers.clone().filter(|(lane, _)| self.program(*lane) == index).map(|(_, caller)| caller).collect();
            self.places[index].look_up(own.into_iter());
        }
    }

    /// What a lane is called, with the name of the program that begins with it.
    pub fn label(&self, lane: Lane) -> String {
        self.labels.get(&lane).cloned().unwrap_or_else(|| Names::lane(lane))
    }

    /// What a lane is called.
    pub fn lane(lane: Lane) -> String {
        format!("T{}", lane.0)
    }

    /// What an object is called.
    pub fn object(&mut self, lane: Lane, class: Class, key: Key) -> String {
        if class == Class::Mutex && key == ATOMIC_BLOCK {
            return "the atomic block".to_owned();
        }
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let places = &self.places[self.program(lane)];
        let own = if key.process == 0 { None } else { places.variable(key.address) };
        match own {
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
    pub fn operation(&mut self, lane: Lane, op: &Op) -> String {
        let what = op.kind.name();
        match op.kind {
            Kind::Create => format!("create T{}", op.value),
            Kind::Join | Kind::JoinTry => format!("{what} T{}", op.key.address),
            Kind::Cancel => format!("cancel T{}", op.key.address),
            Kind::CancelTest | Kind::SignalTake | Kind::SignalMask => what.to_owned(),
            Kind::SignalSend => match Lane::of(op.key.address) {
                Some(receiver) => format!("{what} {} to {}", op.value, Names::lane(receiver)),
                None => format!("{what} {}", op.value),
            },
            Kind::Exit => format!("exit {}", op.value),
            Kind::Toss => format!("toss 0..{}", op.value),
            Kind::ConditionEnter | Kind::ConditionLeave => {
                let condition = self.object(lane, Class::Condition, op.key);
                format!("{what} {condition}, with {}", self.object(lane, Class::Mutex, op.mutex()))
            }
            _ if op.class() == Class::None || op.class() == Class::Thread => what.to_owned(),
            _ => format!("{what} {}", self.object(lane, op.class(), op.key)),
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
        Class::Name => "name",
        Class::Queue => "queue",
        Class::Signals => "signals",
    }
}
