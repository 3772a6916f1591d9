//! How to search.

use limits::Patience;
use std::num::NonZeroUsize;
use system::{Dependency, Granularity, PropertyId, Refinement, Symmetry, System, Watched};

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most steps from an initial state.
    pub depth: usize,
    /// The most bytes for states.
    pub memory: usize,
}

impl Limits {
    /// The most bytes that a search may count. What is counted is about four fifths of what the process takes: allocators, the
    /// model and small tables have the rest.
    pub(super) fn counted(self) -> usize {
        self.memory / 5 * 4
    }
}

/// Which state comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that was found first: counterexamples are as short as can be.
    BreadthFirst,
    /// The one that was found last: old states can be forgotten when memory is short.
    DepthFirst,
}

/// Which interleavings of independent commands are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// By which sets.
    pub sets: Sets,
    /// How finely dependencies are told.
    pub refinement: Refinement,
}

/// The sets that say which commands are tried in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sets {
    /// None: all commands are.
    #[default]
    None,
    /// Only the commands of a persistent set are.
    Persistent,
    /// Commands that were tried before an independent one are not tried after it: they sleep.
    Sleep,
    /// Persistent and sleep sets.
    Both,
}

impl Reduction {
    /// Whether only the commands of a persistent set are tried in each state.
    pub fn is_persistent(self) -> bool {
        matches!(self.sets, Sets::Persistent | Sets::Both)
    }

    /// Whether commands sleep.
    pub fn sleeps(self) -> bool {
        matches!(self.sets, Sets::Sleep | Sets::Both)
    }

    /// What depends on what, by steps that are sections.
    pub(crate) fn dependency(self, system: &System, watched: Watched<'_>) -> Dependency {
        Dependency::watching(system, watched, self.refinement, Granularity::Sections)
    }
}

/// What depends on what is known in some milliseconds for so few commands.
const FEW_COMMANDS: usize = 1000;

/// How many states are visited in about the time that it takes for each command.
const STATES_A_COMMAND: usize = 8;

/// How many states to visit without a reduction first: many systems that have thousands of commands have fewer states than can be visited until it is known
/// what depends on what. A search that goes on begins anew. If it went on from where it is, with steps of all interleavings left to be made along its path, the
/// reduction would save nothing.
pub(super) fn patience(system: &System) -> Option<Patience> {
    let commands = system.commands.len();
    (commands > FEW_COMMANDS).then(|| Patience::of_states(commands.saturating_mul(STATES_A_COMMAND)))
}

/// Which of the states that differ in interchangeable processes only are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetries {
    /// All.
    #[default]
    Ignored,
    /// One of them. Breadth-first search without other reductions only.
    Exploited,
    /// One of them, if it stands for enough others to be worth the work. Breadth-first search only.
    Worthwhile,
}

/// If one state stands for fewer than this many, that is not worth the work: to sort states takes about as long as to make them.
const WORTHWHILE: usize = 6;

impl Symmetries {
    /// The processes that can change places in a search for violations of some properties.
    pub(crate) fn of(self, system: &System, properties: &[PropertyId]) -> Symmetry {
        match self {
            Symmetries::Ignored => Symmetry::default(),
            Symmetries::Exploited => Symmetry::of(system, properties),
            Symmetries::Worthwhile => worthwhile(Symmetry::of(system, properties)),
        }
    }
}

/// The same processes, or none if that is not worth the work.
pub(crate) fn worthwhile(symmetry: Symmetry) -> Symmetry {
    if symmetry.gain() >= WORTHWHILE { symmetry } else { Symmetry::default() }
}

/// Which states are forgotten when memory is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgetting {
    /// Any.
    AtRandom,
    /// Of some chosen at random, the one whose visit took the least work.
    Cheapest,
}

/// Which states are stored once they are off the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// All.
    Everything,
    /// Those from which several steps were made. Where a single step leads on, to make it again leads to a stored state soon
    /// (G. Behrmann, K. G. Larsen, R. Pelánek, To store or not to store, CAV 2003).
    Branching,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How far.
    pub limits: Limits,
    /// In which order.
    pub order: Order,
    /// Which interleavings are left out.
    pub reduction: Reduction,
    /// Whether interchangeable processes are made use of.
    pub symmetries: Symmetries,
    /// How many threads work, where the order allows it.
    pub jobs: NonZeroUsize,
    /// The most states to store at a time, besides what the memory limit says. Depth-first search only.
    pub capacity: usize,
    /// Which states are stored at all. Depth-first search only.
    pub keeping: Keeping,
    /// Which states are forgotten when there is no room.
    pub forgetting: Forgetting,
    /// For choosing which states to forget.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            limits: Limits { depth: usize::MAX, memory: usize::MAX },
            order: Order::BreadthFirst,
            reduction: Reduction::default(),
            symmetries: Symmetries::default(),
            jobs: NonZeroUsize::MIN,
            capacity: usize::MAX,
            keeping: Keeping::Everything,
            forgetting: Forgetting::AtRandom,
            seed: 0,
        }
    }
}
