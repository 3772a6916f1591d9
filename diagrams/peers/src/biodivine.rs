//! biodivine-lib-bdd, where every function is an array of its own.

use super::Package;
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet, op_function};

/// The package biodivine-lib-bdd.
pub struct Biodivine {
    set: BddVariableSet,
    variables: Vec<BddVariable>,
}

impl Package for Biodivine {
    type Function = Bdd;

    const NAME: &'static str = "biodivine-lib-bdd 0.6";

    fn new(variables: u32) -> Biodivine {
        let count = u16::try_from(variables).expect("the work has few variables");
        let set = BddVariableSet::new_anonymous(count);
        Biodivine { variables: set.variables(), set }
    }

    fn variable(&mut self, variable: u32) -> Bdd {
        self.set.mk_var(self.variables[variable as usize])
    }

    fn always(&mut self) -> Bdd {
        self.set.mk_true()
    }

    fn not(&mut self, a: &Bdd) -> Bdd {
        a.not()
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Bdd {
        a.and(b)
    }

    fn or(&mut self, a: &Bdd, b: &Bdd) -> Bdd {
        a.or(b)
    }

    fn and_exists(&mut self, a: &Bdd, b: &Bdd, variables: &[u32]) -> Bdd {
        let variables: Vec<BddVariable> = variables.iter().map(|at| self.variables[*at as usize]).collect();
        Bdd::binary_op_with_exists(a, b, op_function::and, &variables)
    }

    fn count(&mut self, a: &Bdd) -> f64 {
        a.cardinality()
    }
}
