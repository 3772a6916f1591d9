//! Traces, and their replay: checking states and steps that are claimed against the system.
//!
//! Replay shares the compiled expressions with the enumeration of successors but not its plans: it checks every
//! update, definition, relation and constraint by itself, so that each of the two is a test of the other.

use super::code::Program;
use super::compact::Compact;
use super::compile::{Frame, compile, compile_choice};
use super::machine::{Machine, Workspace};
use super::state::State;
use crate::definition::ids::{CommandId, ExprId, ProcessId, PropertyId, VarId};
use crate::definition::span::Span;
use crate::definition::system::{Choice, Claim, Command, Company, Motion, Place};
use crate::definition::value::Value;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Who moved between two states of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The process.
    pub process: ProcessId,
    /// Its command, if known; any of the process's commands may explain the step otherwise.
    pub command: Option<CommandId>,
    /// The values of the inputs during the step.
    pub inputs: Vec<(VarId, Value)>,
}

/// A run of a system: the state `i` goes to the state `i + 1` by the move `i`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The states, the first one initial.
    pub states: Compact<State>,
    /// The steps between them: one fewer than states.
    pub moves: Compact<Moved>,
    /// The state that the last state is equal to and the run goes on from, for ever.
    pub loop_start: Option<usize>,
}

/// Why a trace is not a run of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The index of the first state that is wrong.
    pub state: usize,
    /// What is wrong with it.
    pub reason: String,
    /// The part of the model that it contradicts.
    pub span: Option<Span>,
}

/// Why a state cannot be where it is.
type Refusal = (String, Option<Span>);

impl Trace {
    /// A run that has not begun to move.
    pub fn starting(first: State) -> Trace {
        Trace { states: [first].into_iter().collect(), ..Trace::default() }
    }

    /// Adds a step, and the state that it leads to.
    pub fn push(&mut self, moved: Moved, to: State) {
        self.moves.push(moved);
        self.states.push(to);
    }

    /// Keeps the first steps only.
    pub fn truncate(&mut self, steps: usize) {
        self.moves.truncate(steps);
        self.states.truncate(steps + 1);
    }

    /// The first steps of the run, which do not go round.
    pub fn beginning(&self, steps: usize) -> Trace {
        let (states, moves) = (self.states.iter().take(steps + 1), self.moves.iter().take(steps));
        Trace { states: states.collect(), moves: moves.collect(), loop_start: None }
    }

    /// The steps: from where, by which move, to where.
    pub fn steps(&self) -> impl Iterator<Item = (State, Moved, State)> + Clone {
        let pairs = self.states.iter().zip(self.moves.iter()).zip(self.states.since(1));
        pairs.map(|((from, moved), to)| (from, moved, to))
    }

    /// Re-executes the trace. On success, the commands that explain its steps. A run [beside a claim](Machine::of) is one, too.
    pub fn replay(&self, machine: &Machine) -> Result<Vec<CommandId>, Mismatch> {
        let at = |state: usize| move |(reason, span): Refusal| Mismatch { state, reason, span };
        let first = self.states.first().ok_or_else(|| at(0)(("the trace is empty".to_owned(), None)))?;
        let machine = match machine.company_in(&first) {
            Some(Company::Claim) => machine.beside_claim().unwrap_or(machine),
            _ => machine,
        };
        let mut replay = Replay::new(machine);
        replay.initial(&first).map_err(at(0))?;
        let mut commands = Vec::new();
        let (mut from, mut following) = (first, self.states.since(1));
        for (index, moved) in self.moves.iter().enumerate() {
            let Some(to) = following.next() else {
                return Err(at(index + 1)(("the trace has more steps than states".to_owned(), None)));
            };
            commands.push(replay.step(&from, &moved, &to).map_err(at(index + 1))?);
            from = to;
        }
        let last = self.states.len() - 1;
        if last > self.moves.len() {
            return Err(at(self.moves.len() + 1)(("the trace has a state that no step leads to".to_owned(), None)));
        }
        let comes_back = |start: usize| {
            let ends = self.states.get(start).zip(self.states.last());
            start < last && ends.is_some_and(|(from, to)| machine.comes_back(&from, to))
        };
        match self.loop_start {
            Some(start) if !comes_back(start) => {
                Err(at(last)((format!("the last state is not the state {start} where the loop starts"), None)))
            }
            _ => Ok(commands),
        }
    }

    /// The index of the first state that violates an invariant, or after the first step that does. A temporal formula is
    /// violated by the whole of an infinite fair run: the index is that of its last state. A property that is asked
    /// beside a claim is violated by no run without one where a process may notice, nor the other way round.
    pub fn violates(&self, machine: &Machine, property: PropertyId) -> Option<usize> {
        let company = machine.company_in(&self.states.first()?);
        if company.is_some_and(|company| company != machine.system().properties[property].company) {
            return None;
        }
        let mut workspace = machine.workspace();
        match machine.system().properties[property].claim {
            Claim::Invariant(_) if machine.is_state_invariant(property) => {
                self.states.iter().position(|state| machine.holds(property, &state.0, &mut workspace) == Ok(false))
            }
            Claim::Invariant(_) => {
                let mut replay = Replay::new(machine);
                let step = self.steps().position(|(from, moved, to)| {
                    replay.load(&from, &to, Some(&moved));
                    replay.timeout_if_needed(&from);
                    machine.holds_now(property, &mut replay.workspace) == Ok(false)
                });
                step.map(|step| step + 1)
            }
            Claim::DeadlockFree => {
                let last = self.states.last()?;
                let stuck = machine.can_move(&last.0, &mut workspace) == Ok(false) && !machine.is_valid_end(last);
                stuck.then(|| self.states.len() - 1)
            }
            Claim::Ltl(formula) => self.violates_formula(machine, formula).then(|| self.states.len() - 1),
            Claim::Progress(expr) => self.lacks_progress(machine, expr).then(|| self.states.len() - 1),
            Claim::Never(automaton) => self.is_accepted(machine, automaton).then(|| self.states.len() - 1),
            _ => None,
        }
    }
}

impl Machine {
    /// Whether a process's move leads from one state to another, and by which command.
    pub fn check_step(&self, from: &State, moved: &Moved, to: &State) -> Result<CommandId, Mismatch> {
        let holder = self.layout().holder(&from.0);
        let mut replay = Replay { holder, ..Replay::new(self) };
        replay.step(from, moved, to).map_err(|(reason, span)| Mismatch { state: 1, reason, span })
    }

    /// Where the model says what the step did to a variable: the branch that was taken, or the whole update.
    pub fn cause(&self, from: &State, moved: &Moved, to: &State, var: VarId) -> Option<Span> {
        let mut replay = Replay::new(self);
        replay.load(from, to, Some(moved));
        replay.timeout_if_needed(from);
        let branches = self.system().branches.get(&(moved.process, var));
        let taken = branches
            .into_iter()
            .flatten()
            .find(|branch| replay.evaluate(branch.condition, Frame::Current).is_ok_and(|value| value != 0));
        if let Some(branch) = taken {
            return Some(branch.span);
        }
        let updates = &self.system().commands[moved.command?].updates;
        updates.iter().find(|update| replay.target(update.place) == Ok(var)).map(|update| update.span)
    }

    /// Whether a state is initial.
    pub fn check_initial(&self, state: &State) -> Result<(), Mismatch> {
        let mut replay = Replay::new(self);
        replay.initial(state).map_err(|(reason, span)| Mismatch { state: 0, reason, span })
    }
}

pub(crate) struct Replay<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) workspace: Workspace,
    /// Who has control inside an atomic section.
    pub(crate) holder: Option<ProcessId>,
    /// What was compiled so far: a run makes the same steps over and over.
    programs: FxHashMap<(ExprId, Frame, Values), Rc<Program>>,
}

/// What a program says of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Values {
    /// Its value.
    One,
    /// Each value that it can have.
    All,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(machine: &'a Machine) -> Replay<'a> {
        Replay { machine, workspace: machine.workspace(), holder: None, programs: FxHashMap::default() }
    }

    fn program(&mut self, expr: ExprId, frame: Frame, values: Values) -> Rc<Program> {
        let machine = self.machine;
        let compile = match values {
            Values::One => compile,
            Values::All => compile_choice,
        };
        let known = self.programs.entry((expr, frame, values));
        Rc::clone(known.or_insert_with(|| Rc::new(compile(&machine.system().exprs, &machine.constants, expr, frame))))
    }

    fn initial(&mut self, state: &State) -> Result<(), Refusal> {
        let machine = self.machine;
        let system = machine.system();
        self.load(state, state, None);
        for update in &system.initial_values {
            let Place::Variable(var) = update.place else { continue };
            self.agrees(var, update.choice, Frame::Following, update.span)?;
        }
        for condition in &system.initial {
            self.condition(condition.holds, Frame::Following, condition.span, "the initial condition")?;
        }
        self.state_is_consistent()
    }

    fn step(&mut self, from: &State, moved: &Moved, to: &State) -> Result<CommandId, Refusal> {
        let system = self.machine.system();
        let name = &system.processes[moved.process].name;
        if let Some(holder) = self.holder.filter(|holder| *holder != moved.process)
            && self.has_control(holder, from)
        {
            let holder = &system.processes[holder].name;
            return Err((format!("{name} moves while {holder} is inside an atomic section"), None));
        }
        let point = self.machine.point(moved.process, from);
        let candidates = system.commands.iter_enumerated().filter(|(id, command)| {
            moved.command.is_none_or(|wanted| wanted == *id)
                && command.owner.process == moved.process
                && command.owner.from.is_none_or(|from| Some(from) == point)
        });
        let mut refusal = (format!("{name} has no command here"), None);
        for (id, command) in candidates {
            self.load(from, to, Some(moved));
            match self.fires(command, from) {
                Ok(()) => {
                    self.holder = command.holder_afterwards();
                    return Ok(id);
                }
                Err(reason) => refusal = reason,
            }
        }
        Err(refusal)
    }

    /// Whether a process inside an atomic section can go on. One that waits for a timeout has lost control.
    pub(crate) fn has_control(&mut self, process: ProcessId, state: &State) -> bool {
        let enabled = self.machine.enabled(&state.0, &mut self.workspace).unwrap_or_default();
        let waits = self.workspace.values[self.machine.registers.timeout() as usize] != 0;
        !waits && enabled.iter().any(|command| self.machine.system().commands[*command].owner.process == process)
    }

    pub(crate) fn load(&mut self, from: &State, to: &State, moved: Option<&Moved>) {
        let (machine, values) = (self.machine, &mut self.workspace.values);
        let variables = machine.system().variables.len();
        machine.layout().unpack(&from.0, values);
        machine.layout().unpack(&to.0, &mut values[variables..]);
        if let Some(moved) = moved {
            values[machine.registers.running() as usize] = moved.process.raw().into();
            for (var, value) in &moved.inputs {
                values[var.index()] = *value;
            }
        }
    }

    /// Whether the command leads from the loaded current state to the loaded next state.
    fn fires(&mut self, command: &Command, from: &State) -> Result<(), Refusal> {
        let system = self.machine.system();
        if let Some(partner) = command.partner
            && partner.from.is_some_and(|point| self.machine.point(partner.process, from) != Some(point))
        {
            let name = &system.processes[partner.process].name;
            return Err((format!("{name} is not where it could take part"), Some(command.span)));
        }
        self.timeout_if_needed(from);
        self.condition(command.guard, Frame::Current, command.span, "the guard")?;
        let mut written = vec![false; system.variables.len()];
        self.processes_arrive(command, &mut written)?;
        for update in &command.updates {
            let var = self.target(update.place).map_err(|reason| (reason, Some(update.span)))?;
            written[var.index()] = true;
            self.agrees(var, update.choice, Frame::Current, update.span)?;
        }
        self.frame(&written)?;
        for relation in &system.relations {
            self.condition(relation.holds, Frame::Current, relation.span, "the transition relation")?;
        }
        if let Some(relation) = command.relation {
            self.condition(relation, Frame::Current, command.span, "the command's relation")?;
        }
        self.state_is_consistent()
    }

    /// `timeout` is true when no command can run without it.
    fn timeout_if_needed(&mut self, from: &State) {
        let register = self.machine.registers.timeout() as usize;
        if !self.machine.waits {
            self.workspace.values[register] = 0;
            return;
        }
        let mut other = self.machine.workspace();
        let enabled = self.machine.enabled(&from.0, &mut other).unwrap_or_default();
        let needed = other.values[register];
        self.workspace.values[register] = if enabled.is_empty() { 0 } else { needed };
    }

    fn processes_arrive(&mut self, command: &Command, written: &mut [bool]) -> Result<(), Refusal> {
        let system = self.machine.system();
        for part in command.parts() {
            let process = &system.processes[part.process];
            if let (Some(pc), Some(to)) = (process.pc, part.to) {
                written[pc.index()] = true;
                if Some(self.next(pc)) != process.points[to].value {
                    let reason = format!("{} does not arrive at {}", process.name, process.points[to].name);
                    return Err((reason, Some(command.span)));
                }
            }
        }
        Ok(())
    }

    fn target(&mut self, place: Place) -> Result<VarId, String> {
        match place {
            Place::Variable(var) => Ok(var),
            Place::Element { first, length, low, index } => {
                let index = self.evaluate(index, Frame::Current)?;
                let offset = index.checked_sub(low).filter(|offset| (0..i64::from(length)).contains(offset));
                let offset = offset.ok_or_else(|| format!("the index {index} is out of bounds"))?;
                Ok(VarId::from(first.index() + offset as usize))
            }
        }
    }

    fn next(&self, var: VarId) -> Value {
        self.workspace.values[self.machine.registers.next(var) as usize]
    }

    /// What no command writes keeps its value.
    fn frame(&self, written: &[bool]) -> Result<(), Refusal> {
        let system = self.machine.system();
        for (var, variable) in system.state_variables() {
            let (old, new) = (self.workspace.values[var.index()], self.next(var));
            if variable.motion == Motion::Kept && !written[var.index()] && old != new {
                let (old, new) = (system.render_value(var, old), system.render_value(var, new));
                let reason = format!("no process changes {} here, but it goes from {old} to {new}", variable.name);
                return Err((reason, Some(variable.span)));
            }
        }
        Ok(())
    }

    /// Definitions and constraints hold in the next state.
    fn state_is_consistent(&mut self) -> Result<(), Refusal> {
        let machine = self.machine;
        for definition in &machine.system().definitions {
            self.agrees(definition.variable, definition.choice, Frame::Following, definition.span)?;
        }
        for constraint in &machine.system().constraints {
            self.condition(constraint.holds, Frame::Following, constraint.span, "the state constraint")?;
        }
        Ok(())
    }

    pub(crate) fn evaluate(&mut self, expr: ExprId, frame: Frame) -> Result<Value, String> {
        let machine = self.machine;
        let program = self.program(expr, frame, Values::One);
        let value = machine.run(&program, &mut self.workspace);
        value.map_err(|fault| fault.describe(machine.system()))
    }

    fn condition(&mut self, expr: ExprId, frame: Frame, span: Span, what: &str) -> Result<(), Refusal> {
        match self.evaluate(expr, frame) {
            Ok(0) => Err((format!("{what} is false"), Some(span))),
            Ok(_) => Ok(()),
            Err(fault) => Err((format!("{what} has no value: {fault}"), Some(span))),
        }
    }

    /// Whether the variable's next value is one that the choice allows.
    fn agrees(&mut self, var: VarId, choice: Choice, frame: Frame, span: Span) -> Result<(), Refusal> {
        let (Choice::Exactly(expr) | Choice::OneOf(expr)) = choice else { return Ok(()) };
        let machine = self.machine;
        let system = machine.system();
        let program = self.program(expr, frame, Values::All);
        self.workspace.emitted.clear();
        if let Err(fault) = machine.run(&program, &mut self.workspace) {
            return Err((fault.describe(system), Some(span)));
        }
        let found = self.next(var);
        if self.workspace.emitted.contains(&found) {
            return Ok(());
        }
        let allowed: Vec<String> =
            self.workspace.emitted.iter().map(|value| system.render_value(var, *value)).collect();
        let found = system.render_value(var, found);
        Err((
            format!("{} is {found}, but the model makes it {}", system.variables[var].name, allowed.join(" or ")),
            Some(span),
        ))
    }
}
