//! Runs of small models, by chance.

use crate::numbers::Random;
use crate::traces::{Run, model};
use std::ops::ControlFlow;
use system::{Moved, State, Trace};

/// A random run from the first initial state, which ends early where no process can move.
pub fn walk(name: &str, text: &str, steps: usize, seed: u64) -> Run {
    let (source, machine) = model(name, text.as_bytes());
    let mut random = Random::new(seed);
    let mut trace = Trace::default();
    let first = |state| {
        trace.states.push(state);
        ControlFlow::Break(())
    };
    machine.initial_states(&mut machine.workspace(), first).expect("no fault");
    for _ in 0..steps {
        let mut choices = Vec::new();
        let collect = |successor: system::Successor<'_>| {
            let step = successor.step();
            let process = machine.system().commands[step.command].owner.process;
            let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
            choices.push((moved, State(successor.state.into())));
            ControlFlow::Continue(())
        };
        let last = trace.states.last().expect("an initial state");
        machine.successors(&last.0, &mut machine.workspace(), collect).expect("no fault");
        if choices.is_empty() {
            break;
        }
        let (moved, state) = random.pick(&choices).clone();
        trace.push(moved, state);
    }
    Run { source, machine, trace, property: None }
}

/// A run that goes on for ever: three states, then two of them again and again.
pub fn lasso() -> Run {
    let text = "MODULE main\nVAR x : {a, b, c};\nASSIGN init(x) := a; next(x) := case x = b : c; TRUE : b; esac;\n";
    let mut run = walk("lasso.smv", text, 3, 0);
    run.trace.loop_start = Some(1);
    run.trace.replay(&run.machine).expect("a lasso");
    run
}
