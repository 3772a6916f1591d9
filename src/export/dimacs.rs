//! The unrolling to a bound, as DIMACS: satisfiable if and only if a run of at most that many steps reaches the goal.
//!
//! A run that reaches its goal need not go on: perhaps it cannot. So a literal per depth says that the goal is reached
//! by then, each clause of a later step holds or the goal was reached before it, and the last of these literals is
//! asserted. Of an assignment, the states up to the first depth at which the goal is reached are the run; the others
//! mean nothing.

use super::{Goal, Refusal, Subject, bit_name, one_word};
use encoder::{Bit, ClauseSink, Cnf, Guarded, Lit, Rules, Signal, Time, Unrolling, Valid};
use std::fmt::Write;
use system::{Machine, System};

struct Exporter<'a> {
    system: &'a System,
    goal: Goal,
    unrolling: Unrolling<'a>,
    formula: Guarded,
    comments: String,
    has_faults: bool,
}

/// The unrolling to `bound`, with comments that name its literals. If `valid` says so, each control point has its
/// switch p_{i,j}: assuming that all are false gives the first underapproximation.
pub fn export(machine: &Machine, goal: Goal, bound: usize, valid: Valid) -> Result<String, Refusal> {
    let system = machine.of(goal.property).system();
    let mut formula = Guarded::default();
    let unrolling = Unrolling::new(system, Rules { valid, ..Rules::default() }, &mut formula)?;
    let mut exporter = Exporter { system, goal, unrolling, formula, comments: String::new(), has_faults: false };
    exporter.name_switches();
    for depth in 0..=bound {
        if depth > 0 {
            exporter.unrolling.extend(&mut exporter.formula);
            exporter.name_step(Time(depth - 1));
        }
        exporter.name_state(Time(depth));
        exporter.reach(Time(depth));
    }
    let Guarded { mut cnf, guard: reached } = exporter.formula;
    cnf.clause(&Vec::from_iter(reached));
    let mut text = format!("c violation of {} within {bound} steps\n", goal.name(system));
    if exporter.has_faults {
        text += "c the model may have no meaning somewhere; reaching that is satisfying, too\n";
    }
    text += &exporter.comments;
    render(&cnf, &mut text);
    Ok(text)
}

impl Exporter<'_> {
    fn name_switches(&mut self) {
        for switch in self.unrolling.switches() {
            let process = &self.system.processes[switch.process];
            let point = format!("{}@{}", process.name, process.points[switch.point].name);
            let _ = writeln!(self.comments, "c p {} {}", one_word(&point), switch.lit.to_dimacs());
        }
    }

    fn name_step(&mut self, time: Time) {
        for (bit, signal) in self.unrolling.bits(time) {
            if is_of_step(self.system, bit) {
                self.name("step", time, bit, signal);
            }
        }
    }

    fn name_state(&mut self, time: Time) {
        for (bit, signal) in self.unrolling.bits(time) {
            if !is_of_step(self.system, bit) {
                self.name("state", time, bit, signal);
            }
        }
    }

    /// Every named bit gets a literal, so that an assignment tells the whole run.
    fn name(&mut self, kind: &str, time: Time, bit: Bit, signal: Signal) {
        let literal = match signal.as_constant() {
            Some(value) => value.to_string(),
            None => self.unrolling.literal(signal, &mut self.formula).to_dimacs().to_string(),
        };
        let _ = writeln!(self.comments, "c {kind} {} {} {literal}", time.0, bit_name(self.system, bit));
    }

    /// Adds the literal that says that the goal is reached by now.
    fn reach(&mut self, depth: Time) {
        let invariant = self.goal.invariant;
        let violated = match self.goal.subject {
            Subject::States => Some(self.unrolling.violates(invariant, &mut self.formula)),
            Subject::Steps => self.unrolling.step_violates(invariant, &mut self.formula),
        };
        let fault = self.unrolling.fault(&mut self.formula);
        self.has_faults |= fault.is_some();
        let reached = self.formula.fresh();
        let ways: Vec<Lit> = [Some(!reached), violated, fault].into_iter().flatten().collect();
        self.formula.clause(&ways);
        self.formula.guard = Some(reached);
        for (what, literal) in [("violated", violated), ("fault", fault), ("reached", Some(reached))] {
            if let Some(literal) = literal {
                let _ = writeln!(self.comments, "c {what} {} {}", depth.0, literal.to_dimacs());
            }
        }
    }
}

/// Whether a bit belongs to the step out of a state instead of the state.
fn is_of_step(system: &System, bit: Bit) -> bool {
    match bit {
        Bit::Selector(_) => true,
        Bit::Holder(_) => false,
        Bit::Value(var, _) | Bit::Position(var, _) => system.is_input(var),
    }
}

fn render(cnf: &Cnf, text: &mut String) {
    let _ = writeln!(text, "p cnf {} {}", cnf.variables, cnf.clauses.len());
    for clause in &cnf.clauses {
        for lit in clause {
            let _ = write!(text, "{} ", lit.to_dimacs());
        }
        text.push_str("0\n");
    }
}
