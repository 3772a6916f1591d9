//! Reading the model that the command line names.

use super::{Language, ModelArgs, UsageError, terminal};
use crate::smv;
use crate::source::{LARGEST, Source};
use std::path::Path;
use std::sync::Arc;
use system::Machine;

/// A model, ready to run.
pub struct Model {
    /// Its text.
    pub source: Source,
    /// Its meaning.
    pub machine: Machine,
}

/// Reads a model and shows what there is to say about it. `Ok(None)` if it is wrong and that has been said.
pub fn load(args: &ModelArgs) -> Result<Option<Model>, UsageError> {
    check_language(args)?;
    let path = args.model.display();
    let bytes = std::fs::read(&args.model).map_err(|error| UsageError(format!("{path}: {error}")))?;
    if bytes.len() > LARGEST {
        return Err(UsageError(format!("{path}: a model has at most {LARGEST} bytes")));
    }
    let source = Source::new(path.to_string(), &bytes);
    let loaded = smv::load(&source, &args.pcs);
    terminal::show_diagnostics(&loaded.diagnostics, &source);
    Ok(loaded.system.map(|system| Model { source, machine: Machine::new(Arc::new(system)) }))
}

fn check_language(args: &ModelArgs) -> Result<(), UsageError> {
    if args.language == Some(Language::Smv) || has_ending(&args.model, "smv") {
        return Ok(());
    }
    let path = args.model.display();
    Err(UsageError(format!("{path}: the ending does not tell the language; add --language smv")))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}
