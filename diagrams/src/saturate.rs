//! Saturation: all states that steps of relations lead to, from the bottom of the order up.
//!
//! A relation belongs to the topmost variable that it reads or writes. The closure of a node under the relations of its
//! variable and below is computed after those of its children, and whatever an image makes below is closed at once. So
//! changes that concern few neighbouring variables are explored where they are, in small diagrams, instead of once for
//! every state of everything above.
//!
//! G. Ciardo, G. Lüttgen, R. Siminiescu: Saturation: an efficient iteration strategy for symbolic state-space generation.
//! TACAS 2001. There nodes change in place; here they are values, so that results can be remembered by operands, and
//! unions of closed sets are closed.

use crate::cache::{Key, Operation};
use crate::handle::Diagram;
use crate::image::Ways;
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

/// The relations by their topmost variable.
struct Events {
    direction: Direction,
    at: Vec<Vec<(NodeId, NodeId)>>,
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

/// Garbage is collected between images, where there is no other room. What a recursion still needs of its intermediate results is on the stack of roots
/// then; parts of what its caller keeps need no entry of their own.
impl Core {
    /// The closure of a set under the relations at a variable and below.
    fn close(&mut self, events: &Events, set: NodeId, from: Variable) -> Result<NodeId, Exhausted> {
        let Some(first) = events.following(from).filter(|_| set > TRUE) else { return Ok(set) };
        self.remembered(Key::with(Operation::Close, [set, FALSE, FALSE], first), |core| {
            let kept = core.roots.len();
            core.roots.push(set);
            let variable = first.min(core.store.level(set) / 2);
            let (low, high) = core.branches(set, now(variable));
            let low = core.close(events, low, variable + 1)?;
            core.roots.push(low);
            let high = core.close(events, high, variable + 1)?;
            let closed = core.make(now(variable), low, high)?;
            let closed = if variable == first { core.fire(events, closed, first)? } else { closed };
            core.roots.truncate(kept);
            Ok(closed)
        })
    }

    /// Follows the relations at a variable until nothing is new. The set is closed under those below.
    fn fire(&mut self, events: &Events, mut set: NodeId, variable: Variable) -> Result<NodeId, Exhausted> {
        let kept = self.roots.len();
        loop {
            let before = set;
            for (relation, writes) in &events.at[variable as usize] {
                self.roots.truncate(kept);
                self.roots.extend([before, set]);
                self.make_room();
                let found = self.step(events, set, *relation, *writes, variable)?;
                set = self.or(set, found)?;
            }
            if set == before {
                self.roots.truncate(kept);
                return Ok(set);
            }
        }
    }

    /// An image at a variable, closed under the relations below it.
    fn step(
        &mut self,
        events: &Events,
        set: NodeId,
        relation: NodeId,
        writes: NodeId,
        variable: Variable,
    ) -> Result<NodeId, Exhausted> {
        let (below, kept) = (variable + 1, self.roots.len());
        let (low, high) = match self.ways(events.direction, variable, set, relation, writes) {
            Ways::Written { low, high, rest } => {
                let low = self.close_images(events, low, rest, below)?;
                self.roots.push(low);
                (low, self.close_images(events, high, rest, below)?)
            }
            Ways::Kept { low, high } => {
                let low = self.close_image(events, low.0, low.1, writes, below)?;
                self.roots.push(low);
                (low, self.close_image(events, high.0, high.1, writes, below)?)
            }
        };
        self.roots.truncate(kept);
        self.make(now(variable), low, high)
    }

    /// The union of two images of closed sets, closed.
    fn close_images(
        &mut self,
        events: &Events,
        ways: [(NodeId, NodeId); 2],
        writes: NodeId,
        from: Variable,
    ) -> Result<NodeId, Exhausted> {
        let [a, b] = ways;
        let a = self.close_image(events, a.0, a.1, writes, from)?;
        self.roots.push(a);
        let b = self.close_image(events, b.0, b.1, writes, from)?;
        self.roots.pop();
        self.or(a, b)
    }

    /// The image of a closed set, closed under the relations at a variable and below.
    fn close_image(
        &mut self,
        events: &Events,
        set: NodeId,
        relation: NodeId,
        writes: NodeId,
        from: Variable,
    ) -> Result<NodeId, Exhausted> {
        if set == FALSE || relation == FALSE {
            return Ok(FALSE);
        }
        let Some(first) = events.following(from) else {
            return self.image(events.direction, set, relation, writes);
        };
        let variable = self.upper(set, relation);
        let writes = self.cube_from(writes, now(variable));
        if relation == TRUE {
            let any = self.exists(set, writes)?;
            return if any == set { Ok(set) } else { self.close(events, any, first) };
        }
        self.remembered(Key::with(Operation::CloseImage, [set, relation, writes], first), |core| {
            let mut closed = core.step(events, set, relation, writes, variable)?;
            // Relations at variables that the image skips, or just made, from the bottom up.
            let mut at = variable + 1;
            while at > first {
                at -= 1;
                if !events.at[at as usize].is_empty() {
                    closed = core.fire(events, closed, at)?;
                }
            }
            Ok(closed)
        })
    }
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
            self.core.cache.forget(&[Operation::Close, Operation::CloseImage]);
            self.closed_under = Some((direction, relations.to_vec()));
        }
    }
}
