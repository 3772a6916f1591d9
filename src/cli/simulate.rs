//! `uwbmc simulate`

use super::model::Model;
use super::run::Walking;
use super::terminal::Audience;
use super::watch::Watch;
use super::{ModelArgs, Outcome, model, output, say, terminal};
use crate::Error;
use crate::check::{confirm, is_invariant};
use crate::report::Format;
use crate::trace::{self, Document, Told, render_state, who_moved};
use bounded::Walks;
use engine::Engine;
use limits::{Effort, Handle, Progress};
use std::ffi::OsString;
use std::io::BufRead;
use system::{Halt, Moved, PropertyId, State, Trace, Visit};

/// The most successors that are collected at a step; beyond it, a walk chooses among the first ones.
const MOST_CHOICES: usize = 100_000;

/// The steps of a walk, unless the user says otherwise.
const STEPS: usize = 10;

/// The same of walks to a violation.
const STEPS_TO_VIOLATION: usize = 1000;

/// The work between two looks at whether it was enough.
const CHUNK: i32 = 10_000_000;

#[derive(clap::Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// How many steps a random walk has (by default 10, with --until-violation 1000).
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Walk until an invariant or deadlock freedom is violated, each walk under a schedule and a data policy of its own.
    #[arg(long, conflicts_with = "interactive")]
    until_violation: bool,
    /// With --until-violation: the most walks.
    #[arg(long, default_value_t = 100_000, value_name = "N", requires = "until_violation")]
    walks: usize,
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
    /// The arguments of a program, if it is one and no model.
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

pub fn run(args: &SimulateArgs) -> Result<Outcome, Error> {
    args.output.check()?;
    if super::run::is_program(&args.model.model) {
        return walk_program(args);
    }
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let say: fn(&str) = if args.json { |_| () } else { terminal::print };
    let setting = trace::setting(&model.machine, &model.source);
    let mut walk = Walk { model: &model, setting, trace: Trace::default(), say };
    if args.until_violation {
        let outcome = walk.until_violation(args)?;
        walk.show(args)?;
        return Ok(outcome);
    }
    let steps = args.steps.unwrap_or(STEPS);
    let done = if args.interactive { walk.interactive() } else { walk.random(steps, args.seed) };
    let outcome = match done {
        Ok(()) => Outcome::Fine,
        Err(Halt::Failed(failure)) => {
            say::failure(&model, failure, &walk.trace);
            Outcome::BadInput
        }
        Err(Halt::Interrupted) => Outcome::Undecided,
    };
    walk.show(args)?;
    Ok(outcome)
}

/// Walks through a program, which is executed again for each step.
fn walk_program(args: &SimulateArgs) -> Result<Outcome, Error> {
    if args.until_violation || args.json || args.output.is_wanted() {
        let instead = "use uwbmc run, which looks for violations and writes traces";
        return Err(Error::Usage(format!("--until-violation, --json and --trace are for models: {instead}")));
    }
    let walking = match args.interactive {
        true => Walking::Interactively,
        false => Walking::AtRandom { steps: args.steps.unwrap_or(STEPS), seed: args.seed },
    };
    super::run::simulate(&args.model.model, &args.arguments, walking)
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
    /// The walk in the formats that are asked for.
    fn show(&self, args: &SimulateArgs) -> Result<(), Error> {
        let told = Told::from(trace::describe(&self.model.machine, &self.model.source, &self.trace, None));
        args.output.write(&told)?;
        if args.json {
            terminal::print_by(|out| Format::Json.tell(&told, out));
        }
        Ok(())
    }

    /// Walks until something is violated; that walk is shown without the steps that nothing depends on.
    fn until_violation(&mut self, args: &SimulateArgs) -> Result<Outcome, Error> {
        let (machine, steps) = (&self.model.machine, args.steps.unwrap_or(STEPS_TO_VIOLATION));
        let all = machine.system().properties.indices();
        let properties: Vec<PropertyId> = all.filter(|property| is_invariant(machine, *property)).collect();
        let mut watch = Watch::start(None, Audience::of(args.json));
        let groups = machine.grouped(&properties);
        let walks = groups.iter().map(|(machine, properties)| Walks::new(machine, properties, steps, args.seed));
        let mut walks: Vec<Walks<'_>> = walks.collect();
        loop {
            let mut handle = Handle::new(None, usize::MAX, &mut watch);
            let _ = handle.see(Progress::Runs { visits: 0, depth: steps });
            let mut is_over = true;
            for walks in &mut walks {
                is_over &= walks.turn(Effort::Ticks(CHUNK), &mut handle)?.is_some();
            }
            let made: usize = walks.iter().map(|walks| walks.found().cost.walks.unwrap_or(0)).sum();
            if let Some((property, found)) = walks.iter().flat_map(|walks| walks.found().violations()).next() {
                let short = trace::shorten(machine, property, found, &mut watch);
                watch.clear();
                let found = short.unwrap_or_else(|| found.clone());
                confirm(machine, property, &found)?;
                let name = &machine.system().properties[property].name;
                (self.say)(&format!(
                    "{name} is violated in {} steps (walk {made}, seed {})\n",
                    found.moves.len(),
                    args.seed
                ));
                self.tell(&found);
                return Ok(Outcome::Violated);
            }
            if is_over || made >= args.walks {
                watch.clear();
                (self.say)(&format!("nothing is violated in {made} walks, seed {}\n", args.seed));
                return Ok(Outcome::Undecided);
            }
        }
    }

    /// Shows a run.
    fn tell(&mut self, run: &Trace) {
        let mut states = run.states.iter();
        if let Some(first) = states.next() {
            self.begin(first);
        }
        for (moved, state) in run.moves.iter().zip(states) {
            self.step(moved, state);
        }
    }

    fn random(&mut self, steps: usize, seed: u64) -> Result<(), Halt> {
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

    fn interactive(&mut self) -> Result<(), Halt> {
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
    fn options(&self) -> Result<Vec<(Option<Moved>, State)>, Halt> {
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
        self.trace.push(moved, state);
    }

    fn undo(&mut self) {
        self.trace.states.pop();
        self.trace.moves.pop();
        match self.trace.states.len() {
            0 => (self.say)("before the first state\n"),
            number => (self.say)(&format!("back in state {}\n", number - 1)),
        }
    }

    fn initial_states(&self) -> Result<Vec<State>, Halt> {
        let mut workspace = self.model.machine.workspace();
        let mut states = Vec::new();
        self.model.machine.initial_states(&mut workspace, |state| {
            states.push(state);
            if states.len() < MOST_CHOICES { Visit::Continue(()) } else { Visit::Break(()) }
        })?;
        Ok(states)
    }

    /// The steps from the last state, each different one once.
    fn choices(&self) -> Result<Vec<(Moved, State)>, Halt> {
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
