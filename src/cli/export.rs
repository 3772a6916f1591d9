//! `uwbmc export`

use super::model::Model;
use super::{ModelArgs, Outcome, model, terminal};
use crate::Error;
use crate::export::{Goal, Refusal, aiger, btor2, circuit, dimacs, hoa};
use crate::suggest::named;
use encoder::Valid;
use std::path::{Path, PathBuf};
use system::Claim;

#[derive(clap::Args)]
pub struct ExportArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// What to write: the unrolling to a bound (dimacs), or the system itself (aiger, btor2), or the automaton of what violates a
    /// property (hoa).
    #[arg(long, value_enum)]
    format: Format,
    /// The bound of the unrolling, in steps.
    #[arg(long = "k", short = 'k', value_name = "N")]
    bound: Option<usize>,
    /// With dimacs: give each control point its switch p, which is false where only one process may move.
    #[arg(long)]
    switches: bool,
    /// The property whose violation is asked for (by default the first invariant; with hoa, the first formula of LTL).
    #[arg(long, value_name = "NAME")]
    property: Option<String>,
    /// Where to write it (by default to standard output); AIGER is binary if the name ends in .aig.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// CNF, with comments that name the literals.
    Dimacs,
    /// AIGER 1.9, a circuit of and-gates and latches.
    Aiger,
    /// BTOR2, bit by bit.
    Btor2,
    /// The Hanoi format for automata.
    Hoa,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Usage(refusal.0)
    }
}

pub fn run(args: &ExportArgs) -> Result<Outcome, Error> {
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let bytes = export(&model, args)?;
    match &args.output {
        Some(path) => {
            std::fs::write(path, bytes).map_err(|error| Error::in_file(path, &error))?;
        }
        None => terminal::print(&String::from_utf8_lossy(&bytes)),
    }
    Ok(Outcome::Fine)
}

/// The automaton of a formula.
fn automaton(model: &Model, args: &ExportArgs) -> Result<String, Error> {
    let system = model.machine.system();
    let property = match &args.property {
        Some(name) => named(system, name).map_err(Error::Usage)?,
        None => {
            let first = system.properties.position(|property| matches!(property.claim, Claim::Ltl(_)));
            first.ok_or_else(|| Error::Usage("the model has no formula of LTL; name a property".to_owned()))?
        }
    };
    Ok(hoa::export(system, property, model::language(&args.model)?)?)
}

fn export(model: &Model, args: &ExportArgs) -> Result<Vec<u8>, Error> {
    let machine = &model.machine;
    let goal = || Goal::choose(machine, args.property.as_deref());
    match (args.format, args.bound) {
        (Format::Dimacs, Some(bound)) => {
            let valid = if args.switches { Valid::Paper } else { Valid::Absent };
            Ok(dimacs::export(machine, goal()?, bound, valid)?.into_bytes())
        }
        (Format::Dimacs, None) => Err(Error::Usage("--format dimacs needs a bound; add --k N".to_owned())),
        (_, Some(_)) => {
            Err(Error::Usage("--k is for --format dimacs only; the other formats have no bound".to_owned()))
        }
        (Format::Aiger, None) => {
            let circuit = circuit::circuit(machine, goal()?)?;
            let is_binary = args.output.as_deref().is_some_and(is_binary);
            Ok(if is_binary { aiger::binary(&circuit) } else { aiger::ascii(&circuit).into_bytes() })
        }
        (Format::Btor2, None) => Ok(btor2::export(&circuit::circuit(machine, goal()?)?).into_bytes()),
        (Format::Hoa, None) => Ok(automaton(model, args)?.into_bytes()),
    }
}

fn is_binary(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("aig"))
}
