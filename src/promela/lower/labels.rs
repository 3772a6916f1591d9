//! Labels that ask for something of infinite runs: a run may not pass an `accept` label for ever, and has to pass a
//! `progress` label again and again.

use super::Lowering;
use system::{Claim, ExprId, Formula, FormulaId, Span, UnaryTemporal};

impl Lowering<'_> {
    /// Adds a property for each kind of label that a process has.
    pub(super) fn label_properties(&mut self) {
        if let Some(span) = self.first_labelled("accept") {
            let accepts = self.at_label("accept");
            let passes = self.again_and_again(accepts);
            let claim = self.system.formulas.add(Formula::Not(passes));
            self.property("acceptance_cycles".to_owned(), Claim::Ltl(claim), span);
        }
        if let Some(span) = self.first_labelled("progress") {
            let claim = self.progress();
            self.property("non_progress_cycles".to_owned(), Claim::Ltl(claim), span);
        }
    }

    /// A run that comes to its end is no cycle.
    fn progress(&mut self) -> FormulaId {
        let progress = self.at_label("progress");
        let moves = self.can_move(|_| true, true);
        let ended = self.system.exprs.not(moves);
        let either = self.either(progress, ended);
        self.again_and_again(either)
    }

    fn again_and_again(&mut self, condition: ExprId) -> FormulaId {
        let formulas = &mut self.system.formulas;
        let condition = formulas.add(Formula::State(condition));
        let eventually = formulas.add(Formula::Unary(UnaryTemporal::Finally, None, condition));
        formulas.add(Formula::Unary(UnaryTemporal::Globally, None, eventually))
    }

    /// The first statement of a process with a label that begins with a word.
    fn first_labelled(&self, word: &str) -> Option<Span> {
        let mut statements = self.ast.proctypes.iter().flat_map(|proctype| proctype.statements());
        let labelled = statements.find(|statement| statement.labels.iter().any(|label| label.name.starts_with(word)));
        labelled.map(|statement| statement.span)
    }
}
