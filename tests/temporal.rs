//! Temporal properties: what NuSMV and SPIN answer on small models, and that every counterexample replays.

#[allow(dead_code, reason = "each test uses its own part")]
#[path = "common/pml.rs"]
mod pml;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use system::{Claim, Fairness, Machine, PropertyId, System};
use uwbmc::explicit::{Cycles, Limits, find_cycle, search};
use uwbmc::smv;
use uwbmc::source::Source;

const MEMORY: usize = 1 << 30;

fn load_smv(name: &str, text: &str) -> System {
    let source = Source::new(name, text.as_bytes());
    let loaded = smv::load(&source, &[]);
    loaded.system.unwrap_or_else(|| panic!("{name} is accepted"))
}

/// Whether a property holds, in a word. Counterexamples replay and violate it.
fn verdict(machine: &Machine, property: PropertyId) -> String {
    let trace = match machine.system().properties[property].claim {
        Claim::Invariant(_) | Claim::DeadlockFree => {
            let limits = Limits { depth: usize::MAX, memory: MEMORY };
            let found = search(machine, &[property], limits, |_, _| ControlFlow::Continue(())).expect("no fault");
            found.violations.into_iter().next().map(|(_, trace)| trace)
        }
        _ => match find_cycle(machine, property, MEMORY, |_| ControlFlow::Continue(())).expect("no fault") {
            Cycles::Nothing { .. } => None,
            Cycles::Violation(trace) => Some(trace),
            other => return format!("{other:?}"),
        },
    };
    let Some(trace) = trace else { return "holds".to_owned() };
    let replayed = trace.replay(machine);
    assert!(replayed.is_ok(), "{replayed:?} {trace:?}");
    assert!(trace.violates(machine, property).is_some(), "{} {trace:?}", machine.system().properties[property].name);
    "violated".to_owned()
}

fn weakly_fair(system: &System) -> Machine {
    let mut system = system.clone();
    system.fairness.extend(system.processes.indices().map(Fairness::Weak));
    Machine::new(Arc::new(system))
}

#[test]
fn probes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal");
    let table = std::fs::read_to_string("/tmp/v.tsv").expect("readable");
    let mut wrong = 0;
    for line in table.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, property, fair, expected, text] = fields[..] else { panic!("{line}") };
        let content = std::fs::read_to_string(folder.join(file)).unwrap();
        let found = if file.ends_with(".smv") {
            let system = load_smv(file, &content);
            let number: usize = property[4..].parse().unwrap();
            let specs: Vec<PropertyId> = (system.properties.iter_enumerated())
                .filter(|(_, property)| content[..property.span.start as usize].trim_end().ends_with("LTLSPEC"))
                .map(|(id, _)| id)
                .collect();
            if specs.len() < number { println!("{file} {} of {number}", specs.len()); continue }
            verdict(&Machine::new(Arc::new(system)), specs[number - 1])
        } else {
            let (_, loaded) = pml::read(&folder.join(file));
            let Some(system) = loaded.system else { println!("REJ {line}"); continue };
            let Some(id) = system.properties.position(|p| p.name == *property) else { println!("NO {property}: {line} {:?}", system.properties.iter().map(|p| &p.name).collect::<Vec<_>>()); continue };
            let machine = if fair.is_empty() { Machine::new(Arc::new(system)) } else { weakly_fair(&system) };
            verdict(&machine, id)
        };
        let expected2 = match expected { "holds" | "errors: 0" => "holds", _ => "violated" };
        if found != expected2 {
            wrong += 1;
            println!("WRONG {found}: {line} {text}");
        }
    }
    println!("{wrong} wrong");
}
