//! How tightly operators bind, from NuSMV's grammar: what the parser reads by and the printer writes by.

use super::ast::Infix;

/// How tightly an operator binds; higher is tighter.
pub type Tightness = u8;

/// Looser than every operator.
pub const ANYTHING: Tightness = 0;
/// `c ? a : b`
pub const CONDITIONAL: Tightness = 6;
/// `U`, `S`, `V` and `T`
pub const TEMPORAL_INFIX: Tightness = 9;
/// `G`, `AG` and their relatives
pub const TEMPORAL_PREFIX: Tightness = 10;
/// `a..b`
pub const RANGE: Tightness = 14;
/// `!` and `-`
pub const PREFIX: Tightness = 19;
/// `a.b`, `a[i]` and everything that needs no brackets
pub const POSTFIX: Tightness = 20;

impl Infix {
    /// How tightly the operator binds.
    pub fn tightness(self) -> Tightness {
        match self {
            Infix::Concat => 18,
            Infix::Times | Infix::Divide | Infix::Mod => 17,
            Infix::Plus | Infix::Minus => 16,
            Infix::ShiftLeft | Infix::ShiftRight => 15,
            Infix::Range => RANGE,
            Infix::Union => 13,
            Infix::In => 12,
            Infix::Equal | Infix::NotEqual | Infix::Less | Infix::Greater | Infix::LessEqual | Infix::GreaterEqual => {
                11
            }
            Infix::And => 8,
            Infix::Or | Infix::Xor | Infix::Xnor => 7,
            Infix::Iff => 5,
            Infix::Implies => 4,
        }
    }
}
