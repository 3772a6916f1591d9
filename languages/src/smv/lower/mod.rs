//! From the syntax tree to the system: instances, variables, expressions, processes.
//!
//! The order: modules are indexed, instances created from `main` downwards, constants collected, variables
//! declared, then every assignment and condition of every instance is lowered, and at last every specification.

mod assign;
mod circular;
mod control;
mod declare;
mod define;
mod expr;
mod function;
mod instance;
mod operator;
mod process;
mod select;
mod spec;
mod target;
mod unknown;
mod value;

pub use control::PcChoice;

use super::ast::{Ast, Name, Root};
use super::codes;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use assign::Assignments;
use instance::{Instance, ModuleInfo};
use rustc_hash::{FxHashMap, FxHashSet};
use system::{ProcessId, Span, System, Value};
use value::{InstanceId, Lowered};

/// The most variables or instances that a model may have.
const MOST: usize = 2_000_000;

/// Lowers a file. The system is meaningful only if there are no errors among the diagnostics.
pub fn lower(ast: &Ast, pcs: &[PcChoice], diagnostics: &mut Diagnostics) -> System {
    let mut lowering = Lowering::new(ast, diagnostics);
    if lowering.instantiate().is_some() {
        lowering.collect_constants();
        lowering.declare_variables();
        if !lowering.diagnostics.has_errors() {
            lowering.check_definitions();
            lowering.lower_items();
            lowering.lower_specs();
        }
        if !lowering.diagnostics.is_rejected() {
            lowering.build_processes(pcs);
            lowering.settle_claims();
        }
    }
    lowering.system
}

struct Lowering<'a> {
    ast: &'a Ast,
    diagnostics: &'a mut Diagnostics,
    system: System,
    modules: Vec<ModuleInfo>,
    instances: Vec<Instance>,
    /// Symbolic constants of all enumerations and CONSTANTS.
    constants: FxHashMap<Name, Value>,
    assignments: Assignments,
    /// The names of the properties so far.
    property_names: FxHashSet<String>,
    /// Whether the model has process instances, so that `running` means something.
    has_processes: bool,
    /// Whether `running` was used in a model without processes, which has been reported.
    misses_processes: bool,
    /// Whether everything else is done, and specifications are lowered.
    lowers_specs: bool,
    /// How many processes there are so far, as the number of the next one.
    process_count: ProcessId,
}

impl<'a> Lowering<'a> {
    fn new(ast: &'a Ast, diagnostics: &'a mut Diagnostics) -> Self {
        Lowering {
            ast,
            diagnostics,
            system: System::default(),
            modules: Vec::new(),
            instances: Vec::new(),
            constants: FxHashMap::default(),
            assignments: Assignments::default(),
            property_names: FxHashSet::default(),
            has_processes: false,
            misses_processes: false,
            lowers_specs: false,
            process_count: ProcessId::new(0),
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Lowered {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        Lowered::Wrong
    }

    fn error_with_help(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) -> Lowered {
        self.diagnostics.push(Diagnostic::error(code, span, message).help(help));
        Lowered::Wrong
    }

    /// Evaluates an expression that has to be an integer constant.
    fn constant_integer(&mut self, instance: InstanceId, root: Root) -> Option<i64> {
        let span = self.ast.root_span(root);
        match self.lower_root(instance, root) {
            Lowered::Value(typed) => {
                if let (Some(value), value::Ty::Integer) = (self.system.exprs.constant_value(typed.expr), typed.ty) {
                    return Some(value);
                }
                self.error(codes::CONSTANT, span, "an integer constant is needed here");
                None
            }
            Lowered::Wrong => None,
            _ => {
                self.error(codes::CONSTANT, span, "an integer constant is needed here");
                None
            }
        }
    }
}
