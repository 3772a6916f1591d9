//! How large the model gets.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::promela::codes;
use system::Span;

/// The most steps and assignments that are made of a model: about a gigabyte.
const MOST_ASSIGNMENTS: usize = 10_000_000;

/// How many steps and assignments there are so far.
#[derive(Debug, Default)]
pub struct Size(usize);

impl Size {
    /// Adds to the size of the model, which has a limit. Nothing beyond it, or where reading has to end.
    pub fn add(&mut self, more: usize, span: Span, diagnostics: &mut Diagnostics) -> Option<()> {
        self.0 += more;
        if self.0 <= MOST_ASSIGNMENTS {
            return (!diagnostics.is_over_after(more)).then_some(());
        }
        let help = "make channels or local arrays smaller, or create fewer processes";
        let message = "the model is too large: its processes make too many assignments";
        diagnostics.push(Diagnostic::error(codes::TOO_LARGE, span, message).help(help));
        None
    }
}
