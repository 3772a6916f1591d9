//! Kinds of values: expressions that are compared, chosen between or stored in the same variable have values of one kind.
//!
//! Values of most kinds are compared for equality only, copied and used to choose an element of an array. Such a kind does not say
//! which of its values is which: they can be names, as scalarsets are (C. N. Ip, D. L. Dill, Better verification through symmetry, CHDL
//! 1993). Numbers that are added or ordered, conditions and program counters are of a kind of their own, the plain one: there, each value
//! means something.
//!
//! A constant has no kind: it has that of its place. So have expressions that choose between constants.

use crate::definition::expr::Node;
use crate::definition::ids::{ExprId, VarId};
use crate::definition::op::Binary;
use crate::definition::system::{Choice, Place, System, Update};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A kind of values, of those that are known so far to differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(u32);

/// The kinds of a system's variables and expressions.
#[derive(Clone, Debug)]
pub struct Kinds {
    /// For each kind another one that it is the same as, or itself. The first is the plain one, then there is one for each variable.
    same: Vec<u32>,
    /// The kinds of expressions that have one.
    exprs: Rc<FxHashMap<ExprId, Kind>>,
    /// The expressions that choose an element of an array.
    selects: Rc<Vec<ExprId>>,
}

impl Kinds {
    /// Where nothing has to be known of values: numbers, conditions and program counters.
    pub const PLAIN: Kind = Kind(0);

    /// The kinds of a system and of some conditions.
    pub fn of(system: &System, conditions: &[ExprId]) -> Kinds {
        let same = (0..=system.variables.len() as u32).collect();
        let mut kinds = Kinds { same, exprs: Rc::default(), selects: Rc::default() };
        for pc in system.processes.iter().filter_map(|process| process.pc) {
            kinds.join(own(pc), Kinds::PLAIN);
        }
        let (mut known, mut selects) = (FxHashMap::default(), Vec::new());
        for expr in system.exprs.reachable(&roots(system, conditions)) {
            if let Node::Select { .. } = system.exprs.node(expr) {
                selects.push(expr);
            }
            if let Some(kind) = kinds.learn(system, expr, &known) {
                known.insert(expr, kind);
            }
        }
        for (var, stored) in stored(system) {
            if let Some(kind) = known.get(&stored) {
                kinds.join(own(var), *kind);
            }
        }
        for update in updates(system) {
            let elements = update.place.variables().zip(update.place.variables().skip(1));
            elements.for_each(|(one, next)| kinds.join(own(one), own(next)));
        }
        (kinds.exprs, kinds.selects) = (Rc::new(known), Rc::new(selects));
        // Each kind stands for itself, or for one that does: they are numbered upwards.
        for kind in 0..kinds.same.len() {
            kinds.same[kind] = kinds.same[kinds.same[kind] as usize];
        }
        kinds
    }

    /// The kind of a variable's values.
    pub fn of_var(&self, var: VarId) -> Kind {
        self.find(own(var))
    }

    /// The kind of an expression's values, in a place for values of some kind.
    pub fn of_expr(&self, expr: ExprId, place: Kind) -> Kind {
        self.exprs.get(&expr).map_or(place, |kind| self.find(*kind))
    }

    /// The expressions that choose an element of an array.
    pub fn selects(&self) -> &[ExprId] {
        &self.selects
    }

    /// The places of an expression's parts, in their order: the kinds that constants have there.
    pub fn places(&self, system: &System, expr: ExprId, place: Kind) -> Vec<(ExprId, Kind)> {
        let plain = |part: &ExprId| (*part, self.of_expr(*part, Kinds::PLAIN));
        let own = self.of_expr(expr, place);
        match system.exprs.node(expr) {
            Node::Constant(_) | Node::Now(_) | Node::Next(_) | Node::Running(_) => Vec::new(),
            Node::Timeout | Node::Interval(..) | Node::Gap(_) => Vec::new(),
            Node::Binary(Binary::Equal, a, b) => {
                let kind = self.of_expr(*a, self.of_expr(*b, Kinds::PLAIN));
                vec![(*a, kind), (*b, kind)]
            }
            Node::Unary(_, operand) => vec![plain(operand)],
            Node::Binary(_, a, b) => vec![plain(a), plain(b)],
            Node::Union(a, b) => vec![(*a, own), (*b, own)],
            Node::Ite(condition, a, b) => vec![plain(condition), (*a, own), (*b, own)],
            Node::Select { index, elements, .. } => {
                std::iter::once(plain(index)).chain(elements.iter().map(|element| (*element, own))).collect()
            }
        }
    }

    /// Lets two kinds be one.
    pub fn join(&mut self, one: Kind, other: Kind) {
        let [one, other] = [one, other].map(|Kind(mut kind)| {
            while self.same[kind as usize] != kind {
                self.same[kind as usize] = self.same[self.same[kind as usize] as usize];
                kind = self.same[kind as usize];
            }
            kind
        });
        self.same[one.max(other) as usize] = one.min(other);
    }

    /// What stands for a kind.
    pub fn find(&self, kind: Kind) -> Kind {
        let mut kind = kind.0;
        while self.same[kind as usize] != kind {
            kind = self.same[kind as usize];
        }
        Kind(kind)
    }

    /// The kind of an expression, if it has one; what it says about those of its parts is learnt.
    fn learn(&mut self, system: &System, expr: ExprId, known: &FxHashMap<ExprId, Kind>) -> Option<Kind> {
        let kind = |part: &ExprId| known.get(part).copied();
        match system.exprs.node(expr) {
            Node::Constant(_) | Node::Interval(..) | Node::Gap(_) => None,
            Node::Now(var) | Node::Next(var) => Some(own(*var)),
            Node::Running(_) | Node::Timeout => Some(Kinds::PLAIN),
            Node::Binary(Binary::Equal, a, b) => {
                self.all(&[kind(a), kind(b)]);
                Some(Kinds::PLAIN)
            }
            Node::Unary(_, operand) => self.all(&[kind(operand), Some(Kinds::PLAIN)]),
            Node::Binary(_, a, b) => self.all(&[kind(a), kind(b), Some(Kinds::PLAIN)]),
            Node::Union(a, b) => self.all(&[kind(a), kind(b)]),
            Node::Ite(condition, a, b) => {
                self.all(&[kind(condition), Some(Kinds::PLAIN)]);
                self.all(&[kind(a), kind(b)])
            }
            Node::Select { elements, .. } => self.all(&elements.iter().map(kind).collect::<Vec<_>>()),
        }
    }

    /// The kind that some expressions with and without one have in common.
    fn all(&mut self, kinds: &[Option<Kind>]) -> Option<Kind> {
        let mut kinds = kinds.iter().flatten();
        let first = *kinds.next()?;
        kinds.for_each(|kind| self.join(first, *kind));
        Some(first)
    }
}

/// The kind that a variable has before anything is known.
fn own(var: VarId) -> Kind {
    Kind(var.index() as u32 + 1)
}

fn updates(system: &System) -> impl Iterator<Item = &Update> {
    system.commands.iter().flat_map(|command| &command.updates).chain(&system.initial_values)
}

fn value(choice: Choice) -> Option<ExprId> {
    match choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => Some(expr),
        Choice::Anything => None,
    }
}

/// What is stored where.
fn stored(system: &System) -> impl Iterator<Item = (VarId, ExprId)> {
    let updated = updates(system).filter_map(|update| Some((update.place.variables().next()?, value(update.choice)?)));
    let defined = system.definitions.iter();
    updated.chain(defined.filter_map(|definition| Some((definition.variable, value(definition.choice)?))))
}

/// The expressions that a system consists of.
fn roots(system: &System, conditions: &[ExprId]) -> Vec<ExprId> {
    let commands = system.commands.iter().flat_map(|command| command.relation.into_iter().chain([command.guard]));
    let indices = updates(system).filter_map(|update| match update.place {
        Place::Element { index, .. } => Some(index),
        Place::Variable(_) => None,
    });
    let always = [&system.initial, &system.constraints, &system.relations];
    let always = always.into_iter().flatten().map(|condition| condition.holds);
    let stored = stored(system).map(|(_, expr)| expr);
    commands.chain(indices).chain(always).chain(stored).chain(conditions.iter().copied()).collect()
}
