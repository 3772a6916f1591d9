//! Saturation: all states that steps of relations lead to, from the bottom of the order up.
//!
//! A relation belongs to the topmost variable that it reads or writes. The closure of a node under the relations of its
//! variable and below is computed after those of its children, and after every image the children are closed again. So
//! changes that concern few neighbouring variables are explored where they are, in small diagrams, instead of once for
//! every state of everything above.
//!
//! G. Ciardo, G. Lüttgen, R. Siminiescu: Saturation: an efficient iteration strategy for symbolic state-space generation.
//! TACAS 2001. There nodes change in place; here they are values, so that results can be remembered by operands.
//!
//! # Differs from the paper
//!
//! There an image is closed while it is made, part by part. Here it is made as it is and closed once it is joined with the set that
//! it is of. The result is the same, the least set that has the given one and is closed: closing adds only what has to be in it, and
//! nothing is left out, as the loops end where neither the relations at the variable nor those below add anything. Parts of an image
//! alone are sets that are never seen again; to close each of them took 1.5 million results instead of 0.5 million on Peterson's
//! algorithm for five processes.

use crate::cache::{Key, Operation};
use crate::handle::Diagram;
use crate::manager::{Core, Exhausted, Manager};
use crate::node::{FALSE, NodeId, TRUE, Variable, now};

/// Which way steps are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From states to their successors.
    Forward,
    /// From states to their predecessors.
    Backward,
}

/// A relation between states that says which variables it writes; the others keep their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Constrains values now, and next values of what is written.
    pub relation: Diagram,
    /// The variables that are written, as a cube.
    pub writes: Diagram,
}

/// A relation, and the variables that it writes.
type Event = (NodeId, NodeId);

/// The relations by their topmost variable.
struct Events {
    direction: Direction,
    at: Vec<Vec<Event>>,
    /// For each variable, the next one at or below it that has a relation.
    following: Vec<Option<Variable>>,
}

impl Events {
    fn new(core: &Core, direction: Direction, relations: &[Relation]) -> Events {
        let mut at = vec![Vec::new(); core.variables as usize + 1];
        for Relation { relation, writes } in relations {
            let top = core.upper(relation.id(), writes.id());
            // What is always possible and writes nothing, or is never possible, adds no state.
            if let Some(here) = at.get_mut(top as usize).filter(|_| relation.id() != FALSE) {
                here.push((relation.id(), writes.id()));
            }
        }
        let mut following = vec![None; at.len()];
        let mut below = None;
        for (variable, here) in at.iter().enumerate().rev() {
            below = if here.is_empty() { below } else { Some(variable as Variable) };
            following[variable] = below;
        }
        Events { direction, at, following }
    }

    fn following(&self, variable: Variable) -> Option<Variable> {
        self.following.get(variable as usize).copied().flatten()
    }
}

/// Garbage is collected between images, where there is no other room. What a recursion still needs is on the stack of roots then, and so is every set
/// that is compared with a later one: otherwise the later one could have its number. Parts of what is kept need no entry of their own.
impl Core {
    /// The closure of a set under the relations at a variable and below.
    fn close(&mut self, events: &Events, set: NodeId, from: Variable) -> Result<NodeId, Exhausted> {
        let Some(first) = events.following(from).filter(|_| set > TRUE) else { return Ok(set) };
        self.remembered(closure_of(set, first), |core| {
            core.roots.push(set);
            let variable = first.min(core.store.level(set) / 2);
            let below = core.close_below(events, set, variable)?;
            let closed = if variable == first { core.fire(events, below, first)? } else { below };
            core.roots.pop();
            // A closure is its own closure. Most parts of a set that has grown are such.
            core.cache.put(closure_of(closed, first), closed);
            Ok(closed)
        })
    }

    /// The closure of a set that is kept, under the relations below a variable. Nothing in the set is above the variable.
    fn close_below(&mut self, events: &Events, set: NodeId, variable: Variable) -> Result<NodeId, Exhausted> {
        let (low, high) = self.branches(set, now(variable));
        let low = self.close(events, low, variable + 1)?;
        self.roots.push(low);
        let high = self.close(events, high, variable + 1)?;
        self.roots.pop();
        self.make(now(variable), low, high)
    }

    /// Follows the relations at a variable until nothing is new. The set is closed under those below, and so is the result: what
    /// each of them adds is closed under those below before the next one is followed.
    fn fire(&mut self, events: &Events, mut set: NodeId, variable: Variable) -> Result<NodeId, Exhausted> {
        loop {
            let before = set;
            self.roots.push(before);
            for event in &events.at[variable as usize] {
                set = self.exhaust(events, set, *event, variable)?;
            }
            self.roots.pop();
            if set == before {
                return Ok(set);
            }
        }
    }

    /// Follows one relation at a variable until nothing is new. What it finds is closed as a part of the whole set, not by itself: of
    /// what is there already, the closure is known.
    fn exhaust(
        &mut self,
        events: &Events,
        mut set: NodeId,
        (relation, writes): Event,
        variable: Variable,
    ) -> Result<NodeId, Exhausted> {
        let kept = self.roots.len();
        loop {
            let before = set;
            self.roots.push(before);
            self.make_room();
            let found = self.image(events.direction, set, relation, writes)?;
            set = self.or(set, found)?;
            if set != before {
                self.roots.push(set);
                set = self.close_below(events, set, variable)?;
            }
            self.roots.truncate(kept);
            if set == before {
                return Ok(set);
            }
        }
    }
}

/// What is remembered of a set: its closure under the relations at a variable and below.
fn closure_of(set: NodeId, first: Variable) -> Key {
    Key::with(Operation::Close, [set, FALSE, FALSE], first)
}

impl Manager {
    /// All states that any number of steps of the relations lead to from the set, or come from to the set.
    pub fn closure(
        &mut self,
        direction: Direction,
        set: &Diagram,
        relations: &[Relation],
    ) -> Result<Diagram, Exhausted> {
        self.prepare_closure(direction, relations);
        self.perform(|core| {
            let events = Events::new(core, direction, relations);
            core.close(&events, set.id(), 0)
        })
    }

    /// What is remembered about closures holds for the same relations only. An operation that was ended by a limit goes on
    /// from there when it is asked for again.
    fn prepare_closure(&mut self, direction: Direction, relations: &[Relation]) {
        let is_same = |known: &(Direction, Vec<Relation>)| known.0 == direction && known.1 == relations;
        if !self.closed_under.as_ref().is_some_and(is_same) {
            self.core.cache.forget(Operation::Close);
            self.closed_under = Some((direction, relations.to_vec()));
        }
    }
}
