//! Properties: assertions, valid end states, labels, the trace assertion, the `ltl` blocks and the claims.

mod claim;
mod formula;
mod labels;
mod sight;
mod trace;

pub use sight::Timeout;
pub use trace::TraceMonitor;

use super::commands::Commands;
use super::lowering::Lowering;
use crate::diagnostic::Mark;
use crate::promela::ast::{Choosing, Formula};
use rustc_hash::FxHashMap;
use sight::Sight;
use system::{Claim, ExprId, Property, Span};

impl Lowering<'_> {
    /// Adds the properties of the model.
    pub fn properties(&mut self, commands: &Commands) {
        self.assertions(commands);
        self.choices(commands);
        self.property("end_states".to_owned(), Claim::DeadlockFree, Span::default());
        self.label_properties();
        self.trace_property(commands);
        let ast = self.program.ast;
        let observes = !ast.claims.is_empty() || ast.formulas.iter().any(|ltl| self.invariant(ltl.formula).is_some());
        let sight = if observes { self.sight() } else { Some(Sight::default()) };
        let Some(sight) = sight else { return };
        for formula in &ast.formulas {
            self.formula_property(formula, &sight);
        }
        for claim in &ast.claims {
            let _ = self.never(claim, &sight);
        }
    }

    /// A property for each assert statement, named after its line.
    fn assertions(&mut self, commands: &Commands) {
        let mut on_line: FxHashMap<usize, usize> = FxHashMap::default();
        let mut assertions: Vec<&(Span, Vec<ExprId>)> = commands.assertions.iter().collect();
        assertions.sort_by_key(|(span, _)| *span);
        for (span, claims) in assertions {
            let line = self.program.source.line(*span);
            let count = on_line.entry(line).or_default();
            *count += 1;
            let name = if *count == 1 { format!("assert_{line}") } else { format!("assert_{line}_{count}") };
            let claim = self.system.exprs.all(claims.clone());
            self.property(name, Claim::Invariant(claim), *span);
        }
    }

    /// A property for each `D_proctype`.
    fn choices(&mut self, commands: &Commands) {
        for (id, proctype) in self.program.ast.proctypes.iter_enumerated() {
            if proctype.choice == Choosing::Forbidden {
                let claims = commands.choices.iter().filter(|(of, _)| *of == id).map(|(_, claim)| *claim);
                let claim = self.system.exprs.all(claims.collect::<Vec<_>>());
                self.property(format!("deterministic_{}", proctype.name), Claim::Invariant(claim), proctype.span);
            }
        }
    }

    fn formula_property(&mut self, formula: &Formula, sight: &Sight) {
        let mark = self.diagnostics.mark();
        let claim = match self.claim(formula.formula, sight) {
            Some(_) if self.asks_for_timeout(formula.formula) => {
                Claim::Unsupported("the formula asks for a timeout: write a condition on variables instead".to_owned())
            }
            Some(claim) => {
                self.automaton_of_formula(&formula.name, formula.formula);
                claim
            }
            None => self.wrong(mark, formula.span),
        };
        self.property_beside_claim(formula.name.to_string(), claim, formula.span);
    }

    /// A formula that cannot be checked, with the reason. It costs nothing but itself.
    fn wrong(&mut self, mark: Mark, span: Span) -> Claim {
        Claim::Unsupported(match self.diagnostics.confine(mark, span) {
            Some(error) => format!("{}: {}", error.code.0, error.message),
            None => "it uses something that is wrong".to_owned(),
        })
    }

    /// Adds a property of the processes alone.
    pub fn property(&mut self, name: String, claim: Claim, span: Span) {
        self.system.properties.push(Property::new(name, claim, span));
    }

    /// Adds a property that SPIN checks by a claim.
    pub fn property_beside_claim(&mut self, name: String, claim: Claim, span: Span) {
        self.system.properties.push(Property::new(name, claim, span).beside_claim());
    }
}
