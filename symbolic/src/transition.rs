//! The steps of a command, as one relation or as a conjunction of several.
//!
//! A command that touches little is one diagram. A synchronous model is one command that touches everything: there, parts
//! are joined as long as that stays small, and the others are conjoined with the set one after the other, each bit being
//! quantified as soon as no later part reads it.

use diagrams::{Diagram, Direction, Manager, Relation, Stop, Variable as Bit};
use std::collections::BTreeSet;
use system::CommandId;

/// Up to how many nodes parts are joined.
const LARGE: usize = 1 << 12;

/// What a command does.
pub struct Transition {
    /// The command.
    pub command: CommandId,
    /// The steps.
    pub steps: Steps,
}

/// A relation between states.
pub enum Steps {
    /// A single diagram.
    One(Relation),
    /// A conjunction.
    Many(Conjunction),
}

/// A relation as a conjunction of parts.
pub struct Conjunction {
    parts: Vec<Part>,
    writes: Diagram,
    /// Bits of the set that no part reads, forwards and backwards.
    unread: [Diagram; 2],
}

struct Part {
    relation: Diagram,
    /// What no later part reads, forwards and backwards.
    done: [Diagram; 2],
}

impl Steps {
    /// The steps that satisfy all parts, `inputs` being any.
    pub fn new(manager: &mut Manager, parts: Vec<Diagram>, written: &[Bit], inputs: &[Bit]) -> Result<Steps, Stop> {
        let clusters = joined(manager, parts)?;
        let writes = manager.cube(written)?;
        if let [only] = clusters.as_slice() {
            let cube = manager.cube(inputs)?;
            let relation = manager.exists(only, &cube)?;
            return Ok(Steps::One(Relation { relation, writes }));
        }
        let supports: Vec<BTreeSet<Bit>> =
            clusters.iter().map(|cluster| manager.support(cluster).into_iter().collect()).collect();
        let is_last = |at: usize, bit: &Bit| {
            supports[at].contains(bit) && !supports[at + 1..].iter().any(|later| later.contains(bit))
        };
        let mut parts = Vec::new();
        for (at, relation) in clusters.into_iter().enumerate() {
            let last = |bits: &[Bit]| -> Vec<Bit> { bits.iter().copied().filter(|bit| is_last(at, bit)).collect() };
            let (state, hidden) = (last(written), last(inputs));
            let hidden = manager.cube(&hidden)?;
            let (now, next) = (manager.cube(&state)?, manager.next_cube(&state)?);
            let done = [manager.and(&now, &hidden)?, manager.and(&next, &hidden)?];
            parts.push(Part { relation, done });
        }
        let unread = |bit: &&Bit| !supports.iter().any(|support| support.contains(*bit));
        let unread: Vec<Bit> = written.iter().filter(unread).copied().collect();
        let unread = [manager.cube(&unread)?, manager.next_cube(&unread)?];
        Ok(Steps::Many(Conjunction { parts, writes, unread }))
    }

    /// The states one step away from a set.
    pub fn image(&self, manager: &mut Manager, direction: Direction, set: &Diagram) -> Result<Diagram, Stop> {
        match self {
            Steps::One(relation) => manager.image(direction, set, relation),
            Steps::Many(conjunction) => conjunction.image(manager, direction, set),
        }
    }
}

impl Conjunction {
    fn image(&self, manager: &mut Manager, direction: Direction, set: &Diagram) -> Result<Diagram, Stop> {
        let (way, mut found) = match direction {
            Direction::Forward => (0, set.clone()),
            Direction::Backward => (1, manager.later(set, &self.writes)?),
        };
        found = manager.exists(&found, &self.unread[way])?;
        for part in &self.parts {
            found = manager.and_exists(&found, &part.relation, &part.done[way])?;
        }
        match direction {
            Direction::Forward => manager.earlier(&found),
            Direction::Backward => Ok(found),
        }
    }
}

/// Joins neighbouring parts as long as the result is small.
fn joined(manager: &mut Manager, parts: Vec<Diagram>) -> Result<Vec<Diagram>, Stop> {
    let mut parts: Vec<(Vec<Bit>, Diagram)> =
        parts.into_iter().filter(|part| !part.is_true()).map(|part| (manager.support(&part), part)).collect();
    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut clusters = vec![manager.always()];
    for (_, part) in parts {
        let last = clusters.len() - 1;
        let both = manager.and(&clusters[last], &part)?;
        let size = manager.size(&both);
        if size <= LARGE || size <= manager.size(&clusters[last]).max(manager.size(&part)) {
            clusters[last] = both;
        } else {
            clusters.push(part);
        }
    }
    Ok(clusters)
}
