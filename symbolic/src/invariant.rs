//! The reachable states as an expression of the system, for those who check by other means that steps do not leave them.

use super::attempt::{Attempt, Limits};
use super::model::Model;
use super::order::Order;
use super::watch::{Lookout, Watch};
use super::{Refusal, Trouble};
use diagrams::{Branch, Diagram, Exhausted, Target, Variable as Bit};
use limits::Handle;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use system::{Apart, Domain, ExprId, Exprs, Machine, Motion, PropertyId, Slice, Sort, System, Unary, VarId, WordSort};

/// The most branches of a set that becomes an expression.
const LARGEST: usize = 1 << 15;
/// The most values of a variable whose bits are told by its values.
const MOST_VALUES: u128 = 1 << 10;

/// A system, and an expression that is true in every reachable state: the reachable states of what matters to a property,
/// found within limits.
pub fn reachable_set(
    machine: &Machine,
    property: PropertyId,
    limits: Limits,
    handle: &mut Handle<'_>,
) -> Result<(System, ExprId), Trouble> {
    let slice = Slice::new(machine.system(), &[property], Apart::Kept);
    let part = slice.as_ref().map(|slice| Machine::new(Arc::new(slice.system.clone())));
    let is_outside = |var: VarId| slice.as_ref().is_some_and(|slice| !slice.has(var));
    let found = |attempt: Attempt, lookout: &Lookout| {
        let mut model = Model::new(part.as_ref().unwrap_or(machine), attempt, &[], lookout)?;
        let reachable = model.reachable()?;
        let inside = model.without_values(&reachable, is_outside)?;
        let mut system = machine.system().clone();
        let expr = model.expression(&mut system, &inside)?;
        Ok((system, expr))
    };
    let orders = Order::tried(machine.system());
    let work = |lookout: &Lookout| Attempt::in_turns(orders, limits, |attempt| found(attempt, lookout));
    Watch::new(handle).work(machine, 0, work).unwrap_or(Err(Refusal::NoStack.into()))
}

impl Model<'_> {
    /// The set, whatever the values of some variables are.
    fn without_values(&mut self, set: &Diagram, is_left_out: impl Fn(VarId) -> bool) -> Result<Diagram, Exhausted> {
        let left_out = self.system().state_variables().map(|(var, _)| var).filter(|var| is_left_out(*var));
        let mut bits: Vec<Bit> = left_out.flat_map(|var| self.space.of(var)).copied().collect();
        bits.sort_unstable();
        let cube = self.manager.cube(&bits)?;
        self.manager.exists(set, &cube)
    }

    /// A set of states as an expression.
    fn expression(&self, system: &mut System, set: &Diagram) -> Result<ExprId, Trouble> {
        let (branches, root) = self.manager.graph(set);
        if branches.len() > LARGEST || !self.space.holder().is_empty() {
            return Err(Refusal::NoExpression.into());
        }
        let mut bits: FxHashMap<Bit, ExprId> = FxHashMap::default();
        for (var, variable) in self.system().state_variables().filter(|(_, at)| at.motion != Motion::Input) {
            for (place, bit) in self.space.of(var).iter().enumerate() {
                if branches.iter().any(|branch| branch.variable == *bit) {
                    let told = bit_of(&mut system.exprs, var, &variable.domain, place);
                    bits.insert(*bit, told.ok_or(Refusal::NoExpression)?);
                }
            }
        }
        let mut known: Vec<ExprId> = Vec::new();
        for Branch { variable, low, high } in branches {
            let (low, high) = (target(&mut system.exprs, &known, low), target(&mut system.exprs, &known, high));
            known.push(system.exprs.ite(bits[&variable], high, low));
        }
        Ok(target(&mut system.exprs, &known, root))
    }
}

fn target(exprs: &mut Exprs, known: &[ExprId], target: Target) -> ExprId {
    match target {
        Target::Never => exprs.boolean(false),
        Target::Always => exprs.boolean(true),
        Target::Branch(number) => known[number],
    }
}

/// Whether a bit of a variable is set, as the layout of states has it; `None` if the variable has too many values.
fn bit_of(exprs: &mut Exprs, var: VarId, domain: &Domain, place: usize) -> Option<ExprId> {
    let (sort, value) = (domain.sort(), exprs.now(var, domain.sort()));
    let values: Vec<i64> = match domain {
        Domain::Boolean => return Some(value),
        Domain::Word(_) => {
            let place = place as u32;
            let bit = exprs.unary(Unary::Extract { high: place, low: place }, value);
            let one = exprs.constant(1, Sort::Word(WordSort { width: 1, signed: false }));
            return Some(exprs.equal(bit, one));
        }
        _ if domain.size() > MOST_VALUES => return None,
        Domain::Range { low, high } => (*low..=*high).filter(|value| value >> place & 1 == 1).collect(),
        Domain::Values(values) => {
            let numbered = values.iter().enumerate().filter(|(number, _)| number >> place & 1 == 1);
            numbered.map(|(_, value)| *value).collect()
        }
    };
    let mut any = exprs.boolean(false);
    for one in values {
        let one = exprs.constant(one, sort);
        let is_it = exprs.equal(value, one);
        any = exprs.or(any, is_it);
    }
    Some(any)
}
