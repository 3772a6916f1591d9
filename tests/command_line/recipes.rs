//! The recipes for schedulers, each with a job that is killed. They run where the scheduler is installed.

use crate::jobs::{jobs, killed, split};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use testkit::command::{PETERSON, stderr, stdout, text};
use testkit::{root, tool};

/// Runs a recipe on a fresh split of which a job was killed; the tool is in the path.
fn recipe(name: &str, program: &Path, arguments: &[&str]) -> Output {
    let folder = split(name, &[PETERSON, "--k", "7", "--property", "safe", "--cubes", "6"]);
    killed(&folder, &jobs(&folder)[0]);
    let tools = tool();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = vec![tools.parent().expect("a folder").to_owned()];
    folders.extend(std::env::split_paths(&path));
    let mut command = Command::new(program);
    command.args(arguments).arg(&folder).env("PATH", std::env::join_paths(folders).expect("plain names"));
    command.stdin(Stdio::null()).output().expect("it runs")
}

fn is_installed(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

fn is_certified(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(output), stderr(output));
    assert!(stdout(output).contains("safe: holds up to bound 7"), "{}", stdout(output));
    assert!(stderr(output).contains("certified: 7 proofs accepted"), "{}", stderr(output));
}

#[test]
fn the_recipe_for_parallel_does_every_job() {
    if !is_installed("parallel", &["--will-cite", "--version"]) {
        eprintln!("skipped: GNU parallel is not installed");
        return;
    }
    is_certified(&recipe("parallel", &root().join("docs/recipes/parallel.sh"), &[]));
}

#[test]
fn the_recipe_for_slurm_does_every_job() {
    let cluster = root().join("tests/command_line/one-node-slurm.sh");
    if !is_installed("bash", &[text(&cluster), "true"]) {
        eprintln!(
            "skipped: no Slurm of one node can be started here (slurmctld, slurmd, sbatch and munged, as root); a dry run is made"
        );
        return;
    }
    let script = root().join("docs/recipes/slurm.sh");
    // The two commands at the head of the script; the second one waits, and says what was joined.
    let submitted = format!(
        "array=$(sbatch --parsable --array=1-$(ls \"$0\"/jobs | wc -l) --output=/dev/null '{}' \"$0\") && \
         sbatch --wait --quiet --output=\"$0\"/out --error=\"$0\"/err --dependency=afterany:$array --wrap \"uwbmc join $0\"; \
         code=$?; cat \"$0\"/out; cat \"$0\"/err >&2; exit $code",
        script.display()
    );
    is_certified(&recipe("slurm-node", Path::new("bash"), &[text(&cluster), "bash", "-c", &submitted]));
}

#[test]
fn the_recipe_for_slurm_does_every_job_in_a_dry_run() {
    eprintln!("a dry run: the tasks of the array run one after the other, without Slurm");
    let tasks = "for task in 1 2 3 4 5 6; do SLURM_ARRAY_TASK_ID=$task bash docs/recipes/slurm.sh \"$0\" || exit; done; \
        exec uwbmc join \"$0\"";
    is_certified(&recipe("slurm", Path::new("bash"), &["-c", &format!("cd '{}'; {tasks}", root().display())]));
}

#[test]
fn the_recipe_for_dask_does_every_job() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !is_installed(&python, &["-c", "import distributed"]) {
        eprintln!("skipped: {python} has no module distributed (pip install distributed; PYTHON names another Python)");
        return;
    }
    let script = root().join("docs/recipes/with_dask.py");
    is_certified(&recipe("dask", Path::new(&python), &[text(&script)]));
}
