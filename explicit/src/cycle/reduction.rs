//! Partial-order reduction, for formulas that cannot tell how often a state is repeated.
//!
//! From a state, the commands of a secluded process ([`Seclusion`]) are tried alone if none of them can change a condition of
//! the formula (visibility), and none is needed for runs to come back to a state ([`turning`]): so on every cycle there is a
//! state from which everything is tried, and nothing is put off for ever. What is tried depends on the state of the system alone,
//! neither on that of the automaton nor on the order of the search. Where it does, automata have to be of a special form
//! (S. Siegel, What's wrong with on-the-fly partial order reduction, CAV 2019).

use std::ops::Range;
use system::{
    CommandId, Dependency, ExprId, Footprint, Granularity, Machine, Refinement, Seclusion, System, Watched, turning,
};

/// What is known of the commands of a system, for some conditions.
pub struct Reduction {
    dependency: Dependency,
    seclusion: Seclusion,
    /// For each command, whether it is tried only where all are: it may change a condition, or it closes cycles.
    together: Vec<bool>,
}

impl Reduction {
    /// Computes it, unless nothing would be gained, or fairness or a condition is about who moves.
    pub fn new(system: &System, conditions: &[ExprId]) -> Option<Reduction> {
        let reads = Footprint::of(&system.exprs, conditions);
        let sees_steps = reads.running || reads.timeout || reads.has_inputs(system);
        if sees_steps || !system.fairness.is_empty() || !system.relations.is_empty() || system.processes.len() < 2 {
            return None;
        }
        let watched = Watched { conditions, ..Watched::default() };
        let dependency = Dependency::watching(system, watched, Refinement::Operations, Granularity::Sections);
        let seclusion = Seclusion::new(system, &dependency)?;
        let is_seen = |command| dependency.is_watched(command);
        let together = turning(system, is_seen, |command| dependency.company(command)).raw;
        together.iter().any(|together| !together).then_some(Reduction { dependency, seclusion, together })
    }

    /// Which of the commands that are enabled in a state are to be tried, by their positions; `None` for all of them.
    pub fn choose(&self, machine: &Machine, state: &[u64], commands: &[CommandId]) -> Option<Range<usize>> {
        let mut start = 0;
        let owner = |command: &CommandId| machine.system().commands[*command].owner;
        for group in commands.chunk_by(|a, b| owner(a).process == owner(b).process) {
            let range = start..start + group.len();
            start = range.end;
            let is_alone = group.iter().all(|command| !self.together[command.index()]);
            let place = owner(&group[0]);
            if is_alone
                && let Some(point) = place.from
                && self.seclusion.has(&self.dependency, (place.process, point), machine.layout(), state)
            {
                let is_all =
                    commands.iter().filter(|command| owner(command).process == place.process).count() == range.len();
                return (is_all && range.len() < commands.len()).then_some(range);
            }
        }
        None
    }
}
