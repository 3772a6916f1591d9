//! The set P of Figure 5 of \[GLST05\]: which control points are restricted to partial expansion.

use super::strategy::{Carry, Strategy, Widen};
use encoder::{Lit, Switch, Valid};
use engine::Point;

/// The switches of an unrolling, and which of them are restricted. A point that was widened is restricted again only
/// when a new bound starts over.
#[derive(Clone, Debug)]
pub struct Underapproximation {
    switches: Vec<Switch>,
    restricted: Vec<bool>,
}

impl Underapproximation {
    /// initial_clauses(M, k): ¬p_{i,j} for every control point.
    pub fn new(switches: &[Switch]) -> Underapproximation {
        Underapproximation { switches: switches.to_vec(), restricted: vec![true; switches.len()] }
    }

    /// How many control points there are that can be restricted.
    pub fn len(&self) -> usize {
        self.switches.len()
    }

    /// The clauses of P, each of them a unit clause ¬p_{i,j}, as assumptions. Points that share a switch have one.
    pub fn assumptions(&self) -> Vec<Lit> {
        let mut lits: Vec<Lit> = self.still_restricted().map(|switch| !switch.lit).collect();
        lits.dedup();
        lits
    }

    /// How many control points are restricted.
    pub fn restricted(&self) -> usize {
        self.still_restricted().count()
    }

    fn still_restricted(&self) -> impl Iterator<Item = &Switch> {
        self.switches.iter().zip(&self.restricted).filter(|(_, restricted)| **restricted).map(|(switch, _)| switch)
    }

    /// ψ = S ∩ P: the restrictions among the assumptions that a refutation used.
    pub fn blamed(&self, core: &[Lit]) -> Vec<Lit> {
        self.assumptions().into_iter().filter(|lit| core.contains(lit)).collect()
    }

    /// Removes blamed restrictions from P; says which, as literals that are no longer assumed.
    pub fn widen(&mut self, blamed: &[Lit], widen: Widen) -> Vec<Lit> {
        let chosen: &[Lit] = match widen {
            Widen::One => &blamed[..blamed.len().min(1)],
            Widen::Blamed => blamed,
            Widen::Never => &[],
        };
        for (switch, restricted) in self.switches.iter().zip(&mut self.restricted) {
            *restricted &= !chosen.contains(&!switch.lit);
        }
        chosen.to_vec()
    }

    /// The control points of restrictions.
    pub fn points(&self, lits: &[Lit]) -> Vec<Point> {
        let meant = self.switches.iter().filter(|switch| lits.contains(&!switch.lit));
        meant.map(|switch| Point { process: switch.process, point: switch.point }).collect()
    }

    /// Begins a new bound.
    pub fn next_bound(&mut self, carry: Carry) {
        if carry == Carry::Restart {
            self.restricted.fill(true);
        }
    }
}

/// Whether a widened switch may be fixed: it is never restricted again, and being on adds runs only.
pub fn stays_widened(strategy: &Strategy) -> bool {
    strategy.carry == Carry::Warm && strategy.rules.valid == Valid::Monotone
}
