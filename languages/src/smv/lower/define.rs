//! Definitions that nothing uses are checked, too.

use super::assign::Scope;
use super::expr::Goal;
use super::instance::Lazy;
use super::value::{InstanceId, Lowered};
use super::{Lowering, codes};

impl Lowering<'_> {
    /// Makes sure that all definitions are right, used or not.
    pub fn check_definitions(&mut self) {
        for index in 0..self.instances.len() {
            let id = InstanceId(index as u32);
            for position in 0..self.info(id).defines.len() as u32 {
                self.check_definition(id, position);
            }
        }
    }

    fn check_definition(&mut self, id: InstanceId, position: u32) {
        let goal = Goal::Define(id, position);
        let (instance, root) = self.source_of(goal);
        let span = self.ast.root_span(root);
        if let Lazy::Untouched = self.instance(id).defines[position as usize] {
            self.forbid(root, Scope::Step);
            *self.cache(goal) = Lazy::InProgress;
            let value = self.lower_root(instance, root);
            *self.cache(goal) = Lazy::Done(value);
        }
        match self.cache(goal).clone() {
            Lazy::Done(Lowered::Prefix(owner, text)) => {
                self.undefined(owner, &text, span);
            }
            Lazy::Done(Lowered::Instance(_)) => {
                let help = "a definition names a value; an instance can be passed as a parameter";
                self.error_with_help(codes::NOT_A_VALUE, span, "an instance is no value", help);
            }
            _ => {}
        }
    }
}
