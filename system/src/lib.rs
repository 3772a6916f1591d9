//! The multi-process system M = ⟨S, I, P, V⟩ and the one executable meaning of its steps.
//!
//! A [`System`] is plain data: variables over finite domains, processes with control points, guarded commands.
//! A [`Machine`] is a system compiled for execution: packed states, flat expression code, and for every command
//! a plan that enumerates its successors. What a step means is known to this crate alone: explicit search,
//! simulation, trace replay and every oracle in the tests go through [`Machine`].
//!
//! The crate does no input or output and knows nothing of solvers.
//!
//! # What is where
//!
//! ```text
//! definition/           what a system is
//!   sort value op expr      domains, values, operators, the arena of expressions; footprint: what they read
//!   formula automaton       temporal formulas; claims as automata that move in turns with the system
//!   system talk             variables, processes, commands, properties; messages and printed texts
//!   endless                 whether finite runs go on for ever
//!   fault print             evaluations that fail; guarded commands as text
//! execution/            how it runs
//!   compile code            expressions to flat code, and the loop that runs it
//!   plan step machine       for each command, the order in which a step's unknowns are computed; successors
//!   state trace said        packed states; traces and their replay; what a run says
//!   compact coding          lists of states and moves in little memory
//!   memo fork visible       steps remembered for what they depend on; successors past the inside of atomic sections
//!   word lasso round        LTL on ultimately periodic words, by definition; traces as infinite fair runs; when they go round
//!   prefix                  what a finite word says of a formula of LTL, however it goes on
//!   alarm                   whether long work is to go on
//! dependence/           what depends on what
//!   flow slice lift         control-flow graphs; systems without what some properties do not depend on, and back
//!   liveness resets         which variables matter where; systems that forget what does not
//!   object operation channel   operations on objects and their dependencies, FIFO channels among them
//!   section observed failing   atomic sections as single steps; what properties see; whether running can fail
//!   felt                    commands by which a process changes whether another one can move
//!   seclusion future        processes that no other one concerns for a while; where processes can still come to
//!   turning circulation     commands without which no run comes back; commands that can be on a run that does
//!   symmetry/               processes that can change places
//!   dependency              which commands are independent, in every state or in some
//! ```

mod definition;
mod dependence;
mod execution;

pub use definition::automaton::{ClaimAutomaton, ClaimMove, Statements};
pub use definition::expr::{Exprs, Node};
pub use definition::fault::Fault;
pub use definition::footprint::{Footprint, VarSet};
pub use definition::formula::{BinaryTemporal, Formula, Formulas, Truth, UnaryTemporal, Window};
pub use definition::ids::{ClaimStateId, CommandId, ExprId, FormulaId, GapId, PointId, ProcessId, PropertyId, VarId};
pub use definition::op::{Binary, Unary};
pub use definition::print::{render_domain, render_expr, render_formula, render_quantity, render_system};
pub use definition::program::{Channel, Program};
pub use definition::sort::{Domain, Sort, WIDEST_WORD, WordSort};
pub use definition::span::Span;
pub use definition::system::{
    Branch, Choice, Claim, Command, Company, Condition, ControlPoint, Definition, Extreme, Fairness, FiniteRuns,
    Motion, Move, Place, Process, Property, System, Update, Variable,
};
pub use definition::talk::{Printed, Queue, Spelling, Statement};
pub use definition::value::{SYMBOL_BASE, Symbols, Value, is_symbol};
pub use dependence::constants::with_constants;
pub use dependence::dependency::{Actor, Costs, Dependency, Granularity, Independence, Refinement, Watched};
pub use dependence::failing::never_fails;
pub use dependence::felt::felt_by_others;
pub use dependence::flow::{Flow, control_flow, control_flows};
pub use dependence::resets::Resets;
pub use dependence::seclusion::Seclusion;
pub use dependence::slice::{Apart, Slice};
pub use dependence::symmetry::{Sorting, Symmetry};
pub use dependence::turning::turning;
pub use execution::alarm::Alarm;
pub use execution::compact::Compact;
pub use execution::lasso::Along;
pub use execution::machine::{Failure, Halt, Machine, Predicate, Workspace};
pub use execution::memo::{Local, Memo};
pub use execution::state::{Layout, State};
pub use execution::step::{Step, Successor, Visit};
pub use execution::trace::{Mismatch, Moved, Trace};
pub use execution::visible::Sections;
pub use execution::word::{Positions, Valuation, satisfies};

pub use index_vec::IndexVec;
