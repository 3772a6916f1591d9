//! Control points for SMV processes, which have no program counters of their own.
//!
//! The program counter is the variable that only this process writes and whose value its `case` guards test most,
//! enumerations first. A comment `--@ pc: x` in the module or the option `--pc process=x` overrides; with no
//! candidate, the process has one control point.

use super::value::{InstanceId, Ty};
use super::{Lowering, codes};
use crate::diagnostic::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};
use system::{Binary, Choice, Domain, ExprId, Node, ProcessId, Unary, Update, VarId};

/// A user's choice of a program counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PcChoice {
    /// The process's name.
    pub process: String,
    /// The variable, by its full name or by its name inside the process.
    pub variable: String,
}

/// The most values that an inferred program counter may have.
const MOST_POINTS: u128 = 256;

impl Lowering<'_> {
    /// The program counter of a process, if it has one.
    pub fn program_counter(
        &mut self,
        instance: InstanceId,
        updates: &[Update],
        pcs: &[PcChoice],
        writers: &FxHashMap<VarId, FxHashSet<ProcessId>>,
    ) -> Option<VarId> {
        let name = process_name(&self.instance(instance).name).to_owned();
        if let Some(choice) = pcs.iter().find(|choice| choice.process == name) {
            return self.chosen(instance, choice);
        }
        if let Some((variable, span)) = self.module(instance).pc.clone() {
            let found = self.variable_of(instance, &variable);
            if found.is_none() {
                self.error(codes::CONTROL, span, format!("this module has no variable `{variable}`"));
            }
            return found;
        }
        if !self.has_processes {
            return None;
        }
        self.most_tested(updates, |var| writers.get(&var).is_some_and(|writers| writers.len() == 1))
    }

    fn chosen(&mut self, instance: InstanceId, choice: &PcChoice) -> Option<VarId> {
        let found = self.variable_of(instance, &choice.variable);
        if found.is_none() {
            let message = format!("the process `{}` has no variable `{}`", choice.process, choice.variable);
            self.report_option(message);
        }
        found
    }

    /// Reports something about the command line, which has no place in the source.
    pub fn report_option(&mut self, message: String) {
        self.diagnostics.push(Diagnostic {
            code: codes::CONTROL,
            severity: Severity::Error,
            message,
            span: None,
            label: String::new(),
            help: Some("`uwbmc show` lists processes and variables".to_owned()),
        });
    }

    fn variable_of(&self, instance: InstanceId, name: &str) -> Option<VarId> {
        let inside = self.instance(instance).qualified(name);
        self.variable_named(&inside).or_else(|| self.variable_named(name))
    }

    fn variable_named(&self, name: &str) -> Option<VarId> {
        self.system.variables.position(|variable| variable.name == name)
    }

    /// The variable whose value the guards compare with constants most often.
    fn most_tested(&self, updates: &[Update], is_own: impl Fn(VarId) -> bool) -> Option<VarId> {
        let mut tests: FxHashMap<VarId, usize> = FxHashMap::default();
        for condition in self.guards(updates) {
            for id in self.system.exprs.reachable(&[condition]) {
                if let Some(var) = self.tested(id) {
                    *tests.entry(var).or_default() += 1;
                }
            }
        }
        let written: FxHashSet<VarId> = updates
            .iter()
            .filter_map(|update| match update.place {
                system::Place::Variable(var) => Some(var),
                system::Place::Element { .. } => None,
            })
            .collect();
        let candidates = tests.keys().copied().filter(|var| written.contains(var) && is_own(*var));
        let few = candidates.filter(|var| can_count(&self.system.variables[*var].domain));
        few.max_by_key(|var| {
            let domain = &self.system.variables[*var].domain;
            let is_enumeration = matches!(domain, Domain::Values(_)) && Ty::of(domain) != Ty::Integer;
            // Of equals, the variable that was declared first.
            (is_enumeration, tests[var], std::cmp::Reverse(*var))
        })
    }

    /// The conditions of all branches in the updates.
    fn guards(&self, updates: &[Update]) -> Vec<ExprId> {
        let roots: Vec<ExprId> = updates
            .iter()
            .filter_map(|update| match update.choice {
                Choice::Exactly(expr) | Choice::OneOf(expr) => Some(expr),
                Choice::Anything => None,
            })
            .collect();
        let inside = self.system.exprs.reachable(&roots).into_iter();
        inside
            .filter_map(|id| match self.system.exprs.node(id) {
                Node::Ite(condition, ..) => Some(*condition),
                _ => None,
            })
            .collect()
    }

    /// The variable that a condition compares with a constant.
    fn tested(&self, id: ExprId) -> Option<VarId> {
        let exprs = &self.system.exprs;
        let tested = match *exprs.node(id) {
            Node::Binary(Binary::Equal, a, b) if exprs.constant_value(b).is_some() => a,
            Node::Binary(Binary::Equal, a, b) if exprs.constant_value(a).is_some() => b,
            Node::Now(var) if self.system.variables[var].domain == Domain::Boolean => id,
            Node::Unary(Unary::Not, a) => a,
            _ => return None,
        };
        match exprs.node(tested) {
            Node::Now(var) => Some(*var),
            _ => None,
        }
    }
}

/// How a process is called: main has no name of its own.
pub fn process_name(instance_name: &str) -> &str {
    if instance_name.is_empty() { "main" } else { instance_name }
}

/// Whether the values of a domain can be control points.
fn can_count(domain: &Domain) -> bool {
    !matches!(domain, Domain::Word(_)) && (2..=MOST_POINTS).contains(&domain.size())
}
