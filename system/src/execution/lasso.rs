//! Traces as infinite runs: whether one that goes round for ever is fair and violates a temporal formula.
//!
//! A formula looks at the states that other processes can see: not at the inside of an atomic section that goes on. A run
//! of a program that has come to its end stays where it is for ever; where runs do not end, a trace needs a loop, or the formula is violated
//! however the run goes on.

use super::compile::Frame;
use super::machine::Machine;
use super::prefix::decided;
use super::round::reads;
use super::trace::{Replay, Trace};
use super::word::{Positions, Valuation, accepts, evaluate, satisfies};
use crate::definition::footprint::{Footprint, VarSet};
use crate::definition::ids::{CommandId, ExprId, FormulaId, ProcessId, PropertyId};
use crate::definition::system::{Claim, Fairness, FiniteRuns};

/// An infinite run, by the states of a trace that formulas look at.
struct Run<'a> {
    machine: &'a Machine,
    trace: &'a Trace,
    /// The indices of the states that are seen, in order.
    seen: Vec<usize>,
    /// The position among them that follows the last.
    again: usize,
    /// For each of them, who moves until the next.
    movers: Vec<Vec<ProcessId>>,
    /// The variables that may have other values in each round.
    carried: VarSet,
}

/// What a formula says along an infinite run.
#[derive(Clone, Debug)]
pub struct Along {
    /// The values of its parts, by position.
    pub values: Valuation,
    seen: Vec<usize>,
}

impl Along {
    /// The number of the state at a position.
    pub fn state(&self, position: usize) -> usize {
        self.seen[self.values.place(position)]
    }
}

impl Trace {
    /// Whether the trace is an infinite fair run that violates a formula, or a finite run of which every infinite one that it is the
    /// beginning of violates it, and there are such.
    pub fn violates_formula(&self, machine: &Machine, formula: FormulaId) -> bool {
        self.value_of(machine, formula) == Some(false) || self.decides(machine, formula) == Some(false)
    }

    /// What a finite run says of a formula, however it goes on, where that matters: it goes on, and fairly.
    pub fn decides(&self, machine: &Machine, formula: FormulaId) -> Option<bool> {
        let system = machine.system();
        if self.loop_start.is_some() || !system.has_finite_counterexamples() {
            return None;
        }
        let run = Run::begun(machine, self)?;
        let reads_step = |expr: ExprId| Footprint::of(&system.exprs, &[expr]).has_step(system);
        let length = self.states.len();
        decided(&system.formulas, formula, length, |expr, position| match system.exprs.constant_value(expr) {
            Some(value) => Some(value != 0),
            None if position + 1 < length => run.value(expr, position),
            // Of the last state, nothing is known that a step decides.
            None if position < length && !reads_step(expr) => run.value(expr, position),
            None => None,
        })
    }

    /// Whether the trace is an infinite fair run on which a property about such runs holds. Of a claim, nothing is said.
    pub fn satisfies(&self, machine: &Machine, property: PropertyId) -> bool {
        match machine.system().properties[property].claim {
            Claim::Ltl(formula) => self.value_of(machine, formula) == Some(true),
            Claim::Progress(condition) => {
                let run = Run::of(machine, self).filter(|run| self.loop_start.is_some() && run.is_fair());
                run.is_some_and(|run| run.recurs(|position| run.value(condition, position) == Some(true)))
            }
            _ => false,
        }
    }

    /// The value of a formula on an infinite fair run, if the trace is one.
    fn value_of(&self, machine: &Machine, formula: FormulaId) -> Option<bool> {
        let run = Run::of(machine, self).filter(Run::is_fair)?;
        let formulas = &machine.system().formulas;
        let positions = Positions { length: run.seen.len(), again: run.again };
        satisfies(formulas, formula, positions, |expr, position| run.value(expr, position).ok_or(())).ok()?
    }

    /// The values of a formula and its parts along the trace, if it is an infinite run.
    pub fn along(&self, machine: &Machine, formula: FormulaId) -> Option<Along> {
        let run = Run::of(machine, self)?;
        let positions = Positions { length: run.seen.len(), again: run.again };
        let value = |expr: ExprId, position: usize| run.value(expr, position).ok_or(());
        let values = evaluate(&machine.system().formulas, formula, positions, value).ok()??;
        Some(Along { values, seen: run.seen })
    }

    /// The same infinite run with its loop beginning as early as it can: the end of a stem may be the end of a round already. A loop
    /// does not begin inside an atomic section.
    pub fn rolled_back(&self, machine: &Machine) -> Option<Trace> {
        let (start, last) = (self.loop_start?, self.moves.len());
        let is_same = |back: &usize| {
            let (stem, round) = (start - back, last - back);
            self.states.get(stem) == self.states.get(round) && self.moves.get(stem) == self.moves.get(round)
        };
        let is_seen = |back: &usize| machine.layout().holder(&self.states.at(start - back).0).is_none();
        // Rounds are the same to the letter only if the loop comes back to the very state where it began.
        let most = if self.states.get(start) == self.states.get(last) { start } else { 0 };
        let back = (1..=most).take_while(is_same).filter(is_seen).last()?;
        Some(Trace { loop_start: Some(start - back), ..self.beginning(last - back) })
    }

    /// Whether the trace is an infinite fair run, not one that has come to its end, on which a condition does not recur.
    pub(crate) fn lacks_progress(&self, machine: &Machine, condition: ExprId) -> bool {
        let Some(run) = Run::of(machine, self).filter(|_| self.loop_start.is_some()) else { return false };
        run.is_fair() && !run.recurs(|position| run.value(condition, position) != Some(false))
    }

    /// Whether the trace is an infinite fair run that an automaton of the system accepts.
    pub(crate) fn is_accepted(&self, machine: &Machine, automaton: usize) -> bool {
        let Some(run) = Run::of(machine, self) else { return false };
        let positions = Positions { length: run.seen.len(), again: run.again };
        let automaton = &machine.system().automata[automaton];
        run.is_fair() && accepts(automaton, positions, |expr, position| run.value(expr, position) == Some(true))
    }
}

impl<'a> Run<'a> {
    /// The infinite run that a trace stands for, if it is one.
    fn of(machine: &'a Machine, trace: &'a Trace) -> Option<Run<'a>> {
        let commands = trace.replay(machine).ok()?;
        let last = trace.states.len() - 1;
        let prolonged = machine.system().finite_runs == FiniteRuns::Prolonged;
        let (length, start) = match trace.loop_start {
            Some(start) => (last, start),
            None if prolonged && machine.can_move(&trace.states.at(last).0, &mut machine.workspace()) == Ok(false) => {
                (last + 1, last)
            }
            None => return None,
        };
        let hidden = hidden(machine, trace, &commands);
        let seen: Vec<usize> = (0..length).filter(|index| !hidden[*index]).collect();
        // A loop inside an atomic section is not seen.
        let again = seen.iter().position(|index| *index >= start)?;
        let carried = machine.carried(&trace.states.at(start), &trace.states.at(last))?;
        let mut run = Run { machine, trace, seen, again, movers: Vec::new(), carried };
        run.movers = (0..run.seen.len()).map(|position| run.movers_at(position, start)).collect();
        Some(run)
    }

    /// A finite run, of which every state is seen.
    fn begun(machine: &'a Machine, trace: &'a Trace) -> Option<Run<'a>> {
        trace.replay(machine).ok()?;
        let (seen, movers) = ((0..trace.states.len()).collect(), Vec::new());
        Some(Run { machine, trace, seen, again: 0, movers, carried: VarSet::default() })
    }

    /// Who moves between the state at a position and the next one that is seen.
    fn movers_at(&self, position: usize, start: usize) -> Vec<ProcessId> {
        let movers = |first: usize| self.trace.moves.since(first).map(|moved| moved.process);
        let from = self.seen[position];
        match self.seen.get(position + 1) {
            Some(to) => movers(from).take(to - from).collect(),
            None => movers(from).chain(movers(start).take(self.seen[self.again] - start)).collect(),
        }
    }

    /// Whether a condition is true in the state at a position, and on the step from it. Nothing is known of one that may be true in
    /// one round and not in another.
    fn value(&self, expr: ExprId, position: usize) -> Option<bool> {
        if reads(self.machine.system(), &[expr], &self.carried) {
            return None;
        }
        let index = self.seen[position];
        let mut states = self.trace.states.since(index);
        let from = states.next()?;
        let mut replay = Replay::new(self.machine);
        replay.load(&from, states.next().as_ref().unwrap_or(&from), self.trace.moves.get(index).as_ref());
        replay.evaluate(expr, Frame::Current).ok().map(|value| value != 0)
    }

    fn is_fair(&self) -> bool {
        self.machine.system().fairness.iter().all(|constraint| match *constraint {
            Fairness::Justice(often) => self.recurs(|position| self.value(often, position) == Some(true)),
            Fairness::Compassion(often, then) => {
                !self.recurs(|position| self.value(often, position) != Some(false))
                    || self.recurs(|position| self.value(then, position) == Some(true))
            }
            Fairness::Weak(process) => {
                self.recurs(|position| !self.can_move(process, position) || self.moves(process, position))
            }
            Fairness::Strong(process) => {
                !self.recurs(|position| self.can_move(process, position))
                    || self.recurs(|position| self.moves(process, position))
            }
        })
    }

    /// Whether something is so at some position of the loop.
    fn recurs(&self, is_so: impl Fn(usize) -> bool) -> bool {
        (self.again..self.seen.len()).any(is_so)
    }

    fn moves(&self, process: ProcessId, position: usize) -> bool {
        self.movers[position].contains(&process)
    }

    fn can_move(&self, process: ProcessId, position: usize) -> bool {
        let state = self.trace.states.at(self.seen[position]);
        let enabled = self.machine.enabled(&state.0, &mut self.machine.workspace()).unwrap_or_default();
        enabled.iter().any(|command| self.machine.system().commands[*command].owner.process == process)
    }
}

/// Which states of a trace are inside an atomic section that goes on.
fn hidden(machine: &Machine, trace: &Trace, commands: &[CommandId]) -> Vec<bool> {
    let mut replay = Replay::new(machine);
    let mut hidden = vec![false];
    for (command, state) in commands.iter().zip(trace.states.since(1)) {
        let holder = machine.system().commands[*command].holder_afterwards();
        hidden.push(holder.is_some_and(|holder| replay.has_control(holder, &state)));
    }
    hidden
}
