//! The arguments of the engines that visit states.

use super::{HOW, LIMITS, WHAT};
use crate::check::{DEPTH, Visiting};
use explicit::{Order, Sets, StepLimits, Symmetries};
use system::Refinement;

/// How the explicit engines search.
#[derive(clap::Args)]
pub struct ExplicitArgs {
    /// In which order the explicit engine visits states (by default: breadth-first, or depth-first with a reduction).
    #[arg(long, value_enum, help_heading = HOW)]
    search: Option<SearchOrder>,
    /// Which interleavings of independent commands, or which states, the explicit engines leave out.
    #[arg(long, value_enum, default_value_t, help_heading = HOW)]
    reduction: Reduction,
    /// Which states depth-first search stores.
    #[arg(long, value_enum, default_value_t, help_heading = HOW)]
    store: Store,
    /// Which states depth-first search forgets when memory is short.
    #[arg(long, value_enum, default_value_t, help_heading = HOW)]
    forget: Forget,
    /// The most steps of a run in stateless search.
    #[arg(long, value_name = "N", default_value_t = DEPTH, help_heading = LIMITS)]
    depth: usize,
    /// In stateless search, report a process that cannot move in more than this many states in a row.
    #[arg(long, value_name = "N", help_heading = WHAT)]
    livelock: Option<usize>,
    /// In stateless search, report a process that makes more than this many steps in a row which concern no other process.
    #[arg(long, value_name = "N", help_heading = WHAT)]
    divergence: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SearchOrder {
    /// Breadth-first: counterexamples are as short as can be.
    Bfs,
    /// Depth-first: states that do not fit into memory are forgotten.
    Dfs,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Reduction {
    /// None.
    #[default]
    None,
    /// Those outside persistent sets.
    Persistent,
    /// Those that sleep sets rule out.
    Sleep,
    /// Both.
    Both,
    /// Of states that differ in interchangeable processes only, all but one (breadth-first search).
    Symmetry,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Store {
    /// All.
    #[default]
    All,
    /// Those from which it makes more than one step.
    Branching,
}

impl From<Store> for explicit::Keeping {
    fn from(store: Store) -> explicit::Keeping {
        match store {
            Store::All => explicit::Keeping::Everything,
            Store::Branching => explicit::Keeping::Branching,
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Forget {
    /// Any.
    #[default]
    Random,
    /// Of some, the one that took the least work; often much less work in all.
    Cheapest,
}

impl From<Forget> for explicit::Forgetting {
    fn from(forget: Forget) -> explicit::Forgetting {
        match forget {
            Forget::Random => explicit::Forgetting::AtRandom,
            Forget::Cheapest => explicit::Forgetting::Cheapest,
        }
    }
}

impl From<SearchOrder> for Order {
    fn from(order: SearchOrder) -> Order {
        match order {
            SearchOrder::Bfs => Order::BreadthFirst,
            SearchOrder::Dfs => Order::DepthFirst,
        }
    }
}

impl From<Reduction> for explicit::Reduction {
    fn from(reduction: Reduction) -> explicit::Reduction {
        let sets = match reduction {
            Reduction::None | Reduction::Symmetry => Sets::None,
            Reduction::Persistent => Sets::Persistent,
            Reduction::Sleep => Sets::Sleep,
            Reduction::Both => Sets::Both,
        };
        explicit::Reduction { sets, refinement: Refinement::Operations }
    }
}

impl ExplicitArgs {
    /// Whether the explicit engine searches depth-first.
    pub fn is_depth_first(&self) -> bool {
        match self.search {
            Some(order) => order == SearchOrder::Dfs,
            None => !matches!(self.reduction, Reduction::None | Reduction::Symmetry),
        }
    }

    /// What they ask for.
    pub fn visiting(&self) -> Visiting {
        Visiting {
            order: self.search.map(Order::from),
            reduction: self.reduction.into(),
            symmetries: match self.reduction {
                Reduction::Symmetry => Symmetries::Exploited,
                _ => Symmetries::Ignored,
            },
            keeping: self.store.into(),
            forgetting: self.forget.into(),
            depth: self.depth,
            steps: StepLimits { livelock: self.livelock, divergence: self.divergence },
        }
    }
}
