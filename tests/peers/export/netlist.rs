//! Circuits as the tests read them back, numbered as in AIGER: simulated, and searched with our own SAT solver.

use encoder::Lit;
use std::collections::{BTreeMap, BTreeSet};
use uwbmc::limits::{Effort, Handle};
use uwbmc::sat::{Answer, Choice, Solver};

/// A state bit: its literal, its next value, and its first value if that is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub literal: u32,
    pub next: u32,
    pub reset: Option<bool>,
}

/// A circuit. Literals are twice a variable, plus one if negated; 0 is false. Gates are in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Netlist {
    pub variables: u32,
    pub inputs: Vec<u32>,
    pub registers: Vec<Register>,
    pub gates: Vec<[u32; 3]>,
    pub bad: u32,
    /// The names of inputs and registers, by literal.
    pub names: BTreeMap<u32, String>,
}

impl Netlist {
    /// Runs the circuit; the times at which it is bad. `input` and `first` are asked by name.
    pub fn simulate(
        &self,
        steps: usize,
        input: impl Fn(usize, &str) -> bool,
        first: impl Fn(&str) -> bool,
    ) -> Vec<usize> {
        let mut values = vec![false; self.variables as usize + 1];
        for register in &self.registers {
            values[register.literal as usize / 2] =
                register.reset.unwrap_or_else(|| first(&self.names[&register.literal]));
        }
        let get = |values: &[bool], literal: u32| values[literal as usize / 2] != (literal % 2 == 1);
        let mut bad = Vec::new();
        for time in 0..=steps {
            for literal in &self.inputs {
                values[*literal as usize / 2] = input(time, &self.names[literal]);
            }
            for [out, a, b] in &self.gates {
                values[*out as usize / 2] = get(&values, *a) && get(&values, *b);
            }
            if get(&values, self.bad) {
                bad.push(time);
            }
            let next: Vec<bool> = self.registers.iter().map(|register| get(&values, register.next)).collect();
            for (register, value) in self.registers.iter().zip(next) {
                values[register.literal as usize / 2] = value;
            }
        }
        bad
    }

    /// The first time at which the circuit can be bad, up to a bound.
    pub fn first_bad(&self, bound: usize) -> Option<usize> {
        let mut solver = Choice::default().start(uwbmc::sat::Setup::default());
        let never = solver.fresh();
        solver.clause(&[!never]);
        let mut state: Vec<Lit> =
            self.registers.iter().map(|register| reset(register.reset, never, solver.as_mut())).collect();
        for time in 0..=bound {
            let literals = self.frame(&state, never, solver.as_mut());
            if let Answer::Sat(_) =
                solver.solve(&[pick(&literals, self.bad)], Effort::Unlimited, &mut Handle::default())
            {
                return Some(time);
            }
            state = self.registers.iter().map(|register| pick(&literals, register.next)).collect();
        }
        None
    }

    /// The steps of the circuit from a state: all next values of its registers. The values now are asked for by name; the
    /// register that `is_over` names must be false afterwards and is left out.
    pub fn steps(&self, now: impl Fn(&str) -> bool, is_over: &str) -> BTreeSet<BTreeMap<String, bool>> {
        let mut solver = Choice::default().start(uwbmc::sat::Setup::default());
        let never = solver.fresh();
        solver.clause(&[!never]);
        let known = |register: &Register| if now(&self.names[&register.literal]) { !never } else { never };
        let state: Vec<Lit> = self.registers.iter().map(known).collect();
        let literals = self.frame(&state, never, solver.as_mut());
        let next =
            self.registers.iter().map(|register| (&self.names[&register.literal], pick(&literals, register.next)));
        let (over, next): (Vec<_>, Vec<_>) = next.partition(|(name, _)| *name == is_over);
        over.into_iter().for_each(|(_, lit)| solver.clause(&[!lit]));
        let mut steps = BTreeSet::new();
        while let Answer::Sat(model) = solver.solve(&[], Effort::Unlimited, &mut Handle::default()) {
            steps.insert(next.iter().map(|(name, lit)| ((*name).clone(), model.holds(*lit))).collect());
            let different: Vec<Lit> =
                next.iter().map(|(_, lit)| if model.holds(*lit) { !*lit } else { *lit }).collect();
            solver.clause(&different);
        }
        steps
    }

    /// The clauses of one time; the literal of each variable.
    fn frame(&self, state: &[Lit], never: Lit, solver: &mut dyn Solver) -> Vec<Lit> {
        let mut literals = vec![never; self.variables as usize + 1];
        for input in &self.inputs {
            literals[*input as usize / 2] = solver.fresh();
        }
        for (register, literal) in self.registers.iter().zip(state) {
            literals[register.literal as usize / 2] = *literal;
        }
        for [out, a, b] in &self.gates {
            let (made, a, b) = (solver.fresh(), pick(&literals, *a), pick(&literals, *b));
            solver.clause(&[!made, a]);
            solver.clause(&[!made, b]);
            solver.clause(&[made, !a, !b]);
            literals[*out as usize / 2] = made;
        }
        literals
    }
}

fn reset(value: Option<bool>, never: Lit, solver: &mut dyn Solver) -> Lit {
    match value {
        Some(false) => never,
        Some(true) => !never,
        None => solver.fresh(),
    }
}

fn pick(literals: &[Lit], literal: u32) -> Lit {
    let positive = literals[literal as usize / 2];
    if literal % 2 == 1 { !positive } else { positive }
}
