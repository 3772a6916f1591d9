//! Runs to write and read: counterexamples of the models, and small models of our own.

use super::random::Random;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use system::{Claim, Machine, Moved, PropertyId, State, Trace};
use uwbmc::explicit::{Limits, search};
use uwbmc::smv::load;
use uwbmc::source::Source;
use uwbmc::trace::{Document, describe};

/// A run of a model.
pub struct Run {
    pub source: Source,
    pub machine: Machine,
    pub trace: Trace,
    pub property: Option<PropertyId>,
}

impl Run {
    pub fn document(&self) -> Document {
        describe(&self.machine, &self.source, &self.trace, self.property)
    }
}

/// Reads a model, which has to be right.
pub fn model(name: &str, text: &[u8]) -> (Source, Machine) {
    let source = Source::new(name, text);
    let system = load(&source, &[]).system.unwrap_or_else(|| panic!("{name} is rejected"));
    (source, Machine::new(Arc::new(system)))
}

/// The shortest counterexamples to the invariants of a model, as far as few states have to be visited for them.
pub fn counterexamples(path: &Path) -> Vec<Run> {
    /// The most states that are visited for a counterexample.
    const MOST_STATES: usize = 400_000;
    let text = std::fs::read(path).expect("readable");
    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path).display().to_string();
    let (_, machine) = model(&name, &text);
    let is_invariant = |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_));
    let invariants: Vec<PropertyId> = machine.system().properties.indices().filter(is_invariant).collect();
    let few = |states: usize, _| if states > MOST_STATES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };
    let found = search(&machine, &invariants, limits, few).expect("our models have no faults");
    let run = |(property, trace)| {
        let (source, machine) = model(&name, &text);
        Run { source, machine, trace, property: Some(property) }
    };
    found.violations.into_iter().map(run).collect()
}

/// A random run from the first initial state.
pub fn walk(name: &str, text: &str, steps: usize, seed: u64) -> Run {
    let (source, machine) = model(name, text.as_bytes());
    let mut random = Random::new(seed);
    let mut trace = Trace::default();
    let first = |state| {
        trace.states.push(state);
        ControlFlow::Break(())
    };
    machine.initial_states(&mut machine.workspace(), first).expect("no fault");
    for index in 0..steps {
        let mut choices = Vec::new();
        let collect = |successor: system::Successor<'_>| {
            let step = successor.step();
            let process = machine.system().commands[step.command].owner.process;
            let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
            choices.push((moved, State(successor.state.into())));
            ControlFlow::Continue(())
        };
        machine.successors(&trace.states[index].0, &mut machine.workspace(), collect).expect("no fault");
        let (moved, state) = random.pick(&choices).clone();
        trace.moves.push(moved);
        trace.states.push(state);
    }
    Run { source, machine, trace, property: None }
}

/// A model with every kind of variable, inputs, two processes and a name to quote.
pub const KINDS: &str = "MODULE worker(turn)
VAR pc : {idle, \"at work\"}; left : -3..3;
ASSIGN
  init(pc) := idle; init(left) := 0;
  next(pc) := case pc = idle : \"at work\"; TRUE : idle; esac;
  next(left) := case left < 3 : left + 1; TRUE : -3; esac;
MODULE main
VAR
  on : boolean;
  u : unsigned word[8]; s : signed word[5];
  mixed : {red, 7, green};
  a : array 1..2 of boolean;
  p : process worker(on); q : process worker(on);
IVAR push : boolean; level : 0..2;
ASSIGN
  init(on) := FALSE; init(u) := 0ud8_250; init(s) := -0sd5_2; init(mixed) := red;
  next(on) := push; next(u) := u + 0ud8_3; next(s) := s - 0sd5_3;
  next(mixed) := case mixed = red : 7; mixed = 7 : green; TRUE : red; esac;
  init(a[1]) := FALSE; init(a[2]) := TRUE;
  next(a[1]) := a[2]; next(a[2]) := a[1];
INVARSPEC NAME quiet := !on
";

/// A run of [`KINDS`] in which everybody moves, and which violates its property.
pub fn kinds() -> Run {
    let mut run = walk("kinds.smv", KINDS, 12, 3);
    let moved = |name: &str| {
        let process = run.machine.system().process_named(name);
        run.trace.moves.iter().any(|moved| Some(moved.process) == process)
    };
    assert!(moved("main") && moved("p") && moved("q"));
    let property = PropertyId::from(0);
    assert!(run.trace.violates(&run.machine, property).is_some());
    run.property = Some(property);
    run
}

/// A run that goes on for ever: three states, then two of them again and again.
pub fn lasso() -> Run {
    let text = "MODULE main\nVAR x : {a, b, c};\nASSIGN init(x) := a; next(x) := case x = b : c; TRUE : b; esac;\n";
    let mut run = walk("lasso.smv", text, 3, 0);
    run.trace.loop_start = Some(1);
    run.trace.replay(&run.machine).expect("a lasso");
    run
}
