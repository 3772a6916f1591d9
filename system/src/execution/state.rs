//! Packed states: each variable takes the bits that its domain needs.

use crate::definition::ids::{ProcessId, VarId};
use crate::definition::sort::Domain;
use crate::definition::system::{Motion, System};
use crate::definition::value::Value;

/// A packed state. Equal states have equal words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Box<[u64]>);

/// Where a number is in a packed state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Field {
    #[inline]
    pub fn get(self, words: &[u64]) -> u64 {
        words[self.word as usize] >> self.shift & self.mask
    }

    #[inline]
    fn set(self, words: &mut [u64], number: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask << self.shift) | (number & self.mask) << self.shift;
    }
}

/// How states of a system are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<(VarId, Field, Domain)>,
    /// The field of each variable, in `fields`; inputs have none.
    places: Vec<Option<u32>>,
    /// Who has control inside an atomic section: 0 for none, else the process's number plus one.
    holder: Option<Field>,
    words: usize,
}

/// Hands out bits, never letting a field straddle two words.
#[derive(Default)]
struct Packer {
    word: u32,
    used: u32,
}

impl Packer {
    fn field(&mut self, bits: u32) -> Field {
        if self.used + bits > 64 {
            self.word += 1;
            self.used = 0;
        }
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        // A field without bits at the end of a full word must not shift by the word's width.
        let field = Field { word: self.word, shift: self.used % 64, mask };
        self.used += bits;
        field
    }
}

impl Layout {
    /// The layout for a system's states.
    pub fn new(system: &System) -> Layout {
        let mut packer = Packer::default();
        let mut fields = Vec::new();
        let mut places = Vec::new();
        for (id, variable) in system.variables.iter_enumerated() {
            let is_state = variable.motion != Motion::Input;
            places.push(is_state.then_some(fields.len() as u32));
            if is_state {
                fields.push((id, packer.field(variable.domain.bits()), variable.domain.clone()));
            }
        }
        let holder_bits = usize::BITS - system.processes.len().leading_zeros();
        let holder = system.has_atomic_sections.then(|| packer.field(holder_bits));
        Layout { fields, places, holder, words: packer.word as usize + 1 }
    }

    /// How many words a state takes.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Writes the state's values into a slice indexed by variable; inputs are left alone.
    #[inline]
    pub fn unpack(&self, state: &[u64], values: &mut [Value]) {
        for (var, field, domain) in &self.fields {
            values[var.index()] = domain.value_at(field.get(state));
        }
    }

    /// Packs values indexed by variable.
    pub fn pack(&self, values: &[Value], holder: Option<ProcessId>) -> State {
        let mut words = vec![0; self.words].into_boxed_slice();
        for (var, field, domain) in &self.fields {
            field.set(&mut words, domain.index_of(values[var.index()]));
        }
        self.set_holder(&mut words, holder);
        State(words)
    }

    /// The bits of a packed state that belong to some variables, and to who has control.
    pub fn mask(&self, vars: impl IntoIterator<Item = VarId>) -> Vec<u64> {
        let mut mask = vec![0; self.words];
        let places = vars.into_iter().filter_map(|var| self.places[var.index()]);
        let fields = places.map(|place| self.fields[place as usize].1).chain(self.holder);
        fields.for_each(|field| field.set(&mut mask, u64::MAX));
        mask
    }

    /// Where the number of a variable is.
    pub(crate) fn field(&self, var: VarId) -> Option<Field> {
        self.places[var.index()].map(|place| self.fields[place as usize].1)
    }

    /// The number that is stored for a variable: the position of its value in the domain.
    #[inline]
    pub fn index(&self, state: &[u64], var: VarId) -> Option<u64> {
        let place = self.places[var.index()]?;
        Some(self.fields[place as usize].1.get(state))
    }

    /// Changes the number that is stored for a variable.
    #[inline]
    pub(crate) fn set_index(&self, state: &mut [u64], var: VarId, number: u64) {
        if let Some(place) = self.places[var.index()] {
            self.fields[place as usize].1.set(state, number);
        }
    }

    /// Writes the values of some variables into a slice indexed by variable.
    #[inline]
    pub(crate) fn unpack_some(&self, state: &[u64], vars: &[VarId], values: &mut [Value]) {
        for var in vars {
            if let Some(value) = self.get(state, *var) {
                values[var.index()] = value;
            }
        }
    }

    /// Changes one variable of a packed state.
    #[inline]
    pub fn set(&self, state: &mut [u64], var: VarId, value: Value) {
        if let Some(place) = self.places[var.index()] {
            let (_, field, domain) = &self.fields[place as usize];
            field.set(state, domain.index_of(value));
        }
    }

    /// Reads one variable of a packed state.
    #[inline]
    pub fn get(&self, state: &[u64], var: VarId) -> Option<Value> {
        let (_, field, domain) = &self.fields[self.places[var.index()]? as usize];
        Some(domain.value_at(field.get(state)))
    }

    /// Whether two states differ in a variable.
    pub fn differ(&self, one: &[u64], other: &[u64], var: VarId) -> bool {
        self.get(one, var) != self.get(other, var)
    }

    /// Which process has control, if any.
    #[inline]
    pub fn holder(&self, state: &[u64]) -> Option<ProcessId> {
        let number = self.holder?.get(state);
        number.checked_sub(1).map(|process| ProcessId::from(process as usize))
    }

    /// Says who has control.
    #[inline]
    pub fn set_holder(&self, state: &mut [u64], holder: Option<ProcessId>) {
        if let Some(field) = self.holder {
            field.set(state, holder.map_or(0, |process| process.index() as u64 + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::sort::WordSort;
    use crate::definition::span::Span;
    use crate::definition::system::Variable;

    #[test]
    fn what_is_packed_comes_back() {
        let mut system = System::default();
        let wide = Domain::Word(WordSort { width: 64, signed: true });
        for (index, domain) in
            [Domain::Boolean, Domain::Range { low: -3, high: 60 }, wide, Domain::Range { low: 5, high: 5 }]
                .into_iter()
                .enumerate()
        {
            let name = format!("x{index}");
            system.variables.push(Variable { name, domain, motion: Motion::Kept, span: Span::default() });
        }
        let layout = Layout::new(&system);
        let values = [1, -3, i64::MIN + 1, 5];
        let mut state = layout.pack(&values, None);
        let mut back = [0; 4];
        layout.unpack(&state.0, &mut back);
        assert_eq!(back, values);
        layout.set(&mut state.0, VarId::new(1), 60);
        assert_eq!(layout.get(&state.0, VarId::new(1)), Some(60));
        assert_eq!(layout.get(&state.0, VarId::new(2)), Some(i64::MIN + 1));
    }
}
