//! Boolean operations.

use crate::cache::{Key, Operation};
use crate::handle::Diagram;
use crate::manager::{Core, Exhausted, Manager, binary};
use crate::node::{FALSE, NodeId, TRUE};

impl Core {
    pub fn and(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Exhausted> {
        match (a, b) {
            (FALSE, _) | (_, FALSE) => return Ok(FALSE),
            (TRUE, other) | (other, TRUE) => return Ok(other),
            _ if a == b => return Ok(a),
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.remembered(binary(Operation::And, a, b), |core| core.apply(a, b, Core::and))
    }

    pub fn or(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Exhausted> {
        match (a, b) {
            (TRUE, _) | (_, TRUE) => return Ok(TRUE),
            (FALSE, other) | (other, FALSE) => return Ok(other),
            _ if a == b => return Ok(a),
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.remembered(binary(Operation::Or, a, b), |core| core.apply(a, b, Core::or))
    }

    /// a and not b
    pub fn without(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Exhausted> {
        match (a, b) {
            (FALSE, _) | (_, TRUE) => return Ok(FALSE),
            (_, FALSE) => return Ok(a),
            _ if a == b => return Ok(FALSE),
            _ => {}
        }
        self.remembered(binary(Operation::Without, a, b), |core| core.apply(a, b, Core::without))
    }

    fn xor(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Exhausted> {
        match (a, b) {
            (FALSE, other) | (other, FALSE) => return Ok(other),
            (TRUE, other) | (other, TRUE) => return self.without(TRUE, other),
            _ if a == b => return Ok(FALSE),
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.remembered(binary(Operation::Xor, a, b), |core| core.apply(a, b, Core::xor))
    }

    /// One step of an operation of two operands: both branches at the upper level.
    fn apply(
        &mut self,
        a: NodeId,
        b: NodeId,
        operation: fn(&mut Core, NodeId, NodeId) -> Result<NodeId, Exhausted>,
    ) -> Result<NodeId, Exhausted> {
        let level = self.store.level(a).min(self.store.level(b));
        let ((a0, a1), (b0, b1)) = (self.branches(a, level), self.branches(b, level));
        let low = operation(self, a0, b0)?;
        let high = operation(self, a1, b1)?;
        self.make(level, low, high)
    }

    fn choose(&mut self, c: NodeId, a: NodeId, b: NodeId) -> Result<NodeId, Exhausted> {
        match (c, a, b) {
            (TRUE, ..) => return Ok(a),
            (FALSE, ..) => return Ok(b),
            (_, TRUE, _) => return self.or(c, b),
            (_, _, FALSE) => return self.and(c, a),
            (_, FALSE, _) => return self.without(b, c),
            _ if a == b => return Ok(a),
            _ => {}
        }
        self.remembered(Key::new(Operation::Choose, [c, a, b]), |core| {
            let levels = [c, a, b].map(|id| core.store.level(id));
            let level = levels.into_iter().min().unwrap_or_default();
            let [(c0, c1), (a0, a1), (b0, b1)] = [c, a, b].map(|id| core.branches(id, level));
            let low = core.choose(c0, a0, b0)?;
            let high = core.choose(c1, a1, b1)?;
            core.make(level, low, high)
        })
    }
}

impl Manager {
    /// a and b: the intersection.
    pub fn and(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.and(a.id(), b.id()))
    }

    /// a or b: the union.
    pub fn or(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.or(a.id(), b.id()))
    }

    /// a and not b: the difference.
    pub fn without(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.without(a.id(), b.id()))
    }

    /// Not a.
    pub fn not(&mut self, a: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.without(TRUE, a.id()))
    }

    /// Either a or b, and not both.
    pub fn xor(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.xor(a.id(), b.id()))
    }

    /// `if c then a else b`
    pub fn choose(&mut self, c: &Diagram, a: &Diagram, b: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.choose(c.id(), a.id(), b.id()))
    }

    /// The union of many, in pairs.
    pub fn any(&mut self, mut parts: Vec<Diagram>) -> Result<Diagram, Exhausted> {
        while parts.len() > 1 {
            let mut halves = Vec::with_capacity(parts.len().div_ceil(2));
            for pair in parts.chunks(2) {
                halves.push(match pair {
                    [a, b] => self.or(a, b)?,
                    rest => rest[0].clone(),
                });
            }
            parts = halves;
        }
        Ok(parts.pop().unwrap_or_else(|| self.never()))
    }

    /// The intersection of many, one after the other.
    pub fn all(&mut self, parts: &[Diagram]) -> Result<Diagram, Exhausted> {
        parts.iter().try_fold(self.always(), |all, part| self.and(&all, part))
    }

    /// Whether every state of a is one of b.
    pub fn is_subset(&mut self, a: &Diagram, b: &Diagram) -> Result<bool, Exhausted> {
        Ok(self.without(a, b)?.is_false())
    }
}
