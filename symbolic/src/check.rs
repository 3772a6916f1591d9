//! Deciding properties.

use super::ctl::Labels;
use super::linear::Prepared;
use super::model::Model;
use super::run::Shown;
use super::step::Conditions;
use super::translate::Translation;
use super::{Refusal, Trouble};
use diagrams::{Diagram, Direction, on_deep_stack};
use std::sync::Arc;
use system::{Alarm, Apart, Claim, ExprId, Extreme, Failure, FormulaId, Machine, PropertyId, Slice, Trace};

/// What is known of a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds, for runs of every length.
    Holds,
    /// It does not, and this run shows it, as far as one run can.
    Violated(Trace),
    /// It is a question, and this is the answer.
    Answered(String),
    /// Nothing, because of this.
    Unknown(String),
}

/// What was found out about some properties.
#[derive(Clone, Debug)]
pub struct Findings {
    /// In the order in which they were asked.
    pub verdicts: Vec<(PropertyId, Verdict)>,
    /// A run to where the model has no meaning. Then the verdicts are nothing.
    pub fault: Option<(Failure, Trace)>,
    /// How many states are reachable, if all of them were looked at.
    pub states: Option<String>,
    /// Whether there is an initial state.
    pub has_initial_state: bool,
    /// Whether some reachable state lies on no fair infinite run, if that was asked.
    pub has_unfair_states: Option<bool>,
}

/// Decides properties with at most this many nodes, in the cone of influence if not everything matters.
pub fn check(machine: &Machine, properties: &[PropertyId], nodes: usize, alarm: &Alarm) -> Findings {
    let Some(slice) = Slice::new(machine.system(), properties, Apart::Kept) else {
        return check_whole(machine, properties, nodes, alarm);
    };
    let part = Machine::new(Arc::new(slice.system.clone()));
    let mut findings = check_whole(&part, properties, nodes, alarm);
    if findings.fault.is_some() {
        return check_whole(machine, properties, nodes, alarm);
    }
    findings.states = None;
    for (property, verdict) in &mut findings.verdicts {
        if let Verdict::Violated(trace) = verdict {
            *verdict = lifted(machine, &slice, *property, trace, nodes, alarm);
        }
    }
    findings
}

/// A violation in the cone, as a run of the whole system. What is outside the cone may keep a cycle from closing: then another
/// one is looked for in the whole system, and if that is too large, the cycle is shown once, where that is enough.
fn lifted(
    machine: &Machine,
    slice: &Slice,
    property: PropertyId,
    trace: &Trace,
    nodes: usize,
    alarm: &Alarm,
) -> Verdict {
    /// How many nodes the second look may take.
    const FEW: usize = 1 << 20;
    let is_linear = matches!(machine.system().properties[property].claim, Claim::Ltl(_));
    let lifted = slice.lift(machine.system(), trace);
    let is_closed = |lifted: &Trace| lifted.loop_start.is_some() == trace.loop_start.is_some();
    if lifted.as_ref().is_none_or(|lifted| !is_closed(lifted)) {
        let mut whole = check_whole(machine, &[property], nodes.min(FEW), alarm).verdicts;
        if let Some((_, found @ Verdict::Violated(_))) = whole.pop() {
            return found;
        }
    }
    match lifted.filter(|lifted| !is_linear || is_closed(lifted)) {
        Some(trace) => Verdict::Violated(trace),
        None => Verdict::Unknown(
            "it is violated, but the run that shows it was found in a part of the model only".to_owned(),
        ),
    }
}

/// The same without leaving anything out.
fn check_whole(machine: &Machine, properties: &[PropertyId], nodes: usize, alarm: &Alarm) -> Findings {
    let bits = machine.system().state_bits() as usize + machine.system().variables.len();
    let nothing = |reason: String| Findings {
        verdicts: properties.iter().map(|property| (*property, Verdict::Unknown(reason.clone()))).collect(),
        fault: None,
        states: None,
        has_initial_state: true,
        has_unfair_states: None,
    };
    let prepared = Prepared::new(machine, properties);
    let work = || {
        let alarm = alarm.clone();
        let machine = prepared.as_ref().map_or(machine, |prepared| &prepared.machine);
        let mut model = Model::new(machine, nodes, move || alarm.rings())?;
        decide(&mut model, prepared.as_ref(), properties)
    };
    match on_deep_stack(bits, work) {
        Some(Ok(findings)) => match &prepared {
            Some(prepared) if findings.fault.is_some() && prepared.can_fail(machine) => {
                nothing(Refusal::PropertyFault.to_string())
            }
            Some(prepared) => findings.original(machine, prepared),
            None => findings,
        },
        Some(Err(trouble)) => nothing(trouble.to_string()),
        None => nothing("there is no memory for a stack".to_owned()),
    }
}

/// How many states are reachable.
pub fn count(machine: &Machine, nodes: usize, alarm: &Alarm) -> Result<String, Trouble> {
    let bits = machine.system().state_bits() as usize + machine.system().variables.len();
    let work = || {
        let alarm = alarm.clone();
        let mut model = Model::new(machine, nodes, move || alarm.rings())?;
        let reachable = model.reachable()?;
        match model.fault()? {
            Some(_) => Err(Refusal::PossibleFault.into()),
            None => Ok(model.count(&reachable).to_string()),
        }
    };
    on_deep_stack(bits, work).unwrap_or(Err(Trouble::Refused(Refusal::NoRun)))
}

impl Findings {
    /// The same, with runs as the system has them that was prepared. Its states were not counted.
    fn original(mut self, machine: &Machine, prepared: &Prepared) -> Findings {
        for (_, verdict) in &mut self.verdicts {
            if let Verdict::Violated(trace) = verdict {
                *trace = prepared.original(machine, std::mem::take(trace));
            }
        }
        self.fault = self.fault.map(|(failure, trace)| (failure, prepared.original(machine, trace)));
        let is_same = prepared.machine.system().variables.len() == machine.system().variables.len();
        self.states = self.states.filter(|_| is_same);
        self
    }
}

fn decide(model: &mut Model<'_>, prepared: Option<&Prepared>, properties: &[PropertyId]) -> Result<Findings, Trouble> {
    let reachable = model.reachable()?;
    let fault = model.fault()?;
    let mut findings = Findings {
        verdicts: Vec::new(),
        fault,
        states: Some(model.count(&reachable).to_string()),
        has_initial_state: !model.initial.is_false(),
        has_unfair_states: None,
    };
    if findings.fault.is_some() {
        return Ok(findings);
    }
    let mut labels = None;
    for property in properties {
        let verdict = match &model.system().properties[*property].claim {
            Claim::Invariant(expr) => model.invariant(*property, *expr),
            Claim::DeadlockFree => model.deadlock_free(),
            Claim::Ctl(formula) => model.ctl(&mut labels, *formula),
            Claim::Compute(extreme, start, end) => model.quantity(&mut labels, *extreme, [*start, *end]),
            Claim::Ltl(_) => model.ltl(prepared, *property),
            _ => Err(Refusal::NotCtl.into()),
        };
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(trouble) => Verdict::Unknown(trouble.to_string()),
        };
        findings.verdicts.push((*property, verdict));
    }
    if let Some(labels) = labels {
        findings.has_unfair_states = Some(labels.fair.fair != reachable);
    }
    Ok(findings)
}

impl Model<'_> {
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

    /// A shortest run to one of some states.
    fn run_to(&mut self, target: &Diagram) -> Result<Trace, Trouble> {
        let (initial, always) = (self.initial.clone(), self.manager.always());
        let path = self.path(&initial, &always, target)?.ok_or(Trouble::Refused(Refusal::NoRun))?;
        self.run(&Shown { path, ..Shown::default() })
    }

    fn invariant(&mut self, property: PropertyId, expr: ExprId) -> Result<Verdict, Trouble> {
        if !self.machine.is_state_invariant(property) {
            return Err(Refusal::SpeaksOfSteps.into());
        }
        let reachable = self.reachable()?;
        let (holds, fails) = self.satisfying(expr)?;
        if !self.manager.and(&fails, &reachable)?.is_false() {
            return Err(Refusal::PropertyFault.into());
        }
        let bad = self.manager.without(&reachable, &holds)?;
        if bad.is_false() { Ok(Verdict::Holds) } else { Ok(Verdict::Violated(self.run_to(&bad)?)) }
    }

    fn deadlock_free(&mut self) -> Result<Verdict, Trouble> {
        let reachable = self.reachable()?;
        let always = self.manager.always();
        let able = self.image(Direction::Backward, &always)?;
        let stuck = self.manager.without(&reachable, &able)?;
        let mut conditions = Conditions::of_state(self.system(), &self.space);
        let end = conditions.valid_end();
        let end = Translation::default().diagram(&mut self.manager, &conditions.gates, end)?;
        let bad = self.manager.without(&stuck, &end)?;
        if bad.is_false() { Ok(Verdict::Holds) } else { Ok(Verdict::Violated(self.run_to(&bad)?)) }
    }

    /// A formula holds if no infinite fair run violates it.
    fn ltl(&mut self, prepared: Option<&Prepared>, property: PropertyId) -> Result<Verdict, Trouble> {
        let Some(prepared) = prepared else { return Err(Refusal::NotCtl.into()) };
        match prepared.violation(self, property)? {
            Some(shown) => Ok(Verdict::Violated(self.run(&shown)?)),
            None => Ok(Verdict::Holds),
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
    ) -> Result<Verdict, Trouble> {
        let labels = self.labels(labels)?;
        let (start, end) = (labels.of(self, start)?, labels.of(self, end)?);
        let steps = match extreme {
            Extreme::Least => labels.fewest(self, &start, &end)?,
            Extreme::Most => labels.most(self, &start, &end)?,
        };
        Ok(Verdict::Answered(steps.to_string()))
    }

    /// A formula holds if it holds in every initial state with a fair run.
    fn ctl(&mut self, labels: &mut Option<Labels>, formula: FormulaId) -> Result<Verdict, Trouble> {
        let labels = self.labels(labels)?;
        let satisfying = labels.of(self, formula)?;
        let initial = self.initial.clone();
        let asked = self.manager.and(&initial, &labels.fair.fair)?;
        let wrong = self.manager.without(&asked, &satisfying)?;
        let Some(state) = self.single(&wrong)? else { return Ok(Verdict::Holds) };
        let shown = labels.counterexample(self, formula, &state)?;
        Ok(Verdict::Violated(self.run(&shown)?))
    }
}
