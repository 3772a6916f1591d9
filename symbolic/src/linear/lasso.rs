//! An infinite run that is accepted and fair: a shortest way to a set that has one, and rounds through all that has to recur.

use super::fairness::{Demands, Steps};
use super::product::{Product, Sets, is_empty};
use crate::model::Model;
use crate::run::Shown;
use crate::{Refusal, Trouble};
use diagrams::{Diagram, Direction, Exhausted};
use system::ExprId;

/// A state of the product: of the automaton, and of the model as a set of its own.
#[derive(Clone, PartialEq)]
struct Place {
    state: usize,
    set: Diagram,
}

/// Whether a path that has come to its end before it began counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Least {
    Nothing,
    OneStep,
}

/// Where a part of a way leads: by which transitions, inside which states after the first, to which, and how far at least.
#[derive(Clone, Copy)]
struct Leg<'l> {
    edges: &'l [usize],
    within: &'l Sets,
    goal: &'l Sets,
    least: Least,
}

/// A way that is being found.
pub struct Way<'a> {
    product: &'a Product,
    places: Vec<Place>,
    /// What steps have to satisfy, by the place that they leave.
    needs: Vec<(usize, ExprId)>,
}

impl<'a> Way<'a> {
    /// A shortest way from an initial state to one of some states.
    pub fn to(model: &mut Model<'_>, product: &'a Product, reachable: &Sets, goal: &Sets) -> Result<Way<'a>, Trouble> {
        let mut way = Way { product, places: Vec::new(), needs: Vec::new() };
        let edges: Vec<usize> = (0..product.edges.len()).collect();
        let initial = product.initial(model);
        way.follow(model, initial, Leg { edges: &edges, within: reachable, goal, least: Least::Nothing })?;
        Ok(way)
    }

    /// Goes round inside a hull of fair cycles until the way closes.
    pub fn round(mut self, model: &mut Model<'_>, demands: &Demands, hull: &Sets) -> Result<Shown, Trouble> {
        let recurring: Result<Vec<Sets>, Exhausted> =
            demands.recurring.iter().map(|steps| demands.meeting(model, self.product, hull, steps)).collect();
        let pairs: Result<Vec<Sets>, Exhausted> =
            demands.pairs.iter().map(|pair| demands.meeting(model, self.product, hull, &pair.then)).collect();
        let (recurring, pairs) = (recurring?, pairs?);
        loop {
            let start = self.places.len() - 1;
            for (steps, met) in demands.recurring.iter().zip(&recurring) {
                if !self.meet(model, demands, hull, steps, met)? {
                    return Err(Refusal::NoRun.into());
                }
            }
            for (pair, met) in demands.pairs.iter().zip(&pairs) {
                // Where the steps are out of reach, the states that ask for them are too.
                self.meet(model, demands, hull, &pair.then, met)?;
            }
            let goal = self.alone(&self.places[start]);
            let has_moved = self.places.len() - 1 > start;
            let least = if has_moved { Least::Nothing } else { Least::OneStep };
            let edges = &demands.inside;
            if self.go(model, Leg { edges, within: hull, goal: &goal, least })? {
                return Ok(self.shown(start));
            }
            // What cannot come back leads to a component further down.
            if !has_moved && !self.go(model, Leg { edges, within: hull, goal: hull, least: Least::OneStep })? {
                return Err(Refusal::NoRun.into());
            }
        }
    }

    fn shown(self, start: usize) -> Shown {
        let path = self.places.into_iter().map(|place| place.set).collect();
        Shown { path, needs: self.needs, loop_start: Some(start) }
    }

    fn alone(&self, place: &Place) -> Sets {
        let mut sets = self.product.nothing();
        sets[place.state] = place.set.clone();
        sets
    }

    /// Goes to where some steps can be made and makes one. Says whether that is possible.
    fn meet(
        &mut self,
        model: &mut Model<'_>,
        demands: &Demands,
        hull: &Sets,
        steps: &Steps,
        met: &Sets,
    ) -> Result<bool, Trouble> {
        let least = Least::Nothing;
        if !self.go(model, Leg { edges: &demands.inside, within: hull, goal: met, least })? {
            return Ok(false);
        }
        let here = self.places[self.places.len() - 1].clone();
        for (at, guard) in steps.iter().filter(|(at, _)| self.product.edges[*at].from == here.state) {
            let to = self.product.edges[*at].to;
            let next = guard.image(model, Direction::Forward, &here.set)?;
            let next = model.manager.and(&next, &hull[to])?;
            if let Some(set) = model.single(&next)? {
                self.needs.extend(guard.steps.iter().map(|steered| (self.places.len() - 1, steered.condition)));
                self.places.push(Place { state: to, set });
                return Ok(true);
            }
        }
        Err(Refusal::NoRun.into())
    }

    /// Goes on from the last place. Says whether that is possible.
    fn go(&mut self, model: &mut Model<'_>, leg: Leg<'_>) -> Result<bool, Trouble> {
        let Some(last) = self.places.pop() else { return Ok(false) };
        let from = self.alone(&last);
        let is_there = self.follow(model, from, leg)?;
        if !is_there {
            self.places.push(last);
        }
        Ok(is_there)
    }

    /// A shortest path, at the end of the way.
    fn follow(&mut self, model: &mut Model<'_>, from: Sets, leg: Leg<'_>) -> Result<bool, Trouble> {
        let Leg { edges, within, goal, least } = leg;
        let mut seen = if least == Least::Nothing { from.clone() } else { self.product.nothing() };
        let mut layers = vec![from];
        loop {
            let last = layers[layers.len() - 1].clone();
            if layers.len() > 1 || least == Least::Nothing {
                let arrived = Product::both(model, &last, goal)?;
                if !is_empty(&arrived) {
                    self.back(model, edges, &layers, &arrived)?;
                    return Ok(true);
                }
            }
            let mut next = self.product.nothing();
            for at in edges {
                let edge = &self.product.edges[*at];
                let there = edge.guard.image(model, Direction::Forward, &last[edge.from])?;
                let there = model.manager.and(&there, &within[edge.to])?;
                let there = model.manager.without(&there, &seen[edge.to])?;
                next[edge.to] = model.manager.or(&next[edge.to], &there)?;
            }
            if is_empty(&next) {
                return Ok(false);
            }
            seen = Product::either(model, &seen, &next)?;
            layers.push(next);
        }
    }

    /// One place of each layer, from the last one back.
    fn back(&mut self, model: &mut Model<'_>, edges: &[usize], layers: &[Sets], arrived: &Sets) -> Result<(), Trouble> {
        let mut place = first(model, arrived)?;
        let (mut places, mut conditions) = (vec![place.clone()], Vec::new());
        for layer in layers.iter().rev().skip(1) {
            let (before, condition) = self.step_back(model, edges, layer, &place)?;
            conditions.push(condition);
            places.push(before.clone());
            place = before;
        }
        for (offset, condition) in conditions.into_iter().rev().enumerate() {
            self.needs.extend(condition.map(|condition| (self.places.len() + offset, condition)));
        }
        self.places.extend(places.into_iter().rev());
        Ok(())
    }

    /// A place of a layer from which a step leads to another place, and what the step has to satisfy.
    fn step_back(
        &self,
        model: &mut Model<'_>,
        edges: &[usize],
        layer: &Sets,
        place: &Place,
    ) -> Result<(Place, Option<ExprId>), Trouble> {
        for edge in edges.iter().map(|at| &self.product.edges[*at]).filter(|edge| edge.to == place.state) {
            let before = edge.guard.image(model, Direction::Backward, &place.set)?;
            let before = model.manager.and(&before, &layer[edge.from])?;
            if let Some(set) = model.single(&before)? {
                let condition = edge.guard.steps.as_ref().map(|steered| steered.condition);
                return Ok((Place { state: edge.from, set }, condition));
            }
        }
        Err(Refusal::NoRun.into())
    }
}

fn first(model: &mut Model<'_>, sets: &Sets) -> Result<Place, Trouble> {
    for (state, set) in sets.iter().enumerate() {
        if let Some(set) = model.single(set)? {
            return Ok(Place { state, set });
        }
    }
    Err(Refusal::NoRun.into())
}
