//! Whether it pays to put commands to sleep: where they sleep in vain, it is given up.
//!
//! What sleeps after a step is looked up at each step beside which something was tried before, and that takes a part of the time of a step. What
//! it saves are steps to states that are known: with states stored, sleep sets spare no state.
//!
//! To give up is right at any time. A search may put fewer commands to sleep than it could: it then tries more. What slept in a stored state
//! is still woken when the state is reached again.

use system::Dependency;

/// After how many looks it is judged.
const SAMPLE: u32 = 1 << 9;

/// It pays where a step is left out for at most this many looks.
const WORTH: u32 = 4;

/// How many looks take as long as to come back to a state for what slept there.
const WAKING: u32 = 4;

/// For how many steps nothing is put to sleep after it did not pay for the first time; each further time, for twice as many.
const REST: u32 = 16 * SAMPLE;

/// After this many failures in a row, rests grow no longer.
const MOST_FAILURES: u32 = 12;

/// Puts commands to sleep as long as that pays.
#[derive(Clone, Debug)]
pub struct Slumber<'a> {
    pub dependency: &'a Dependency,
    /// How often it was looked at what sleeps, and how many steps were left out.
    looks: u32,
    left_out: u32,
    /// For how many more steps nothing is put to sleep.
    rest: u32,
    /// How often in a row it did not pay.
    failures: u32,
}

impl<'a> Slumber<'a> {
    pub fn new(dependency: &'a Dependency) -> Slumber<'a> {
        Slumber { dependency, looks: 0, left_out: 0, rest: 0, failures: 0 }
    }

    /// Whether nothing is put to sleep in the next step.
    pub fn rests(&mut self) -> bool {
        let rests = self.rest > 0;
        self.rest = self.rest.saturating_sub(1);
        rests
    }

    /// Notes that it is looked at what sleeps after a step.
    pub fn looked(&mut self) {
        self.looks += 1;
        if self.looks < SAMPLE {
            return;
        }
        if self.left_out * WORTH >= self.looks {
            self.failures = 0;
        } else {
            self.rest = REST << self.failures;
            self.failures = (self.failures + 1).min(MOST_FAILURES);
        }
        (self.looks, self.left_out) = (0, 0);
    }

    /// Notes how many steps are not made because their commands sleep.
    pub fn left_out(&mut self, steps: usize) {
        self.left_out = self.left_out.saturating_add(steps as u32).min(SAMPLE);
    }

    /// Notes that this many steps are made after all.
    pub fn woke(&mut self, steps: usize) {
        self.left_out = self.left_out.saturating_sub(steps as u32);
        self.looks += WAKING;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::System;

    /// How many of some steps have commands put to sleep, if one step is left out for this many looks.
    fn steps_with_sleep(slumber: &mut Slumber<'_>, steps: u32, looks_for_one: u32) -> u32 {
        let mut looks = 0;
        for _ in 0..steps {
            if slumber.rests() {
                continue;
            }
            looks += 1;
            if looks % looks_for_one == 0 {
                slumber.left_out(1);
            }
            slumber.looked();
        }
        looks
    }

    #[test]
    fn what_sleeps_in_vain_is_given_up_for_longer_and_longer() {
        let dependency = Dependency::new(&System::default());
        let mut slumber = Slumber::new(&dependency);
        assert_eq!(steps_with_sleep(&mut slumber, 9 * SAMPLE, WORTH), 9 * SAMPLE);
        assert_eq!(steps_with_sleep(&mut slumber, SAMPLE + REST, 2 * WORTH), SAMPLE);
        assert_eq!(steps_with_sleep(&mut slumber, SAMPLE + 2 * REST, 2 * WORTH), SAMPLE);
        assert_eq!(steps_with_sleep(&mut slumber, 9 * SAMPLE, WORTH), 9 * SAMPLE, "it pays again");
        assert_eq!(steps_with_sleep(&mut slumber, SAMPLE + REST, 2 * WORTH), SAMPLE, "as if for the first time");
    }

    #[test]
    fn what_is_woken_is_not_left_out() {
        let dependency = Dependency::new(&System::default());
        let mut slumber = Slumber::new(&dependency);
        slumber.left_out(SAMPLE as usize);
        slumber.woke(SAMPLE as usize);
        (0..SAMPLE).for_each(|_| slumber.looked());
        assert!(slumber.rests());
    }
}
