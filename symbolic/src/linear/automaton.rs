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
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        while edges.len() < tableau.len() {
            if edges.len() == MOST_STATES {
                return Err(format!("the automaton of the formula has more than {MOST_STATES} states"));
            }
            let mut guards: BTreeMap<(usize, u64), ExprId> = BTreeMap::new();
            for edge in tableau.edges(edges.len() as u32)? {
                let guard = cube(system, &conditions, edge.holds, edge.fails);
                let place = guards.entry((edge.to as usize, edge.marks)).or_insert_with(|| system.exprs.boolean(false));
                *place = system.exprs.or(*place, guard);
            }
            edges.push(guards.into_iter().map(|((to, marks), guard)| Edge { to, marks, guard }).collect());
        }
        let marks = tableau.acceptance().count_ones();
        Ok(Automaton { component: components(&edges, end), edges, marks }.useful())
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

    /// The automaton without transitions to where nothing is accepted any more, and with one state for those that have the
    /// same transitions.
    fn useful(mut self) -> Automaton {
        let count = self.component.iter().max().map_or(0, |last| last + 1);
        // Components are numbered from the ends.
        let mut is_useful = vec![false; count];
        for component in 0..count {
            let leads_on = |state: usize| self.edges[state].iter().any(|edge| is_useful[self.component[edge.to]]);
            let mut members = (0..self.edges.len()).filter(|state| self.component[*state] == component);
            is_useful[component] = self.accepts_in(component) || members.any(leads_on);
        }
        for edges in &mut self.edges {
            edges.retain(|edge| is_useful[self.component[edge.to]]);
        }
        while let Some(smaller) = self.merged() {
            self = smaller;
        }
        self.component = components(&self.edges, end);
        self
    }

    /// States with the same transitions are one; `None` if there are none.
    fn merged(&self) -> Option<Automaton> {
        let mut first: BTreeMap<&[Edge], usize> = BTreeMap::new();
        let mut kept = Vec::new();
        let mut number = Vec::new();
        for edges in &self.edges {
            let place = *first.entry(edges).or_insert(kept.len());
            if place == kept.len() {
                kept.push(edges);
            }
            number.push(place);
        }
        if kept.len() == self.edges.len() {
            return None;
        }
        let renamed = |edges: &&Vec<Edge>| {
            let mut edges: Vec<Edge> = edges.iter().map(|edge| Edge { to: number[edge.to], ..*edge }).collect();
            edges.sort_unstable();
            edges.dedup();
            edges
        };
        Some(Automaton { edges: kept.iter().map(renamed).collect(), marks: self.marks, component: Vec::new() })
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

fn end(edge: &Edge) -> usize {
    edge.to
}
