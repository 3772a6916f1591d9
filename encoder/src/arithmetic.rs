//! Bit vectors, least significant bit first.

use crate::gate::{Gates, Signal};

/// The bits of a number, least significant first.
pub type Bits = Vec<Signal>;

/// The low bits of a number in two's complement.
pub fn constant(value: i128, width: usize) -> Bits {
    (0..width).map(|bit| Signal::constant(value >> bit.min(127) & 1 == 1)).collect()
}

/// The bits brought to a width, by copies of the sign if they have one.
pub fn extend(bits: &[Signal], width: usize, signed: bool) -> Bits {
    if signed { sign_extend(bits, width) } else { zero_extend(bits, width) }
}

/// The bits brought to a width, by copies of the sign.
pub fn sign_extend(bits: &[Signal], width: usize) -> Bits {
    let sign = bits.last().copied().unwrap_or(Signal::FALSE);
    (0..width).map(|bit| bits.get(bit).copied().unwrap_or(sign)).collect()
}

/// The bits brought to a width, by zeros.
pub fn zero_extend(bits: &[Signal], width: usize) -> Bits {
    (0..width).map(|bit| bits.get(bit).copied().unwrap_or(Signal::FALSE)).collect()
}

impl Gates {
    fn full_adder(&mut self, a: Signal, b: Signal, carry: Signal) -> (Signal, Signal) {
        let half = self.xor(a, b);
        let sum = self.xor(half, carry);
        let out = self.mux(half, carry, a);
        (sum, out)
    }

    /// a + b + carry, as wide as a.
    pub fn add(&mut self, a: &[Signal], b: &[Signal], mut carry: Signal) -> Bits {
        let mut sum = Bits::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(*a, *b, carry);
            sum.push(bit);
            carry = next;
        }
        sum
    }

    /// a - b, as wide as a.
    pub fn subtract(&mut self, a: &[Signal], b: &[Signal]) -> Bits {
        let inverted: Bits = b.iter().map(|bit| !*bit).collect();
        self.add(a, &inverted, Signal::TRUE)
    }

    /// -a
    pub fn negate(&mut self, a: &[Signal]) -> Bits {
        self.subtract(&constant(0, a.len()), a)
    }

    /// a * b, as wide as a.
    pub fn multiply(&mut self, a: &[Signal], b: &[Signal]) -> Bits {
        let width = a.len();
        let mut sum = constant(0, width);
        for (shift, bit) in b.iter().enumerate().take(width) {
            let row: Bits =
                (0..width).map(|at| if at < shift { Signal::FALSE } else { self.and(a[at - shift], *bit) }).collect();
            sum = self.add(&sum, &row, Signal::FALSE);
        }
        sum
    }

    /// Quotient and remainder of unsigned numbers of one width; for b = 0 they are meaningless.
    pub fn divide_unsigned(&mut self, a: &[Signal], b: &[Signal]) -> (Bits, Bits) {
        let width = a.len();
        let wide_b = zero_extend(b, width + 1);
        let mut remainder = constant(0, width + 1);
        let mut quotient = constant(0, width);
        for bit in (0..width).rev() {
            remainder.insert(0, a[bit]);
            remainder.pop();
            let fits = self.less_unsigned(&remainder, &wide_b);
            let difference = self.subtract(&remainder, &wide_b);
            remainder = self.mux_bits(fits, &remainder, &difference);
            quotient[bit] = !fits;
        }
        remainder.truncate(width);
        (quotient, remainder)
    }

    /// Quotient and remainder rounded toward zero, the remainder with the dividend's sign.
    pub fn divide_signed(&mut self, a: &[Signal], b: &[Signal]) -> (Bits, Bits) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (positive_a, positive_b) = (self.absolute(a), self.absolute(b));
        let (quotient, remainder) = self.divide_unsigned(&positive_a, &positive_b);
        let differ = self.xor(sign_a, sign_b);
        (self.negate_if(differ, &quotient), self.negate_if(sign_a, &remainder))
    }

    fn absolute(&mut self, a: &[Signal]) -> Bits {
        self.negate_if(a[a.len() - 1], a)
    }

    fn negate_if(&mut self, condition: Signal, a: &[Signal]) -> Bits {
        let negated = self.negate(a);
        self.mux_bits(condition, &negated, a)
    }

    /// `if c then a else b`, bit by bit.
    pub fn mux_bits(&mut self, c: Signal, a: &[Signal], b: &[Signal]) -> Bits {
        a.iter().zip(b).map(|(a, b)| self.mux(c, *a, *b)).collect()
    }

    /// a = b
    pub fn equal_bits(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let same: Vec<Signal> = a.iter().zip(b).map(|(a, b)| self.iff(*a, *b)).collect();
        self.all(&same)
    }

    /// a < b for unsigned numbers of one width.
    pub fn less_unsigned(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let mut less = Signal::FALSE;
        for (a, b) in a.iter().zip(b) {
            let differ = self.xor(*a, *b);
            less = self.mux(differ, *b, less);
        }
        less
    }

    /// a < b for numbers in two's complement.
    pub fn less_signed(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        self.less_unsigned(&flip(a), &flip(b))
    }

    /// a shifted left by the unsigned number b, zeros coming in.
    pub fn shift_left(&mut self, a: &[Signal], b: &[Signal]) -> Bits {
        let reversed: Bits = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, b, Signal::FALSE);
        shifted.reverse();
        shifted
    }

    /// a shifted right by the unsigned number b, `fill` coming in.
    pub fn shift_right(&mut self, a: &[Signal], b: &[Signal], fill: Signal) -> Bits {
        let width = a.len();
        let mut shifted = a.to_vec();
        for (position, bit) in b.iter().enumerate() {
            let by = 1usize.checked_shl(position as u32).unwrap_or(usize::MAX);
            let moved: Bits = (0..width)
                .map(|at| at.checked_add(by).and_then(|from| shifted.get(from).copied()).unwrap_or(fill))
                .collect();
            shifted = self.mux_bits(*bit, &moved, &shifted);
        }
        shifted
    }
}

/// The same bits with the sign turned round, so that signed numbers are ordered as unsigned ones.
fn flip(bits: &[Signal]) -> Bits {
    let last = bits.len() - 1;
    bits.iter().enumerate().map(|(at, bit)| if at == last { !*bit } else { *bit }).collect()
}
