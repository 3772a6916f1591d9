//! Hunting by parallel steps: a step is a pass over the processes, each of which moves at most once (∃-step semantics,
//! `encoder/src/unroll/pass.rs`).
//!
//! A number of passes is not a bound on steps. What is reachable in k steps is reachable in k passes, so that refuting k
//! passes says that the properties hold up to bound k. But a run of k passes may be longer than the bound that the
//! user gave: such a run is not reported; a counter of moves is then added to the formula.
//!
//! Lassos are made of passes, too: a loop begins before one and ends after one. A part of a pass in which its process does not move is no
//! step of the run: formulas and fairness do not see it, as they do not see the inside of an atomic section (`lasso/formula.rs`), or cannot tell it
//! from a state that is repeated, and it is left out when the run is shown. So what is found is a lasso of the system whatever the formula says, X included. No bound
//! is settled by them.

use super::lasso::{self, Lassos, Longer, Wanted};
use super::question::{View, any_of, complete, explain, explain_next, unexplained, violations};
use super::{Start, is_over, progress};
use encoder::{Idling, Lit, Rules, Unrolling, Unsupported, has_passes};
use engine::{Engine, Findings, Stop, Trouble};
use limits::{Effort, Handle, Progress, Work};
use rustc_hash::FxHashSet;
use sat::{Answer, Model, Phase, Solver};
use system::{Claim, Failure, FiniteRuns, Machine, ProcessId, PropertyId, Trace};

/// The first number of passes that lassos are looked for in.
const FIRST: usize = 2;

/// The next one, after which each is asked about.
const NEAR: usize = 5;

/// How the fault that a run leads to is found.
type Explanation = fn(&Machine, Trace) -> Option<(Failure, Trace)>;

/// What may be wrong after a number of steps, some of which no process makes.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    /// The property; none for a fault.
    property: Option<(PropertyId, View)>,
    lit: Lit,
    /// How many steps of the formula lead there.
    steps: usize,
}

/// A hunt.
pub struct Hunt<'a> {
    machine: &'a Machine,
    solver: Box<dyn Solver>,
    unrolling: Unrolling<'a>,
    /// The infinite runs that are asked about, if any are.
    lassos: Option<Lassos>,
    open: Vec<(PropertyId, View)>,
    bound: usize,
    passes: usize,
    /// For each step of the formula, whether a process moves.
    moves: Vec<Lit>,
    counter: Option<Counter>,
    /// What may be wrong in the current pass: faults, then violations.
    suspects: Vec<Suspect>,
    /// What was suspected of violating a property, in this pass or before.
    suspected: FxHashSet<(PropertyId, Lit)>,
    query: Option<Lit>,
    found: Findings,
}

impl<'a> Hunt<'a> {
    /// A hunt, if the system and the properties have parallel steps.
    pub fn new(
        machine: &'a Machine,
        properties: &[PropertyId],
        bound: usize,
        start: Start<'a>,
    ) -> Result<Option<Hunt<'a>>, Unsupported> {
        let views =
            |property: &PropertyId| View::beside(machine, *property).into_iter().chain([View::of(machine, *property)]);
        let open = properties.iter().flat_map(|property| views(property).map(|view| (*property, view)));
        let open: Vec<(PropertyId, View)> = open.collect();
        if !has_passes(machine.system()) || open.iter().any(|(_, view)| *view == View::Behind) {
            return Ok(None);
        }
        let Some(rules) = rules(machine, properties) else { return Ok(None) };
        let mut solver = start(Phase::False);
        let mut unrolling = Unrolling::new(machine.system(), rules, solver.as_mut())?;
        let lassos = Lassos::new(machine.system(), properties, Wanted::Violation, &mut unrolling, solver.as_mut());
        let mut hunt = Hunt {
            machine,
            solver,
            unrolling,
            lassos,
            open,
            bound,
            passes: 0,
            moves: Vec::new(),
            counter: None,
            suspects: Vec::new(),
            suspected: FxHashSet::default(),
            query: None,
            found: Findings::new("uw"),
        };
        hunt.suspect_fault();
        hunt.suspect_properties();
        hunt.ask();
        Ok(Some(hunt))
    }

    /// How many passes the formula has.
    pub fn passes(&self) -> usize {
        self.passes
    }

    /// Looks for lassos of few passes, for limited work. Most that are found at all are found there.
    pub(super) fn look_near(&mut self, ticks: u64, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let mut end = None;
        let is_near = |hunt: &Hunt<'_>| hunt.passes < NEAR || hunt.query.is_some();
        while end.is_none() && is_near(self) && self.work().ticks < ticks {
            let left = ticks - self.work().ticks;
            end = self.turn(Effort::Ticks(i32::try_from(left).unwrap_or(i32::MAX)), handle)?;
        }
        Ok(end)
    }

    /// Adds passes up to the next that is asked about. A lasso of some passes is one of more, too, as none has to move in the first ones; so
    /// not every number is asked about.
    fn deepen(&mut self) {
        self.suspects.clear();
        self.pass();
        while self.lassos.is_some() && self.passes < self.bound && self.passes < NEAR && self.passes != FIRST {
            self.pass();
        }
        if self.lassos.is_some() {
            self.suspect_properties();
        }
    }

    /// Adds a pass.
    fn pass(&mut self) {
        let begun = self.moves.len();
        for process in self.machine.system().processes.indices() {
            if self.extend_by(process, begun) {
                self.moves.extend(self.unrolling.moves(self.solver.as_mut()));
                if let Some(counter) = &mut self.counter {
                    counter.count(&self.moves, self.solver.as_mut());
                }
                self.suspect_fault();
                if self.lassos.is_none() {
                    self.suspect_properties();
                }
            }
        }
        self.passes += 1;
    }

    /// Adds the part of a process, if it has one, to a pass that began after the given number of steps.
    fn extend_by(&mut self, process: ProcessId, begun: usize) -> bool {
        let Some(lassos) = &mut self.lassos else { return self.unrolling.extend_by(process, self.solver.as_mut()) };
        let longer = if self.moves.len() == begun { Longer::Pass(process) } else { Longer::Further(process) };
        lassos.extend(longer, &mut self.unrolling, self.solver.as_mut())
    }

    /// Notes how the last state may violate properties, or the loop that it closes.
    fn suspect_properties(&mut self) {
        let steps = self.moves.len();
        for property in self.open.clone() {
            let lits = match (&mut self.lassos, property.1) {
                (Some(lassos), View::Lasso) => lassos.query(property.0, self.solver.as_mut()).into_iter().collect(),
                (Some(lassos), View::Prefix) => {
                    lassos.prefix(property.0, &mut self.unrolling, self.solver.as_mut()).into_iter().collect()
                }
                _ => violations(self.machine, property, &mut self.unrolling, self.solver.as_mut()),
            };
            // A part that the last mover has not changed is one that was asked about before.
            let new = lits.into_iter().filter(|lit| self.suspected.insert((property.0, *lit)));
            self.suspects.extend(new.map(|lit| Suspect { property: Some(property), lit, steps }));
        }
    }

    /// Notes whether the last state, or the step to it, may have no meaning.
    fn suspect_fault(&mut self) {
        let steps = self.moves.len();
        if let Some(lit) = self.unrolling.fault(self.solver.as_mut()) {
            self.suspects.push(Suspect { property: None, lit, steps });
        }
    }

    /// Sets up the next question of the pass: about faults as long as there are any, as nothing has a meaning beyond
    /// one, then about violations.
    fn ask(&mut self) {
        let has_faults = self.suspects.iter().any(|suspect| suspect.property.is_none());
        let asked = self.suspects.iter().filter(|suspect| suspect.property.is_none() == has_faults);
        let mut lits: Vec<Lit> = asked.map(|suspect| suspect.lit).collect();
        lits.sort_unstable();
        lits.dedup();
        self.query = (!lits.is_empty()).then(|| any_of(&lits, self.solver.as_mut()));
    }

    /// What was asked has no answer: it is kept.
    fn refuted(&mut self) {
        let has_faults = self.suspects.iter().any(|suspect| suspect.property.is_none());
        for suspect in self.suspects.iter().filter(|suspect| suspect.property.is_none() == has_faults) {
            self.solver.clause(&[!suspect.lit]);
        }
        self.suspects.retain(|suspect| suspect.property.is_none() != has_faults);
        self.ask();
    }

    fn satisfied(&mut self, model: &Model) -> Result<Option<Stop>, Trouble> {
        let has_faults = self.suspects.iter().any(|suspect| suspect.property.is_none());
        let suspects = self.suspects.iter().filter(|suspect| suspect.property.is_none() == has_faults);
        let met = suspects.filter(|suspect| model.holds(suspect.lit)).min_by_key(|suspect| suspect.steps);
        let Some(suspect) = met.copied() else { return Ok(None) };
        let is_made: Vec<bool> = self.moves[..suspect.steps].iter().map(|moves| model.holds(*moves)).collect();
        let steps = is_made.iter().filter(|made| **made).count();
        let mut trace = self.unrolling.decode(self.machine, |lit| model.holds(lit));
        trace.truncate(steps);
        let mut further = usize::from(suspect.is_ahead());
        if let (Some((_, View::Lasso)), Some(lassos)) = (suspect.property, &self.lassos) {
            trace = lassos.close(trace, &is_made, |lit| model.holds(lit));
            // A run that has come to its end stays there by a step of no process.
            further = usize::from(trace.loop_start.is_none());
        }
        if steps + further > self.bound {
            let mut counter = Counter::new(self.most_moves());
            counter.count(&self.moves, self.solver.as_mut());
            self.counter = Some(counter);
            return Ok(None);
        }
        // Where a guard fails, its process need not move.
        let is_last_made = is_made.last().is_none_or(|made| *made);
        self.report(suspect, if is_last_made { explain } else { explain_next }, trace)
    }

    fn report(&mut self, suspect: Suspect, explain: Explanation, trace: Trace) -> Result<Option<Stop>, Trouble> {
        match suspect.property {
            None => self.found.fault = Some(explain(self.machine, trace).ok_or_else(unexplained)?),
            Some(property) => {
                let trace = complete(self.machine, property, trace).ok_or_else(unexplained)?;
                self.found.violated(property.0, trace);
                self.forget(property.0);
            }
        }
        let open: Vec<PropertyId> = self.open.iter().map(|(property, _)| *property).collect();
        Ok(is_over(&self.found, &open).then_some(Stop::Decided))
    }

    /// How many moves a run may have so that no violation is beyond the bound, not even one by a step that is still ahead, or by the one in
    /// which a run that has come to its end stays there.
    fn most_moves(&self) -> usize {
        let stays = self.lassos.is_some() && self.machine.system().finite_runs == FiniteRuns::Prolonged;
        let looks_ahead = stays || self.open.iter().any(|(_, view)| *view == View::Ahead);
        self.bound - usize::from(looks_ahead).min(self.bound)
    }

    /// The bound up to which the refuted passes say that the properties hold.
    fn settled(&self) -> usize {
        self.counter.as_ref().map_or(self.passes, |counter| self.passes.min(counter.most))
    }
}

/// The rules of the unrolling, if passes can show violations of these properties: of invariants, or of formulas about infinite runs. A run that
/// makes progress is one that does not come to its end, which is said of its last step elsewhere.
///
/// Formulas with past operators are left to others, whether they can tell how often a state is repeated or not, as what `lasso/formula.rs` holds
/// of the past does not fit passes. It relies on the first state being seen, as it is where atomic sections are what hides states; the first
/// process may not move in the first pass, and then the position before the first that is seen may be anything, so that `Y p` or
/// `p S q` can count as true at the beginning. Allowing them takes a literal that says whether a state has been seen.
fn rules(machine: &Machine, properties: &[PropertyId]) -> Option<Rules> {
    let system = machine.system();
    let is_temporal = |property: &PropertyId| lasso::is_temporal(system, *property);
    let is_progress = |property: &PropertyId| matches!(system.properties[*property].claim, Claim::Progress(_));
    if !properties.iter().any(is_temporal) {
        return Some(Rules { idling: Idling::Excluded, ..Rules::default() });
    }
    let is_asked = properties
        .iter()
        .all(|property| is_temporal(property) && !is_progress(property) && !lasso::looks_back(system, *property));
    is_asked.then(|| lasso::rules(system, properties.iter().copied(), Rules::default()))
}

impl Suspect {
    /// Whether the violation is a step after those that lead there.
    fn is_ahead(self) -> bool {
        self.property.is_some_and(|(_, view)| view == View::Ahead)
    }
}

impl Engine for Hunt<'_> {
    fn turn(&mut self, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let Some(query) = self.query else {
            // Where no process has a part in a pass, lassos of runs that have come to their end are not seen.
            if self.lassos.is_none() {
                self.found.settled = Some(self.settled());
            }
            if self.passes >= self.bound {
                return Ok(Some(Stop::Bound));
            }
            if handle.is_over() {
                return Ok(Some(Stop::Interrupted));
            }
            self.deepen();
            self.ask();
            return Ok(None);
        };
        self.found.cost.queries += 1;
        match self.solver.solve(&[query], effort, handle) {
            Answer::Sat(model) => return self.satisfied(&model),
            Answer::Unsat(_) => self.refuted(),
            Answer::Exhausted => {}
            Answer::Interrupted => return Ok(Some(Stop::Interrupted)),
            Answer::Failed(why) => return Err(Trouble::Solver(why)),
        }
        Ok(None)
    }

    fn found(&self) -> &Findings {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        self.open.retain(|(open, _)| *open != property);
        self.suspects.retain(|suspect| suspect.property.is_none_or(|(suspected, _)| suspected != property));
        self.ask();
    }

    fn work(&self) -> Work {
        let uncounted = Work { ticks: self.found.cost.queries as u64, conflicts: 0 };
        self.solver.work().unwrap_or(uncounted)
    }

    fn progress(&self) -> Option<Progress> {
        Some(progress(&self.found, self.work().conflicts, self.bound))
    }
}

/// At most this many of a growing list of literals are true: the sequential counter of C. Sinz, Towards an optimal CNF
/// encoding of Boolean cardinality constraints, CP 2005, in the direction that is needed.
struct Counter {
    most: usize,
    /// After the literals so far: at least one is true, at least two, ...
    at_least: Vec<Lit>,
    counted: usize,
}

impl Counter {
    fn new(most: usize) -> Counter {
        Counter { most, at_least: Vec::new(), counted: 0 }
    }

    /// Counts the literals that are new in the list.
    fn count(&mut self, lits: &[Lit], solver: &mut dyn Solver) {
        for lit in &lits[self.counted..] {
            let before = std::mem::take(&mut self.at_least);
            if self.most == 0 {
                solver.clause(&[!*lit]);
                continue;
            }
            if let Some(full) = before.get(self.most - 1) {
                solver.clause(&[!*full, !*lit]);
            }
            for number in 0..self.most.min(before.len() + 1) {
                let now = solver.fresh();
                if let Some(already) = before.get(number) {
                    solver.clause(&[!*already, now]);
                }
                match number.checked_sub(1).map(|fewer| before[fewer]) {
                    Some(fewer) => solver.clause(&[!fewer, !*lit, now]),
                    None => solver.clause(&[!*lit, now]),
                }
                self.at_least.push(now);
            }
        }
        self.counted = lits.len();
    }
}
