//! Sleep sets: \[God97\] §4, after Godefroid and Wolper. A command that was tried in a state need not be tried again after
//! commands that are independent of it.
//!
//! A search meets the same few sets again and again, so that sets have numbers, and what becomes of a set is looked up. Where it depends
//! on the state, only the commands for which it does are looked at.

use rustc_hash::FxHashMap;
use system::{CommandId, Dependency, Independence, Machine};

/// A sleep set, by number; equal sets have equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sleep(u32);

impl Sleep {
    /// Whether nothing sleeps.
    pub fn is_empty(self) -> bool {
        self == Sleep::default()
    }
}

/// What still sleeps after a command.
#[derive(Clone, Debug)]
struct After {
    /// In every state.
    always: Sleep,
    /// In states where they are independent of the command, these besides.
    sometimes: Box<[CommandId]>,
}

/// All sleep sets of a search.
#[derive(Debug)]
pub struct SleepSets {
    sets: Vec<Box<[CommandId]>>,
    numbers: FxHashMap<Box<[CommandId]>, u32>,
    /// Sets and one command more.
    with: FxHashMap<(Sleep, CommandId), Sleep>,
    after: FxHashMap<(Sleep, CommandId), After>,
    common: FxHashMap<(Sleep, Sleep), Sleep>,
    bytes: usize,
}

/// About how many bytes an entry of a table takes besides what it refers to.
const ENTRY: usize = 32;

impl SleepSets {
    pub fn new() -> SleepSets {
        let empty: Box<[CommandId]> = Box::default();
        SleepSets {
            sets: vec![empty.clone()],
            numbers: FxHashMap::from_iter([(empty, 0)]),
            with: FxHashMap::default(),
            after: FxHashMap::default(),
            common: FxHashMap::default(),
            bytes: 0,
        }
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
        self.bytes += 2 * size_of_val::<[CommandId]>(&set) + 2 * ENTRY;
        self.sets.push(set.clone());
        self.numbers.insert(set, next);
        Sleep(next)
    }

    /// The set and one command more.
    pub fn with(&mut self, sleep: Sleep, command: CommandId) -> Sleep {
        if let Some(known) = self.with.get(&(sleep, command)) {
            return *known;
        }
        let set = self.commands(sleep);
        let more = match set.contains(&command) {
            true => sleep,
            false => self.number(set.iter().copied().chain([command]).collect()),
        };
        self.with.insert((sleep, command), more);
        self.bytes += ENTRY;
        more
    }

    /// What still sleeps after a command in a state: what is independent of it there.
    pub fn after<'s>(
        &mut self,
        sleep: Sleep,
        command: CommandId,
        (machine, dependency): (&Machine, &Dependency),
        state: impl FnOnce() -> &'s [u64],
    ) -> Sleep {
        if sleep.is_empty() {
            return sleep;
        }
        if !self.after.contains_key(&(sleep, command)) {
            self.learn_after(sleep, command, dependency);
        }
        let After { always, sometimes } = &self.after[&(sleep, command)];
        let mut kept = *always;
        if sometimes.is_empty() {
            return kept;
        }
        let state = state();
        let is_kept = |other: &CommandId| dependency.are_independent_in(*other, command, machine.layout(), state);
        let more: Vec<CommandId> = sometimes.iter().copied().filter(is_kept).collect();
        for other in more {
            kept = self.with(kept, other);
        }
        kept
    }

    fn learn_after(&mut self, sleep: Sleep, command: CommandId, dependency: &Dependency) {
        let (mut always, mut sometimes) = (Vec::new(), Vec::new());
        for other in self.commands(sleep) {
            match dependency.condition(*other, command) {
                Independence::Always => always.push(*other),
                Independence::When(_) => sometimes.push(*other),
                Independence::Never => {}
            }
        }
        self.bytes += ENTRY + size_of_val(&sometimes[..]);
        let after = After { always: self.number(always), sometimes: sometimes.into() };
        self.after.insert((sleep, command), after);
    }

    /// What sleeps in both.
    pub fn common(&mut self, a: Sleep, b: Sleep) -> Sleep {
        if a == b || a.is_empty() {
            return a;
        }
        if let Some(known) = self.common.get(&(a, b)) {
            return *known;
        }
        let kept = self.commands(a).iter().copied().filter(|command| self.commands(b).contains(command)).collect();
        let common = self.number(kept);
        self.common.insert((a, b), common);
        self.bytes += ENTRY;
        common
    }

    /// What sleeps in the first set and not in the second.
    pub fn awake(&self, a: Sleep, b: Sleep) -> Vec<CommandId> {
        self.commands(a).iter().copied().filter(|command| !self.commands(b).contains(command)).collect()
    }
}
