//! Names for the variants of a type.

/// Names the variants of a type, all of them: a match without a wildcard, and the list of its names. What is new does not
/// compile before it has a name, and is then missed where it never occurs.
macro_rules! names {
    ($function:ident, $all:ident, $ty:ty, { $($pattern:pat => $name:literal,)* }) => {
        const $all: &[&str] = &[$($name),*];

        fn $function(value: &$ty) -> &'static str {
            match value {
                $($pattern => $name,)*
            }
        }
    };
}
pub(crate) use names;
