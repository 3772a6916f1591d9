//! Effects: what a statement does, one assignment after the other, turned into simultaneous updates.

use super::super::lowering::Lowering;
use rustc_hash::FxHashMap;
use system::{Choice, ExprId, Place, Span, Update, VarId};

/// One assignment. Index and value are expressions over the state before the step.
#[derive(Clone, Copy, Debug)]
enum Write {
    Cell { var: VarId, value: ExprId },
    Element { first: VarId, length: u32, index: ExprId, value: ExprId },
}

impl Write {
    /// The variables that it may change: the first one, and the one after the last.
    fn range(self) -> (usize, usize) {
        match self {
            Write::Cell { var, .. } => (var.index(), var.index() + 1),
            Write::Element { first, length, .. } => (first.index(), first.index() + length as usize),
        }
    }

    fn covers(self, wanted: VarId) -> bool {
        let (first, end) = self.range();
        (first..end).contains(&wanted.index())
    }
}

/// The assignments of a statement, in order.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    writes: Vec<Write>,
    /// While the initial state is put together: what the variables begin with, 0 where nothing is said.
    initial: Option<FxHashMap<VarId, ExprId>>,
}

/// A statement that has not done anything yet.
pub static NOTHING: Effects = Effects { writes: Vec::new(), initial: None };

impl Effects {
    /// The effects that make the initial state.
    pub fn initial() -> Effects {
        Effects { writes: Vec::new(), initial: Some(FxHashMap::default()) }
    }

    pub fn set(&mut self, var: VarId, value: ExprId) {
        match &mut self.initial {
            Some(initial) => drop(initial.insert(var, value)),
            None => self.writes.push(Write::Cell { var, value }),
        }
    }

    /// How many assignments there are.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// For each assignment, whether another one may change the same variable.
    fn overlapping(&self) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.writes.len()).collect();
        order.sort_by_key(|at| self.writes[*at].range());
        let mut overlapping = vec![false; order.len()];
        let mut widest: Option<usize> = None;
        for at in order {
            let (first, end) = self.writes[at].range();
            let reaches = |other: usize| self.writes[other].range().1;
            if let Some(other) = widest.filter(|other| reaches(*other) > first) {
                (overlapping[at], overlapping[other]) = (true, true);
            }
            if widest.is_none_or(|other| reaches(other) < end) {
                widest = Some(at);
            }
        }
        overlapping
    }

    pub fn set_element(&mut self, first: VarId, length: u32, index: ExprId, value: ExprId) {
        self.writes.push(Write::Element { first, length, index, value });
    }
}

impl Lowering<'_> {
    /// What a variable holds after the effects.
    pub fn read(&mut self, effects: &Effects, wanted: VarId) -> ExprId {
        if let Some(initial) = &effects.initial {
            return initial.get(&wanted).copied().unwrap_or_else(|| self.integer(0));
        }
        let mut value = self.now(wanted);
        for write in &effects.writes {
            value = match *write {
                _ if !write.covers(wanted) => value,
                Write::Cell { value, .. } => value,
                Write::Element { first, index, value: new, .. } => {
                    let here = self.integer((wanted.index() - first.index()) as i64);
                    let hit = self.system.exprs.equal(index, here);
                    self.system.exprs.ite(hit, new, value)
                }
            };
        }
        value
    }

    /// The effects as simultaneous updates. Where assignments overlap, each variable gets what it holds in the end.
    pub fn updates(&mut self, effects: &Effects, span: Span) -> Vec<Update> {
        let overlapping = effects.overlapping();
        let mut updates = Vec::new();
        let mut repeated: Vec<VarId> = Vec::new();
        for (write, overlaps) in effects.writes.iter().zip(overlapping) {
            if overlaps {
                let (first, end) = write.range();
                repeated.extend((first..end).map(VarId::from));
                continue;
            }
            let (place, value) = match *write {
                Write::Cell { var, value } => (Place::Variable(var), value),
                Write::Element { first, length, index, value } => {
                    (Place::Element { first, length, low: 0, index }, value)
                }
            };
            updates.push(Update { place, choice: Choice::Exactly(value), span });
        }
        repeated.sort_unstable();
        repeated.dedup();
        for var in repeated {
            let value = self.read(effects, var);
            updates.push(Update { place: Place::Variable(var), choice: Choice::Exactly(value), span });
        }
        updates
    }
}
