//! A system in a form that does not depend on the order of what is commutative, so that it can be compared with itself after an
//! exchange of processes. Forms are numbered: equal forms have equal numbers.

use super::matching::Exchange;
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
}

/// A process that takes part in a command: from where it goes, and where to.
type Part = (ProcessId, [Option<usize>; 2]);

type Form = (Head, Vec<u32>);

/// The forms of a system and of some conditions.
pub struct Forms<'a> {
    system: &'a System,
    conditions: Vec<ExprId>,
    fairness: &'a [Fairness],
    numbers: FxHashMap<Form, u32>,
    /// Those of the system as it is.
    plain: Option<Vec<u32>>,
}

impl<'a> Forms<'a> {
    /// None is written so far. Each condition is to be kept, and the fairness constraints all together.
    pub fn new(system: &'a System, conditions: Vec<ExprId>, fairness: &'a [Fairness]) -> Forms<'a> {
        Forms { system, conditions, fairness, numbers: FxHashMap::default(), plain: None }
    }

    /// Whether an exchange changes neither the system nor the conditions nor fairness.
    pub fn are_kept(&mut self, exchange: &Exchange) -> bool {
        if self.plain.is_none() {
            self.plain = Some(Writer { forms: self, exchange: None, known: FxHashMap::default() }.whole());
        }
        let exchanged = Writer { forms: self, exchange: Some(exchange), known: FxHashMap::default() }.whole();
        Some(exchanged) == self.plain
    }
}

/// Writes forms after an exchange.
struct Writer<'a, 'b> {
    forms: &'a mut Forms<'b>,
    exchange: Option<&'a Exchange>,
    known: FxHashMap<ExprId, u32>,
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

    /// The forms of everything.
    fn whole(mut self) -> Vec<u32> {
        let system = self.forms.system;
        let commands: Vec<u32> = system.commands.iter().map(|command| self.command(command)).collect();
        let initial: Vec<u32> = system.initial_values.iter().map(|update| self.update(update)).collect();
        let definitions: Vec<u32> = system.definitions.iter().map(|definition| self.definition(definition)).collect();
        let conditions = [&system.initial, &system.constraints, &system.relations];
        let conditions = conditions.map(|conditions| {
            let forms = conditions.iter().map(|condition| self.expr(condition.holds)).collect();
            self.set(forms)
        });
        let [commands, initial, definitions] = [commands, initial, definitions].map(|forms| self.set(forms));
        let kept: Vec<u32> = self.forms.conditions.clone().into_iter().map(|expr| self.expr(expr)).collect();
        let fairness: Vec<u32> = self.forms.fairness.iter().map(|constraint| self.constraint(*constraint)).collect();
        let fairness = self.set(fairness);
        [vec![commands, initial, definitions, fairness], conditions.to_vec(), kept].concat()
    }

    /// Forms whose order does not matter.
    fn set(&mut self, mut forms: Vec<u32>) -> u32 {
        forms.sort_unstable();
        self.number(Head::List, forms)
    }

    fn constraint(&mut self, constraint: Fairness) -> u32 {
        match constraint {
            Fairness::Justice(often) => {
                let often = self.expr(often);
                self.number(Head::Justice, vec![often])
            }
            Fairness::Compassion(often, then) => {
                let parts = vec![self.expr(often), self.expr(then)];
                self.number(Head::Compassion, parts)
            }
            Fairness::Weak(process) => self.number(Head::Weak(self.process(process)), Vec::new()),
            Fairness::Strong(process) => self.number(Head::Strong(self.process(process)), Vec::new()),
        }
    }

    fn command(&mut self, command: &Command) -> u32 {
        let updates: Vec<u32> = command.updates.iter().map(|update| self.update(update)).collect();
        let (guard, updates) = (self.expr(command.guard), self.set(updates));
        let relation = command.relation.map(|relation| self.expr(relation));
        let relation = self.number(Head::Relation, relation.into_iter().collect());
        let (owner, partner) = (self.part(command.owner), command.partner.map(|partner| self.part(partner)));
        let head = Head::Command { owner, partner, keeps_control: command.keeps_control };
        self.number(head, vec![guard, updates, relation])
    }

    fn part(&self, part: Move) -> Part {
        (self.process(part.process), [part.from, part.to].map(|point| point.map(|point| point.index())))
    }

    fn update(&mut self, update: &Update) -> u32 {
        let choice = self.choice(update.choice);
        match update.place {
            Place::Variable(var) => self.number(Head::Update(self.var(var)), vec![choice]),
            Place::Element { low, index, .. } => {
                let elements = update.place.variables().map(|var| self.var(var)).collect();
                let index = self.expr(index);
                self.number(Head::Element(low, elements), vec![index, choice])
            }
        }
    }

    fn definition(&mut self, definition: &Definition) -> u32 {
        let choice = self.choice(definition.choice);
        self.number(Head::Defined(self.var(definition.variable)), vec![choice])
    }

    fn choice(&mut self, choice: Choice) -> u32 {
        let (head, parts) = match choice {
            Choice::Exactly(expr) => (Head::Exactly, vec![self.expr(expr)]),
            Choice::OneOf(expr) => (Head::OneOf, vec![self.expr(expr)]),
            Choice::Anything => (Head::Anything, Vec::new()),
        };
        self.number(head, parts)
    }

    /// The form of an expression, from its parts upwards.
    fn expr(&mut self, root: ExprId) -> u32 {
        let mut open = vec![root];
        while let Some(expr) = open.last().copied() {
            let parts = self.parts(expr);
            let before = open.len();
            open.extend(parts.iter().filter(|part| !self.known.contains_key(part)));
            if open.len() > before {
                continue;
            }
            open.pop();
            if !self.known.contains_key(&expr) {
                let mut forms: Vec<u32> = parts.iter().map(|part| self.known[part]).collect();
                if self.is_commutative(expr) {
                    forms.sort_unstable();
                }
                let head = self.head(expr);
                let number = self.number(head, forms);
                self.known.insert(expr, number);
            }
        }
        self.known[&root]
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

    /// The parts of an expression; those of a chain of an associative operator all together.
    fn parts(&self, expr: ExprId) -> Vec<ExprId> {
        let exprs = &self.forms.system.exprs;
        match exprs.node(expr) {
            Node::Constant(_) | Node::Now(_) | Node::Next(_) | Node::Running(_) => Vec::new(),
            Node::Timeout | Node::Interval(..) | Node::Gap(_) => Vec::new(),
            Node::Unary(_, operand) => vec![*operand],
            Node::Binary(operator @ (Binary::And | Binary::Or | Binary::Add), ..) if exprs.is_total(expr) => self
                .chain(expr, |node| match node {
                    Node::Binary(same, a, b) if same == operator => Some([*a, *b]),
                    _ => None,
                }),
            Node::Union(..) if exprs.is_total(expr) => self.chain(expr, |node| match node {
                Node::Union(a, b) => Some([*a, *b]),
                _ => None,
            }),
            Node::Binary(_, a, b) | Node::Union(a, b) => vec![*a, *b],
            Node::Ite(a, b, c) => vec![*a, *b, *c],
            Node::Select { index, elements, .. } => [&[*index], &elements[..]].concat(),
        }
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

    fn head(&self, expr: ExprId) -> Head {
        let exprs = &self.forms.system.exprs;
        match exprs.node(expr) {
            Node::Constant(value) => Head::Constant(*value, exprs.sort(expr)),
            Node::Now(var) => Head::Now(self.var(*var)),
            Node::Next(var) => Head::Next(self.var(*var)),
            Node::Running(process) => Head::Running(self.process(*process)),
            Node::Unary(operator, _) => Head::Unary(*operator, exprs.sort(expr)),
            Node::Binary(operator, ..) => Head::Binary(*operator, exprs.sort(expr)),
            Node::Ite(..) => Head::Ite,
            Node::Select { low, .. } => Head::Select(*low),
            Node::Union(..) => Head::Union,
            fixed @ (Node::Timeout | Node::Interval(..) | Node::Gap(_)) => Head::Fixed(fixed.clone()),
        }
    }
}
