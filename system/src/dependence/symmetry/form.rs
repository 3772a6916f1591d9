//! A system in a form that does not depend on the order of what is commutative, so that it can be compared with itself after an
//! exchange of processes. Forms are numbered: equal forms have equal numbers.
//!
//! Let π be an exchange, of processes, variables and names. It turns a state s into π(s), in which π(v) has the value π(s(v)): another one only
//! where the values of v are of a kind with names that change places. What is written after the exchange means in π(s) what was written
//! before means in s, up to π of its value where that is of such a kind. By induction over expressions: a constant c in a place of a
//! kind becomes π(c), and a variable v becomes π(v), whose values are of the same kind. `=` compares values of one kind, on which π is one to one.
//! What chooses between values, or makes sets of them, has values of the kind that it chooses from. An element of an array that is chosen by a name
//! i is at π(i) afterwards. All other operators have plain operands, and plain values, on which π does nothing. So if what is written is the
//! same as before, s can make a step to t if and only if π(s) can make one to π(t), and a condition that is kept is true in s if and only if it
//! is true in π(s).

use super::exchange::Exchange;
use super::kind::{Kind, Kinds};
use crate::definition::expr::Node;
use crate::definition::ids::{ExprId, ProcessId, VarId};
use crate::definition::op::{Binary, Unary};
use crate::definition::sort::Sort;
use crate::definition::system::{Choice, Command, Definition, Fairness, Move, Place, System, Update};
use crate::definition::value::Value;
use rustc_hash::FxHashMap;

/// What a form is, besides its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Head {
    Constant(Value, Sort),
    Now(VarId),
    Next(VarId),
    Running(ProcessId),
    Unary(Unary, Sort),
    Binary(Binary, Sort),
    Ite,
    Select(i64),
    Union,
    /// What has no parts that an exchange could change.
    Fixed(Node),
    Exactly,
    OneOf,
    Anything,
    Update(VarId),
    /// An element of an array with its lowest index, and the variables that are its elements.
    Element(i64, Vec<VarId>),
    Defined(VarId),
    Command {
        owner: Part,
        partner: Option<Part>,
        keeps_control: bool,
    },
    Relation,
    List,
    Justice,
    Compassion,
    Weak(ProcessId),
    Strong(ProcessId),
    /// What can only be written before the exchange.
    Torn,
}

/// A process that takes part in a command: from where it goes, and where to.
type Part = (ProcessId, [Option<usize>; 2]);

type Form = (Head, Vec<u32>);

/// What is to be kept besides conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// How steps are made. Initial states may become others.
    Steps,
    /// Steps, initial states, and which infinite runs are fair.
    Runs,
}

impl Extent {
    /// The conditions of fairness that are to be kept, one by one or in each other's place.
    fn conditions(self, system: &System) -> Vec<ExprId> {
        let fairness = if self == Extent::Runs { &system.fairness[..] } else { &[] };
        let conditions = fairness.iter().flat_map(|constraint| match *constraint {
            Fairness::Justice(often) => vec![often],
            Fairness::Compassion(often, then) => vec![often, then],
            Fairness::Weak(_) | Fairness::Strong(_) => Vec::new(),
        });
        conditions.collect()
    }
}

/// The forms of a system and of some conditions.
pub struct Forms<'a> {
    system: &'a System,
    kinds: Kinds,
    conditions: Vec<ExprId>,
    extent: Extent,
    numbers: FxHashMap<Form, u32>,
    /// Those of the system as it is.
    plain: Option<Vec<u32>>,
    /// How many expressions may still be written.
    left: usize,
    /// How many exchanges may still turn out to change something.
    misses: usize,
}

/// The most expressions that are written, over all exchanges: more than that takes longer than it is worth.
const MOST: usize = 400_000;

/// The most exchanges that may turn out to change something before no more are tried, where runs are to be kept: in a ring, each process looks like all others,
/// and no two can change places. What a formula gains by an order is less than what a search gains that visits fewer states.
const MOST_MISSES: usize = 20;

impl<'a> Forms<'a> {
    /// None is written so far. There are no forms of a system that is too large for all of its processes to be exchanged.
    pub fn new(system: &'a System, conditions: Vec<ExprId>, extent: Extent) -> Option<Forms<'a>> {
        let is_much = system.exprs.len().saturating_mul(system.processes.len()) > MOST;
        let kinds = (!is_much).then(|| Kinds::of(system, &[&conditions[..], &extent.conditions(system)].concat()))?;
        let misses = match extent {
            Extent::Steps => usize::MAX,
            Extent::Runs => MOST_MISSES,
        };
        Some(Forms {
            system,
            kinds,
            conditions,
            extent,
            numbers: FxHashMap::default(),
            plain: None,
            left: MOST,
            misses,
        })
    }

    /// The kinds of values in the system and the conditions.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Whether an exchange changes nothing that is to be kept, as far as is known without writing too much.
    pub fn are_kept(&mut self, exchange: &Exchange) -> bool {
        let left = self.left.checked_sub(self.system.exprs.len());
        let may_be_kept = self.misses > 0 && exchange.keeps_domains(self.system);
        let Some(left) = left.filter(|_| may_be_kept) else { return false };
        self.left = left;
        if self.plain.is_none() {
            self.plain = Some(Writer { forms: self, exchange: None, known: FxHashMap::default() }.whole());
        }
        let exchanged = Writer { forms: self, exchange: Some(exchange), known: FxHashMap::default() }.whole();
        let are_kept = Some(exchanged) == self.plain;
        self.misses -= usize::from(!are_kept);
        are_kept
    }
}

/// Writes forms after an exchange.
struct Writer<'a, 'b> {
    forms: &'a mut Forms<'b>,
    exchange: Option<&'a Exchange>,
    /// The numbers of expressions in places for values of a kind.
    known: FxHashMap<(ExprId, Kind), u32>,
}

impl Writer<'_, '_> {
    fn number(&mut self, head: Head, parts: Vec<u32>) -> u32 {
        let next = self.forms.numbers.len() as u32;
        *self.forms.numbers.entry((head, parts)).or_insert(next)
    }

    fn var(&self, var: VarId) -> VarId {
        self.exchange.map_or(var, |exchange| exchange.of(var))
    }

    fn process(&self, process: ProcessId) -> ProcessId {
        self.exchange.map_or(process, |exchange| exchange.of_process(process))
    }

    fn kinds(&self) -> &Kinds {
        self.exchange.map_or(&self.forms.kinds, |exchange| &exchange.kinds)
    }

    fn value(&self, kind: Kind, value: Value) -> Value {
        self.exchange.map_or(value, |exchange| exchange.of_value(kind, value))
    }

    /// The forms of everything that says how steps are made, and of the conditions.
    fn whole(mut self) -> Vec<u32> {
        let system = self.forms.system;
        let commands: Vec<u32> = system.commands.iter().map(|command| self.command(command)).collect();
        let definitions: Vec<u32> = system.definitions.iter().map(|definition| self.definition(definition)).collect();
        let conditions = [&system.constraints, &system.relations].map(|conditions| {
            let forms = conditions.iter().map(|condition| self.expr(condition.holds, Kinds::PLAIN)).collect();
            self.set(forms)
        });
        let [commands, definitions] = [commands, definitions].map(|forms| self.set(forms));
        let kept = self.forms.conditions.clone();
        let kept: Vec<u32> = kept.into_iter().map(|expr| self.expr(expr, Kinds::PLAIN)).collect();
        let runs = if self.forms.extent == Extent::Runs { self.runs() } else { Vec::new() };
        [vec![commands, definitions], conditions.to_vec(), kept, runs].concat()
    }

    /// Forms whose order does not matter.
    fn set(&mut self, mut forms: Vec<u32>) -> u32 {
        forms.sort_unstable();
        self.number(Head::List, forms)
    }

    /// The forms of what says where runs begin, and which are fair.
    fn runs(&mut self) -> Vec<u32> {
        let system = self.forms.system;
        let values: Vec<u32> = system.initial_values.iter().map(|update| self.update(update)).collect();
        let initial = system.initial.iter().map(|condition| self.expr(condition.holds, Kinds::PLAIN)).collect();
        let fairness: Vec<u32> = system.fairness.iter().map(|constraint| self.constraint(*constraint)).collect();
        [values, initial, fairness].map(|forms| self.set(forms)).to_vec()
    }

    fn constraint(&mut self, constraint: Fairness) -> u32 {
        match constraint {
            Fairness::Justice(often) => {
                let often = self.expr(often, Kinds::PLAIN);
                self.number(Head::Justice, vec![often])
            }
            Fairness::Compassion(often, then) => {
                let parts = vec![self.expr(often, Kinds::PLAIN), self.expr(then, Kinds::PLAIN)];
                self.number(Head::Compassion, parts)
            }
            Fairness::Weak(process) => self.number(Head::Weak(self.process(process)), Vec::new()),
            Fairness::Strong(process) => self.number(Head::Strong(self.process(process)), Vec::new()),
        }
    }

    fn command(&mut self, command: &Command) -> u32 {
        let updates: Vec<u32> = command.updates.iter().map(|update| self.update(update)).collect();
        let (guard, updates) = (self.expr(command.guard, Kinds::PLAIN), self.set(updates));
        let relation = command.relation.map(|relation| self.expr(relation, Kinds::PLAIN));
        let relation = self.number(Head::Relation, relation.into_iter().collect());
        let (owner, partner) = (self.part(command.owner), command.partner.map(|partner| self.part(partner)));
        let head = Head::Command { owner, partner, keeps_control: command.keeps_control };
        self.number(head, vec![guard, updates, relation])
    }

    fn part(&self, part: Move) -> Part {
        (self.process(part.process), [part.from, part.to].map(|point| point.map(|point| point.index())))
    }

    fn update(&mut self, update: &Update) -> u32 {
        match update.place {
            Place::Variable(var) => {
                let choice = self.choice(update.choice, var);
                self.number(Head::Update(self.var(var)), vec![choice])
            }
            Place::Element { first, low, index, .. } => {
                let choice = self.choice(update.choice, first);
                let elements: Vec<VarId> = update.place.variables().map(|var| self.var(var)).collect();
                let elements = self.chosen_by(index, low, elements);
                let head = elements.map_or(Head::Torn, |elements| Head::Element(low, elements));
                let index = self.expr(index, Kinds::PLAIN);
                self.number(head, vec![index, choice])
            }
        }
    }

    /// The elements of an array from an index on, in the order that they have after the exchange; none if some have no place there.
    fn chosen_by<Element: Copy>(&self, index: ExprId, low: i64, elements: Vec<Element>) -> Option<Vec<Element>> {
        let kind = self.kinds().of_expr(index, Kinds::PLAIN);
        // An exchange is its own inverse: what is at a place afterwards was at the place that the exchange turns it into.
        let places = (0..elements.len()).map(|place| {
            let from = self.value(kind, low.checked_add_unsigned(place as u64)?).checked_sub(low)?;
            elements.get(usize::try_from(from).ok()?).copied()
        });
        places.collect()
    }

    fn definition(&mut self, definition: &Definition) -> u32 {
        let choice = self.choice(definition.choice, definition.variable);
        self.number(Head::Defined(self.var(definition.variable)), vec![choice])
    }

    /// What is stored in a variable.
    fn choice(&mut self, choice: Choice, stored_in: VarId) -> u32 {
        let kind = self.kinds().of_var(stored_in);
        let (head, parts) = match choice {
            Choice::Exactly(expr) => (Head::Exactly, vec![self.expr(expr, kind)]),
            Choice::OneOf(expr) => (Head::OneOf, vec![self.expr(expr, kind)]),
            Choice::Anything => (Head::Anything, Vec::new()),
        };
        self.number(head, parts)
    }

    /// The form of an expression in a place for values of a kind, from its parts upwards.
    fn expr(&mut self, root: ExprId, place: Kind) -> u32 {
        let root = (root, self.kinds().of_expr(root, place));
        let mut open = vec![root];
        while let Some((expr, kind)) = open.last().copied() {
            let parts = self.parts(expr, kind);
            let before = open.len();
            open.extend(parts.iter().filter(|part| !self.known.contains_key(part)));
            if open.len() > before {
                continue;
            }
            open.pop();
            if !self.known.contains_key(&(expr, kind)) {
                let forms: Vec<u32> = parts.iter().map(|part| self.known[part]).collect();
                let number = self.form(expr, kind, forms);
                self.known.insert((expr, kind), number);
            }
        }
        self.known[&root]
    }

    /// The form of an expression, given those of its parts.
    fn form(&mut self, expr: ExprId, kind: Kind, mut parts: Vec<u32>) -> u32 {
        if self.is_commutative(expr) {
            parts.sort_unstable();
        }
        let mut head = self.head(expr, kind);
        if let Node::Select { index, low, .. } = self.forms.system.exprs.node(expr) {
            match self.chosen_by(*index, *low, parts[1..].to_vec()) {
                Some(elements) => parts.splice(1.., elements).for_each(drop),
                None => head = Head::Torn,
            }
        }
        self.number(head, parts)
    }

    /// Whether the order of the parts does not matter. Where evaluating one of them can fail, it does: what comes before may prevent it.
    fn is_commutative(&self, expr: ExprId) -> bool {
        let exprs = &self.forms.system.exprs;
        let can_turn = match exprs.node(expr) {
            Node::Binary(operator, ..) => {
                matches!(operator, Binary::And | Binary::Or | Binary::Xor | Binary::Equal | Binary::Add)
            }
            Node::Union(..) => true,
            _ => false,
        };
        can_turn && exprs.is_total(expr)
    }

    /// The parts of an expression and their places; those of a chain of an associative operator all together.
    fn parts(&self, expr: ExprId, kind: Kind) -> Vec<(ExprId, Kind)> {
        let exprs = &self.forms.system.exprs;
        let parts = match exprs.node(expr) {
            Node::Binary(operator @ (Binary::And | Binary::Or | Binary::Add), ..) if exprs.is_total(expr) => self
                .chain(expr, |node| match node {
                    Node::Binary(same, a, b) if same == operator => Some([*a, *b]),
                    _ => None,
                })
                .into_iter()
                .map(|part| (part, Kinds::PLAIN))
                .collect(),
            Node::Union(..) if exprs.is_total(expr) => self
                .chain(expr, |node| match node {
                    Node::Union(a, b) => Some([*a, *b]),
                    _ => None,
                })
                .into_iter()
                .map(|part| (part, kind))
                .collect(),
            _ => self.kinds().places(self.forms.system, expr, kind),
        };
        parts.into_iter().map(|(part, place)| (part, self.kinds().of_expr(part, place))).collect()
    }

    fn chain(&self, expr: ExprId, halves: impl Fn(&Node) -> Option<[ExprId; 2]>) -> Vec<ExprId> {
        let (mut open, mut found) = (vec![expr], Vec::new());
        while let Some(expr) = open.pop() {
            match halves(self.forms.system.exprs.node(expr)) {
                Some(halves) => open.extend(halves),
                None => found.push(expr),
            }
        }
        found
    }

    fn head(&self, expr: ExprId, kind: Kind) -> Head {
        let exprs = &self.forms.system.exprs;
        match exprs.node(expr) {
            Node::Constant(value) => self.constant(self.value(kind, *value), exprs.sort(expr)),
            Node::Now(var) => Head::Now(self.var(*var)),
            Node::Next(var) => Head::Next(self.var(*var)),
            Node::Running(process) => Head::Running(self.process(*process)),
            Node::Unary(operator, _) => Head::Unary(*operator, exprs.sort(expr)),
            Node::Binary(operator, ..) => Head::Binary(*operator, exprs.sort(expr)),
            Node::Ite(..) => Head::Ite,
            Node::Select { low, .. } => Head::Select(*low),
            Node::Union(..) => Head::Union,
            fixed @ Node::Interval(low, high) => {
                let is_kept =
                    self.exchange.is_none_or(|exchange| exchange.keeps(kind, |value| (*low..=*high).contains(&value)));
                if is_kept { Head::Fixed(fixed.clone()) } else { Head::Torn }
            }
            fixed @ (Node::Timeout | Node::Gap(_)) => Head::Fixed(fixed.clone()),
        }
    }

    fn constant(&self, value: Value, sort: Sort) -> Head {
        match sort {
            Sort::Integer { .. } => Head::Constant(value, Sort::Integer { low: value, high: value }),
            sort => Head::Constant(value, sort),
        }
    }
}
