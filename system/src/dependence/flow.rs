//! Control flow: which control points a process can go to from where.

use crate::definition::expr::Node;
use crate::definition::ids::{ExprId, PointId, ProcessId};
use crate::definition::system::{Choice, Command, Move, Place, System};
use crate::definition::value::Value;
use index_vec::IndexVec;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The edges of a process's control-flow graph.
pub type Flow = BTreeSet<(PointId, PointId)>;

/// The control-flow graph of a process. Where a command computes its goal, there is an edge to every point.
pub fn control_flow(system: &System, process: ProcessId) -> Flow {
    let mut edges = Flow::new();
    for command in &system.commands {
        for part in command.parts().filter(|part| part.process == process) {
            add_edges(system, command, part, &mut edges);
        }
    }
    edges
}

/// The control-flow graphs of all processes.
pub fn control_flows(system: &System) -> IndexVec<ProcessId, Flow> {
    let mut flows: IndexVec<ProcessId, Flow> = system.processes.iter().map(|_| Flow::new()).collect();
    for command in &system.commands {
        for part in command.parts() {
            add_edges(system, command, part, &mut flows[part.process]);
        }
    }
    flows
}

/// The edges that a command gives one of the processes that take part in it.
fn add_edges(system: &System, command: &Command, part: Move, edges: &mut Flow) {
    let info = &system.processes[part.process];
    let sources = info.points.indices().filter(|point| part.from.is_none_or(|from| from == *point));
    for from in sources {
        match (part.to, info.pc) {
            (Some(to), _) => {
                edges.insert((from, to));
            }
            (None, Some(pc)) => {
                let update = command.updates.iter().find(|update| update.place == Place::Variable(pc));
                let goals = update.map_or_else(|| Some(Vec::new()), |update| goals(system, update.choice));
                let is_goal = |point: PointId| match (&goals, info.points[point].value) {
                    (Some(goals), Some(value)) => goals.contains(&value) || update.is_none() && point == from,
                    _ => true,
                };
                edges.extend(info.points.indices().filter(|to| is_goal(*to)).map(|to| (from, to)));
            }
            (None, None) => {
                edges.insert((from, from));
            }
        }
    }
}

/// The constants that a choice can end in; `None` if it can end in something computed.
fn goals(system: &System, choice: Choice) -> Option<Vec<Value>> {
    let (Choice::Exactly(root) | Choice::OneOf(root)) = choice else { return None };
    let mut open: Vec<ExprId> = vec![root];
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match *system.exprs.node(id) {
            Node::Constant(value) => found.push(value),
            Node::Ite(_, a, b) | Node::Union(a, b) => open.extend([a, b]),
            Node::Interval(low, high) => found.extend(low..=high),
            Node::Gap(_) => {}
            _ => return None,
        }
    }
    Some(found)
}
