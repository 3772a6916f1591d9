//! References to variables, their elements and fields.

use super::shape::Shape;
use crate::promela::ast::{ExprRef, Name, Reference, Root};
use system::{ExprId, Span};

/// An index of a reference.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    Expr(ExprRef),
    /// What another process has computed.
    Value(ExprId),
    Constant(u32),
}

/// A reference, or one leaf of what a reference to a structure stands for.
#[derive(Clone, Debug)]
pub struct Access {
    pub root: Root,
    pub path: Vec<Name>,
    /// For the variable and each field, the index if there is one.
    pub indices: Vec<Option<Index>>,
    pub span: Span,
}

impl Access {
    pub fn of(reference: &Reference) -> Access {
        let fields = reference.fields.iter().map(|(_, at)| *at);
        Access {
            root: reference.root,
            path: reference.fields.iter().map(|(name, _)| name.clone()).collect(),
            indices: std::iter::once(reference.index).chain(fields).map(|at| at.map(Index::Expr)).collect(),
            span: reference.span,
        }
    }

    /// A variable without index or field.
    pub fn whole(root: Root) -> Access {
        Access { root, path: Vec::new(), indices: vec![None], span: Span::default() }
    }

    /// The cells of a leaf inside the structure that this is a reference to.
    pub fn cells_of(&self, leaf: &Shape) -> Vec<Access> {
        let rest = &leaf.dims[self.indices.len()..];
        let count: u32 = rest.iter().flatten().product();
        let cells = (0..count).map(|cell| {
            let indices = self.indices.iter().copied().chain(indices_of(cell, rest)).collect();
            Access { root: self.root, path: leaf.path.clone(), indices, span: self.span }
        });
        cells.collect()
    }
}

/// The indices of a cell of a leaf, counted over all dimensions.
fn indices_of(mut cell: u32, dims: &[Option<u32>]) -> Vec<Option<Index>> {
    let mut indices = Vec::new();
    for length in dims.iter().rev() {
        indices.push(length.map(|length| {
            let at = cell % length;
            cell /= length;
            Index::Constant(at)
        }));
    }
    indices.reverse();
    indices
}
