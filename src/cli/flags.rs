//! `uwbmc flags`: what a compiler has to be told so that `run` sees accesses to memory.

use super::Outcome;
#[cfg(target_os = "linux")]
use super::terminal;
use crate::Error;
#[cfg(target_os = "linux")]
use crate::program::Accesses;

/// A language whose compiler is called by other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// For `RUSTFLAGS`; Cargo also needs `--target`, so that build scripts do not get them.
    Rust,
}

#[derive(clap::Args)]
pub struct FlagsArgs {
    /// The language.
    pub language: Language,

    /// Make plain accesses visible too, not only atomic ones: for programs with unsafe code
    #[arg(long)]
    pub plain: bool,
}

#[cfg(target_os = "linux")]
pub fn run(args: &FlagsArgs) -> Result<Outcome, Error> {
    match args.language {
        Language::Rust => {
            let accesses = if args.plain { Accesses::All } else { Accesses::Atomic };
            terminal::print(&format!("{}\n", accesses.flags().join(" ")));
        }
    }
    Ok(Outcome::Fine)
}

#[cfg(not(target_os = "linux"))]
pub fn run(_: &FlagsArgs) -> Result<Outcome, Error> {
    Err(Error::Usage(super::run::ELSEWHERE.to_owned()))
}
