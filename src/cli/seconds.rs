//! Limits on time, as users write them.

use std::time::Duration;

/// Reads a number of seconds.
pub fn parse(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, such as 10 or 0.5".to_owned())?;
    if !seconds.is_finite() || seconds < 0.0 {
        return Err("a limit is a number of seconds that is not negative, such as 10 or 0.5".to_owned());
    }
    // A limit of more than a lifetime is no limit.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_finite_number_that_is_not_negative() {
        for wrong in ["nan", "NaN", "inf", "-inf", "-1", "", "ten", "1s"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse("0"), Ok(Duration::ZERO));
        assert_eq!(parse("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse("1e300"), Ok(Duration::MAX));
    }
}
