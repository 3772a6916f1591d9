//! Philosophers who take the left fork, then the right one, eat, and put both back.

use super::Package;

/// What a philosopher does: some bits have values, and then others.
pub struct Action {
    /// Bits with their values before and afterwards. Others keep theirs.
    pub bits: Vec<(u32, bool, bool)>,
}

/// The bits of a philosopher: two say where it is, one whether the fork on its left is taken.
const BITS: u32 = 3;

/// How many bits there are.
pub fn bits(count: u32) -> u32 {
    BITS * count
}

/// What all philosophers do.
pub fn actions(count: u32) -> Vec<Action> {
    let mut actions = Vec::new();
    for one in 0..count {
        let (here, there) = (BITS * one, BITS * ((one + 1) % count));
        let (has_left, has_right, left, right) = (here, here + 1, here + 2, there + 2);
        let actions_of_one = [
            vec![(has_left, false, true), (left, false, true)],
            vec![(has_left, true, true), (has_right, false, true), (right, false, true)],
            vec![(has_left, true, false), (has_right, true, false), (left, true, false), (right, true, false)],
        ];
        actions.extend(actions_of_one.map(|bits| Action { bits }));
    }
    actions
}

/// How many states are reachable, one action after the other until nothing is new.
pub fn chained<P: Package>(count: u32) -> f64 {
    let mut package = P::new(bits(count));
    let actions: Vec<(P::Function, Vec<u32>, P::Function)> = (actions(count).iter())
        .map(|action| {
            let before = conjunction(&mut package, action.bits.iter().map(|(bit, before, _)| (*bit, *before)));
            let after = conjunction(&mut package, action.bits.iter().map(|(bit, _, after)| (*bit, *after)));
            (before, action.bits.iter().map(|(bit, ..)| *bit).collect(), after)
        })
        .collect();
    let mut found = conjunction(&mut package, (0..bits(count)).map(|bit| (bit, false)));
    loop {
        let known = found.clone();
        for (before, written, after) in &actions {
            let others = package.and_exists(&found, before, written);
            let next = package.and(&others, after);
            found = package.or(&found, &next);
        }
        if found == known {
            return package.count(&found);
        }
    }
}

/// Bits with values.
fn conjunction<P: Package>(package: &mut P, bits: impl DoubleEndedIterator<Item = (u32, bool)>) -> P::Function {
    let mut all = package.always();
    for (bit, value) in bits.rev() {
        let set = package.variable(bit);
        let literal = if value { set } else { package.not(&set) };
        all = package.and(&literal, &all);
    }
    all
}
