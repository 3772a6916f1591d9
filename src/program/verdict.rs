//! Verdicts on programs, in words.

use super::Names;
use scheduler::{Difference, End, Exploration, Step, Violation};

/// How the description of a livelock begins.
const STARVED: &str = "livelock: a thread cannot move in more than ";

/// The number of states that the description of a livelock speaks of.
pub fn livelock_bound(violation: &str) -> Option<usize> {
    violation.strip_prefix(STARVED)?.split(' ').next()?.parse().ok()
}

/// What is wrong, in words.
pub fn violation(violation: &Violation) -> String {
    match violation {
        Violation::Deadlock => "deadlock".to_owned(),
        Violation::Assertion(what) => format!("failed assertion: {what}"),
        Violation::Abort => "the program aborted itself".to_owned(),
        Violation::Crash(signal) => format!("crash by signal {signal}{}", signal_name(*signal)),
        Violation::NotHeld => "a lock is released by a thread that does not hold it".to_owned(),
        Violation::Divergence => "a thread goes on without a visible operation".to_owned(),
        Violation::Livelock(states) => {
            format!("{STARVED}{states} successive states")
        }
        Violation::WaitsForEver => "livelock: threads wait in loops for what does not come".to_owned(),
        Violation::Freed(how) => format!("memory is {how} after it was freed"),
        Violation::ExitCode(code) => format!("exit code {code}"),
        Violation::DataRace { .. } => "data race".to_owned(),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic)",
        11 => " (segmentation fault)",
        _ => "",
    }
}

/// The verdict of an exploration, as a word for machines.
pub fn headline(exploration: &Exploration) -> &'static str {
    match &exploration.end {
        _ if exploration.wrong().is_some() => "violated",
        End::Complete if sees_all(exploration) => "holds",
        End::Complete | End::Cut | End::Partial | End::Bounded | End::Unclear => "holds up to bound",
        _ => "unknown",
    }
}

/// Whether everything was visible that threads can disagree about.
fn sees_all(exploration: &Exploration) -> bool {
    exploration.sees_memory && exploration.sees_all || !exploration.is_concurrent
}

/// Why it is so.
pub fn reason(exploration: &Exploration, why_stopped: &str, names: &mut Names) -> String {
    let search = &exploration.search;
    match &exploration.end {
        End::Complete if sees_all(exploration) => {
            format!("all {} interleavings that differ were explored", search.complete)
        }
        End::Complete if exploration.sees_memory && exploration.sees_plain => format!(
            "all {} interleavings that differ by synchronisation and accesses to memory were explored, but those inside of \
             the standard library of Rust are not visible",
            search.complete
        ),
        End::Complete if exploration.sees_memory => format!(
            "all {} interleavings that differ by synchronisation and atomic accesses were explored, but other accesses to \
             memory are not visible: that is enough for safe Rust only (see `uwbmc flags rust --plain`)",
            search.complete
        ),
        End::Complete => format!(
            "all {} interleavings that differ by synchronisation were explored, but accesses to memory are not visible: {}",
            search.complete,
            how_to_see(exploration)
        ),
        End::Cut => format!("{} runs were cut off; they are longer than --depth, or than 20000 operations", search.cut),
        End::Unclear => format!(
            "all {} interleavings that differ were explored, but threads wait in loops of which it is not known what they do to \
             memory: one turn without visible effect was explored; or one closes the descriptor of a pipe that another one of its \
             process may be about to use: one order was explored",
            search.complete
        ),
        End::Bounded => format!(
            "all {} interleavings with at most as many preemptions as --preemptions says were explored",
            search.complete
        ),
        End::Partial => "all interleavings that differ were explored, with 0, 1 and 2 for any number".to_owned(),
        End::Stopped => format!("{why_stopped} after {} runs", exploration.total.runs),
        End::Found => "found and executed again".to_owned(),
        End::Refused(why) => why.clone(),
        End::NotDeterministic(difference) => not_deterministic(difference, names),
    }
}

/// What to do where accesses to memory are not visible. Locks in Rust are such accesses.
fn how_to_see(exploration: &Exploration) -> &'static str {
    if exploration.sees_all {
        "that is enough only if there are no data races; compile with `uwbmc cc` or `uwbmc c++` to see them"
    } else {
        "locks in Rust are atomic accesses; compile with the flags that `uwbmc flags rust` prints to see them"
    }
}

fn not_deterministic(difference: &Difference, names: &mut Names) -> String {
    let steps = [&difference.expected, &difference.found];
    names.look_up(steps.into_iter().flatten().map(|step| (step.event.lane, step.caller)));
    let mut say = |step: &Option<Box<Step>>| step.as_ref().map_or("nothing".to_owned(), |step| operation(step, names));
    let step = difference.step + 1;
    let how = match (&difference.expected, &difference.found) {
        (None, None) => format!("it ends in another way after {} steps", difference.step),
        (expected, found) => format!("step {step} is `{}` instead of `{}`", say(found), say(expected)),
    };
    format!(
        "the program is not deterministic here: executed again, {how}; what decides it is none of its visible operations"
    )
}

/// What a lane does in a step, and where.
fn operation(step: &Step, names: &mut Names) -> String {
    let Step { event, caller, .. } = step;
    let what = names.operation(event.lane, &event.op);
    let place = names.place(event.lane, *caller).map_or(String::new(), |place| match place.line {
        Some(line) => format!(" in {}, line {line}", place.function),
        None => format!(" in {}", place.function),
    });
    format!("{} {what}{place}", names.label(event.lane))
}
