//! Which variables of two processes correspond, by going through their commands side by side.

use crate::definition::expr::Node;
use crate::definition::ids::{ExprId, PointId, ProcessId, VarId};
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
    let [ours, theirs] =
        [one, other].map(|process| system.commands.iter().filter(move |command| command.owner.process == process));
    if !are_alike || ours.clone().count() != theirs.clone().count() {
        return None;
    }
    let exchange = Exchange { processes: [one, other], places: BTreeMap::new(), first: Vec::new() };
    let mut matcher = Matcher { system, exchange, known: FxHashSet::default() };
    let are_matched = match [one, other].map(|process| system.processes[process].pc) {
        [None, None] => true,
        [Some(pc), Some(theirs)] => matcher.exchange.bind(system, pc, theirs),
        _ => false,
    };
    let are_matched = are_matched && ours.zip(theirs).all(|(ours, theirs)| matcher.commands(ours, theirs));
    are_matched.then_some(matcher.exchange).filter(|exchange| !exchange.first.is_empty())
}

struct Matcher<'a> {
    system: &'a System,
    exchange: Exchange,
    /// The pairs of expressions that match.
    known: FxHashSet<(ExprId, ExprId)>,
}

impl Matcher<'_> {
    fn commands(&mut self, ours: &Command, theirs: &Command) -> bool {
        if !is_simple(ours) || !is_simple(theirs) || way(ours) != way(theirs) {
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

    fn updates(&mut self, ours: &Update, theirs: &Update) -> bool {
        let (Place::Variable(var), Place::Variable(theirs_var)) = (ours.place, theirs.place) else { return false };
        self.exchange.bind(self.system, var, theirs_var)
            && match (ours.choice, theirs.choice) {
                (Choice::Anything, Choice::Anything) => true,
                (Choice::Exactly(ours), Choice::Exactly(theirs)) | (Choice::OneOf(ours), Choice::OneOf(theirs)) => {
                    self.exprs(ours, theirs)
                }
                _ => false,
            }
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

fn is_simple(command: &Command) -> bool {
    command.partner.is_none() && !command.keeps_control
}

/// From where to where a command leads, and how many updates it makes.
fn way(command: &Command) -> (Option<PointId>, Option<PointId>, usize) {
    (command.owner.from, command.owner.to, command.updates.len())
}
