//! Quantification, and the two ways between functions of values now and of next values.

use crate::cache::{Key, Operation};
use crate::handle::Diagram;
use crate::manager::{Core, Exhausted, Manager, binary, unary};
use crate::node::{FALSE, NodeId, TRUE};

impl Core {
    /// The part of a cube at a level and below.
    pub fn cube_from(&self, mut cube: NodeId, level: u32) -> NodeId {
        while self.store.level(cube) < level {
            cube = self.store.node(cube).high;
        }
        cube
    }

    pub fn exists(&mut self, a: NodeId, cube: NodeId) -> Result<NodeId, Exhausted> {
        let level = self.store.level(a);
        let cube = if a <= TRUE { TRUE } else { self.cube_from(cube, level) };
        if cube == TRUE {
            return Ok(a);
        }
        self.remembered(binary(Operation::Exists, a, cube), |core| {
            let node = core.store.node(a);
            let low = core.exists(node.low, cube)?;
            if core.store.level(cube) == level {
                if low == TRUE {
                    return Ok(TRUE);
                }
                let high = core.exists(node.high, cube)?;
                return core.or(low, high);
            }
            let high = core.exists(node.high, cube)?;
            core.make(level, low, high)
        })
    }

    fn and_exists(&mut self, a: NodeId, b: NodeId, cube: NodeId) -> Result<NodeId, Exhausted> {
        match (a, b) {
            (FALSE, _) | (_, FALSE) => return Ok(FALSE),
            (TRUE, other) | (other, TRUE) => return self.exists(other, cube),
            _ if a == b => return self.exists(a, cube),
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        let level = self.store.level(a).min(self.store.level(b));
        let cube = self.cube_from(cube, level);
        if cube == TRUE {
            return self.and(a, b);
        }
        self.remembered(Key::new(Operation::AndExists, [a, b, cube]), |core| {
            let ((a0, a1), (b0, b1)) = (core.branches(a, level), core.branches(b, level));
            let low = core.and_exists(a0, b0, cube)?;
            if core.store.level(cube) == level {
                if low == TRUE {
                    return Ok(TRUE);
                }
                let high = core.and_exists(a1, b1, cube)?;
                return core.or(low, high);
            }
            let high = core.and_exists(a1, b1, cube)?;
            core.make(level, low, high)
        })
    }

    /// Values now of the variables in a cube become next values, which are right below them.
    fn later(&mut self, a: NodeId, cube: NodeId) -> Result<NodeId, Exhausted> {
        let level = self.store.level(a);
        let cube = if a <= TRUE { TRUE } else { self.cube_from(cube, level) };
        if cube == TRUE {
            return Ok(a);
        }
        self.remembered(binary(Operation::Later, a, cube), |core| {
            let node = core.store.node(a);
            let low = core.later(node.low, cube)?;
            let high = core.later(node.high, cube)?;
            let is_renamed = core.store.level(cube) == level;
            core.make(if is_renamed { level | 1 } else { level }, low, high)
        })
    }

    /// Next values become values now.
    fn earlier(&mut self, a: NodeId) -> Result<NodeId, Exhausted> {
        if a <= TRUE {
            return Ok(a);
        }
        self.remembered(unary(Operation::Earlier, a), |core| {
            let node = core.store.node(a);
            let low = core.earlier(node.low)?;
            let high = core.earlier(node.high)?;
            core.make(node.level & !1, low, high)
        })
    }
}

impl Manager {
    /// Whether there are values of the variables in a cube for which a is true.
    pub fn exists(&mut self, a: &Diagram, cube: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.exists(a.id(), cube.id()))
    }

    /// The same for a and b, without making their conjunction first.
    pub fn and_exists(&mut self, a: &Diagram, b: &Diagram, cube: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.and_exists(a.id(), b.id(), cube.id()))
    }

    /// A function of values now, those of the variables in a cube read in the next state.
    pub fn later(&mut self, a: &Diagram, cube: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.later(a.id(), cube.id()))
    }

    /// A function that reads no variable twice, its next values read now.
    pub fn earlier(&mut self, a: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.earlier(a.id()))
    }
}
