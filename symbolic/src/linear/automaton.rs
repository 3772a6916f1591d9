//! The automaton of what violates a formula, its conditions being expressions of the system.

use std::collections::BTreeMap;
use system::{ExprId, FormulaId, System};
use temporal::{Arena, History, Letter, Refusal, Tableau, components, normalise};

/// The most states. With more of them, sets of states are no help.
const MOST_STATES: usize = 1 << 10;

/// A generalised Büchi automaton with acceptance on transitions. State 0 is initial.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The transitions from each state.
    pub edges: Vec<Vec<Edge>>,
    /// How many acceptance sets there are.
    pub marks: u32,
    /// For each state, its strongly connected component; what a component leads to has a smaller number.
    pub component: Vec<usize>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Where it leads.
    pub to: usize,
    /// The acceptance sets that it belongs to.
    pub marks: u64,
    /// What the step of the system has to satisfy.
    pub guard: ExprId,
}

impl Automaton {
    /// The automaton of the runs that do not satisfy a formula. The system gets the expressions of its conditions, and
    /// variables for what they say about the past.
    pub fn violating(system: &mut System, formula: FormulaId) -> Result<Automaton, Refusal> {
        let mut arena = Arena::default();
        let root = normalise(system, formula, &mut arena)?;
        let negated = arena.not(root);
        let (mut tableau, _) = Tableau::new(arena, negated)?;
        let mut history = History::default();
        let mut conditions = Vec::new();
        for condition in tableau.conditions().to_vec() {
            conditions.push(history.expression(system, tableau.arena(), condition)?);
        }
        let Some(simplified) = temporal::Automaton::of(&mut tableau, MOST_STATES)? else {
            return Err(format!("the automaton of the formula has more than {MOST_STATES} states"));
        };
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        for own in &simplified.edges {
            let mut guards: BTreeMap<(usize, u64), ExprId> = BTreeMap::new();
            for edge in own {
                let guard = cube(system, &conditions, edge.holds, edge.fails);
                let place = guards.entry((edge.to as usize, edge.marks)).or_insert_with(|| system.exprs.boolean(false));
                *place = system.exprs.or(*place, guard);
            }
            edges.push(guards.into_iter().map(|((to, marks), guard)| Edge { to, marks, guard }).collect());
        }
        let marks = simplified.acceptance.count_ones();
        Ok(Automaton { component: components(&edges, |edge| edge.to), edges, marks })
    }

    /// Whether a run can stay in a component for ever and be accepted, as far as the automaton tells.
    pub fn accepts_in(&self, component: usize) -> bool {
        let mut inside = self.inside(component).peekable();
        inside.peek().is_some() && inside.fold(0, |all, edge| all | edge.marks).count_ones() == self.marks
    }

    fn inside(&self, component: usize) -> impl Iterator<Item = &Edge> {
        let members = (0..self.edges.len()).filter(move |state| self.component[*state] == component);
        members.flat_map(|state| &self.edges[state]).filter(move |edge| self.component[edge.to] == component)
    }
}

fn cube(system: &mut System, conditions: &[ExprId], holds: Letter, fails: Letter) -> ExprId {
    let mut all = system.exprs.boolean(true);
    for (bit, condition) in conditions.iter().enumerate() {
        if holds >> bit & 1 == 1 {
            all = system.exprs.and(all, *condition);
        }
        if fails >> bit & 1 == 1 {
            let not = system.exprs.not(*condition);
            all = system.exprs.and(all, not);
        }
    }
    all
}
