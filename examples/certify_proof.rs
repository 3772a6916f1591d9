//! Certifies a bound: the refutations are written to a folder, and each is checked again from its file.

use std::path::Path;
use uwbmc::check::{Choice, check_proof};
use uwbmc::{Error, Language, Model, Options, check};

const COUNTER: &str = "
MODULE main
VAR x : 0..20;
ASSIGN init(x) := 0; next(x) := case x < 20 : x + 1; TRUE : 0; esac;
INVARSPEC NAME small := x < 9
";

/// Checks within a bound, and then the proofs that were written.
pub fn run(folder: &Path) -> Result<String, Error> {
    let model = Model::parse(COUNTER, Language::Smv)?;
    let mut options = Options::default().bound(8).engine(Choice::Plain).certify();
    options.proofs.folder = Some(folder.to_owned());
    let report = check(&model, &options, &mut ())?;
    let mut text = format!("{}: {}\n", report.properties[0].name, report.properties[0].verdict);

    let mut formulas = 0;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "cnf") {
            check_proof(&path)?;
            formulas += 1;
        }
    }
    text += &format!("{formulas} refutations accepted\n");
    Ok(text)
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<(), Error> {
    let folder = std::env::temp_dir().join(format!("uwbmc-example-{}", std::process::id()));
    print!("{}", run(&folder)?);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
