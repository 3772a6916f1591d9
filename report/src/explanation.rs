//! Why a formula has its value, in words: what is said of states of runs that branch, and which conjunct fails.

use super::written::on_one_line;
use crate::trace::{Document, describe};
use check::Checked;
use engine::{Branch, Explanation, Grounds, Reason, Role, Truth};
use languages::source::Source;
use serde::Serialize;
use system::{
    BinaryTemporal, ExprId, Formula, FormulaId, Machine, Span, UnaryTemporal, Window, render_expr, render_formula,
};

/// Why a formula has its value: docs/json.md describes the JSON form.
#[derive(Clone, Debug, Serialize)]
pub struct ExplanationReport {
    /// The runs, each after the one that it leaves.
    pub branches: Vec<BranchReport>,
    /// Whether more could be said.
    pub cut: bool,
}

/// A run that leaves another one.
#[derive(Clone, Debug, Serialize)]
pub struct BranchReport {
    /// The number of the branch that it leaves, from 0.
    pub parent: Option<usize>,
    /// The state where it leaves it.
    pub from: usize,
    /// The run, from its beginning; the first branch is the property's counterexample or witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Document>,
    /// What is said of its states.
    pub claims: Vec<ClaimReport>,
}

/// What is said of a state.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimReport {
    /// The number of the state.
    pub state: usize,
    /// The formula, as it is written.
    pub formula: String,
    /// Whether it is true there.
    pub holds: bool,
    /// Whether it is a conjunct that makes a conjunction false.
    pub conjunct: bool,
    /// Why, where no run of the branch shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A conjunct that is false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConjunctReport {
    /// The conjunct, as it is written.
    pub formula: String,
    /// The line, if it is known.
    pub line: Option<usize>,
    /// The state where it is false.
    pub state: usize,
}

impl ClaimReport {
    /// The claim in a line for people.
    pub fn describe(&self) -> String {
        let value = if self.holds { "true" } else { "false" };
        let what = if self.conjunct { "the conjunct " } else { "" };
        let why = self.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        format!("state {}: {what}{} is {value}{why}", self.state, self.formula)
    }
}

impl ExplanationReport {
    /// Puts an explanation into words. Runs other than the first are described if they are wanted.
    pub fn new(machine: &Machine, source: &Source, explanation: &Explanation, runs: Runs) -> ExplanationReport {
        let words = Words { machine, source };
        let branches = explanation.branches.iter().enumerate().map(|(number, branch)| BranchReport {
            parent: branch.parent,
            from: branch.from,
            trace: (number > 0 && runs == Runs::Described).then(|| describe(machine, source, &branch.run, None)),
            claims: words.claims(branch, if number == 0 { Beginning::Known } else { Beginning::New }),
        });
        ExplanationReport { branches: branches.collect(), cut: explanation.is_cut }
    }

    /// How many branches lie between one of them and the first.
    pub fn depth(&self, mut number: usize) -> usize {
        let mut depth = 0;
        while let Some(parent) = self.branches[number].parent {
            (number, depth) = (parent, depth + 1);
        }
        depth
    }
}

/// Whether the branches of an explanation are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All of them.
    Described,
    /// They are too long.
    LeftOut,
}

/// Whether the formula that a branch begins with has been named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Known,
    New,
}

/// The conjuncts that a counterexample makes false, if the claim is a conjunction.
pub fn failing(machine: &Machine, source: &Source, checked: &Checked) -> Vec<ConjunctReport> {
    let words = Words { machine, source };
    match &checked.explanation {
        Some(explanation) => words.named(&explanation.branches[0]),
        None => {
            let fails = check::failing(machine, checked).into_iter();
            fails.map(|fail| words.conjunct(fail)).collect()
        }
    }
}

/// How much of a formula is shown.
const MOST_SHOWN: usize = 200;

/// Finds words for formulas.
#[derive(Clone, Copy)]
struct Words<'a> {
    machine: &'a Machine,
    source: &'a Source,
}

impl Words<'_> {
    fn claims(self, branch: &Branch, beginning: Beginning) -> Vec<ClaimReport> {
        let mut claims = Vec::new();
        for (at, reason) in branch.reasons.iter().enumerate() {
            let claim = self.claim(reason);
            let is_known = at == 0 && beginning == Beginning::Known && claim.why.is_none();
            if !is_known {
                claims.push(claim);
            }
            for conjunct in self.false_conjuncts(branch, reason) {
                let (formula, state) = (self.condition(conjunct), reason.state);
                claims.push(ClaimReport { state, formula, holds: false, conjunct: true, why: None });
            }
        }
        claims
    }

    fn claim(self, reason: &Reason) -> ClaimReport {
        ClaimReport {
            state: reason.state,
            formula: self.formula(reason.formula),
            holds: reason.truth == Truth::Holds,
            conjunct: reason.role == Role::Conjunct,
            why: self.why(reason),
        }
    }

    /// The conjuncts that are false, of those of a condition that is false.
    fn false_conjuncts(self, branch: &Branch, reason: &Reason) -> Vec<ExprId> {
        match self.machine.system().formulas.get(reason.formula) {
            Formula::State(expr) if reason.truth == Truth::Fails => {
                check::false_conjuncts(self.machine, expr, &branch.run.states.at(reason.state))
            }
            _ => Vec::new(),
        }
    }

    /// The conjuncts that a branch names.
    fn named(self, branch: &Branch) -> Vec<ConjunctReport> {
        let mut found = Vec::new();
        for reason in &branch.reasons {
            if reason.role == Role::Conjunct {
                found.push(self.conjunct(check::Conjunct::Formula(reason.formula, reason.state)));
            }
            let conditions = self.false_conjuncts(branch, reason).into_iter();
            found.extend(conditions.map(|expr| self.conjunct(check::Conjunct::Condition(expr, reason.state))));
        }
        found
    }

    fn conjunct(self, conjunct: check::Conjunct) -> ConjunctReport {
        let system = self.machine.system();
        let (formula, place, state) = match conjunct {
            check::Conjunct::Formula(id, state) => (self.formula(id), system.formulas.place(id), state),
            check::Conjunct::Condition(expr, state) => {
                (self.condition(expr), system.conjuncts.get(&expr).copied(), state)
            }
        };
        ConjunctReport { formula, line: place.map(|place| self.source.line(place)), state }
    }

    /// A formula as it is written.
    fn formula(self, id: FormulaId) -> String {
        let system = self.machine.system();
        let place = system.formulas.place(id);
        shortened(place.map_or_else(|| render_formula(system, id), |place| self.written(place)))
    }

    /// A condition as it is written.
    fn condition(self, expr: ExprId) -> String {
        let system = self.machine.system();
        let place = system.conjuncts.get(&expr).copied();
        shortened(place.map_or_else(|| render_expr(system, expr), |place| self.written(place)))
    }

    fn written(self, place: Span) -> String {
        on_one_line(self.source.slice(place))
    }

    /// Why a formula has its value where no single state shows it.
    fn why(self, reason: &Reason) -> Option<String> {
        match reason.grounds {
            Grounds::Here => None,
            Grounds::Run => self.why_along(reason),
            Grounds::AllRuns => self.why_everywhere(reason),
        }
    }

    /// Why a formula of LTL has its value by all that comes.
    fn why_along(self, reason: &Reason) -> Option<String> {
        let part = match self.machine.system().formulas.get(reason.formula) {
            Formula::Unary(UnaryTemporal::Finally | UnaryTemporal::Globally, None, a) => a,
            Formula::Binary(BinaryTemporal::Until | BinaryTemporal::Releases, None, _, b) => b,
            _ => return None,
        };
        let states = if reason.truth == Truth::Holds { "every state" } else { "no state" };
        Some(format!("{states} from here on satisfies {}", self.formula(part)))
    }

    /// Why a formula of CTL has its value by all runs.
    fn why_everywhere(self, reason: &Reason) -> Option<String> {
        let runs = if reason.truth == Truth::Holds { "every run" } else { "no run" };
        Some(match self.machine.system().formulas.get(reason.formula) {
            Formula::Unary(op, window, a) => {
                let (when, a) = (steps(window), self.formula(a));
                match op {
                    UnaryTemporal::SomeNext => format!("no next state satisfies {a}"),
                    UnaryTemporal::AllNext => format!("every next state satisfies {a}"),
                    UnaryTemporal::SomeFinally | UnaryTemporal::AllFinally => {
                        format!("{runs} from here leads to {a}{when}")
                    }
                    _ => format!("{runs} from here keeps to {a}{when}"),
                }
            }
            Formula::Binary(BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil, window, a, b) => {
                format!("{runs} from here keeps to {} until {}{}", self.formula(a), self.formula(b), steps(window))
            }
            _ => return None,
        })
    }
}

/// When something happens that a window is about.
fn steps(window: Option<Window>) -> String {
    window.map_or_else(String::new, |Window { from, to }| format!(" after {from} to {to} steps"))
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MOST_SHOWN) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}
