//! Assignments and conditions of all instances.

use super::expr::Operand;
use super::value::{InstanceId, Ty};
use super::{Lowering, codes};
use crate::smv::ast::{AssignKind, Expr, Function, Item, NodeId, Root};
use rustc_hash::FxHashMap;
use system::{
    Branch, Choice, Condition, Definition, Domain, Fairness, Footprint, Motion, Node, Place, ProcessId, Span, Update,
    VarId,
};

/// Which variables are assigned, how, and by whom.
#[derive(Default)]
pub struct Assignments {
    /// `init(x)` and `x :=`, by variable: where, and of which instance.
    pub initial: FxHashMap<VarId, (Span, InstanceId)>,
    pub always: FxHashMap<VarId, (Span, InstanceId)>,
    /// `next(x)`, by variable and process.
    pub next: FxHashMap<(VarId, ProcessId), (Span, InstanceId)>,
    /// The updates of each process, in order.
    pub updates: FxHashMap<ProcessId, Vec<Update>>,
    /// Variables with a `next(x)` anywhere.
    pub moved: FxHashMap<VarId, (Span, InstanceId)>,
}

/// What an expression may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One state.
    State,
    /// One state and the inputs.
    StateAndInputs,
    /// Two states and the inputs.
    Step,
}

impl Lowering<'_> {
    /// Lowers everything but declarations and specifications, instance by instance.
    pub fn lower_items(&mut self) {
        for index in 0..self.instances.len() {
            let id = InstanceId(index as u32);
            for at in self.info(id).items.clone() {
                let spanned = self.item(at);
                match &spanned.item {
                    Item::Assign { kind, target, value } => self.assign(id, *kind, *target, *value, spanned.span),
                    Item::Init(root) => {
                        if let Some(condition) = self.state_condition(id, *root, Scope::State) {
                            self.system.initial.push(condition);
                        }
                    }
                    Item::Invar(root) => {
                        if let Some(condition) = self.state_condition(id, *root, Scope::State) {
                            self.system.constraints.push(condition);
                        }
                    }
                    Item::Trans(root) => {
                        if let Some(condition) = self.state_condition(id, *root, Scope::Step) {
                            self.system.relations.push(condition);
                        }
                    }
                    Item::Justice(root) => {
                        if let Some(condition) = self.state_condition(id, *root, Scope::StateAndInputs) {
                            self.system.fairness.push(Fairness::Justice(condition.holds));
                        }
                    }
                    Item::Compassion(often, then) => {
                        let often = self.state_condition(id, *often, Scope::StateAndInputs);
                        let then = self.state_condition(id, *then, Scope::StateAndInputs);
                        if let (Some(often), Some(then)) = (often, then) {
                            self.system.fairness.push(Fairness::Compassion(often.holds, then.holds));
                        }
                    }
                    Item::Variable { .. }
                    | Item::Define { .. }
                    | Item::Constants(_)
                    | Item::Isa(_)
                    | Item::Spec { .. }
                    | Item::Compute { .. }
                    | Item::Unsupported { .. } => {}
                }
            }
        }
        self.order_definitions();
        self.check_next_circles();
    }

    /// A boolean expression that stays within its scope.
    fn state_condition(&mut self, instance: InstanceId, root: Root, scope: Scope) -> Option<Condition> {
        self.forbid(root, scope)?;
        let value = self.lower_root(instance, root);
        let holds = self.condition(&Operand { node: root.last, value })?;
        let span = self.ast.root_span(root);
        self.stay_within(holds, scope, span)?;
        Some(Condition { holds, span })
    }

    /// Reports temporal operators, and next() where only one state is spoken of, as they are written.
    pub fn forbid(&mut self, root: Root, scope: Scope) -> Option<()> {
        for id in self.ast.nodes_of(root) {
            match self.ast.expr(id) {
                Expr::Temporal(..) | Expr::TemporalPair(..) => {
                    let help = "temporal operators belong into SPEC, LTLSPEC and CTLSPEC";
                    let message = "a temporal operator cannot be used here";
                    self.error_with_help(codes::TEMPORAL, self.ast.span(id), message, help);
                    return None;
                }
                Expr::Call(Function::Next, _) if scope != Scope::Step => {
                    let help = "next() belongs into TRANS, the right side of next(x) := ..., and INVARSPEC";
                    let message = "next() cannot be used here, where one state is spoken of";
                    self.error_with_help(codes::NEXT, self.ast.span(id), message, help);
                    return None;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// The same for what comes in through definitions and parameters, and for inputs.
    pub fn stay_within(&mut self, expr: system::ExprId, scope: Scope, span: Span) -> Option<()> {
        let reads = Footprint::of(&self.system.exprs, &[expr]);
        if !reads.next.is_empty() && scope != Scope::Step {
            self.error(codes::NEXT, span, "this speaks of the next state, through a definition or a parameter");
            return None;
        }
        let input = reads.now.iter().find(|var| self.system.is_input(**var));
        if scope == Scope::State && (reads.running || input.is_some()) {
            let name = input.map_or("running", |var| &self.system.variables[*var].name);
            let message = format!("`{name}` has a value during a step only, and here a state is spoken of");
            let help = "keep its last value in a variable of the model, or ask in LTL or in a TRANS constraint";
            self.error_with_help(codes::INPUT, span, message, help);
            return None;
        }
        Some(())
    }

    fn assign(&mut self, instance: InstanceId, kind: AssignKind, target: Root, value: Root, span: Span) {
        let scope = if kind == AssignKind::Next { Scope::Step } else { Scope::State };
        let target_span = self.ast.root_span(target);
        let (Some(var), Some(())) = (self.target(instance, target), self.forbid(value, scope)) else { return };
        if !self.may_assign(var, kind, instance, target_span) {
            return;
        }
        let lowered = self.lower_root(instance, value);
        let Some(choice) = self.choice(var, &Operand { node: value.last, value: lowered }, scope) else { return };
        let update = Update { place: Place::Variable(var), choice, span };
        match kind {
            AssignKind::Init => self.system.initial_values.push(update),
            AssignKind::Always => self.system.definitions.push(Definition { variable: var, choice, span }),
            AssignKind::Next => {
                let process = self.instance(instance).number;
                self.assignments.updates.entry(process).or_default().push(update);
                self.remember_branches(instance, process, var, value);
            }
        }
    }

    /// Keeps the branches of an update that is written as a `case`, for traces.
    fn remember_branches(&mut self, instance: InstanceId, process: ProcessId, var: VarId, value: Root) {
        let Expr::Case(list) = self.ast.expr(value.last) else { return };
        let mut first = value.first;
        let mut branches = Vec::new();
        for pair in self.ast.list(list).chunks(2) {
            let [guard, result] = pair else { return };
            let condition = self.lower_root(instance, Root { first, last: *guard });
            let Some(condition) = self.condition(&Operand { node: *guard, value: condition }) else { return };
            branches.push(Branch { condition, span: self.ast.span(*guard).to(self.ast.span(*result)) });
            first = NodeId(result.0 + 1);
        }
        self.system.branches.insert((process, var), branches);
    }

    fn may_assign(&mut self, var: VarId, kind: AssignKind, instance: InstanceId, span: Span) -> bool {
        let name = self.system.variables[var].name.clone();
        match (self.system.variables[var].motion, kind) {
            (Motion::Input, _) => {
                self.error(codes::FROZEN, span, format!("`{name}` is an input and cannot be assigned"));
                return false;
            }
            (Motion::Kept, AssignKind::Next | AssignKind::Always) => {
                self.error(codes::FROZEN, span, format!("`{name}` is frozen: only init({name}) can be assigned"));
                return false;
            }
            _ => {}
        }
        let (process, here) = (self.instance(instance).number, (span, instance));
        let taken = &mut self.assignments;
        let (before, clash) = match kind {
            AssignKind::Init => (taken.initial.insert(var, here), taken.always.get(&var)),
            AssignKind::Always => (taken.always.insert(var, here), taken.initial.get(&var).or(taken.moved.get(&var))),
            AssignKind::Next => {
                taken.moved.insert(var, here);
                (taken.next.insert((var, process), here), taken.always.get(&var))
            }
        };
        if let Some((_, other)) = before {
            let message = format!("`{name}` is assigned twice in this way");
            if kind == AssignKind::Next && other != instance {
                let help = "instances that take turns are declared as processes, as in `p : process M(...);`";
                self.error_with_help(codes::ASSIGNED_TWICE, span, message, help);
            } else {
                self.error(codes::ASSIGNED_TWICE, span, message);
            }
            return false;
        }
        if clash.is_some() {
            let message = format!("`{name}` is assigned both by `:=` and by init() or next()");
            self.error(codes::ASSIGNED_TWICE, span, message);
            return false;
        }
        true
    }

    /// The value that an assignment gives, checked against the variable's type.
    fn choice(&mut self, var: VarId, operand: &Operand, scope: Scope) -> Option<Choice> {
        let mut typed = self.value(operand)?;
        let span = operand.span(self);
        self.stay_within(typed.expr, scope, span)?;
        let target = Ty::of(&self.system.variables[var].domain);
        if target == Ty::Boolean
            && typed.ty == Ty::Integer
            && let Some(expr) = self.as_boolean_choice(typed, span)
        {
            typed = super::value::Typed { expr, ty: Ty::Boolean };
        }
        if !typed.ty.converts_to(target) {
            let name = &self.system.variables[var].name;
            let message =
                format!("`{name}` is of type {} and cannot be assigned {}", target.describe(), typed.ty.describe());
            self.error(codes::ASSIGN_TYPE, span, message);
            return None;
        }
        self.check_constant(var, typed.expr, span)?;
        let is_set = self.system.exprs.is_set(typed.expr);
        Some(if is_set { Choice::OneOf(typed.expr) } else { Choice::Exactly(typed.expr) })
    }

    /// Reports constants that the variable cannot have, wherever the assignment can end in them.
    fn check_constant(&mut self, var: VarId, expr: system::ExprId, span: Span) -> Option<()> {
        let domain: Domain = self.system.variables[var].domain.clone();
        let (mut open, mut outside) = (vec![expr], None);
        while let (Some(id), None) = (open.pop(), outside) {
            match *self.system.exprs.node(id) {
                Node::Union(a, b) => open.extend([a, b]),
                Node::Constant(value) if !domain.contains(value) => outside = Some(value),
                Node::Interval(low, high) => outside = [low, high].into_iter().find(|end| !domain.contains(*end)),
                _ => {}
            }
        }
        let Some(value) = outside else { return Some(()) };
        let text = self.system.symbols.render(value, self.system.exprs.sort(expr));
        let name = &self.system.variables[var].name;
        self.error(codes::OUTSIDE_DOMAIN, span, format!("`{name}` cannot have the value {text}"));
        None
    }
}
