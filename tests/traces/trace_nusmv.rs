//! NuSMV, where it is installed, loads and executes our XML of every counterexample. It is found in the environment
//! variable `NUSMV` or as `NuSMV` in the path.

use std::path::{Path, PathBuf};
use testkit::files;
use testkit::kinds;
use testkit::nusmv;
use testkit::sidecar;
use testkit::traces::Run;
use testkit::walks;
use uwbmc::report::Format;

/// What NuSMV says when it executes traces in XML; `None` when it takes too long.
fn execute(nusmv: &Path, model: &Path, traces: &[PathBuf]) -> Option<String> {
    let mut commands = "go".to_owned();
    for (index, path) in traces.iter().enumerate() {
        commands += &format!("\nread_trace {}\nexecute_traces -e bdd {}", path.display(), index + 1);
    }
    nusmv::ask(nusmv, model, &commands)
}

/// A folder of this test's own for the traces of a model.
fn folder(model: &Path) -> PathBuf {
    let name = format!("{}-{}", std::process::id(), model.file_stem().expect("a name").display());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn written(model: &Path, run: &Run) -> Vec<PathBuf> {
    let path = folder(model).join("run.xml");
    std::fs::write(&path, Format::Xml.render(&run.document())).expect("writable");
    vec![path]
}

/// The counterexamples of a model that its sidecar tells of, as the command line writes them.
fn counterexamples(model: &Path) -> Vec<PathBuf> {
    let expected = sidecar::read(model).property;
    let mut found = Vec::new();
    for (index, property) in expected.iter().filter(|property| property.verdict == "violated").enumerate() {
        let Some(depth) = property.depth else { continue };
        let path = folder(model).join(format!("{index}.xml"));
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_uwbmc"))
            .arg(model)
            .args(["--k", &depth.to_string(), "--property", &property.name, "--timeout", "20", "--quiet", "--trace"])
            .arg(&path)
            .output()
            .expect("it runs");
        match output.status.code() {
            Some(1) => found.push(path),
            _ => println!("skipped: {} of {} takes too long", property.name, model.display()),
        }
    }
    found
}

#[test]
fn nusmv_executes_the_xml_of_every_counterexample() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let (mut executed, mut models) = (0, 0);
    for model in &files::smv_files(&["models"]) {
        let traces = counterexamples(model);
        if traces.is_empty() {
            continue;
        }
        let Some(text) = execute(&nusmv, model, &traces) else {
            println!("skipped: NuSMV takes too long for {}", model.display());
            continue;
        };
        let good = text.matches("execution completed successfully").count();
        assert_eq!(good, traces.len(), "{}:\n{text}", model.display());
        executed += good;
        models += 1;
    }
    println!("{executed} counterexamples of {models} models executed");
    assert!(executed >= 50, "{executed} executed");
}

#[test]
fn nusmv_executes_inputs_words_and_lassos_and_refuses_a_forged_trace() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    for (name, text, run) in [
        ("kinds.smv", kinds::KINDS.to_owned(), kinds::kinds()),
        ("lasso.smv", walks::lasso().source.text().to_owned(), walks::lasso()),
    ] {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("writable");
        let said = execute(&nusmv, &path, &written(&path, &run)).expect("a small model");
        assert!(said.contains("execution completed successfully"), "{name}: {said}");
        let mut forged = run;
        let mut states: Vec<_> = forged.trace.states.iter().collect();
        states.swap(1, 2);
        forged.trace.states = states.into_iter().collect();
        forged.trace.loop_start = None;
        let said = execute(&nusmv, &path, &written(&path, &forged)).expect("a small model");
        assert!(!said.contains("execution completed successfully"), "{name}: {said}");
    }
}

#[test]
fn we_replay_the_counterexamples_of_nusmv() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let xml = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-of-nusmv.xml", std::process::id()));
    for name in ["mutex/peterson-2-broken", "abp/abp-1-broken", "rw/rw-2x1-broken", "prodcons/prodcons-1-1x2-broken"] {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name).with_extension("smv");
        let commands = format!("go\ncheck_invar\nshow_traces -p 4 -o {} 1", xml.display());
        nusmv::ask(&nusmv, &model, &commands).expect("a small model");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_uwbmc"))
            .arg("replay")
            .args([&model, &xml])
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.starts_with("accepted: ") && said.contains(" is violated in state "), "{name}: {said}");
    }
}
