//! What `uwbmc show` says about a model.

use super::written;
use languages::hidden::visible;
use serde::Serialize;
use std::fmt::Write;
use system::{Claim, Motion, System, render_domain, render_expr, render_formula, render_quantity};

/// A model at a glance.
#[derive(Serialize)]
pub struct Overview {
    /// The file.
    pub model: String,
    /// Bits of a state.
    pub state_bits: u32,
    /// All processes.
    pub processes: Vec<ProcessView>,
    /// All variables.
    pub variables: Vec<VariableView>,
    /// All properties.
    pub properties: Vec<PropertyView>,
    /// How many fairness constraints there are.
    pub fairness: usize,
}

/// A process at a glance.
#[derive(Serialize)]
pub struct ProcessView {
    /// Its name.
    pub name: String,
    /// Its program counter.
    pub pc: Option<String>,
    /// Its control points.
    pub control_points: Vec<String>,
    /// How many commands it has.
    pub commands: usize,
}

/// A variable at a glance.
#[derive(Serialize)]
pub struct VariableView {
    /// Its name.
    pub name: String,
    /// Its domain, as SMV declares it.
    pub domain: String,
    /// How many bits it takes.
    pub bits: u32,
    /// What a step does to it by default.
    pub kind: &'static str,
}

/// A property at a glance.
#[derive(Serialize)]
pub struct PropertyView {
    /// Its name.
    pub name: String,
    /// `invariant`, `deadlock`, `ltl`, `ctl` or `unsupported`.
    pub kind: &'static str,
    /// What is claimed.
    pub text: String,
}

impl Overview {
    /// Looks a system over.
    pub fn of(system: &System, model: &str) -> Overview {
        Overview {
            model: model.to_owned(),
            state_bits: system.state_bits(),
            processes: processes(system),
            variables: variables(system),
            properties: system.properties.iter().map(|property| property_view(system, property)).collect(),
            fairness: system.fairness.len(),
        }
    }

    /// For people.
    pub fn render(&self) -> String {
        let mut out = format!("model {}\n", visible(&self.model));
        let inputs = self.variables.iter().filter(|variable| variable.kind == "input").count();
        let states = self.variables.len() - inputs;
        let _ = writeln!(out, "  {states} variables in {} bits, {inputs} inputs", self.state_bits);
        if self.fairness > 0 {
            let _ = writeln!(out, "  {} fairness constraints", self.fairness);
        }
        let _ = writeln!(out, "\nprocesses");
        for process in &self.processes {
            let (name, count) = (visible(&process.name), process.control_points.len());
            let _ = match &process.pc {
                Some(pc) => {
                    let points = process.control_points.join(" ");
                    writeln!(out, "  {name}: {count} control points, by {}: {}", visible(pc), visible(&points))
                }
                None => writeln!(out, "  {name}: one control point"),
            };
        }
        let _ = writeln!(out, "\nvariables");
        let widest = self.variables.iter().map(|variable| variable.name.chars().count().min(40)).max().unwrap_or(0);
        for variable in &self.variables {
            let VariableView { bits, kind, .. } = variable;
            let (name, domain) = (visible(&variable.name), visible(&variable.domain));
            let _ = writeln!(out, "  {name:widest$}  {bits:>3} bits  {kind:7}  {domain}");
        }
        let _ = writeln!(out, "\nproperties");
        for property in &self.properties {
            let (name, text) = (visible(&property.name), visible(&property.text));
            let _ = writeln!(out, "  {name} ({}): {text}", property.kind);
        }
        out
    }
}

fn processes(system: &System) -> Vec<ProcessView> {
    let mut commands = vec![0; system.processes.len()];
    for command in &system.commands {
        commands[command.owner.process.index()] += 1;
    }
    let processes = system.processes.iter().zip(commands);
    processes.map(|(process, commands)| process_view(system, process, commands)).collect()
}

fn process_view(system: &System, process: &system::Process, commands: usize) -> ProcessView {
    ProcessView {
        name: process.name.clone(),
        pc: process.pc.map(|pc| system.variables[pc].name.clone()),
        control_points: process.points.iter().map(|point| point.name.clone()).collect(),
        commands,
    }
}

fn variables(system: &System) -> Vec<VariableView> {
    system.variables.indices().map(|var| variable_view(system, var)).collect()
}

fn variable_view(system: &System, var: system::VarId) -> VariableView {
    let variable = &system.variables[var];
    VariableView {
        name: variable.name.clone(),
        domain: render_domain(system, var),
        bits: variable.domain.bits(),
        kind: match variable.motion {
            Motion::Kept => "state",
            Motion::Free => "free",
            Motion::Defined => "defined",
            Motion::Input => "input",
        },
    }
}

fn property_view(system: &System, property: &system::Property) -> PropertyView {
    let text = match &property.claim {
        Claim::Invariant(expr) => render_expr(system, *expr),
        Claim::DeadlockFree => "some process can always move".to_owned(),
        Claim::Ltl(formula) | Claim::Ctl(formula) => render_formula(system, *formula),
        Claim::Compute(extreme, start, end) => render_quantity(system, *extreme, *start, *end),
        Claim::Progress(expr) => format!("infinitely often {}", render_expr(system, *expr)),
        Claim::Never(automaton) => format!("no run is accepted by {}", system.automata[*automaton].name),
        Claim::Unsupported(why) => why.clone(),
    };
    PropertyView { name: property.name.clone(), kind: written::kind(&property.claim), text }
}
