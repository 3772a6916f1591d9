//! Whether a property holds of all runs of a program, fair or not.
//!
//! Without fairness, interleavings and processes that are alike can be left out, which fairness tells apart. A property that no run violates is
//! violated by no fair one, so that it is decided then.

use super::component::Search;
use super::product::Product;
use super::violations::Violations;
use super::{Cycles, FEW, MANY};
use limits::Handle;
use std::sync::Arc;
use system::{Machine, PropertyId};

/// A program without its fairness; `None` where there is no fairness, or no program: nothing is to be gained there.
pub fn fairless(machine: &Machine) -> Option<Machine> {
    let system = machine.system();
    (system.has_statements && !system.fairness.is_empty()).then(|| {
        let mut system = system.clone();
        system.fairness.clear();
        Machine::new(Arc::new(system))
    })
}

/// The search for runs that violate a property, fair or not.
pub struct Unfair<'a> {
    /// How far it is, as long as no run is known that violates the property.
    search: Option<Search<'a>>,
    has_tried_orders: bool,
}

impl<'a> Unfair<'a> {
    /// Nothing is known yet of a program without fairness.
    pub fn new(fairless: Option<&'a Machine>, property: PropertyId) -> Unfair<'a> {
        let search = fairless.and_then(|machine| {
            let violations = Violations::of(machine.system(), property).ok()?;
            let mut search = Search::new(Product::new(machine, violations).ok()?);
            search.leave_out(search.left_out());
            Some(search)
        });
        Unfair { search, has_tried_orders: false }
    }

    /// Whether it may still turn out that no run violates the property.
    pub fn is_open(&self) -> bool {
        self.search.is_some()
    }

    /// That no run violates the property; `None` if some run does, or if nothing is known after this many states, and, if they are more than
    /// many, after a few in each of some orders.
    pub fn holds(&mut self, most: usize, memory: usize, handle: &mut Handle<'_>) -> Option<Cycles> {
        let search = self.search.as_mut()?;
        let mut found = search.run_up_to(most, memory, handle);
        let is_long = most > MANY;
        if found.is_none() && is_long && !std::mem::replace(&mut self.has_tried_orders, true) {
            found = search.run_in_orders(FEW, memory, handle);
        }
        match found {
            Some(Cycles::Nothing { .. }) => return found,
            Some(_) => self.search = None,
            None => {}
        }
        None
    }
}
