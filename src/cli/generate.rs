//! `uwbmc completions` and `uwbmc man`: made from the definition of the command line.

use super::{Cli, Outcome, terminal};
use crate::Error;
use clap::CommandFactory;

#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

pub fn completions(args: &CompletionsArgs) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "uwbmc", &mut script);
    terminal::print(&String::from_utf8_lossy(&script));
    Ok(Outcome::Fine)
}

/// The page of the command, followed by those of its subcommands and of theirs.
pub fn man() -> Result<Outcome, Error> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    let first = command.get_subcommands();
    let all = first.flat_map(|subcommand| std::iter::once(subcommand).chain(subcommand.get_subcommands()));
    for subcommand in all.filter(|subcommand| subcommand.get_name() != "help") {
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    terminal::print(&String::from_utf8_lossy(&page));
    Ok(Outcome::Fine)
}
