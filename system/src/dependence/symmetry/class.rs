//! Processes that can change places all with all, and the order that they are brought into.

use super::exchange::Exchange;
use super::form::Forms;
use super::matching::matching;
use crate::definition::ids::{ProcessId, VarId};
use crate::definition::system::System;
use crate::definition::value::Value;
use crate::execution::state::Layout;

/// Processes that can change places, as far as they are found: the first with the second, the second with the third and so on, which makes all
/// orders possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub processes: Vec<ProcessId>,
    /// The variables of each; those at the same position correspond. None as long as there is one process.
    blocks: Vec<Vec<VarId>>,
    /// The variables that can hold names of the processes.
    names: Vec<Named>,
}

/// A variable that can hold the names of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    var: VarId,
    /// The name of each process, as a position in the variable's domain.
    names: Vec<u64>,
}

/// The memory that sorting needs.
#[derive(Clone, Debug, Default)]
pub struct Sorting {
    /// For each process its values, and in which variables its name is.
    values: Vec<u64>,
    order: Vec<usize>,
    /// The process that each variable names, if any.
    named: Vec<Option<usize>>,
}

impl Class {
    /// A process that has not been matched with others.
    pub fn alone(process: ProcessId) -> Class {
        Class { processes: vec![process], blocks: Vec::new(), names: Vec::new() }
    }

    /// Takes in a process if it can change places with the last one, and the variables and names of that one are the same as before.
    pub fn join(&mut self, process: ProcessId, system: &System, forms: &mut Forms<'_>) -> bool {
        let Some(last) = self.processes.last() else { return false };
        let Some(exchange) = matching(system, forms.kinds(), *last, process) else { return false };
        let Some(names) = self.with_names(&exchange, system) else { return false };
        let Some(block) = self.continued(&exchange) else { return false };
        if !forms.are_kept(&exchange) {
            return false;
        }
        if self.blocks.is_empty() {
            self.blocks.push(exchange.variables().map(|(var, _)| var).collect());
        }
        self.blocks.push(block);
        self.names = names;
        self.processes.push(process);
        true
    }

    /// The variables of the next process, in the order of those of the last one.
    fn continued(&self, exchange: &Exchange) -> Option<Vec<VarId>> {
        let Some(last) = self.blocks.last() else { return Some(exchange.variables().map(|(_, var)| var).collect()) };
        let next: Vec<VarId> = last.iter().map(|var| exchange.of(*var)).collect();
        let are_new = next.iter().all(|var| self.blocks.iter().all(|block| !block.contains(var)));
        (exchange.variables().count() == last.len() && are_new).then_some(next)
    }

    /// The names with that of the next process. Each variable can hold one name of each process, and holds those that it did before.
    fn with_names(&self, exchange: &Exchange, system: &System) -> Option<Vec<Named>> {
        let mut all = Vec::new();
        for (var, variable) in system.variables.iter_enumerated() {
            let domain = &variable.domain;
            let mut pairs = exchange.names(exchange.kinds.of_var(var)).filter(|(one, _)| domain.contains(*one));
            let Some((one, other)) = pairs.next() else { continue };
            let position = |value: Value| domain.index_of(value);
            let known = self.names.iter().find(|named| named.var == var).map_or(&[][..], |named| &named.names);
            let names = continued_names(known, [position(one), position(other)])?;
            if pairs.next().is_some() || names.len() != self.processes.len() + 1 {
                return None;
            }
            all.push(Named { var, names });
        }
        let are_as_before = self.processes.len() == 1 || all.len() == self.names.len();
        are_as_before.then_some(all)
    }

    /// Whether a variable is moved when processes change places.
    pub fn moves(&self, var: VarId) -> bool {
        self.blocks.iter().any(|block| block.contains(&var))
    }

    /// The variables that can hold names of the processes.
    pub fn holders(&self) -> impl Iterator<Item = VarId> {
        self.names.iter().map(|named| named.var)
    }

    /// Brings the processes into the order that stands for all: by their values, then by the variables that hold their names.
    ///
    /// No variable that holds a name is moved with a process. So the values of a process and the variables that name it stay together,
    /// whatever the order, and processes that agree in both are named nowhere: to exchange them changes nothing. All orders of a state's
    /// processes therefore have the same representative.
    pub fn sort(&self, layout: &Layout, state: &mut [u64], sorting: &mut Sorting) {
        let own = self.blocks[0].len();
        let width = own + self.names.len().div_ceil(64);
        sorting.read(self, layout, state, width);
        let Sorting { values, order, named } = sorting;
        if values.chunks_exact(width).is_sorted() {
            return;
        }
        order.clear();
        order.extend(0..self.blocks.len());
        let block = |at: usize| &values[at * width..][..width];
        order.sort_by(|one, other| block(*one).cmp(block(*other)));
        for (block, from) in self.blocks.iter().zip(&*order) {
            for (var, number) in block.iter().zip(&values[from * width..][..own]) {
                layout.set_index(state, *var, *number);
            }
        }
        for (Named { var, names }, process) in self.names.iter().zip(named) {
            let place = process.and_then(|process| order.iter().position(|from| *from == process));
            if let Some(place) = place {
                layout.set_index(state, *var, names[place]);
            }
        }
    }
}

impl Sorting {
    /// Reads for each process its values and which variables hold its name.
    fn read(&mut self, class: &Class, layout: &Layout, state: &[u64], width: usize) {
        self.values.clear();
        for block in &class.blocks {
            self.values.extend(block.iter().map(|var| layout.index(state, *var).unwrap_or(0)));
            self.values.resize(self.values.len() + width - block.len(), 0);
        }
        self.named.clear();
        let own = class.blocks[0].len();
        for (place, Named { var, names }) in class.names.iter().enumerate() {
            let held = layout.index(state, *var);
            let process = held.and_then(|held| names.iter().position(|name| *name == held));
            if let Some(process) = process {
                self.values[process * width + own + place / 64] |= 1 << (place % 64);
            }
            self.named.push(process);
        }
    }
}

/// Names in the order of their processes, and the next one, given the last two in any order.
fn continued_names(known: &[u64], [one, other]: [u64; 2]) -> Option<Vec<u64>> {
    let mut names = known.to_vec();
    // Of the first two, nothing tells which is whose before a third one comes.
    if let [first, second] = names[..]
        && (first == one || first == other)
    {
        names = vec![second, first];
    }
    let next = match names.last() {
        None => return Some(vec![one, other]),
        Some(last) if *last == one => other,
        Some(last) if *last == other => one,
        Some(_) => return None,
    };
    names.push(next);
    (!known.contains(&next)).then_some(names)
}
