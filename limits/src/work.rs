//! Work, in a measure that is the same in each run.

/// How much work something may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As much as it needs.
    Unlimited,
    /// About this many accesses to memory (CaDiCaL's ticks), a measure that is the same in each run.
    Ticks(i32),
    /// This many conflicts.
    Conflicts(i32),
}

/// How much work has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Conflicts.
    pub conflicts: u64,
    /// Accesses to memory, roughly.
    pub ticks: u64,
}

impl std::ops::Add for Work {
    type Output = Work;

    fn add(self, other: Work) -> Work {
        Work { conflicts: self.conflicts + other.conflicts, ticks: self.ticks + other.ticks }
    }
}
