//! Labels that ask for something of infinite runs: a run may not pass an `accept` label for ever, and has to pass a
//! `progress` label again and again.

use super::super::lowering::Lowering;
use system::{Claim, ExprId, Formula, FormulaId, Span, UnaryTemporal};

impl Lowering<'_> {
    /// Adds a property for each kind of label that a process has.
    pub fn label_properties(&mut self) {
        if let Some(span) = self.first_labelled("accept") {
            let accepts = self.at_label("accept");
            let claim = self.not_for_ever(accepts);
            self.property("acceptance_cycles".to_owned(), Claim::Ltl(claim), span);
        }
        if let Some(span) = self.first_labelled("progress") {
            let progresses = self.at_label("progress");
            self.property_beside_claim("non_progress_cycles".to_owned(), Claim::Progress(progresses), span);
        }
    }

    /// The formula that says that a condition is not true infinitely often.
    fn not_for_ever(&mut self, condition: ExprId) -> FormulaId {
        let formulas = &mut self.system.formulas;
        let condition = formulas.add(Formula::State(condition));
        let eventually = formulas.add(Formula::Unary(UnaryTemporal::Finally, None, condition));
        let recurs = formulas.add(Formula::Unary(UnaryTemporal::Globally, None, eventually));
        formulas.add(Formula::Not(recurs))
    }

    /// The first statement of a process with a label that begins with a word.
    fn first_labelled(&self, word: &str) -> Option<Span> {
        let mut statements = self.program.ast.proctypes.iter().flat_map(|proctype| proctype.statements());
        let labelled = statements.find(|statement| statement.labels.iter().any(|label| label.name.starts_with(word)));
        labelled.map(|statement| statement.span)
    }
}
