//! Natural numbers of any size: as many states as there are.

use std::fmt;

/// A natural number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Natural {
    /// Least significant first, without leading zeros.
    digits: Vec<u32>,
}

impl Natural {
    /// 2 to a power.
    pub fn power_of_two(exponent: u32) -> Natural {
        let mut one = Natural::from(1);
        one.double(exponent);
        one
    }

    /// Adds another number.
    pub fn add(&mut self, other: &Natural) {
        let mut carry = 0;
        for at in 0..self.digits.len().max(other.digits.len()) {
            if at == self.digits.len() {
                self.digits.push(0);
            }
            let sum = u64::from(self.digits[at]) + u64::from(other.digits.get(at).copied().unwrap_or(0)) + carry;
            self.digits[at] = sum as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            self.digits.push(carry as u32);
        }
    }

    /// Doubles the number this many times.
    pub fn double(&mut self, times: u32) {
        if self.digits.is_empty() {
            return;
        }
        let mut carry = 0;
        for digit in &mut self.digits {
            let shifted = u64::from(*digit) << (times % 32) | carry;
            *digit = shifted as u32;
            carry = shifted >> 32;
        }
        if carry > 0 {
            self.digits.push(carry as u32);
        }
        let zeros = vec![0; times as usize / 32];
        self.digits.splice(0..0, zeros);
    }

    /// The number, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        let fits = self.digits.len() <= 4;
        fits.then(|| self.digits.iter().rev().fold(0, |number, digit| number << 32 | u128::from(*digit)))
    }

    /// Divides by a small number and gives the remainder.
    fn divide(&mut self, by: u32) -> u32 {
        let mut remainder = 0;
        for digit in self.digits.iter_mut().rev() {
            let number = remainder << 32 | u64::from(*digit);
            *digit = (number / u64::from(by)) as u32;
            remainder = number % u64::from(by);
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        remainder as u32
    }
}

impl From<u32> for Natural {
    fn from(number: u32) -> Natural {
        Natural { digits: if number == 0 { Vec::new() } else { vec![number] } }
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GROUP: u32 = 1_000_000_000;
        let (mut rest, mut groups) = (self.clone(), Vec::new());
        while !rest.digits.is_empty() {
            groups.push(rest.divide(GROUP));
        }
        let mut text = groups.pop().unwrap_or(0).to_string();
        for group in groups.iter().rev() {
            text.push_str(&format!("{group:09}"));
        }
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn natural(number: u128) -> Natural {
        let mut digits: Vec<u32> = (0..4).map(|at| (number >> (32 * at)) as u32).collect();
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Natural { digits }
    }

    proptest! {
        #[test]
        fn small_numbers_are_numbers(a in any::<u64>(), b in any::<u64>(), times in 0u32..60) {
            let mut sum = natural(a.into());
            sum.add(&natural(b.into()));
            prop_assert_eq!(sum.to_string(), (u128::from(a) + u128::from(b)).to_string());
            prop_assert_eq!(sum.to_u128(), Some(u128::from(a) + u128::from(b)));
            let mut doubled = natural(a.into());
            doubled.double(times);
            prop_assert_eq!(doubled.to_string(), (u128::from(a) << times).to_string());
        }
    }

    #[test]
    fn a_large_power() {
        let text = Natural::power_of_two(200).to_string();
        assert_eq!(text, "1606938044258990275541962092341162602522202993782792835301376");
        assert_eq!(Natural::power_of_two(200).to_u128(), None);
    }
}
