//! Trace assertions: a monitor over what is sent and received.
//!
//! The assertion is an automaton whose steps are events. A `trace` demands that every event on the channels that it names,
//! in the direction that it names, is one that it expects next; a `notrace` that its events never happen as a whole, from
//! the first event on. Where it is belongs to the state, as in SPIN, and a variable remembers that it was violated.

use super::super::channels::Candidate;
use super::super::commands::{Commands, Direction, Event};
use super::super::expressions::Context;
use super::super::lowering::Lowering;
use super::super::storage::Access;
use crate::diagnostic::Diagnostic;
use crate::promela::ast::{Expr, ExprRef, Forbidden, Kind, Pattern, Reference, Root};
use crate::promela::codes;
use crate::promela::flow::{Action, Edge, Role, Target, automaton};
use crate::promela::ids::ChannelId;
use rustc_hash::FxHashSet;
use system::{Choice, Claim, Domain, ExprId, Place, Span, Update, VarId};

/// What follows a trace assertion.
#[derive(Clone, Debug)]
pub struct TraceMonitor {
    forbids: Forbidden,
    steps: Vec<Expected>,
    /// Where the assertion is.
    at: VarId,
    /// Whether it was violated.
    failed: VarId,
    /// Its end.
    end: i64,
}

/// An event that the assertion expects somewhere.
#[derive(Clone, Debug)]
struct Expected {
    from: i64,
    to: i64,
    direction: Direction,
    channel: ChannelId,
    /// The values of the fields; none for any.
    fields: Vec<Option<ExprId>>,
}

impl Expected {
    /// Whether the event is on the same channel, in the same direction.
    fn names(&self, event: &Event) -> bool {
        self.direction == event.direction && self.channel == event.channel
    }
}

impl Lowering<'_> {
    /// Makes the monitor of the trace assertion, if there is one.
    pub fn trace_monitor(&mut self) -> Option<Option<TraceMonitor>> {
        let ast = self.program.ast;
        let Some(assertion) = &ast.trace else { return Some(None) };
        let points = automaton(&assertion.body, Role::Process, &FxHashSet::default(), self.diagnostics).points;
        let end = points.iter().position(|point| point.edges().any(is_end)).unwrap_or(points.len()) as i64;
        let mut steps = Vec::new();
        for (from, point) in points.iter().enumerate() {
            for edge in point.edges().filter(|edge| !is_end(edge)) {
                let Target::Point(to) = edge.target else { continue };
                let (direction, channel, fields) = self.expected(edge)?;
                steps.push(Expected { from: from as i64, to: to as i64, direction, channel, fields });
            }
        }
        let span = assertion.body.span;
        let places = Domain::Range { low: 0, high: points.len() as i64 };
        let (start, no) = (self.integer(0), self.system.exprs.boolean(false));
        let at = self.variable("_event".to_owned(), places, span)?;
        let update = Update { place: Place::Variable(at), choice: Choice::Exactly(start), span };
        self.system.initial_values.push(update);
        let name = format!("{}.failed", assertion.body.name);
        let failed = self.monitor_variable(name, Domain::Boolean, no, span)?;
        Some(Some(TraceMonitor { forbids: assertion.forbids, steps, at, failed, end }))
    }

    /// The event that a statement of the assertion stands for.
    fn expected(&mut self, edge: &Edge) -> Option<(Direction, ChannelId, Vec<Option<ExprId>>)> {
        let (direction, channel, fields) = self.event(edge)?;
        let candidates = self.candidates(Context::property(), &Access::of(channel))?;
        let [Candidate { channel, .. }] = candidates[..] else { return self.no_event(edge.span) };
        let mut values = Vec::new();
        for field in fields {
            values.push(match field {
                Some(field) => {
                    let value = self.value(Context::property(), field)?;
                    Some(self.number(value))
                }
                None => None,
            });
        }
        Some((direction, channel, values))
    }

    /// What a statement of the assertion says: the direction, the channel and the fields, none for any value.
    fn event<'e>(&mut self, edge: &'e Edge) -> Option<(Direction, &'e Reference, Vec<Option<ExprRef>>)> {
        match &edge.action {
            Action::Statement(Kind::Send(channel, _, fields)) => {
                let fields = fields.iter().map(|field| Some(*field).filter(|field| !self.is_scratch(*field)));
                Some((Direction::Sent, channel, fields.collect()))
            }
            Action::Statement(Kind::Receive(channel, _, _, patterns)) => {
                let mut fields = Vec::new();
                for pattern in patterns {
                    match pattern {
                        Pattern::Match(value) => fields.push(Some(*value)),
                        Pattern::Store(Reference { root: Root::Scratch, .. }) => fields.push(None),
                        Pattern::Store(place) => return self.no_event(place.span),
                    }
                }
                Some((Direction::Received, channel, fields))
            }
            _ => self.no_event(edge.span),
        }
    }

    fn is_scratch(&self, field: ExprRef) -> bool {
        matches!(self.program.ast.expr(field), Expr::Variable(Reference { root: Root::Scratch, .. }))
    }

    fn no_event<T>(&mut self, span: Span) -> Option<T> {
        let message = "a trace assertion consists of sends and receives on channels that never change";
        let help = "write constants, or _ for any value";
        self.diagnostics.push(Diagnostic::error(codes::CLAIM, span, message).help(help));
        None
    }

    /// What events do to the monitor, one after the other.
    pub fn note_events(&mut self, monitor: Option<&TraceMonitor>, events: &[Event], span: Span) -> Vec<Update> {
        let Some(monitor) = monitor else { return Vec::new() };
        let events: Vec<&Event> =
            events.iter().filter(|event| monitor.steps.iter().any(|step| step.names(event))).collect();
        if events.is_empty() {
            return Vec::new();
        }
        let (mut at, mut failed) = (self.now(monitor.at), self.now(monitor.failed));
        for event in events {
            (at, failed) = self.after_event(monitor, event, at, failed);
        }
        let set = |var, value| Update { place: Place::Variable(var), choice: Choice::Exactly(value), span };
        vec![set(monitor.at, at), set(monitor.failed, failed)]
    }

    /// Where the monitor is after an event, and whether it was violated.
    fn after_event(&mut self, monitor: &TraceMonitor, event: &Event, at: ExprId, failed: ExprId) -> (ExprId, ExprId) {
        let end = self.integer(monitor.end);
        let mut next = if monitor.forbids == Forbidden::Others { at } else { end };
        let (mut expected, mut ends) = (self.system.exprs.boolean(false), self.system.exprs.boolean(false));
        for step in monitor.steps.iter().rev().filter(|step| step.names(event)) {
            let from = self.integer(step.from);
            let mut fits = self.system.exprs.equal(at, from);
            for (wanted, value) in step.fields.iter().zip(&event.values) {
                if let Some(wanted) = wanted {
                    let equal = self.system.exprs.equal(*wanted, *value);
                    fits = self.both(fits, equal);
                }
            }
            let to = self.integer(step.to);
            next = self.system.exprs.ite(fits, to, next);
            expected = self.either(expected, fits);
            if step.to == monitor.end {
                ends = self.either(ends, fits);
            }
        }
        let wrong = match monitor.forbids {
            Forbidden::Others => self.system.exprs.not(expected),
            Forbidden::Itself => ends,
        };
        (next, self.either(failed, wrong))
    }

    /// Adds the property that the assertion is.
    pub fn trace_property(&mut self, commands: &Commands) {
        let (Some(monitor), Some(assertion)) = (&commands.trace, &self.program.ast.trace) else { return };
        let failed = self.now(monitor.failed);
        let holds = self.system.exprs.not(failed);
        self.property(assertion.body.name.to_string(), Claim::Invariant(holds), assertion.body.span);
    }
}

fn is_end(edge: &Edge) -> bool {
    matches!(edge.action, Action::Die)
}
