//! Deciding properties.

use super::attempt::{Attempt, Limits};
use super::ctl::Labels;
use super::kept::{Kept, Models};
use super::linear::Prepared;
use super::model::Model;
use super::order::Order;
use super::run::Shown;
use super::space::Part;
use super::step::Conditions;
use super::translate::Translation;
use super::watch::{Lookout, Watch};
use super::{Refusal, Trouble};
use diagrams::{Diagram, Direction, Exhausted};
use engine::{Explanation, Truth, Witnesses};
use limits::Handle;
use system::{Claim, ExprId, Extreme, Failure, FormulaId, Machine, PropertyId, Trace};

/// What is known of a property.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// It holds, for runs of every length; why, if that was asked.
    Holds(Option<Explanation>),
    /// It does not, and this is why.
    Violated(Explanation),
    /// It is a question, and this is the answer.
    Answered(String),
    /// Nothing, because of this.
    Unknown(Trouble),
}

/// What is asked of a system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    /// The properties.
    pub properties: &'a [PropertyId],
    /// What is to be shown of those that hold.
    pub witnesses: Witnesses,
}

/// What was found out about some properties, before it is put into words.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    /// In the order in which they were asked.
    pub verdicts: Vec<(PropertyId, Answer)>,
    /// A run to where the model has no meaning. Then the verdicts are violations on runs that are no longer.
    pub fault: Option<(Failure, Trace)>,
    /// How many states are reachable, if all of them were looked at.
    pub states: Option<String>,
    /// Whether there is an initial state.
    pub has_initial_state: bool,
    /// Which states are on infinite fair runs, if that was asked.
    pub fairness: Option<FairStates>,
    /// What kept the work from being done, if something did.
    pub(super) stopped: Option<Exhausted>,
}

/// Which states are on infinite fair runs. Formulas of CTL leave the others out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FairStates {
    /// All reachable ones.
    All,
    /// Not all, but an initial one.
    Some,
    /// No initial one: then every formula holds.
    NoInitial,
}

/// Decides properties in a whole system. An order of bits that was good before is where others begin.
pub(super) fn check_whole(
    machine: &Machine,
    question: Question<'_>,
    order: &mut Vec<Part>,
    limits: Limits,
    watch: &mut Watch<'_, '_>,
) -> Decided {
    let properties = question.properties;
    let prepared = Prepared::new(machine, properties);
    let mut decided = Vec::new();
    let work = |lookout: &Lookout| {
        let machine = prepared.as_ref().map_or(machine, |prepared| &prepared.machine);
        let mut models = Models::default();
        Attempt::in_turns(Order::tried(machine.system()), limits, |attempt| {
            let known = order.clone();
            let make = |attempt| Model::new(machine, attempt, &known, lookout);
            models.work(attempt, make, |kept| {
                let found = decide(kept, prepared.as_ref(), question, &mut decided);
                if attempt.order == Order::Sifted {
                    *order = kept.model.order();
                }
                found
            })
        })
    };
    let findings = match watch.work(machine, properties.len(), work) {
        Some(Ok(findings)) => findings,
        Some(Err(trouble)) => {
            let stopped = if let Trouble::Stopped(stop) = trouble { Some(stop) } else { None };
            Decided { stopped, ..undecided(properties, &decided, &trouble) }
        }
        None => undecided(properties, &decided, &Refusal::NoStack.into()),
    };
    match &prepared {
        Some(prepared) if findings.fault.is_some() && prepared.can_fail(machine) => {
            undecided(properties, &[], &Refusal::PropertyFault.into())
        }
        Some(prepared) => findings.original(machine, prepared),
        None => findings,
    }
}

/// What was found out before the work ended for a reason.
pub(super) fn undecided(properties: &[PropertyId], decided: &[(PropertyId, Answer)], why: &Trouble) -> Decided {
    let verdict = |property: &PropertyId| {
        let known = decided.iter().find(|(known, _)| known == property);
        known.cloned().unwrap_or_else(|| (*property, Answer::Unknown(why.clone())))
    };
    Decided {
        verdicts: properties.iter().map(verdict).collect(),
        fault: None,
        states: None,
        has_initial_state: true,
        fairness: None,
        stopped: None,
    }
}

/// How many states are reachable.
pub fn count(machine: &Machine, limits: Limits, handle: &mut Handle<'_>) -> Result<String, Trouble> {
    let work = |lookout: &Lookout| {
        let make = |attempt| Model::new(machine, attempt, &[], lookout);
        let mut models = Models::default();
        Attempt::in_turns(Order::tried(machine.system()), limits, |attempt| models.work(attempt, make, counted))
    };
    Watch::new(handle).work(machine, 0, work).unwrap_or(Err(Trouble::Refused(Refusal::NoStack)))
}

/// How many states of a model are reachable.
fn counted(Kept { model, .. }: &mut Kept<'_>) -> Result<String, Trouble> {
    let reachable = model.reachable()?;
    match model.fault()? {
        Some(_) => Err(Refusal::PossibleFault.into()),
        None => Ok(model.count(&reachable).to_string()),
    }
}

impl Decided {
    /// The same, about all of some properties: what is not decided is open because of a fault.
    pub(super) fn about(self, properties: &[PropertyId]) -> Decided {
        let verdicts = undecided(properties, &self.verdicts, &Refusal::PossibleFault.into()).verdicts;
        Decided { verdicts, ..self }
    }

    /// The same, with runs as the system has them that was prepared. Its states were not counted.
    fn original(mut self, machine: &Machine, prepared: &Prepared) -> Decided {
        for (_, verdict) in &mut self.verdicts {
            if let Answer::Violated(shown) | Answer::Holds(Some(shown)) = verdict {
                for branch in &mut shown.branches {
                    branch.run = prepared.original(machine, std::mem::take(&mut branch.run));
                }
            }
        }
        self.fault = self.fault.map(|(failure, trace)| (failure, prepared.original(machine, trace)));
        let is_same = prepared.machine.system().variables.len() == machine.system().variables.len();
        self.states = self.states.filter(|_| is_same);
        self
    }
}

/// Decides the properties that are not decided yet, as far as the attempt gets.
fn decide(
    Kept { model, labels, .. }: &mut Kept<'_>,
    prepared: Option<&Prepared>,
    Question { properties, witnesses }: Question<'_>,
    decided: &mut Vec<(PropertyId, Answer)>,
) -> Result<Decided, Trouble> {
    let reachable = model.reachable()?;
    let mut findings = Decided {
        verdicts: Vec::new(),
        fault: model.fault()?,
        states: Some(model.count(&reachable).to_string()),
        has_initial_state: !model.initial.is_false(),
        fairness: None,
        stopped: None,
    };
    if let Some((_, run)) = &findings.fault {
        findings.verdicts = model.violated_before(properties, run.moves.len())?;
        return Ok(findings);
    }
    for property in in_order_of_work(model, properties)? {
        if decided.iter().any(|(known, _)| *known == property) {
            continue;
        }
        let verdict = match model.verdict(prepared, labels, property, witnesses) {
            Err(trouble @ Trouble::Stopped(Exhausted::Effort | Exhausted::Nodes)) => return Err(trouble),
            Err(trouble) => Answer::Unknown(trouble),
            Ok(verdict) => verdict,
        };
        decided.push((property, verdict));
        model.lookout.decided(decided.len());
    }
    findings.verdicts.clone_from(decided);
    if let Some(labels) = labels {
        findings.fairness = Some(model.fairness(&labels.fair.fair, &reachable)?);
    }
    Ok(findings)
}

/// Those last that reachable states violate: to find a run to such a state can take far longer than to reach them all, and what holds
/// need not wait for it.
fn in_order_of_work(model: &mut Model<'_>, properties: &[PropertyId]) -> Result<Vec<PropertyId>, Trouble> {
    let reachable = model.reachable()?;
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for property in properties {
        let is_violated = match model.bad(*property)? {
            Some(bad) => !model.manager.and(&reachable, &bad)?.is_false(),
            None => false,
        };
        if is_violated { last.push(*property) } else { first.push(*property) }
    }
    first.extend(last);
    Ok(first)
}

impl Model<'_> {
    fn fairness(&mut self, fair: &Diagram, reachable: &Diagram) -> Result<FairStates, Exhausted> {
        let initial = self.initial.clone();
        if fair == reachable {
            return Ok(FairStates::All);
        }
        let is_empty = self.manager.and(&initial, fair)?.is_false();
        Ok(if is_empty { FairStates::NoInitial } else { FairStates::Some })
    }

    fn verdict(
        &mut self,
        prepared: Option<&Prepared>,
        labels: &mut Option<Labels>,
        property: PropertyId,
        witnesses: Witnesses,
    ) -> Result<Answer, Trouble> {
        match &self.system().properties[property].claim {
            Claim::Invariant(expr) => self.invariant(property, *expr),
            Claim::DeadlockFree => self.deadlock_free(),
            Claim::Ctl(formula) => self.ctl(labels, *formula, witnesses),
            Claim::Compute(extreme, start, end) => self.quantity(labels, *extreme, [*start, *end]),
            Claim::Ltl(_) => self.ltl(prepared, property),
            _ => Err(Refusal::NotCtl.into()),
        }
    }

    /// A run to a state in which something has no value.
    fn fault(&mut self) -> Result<Option<(Failure, Trace)>, Trouble> {
        /// How many states are tried, as diagrams may be too careful about what fails.
        const TRIED: usize = 64;
        let reachable = self.reachable()?;
        let faults = self.faults.clone();
        let possible = self.manager.and(&reachable, &faults)?;
        if possible.is_false() {
            return Ok(None);
        }
        let states: Vec<_> = self.states(&possible).take(TRIED).collect();
        let Some(failure) = states.iter().find_map(|state| self.failure(state)) else {
            return Err(Refusal::PossibleFault.into());
        };
        let mut bits = self.manager.states(&possible, self.space.state());
        let failing = bits.find(|bits| {
            let state = self.space.decode(self.system(), self.machine.layout(), bits);
            self.failure(&state) == Some(failure)
        });
        let Some(failing) = failing else { return Err(Refusal::PossibleFault.into()) };
        drop(bits);
        let target = self.manager.minterm(self.space.state(), &failing)?;
        Ok(Some((failure, self.run_to(&target)?)))
    }

    /// The properties of single states that a run violates that is at most this long and has a meaning to its end. What a step
    /// does that has none is not known, so that runs go through no state in which something may fail.
    fn violated_before(
        &mut self,
        properties: &[PropertyId],
        most: usize,
    ) -> Result<Vec<(PropertyId, Answer)>, Trouble> {
        let (always, faults) = (self.manager.always(), self.faults.clone());
        let safe = self.manager.without(&always, &faults)?;
        let mut violated = Vec::new();
        for property in properties {
            let Some(bad) = self.bad(*property)? else { continue };
            let within = self.manager.or(&safe, &bad)?;
            let initial = self.initial.clone();
            let from = self.manager.and(&initial, &within)?;
            let Some(path) = self.path(&from, &within, &bad)? else { continue };
            let run = self.run(&Shown { path, ..Shown::default() })?;
            if run.moves.len() <= most {
                violated.push((*property, Answer::Violated(Explanation::of_run(run))));
            }
        }
        Ok(violated)
    }

    /// The states that violate a property, if single states do and it has a value in all of them.
    fn bad(&mut self, property: PropertyId) -> Result<Option<Diagram>, Trouble> {
        match self.system().properties[property].claim {
            Claim::Invariant(expr) if self.machine.is_state_invariant(property) => {
                let (holds, fails) = self.satisfying(expr)?;
                let always = self.manager.always();
                let violating = self.manager.without(&always, &holds)?;
                Ok(Some(self.manager.without(&violating, &fails)?))
            }
            _ => Ok(None),
        }
    }

    /// A shortest run to one of some states.
    fn run_to(&mut self, target: &Diagram) -> Result<Trace, Trouble> {
        let (initial, always) = (self.initial.clone(), self.manager.always());
        let path = self.path(&initial, &always, target)?.ok_or(Trouble::Refused(Refusal::NoRun))?;
        self.run(&Shown { path, ..Shown::default() })
    }

    /// It holds unless there are bad states.
    fn unless_reached(&mut self, bad: &Diagram) -> Result<Answer, Trouble> {
        if bad.is_false() {
            return Ok(Answer::Holds(None));
        }
        Ok(Answer::Violated(Explanation::of_run(self.run_to(bad)?)))
    }

    fn invariant(&mut self, property: PropertyId, expr: ExprId) -> Result<Answer, Trouble> {
        if !self.machine.is_state_invariant(property) {
            return Err(Refusal::SpeaksOfSteps.into());
        }
        let reachable = self.reachable()?;
        let (holds, fails) = self.satisfying(expr)?;
        if !self.manager.and(&fails, &reachable)?.is_false() {
            return Err(Refusal::PropertyFault.into());
        }
        let bad = self.manager.without(&reachable, &holds)?;
        self.unless_reached(&bad)
    }

    fn deadlock_free(&mut self) -> Result<Answer, Trouble> {
        let reachable = self.reachable()?;
        let always = self.manager.always();
        let able = self.image(Direction::Backward, &always)?;
        let stuck = self.manager.without(&reachable, &able)?;
        let mut conditions = Conditions::of_state(self.system(), &self.space);
        let end = conditions.valid_end();
        let end = Translation::default().diagram(&mut self.manager, &conditions.gates, end)?;
        let bad = self.manager.without(&stuck, &end)?;
        self.unless_reached(&bad)
    }

    /// A formula holds if no infinite fair run violates it.
    fn ltl(&mut self, prepared: Option<&Prepared>, property: PropertyId) -> Result<Answer, Trouble> {
        let Some(prepared) = prepared else { return Err(Refusal::NotCtl.into()) };
        match prepared.violation(self, property)? {
            Some(shown) => Ok(Answer::Violated(Explanation::of_run(self.run(&shown)?))),
            None => Ok(Answer::Holds(None)),
        }
    }

    /// What is known of formulas of CTL, made when it is first asked for.
    fn labels<'l>(&mut self, labels: &'l mut Option<Labels>) -> Result<&'l mut Labels, Trouble> {
        let known = match labels.take() {
            Some(known) => known,
            None => Labels::new(self)?,
        };
        Ok(labels.insert(known))
    }

    /// How many steps there are between two kinds of states.
    fn quantity(
        &mut self,
        labels: &mut Option<Labels>,
        extreme: Extreme,
        [start, end]: [FormulaId; 2],
    ) -> Result<Answer, Trouble> {
        let labels = self.labels(labels)?;
        let (start, end) = (labels.of(self, start)?, labels.of(self, end)?);
        let steps = match extreme {
            Extreme::Least => labels.fewest(self, &start, &end)?,
            Extreme::Most => labels.most(self, &start, &end)?,
        };
        Ok(Answer::Answered(steps.to_string()))
    }

    /// A formula holds if it holds in every initial state with a fair run.
    fn ctl(
        &mut self,
        labels: &mut Option<Labels>,
        formula: FormulaId,
        witnesses: Witnesses,
    ) -> Result<Answer, Trouble> {
        let labels = self.labels(labels)?;
        let wrong = labels.violating(self, formula)?;
        if let Some(state) = self.single(&wrong)? {
            return labels.explanation(self, (formula, Truth::Fails), &state).map(Answer::Violated);
        }
        let asked = labels.asked(self)?;
        let state = if witnesses == Witnesses::Wanted { self.single(&asked)? } else { None };
        let shown = state.map(|state| labels.explanation(self, (formula, Truth::Holds), &state));
        Ok(Answer::Holds(shown.transpose()?))
    }
}
