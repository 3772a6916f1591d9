//! What an engine found.

use super::effort::Effort;
use super::verdict::Verdict;
use system::{Failure, ProcessId, PropertyId, Trace};

/// What an engine found: a verdict on each property that it was given, and how it came to it.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The verdicts. Counterexamples are runs of the system as the engine has it; they are replayed by those who call it.
    pub verdicts: Vec<(PropertyId, Verdict)>,
    /// A run to where the model has no meaning.
    pub fault: Option<(Failure, Trace)>,
    /// Runs that no property forbids, but that look wrong.
    pub oddities: Vec<Oddity>,
    /// Whether the model has an initial state, as far as is known.
    pub has_initial_state: bool,
    /// The depth of the first state without successors, if the engine looks for it.
    pub deadlock: Option<usize>,
    /// What the engine that answered is called: of several that worked together, the one that was first.
    pub engine: &'static str,
    /// What the search took.
    pub effort: Effort,
    /// What else there is to say.
    pub remarks: Vec<String>,
}

/// A run that looks wrong by a limit that the user set.
#[derive(Clone, Debug)]
pub struct Oddity {
    /// What it is called.
    pub kind: &'static str,
    /// What a process does there.
    pub what: String,
    /// Which process.
    pub process: ProcessId,
    /// The run.
    pub trace: Trace,
}

impl Findings {
    /// Nothing so far, by an engine with this name.
    pub fn new(engine: &'static str) -> Findings {
        Findings {
            verdicts: Vec::new(),
            fault: None,
            oddities: Vec::new(),
            has_initial_state: true,
            deadlock: None,
            engine,
            effort: Effort::default(),
            remarks: Vec::new(),
        }
    }

    /// Without an initial state there is no run, so that everything holds, as NuSMV has it. That is hardly what is meant.
    pub fn hold_vacuously(&mut self) {
        const REASON: &str = "vacuously: the model has no initial state";
        for (_, verdict) in &mut self.verdicts {
            if !matches!(verdict, Verdict::Answered(_)) {
                *verdict = Verdict::Holds(REASON.to_owned());
            }
        }
        self.remarks.push("warning: the model has no initial state, so that every property holds".to_owned());
    }

    /// The verdicts of a search that treats all properties alike: those that it found to be violated are, and `otherwise`
    /// is what is known of the others.
    pub fn decide(
        properties: &[PropertyId],
        violations: Vec<(PropertyId, Trace)>,
        otherwise: &Verdict,
    ) -> Vec<(PropertyId, Verdict)> {
        let open = properties.iter().filter(|open| violations.iter().all(|(violated, _)| violated != *open));
        let open: Vec<_> = open.map(|open| (*open, otherwise.clone())).collect();
        violations.into_iter().map(|(violated, trace)| (violated, Verdict::Violated(trace))).chain(open).collect()
    }
}
