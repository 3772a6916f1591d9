//! Agreement with NuSMV, where it is installed: what it accepts we accept, and we count the same states.
//!
//! The binary is found in the environment variable `NUSMV` or as `NuSMV` in the path. `UWBMC_SMV_CORPUS` names a
//! folder with more models to compare on.

#[path = "common/files.rs"]
mod files;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::Machine;
use uwbmc::diagnostic::Style;
use uwbmc::explicit::{Limits, Stop, search};
use uwbmc::smv::load;
use uwbmc::source::Source;

/// How long NuSMV may take for a model, and how many states we visit of one.
const PATIENCE: Duration = Duration::from_secs(10);
const MOST_STATES: usize = 100_000;

fn nusmv() -> Option<PathBuf> {
    let named = std::env::var_os("NUSMV").map(PathBuf::from);
    let in_path = || {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).map(|folder| folder.join("NuSMV")).find(|path| path.is_file())
    };
    named.or_else(in_path)
}

/// What NuSMV prints for some commands on a model; `None` when it takes too long.
fn ask(nusmv: &Path, model: &Path, commands: &str) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("uwbmc-nusmv-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let script = folder.join("script");
    std::fs::write(&script, format!("{commands}\nquit\n")).expect("writable");
    let output = folder.join("output");
    let mut child = Command::new(nusmv)
        .args(["-source".as_ref(), script.as_os_str(), model.as_os_str()])
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&output).expect("writable"))
        .stderr(Stdio::null())
        .spawn()
        .expect("NuSMV starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(String::from_utf8_lossy(&std::fs::read(&output).expect("readable")).into_owned())
}

/// The number of states that NuSMV counts, if it prints all its digits.
fn nusmv_states(nusmv: &Path, model: &Path) -> Option<usize> {
    let text = ask(nusmv, model, "go\nprint_reachable_states")?;
    let after = text.split("reachable states: ").nth(1)?;
    let digits = after.split_whitespace().next()?;
    digits.parse().ok()
}

fn our_states(path: &Path) -> Option<usize> {
    let source = Source::new(path.display().to_string(), &std::fs::read(path).expect("readable"));
    let loaded = load(&source, &[]);
    let text = loaded.diagnostics.render(&source, Style::Plain);
    let system = loaded.system.unwrap_or_else(|| panic!("NuSMV accepts this, we do not:\n{text}"));
    if system.state_bits() > 400 {
        return None;
    }
    let machine = Machine::new(Arc::new(system));
    let limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };
    let start = Instant::now();
    let enough = |states: usize, _| {
        if states > MOST_STATES || start.elapsed() > PATIENCE {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    match search(&machine, &[], limits, enough) {
        Ok(found) => (found.stop == Stop::Complete).then_some(found.states),
        Err(finding) => panic!("NuSMV builds {}, we find a fault: {:?}", path.display(), finding.failure),
    }
}

#[test]
fn nusmv_counts_the_same_states() {
    let Some(nusmv) = nusmv() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let mut files = files::smv_files(&["models/paper", "models/abp", "models/leader"]);
    // An absolute path is taken as it is.
    files.extend(std::env::var("UWBMC_SMV_CORPUS").map(|folder| files::smv_files(&[&folder])).unwrap_or_default());
    let mut compared = 0;
    for path in files {
        let Some(theirs) = nusmv_states(&nusmv, &path) else {
            println!("not compared: NuSMV gives no exact count for {}", path.display());
            continue;
        };
        match our_states(&path) {
            Some(ours) => assert_eq!(ours, theirs, "states of {}", path.display()),
            None => {
                println!("not compared: too large for us: {}", path.display());
                continue;
            }
        }
        println!("compared: {} has {theirs} states", path.display());
        compared += 1;
    }
    assert!(compared >= 5, "only {compared} models compared");
}
