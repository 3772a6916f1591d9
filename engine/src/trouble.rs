//! Why an engine cannot work.

/// Why an engine cannot work at all, or cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It was asked for something that it does not do; the message says what to ask for instead.
    Usage(String),
    /// A SAT solver failed.
    Solver(String),
    /// Something that must not happen did, for which we are to blame.
    Bug(String),
}
