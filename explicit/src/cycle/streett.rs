//! Splitting a component for strong fairness: where a mark is that recurs, and the mark that then has to recur is nowhere, the
//! transitions with the first are of no use. Without them the component falls apart, and its parts are looked at again.

use super::Marks;
use super::component::Component;
use super::product::{Edge, Product, Wrong};
use rustc_hash::FxHashMap;
use temporal::components as tarjan;

/// A part of a component that has all marks and satisfies all pairs, if there is one.
pub fn fair_part(product: &mut Product<'_>, component: &[u32]) -> Result<Option<Component>, Wrong> {
    let mut open = vec![(component.to_vec(), 0)];
    while let Some((states, forbidden)) = open.pop() {
        for part in components(product, &states, forbidden)? {
            let there = part.marks & product.needed == product.needed;
            let unmet = product.pairs.iter().filter(|pair| part.marks & pair.often != 0 && part.marks & pair.then == 0);
            let further = unmet.fold(0, |forbidden, pair| forbidden | pair.often);
            if there && further == 0 {
                let then = product.pairs.iter().fold(0, |then, pair| then | pair.then);
                let wanted = product.needed | part.marks & then;
                return Ok(Some(Component { states: part.states, wanted, forbidden }));
            }
            if there {
                open.push((part.states, forbidden | further));
            }
        }
    }
    Ok(None)
}

/// A strongly connected component with a cycle, and the marks inside.
struct Part {
    states: Vec<u32>,
    marks: Marks,
}

/// The transitions among some states that have none of some marks, by position.
fn inside(product: &mut Product<'_>, states: &[u32], forbidden: Marks) -> Result<Vec<Vec<(usize, Marks)>>, Wrong> {
    let positions: FxHashMap<u32, usize> = states.iter().enumerate().map(|(at, state)| (*state, at)).collect();
    let mut graph = Vec::with_capacity(states.len());
    for state in states {
        let edges = product.edges(*state)?.to_vec();
        let mark = |edge: Edge| product.marks(edge);
        let kept = edges.into_iter().filter(|edge| mark(*edge) & forbidden == 0);
        graph.push(kept.filter_map(|edge| Some((*positions.get(&edge.to)?, mark(edge)))).collect());
    }
    Ok(graph)
}

/// The strongly connected components of a graph of states, those with a cycle: the algorithm of R. Tarjan (1972).
fn components(product: &mut Product<'_>, states: &[u32], forbidden: Marks) -> Result<Vec<Part>, Wrong> {
    let graph = inside(product, states, forbidden)?;
    let numbers = tarjan(&graph, |(to, _)| *to);
    let mut parts: FxHashMap<usize, Part> = FxHashMap::default();
    for (from, edges) in graph.iter().enumerate() {
        for (_, marks) in edges.iter().filter(|(to, _)| numbers[*to] == numbers[from]) {
            let part = parts.entry(numbers[from]).or_insert(Part { states: Vec::new(), marks: 0 });
            part.marks |= marks;
        }
    }
    for (at, state) in states.iter().enumerate() {
        if let Some(part) = parts.get_mut(&numbers[at]) {
            part.states.push(*state);
        }
    }
    let mut parts: Vec<(usize, Part)> = parts.into_iter().collect();
    parts.sort_unstable_by_key(|(number, _)| *number);
    Ok(parts.into_iter().map(|(_, part)| part).collect())
}
