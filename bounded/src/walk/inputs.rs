//! Inputs that say who moves, or what is done.
//!
//! Where a model moves as a whole and an input names the component that makes a step, there are no processes that a schedule could
//! choose from: the values of the input are what it has to choose from. With equal chances for all values, the same bugs are missed that uniform
//! schedules miss. So each walk orders the values of each input by a schedule of its own, and the inputs themselves: first who and then what, or
//! the other way round. Where each process has an input that says what it does, all of them decide alike in some walks.

use super::alike::Alike;
use super::policy::Schedule;
use fastrand::Rng;
use std::sync::Arc;
use system::{Machine, ProcessId, Value, VarId};

/// The most values of such an input.
const MOST_VALUES: u128 = 256;

/// Inputs with few values.
pub(super) struct Inputs {
    /// The inputs, and their values.
    values: Vec<(VarId, Vec<Value>)>,
    /// Those that each process looks at.
    read: Arc<[Vec<VarId>]>,
}

impl Inputs {
    /// The inputs of a system.
    pub fn of(machine: &Machine) -> Inputs {
        let few = machine.system().inputs().filter(|(_, variable)| (2..=MOST_VALUES).contains(&variable.domain.size()));
        let values = few.map(|(var, variable)| {
            let domain = &variable.domain;
            (var, (0..domain.size() as u64).map(|place| domain.value_at(place)).collect())
        });
        let values: Vec<(VarId, Vec<Value>)> = values.collect();
        let processes = machine.system().processes.indices().filter(|_| !values.is_empty());
        let read = processes.map(|process| machine.inputs_read_by(process)).collect();
        Inputs { values, read }
    }

    /// In which order a walk of at most this length tries their values.
    pub fn draw(&self, random: &mut Rng, length: usize) -> Orders {
        let mut orders: Vec<Order> = Vec::with_capacity(self.values.len());
        let mut alike = Alike::draw(random);
        for (var, values) in &self.values {
            let schedule = Schedule::draw(&mut alike.random_for(values, random), &vec![0; values.len()], length);
            orders.push(Order { var: *var, values: values.clone(), schedule, chosen: None });
        }
        random.shuffle(&mut orders);
        Orders { orders, read: Arc::clone(&self.read), process: None, tried: 0, is_cut: false }
    }
}

/// The order in which the values of an input are tried.
struct Order {
    var: VarId,
    values: Vec<Value>,
    schedule: Schedule,
    /// Which of its values is tried.
    chosen: Option<ProcessId>,
}

/// How many values of inputs are tried in an order in one state, for one process.
const TRIED: usize = 1024;

/// The orders for all inputs: those that come first are changed last.
pub(super) struct Orders {
    orders: Vec<Order>,
    /// The inputs that each process looks at.
    read: Arc<[Vec<VarId>]>,
    /// The process that is asked in the state at hand.
    process: Option<ProcessId>,
    tried: usize,
    /// Whether some values have been left out in the state at hand.
    is_cut: bool,
}

impl Orders {
    /// Whether there are no inputs to choose.
    pub fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// The process that is asked with one value after the other.
    pub fn process(&self) -> Option<ProcessId> {
        self.process
    }

    /// Begins with the first values, for a process or in another state.
    pub fn begin(&mut self, process: Option<ProcessId>) {
        (self.process, self.tried) = (process, 0);
        for order in &mut self.orders {
            order.schedule.begin();
            order.chosen = None;
        }
    }

    /// Whether some values have been left out in the state at hand, so that there may be other steps.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether the process that is asked looks at an input.
    fn is_read(&self, order: &Order) -> bool {
        self.process.is_none_or(|process| self.read[process.index()].contains(&order.var))
    }

    /// The next values to try, of the inputs that the process looks at; nothing if all have been, or as many as are tried.
    pub fn next(&mut self, random: &mut Rng) -> Option<Vec<(VarId, Value)>> {
        self.tried += 1;
        if self.tried > TRIED {
            self.is_cut = true;
            return None;
        }
        let read: Vec<usize> = (0..self.orders.len()).filter(|place| self.is_read(&self.orders[*place])).collect();
        // From the last on, inputs that have been through begin again.
        let mut changed = if self.tried == 1 { 0 } else { read.len() };
        while changed > 0 {
            let order = &mut self.orders[read[changed - 1]];
            order.chosen = order.schedule.next(random);
            if order.chosen.is_some() {
                break;
            }
            changed -= 1;
        }
        if changed == 0 && self.tried > 1 {
            return None;
        }
        for place in &read[changed..] {
            let order = &mut self.orders[*place];
            order.schedule.begin();
            order.chosen = order.schedule.next(random);
        }
        let chosen = read.iter().map(|place| &self.orders[*place]);
        chosen.map(|order| order.chosen.map(|place| (order.var, order.values[place.index()]))).collect()
    }

    /// A step has been made with these inputs.
    pub fn moved(&mut self, inputs: &[(VarId, Value)], step: usize) {
        let read: Vec<bool> = self.orders.iter().map(|order| self.is_read(order)).collect();
        self.begin(None);
        self.is_cut = false;
        for (order, _) in self.orders.iter_mut().zip(read).filter(|(_, is_read)| *is_read) {
            let made = inputs.iter().find(|(var, _)| *var == order.var);
            let place = made.and_then(|(_, value)| order.values.iter().position(|other| other == value));
            if let Some(place) = place {
                order.schedule.moved(ProcessId::from(place), step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_values_are_tried_together_and_each_once() {
        let mut random = Rng::with_seed(9);
        for length in [1, 10, 100] {
            let values = |count: i64| (0..count).collect::<Vec<Value>>();
            let values = vec![(VarId::new(0), values(3)), (VarId::new(1), values(2)), (VarId::new(2), values(5))];
            let inputs = Inputs { values, read: [].into() };
            let mut orders = inputs.draw(&mut random, length);
            for step in 0..30 {
                orders.begin(None);
                let tried: Vec<Vec<(VarId, Value)>> = std::iter::from_fn(|| orders.next(&mut random)).collect();
                let different: BTreeSet<Vec<(VarId, Value)>> = tried.iter().cloned().collect();
                assert_eq!((tried.len(), different.len()), (30, 30));
                orders.moved(&tried[step], step);
            }
        }
    }
}
