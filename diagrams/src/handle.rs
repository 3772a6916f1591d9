//! Handles to diagrams: what has a handle is not garbage.

use crate::node::{FALSE, NodeId, TRUE};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// How many handles each node has, by node.
pub(crate) type Pins = Rc<RefCell<Vec<u32>>>;

/// A boolean function: a set of states, or a relation between states.
pub struct Diagram {
    id: NodeId,
    pins: Pins,
}

impl Diagram {
    pub(crate) fn new(id: NodeId, pins: &Pins) -> Diagram {
        let mut counts = pins.borrow_mut();
        if counts.len() <= id as usize {
            counts.resize(id as usize + 1, 0);
        }
        counts[id as usize] += 1;
        Diagram { id, pins: Rc::clone(pins) }
    }

    pub(crate) fn id(&self) -> NodeId {
        self.id
    }

    /// Whether it is the constant false: the empty set.
    pub fn is_false(&self) -> bool {
        self.id == FALSE
    }

    /// Whether it is the constant true.
    pub fn is_true(&self) -> bool {
        self.id == TRUE
    }
}

impl Clone for Diagram {
    fn clone(&self) -> Diagram {
        Diagram::new(self.id, &self.pins)
    }
}

impl Drop for Diagram {
    fn drop(&mut self) {
        self.pins.borrow_mut()[self.id as usize] -= 1;
    }
}

/// Equal functions of one manager are equal diagrams.
impl PartialEq for Diagram {
    fn eq(&self, other: &Diagram) -> bool {
        self.id == other.id
    }
}

impl Eq for Diagram {}

impl fmt::Debug for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Diagram({})", self.id)
    }
}
