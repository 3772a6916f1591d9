//! States as assignments to the variables of diagrams: bits of one variable of the system stay together.

use super::order::Order;
use super::translate::literal;
use diagrams::Variable as Bit;
use encoder::{Encoded, Gates, Signal, integer_width};
use system::{
    Choice, Domain, ExprId, Footprint, IndexVec, Layout, Motion, Place, ProcessId, State, System, Value, VarId,
};

/// Which of the two states of a step is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The state before the step; inputs belong to it.
    Now,
    /// The state after the step.
    Next,
}

/// A bit of a variable, or of who has control.
pub type Part = (Option<VarId>, usize);

/// Which bits each variable of the system has, least significant first.
#[derive(Debug)]
pub struct Space {
    bits: IndexVec<VarId, Vec<Bit>>,
    /// Who has control of an atomic section: 0 for none, else the process's number plus one.
    holder: Vec<Bit>,
    /// All bits of a state, in order.
    state: Vec<Bit>,
    /// All bits of inputs, in order.
    inputs: Vec<Bit>,
    count: Bit,
}

impl Space {
    /// Lays the variables out by what commands touch together.
    pub fn new(system: &System, order: Order) -> Space {
        let blocks = blocks(system);
        let by_block = |groups: Vec<Vec<usize>>| by_block(&blocks, &groups);
        let order = order.of(blocks.len(), &by_block(footprints(system)), &dependencies(system, &blocks));
        let mut space = Space {
            bits: system.variables.iter().map(|_| Vec::new()).collect(),
            holder: Vec::new(),
            state: Vec::new(),
            inputs: Vec::new(),
            count: 0,
        };
        let holder_bits = if system.has_atomic_sections { bits_for(system.processes.len() as u128 + 1) } else { 0 };
        space.holder = space.take(holder_bits);
        space.state.extend(space.holder.clone());
        for block in order {
            space.lay_out(system, &blocks[block]);
        }
        for bits in &mut space.bits {
            bits.reverse();
        }
        space
    }

    /// The bits of some variables in turn, the most significant ones on top.
    fn lay_out(&mut self, system: &System, block: &[VarId]) {
        let widths: Vec<usize> = block.iter().map(|var| free_bits(&system.variables[*var].domain)).collect();
        for at in 0..widths.iter().copied().max().unwrap_or(0) {
            for (var, _) in block.iter().zip(&widths).filter(|(_, width)| at < **width) {
                let bit = self.take(1)[0];
                self.bits[*var].push(bit);
                let is_input = system.variables[*var].motion == Motion::Input;
                if is_input { self.inputs.push(bit) } else { self.state.push(bit) }
            }
        }
    }

    fn take(&mut self, count: usize) -> Vec<Bit> {
        let first = self.count;
        self.count += count as Bit;
        (first..self.count).collect()
    }

    /// How many bits there are.
    pub fn count(&self) -> Bit {
        self.count
    }

    /// What each bit is of: a variable and the number of its bit, or who has control.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = vec![(None, 0); self.count as usize];
        let of_variables = self.bits.iter_enumerated().map(|(var, bits)| (Some(var), bits));
        for (var, bits) in of_variables.chain([(None, &self.holder)]) {
            for (number, bit) in bits.iter().enumerate() {
                parts[*bit as usize] = (var, number);
            }
        }
        parts
    }

    /// The bits of a state, in order.
    pub fn state(&self) -> &[Bit] {
        &self.state
    }

    /// The bits of the inputs, in order.
    pub fn inputs(&self) -> &[Bit] {
        &self.inputs
    }

    /// The bits of a variable.
    pub fn of(&self, var: VarId) -> &[Bit] {
        &self.bits[var]
    }

    /// The bits that say who has control.
    pub fn holder(&self) -> &[Bit] {
        &self.holder
    }

    /// A variable's value in terms of its bits.
    pub fn encoded(&self, gates: &mut Gates, system: &System, var: VarId, when: When) -> Encoded {
        let bits: Vec<Signal> = self.bits[var].iter().map(|bit| gates.input(literal(*bit, when))).collect();
        encoded(gates, &system.variables[var].domain, bits)
    }

    /// Whether a process, or none, has control.
    pub fn holds(&self, gates: &mut Gates, holder: Option<ProcessId>, when: When) -> Signal {
        let bits: Vec<Signal> = self.holder.iter().map(|bit| gates.input(literal(*bit, when))).collect();
        is_number(gates, &bits, holder.map_or(0, |process| process.index() as u64 + 1))
    }

    /// The state that bits stand for; `bits` has a value for each of [`Space::state`].
    pub fn decode(&self, system: &System, layout: &Layout, bits: &[bool]) -> State {
        let value = |bit: &Bit| self.state.binary_search(bit).is_ok_and(|place| bits[place]);
        let number = |of: &[Bit]| of.iter().enumerate().fold(0u64, |n, (at, bit)| n | u64::from(value(bit)) << at);
        let values: Vec<Value> = (system.variables.iter_enumerated())
            .map(|(var, variable)| match variable.motion {
                Motion::Input => variable.domain.value_at(0),
                _ => value_of(&variable.domain, number(&self.bits[var])),
            })
            .collect();
        let holder = number(&self.holder).checked_sub(1).map(|process| ProcessId::from(process as usize));
        layout.pack(&values, holder)
    }
}

/// From how many bits on variables that are copied or compared are laid out together, and how many of them at most.
const WIDE: usize = 6;
const MOST_TOGETHER: usize = 8;

/// The variables in blocks: wide ones whose values flow into each other together, so that equality stays small.
fn blocks(system: &System) -> Vec<Vec<VarId>> {
    let width = |var: VarId| free_bits(&system.variables[var].domain);
    let mut leader: Vec<usize> = (0..system.variables.len()).collect();
    let updates = system.commands.iter().flat_map(|command| &command.updates).chain(&system.initial_values);
    let definitions = system.definitions.iter().map(|definition| (definition.variable, definition.choice));
    let flows = updates.flat_map(|update| update.place.variables().map(|var| (var, update.choice))).chain(definitions);
    for (var, choice) in flows {
        let (Choice::Exactly(value) | Choice::OneOf(value)) = choice else { continue };
        if width(var) < WIDE {
            continue;
        }
        let reads = Footprint::of(&system.exprs, &[value]);
        for other in reads.now.iter().chain(&reads.next).filter(|other| width(**other) == width(var)) {
            let (a, b) = (root(&leader, var.index()), root(&leader, other.index()));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut blocks: Vec<Vec<VarId>> = system.variables.iter().map(|_| Vec::new()).collect();
    for var in system.variables.indices() {
        blocks[root(&leader, var.index())].push(var);
    }
    let is_alone = |block: &Vec<VarId>| block.len() > MOST_TOGETHER;
    let (large, small): (Vec<_>, Vec<_>) = blocks.into_iter().filter(|block| !block.is_empty()).partition(is_alone);
    let mut all: Vec<Vec<VarId>> = small.into_iter().chain(large.into_iter().flatten().map(|var| vec![var])).collect();
    all.sort();
    all
}

/// The first of those that one is together with.
fn root(leader: &[usize], mut at: usize) -> usize {
    while leader[at] != at {
        at = leader[at];
    }
    at
}

/// Groups of variables as groups of blocks.
fn by_block(blocks: &[Vec<VarId>], groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = blocks.iter().map(Vec::len).sum();
    let mut block_of = vec![0; count];
    for (at, block) in blocks.iter().enumerate() {
        block.iter().for_each(|var| block_of[var.index()] = at);
    }
    let of = |group: &Vec<usize>| {
        let mut blocks: Vec<usize> = group.iter().map(|var| block_of[*var]).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    };
    groups.iter().map(of).collect()
}

/// With more updates than this, a command does many things at once.
const MANY: usize = 8;

/// What each command reads and writes together, and what conditions read together.
fn footprints(system: &System) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    for command in &system.commands {
        let pcs: Vec<VarId> = [Some(command.owner), command.partner]
            .into_iter()
            .flatten()
            .filter_map(|part| system.processes[part.process].pc)
            .collect();
        // A command that does many things at once is many small groups, as in a synchronous model.
        if command.updates.len() > MANY {
            for update in &command.updates {
                let written = update.place.variables().collect();
                groups.push(touched(system, &update_roots(update.place, update.choice), written));
            }
            continue;
        }
        let mut roots = vec![command.guard];
        roots.extend(command.relation);
        let mut written = pcs;
        for update in &command.updates {
            roots.extend(update_roots(update.place, update.choice));
            written.extend(update.place.variables());
        }
        groups.push(touched(system, &roots, written));
    }
    for condition in system.relations.iter().chain(&system.constraints) {
        for part in system.exprs.conjuncts(condition.holds) {
            groups.push(touched(system, &[part], Vec::new()));
        }
    }
    for definition in &system.definitions {
        let place = Place::Variable(definition.variable);
        groups.push(touched(system, &update_roots(place, definition.choice), vec![definition.variable]));
    }
    groups
}

/// What expressions read and what is written, in order.
fn touched(system: &System, roots: &[ExprId], written: Vec<VarId>) -> Vec<usize> {
    let reads = Footprint::of(&system.exprs, roots);
    let mut group: Vec<usize> = reads.now.iter().chain(&reads.next).chain(&written).map(|var| var.index()).collect();
    group.sort_unstable();
    group.dedup();
    group
}

/// For each block, those that next values of its variables depend on, in order.
fn dependencies(system: &System, blocks: &[Vec<VarId>]) -> Vec<Vec<usize>> {
    let mut of_variables: Vec<Vec<usize>> = system.variables.iter().map(|_| Vec::new()).collect();
    let updates = system.commands.iter().flat_map(|command| &command.updates);
    let updates = updates.map(|update| (update.place, update.choice));
    let definitions = system.definitions.iter();
    let definitions = definitions.map(|definition| (Place::Variable(definition.variable), definition.choice));
    for (place, choice) in updates.chain(definitions) {
        let reads = Footprint::of(&system.exprs, &update_roots(place, choice));
        for var in place.variables() {
            of_variables[var.index()].extend(reads.now.iter().chain(&reads.next).map(|read| read.index()));
        }
    }
    let of_block = |block: &Vec<VarId>| block.iter().flat_map(|var| of_variables[var.index()].clone()).collect();
    by_block(blocks, &blocks.iter().map(of_block).collect::<Vec<_>>())
}

/// The expressions of an update.
fn update_roots(place: Place, choice: Choice) -> Vec<ExprId> {
    let index = match place {
        Place::Element { index, .. } => Some(index),
        Place::Variable(_) => None,
    };
    let value = match choice {
        Choice::Exactly(value) | Choice::OneOf(value) => Some(value),
        Choice::Anything => None,
    };
    index.into_iter().chain(value).collect()
}

fn bits_for(values: u128) -> usize {
    (128 - (values - 1).leading_zeros()) as usize
}

/// How many bits a variable needs here. Integers are themselves in two's complement, so that arithmetic is direct.
fn free_bits(domain: &Domain) -> usize {
    match domain {
        Domain::Range { low, high } if low == high => 0,
        Domain::Range { low, high } => integer_width(*low, *high) - usize::from(!(*low < 0 && *high >= 0)),
        other => bits_for(other.size()),
    }
}

/// The value with these bits.
fn value_of(domain: &Domain, number: u64) -> Value {
    match domain {
        Domain::Range { low, high } if low == high => *low,
        Domain::Range { low, high } => {
            let width = integer_width(*low, *high);
            let sign = if *high < 0 { 1u64 << (width - 1) } else { 0 };
            let unused = 64 - width;
            (((number | sign) << unused) as i64) >> unused
        }
        // Only states inside the domains are decoded.
        other => other.value_at(number.min((other.size() - 1) as u64)),
    }
}

fn encoded(gates: &mut Gates, domain: &Domain, mut bits: Vec<Signal>) -> Encoded {
    match domain {
        Domain::Boolean => Encoded::Boolean(bits[0]),
        Domain::Word(_) => Encoded::Word(bits),
        Domain::Range { low, high } if low == high => Encoded::constant(*low, domain.sort()),
        Domain::Range { low, high } => {
            if *low >= 0 || *high < 0 {
                bits.push(Signal::constant(*high < 0));
            }
            Encoded::Integer(bits)
        }
        Domain::Values(values) => {
            let signal = |at: usize| is_number(gates, &bits, at as u64);
            let signals: Vec<Signal> = (0..values.len()).map(signal).collect();
            Encoded::OneHot(values.iter().copied().zip(signals).collect())
        }
    }
}

/// Whether bits, least significant first, are a number.
fn is_number(gates: &mut Gates, bits: &[Signal], number: u64) -> Signal {
    let same: Vec<Signal> =
        bits.iter().enumerate().map(|(at, bit)| if number >> at & 1 == 1 { *bit } else { !*bit }).collect();
    gates.all(&same)
}
