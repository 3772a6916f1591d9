//! Channels: a row of cells for each message field and a length. Cells behind the last message are 0, so that equal
//! contents are equal states.

use super::cell;
use crate::promela::ast::Type;
use system::VarId;

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u32,
    /// The types of a message's fields.
    pub fields: Vec<Type>,
    /// How many messages there are, unless it is a rendezvous.
    pub length: Option<VarId>,
    /// For each field, the first of its cells.
    pub cells: Vec<VarId>,
}

impl Channel {
    /// Every variable of the channel.
    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        let rows = self.cells.iter().copied();
        let cells = rows.flat_map(|first| (0..self.capacity as usize).map(move |at| cell(first, at)));
        self.length.into_iter().chain(cells)
    }
}
