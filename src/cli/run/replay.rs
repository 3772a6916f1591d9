//! Executing a run of a program again, for `uwbmc replay`.

use super::Replayed;
use super::subject::{Subject, failed, prescribed};
use crate::Error;
use crate::cli::terminal::Audience;
use crate::cli::watch::Watch;
use crate::program::{livelock_bound, reason, violation};
use ::limits::Observer;
use operations::region::LIBRARY_FILE;
use scheduler::{ExitCodes, Limits, Options, Plan, Reduction, Stopped, Strategy, follow};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long a thread may go on without a visible operation.
const PATIENCE: Duration = Duration::from_secs(10);

/// Executes the run that a file describes again; nothing is said of it if it was given to a debugger instead.
pub fn replay(path: &Path, in_debugger: bool) -> Result<Option<Replayed>, Error> {
    let (document, tape) = prescribed(path)?;
    let [program, arguments @ ..] = &document.command[..] else {
        let why = "it does not say which program: use uwbmc run --replay";
        return Err(Error::about(path, &why));
    };
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    // Ctrl-C ends the program and not us, who have to clean up; in a debugger it is meant for the debugger.
    let watch = Watch::start(None, Audience::Person);
    let inner = watch.again();
    let subject = Subject::start(Path::new(program), &arguments, PATIENCE, Limits::default())?;
    let mut subject = subject.ending_when(move || inner.why().is_some());
    let steps = tape.len();
    if in_debugger {
        let plan = Plan { branch: steps, tape, stop: steps.checked_sub(1), ..Plan::free(steps) };
        debug(subject.without_fibres(), &plan)?;
        return Ok(None);
    }
    let property = document.property.as_deref().unwrap_or_default();
    let options = Options {
        strategy: Strategy::Exhaustive,
        reduction: Reduction::Optimal,
        // The run of a data race ends with it, whatever comes after it.
        depth: if property == "data race" { steps } else { steps.max(1) * 2 },
        runs: 1,
        seed: 0,
        // A run that was found because of its code is wrong because of it again.
        exit_codes: if property.starts_with("exit code") { ExitCodes::Checked } else { ExitCodes::Ignored },
        livelock: livelock_bound(property),
        finds_all: false,
        runs_after_race: u64::MAX,
        servers: 1,
    };
    let exploration = follow(&mut subject.session, &options, tape).map_err(failed)?;
    let result = match exploration.wrong() {
        Some(found) => Ok(violation(&found.finding.violation)),
        None => {
            let why = watch.why().map_or("nothing went wrong".to_owned(), |why| why.to_string());
            Err(reason(&exploration, &why, &mut subject.names()))
        }
    };
    Ok(Some(Replayed { steps, result }))
}

/// Executes a run up to its last step, and lets a debugger look at it there.
fn debug(mut subject: Subject, plan: &Plan) -> Result<(), Error> {
    let Some(stopped) = subject.session.stop(plan).map_err(failed)? else {
        return Err(Error::Usage("the program does not come to the last step of this run".to_owned()));
    };
    let status = gdb(&subject, stopped).status();
    let missing = "install gdb, or use uwbmc replay without --gdb";
    status.map(|_| ()).map_err(|error| Error::Usage(format!("gdb: {error}; {missing}")))
}

/// The debugger, at the thread that is about to take the last step and where the program itself is.
fn gdb(subject: &Subject, stopped: Stopped) -> Command {
    let thread =
        format!("python [t.switch() for t in gdb.selected_inferior().threads() if t.ptid[1] == {}]", stopped.thread);
    // The functions of ours that it waits in have no lines.
    let frame = "python f = gdb.newest_frame()\nwhile f and not f.find_sal().symtab: f = f.older()\nif f: f.select()";
    // The library's file is gone, but open: without it the debugger cannot look through its frames.
    let library = subject.session.maps().lines().find(|line| line.contains("/library.so")).unwrap_or_default();
    let start = library.split('-').next().unwrap_or_default();
    let symbols = format!("add-symbol-file /proc/{}/fd/{} -o 0x{start}", stopped.process, LIBRARY_FILE);
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-ex", "set pagination off", "-ex", "set confirm off", "-p"]).arg(stopped.process.to_string());
    gdb.args(["-ex", &symbols, "-ex", &thread, "-ex", frame, "-ex", "frame"]).arg(subject.program());
    gdb
}
