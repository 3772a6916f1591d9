//! The multi-process system M = ⟨S, I, P, V⟩ of Eq. (3) of \[GLST05\], in guarded commands.

use super::automaton::ClaimAutomaton;
use super::expr::{Exprs, Node};
use super::footprint::VarSet;
use super::formula::Formulas;
use super::ids::{CommandId, ExprId, FormulaId, PointId, ProcessId, PropertyId, VarId};
use super::sort::Domain;
use super::span::Span;
use super::talk::{Printed, Queue, Statement};
use super::value::{Symbols, Value};
use index_vec::IndexVec;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What happens to a variable in a step whose command does not mention it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Motion {
    /// It keeps its value: the frame condition.
    Kept,
    /// It takes any value of its domain, as far as constraints and relations allow.
    Free,
    /// It follows from the other variables in every state: a [`Definition`] says how.
    Defined,
    /// It is no part of the state: it has a value during a step only.
    Input,
}

/// A variable of V.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its full name, such as `p1.pc` or `a[2]`.
    pub name: String,
    /// The values it can have.
    pub domain: Domain,
    /// What a step does to it by default.
    pub motion: Motion,
    /// Where it is declared.
    pub span: Span,
}

/// A control point of a process: the value j of pc_i, and at_{i,j} the states where pc_i has it.
#[derive(Clone, Debug)]
pub struct ControlPoint {
    /// How people call it.
    pub name: String,
    /// The program counter's value there; `None` if the process has a single control point.
    pub value: Option<Value>,
    /// Whether a process may rest here when nothing moves any more.
    pub end: bool,
}

/// A process P_i of Eq. (4): its transitions T_i are the commands that name it.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its full name, such as `p1`.
    pub name: String,
    /// The program counter pc_i, if the process has one.
    pub pc: Option<VarId>,
    /// The control points, n_i of them (at least one).
    pub points: IndexVec<PointId, ControlPoint>,
    /// Where the process is declared.
    pub span: Span,
}

/// Which value an update stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The value of an expression.
    Exactly(ExprId),
    /// One of the values of a set expression.
    OneOf(ExprId),
    /// Any value of the variable's domain.
    Anything,
}

/// Where an update stores its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A variable.
    Variable(VarId),
    /// The element at a computed index of an array: `length` variables from `first` on. Index and value are
    /// computed from the old state.
    Element {
        /// The element with index `low`.
        first: VarId,
        /// How many elements there are.
        length: u32,
        /// The index of the first element.
        low: i64,
        /// Which element.
        index: ExprId,
    },
}

impl Place {
    /// The variables that the place may stand for.
    pub fn variables(self) -> impl Iterator<Item = VarId> {
        let (first, length) = match self {
            Place::Variable(var) => (var, 1),
            Place::Element { first, length, .. } => (first, length),
        };
        (0..length as usize).map(move |offset| VarId::from(first.index() + offset))
    }
}

/// One of the simultaneous updates of a command.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// What is written.
    pub place: Place,
    /// The new value, computed in the old state (or from other new values, where it says `Next`).
    pub choice: Choice,
    /// Where the update is written.
    pub span: Span,
}

/// How a process takes part in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process that moves.
    pub process: ProcessId,
    /// The control point it has to be at; `None` for any.
    pub from: Option<PointId>,
    /// The control point it goes to; `None` if the updates say so, or if it stays.
    pub to: Option<PointId>,
}

/// A guarded command: part of the transition relation T_i of the process that owns it.
#[derive(Clone, Debug)]
pub struct Command {
    /// The process that makes the step.
    pub owner: Move,
    /// The process that makes the step with it, in a rendezvous.
    pub partner: Option<Move>,
    /// When the command may run, besides the control points.
    pub guard: ExprId,
    /// What it writes, all at once.
    pub updates: Vec<Update>,
    /// A relation between old and new values that has to hold as well.
    pub relation: Option<ExprId>,
    /// Whether the process keeps control afterwards as long as it can move (the inside of an atomic section). In a
    /// rendezvous control goes to the partner.
    pub keeps_control: bool,
    /// What the command does, for people.
    pub label: String,
    /// Where it is written.
    pub span: Span,
}

impl Command {
    /// Who takes part in the step, the owner first.
    pub fn parts(&self) -> impl Iterator<Item = Move> + use<> {
        std::iter::once(self.owner).chain(self.partner)
    }

    /// Which process has control after the command, if any.
    pub fn holder_afterwards(&self) -> Option<ProcessId> {
        self.keeps_control.then_some(self.partner.map_or(self.owner.process, |partner| partner.process))
    }

    /// Whether the command has no effect, apart from what changes in every step.
    pub fn does_nothing(&self) -> bool {
        self.updates.is_empty() && self.relation.is_none() && self.owner.to.is_none() && self.partner.is_none()
    }
}

/// A branch of a `case` that an update is written as: where its value is written, and when it is taken.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The branch is taken if this holds and no earlier one does.
    pub condition: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// `variable` has one of the values of `choice` in every state.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The variable, whose motion is [`Motion::Defined`].
    pub variable: VarId,
    /// Its value, from the variables of the same state.
    pub choice: Choice,
    /// Where the definition is written.
    pub span: Span,
}

/// A condition of the model and where it is written.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// A boolean expression.
    pub holds: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// A fairness constraint, on infinite runs.
#[derive(Clone, Copy, Debug)]
pub enum Fairness {
    /// The condition is true infinitely often.
    Justice(ExprId),
    /// If the first condition is true infinitely often, so is the second.
    Compassion(ExprId, ExprId),
    /// A process that can move from some point on for ever moves infinitely often. The partner in a rendezvous is owed
    /// nothing.
    Weak(ProcessId),
    /// A process that can move infinitely often moves infinitely often.
    Strong(ProcessId),
}

/// What temporal formulas make of a run that comes to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FiniteRuns {
    /// They speak of infinite runs only.
    #[default]
    Ignored,
    /// It stays where it is for ever.
    Prolonged,
}

/// Which number of steps is asked for. It is written as in SMV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The fewest steps from a state of the first kind to one of the second.
    Least,
    /// The most steps that can pass before one of the second kind is there.
    Most,
}

impl std::fmt::Display for Extreme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Extreme::Least => "MIN",
            Extreme::Most => "MAX",
        })
    }
}

/// What is claimed of a system.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The expression is true in every reachable state (on every step, if it mentions inputs or next values).
    Invariant(ExprId),
    /// Every reachable state has a successor, or is a valid end state.
    DeadlockFree,
    /// Every run satisfies the formula.
    Ltl(FormulaId),
    /// Every initial state satisfies the formula.
    Ctl(FormulaId),
    /// No claim, but a question: how many steps there are between states that satisfy formulas of CTL.
    Compute(Extreme, FormulaId, FormulaId),
    /// The expression is true infinitely often on every infinite run.
    Progress(ExprId),
    /// No run is accepted by the automaton at this position of [`System::automata`].
    Never(usize),
    /// Something that the front end reads but the tool does not check, and why.
    Unsupported(String),
}

/// What runs beside the processes while a property is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Company {
    /// Nothing.
    #[default]
    Nothing,
    /// A claim. A process may notice, see [`System::claim_runs`].
    Claim,
}

/// A property of a system.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name; given ones come from the model, the others are numbered.
    pub name: String,
    /// What is claimed.
    pub claim: Claim,
    /// Where it is written.
    pub span: Span,
    /// What runs beside the processes.
    pub company: Company,
}

impl Property {
    /// A property of the processes alone.
    pub fn new(name: String, claim: Claim, span: Span) -> Property {
        Property { name, claim, span, company: Company::Nothing }
    }

    /// The same property, while a claim runs beside the processes.
    pub fn beside_claim(self) -> Property {
        Property { company: Company::Claim, ..self }
    }
}

/// A multi-process system and the properties claimed of it.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The symbolic constants.
    pub symbols: Symbols,
    /// All expressions.
    pub exprs: Exprs,
    /// All temporal formulas.
    pub formulas: Formulas,
    /// V, and the inputs.
    pub variables: IndexVec<VarId, Variable>,
    /// P.
    pub processes: IndexVec<ProcessId, Process>,
    /// The transitions of all processes, in process order.
    pub commands: IndexVec<CommandId, Command>,
    /// Initial values.
    pub initial_values: Vec<Update>,
    /// Conditions on the initial states: with the values above, I.
    pub initial: Vec<Condition>,
    /// Variables that follow from others, each after those it follows from.
    pub definitions: Vec<Definition>,
    /// Conditions on every state.
    pub constraints: Vec<Condition>,
    /// Conditions on every step, whichever process makes it.
    pub relations: Vec<Condition>,
    /// Fairness constraints.
    pub fairness: Vec<Fairness>,
    /// What temporal formulas make of a run that comes to its end.
    pub finite_runs: FiniteRuns,
    /// What is claimed.
    pub properties: IndexVec<PropertyId, Property>,
    /// Invariants that are written as formulas: the same, said of the states that formulas see. Who looks at no others need not be
    /// told which ones these are.
    pub written: BTreeMap<PropertyId, FormulaId>,
    /// Where the conjuncts of conditions in properties are written, so that a report can name the one that fails.
    pub conjuncts: FxHashMap<ExprId, Span>,
    /// The branches of the updates that are written as a `case`, so that a trace can say which one was taken.
    pub branches: FxHashMap<(ProcessId, VarId), Vec<Branch>>,
    /// Whether some command keeps control, so that states record who has it.
    pub has_atomic_sections: bool,
    /// The variable that says whether a claim runs beside the processes, where a process may notice: SPIN counts the claim in `_nr_pr`.
    /// It begins with 0 and nothing writes it; in the [system beside a claim](System::beside_claim) it begins with 1.
    pub claim_runs: Option<VarId>,
    /// Variables that watch the run: guards and the updates of other variables do not read them.
    pub monitors: Vec<VarId>,
    /// The claims as automata, for those who count the product of one of them and the system.
    pub automata: Vec<ClaimAutomaton>,
    /// Where processes wait for others to begin them: commands of other processes write the program counter only while it has this
    /// value.
    pub dormant: BTreeMap<ProcessId, PointId>,
    /// Whether commands are statements of a program, which their labels and spans say.
    pub has_statements: bool,
    /// The queues through which processes send messages, for those who read a run.
    pub queues: Vec<Queue>,
    /// What the values 1, 2 and so on of variables are called, for the same.
    pub value_names: FxHashMap<VarId, Arc<[String]>>,
    /// The statements at each control point of a process, for the same.
    pub statements: FxHashMap<ProcessId, Arc<[Vec<Statement>]>>,
    /// What commands print, for the same.
    pub prints: FxHashMap<CommandId, Vec<Printed>>,
}

impl System {
    /// The same system while a claim runs beside the processes, if a process may notice.
    ///
    /// All ids mean the same in both, and a state says which of them it is a state of, so that both have the same steps: only their initial
    /// states differ.
    pub fn beside_claim(&self) -> Option<System> {
        let claim = self.claim_runs?;
        let mut system = System { claim_runs: None, ..self.clone() };
        let runs = Choice::Exactly(system.exprs.integer(1));
        for update in &mut system.initial_values {
            if update.place == Place::Variable(claim) {
                update.choice = runs;
            }
        }
        Some(system)
    }

    /// How many bits a state takes.
    pub fn state_bits(&self) -> u32 {
        self.state_variables().map(|(_, variable)| variable.domain.bits()).sum()
    }

    /// The variables that are part of a state.
    pub fn state_variables(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.variables.iter_enumerated().filter(|(_, variable)| variable.motion != Motion::Input)
    }

    /// The variables that have a value during a step only.
    pub fn inputs(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.variables.iter_enumerated().filter(|(_, variable)| variable.motion == Motion::Input)
    }

    /// Whether a variable has a value during a step only.
    pub fn is_input(&self, var: VarId) -> bool {
        self.variables[var].motion == Motion::Input
    }

    /// A variable's value by its name, or as SMV writes it.
    pub fn render_value(&self, var: VarId, value: Value) -> String {
        let position = value.checked_sub(1).and_then(|position| usize::try_from(position).ok());
        let name = position.and_then(|position| self.value_names.get(&var)?.get(position));
        name.cloned().unwrap_or_else(|| self.symbols.render(value, self.variables[var].domain.sort()))
    }

    /// Reads a value as [`System::render_value`] writes it, if it belongs to the variable's domain.
    pub fn parse_value(&self, var: VarId, text: &str) -> Option<Value> {
        let names = self.value_names.get(&var).map_or(&[][..], |names| names);
        if let Some(position) = names.iter().position(|name| name == text) {
            return Some(position as Value + 1);
        }
        let domain = &self.variables[var].domain;
        let value = match domain {
            Domain::Boolean => match text {
                "TRUE" => 1,
                "FALSE" => 0,
                _ => return None,
            },
            Domain::Word(word) => {
                let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
                let digits = rest.split_once('_').map_or(rest, |(_, digits)| digits);
                let number: i128 = digits.parse().ok()?;
                word.wrap(if negative { -number } else { number })
            }
            _ => self.symbols.get(text).or_else(|| text.parse().ok())?,
        };
        domain.contains(value).then_some(value)
    }

    /// The control points of all processes.
    pub fn control_points(&self) -> impl Iterator<Item = (ProcessId, PointId)> {
        self.processes
            .iter_enumerated()
            .flat_map(|(id, process)| process.points.indices().map(move |point| (id, point)))
    }

    /// The program counters of all processes.
    pub fn program_counters(&self) -> VarSet {
        let mut counters = VarSet::new(self.variables.len());
        for pc in self.processes.iter().filter_map(|process| process.pc) {
            counters.insert(pc);
        }
        counters
    }

    /// The commands of each process, in order.
    pub fn commands_by_process(&self) -> IndexVec<ProcessId, Vec<CommandId>> {
        let mut own: IndexVec<ProcessId, Vec<CommandId>> = self.processes.iter().map(|_| Vec::new()).collect();
        for (id, command) in self.commands.iter_enumerated() {
            own[command.owner.process].push(id);
        }
        own
    }

    /// Whether some expression asks if nothing else can run.
    pub fn has_timeout(&self) -> bool {
        (0..self.exprs.len()).any(|id| *self.exprs.node(ExprId::from(id)) == Node::Timeout)
    }

    /// Where a process can be while it has control of an atomic section; no point: anywhere.
    pub fn kept_points(&self) -> BTreeSet<(ProcessId, Option<PointId>)> {
        let keeping = self.commands.iter().filter(|command| command.keeps_control);
        keeping.map(holder).map(|part| (part.process, part.to)).collect()
    }

    /// The process with this name.
    pub fn process_named(&self, name: &str) -> Option<ProcessId> {
        self.processes.position(|process| process.name == name)
    }
}

/// The process that moves last in a command.
fn holder(command: &Command) -> Move {
    command.partner.unwrap_or(command.owner)
}
