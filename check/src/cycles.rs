//! The engine for temporal properties: search for cycles.
//!
//! By default, states, decision diagrams and short lassos take turns, each as long as its patience lasts: a model with few states
//! is decided by looking at them, one with many by sets of them. Patience is counted in work, not in time. Of programs, the
//! states are looked at first of all: diagrams of them are seldom small.
//!
//! `G p` is an invariant as far as `holds` goes: whichever engine checks invariants is asked first. A finite run to where p is
//! false counts once an infinite fair run goes on from there; if none does, every infinite fair run is looked at.

use super::options::{Choice, Options};
use super::portfolio::{Task, search_invariants};
use super::report::Known;
use super::settled::Settled;
use super::short::{self, Reach};
use super::states::attentive;
use super::{lassos, symbolic};
use engine::{Findings, Stop, Trouble, Verdict};
use explicit::{Interleavings, Order, continue_for_ever, find_cycle, find_cycle_on_line};
use limits::{Ended, Handle, Patience};
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Resets, Slice, System, Trace, with_constants};
use temporal::always;

/// How long the attempts of the default may take before it looks for short lassos or goes on without a limit.
const PATIENCE: [Patience; 3] = [patience(20_000, 256), patience(300_000, 2_048), patience(2_000_000, 16_384)];

/// How far short lassos are looked for after each of them.
const REACH: [Reach; 3] = [
    Reach { steps: 20, ticks: 50_000_000 },
    Reach { steps: 30, ticks: 200_000_000 },
    Reach { steps: 50, ticks: 1_000_000_000 },
];

/// How many states of a program are looked at before short lassos are looked for.
const PATIENCE_WITH_PROGRAMS: Patience = patience(2_000_000, 16_384);

/// How long a property is looked at before the others are.
const BRIEF: Patience = patience(100_000, 1_024);

/// And how long before one of them is looked at until it is decided.
const A_WHILE: Patience = patience(1_000_000, 8_192);

/// This many states of the product; how often those who choose values, make nodes or search may ask whether to go on.
const fn patience(states: usize, asked: u32) -> Patience {
    Patience { states, looks: asked, reports: asked }
}

/// States with more bits than this, inputs included, may have too many successors to look at one by one.
const WIDE: u32 = 24;

/// What the search is called in reports, unless another engine has the answer.
const ENGINE: &str = "explicit";

/// Whether a property is about infinite runs.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    let claim = &machine.system().properties[property].claim;
    matches!(claim, Claim::Ltl(_) | Claim::Never(_) | Claim::Progress(_))
}

/// Searches for cycles, one property after the other. What takes long is put off, so that other properties are answered first.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let machine = attentive(task.machine, handle);
    let search = |property| Search { task: &task, machine: &machine, property };
    let mut open = task.properties.to_vec();
    let mut found = each(&mut open, |property| search(property).briefly(handle))?;
    found.extend(finished(&mut open, &search, handle)?);
    Ok(together(found))
}

/// A short look at each property; what is left open stays so.
pub fn glance(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let machine = attentive(task.machine, handle);
    let mut open = task.properties.to_vec();
    let brief = |property| Search { task: &task, machine: &machine, property }.at_a_glance(handle);
    let mut found = together(each(&mut open, brief)?);
    let otherwise = Verdict::ended(handle.why().unwrap_or(Ended::Interrupted), None);
    found.verdicts.extend(open.into_iter().map(|property| (property, otherwise.clone())));
    Ok(found)
}

/// Goes on with what that has left open.
pub fn search_further(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let machine = attentive(task.machine, handle);
    let search = |property| Search { task: &task, machine: &machine, property };
    let mut open = task.properties.to_vec();
    let found = finished(&mut open, &search, handle)?;
    Ok(together(found))
}

/// What a search of each property finds. Those that it leaves open are left.
fn each(
    open: &mut Vec<PropertyId>,
    mut search: impl FnMut(PropertyId) -> Result<Option<Findings>, Trouble>,
) -> Result<Vec<Findings>, Trouble> {
    let (mut found, mut left) = (Vec::new(), Vec::new());
    for property in open.drain(..) {
        match search(property)? {
            Some(one) => found.push(one),
            None => left.push(property),
        }
    }
    *open = left;
    Ok(found)
}

/// Looks at each property a while longer, and then at one after the other until it is decided.
fn finished<'a>(
    open: &mut Vec<PropertyId>,
    search: &impl Fn(PropertyId) -> Search<'a>,
    handle: &mut Handle<'_>,
) -> Result<Vec<Findings>, Trouble> {
    let mut found = each(open, |property| search(property).longer(handle))?;
    open.sort_by_key(|property| search(*property).always_system().is_none());
    for property in open.drain(..) {
        found.push(search(property).run(handle)?);
    }
    Ok(found)
}

/// Looks for an infinite run of a machine that violates a property, at about this many states of the product; `None` if nothing is
/// known then.
pub fn search_product(
    task: Task<'_>,
    property: PropertyId,
    states: usize,
    handle: &mut Handle<'_>,
) -> Option<Findings> {
    Search { task: &task, machine: task.machine, property }.patiently(Patience::of_states(states), handle)
}

/// What was found about each property.
fn together(found: Vec<Findings>) -> Findings {
    let (mut all, mut engines) = (Findings::new(ENGINE), Vec::new());
    for one in found {
        all.stop = one.stop;
        all.verdicts.extend(one.verdicts);
        all.fault = all.fault.or(one.fault);
        all.has_initial_state &= one.has_initial_state;
        all.remarks.extend(one.remarks);
        all.cost.states = all.cost.states.max(one.cost.states);
        engines.push(one.engine);
    }
    engines.dedup();
    if let [engine] = engines[..] {
        all.engine = engine;
    }
    all
}

/// A way to look at the states of a machine's product.
type Look<S> = fn(&S, &Machine, &mut Handle<'_>) -> Findings;

/// The search for violations of one property.
struct Search<'a> {
    task: &'a Task<'a>,
    machine: &'a Machine,
    property: PropertyId,
}

impl Search<'_> {
    fn run(&self, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
        let Some(system) = self.always_system() else { return self.cycle(handle) };
        // Up to a bound, those who look for violations of invariants take turns with diagrams and states.
        if self.is_wide()
            && self.task.options.bound.is_none()
            && let Some(found) = self.in_turns(handle)?
        {
            return Ok(found);
        }
        self.always(&Machine::new(Arc::new(system)), handle)
    }

    /// The system whose invariant the property is, if it is `G p`.
    fn always_system(&self) -> Option<System> {
        always(self.machine.system(), self.property)
    }

    /// Looks at some states, and at diagrams if they are the default's, if there are other properties to look at as well; `None` if
    /// nothing is known then.
    fn briefly(&self, handle: &mut Handle<'_>) -> Result<Option<Findings>, Trouble> {
        if self.task.properties.len() == 1 {
            return Ok(None);
        }
        self.at_a_glance(handle)
    }

    /// Looks at more states than that, of a program, if there are other properties to look at as well; `None` if nothing is known then.
    fn longer(&self, handle: &mut Handle<'_>) -> Result<Option<Findings>, Trouble> {
        let is_alone = self.task.properties.len() == 1;
        if is_alone || !self.machine.system().has_statements || self.always_system().is_some() {
            return Ok(None);
        }
        Ok(self.patiently(A_WHILE, handle))
    }

    /// Looks at some states, and at diagrams if they are the default's; `None` if nothing is known then.
    fn at_a_glance(&self, handle: &mut Handle<'_>) -> Result<Option<Findings>, Trouble> {
        if self.always_system().is_some() {
            return Ok(None);
        }
        if self.task.options.engine != Choice::Auto || self.machine.system().has_statements {
            return Ok(self.patiently(BRIEF, handle));
        }
        match self.patiently(PATIENCE[0], handle) {
            Some(found) => Ok(Some(found)),
            None => self.diagrams(PATIENCE[0], handle),
        }
    }

    /// Looks for an infinite fair run that violates the property.
    fn cycle(&self, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
        if self.task.options.engine == Choice::Auto {
            if let Some(found) = self.in_turns(handle)? {
                return Ok(found);
            }
            if self.has_lassos() {
                let properties = [self.property];
                return lassos::search(Task { properties: &properties, ..*self.task }, handle);
            }
        }
        Ok(self.states(handle))
    }

    /// The attempts of the default with limited patience; `None` if nothing comes of them.
    fn in_turns(&self, handle: &mut Handle<'_>) -> Result<Option<Findings>, Trouble> {
        if self.machine.system().has_statements {
            let is_worth_it = self.has_lassos();
            return Ok(if is_worth_it { self.patiently(PATIENCE_WITH_PROGRAMS, handle) } else { None });
        }
        for (patience, reach) in PATIENCE.into_iter().zip(REACH) {
            if let Some(found) = self.patiently(patience, handle) {
                return Ok(Some(found));
            }
            if let Some(found) = self.diagrams(patience, handle)? {
                return Ok(Some(found));
            }
            if let Some(found) = self.short_lassos(reach, handle)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Looks for short lassos; `None` if none is found.
    fn short_lassos(&self, reach: Reach, handle: &mut Handle<'_>) -> Result<Option<Findings>, Trouble> {
        if !short::decides(self.machine, self.property) {
            return Ok(None);
        }
        let properties = [self.property];
        let task = Task { machine: self.machine, properties: &properties, options: self.task.options };
        let found = short::search(task, reach, handle)?;
        Ok((found.fault.is_none() && !found.verdicts.is_empty()).then_some(found))
    }

    /// Looks at the states of the product; `None` if patience is at its end.
    fn patiently(&self, patience: Patience, handle: &mut Handle<'_>) -> Option<Findings> {
        let found = self.states(&mut handle.patient(patience));
        let has_given_up = matches!(found.stop, Stop::Interrupted | Stop::Memory) && handle.why().is_none();
        (!has_given_up).then_some(found)
    }

    /// Looks at the states of the product, one by one. What cannot influence the formula, and what keeps the books only, is left out.
    fn states(&self, handle: &mut Handle<'_>) -> Findings {
        let simpler = with_constants(self.machine.system()).map(|system| Machine::new(Arc::new(system)));
        self.influential(simpler.as_ref().unwrap_or(self.machine), Self::settled, handle)
    }

    /// Looks at the states of a machine's product without what cannot influence the formula, in this way.
    fn influential(&self, machine: &Machine, look: Look<Self>, handle: &mut Handle<'_>) -> Findings {
        let slice = Slice::new(machine.system(), &[self.property], Apart::Kept);
        let sliced = slice.and_then(|slice| {
            let found = look(self, &Machine::new(Arc::new(slice.system.clone())), handle);
            lifted(found, |trace| slice.lift(machine.system(), trace))
        });
        sliced.unwrap_or_else(|| look(self, machine, handle))
    }

    /// Looks at the states of a machine's product without the beginning and the ends of processes. What only these needed cannot influence the formula then.
    fn settled(&self, machine: &Machine, handle: &mut Handle<'_>) -> Findings {
        let settled = Settled::new(machine.system(), self.property);
        let found = settled.and_then(|settled| {
            let simpler = with_constants(&settled.system).unwrap_or_else(|| settled.system.clone());
            let found = self.influential(&Machine::new(Arc::new(simpler)), Self::living, handle);
            lifted(found, |trace| settled.lift(machine.system(), trace))
        });
        found.unwrap_or_else(|| self.living(machine, handle))
    }

    /// Looks at the states of a machine's product. What is dead is forgotten.
    fn living(&self, machine: &Machine, handle: &mut Handle<'_>) -> Findings {
        let resets = Resets::new(machine.system(), self.property);
        let found = resets.and_then(|resets| {
            let found = self.search(&Machine::new(Arc::new(resets.system.clone())), handle);
            lifted(found, |trace| resets.lift(machine.system(), trace))
        });
        found.unwrap_or_else(|| self.search(machine, handle))
    }

    fn search(&self, machine: &Machine, handle: &mut Handle<'_>) -> Findings {
        let machine = attentive(machine, handle);
        let found = if self.is_depth_first() { self.on_line(&machine, handle) } else { None };
        found.unwrap_or_else(|| find_cycle(&machine, self.property, Interleavings::default(), handle.memory(), handle))
    }

    /// Whether states are to be forgotten where memory is short.
    fn is_depth_first(&self) -> bool {
        self.task.options.visiting.order == Some(Order::DepthFirst)
    }

    /// Looks at the states of the product without computing components; `None` if the formula is not of the form for that.
    fn on_line(&self, machine: &Machine, handle: &mut Handle<'_>) -> Option<Findings> {
        let seed = u64::from(self.task.options.seed);
        find_cycle_on_line(machine, self.property, handle.memory(), seed, handle)
    }

    /// Asks decision diagrams; `None` if they do not know.
    fn diagrams(&self, patience: Patience, handle: &mut Handle<'_>) -> Result<Option<Findings>, Trouble> {
        let properties = [self.property];
        let task = Task { machine: self.machine, properties: &properties, options: self.task.options };
        let findings = symbolic::search(task, &mut handle.patient(patience))?;
        let is_known = findings.fault.is_none() && findings.verdicts.iter().all(|(_, verdict)| !verdict.is_unknown());
        Ok((is_known || handle.why().is_some()).then_some(findings))
    }

    /// Whether a step may have very many results. Those of programs have few.
    fn is_wide(&self) -> bool {
        let system = self.machine.system();
        let inputs: u32 = system.inputs().map(|(_, variable)| variable.domain.bits()).sum();
        let is_default = self.task.options.engine == Choice::Auto;
        is_default && !system.has_statements && system.state_bits() + inputs > WIDE
    }

    /// Whether short lassos can be looked for where there are many states.
    fn has_lassos(&self) -> bool {
        let options = self.task.options;
        options.engine == Choice::Auto && options.bound.is_some() && lassos::decides(self.machine, self.property)
    }

    /// Checks `G p`, given a machine whose property is the invariant p.
    fn always(&self, invariant: &Machine, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
        let properties = [self.property];
        // A finite run violates nothing yet.
        let options = Options { known: Known::default(), ..self.task.options.clone() };
        let task = Task { machine: invariant, properties: &properties, options: &options };
        let mut findings = search_invariants(task, handle)?;
        let violation = findings.verdicts.pop().map(|(_, verdict)| verdict);
        let Some(Verdict::Violated(trace)) = violation else {
            findings.verdicts.extend(violation.map(|verdict| (self.property, verdict)));
            return Ok(findings);
        };
        // Where every run goes on, and all that do are fair, a finite one is enough.
        let is_enough = trace.violates(self.machine, self.property).is_some();
        let shown = match is_enough {
            true => Some(Trace::clone(&trace)),
            false => continue_for_ever(self.machine, &trace, handle.memory(), handle),
        };
        if let Some(shown) = shown {
            let mut found = Findings::new(ENGINE);
            found.violated(self.property, shown);
            return Ok(found);
        }
        Ok(self.with_dead_end(self.cycle(handle)?, &trace))
    }

    /// Says that there is a finite run to where p is false.
    fn with_dead_end(&self, mut findings: Findings, trace: &Trace) -> Findings {
        let after = if trace.moves.len() == 1 { "1 step".to_owned() } else { format!("{} steps", trace.moves.len()) };
        for (_, verdict) in &mut findings.verdicts {
            let (reason, known) = match verdict {
                Verdict::Holds(reason) => (reason, "no infinite fair run passes"),
                Verdict::Unknown(undecided) => (&mut undecided.reason, "no infinite fair run is known to pass"),
                Verdict::Violated(_) | Verdict::HoldsUpTo(_) | Verdict::Answered(_) => continue,
            };
            reason.push_str(&format!("; {known} a state that does not satisfy it, after {after}"));
        }
        findings
    }
}

/// What was found in a simpler system, as it is in the whole one; `None` if that is not known.
fn lifted(mut found: Findings, lift: impl Fn(&Trace) -> Option<Trace>) -> Option<Findings> {
    if found.fault.is_some() {
        return None;
    }
    for (_, verdict) in &mut found.verdicts {
        if let Verdict::Violated(trace) = verdict {
            let whole = lift(trace)?;
            let is_closed = whole.loop_start.is_some() == trace.loop_start.is_some();
            *trace = Arc::new(Some(whole).filter(|_| is_closed)?);
        }
    }
    Some(found)
}
