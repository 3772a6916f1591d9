//! oxidd, on one thread.

use super::Package;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::SatCountCache;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Manager, ManagerRef};
use std::collections::hash_map::RandomState;

/// The package oxidd.
pub struct Oxidd {
    manager: BDDManagerRef,
    variables: u32,
}

/// More nodes and results than any of the work needs, or as many as ours has.
const NODES: usize = 1 << 24;
const RESULTS: usize = 1 << 20;

impl Package for Oxidd {
    type Function = BDDFunction;

    const NAME: &'static str = "oxidd 0.11";

    fn new(variables: u32) -> Oxidd {
        let manager = new_manager(NODES, RESULTS, 1);
        manager.with_manager_exclusive(|manager| manager.add_vars(variables));
        Oxidd { manager, variables }
    }

    fn variable(&mut self, variable: u32) -> BDDFunction {
        self.manager.with_manager_shared(|manager| BDDFunction::var(manager, variable)).expect("there are enough nodes")
    }

    fn always(&mut self) -> BDDFunction {
        self.manager.with_manager_shared(|manager| BDDFunction::t(manager))
    }

    fn not(&mut self, a: &BDDFunction) -> BDDFunction {
        a.not().expect("there are enough nodes")
    }

    fn and(&mut self, a: &BDDFunction, b: &BDDFunction) -> BDDFunction {
        a.and(b).expect("there are enough nodes")
    }

    fn or(&mut self, a: &BDDFunction, b: &BDDFunction) -> BDDFunction {
        a.or(b).expect("there are enough nodes")
    }

    fn and_exists(&mut self, a: &BDDFunction, b: &BDDFunction, variables: &[u32]) -> BDDFunction {
        let cube = variables.iter().rev().fold(self.always(), |cube, at| {
            let variable = self.variable(*at);
            variable.and(&cube).expect("there are enough nodes")
        });
        a.apply_exists(BooleanOperator::And, b, &cube).expect("there are enough nodes")
    }

    fn count(&mut self, a: &BDDFunction) -> f64 {
        let mut cache = SatCountCache::<oxidd::util::num::F64, RandomState>::default();
        a.sat_count(self.variables, &mut cache).0
    }
}
