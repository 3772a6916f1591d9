//! Programs without what only keeps the books: the beginning in which nothing can be chosen, and the ends of processes.
//!
//! A program often begins with a process that creates the others in one atomic section, and each process that has come to its end dies
//! when all that are younger have. Neither says anything of what the others do, but both say which process is which: processes that are
//! alike otherwise could not change places. For formulas that cannot tell how often a state is repeated,
//! the search begins [after the beginning](beginning), if it sees there what it sees in all states before, and
//! no process [dies](departures), if nothing depends on its death.

mod beginning;
mod departures;
mod live;

use super::written::asking;
use departures::Departures;
use std::sync::Arc;
use system::{
    BinaryTemporal, Claim, ExprId, Fairness, FiniteRuns, Footprint, Formula, FormulaId, Machine, Motion, Moved,
    ProcessId, PropertyId, State, System, Trace, UnaryTemporal, with_constants,
};

/// A program without its beginning and the ends of its processes.
#[derive(Debug)]
pub struct Settled {
    /// The program.
    pub system: System,
    /// The run to the state where it begins.
    beginning: Trace,
    departures: Departures,
}

impl Settled {
    /// The program for a property; `None` if nothing can be left out.
    pub fn new(system: &System, property: PropertyId) -> Option<Settled> {
        let conditions = conditions(system, property)?;
        let beginning = beginning::of(system, &conditions)?;
        let mut settled = beginning::after(system, &beginning)?;
        let departures = Departures::of(&settled, &conditions);
        departures.cut(&mut settled);
        let is_less = !beginning.moves.is_empty() || !departures.is_nothing();
        is_less.then_some(Settled { system: settled, beginning, departures })
    }

    /// The program for an invariant that is written as a formula, which says the same of this program; values that are known are constants. An
    /// atomic section that was all beginning is none any more.
    pub fn for_invariant(machine: &Machine, property: PropertyId) -> Option<Machine> {
        let formula = *machine.system().written.get(&property)?;
        let settled = Settled::new(asking(machine, property, formula).system(), property)?.system;
        let mut system = with_constants(&settled).unwrap_or(settled);
        system.properties[property].claim = machine.system().properties[property].claim.clone();
        system.has_atomic_sections = system.commands.iter().any(|command| command.keeps_control);
        Some(Machine::new(Arc::new(system)))
    }

    /// A run of the whole program for one of this one that goes round or has come to its end. Who comes to its end in an atomic section dies there if
    /// it can; before a run goes round, and where it ends, all die who can.
    pub fn lift(&self, system: &System, trace: &Trace) -> Option<Trace> {
        let machine = Machine::new(Arc::new(system.clone()));
        let mut lifted = Lifted { run: self.beginning.clone(), dead: Vec::new(), machine: &machine };
        for (at, step) in trace.moves.since(0).zip(trace.states.since(1)).enumerate() {
            lifted.begin_round(trace, at, &self.departures);
            lifted.push(step, &self.departures)?;
        }
        lifted.begin_round(trace, trace.moves.len(), &self.departures);
        if trace.loop_start.is_none() {
            lifted.all_die(&self.departures);
        }
        Some(lifted.run)
    }
}

/// A run of the whole program, as far as it is known.
struct Lifted<'a> {
    run: Trace,
    /// Who has died in it that does not in the other run.
    dead: Vec<ProcessId>,
    machine: &'a Machine,
}

impl Lifted<'_> {
    /// Lets all die who can if the other run goes round from this step on.
    fn begin_round(&mut self, trace: &Trace, at: usize, departures: &Departures) {
        if trace.loop_start == Some(at) {
            self.all_die(departures);
            self.run.loop_start = Some(self.run.moves.len());
        }
    }

    /// Lets all die who can.
    fn all_die(&mut self, departures: &Departures) {
        while self.die(departures, departures.processes()) {}
    }

    /// Makes a step of the other run.
    fn push(&mut self, (moved, mut state): (Moved, State), departures: &Departures) -> Option<()> {
        departures.bury(self.machine.layout(), &self.dead, self.run.states.last()?, &mut state);
        let holder = self.machine.layout().holder(&state.0);
        self.run.push(moved, state);
        self.die(departures, holder);
        Some(())
    }

    /// Lets the first of some processes die that can; whether there is one.
    fn die(&mut self, departures: &Departures, processes: impl IntoIterator<Item = ProcessId>) -> bool {
        let Some(last) = self.run.states.last() else { return false };
        let Some((moved, next)) = departures.next(self.machine, last, processes) else { return false };
        self.dead.push(moved.process);
        self.run.push(moved, next);
        true
    }
}

/// The conditions of a formula; `None` if it can tell how often a state is repeated, or if the program, or what is asked of it, is not of the form
/// for which this is known.
fn conditions(system: &System, property: PropertyId) -> Option<Vec<ExprId>> {
    let Claim::Ltl(formula) = system.properties[property].claim else { return None };
    let conditions = system.formulas.states(formula);
    let is_plain = system.relations.is_empty() && system.constraints.is_empty() && system.definitions.is_empty();
    let is_program = system.has_statements && system.finite_runs == FiniteRuns::Prolonged;
    let is_known = is_plain
        && is_program
        && system.initial.is_empty()
        && system.state_variables().all(|(_, variable)| variable.motion == Motion::Kept)
        && system.fairness.iter().all(|fairness| matches!(fairness, Fairness::Weak(_) | Fairness::Strong(_)))
        && !system.has_timeout();
    let is_blind = ignores_stuttering(system, formula) && !Footprint::of(&system.exprs, &conditions).has_step(system);
    (is_known && is_blind).then_some(conditions)
}

/// Whether a formula is made of operators that cannot tell how often a state is repeated.
fn ignores_stuttering(system: &System, formula: FormulaId) -> bool {
    system.formulas.parts(formula).into_iter().all(|part| match system.formulas.get(part) {
        Formula::Unary(operator, window, _) => {
            window.is_none() && matches!(operator, UnaryTemporal::Globally | UnaryTemporal::Finally)
        }
        Formula::Binary(operator, window, ..) => {
            window.is_none() && matches!(operator, BinaryTemporal::Until | BinaryTemporal::Releases)
        }
        _ => true,
    })
}
