//! Free variables that a walk gives few values.
//!
//! In models where all variables move at once, a variable that may have any value in every step often says who moves, or which of many
//! places is looked at. With equal chances for all values, hardly ever do the same few meet. So some walks give such a variable
//! neighbouring values only, and some of these keep a value for a while. Where each process has such a variable, which says what it does, all of
//! them are given the same in some walks.

use super::alike::Alike;
use fastrand::Rng;
use system::{Choice, ExprId, Footprint, Layout, Machine, Motion, System, Value, VarId, Variable};

/// The most values that a walk gives such a variable.
const FEW: usize = 5;

/// With how many percent a value stays, in one walk or another.
const STAYS: [u32; 3] = [0, 50, 90];

/// With how many percent a variable may have any value.
const STRAYS: u32 = 2;

/// The most values of such a variable.
const MOST: u128 = 4096;

/// The variables whose values a walk can choose, and their values.
pub(super) struct Selectors(Vec<(VarId, Vec<Value>)>);

impl Selectors {
    /// Those that have any value in every step, whatever else happens: nothing is said of what they become, and no other variable follows
    /// from them. So each value makes another step of the system.
    pub fn of(machine: &Machine, is_told: &[bool]) -> Selectors {
        let system = machine.system();
        let bound = mentioned(system);
        let free = system
            .variables
            .iter_enumerated()
            .filter(|(var, variable)| variable.motion == Motion::Free && !is_told[var.index()] && !bound.contains(var));
        let many = free.filter(|(_, variable)| (2..=MOST).contains(&variable.domain.size()));
        let values = many.map(|(var, Variable { domain, .. })| {
            (var, (0..domain.size() as u64).map(|place| domain.value_at(place)).collect())
        });
        Selectors(values.collect())
    }

    /// What a walk gives them; nothing in every other walk.
    pub fn draw(&self, random: &mut Rng) -> Vec<Focus> {
        if self.0.is_empty() || random.bool() {
            return Vec::new();
        }
        let stays = STAYS[random.usize(..STAYS.len())];
        let (is_for_all, mut alike) = (self.0.len() == 1 || random.bool(), Alike::draw(random));
        let draw = |(var, values): &(VarId, Vec<Value>), mut own: Rng| {
            let (first, count) = (own.usize(..values.len()), own.usize(1..=FEW.min(values.len() - 1)));
            let chosen = (first..first + count).map(|place| values[place % values.len()]).collect();
            let is_chosen = is_for_all || own.bool();
            is_chosen.then_some(Focus { var: *var, values: chosen, stays })
        };
        self.0.iter().filter_map(|known| draw(known, alike.random_for(&known.1, random))).collect()
    }
}

/// What is mentioned by conditions on all states, or decides the value of another variable there.
fn mentioned(system: &System) -> Vec<VarId> {
    let conditions = system.constraints.iter().map(|condition| condition.holds);
    let definitions = system.definitions.iter().filter_map(|definition| match definition.choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => Some(expr),
        Choice::Anything => None,
    });
    let roots: Vec<ExprId> = conditions.chain(definitions).collect();
    let Footprint { now, next, .. } = Footprint::of(&system.exprs, &roots);
    now.into_iter().chain(next).collect()
}

/// A variable and the few values that a walk gives it.
pub(super) struct Focus {
    var: VarId,
    values: Vec<Value>,
    stays: u32,
}

impl Focus {
    /// Gives the variable one of the values in the state after a step.
    pub fn apply(&self, layout: &Layout, before: &[u64], after: &mut [u64], random: &mut Rng) {
        if random.u32(..100) < STRAYS {
            return;
        }
        let last = layout.get(before, self.var).filter(|last| self.values.contains(last));
        let value = match last.filter(|_| random.u32(..100) < self.stays) {
            Some(last) => last,
            None => self.values[random.usize(..self.values.len())],
        };
        layout.set(after, self.var, value);
    }
}
