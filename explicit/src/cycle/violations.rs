//! The automaton of what violates a property: of the negated formula, or a never claim as it is written.

use system::{Claim, ClaimAutomaton, ExprId, FiniteRuns, PropertyId, System};
use temporal::{Arena, Automaton, Edge, Letter, Monitor, NodeId, Refusal, Tableau, normalise};

/// Automata with more states than this are not made before they are needed.
const SMALL: usize = 64;

/// An automaton whose first state is initial. It accepts runs that violate a property.
pub struct Violations {
    automaton: Source,
    /// Whether the form of the formula tells that repeating a state of a run makes no difference.
    pub ignores_stuttering: bool,
    /// Whether runs that come to their end violate nothing.
    ignores_ends: bool,
}

/// Where transitions come from.
enum Source {
    /// They are known.
    Known(Automaton),
    /// They are made when they are needed.
    Made(Box<Tableau>),
}

impl Violations {
    /// The automaton for a property of a system, and the monitor that reads its conditions.
    pub fn of(system: &System, property: PropertyId) -> Result<(Violations, Monitor), Refusal> {
        let mut arena = Arena::default();
        match system.properties[property].claim {
            Claim::Ltl(formula) => {
                let root = normalise(system, formula, &mut arena)?;
                let negated = arena.not(root);
                Violations::of_formula(arena, negated)
            }
            // F G !p, for runs that do not end.
            Claim::Progress(expr) => {
                let progress = arena.atom(expr);
                let ceases = arena.globally(arena.not(progress));
                let ceases = arena.eventually(ceases);
                let (violations, monitor) = Violations::of_formula(arena, ceases)?;
                Ok((Violations { ignores_ends: true, ..violations }, monitor))
            }
            Claim::Never(automaton) => of_claim(system, &system.automata[automaton], arena),
            _ => Err("it is not about infinite runs".to_owned()),
        }
    }

    /// An automaton that accepts every run.
    pub fn anything() -> Result<(Violations, Monitor), Refusal> {
        Violations::of_formula(Arena::default(), NodeId::TRUE)
    }

    fn of_formula(arena: Arena, formula: NodeId) -> Result<(Violations, Monitor), Refusal> {
        let (mut tableau, monitor) = Tableau::new(arena, formula)?;
        let ignores_stuttering = tableau.ignores_stuttering();
        let automaton = match Automaton::of(&mut tableau, SMALL) {
            Ok(Some(automaton)) => Source::Known(automaton),
            // What is too large as a whole may have a part that is enough.
            Ok(None) | Err(_) => Source::Made(Box::new(tableau)),
        };
        Ok((Violations { automaton, ignores_stuttering, ignores_ends: false }, monitor))
    }

    /// What becomes of runs of a system that come to their end.
    pub fn finite_runs(&self, system: &System) -> FiniteRuns {
        if self.ignores_ends { FiniteRuns::Ignored } else { system.finite_runs }
    }

    /// All acceptance sets.
    pub fn acceptance(&self) -> u64 {
        match &self.automaton {
            Source::Known(automaton) => automaton.acceptance,
            Source::Made(tableau) => tableau.acceptance(),
        }
    }

    /// How many states are known.
    pub fn len(&self) -> usize {
        match &self.automaton {
            Source::Known(automaton) => automaton.edges.len(),
            Source::Made(tableau) => tableau.len(),
        }
    }

    /// How much memory is taken, about.
    pub fn bytes(&self) -> usize {
        match &self.automaton {
            Source::Known(automaton) => automaton.edges.iter().map(|edges| edges.len() * size_of::<Edge>()).sum(),
            Source::Made(tableau) => tableau.bytes(),
        }
    }

    /// The transitions from a state.
    pub fn edges(&mut self, state: u32) -> Result<&[Edge], Refusal> {
        match &mut self.automaton {
            Source::Known(automaton) => Ok(&automaton.edges[state as usize]),
            Source::Made(tableau) => tableau.edges(state),
        }
    }
}

fn of_claim(system: &System, automaton: &ClaimAutomaton, mut arena: Arena) -> Result<(Violations, Monitor), Refusal> {
    let mut guards: Vec<ExprId> = automaton.moves.iter().flatten().map(|step| step.guard).collect();
    guards.sort_unstable();
    guards.dedup();
    guards.retain(|guard| system.exprs.constant_value(*guard).is_none());
    let atoms: Vec<NodeId> = guards.iter().map(|guard| arena.atom(*guard)).collect();
    let monitor = Monitor::new(&arena, &atoms)?;
    let edges = automaton.moves.iter_enumerated().map(|(state, moves)| {
        let marks = u64::from(automaton.accepting.contains(&state));
        let possible = moves.iter().filter(|step| system.exprs.constant_value(step.guard) != Some(0));
        let edge = |step: &system::ClaimMove| {
            let holds: Letter = guards.binary_search(&step.guard).map_or(0, |bit| 1 << bit);
            Edge { holds, fails: 0, to: step.to.index() as u32, marks }
        };
        possible.map(edge).collect()
    });
    let automaton = Automaton { edges: edges.collect(), acceptance: 1 }.simplified();
    Ok((Violations { automaton: Source::Known(automaton), ignores_stuttering: false, ignores_ends: false }, monitor))
}
