//! Which process a variable belongs to.

use rustc_hash::FxHashMap;
use system::{ProcessId, System, VarId};

/// The processes by what their variables are known by.
pub struct Owners<'a> {
    system: &'a System,
    by_counter: FxHashMap<VarId, ProcessId>,
    by_name: FxHashMap<&'a str, ProcessId>,
}

impl<'a> Owners<'a> {
    /// Of the variables of a system.
    pub fn new(system: &'a System) -> Owners<'a> {
        let mut owners = Owners { system, by_counter: FxHashMap::default(), by_name: FxHashMap::default() };
        for (id, process) in system.processes.iter_enumerated() {
            owners.by_name.insert(&process.name, id);
            if let Some(pc) = process.pc {
                owners.by_counter.entry(pc).or_insert(id);
            }
        }
        owners
    }

    /// The process whose program counter it is, or else the one with the longest name that its name begins with.
    pub fn owner(&self, var: VarId) -> Option<ProcessId> {
        let name = &self.system.variables[var].name;
        let dots = name.rmatch_indices('.').map(|(at, _)| &name[..at]);
        let counts = self.by_counter.get(&var).copied();
        counts.or_else(|| dots.into_iter().find_map(|process| self.by_name.get(process).copied()))
    }
}
