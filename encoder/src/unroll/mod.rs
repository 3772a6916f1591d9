//! Unrolling: Eq. (13) of \[GLST05\] without the predicates, I(s_0) ∧ T(s_0, s_1) ∧ ... ∧ T(s_{k-1}, s_k), with the
//! transition relation T of Eq. (6) and its process selector.
//!
//! The selector is one-hot, program counters are one-hot, and frame conditions are in explanatory form: if a variable
//! changed, one of its writers ran. A variable that no command can have written shares the signals of the state before it,
//! so that the known initial state simplifies the first steps.

mod ahead;
mod choose;
mod control;
mod decode;
mod distance;
mod expansion;
mod fire;
mod first_moves;
mod form;
mod idle;
mod initial;
mod names;
mod pass;
mod progress;
mod relation;
mod rules;
mod schedule;
mod seen;
mod snapshot;
mod successor;

pub use ahead::tells_ahead;
pub use expansion::Switch;
pub use fire::decides_deadlock;
pub use idle::can_wait;
pub use names::Bit;
pub use pass::has_passes;
pub use rules::{Alike, Distances, Ending, Grain, Idling, Order, Rules, Scheduling, Valid};
pub use schedule::may_change;
pub use seen::can_stay;
pub use snapshot::Snapshot;

use control::{Control, Sections};
use fire::Movers;
use first_moves::FirstMoves;
use form::forms;
use schedule::Forbidden;

use crate::expr::{Evaluated, Memo, Surroundings, encode};
use crate::gate::{Gates, Signal};
use crate::lit::{ClauseSink, Lit};
use crate::value::{Encoded, Form};
use system::{Choice, CommandId, Domain, ExprId, Exprs, IndexVec, Motion, Node, ProcessId, System, Value, VarId};

/// A state's index in the unrolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(pub usize);

/// Why a system cannot be unrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub &'static str);

/// One state of the unrolling and the step out of it.
struct Frame {
    /// The variables of the state, and the inputs of the step out of it.
    values: Vec<Option<Encoded>>,
    /// Who makes the step out of it; empty for the last state.
    selector: Vec<Signal>,
    /// Whether the step is left out: no process makes it, though one could.
    left_out: Signal,
    /// Which command makes it.
    fires: Vec<Signal>,
    /// Who may move.
    control: Control,
    /// Which processes could make the step; empty if no property asks.
    able: Vec<Signal>,
    /// What expressions have been encoded to.
    memo: Memo,
    /// Ways in which the state, or the step into it, has no meaning.
    faults: Vec<Signal>,
}

impl Frame {
    /// A state of which nothing is known yet, with ways in which the step to it has no meaning.
    fn new(system: &System, faults: Vec<Signal>) -> Frame {
        Frame {
            values: vec![None; system.variables.len()],
            selector: Vec::new(),
            left_out: Signal::FALSE,
            fires: Vec::new(),
            control: Control::default(),
            able: Vec::new(),
            memo: Memo::default(),
            faults,
        }
    }
}

/// A system unrolled to some depth.
pub struct Unrolling<'s> {
    system: &'s System,
    gates: Gates,
    frames: Vec<Frame>,
    forms: Vec<Form>,
    /// Program counters that commands of the step under way send to a value: which, where, and when.
    goals: Vec<(VarId, Value, Signal)>,
    /// Which orders of commands are forbidden, if interleavings are to be pruned.
    forbidden: Option<Forbidden>,
    /// Who can have control of an atomic section.
    sections: Sections,
    /// The commands of each process.
    commands: IndexVec<ProcessId, Vec<CommandId>>,
    rules: Rules,
    /// The switches p_{i,j}, by process and control point.
    switches: Vec<Switch>,
    /// The switches that are on for good.
    released: Vec<Lit>,
    /// Variables that change even if no command writes them.
    moves_by_itself: Vec<VarId>,
    /// How far control points are, by process.
    distances: Vec<distance::Distances>,
    /// Processes that are never selected.
    represented: Vec<ProcessId>,
    /// For each expression, whether it depends on who makes the step; empty if none does.
    mentioning_running: Vec<bool>,
    /// Whether a loop begins in the last state, if one can.
    loop_begins: Option<Signal>,
    /// Processes that make their first moves in an order.
    first_moves: FirstMoves,
}

impl<'s> Unrolling<'s> {
    /// I(s_0): the unrolling of depth 0.
    pub fn new(system: &'s System, rules: Rules, sink: &mut dyn ClauseSink) -> Result<Unrolling<'s>, Unsupported> {
        check_supported(system)?;
        let forms = forms(system);
        let forbidden = (rules.scheduling == Scheduling::Peephole).then(|| Forbidden::new(system));
        let mut unrolling = Unrolling {
            system,
            gates: Gates::default(),
            frames: Vec::new(),
            forms,
            goals: Vec::new(),
            forbidden,
            sections: Sections::new(system),
            commands: commands_by_process(system),
            rules,
            switches: expansion::switches(system, rules, sink),
            released: Vec::new(),
            moves_by_itself: progress::moving_by_themselves(system),
            distances: Vec::new(),
            represented: if rules.idling == Idling::Represented { idle::represented(system) } else { Vec::new() },
            mentioning_running: mentioning_running(&system.exprs),
            loop_begins: None,
            first_moves: FirstMoves::default(),
        };
        unrolling.encode_initial(sink);
        if rules.distances == Distances::Limited {
            unrolling.distances = unrolling.distances();
        }
        Ok(unrolling)
    }

    /// How many steps there are.
    pub fn depth(&self) -> Time {
        Time(self.frames.len() - 1)
    }

    /// Adds T(s_k, s_{k+1}) of Eq. (6).
    pub fn extend(&mut self, sink: &mut dyn ClauseSink) {
        self.encode_step(Movers::Anybody, sink);
    }

    /// F(s_k) of Eq. (5): a literal that says that the last state violates a state invariant.
    pub fn violates(&mut self, invariant: ExprId, sink: &mut dyn ClauseSink) -> Lit {
        let last = self.frames.len() - 1;
        let evaluated = self.evaluate(last, invariant);
        self.frames[last].faults.push(evaluated.fails);
        self.gates.literal(!evaluated.value.boolean(), sink)
    }

    /// The same for an invariant over steps: the last step violates it. `None` if there is no step.
    pub fn step_violates(&mut self, invariant: ExprId, sink: &mut dyn ClauseSink) -> Option<Lit> {
        let before = self.frames.len().checked_sub(2)?;
        let evaluated = self.evaluate(before, invariant);
        self.frames[before + 1].faults.push(evaluated.fails);
        Some(self.gates.literal(!evaluated.value.boolean(), sink))
    }

    /// A literal that says that the model has no meaning in the last state or in the step to it, if that is possible.
    pub fn fault(&mut self, sink: &mut dyn ClauseSink) -> Option<Lit> {
        let faults = self.frames.last().map(|frame| frame.faults.clone()).unwrap_or_default();
        let fault = self.gates.any(&faults);
        (fault != Signal::FALSE).then(|| self.gates.literal(fault, sink))
    }

    /// What an expression is in a state, `Now` being that state and `Next` the one after it.
    fn evaluate(&mut self, time: usize, expr: ExprId) -> Evaluated {
        let timeout = self.timeout(time);
        let (before, after) = self.frames.split_at_mut(time + 1);
        let Frame { values, selector, memo, .. } = &mut before[time];
        let next: &[Option<Encoded>] = after.first().map_or(&[], |frame| &frame.values);
        let around = Surroundings { now: values, next, selector, timeout };
        encode(&self.system.exprs, &mut self.gates, memo, &around, expr).clone()
    }

    /// What an expression without `Next` is in the last state, if a process makes the step out of it: whether `running` is
    /// true does not depend on the selector then, which need not be there yet.
    fn evaluate_by(&mut self, process: ProcessId, expr: ExprId) -> Evaluated {
        let timeout = self.timeout(self.frames.len() - 1);
        if self.mentions_running(expr) { self.evaluate_alone(process, expr, timeout) } else { self.evaluate_last(expr) }
    }

    /// The same with a value of `timeout` of its own, and without remembering what expressions were encoded to.
    fn evaluate_alone(&mut self, process: ProcessId, expr: ExprId, timeout: Option<Signal>) -> Evaluated {
        let mut selector = vec![Signal::FALSE; self.system.processes.len()];
        selector[process.index()] = Signal::TRUE;
        let frame = &self.frames[self.frames.len() - 1];
        let around = Surroundings { now: &frame.values, next: &[], selector: &selector, timeout };
        encode(&self.system.exprs, &mut self.gates, &mut Memo::default(), &around, expr).clone()
    }

    fn mentions_running(&self, expr: ExprId) -> bool {
        self.mentioning_running.get(expr.index()).is_some_and(|mentions| *mentions)
    }

    /// What an expression without `Next` and `running` is in the last state.
    fn evaluate_last(&mut self, expr: ExprId) -> Evaluated {
        self.evaluate(self.frames.len() - 1, expr)
    }

    /// Asserts a condition; where it has no value, that is a fault of the last state.
    fn assert(&mut self, time: usize, expr: ExprId, sink: &mut dyn ClauseSink) {
        for part in self.system.exprs.conjuncts(expr) {
            let evaluated = self.evaluate(time, part);
            self.note_fault(evaluated.fails);
            self.gates.assert_any(&[evaluated.value.boolean(), evaluated.fails], sink);
        }
    }

    fn note_fault(&mut self, fails: Signal) {
        if fails != Signal::FALSE
            && let Some(frame) = self.frames.last_mut()
        {
            frame.faults.push(fails);
        }
    }

    fn domain(&self, var: VarId) -> &'s Domain {
        &self.system.variables[var].domain
    }
}

fn commands_by_process(system: &System) -> IndexVec<ProcessId, Vec<CommandId>> {
    let mut commands: IndexVec<ProcessId, Vec<CommandId>> = system.processes.iter().map(|_| Vec::new()).collect();
    for (id, command) in system.commands.iter_enumerated() {
        commands[command.owner.process].push(id);
    }
    commands
}

/// For each expression, whether `running` is part of it; nothing if it is part of none. Operands come before operators.
fn mentioning_running(exprs: &Exprs) -> Vec<bool> {
    let mut mentions = vec![false; exprs.len()];
    for id in (0..exprs.len()).map(ExprId::from) {
        let mut found = matches!(exprs.node(id), Node::Running(_));
        exprs.for_each_child(id, |child| found |= mentions[child.index()]);
        mentions[id.index()] = found;
    }
    if mentions.contains(&true) { mentions } else { Vec::new() }
}

fn check_supported(system: &System) -> Result<(), Unsupported> {
    if control::is_supported(system) {
        return Ok(());
    }
    Err(Unsupported("atomic sections or timeout beside relations, constraints or inputs"))
}

/// Whether a variable is part of the state.
fn is_state(motion: Motion) -> bool {
    motion != Motion::Input
}

/// The expression of a choice.
fn expression(choice: Choice) -> Option<ExprId> {
    match choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => Some(expr),
        Choice::Anything => None,
    }
}
