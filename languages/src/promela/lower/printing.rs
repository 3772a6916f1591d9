//! `printf` and `printm`, and the names of mtypes: what is told to those who read a run.

use super::super::ast::{Expr, ExprRef, Kind, Type};
use super::super::flow::{Action, Edge};
use super::Lowering;
use super::effect::Effects;
use super::expr::Context;
use super::storage::Access;
use std::sync::Arc;
use system::{CommandId, Printed, Spelling, VarId};

impl Lowering<'_> {
    /// Notes what the values of an mtype are called.
    pub(super) fn name_values(&mut self, var: VarId, ty: Type) {
        if let Type::Mtype(number) = ty
            && !self.mtype_names[number].is_empty()
        {
            self.system.value_names.insert(var, Arc::clone(&self.mtype_names[number]));
        }
    }

    /// The mtype of an argument that is printed: that of a variable, and otherwise the one without a name.
    fn mtype_of(&self, context: Context<'_>, argument: ExprRef) -> usize {
        let Expr::Variable(reference) = self.ast.expr(argument) else { return 0 };
        let access = Access::of(reference);
        let leaves = self.storage(context.instance, access.root).map_or(&[][..], |storage| &storage.leaves);
        match leaves.iter().find(|leaf| leaf.path == access.path).map(|leaf| leaf.ty) {
            Some(Type::Mtype(number)) => number,
            _ => 0,
        }
    }

    /// Notes what a command prints, if it prints something.
    pub(super) fn note_printing(&mut self, instance: usize, edge: &Edge, command: CommandId) -> Option<()> {
        let Action::Statement(Kind::Print(format, arguments)) = &edge.action else { return Some(()) };
        let parts = self.printed(instance, format, arguments)?;
        self.system.prints.insert(command, parts);
        Some(())
    }

    /// The parts of a format. A conversion without an argument, or an unknown one, stays as it is.
    fn printed(&mut self, instance: usize, format: &str, arguments: &[ExprRef]) -> Option<Vec<Printed>> {
        let none = Effects::default();
        let context = Context { instance: Some(instance), effects: &none, created: None };
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
                                let names = &self.mtype_names[self.mtype_of(context, *argument)];
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
