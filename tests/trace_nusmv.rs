//! NuSMV, where it is installed, loads and executes our XML of every counterexample. It is found in the environment
//! variable `NUSMV` or as `NuSMV` in the path.

#[path = "common/files.rs"]
mod files;
#[path = "common/kinds.rs"]
mod kinds;
#[path = "common/nusmv.rs"]
mod nusmv;
#[path = "common/random.rs"]
mod random;
#[path = "common/traces.rs"]
mod traces;
#[path = "common/walks.rs"]
mod walks;

use std::path::Path;
use traces::Run;
use uwbmc::report::Format;

/// What NuSMV says when it executes the traces; `None` when it takes too long.
fn execute(nusmv: &Path, model: &Path, runs: &[Run]) -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "{}-{}",
        std::process::id(),
        model.file_stem().expect("a name").display()
    ));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut commands = "go".to_owned();
    for (index, run) in runs.iter().enumerate() {
        let path = folder.join(format!("{index}.xml"));
        std::fs::write(&path, Format::Xml.render(&run.document())).expect("writable");
        commands += &format!("\nread_trace {}\nexecute_traces -e bdd {}", path.display(), index + 1);
    }
    nusmv::ask(nusmv, model, &commands)
}

#[test]
fn nusmv_executes_the_xml_of_every_counterexample() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let mut models = files::smv_files(&["models"]);
    models.retain(|path| path.to_string_lossy().contains("-broken"));
    let (mut executed, mut steps) = (0, 0);
    for path in &models {
        let runs = traces::counterexamples(path);
        if runs.is_empty() {
            println!("skipped: {} needs too many states for this test, or has a deadlock only", path.display());
            continue;
        }
        let Some(text) = execute(&nusmv, path, &runs) else {
            println!("skipped: NuSMV takes too long for {}", path.display());
            continue;
        };
        let good = text.matches("execution completed successfully").count();
        assert_eq!(good, runs.len(), "{}:\n{text}", path.display());
        executed += good;
        steps += runs.iter().map(|run| run.trace.moves.len()).sum::<usize>();
    }
    println!("{executed} counterexamples of {} models executed, {steps} steps", models.len());
    assert!(executed >= 30, "{executed} executed");
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
        let said = execute(&nusmv, &path, std::slice::from_ref(&run)).expect("a small model");
        assert!(said.contains("execution completed successfully"), "{name}: {said}");
        let mut forged = run;
        forged.trace.states.swap(1, 2);
        forged.trace.loop_start = None;
        let said = execute(&nusmv, &path, std::slice::from_ref(&forged)).expect("a small model");
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
