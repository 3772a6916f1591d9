//! `printf` and `printm`: what is told to those who read a run.

use super::super::expressions::Context;
use super::super::lowering::Lowering;
use super::super::storage::Access;
use crate::promela::ast::{Expr, ExprRef, Kind, Type};
use crate::promela::flow::{Action, Edge};
use crate::promela::ids::InstanceId;
use std::sync::Arc;
use system::{CommandId, Printed, Spelling};

impl Lowering<'_> {
    /// The mtype of an argument that is printed: that of a variable, and otherwise the one without a name.
    fn mtype_of(&self, context: Context<'_>, argument: ExprRef) -> usize {
        let Expr::Variable(reference) = self.program.ast.expr(argument) else { return 0 };
        let access = Access::of(reference);
        let leaf = self.memory.storage(context.instance, access.root).and_then(|storage| storage.leaf(&access));
        match leaf.map(|leaf| leaf.shape.ty) {
            Some(Type::Mtype(number)) => number,
            _ => 0,
        }
    }

    /// Notes what a command prints, if it prints something.
    pub fn note_printing(&mut self, instance: InstanceId, edge: &Edge, command: CommandId) -> Option<()> {
        let Action::Statement(Kind::Print(format, arguments)) = &edge.action else { return Some(()) };
        let parts = self.printed(instance, format, arguments)?;
        self.system.prints.insert(command, parts);
        Some(())
    }

    /// The parts of a format. A conversion without an argument, or an unknown one, stays as it is.
    fn printed(&mut self, instance: InstanceId, format: &str, arguments: &[ExprRef]) -> Option<Vec<Printed>> {
        let context = Context::of(instance);
        let mut arguments = arguments.iter();
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut signs = format.chars();
        while let Some(sign) = signs.next() {
            let next = if matches!(sign, '\\' | '%') { signs.next() } else { None };
            match (sign, next) {
                ('\\', Some('n')) => text.push('\n'),
                ('\\', Some('t')) => text.push('\t'),
                ('\\', Some(other)) | ('%', Some(other @ '%')) => text.push(other),
                ('%', Some(conversion)) => match (spelling(conversion), arguments.as_slice().first()) {
                    (Some(spelling), Some(argument)) => {
                        arguments.next();
                        let value = self.value(context, *argument)?;
                        let value = self.number(value);
                        parts.push(Printed::Text(std::mem::take(&mut text)));
                        parts.push(match spelling {
                            Some(spelling) => Printed::Value(value, spelling),
                            None => {
                                let names = self.program.mtype_names(self.mtype_of(context, *argument));
                                Printed::Named(value, Arc::clone(names))
                            }
                        });
                    }
                    _ => text.extend(['%', conversion]),
                },
                (other, _) => text.push(other),
            }
        }
        parts.push(Printed::Text(text));
        Some(parts)
    }
}

/// How a conversion spells a number: by the name of an mtype where it is `Some(None)`.
fn spelling(conversion: char) -> Option<Option<Spelling>> {
    match conversion {
        'd' | 'u' | 'i' => Some(Some(Spelling::Decimal)),
        'x' => Some(Some(Spelling::Hexadecimal)),
        'o' => Some(Some(Spelling::Octal)),
        'c' => Some(Some(Spelling::Character)),
        'e' => Some(None),
        _ => None,
    }
}
