//! Temporal formulas: LTL with past, and CTL, over the system's expressions.

use super::ids::{ExprId, FormulaId};
use super::span::Span;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is said of a formula in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is true.
    Holds,
    /// It is false.
    Fails,
}

impl Truth {
    /// What is said of the negation.
    pub fn opposite(self) -> Truth {
        match self {
            Truth::Holds => Truth::Fails,
            Truth::Fails => Truth::Holds,
        }
    }

    /// The value that the formula has.
    pub fn value(self) -> bool {
        self == Truth::Holds
    }
}

/// A temporal operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryTemporal {
    /// LTL X: in the next state.
    Next,
    /// LTL G: always from now on.
    Globally,
    /// LTL F: now or later.
    Finally,
    /// LTL Y: in the previous state, which exists.
    Yesterday,
    /// LTL Z: in the previous state, if there is one.
    WeakYesterday,
    /// LTL H: always until now.
    Historically,
    /// LTL O: now or earlier.
    Once,
    /// CTL EX.
    SomeNext,
    /// CTL AX.
    AllNext,
    /// CTL EF.
    SomeFinally,
    /// CTL AF.
    AllFinally,
    /// CTL EG.
    SomeGlobally,
    /// CTL AG.
    AllGlobally,
}

impl UnaryTemporal {
    /// Whether the operator is one of CTL, which quantify over paths.
    pub fn is_branching(self) -> bool {
        matches!(
            self,
            UnaryTemporal::SomeNext
                | UnaryTemporal::AllNext
                | UnaryTemporal::SomeFinally
                | UnaryTemporal::AllFinally
                | UnaryTemporal::SomeGlobally
                | UnaryTemporal::AllGlobally
        )
    }
}

/// A temporal operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryTemporal {
    /// LTL U.
    Until,
    /// LTL V (release).
    Releases,
    /// LTL S.
    Since,
    /// LTL T.
    Triggered,
    /// CTL E [ p U q ].
    SomeUntil,
    /// CTL A [ p U q ].
    AllUntil,
}

/// Between how many steps from now a bounded operator looks (both included).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// Fewest steps.
    pub from: u32,
    /// Most steps.
    pub to: u32,
}

/// One temporal formula; see [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// A boolean expression, read in the state (and on the step out of it, if it mentions inputs or `running`).
    State(ExprId),
    /// Negation.
    Not(FormulaId),
    /// Conjunction.
    And(FormulaId, FormulaId),
    /// Disjunction.
    Or(FormulaId, FormulaId),
    /// Implication.
    Implies(FormulaId, FormulaId),
    /// Equivalence.
    Iff(FormulaId, FormulaId),
    /// Exclusive or.
    Xor(FormulaId, FormulaId),
    /// A temporal operator, bounded if there is a window.
    Unary(UnaryTemporal, Option<Window>, FormulaId),
    /// A temporal operator, bounded if there is a window.
    Binary(BinaryTemporal, Option<Window>, FormulaId, FormulaId),
}

/// The arena of a system's temporal formulas. Operands have smaller ids than what they are part of.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: IndexVec<FormulaId, Formula>,
    /// Where formulas are written, for those who report on them.
    places: FxHashMap<FormulaId, Span>,
}

impl Formulas {
    /// Adds a formula.
    pub fn add(&mut self, formula: Formula) -> FormulaId {
        self.nodes.push(formula)
    }

    /// Adds a formula that is written somewhere.
    pub fn add_at(&mut self, formula: Formula, place: Span) -> FormulaId {
        let id = self.add(formula);
        self.places.insert(id, place);
        id
    }

    /// Where a formula is written, if that is known.
    pub fn place(&self, id: FormulaId) -> Option<Span> {
        self.places.get(&id).copied()
    }

    /// The shape of a formula.
    pub fn get(&self, id: FormulaId) -> Formula {
        self.nodes[id]
    }

    /// The operands of a formula.
    pub fn operands(&self, id: FormulaId) -> Vec<FormulaId> {
        match self.get(id) {
            Formula::State(_) => Vec::new(),
            Formula::Not(a) | Formula::Unary(_, _, a) => vec![a],
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Iff(a, b)
            | Formula::Xor(a, b)
            | Formula::Binary(_, _, a, b) => vec![a, b],
        }
    }

    /// A formula and all that it is made of, each once, operands before what they are part of.
    pub fn parts(&self, root: FormulaId) -> Vec<FormulaId> {
        let (mut parts, mut open) = (BTreeSet::new(), vec![root]);
        while let Some(id) = open.pop() {
            if parts.insert(id) {
                open.extend(self.operands(id));
            }
        }
        parts.into_iter().collect()
    }

    /// Whether a formula speaks of the state alone: it has no temporal operator.
    pub fn is_of_state(&self, root: FormulaId) -> bool {
        !self.parts(root).iter().any(|part| matches!(self.get(*part), Formula::Unary(..) | Formula::Binary(..)))
    }

    /// Writes other expressions in the place of those that all formulas are about; says whether any is another one.
    pub fn rewrite_states(&mut self, mut rewritten: impl FnMut(ExprId) -> ExprId) -> bool {
        let mut is_changed = false;
        for formula in &mut self.nodes {
            if let Formula::State(expr) = formula {
                let before = std::mem::replace(expr, rewritten(*expr));
                is_changed |= before != *expr;
            }
        }
        is_changed
    }

    /// The expressions that a formula is about.
    pub fn states(&self, root: FormulaId) -> Vec<ExprId> {
        let parts = self.parts(root).into_iter();
        parts.filter_map(|part| if let Formula::State(expr) = self.get(part) { Some(expr) } else { None }).collect()
    }
}
