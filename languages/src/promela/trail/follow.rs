//! Following a trail: the run of the system whose steps a trail names.
//!
//! What a trail leaves out is made up for: the inside of a `d_step`, and, where the trail says that statements were
//! merged, steps of processes that only they themselves can see. Of the runs that fit, one with the fewest such steps is taken.

use super::read::{Entry, Written};
use super::{Line, Trail, TrailError};
use crate::source::Source;
use std::collections::{BTreeMap, HashSet};
use system::{CommandId, Halt, Machine, Moved, State, Trace, Visit, Workspace};

/// How many states are looked at for the steps that one line leaves out.
const MOST_LEFT_OUT: usize = 10_000;
/// How often a cycle is gone round until it closes: what watches a run may need some rounds to settle.
const MOST_ROUNDS: usize = 16;

impl Trail {
    /// The run that a trail of SPIN, or of ours, describes.
    pub fn follow(&self, machine: &Machine, source: &Source, text: &str) -> Result<Trace, TrailError> {
        let written = Written::parse(text)?;
        let mut follower = Follower {
            trail: self,
            machine,
            source,
            is_merged: written.is_merged,
            workspace: machine.workspace(),
            nodes: Vec::new(),
        };
        let start = follower.begin()?;
        let cycle = written.cycle.filter(|cycle| *cycle < written.entries.len());
        let (before, round) = written.entries.split_at(cycle.unwrap_or(written.entries.len()));
        let reached = follower.through(start, before)?;
        if round.is_empty() {
            let last = follower.end(&reached)?;
            return Ok(follower.trace(last, None));
        }
        follower.close(reached, round)
    }
}

/// A state that was reached, and how.
struct Node {
    state: State,
    parent: Option<(usize, CommandId)>,
}

struct Follower<'a> {
    trail: &'a Trail,
    machine: &'a Machine,
    source: &'a Source,
    is_merged: bool,
    workspace: Workspace,
    nodes: Vec<Node>,
}

impl Follower<'_> {
    fn begin(&mut self) -> Result<Vec<usize>, TrailError> {
        let mut found = Vec::new();
        let visited = self.machine.initial_states(&mut self.workspace, |state| {
            found.push(state);
            Visit::Continue(())
        });
        visited.map_err(|halt| self.failed(None, halt))?;
        Ok(found.into_iter().map(|state| self.add(state, None)).collect())
    }

    fn add(&mut self, state: State, parent: Option<(usize, CommandId)>) -> usize {
        self.nodes.push(Node { state, parent });
        self.nodes.len() - 1
    }

    /// Follows some lines from any of some states. The states in which they can end.
    fn through(&mut self, start: Vec<usize>, entries: &[Entry]) -> Result<Vec<usize>, TrailError> {
        let mut waiting = BTreeMap::from([(0, start)]);
        let mut furthest = (0, Vec::new());
        while let Some((at, nodes)) = waiting.pop_first() {
            if at == entries.len() {
                return Ok(nodes);
            }
            for (next, node) in self.line(&nodes, &entries[at..])? {
                waiting.entry(at + next).or_default().push(node);
            }
            furthest = (at, nodes);
        }
        let (at, nodes) = furthest;
        Err(self.stuck(&entries[at], nodes.first().copied()))
    }

    /// The states behind the next line or two, with the number of lines.
    fn line(&mut self, from: &[usize], entries: &[Entry]) -> Result<Vec<(usize, usize)>, TrailError> {
        let mut found = Vec::new();
        let mut level = from.to_vec();
        let mut seen: HashSet<State> = level.iter().map(|node| self.nodes[*node].state.clone()).collect();
        while found.is_empty() && !level.is_empty() && seen.len() < MOST_LEFT_OUT {
            let mut next = Vec::new();
            for node in level {
                for (command, state) in self.steps(node, &entries[0])? {
                    let lines = &self.trail.lines[command];
                    if !lines.is_empty()
                        && entries.len() >= lines.len()
                        && lines.iter().eq(entries.iter().map(|entry| &entry.step).take(lines.len()))
                    {
                        let count = lines.len();
                        let node = self.add(state, Some((node, command)));
                        found.extend(self.finish(node, &entries[0])?.into_iter().map(|node| (count, node)));
                    } else if self.is_left_out(node, command, &state) && seen.insert(state.clone()) {
                        next.push(self.add(state, Some((node, command))));
                    }
                }
            }
            level = next;
        }
        Ok(found)
    }

    /// Goes on to the end of the `d_step` that a state is inside of, if it is.
    fn finish(&mut self, node: usize, entry: &Entry) -> Result<Vec<usize>, TrailError> {
        let mut open = vec![node];
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            let steps = self.steps(node, entry)?;
            if !steps.iter().any(|(command, _)| self.trail.lines[*command].is_empty()) {
                found.push(node);
            }
            for (command, state) in steps {
                if self.trail.lines[command].is_empty() {
                    open.push(self.add(state, Some((node, command))));
                }
            }
        }
        Ok(found)
    }

    fn steps(&mut self, node: usize, entry: &Entry) -> Result<Vec<(CommandId, State)>, TrailError> {
        let mut found = Vec::new();
        let state = self.nodes[node].state.clone();
        let visited = self.machine.successors(&state.0, &mut self.workspace, |successor| {
            found.push((successor.command, State(successor.state.into())));
            Visit::Continue(())
        });
        visited.map_err(|halt| self.failed(Some(entry), halt))?;
        Ok(found)
    }

    /// Whether SPIN may have merged a step with an earlier one: it changes nothing that another process can see, or its
    /// process is inside an atomic section.
    fn is_left_out(&self, node: usize, command: CommandId, to: &State) -> bool {
        let system = self.machine.system();
        let moving = &system.commands[command];
        if !self.is_merged || moving.partner.is_some() {
            return false;
        }
        if self.machine.layout().holder(&self.nodes[node].state.0) == Some(moving.owner.process) {
            return true;
        }
        let own = format!("{}.", system.processes[moving.owner.process].name);
        let (before, after) = (self.machine.values(&self.nodes[node].state), self.machine.values(to));
        system.variables.iter_enumerated().all(|(id, variable)| {
            before[id.index()] == after[id.index()]
                || variable.name.starts_with(&own)
                || variable.name == "_last"
                || system.monitors.contains(&id)
        })
    }

    /// The state that the run ends in. Behind the last line there may be merged steps: they are made as far as they lead
    /// to something that is wrong.
    fn end(&mut self, reached: &[usize]) -> Result<usize, TrailError> {
        let first = reached[0];
        if !self.is_merged {
            return Ok(first);
        }
        let mut level = reached.to_vec();
        let mut seen: HashSet<State> = level.iter().map(|node| self.nodes[*node].state.clone()).collect();
        while !level.is_empty() && seen.len() < MOST_LEFT_OUT {
            if let Some(wrong) = level.iter().find(|node| self.is_wrong(&self.nodes[**node].state)) {
                return Ok(*wrong);
            }
            let mut next = Vec::new();
            for node in level {
                // What fails here is behind the end of the trail.
                for (command, state) in self.steps(node, &Entry::default()).unwrap_or_default() {
                    if self.is_left_out(node, command, &state) && seen.insert(state.clone()) {
                        next.push(self.add(state, Some((node, command))));
                    }
                }
            }
            level = next;
        }
        Ok(first)
    }

    fn is_wrong(&self, state: &State) -> bool {
        let run = Trace::starting(state.clone());
        self.machine.system().properties.indices().any(|property| run.violates(self.machine, property).is_some())
    }

    /// Goes round a cycle until a state at its beginning comes back.
    fn close(&mut self, mut reached: Vec<usize>, round: &[Entry]) -> Result<Trace, TrailError> {
        let mut beginnings: Vec<usize> = reached.clone();
        for _ in 0..MOST_ROUNDS {
            reached = self.through(reached, round)?;
            for node in &reached {
                let mut same = beginnings.iter().filter(|at| self.nodes[**at].state == self.nodes[*node].state);
                if let Some(earlier) = same.find(|earlier| self.is_before(**earlier, *node)) {
                    return Ok(self.trace(*node, Some(*earlier)));
                }
            }
            beginnings.extend(&reached);
        }
        let line = round[0].line;
        Err(TrailError { line, reason: "the cycle that begins here does not come back to its first state".to_owned() })
    }

    fn is_before(&self, earlier: usize, later: usize) -> bool {
        let mut at = later;
        while let Some((parent, _)) = self.nodes[at].parent {
            at = parent;
            if at == earlier {
                return true;
            }
        }
        false
    }

    /// The run to a state, with the state where its cycle begins.
    fn trace(&self, last: usize, loop_start: Option<usize>) -> Trace {
        let commands = &self.machine.system().commands;
        let parent = |at: &usize| self.nodes[*at].parent.map(|(parent, _)| parent);
        let mut passed: Vec<usize> = std::iter::successors(Some(last), parent).collect();
        passed.reverse();
        let states = passed.iter().map(|at| self.nodes[*at].state.clone());
        let moves = passed.iter().filter_map(|at| self.nodes[*at].parent).map(|(_, command)| {
            let process = commands[command].owner.process;
            Moved { process, command: Some(command), inputs: Vec::new() }
        });
        let loop_start = loop_start.and_then(|start| passed.iter().position(|node| *node == start));
        Trace { states: states.collect(), moves: moves.collect(), loop_start }
    }

    fn failed(&self, entry: Option<&Entry>, halt: Halt) -> TrailError {
        let reason = match halt {
            Halt::Failed(failure) => {
                format!("the model has no meaning here: {}", failure.fault.describe(self.machine.system()))
            }
            Halt::Interrupted => "interrupted".to_owned(),
        };
        TrailError { line: entry.map_or(1, |entry| entry.line), reason }
    }

    /// Why a line cannot be followed from a state.
    fn stuck(&self, entry: &Entry, node: Option<usize>) -> TrailError {
        let Line { pid, statement } = entry.step;
        let commands = &self.trail.lines;
        let first = commands.position(|lines| lines.first() == Some(&entry.step));
        let reason = match first {
            Some(command) => self.not_now(command, pid, node),
            None if commands.iter().flatten().any(|line| *line == entry.step) => format!(
                "process {pid} can receive only together with the one that sends, whose line comes right before"
            ),
            None if commands.iter().flatten().any(|line| line.pid == pid) => format!(
                "process {pid} has no statement {statement}: the trail is from another model, or from this one with other macros"
            ),
            None => format!(
                "there is no process {pid}: the trail is from another model, or from this one with other macros"
            ),
        };
        TrailError { line: entry.line, reason }
    }

    fn not_now(&self, command: CommandId, pid: u32, node: Option<usize>) -> String {
        let system = self.machine.system();
        let command = &system.commands[command];
        let (line, text) = (self.source.line(command.span), self.source.slice(command.span).trim());
        let owner = command.owner.process;
        let point = node.and_then(|node| self.machine.point(owner, &self.nodes[node].state));
        let at = point
            .map_or(String::new(), |point| format!(", which is at {}", system.processes[owner].points[point].name));
        format!("process {pid} cannot make the step `{text}` of line {line} now ({}{at})", system.processes[owner].name)
    }
}
