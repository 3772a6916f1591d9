//! A bound as jobs for several machines: split, job, join.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use testkit::command::{BROKEN, PETERSON, json, stderr, stdout, temporary, text, uwbmc};
use testkit::{root, tool};

/// A model that is refuted in a moment, but has runs enough for many cubes.
const RING: &str = "models/leader/leader-3.smv";

/// A folder with jobs.
pub(crate) fn split(name: &str, arguments: &[&str]) -> PathBuf {
    let folder = temporary(name);
    let _ = std::fs::remove_dir_all(&folder);
    let output = uwbmc(&[&["split"], arguments, &["-o", text(&folder)]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder
}

/// The jobs of a folder.
pub(crate) fn jobs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("jobs")).expect("jobs");
    let mut jobs: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    jobs.sort();
    jobs
}

fn job(path: &Path) -> Output {
    uwbmc(&["job", text(path)])
}

fn join(folder: &Path) -> Output {
    uwbmc(&["join", text(folder)])
}

/// The result of a job.
fn result(folder: &Path, name: &str) -> PathBuf {
    folder.join("results").join(name)
}

/// A job that is still at work when it is killed.
pub(crate) fn killed(folder: &Path, path: &Path) {
    let solver = folder.join("slow.sh");
    std::fs::write(&solver, "exec sleep 100\n").expect("writable");
    let command = format!("sh {} {{cnf}} {{proof}}", text(&solver));
    let mut slow: Child = Command::new(tool())
        .args(["job", text(path), "--solver-cmd", &command])
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs");
    let is_at_work = || std::fs::read_dir(folder.join("results")).is_ok_and(|mut entries| entries.next().is_some());
    while !is_at_work() {
        assert!(slow.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    slow.kill().expect("killed");
    slow.wait().expect("gone");
}

#[test]
fn sixteen_cubes_are_joined_although_one_job_was_killed_and_another_done_twice() {
    let folder = split("cubes", &[RING, "--k", "8", "--property", "safe", "--cubes", "16"]);
    let jobs = jobs(&folder);
    assert_eq!(jobs.len(), 16);
    let formula = std::fs::read_to_string(folder.join("formula.icnf")).expect("readable");
    assert_eq!(formula.lines().filter(|line| line.starts_with("a ")).count(), 16);
    killed(&folder, &jobs[0]);
    for path in &jobs[1..] {
        let output = job(path);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let output = join(&folder);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("unknown (1 of 16 cubes are not refuted)"), "{}", stdout(&output));
    assert!(stderr(&output).contains("to be done: cube-01"), "{}", stderr(&output));
    for path in &jobs[..2] {
        assert_eq!(job(path).status.code(), Some(0));
    }
    let output = join(&folder);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "safe: holds up to bound 8\n");
    assert!(stderr(&output).contains("certified: 17 proofs accepted"), "{}", stderr(&output));
    let joined = json(&["join", text(&folder), "--json"]);
    assert_eq!(joined["verdict"], "holds up to bound");
    assert_eq!(joined["proofs"], 17);
}

#[test]
fn a_cube_with_a_solution_and_a_hunt_give_counterexamples_that_replay() {
    let folder = split("violated", &[BROKEN, "--k", "12", "--property", "safe", "--cubes", "4", "--hunts", "5"]);
    let jobs = jobs(&folder);
    let (cubes, hunts): (Vec<_>, Vec<_>) = jobs.iter().partition(|path| text(path).contains("cube-"));
    assert_eq!((cubes.len(), hunts.len()), (4, 5));
    let codes: Vec<Option<i32>> = cubes.iter().map(|path| job(path).status.code()).collect();
    assert!(codes.contains(&Some(1)), "{codes:?}");
    let output = join(&folder);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("safe: violated in "), "{}", stdout(&output));
    std::fs::remove_dir_all(folder.join("results")).expect("removed");
    let mut found = 0;
    for hunt in hunts {
        let output = job(hunt);
        // A single order of the processes need not have a violation.
        if output.status.code() == Some(0) {
            assert!(stdout(&output).contains("nothing found"), "{}", stdout(&output));
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{}: {}", hunt.display(), stderr(&output));
        found += 1;
        let trace = temporary("trace.json");
        let output = uwbmc(&["join", text(&folder), "-q", "--trace", text(&trace)]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let replayed = uwbmc(&["replay", BROKEN, text(&trace)]);
        assert!(stdout(&replayed).contains("safe is violated"), "{}", stdout(&replayed));
        std::fs::remove_dir_all(folder.join("results")).expect("removed");
    }
    assert!(found >= 3, "{found}");
}

/// Why results were rejected; the verdict is open then.
fn rejected(folder: &Path) -> String {
    let output = join(folder);
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    stderr(&output)
}

#[test]
fn results_that_are_stale_foreign_or_wrong_are_rejected_with_the_reason() {
    let arguments = |bound| [PETERSON, "--k", bound, "--property", "safe", "--cubes", "3"];
    let (folder, other) = (split("own", &arguments("6")), split("other", &arguments("7")));
    for folder in [&folder, &other] {
        jobs(folder).iter().for_each(|path| assert_eq!(job(path).status.code(), Some(0)));
    }
    assert_eq!(join(&folder).status.code(), Some(0));
    let first = result(&folder, "cube-1.json");
    let whole = std::fs::read_to_string(&first).expect("readable");

    std::fs::copy(result(&other, "cube-1.json"), &first).expect("copied");
    assert!(rejected(&folder).contains("cube-1.json: rejected: it belongs to another split"));
    std::fs::write(&first, whole.replace("cube-1\"", "cube-9\"")).expect("writable");
    assert!(rejected(&folder).contains("there is no job cube-9"));
    std::fs::write(&first, &whole[..whole.len() / 2]).expect("writable");
    assert!(rejected(&folder).contains("cube-1.json: rejected"));
    std::fs::write(&first, whole.replace("cube-1.proof", "../manifest.json")).expect("writable");
    assert!(rejected(&folder).contains("this is not the name of a file"));
    let satisfiable = r#"{"satisfiable": {"positive": []}}"#;
    let mut lie: Value = serde_json::from_str(&whole).expect("JSON");
    lie["answer"] = serde_json::from_str(satisfiable).expect("JSON");
    std::fs::write(&first, lie.to_string()).expect("writable");
    assert!(rejected(&folder).contains("its assignment is no solution"));
    std::fs::write(&first, &whole).expect("writable");
    assert_eq!(join(&folder).status.code(), Some(0), "the result is as it was");

    let proof = result(&folder, "cube-2.proof");
    let text_of_proof = std::fs::read(&proof).expect("readable");
    std::fs::write(&proof, b"1 0 0\n").expect("writable");
    assert!(rejected(&folder).contains("cube-2.proof: not accepted"));
    std::fs::write(&proof, text_of_proof).expect("writable");
    assert_eq!(join(&folder).status.code(), Some(0), "the proof is as it was");
}

#[test]
fn what_is_not_the_split_that_was_written_is_refused() {
    let folder = split("changed", &[PETERSON, "--k", "5", "--property", "safe", "--cubes", "2"]);
    jobs(&folder).iter().for_each(|path| assert_eq!(job(path).status.code(), Some(0)));
    let refusal = |file: &str, from: &str, to: &str| {
        let path = folder.join(file);
        let before = std::fs::read_to_string(&path).expect("readable");
        assert!(before.contains(from), "{file}");
        std::fs::write(&path, before.replacen(from, to, 1)).expect("writable");
        let output = join(&folder);
        std::fs::write(&path, before).expect("writable");
        assert_eq!(output.status.code(), Some(2), "{file}: {}", stdout(&output));
        stderr(&output)
    };
    for (file, from, to) in [
        ("model.smv", "MODULE", "  MODULE"),
        ("formula.icnf", "p inccnf\n", "p inccnf\n1 0\n-1 0\n"),
        ("jobs/cube-1.json", "\"cube\": [", "\"cube\": [1,"),
    ] {
        let said = refusal(file, from, to);
        assert!(said.contains("this is not the file that was written"), "{said}");
    }
    let said = refusal("manifest.json", "\"bound\": 5", "\"bound\": 6");
    assert!(said.contains("this is not the formula that this version of uwbmc makes of the model"), "{said}");
    assert_eq!(join(&folder).status.code(), Some(0), "all is as it was");
    let stranger = folder.join("jobs/cube-3.json");
    std::fs::copy(folder.join("jobs/cube-1.json"), &stranger).expect("copied");
    assert!(stderr(&job(&stranger)).contains("the manifest does not name it"));
    let output = uwbmc(&["split", PETERSON, "--k", "5", "--property", "safe", "-o", text(&folder)]);
    assert!(stderr(&output).contains("there is a split in it already"), "{}", stderr(&output));
    let output = uwbmc(&["job", text(&jobs(&folder)[0]), "--solver-cmd", "true {cnf}"]);
    assert!(stderr(&output).contains("{proof}"), "{}", stderr(&output));
}

#[test]
fn cubes_that_leave_out_a_violation_leave_the_verdict_open() {
    let folder = split("cover", &[BROKEN, "--k", "12", "--property", "safe", "--cubes", "4"]);
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("readable")).expect("JSON");
    let entries = manifest["jobs"].as_array_mut().expect("jobs");
    entries.retain(|entry| {
        let file = folder.join(entry["file"].as_str().expect("a name"));
        let is_refuted = job(&file).status.code() == Some(0);
        if !is_refuted {
            std::fs::remove_file(result(&folder, text(&file).rsplit('/').next().expect("a name"))).expect("removed");
        }
        is_refuted
    });
    assert!(entries.len() < 4);
    std::fs::write(&path, manifest.to_string()).expect("writable");
    let output = join(&folder);
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("the cubes leave out some runs"), "{}", stdout(&output));
}

/// The results of a split of a violated property whose cubes were all done, with the names of those that have solutions.
fn done_and_violated(name: &str, hunts: &str) -> (PathBuf, Vec<String>) {
    let folder = split(name, &[BROKEN, "--k", "8", "--property", "safe", "--cubes", "8", "--hunts", hunts]);
    let mut satisfiable = Vec::new();
    for path in jobs(&folder) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if job(&path).status.code() == Some(1) && name.starts_with("cube") {
            satisfiable.push(name);
        }
    }
    assert!(!satisfiable.is_empty());
    (folder, satisfiable)
}

#[test]
fn a_proof_of_another_cube_settles_none() {
    let (folder, satisfiable) = done_and_violated("swapped", "0");
    let refuted = jobs(&folder).into_iter().find_map(|path| {
        let proof = result(&folder, text(&path).rsplit('/').next().expect("a name")).with_extension("proof");
        proof.exists().then_some(proof)
    });
    let refuted = refuted.expect("a cube without a violation");
    let whole = std::fs::read_to_string(refuted.with_extension("json")).expect("readable");
    let honest = refuted.file_stem().expect("a name").to_string_lossy().into_owned();
    // Each cube that has a violation claims to be refuted, by the proof of one that is.
    for name in &satisfiable {
        std::fs::copy(&refuted, result(&folder, &format!("{name}.proof"))).expect("copied");
        std::fs::write(result(&folder, &format!("{name}.json")), whole.replace(&honest, name)).expect("writable");
    }
    let said = rejected(&folder);
    for name in &satisfiable {
        assert!(said.contains(&format!("{name}.json: rejected")), "{said}");
        assert!(said.contains("not accepted"), "{said}");
    }
}

#[test]
fn a_trace_or_a_solution_that_was_altered_is_no_counterexample() {
    let (folder, satisfiable) = done_and_violated("altered", "2");
    let results =
        || std::fs::read_dir(folder.join("results")).expect("results").map(|entry| entry.expect("one").path());
    let trace =
        results().find(|path| path.extension().is_some_and(|ending| ending == "trace")).expect("a hunt has one");
    // Only the hunt is left to say so.
    for name in &satisfiable {
        let file = result(&folder, &format!("{name}.json"));
        let whole = std::fs::read_to_string(&file).expect("readable");
        let mut answer: Value = serde_json::from_str(&whole).expect("JSON");
        let positive = answer["answer"]["satisfiable"]["positive"].as_array_mut().expect("a solution");
        positive.drain(..positive.len() / 2);
        std::fs::write(&file, answer.to_string()).expect("writable");
    }
    let own = trace.with_extension("json");
    for other in results().filter(|path| text(path).contains("hunt-") && *path != own && *path != trace) {
        std::fs::remove_file(other).expect("removed");
    }
    assert_eq!(join(&folder).status.code(), Some(1), "the trace is as it was written");
    let whole = std::fs::read_to_string(&trace).expect("readable");
    let mut shorter: Value = serde_json::from_str(&whole).expect("JSON");
    shorter["steps"].as_array_mut().expect("steps").pop();
    let other_model = whole.replacen("p1", "p7", 1);
    for altered in [shorter.to_string(), other_model, whole[..whole.len() / 2].to_owned(), String::new()] {
        assert_ne!(altered, whole);
        std::fs::write(&trace, altered).expect("writable");
        let said = rejected(&folder);
        assert!(said.contains(&format!("{}: rejected", own.display())), "{said}");
    }
}

#[test]
fn what_a_promela_model_includes_comes_along() {
    let folder = temporary("including");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("parts")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("writable");
    write("model.pml", "#include \"parts/process.h\"\nactive [2] proctype P() { STEP }\nltl safe { [] (x < 3) }\n");
    write("parts/process.h", "#include \"variables.h\"\n#define STEP x++\n");
    write("parts/variables.h", "byte x;\n");
    let parts = split("included", &[text(&folder.join("model.pml")), "--k", "4", "--property", "safe", "--cubes", "2"]);
    // Elsewhere the files are not there.
    std::fs::remove_dir_all(folder.join("parts")).expect("removed");
    jobs(&parts).iter().for_each(|path| assert_eq!(job(path).status.code(), Some(0)));
    assert_eq!(join(&parts).status.code(), Some(0), "{}", stderr(&join(&parts)));
    std::fs::write(parts.join("parts/variables.h"), "byte x = 3;\n").expect("writable");
    let output = join(&parts);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("variables.h: this is not the file that was written"), "{}", stderr(&output));

    write("outside.h", "byte x;\n");
    std::fs::create_dir_all(folder.join("below")).expect("a folder");
    write("below/model.pml", "#include \"../outside.h\"\nactive proctype P() { x++ }\nltl safe { [] (x < 3) }\n");
    let target = temporary("refused");
    let _ = std::fs::remove_dir_all(&target);
    let output =
        uwbmc(&["split", text(&folder.join("below/model.pml")), "--k", "4", "--property", "safe", "-o", text(&target)]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("it is not below the folder of the model"), "{}", stderr(&output));
}
