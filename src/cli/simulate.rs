//! `uwbmc simulate`

use super::model::Model;
use super::{ModelArgs, Outcome, model, output, say, terminal};
use crate::Error;
use crate::trace::{self, Document, render_state, who_moved};
use std::io::BufRead;
use system::{Failure, Moved, State, Trace, Visit};

/// The most successors that are collected at a step; beyond it, a walk chooses among the first ones.
const MOST_CHOICES: usize = 100_000;

#[derive(clap::Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// How many steps a random walk has.
    #[arg(long, default_value_t = 10, value_name = "N")]
    steps: usize,
    /// The seed of a random walk.
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,
    /// Choose each step yourself.
    #[arg(long, short)]
    interactive: bool,
    /// Print the walk as one JSON document, the trace.
    #[arg(long, conflicts_with = "interactive")]
    json: bool,
    #[command(flatten)]
    output: output::TraceArgs,
}

pub fn run(args: &SimulateArgs) -> Result<Outcome, Error> {
    args.output.check()?;
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let say: fn(&str) = if args.json { |_| () } else { terminal::print };
    let setting = trace::setting(&model.machine, &model.source);
    let mut walk = Walk { model: &model, setting, trace: Trace::default(), say };
    let done = if args.interactive { walk.interactive() } else { walk.random(args.steps, args.seed) };
    let outcome = match done {
        Ok(()) => Outcome::Fine,
        Err(failure) => {
            say::failure(&model, failure, &walk.trace);
            Outcome::BadInput
        }
    };
    let document = trace::describe(&model.machine, &model.source, &walk.trace, None);
    args.output.write(&document)?;
    if args.json {
        terminal::print(&document.to_json());
    }
    Ok(outcome)
}

/// A run in the making.
struct Walk<'a> {
    model: &'a Model,
    /// What is known of the system.
    setting: Document,
    trace: Trace,
    /// How to tell the user about it.
    say: fn(&str),
}

impl Walk<'_> {
    fn random(&mut self, steps: usize, seed: u64) -> Result<(), Failure> {
        let mut random = fastrand::Rng::with_seed(seed);
        (self.say)(&format!("random walk, seed {seed}\n"));
        let initial = self.initial_states()?;
        if initial.is_empty() {
            (self.say)("the model has no initial state\n");
            return Ok(());
        }
        self.begin(initial[random.usize(..initial.len())].clone());
        for _ in 0..steps {
            let choices = self.choices()?;
            if choices.is_empty() {
                (self.say)("no process can move\n");
                return Ok(());
            }
            let (moved, state) = choices[random.usize(..choices.len())].clone();
            self.step(moved, state);
        }
        Ok(())
    }

    fn interactive(&mut self) -> Result<(), Failure> {
        let mut lines = std::io::stdin().lock().lines();
        loop {
            let options = self.options()?;
            (self.say)(&self.menu(&options));
            let Some(Ok(line)) = lines.next() else { return Ok(()) };
            match line.trim() {
                "q" => return Ok(()),
                "u" => self.undo(),
                number => match number.parse().ok().and_then(|number: usize| options.get(number)) {
                    Some((Some(moved), state)) => self.step(moved.clone(), state.clone()),
                    Some((None, state)) => self.begin(state.clone()),
                    None => (self.say)("a number from the list, u to undo, or q to quit\n"),
                },
            }
        }
    }

    /// What can be chosen now: an initial state, or a step.
    fn options(&self) -> Result<Vec<(Option<Moved>, State)>, Failure> {
        if self.trace.states.is_empty() {
            return Ok(self.initial_states()?.into_iter().map(|state| (None, state)).collect());
        }
        Ok(self.choices()?.into_iter().map(|(moved, state)| (Some(moved), state)).collect())
    }

    fn menu(&self, options: &[(Option<Moved>, State)]) -> String {
        /// The most lines of a menu.
        const MOST_SHOWN: usize = 50;
        let machine = &self.model.machine;
        let mut menu = String::new();
        for (number, (moved, state)) in options.iter().take(MOST_SHOWN).enumerate() {
            let title = match (moved, self.trace.states.last()) {
                (Some(moved), Some(from)) => who_moved(machine, &self.model.source, from, moved, state),
                _ => "initial state".to_owned(),
            };
            let details = render_state(&self.setting, machine, self.trace.states.last(), state);
            menu.push_str(&format!("[{number}] {title}\n{}", indent(&details)));
        }
        if options.len() > MOST_SHOWN {
            menu.push_str(&format!("... and {} more, up to [{}]\n", options.len() - MOST_SHOWN, options.len() - 1));
        }
        if options.is_empty() {
            menu.push_str("no process can move\n");
        }
        menu + "step, u to undo, q to quit> "
    }

    fn begin(&mut self, state: State) {
        (self.say)(&format!("state 0\n{}", render_state(&self.setting, &self.model.machine, None, &state)));
        self.trace.states.push(state);
    }

    fn step(&mut self, moved: Moved, state: State) {
        let machine = &self.model.machine;
        if let Some(from) = self.trace.states.last() {
            let title = who_moved(machine, &self.model.source, from, &moved, &state);
            let number = self.trace.states.len();
            let details = render_state(&self.setting, machine, Some(from), &state);
            (self.say)(&format!("state {number}: {title}\n{details}"));
        }
        self.trace.moves.push(moved);
        self.trace.states.push(state);
    }

    fn undo(&mut self) {
        self.trace.states.pop();
        self.trace.moves.pop();
        match self.trace.states.len() {
            0 => (self.say)("before the first state\n"),
            number => (self.say)(&format!("back in state {}\n", number - 1)),
        }
    }

    fn initial_states(&self) -> Result<Vec<State>, Failure> {
        let mut workspace = self.model.machine.workspace();
        let mut states = Vec::new();
        self.model.machine.initial_states(&mut workspace, |state| {
            states.push(state);
            if states.len() < MOST_CHOICES { Visit::Continue(()) } else { Visit::Break(()) }
        })?;
        Ok(states)
    }

    /// The steps from the last state, each different one once.
    fn choices(&self) -> Result<Vec<(Moved, State)>, Failure> {
        let machine = &self.model.machine;
        let Some(last) = self.trace.states.last() else { return Ok(Vec::new()) };
        let mut choices: Vec<(Moved, State)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        machine.successors(&last.0, &mut machine.workspace(), |successor| {
            let step = successor.step();
            let process = machine.system().commands[step.command].owner.process;
            let state = State(successor.state.into());
            if seen.insert((process, step.inputs.clone(), state.clone())) {
                choices.push((Moved { process, command: Some(step.command), inputs: step.inputs }, state));
            }
            if choices.len() < MOST_CHOICES { Visit::Continue(()) } else { Visit::Break(()) }
        })?;
        Ok(choices)
    }
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
