//! Why a formula has its value: runs, which branch for CTL, and what is said of their states.

use system::{FormulaId, Trace, Truth};

/// Whether it is to be shown why formulas of CTL hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Witnesses {
    /// No.
    #[default]
    NotWanted,
    /// Yes, where runs show it.
    Wanted,
}

/// How a formula comes into an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is what is asked about, or an operand of what was said before.
    Operand,
    /// It is the conjunct that makes a conjunction false.
    Conjunct,
}

/// What makes a formula have its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grounds {
    /// The state itself, or what is said next.
    Here,
    /// How the run goes on.
    Run,
    /// All runs from the state, which the branches show as far as there are some.
    AllRuns,
}

/// What is said of a state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The number of the state.
    pub state: usize,
    /// The formula.
    pub formula: FormulaId,
    /// Its value there.
    pub truth: Truth,
    /// How it comes in.
    pub role: Role,
    /// Why it has the value.
    pub grounds: Grounds,
}

/// A run from an initial state that is the same as an earlier one up to some state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The number of the branch that it leaves; the first one leaves none.
    pub parent: Option<usize>,
    /// The number of the state where it leaves it.
    pub from: usize,
    /// The run.
    pub run: Trace,
    /// What is said of its states, in the order in which it follows.
    pub reasons: Vec<Reason>,
}

/// Why a formula has its value in an initial state. Branches come after those that they leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The runs, at least one; the first one is the counterexample or the witness.
    pub branches: Vec<Branch>,
    /// Whether more could be said, and was left out for its length.
    pub is_cut: bool,
}

impl Explanation {
    /// A run that says it all.
    pub fn of_run(run: Trace) -> Explanation {
        Explanation { branches: vec![Branch { parent: None, from: 0, run, reasons: Vec::new() }], is_cut: false }
    }

    /// The counterexample, or the witness.
    pub fn run(&self) -> &Trace {
        &self.branches[0].run
    }

    /// Whether there is more to see than a state.
    pub fn shows_steps(&self) -> bool {
        self.branches.iter().any(|branch| !branch.run.moves.is_empty())
    }

    /// The same with other runs, as a system has them of which the runs so far are a part. What does not fit together any more is
    /// left out, and where the first run has fewer steps, nothing else is said. `None` if the first run has no other.
    pub fn with_runs(self, mut other: impl FnMut(&Trace) -> Option<Trace>) -> Option<Explanation> {
        let mut branches = self.branches.into_iter();
        let first = branches.next()?;
        let run = other(&first.run)?;
        if run.moves.len() < first.run.moves.len() {
            return Some(Explanation { is_cut: true, ..Explanation::of_run(run) });
        }
        let mut kept = Explanation { branches: vec![Branch { run, ..first }], is_cut: self.is_cut };
        let mut places = vec![Some(0)];
        for branch in branches {
            let parent = branch.parent.and_then(|parent| places[parent]);
            let place = parent.and_then(|parent| kept.add(parent, branch, &mut other));
            kept.is_cut |= place.is_none();
            places.push(place);
        }
        Some(kept)
    }

    /// Adds a branch with another run, if it still leaves its parent where it did; says where the branch is now.
    fn add(&mut self, parent: usize, branch: Branch, other: &mut impl FnMut(&Trace) -> Option<Trace>) -> Option<usize> {
        let run = other(&branch.run)?;
        if run.moves.len() < branch.run.moves.len() || !begins_alike(&self.branches, Some(parent), branch.from, &run) {
            return None;
        }
        self.branches.push(Branch { parent: Some(parent), run, ..branch });
        Some(self.branches.len() - 1)
    }

    /// Whether branches are the same as those that they leave up to where they do.
    pub fn fits_together(&self) -> bool {
        self.branches.iter().all(|branch| begins_alike(&self.branches, branch.parent, branch.from, &branch.run))
    }
}

/// Whether a run is the same as that of its parent up to a state.
fn begins_alike(branches: &[Branch], parent: Option<usize>, from: usize, run: &Trace) -> bool {
    let Some(parent) = parent else { return true };
    let known = &branches[parent].run;
    let is_there = from < known.states.len().min(run.states.len());
    is_there && known.states.iter().zip(&run.states).take(from + 1).all(|(known, own)| known == own)
}
