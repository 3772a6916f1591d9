//! Which of the system's runs a formula has.

/// The choices that an unrolling leaves to those who make it. None of them changes which states violate a property
/// first; [`Rules::default`] has every run of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// Which interleavings there are.
    pub scheduling: Scheduling,
    /// Whether a step may leave the state as it is.
    pub idling: Idling,
    /// Whether control points have switches, and how these limit the selector.
    pub valid: Valid,
    /// What has a switch of its own.
    pub grain: Grain,
    /// The order in which processes are asked for a partial expansion.
    pub order: Order,
    /// Whether the formula says how far processes can be.
    pub distances: Distances,
    /// What comes where no process can move.
    pub ending: Ending,
    /// Which of the processes that can change places moves first.
    pub alike: Alike,
}

/// In which order processes that can change places make their first moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Alike {
    /// In any order.
    #[default]
    Free,
    /// In the order of the processes; see `first_moves.rs`.
    Ordered,
}

/// What becomes of a run in a state where no process can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Ending {
    /// It has come to its end: the formula has no step from there.
    #[default]
    Stops,
    /// It stays there for ever: the formula has steps of no process. Only for systems of which
    /// [`can_stay`](super::can_stay) says so.
    Stays,
}

/// Whether the formula says what every run satisfies and no solver finds out by itself: how far the processes can be
/// after this many steps; see `distance.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Distances {
    /// It does not: nothing but Eq. (13).
    #[default]
    Unlimited,
    /// It does.
    Limited,
}

/// Which interleavings the formula allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Scheduling {
    /// All of them.
    #[default]
    Free,
    /// Of two independent commands in a row, only the order of their processes. In a run that closes a loop, the step into
    /// the loop and the one after it may have any order.
    Peephole,
}

/// What steps do that change nothing: an SMV process that has to wait, for example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Idling {
    /// They are steps like others.
    #[default]
    Allowed,
    /// They are, but of the processes that never do anything, one makes them for all.
    Represented,
    /// There are none. No shortest way to a state has one; a formula without them has the same states at the end of
    /// its runs that are reached in exactly as many steps and no fewer.
    Excluded,
}

/// The predicate valid(s, ps) of \[GLST05\], which ties the selector to the switches p_{i,j}.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Valid {
    /// No switches: T of Eq. (6).
    #[default]
    Absent,
    /// Eq. (11), to the letter.
    Paper,
    /// The weaker form that is monotone in the switches; see `expansion.rs`.
    Monotone,
}

/// What has a switch of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Grain {
    /// Each control point, as the paper has it.
    #[default]
    Point,
    /// Each process: its control points share one switch, so that one round widens them all.
    Process,
}

/// The order of processes in which the first one is looked for that can be expanded alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// As they are declared, at each step.
    #[default]
    Fixed,
    /// Beginning one further at each step.
    Rotating,
    /// Beginning after the process that moved last.
    RoundRobin,
    /// Beginning with the process that moved last: as few switches between processes as possible.
    RunOn,
}
