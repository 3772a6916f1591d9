//! `uwbmc explain`

use super::{Outcome, terminal};
use crate::Error;
use crate::catalogue::{Explanation, FAMILIES, explain};
use serde::Serialize;

#[derive(clap::Args)]
pub struct ExplainArgs {
    /// The code of a diagnostic, such as SMV012 (without one, all codes are listed).
    code: Option<String>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    diagnostics: &'a [Explanation],
}

pub fn run(args: &ExplainArgs) -> Result<Outcome, Error> {
    let codes = FAMILIES.iter().flat_map(|family| family.codes);
    let wanted: Vec<Explanation> = match &args.code {
        Some(code) => vec![explain(code).ok_or_else(|| unknown(code))?],
        None => codes.filter_map(|(code, _)| explain(code)).collect(),
    };
    match wanted.as_slice() {
        all if args.json => terminal::print_json("uwbmc-explain", &Document { diagnostics: all }),
        [one] => terminal::print(&one.render()),
        all => all.iter().for_each(|one| terminal::print(&format!("{}  {}\n", one.code, one.meaning))),
    }
    Ok(Outcome::Fine)
}

fn unknown(code: &str) -> Error {
    Error::Usage(format!("there is no diagnostic {code}; `uwbmc explain` without a code lists all of them"))
}
