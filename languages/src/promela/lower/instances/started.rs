//! The processes that run from the beginning: the active proctypes and init, in the order of the text.

use super::Seat;
use crate::promela::ast::Ast;
use crate::promela::ids::ProctypeId;

/// Which proctype runs at each pid at the beginning.
#[derive(Debug)]
pub struct Started(Vec<ProctypeId>);

impl Started {
    pub fn of(ast: &Ast) -> Started {
        let proctypes = ast.proctypes.iter_enumerated();
        Started(proctypes.flat_map(|(id, proctype)| vec![id; proctype.active as usize]).collect())
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    /// The proctype that begins at a pid.
    pub fn at(&self, pid: u32) -> Option<ProctypeId> {
        self.0.get(pid as usize).copied()
    }

    /// The pids with what begins there.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> {
        (0..self.count()).zip(self.0.iter().copied())
    }

    /// The first pid of a proctype that satisfies a condition.
    pub fn first(&self, is_meant: impl Fn(ProctypeId) -> bool) -> Option<u32> {
        self.seats().find(|(_, proctype)| is_meant(*proctype)).map(|(pid, _)| pid)
    }
}
