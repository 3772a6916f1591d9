//! What there is to say of a run, state by state and step by step.
//!
//! Only what takes the whole run to know is kept. The words are made when they are asked for: those of a run of a million steps take
//! many times the memory of the run.

use super::describe::{scalar, setting, step, values};
use super::document::{Document, Step};
use super::flow::{Flow, Observer};
use super::messages::{Exchange, exchanges, messages};
use super::values::Values;
use super::waiting::waiting;
use languages::source::Source;
use system::{CommandId, Machine, Moved, PropertyId, State, Trace, VarId};

/// What takes the whole of a run to know.
pub struct Facts {
    /// The document of the run, without its states and steps.
    about: Document,
    /// What explains its steps. A trace that does not replay has no such commands; it is told all the same.
    replayed: Option<Vec<CommandId>>,
    exchanges: Vec<Exchange>,
}

impl Facts {
    /// Looks at a run, and at the property that it violates.
    pub fn of(machine: &Machine, source: &Source, trace: &Trace, property: Option<PropertyId>) -> Facts {
        let replayed = trace.replay(machine).ok();
        let flow = replayed.as_ref().map(|commands| Flow::new(machine, trace, commands));
        let setting = setting(machine, source);
        let about = Document {
            property: property.map(|property| machine.system().properties[property].name.clone()),
            loop_start: trace.loop_start,
            waiting: waiting(machine, &setting, trace, property),
            core: flow.zip(property).and_then(|(flow, property)| flow.core(property)),
            ..setting
        };
        Facts { about, replayed, exchanges: exchanges(machine, trace) }
    }
}

/// A run, and what is known of it.
#[derive(Clone, Copy)]
pub struct Account<'a> {
    pub machine: &'a Machine,
    pub source: &'a Source,
    pub trace: &'a Trace,
    pub facts: &'a Facts,
}

impl<'a> Account<'a> {
    /// The document, without its states and steps.
    pub fn about(self) -> &'a Document {
        &self.facts.about
    }

    /// The whole document.
    pub fn document(self) -> Document {
        Document { states: self.states().collect(), steps: self.steps().collect(), ..self.facts.about.clone() }
    }

    /// Where the loop starts, if the last state has the values of that state.
    pub fn exact_loop_start(self) -> Option<usize> {
        let values_of = |state: Option<&State>| state.map(|state| values(self.machine, state));
        let Trace { states, loop_start, .. } = self.trace;
        loop_start.filter(|start| values_of(states.get(*start).as_ref()) == values_of(states.last()))
    }

    /// The values of the states. Of those after the first, only what a step changes is written anew.
    pub fn states(self) -> impl Iterator<Item = Values> + 'a {
        let Account { machine, trace, .. } = self;
        let (system, layout) = (machine.system(), machine.layout());
        let mut last = trace.states.first().map_or_else(Values::default, |first| values(machine, &first));
        let places = system.state_variables().map(|(var, variable)| (var, last.position(&variable.name)));
        let places: Vec<(VarId, usize)> = places.filter_map(|(var, at)| Some((var, at?))).collect();
        let mut before: Option<State> = None;
        trace.states.iter().map(move |State(to)| {
            if let Some(State(from)) = &before {
                let changed = places.iter().filter(|(var, _)| layout.differ(from, &to, *var));
                let changes = changed.filter_map(|(var, at)| Some((*at, scalar(system, *var, layout.get(&to, *var)?))));
                last = last.with(changes);
            }
            before = Some(State(to));
            last.clone()
        })
    }

    /// The steps between them.
    pub fn steps(self) -> impl Iterator<Item = Step> + 'a {
        let Account { machine, source, trace, facts } = self;
        let replayed = facts.replayed.as_ref();
        let mut observer = replayed.map(|commands| Observer::new(Flow::new(machine, trace, commands)));
        trace.steps().enumerate().map(move |(index, (from, moved, to))| {
            let command = replayed.map(|commands| commands[index]);
            let moved = Moved { command, ..moved };
            let observed = observer.as_mut().map(|observer| observer.observe(&from, moved.process, &to));
            Step {
                observes: observed.unwrap_or_default(),
                messages: messages(machine, [&from, &to], &facts.exchanges, index + 1),
                ..step(machine, source, &from, &moved, &to)
            }
        })
    }
}
