//! Effects: what a statement does, one assignment after the other, turned into simultaneous updates.

use super::Lowering;
use rustc_hash::FxHashMap;
use system::{Choice, ExprId, Place, Span, Update, VarId};

/// One assignment. Index and value are expressions over the state before the step.
#[derive(Clone, Copy, Debug)]
enum Write {
    Cell { var: VarId, value: ExprId },
    Element { first: VarId, length: u32, index: ExprId, value: ExprId },
}

impl Write {
    fn covers(self, wanted: VarId) -> bool {
        match self {
            Write::Cell { var, .. } => var == wanted,
            Write::Element { first, length, .. } => {
                (first.index()..first.index() + length as usize).contains(&wanted.index())
            }
        }
    }
}

/// The assignments of a statement, in order.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    writes: Vec<Write>,
    /// While the initial state is put together: what the variables begin with, 0 where nothing is said.
    initial: Option<FxHashMap<VarId, ExprId>>,
}

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

    pub fn set_element(&mut self, first: VarId, length: u32, index: ExprId, value: ExprId) {
        self.writes.push(Write::Element { first, length, index, value });
    }
}

impl Lowering<'_> {
    /// What a variable holds after the effects.
    pub(super) fn read(&mut self, effects: &Effects, wanted: VarId) -> ExprId {
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

    /// The effects as simultaneous updates.
    pub(super) fn updates(&mut self, effects: &Effects, span: Span) -> Vec<Update> {
        let mut updates = Vec::new();
        let mut repeated: Vec<VarId> = Vec::new();
        for (at, write) in effects.writes.iter().enumerate() {
            let others = effects.writes.iter().enumerate().filter(|(other, _)| *other != at);
            let variables: Vec<VarId> = match *write {
                Write::Cell { var, .. } => vec![var],
                Write::Element { first, length, .. } => {
                    (0..length as usize).map(|offset| VarId::from(first.index() + offset)).collect()
                }
            };
            let overlaps = others.into_iter().any(|(_, other)| variables.iter().any(|var| other.covers(*var)));
            if overlaps {
                repeated.extend(variables);
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
