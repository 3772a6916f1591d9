//! The product of a model with an automaton: for each state of the automaton, a set of states of the model.
//!
//! The automaton stays explicit, so that the model's relations are those of other properties, without a variable more, and
//! what the automaton does with its own loops is done at once on one set. R. Sebastiani, S. Tonetta, M. Vardi: Symbolic
//! systems, explicit properties: on hybrid approaches for LTL symbolic model checking. CAV 2005.

use super::automaton::Automaton;
use super::guard::Guard;
use crate::model::Model;
use crate::{Refusal, Trouble};
use diagrams::{Diagram, Direction, Exhausted};
use rustc_hash::FxHashMap;
use system::ExprId;

/// For each state of the automaton, some states of the model.
pub type Sets = Vec<Diagram>;

/// A transition of the automaton, with the steps of the model that go with it.
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// Its acceptance sets.
    pub marks: u64,
    /// The steps.
    pub guard: Guard,
    /// What they satisfy.
    pub condition: ExprId,
}

/// The product.
pub struct Product {
    /// All transitions of the automaton.
    pub edges: Vec<Edge>,
    /// For each state of the automaton, the states of the model in which it can stay.
    stays: Sets,
    component: Vec<usize>,
    never: Diagram,
}

impl Product {
    /// The product of a model with an automaton for a property of it.
    pub fn new(model: &mut Model<'_>, automaton: &Automaton) -> Result<Product, Trouble> {
        let never = model.manager.never();
        let mut stays = vec![never.clone(); automaton.edges.len()];
        let mut guards: FxHashMap<ExprId, Guard> = FxHashMap::default();
        let mut edges = Vec::new();
        for (from, leaving) in automaton.edges.iter().enumerate() {
            for edge in leaving {
                let guard = match guards.get(&edge.guard) {
                    Some(known) => known.clone(),
                    None => Guard::new(model, edge.guard, Refusal::PropertyFault)?,
                };
                guards.insert(edge.guard, guard.clone());
                if edge.to == from && guard.steps.is_none() {
                    stays[from] = model.manager.or(&stays[from], &guard.from)?;
                }
                if !guard.from.is_false() {
                    edges.push(Edge { from, to: edge.to, marks: edge.marks, guard, condition: edge.guard });
                }
            }
        }
        Ok(Product { edges, stays, component: automaton.component.clone(), never })
    }

    /// No states.
    pub fn nothing(&self) -> Sets {
        vec![self.never.clone(); self.stays.len()]
    }

    /// The initial states.
    pub fn initial(&self, model: &Model<'_>) -> Sets {
        let mut sets = self.nothing();
        if let Some(first) = sets.first_mut() {
            *first = model.initial.clone();
        }
        sets
    }

    /// The transitions inside a component of the automaton.
    pub fn inside(&self, component: usize) -> Vec<usize> {
        let is_inside = |edge: &Edge| self.component[edge.from] == component && self.component[edge.to] == component;
        (0..self.edges.len()).filter(|at| is_inside(&self.edges[*at])).collect()
    }

    /// Whether a transition leads back to its state from every model state that [`Product::stays`] has.
    fn is_loop(edge: &Edge) -> bool {
        edge.from == edge.to && edge.guard.steps.is_none()
    }

    /// The reachable states of the product. Components that lead to others come first.
    pub fn reachable(&self, model: &mut Model<'_>) -> Result<Sets, Exhausted> {
        let (mut found, mut open) = (self.nothing(), self.initial(model));
        while let Some(state) = self.earliest(&open) {
            let start = std::mem::replace(&mut open[state], self.never.clone());
            let closed = self.going_round(model, state, &start)?;
            let fresh = model.manager.without(&closed, &found[state])?;
            found[state] = model.manager.or(&found[state], &fresh)?;
            for edge in self.edges.iter().filter(|edge| edge.from == state && !Self::is_loop(edge)) {
                let there = edge.guard.image(model, Direction::Forward, &fresh)?;
                let new = model.manager.without(&there, &found[edge.to])?;
                open[edge.to] = model.manager.or(&open[edge.to], &new)?;
            }
        }
        Ok(found)
    }

    /// A state of the automaton whose set is not empty, in a component that comes early.
    fn earliest(&self, open: &Sets) -> Option<usize> {
        let waiting = (0..open.len()).filter(|state| !open[*state].is_false());
        waiting.max_by_key(|state| self.component[*state])
    }

    /// Where the model can get while the automaton stays in a state.
    fn going_round(&self, model: &mut Model<'_>, state: usize, start: &Diagram) -> Result<Diagram, Exhausted> {
        let (stays, all) = (self.stays[state].clone(), model.reachable()?);
        if stays != all {
            return model.onwards(start, &stays);
        }
        let initial = model.initial.clone();
        let is_whole = model.manager.is_subset(&initial, start)?;
        if is_whole { Ok(all) } else { model.closure(Direction::Forward, start) }
    }

    /// The states of `within` from which some transitions lead to `goal` without leaving it; `goal` is part of it.
    pub fn until(&self, model: &mut Model<'_>, edges: &[usize], within: &Sets, goal: &Sets) -> Result<Sets, Exhausted> {
        let (mut found, mut open) = (self.nothing(), goal.clone());
        while let Some(state) = open.iter().position(|set| !set.is_false()) {
            let start = std::mem::replace(&mut open[state], self.never.clone());
            let has_loop = edges.iter().any(|at| self.edges[*at].from == state && Self::is_loop(&self.edges[*at]));
            let closed = if has_loop {
                let staying = model.manager.and(&within[state], &self.stays[state])?;
                model.until(&staying, &start)?
            } else {
                start
            };
            let fresh = model.manager.without(&closed, &found[state])?;
            found[state] = model.manager.or(&found[state], &fresh)?;
            for edge in edges.iter().map(|at| &self.edges[*at]) {
                if edge.to == state && !Self::is_loop(edge) {
                    let before = edge.guard.image(model, Direction::Backward, &fresh)?;
                    let before = model.manager.and(&before, &within[edge.from])?;
                    let new = model.manager.without(&before, &found[edge.from])?;
                    open[edge.from] = model.manager.or(&open[edge.from], &new)?;
                }
            }
        }
        Ok(found)
    }

    /// The states from which one of some transitions leads to a set; each with the steps that count.
    pub fn before<'g>(
        &self,
        model: &mut Model<'_>,
        edges: impl IntoIterator<Item = (usize, &'g Guard)>,
        to: &Sets,
    ) -> Result<Sets, Exhausted> {
        let mut found = self.nothing();
        for (at, guard) in edges {
            let edge = &self.edges[at];
            let before = guard.image(model, Direction::Backward, &to[edge.to])?;
            found[edge.from] = model.manager.or(&found[edge.from], &before)?;
        }
        Ok(found)
    }

    /// What two families of sets have in common.
    pub fn both(model: &mut Model<'_>, one: &Sets, other: &Sets) -> Result<Sets, Exhausted> {
        one.iter().zip(other).map(|(one, other)| model.manager.and(one, other)).collect()
    }

    /// What is in one of two families of sets.
    pub fn either(model: &mut Model<'_>, one: &Sets, other: &Sets) -> Result<Sets, Exhausted> {
        one.iter().zip(other).map(|(one, other)| model.manager.or(one, other)).collect()
    }
}

/// Whether there is no state at all.
pub fn is_empty(sets: &Sets) -> bool {
    sets.iter().all(Diagram::is_false)
}
