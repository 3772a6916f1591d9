//! Which variables and values of two processes correspond, by going through their commands side by side.

use super::exchange::Exchange;
use super::kind::{Kind, Kinds};
use crate::definition::expr::Node;
use crate::definition::ids::{ExprId, ProcessId};
use crate::definition::system::{Choice, Command, Place, System, Update};
use rustc_hash::FxHashSet;

/// How two processes can change places, as far as their own commands tell.
pub fn matching(system: &System, kinds: &Kinds, one: ProcessId, other: ProcessId) -> Option<Exchange> {
    let [points, others] = [one, other].map(|process| &system.processes[process].points);
    let are_alike = points.len() == others.len()
        && points.iter().zip(others).all(|(one, other)| (one.value, one.end) == (other.value, other.end));
    let [ours, theirs] = [(one, other), (other, one)].map(|(process, other)| commands_with(system, process, other));
    if !are_alike || ours.len() != theirs.len() {
        return None;
    }
    let exchange = Exchange::new([one, other], kinds.clone());
    let mut matcher = Matcher { system, exchange, known: FxHashSet::default() };
    let are_matched = match [one, other].map(|process| system.processes[process].pc) {
        [None, None] => true,
        [Some(pc), Some(theirs)] => matcher.exchange.bind(system, pc, theirs),
        _ => false,
    };
    let are_matched = are_matched && ours.into_iter().zip(theirs).all(|(ours, theirs)| matcher.commands(ours, theirs));
    let exchange = if are_matched { matcher.exchange.completed(system)? } else { return None };
    exchange.moves_variables().then_some(exchange)
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
    /// The pairs of expressions that match, in places for values of a kind.
    known: FxHashSet<(ExprId, ExprId, Kind)>,
}

impl Matcher<'_> {
    fn commands(&mut self, ours: &Command, theirs: &Command) -> bool {
        let are_alike = ours.keeps_control == theirs.keeps_control && ours.updates.len() == theirs.updates.len();
        if !are_alike || !self.parts(ours, theirs) {
            return false;
        }
        let relations = match (ours.relation, theirs.relation) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => self.exprs(ours, theirs, Kinds::PLAIN),
            _ => false,
        };
        relations && self.exprs(ours.guard, theirs.guard, Kinds::PLAIN) && self.all_updates(ours, theirs)
    }

    /// Updates of variables that are known to correspond do, and the others in their order.
    fn all_updates(&mut self, ours: &Command, theirs: &Command) -> bool {
        let mut left: Vec<&Update> = theirs.updates.iter().collect();
        let (mut known, mut others) = (Vec::new(), Vec::new());
        for update in &ours.updates {
            let place = match update.place {
                Place::Variable(var) => self.exchange.known(var),
                Place::Element { .. } => None,
            };
            let found = place.and_then(|place| left.iter().position(|update| update.place == Place::Variable(place)));
            match found {
                Some(found) => known.push((update, left.remove(found))),
                None => others.push(update),
            }
        }
        known.extend(others.into_iter().zip(left));
        known.into_iter().all(|(ours, theirs)| self.updates(ours, theirs))
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
        let Some(var) = ours.place.variables().next() else { return false };
        self.places(ours.place, theirs.place)
            && match (ours.choice, theirs.choice) {
                (Choice::Anything, Choice::Anything) => true,
                (Choice::Exactly(ours), Choice::Exactly(theirs)) | (Choice::OneOf(ours), Choice::OneOf(theirs)) => {
                    self.exprs(ours, theirs, self.exchange.kinds.of_var(var))
                }
                _ => false,
            }
    }

    fn places(&mut self, ours: Place, theirs: Place) -> bool {
        match (ours, theirs) {
            (Place::Variable(ours), Place::Variable(theirs)) => self.exchange.bind(self.system, ours, theirs),
            (
                Place::Element { length, low, index, .. },
                Place::Element { length: others, low: least, index: other, .. },
            ) => {
                let mut pairs = ours.variables().zip(theirs.variables());
                length == others
                    && low == least
                    && self.exprs(index, other, Kinds::PLAIN)
                    && (self.is_by_name(index) || pairs.all(|(one, other)| self.exchange.bind(self.system, one, other)))
            }
            _ => false,
        }
    }

    /// Whether an index may be a name: the elements then change places with the names, and no element has to stay where it is.
    fn is_by_name(&self, index: ExprId) -> bool {
        self.exchange.kinds.of_expr(index, Kinds::PLAIN) != Kinds::PLAIN
    }

    fn exprs(&mut self, ours: ExprId, theirs: ExprId, place: Kind) -> bool {
        let mut open = vec![(ours, theirs, place)];
        while let Some((ours, theirs, place)) = open.pop() {
            if self.known.insert((ours, theirs, place)) && !self.nodes((ours, theirs, place), &mut open) {
                return false;
            }
        }
        true
    }

    fn nodes(&mut self, (ours, theirs, place): (ExprId, ExprId, Kind), open: &mut Vec<(ExprId, ExprId, Kind)>) -> bool {
        let exprs = &self.system.exprs;
        let are_alike = match (exprs.node(ours), exprs.node(theirs)) {
            (Node::Now(ours), Node::Now(theirs)) | (Node::Next(ours), Node::Next(theirs)) => {
                return self.exchange.bind(self.system, *ours, *theirs);
            }
            (Node::Constant(one), Node::Constant(other)) => {
                return self.exchange.bind_values(place, (*one, exprs.sort(ours)), (*other, exprs.sort(theirs)));
            }
            (Node::Running(ours), Node::Running(theirs)) => return self.exchange.of_process(*ours) == *theirs,
            (Node::Unary(ours, _), Node::Unary(theirs, _)) => ours == theirs,
            (Node::Binary(ours, ..), Node::Binary(theirs, ..)) => ours == theirs,
            (Node::Ite(..), Node::Ite(..)) | (Node::Union(..), Node::Union(..)) => true,
            (Node::Select { index, low, elements }, Node::Select { index: other, low: least, elements: others }) => {
                if self.is_by_name(*index) {
                    open.push((*index, *other, Kinds::PLAIN));
                    return low == least && elements.len() == others.len();
                }
                low == least && elements.len() == others.len()
            }
            (one, other) => return one == other && exprs.sort(ours) == exprs.sort(theirs),
        };
        let [parts, others] = [ours, theirs].map(|expr| self.exchange.kinds.places(self.system, expr, place));
        let pairs = parts.into_iter().zip(others).map(|((ours, place), (theirs, _))| (ours, theirs, place));
        open.extend(pairs.rev());
        are_alike
    }
}
