//! What an engine found.

use crate::cost::Cost;
use crate::explanation::Explanation;
use crate::stop::Stop;
use crate::verdict::Verdict;
use std::collections::BTreeSet;
use std::sync::Arc;
use system::{Failure, ProcessId, PropertyId, State, Trace};

/// What an engine found: what is known of each property, why it stopped, and at what cost.
#[derive(Clone, Debug)]
pub struct Findings {
    /// What the engine that answered is called: of several that worked together, the one that was first.
    pub engine: &'static str,
    /// What is known of properties: while an engine works, of those that it has decided; in the end, of all that it was
    /// given. Counterexamples are runs of the system as the engine has it; they are replayed by those who call it.
    pub verdicts: Vec<(PropertyId, Verdict)>,
    /// Why formulas of CTL have their values, where there is more to say than the verdict does, and witnesses of those that hold.
    pub explanations: Vec<(PropertyId, Explanation)>,
    /// The number of steps within which the properties that are not decided are not violated.
    pub settled: Option<usize>,
    /// Why the engine stopped, once it has.
    pub stop: Stop,
    /// A run to where the model has no meaning.
    pub fault: Option<(Failure, Trace)>,
    /// Runs that no property forbids, but that look wrong.
    pub oddities: Vec<Oddity>,
    /// Whether the model has an initial state, as far as is known.
    pub has_initial_state: bool,
    /// The depth of the first state without successors that is no valid end, if the engine looks for it and there is one.
    pub deadlock: Option<usize>,
    /// States without successors that are no valid ends: the first of them, and not more than a search remembers. Where one
    /// state stands for others, it does here.
    pub deadlocks: BTreeSet<State>,
    /// What the search cost.
    pub cost: Cost,
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
            engine,
            verdicts: Vec::new(),
            explanations: Vec::new(),
            settled: None,
            stop: Stop::Interrupted,
            fault: None,
            oddities: Vec::new(),
            has_initial_state: true,
            deadlock: None,
            deadlocks: BTreeSet::new(),
            cost: Cost::default(),
            remarks: Vec::new(),
        }
    }

    /// What is known of a property.
    pub fn verdict(&self, property: PropertyId) -> Option<&Verdict> {
        self.verdicts.iter().find(|(known, _)| *known == property).map(|(_, verdict)| verdict)
    }

    /// Why a formula of CTL has its value.
    pub fn explanation(&self, property: PropertyId) -> Option<&Explanation> {
        self.explanations.iter().find(|(known, _)| *known == property).map(|(_, explanation)| explanation)
    }

    /// The counterexamples, in the order in which they were found.
    pub fn violations(&self) -> Vec<(PropertyId, &Trace)> {
        let violations = self.verdicts.iter().filter_map(|(property, verdict)| match verdict {
            Verdict::Violated(trace) => Some((*property, trace.as_ref())),
            _ => None,
        });
        violations.collect()
    }

    /// A run violates a property.
    pub fn violated(&mut self, property: PropertyId, trace: Trace) {
        self.verdicts.push((property, Verdict::Violated(Arc::new(trace))));
    }

    /// How many states were visited.
    pub fn states(&self) -> usize {
        self.cost.states.unwrap_or(0)
    }

    /// The end of a search that treats all properties alike: this is what is known of those that are not decided.
    pub fn conclude(&mut self, properties: &[PropertyId], otherwise: &Verdict) {
        let open: Vec<PropertyId> =
            properties.iter().copied().filter(|property| self.verdict(*property).is_none()).collect();
        self.verdicts.extend(open.into_iter().map(|property| (property, otherwise.clone())));
    }

    /// The same, or the fault if the model has one.
    pub fn without_fault(self) -> Result<Findings, Box<(Failure, Trace)>> {
        match self.fault {
            Some(fault) => Err(Box::new(fault)),
            None => Ok(self),
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
}
