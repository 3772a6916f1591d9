//! The system itself as a sequential circuit of and-gates: what AIGER and BTOR2 are written from.
//!
//! Every bit of a state is a latch, with a constant reset value where the model gives the variable a constant initial
//! value, else without one. Who moves, the inputs of the model and every next value that a step does not compute
//! outright are inputs of the circuit. Two circuits come from the encoder, I(s) and T(s, s'), and three latches of
//! our own put them together:
//!
//!  * `started` is false in the first state only (it is left out if every state that the resets allow is initial);
//!  * `ended` is true once something happened that is no run of the model: the first state did not satisfy I, or a step
//!    not T. So no invariant constraint is needed, and a bad state without successors is not lost, as it would be if T
//!    had to hold in the bad state as well;
//!  * `late` is true if the step before violated the invariant (if that speaks of steps) or had no meaning (it is left
//!    out if no step can).
//!
//! bad = not ended and (started or I(s)) and (the invariant is false or has no value in s), or late. Depths are those
//! of the model: the bad state at time d is the violation after d steps.

use super::aig::{Builder, Circuit, Edge, Reset};
use super::{Goal, Refusal, Subject, bit_name, one_word};
use encoder::{Bit, Gate, Gates, Signal, Time, Unrolling};
use rustc_hash::FxHashMap;
use system::{Machine, System};

const NOW: Time = Time(0);
const NEXT: Time = Time(1);

/// The circuit that reaches its bad state where the system reaches the goal.
pub fn circuit(machine: &Machine, goal: Goal) -> Result<Circuit, Refusal> {
    let system = machine.of(goal.property).system();
    let mut initial = Unrolling::initial_circuit(system)?;
    let mut step = Unrolling::step_circuit(system)?;
    let mut builder = Builder::default();
    let state = latches(&mut builder, system, &initial, &step);
    let start = start(&mut builder, &mut initial, &state);
    let moves = moves(&mut builder, system, &mut step, goal, &state);
    let bad = assemble(&mut builder, &start, &moves);
    let mut circuit = builder.finish();
    circuit.bad = bad;
    circuit.goal = one_word(goal.name(system));
    circuit.remarks.push(format!("bad: a violation of {}", circuit.goal));
    if start.fault != Edge::FALSE || moves.may_fail {
        circuit.remarks.push("the model may have no meaning somewhere; reaching that is bad, too".to_owned());
    }
    if circuit.latches.iter().any(|latch| latch.reset == Reset::Free) {
        circuit.remarks.push("some latches have no reset value (for ABC: logic; undc; strash)".to_owned());
    }
    Ok(circuit)
}

/// What can be said of the first state.
struct Start {
    is_initial: Edge,
    fault: Edge,
}

/// What can be said of a state and the step out of it.
struct Moves {
    /// T(s, s')
    is_step: Edge,
    /// The state is bad.
    bad_state: Edge,
    /// The step is bad.
    bad_step: Edge,
    /// Something may have no meaning.
    may_fail: bool,
}

/// A latch for every bit of the state that is not constant anyway.
fn latches(
    builder: &mut Builder,
    system: &System,
    initial: &Unrolling<'_>,
    step: &Unrolling<'_>,
) -> FxHashMap<Bit, Edge> {
    let bits = step.bits(NOW).into_iter();
    let bits = bits.filter(|(bit, signal)| is_of_state(system, *bit) && signal.as_constant().is_none());
    let latches = bits.map(|(bit, _)| {
        let reset = initial.bit(bit, NOW).as_constant().map_or(Reset::Free, Reset::To);
        (bit, builder.latch(bit_name(system, bit), reset))
    });
    latches.collect()
}

fn is_of_state(system: &System, bit: Bit) -> bool {
    match bit {
        Bit::Selector(_) => false,
        Bit::Holder(_) => true,
        Bit::Value(var, _) | Bit::Position(var, _) => !system.is_input(var),
    }
}

/// I(s), over the latches.
fn start(builder: &mut Builder, initial: &mut Unrolling<'_>, state: &FxHashMap<Bit, Edge>) -> Start {
    let (is_initial, fault) = (initial.take_asserted(), initial.meaningless(NOW));
    let mut translation = Translation::default();
    for (bit, signal) in initial.bits(NOW) {
        if let (Some(latch), None) = (state.get(&bit), signal.as_constant()) {
            translation.know(signal, *latch);
        }
    }
    translation.add(builder, initial.gates(), &[is_initial, fault], "initial");
    Start { is_initial: translation.edge(is_initial), fault: translation.edge(fault) }
}

/// T(s, s') and the goal, over the latches and new inputs; the latches get their next values.
fn moves(
    builder: &mut Builder,
    system: &System,
    step: &mut Unrolling<'_>,
    goal: Goal,
    state: &FxHashMap<Bit, Edge>,
) -> Moves {
    let (refuted, fails) = step.refutes(goal.invariant, NOW);
    let (is_step, fault) = (step.take_asserted(), step.meaningless(NEXT));
    let mut translation = Translation::default();
    for (bit, signal) in step.bits(NOW) {
        match state.get(&bit) {
            Some(latch) => translation.know(signal, *latch),
            None => translation.name_input(builder, step.gates(), signal, bit_name(system, bit)),
        }
    }
    for (bit, signal) in step.bits(NEXT) {
        translation.name_input(builder, step.gates(), signal, format!("next:{}", bit_name(system, bit)));
    }
    let next: Vec<(Edge, Signal)> =
        step.bits(NOW).iter().filter_map(|(bit, _)| Some((*state.get(bit)?, step.bit(*bit, NEXT)))).collect();
    let roots: Vec<Signal> =
        [refuted, fails, is_step, fault].into_iter().chain(next.iter().map(|(_, signal)| *signal)).collect();
    translation.add(builder, step.gates(), &roots, "step");
    for (latch, signal) in next {
        builder.set_next(latch, translation.edge(signal));
    }
    let [refuted, fails, is_step, fault] = [refuted, fails, is_step, fault].map(|signal| translation.edge(signal));
    let violated = builder.or(refuted, fails);
    let (bad_state, bad_step) = match goal.subject {
        Subject::States => (violated, fault),
        Subject::Steps => (Edge::FALSE, builder.or(violated, fault)),
    };
    Moves { is_step, bad_state, bad_step, may_fail: fails != Edge::FALSE || fault != Edge::FALSE }
}

/// Adds the latches of our own; the bad state.
fn assemble(builder: &mut Builder, start: &Start, moves: &Moves) -> Edge {
    let ended = builder.latch("uwbmc:ended".to_owned(), Reset::To(false));
    let mut alive = !ended;
    let mut bad_state = moves.bad_state;
    if start.is_initial != Edge::TRUE || start.fault != Edge::FALSE {
        let started = builder.latch("uwbmc:started".to_owned(), Reset::To(false));
        builder.set_next(started, Edge::TRUE);
        let is_run = builder.or(started, start.is_initial);
        alive = builder.and(alive, is_run);
        let fault = builder.and(!started, start.fault);
        bad_state = builder.or(bad_state, fault);
    }
    let goes_on = builder.and(alive, moves.is_step);
    builder.set_next(ended, !goes_on);
    let mut bad = builder.and(alive, bad_state);
    if moves.bad_step != Edge::FALSE {
        let late = builder.latch("uwbmc:late".to_owned(), Reset::To(false));
        let next = builder.and(goes_on, moves.bad_step);
        builder.set_next(late, next);
        bad = builder.or(bad, late);
    }
    bad
}

/// From signals of one of the encoder's circuits to edges of ours.
#[derive(Default)]
struct Translation {
    edges: FxHashMap<Signal, Edge>,
}

impl Translation {
    fn know(&mut self, signal: Signal, edge: Edge) {
        self.edges.insert(signal, edge);
        self.edges.insert(!signal, !edge);
    }

    /// Makes an input for a signal that is a variable and not known yet.
    fn name_input(&mut self, builder: &mut Builder, gates: &Gates, signal: Signal, name: String) {
        if matches!(gates.gate(signal), Gate::Input(_)) && !self.edges.contains_key(&signal) {
            self.know(signal, builder.input(name));
        }
    }

    /// Translates signals and all that they depend on. A variable without a name helps the encoding only.
    fn add(&mut self, builder: &mut Builder, gates: &Gates, roots: &[Signal], kind: &str) {
        for (signal, gate) in gates.cone(roots) {
            if self.edges.contains_key(&signal) {
                continue;
            }
            let edge = match gate {
                Gate::Constant => Edge::FALSE,
                Gate::Input(lit) => builder.input(format!("uwbmc:{kind}:{}", lit.variable())),
                Gate::And(a, b) => builder.and(self.edge(a), self.edge(b)),
                Gate::Xor(a, b) => builder.xor(self.edge(a), self.edge(b)),
                Gate::Mux(c, a, b) => builder.mux(self.edge(c), self.edge(a), self.edge(b)),
            };
            self.know(signal, edge);
        }
    }

    fn edge(&self, signal: Signal) -> Edge {
        match self.edges.get(&signal) {
            Some(edge) => *edge,
            None => unreachable!("a signal is translated after what it depends on"),
        }
    }
}
