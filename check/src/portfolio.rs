//! The engines, and which of them is given which property.
//!
//! A new engine is a type that implements [`Engine`] and a line in [`portfolio`].

use super::options::{Choice, Options};
use super::{cycles, lassos, stages, states, symbolic, unrolling};
use bounded::can_be_asked;
use engine::{AtOnce, Engine, Findings, Trouble};
use limits::Handle;
use system::{Claim, Machine, PropertyId};

/// What an engine is asked.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The system.
    pub machine: &'a Machine,
    /// Properties that the engine can decide.
    pub properties: &'a [PropertyId],
    /// How to work.
    pub options: &'a Options,
}

/// An engine that is at work on a task.
pub type Working<'a> = Box<dyn Engine + 'a>;

/// Whether an engine can decide a property.
type Decides = dyn Fn(&Machine, PropertyId) -> bool;

/// How an engine begins to work on a task.
type Begin = dyn for<'a> Fn(Task<'a>) -> Working<'a>;

/// An engine that takes part: which properties are its to decide, and how it begins.
pub struct Candidate {
    decides: Box<Decides>,
    begin: Box<Begin>,
    /// How it works where others wait for it: it begins with what takes little time, and goes on with what that leaves open when the
    /// others have had their turn. Nothing if its work has no parts.
    parts: Vec<Box<Begin>>,
}

impl Candidate {
    /// An engine that can decide some properties, as far as the claim tells, and begins like this. One that it is given may
    /// still turn out undecided.
    pub fn new(
        decides: impl Fn(&Machine, PropertyId) -> bool + 'static,
        begin: impl for<'a> Fn(Task<'a>) -> Working<'a> + 'static,
    ) -> Candidate {
        Candidate { decides: Box::new(decides), begin: Box::new(begin), parts: Vec::new() }
    }

    /// The same, where the work is a single search.
    fn at_once(decides: impl Fn(&Machine, PropertyId) -> bool + 'static, search: impl Searching) -> Candidate {
        Candidate { decides: Box::new(decides), begin: begin(search), parts: Vec::new() }
    }

    /// The same, with one more part where others wait.
    fn part(mut self, search: impl Searching) -> Candidate {
        self.parts.push(begin(search));
        self
    }

    /// Begins to work on a task.
    pub fn begin<'a>(&self, task: Task<'a>) -> Working<'a> {
        (self.begin)(task)
    }

    /// The parts of the work, each as an engine of its own, with the round in which it is done. What has no parts is not done before others
    /// have had a first look.
    fn divided(self) -> Vec<(usize, Candidate)> {
        let Candidate { decides, begin, parts } = self;
        if parts.is_empty() {
            return vec![(1, Candidate { decides, begin, parts })];
        }
        let parts = parts.into_iter().enumerate();
        let alone = |begin| Candidate { decides: Box::new(|_, _| true), begin, parts: Vec::new() };
        parts.map(|(round, begin)| (round, alone(begin))).collect()
    }
}

/// A single search.
trait Searching: Fn(Task<'_>, &mut Handle<'_>) -> Result<Findings, Trouble> + Copy + 'static {}

impl<S: Fn(Task<'_>, &mut Handle<'_>) -> Result<Findings, Trouble> + Copy + 'static> Searching for S {}

/// Begins a single search.
fn begin(search: impl Searching) -> Box<Begin> {
    Box::new(move |task| Box::new(AtOnce::new(move |handle: &mut Handle<'_>| search(task, handle))))
}

/// An engine with the properties that are its to decide.
pub struct Assignment {
    /// The engine.
    pub engine: Candidate,
    /// Its properties.
    pub properties: Vec<PropertyId>,
    /// Whether it is their first.
    pub turn: Turn,
}

/// When an engine works on properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Before it, nothing is known of them.
    First,
    /// It goes on with what an earlier turn has left open.
    Further,
}

/// Gives each property to the first engine that can decide it; the others are left over. An engine without properties does
/// not run, but where no engine has any, the first one runs all the same: it says whether the model makes sense.
pub fn assign(machine: &Machine, wanted: &[PropertyId], engines: Vec<Candidate>) -> Vec<Assignment> {
    let mut left = wanted.to_vec();
    let mut assignments = Vec::new();
    for engine in engines {
        let (properties, others) = left.iter().partition(|property| (engine.decides)(machine, **property));
        left = others;
        assignments.push(Assignment { engine, properties, turn: Turn::First });
    }
    let is_idle = assignments.iter().all(|assignment| assignment.properties.is_empty());
    match is_idle {
        true => assignments.truncate(1),
        false => assignments.retain(|assignment| !assignment.properties.is_empty()),
    }
    if assignments.len() > 1 { divided(assignments) } else { assignments }
}

/// What takes long is put off until all engines have had a turn.
fn divided(assignments: Vec<Assignment>) -> Vec<Assignment> {
    let mut rounds = Vec::new();
    for Assignment { engine, properties, turn } in assignments {
        for (number, (round, engine)) in engine.divided().into_iter().enumerate() {
            let turn = if number == 0 { turn } else { Turn::Further };
            rounds.push((round, Assignment { engine, properties: properties.clone(), turn }));
        }
    }
    // In a round, engines keep their order.
    rounds.sort_by_key(|(round, _)| *round);
    rounds.into_iter().map(|(_, assignment)| assignment).collect()
}

/// The engines that take part, those to be preferred first.
pub fn portfolio(options: &Options) -> Vec<Candidate> {
    let mut engines = vec![match options.engine {
        Choice::Symbolic => Candidate::at_once(symbolic::decides, symbolic::search),
        Choice::Auto if has_stages(options) => {
            let invariants = Candidate::at_once(is_invariant, search_invariants).part(stages::glance_at_invariants);
            invariants.part(stages::search_invariants_soon).part(stages::search_invariants_later)
        }
        _ => Candidate::at_once(is_invariant, search_invariants),
    }];
    engines.push(match options.engine {
        Choice::Symbolic => Candidate::at_once(symbolic::is_branching, symbolic::search),
        _ => Candidate::at_once(symbolic::is_branching, stages::search_branching),
    });
    if let Choice::Widening | Choice::Plain = options.engine {
        engines.push(Candidate::at_once(lassos::decides, lassos::search));
    }
    engines.push(Candidate::at_once(cycles::decides, cycles::search).part(cycles::glance).part(cycles::search_further));
    engines
}

/// Checks properties that are about states and steps, one by one: where there is no bound, or a formula cannot say what is
/// asked, states and diagrams are all there is.
pub fn search_invariants(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let options = task.options;
    match options.engine {
        Choice::Auto if has_stages(options) => stages::search_invariants(task, handle),
        Choice::Auto if !can_unroll(task) => match options.bound.filter(|_| options.visiting.is_plain()) {
            Some(bound) => stages::search_up_to(bound, task, handle),
            None => states::search_alone(task, handle),
        },
        Choice::Auto if options.bound.is_none() => states::search_alone(task, handle),
        Choice::Explicit => states::search_alone(task, handle),
        Choice::Stateless => states::search_runs(task, handle),
        Choice::Symbolic => symbolic::search(task, handle),
        Choice::Auto | Choice::Widening | Choice::Plain => unrolling::search(task, handle),
    }
}

/// Whether several engines take turns where nothing is said about how to search.
fn has_stages(options: &Options) -> bool {
    options.bound.is_none() && options.visiting.is_plain()
}

/// Whether formulas can say what is asked.
fn can_unroll(task: Task<'_>) -> bool {
    task.properties.iter().all(|property| can_be_asked(task.machine, *property))
}

/// Whether a property is about states and steps, one by one.
pub fn is_invariant(machine: &Machine, property: PropertyId) -> bool {
    matches!(machine.system().properties[property].claim, Claim::Invariant(_) | Claim::DeadlockFree)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Language, Model};

    /// Easy formulas do not wait for hard assertions, nor the other way round: all have a first look before any has a second one.
    #[test]
    fn all_properties_have_a_look_before_one_is_looked_at_for_long() {
        let text = "byte a; active proctype P() { do :: a++; assert(a < 9) od } ltl p { []<> (a == 1) }";
        let model = Model::parse(text, Language::Promela).expect("a program");
        let system = model.machine.system();
        let rounds = |options: &Options| -> Vec<(String, Turn)> {
            let wanted: Vec<PropertyId> = system.properties.indices().collect();
            let assignments = assign(&model.machine, &wanted, portfolio(options)).into_iter();
            let first = |properties: &[PropertyId]| system.properties[properties[0]].name.clone();
            assignments.map(|assignment| (first(&assignment.properties), assignment.turn)).collect()
        };
        let (invariants, formulas) = ("assert_1".to_owned(), "p".to_owned());
        assert_eq!(
            rounds(&Options::default()),
            [
                (invariants.clone(), Turn::First),
                (formulas.clone(), Turn::First),
                (invariants.clone(), Turn::Further),
                (formulas.clone(), Turn::Further),
                (invariants.clone(), Turn::Further),
            ]
        );
        assert_eq!(
            rounds(&Options::default().bound(20)),
            [(formulas.clone(), Turn::First), (invariants, Turn::First), (formulas, Turn::Further)]
        );
    }
}
