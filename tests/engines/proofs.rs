//! Proofs: what `--proof` writes, our own checker accepts, and nothing that was tampered with.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use system::{Machine, PropertyId, State};
use uwbmc::bounded::{Admission, Probe};
use uwbmc::limits::Handle;
use uwbmc::sat::{Choice, Setup};
use uwbmc::smv::load;
use uwbmc::source::Source;

fn uwbmc(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uwbmc"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null()).output().expect("it runs")
}

/// The solvers of this build.
fn solvers() -> Vec<String> {
    use clap::ValueEnum;
    let choices = uwbmc::sat::Choice::value_variants().iter();
    choices.filter_map(|choice| Some(choice.to_possible_value()?.get_name().to_owned())).collect()
}

/// A folder with the proofs that a property holds up to a bound.
fn proofs(name: &str, model: &str, bound: &str, solver: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}-{solver}", std::process::id()));
    let text = folder.to_str().expect("our temporary names are plain");
    let output = uwbmc(&[model, "--k", bound, "--property", "safe", "--solver", solver, "--certify", "--proof", text]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("proofs accepted"), "{errors}");
    assert_eq!(output.status.code(), Some(0));
    folder
}

fn certify(folder: &Path) -> Output {
    uwbmc(&["certify", folder.to_str().expect("our temporary names are plain")])
}

#[test]
fn every_bound_of_every_solver_is_certified() {
    for solver in solvers() {
        for (name, model, bound) in [
            ("peterson", "models/mutex/peterson-2.smv", "8"),
            ("leader", "models/leader/leader-3.smv", "6"),
            ("words", "models/abp/abp-1.smv", "6"),
        ] {
            let folder = proofs(name, model, bound, &solver);
            let output = certify(&folder);
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            let accepted = String::from_utf8_lossy(&output.stdout).lines().count();
            assert_eq!(accepted.to_string(), (bound.parse::<usize>().expect("a number") + 1).to_string());
        }
    }
}

#[test]
fn a_truncated_proof_is_rejected() {
    for solver in solvers() {
        let folder = proofs("truncated", "models/leader/leader-3.smv", "6", &solver);
        let entries = std::fs::read_dir(&folder).expect("written");
        let mut proofs: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
        proofs.retain(|path| {
            path.file_stem().is_some_and(|stem| stem == "safe-6") && path.extension().is_none_or(|e| e != "cnf")
        });
        let [proof] = proofs.as_slice() else { panic!("one proof per formula") };
        std::fs::write(proof, "").expect("writable");
        let output = certify(&folder);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("rejected"));
    }
}

#[test]
fn a_proof_of_another_formula_is_rejected() {
    let folder = proofs("other", "models/leader/leader-3.smv", "6", &solvers()[0]);
    let formula = folder.join("safe-6.cnf");
    let text = std::fs::read_to_string(&formula).expect("written");
    // Without its last clause, which says that the last state is bad, the formula has solutions.
    let lines: Vec<&str> = text.lines().collect();
    let clauses = lines.len() - 1;
    let weaker = text.replacen(&format!(" {clauses}\n"), &format!(" {}\n", clauses - 1), 1);
    let weaker = weaker.trim_end().rsplit_once('\n').expect("many lines").0.to_owned() + "\n";
    std::fs::write(&formula, weaker).expect("writable");
    assert_eq!(certify(&folder).status.code(), Some(1));
}

/// That no run is long enough for the deadlock of eight philosophers is answered at once, by a sum that formulas for
/// proofs do not have; without it, solvers need hours. A machine that is busy may need longer for the first proofs.
#[test]
fn what_there_was_no_time_to_prove_is_not_certified() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-unfinished", std::process::id()));
    let text = folder.to_str().expect("our temporary names are plain");
    let model = "models/philosophers/philosophers-8-broken.smv";
    let question = [model, "--engine", "bmc", "--property", "safe", "--k", "15", "--certify", "--proof", text];
    let (mut answer, mut remarks) = (String::new(), String::new());
    for seconds in ["3", "15", "60"] {
        let _ = std::fs::remove_dir_all(&folder);
        let output = uwbmc(&[&question[..], &["--timeout", seconds]].concat());
        answer = String::from_utf8_lossy(&output.stdout).into_owned();
        remarks = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{answer}{remarks}");
        if answer.contains("steps is certified") {
            break;
        }
    }
    assert!(answer.starts_with("safe: unknown (out of time; no violation within "), "{answer}");
    assert!(answer.contains("steps is certified"), "{answer}");
    let certified = certify(&folder);
    assert_eq!(certified.status.code(), Some(0), "what was not finished is not left behind");
    let proofs = String::from_utf8_lossy(&certified.stdout).lines().count();
    assert!(remarks.contains(&format!("certified: {proofs} proofs accepted")), "{remarks}");
}

/// What holds for runs of every length has an inductive invariant, whichever engine says so, in four parts.
#[test]
fn invariants_that_hold_are_certified_by_induction() {
    for (model, engine) in [
        ("models/mutex/peterson-2.smv", "explicit"),
        ("models/leader/leader-3.smv", "symbolic"),
        ("models/abp/abp-1.smv", "symbolic"),
    ] {
        let stem = Path::new(model).file_stem().expect("a name").to_string_lossy().into_owned();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{stem}-inductive", std::process::id()));
        let text = folder.to_str().expect("our temporary names are plain");
        let output = uwbmc(&[model, "--engine", engine, "--property", "safe", "--certify", "--proof", text]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("certified: safe holds, by an inductive invariant"), "{model}: {errors}");
        let again = certify(&folder);
        assert_eq!(again.status.code(), Some(0), "{model}: {}", String::from_utf8_lossy(&again.stderr));
        assert_eq!(String::from_utf8_lossy(&again.stdout).lines().count(), 4, "{model}");
        std::fs::remove_file(folder.join("safe-step.cnf")).expect("written");
        assert_ne!(certify(&folder).status.code(), Some(0), "{model}: a part is missing");
    }
}

#[test]
fn what_rests_on_the_engine_alone_is_not_called_certified() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-branching.smv", std::process::id()));
    std::fs::write(&path, "MODULE main VAR x : boolean; SPEC NAME free := AG EF x").expect("writable");
    let output = uwbmc(&[path.to_str().expect("our temporary names are plain"), "--certify"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("not certified: that free holds rests on the engine"), "{errors}");
}

#[test]
fn a_folder_without_proofs_is_an_error() {
    assert_eq!(certify(Path::new("models")).status.code(), Some(2));
    assert_eq!(certify(Path::new("no-such-folder")).status.code(), Some(2));
}

/// Runs of the machine are solutions of the formulas of what holds. Where a property does not hold, the formulas that say that
/// nothing goes wrong exclude the runs that go wrong, and one of them is named.
#[test]
fn formulas_admit_what_the_machine_does() {
    let text = |limit: usize| {
        format!(
            "MODULE counter(go) VAR n : 0..4; ASSIGN init(n) := 0; next(n) := case go & n < 4 : n + 1; TRUE : n; esac;
             MODULE main VAR go : boolean; a : process counter(go); b : process counter(!go);
             INVARSPEC a.n + b.n < {limit}"
        )
    };
    for (limit, holds) in [(9, true), (3, false)] {
        let source = Source::new("counters.smv", text(limit).as_bytes());
        let machine = Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")));
        for choice in <Choice as clap::ValueEnum>::value_variants() {
            let mut solver = choice.start(Setup::default());
            let property = PropertyId::from(0usize);
            let probe = Probe { machine: &machine, property, bound: 6, seed: 1 };
            let looked = probe.runs(solver.as_mut(), &mut Handle::default()).expect("supported");
            match looked {
                Admission::Admits { runs } => assert!(holds && runs > 50, "{runs} runs"),
                Admission::Excludes(run) => {
                    let goes_wrong =
                        |state: &State| !machine.holds(property, &state.0, &mut machine.workspace()).expect("no fault");
                    assert!(!holds && run.iter().any(goes_wrong), "{run:?}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Bounds of formulas about infinite runs are certified like those of invariants.
#[test]
fn bounds_of_formulas_about_infinite_runs_are_certified() {
    for engine in ["bmc", "uw"] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-served-{engine}", std::process::id()));
        let text = folder.to_str().expect("our temporary names are plain");
        let question = ["models/liveness/ticket-2.smv", "--engine", engine, "--k", "5", "--property", "served"];
        let output = uwbmc(&[&question[..], &["--certify", "--proof", text]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("6 proofs accepted"), "{engine}: {errors}");
        let again = certify(&folder);
        assert_eq!(again.status.code(), Some(0), "{engine}: {}", String::from_utf8_lossy(&again.stderr));
        assert_eq!(String::from_utf8_lossy(&again.stdout).lines().count(), 6, "{engine}");
        let proof = folder.join("served-5.lrat");
        let whole = std::fs::read_to_string(&proof).expect("written");
        let (kept, _) = whole.trim_end().rsplit_once('\n').expect("many lines");
        std::fs::write(&proof, kept).expect("writable");
        let corrupted = certify(&folder);
        assert_eq!(corrupted.status.code(), Some(1), "{engine}: the last step of a proof is missing");
        assert!(String::from_utf8_lossy(&corrupted.stderr).contains("rejected"), "{engine}");
    }
}
