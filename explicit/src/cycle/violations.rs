//! The automaton of what violates a property: of the negated formula, or a never claim as it is written.

use rustc_hash::FxHashMap;
use system::{Claim, ClaimAutomaton, ExprId, FiniteRuns, PropertyId, System};
use temporal::{Arena, Automaton, Edge, Letter, Monitor, Node, NodeId, Refusal, Tableau, normalise};

/// Automata with more states than this are not made before they are needed.
const SMALL: usize = 64;

/// Formulas with more disjuncts than this are not taken apart.
const MOST_PARTS: usize = 512;

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

    /// The disjuncts of the formula that is satisfied by the runs that violate a property; `None` if there is but one, or if there are many.
    pub fn parts(system: &System, property: PropertyId) -> Option<(Arena, Vec<NodeId>)> {
        let Claim::Ltl(formula) = system.properties[property].claim else { return None };
        let mut arena = Arena::default();
        let root = normalise(system, formula, &mut arena).ok()?;
        let negated = arena.not(root);
        let parts = disjuncts(&mut arena, negated);
        (2..=MOST_PARTS).contains(&parts.len()).then_some((arena, parts))
    }

    /// Whether the transitions from the initial state can be made.
    pub fn begins(&mut self) -> Result<(), Refusal> {
        self.edges(0).map(drop)
    }

    /// An automaton that accepts every run.
    pub fn anything() -> Result<(Violations, Monitor), Refusal> {
        Violations::of_formula(Arena::default(), NodeId::TRUE)
    }

    /// The automaton of a formula that is satisfied by runs that violate a property.
    pub fn of_formula(arena: Arena, formula: NodeId) -> Result<(Violations, Monitor), Refusal> {
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

/// The disjuncts of a formula, with conjunctions multiplied out where there are not too many.
fn disjuncts(arena: &mut Arena, root: NodeId) -> Vec<NodeId> {
    let mut known: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    // Parts come before what is made of them.
    for part in arena.parts(root) {
        let disjuncts = match arena.get(part) {
            Node::Or(a, b) if known[&a].len() + known[&b].len() <= MOST_PARTS => [&known[&a][..], &known[&b]].concat(),
            Node::And(a, b) if known[&a].len() * known[&b].len() <= MOST_PARTS => {
                let pairs = known[&a].iter().flat_map(|a| known[&b].iter().map(move |b| (*a, *b)));
                pairs.map(|(a, b)| arena.and(a, b)).collect()
            }
            _ => vec![part],
        };
        known.insert(part, disjuncts);
    }
    known.remove(&root).unwrap_or_default()
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
