//! Sets as graphs, for those who do something else with them.

use crate::handle::Diagram;
use crate::manager::Manager;
use crate::node::{FALSE, NodeId, TRUE, Variable};
use std::collections::BTreeMap;

/// What a diagram, or a branch of it, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing is in the set.
    Never,
    /// Everything is.
    Always,
    /// That depends on a variable: the branch with this number.
    Branch(usize),
}

/// A node: which set it is depends on the value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The variable.
    pub variable: Variable,
    /// The set where it is false.
    pub low: Target,
    /// The set where it is true.
    pub high: Target,
}

impl Manager {
    /// The branches of a set of states, each after those that it leads to, and which of them is the set.
    pub fn graph(&self, set: &Diagram) -> (Vec<Branch>, Target) {
        let (mut branches, mut numbers) = (Vec::new(), BTreeMap::new());
        let mut open = vec![set.id()];
        while let Some(id) = open.last().copied() {
            let is_done = id <= TRUE || numbers.contains_key(&id);
            let node = if is_done { None } else { Some(self.core.store.node(id)) };
            let Some(node) = node else {
                open.pop();
                continue;
            };
            let missing = [node.low, node.high].into_iter().filter(|id| target(*id, &numbers).is_none());
            let missing: Vec<NodeId> = missing.collect();
            if let (true, Some(low), Some(high)) =
                (missing.is_empty(), target(node.low, &numbers), target(node.high, &numbers))
            {
                numbers.insert(id, branches.len());
                branches.push(Branch { variable: self.core.arrangement.variable(node.level), low, high });
            }
            open.extend(missing);
        }
        let root = target(set.id(), &numbers).unwrap_or(Target::Never);
        (branches, root)
    }
}

fn target(id: NodeId, numbers: &BTreeMap<NodeId, usize>) -> Option<Target> {
    match id {
        FALSE => Some(Target::Never),
        TRUE => Some(Target::Always),
        _ => numbers.get(&id).map(|number| Target::Branch(*number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_says_what_the_set_says() {
        let mut manager = Manager::new(3, 1000);
        let bits: Vec<Diagram> = (0..3).map(|bit| manager.now(bit).unwrap()).collect();
        let both = manager.and(&bits[0], &bits[2]).unwrap();
        let set = manager.xor(&both, &bits[1]).unwrap();
        let (branches, root) = manager.graph(&set);
        for number in 0..8u32 {
            let value = |variable: Variable| number >> variable & 1 == 1;
            let mut at = root;
            while let Target::Branch(branch) = at {
                let Branch { variable, low, high } = branches[branch];
                at = if value(variable) { high } else { low };
            }
            assert_eq!(at == Target::Always, (value(0) && value(2)) != value(1), "{number}");
        }
        assert_eq!(manager.graph(&manager.never()), (Vec::new(), Target::Never));
    }
}
