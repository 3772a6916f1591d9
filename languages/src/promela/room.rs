//! Room for processes whose number is not known beforehand.
//!
//! Every pid at which a proctype can run costs variables and commands, so that a model begins with room for a few
//! processes. Some walks that create what they can tell whether that is too little; then the room is doubled, up to the 255
//! processes that SPIN has. What the walks miss is a limit that is reached when the model runs.

use std::sync::Arc;
use system::{Alarm, Machine, ProcessId, State, System, VarId, Visit};

/// The most processes, as in SPIN.
pub const MOST: u32 = 255;

/// How many processes (pairs of pid and proctype) there are at first where their number is not known, and how many pids
/// at least.
const SPARE: u32 = 60;
const LEAST_SPARE: u32 = 12;

/// How many walks there are, and how many steps each of them has.
const WALKS: usize = 4;
const STEPS: usize = 2_000;
/// How many steps a walk makes between two looks at the alarm.
const LOOK: usize = 100;

/// For how many processes there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// For as many as are known to be needed, or at first some more than that.
    Known,
    /// For this many more than are known.
    Spare(u32),
    /// For as many as SPIN has.
    Most,
}

impl Room {
    /// How many pids there are besides those that are known to be needed.
    pub fn spare(self, proctypes: usize) -> u32 {
        match self {
            Room::Known => (SPARE / proctypes.max(1) as u32).max(LEAST_SPARE),
            Room::Spare(spare) => spare,
            Room::Most => MOST,
        }
    }

    /// More room, if there can be more.
    pub fn more(self) -> Option<Room> {
        match self {
            Room::Known | Room::Most => None,
            Room::Spare(spare) => Some(Room::Spare(2 * spare)),
        }
    }

    /// What is said where more processes are created than there is room for.
    pub fn limit(self) -> &'static str {
        match self {
            Room::Known | Room::Most => "more than 255 processes are created, the most that SPIN has",
            Room::Spare(_) => "more processes are created than uwbmc has room for",
        }
    }
}

/// Whether a walk needs more processes than there is room for, be it beside a claim. `count` is the variable that counts them. Walks end when the
/// alarm rings.
pub fn is_short(system: &mut System, count: VarId, alarm: &Alarm) -> bool {
    let shared = Arc::new(std::mem::take(system));
    let mut machine = Machine::new(Arc::clone(&shared));
    machine.heed(alarm.clone());
    let is_short = std::iter::once(&machine)
        .chain(machine.beside_claim())
        .any(|machine| (0..WALKS).any(|number| walk_is_short(machine, count, number, alarm)));
    drop(machine);
    *system = Arc::try_unwrap(shared).unwrap_or_else(|shared| System::clone(&shared));
    is_short
}

/// Where a walk can go.
struct Way {
    state: State,
    processes: i64,
    mover: ProcessId,
}

/// One walk: it creates processes where it can, lets them die only where nothing else is possible, and stays with the
/// process that moved last. Walks with different numbers begin with different processes.
fn walk_is_short(machine: &Machine, count: VarId, number: usize, alarm: &Alarm) -> bool {
    let mut workspace = machine.workspace();
    let mut at: Option<State> = None;
    let _ = machine.initial_states(&mut workspace, |first| {
        at = Some(first);
        Visit::Break(())
    });
    let (mut processes, mut last) = (0, ProcessId::from(number));
    for step in 0..STEPS {
        let Some(state) = at.take().filter(|_| step % LOOK != 0 || !alarm.rings()) else { return false };
        let mut ways: Vec<Way> = Vec::new();
        let outcome = machine.successors(&state.0, &mut workspace, |successor| {
            let processes = machine.layout().get(successor.state, count).unwrap_or_default();
            let mover = machine.system().commands[successor.command].owner.process;
            ways.push(Way { state: State(successor.state.into()), processes, mover });
            Visit::Continue(())
        });
        if let Err(halt) = outcome {
            return halt.failure().is_some_and(|failure| failure.fault.is_limit(machine.system()));
        }
        let merit = |way: &Way| (way.processes.cmp(&processes), way.mover == last);
        let Some(best) = ways.iter().map(merit).max() else { return false };
        ways.retain(|way| merit(way) == best);
        let chosen = ways.swap_remove((step / 3 + number) % ways.len());
        (processes, last, at) = (chosen.processes, chosen.mover, Some(chosen.state));
    }
    false
}
