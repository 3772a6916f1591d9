//! Which variables some statement writes: a channel variable that none writes is as good as its channel.

use crate::promela::ast::{Ast, Kind, Pattern, Proctype, Root, Type};
use crate::promela::ids::ProctypeId;
use rustc_hash::FxHashSet;

/// The variables that some statement writes.
#[derive(Debug, Default)]
pub struct Assigned {
    globals: FxHashSet<usize>,
    locals: FxHashSet<(ProctypeId, usize)>,
}

impl Assigned {
    pub fn of(ast: &Ast) -> Assigned {
        let mut assigned = Assigned::default();
        for (id, proctype) in ast.proctypes.iter_enumerated() {
            proctype.statements().for_each(|statement| assigned.note_statement(id, proctype, &statement.kind));
            (0..proctype.parameters).for_each(|parameter| assigned.note(id, Root::Local(parameter)));
        }
        assigned
    }

    pub fn has_global(&self, global: usize) -> bool {
        self.globals.contains(&global)
    }

    pub fn has_local(&self, proctype: ProctypeId, local: usize) -> bool {
        self.locals.contains(&(proctype, local))
    }

    fn note_statement(&mut self, id: ProctypeId, proctype: &Proctype, kind: &Kind) {
        match kind {
            Kind::Assign(place, _) => self.note(id, place.root),
            Kind::Clear(local) if matches!(proctype.locals[*local].ty, Type::Struct(_)) => {}
            Kind::Clear(local) | Kind::AssignList(local, _) => self.note(id, Root::Local(*local)),
            Kind::Receive(_, _, _, patterns) => patterns.iter().for_each(|pattern| self.note_pattern(id, pattern)),
            _ => {}
        }
    }

    fn note_pattern(&mut self, id: ProctypeId, pattern: &Pattern) {
        if let Pattern::Store(place) = pattern {
            self.note(id, place.root);
        }
    }

    fn note(&mut self, id: ProctypeId, root: Root) {
        match root {
            Root::Global(global) => drop(self.globals.insert(global)),
            Root::Local(local) => drop(self.locals.insert((id, local))),
            _ => {}
        }
    }
}
