//! Words and signs of a language, with their spelling: what the front ends' tokens have in common.

/// Defines an enumeration together with the spelling of each of its values.
macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// Every value with its spelling.
            pub const ALL: &[($name, &str)] = &[$(($name::$variant, $text)),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
    };
}

pub(crate) use spelled;
