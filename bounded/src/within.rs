//! One formula for all bounds up to one: a run of at most k steps violates a property.

use super::refutation::{free_rules, goes_wrong};
use encoder::{Bit, ClauseSink, Cnf, Guarded, Lit, Signal, Time, Unrolling, Unsupported};
use system::{Machine, PropertyId, Trace};

/// A formula that is satisfiable if and only if a run of at most k steps violates a property, or comes to where the model has
/// no meaning. It has no restriction, no scheduling constraint and nothing redundant, like those of
/// [`Refutations`](super::Refutations), but it is one for all bounds.
///
/// Where a run can always be made longer by waiting, it says that a run of k steps goes wrong somewhere. Elsewhere each clause
/// of a later step holds, or the run has gone wrong before it.
pub struct Within<'a> {
    machine: &'a Machine,
    unrolling: Unrolling<'a>,
    /// The formula.
    pub formula: Cnf,
    /// What can be told apart in every run: who makes a step, or where a process is. Of each list at most one is true, and
    /// mostly one is.
    pub choices: Vec<Vec<Lit>>,
    /// How a run can go wrong at each depth.
    wrong: Vec<Vec<Lit>>,
}

impl<'a> Within<'a> {
    /// The formula of a property. `None` for properties without an F.
    pub fn new(machine: &'a Machine, property: PropertyId, bound: usize) -> Result<Option<Within<'a>>, Unsupported> {
        let mut sink = Guarded::default();
        let unrolling = Unrolling::new(machine.system(), free_rules(machine, property), &mut sink)?;
        let mut within = Within { machine, unrolling, formula: Cnf::default(), choices: Vec::new(), wrong: Vec::new() };
        for depth in 0..=bound {
            if depth > 0 {
                within.unrolling.extend(&mut sink);
                within.note_choices(Time(depth - 1), &mut sink);
            }
            let Some(wrong) = goes_wrong(machine, property, &mut within.unrolling, None, &mut sink) else {
                return Ok(None);
            };
            if !encoder::can_wait(machine.system()) {
                let by_now = sink.fresh();
                sink.clause(&[&[!by_now], wrong.as_slice()].concat());
                sink.guard = Some(by_now);
            }
            within.wrong.push(wrong);
        }
        let somewhere = sink.guard.map_or_else(|| within.wrong.concat(), |by_now| vec![by_now]);
        sink.cnf.clause(&somewhere);
        within.formula = sink.cnf.normal();
        Ok(Some(within))
    }

    /// Notes what can be told apart at a time that has a step out of it.
    fn note_choices(&mut self, time: Time, sink: &mut dyn ClauseSink) {
        let bits = self.unrolling.bits(time);
        let selectors = bits.iter().filter(|(bit, _)| matches!(bit, Bit::Selector(_))).map(|(_, signal)| *signal);
        let mut groups: Vec<Vec<Signal>> = vec![selectors.collect()];
        for counter in self.machine.system().processes.iter().filter_map(|process| process.pc) {
            let own = bits.iter().filter(|(bit, _)| matches!(bit, Bit::Value(var, _) if *var == counter));
            groups.push(own.map(|(_, signal)| *signal).collect());
        }
        for group in groups {
            let open: Vec<Signal> = group.into_iter().filter(|signal| signal.as_constant().is_none()).collect();
            if !open.is_empty() {
                self.choices.push(open.into_iter().map(|signal| self.unrolling.literal(signal, sink)).collect());
            }
        }
    }

    /// The run of an assignment, up to where it goes wrong; none if it does not.
    pub fn run(&self, holds: impl Fn(Lit) -> bool) -> Option<Trace> {
        let depth = self.wrong.iter().position(|wrong| wrong.iter().any(|lit| holds(*lit)))?;
        let mut trace = self.unrolling.decode(self.machine, holds);
        trace.truncate(depth);
        Some(trace)
    }
}
