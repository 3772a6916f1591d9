//! Sleep sets: \[God97\] §4, after Godefroid and Wolper. A command that was tried in a state need not be tried again after
//! commands that are independent of it.

use rustc_hash::FxHashMap;
use system::{CommandId, Dependency, Machine};

/// A sleep set, by number; equal sets have equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sleep(u32);

/// All sleep sets of a search.
#[derive(Debug)]
pub struct SleepSets {
    sets: Vec<Box<[CommandId]>>,
    numbers: FxHashMap<Box<[CommandId]>, u32>,
    bytes: usize,
}

impl SleepSets {
    pub fn new() -> SleepSets {
        let empty: Box<[CommandId]> = Box::default();
        SleepSets { sets: vec![empty.clone()], numbers: FxHashMap::from_iter([(empty, 0)]), bytes: 0 }
    }

    /// The commands in a set, in order.
    pub fn commands(&self, sleep: Sleep) -> &[CommandId] {
        &self.sets[sleep.0 as usize]
    }

    /// How much memory the sets take, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn number(&mut self, mut commands: Vec<CommandId>) -> Sleep {
        commands.sort_unstable();
        let next = self.sets.len() as u32;
        if let Some(number) = self.numbers.get(commands.as_slice()) {
            return Sleep(*number);
        }
        let set: Box<[CommandId]> = commands.into();
        self.bytes += 2 * size_of_val::<[CommandId]>(&set) + 64;
        self.sets.push(set.clone());
        self.numbers.insert(set, next);
        Sleep(next)
    }

    /// The set and one command more.
    pub fn with(&mut self, sleep: Sleep, command: CommandId) -> Sleep {
        let set = self.commands(sleep);
        if set.contains(&command) {
            return sleep;
        }
        let more = set.iter().copied().chain([command]).collect();
        self.number(more)
    }

    /// What still sleeps after a command in a state: what is independent of it there.
    pub fn after(
        &mut self,
        sleep: Sleep,
        command: CommandId,
        machine: &Machine,
        dependency: &Dependency,
        state: &[u64],
    ) -> Sleep {
        let sleeping = self.commands(sleep).iter().copied();
        let kept = sleeping.filter(|other| dependency.are_independent_in(*other, command, machine.layout(), state));
        self.number(kept.collect())
    }

    /// What sleeps in both.
    pub fn common(&mut self, a: Sleep, b: Sleep) -> Sleep {
        let kept = self.commands(a).iter().copied().filter(|command| self.commands(b).contains(command)).collect();
        self.number(kept)
    }

    /// What sleeps in the first set and not in the second.
    pub fn awake(&self, a: Sleep, b: Sleep) -> Vec<CommandId> {
        self.commands(a).iter().copied().filter(|command| !self.commands(b).contains(command)).collect()
    }
}
