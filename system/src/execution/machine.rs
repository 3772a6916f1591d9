//! The machine: a system compiled for execution.

use super::alarm::Alarm;
use super::code::{Program, Registers};
use super::compile::{Constants, Frame, compile};
use super::given::Given;
use super::plan::{Common, Plan, plan_command, plan_initial};
use super::state::{Field, Layout, State};
use crate::definition::fault::Fault;
use crate::definition::footprint::Footprint;
use crate::definition::ids::{CommandId, ExprId, PointId, ProcessId, PropertyId, VarId};
use crate::definition::system::{Claim, Company, Fairness, Motion, Process, Property, System};
use crate::definition::value::Value;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

/// A fault and the command during which it happened (none: in an initial state or a property).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub fault: Fault,
    /// What was being done.
    pub command: Option<CommandId>,
}

/// Why computing states ended before all choices were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Something has no value.
    Failed(Failure),
    /// The alarm rang: no fault of the model.
    Interrupted,
}

impl Halt {
    /// What is wrong with the model, if something is.
    pub fn failure(self) -> Option<Failure> {
        match self {
            Halt::Failed(failure) => Some(failure),
            Halt::Interrupted => None,
        }
    }
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Halt {
        Halt::Failed(failure)
    }
}

/// The commands of one process by control point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dispatch {
    pub pc: Option<VarId>,
    /// The control point that a value of the program counter stands for.
    pub point_of: FxHashMap<Value, PointId>,
    /// For each control point, the commands that can start there, in order.
    pub at: IndexVec<PointId, Vec<CommandId>>,
    /// The commands where the program counter has no control point's value.
    pub anywhere: Vec<CommandId>,
    /// The control point by the number that is stored for the program counter, and where that is, if its domain is small.
    pub point_at: Vec<Option<PointId>>,
    pub field: Option<Field>,
}

impl Dispatch {
    /// The commands that can start where the program counter stands.
    pub fn commands(&self, point: Option<PointId>) -> &[CommandId] {
        point.map_or(&self.anywhere, |point| &self.at[point])
    }
}

/// A condition or a number that is evaluated in many states, such as a part of an invariant, and the variables that it reads.
#[derive(Debug)]
pub struct Predicate {
    program: Program,
    reads: Vec<VarId>,
}

/// A system compiled for execution. It is the only place that knows what a step means.
#[derive(Debug)]
pub struct Machine {
    system: Arc<System>,
    layout: Layout,
    pub(crate) registers: Registers,
    pub(crate) constants: Constants,
    pub(crate) dispatch: IndexVec<ProcessId, Dispatch>,
    /// Compiled when first needed: a large model has many commands that a short run never meets.
    commands: IndexVec<CommandId, OnceLock<Plan>>,
    initial: OnceLock<Plan>,
    invariants: IndexVec<PropertyId, OnceLock<Vec<Predicate>>>,
    /// Which properties are invariants over single states.
    state_invariants: IndexVec<PropertyId, bool>,
    /// What the plans of all commands have in common.
    pub(crate) common: Common,
    /// Whether some expression asks if nothing else can move.
    pub(crate) waits: bool,
    pub(crate) alarm: Alarm,
    /// The machine of the system beside a claim, once it is needed.
    beside_claim: OnceLock<Option<Box<Machine>>>,
}

/// The memory that one thread needs to run a machine; see [`Machine::workspace`].
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// How many choices were made since the alarm was asked, and what had been executed then.
    pub(crate) chosen: u32,
    pub(crate) alarmed: u64,
    pub(crate) values: Vec<Value>,
    pub(crate) emitted: Vec<Value>,
    pub(crate) choices: Vec<super::step::ChoicePoint>,
    pub(crate) packed: Vec<u64>,
    /// A number that decides where choices begin; zero if each begins with its first candidate.
    pub(crate) turning: u64,
    /// Inputs that have no other value than these.
    pub(crate) pinned: Vec<(VarId, Value)>,
    /// Plans for commands of which some inputs are known.
    pub(crate) given: Given,
    /// How many instructions were executed, and values brought in.
    pub(crate) executed: u64,
}

impl Workspace {
    /// How much has been computed: instructions that were executed, and values that were brought in. The same in each run, and about
    /// proportional to the time that it took.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// Where the next choice begins: G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8, 2003.
    pub(crate) fn turn(&mut self) -> u64 {
        self.turning ^= self.turning << 13;
        self.turning ^= self.turning >> 7;
        self.turning ^= self.turning << 17;
        self.turning
    }
}

/// How many expressions are looked at between two looks at the alarm.
const PATIENCE: usize = 1 << 14;

impl Machine {
    /// Prepares a system for execution.
    pub fn new(system: Arc<System>) -> Machine {
        let Ok(machine) = Machine::prepared(system, |_| Ok::<(), Infallible>(()));
        machine
    }

    /// The same, if the alarm does not ring before the end. It is not asked about a small system.
    pub fn until(system: Arc<System>, alarm: &Alarm) -> Option<Machine> {
        let mut work = 0;
        let looked = Machine::prepared(system, |more| {
            work += more;
            let is_much = work >= PATIENCE;
            work = if is_much { 0 } else { work };
            if is_much && alarm.rings() { Err(()) } else { Ok(()) }
        });
        looked.ok()
    }

    /// Prepares a system. `look` is told of the expressions that were looked at since it was last asked whether to go on.
    fn prepared<E>(system: Arc<System>, mut look: impl FnMut(usize) -> Result<(), E>) -> Result<Machine, E> {
        let (mut state_invariants, mut observed) = (IndexVec::new(), BTreeSet::new());
        for property in &system.properties {
            look(system.exprs.len())?;
            state_invariants.push(is_state_invariant(&system, property));
            observed.extend(observed_inputs(&system, property));
        }
        look(system.exprs.len())?;
        let registers = Registers::new(system.variables.len());
        let constants = Constants::new(&system.exprs, registers);
        let layout = Layout::new(&system);
        look(system.exprs.len())?;
        let dispatch = dispatch(&system, &layout);
        look(system.exprs.len())?;
        Ok(Machine {
            registers,
            constants,
            dispatch,
            layout,
            commands: system.commands.iter().map(|_| OnceLock::new()).collect(),
            initial: OnceLock::new(),
            invariants: system.properties.iter().map(|_| OnceLock::new()).collect(),
            state_invariants,
            common: Common { observed: observed.into_iter().collect(), free: free_variables(&system) },
            waits: system.has_timeout(),
            alarm: Alarm::default(),
            beside_claim: OnceLock::new(),
            system,
        })
    }

    /// From now on, computing states ends with [`Halt::Interrupted`] when the alarm rings.
    pub fn heed(&mut self, alarm: Alarm) {
        if let Some(Some(beside)) = self.beside_claim.get_mut() {
            beside.heed(alarm.clone());
        }
        self.alarm = alarm;
    }

    /// A machine for the same system, which heeds no alarm.
    pub fn anew(&self) -> Machine {
        Machine::new(Arc::clone(&self.system))
    }

    /// The machine on which a property is to be checked: the one where a claim runs beside the processes, if the property is asked
    /// beside a claim and a process may notice.
    pub fn of(&self, property: PropertyId) -> &Machine {
        match self.system.properties[property].company {
            Company::Nothing => self,
            Company::Claim => self.beside_claim().unwrap_or(self),
        }
    }

    /// The machine where a claim runs beside the processes, if a process may notice.
    pub fn beside_claim(&self) -> Option<&Machine> {
        let beside = || {
            let mut machine = Machine::new(Arc::new(self.system.beside_claim()?));
            machine.heed(self.alarm.clone());
            Some(Box::new(machine))
        };
        self.beside_claim.get_or_init(beside).as_deref()
    }

    /// Properties by the machine on which they are to be checked; without any, this one has none.
    pub fn grouped(&self, properties: &[PropertyId]) -> Vec<(&Machine, Vec<PropertyId>)> {
        let is_beside = |property: &PropertyId| self.system.properties[*property].company == Company::Claim;
        match self.beside_claim() {
            Some(machine) if properties.iter().any(is_beside) => {
                let (beside, alone): (Vec<PropertyId>, Vec<PropertyId>) =
                    properties.iter().partition(|one| is_beside(one));
                let groups = [(self, alone), (machine, beside)];
                groups.into_iter().filter(|(_, properties)| !properties.is_empty()).collect()
            }
            _ => vec![(self, properties.to_vec())],
        }
    }

    /// What runs beside the processes in a run with this state. In a machine that is [one of two](Machine::of), the state tells; otherwise
    /// nothing does.
    pub(crate) fn company_in(&self, state: &State) -> Option<Company> {
        let runs = self.layout.get(&state.0, self.system.claim_runs?)?;
        Some(if runs == 0 { Company::Nothing } else { Company::Claim })
    }

    /// The system behind the machine.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// How its states are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Memory for running it.
    pub fn workspace(&self) -> Workspace {
        let mut values = vec![0; self.registers.constants() as usize];
        for (var, variable) in self.system.inputs() {
            values[var.index()] = variable.domain.value_at(0);
        }
        values.extend(&self.constants.values);
        let packed = vec![0; self.layout.words()];
        Workspace {
            chosen: 0,
            alarmed: 0,
            values,
            emitted: Vec::new(),
            choices: Vec::new(),
            packed,
            turning: 0,
            pinned: Vec::new(),
            given: Given::default(),
            executed: 0,
        }
    }

    pub(crate) fn plan(&self, command: CommandId) -> &Plan {
        self.commands[command]
            .get_or_init(|| plan_command(&self.system, &self.constants, self.registers, command, &self.common))
    }

    pub(crate) fn initial_plan(&self) -> &Plan {
        self.initial.get_or_init(|| plan_initial(&self.system, &self.constants, self.registers))
    }

    /// The control point that a process is at in a state, if its program counter says so.
    pub fn point(&self, process: ProcessId, state: &State) -> Option<PointId> {
        self.point_in(process, &state.0)
    }

    /// The same for the words of a state.
    #[inline]
    pub fn point_in(&self, process: ProcessId, state: &[u64]) -> Option<PointId> {
        let dispatch = &self.dispatch[process];
        match (dispatch.field, dispatch.pc) {
            (Some(field), _) => dispatch.point_at[field.get(state) as usize],
            (None, Some(pc)) => dispatch.point_of.get(&self.layout.get(state, pc)?).copied(),
            (None, None) => Some(PointId::new(0)),
        }
    }

    /// Whether an invariant speaks of single states, so that [`Machine::holds`] can decide it.
    pub fn is_state_invariant(&self, property: PropertyId) -> bool {
        self.state_invariants[property]
    }

    /// Whether a state satisfies an invariant over states; other properties hold of every single state.
    pub fn holds(&self, property: PropertyId, state: &[u64], workspace: &mut Workspace) -> Result<bool, Failure> {
        for conjunct in self.invariant(property) {
            self.layout.unpack_some(state, &conjunct.reads, &mut workspace.values);
        }
        self.holds_now(property, workspace)
    }

    /// The parts of an invariant, all of which have to hold. One that can fail to have a value is a single part,
    /// because the order of evaluation matters then.
    fn invariant(&self, property: PropertyId) -> &[Predicate] {
        let Claim::Invariant(expr) = self.system.properties[property].claim else { return &[] };
        self.invariants[property].get_or_init(|| {
            let exprs = &self.system.exprs;
            let parts = if exprs.is_total(expr) { exprs.conjuncts(expr) } else { vec![expr] };
            parts.into_iter().map(|part| self.predicate(part)).collect()
        })
    }

    /// Prepares a condition over single states for evaluation.
    pub fn predicate(&self, condition: ExprId) -> Predicate {
        let exprs = &self.system.exprs;
        Predicate {
            program: compile(exprs, &self.constants, condition, Frame::Current),
            reads: Footprint::of(exprs, &[condition]).now,
        }
    }

    /// Whether a state satisfies a condition.
    pub fn satisfies(&self, predicate: &Predicate, state: &[u64], workspace: &mut Workspace) -> Result<bool, Failure> {
        self.layout.unpack_some(state, &predicate.reads, &mut workspace.values);
        self.conjunct_holds(predicate, workspace)
    }

    /// The value of an expression in a state, if it has one.
    pub fn number(&self, expr: &Predicate, state: &[u64], workspace: &mut Workspace) -> Result<Value, Fault> {
        self.layout.unpack_some(state, &expr.reads, &mut workspace.values);
        self.run(&expr.program, workspace)
    }

    /// Whether a condition holds in a state from which a process moves.
    pub fn satisfies_when(
        &self,
        predicate: &Predicate,
        state: &[u64],
        runs: ProcessId,
        workspace: &mut Workspace,
    ) -> Result<bool, Failure> {
        workspace.values[self.registers.running() as usize] = runs.raw().into();
        self.satisfies(predicate, state, workspace)
    }

    /// Whether an invariant holds of what the workspace has as current state (and step, if it speaks of steps).
    pub(crate) fn holds_now(&self, property: PropertyId, workspace: &mut Workspace) -> Result<bool, Failure> {
        for conjunct in self.invariant(property) {
            if !self.conjunct_holds(conjunct, workspace)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn conjunct_holds(&self, conjunct: &Predicate, workspace: &mut Workspace) -> Result<bool, Failure> {
        let value = self.run(&conjunct.program, workspace);
        value.map(|value| value != 0).map_err(|fault| Failure { fault, command: None })
    }

    /// Whether some parts of an invariant hold in a state; see [`Machine::influenced_parts`].
    pub fn parts_hold(
        &self,
        property: PropertyId,
        parts: &[u32],
        state: &[u64],
        workspace: &mut Workspace,
    ) -> Result<bool, Failure> {
        let all = self.invariant(property);
        for part in parts {
            if !self.satisfies(&all[*part as usize], state, workspace)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The parts of an invariant that a command may change: where it held before, only they can fail to hold after.
    pub fn influenced_parts(&self, command: CommandId, property: PropertyId) -> Vec<u32> {
        let changed = &self.plan(command).changed;
        let parts = self.invariant(property).iter().zip(0..);
        let influenced = parts.filter(|(part, _)| changed.iter().any(|var| part.reads.contains(var)));
        influenced.map(|(_, index)| index).collect()
    }

    /// Evaluates an expression in a state.
    pub fn evaluate(&self, expr: ExprId, state: &State, workspace: &mut Workspace) -> Result<Value, Fault> {
        self.layout.unpack(&state.0, &mut workspace.values);
        let program = compile(&self.system.exprs, &self.constants, expr, Frame::Current);
        self.run(&program, workspace)
    }

    pub(crate) fn run(&self, program: &Program, workspace: &mut Workspace) -> Result<Value, Fault> {
        if workspace.values.len() < program.registers {
            workspace.values.resize(program.registers, 0);
        }
        program.run(self.registers, &mut workspace.values, &mut workspace.emitted, &mut workspace.executed)
    }

    /// A state's values, indexed by variable (inputs are 0).
    pub fn values(&self, state: &State) -> Vec<Value> {
        let mut values = vec![0; self.system.variables.len()];
        self.layout.unpack(&state.0, &mut values);
        values
    }
}

fn is_state_invariant(system: &System, property: &Property) -> bool {
    let Claim::Invariant(expr) = property.claim else { return false };
    let reads = Footprint::of(&system.exprs, &[expr]);
    let reads_inputs = reads.has_inputs(system);
    !(reads_inputs || reads.running || !reads.next.is_empty())
}

fn free_variables(system: &System) -> Vec<VarId> {
    let free = system.variables.iter_enumerated().filter(|(_, variable)| variable.motion == Motion::Free);
    free.map(|(var, _)| var).collect()
}

/// Inputs that a property mentions.
fn observed_inputs(system: &System, property: &Property) -> Vec<VarId> {
    let exprs = match property.claim {
        Claim::Invariant(expr) => vec![expr],
        Claim::Ltl(formula) => system.formulas.states(formula).into_iter().chain(fairness(system)).collect(),
        Claim::Progress(expr) => std::iter::once(expr).chain(fairness(system)).collect(),
        Claim::Never(automaton) => {
            let moves = system.automata[automaton].moves.iter().flatten();
            moves.map(|step| step.guard).chain(fairness(system)).collect()
        }
        _ => return Vec::new(),
    };
    let reads = Footprint::of(&system.exprs, &exprs).now;
    reads.into_iter().filter(|var| system.is_input(*var)).collect()
}

/// The conditions that fairness constraints are about.
fn fairness(system: &System) -> impl Iterator<Item = ExprId> {
    system.fairness.iter().flat_map(|constraint| match *constraint {
        Fairness::Justice(often) => vec![often],
        Fairness::Compassion(often, then) => vec![often, then],
        Fairness::Weak(_) | Fairness::Strong(_) => Vec::new(),
    })
}

/// The control points in the order of the program counter's domain; nothing if that is large.
fn has_small_domain(system: &System, pc: VarId) -> bool {
    const LARGEST: u128 = 1 << 16;
    system.variables[pc].domain.size() <= LARGEST
}

fn points_by_index(system: &System, process: &Process) -> Vec<Option<PointId>> {
    let pc = process.pc.filter(|pc| has_small_domain(system, *pc));
    let Some(domain) = pc.map(|pc| &system.variables[pc].domain) else { return Vec::new() };
    let mut points = vec![None; domain.size() as usize];
    for (point, info) in process.points.iter_enumerated() {
        if let Some(value) = info.value.filter(|value| domain.contains(*value)) {
            points[domain.index_of(value) as usize] = Some(point);
        }
    }
    points
}

fn dispatch(system: &System, layout: &Layout) -> IndexVec<ProcessId, Dispatch> {
    let mut table: IndexVec<ProcessId, Dispatch> = system
        .processes
        .iter()
        .map(|process| Dispatch {
            pc: process.pc,
            field: process.pc.filter(|pc| has_small_domain(system, *pc)).and_then(|pc| layout.field(pc)),
            point_of: (process.points.iter_enumerated())
                .filter_map(|(point, info)| info.value.map(|value| (value, point)))
                .collect(),
            at: process.points.iter().map(|_| Vec::new()).collect(),
            anywhere: Vec::new(),
            point_at: points_by_index(system, process),
        })
        .collect();
    for (id, command) in system.commands.iter_enumerated() {
        let entry = &mut table[command.owner.process];
        match command.owner.from {
            Some(point) => entry.at[point].push(id),
            None => {
                entry.at.iter_mut().for_each(|commands| commands.push(id));
                entry.anywhere.push(id);
            }
        }
    }
    table
}
