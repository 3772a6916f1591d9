//! From the syntax tree to the system: instances, variables, channels, commands, properties.
//!
//! A process of the system is a pair of a pid and a proctype that can run there. Its first control point means that it
//! does not run; then all its variables are 0, so that equal states of SPIN are equal states here. `run` is a command
//! that puts the process with the next free pid to its first statement; a process dies by going back.

mod action;
mod channel;
mod claim;
mod command;
mod effect;
mod expr;
mod hidden;
mod instance;
mod introspection;
mod labels;
mod message;
mod operator;
mod otherwise;
mod printing;
mod priority;
mod property;
mod sight;
mod storage;
mod trace;

use super::ast::{Ast, Mtype};
use super::codes;
use super::flow::{Automaton, Role, automaton};
use super::room::Room;
use super::trail::Trail;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Source;
use channel::{Channel, Holders};
use instance::{Creature, Instance};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use storage::Storage;
use system::{Domain, ExprId, FiniteRuns, Motion, Span, System, VarId, Variable};
use trace::TraceMonitor;

/// The most variables that a model may have.
const MOST_VARIABLES: usize = 1_000_000;

/// A model that was lowered.
pub struct Lowered {
    /// Its meaning.
    pub system: System,
    /// How SPIN names the steps.
    pub trail: Trail,
    /// For how many processes there is room.
    pub room: Room,
    /// The variable that counts them.
    pub process_count: VarId,
}

/// Lowers a model, with this room where the number of processes is not known beforehand. The system is meaningful only
/// if there are no errors among the diagnostics.
pub fn lower(ast: &Ast, source: &Source, room: Room, diagnostics: &mut Diagnostics) -> Lowered {
    let automata = (ast.proctypes.iter())
        .map(|proctype| automaton(proctype, Role::Process, &ast.observed_labels(&proctype.name), diagnostics))
        .collect();
    let claims = ast.claims.iter().map(|claim| (claim, Role::Claim));
    let trace = ast.trace.iter().map(|assertion| (&assertion.body, Role::Process));
    let watching = (claims.chain(trace))
        .map(|(body, role)| (body.earlier, automaton(body, role, &FxHashSet::default(), diagnostics).numbered))
        .collect();
    let mut lowering = Lowering {
        ast,
        source,
        diagnostics,
        system: System::default(),
        automata,
        watching,
        room,
        instances: Vec::new(),
        creatures: Vec::new(),
        globals: Vec::new(),
        channels: Vec::new(),
        channel_count: 0,
        assigned: FxHashSet::default(),
        ignored: FxHashSet::default(),
        holders: Holders::default(),
        process_count: VarId::new(0),
        last: None,
        assertions: Vec::new(),
        trace: None,
        trail: Trail::default(),
        mtype_names: ast.mtypes.iter().map(names).collect(),
        choices: Vec::new(),
    };
    if !lowering.diagnostics.has_errors() {
        lowering.build();
    }
    Lowered {
        system: lowering.system,
        trail: lowering.trail,
        room: lowering.room,
        process_count: lowering.process_count,
    }
}

fn names(mtype: &Mtype) -> Arc<[String]> {
    mtype.constants.iter().map(|name| name.to_string()).collect()
}

struct Lowering<'a> {
    ast: &'a Ast,
    source: &'a Source,
    diagnostics: &'a mut Diagnostics,
    system: System,
    /// The control flow of each proctype.
    automata: Vec<Automaton>,
    /// For each claim and the trace assertion, how many proctypes come before it and how many statements SPIN numbers in it.
    watching: Vec<(usize, usize)>,
    /// For how many processes there is room.
    room: Room,
    /// The processes, by pid and proctype.
    instances: Vec<Instance>,
    /// What init creates, if nothing else is created.
    creatures: Vec<Creature>,
    globals: Vec<Storage>,
    channels: Vec<Channel>,
    /// How many channels there will be.
    channel_count: usize,
    /// The variables that some statement writes: the proctype of a local one, and its number.
    assigned: FxHashSet<(Option<usize>, usize)>,
    /// The global variables that are hidden and whose values do not matter, by number: they are not represented.
    ignored: FxHashSet<usize>,
    /// Which channels the variables of type `chan` can hold.
    holders: Holders,
    /// `_nr_pr`
    process_count: VarId,
    /// `_last`, if the model mentions it.
    last: Option<VarId>,
    /// For each assert statement, what its instances claim.
    assertions: Vec<(Span, Vec<ExprId>)>,
    /// What follows the trace assertion.
    trace: Option<TraceMonitor>,
    /// How SPIN names the steps.
    trail: Trail,
    /// The names of the constants of each mtype, the first one being 1.
    mtype_names: Vec<Arc<[String]>>,
    /// For each `D_proctype`, that its instances have no choice when they move.
    choices: Vec<(usize, ExprId)>,
}

impl Lowering<'_> {
    fn build(&mut self) -> Option<()> {
        self.check_else();
        self.check_hidden()?;
        self.collect_assigned();
        self.infer_instances()?;
        self.declare()?;
        self.find_holders()?;
        self.commands()?;
        self.properties();
        self.system.finite_runs = FiniteRuns::Prolonged;
        Some(())
    }

    fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        None
    }

    fn variable(&mut self, name: String, domain: Domain, span: Span) -> Option<VarId> {
        if self.system.variables.len() >= MOST_VARIABLES {
            return self.error(codes::TOO_LARGE, span, "the model has too many variables");
        }
        Some(self.system.variables.push(Variable { name, domain, motion: Motion::Kept, span }))
    }

    fn now(&mut self, var: VarId) -> ExprId {
        let sort = self.system.variables[var].domain.sort();
        self.system.exprs.now(var, sort)
    }

    fn integer(&mut self, value: i64) -> ExprId {
        self.system.exprs.integer(value)
    }
}
