//! Commands: the steps of every process at every control point, the initial state, and what the statements claim.

mod action;
mod assertion;
mod creation;
mod emit;
mod initial;
mod label;
mod meeting;
mod offer;
mod printing;
mod priority;
mod processes;
mod receive;
mod rendezvous;
mod send;
mod size;

pub use action::{Direction, Event};

use super::lowering::Lowering;
use super::properties::TraceMonitor;
use crate::promela::ids::{InstanceId, ProctypeId};
use crate::promela::trail::Trail;
use emit::Moving;
use meeting::Receiver;
use offer::Offer;
use rendezvous::Receiving;
use size::Size;
use system::{Command, CommandId, ExprId, IndexVec, Span};

/// What came of the statements besides commands.
#[derive(Debug)]
pub struct Commands {
    /// How SPIN names the steps.
    pub trail: Trail,
    /// For each assert statement, what its instances claim.
    pub assertions: Vec<(Span, Vec<ExprId>)>,
    /// What each `D_proctype` claims.
    pub choices: Choices,
    /// What follows the trace assertion.
    pub trace: Option<TraceMonitor>,
}

/// For each `D_proctype`, that its instances have no choice when they move.
type Choices = Vec<(ProctypeId, ExprId)>;

/// The steps of each process at each of its control points.
type Offers = IndexVec<InstanceId, Vec<Vec<Offer>>>;

impl Lowering<'_> {
    /// Makes the processes, their commands and the initial state.
    pub fn commands(&mut self) -> Option<Commands> {
        self.processes();
        self.initial_state()?;
        let trace = self.trace_monitor()?;
        let receivers = self.receivers()?;
        let mut size = Size::default();
        let (mut offers, choices) = self.all_offers(&receivers, &mut size)?;
        if let Some(span) = self.program.ast.priorities {
            self.respect_priorities(span, &mut offers)?;
        }
        let noted = Commands { trail: Trail::default(), assertions: Vec::new(), choices, trace };
        self.all_commands(&offers, noted, &mut size)
    }

    /// What the processes can do where they rest, and what each `D_proctype` claims.
    fn all_offers(&mut self, receivers: &[Receiver], size: &mut Size) -> Option<(Offers, Choices)> {
        let mut choices = Vec::new();
        let mut offers = Offers::new();
        for instance in self.instances.all.indices() {
            let mut of_instance = Vec::new();
            for (number, point) in self.points(instance).iter().enumerate() {
                let at_point = self.offers(instance, point, receivers)?;
                choices.extend(self.choice(instance, number, &at_point, receivers)?);
                let alternatives = at_point.iter().flat_map(|offer| &offer.alternatives);
                size.add(alternatives.map(|way| 1 + way.effects.len()).sum(), point.span, self.diagnostics)?;
                of_instance.push(at_point);
            }
            offers.push(of_instance);
        }
        Some((offers, choices))
    }

    /// The commands of all offers.
    fn all_commands(&mut self, offers: &Offers, mut noted: Commands, size: &mut Size) -> Option<Commands> {
        let mut commands: IndexVec<CommandId, Command> = IndexVec::new();
        let receiving = Receiving::of(offers);
        for (instance, of_instance) in offers.iter_enumerated() {
            let at_points = of_instance.iter().enumerate();
            for (point, offer) in at_points.flat_map(|(point, offers)| offers.iter().map(move |offer| (point, offer))) {
                let before = commands.len();
                noted.note(self.assertion(instance, point, offer)?);
                self.commands_of(&Moving { instance, point, offer }, &receiving, &mut noted, &mut commands)?;
                size.add(commands.len() - before, offer.edge.span, self.diagnostics)?;
            }
        }
        self.system.has_atomic_sections = commands.iter().any(|command| command.keeps_control);
        self.system.commands = commands;
        self.system.has_statements = true;
        Some(noted)
    }
}
