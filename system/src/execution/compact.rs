//! Lists in little memory, for long runs: items are bytes, and what an item shares with the one before it is not written again.
//!
//! A run of a million steps takes some megabytes like this, a tenth of what it takes as a list of its states. Every so often an item is
//! written as a whole, so that few have to be read to get at any of them.

/// An item in this many is written as a whole.
const SPACING: usize = 32;

/// What such a list can hold.
pub trait Item: Clone {
    /// Writes an item, given the one before it.
    fn write(&self, before: Option<&Self>, bytes: &mut Vec<u8>);

    /// Reads an item, given the one that was before it when it was written.
    fn read(before: Option<Self>, bytes: &mut Bytes<'_>) -> Self;
}

/// A list of items that are like the ones before them. Equal lists have equal bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compact<T> {
    bytes: Vec<u8>,
    /// Where the items begin that are written as a whole.
    wholes: Vec<usize>,
    length: usize,
    last: Option<T>,
}

impl<T> Default for Compact<T> {
    fn default() -> Self {
        Compact { bytes: Vec::new(), wholes: Vec::new(), length: 0, last: None }
    }
}

impl<T: Item> Compact<T> {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) {
        let is_whole = self.length.is_multiple_of(SPACING);
        if is_whole {
            self.wholes.push(self.bytes.len());
        }
        item.write(self.last.as_ref().filter(|_| !is_whole), &mut self.bytes);
        self.length += 1;
        self.last = Some(item);
    }

    /// The first item.
    pub fn first(&self) -> Option<T> {
        self.get(0)
    }

    /// The last item.
    pub fn last(&self) -> Option<&T> {
        self.last.as_ref()
    }

    /// The item of a number.
    pub fn get(&self, index: usize) -> Option<T> {
        self.since(index).next()
    }

    /// The item of a number that there is.
    ///
    /// # Panics
    ///
    /// If there are not so many items.
    pub fn at(&self, index: usize) -> T {
        self.get(index).unwrap_or_else(|| panic!("number {index} of {} items", self.length))
    }

    /// The items in order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.since(0)
    }

    /// The items from one on.
    pub fn since(&self, index: usize) -> Iter<'_, T> {
        let index = index.min(self.length);
        let whole = index / SPACING;
        let start = self.wholes.get(whole).copied().unwrap_or(self.bytes.len());
        let number = if whole < self.wholes.len() { whole * SPACING } else { index };
        let mut items = Iter { bytes: Bytes(&self.bytes[start..]), before: None, number, length: self.length };
        while items.number < index && items.read() {}
        items
    }

    /// The items from the last to the first.
    pub fn backwards(&self) -> impl Iterator<Item = T> {
        let parts = (0..self.wholes.len()).rev().map(|whole| self.since(whole * SPACING).take(SPACING));
        parts.flat_map(|part| part.collect::<Vec<T>>().into_iter().rev())
    }

    /// Keeps the first items only.
    pub fn truncate(&mut self, length: usize) {
        if length >= self.length {
            return;
        }
        let Some(last) = length.checked_sub(1) else { return *self = Compact::default() };
        let mut items = self.since(last);
        items.read();
        let (rest, last) = (items.bytes.0.len(), items.before);
        self.bytes.truncate(self.bytes.len() - rest);
        self.wholes.truncate(length.div_ceil(SPACING));
        (self.length, self.last) = (length, last);
    }

    /// Takes the last item away.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.last.clone();
        self.truncate(self.length.saturating_sub(1));
        last
    }
}

impl<T: Item> Extend<T> for Compact<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T: Item> FromIterator<T> for Compact<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Compact::default();
        list.extend(items);
        list
    }
}

impl<'a, T: Item> IntoIterator for &'a Compact<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// The items of a list, read one after the other.
#[derive(Clone, Debug)]
pub struct Iter<'a, T> {
    bytes: Bytes<'a>,
    before: Option<T>,
    /// The number of the item that comes next.
    number: usize,
    length: usize,
}

impl<T: Item> Iter<'_, T> {
    /// Reads an item, if there is one more.
    fn read(&mut self) -> bool {
        if self.number == self.length {
            return false;
        }
        let before = self.before.take().filter(|_| !self.number.is_multiple_of(SPACING));
        self.before = Some(T::read(before, &mut self.bytes));
        self.number += 1;
        true
    }
}

impl<T: Item> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.read() { self.before.clone() } else { None }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.length - self.number;
        (left, Some(left))
    }
}

impl<T: Item> ExactSizeIterator for Iter<'_, T> {}

/// Bytes that are read from the front.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    /// The next byte; 0 when there are no more, which does not happen where as much is read as was written.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number that [`write_number`] wrote.
    pub fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 || shift >= u64::BITS {
                return number;
            }
        }
    }
}

/// Writes a number: seven bits in a byte, the lowest first.
pub fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
