//! Ids, not integers: every table of a system is indexed by a type of its own.

/// Defines an id type over `u32`.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        index_vec::define_index_type! {
            $(#[$doc])*
            pub struct $name = u32;
            DEBUG_FORMAT = concat!(stringify!($name), "({})");
            DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
        }
    };
}

id! {
    /// A variable (one cell: an array of four elements is four variables).
    VarId
}
id! {
    /// A process P_i.
    ProcessId
}
id! {
    /// A control point of one process: the j of at_{i,j}.
    PointId
}
id! {
    /// A command of the system.
    CommandId
}
id! {
    /// An expression in the arena [`crate::Exprs`].
    ExprId
}
id! {
    /// A temporal formula in the arena [`crate::Formulas`].
    FormulaId
}
id! {
    /// A property of the system.
    PropertyId
}
id! {
    /// A place where evaluation can fail on purpose, such as the end of a `case` without a default.
    GapId
}
id! {
    /// A state of a claim that moves in turns with the system.
    ClaimStateId
}
