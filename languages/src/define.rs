//! Names that the command line gives a meaning, as `-D N=4` does.

use std::str::FromStr;

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The name.
    pub name: String,
    /// Its value, if one is given.
    pub value: Option<String>,
}

impl FromStr for Define {
    type Err = String;

    /// Reads `NAME` or `NAME=VALUE`.
    fn from_str(text: &str) -> Result<Define, String> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        if name.trim().is_empty() || text.contains(['\n', '\r']) {
            return Err("write NAME=VALUE, on one line".to_owned());
        }
        Ok(Define { name: name.trim().to_owned(), value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn define(name: &str, value: Option<&str>) -> Define {
        Define { name: name.into(), value: value.map(str::to_owned) }
    }

    #[test]
    fn the_first_sign_of_equality_ends_the_name() {
        assert_eq!("N=3".parse(), Ok(define("N", Some("3"))));
        assert_eq!("LOSSY".parse(), Ok(define("LOSSY", None)));
        assert_eq!("P=x==1".parse(), Ok(define("P", Some("x==1"))));
        assert!("=3".parse::<Define>().is_err());
        assert!("N=1\n#include \"x\"".parse::<Define>().is_err());
    }
}
