//! The shapes of variables: which leaves they have, and how machines store their types.

use crate::promela::ast::{Ast, Declaration, Initial, Name, Type};
use system::{Span, WordSort};

/// What a declaration says about a leaf.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The fields that lead to it.
    pub path: Vec<Name>,
    /// For the variable and each field of the path, its length if it is an array.
    pub dims: Vec<Option<u32>>,
    pub ty: Type,
    pub initial: Initial,
    pub span: Span,
}

impl Shape {
    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.dims.iter().flatten().map(|length| *length as usize).product()
    }

    /// Whether the variable or a field on the way is an array.
    pub fn is_array(&self) -> bool {
        self.dims.iter().any(Option::is_some)
    }

    /// The same of its cells.
    pub fn extent(&self) -> Extent {
        if self.is_array() { Extent::Element } else { Extent::Scalar }
    }

    /// What a cell of the leaf is called, given the name of the leaf.
    pub fn cell_name(&self, name: &str, cell: usize) -> String {
        let mut indices = Vec::new();
        let mut cell = cell;
        for length in self.dims.iter().rev().flatten() {
            indices.push(format!("[{}]", cell % *length as usize));
            cell /= *length as usize;
        }
        indices.reverse();
        format!("{name}{}", indices.concat())
    }
}

/// The leaves of a variable.
pub fn shapes(ast: &Ast, declaration: &Declaration) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut open = vec![(declaration, Vec::<Name>::new(), vec![declaration.length])];
    while let Some((declaration, path, dims)) = open.pop() {
        let Type::Struct(structure) = declaration.ty else {
            let (ty, initial, span) = (declaration.ty, declaration.initial.clone(), declaration.span);
            shapes.push(Shape { path, dims, ty, initial, span });
            continue;
        };
        for field in ast.structures[structure].fields.iter().rev() {
            let path = path.iter().chain([&field.name]).cloned().collect();
            let dims = dims.iter().copied().chain([field.length]).collect();
            open.push((field, path, dims));
        }
    }
    shapes
}

/// The types of a message's fields, structures taken apart.
pub fn flat_types(ast: &Ast, types: &[Type]) -> Vec<Type> {
    let mut flat = Vec::new();
    let mut open: Vec<(Type, usize)> = types.iter().rev().map(|ty| (*ty, 1)).collect();
    while let Some((ty, count)) = open.pop() {
        match ty {
            Type::Struct(structure) => {
                for _ in 0..count {
                    let fields = ast.structures[structure].fields.iter().rev();
                    open.extend(fields.map(|field| (field.ty, field.length.unwrap_or(1) as usize)));
                }
            }
            _ => flat.extend(std::iter::repeat_n(ty, count)),
        }
    }
    flat
}

/// Whether a value stands alone or is an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Scalar,
    Element,
}

/// How a machine stores a type. A bit of an array takes a byte, as in SPIN's state vector.
pub fn word(ty: Type, extent: Extent) -> WordSort {
    let (width, signed) = match ty {
        Type::Bit if extent == Extent::Scalar => (1, false),
        Type::Bit | Type::Byte | Type::Mtype(_) | Type::Pid | Type::Chan | Type::Struct(_) => (8, false),
        Type::Short => (16, true),
        Type::Int => (32, true),
        Type::Unsigned(width) => (width, false),
    };
    WordSort { width, signed }
}
