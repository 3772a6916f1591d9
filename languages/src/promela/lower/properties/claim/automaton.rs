//! The claim as SPIN has it: an automaton that moves in turns with the model.

use super::super::super::lowering::Lowering;
use super::monitor::{Monitor, Step};
use rustc_hash::FxHashMap;
use system::{ClaimAutomaton, ClaimMove, ClaimStateId, IndexVec};

impl Lowering<'_> {
    /// Keeps the claim as an automaton. At its end it goes away when all processes have.
    pub fn automaton_of(&mut self, name: &str, monitor: &Monitor<'_>) {
        let gone = monitor.points.len();
        let numbers: FxHashMap<usize, ClaimStateId> = (monitor.states.iter().chain([&gone]).enumerate())
            .map(|(number, state)| (*state, ClaimStateId::from(number)))
            .collect();
        let mut moves: IndexVec<ClaimStateId, Vec<ClaimMove>> = IndexVec::from_vec(vec![Vec::new(); numbers.len()]);
        let impossible = self.system.exprs.boolean(false);
        for step in monitor.steps.iter().filter(|step| step.guard != impossible) {
            let Step { guard, statements, .. } = *step;
            moves[numbers[&step.from]].push(ClaimMove { guard, to: numbers[&step.to], statements });
        }
        let accepting = monitor.states.iter().filter(|state| monitor.is_accepting(**state));
        let accepting = accepting.map(|state| numbers[state]).collect();
        self.system.automata.push(ClaimAutomaton { name: name.to_owned(), moves, accepting });
    }
}
