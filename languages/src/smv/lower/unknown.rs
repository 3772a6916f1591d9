//! Names that mean nothing, and what was probably meant.

use super::value::{InstanceId, Lowered};
use super::{Lowering, codes};
use crate::smv::ast::Name;
use crate::suggest::{did_you_mean, nearest};
use system::Span;

/// How many findings there may be before nothing is suggested any more: to compare every name with every other takes
/// time, and only the first findings are shown.
const WORTH_SUGGESTIONS: usize = 100;

impl Lowering<'_> {
    /// Reports a name that an instance does not know.
    pub fn undefined(&mut self, instance: InstanceId, text: &str, span: Span) -> Lowered {
        let help = match text {
            "true" | "false" => format!("write {}", text.to_uppercase()),
            "running" => return self.no_process(instance, span),
            _ => self.meant(instance, text),
        };
        self.error_with_help(codes::UNDEFINED, span, format!("`{text}` is not declared"), &help)
    }

    /// Reports `running` in a model without processes: one mistake, wherever `running` is used.
    fn no_process(&mut self, instance: InstanceId, span: Span) -> Lowered {
        if std::mem::replace(&mut self.misses_processes, true) {
            return Lowered::Wrong;
        }
        let message = "`running` is known in processes only, and this model has none";
        let module = match instance {
            InstanceId(0) => "M".to_owned(),
            _ => self.ast.text(self.info(instance).name).to_owned(),
        };
        let help = format!("declare the instances that take turns as processes, as in `p : process {module}(...);`");
        self.error_with_help(codes::RUNNING, span, message, &help)
    }

    fn meant(&self, instance: InstanceId, text: &str) -> String {
        if text.ends_with('-') {
            return "a hyphen belongs to the name before it: put a space in front of the operator".to_owned();
        }
        let names = self.info(instance).members.keys().chain(self.constants.keys());
        if let Some(help) = self.suggestion(text, names) {
            return help;
        }
        if text.contains('-') {
            return "a hyphen belongs to the name: put spaces around `-` to subtract".to_owned();
        }
        "declare it in VAR, DEFINE or CONSTANTS, or pass it as a parameter".to_owned()
    }

    /// Reports a name that is looked for in another instance.
    pub fn no_member(&mut self, owner: InstanceId, text: &str, span: Span) -> Lowered {
        let info = self.info(owner);
        let message = format!("the module `{}` has no `{text}`", self.ast.text(info.name));
        let help = self.suggestion(text, info.members.keys());
        match help {
            Some(help) => self.error_with_help(codes::UNDEFINED, span, message, &help),
            None => self.error(codes::UNDEFINED, span, message),
        }
    }

    /// Reports a module that does not exist.
    pub fn no_module(&mut self, name: Name, span: Span) {
        let text = self.ast.text(name);
        let message = format!("there is no module `{text}`");
        let help = match nearest(text, ["boolean", "integer", "word", "bool", "int"]) {
            Some(meant) => type_help(meant).to_owned(),
            None => {
                let modules = self.ast.modules.iter().map(|module| &module.name);
                self.suggestion(text, modules).unwrap_or_else(|| format!("declare `MODULE {text}`"))
            }
        };
        self.error_with_help(codes::UNKNOWN_MODULE, span, message, &help);
    }

    fn suggestion<'n>(&self, text: &str, names: impl Iterator<Item = &'n Name>) -> Option<String> {
        if self.diagnostics.len() > WORTH_SUGGESTIONS {
            return None;
        }
        did_you_mean(text, names.map(|name| self.ast.text(*name)))
    }
}

/// What to write instead of a type that SMV does not have, or spells in another way.
fn type_help(meant: &str) -> &'static str {
    match meant {
        "boolean" | "bool" => "the type of truth values is `boolean`",
        "word" => "the type of words of 8 bits is `word[8]`",
        _ => "the type of integers is a range, such as `0..7`",
    }
}
