//! Commands: the steps of every process at every control point.

use super::super::ast::{Choosing, Kind};
use super::super::codes;
use super::super::flow::{Action, Automaton, Choice as Choices, Edge, Entry, Point, Target};
use super::super::trail::Line;
use super::Lowering;
use super::action::{Alternative, Direction, Event, Half};
use super::effect::Effects;
use super::expr::Context;
use super::instance::Instance;
use super::message::{Field, WRONG_FIELDS};
use crate::diagnostic::Diagnostic;
use std::sync::Arc;
use system::{
    Choice, Command, CommandId, ControlPoint, ExprId, IndexVec, Move, Place, PointId, Process, Span, Statement, Update,
};

/// The most steps and assignments that are made of a model: about a gigabyte.
const MOST_ASSIGNMENTS: usize = 10_000_000;

/// What is wrong where a `d_step` cannot go on.
const D_STEP_BLOCKS: &str = "a statement inside a d_step blocks";

/// A step of a process at a point, with what has to hold besides its own guard.
#[derive(Clone, Debug)]
pub struct Offer {
    pub edge: Edge,
    pub terms: Terms,
    pub alternatives: Vec<Alternative>,
}

/// On which terms a process can make a step.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// No escape interrupts it, and no earlier step of a `d_step` is chosen instead.
    pub context: ExprId,
    /// The same when the step is to receive what is being sent: nothing interrupts a rendezvous but another receive.
    pub met: ExprId,
    /// Receives of a lower rank come first.
    pub rank: usize,
}

/// A receive that waits for a rendezvous.
#[derive(Clone, Debug)]
struct Receiver {
    instance: usize,
    point: usize,
    channel: usize,
    /// The variable means this channel.
    here: ExprId,
    fields: Vec<Field>,
}

impl Lowering<'_> {
    /// Makes the processes, their commands and the initial state.
    pub(super) fn commands(&mut self) -> Option<()> {
        self.processes();
        self.initial_state()?;
        self.trace_monitor()?;
        let receivers = self.receivers()?;
        let mut size = 0;
        let mut offers: Vec<Vec<Vec<Offer>>> = Vec::new();
        for instance in 0..self.instances.len() {
            let points = self.automata[self.instances[instance].proctype].points.clone();
            let mut of_instance = Vec::new();
            for point in &points {
                let at_point = self.offers(instance, point, &receivers)?;
                self.note_choice(instance, of_instance.len(), &at_point, &receivers)?;
                let alternatives = at_point.iter().flat_map(|offer| &offer.alternatives);
                self.check_size(&mut size, alternatives.map(|way| 1 + way.effects.len()).sum(), point.span)?;
                of_instance.push(at_point);
            }
            offers.push(of_instance);
        }
        if let Some(span) = self.ast.priorities {
            self.respect_priorities(span, &mut offers)?;
        }
        let mut commands: IndexVec<CommandId, Command> = IndexVec::new();
        for instance in 0..self.instances.len() {
            for point in 0..offers[instance].len() {
                for offer in &offers[instance][point] {
                    let before = commands.len();
                    self.commands_of(instance, point, offer, &offers, &mut commands)?;
                    self.check_size(&mut size, commands.len() - before, offer.edge.span)?;
                }
            }
        }
        self.system.has_atomic_sections = commands.iter().any(|command| command.keeps_control);
        self.system.commands = commands;
        self.system.has_statements = true;
        Some(())
    }

    /// Adds to the size of the model, which has a limit.
    fn check_size(&mut self, size: &mut usize, more: usize, span: Span) -> Option<()> {
        *size += more;
        if *size <= MOST_ASSIGNMENTS {
            return Some(());
        }
        let help = "make channels or local arrays smaller, or create fewer processes";
        let message = "the model is too large: its processes make too many assignments";
        self.diagnostics.push(Diagnostic::error(codes::TOO_LARGE, span, message).help(help));
        None
    }

    fn processes(&mut self) {
        let statements: Vec<Arc<[Vec<Statement>]>> =
            self.automata.iter().map(|automaton| self.statements(automaton)).collect();
        for index in 0..self.instances.len() {
            let info = self.instances[index].clone();
            let automaton = &self.automata[info.proctype];
            let mut points: IndexVec<PointId, ControlPoint> = IndexVec::new();
            points.push(ControlPoint { name: "-".to_owned(), value: Some(0), end: true });
            for (number, point) in automaton.points.iter().enumerate() {
                let name = match point.labels.first() {
                    Some(label) => label.to_string(),
                    None => format!("{}:{}", self.source.line(point.span), number + 1),
                };
                points.push(ControlPoint { name, value: Some(number as i64 + 1), end: point.end });
            }
            let span = self.ast.proctypes[info.proctype].span;
            let process = self.system.processes.push(Process { name: info.name, pc: Some(info.pc), points, span });
            self.system.statements.insert(process, Arc::clone(&statements[info.proctype]));
        }
    }

    /// What a process can come to at each of its control points, of which the first one means that it does not run.
    fn statements(&self, automaton: &Automaton) -> Arc<[Vec<Statement>]> {
        let statement = |edge: &Edge| Statement { text: self.label(edge), span: edge.span };
        let at = |point: &Point| point.edges().map(statement).collect();
        std::iter::once(Vec::new()).chain(automaton.points.iter().map(at)).collect()
    }

    fn initial_state(&mut self) -> Option<()> {
        let mut effects = Effects::initial();
        for leaf in self.globals.iter().flat_map(|storage| storage.leaves.clone()).collect::<Vec<_>>() {
            self.initialise(None, &leaf, &mut effects)?;
        }
        for index in 0..self.instances.len() {
            if self.instances[index].starts {
                let priority = self.ast.proctypes[self.instances[index].proctype].priority;
                self.create(index, &[], priority, &mut effects)?;
            }
        }
        for var in self.system.variables.indices() {
            let value = self.read(&effects, var);
            let span = self.system.variables[var].span;
            let update = Update { place: Place::Variable(var), choice: Choice::Exactly(value), span };
            self.system.initial_values.push(update);
        }
        Some(())
    }

    /// All receives on rendezvous channels.
    fn receivers(&mut self) -> Option<Vec<Receiver>> {
        let mut receivers = Vec::new();
        for instance in 0..self.instances.len() {
            let points = self.automata[self.instances[instance].proctype].points.clone();
            for (point, info) in points.iter().enumerate() {
                for edge in info.edges() {
                    if !matches!(edge.action, Action::Statement(Kind::Receive(..))) {
                        continue;
                    }
                    for alternative in self.alternatives(instance, edge)? {
                        if let Some(Half::Receive { channel, fields }) = alternative.half {
                            receivers.push(Receiver { instance, point, channel, here: alternative.guard, fields });
                        }
                    }
                }
            }
        }
        Some(receivers)
    }

    /// The steps at a point.
    fn offers(&mut self, instance: usize, point: &Point, receivers: &[Receiver]) -> Option<Vec<Offer>> {
        let provided = match self.ast.proctypes[self.instances[instance].proctype].provided {
            Some(condition) if !point.inside_d_step => {
                let none = Effects::default();
                let condition =
                    self.value(Context { instance: Some(instance), effects: &none, created: None }, condition)?;
                self.truth(condition)
            }
            _ => self.system.exprs.boolean(true),
        };
        let mut offers = Vec::new();
        let mut terms = Terms { context: provided, met: provided, rank: 0 };
        for group in &point.escapes {
            let possible = self.offer_group(instance, group, terms, receivers, &mut offers)?;
            let not_possible = self.system.exprs.not(possible);
            terms.context = self.both(terms.context, not_possible);
            terms.rank += 1;
        }
        let possible = self.offer_group(instance, &point.choices, terms, receivers, &mut offers)?;
        if point.inside_d_step {
            let terms = Terms { context: provided, met: provided, rank: 0 };
            let edges: Vec<Edge> = point.edges().cloned().collect();
            self.offer_blocking(possible, &edges, terms, &mut offers);
            self.fail_to_meet(&mut offers);
        }
        Some(offers)
    }

    /// Adds the steps of some choices and says when one of them is possible.
    fn offer_group(
        &mut self,
        instance: usize,
        choices: &[Choices],
        terms: Terms,
        receivers: &[Receiver],
        offers: &mut Vec<Offer>,
    ) -> Option<ExprId> {
        let mut any = self.system.exprs.boolean(false);
        for choice in choices {
            let possible = match choice {
                Choices::Free(edge) if is_else(edge) => {
                    let otherwise = self.system.exprs.not(any);
                    let alternatives = vec![Alternative::new(otherwise, Effects::default())];
                    offers.push(Offer { edge: edge.clone(), terms, alternatives });
                    self.system.exprs.boolean(true)
                }
                Choices::Free(edge) => {
                    let alternatives = self.alternatives(instance, edge)?;
                    let possible = self.possible(instance, &alternatives, receivers)?;
                    offers.push(Offer { edge: edge.clone(), terms, alternatives });
                    possible
                }
                Choices::First(entry, edges) => {
                    let before = offers.len();
                    let opens = self.opens(instance, entry, any, receivers)?;
                    let begins = Terms { context: self.both(terms.context, opens), ..terms };
                    let possible = self.offer_first(instance, edges, begins, receivers, offers)?;
                    if let Entry::Guards(_) = entry {
                        self.offer_blocking(possible, edges, begins, offers);
                    }
                    self.fail_to_meet(&mut offers[before..]);
                    match entry {
                        Entry::Possible => possible,
                        Entry::Otherwise => self.system.exprs.boolean(true),
                        Entry::Guards(_) => opens,
                    }
                }
            };
            any = self.either(any, possible);
        }
        Some(any)
    }

    /// When a `d_step` can begin, besides that one of its first statements can run. `earlier` is when one of the choices
    /// before it is possible.
    fn opens(&mut self, instance: usize, entry: &Entry, earlier: ExprId, receivers: &[Receiver]) -> Option<ExprId> {
        let guards = match entry {
            Entry::Otherwise => return Some(self.system.exprs.not(earlier)),
            Entry::Guards(guards) if !guards.is_empty() => guards,
            Entry::Possible | Entry::Guards(_) => return Some(self.system.exprs.boolean(true)),
        };
        let mut opens = self.system.exprs.boolean(false);
        for guard in guards {
            let possible = if is_else(guard) {
                self.system.exprs.boolean(true)
            } else {
                let alternatives = self.alternatives(instance, guard)?;
                self.possible(instance, &alternatives, receivers)?
            };
            opens = self.either(opens, possible);
        }
        Some(opens)
    }

    /// Blocking is an error where a `d_step` has begun.
    fn offer_blocking(&mut self, possible: ExprId, edges: &[Edge], terms: Terms, offers: &mut Vec<Offer>) {
        let Some(first) = edges.first() else { return };
        let blocked = self.system.exprs.not(possible);
        let fails = self.failing(blocked, first.span, D_STEP_BLOCKS);
        let edge = Edge { action: Action::Skip, ..first.clone() };
        offers.push(Offer { edge, terms, alternatives: vec![fails] });
    }

    /// Steps of which the first possible one is made.
    fn offer_first(
        &mut self,
        instance: usize,
        edges: &[Edge],
        terms: Terms,
        receivers: &[Receiver],
        offers: &mut Vec<Offer>,
    ) -> Option<ExprId> {
        let mut earlier = self.system.exprs.boolean(false);
        for edge in edges {
            let none_before = self.system.exprs.not(earlier);
            let context = self.both(terms.context, none_before);
            let met = self.both(terms.met, none_before);
            let terms = Terms { context, met, ..terms };
            if is_else(edge) {
                let always = self.system.exprs.boolean(true);
                let alternatives = vec![Alternative::new(always, Effects::default())];
                offers.push(Offer { edge: edge.clone(), terms, alternatives });
                return Some(always);
            }
            let alternatives = self.alternatives(instance, edge)?;
            let possible = self.possible(instance, &alternatives, receivers)?;
            offers.push(Offer { edge: edge.clone(), terms, alternatives });
            earlier = self.either(earlier, possible);
        }
        Some(earlier)
    }

    /// A `d_step` can take what is sent by rendezvous, but a send inside it is an error: its step ends there.
    fn fail_to_meet(&mut self, offers: &mut [Offer]) {
        for offer in offers {
            for alternative in &mut offer.alternatives {
                if let Some(Half::Send { .. }) = alternative.half {
                    *alternative = self.failing(alternative.guard, offer.edge.span, "a d_step sends by rendezvous");
                }
            }
        }
    }

    /// When one of the alternatives is possible. A receive on a rendezvous channel never is by itself.
    fn possible(&mut self, instance: usize, alternatives: &[Alternative], receivers: &[Receiver]) -> Option<ExprId> {
        let mut any = self.system.exprs.boolean(false);
        for alternative in alternatives {
            let possible = match &alternative.half {
                None => alternative.guard,
                Some(Half::Receive { .. }) => continue,
                Some(Half::Send { channel, values }) => {
                    let mut ready = self.system.exprs.boolean(false);
                    for receiver in receivers.iter().filter(|r| r.channel == *channel && r.instance != instance) {
                        let matches = self.matches(receiver.instance, &receiver.fields, values)?;
                        let pc = self.now(self.instances[receiver.instance].pc);
                        let there = self.integer(receiver.point as i64 + 1);
                        let at = self.system.exprs.equal(pc, there);
                        let at = self.both(at, receiver.here);
                        let this = self.both(at, matches);
                        ready = self.either(ready, this);
                    }
                    self.both(alternative.guard, ready)
                }
            };
            any = self.either(any, possible);
        }
        Some(any)
    }

    /// Whether a message is what a receive expects.
    fn matches(&mut self, receiver: usize, fields: &[Field], values: &[ExprId]) -> Option<ExprId> {
        let none = Effects::default();
        let context = Context { instance: Some(receiver), effects: &none, created: None };
        let mut matches = self.system.exprs.boolean(true);
        for (field, value) in fields.iter().zip(values) {
            if let Field::Match(wanted) = field {
                let wanted = self.value(context, *wanted)?;
                let wanted = self.number(wanted);
                let equal = self.system.exprs.equal(*value, wanted);
                matches = self.both(matches, equal);
            }
        }
        Some(matches)
    }

    fn commands_of(
        &mut self,
        instance: usize,
        point: usize,
        offer: &Offer,
        offers: &[Vec<Vec<Offer>>],
        commands: &mut IndexVec<CommandId, Command>,
    ) -> Option<()> {
        self.note_assertion(instance, point, offer)?;
        let owner = self.movement(instance, point, offer.edge.target);
        for alternative in &offer.alternatives {
            let guard = self.both(offer.terms.context, alternative.guard);
            if self.system.exprs.constant_value(guard) == Some(0) {
                continue;
            }
            match &alternative.half {
                Some(Half::Receive { .. }) => {}
                Some(Half::Send { channel, values }) => {
                    let sending = Sending { instance, owner, guard, channel: *channel, values };
                    self.rendezvous(&sending, &offer.edge, offers, commands)?;
                }
                None => {
                    let mut updates = self.updates(&alternative.effects, offer.edge.span);
                    updates.extend(self.note_last(instance, &offer.edge));
                    updates.extend(self.note_events(alternative.event.as_slice(), offer.edge.span));
                    let line = self.trail_line(instance, &offer.edge);
                    self.trail.add(line.into_iter());
                    let command = commands.push(Command {
                        owner,
                        partner: None,
                        guard,
                        updates,
                        relation: None,
                        keeps_control: offer.edge.keeps_control,
                        label: self.label(&offer.edge),
                        span: offer.edge.span,
                    });
                    self.note_printing(instance, &offer.edge, command)?;
                }
            }
        }
        Some(())
    }

    /// The commands of a send with every receive that can take the message.
    fn rendezvous(
        &mut self,
        sending: &Sending<'_>,
        edge: &Edge,
        offers: &[Vec<Vec<Offer>>],
        commands: &mut IndexVec<CommandId, Command>,
    ) -> Option<()> {
        // As in SPIN, the last process comes first.
        for receiver in (0..self.instances.len()).rev().filter(|receiver| *receiver != sending.instance) {
            for (point, at_point) in offers[receiver].iter().enumerate() {
                self.meet(sending, edge, (receiver, point), at_point, commands)?;
            }
        }
        Some(())
    }

    /// The commands of a send with every receive at a point.
    fn meet(
        &mut self,
        sending: &Sending<'_>,
        edge: &Edge,
        (receiver, point): (usize, usize),
        at_point: &[Offer],
        commands: &mut IndexVec<CommandId, Command>,
    ) -> Option<()> {
        let mut earlier: Vec<(usize, ExprId)> = Vec::new();
        let halves = at_point.iter().flat_map(|offer| offer.alternatives.iter().map(move |way| (offer, way)));
        for (Offer { edge: receiving, terms, .. }, alternative) in halves {
            let Some(Half::Receive { channel, fields }) = &alternative.half else { continue };
            if *channel != sending.channel {
                continue;
            }
            let matches = self.matches(receiver, fields, sending.values)?;
            let takes = self.both(alternative.guard, matches);
            let mut guard = self.both(sending.guard, terms.met);
            for (_, other) in earlier.iter().filter(|(rank, _)| *rank < terms.rank) {
                let not_taken = self.system.exprs.not(*other);
                guard = self.both(guard, not_taken);
            }
            earlier.push((terms.rank, takes));
            guard = self.both(guard, takes);
            if self.system.exprs.constant_value(guard) == Some(0) {
                continue;
            }
            let none = Effects::default();
            let context = Context { instance: Some(receiver), effects: &none, created: None };
            let mut effects = Effects::default();
            self.store_fields(context, fields, sending.values, &mut effects)?;
            if fields.len() != sending.values.len() {
                effects = self.failing(guard, receiving.span, WRONG_FIELDS).effects;
            }
            let mut updates = self.updates(&effects, edge.span);
            updates.extend(self.note_last(receiver, receiving));
            let event = |direction| Event { direction, channel: *channel, values: sending.values.to_vec() };
            let events = [event(Direction::Sent), event(Direction::Received)];
            updates.extend(self.note_events(&events, edge.span));
            let lines = [self.trail_line(sending.instance, edge), self.trail_line(receiver, receiving)];
            self.trail.add(lines.into_iter().flatten());
            commands.push(Command {
                owner: sending.owner,
                partner: Some(self.movement(receiver, point, receiving.target)),
                guard,
                updates,
                relation: None,
                keeps_control: receiving.keeps_control,
                label: format!("{} / {}", self.label(edge), self.label(receiving)),
                span: edge.span,
            });
        }
        Some(())
    }

    /// `_last` is the process that moved last, the receiver in a rendezvous. A `d_step` moves when it is done.
    fn note_last(&mut self, instance: usize, edge: &Edge) -> Option<Update> {
        let place = Place::Variable(self.last?);
        let Instance { pid, proctype, .. } = self.instances[instance];
        if let Target::Point(to) = edge.target
            && self.automata[proctype].points[to].inside_d_step
        {
            return None;
        }
        let pid = self.integer(pid.into());
        Some(Update { place, choice: Choice::Exactly(pid), span: edge.span })
    }

    /// The line of SPIN's trails for a step of a process, if it has one.
    fn trail_line(&self, instance: usize, edge: &Edge) -> Option<Line> {
        let Instance { pid, proctype, .. } = self.instances[instance];
        let watching = self.watching.iter().filter(|(earlier, _)| *earlier <= proctype).map(|(_, numbered)| *numbered);
        let before: usize = self.automata[..proctype].iter().map(|automaton| automaton.numbered).chain(watching).sum();
        Some(Line { pid, statement: before + edge.number? })
    }

    fn movement(&self, instance: usize, point: usize, target: Target) -> Move {
        let to = match target {
            Target::Point(to) => to + 1,
            Target::Gone => 0,
        };
        Move {
            process: self.instances[instance].process,
            from: Some(PointId::from(point + 1)),
            to: Some(PointId::from(to)),
        }
    }

    /// Notes what an assert claims: when its process moves from here, its condition holds. Since an assert can always
    /// run when its process can, it does not matter which of several steps the process makes.
    fn note_assertion(&mut self, instance: usize, point: usize, offer: &Offer) -> Option<()> {
        let Action::Statement(Kind::Assert(condition)) = offer.edge.action else { return Some(()) };
        let none = Effects::default();
        let context = Context { instance: Some(instance), effects: &none, created: None };
        let condition = self.value(context, condition)?;
        let condition = self.truth(condition);
        let process = self.instances[instance].process;
        let runs = self.system.exprs.running(process);
        let (pc, here) = (self.now(self.instances[instance].pc), self.integer(point as i64 + 1));
        let at = self.system.exprs.equal(pc, here);
        let reached = self.both(runs, at);
        let reached = self.both(reached, offer.terms.context);
        let not_reached = self.system.exprs.not(reached);
        let claim = self.either(not_reached, condition);
        match self.assertions.iter_mut().find(|(span, _)| *span == offer.edge.span) {
            Some((_, claims)) => claims.push(claim),
            None => self.assertions.push((offer.edge.span, vec![claim])),
        }
        Some(())
    }

    /// Notes what a `D_proctype` claims: when its process moves from here, it has no other step to choose. As in SPIN, a
    /// rendezvous that is tried before another step does not count.
    fn note_choice(&mut self, instance: usize, point: usize, offers: &[Offer], receivers: &[Receiver]) -> Option<()> {
        let Instance { proctype, pc, process, .. } = self.instances[instance];
        if self.ast.proctypes[proctype].choice == Choosing::Allowed {
            return Some(());
        }
        let (mut before, mut choice) = (self.system.exprs.boolean(false), self.system.exprs.boolean(false));
        for offer in offers {
            let possible = self.possible(instance, &offer.alternatives, receivers)?;
            let possible = self.both(offer.terms.context, possible);
            let both = self.both(before, possible);
            choice = self.either(choice, both);
            if offer.alternatives.iter().all(|alternative| alternative.half.is_none()) {
                before = self.either(before, possible);
            }
        }
        let (runs, here) = (self.system.exprs.running(process), self.integer(point as i64 + 1));
        let pc = self.now(pc);
        let at = self.system.exprs.equal(pc, here);
        let moves = self.both(runs, at);
        let chooses = self.both(moves, choice);
        let claim = self.system.exprs.not(chooses);
        self.choices.push((proctype, claim));
        Some(())
    }

    /// The statement as the model writes it, on one line.
    fn label(&self, edge: &Edge) -> String {
        match &edge.action {
            Action::Die => "-end-".to_owned(),
            Action::Skip => "(goto)".to_owned(),
            Action::Statement(_) => short(self.source.slice(edge.span)),
        }
    }
}

/// A send that looks for a receive.
struct Sending<'s> {
    instance: usize,
    owner: Move,
    guard: ExprId,
    channel: usize,
    values: &'s [ExprId],
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.action, Action::Statement(Kind::Else))
}

/// A text on one line, without what is too long to read.
fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}..", &line[..at]),
        None => line,
    }
}
