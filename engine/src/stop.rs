//! Why an engine stops.

/// Why an engine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Every property is decided, or the model has no meaning.
    Decided,
    /// Everything was looked at: every reachable state (or, with a reduction, enough of them), or every run.
    Complete,
    /// No run is as long as the bound that was reached: every run has been looked at.
    NoLongerRuns,
    /// The bound was reached, and there is more beyond it; or the engine has nothing left to do.
    Bound,
    /// The memory for states was used up; in depth-first search, by the current path alone.
    Memory,
    /// The engine cannot work on this.
    Refused,
    /// It was asked to, or its time, memory or patience was over.
    Interrupted,
}
