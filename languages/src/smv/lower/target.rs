//! The left sides of assignments: a variable, or an element of an array, named directly or through parameters.

use super::expr::Goal;
use super::instance::Member;
use super::value::{InstanceId, Lowered};
use super::{Lowering, codes};
use crate::smv::ast::{Expr, Name, NodeId, Root};
use system::{Node, VarId};

impl Lowering<'_> {
    /// The variable that is assigned to.
    pub fn target(&mut self, instance: InstanceId, target: Root) -> Option<VarId> {
        let span = self.ast.root_span(target);
        match self.lower_root(instance, target) {
            Lowered::Value(typed) => {
                if let Node::Now(var) = *self.system.exprs.node(typed.expr)
                    && let Some((_, Member::Variable(_))) = self.named(instance, target)
                {
                    return Some(var);
                }
            }
            Lowered::Wrong => return None,
            Lowered::Prefix(owner, text) => {
                self.undefined(owner, &text, span);
                return None;
            }
            _ => {}
        }
        let (message, help) = match self.ast.expr(target.last) {
            Expr::Name(name) if self.is_parameter(instance, name) => {
                let text = self.ast.text(name);
                let message = format!("what is passed for `{text}` cannot be assigned to: it is no variable");
                (message, "pass a variable, or an array element with a constant index")
            }
            _ => {
                let help = "the left side is a variable, or an array element with a constant index";
                ("this cannot be assigned to".to_owned(), help)
            }
        };
        self.error_with_help(codes::TARGET, span, message, help);
        None
    }

    fn is_parameter(&self, instance: InstanceId, name: Name) -> bool {
        matches!(self.member_named(instance, name), Some((_, Member::Parameter(_))))
    }

    /// The member that a path names in the end: from a parameter to what was passed for it, from an element to its
    /// array. Simplification makes a variable of many an expression, so the text decides, as in NuSMV.
    fn named(&mut self, instance: InstanceId, path: Root) -> Option<(InstanceId, Member)> {
        let (mut instance, mut path) = (instance, path);
        loop {
            let found = match self.ast.expr(path.last) {
                Expr::Name(name) => self.member_named(instance, name),
                Expr::Dot(base, name) => match self.lower_root(instance, path.base(base)) {
                    Lowered::Instance(id) => self.member_named(id, name),
                    Lowered::Prefix(owner, prefix) => {
                        let text = format!("{prefix}.{}", self.ast.text(name));
                        self.flat_member(owner, &text)
                    }
                    _ => None,
                },
                Expr::Index(base, index) => match self.lower_root(instance, path.base(base)) {
                    Lowered::Prefix(owner, prefix) => {
                        let index = self.lower_root(instance, Root { first: NodeId(base.0 + 1), last: index });
                        let text = format!("{prefix}[{}]", self.render_index(&index));
                        self.flat_member(owner, &text)
                    }
                    _ => {
                        path = path.base(base);
                        continue;
                    }
                },
                _ => None,
            };
            match found? {
                (owner, Member::Parameter(index)) => {
                    (instance, path) = self.source_of(Goal::Parameter(owner, index));
                }
                found => return Some(found),
            }
        }
    }
}
