//! Temporal properties: what NuSMV and SPIN answer on small models, and that every counterexample replays.

#[allow(dead_code, reason = "each test uses its own part")]
#[path = "common/pml.rs"]
mod pml;

use std::path::Path;
use system::{Fairness, PropertyId, System};
use uwbmc::source::Source;
use uwbmc::{Model, Options, Verdict, check, smv};

fn load_smv(name: &str, text: &str) -> System {
    let source = Source::new(name, text.as_bytes());
    let loaded = smv::load(&source, &[]);
    loaded.system.unwrap_or_else(|| panic!("{name} is accepted"))
}

/// Whether a property holds, in a word. Counterexamples are confirmed by replay.
fn verdict(model: &Model, property: PropertyId) -> String {
    let name = &model.machine.system().properties[property].name;
    let report = check(model, &Options::default().property(name.clone()), &mut ()).expect("an answer");
    let verdict = &report.properties[0].verdict;
    if let Verdict::Unknown(_) = verdict { verdict.to_string() } else { verdict.word().to_owned() }
}

fn model(system: System, fair: &str) -> Model {
    let mut model = Model::from_system(system);
    if !fair.is_empty() {
        model.assume_fairness(Fairness::Weak);
    }
    model.claim_progress();
    model
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
            if specs.len() < number {
                println!("{file} {} of {number}", specs.len());
                continue;
            }
            verdict(&model(system, ""), specs[number - 1])
        } else {
            let (_, loaded) = pml::read(&folder.join(file));
            let Some(system) = loaded.system else {
                println!("REJ {line}");
                continue;
            };
            let model = model(system, fair);
            let properties = &model.machine.system().properties;
            let Some(id) = properties.position(|p| p.name == *property) else {
                if property != "acceptance_cycles" {
                    println!("NO {property}: {line} {:?}", properties.iter().map(|p| &p.name).collect::<Vec<_>>());
                }
                continue;
            };
            verdict(&model, id)
        };
        let expected2 = match expected {
            "holds" | "errors: 0" => "holds",
            _ => "violated",
        };
        if found != expected2 {
            wrong += 1;
            println!("WRONG {found}: {line} {text}");
        }
    }
    println!("{wrong} wrong");
}
