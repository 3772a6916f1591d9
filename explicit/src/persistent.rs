//! Persistent sets by conditional stubborn sets: §5 of \[GP93\].

use system::{Actor, CommandId, Dependency, Machine};

/// An enabled command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enabled {
    pub command: CommandId,
    /// Whether some step of it leads to another state.
    pub moves: bool,
}

/// What to change so that a disabled command can run, if several variables stand in its way. Neither way is always the
/// better one, so both are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preference {
    /// What members of the set change already.
    Members,
    /// Its process's program counter, then what fewest can change.
    Own,
}

/// Chooses persistent sets; one for each thread.
#[derive(Debug)]
pub struct Persistent<'a> {
    dependency: &'a Dependency,
    /// For each actor, the number of the last set that it was put into.
    member_of: Vec<u32>,
    /// For each actor, the number of the last state in which it was enabled.
    enabled_in: Vec<u32>,
    /// Whether it changed that state.
    moves: Vec<bool>,
    set: u32,
    state: u32,
    work: Vec<Actor>,
    woken: Vec<Actor>,
    chosen: Vec<CommandId>,
    smallest: Vec<CommandId>,
}

impl<'a> Persistent<'a> {
    pub fn new(dependency: &'a Dependency) -> Persistent<'a> {
        Persistent {
            dependency,
            member_of: vec![0; dependency.actors()],
            enabled_in: vec![0; dependency.actors()],
            moves: vec![false; dependency.actors()],
            set: 0,
            state: 0,
            work: Vec::new(),
            woken: Vec::new(),
            chosen: Vec::new(),
            smallest: Vec::new(),
        }
    }

    /// A persistent set in a state with these enabled commands; `None` if no smaller one than all of them was found. A
    /// set is computed from the first command of each process that changes the state, and of those that are accepted the
    /// smallest is taken: the one with fewest commands that change the state.
    pub fn choose(
        &mut self,
        machine: &Machine,
        state: &[u64],
        enabled: &[Enabled],
        mut accepts: impl FnMut(&[CommandId]) -> bool,
    ) -> Option<&[CommandId]> {
        self.state += 1;
        for Enabled { command, moves } in enabled {
            self.enabled_in[command.index()] = self.state;
            self.moves[command.index()] = *moves;
        }
        let moving = enabled.iter().filter(|enabled| enabled.moves);
        let all = moving.clone().count();
        let (mut size, mut last) = (all, None);
        for Enabled { command, .. } in moving {
            let process = machine.system().commands[*command].owner.process;
            if last.replace(process) == Some(process) {
                continue;
            }
            for preference in [Preference::Members, Preference::Own] {
                if let Some(smaller) = self.close(machine, state, (*command, preference), size)
                    && accepts(&self.chosen)
                {
                    size = smaller;
                    std::mem::swap(&mut self.chosen, &mut self.smallest);
                }
            }
        }
        (size < all).then_some(&self.smallest)
    }

    /// Computes the conditional stubborn set (Definition 9) around an enabled command by the procedure of Theorem 12, and
    /// how many of its commands change the state; nothing if they are no fewer than in the best set so far.
    fn close(
        &mut self,
        machine: &Machine,
        state: &[u64],
        (seed, preference): (CommandId, Preference),
        best: usize,
    ) -> Option<usize> {
        let dependency = self.dependency;
        let mut size = 0;
        self.set += 1;
        self.chosen.clear();
        self.work.clear();
        self.work.push(seed.raw());
        self.member_of[seed.index()] = self.set;
        while let Some(actor) = self.work.pop() {
            let is_enabled = self.enabled_in[actor as usize] == self.state;
            let Some(command) = dependency.command(actor).filter(|_| is_enabled) else {
                self.wake(machine, state, actor, preference);
                continue;
            };
            self.chosen.push(command);
            let (member_of, work, set) = (&mut self.member_of, &mut self.work, self.set);
            let join = |actor: Actor| {
                if std::mem::replace(&mut member_of[actor as usize], set) != set {
                    work.push(actor);
                }
            };
            if !self.moves[command.index()] {
                dependency.stirring(command, machine.layout(), state, join);
                continue;
            }
            size += 1;
            if size >= best {
                return None;
            }
            dependency.interacting(command, machine.layout(), state, join);
        }
        Some(size)
    }

    /// Adds who might be the first to make a disabled actor able to run. An enabled command more is what makes a set larger.
    fn wake(&mut self, machine: &Machine, state: &[u64], actor: Actor, preference: Preference) {
        const ENABLED: u32 = 1 << 10;
        let cost = |actor: Actor| match actor as usize {
            _ if preference == Preference::Own => 0,
            member if self.member_of[member] == self.set => 0,
            enabled if self.enabled_in[enabled] == self.state => ENABLED,
            _ => 1,
        };
        let mut woken = std::mem::take(&mut self.woken);
        self.dependency.waking(actor, machine.layout(), state, cost, |actor| woken.push(actor));
        for actor in woken.drain(..) {
            if std::mem::replace(&mut self.member_of[actor as usize], self.set) != self.set {
                self.work.push(actor);
            }
        }
        self.woken = woken;
    }
}
