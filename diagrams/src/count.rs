//! How many states a set has.

use crate::handle::Diagram;
use crate::manager::Manager;
use crate::natural::Natural;
use crate::node::{FALSE, NodeId, TRUE, Variable};
use std::collections::HashMap;

impl Manager {
    /// How many assignments to some variables (in order, at least those that the set reads) are in the set.
    pub fn count(&self, set: &Diagram, variables: &[Variable]) -> Natural {
        let mut places: Vec<u32> = variables.iter().map(|variable| self.core.arrangement.place(*variable)).collect();
        places.sort_unstable();
        let place = |id: NodeId| {
            let here = self.core.store.level(id) / 2;
            places.partition_point(|other| *other < here) as u32
        };
        let mut counts: HashMap<NodeId, Natural> = HashMap::new();
        counts.insert(FALSE, Natural::default());
        counts.insert(TRUE, Natural::from(1));
        let mut nodes = self.reachable(set);
        nodes.sort_by_key(|id| std::cmp::Reverse(self.core.store.level(*id)));
        for id in nodes {
            let node = self.core.store.node(id);
            let mut sum = Natural::default();
            for child in [node.low, node.high] {
                let mut ways = counts[&child].clone();
                ways.double(place(child) - place(id) - 1);
                sum.add(&ways);
            }
            counts.insert(id, sum);
        }
        let mut all = counts[&set.id()].clone();
        all.double(place(set.id()));
        all
    }
}
