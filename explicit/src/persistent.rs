//! Persistent sets by conditional stubborn sets: §5 of \[GP93\].

use std::ops::Deref;
use system::{Actor, CommandId, Costs, Dependency, Machine};

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

/// How many states sets are computed for before it is judged whether that pays.
const SAMPLE: u32 = 512;

/// How many actors are looked at before it is judged, if that is sooner: where sets are dear, a sample should not take long.
const PRICE_OF_SAMPLE: u64 = 1 << 18;

/// For how many states no sets are computed after it did not pay for the first time; each further time, for twice as many.
const REST: u32 = 32 * SAMPLE;

/// Sets pay where they leave out at least one in this many of the commands beyond one in each state: what is left then branches half as much.
/// Where they leave out less, nearly all states are visited all the same, by other ways.
const WORTH: u64 = 2;

/// After this many failures in a row, rests grow no longer.
const MOST_FAILURES: u32 = 8;

/// They pay where not more actors than this are looked at for each command that is left out: more of them take longer than its
/// step and a few steps after it.
const DEAR: u64 = 500;

/// Whether to compute sets, judged by what they cost and left out lately: a set that leaves out nothing costs as much as one that
/// does, and where many processes share much, it costs a hundred times as much as the steps that it leaves out.
///
/// Without a set all commands are tried, which is right in every state, also in a search for cycles, whose sets must depend on the state
/// alone: what it visits then contains what it would visit with a set in every state, and nothing but runs of the system.
#[derive(Clone, Debug, Default)]
struct Thrift {
    /// How many states were looked at, their commands, and how many of these were left out.
    states: u32,
    commands: u64,
    left_out: u64,
    /// How many actors were looked at for that.
    looked: u64,
    /// For how many more states no sets are computed.
    rest: u32,
    /// How often in a row sets did not pay.
    failures: u32,
}

impl Thrift {
    /// Whether no set is to be computed in the next state.
    fn rests(&mut self) -> bool {
        let rests = self.rest > 0;
        self.rest = self.rest.saturating_sub(1);
        rests
    }

    /// Notes what a set left out, and how many actors were looked at for it.
    fn note(&mut self, commands: usize, chosen: usize, looked: u64) {
        self.states += 1;
        self.commands += commands as u64;
        self.left_out += (commands - chosen) as u64;
        self.looked += looked;
        if self.states == SAMPLE || self.looked >= PRICE_OF_SAMPLE {
            *self = self.judged();
        }
    }

    /// What comes after a sample.
    fn judged(&self) -> Thrift {
        let branches = self.commands.saturating_sub(u64::from(self.states));
        let pays = self.left_out * WORTH > branches && self.looked <= self.left_out * DEAR;
        if pays {
            return Thrift::default();
        }
        let rest = REST << self.failures.min(MOST_FAILURES);
        Thrift { rest, failures: self.failures + 1, ..Thrift::default() }
    }
}

/// Chooses persistent sets; one for each thread.
#[derive(Clone, Debug)]
pub struct Persistent<D> {
    dependency: D,
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
    /// How many actors were looked at in this state.
    looked: u64,
    /// How many there were before the last command came into the set that changes the state.
    looked_before_last: u64,
    /// Whether the preference made a difference to the set at hand.
    costs: Costs,
    /// Whether sets pay, if they are given up where they do not.
    thrift: Option<Thrift>,
}

impl<D: Deref<Target = Dependency> + Clone> Persistent<D> {
    /// Sets are computed in every state: which ones does not depend on the states before.
    pub fn new(dependency: D) -> Persistent<D> {
        let actors = dependency.actors();
        Persistent {
            dependency,
            member_of: vec![0; actors],
            enabled_in: vec![0; actors],
            moves: vec![false; actors],
            set: 0,
            state: 0,
            work: Vec::new(),
            woken: Vec::new(),
            chosen: Vec::new(),
            smallest: Vec::new(),
            looked: 0,
            looked_before_last: 0,
            costs: Costs::Ignored,
            thrift: None,
        }
    }

    /// Sets are given up for a while where they leave out next to nothing.
    pub fn thrifty(dependency: D) -> Persistent<D> {
        Persistent { thrift: Some(Thrift::default()), ..Persistent::new(dependency) }
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
        if self.thrift.as_mut().is_some_and(Thrift::rests) {
            return None;
        }
        self.state += 1;
        self.looked = 0;
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
                let (before, best) = (self.looked, size);
                if let Some(smaller) = self.close(machine, state, (*command, preference), size)
                    && accepts(&self.chosen)
                {
                    size = smaller;
                    std::mem::swap(&mut self.chosen, &mut self.smallest);
                }
                if preference == Preference::Members && self.costs == Costs::Ignored {
                    // The other way leads to the same set, which is no smaller. What would be looked at until that is known counts: whether sets
                    // pay must not depend on what is saved here.
                    let until = if size < best { self.looked_before_last } else { self.looked };
                    self.looked += until - before;
                    break;
                }
            }
        }
        if let Some(thrift) = &mut self.thrift {
            thrift.note(all, size, self.looked);
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
        let dependency = self.dependency.clone();
        let mut size = 0;
        self.costs = Costs::Ignored;
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
            if self.moves[command.index()] {
                self.looked_before_last = self.looked;
            }
            let (member_of, work, set, looked) = (&mut self.member_of, &mut self.work, self.set, &mut self.looked);
            let join = |actor: Actor| {
                *looked += 1;
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

    /// What it costs to add an actor to the set.
    fn cost(&self, actor: Actor, preference: Preference) -> u32 {
        const ENABLED: u32 = 1 << 10;
        match actor as usize {
            _ if preference == Preference::Own => 0,
            member if self.member_of[member] == self.set => 0,
            enabled if self.enabled_in[enabled] == self.state => ENABLED,
            _ => 1,
        }
    }

    /// Adds who might be the first to make a disabled actor able to run. An enabled command more is what makes a set larger.
    fn wake(&mut self, machine: &Machine, state: &[u64], actor: Actor, preference: Preference) {
        let mut woken = std::mem::take(&mut self.woken);
        let costs = self.dependency.enabling(
            actor,
            machine.layout(),
            state,
            |actor| self.cost(actor, preference),
            |actor| woken.push(actor),
        );
        if costs == Costs::Compared {
            self.costs = costs;
        }
        self.looked += 1 + woken.len() as u64;
        for actor in woken.drain(..) {
            if std::mem::replace(&mut self.member_of[actor as usize], self.set) != self.set {
                self.work.push(actor);
            }
        }
        self.woken = woken;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For how many of the next states sets are computed, if they leave out some of ten commands.
    fn computed(thrift: &mut Thrift, states: u32, left_out: usize, looked: u64) -> u32 {
        let mut computed = 0;
        for _ in 0..states {
            if !thrift.rests() {
                thrift.note(10, 10 - left_out, looked);
                computed += 1;
            }
        }
        computed
    }

    #[test]
    fn sets_that_leave_out_nothing_are_given_up_for_a_while() {
        let mut thrift = Thrift::default();
        assert_eq!(computed(&mut thrift, 10 * SAMPLE, 5, 100), 10 * SAMPLE);
        assert_eq!(computed(&mut thrift, SAMPLE + REST, 0, 100), SAMPLE);
        assert_eq!(computed(&mut thrift, SAMPLE, 5, 100), SAMPLE, "they are tried again");
    }

    #[test]
    fn sets_that_leave_out_less_than_half_of_what_branches_are_given_up() {
        let mut thrift = Thrift::default();
        assert_eq!(computed(&mut thrift, SAMPLE + REST, 4, 100), SAMPLE);
    }

    #[test]
    fn sets_that_cost_more_than_they_save_are_given_up_for_longer_and_longer() {
        let mut thrift = Thrift::default();
        let dear = 5 * DEAR + 1;
        let sample = PRICE_OF_SAMPLE.div_ceil(dear) as u32;
        assert_eq!(computed(&mut thrift, sample + REST, 5, dear), sample);
        assert_eq!(computed(&mut thrift, sample + 2 * REST, 5, dear), sample);
        assert_eq!(computed(&mut thrift, 3 * sample, 5, 5 * DEAR), 3 * sample, "they pay again");
        assert_eq!(computed(&mut thrift, sample + REST, 5, dear), sample, "as if for the first time");
    }

    #[test]
    fn where_sets_are_dear_it_is_judged_sooner() {
        let mut thrift = Thrift::default();
        assert_eq!(computed(&mut thrift, 8 + REST, 5, PRICE_OF_SAMPLE / 8), 8);
    }
}
