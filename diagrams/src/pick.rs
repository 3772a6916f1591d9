//! Single states of a set, and all of them in order.

use crate::handle::Diagram;
use crate::manager::Manager;
use crate::node::{FALSE, NodeId, TRUE, Variable};

impl Manager {
    /// The first state of a set by the values of some variables (in order, at least those that the set reads).
    pub fn pick(&self, set: &Diagram, variables: &[Variable]) -> Option<Vec<bool>> {
        self.states(set, variables).next()
    }

    /// All states of a set, in the order of their values as the order of variables has them.
    pub fn states<'a>(&'a self, set: &Diagram, variables: &'a [Variable]) -> impl Iterator<Item = Vec<bool>> + use<'a> {
        let start = (!set.is_false()).then(|| Partial { values: Vec::new(), rest: set.id() });
        let sorted = self.core.arrangement.sorted(variables);
        States { manager: self, variables, sorted, open: start.into_iter().collect(), _pin: set.clone() }
    }

    /// Whether a function is true for these values of variables now and next.
    pub fn contains(&self, set: &Diagram, now: impl Fn(Variable) -> bool, next: impl Fn(Variable) -> bool) -> bool {
        let mut id = set.id();
        while id > TRUE {
            let node = self.core.store.node(id);
            let variable = self.core.arrangement.variable(node.level);
            let value = if node.level.is_multiple_of(2) { now(variable) } else { next(variable) };
            id = if value { node.high } else { node.low };
        }
        id != FALSE
    }
}

/// The values of the topmost variables, and what the set says of the others.
struct Partial {
    values: Vec<bool>,
    rest: NodeId,
}

struct States<'a> {
    manager: &'a Manager,
    variables: &'a [Variable],
    /// Their numbers, from the top of the order.
    sorted: Vec<usize>,
    open: Vec<Partial>,
    /// Keeps the nodes of the set.
    _pin: Diagram,
}

impl States<'_> {
    /// Values from the top of the order, as the variables are named.
    fn in_order(&self, values: &[bool]) -> Vec<bool> {
        let mut named = vec![false; values.len()];
        for (at, value) in self.sorted.iter().zip(values) {
            named[*at] = *value;
        }
        named
    }
}

impl Iterator for States<'_> {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        while let Some(Partial { values, rest }) = self.open.pop() {
            let core = &self.manager.core;
            let Some(at) = self.sorted.get(values.len()) else { return Some(self.in_order(&values)) };
            let (low, high) = core.branches(rest, core.arrangement.now(self.variables[*at]));
            for (value, rest) in [(true, high), (false, low)] {
                if rest != FALSE {
                    let mut longer = values.clone();
                    longer.push(value);
                    self.open.push(Partial { values: longer, rest });
                }
            }
        }
        None
    }
}
