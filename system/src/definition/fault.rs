//! Faults: ways in which evaluating a model can fail, which are errors of the model and never verdicts.

use super::ids::{GapId, VarId};
use super::print::render_domain;
use super::system::System;
use super::value::Value;

/// Why an expression or an assignment has no value in some state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// There is no value here: no branch of a `case` applies, or what the reason says.
    Gap(GapId),
    /// A quotient or remainder by zero.
    DivisionByZero,
    /// An array index outside the array.
    IndexOutOfBounds,
    /// A word shifted by less than zero or more than its width.
    ShiftOutOfRange,
    /// An integer too large to compute with.
    Overflow,
    /// A variable was assigned a value outside its domain.
    OutsideDomain(VarId, Value),
}

impl Fault {
    /// Whether a limit of a tool was reached, rather than a mistake of the model.
    pub fn is_limit(self, system: &System) -> bool {
        matches!(self, Fault::Gap(gap) if system.exprs.is_limit(gap))
    }

    /// The fault in words.
    pub fn describe(self, system: &System) -> String {
        match self {
            Fault::Gap(gap) => system.exprs.gap_reason(gap).to_owned(),
            Fault::DivisionByZero => "division by zero".to_owned(),
            Fault::IndexOutOfBounds => "array index out of bounds".to_owned(),
            Fault::ShiftOutOfRange => "word shifted by less than zero or more than its width".to_owned(),
            Fault::Overflow => "integer overflow".to_owned(),
            Fault::OutsideDomain(var, value) => {
                let (name, domain) = (&system.variables[var].name, render_domain(system, var));
                format!("{name} is assigned {}, which is outside its domain {domain}", system.render_value(var, value))
            }
        }
    }
}
