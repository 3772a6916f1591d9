//! LTL: whether some infinite fair run violates a formula.
//!
//! The automaton of the violations stays explicit ([`automaton`]); what it says about the past is remembered by variables of the
//! system, so that a property with past has a model of its own ([`Prepared`]). The product has a set of states for each
//! state of the automaton ([`product`]), and is searched for fair cycles component by component ([`hull`]).

mod automaton;
mod fairness;
mod guard;
mod hull;
mod lasso;
mod product;

use super::model::Model;
use super::run::Shown;
use super::{Refusal, Trouble};
use automaton::Automaton;
use fairness::Demands;
use guard::is_about_steps;
use lasso::Way;
use product::{Product, is_empty};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use system::{Choice, Claim, ExprId, Fairness, FiniteRuns, Machine, PropertyId, State, System, Trace, Update};

/// A system in which automata can read what they need, and the automata.
pub struct Prepared {
    /// The system, with variables at the end that remember the past.
    pub machine: Machine,
    automata: Vec<(PropertyId, Result<Automaton, Refusal>)>,
    /// Conjunctions of conditions on steps.
    both: FxHashMap<(ExprId, ExprId), ExprId>,
}

impl Prepared {
    /// Prepares a system for those of some properties that are formulas of LTL; `None` if there are none.
    pub fn new(machine: &Machine, properties: &[PropertyId]) -> Option<Prepared> {
        let mut system = machine.system().clone();
        let mut automata = Vec::new();
        for property in properties {
            if let Claim::Ltl(formula) = system.properties[*property].claim {
                let automaton = Automaton::violating(&mut system, formula).map_err(Refusal::Formula);
                automata.push((*property, automaton));
            }
        }
        if automata.is_empty() {
            return None;
        }
        fairness::remember_steps(&mut system);
        let both = conjunctions(&mut system, &automata);
        Some(Prepared { machine: Machine::new(Arc::new(system)), automata, both })
    }

    /// The conjunction of two conditions on steps.
    fn both(&self, guard: ExprId, condition: ExprId) -> Option<ExprId> {
        self.both.get(&(guard, condition)).copied()
    }

    /// Whether what has to be remembered for a machine's properties may have no value: then a fault need not be the model's.
    pub fn can_fail(&self, machine: &Machine) -> bool {
        let (system, known) = (self.machine.system(), machine.system().variables.len());
        let is_new = |update: &&Update| update.place.variables().any(|var| var.index() >= known);
        let fails = |update: &Update| match update.choice {
            Choice::Exactly(value) | Choice::OneOf(value) => !system.exprs.is_total(value),
            Choice::Anything => false,
        };
        system.commands.iter().flat_map(|command| &command.updates).filter(is_new).any(fails)
    }

    /// A run as the system has it that was prepared.
    pub fn original(&self, machine: &Machine, trace: Trace) -> Trace {
        Trace { states: trace.states.iter().map(|state| self.original_state(machine, &state)).collect(), ..trace }
    }

    fn original_state(&self, machine: &Machine, state: &State) -> State {
        let (values, holder) = (self.machine.values(state), self.machine.layout().holder(&state.0));
        machine.layout().pack(&values[..machine.system().variables.len()], holder)
    }

    /// An infinite fair run that violates a property.
    pub fn violation(&self, model: &mut Model<'_>, property: PropertyId) -> Result<Option<Shown>, Trouble> {
        let system = model.system();
        if system.finite_runs == FiniteRuns::Prolonged || system.has_atomic_sections {
            return Err(Refusal::Program.into());
        }
        let automaton = self.automata.iter().find(|(of, _)| *of == property).map(|(_, automaton)| automaton);
        let automaton = automaton.ok_or(Refusal::NotCtl)?.as_ref().map_err(Clone::clone)?;
        let product = Product::new(model, automaton)?;
        let reachable = product.reachable(model)?;
        let count = automaton.component.iter().max().map_or(0, |last| last + 1);
        for component in (0..count).filter(|component| automaton.accepts_in(*component)) {
            let demands = Demands::new(model, self, &product, component, automaton.marks)?;
            let hull = demands.hull(model, &product, &reachable)?;
            if !is_empty(&hull) {
                let way = Way::to(model, &product, &reachable, &hull)?;
                return way.round(model, &demands, &hull).map(Some);
            }
        }
        Ok(None)
    }
}

/// The conjunctions of what automata and justice ask of the same steps.
fn conjunctions(
    system: &mut System,
    automata: &[(PropertyId, Result<Automaton, Refusal>)],
) -> FxHashMap<(ExprId, ExprId), ExprId> {
    let justice: Vec<ExprId> = (system.fairness.iter())
        .filter_map(|constraint| match *constraint {
            Fairness::Justice(condition) | Fairness::Compassion(_, condition) => Some(condition),
            Fairness::Weak(_) | Fairness::Strong(_) => None,
        })
        .filter(|condition| is_about_steps(system, *condition))
        .collect();
    let mut both = FxHashMap::default();
    let edges = automata.iter().filter_map(|(_, automaton)| automaton.as_ref().ok()).flat_map(|found| &found.edges);
    for edge in edges.flatten().filter(|edge| is_about_steps(system, edge.guard)).collect::<Vec<_>>() {
        for condition in &justice {
            both.insert((edge.guard, *condition), system.exprs.and(edge.guard, *condition));
        }
    }
    both
}
