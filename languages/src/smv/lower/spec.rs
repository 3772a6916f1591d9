//! Specifications.

use super::assign::Scope;
use super::expr::Operand;
use super::value::{InstanceId, Lowered};
use super::{Lowering, codes};
use crate::diagnostic::Mark;
use crate::smv::ast::{Expr, Function, Item, Name, Root, SpannedItem, SpecKind};
use system::{BinaryTemporal, Claim, ExprId, Extreme, Fairness, Formula, FormulaId, Property, Span, UnaryTemporal};
use temporal::every_run_goes_on;

impl Lowering<'_> {
    /// Lowers the specifications, after everything else: what is wrong with one of them costs nothing but itself.
    pub fn lower_specs(&mut self) {
        self.lowers_specs = true;
        for index in 0..self.instances.len() {
            let id = InstanceId(index as u32);
            for at in self.info(id).items.clone() {
                let SpannedItem { item, span } = self.item(at);
                match item {
                    Item::Spec { kind, name, body, context } => {
                        let mark = self.diagnostics.mark();
                        let claim = self.claim(id, *kind, *body, *context);
                        let claim = claim.unwrap_or_else(|| self.wrong(mark, *span));
                        self.add_property(id, *name, claim, *span);
                    }
                    Item::Compute { extreme, name, start, end, context } => {
                        let mark = self.diagnostics.mark();
                        let claim = self.quantity(id, *extreme, [*start, *end], *context);
                        let claim = claim.unwrap_or_else(|| self.wrong(mark, *span));
                        self.add_property(id, *name, claim, *span);
                    }
                    Item::Unsupported { what, name } => {
                        let claim = Claim::Unsupported(format!(
                            "{what} is not supported; LTLSPEC says it with X, F, G, U and V"
                        ));
                        self.add_property(id, *name, claim, *span);
                    }
                    _ => {}
                }
            }
        }
    }

    fn claim(&mut self, instance: InstanceId, kind: SpecKind, body: Root, context: Option<Root>) -> Option<Claim> {
        let scope = self.context(instance, context)?;
        match kind {
            SpecKind::Invariant => self.invariant(scope, body),
            SpecKind::Ltl | SpecKind::Ctl => self.temporal(scope, kind, body),
        }
    }

    /// A specification that cannot be lowered, with the reason.
    fn wrong(&mut self, mark: Mark, span: Span) -> Claim {
        Claim::Unsupported(match self.diagnostics.confine(mark, span) {
            Some(error) => format!("{}: {}", error.code.0, error.message),
            None => "it uses something that is wrong".to_owned(),
        })
    }

    fn add_property(&mut self, instance: InstanceId, name: Option<Name>, claim: Claim, span: Span) {
        let name = match name {
            Some(name) => self.instance(instance).qualified(self.ast.text(name)),
            None => format!("p{}", self.system.properties.len() + 1),
        };
        if !self.property_names.insert(name.clone()) {
            self.error(codes::DUPLICATE, span, format!("there are two properties named `{name}`"));
        }
        self.system.properties.push(Property::new(name, claim, span));
    }

    /// The instance that a specification is about: `... IN p.q`.
    fn context(&mut self, instance: InstanceId, context: Option<Root>) -> Option<InstanceId> {
        let Some(root) = context else { return Some(instance) };
        match self.lower_root(instance, root) {
            Lowered::Instance(id) => Some(id),
            Lowered::Wrong => None,
            _ => {
                self.error(codes::UNDEFINED, self.ast.root_span(root), "this is no instance");
                None
            }
        }
    }

    fn invariant(&mut self, instance: InstanceId, body: Root) -> Option<Claim> {
        self.forbid(body, Scope::Step)?;
        let value = self.lower_root(instance, body);
        self.condition(&Operand { node: body.last, value }).map(Claim::Invariant)
    }

    /// COMPUTE: from states that satisfy one formula to states that satisfy another.
    fn quantity(
        &mut self,
        instance: InstanceId,
        extreme: Extreme,
        [start, end]: [Root; 2],
        context: Option<Root>,
    ) -> Option<Claim> {
        let scope = self.context(instance, context)?;
        let (start, end) = (self.formula_in(scope, SpecKind::Ctl, start)?, self.formula_in(scope, SpecKind::Ctl, end)?);
        Some(Claim::Compute(extreme, start, end))
    }

    fn temporal(&mut self, instance: InstanceId, kind: SpecKind, body: Root) -> Option<Claim> {
        let formula = self.formula_in(instance, kind, body)?;
        Some(if kind == SpecKind::Ctl { Claim::Ctl(formula) } else { Claim::Ltl(formula) })
    }

    /// A formula of one logic.
    fn formula_in(&mut self, instance: InstanceId, kind: SpecKind, body: Root) -> Option<FormulaId> {
        self.check_logic(kind, body)?;
        let span = self.ast.root_span(body);
        let value = self.lower_root(instance, body);
        let formula = self.formula(&Operand { node: body.last, value })?;
        let scope = if kind == SpecKind::Ctl { Scope::State } else { Scope::StateAndInputs };
        for expr in self.system.formulas.states(formula) {
            self.stay_within(expr, scope, span)?;
        }
        Some(formula)
    }

    /// Each logic has its own operators, and next() belongs to neither.
    fn check_logic(&mut self, kind: SpecKind, body: Root) -> Option<()> {
        for id in self.ast.nodes_of(body) {
            let is_branching = match self.ast.expr(id) {
                Expr::Temporal(op, ..) => op.is_branching(),
                Expr::TemporalPair(op, ..) => matches!(op, BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil),
                Expr::Call(Function::Next, _) => {
                    let help = "write X in LTL, AX or EX in CTL";
                    let message = "next() cannot be used in a temporal specification";
                    self.error_with_help(codes::NEXT, self.ast.span(id), message, help);
                    return None;
                }
                _ => continue,
            };
            if is_branching != (kind == SpecKind::Ctl) {
                let (own, other) = if kind == SpecKind::Ctl { ("CTL", "LTL") } else { ("LTL", "CTL") };
                let message = format!("an operator of {other} in a specification in {own}");
                let help = format!("write {other}SPEC");
                self.error_with_help(codes::TEMPORAL, self.ast.span(id), message, &help);
                return None;
            }
        }
        Some(())
    }

    /// `AG p`, `G p` and their duals `!EF p`, `!F p` are about infinite fair runs. If p speaks of states only, it is an invariant where every run goes on;
    /// elsewhere both say the same of those runs, but COMPASSION is nothing to CTL.
    pub fn settle_claims(&mut self) {
        let goes_on = every_run_goes_on(&self.system);
        let is_strong = self.system.fairness.iter().any(|constraint| matches!(constraint, Fairness::Compassion(..)));
        for id in self.system.properties.indices() {
            let (Claim::Ltl(formula) | Claim::Ctl(formula)) = self.system.properties[id].claim else { continue };
            let Some(expr) = self.of_every_state(formula) else { continue };
            let reads = system::Footprint::of(&self.system.exprs, &[expr]);
            let inputs = reads.has_inputs(&self.system);
            let is_branching = matches!(self.system.properties[id].claim, Claim::Ctl(_));
            self.system.properties[id].claim = if goes_on && !inputs && !reads.running {
                Claim::Invariant(expr)
            } else if is_branching && is_strong {
                continue;
            } else {
                let state = self.system.formulas.add(Formula::State(expr));
                let always = Formula::Unary(UnaryTemporal::Globally, None, state);
                Claim::Ltl(self.system.formulas.add(always))
            };
        }
    }

    /// The p of `AG p` and `G p`, or what is false in `!EF` and `!F` of its opposite.
    fn of_every_state(&mut self, formula: FormulaId) -> Option<ExprId> {
        let formulas = &self.system.formulas;
        let state = |formula: FormulaId| match formulas.get(formula) {
            Formula::State(expr) => Some(expr),
            _ => None,
        };
        match formulas.get(formula) {
            Formula::Unary(UnaryTemporal::AllGlobally | UnaryTemporal::Globally, None, inner) => state(inner),
            Formula::Not(inner) => match formulas.get(inner) {
                Formula::Unary(UnaryTemporal::SomeFinally | UnaryTemporal::Finally, None, inner) => {
                    state(inner).map(|never| self.system.exprs.not(never))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
