//! The automaton of what violates a property: of the negated formula, or a never claim as it is written.

use system::{Claim, ClaimAutomaton, ExprId, FiniteRuns, PropertyId, System};
use temporal::{Arena, Edge, Letter, Monitor, NodeId, Refusal, Tableau, normalise};

/// An automaton whose first state is initial. It accepts runs that violate a property.
pub enum Violations {
    /// That of the negated formula.
    Formula(Tableau),
    /// That of `F G !p`, for runs that do not end.
    Progress(Tableau),
    /// A never claim: transitions by state, with one acceptance set for those from accepting states.
    Claim(Vec<Vec<Edge>>),
}

impl Violations {
    /// The automaton for a property of a system, and the monitor that reads its conditions.
    pub fn of(system: &System, property: PropertyId) -> Result<(Violations, Monitor), Refusal> {
        let mut arena = Arena::default();
        match system.properties[property].claim {
            Claim::Ltl(formula) => {
                let root = normalise(system, formula, &mut arena)?;
                let negated = arena.not(root);
                let (tableau, monitor) = Tableau::new(arena, negated)?;
                Ok((Violations::Formula(tableau), monitor))
            }
            Claim::Progress(expr) => {
                let progress = arena.atom(expr);
                let ceases = arena.globally(arena.not(progress));
                let ceases = arena.eventually(ceases);
                let (tableau, monitor) = Tableau::new(arena, ceases)?;
                Ok((Violations::Progress(tableau), monitor))
            }
            Claim::Never(automaton) => of_claim(system, &system.automata[automaton], arena),
            _ => Err("it is not about infinite runs".to_owned()),
        }
    }

    /// An automaton that accepts every run.
    pub fn anything() -> Result<(Violations, Monitor), Refusal> {
        let (tableau, monitor) = Tableau::new(Arena::default(), NodeId::TRUE)?;
        Ok((Violations::Formula(tableau), monitor))
    }

    /// Whether the form of the formula tells that repeating a state of a run makes no difference.
    pub fn ignores_stuttering(&self) -> bool {
        match self {
            Violations::Formula(tableau) | Violations::Progress(tableau) => tableau.ignores_stuttering(),
            Violations::Claim(_) => false,
        }
    }

    /// What becomes of runs of a system that come to their end.
    pub fn finite_runs(&self, system: &System) -> FiniteRuns {
        match self {
            Violations::Progress(_) => FiniteRuns::Ignored,
            Violations::Formula(_) | Violations::Claim(_) => system.finite_runs,
        }
    }

    /// All acceptance sets.
    pub fn acceptance(&self) -> u64 {
        match self {
            Violations::Formula(tableau) | Violations::Progress(tableau) => tableau.acceptance(),
            Violations::Claim(_) => 1,
        }
    }

    /// How many states are known.
    pub fn len(&self) -> usize {
        match self {
            Violations::Formula(tableau) | Violations::Progress(tableau) => tableau.len(),
            Violations::Claim(edges) => edges.len(),
        }
    }

    /// How much memory is taken, about.
    pub fn bytes(&self) -> usize {
        match self {
            Violations::Formula(tableau) | Violations::Progress(tableau) => tableau.bytes(),
            Violations::Claim(edges) => edges.iter().map(|edges| edges.len() * size_of::<Edge>()).sum(),
        }
    }

    /// The transitions from a state.
    pub fn edges(&mut self, state: u32) -> Result<&[Edge], Refusal> {
        match self {
            Violations::Formula(tableau) | Violations::Progress(tableau) => tableau.edges(state),
            Violations::Claim(edges) => Ok(&edges[state as usize]),
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
    Ok((Violations::Claim(edges.collect()), monitor))
}
