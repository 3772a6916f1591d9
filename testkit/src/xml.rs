//! Whether a text is well-formed XML, as far as the documents that we write go.

/// The names of the elements, in order. Anything that is not well-formed is a failure.
pub fn elements(text: &str) -> Vec<String> {
    let mut rest = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let (mut open, mut found) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        check_text(&rest[..at]);
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.to_owned()), "tags are nested");
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name:?} is no name");
        check_attributes(attributes);
        found.push(name.to_owned());
        if !is_empty {
            open.push(name.to_owned());
        }
    }
    assert_eq!((open.len(), rest.trim()), (0, ""), "everything is closed");
    found
}

fn check_attributes(mut text: &str) {
    while !text.trim().is_empty() {
        let (name, rest) = text.trim_start().split_once("=\"").expect("an attribute has a value");
        assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "{name:?} is no name");
        let (value, rest) = rest.split_once('"').expect("a value ends");
        check_text(value);
        text = rest;
    }
}

/// Text has no control characters, and every `&` begins an entity.
fn check_text(text: &str) {
    assert!(!text.contains(['<', '>', '"']));
    assert!(text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{text:?}");
    for entity in text.split('&').skip(1) {
        let name = entity.split_once(';').expect("an entity ends").0;
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "{name:?} is no entity");
    }
}
