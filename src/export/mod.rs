//! Models for other tools.
//!
//! [`dimacs`] writes the unrolling to a bound; [`aiger`] and [`btor2`] write the system itself, which [`circuit`] makes
//! a circuit of. These three use the one encoding of the crate `encoder`. [`hoa`] writes the automaton of a formula. Where the model may have no meaning (a division
//! by zero, a value outside a domain), reaching that counts as reaching the goal, and a comment says so.

pub mod aig;
pub mod aiger;
pub mod btor2;
pub mod circuit;
pub mod dimacs;
pub mod hoa;

use crate::suggest::named;
use encoder::{Bit, Unsupported};
use system::{Claim, ExprId, Machine, PropertyId, System};

/// Why a model cannot be written: a message for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl From<Unsupported> for Refusal {
    fn from(unsupported: Unsupported) -> Refusal {
        Refusal(format!("a system with {} cannot be exported", unsupported.0))
    }
}

/// What the written model asks for: a violation of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    property: PropertyId,
    invariant: ExprId,
    subject: Subject,
}

/// What an invariant speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// Single states.
    States,
    /// Steps: it mentions inputs, next values or who runs.
    Steps,
}

impl Goal {
    /// The violation of the property with a name, or of the first invariant.
    pub fn choose(machine: &Machine, name: Option<&str>) -> Result<Goal, Refusal> {
        let properties = &machine.system().properties;
        let property = match name {
            Some(name) => named(machine.system(), name).map_err(Refusal),
            None => properties
                .position(|property| matches!(property.claim, Claim::Invariant(_)))
                .ok_or_else(|| Refusal("the model has no invariant to export; add an INVARSPEC".to_owned())),
        }?;
        let Claim::Invariant(invariant) = properties[property].claim else {
            let kind = kind(&properties[property].claim);
            let name = &properties[property].name;
            return Err(Refusal(format!("the property {name} is {kind}; only invariants can be exported")));
        };
        let subject = if machine.is_state_invariant(property) { Subject::States } else { Subject::Steps };
        Ok(Goal { property, invariant, subject })
    }

    /// The name of the property.
    fn name<'s>(&self, system: &'s System) -> &'s str {
        &system.properties[self.property].name
    }
}

fn kind(claim: &Claim) -> &'static str {
    match claim {
        Claim::Invariant(_) => "an invariant",
        Claim::DeadlockFree => "about deadlocks",
        Claim::Ltl(_) => "in LTL",
        Claim::Ctl(_) => "in CTL",
        Claim::Compute(..) => "a question about numbers of steps",
        Claim::Progress(_) => "about progress",
        Claim::Never(_) => "a never claim about infinite runs",
        Claim::Unsupported(_) => "of a kind that is not checked",
    }
}

/// A bit's name, without spaces: `running:p1`, `p1.pc=idle`, `x:0`.
fn bit_name(system: &System, bit: Bit) -> String {
    match bit {
        Bit::Selector(process) => format!("running:{}", one_word(&system.processes[process].name)),
        Bit::Holder(process) => format!("control:{}", one_word(&system.processes[process].name)),
        Bit::Value(var, value) => {
            let name = one_word(&system.variables[var].name);
            format!("{name}={}", one_word(&system.render_value(var, value)))
        }
        Bit::Position(var, position) => format!("{}:{position}", one_word(&system.variables[var].name)),
    }
}

/// Quoted identifiers may hold anything; the formats end a name at white space.
fn one_word(text: &str) -> String {
    text.replace(|c: char| c.is_whitespace() || c.is_control(), "_")
}
