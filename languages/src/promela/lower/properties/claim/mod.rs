//! Never claims: monitors that watch the model without holding it up.
//!
//! A claim moves before each step of the model, by a statement that can run in the state at hand; where it cannot, the run
//! is none of its business any more. SPIN searches the product of both. Here all states that the claim can be in are
//! followed at once, a boolean variable each, so that a claim neither chooses nor blocks and several of them do not
//! disturb each other. The claim is violated where it can reach its end. When the model has come to its end, the claim goes
//! on alone.

mod automaton;
mod condition;
mod monitor;
mod watch;

use super::super::lowering::Lowering;
use super::sight::Sight;
use crate::promela::ast::Proctype;
use crate::promela::flow::{Role, automaton};
use rustc_hash::FxHashSet;
use system::Claim;

/// Why a claim is not checked.
pub enum Obstacle {
    /// It has something that is not supported: this.
    Refused(String),
    /// It has an error, which the diagnostics tell.
    Reported,
}

impl From<String> for Obstacle {
    fn from(reason: String) -> Obstacle {
        Obstacle::Refused(reason)
    }
}

impl Lowering<'_> {
    /// Adds the properties of a claim, and its monitor.
    pub fn never(&mut self, claim: &Proctype, sight: &Sight) -> Option<()> {
        let name = claim.name.to_string();
        let points = automaton(claim, Role::Claim, &FxHashSet::default(), self.diagnostics).points;
        if points.is_empty() {
            return None;
        }
        let monitor = match self.monitor(&points) {
            Ok(monitor) => monitor,
            Err(Obstacle::Reported) => return None,
            Err(Obstacle::Refused(why)) => {
                self.property_beside_claim(name, Claim::Unsupported(why), claim.span);
                return Some(());
            }
        };
        let automaton = self.system.automata.len();
        self.automaton_of(&name, &monitor);
        let monitor = monitor.until_the_end();
        let is_finite = monitor.can_end(self.system.exprs.boolean(false));
        let accepts = monitor.accepts();
        if is_finite || !accepts {
            let variables = self.watch(&name, &monitor, sight)?;
            let violated = self.violation(&monitor, &variables, sight);
            let holds = self.system.exprs.not(violated);
            self.property_beside_claim(name.clone(), Claim::Invariant(holds), claim.span);
        }
        if accepts {
            let name = if is_finite { format!("{name}_accept") } else { name };
            self.property_beside_claim(name, Claim::Never(automaton), claim.span);
        }
        Some(())
    }
}
