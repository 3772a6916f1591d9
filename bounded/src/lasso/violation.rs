//! What violates a property: runs that satisfy a formula, or that a claim accepts.

use super::claim::{self, Accepted};
use super::closing::Closing;
use super::formula::Encoded;
use super::prefix::Prefixes;
use encoder::{ClauseSink, Lit, Unrolling};
use system::{Claim, ExprId, Fairness, Footprint, PropertyId, System};
use temporal::{Arena, Node, NodeId, Refusal, normalise};

/// The runs that are looked for.
pub(super) enum Violation {
    /// Those that satisfy a formula.
    Formula(Encoded),
    /// The same, of those that do not come to their end.
    Moving(Encoded, Option<Lit>),
    /// Those that a claim accepts.
    Claim(Accepted),
}

/// Whether a property is to be violated or to be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Runs that violate it.
    Violation,
    /// Runs that satisfy it.
    Satisfaction,
}

/// Why a property cannot be asked about.
pub(super) fn refuses(system: &System, property: PropertyId) -> Option<Refusal> {
    match system.properties[property].claim {
        Claim::Never(automaton) => claim::refuses(&system.automata[automaton]),
        _ => formula(system, property, Wanted::Violation).err(),
    }
}

impl Violation {
    /// Of a property that is not refused. That a claim does not accept a run cannot be said.
    pub fn new(system: &System, property: PropertyId, wanted: Wanted, sink: &mut dyn ClauseSink) -> Option<Violation> {
        match system.properties[property].claim {
            Claim::Never(automaton) => {
                let accepted = || Violation::Claim(Accepted::new(&system.automata[automaton], sink));
                (wanted == Wanted::Violation).then(accepted)
            }
            Claim::Progress(_) => {
                let (arena, root) = formula(system, property, wanted).ok()?;
                Some(Violation::Moving(Encoded::new(system, arena, root), None))
            }
            _ => {
                let (arena, root) = formula(system, property, wanted).ok()?;
                Some(Violation::Formula(Encoded::new(system, arena, root)))
            }
        }
    }

    pub fn extend(&mut self, closing: &Closing, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
        match self {
            Violation::Formula(formula) => formula.extend(closing, unrolling, sink),
            Violation::Moving(formula, moves) => {
                formula.extend(closing, unrolling, sink);
                *moves = unrolling.moves(sink);
            }
            Violation::Claim(claim) => claim.extend(closing, unrolling, sink),
        }
    }

    /// What closes the loop at the last state, if the query is true.
    pub fn close(&self, query: Lit, sink: &mut dyn ClauseSink) {
        match self {
            Violation::Formula(formula) => formula.close(query, sink),
            Violation::Moving(formula, moves) => {
                formula.close(query, sink);
                sink.clause(&super::closing::clause(!query, *moves));
            }
            Violation::Claim(claim) => claim.close(query, sink),
        }
    }

    /// A literal that implies that the run is one of these however it goes on from the last state, if that can be said.
    pub fn shown(&mut self, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> Option<Lit> {
        match self {
            Violation::Formula(formula) => formula.shown(unrolling, sink),
            Violation::Moving(..) | Violation::Claim(_) => None,
        }
    }
}

/// Whether a formula has past operators.
pub(super) fn looks_back(system: &System, property: PropertyId) -> bool {
    formula(system, property, Wanted::Violation).is_ok_and(|(arena, root)| arena.has_past(root))
}

/// Whether finite runs can violate a property.
pub(super) fn has_prefixes(system: &System, property: PropertyId) -> bool {
    let is_formula = matches!(system.properties[property].claim, Claim::Ltl(_));
    let asked = formula(system, property, Wanted::Violation).ok().filter(|_| is_formula);
    asked.is_some_and(|(arena, root)| Prefixes::of(system, &arena, root).is_some())
}

/// The formula of the runs that are wanted.
fn formula(system: &System, property: PropertyId, wanted: Wanted) -> Result<(Arena, NodeId), Refusal> {
    let mut arena = Arena::of_beginnings();
    let holds = match system.properties[property].claim {
        Claim::Ltl(formula) => normalise(system, formula, &mut arena)?,
        Claim::Progress(expr) => {
            let progress = arena.atom(expr);
            let recurs = arena.eventually(progress);
            arena.globally(recurs)
        }
        _ => return Err("it is not about infinite runs".to_owned()),
    };
    let root = if wanted == Wanted::Violation { arena.not(holds) } else { holds };
    Ok((arena, root))
}

/// The conditions that a formula is made of. None for claims, which have more to say.
pub(super) fn conditions(system: &System, property: PropertyId) -> Option<Vec<ExprId>> {
    let (arena, root) = formula(system, property, Wanted::Violation).ok()?;
    Some(arena.conditions(root))
}

/// What a property and the fairness of a system look at in states, if it does not matter to them how often a state is repeated and in which
/// order processes move: the formula has no X, Y or Z. Fairness may ask who moves: where two steps of the loop change places, it is made of
/// the same steps.
pub(super) fn looked_at(system: &System, property: PropertyId) -> Option<Vec<ExprId>> {
    if let Claim::Never(_) = system.properties[property].claim {
        return None;
    }
    let (arena, root) = formula(system, property, Wanted::Violation).ok()?;
    let counts_steps =
        |part: &NodeId| matches!(arena.get(*part), Node::Next(_) | Node::Yesterday(_) | Node::WeakYesterday(_));
    if arena.parts(root).iter().any(counts_steps) {
        return None;
    }
    let mut conditions = arena.conditions(root);
    for constraint in &system.fairness {
        let asked = match *constraint {
            Fairness::Justice(often) => [often, often],
            Fairness::Compassion(often, then) => [often, then],
            Fairness::Weak(_) | Fairness::Strong(_) => return None,
        };
        conditions.extend(asked.into_iter().filter(|condition| !is_about_movers(system, *condition)));
    }
    let sees_steps = Footprint::of(&system.exprs, &conditions).has_step(system);
    (!sees_steps).then_some(conditions)
}

/// Whether a condition asks who moves, and nothing else.
fn is_about_movers(system: &System, condition: ExprId) -> bool {
    let reads = Footprint::of(&system.exprs, &[condition]);
    reads == Footprint { running: true, ..Footprint::default() }
}
