//! The steps of a command, as one relation or as a conjunction of several.
//!
//! A command that touches little is one diagram. A synchronous model is one command that touches everything: there, parts
//! are joined as long as that stays small, and the others are conjoined with the set one after the other, each bit being
//! quantified as soon as no later part reads it.

use super::schedule::{Reads, schedule};
use diagrams::{Diagram, Direction, Exhausted, Manager, Relation, Support, Variable as Bit};
use system::CommandId;

/// Up to how many nodes parts are joined, in a model with a single command and in others.
const LARGE: usize = 1 << 11;
const LARGE_OF_MANY: usize = 1 << 16;
/// How many nodes may be made on the way to a joined part, per node that it may have.
const WASTE: usize = 8;

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
    writes: Diagram,
    forward: Way,
    backward: Way,
}

/// How a conjunction is followed in one direction.
struct Way {
    /// Bits of the set that no part reads.
    unread: Diagram,
    /// The parts in turn, with what no later part reads.
    turns: Vec<(Diagram, Diagram)>,
}

/// Which bits a step may change, and which are inputs.
#[derive(Clone, Copy)]
struct Bits<'a> {
    written: &'a [Bit],
    inputs: &'a [Bit],
}

/// How far the parts of a relation are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// Into parts of moderate size: there is a single command, so that saturation has nothing to gain.
    Moderate,
    /// Into one, if at all possible: only single relations are saturated.
    Far,
}

impl Steps {
    /// The steps that satisfy all parts, `inputs` being any.
    pub fn new(
        manager: &mut Manager,
        parts: Vec<Diagram>,
        written: &[Bit],
        inputs: &[Bit],
        joining: Joining,
    ) -> Result<Steps, Exhausted> {
        let mut written = written.to_vec();
        written.sort_unstable();
        let bits = Bits { written: &written, inputs };
        let parts = parts.into_iter().filter(|part| !part.is_true()).collect();
        let parts = in_turn(manager, parts, bits);
        let clusters = match joining {
            Joining::Moderate => joined(manager, parts, LARGE)?,
            Joining::Far => match joined(manager, parts.clone(), LARGE_OF_MANY)? {
                one if one.len() == 1 => one,
                _ => joined(manager, parts, LARGE)?,
            },
        };
        let writes = manager.cube(bits.written)?;
        if let [only] = clusters.as_slice() {
            let cube = manager.cube(inputs)?;
            let relation = manager.exists(only, &cube)?;
            return Ok(Steps::One(Relation { relation, writes }));
        }
        let forward = Way::new(manager, &clusters, bits, Direction::Forward)?;
        let backward = Way::new(manager, &clusters, bits, Direction::Backward)?;
        Ok(Steps::Many(Conjunction { writes, forward, backward }))
    }

    /// The relation, if it is a single diagram.
    pub fn relation(&self) -> Option<Relation> {
        match self {
            Steps::One(relation) => Some(relation.clone()),
            Steps::Many(_) => None,
        }
    }

    /// The states one step away from a set.
    pub fn image(&self, manager: &mut Manager, direction: Direction, set: &Diagram) -> Result<Diagram, Exhausted> {
        match self {
            Steps::One(relation) => manager.image(direction, set, relation),
            Steps::Many(conjunction) => conjunction.image(manager, direction, set),
        }
    }
}

#[cfg(test)]
impl Steps {
    /// The same as a conjunction, which is followed breadth-first.
    pub fn as_conjunction(&self, manager: &mut Manager) -> Result<Steps, Exhausted> {
        let Some(Relation { relation, writes }) = self.relation() else { panic!("it is a conjunction already") };
        let written = manager.support(&writes).now;
        let bits = Bits { written: &written, inputs: &[] };
        let forward = Way::new(manager, std::slice::from_ref(&relation), bits, Direction::Forward)?;
        let backward = Way::new(manager, &[relation], bits, Direction::Backward)?;
        Ok(Steps::Many(Conjunction { writes, forward, backward }))
    }
}

impl Bits<'_> {
    /// What an image in a direction quantifies and keeps of what a part reads.
    fn reads(&self, support: &Support, direction: Direction) -> Reads {
        let is_written = |bit: &Bit| self.written.binary_search(bit).is_ok();
        let is_input = |bit: &Bit| self.inputs.binary_search(bit).is_ok();
        let (hidden, kept) = match direction {
            Direction::Forward => (&support.now, &support.next),
            Direction::Backward => (&support.next, &support.now),
        };
        let inputs = support.now.iter().filter(|bit| is_input(bit));
        let state = hidden.iter().filter(|bit| is_written(bit) && !is_input(bit));
        Reads {
            hidden: state.chain(inputs).copied().collect(),
            kept: kept.iter().filter(|bit| !is_input(bit)).copied().collect(),
        }
    }

    /// The bits that an image in a direction quantifies, as a cube.
    fn cube(&self, manager: &mut Manager, bits: &[Bit], direction: Direction) -> Result<Diagram, Exhausted> {
        let (inputs, state): (Vec<Bit>, Vec<Bit>) =
            bits.iter().copied().partition(|bit| self.inputs.binary_search(bit).is_ok());
        let inputs = manager.cube(&inputs)?;
        let state = match direction {
            Direction::Forward => manager.cube(&state)?,
            Direction::Backward => manager.next_cube(&state)?,
        };
        manager.and(&inputs, &state)
    }
}

impl Way {
    fn new(manager: &mut Manager, parts: &[Diagram], bits: Bits<'_>, direction: Direction) -> Result<Way, Exhausted> {
        let reads: Vec<Reads> = parts.iter().map(|part| bits.reads(&manager.support(part), direction)).collect();
        let is_read = |bit: &Bit| reads.iter().any(|reads| reads.hidden.contains(bit));
        let unread: Vec<Bit> = bits.written.iter().copied().filter(|bit| !is_read(bit)).collect();
        let unread = bits.cube(manager, &unread, direction)?;
        let mut turns = Vec::new();
        for turn in schedule(&reads) {
            turns.push((parts[turn.part].clone(), bits.cube(manager, &turn.done, direction)?));
        }
        Ok(Way { unread, turns })
    }

    /// The set conjoined with all parts, without what is quantified.
    fn follow(&self, manager: &mut Manager, set: &Diagram) -> Result<Diagram, Exhausted> {
        let mut found = manager.exists(set, &self.unread)?;
        for (part, done) in &self.turns {
            found = manager.and_exists(&found, part, done)?;
        }
        Ok(found)
    }
}

impl Conjunction {
    fn image(&self, manager: &mut Manager, direction: Direction, set: &Diagram) -> Result<Diagram, Exhausted> {
        match direction {
            Direction::Forward => {
                let found = self.forward.follow(manager, set)?;
                manager.earlier(&found)
            }
            Direction::Backward => {
                let later = manager.later(set, &self.writes)?;
                self.backward.follow(manager, &later)
            }
        }
    }
}

/// The parts in the order in which a forward image takes them.
fn in_turn(manager: &Manager, parts: Vec<Diagram>, bits: Bits<'_>) -> Vec<Diagram> {
    let reads: Vec<Reads> = parts.iter().map(|part| bits.reads(&manager.support(part), Direction::Forward)).collect();
    schedule(&reads).into_iter().map(|turn| parts[turn.part].clone()).collect()
}

/// Joins neighbouring parts as long as the result is no larger than that.
fn joined(manager: &mut Manager, parts: Vec<Diagram>, large: usize) -> Result<Vec<Diagram>, Exhausted> {
    let mut clusters = vec![manager.always()];
    for part in parts {
        let last = clusters.len() - 1;
        let both = manager.within(WASTE * large, |manager| manager.and(&clusters[last], &part))?;
        let separate = manager.size(&clusters[last]).max(manager.size(&part));
        match both.filter(|both| manager.size(both) <= separate.max(large)) {
            Some(both) => clusters[last] = both,
            None => clusters.push(part),
        }
    }
    Ok(clusters)
}
