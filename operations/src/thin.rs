//! Runs of very many operations: what a loop does to memory a million times is visible now and then.

/// As many operations of a run are all visible; the exhaustive search looks at no more than these.
pub const THICK: usize = 20_000;

/// While how often a place of the program is used doubles, it is visible as often.
const EACH_DOUBLING: u32 = 32;

/// Whether the use with a number, counted from 1, of a place in the program is visible after the first [`THICK`] operations of a run.
pub const fn is_shown(number: u32) -> bool {
    let distance = (1_u32 << (31 - (number | 1).leading_zeros())) / EACH_DOUBLING;
    distance < 2 || number.is_multiple_of(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_visible_less_and_less_often() {
        let shown = |uses: u32| (1..=uses).filter(|number| is_shown(*number)).count();
        assert_eq!(shown(63), 63);
        assert_eq!(shown(1000), 63 + 4 * 32 - 1);
        assert_eq!(shown((1 << 22) - 1), 63 + 16 * 32);
    }
}
