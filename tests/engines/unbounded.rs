//! Engines without a bound answer alike, through the door that users take: states breadth-first, states depth-first under
//! reductions, and decision diagrams.

use std::num::NonZeroUsize;
use std::time::Duration;
use system::{PropertyId, Refinement, System};
use uwbmc::check::{Choice, Visiting};
use uwbmc::explicit::{Order, Reduction, Sets};
use uwbmc::{Model, Options, check};

/// How long diagrams are tried: there are small models that they are no good for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The ways to look at all states; the first one always has an answer.
fn ways() -> [Options; 3] {
    let reduction = Reduction { sets: Sets::Both, refinement: Refinement::Operations };
    let reduced = Visiting { order: Some(Order::DepthFirst), reduction, ..Visiting::default() };
    let explicit = Options { jobs: Some(NonZeroUsize::MIN), ..Options::default().engine(Choice::Explicit) };
    let symbolic = Options::default().engine(Choice::Symbolic).timeout(PATIENCE);
    [explicit.clone(), Options { visiting: reduced, ..explicit }, symbolic]
}

/// The verdicts on some properties, in a word each. A model that has no meaning somewhere has none.
fn words(model: &Model, names: &[String], way: Options, what: &str) -> Option<Vec<&'static str>> {
    let report = check(model, &Options { properties: names.to_vec(), ..way }, &mut ());
    let report = report.unwrap_or_else(|error| panic!("{what}: {error}"));
    let words = report.properties.iter().map(|property| property.verdict.word());
    report.faults.is_empty().then(|| words.collect())
}

/// Every engine that decides a property says the same of it.
pub fn agree(system: &System, properties: &[PropertyId], what: &str) {
    let model = Model::from_system(system.clone());
    let names: Vec<String> = properties.iter().map(|id| system.properties[*id].name.clone()).collect();
    let [plain, others @ ..] = ways();
    let Some(expected) = words(&model, &names, plain, what) else { return };
    assert!(!expected.contains(&"unknown"), "{what}: {expected:?}");
    for way in others {
        let way_said = format!("{:?} {:?}", way.engine, way.visiting);
        let found = words(&model, &names, way, what).unwrap_or_else(|| panic!("{way_said} finds a fault: {what}"));
        let differ = expected.iter().zip(&found).any(|(a, b)| *b != "unknown" && a != b);
        assert!(!differ, "{way_said}: {found:?}, not {expected:?}: {what}");
    }
}

/// Of a model with far too many states to visit, whose bounds take far longer than its diagrams.
#[test]
fn diagrams_take_part_where_there_is_a_bound() {
    let model = Model::load("models/large/leader-12.smv").expect("a model");
    let options = Options { bound: Some(300), properties: vec!["safe".to_owned()], ..Options::default() };
    let report = check(&model, &options, &mut ()).expect("an answer");
    assert_eq!(report.engine, "symbolic");
    assert_eq!(report.properties[0].verdict.word(), "holds");
}
