//! Nodes, and the places of variables in the order.

/// A variable of a manager. At first, the first one is at the top.
pub type Variable = u32;

/// The number of a node. Terminals come first.
pub(crate) type NodeId = u32;

/// The constant false.
pub(crate) const FALSE: NodeId = 0;
/// The constant true.
pub(crate) const TRUE: NodeId = 1;

/// The level of terminals, below everything else.
pub(crate) const BOTTOM: u32 = u32::MAX;
/// The level of a slot that holds no node.
pub(crate) const VACANT: u32 = u32::MAX - 1;

/// Where a variable is read: its value now is at an even level, its next value right below.
pub(crate) fn now(variable: Variable) -> u32 {
    2 * variable
}

/// The level of a variable's next value.
pub(crate) fn next(variable: Variable) -> u32 {
    2 * variable + 1
}

/// `if level then high else low`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub level: u32,
    pub low: NodeId,
    pub high: NodeId,
}

impl Node {
    /// Mixes the three numbers.
    pub fn hash(self) -> u64 {
        mix(u64::from(self.low) << 32 | u64::from(self.high), u64::from(self.level))
    }
}

/// Spreads numbers over all bits: tables take the lower ones, and operands often differ in a few bits of one of them.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(32);
    mixed ^= mixed >> 32;
    mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}
