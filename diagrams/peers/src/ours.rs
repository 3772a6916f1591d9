//! The package of uwbmc.

use super::Package;
use super::philosophers::{Action, actions, bits};
use diagrams::{Diagram, Direction, Exhausted, Manager, Relation};

/// The package of uwbmc.
pub struct Ours {
    manager: Manager,
    variables: u32,
}

/// More nodes than any of the work needs.
const NODES: usize = 1 << 24;

impl Package for Ours {
    type Function = Diagram;

    const NAME: &'static str = "ours";

    fn new(variables: u32) -> Ours {
        Ours { manager: Manager::new(variables, NODES), variables }
    }

    fn variable(&mut self, variable: u32) -> Diagram {
        self.manager.now(variable).expect("there are enough nodes")
    }

    fn always(&mut self) -> Diagram {
        self.manager.always()
    }

    fn not(&mut self, a: &Diagram) -> Diagram {
        self.manager.not(a).expect("there are enough nodes")
    }

    fn and(&mut self, a: &Diagram, b: &Diagram) -> Diagram {
        self.manager.and(a, b).expect("there are enough nodes")
    }

    fn or(&mut self, a: &Diagram, b: &Diagram) -> Diagram {
        self.manager.or(a, b).expect("there are enough nodes")
    }

    fn and_exists(&mut self, a: &Diagram, b: &Diagram, variables: &[u32]) -> Diagram {
        let cube = self.manager.cube(variables).expect("there are enough nodes");
        self.manager.and_exists(a, b, &cube).expect("there are enough nodes")
    }

    fn count(&mut self, a: &Diagram) -> f64 {
        let all: Vec<u32> = (0..self.variables).collect();
        self.manager.count(a, &all).to_string().parse().unwrap_or(f64::INFINITY)
    }
}

/// How many states philosophers reach, by saturation.
pub fn saturated(count: u32) -> f64 {
    let mut manager = Manager::new(bits(count), NODES);
    let relations: Result<Vec<Relation>, Exhausted> =
        actions(count).iter().map(|action| relation(&mut manager, action)).collect();
    let relations = relations.expect("there are enough nodes");
    let all: Vec<u32> = (0..bits(count)).collect();
    let zero = manager.minterm(&all, &vec![false; all.len()]).expect("there are enough nodes");
    let found = manager.closure(Direction::Forward, &zero, &relations).expect("there are enough nodes");
    manager.count(&found, &all).to_string().parse().unwrap_or(f64::INFINITY)
}

fn relation(manager: &mut Manager, action: &Action) -> Result<Relation, Exhausted> {
    let mut relation = manager.always();
    for (bit, before, after) in action.bits.iter().rev() {
        let (now, next) = (manager.now(*bit)?, manager.next(*bit)?);
        let now = if *before { now } else { manager.not(&now)? };
        let next = if *after { next } else { manager.not(&next)? };
        relation = manager.and(&next, &relation)?;
        relation = manager.and(&now, &relation)?;
    }
    let written: Vec<u32> = action.bits.iter().map(|(bit, ..)| *bit).collect();
    Ok(Relation { relation, writes: manager.cube(&written)? })
}
