//! Hidden characters in text from a model, which is made safe to show. A model is untrusted input: its names can hold control characters and marks
//! that turn the direction of writing. They are shown, not obeyed.

use std::borrow::Cow;

/// The text with each character that could change how the rest is read spelled out, as in `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Control characters, line and paragraph separators, characters without width, and marks of direction.
pub fn is_hidden(c: char) -> bool {
    let is_mark = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}');
    c.is_control() || is_mark || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_spelled_out_and_the_rest_is_left_alone() {
        assert_eq!(visible("a\u{202e}b\nc"), "a\\u{202e}b\\u{a}c");
        assert!(matches!(visible("Grüße, <b> 漢字"), Cow::Borrowed(_)));
    }
}
