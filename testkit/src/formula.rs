//! Formulas asked state by state: which states they have at a time, and which steps out of a state.

use encoder::{Bit, Lit, Rules, Time, Unrolling};
use std::collections::BTreeSet;
use system::{Machine, ProcessId, State, Value, VarId, Visit};
use uwbmc::bounded::is_state;
use uwbmc::limits::{Effort, Handle};
use uwbmc::sat::{Answer, Choice, Setup, Solver};

/// A step: who makes it, with which inputs, and where it leads.
pub type View = (ProcessId, Vec<(VarId, Value)>, State);

/// The steps out of a state as the machine has them; none if one of them has no meaning.
pub fn steps_of(machine: &Machine, from: &State) -> Option<BTreeSet<View>> {
    let mut steps = BTreeSet::new();
    let outcome = machine.successors(&from.0, &mut machine.workspace(), |successor| {
        let step = successor.step();
        let process = machine.system().commands[step.command].owner.process;
        steps.insert((process, step.inputs, State(successor.state.into())));
        Visit::Continue(())
    });
    outcome.ok().map(|()| steps)
}

/// The initial states as the machine has them; none if there is no meaning.
pub fn initial_states_of(machine: &Machine) -> Option<BTreeSet<State>> {
    let mut states = BTreeSet::new();
    let outcome = machine.initial_states(&mut machine.workspace(), |state| {
        states.insert(state);
        Visit::Continue(())
    });
    outcome.ok().map(|()| states)
}

/// An unrolling and a solver that knows it.
pub struct Formula<'m> {
    pub machine: &'m Machine,
    pub unrolling: Unrolling<'m>,
    pub solver: Box<dyn Solver>,
    /// What is assumed besides: switches, for example.
    pub assumed: Vec<Lit>,
}

impl<'m> Formula<'m> {
    /// I(s_0).
    pub fn new(machine: &'m Machine, rules: Rules) -> Formula<'m> {
        let mut solver = Choice::default().start(Setup::default());
        let unrolling = Unrolling::new(machine.system(), rules, solver.as_mut()).expect("supported");
        Formula { machine, unrolling, solver, assumed: Vec::new() }
    }

    /// One more step.
    pub fn extend(&mut self) {
        self.unrolling.extend(self.solver.as_mut());
    }

    /// The literals that say that a state is the one at a time; none if the formula has no such state.
    pub fn is_state(&mut self, time: usize, state: &State) -> Option<Vec<Lit>> {
        is_state(&mut self.unrolling, self.machine, (Time(time), state), self.solver.as_mut())
    }

    /// Whether there is a run with these states and literals.
    pub fn has(&mut self, states: &[(usize, &State)], also: &[Lit]) -> bool {
        let mut assumptions = also.to_vec();
        assumptions.extend(&self.assumed);
        for (time, state) in states {
            let Some(lits) = self.is_state(*time, state) else { return false };
            assumptions.extend(lits);
        }
        matches!(self.solver.solve(&assumptions, Effort::Unlimited, &mut Handle::default()), Answer::Sat(_))
    }

    /// All states that runs have at a time.
    pub fn states_at(&mut self, time: usize) -> BTreeSet<State> {
        let mut states = BTreeSet::new();
        self.enumerate(&[], &[(time, Part::State)], |formula, model| {
            let trace = formula.unrolling.decode(formula.machine, |lit| model.holds(lit));
            states.insert(trace.states.at(time));
        });
        states
    }

    /// All steps out of a state at a time.
    pub fn steps_from(&mut self, time: usize, state: &State) -> BTreeSet<View> {
        let mut steps = BTreeSet::new();
        let Some(here) = self.is_state(time, state) else { return steps };
        self.enumerate(&here, &[(time, Part::Step), (time + 1, Part::State)], |formula, model| {
            let trace = formula.unrolling.decode(formula.machine, |lit| model.holds(lit));
            let moved = trace.moves.at(time);
            steps.insert((moved.process, moved.inputs, trace.states.at(time + 1)));
        });
        steps
    }

    /// Calls `found` for every solution, solutions with the same parts being one.
    pub fn enumerate(
        &mut self,
        assumed: &[Lit],
        parts: &[(usize, Part)],
        mut found: impl FnMut(&Formula<'m>, &uwbmc::sat::Model),
    ) {
        let lits: Vec<Lit> = parts.iter().flat_map(|(time, part)| self.part(*time, *part)).collect();
        let new = self.solver.fresh();
        let mut assumptions = assumed.to_vec();
        assumptions.extend(&self.assumed);
        assumptions.push(new);
        while let Answer::Sat(model) = self.solver.solve(&assumptions, Effort::Unlimited, &mut Handle::default()) {
            found(self, &model);
            let mut different: Vec<Lit> = lits.iter().map(|lit| if model.holds(*lit) { !*lit } else { *lit }).collect();
            different.push(!new);
            self.solver.clause(&different);
        }
        self.solver.clause(&[!new]);
    }

    /// The literals of a part of a state and the step out of it.
    fn part(&mut self, time: usize, part: Part) -> Vec<Lit> {
        let is_input = |var: VarId| self.machine.system().variables[var].motion == system::Motion::Input;
        let bits = self.unrolling.bits(Time(time)).into_iter().filter(|(bit, signal)| {
            let is_of_step = match bit {
                Bit::Selector(_) => true,
                Bit::Holder(_) => false,
                Bit::Value(var, _) | Bit::Position(var, _) => is_input(*var),
            };
            signal.as_constant().is_none() && is_of_step == (part == Part::Step)
        });
        let signals: Vec<encoder::Signal> = bits.map(|(_, signal)| signal).collect();
        signals.into_iter().map(|signal| self.unrolling.literal(signal, self.solver.as_mut())).collect()
    }
}

/// What solutions are told apart by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The state.
    State,
    /// Who makes the step out of it, with which inputs.
    Step,
}
