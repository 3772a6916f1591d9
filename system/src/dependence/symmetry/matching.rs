//! Which variables of two processes correspond, by going through their commands side by side.

use crate::definition::expr::Node;
use crate::definition::ids::{ExprId, ProcessId, VarId};
use crate::definition::system::{Choice, Command, Place, System, Update};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Two processes and their variables that change places.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub processes: [ProcessId; 2],
    /// Each variable that was met, and what takes its place; both ways.
    places: BTreeMap<VarId, VarId>,
    /// The variables of the first process that another one takes the place of, in the order in which they were met.
    first: Vec<VarId>,
}

impl Exchange {
    /// What takes the place of a variable.
    pub fn of(&self, var: VarId) -> VarId {
        self.places.get(&var).copied().unwrap_or(var)
    }

    /// What takes the place of a process.
    pub fn of_process(&self, process: ProcessId) -> ProcessId {
        match self.processes {
            [one, other] if process == one => other,
            [one, other] if process == other => one,
            _ => process,
        }
    }

    /// The pairs of variables that change places.
    pub fn variables(&self) -> impl Iterator<Item = (VarId, VarId)> {
        self.first.iter().map(|var| (*var, self.of(*var)))
    }

    /// Lets two variables change places; false if one of them has another place already.
    fn bind(&mut self, system: &System, one: VarId, other: VarId) -> bool {
        match (self.places.get(&one), self.places.get(&other)) {
            (Some(known), _) => *known == other,
            (None, Some(_)) => false,
            (None, None) if !are_alike(system, one, other) => false,
            (None, None) => {
                self.places.insert(one, other);
                self.places.insert(other, one);
                if one != other {
                    self.first.push(one);
                }
                true
            }
        }
    }
}

fn are_alike(system: &System, one: VarId, other: VarId) -> bool {
    let [one, other] = [one, other].map(|var| &system.variables[var]);
    one.domain == other.domain && one.motion == other.motion
}

/// How two processes can change places, as far as their own commands tell.
pub fn matching(system: &System, one: ProcessId, other: ProcessId) -> Option<Exchange> {
    let [points, others] = [one, other].map(|process| &system.processes[process].points);
    let are_alike = points.len() == others.len()
        && points.iter().zip(others).all(|(one, other)| (one.value, one.end) == (other.value, other.end));
    let [ours, theirs] = [(one, other), (other, one)].map(|(process, other)| commands_with(system, process, other));
    if !are_alike || ours.len() != theirs.len() {
        return None;
    }
    let exchange = Exchange { processes: [one, other], places: BTreeMap::new(), first: Vec::new() };
    let mut matcher = Matcher { system, exchange, known: FxHashSet::default() };
    let are_matched = match [one, other].map(|process| system.processes[process].pc) {
        [None, None] => true,
        [Some(pc), Some(theirs)] => matcher.exchange.bind(system, pc, theirs),
        _ => false,
    };
    let are_matched = are_matched && ours.into_iter().zip(theirs).all(|(ours, theirs)| matcher.commands(ours, theirs));
    are_matched.then_some(matcher.exchange).filter(|exchange| !exchange.first.is_empty())
}

/// The commands that a process owns, then those in which it meets a third one that owns them.
fn commands_with(system: &System, process: ProcessId, other: ProcessId) -> Vec<&Command> {
    let is_third = |owner: ProcessId| owner != process && owner != other;
    let meets = |command: &&Command| {
        is_third(command.owner.process) && command.partner.is_some_and(|partner| partner.process == process)
    };
    let owned = system.commands.iter().filter(|command| command.owner.process == process);
    owned.chain(system.commands.iter().filter(meets)).collect()
}

struct Matcher<'a> {
    system: &'a System,
    exchange: Exchange,
    /// The pairs of expressions that match.
    known: FxHashSet<(ExprId, ExprId)>,
}

impl Matcher<'_> {
    fn commands(&mut self, ours: &Command, theirs: &Command) -> bool {
        let are_alike = ours.keeps_control == theirs.keeps_control && ours.updates.len() == theirs.updates.len();
        if !are_alike || !self.parts(ours, theirs) {
            return false;
        }
        let relations = match (ours.relation, theirs.relation) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => self.exprs(ours, theirs),
            _ => false,
        };
        let updates = ours.updates.iter().zip(&theirs.updates);
        relations
            && self.exprs(ours.guard, theirs.guard)
            && updates.into_iter().all(|(ours, theirs)| self.updates(ours, theirs))
    }

    /// Whether those that correspond take part, from where and to where that is the same.
    fn parts(&self, ours: &Command, theirs: &Command) -> bool {
        let are_as_many = ours.partner.is_some() == theirs.partner.is_some();
        are_as_many
            && ours.parts().zip(theirs.parts()).all(|(ours, theirs)| {
                self.exchange.of_process(ours.process) == theirs.process
                    && (ours.from, ours.to) == (theirs.from, theirs.to)
            })
    }

    fn updates(&mut self, ours: &Update, theirs: &Update) -> bool {
        self.places(ours.place, theirs.place)
            && match (ours.choice, theirs.choice) {
                (Choice::Anything, Choice::Anything) => true,
                (Choice::Exactly(ours), Choice::Exactly(theirs)) | (Choice::OneOf(ours), Choice::OneOf(theirs)) => {
                    self.exprs(ours, theirs)
                }
                _ => false,
            }
    }

    fn places(&mut self, ours: Place, theirs: Place) -> bool {
        let are_alike = match (ours, theirs) {
            (Place::Variable(_), Place::Variable(_)) => true,
            (
                Place::Element { length, low, index, .. },
                Place::Element { length: others, low: least, index: other, .. },
            ) => length == others && low == least && self.exprs(index, other),
            _ => false,
        };
        let mut pairs = ours.variables().zip(theirs.variables());
        are_alike && pairs.all(|(ours, theirs)| self.exchange.bind(self.system, ours, theirs))
    }

    fn exprs(&mut self, ours: ExprId, theirs: ExprId) -> bool {
        let mut open = vec![(ours, theirs)];
        while let Some((ours, theirs)) = open.pop() {
            if self.known.insert((ours, theirs)) && !self.nodes(ours, theirs, &mut open) {
                return false;
            }
        }
        true
    }

    fn nodes(&mut self, ours: ExprId, theirs: ExprId, open: &mut Vec<(ExprId, ExprId)>) -> bool {
        let exprs = &self.system.exprs;
        match (exprs.node(ours), exprs.node(theirs)) {
            (Node::Now(ours), Node::Now(theirs)) | (Node::Next(ours), Node::Next(theirs)) => {
                self.exchange.bind(self.system, *ours, *theirs)
            }
            (Node::Running(ours), Node::Running(theirs)) => self.exchange.of_process(*ours) == *theirs,
            (Node::Unary(ours, operand), Node::Unary(theirs, other)) => {
                open.push((*operand, *other));
                ours == theirs
            }
            (Node::Binary(ours, a, b), Node::Binary(theirs, c, d)) => {
                open.extend([(*b, *d), (*a, *c)]);
                ours == theirs
            }
            (Node::Ite(a, b, c), Node::Ite(d, e, f)) => {
                open.extend([(*c, *f), (*b, *e), (*a, *d)]);
                true
            }
            (Node::Union(a, b), Node::Union(c, d)) => {
                open.extend([(*b, *d), (*a, *c)]);
                true
            }
            (Node::Select { index, low, elements }, Node::Select { index: other, low: least, elements: others }) => {
                open.push((*index, *other));
                open.extend(elements.iter().copied().zip(others.iter().copied()));
                low == least && elements.len() == others.len()
            }
            (one, other) => one == other && exprs.sort(ours) == exprs.sort(theirs),
        }
    }
}
