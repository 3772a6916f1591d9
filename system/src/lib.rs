//! The multi-process system M = ⟨S, I, P, V⟩ and the one executable meaning of its steps.
//!
//! A [`System`] is plain data: variables over finite domains, processes with control points, guarded commands.
//! A [`Machine`] is a system compiled for execution: packed states, flat expression code, and for every command
//! a plan that enumerates its successors. What a step means is known to this crate alone: explicit search,
//! simulation, trace replay and every oracle in the tests go through [`Machine`].
//!
//! The crate does no input or output and knows nothing of solvers.

mod alarm;
mod automaton;
mod channel;
mod code;
mod compile;
mod dependency;
mod expr;
mod failing;
mod fault;
mod flow;
mod footprint;
mod fork;
mod formula;
mod ids;
mod lasso;
mod lift;
mod machine;
mod memo;
mod object;
mod observed;
mod op;
mod operation;
mod plan;
mod print;
mod program;
mod section;
mod slice;
mod sort;
mod span;
mod state;
mod step;
mod system;
mod talk;
mod trace;
mod value;
mod visible;
mod word;

pub use alarm::Alarm;
pub use automaton::{ClaimAutomaton, ClaimMove, Statements};
pub use dependency::{Actor, Dependency, Granularity, Independence, Refinement, Watched};
pub use expr::{Exprs, Node};
pub use fault::Fault;
pub use flow::{Flow, control_flow, control_flows};
pub use footprint::{Footprint, VarSet};
pub use formula::{BinaryTemporal, Formula, Formulas, UnaryTemporal, Window};
pub use ids::{ClaimStateId, CommandId, ExprId, FormulaId, GapId, PointId, ProcessId, PropertyId, VarId};
pub use machine::{Failure, Machine, Predicate, Workspace};
pub use memo::{Local, Memo};
pub use op::{Binary, Unary};
pub use print::{render_domain, render_expr, render_formula, render_quantity, render_system};
pub use program::{Channel, Program};
pub use slice::{Apart, Slice};
pub use sort::{Domain, Sort, WIDEST_WORD, WordSort};
pub use span::Span;
pub use state::{Layout, State};
pub use step::{Step, Successor, Visit};
pub use system::{
    Branch, Choice, Claim, Command, Condition, ControlPoint, Definition, Extreme, Fairness, FiniteRuns, Motion, Move,
    Place, Process, Property, System, Update, Variable,
};
pub use talk::{Printed, Queue, Spelling, Statement};
pub use trace::{Mismatch, Moved, Trace};
pub use value::{SYMBOL_BASE, Symbols, Value, is_symbol};
pub use visible::Sections;
pub use word::{Positions, satisfies};

pub use index_vec::IndexVec;
