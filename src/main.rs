//! The command `uwbmc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    uwbmc::cli::run()
}
