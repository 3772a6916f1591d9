//! A run of a model that is put into words while it is written is the same as its document, in every format.

use std::path::Path;
use std::sync::Arc;
use uwbmc::Model;
use uwbmc::check::{Options, Verdict, check};
use uwbmc::report::Format;
use uwbmc::trace::{Document, Run, Told, describe};

const FORMATS: [Format; 8] =
    [Format::Json, Format::Text, Format::Xml, Format::Itf, Format::Vcd, Format::Csv, Format::Markdown, Format::Html];

/// Models with queues, inputs, loops, deadlocks and several processes.
const MODELS: [&str; 6] = [
    "models/mutex/peterson-2-broken.smv",
    "models/abp/abp-1-broken.smv",
    "models/large/dkr-8.pml",
    "models/large/philosophers-20-broken.pml",
    "models/philosophers/philosophers-3-broken.smv",
    "models/liveness/delivery-2-broken.smv",
];

fn written(format: Format, run: &Told) -> String {
    let mut out = Vec::new();
    format.tell(run, &mut out).expect("memory has room");
    String::from_utf8(out).expect("text")
}

/// Compares the words of a run with its document, which is read back.
fn is_told_as_described(run: &Told, document: &Document) {
    for format in FORMATS {
        assert_eq!(written(format, run), format.render(document), "{format:?}");
    }
    assert_eq!((run.steps(), run.core()), (document.steps.len(), document.core.as_ref()));
    let back = Document::from_json(&written(Format::Json, run)).expect("our own document");
    assert_eq!(&back, document);
}

#[test]
fn a_run_is_told_as_its_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut messages = 0;
    for name in MODELS {
        let model = Arc::new(Model::load(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}")));
        let found = check(&model, &Options::default(), &mut ()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut violated = 0;
        for property in &found.properties {
            let Verdict::Violated(trace) = &property.verdict else { continue };
            violated += 1;
            for of in [Some(property.id), None] {
                let document = describe(&model.machine, &model.source, trace, of);
                messages += document.steps.iter().map(|step| step.messages.len()).sum::<usize>();
                is_told_as_described(&Told::from(Run::new(&model, trace, of)), &document);
                is_told_as_described(&Told::from(document.clone()), &document);
            }
        }
        assert!(violated > 0, "{name} is not violated");
    }
    assert!(messages > 0, "no queue was used");
}
