//! What a run is to do.

use operations::region::{self, Policy, input};
use operations::{Event, Kind, Lane, LaneSet};

/// A step that is prescribed: who moves, and with which value if it is a toss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Who moves.
    pub lane: Lane,
    /// The value of a toss; [`region::PAUSE`] of a pause.
    pub toss: Option<u32>,
}

impl Choice {
    /// The choice that leads to an event again.
    pub fn of(event: &Event) -> Choice {
        let toss = match event.op.kind {
            Kind::Toss => Some(event.result as u32),
            Kind::Pause => Some(region::PAUSE),
            _ => None,
        };
        Choice { lane: event.lane, toss }
    }
}

/// How lanes take turns where they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// For how many steps each, four bits for each of sixteen lanes, then again.
    pub quanta: u64,
    /// Which of them wait until the others cannot move, a bit for each of 64 lanes, then again.
    pub late: u64,
}

impl Rotation {
    /// The longest turn.
    const LONGEST: u64 = 8;

    /// Turns of any length, the same for all lanes or not; the main lane waits for the others, or some lanes do.
    pub fn any(random: &mut fastrand::Rng) -> Rotation {
        const FOR_ALL: u64 = 0x1111_1111_1111_1111;
        let mut quantum = || random.u64(1..=Self::LONGEST);
        let (for_all, each) = (FOR_ALL * quantum(), (0..16).map(|lane| quantum() << (4 * lane)).sum());
        let (main, some) = (1 << Lane::MAIN.0, random.u64(..) & random.u64(..));
        let quanta = if random.bool() { for_all } else { each };
        Rotation { quanta, late: if random.bool() { main } else { some } }
    }
}

/// How long a lane waits that has gone round a loop without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// For good: it comes to the loop later in other runs. For searches that reverse races.
    Left,
    /// Until others change what it looks at.
    Resumed,
}

/// What a run is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The first steps.
    pub tape: Vec<Choice>,
    /// The step from which on lanes can be asleep.
    pub branch: usize,
    /// The lanes that are asleep there.
    pub sleep: LaneSet,
    /// How lanes are picked after the tape.
    pub policy: Policy,
    /// Where random choices start from.
    pub seed: u64,
    /// The steps at which priorities change.
    pub changes: Vec<usize>,
    /// How lanes take turns.
    pub rotation: Rotation,
    /// How long lanes wait in loops.
    pub loops: Loops,
    /// How many steps the run may have.
    pub depth: usize,
    /// Whether other lanes go on after one has failed.
    pub goes_on: bool,
    /// Whether the policy decides where the tape prescribes a lane that cannot move; otherwise the run ends there.
    pub is_lenient: bool,
    /// Whether the output is attributed to steps.
    pub has_output: bool,
    /// The step before which the program stops, for a debugger.
    pub stop: Option<usize>,
}

impl Plan {
    /// A plan that prescribes nothing.
    pub fn free(depth: usize) -> Plan {
        Plan {
            tape: Vec::new(),
            branch: 0,
            sleep: LaneSet::default(),
            policy: Policy::Stay,
            seed: 0,
            changes: Vec::new(),
            rotation: Rotation::default(),
            loops: Loops::Resumed,
            depth: depth.min(region::MAX_DEPTH),
            goes_on: false,
            is_lenient: false,
            has_output: false,
            stop: None,
        }
    }

    /// The head of the region, without what stays from run to run.
    pub(crate) fn words(&self, run: u64, known: u64) -> Vec<u64> {
        let mut words = vec![0; input::WORDS];
        words[input::MAGIC] = region::MAGIC;
        words[input::DEPTH] = self.depth as u64;
        words[input::TAPE] = self.tape.len() as u64;
        words[input::BRANCH] = self.branch as u64;
        words[input::SLEEP..input::SLEEP + LaneSet::WORDS].copy_from_slice(&self.sleep.words());
        words[input::POLICY] = self.policy as u64;
        words[input::SEED] = self.seed;
        words[input::OUTPUT] = self.has_output.into();
        words[input::PARK] = self.goes_on.into();
        words[input::LENIENT] = self.is_lenient.into();
        words[input::KNOWN] = known;
        words[input::RUN] = run;
        words[input::STOP] = self.stop.map_or(0, |step| step as u64 + 1);
        words[input::QUANTA] = self.rotation.quanta;
        words[input::LATE] = self.rotation.late;
        words[input::FOR_GOOD] = (self.loops == Loops::Left).into();
        for (index, step) in self.changes.iter().take(8).enumerate() {
            words[input::CHANGES + index] = *step as u64 + 1;
        }
        words
    }

    /// The tape.
    pub(crate) fn tape_words(&self) -> Vec<u64> {
        self.tape.iter().map(|choice| region::tape_word(choice.lane, choice.toss)).collect()
    }
}
