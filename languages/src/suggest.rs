//! "Did you mean": the known word that a mistyped one is closest to.

use system::{PropertyId, System};

/// The longest word that is looked at: longer ones are no slips of the hand.
const LONGEST: usize = 60;

/// The known word that is nearest to `wanted`, if one is near enough to be meant. Of equally near ones, the first in
/// alphabetical order, whatever order they come in.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = wanted.chars().take(LONGEST + 1).collect();
    if wanted.len() > LONGEST {
        return None;
    }
    let most = (wanted.len() / 3).max(1);
    let rated = known.into_iter().filter_map(|word| Some((distance(&wanted, word, most)?, word)));
    rated.filter(|(distance, _)| *distance < wanted.len()).min().map(|(_, word)| word)
}

/// `nearest` as a sentence, or what else there is to say.
pub fn did_you_mean<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wanted, known).map(|word| format!("did you mean `{word}`?"))
}

/// The property with a name, or that there is none, and which one may be meant.
pub fn named(system: &System, name: &str) -> Result<PropertyId, String> {
    system.properties.position(|property| property.name == name).ok_or_else(|| {
        let known: Vec<&str> = system.properties.iter().map(|property| property.name.as_str()).collect();
        let meant = did_you_mean(name, known.iter().copied());
        let hint = meant.unwrap_or_else(|| format!("there are: {}", known.join(", ")));
        format!("there is no property {name}; {hint}")
    })
}

/// How many letters have to be inserted, left out, replaced or swapped with their neighbours to get from one word to
/// the other, unless that is more than `most`. A letter in the other case is a slip that counts less than any other,
/// which here means that words that differ in nothing else are at distance 0.
fn distance(wanted: &[char], word: &str, most: usize) -> Option<usize> {
    let word: Vec<char> = word.chars().take(LONGEST + most + 1).collect();
    if word.len().abs_diff(wanted.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=word.len()).collect();
    for (i, a) in wanted.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in word.iter().enumerate() {
            let replaced = last[j] + usize::from(!same(*a, *b));
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(*a, word[j - 1]) && same(wanted[i - 1], *b) {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|distance| *distance <= most)
}

/// Whether two letters are the same, whatever their case.
fn same(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_hand_are_recognised() {
        let known = ["state", "turn", "critical", "n"];
        for (wanted, meant) in [("sate", "state"), ("trun", "turn"), ("critcal", "critical"), ("State", "state")] {
            assert_eq!(nearest(wanted, known), Some(meant));
        }
    }

    #[test]
    fn other_words_are_not() {
        let known = ["state", "turn", "critical", "n"];
        for wanted in ["x", "flag", "criticality_of_the_section", "", &"a".repeat(1_000_000)] {
            assert_eq!(nearest(wanted, known), None, "{wanted:.20}");
        }
    }

    #[test]
    fn the_order_of_the_known_words_does_not_matter() {
        assert_eq!(nearest("pat", ["bat", "cat"]), Some("bat"));
        assert_eq!(nearest("pat", ["cat", "bat"]), Some("bat"));
        assert_eq!(did_you_mean("pat", ["cat"]).as_deref(), Some("did you mean `cat`?"));
    }
}
