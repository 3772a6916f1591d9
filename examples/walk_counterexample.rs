//! Walks along a counterexample: who moves at each step, and which variables change.

use uwbmc::system::{State, Trace};
use uwbmc::{Error, Language, Model, Options, check};

const LOST_UPDATE: &str = "
byte count;
active proctype judge() {
    (_nr_pr == 1) -> assert(count == 2)
}
active [2] proctype worker() {
    byte copy;
    copy = count;
    count = copy + 1
}
";

/// The variables that differ between two states, with their new values.
fn changes(model: &Model, before: &State, after: &State) -> String {
    let system = model.machine.system();
    let (old, new) = (model.machine.values(before), model.machine.values(after));
    let changed = system.state_variables().filter(|(var, _)| old[var.index()] != new[var.index()]);
    let named = changed.map(|(var, variable)| format!("{} = {}", variable.name, new[var.index()]));
    named.collect::<Vec<_>>().join(", ")
}

/// A line for each step.
fn walk(model: &Model, trace: &Trace) -> String {
    let system = model.machine.system();
    let lines = trace.steps().map(|(from, moved, to)| {
        let process = &system.processes[moved.process].name;
        let statement = moved.command.map_or("?", |command| system.commands[command].label.as_str());
        format!("{process}: {statement} [{}]\n", changes(model, &from, &to))
    });
    lines.collect()
}

/// The run that breaks the assertion.
pub fn run() -> Result<String, Error> {
    let model = Model::parse(LOST_UPDATE, Language::Promela)?;
    let report = check(&model, &Options::default(), &mut ())?;
    Ok(report.first_violation().map_or("nothing is violated\n".to_owned(), |(_, trace)| walk(&model, trace)))
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<(), Error> {
    print!("{}", run()?);
    Ok(())
}
