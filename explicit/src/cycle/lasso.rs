//! Counterexamples: a shortest way to a component, and from there round it by short ways to all marks that it has to have.

use super::component::Component;
use super::product::{Edge, Product};
use limits::Handle;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use system::Trace;

/// A state, and the transition that leaves it.
type Taken = (u32, Edge);

/// How many states are looked at between two questions whether to go on.
const CHUNK: usize = 1 << 10;

/// After this many rounds, processes that have changed places have to be where they were before.
const MOST_ROUNDS: usize = 1 << 12;

/// An infinite run through a component, as a trace. `entered` says which states have been entered, and `known` is a way to the
/// component, which is taken if patience does not last for a shortest one.
pub fn lasso(
    product: &mut Product<'_>,
    (initial, known): (&[u32], &[u32]),
    entered: impl Fn(u32) -> bool,
    found: &Component,
    handle: &mut Handle<'_>,
) -> Option<Trace> {
    let is_inside = |state| found.states.binary_search(&state).is_ok();
    let stem = match path(product, initial, |edge| entered(edge.to), is_inside, handle) {
        Some(stem) => stem,
        None => along(product, known, is_inside)?,
    };
    let first = stem.taken.first().map_or(stem.end, |(from, _)| *from);
    let round = round(product, stem.end, found, handle)?;
    let mut trace = begin(product, first);
    follow(product, &mut trace, &stem.taken)?;
    closed(trace, |trace| follow(product, trace, &round))
}

/// A run that goes round for ever, given one to where the round begins. Where control was lost in an atomic section, a state may be
/// another one when it is met again; then it stays so. Where one state stands for others, processes may have changed places after a round; after
/// some more, all are where they were before.
pub fn closed(mut trace: Trace, mut go_round: impl FnMut(&mut Trace) -> Option<()>) -> Option<Trace> {
    let mut begun = vec![trace.states.len() - 1];
    while begun.len() <= MOST_ROUNDS {
        go_round(&mut trace)?;
        let last = trace.states.len() - 1;
        if begun.contains(&last) {
            return Some(trace);
        }
        if let Some(start) = begun.iter().find(|start| trace.states.get(**start).as_ref() == trace.states.last()) {
            trace.loop_start = Some(*start);
            return Some(trace);
        }
        begun.push(last);
    }
    None
}

/// A shortest run to a state.
pub fn stem(
    product: &mut Product<'_>,
    initial: &[u32],
    entered: impl Fn(u32) -> bool,
    goal: u32,
    handle: &mut Handle<'_>,
) -> Option<Trace> {
    let path = path(product, initial, |edge| edge.to == goal || entered(edge.to), |state| state == goal, handle)?;
    let mut trace = begin(product, path.taken.first().map_or(path.end, |(from, _)| *from));
    follow(product, &mut trace, &path.taken)?;
    Some(trace)
}

fn begin(product: &Product<'_>, first: u32) -> Trace {
    Trace::starting(product.beginning(first))
}

/// Makes the steps of some transitions. One that prolongs a run has none.
fn follow(product: &mut Product<'_>, trace: &mut Trace, taken: &[Taken]) -> Option<()> {
    for (from, edge) in taken {
        let last = trace.states.last()?.clone();
        for (moved, state) in product.way((&last, *from), *edge).ok()? {
            trace.push(moved, state);
        }
    }
    Some(())
}

struct Path {
    taken: Vec<Taken>,
    end: u32,
}

/// A shortest path of allowed transitions to a state that is wanted.
fn path(
    product: &mut Product<'_>,
    from: &[u32],
    allowed: impl Fn(Edge) -> bool,
    wanted: impl Fn(u32) -> bool,
    handle: &mut Handle<'_>,
) -> Option<Path> {
    let mut parents: FxHashMap<u32, Option<Taken>> = from.iter().map(|state| (*state, None)).collect();
    let mut open: VecDeque<u32> = from.iter().copied().collect();
    let mut looked = 0_usize;
    while let Some(state) = open.pop_front() {
        if wanted(state) {
            return Some(Path { taken: back(&parents, state), end: state });
        }
        looked += 1;
        if looked.is_multiple_of(CHUNK) && handle.is_over() {
            return None;
        }
        for edge in product.edges(state).ok()?.iter().copied().filter(|edge| allowed(*edge)) {
            parents.entry(edge.to).or_insert_with(|| {
                open.push_back(edge.to);
                Some((state, edge))
            });
        }
    }
    None
}

/// The path through some states, up to the first that is wanted.
fn along(product: &mut Product<'_>, states: &[u32], wanted: impl Fn(u32) -> bool) -> Option<Path> {
    let mut taken = Vec::new();
    let end = states.iter().position(|state| wanted(*state))?;
    for pair in states[..=end].windows(2) {
        let edge = product.edges(pair[0]).ok()?.iter().find(|edge| edge.to == pair[1])?;
        taken.push((pair[0], *edge));
    }
    Some(Path { taken, end: states[end] })
}

fn back(parents: &FxHashMap<u32, Option<Taken>>, mut state: u32) -> Vec<Taken> {
    let mut taken = Vec::new();
    while let Some(Some((from, edge))) = parents.get(&state) {
        taken.push((*from, *edge));
        state = *from;
    }
    taken.reverse();
    taken
}

/// A way round a component, from a state back to it, with every mark that is wanted.
fn round(product: &mut Product<'_>, start: u32, found: &Component, handle: &mut Handle<'_>) -> Option<Vec<Taken>> {
    let members: FxHashSet<u32> = found.states.iter().copied().collect();
    let (mut taken, mut at, mut missing) = (Vec::new(), start, found.wanted);
    while missing != 0 {
        let serves = |product: &Product<'_>, edge| product.marks(edge) & missing != 0;
        let next = step_with(product, at, (&members, found), serves, handle)?;
        next.iter().for_each(|(_, edge)| missing &= !product.marks(*edge));
        at = next.last()?.1.to;
        taken.extend(next);
    }
    if taken.is_empty() || at != start {
        taken.extend(step_with(product, at, (&members, found), |_, edge| edge.to == start, handle)?);
    }
    Some(taken)
}

/// A shortest path inside a component whose last transition is wanted.
fn step_with(
    product: &mut Product<'_>,
    from: u32,
    (members, found): (&FxHashSet<u32>, &Component),
    wanted: impl Fn(&Product<'_>, Edge) -> bool,
    handle: &mut Handle<'_>,
) -> Option<Vec<Taken>> {
    let mut parents: FxHashMap<u32, Option<Taken>> = std::iter::once((from, None)).collect();
    let mut open = VecDeque::from([from]);
    let mut looked = 0_usize;
    while let Some(state) = open.pop_front() {
        looked += 1;
        if looked.is_multiple_of(CHUNK) && handle.is_over() {
            return None;
        }
        for edge in product.edges(state).ok()?.to_vec() {
            if !members.contains(&edge.to) || product.marks(edge) & found.forbidden != 0 {
                continue;
            }
            if wanted(product, edge) {
                let mut taken = back(&parents, state);
                taken.push((state, edge));
                return Some(taken);
            }
            parents.entry(edge.to).or_insert_with(|| {
                open.push_back(edge.to);
                Some((state, edge))
            });
        }
    }
    None
}
