//! Promela files of the repository, loaded and counted.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::{Claim, Failure, Machine, PropertyId};
use uwbmc::diagnostic::Style;
use uwbmc::engine::Stop;
use uwbmc::explicit::{Count, Limits, count_product, count_visible, search};
use uwbmc::limits::{Handle, Patience};
use uwbmc::promela::ast::Ast;
use uwbmc::promela::{Included, Loaded, Settings, load};
use uwbmc::source::{Origin, Source};

/// The most states that a test counts.
pub const MOST_STATES: usize = 2_000_000;

/// All `.pml` files below a folder of the repository, in order, but for large ones: those are in folders of that name.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let mut open = vec![crate::root().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is part of the repository") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                open.extend(Some(path).filter(|path| !path.ends_with("large")));
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Reads a text; files that it includes are looked for beside it.
pub fn read_text(name: &str, text: &str) -> (Source, Loaded) {
    let mut source = Source::new(name, text.as_bytes());
    let reader = |from: &str, wanted: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(wanted);
        let bytes = std::fs::read(&path).map_err(|_| "no such file".to_owned())?;
        Ok(Included { name: path.display().to_string(), bytes, origin: Origin::Model })
    };
    let loaded = load(&mut source, Settings::default(), &reader);
    (source, loaded)
}

/// Reads a file, under its own name.
pub fn read(path: &Path) -> (Source, Loaded) {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    read_text(&name, &std::fs::read_to_string(path).expect("readable"))
}

/// The machine of a model that is accepted.
pub fn accepted(source: &Source, loaded: Loaded) -> Machine {
    let text = loaded.diagnostics.render(source, Style::Plain);
    let system = loaded.system.unwrap_or_else(|| panic!("{} is rejected:\n{text}", source.name()));
    Machine::new(Arc::new(system))
}

/// The machine of a file that is accepted.
pub fn machine(path: &Path) -> Machine {
    let (source, loaded) = read(path);
    accepted(&source, loaded)
}

/// The machine of a text that is accepted.
pub fn machine_of(name: &str, text: &str) -> Machine {
    let (source, loaded) = read_text(name, text);
    accepted(&source, loaded)
}

/// The machine of a random program; none if its jumps lead nowhere but to each other, or a process has two `else` to
/// choose from, which is all that can be wrong with it.
pub fn machine_of_random(name: &str, text: &str) -> Option<Machine> {
    let (source, loaded) = read_text(name, text);
    let said = loaded.diagnostics.render(&source, Style::Plain);
    let is_rejected = ["error[PML014]", "error[PML024]"].iter().any(|code| said.contains(code));
    (!is_rejected).then(|| accepted(&source, loaded))
}

/// The syntax tree of a text, unless there is something wrong with it.
pub fn syntax(text: &str) -> Option<Ast> {
    let mut source = Source::new("test.pml", text.as_bytes());
    let (ast, diagnostics) =
        uwbmc::promela::syntax(&mut source, Settings::default(), &|_, _| Err("no such file".to_owned()));
    (!diagnostics.has_errors()).then_some(ast)
}

/// No more states than are counted.
fn few() -> Patience {
    Patience::of_states(MOST_STATES)
}

/// The visible states and the transitions, as the files beside the models write them.
pub fn counts(machine: &Machine) -> String {
    render(machine, count_visible(machine, usize::MAX, &mut Handle::default().patient(few())))
}

/// The same of the product with a claim; nothing if SPIN's search does not end there.
pub fn product_counts(machine: &Machine, name: &str) -> Option<String> {
    let claim = machine.system().automata.iter().find(|claim| claim.name == name);
    let claim = claim.unwrap_or_else(|| panic!("there is no claim {name}"));
    let beside = machine.beside_claim().unwrap_or(machine);
    let product = count_product(beside, claim, usize::MAX, &mut Handle::default().patient(few()));
    let is_endless = product.as_ref().is_ok_and(|product| product.is_endless);
    let count = product.map(|product| product.count).map_err(|(failure, product)| (failure, product.count));
    (!is_endless).then(|| render(machine, count))
}

fn render(machine: &Machine, outcome: Result<Count, (Failure, Count)>) -> String {
    match outcome {
        Ok(count) if count.stop == Stop::Complete => format!("{} {}", count.states, count.transitions),
        Ok(_) => format!("more than {MOST_STATES} states"),
        Err((failure, _)) => format!("fault: {}", failure.fault.describe(machine.system())),
    }
}

/// Whether a run violates the property with this name, which replays if so.
pub fn violates(machine: &Machine, name: &str) -> bool {
    let properties = &machine.system().properties;
    let property = properties.position(|property| property.name == name);
    let property = property.unwrap_or_else(|| panic!("there is no property {name}"));
    let limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };
    let found = search(machine.of(property), &[property], limits, &mut Handle::default());
    let found = found.without_fault().expect("no fault");
    for (_, trace) in found.violations() {
        trace.replay(machine).unwrap_or_else(|mismatch| panic!("{mismatch:?}"));
        assert!(trace.violates(machine, property).is_some());
    }
    !found.violations().is_empty()
}

/// Has the counterexamples of a random program confirmed, as trails; says how many were.
pub fn confirm(text: &str, judge: impl Fn(&str) -> Option<Result<(), String>>) -> usize {
    if machine_of_random("random", text).is_none() {
        return 0;
    }
    let (source, mut loaded) = read_text("random", text);
    let trail = loaded.trail.take().expect("accepted");
    let machine = accepted(&source, loaded);
    let system = machine.system();
    let checkable = |id: &PropertyId| matches!(system.properties[*id].claim, Claim::Invariant(_) | Claim::DeadlockFree);
    let wanted: Vec<PropertyId> = system.properties.indices().filter(checkable).collect();
    let limits = Limits { depth: 30, memory: 1_000_000_000 };
    let Ok(found) = search(&machine, &wanted, limits, &mut Handle::default()).without_fault() else { return 0 };
    let mut confirmed = 0;
    for (_, trace) in found.violations() {
        let lines = trail.render(trace);
        let Some(verdict) = judge(&lines) else { return confirmed };
        verdict.unwrap_or_else(|wrong| panic!("{wrong}\n{lines}\n{text}"));
        confirmed += 1;
    }
    confirmed
}
