//! Hunting by parallel steps: a step is a pass over the processes, each of which moves at most once (∃-step semantics,
//! `encoder/src/unroll/pass.rs`).
//!
//! A number of passes is not a bound on steps. What is reachable in k steps is reachable in k passes, so that refuting k
//! passes says that the properties hold up to bound k. But a run of k passes may be longer than the bound that the
//! user gave: such a run is not reported; a counter of moves is then added to the formula.

use super::question::{View, any_of, complete, explain, explain_next, unexplained, violations};
use super::{Start, is_over, progress};
use encoder::{Idling, Lit, Rules, Unrolling, Unsupported, has_passes};
use engine::{Engine, Findings, Stop, Trouble};
use limits::{Effort, Handle, Progress, Work};
use rustc_hash::FxHashSet;
use sat::{Answer, Model, Phase, Solver};
use system::{Failure, Machine, PropertyId, Trace};

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
        let open: Vec<_> = properties.iter().map(|property| (*property, View::of(machine, *property))).collect();
        if !has_passes(machine.system()) || open.iter().any(|(_, view)| matches!(view, View::Behind | View::Lasso)) {
            return Ok(None);
        }
        let mut solver = start(Phase::False);
        let rules = Rules { idling: Idling::Excluded, ..Rules::default() };
        let unrolling = Unrolling::new(machine.system(), rules, solver.as_mut())?;
        let mut hunt = Hunt {
            machine,
            solver,
            unrolling,
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
        hunt.suspect();
        hunt.ask();
        Ok(Some(hunt))
    }

    /// How many passes the formula has.
    pub fn passes(&self) -> usize {
        self.passes
    }

    /// Adds a pass.
    fn pass(&mut self) {
        self.suspects.clear();
        for process in self.machine.system().processes.indices() {
            if self.unrolling.extend_by(process, self.solver.as_mut()) {
                self.moves.extend(self.unrolling.moves(self.solver.as_mut()));
                if let Some(counter) = &mut self.counter {
                    counter.count(&self.moves, self.solver.as_mut());
                }
                self.suspect();
            }
        }
        self.passes += 1;
    }

    /// Notes what may be wrong in the last state.
    fn suspect(&mut self) {
        let steps = self.moves.len();
        for property in self.open.clone() {
            let lits = violations(self.machine, property, &mut self.unrolling, self.solver.as_mut());
            // A part that the last mover has not changed is one that was asked about before.
            let new = lits.into_iter().filter(|lit| self.suspected.insert((property.0, *lit)));
            self.suspects.extend(new.map(|lit| Suspect { property: Some(property), lit, steps }));
        }
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
        let steps = self.moves[..suspect.steps].iter().filter(|moves| model.holds(**moves)).count();
        if steps + usize::from(suspect.is_ahead()) > self.bound {
            let mut counter = Counter::new(self.most_moves());
            counter.count(&self.moves, self.solver.as_mut());
            self.counter = Some(counter);
            return Ok(None);
        }
        let mut trace = self.unrolling.decode(self.machine, |lit| model.holds(lit));
        trace.states.truncate(steps + 1);
        trace.moves.truncate(steps);
        // Where a guard fails, its process need not move.
        let is_made = self.moves[..suspect.steps].last().is_none_or(|moves| model.holds(*moves));
        self.report(suspect, if is_made { explain } else { explain_next }, trace)
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

    /// How many moves a run may have so that no violation is beyond the bound, not even one by a step that is still ahead.
    fn most_moves(&self) -> usize {
        let looks_ahead = self.open.iter().any(|(_, view)| *view == View::Ahead);
        self.bound - usize::from(looks_ahead).min(self.bound)
    }

    /// The bound up to which the refuted passes say that the properties hold.
    fn settled(&self) -> usize {
        self.counter.as_ref().map_or(self.passes, |counter| self.passes.min(counter.most))
    }
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
            self.found.settled = Some(self.settled());
            if self.passes >= self.bound {
                return Ok(Some(Stop::Bound));
            }
            if handle.is_over() {
                return Ok(Some(Stop::Interrupted));
            }
            self.pass();
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
