//! The order of variables. Where one is bad, another one is tried, and one that changes as diagrams grow.
//!
//! FORCE makes one from what commands read and write together.
//!
//! F. Aloul, I. Markov, K. Sakallah: FORCE: a fast and easy-to-implement variable-ordering heuristic. GLSVLSI 2003. A variable
//! moves to the centre of gravity of the commands that touch it, again and again; the order with the least sum of spans
//! wins.

use system::System;

/// How variables are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By FORCE, from how they are declared.
    Force,
    /// By FORCE from several beginnings, some of them random: the order with the least sum of spans.
    Nearest,
    /// A variable after those that its next value depends on, then FORCE.
    Dependencies,
    /// As they are declared.
    Declared,
    /// As FORCE has them at first, and changed as diagrams grow.
    Sifted,
}

/// Whose turn it is, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The orders that are tried, those that are good more often first.
    pub orders: &'static [Order],
    /// By how much less those are allowed that are not the first.
    pub less: u64,
}

impl Order {
    /// The orders that are tried. Where there is a single command, as in a synchronous model, its parts grow with every bad
    /// neighbour, and what is sifted is rarely worse than what is not; where there are many, FORCE hardly leaves anything to
    /// be gained.
    pub fn tried(system: &System) -> Turns {
        if system.commands.len() > 1 {
            Turns { orders: &[Order::Nearest, Order::Sifted, Order::Dependencies, Order::Declared], less: 4 }
        } else {
            Turns { orders: &[Order::Sifted, Order::Dependencies, Order::Force, Order::Declared], less: 16 }
        }
    }

    /// An order of `count` things, those of one group close to each other. What each of them depends on may guide it.
    pub fn of(self, count: usize, groups: &[Vec<usize>], dependencies: &[Vec<usize>]) -> Vec<usize> {
        match self {
            Order::Force | Order::Sifted => force((0..count).collect(), groups).order,
            Order::Nearest => nearest(count, groups, dependencies),
            Order::Dependencies => force(depth_first(count, dependencies), groups).order,
            Order::Declared => (0..count).collect(),
        }
    }
}

/// How often all variables are moved.
const ROUNDS: usize = 60;

/// Everything after what it depends on, as far as there is no cycle.
fn depth_first(count: usize, dependencies: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(count);
    let mut is_seen = vec![false; count];
    for root in 0..count {
        // Things with how many of their dependencies were visited.
        let mut open = if std::mem::replace(&mut is_seen[root], true) { Vec::new() } else { vec![(root, 0)] };
        while let Some((thing, visited)) = open.pop() {
            match dependencies[thing].get(visited) {
                Some(other) => {
                    open.push((thing, visited + 1));
                    if !std::mem::replace(&mut is_seen[*other], true) {
                        open.push((*other, 0));
                    }
                }
                None => order.push(thing),
            }
        }
    }
    order
}

/// An order, and how far the things of each group are apart in it, all groups together.
struct Arranged {
    spans: usize,
    order: Vec<usize>,
}

impl Arranged {
    fn new(order: Vec<usize>, groups: &[Vec<usize>]) -> Arranged {
        Arranged { spans: spans(&positions(&order), groups), order }
    }

    /// The nearer one of two, the first if both are as near.
    fn or(self, other: Arranged) -> Arranged {
        if other.spans < self.spans { other } else { self }
    }
}

/// An order in which those of one group are close to each other, from another one.
fn force(mut order: Vec<usize>, groups: &[Vec<usize>]) -> Arranged {
    let mut best = Arranged::new(order.clone(), groups);
    for _ in 0..ROUNDS {
        order = attracted(&order, groups);
        best = best.or(Arranged::new(order.clone(), groups));
    }
    best
}

/// From how many random orders FORCE begins at most, and how many things of groups may be looked at in all.
const MOST_BEGINNINGS: usize = 32;
const MOST_LOOKS: usize = 1 << 22;

/// The best that FORCE makes of several orders: where diagrams depend on the order, those with small spans are smaller as a rule.
fn nearest(count: usize, groups: &[Vec<usize>], dependencies: &[Vec<usize>]) -> Vec<usize> {
    let first = force((0..count).collect(), groups).or(force(depth_first(count, dependencies), groups));
    let looks = ROUNDS * (count + groups.iter().map(Vec::len).sum::<usize>());
    let beginnings = (MOST_LOOKS / looks.max(1)).min(MOST_BEGINNINGS);
    (0..beginnings as u64).fold(first, |best, seed| best.or(force(shuffled(count, seed), groups))).order
}

/// A random order, the same for each seed.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for last in (1..count).rev() {
        // Marsaglia's xorshift.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        order.swap(last, (random % (last as u64 + 1)) as usize);
    }
    order
}

fn positions(order: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; order.len()];
    for (position, thing) in order.iter().enumerate() {
        positions[*thing] = position;
    }
    positions
}

/// How far the things of each group are apart, all groups together.
fn spans(positions: &[usize], groups: &[Vec<usize>]) -> usize {
    groups.iter().map(|group| span(positions, group)).sum()
}

fn span(positions: &[usize], group: &[usize]) -> usize {
    let places = group.iter().map(|thing| positions[*thing]);
    places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
}

/// The things sorted by the mean of their groups' centres of gravity.
fn attracted(order: &[usize], groups: &[Vec<usize>]) -> Vec<usize> {
    let positions = positions(order);
    let mut pulls = vec![(0.0, 0.0); order.len()];
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let sum: usize = group.iter().map(|thing| positions[*thing]).sum();
        let centre = sum as f64 / group.len() as f64;
        for thing in group {
            pulls[*thing].0 += centre;
            pulls[*thing].1 += 1.0;
        }
    }
    let place = |thing: usize| {
        let (sum, weight) = pulls[thing];
        if weight > 0.0 { sum / weight } else { positions[thing] as f64 }
    };
    let mut sorted = order.to_vec();
    sorted.sort_by(|a, b| place(*a).total_cmp(&place(*b)));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_of_neighbours_comes_together() {
        // Thing i and thing i + 50 belong together, and each pair to the next one.
        let groups: Vec<Vec<usize>> = (0..50).map(|i| vec![i, i + 50, (i + 1) % 50]).collect();
        let before = spans(&(0..100).collect::<Vec<_>>(), &groups);
        let order = Order::Force.of(100, &groups, &[]);
        assert!(spans(&positions(&order), &groups) * 5 < before);
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn several_beginnings_come_nearer_than_one() {
        // A grid, whose things are declared in an order that FORCE makes little of.
        let things: Vec<usize> = shuffled(36, 7);
        let at = |x: usize, y: usize| things[6 * y + x];
        let rows = (0..6).flat_map(|y| (0..5).map(move |x| ([x, y], [x + 1, y])));
        let columns = (0..5).flat_map(|y| (0..6).map(move |x| ([x, y], [x, y + 1])));
        let groups: Vec<Vec<usize>> = rows.chain(columns).map(|([a, b], [c, d])| vec![at(a, b), at(c, d)]).collect();
        let cost = |order: Order| spans(&positions(&order.of(36, &groups, &vec![Vec::new(); 36])), &groups);
        assert!(cost(Order::Nearest) < cost(Order::Force) && cost(Order::Force) < cost(Order::Declared));
        let mut sorted = Order::Nearest.of(36, &groups, &vec![Vec::new(); 36]);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..36).collect::<Vec<_>>());
    }

    #[test]
    fn dependencies_come_first() {
        assert_eq!(depth_first(4, &[vec![2, 0], vec![], vec![3, 1], vec![0]]), [3, 1, 2, 0]);
    }
}
