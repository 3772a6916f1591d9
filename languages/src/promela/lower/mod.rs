//! From the syntax tree to the system, in phases. Each is a function from what those before it found to a value that
//! stays as it is:
//!
//! | phase | what it finds |
//! |---|---|
//! | [`program`] | where the processes rest, and which variables are not represented |
//! | [`instances`] | which proctypes run at which pids |
//! | [`storage`] | the variables and channels of the system, and whose they are |
//! | [`channels`] | which channels a variable or a message can hold |
//! | [`commands`] | processes, initial state and commands, with what the statements claim |
//! | [`properties`] | what is asked about the model |
//!
//! A process of the system is a pair of a pid and a proctype that can run there. Its first control point means that it
//! does not run; then all its variables are 0, so that equal states of SPIN are equal states here. `run` is a command
//! that puts the process with the next free pid to its first statement; a process dies by going back.

mod channels;
mod commands;
mod expressions;
mod hidden;
mod instances;
mod lowering;
mod otherwise;
mod program;
mod properties;
mod storage;

use super::ast::Ast;
use super::room::Room;
use super::trail::Trail;
use crate::diagnostic::Diagnostics;
use crate::source::Source;
use lowering::Lowering;
use system::{FiniteRuns, System, VarId};

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

/// Lowers a model, with this room where the number of processes is not known beforehand; nothing, or something without
/// a meaning, if there are errors among the diagnostics.
pub fn lower(ast: &Ast, source: &Source, room: Room, diagnostics: &mut Diagnostics) -> Option<Lowered> {
    let program = program::read(ast, source, diagnostics)?;
    let instances = instances::infer(&program, room, diagnostics)?;
    let (memory, system) = storage::allocate(&program, &instances, diagnostics)?;
    let held = channels::find(&program, &instances, &memory, diagnostics)?;
    let mut lowering =
        Lowering { program: &program, instances: &instances, memory: &memory, held: &held, system, diagnostics };
    let commands = lowering.commands()?;
    lowering.properties(&commands);
    let Lowering { mut system, .. } = lowering;
    system.finite_runs = FiniteRuns::Prolonged;
    let (room, process_count) = (instances.room, memory.process_count);
    Some(Lowered { system, trail: commands.trail, room, process_count })
}
