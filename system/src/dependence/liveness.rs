//! Which variables matter at which control points.
//!
//! A variable that commands of one process alone read is dead where the process comes to no command that needs it before one
//! writes it: no run depends on its value there. A command needs what its guard reads, and what it computes values from that
//! others can see, or that are alive where it leads (faint variables, as R. Giegerich, U. Möncke, R. Wilhelm, Invariance of approximative
//! semantics with respect to program transformations, 1981, have them).

use super::slice::can_fail;
use crate::definition::footprint::{Footprint, VarSet};
use crate::definition::formula::Formula;
use crate::definition::ids::{ExprId, PointId, ProcessId, PropertyId, VarId};
use crate::definition::system::{Choice, Claim, Command, Fairness, Motion, Place, System, Update};
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// Of systems with more pairs of control points and variables than this, nothing is known.
const MOST: usize = 1 << 28;

/// A process that a command moves: by a step of its own, as a partner, or where it begins.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub process: ProcessId,
    pub from: PointId,
    pub to: PointId,
}

/// What a command reads and writes.
#[derive(Debug)]
struct Doing {
    arrivals: Vec<Arrival>,
    /// What it needs in any case.
    reads: Vec<VarId>,
    /// What it writes and cannot fail to, with what the value is computed from.
    stores: Vec<(VarId, Vec<VarId>)>,
    /// What has another value afterwards, whatever happens.
    writes: Vec<VarId>,
}

/// Which variables are alive where.
#[derive(Debug)]
pub struct Liveness {
    /// For each variable, the process that alone reads it, if there is one.
    owners: IndexVec<VarId, Option<ProcessId>>,
    /// For each process and control point, those of its variables that are alive.
    alive: IndexVec<ProcessId, IndexVec<PointId, VarSet>>,
}

impl Liveness {
    /// Computes it; `None` if nothing is known. What the property reads is alive everywhere.
    pub fn of(system: &System, property: PropertyId) -> Option<Liveness> {
        let points: usize = system.processes.iter().map(|process| process.points.len()).sum();
        let has_more = !system.relations.is_empty() || !system.constraints.is_empty() || !system.definitions.is_empty();
        if has_more || points.saturating_mul(system.variables.len()) > MOST {
            return None;
        }
        let movement = Movement::of(system);
        let movable = movement.known();
        let doings: Vec<Doing> = system.commands.iter().map(|command| doing(&movement, command, &movable)).collect();
        let owners = owners(system, property, &doings);
        let none = || VarSet::new(system.variables.len());
        let alive = system.processes.iter().map(|process| process.points.iter().map(|_| none()).collect()).collect();
        let mut liveness = Liveness { owners, alive };
        let mut grows = true;
        while grows {
            grows = false;
            doings.iter().rev().for_each(|doing| grows |= liveness.take_in(doing));
        }
        Some(liveness)
    }

    /// The variables that a process alone reads, each with that process.
    pub fn owned(&self) -> impl Iterator<Item = (VarId, ProcessId)> {
        self.owners.iter_enumerated().filter_map(|(var, owner)| Some((var, (*owner)?)))
    }

    /// Whether a variable of a process is alive at a control point.
    pub fn is_alive(&self, var: VarId, process: ProcessId, point: PointId) -> bool {
        self.alive[process][point].contains(var)
    }

    /// Adds what is alive because of a command; says whether there was anything new.
    fn take_in(&mut self, doing: &Doing) -> bool {
        let needed = doing.stores.iter().filter(|(var, _)| self.is_needed(*var, &doing.arrivals));
        let needed = needed.flat_map(|(_, reads)| reads);
        let reads: Vec<VarId> = doing.reads.iter().chain(needed).copied().collect();
        let mut grows = false;
        for Arrival { process, from, to } in &doing.arrivals {
            let (here, there) = (&self.alive[*process][*from], &self.alive[*process][*to]);
            let later = there.iter().filter(|var| !here.contains(*var) && !doing.writes.contains(var));
            let own = reads.iter().copied().filter(|var| self.owners[*var] == Some(*process));
            let new: Vec<VarId> = own.filter(|var| !here.contains(*var)).chain(later).collect();
            grows |= !new.is_empty();
            for var in new {
                self.alive[*process][*from].insert(var);
            }
        }
        grows
    }

    /// Whether a value that a command stores may be read after it has moved some processes.
    fn is_needed(&self, var: VarId, arrivals: &[Arrival]) -> bool {
        let Some(owner) = self.owners[var] else { return true };
        let arrival = arrivals.iter().find(|arrival| arrival.process == owner);
        arrival.is_none_or(|arrival| self.is_alive(var, owner, arrival.to))
    }
}

/// How commands move processes.
pub struct Movement<'a> {
    system: &'a System,
    /// The processes whose program counter a variable is.
    counted: FxHashMap<VarId, Vec<ProcessId>>,
}

impl<'a> Movement<'a> {
    pub fn of(system: &'a System) -> Movement<'a> {
        let mut counted: FxHashMap<VarId, Vec<ProcessId>> = FxHashMap::default();
        for (process, pc) in system.processes.iter_enumerated().filter_map(|(id, process)| Some((id, process.pc?))) {
            counted.entry(pc).or_default().push(process);
        }
        Movement { system, counted }
    }

    /// The processes whose program counter an update may write.
    fn written(&self, update: &Update) -> impl Iterator<Item = ProcessId> + '_ {
        update.place.variables().filter_map(|var| self.counted.get(&var)).flatten().copied()
    }

    /// The processes that a command moves.
    pub fn arrivals(&self, command: &Command) -> Vec<Arrival> {
        let own =
            command.parts().filter_map(|part| Some(Arrival { process: part.process, from: part.from?, to: part.to? }));
        let mut begun: Vec<(ProcessId, &Update)> = Vec::new();
        for update in command.updates.iter().filter(|update| matches!(update.place, Place::Variable(_))) {
            begun.extend(self.written(update).map(|process| (process, update)));
        }
        begun.sort_by_key(|(process, _)| *process);
        begun.dedup_by_key(|(process, _)| *process);
        let begun = begun.into_iter().filter_map(|(process, update)| {
            let from = *self.system.dormant.get(&process)?;
            Some(Arrival { process, from, to: destination(self.system, process, update)? })
        });
        own.chain(begun).collect()
    }

    /// For each process, whether all commands that move it say from where and to where.
    pub fn known(&self) -> IndexVec<ProcessId, bool> {
        let system = self.system;
        let is_kept = |pc: VarId| system.variables[pc].motion == Motion::Kept;
        let mut known: IndexVec<ProcessId, bool> =
            system.processes.iter().map(|process| process.pc.is_some_and(is_kept)).collect();
        for command in &system.commands {
            for part in command.parts() {
                known[part.process] &= part.from.is_some() && part.to.is_some();
            }
            for update in &command.updates {
                for process in self.written(update) {
                    let begins =
                        system.dormant.contains_key(&process) && destination(system, process, update).is_some();
                    known[process] &= begins;
                }
            }
        }
        known
    }
}

/// The control point to which an update of the program counter leads, if it is always the same.
pub fn destination(system: &System, process: ProcessId, update: &Update) -> Option<PointId> {
    let (Place::Variable(_), Choice::Exactly(value)) = (update.place, update.choice) else { return None };
    let value = system.exprs.constant_value(value)?;
    system.processes[process].points.position(|point| point.value == Some(value))
}

fn doing(movement: &Movement<'_>, command: &Command, movable: &IndexVec<ProcessId, bool>) -> Doing {
    let system = movement.system;
    let mut arrivals = movement.arrivals(command);
    arrivals.retain(|arrival| movable[arrival.process]);
    let mut always: Vec<ExprId> = std::iter::once(command.guard).chain(command.relation).collect();
    let (mut stores, mut writes) = (Vec::new(), Vec::new());
    for update in &command.updates {
        let value = match update.choice {
            Choice::Exactly(value) | Choice::OneOf(value) => Some(value),
            Choice::Anything => None,
        };
        match update.place {
            Place::Variable(var) => {
                writes.push(var);
                let is_safe = !can_fail(system, var, update.choice, Some(command.guard));
                match value {
                    Some(value) if is_safe => stores.push((var, reads(system, &[value]))),
                    value => always.extend(value),
                }
            }
            Place::Element { index, .. } => always.extend(value.into_iter().chain([index])),
        }
    }
    Doing { arrivals, reads: reads(system, &always), stores, writes }
}

/// What expressions read, in the old state.
fn reads(system: &System, exprs: &[ExprId]) -> Vec<VarId> {
    Footprint::of(&system.exprs, exprs).now
}

/// For each variable, the process that takes part in every command that reads it.
fn owners(system: &System, property: PropertyId, doings: &[Doing]) -> IndexVec<VarId, Option<ProcessId>> {
    let mut readers: IndexVec<VarId, Option<Vec<ProcessId>>> = system.variables.iter().map(|_| None).collect();
    for doing in doings {
        for var in doing.reads.iter().chain(doing.stores.iter().flat_map(|(_, reads)| reads)) {
            let takes_part = |process: &ProcessId| doing.arrivals.iter().any(|arrival| arrival.process == *process);
            match &mut readers[*var] {
                Some(processes) => processes.retain(takes_part),
                unknown => *unknown = Some(doing.arrivals.iter().map(|arrival| arrival.process).collect()),
            }
        }
    }
    let shared = shared(system, property);
    let owner = |(var, processes): (VarId, Option<Vec<ProcessId>>)| {
        let can_be_owned = system.variables[var].motion == Motion::Kept && !shared.contains(var);
        processes.filter(|_| can_be_owned).and_then(|processes| processes.first().copied())
    };
    readers.into_iter_enumerated().map(owner).collect()
}

/// What matters wherever processes are: program counters, what the property and fairness read, and what commands read of the
/// state that they lead to.
fn shared(system: &System, property: PropertyId) -> VarSet {
    let mut shared = system.program_counters();
    let mut conditions = conditions(system, property);
    for constraint in &system.fairness {
        match *constraint {
            Fairness::Justice(often) => conditions.push(often),
            Fairness::Compassion(often, then) => conditions.extend([often, then]),
            Fairness::Weak(_) | Fairness::Strong(_) => {}
        }
    }
    let choices =
        system.commands.iter().flat_map(|command| &command.updates).filter_map(|update| match update.choice {
            Choice::Exactly(value) | Choice::OneOf(value) => Some(value),
            Choice::Anything => None,
        });
    let relations = system.commands.iter().filter_map(|command| command.relation);
    let later = Footprint::of(&system.exprs, &choices.chain(relations).collect::<Vec<ExprId>>()).next;
    for var in Footprint::of(&system.exprs, &conditions).now.into_iter().chain(later) {
        shared.insert(var);
    }
    shared
}

/// The conditions that a property speaks of.
fn conditions(system: &System, property: PropertyId) -> Vec<ExprId> {
    let of_formula = |formula| {
        let parts = system.formulas.parts(formula).into_iter();
        parts.filter_map(|part| if let Formula::State(expr) = system.formulas.get(part) { Some(expr) } else { None })
    };
    match system.properties[property].claim {
        Claim::Invariant(expr) | Claim::Progress(expr) => vec![expr],
        Claim::Ltl(formula) | Claim::Ctl(formula) => of_formula(formula).collect(),
        Claim::Compute(_, start, end) => of_formula(start).chain(of_formula(end)).collect(),
        Claim::Never(automaton) => system.automata[automaton].moves.iter().flatten().map(|step| step.guard).collect(),
        Claim::DeadlockFree | Claim::Unsupported(_) => Vec::new(),
    }
}
