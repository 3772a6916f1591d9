//! The command line, as a user sees it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use testkit::command::{BROKEN, PETERSON, json, stderr, stdout, temporary, text, uwbmc};

#[test]
fn exit_codes_tell_the_outcome() {
    let violated = uwbmc(&[BROKEN, "--k", "12"]);
    assert_eq!(violated.status.code(), Some(1), "{}", stderr(&violated));
    assert!(stdout(&violated).starts_with("safe: violated in 8 steps\n"));
    assert_eq!(uwbmc(&[BROKEN, "--k", "7", "--property", "safe"]).status.code(), Some(0));
    assert_eq!(uwbmc(&["check", PETERSON, "--property", "safe"]).status.code(), Some(0));
    assert!(stdout(&uwbmc(&[PETERSON])).contains("no_starvation: holds (no infinite run violates it"));
    let undecided = uwbmc(&["tests/temporal/p32_timeout_claim.pml", "--property", "never_0"]);
    assert_eq!(undecided.status.code(), Some(3));
    assert!(stdout(&undecided).contains("never_0: unknown (the never claim asks for a timeout on line 5)"));
    assert_eq!(uwbmc(&["no-such-file.smv"]).status.code(), Some(2));
    assert_eq!(uwbmc(&["show", "tests/smv/bad/type/type-bool-plus-int.smv"]).status.code(), Some(2));
    assert_eq!(uwbmc(&[PETERSON, "--property", "nonsense"]).status.code(), Some(2));
    assert_eq!(uwbmc(&["--no-such-option"]).status.code(), Some(2));
}

#[test]
fn a_limit_on_processes_says_whose_it_is_and_is_no_error_of_the_model() {
    let output = uwbmc(&["tests/promela/fault/too_many_processes.pml"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let answer = "end_states: unknown (more than 255 processes are created, the most that SPIN has";
    assert!(stdout(&output).contains(answer), "{}", stdout(&output));
    assert!(stderr(&output).contains("error[PML030]") && !stderr(&output).contains("RUN001"), "{}", stderr(&output));
}

#[test]
fn a_wrong_property_is_reported_and_the_others_are_checked() {
    let output = uwbmc(&["tests/smv/bad/property/property-part-of-scalar.smv", "--k", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("error[SMV012]: only an instance has parts such as `.direction`"));
    assert!(stdout(&output).contains("p1: unknown (SMV012: only an instance has parts"), "{}", stdout(&output));
    assert!(stdout(&output).contains("p2: holds"), "{}", stdout(&output));
}

#[test]
fn formulas_that_mean_nothing_cost_nothing_but_themselves() {
    let path = temporary("formulas.smv");
    let model = "MODULE main\nVAR x : boolean;\nIVAR i : boolean;\nSPEC EF x;\nSPEC EBF 3..1 x;\n\
                 SPEC AG i;\nSPEC EF (G x);\nPSLSPEC always {x; x};\nPSLSPEC never {x} & x;\nSPEC AX x;\n";
    std::fs::write(&path, model).expect("writable");
    let output = uwbmc(&[text(&path)]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for expected in [
        "p1: holds",
        "p2: unknown (SMV025: 3..1 is no range of steps",
        "p3: unknown (SMV",
        "p4: unknown (SMV034",
        "p5: unknown (PSLSPEC with sequences",
        "p6: unknown (PSLSPEC with sequences",
        "p7: violated",
    ] {
        assert!(stdout(&output).contains(expected), "{expected}: {}", stdout(&output));
    }
}

#[test]
fn the_command_line_gives_constants_of_an_smv_model_values() {
    let path = temporary("constants.smv");
    let model = "MODULE main\nFROZENVAR limit : 0..7;\nDEFINE first := 0; step := 1;\nVAR x : 0..7;\n\
                 ASSIGN init(limit) := 3; init(x) := first; next(x) := x + step <= limit ? x + step : x;\n\
                 INVARSPEC NAME small := x < 4\n";
    std::fs::write(&path, model).expect("writable");
    let check = |options: &[&str]| {
        let arguments: Vec<&str> = [text(&path)].into_iter().chain(options.iter().copied()).collect();
        uwbmc(&arguments)
    };
    assert_eq!(check(&[]).status.code(), Some(0));
    assert!(stdout(&check(&["-D", "limit=4"])).starts_with("small: violated in 4 steps\n"));
    assert!(stdout(&check(&["-D", "limit=2 * 3", "-D", "step=2"])).starts_with("small: violated in 2 steps\n"));
    assert!(stdout(&check(&["-D", "first=5"])).starts_with("small: violated in 0 steps\n"));
    for (define, expected) in [
        ("limti=4", "did you mean `limit`?"),
        ("x=4", "main has neither a DEFINE nor a FROZENVAR `x`"),
        ("limit=4 +", "--> -D:1:10"),
        ("limit=9", "`limit` cannot have the value 9"),
        ("step", "SMV020"),
    ] {
        let output = check(&["-D", define]);
        assert_eq!(output.status.code(), Some(2), "{define}");
        assert!(stderr(&output).contains(expected), "{define}: {}", stderr(&output));
    }
}

#[test]
fn the_command_line_adds_invariants_to_an_smv_model() {
    let output = uwbmc(&[BROKEN, "--invariant", "p1.pc != critical", "--property", "invariant_1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("invariant_1: violated in "), "{}", stdout(&output));
    let output = uwbmc(&[BROKEN, "--invariant", "p1.cp = critical", "--invariant", "TRUE"]);
    assert_eq!(output.status.code(), Some(1), "the property of the model is violated");
    assert!(stderr(&output).contains("--> --invariant:1:1"), "{}", stderr(&output));
    assert!(stderr(&output).contains("did you mean `pc`?"), "{}", stderr(&output));
    assert!(stdout(&output).contains("invariant_1: unknown (SMV012"), "{}", stdout(&output));
    assert!(stdout(&output).contains("invariant_2: holds"), "{}", stdout(&output));
    let output = uwbmc(&[BROKEN, "--invariant", "p1.pc = critical)"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected an operator or the end of the text, found `)`"), "{}", stderr(&output));
}

#[test]
fn a_bound_below_the_violation_holds_up_to_the_bound() {
    let output = uwbmc(&[BROKEN, "--k", "7", "--property", "safe"]);
    let checked = "  line 47: INVARSPEC !(p1.pc = critical & p2.pc = critical)\n";
    assert_eq!(stdout(&output), format!("safe: holds up to bound 7\n{checked}"));
    let output = uwbmc(&[PETERSON, "--property", "safe", "--quiet"]);
    assert_eq!(stdout(&output), "safe: holds (all 34 reachable states were visited)\n");
}

#[test]
fn a_counterexample_replays_and_a_forged_one_does_not() {
    let path = temporary("trace.json");
    uwbmc(&[BROKEN, "--engine", "explicit", "--trace", text(&path)]);
    let accepted = uwbmc(&["replay", BROKEN, text(&path)]);
    assert_eq!(stdout(&accepted), "accepted: 8 steps of the model\nsafe is violated in state 8\n");
    let rejected = uwbmc(&["replay", PETERSON, text(&path)]);
    assert_eq!(rejected.status.code(), Some(1));
    let expected = "rejected: state 8 is not a successor of state 7: p2.pc is critical, but the model makes it await";
    assert!(stdout(&rejected).starts_with(expected), "{}", stdout(&rejected));
    let forged = std::fs::read_to_string(&path).expect("written").replace("\"level[2]\": 1", "\"level[2]\": 0");
    std::fs::write(&path, forged).expect("writable");
    let report = json(&["replay", BROKEN, text(&path), "--json"]);
    assert_eq!((report["accepted"].as_bool(), report["state"].as_u64()), (Some(false), Some(6)));
}

#[test]
fn a_file_that_is_no_trace_is_refused_with_the_reason() {
    let path = temporary("no-trace.json");
    for (contents, reason) in [
        ("{}", "this is no trace"),
        ("not json", "this is no trace"),
        (
            r#"{"format":"other","version":1,"model":"m","property":null,"states":[],"steps":[],"loop":null}"#,
            "expected",
        ),
        (
            r#"{"format":"uwbmc-trace","version":1,"model":"m","property":null,"states":[{}],"steps":[],"loop":null}"#,
            "state 0 has no value for level[1]",
        ),
    ] {
        std::fs::write(&path, contents).expect("writable");
        let output = uwbmc(&["replay", PETERSON, text(&path)]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
}

#[test]
fn json_is_one_document_with_the_trace_inside() {
    let report = json(&[BROKEN, "--k", "12", "--json"]);
    let property = &report["properties"][0];
    assert_eq!(property["verdict"], "violated");
    let steps = property["trace"]["steps"].as_array().expect("a list");
    assert!((8..=12).contains(&steps.len()), "no shorter than the shortest, no longer than the bound");
    assert_eq!(steps[0]["at"], "idle");
    assert_eq!(report["engine"], "explicit", "there are few states");
    assert_eq!(json(&[BROKEN, "--k", "12", "--engine", "uw", "--json"])["engine"], "uw");
    let overview = json(&["show", PETERSON, "--json"]);
    assert_eq!(overview["processes"][1]["pc"], "p1.pc");
    assert_eq!(overview["state_bits"], 9);
}

#[test]
fn program_counters_can_be_chosen() {
    let chosen = uwbmc(&["show", PETERSON, "--pc", "p1=last[1]"]);
    assert!(stdout(&chosen).contains("p1: 2 control points, by last[1]: 1 2"), "{}", stdout(&chosen));
    let unknown = uwbmc(&["show", PETERSON, "--pc", "p1=nothing"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("the process `p1` has no variable `nothing`"));
    assert_eq!(uwbmc(&["show", PETERSON, "--pc", "p9=pc"]).status.code(), Some(2));
    let verdict = uwbmc(&[BROKEN, "--pc", "p1=last[1]", "--property", "safe"]);
    assert!(stdout(&verdict).starts_with("safe: violated in 8 steps"), "the meaning does not depend on the choice");
}

#[test]
fn graphs_and_guarded_commands() {
    let dot = stdout(&uwbmc(&["show", PETERSON, "--dot"]));
    assert!(dot.starts_with("digraph") && dot.contains("label=\"raise_level\"") && dot.ends_with("}\n"));
    let system = stdout(&uwbmc(&["show", PETERSON, "--system"]));
    assert!(system.contains("process p1 (pc p1.pc)"));
    assert!(system.contains("[raise_level]"), "{system}");
}

#[test]
fn a_random_walk_depends_on_its_seed_alone() {
    let walk = |seed: &str| stdout(&uwbmc(&["simulate", PETERSON, "--steps", "15", "--seed", seed]));
    assert_eq!(walk("7"), walk("7"));
    assert_ne!(walk("7"), walk("8"));
    assert!(walk("7").contains("state 15: "));
}

#[test]
fn walks_until_something_is_violated_are_shortened_and_replay() {
    let path = temporary("violation.json");
    let model = "models/large/twopc-12-broken-timeout.smv";
    let arguments = ["simulate", model, "--until-violation", "--steps", "200", "--seed", "3", "--trace", text(&path)];
    let output = uwbmc(&arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("safe is violated in "), "{}", stdout(&output));
    assert_eq!(stdout(&output), stdout(&uwbmc(&arguments)), "the seed decides");
    assert!(stdout(&uwbmc(&["replay", model, text(&path)])).contains("safe is violated"));
    let none = uwbmc(&["simulate", PETERSON, "--until-violation", "--walks", "20"]);
    assert_eq!(none.status.code(), Some(3));
    assert!(stdout(&none).starts_with("nothing is violated in "), "{}", stdout(&none));
}

#[test]
fn a_walk_can_be_written_and_replayed() {
    let path = temporary("walk.json");
    uwbmc(&["simulate", PETERSON, "--steps", "30", "--trace", text(&path)]);
    let output = uwbmc(&["replay", PETERSON, text(&path)]);
    assert_eq!(stdout(&output), "accepted: 30 steps of the model\nno property is violated\n");
}

#[test]
fn an_interactive_walk_lists_steps_takes_numbers_and_undoes() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_uwbmc"))
        .args(["simulate", PETERSON, "-i"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"0\n1\nu\n99\n2\nq\n").expect("it reads");
    drop(input);
    let output = stdout(&child.wait_with_output().expect("it ends"));
    assert!(output.contains("[1] p1 moves at idle"), "{output}");
    assert!(output.contains("back in state 0"));
    assert!(output.contains("a number from the list, u to undo, or q to quit"));
    assert!(output.contains("state 1: p2 moves at idle"));
}

#[test]
fn a_fault_is_reported_with_the_run_that_leads_to_it() {
    let output = uwbmc(&["tests/smv/fault/value-next-out-of-range.smv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("RUN001") && stderr(&output).contains("state 0"), "{}", stderr(&output));
}

#[test]
fn deadlocks_are_found_on_request_and_mentioned_otherwise() {
    let path = temporary("deadlock.smv");
    let model = "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS x < 2 & next(x) = x + 1\nINVARSPEC x < 3\n";
    std::fs::write(&path, model).expect("writable");
    let output = uwbmc(&[text(&path), "--deadlock"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("deadlock: violated in 2 steps"), "{}", stdout(&output));
    let output = uwbmc(&[text(&path)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("a state without successors is reached after 2 steps"));
}

/// What no formula can say is also looked for by walks where there is a bound: no search by levels gets forty steps far here.
#[test]
fn deadlocks_far_away_are_found_within_a_bound_where_relations_say_who_moves() {
    let path = temporary("far.smv");
    let all = || 0..20;
    let others =
        |one: usize| all().filter(move |other| *other != one).map(|other| format!(" & next(x{other}) = x{other}"));
    let moves = |one: usize| format!("(x{one} < 2 & next(x{one}) = x{one} + 1{})", others(one).collect::<String>());
    let variables: String = all().map(|one| format!("x{one} : 0..2;\n")).collect();
    let zero: Vec<String> = all().map(|one| format!("x{one} = 0")).collect();
    let relation: Vec<String> = all().map(moves).collect();
    let model = format!("MODULE main\nVAR {variables}INIT {}\nTRANS {}\n", zero.join(" & "), relation.join(" | "));
    std::fs::write(&path, model).expect("writable");
    let output = uwbmc(&[text(&path), "--deadlock", "--k", "45", "--timeout", "60"]);
    assert!(stdout(&output).contains("deadlock: violated in 40 steps"), "{}", stdout(&output));
}

#[test]
fn diagrams_decide_what_has_too_many_states_to_visit() {
    let path = temporary("wide.smv");
    let all: Vec<String> = (0..30).map(|number| format!("b[{number}]")).collect();
    let model = format!(
        "MODULE main\nVAR b : array 0..29 of boolean; x : 0..7;\nASSIGN init(x) := 0;\n\
         next(x) := case ({}) & x < 5 : x + 1; TRUE : x; esac;\nINVARSPEC x < 6\nINVARSPEC x < 5\n",
        all.join(" xor ")
    );
    std::fs::write(&path, model).expect("writable");
    let output = uwbmc(&[text(&path)]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("p1: holds (decision diagrams"), "{said}");
    assert!(said.contains("p2: violated in 5 steps"), "{said}");
}

#[test]
fn without_initial_states_everything_holds_and_there_is_a_warning() {
    let path = temporary("empty.smv");
    let all = ["INVARSPEC x", "SPEC EF x", "LTLSPEC F x"];
    let linear = ["LTLSPEC F x", "LTLSPEC G F x"];
    let cases =
        [(&all[..], &["auto", "explicit", "symbolic", "uw", "bmc"][..]), (&linear, &["auto", "explicit", "symbolic"])];
    for (properties, engines) in cases {
        let model = format!("MODULE main\nVAR x : boolean;\nINIT x & !x\n{}\n", properties.join("\n"));
        std::fs::write(&path, model).expect("writable");
        for engine in engines {
            let output = uwbmc(&[text(&path), "--k", "3", "--engine", engine]);
            assert_eq!(output.status.code(), Some(0), "{engine}");
            let said = stdout(&output);
            assert_eq!(said.matches("holds (vacuously").count(), properties.len(), "{engine}: {said}");
            assert!(stderr(&output).contains("the model has no initial state"), "{engine}");
        }
    }
}

#[test]
fn engines_and_solvers_give_the_same_verdicts() {
    for (engine, more) in [
        ("explicit", &[][..]),
        ("bmc", &["--solver", "varisat"]),
        ("bmc", &["--fresh"]),
        ("uw", &["--fresh"]),
        ("bmc", &[]),
    ] {
        let mut arguments = vec![BROKEN, "--k", "10", "--property", "safe", "--engine", engine, "-q"];
        arguments.extend(more);
        assert!(stdout(&uwbmc(&arguments)).starts_with("safe: violated in 8 steps"), "{arguments:?}");
        arguments[2] = "7";
        assert_eq!(stdout(&uwbmc(&arguments)), "safe: holds up to bound 7\n", "{arguments:?}");
    }
    assert_eq!(uwbmc(&[BROKEN, "--engine", "bmc"]).status.code(), Some(2), "bmc needs a bound");
}

#[test]
fn any_solver_can_be_a_command() {
    let output = uwbmc(&[BROKEN, "--k", "2", "--property", "safe", "--solver-cmd", "no-such-solver {cnf}"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("the solver failed"), "{}", stderr(&output));
    if Command::new("awk").arg("--version").output().is_err() {
        println!("skipped: awk is not installed");
        return;
    }
    // Two tiny processes, whose formulas a solver of some lines of awk can do.
    let path = temporary("tiny.smv");
    let model = "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\nINVARSPEC !x\n";
    std::fs::write(&path, model).expect("writable");
    let output = uwbmc(&[text(&path), "--k", "3", "--solver-cmd", "awk -f tests/solvers/tiny.awk"]);
    assert!(stdout(&output).starts_with("p1: violated in 1 step\n"), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_system_that_stops_is_decided_by_its_longest_run() {
    let path = temporary("stops.smv");
    let model = "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS x < 2 & next(x) = x + 1\nINVARSPEC x < 3\n";
    std::fs::write(&path, model).expect("writable");
    let output = uwbmc(&[text(&path), "--k", "9", "--engine", "uw", "-q"]);
    assert_eq!(stdout(&output), "p1: holds (no run has more than 2 steps that change the state)\n");
}

#[test]
fn an_unknown_ending_asks_for_the_language() {
    let path = temporary("model.txt");
    std::fs::write(&path, "MODULE main\n").expect("writable");
    assert!(stderr(&uwbmc(&["show", text(&path)])).contains("--language smv"));
    assert_eq!(uwbmc(&["show", text(&path), "--language", "smv"]).status.code(), Some(0));
}

#[test]
fn rounds_are_told_and_drawn() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rounds.json");
    let output = uwbmc(&["models/leader/leader-3.smv", "--k", "6", "--property", "safe", "--engine", "uw", "--json"]);
    std::fs::write(&path, &output.stdout).expect("writable");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let first = report["rounds"][0]["widened"][0].as_str().expect("something was widened").to_owned();
    let file = path.to_str().expect("a plain name");
    let graphs = uwbmc(&["show", "models/leader/leader-3.smv", "--dot", "--widening", file]);
    let point = first.split('@').nth(1).expect("a process and a point");
    assert!(String::from_utf8_lossy(&graphs.stdout).contains(&format!("\"{point}, round 1\"")));
    let verbose = uwbmc(&["models/leader/leader-3.smv", "--k", "6", "--property", "safe", "-v"]);
    assert!(String::from_utf8_lossy(&verbose.stdout).contains("round 1 at bound "));
}

#[test]
fn a_single_bound_says_nothing_about_others() {
    let output = uwbmc(&[BROKEN, "--k", "7", "--exact", "--property", "safe"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("no violation after exactly 7 steps"), "{text}");
    let output = uwbmc(&[BROKEN, "--k", "9", "--exact", "--engine", "bmc", "--property", "safe"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn columns_are_compared_bound_by_bound() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str| folder.join(name).to_str().expect("a plain name").to_owned();
    let (csv, markdown, svg) = (file("compare.csv"), file("compare.md"), file("compare.svg"));
    let exact = ["compare", BROKEN, "--k", "9", "--exact"];
    let output = uwbmc(&[&exact[..], &["--csv", &csv, "--markdown", &markdown, "--svg", &svg]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let read = |path: &str| std::fs::read_to_string(path).expect("written");
    let rows: Vec<String> = read(&csv).lines().map(str::to_owned).collect();
    assert_eq!(rows.len(), 1 + 4 * 10, "a header, and bounds 0 to 9 of four columns");
    let at = |bound: &str, result: &str| {
        rows.iter().filter(|row| row.starts_with(bound) && row.contains(&format!(",{result},"))).count()
    };
    assert_eq!((at("7,", "valid"), at("8,", "violated"), at("9,", "violated")), (4, 4, 4), "{rows:?}");
    assert!(read(&markdown).starts_with("| k | answer | BMC |") && read(&svg).starts_with("<svg"));
    let report = json(&["compare", PETERSON, "--k", "5", "--json"]);
    for column in report["columns"].as_array().expect("a list") {
        assert_eq!(column["bounds"].as_array().map(Vec::len), Some(6), "{column}");
    }
}

#[test]
fn a_suite_is_measured() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let suite = folder.join("tiny.toml");
    let text = format!(
        "about = \"x\"\ntimeout = 20\nmemory = 4000\nseeds = [0, 1]\nbaseline = \"BMC\"\nhero = \"UW\"\n\
         [[contestants]]\nname = \"BMC\"\narguments = [\"--engine\", \"bmc\"]\n[[contestants]]\nname = \"UW\"\n\
         [[instances]]\nmodel = {BROKEN:?}\nk = 9\ngroup = \"violated\"\n\
         [[instances]]\nmodel = \"$NO_SUCH_VARIABLE/x.smv\"\nk = 9\n\
         [[tables]]\nmodel = {BROKEN:?}\nk = 3\nproperty = \"safe\"\nexact = true\n"
    );
    std::fs::write(&suite, text).expect("writable");
    let (suite, results) = (suite.to_str().expect("plain"), folder.join("results"));
    let output = uwbmc(&["bench", suite, "--results", results.to_str().expect("plain")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let read = |name: &str| std::fs::read_to_string(results.join("tiny").join(name)).expect("written");
    assert_eq!(
        read("runs.csv").lines().filter(|line| line.contains(",violated,8,")).count(),
        4,
        "{}",
        read("runs.csv")
    );
    let summary = read("summary.md");
    assert!(summary.contains("| violated | 1 |") && summary.contains("is not here"), "{summary}");
    assert!(read("cactus.svg").starts_with("<svg") && read("scatter.svg").starts_with("<svg"));
    assert!(read("manifest.json").contains("\"cores\""));
    let output = uwbmc(&["bench", "Cargo.toml", "--results", results.to_str().expect("plain")]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_promela_model_is_shown_checked_and_walked_through() {
    let model = "models/mutex/peterson-2-broken.pml";
    let trail = temporary("run.trail");
    let output = uwbmc(&["check", model, "--property", "assert_13", "--trace", text(&trail)]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("assert_13: violated in 9 steps\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("(line 9: turn = 1 - _pid)\n"), "{}", stdout(&output));
    let lines = std::fs::read_to_string(&trail).expect("the trail is written");
    assert_eq!(lines.lines().count(), 9);
    assert!(lines.starts_with("1:0:0\n"), "{lines}");
    let output = uwbmc(&[model, "--k", "9", "--invariant", "inside <= 1", "--property", "invariant_1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let output = uwbmc(&["check", model, "--invariant", "nonsense == 1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the variable nonsense is not declared"), "{}", stderr(&output));
    assert_eq!(uwbmc(&[PETERSON, "--invariant", "x"]).status.code(), Some(2));
    let output = uwbmc(&["simulate", model, "--steps", "3"]);
    assert!(stdout(&output).contains("state 3: "), "{}", stdout(&output));
    assert!(stdout(&uwbmc(&["show", model])).contains("Process_1: 8 control points"));
}

#[test]
fn states_are_counted_as_spin_counts_them_or_it_is_said_why_not() {
    let all = uwbmc(&["count", "models/abp/abp-lossy.pml"]);
    assert_eq!((all.status.code(), stdout(&all).as_str()), (Some(0), "68 states, 84 transitions\n"));
    let some = uwbmc(&["count", "models/abp/abp-lossy.pml", "--memory", "0"]);
    assert_eq!(some.status.code(), Some(3));
    assert!(stdout(&some).ends_with("there may be more: the memory limit was reached\n"), "{}", stdout(&some));
    let product = uwbmc(&["count", "tests/promela/good/never_finite.pml", "--claim", "never_0"]);
    assert_eq!(stdout(&product), "19 states, 22 transitions\n");
    let other = uwbmc(&["count", "tests/promela/good/never_finite.pml", "--claim", "other"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("there is no claim other"), "{}", stderr(&other));
    let fault = uwbmc(&["count", "tests/promela/fault/division_by_zero.pml", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&fault.stdout).expect("one document");
    assert_eq!((fault.status.code(), &document["complete"]), (Some(3), &serde_json::Value::Bool(false)));
}

#[test]
fn explicit_searches_say_how_they_covered_the_states() {
    let check = |arguments: &[&str]| {
        let output = uwbmc(&[&["check", PETERSON, "--property", "safe"], arguments].concat());
        (stdout(&output), stderr(&output), output.status.code())
    };
    let all = "safe: holds (all 34 reachable states were visited)\n";
    for order in [&["bfs", "--jobs", "2"][..], &["dfs"]] {
        assert_eq!(check(&[&["--engine", "explicit", "-q", "--search"], order].concat()).0, all);
    }
    assert!(check(&["--engine", "explicit", "--reduction", "both"]).0.contains("states represent all reachable ones"));
    let (_, complaint, code) = check(&["--engine", "explicit", "--search", "bfs", "--reduction", "sleep"]);
    assert!(complaint.contains("sleep sets need depth-first search") && code == Some(2), "{complaint}");
    let (verdict, _, code) = check(&["--engine", "explicit", "--search", "dfs", "--memory", "0"]);
    assert!(verdict.contains("unknown (the path of") && code == Some(3), "{verdict}");
    let (verdict, _, _) = check(&["--engine", "explicit", "--memory", "0"]);
    assert!(verdict.contains("unknown (the memory limit was reached"), "{verdict}");
    assert_eq!(check(&["--engine", "auto", "--k", "5", "-q"]).0, "safe: holds up to bound 5\n");
    assert_eq!(check(&["--engine", "auto", "-q"]).0, all);
}

#[test]
fn more_states_than_can_be_visited_do_not_hang_the_tool() {
    let path = temporary("wide.smv");
    let all: Vec<String> = (0..40).map(|place| format!("a[{place}]")).collect();
    let wide = format!(
        "MODULE main\nVAR a : array 0..39 of boolean; s : boolean;\nINIT !s\nTRANS next(s) = (s & {})\nINVARSPEC !s\n",
        all.join(" & ")
    );
    std::fs::write(&path, wide).expect("a temporary file");
    let check = |arguments: &[&str]| stdout(&uwbmc(&[&[text(&path)], arguments].concat()));
    assert!(check(&["--k", "3"]).starts_with("p1: holds"));
    for engine in [&["--engine", "explicit"][..], &["--search", "dfs"], &["--engine", "stateless"]] {
        let limited = check(&[engine, &["--timeout", "0.2"]].concat());
        assert!(limited.starts_with("p1: unknown (out of time"), "{limited}");
    }
    let some = uwbmc(&["count", text(&path), "--timeout", "0.2"]);
    assert!(stdout(&some).ends_with("there may be more: out of time\n"), "{}", stdout(&some));
}

/// A relation between two numbers that no two have, and that takes for ever to find out by trying.
#[test]
fn steps_that_take_for_ever_to_find_do_not_hang_the_tool_or_decide_anything() {
    let path = temporary("product.smv");
    let write = |rest: &str| {
        let product = "MODULE main\nVAR a : unsigned word[20]; b : unsigned word[20]; x : 0..10;\n\
                       ASSIGN init(a) := 0ud20_0; init(b) := 0ud20_0; init(x) := 0; next(x) := (x + 1) mod 11;\n";
        std::fs::write(&path, format!("{product}{rest}")).expect("a temporary file");
    };
    let check = |arguments: &[&str]| stdout(&uwbmc(&[&[text(&path)], arguments].concat()));
    write("TRANS next(a) * next(b) = 0ud20_1 & next(a) + next(b) = 0ud20_1\nINVARSPEC x < 3\n");
    for engine in [&["--engine", "explicit"][..], &[]] {
        for bound in ["0", "1"] {
            let limited = check(&[&["--deadlock", "--timeout", "0.3", "--k", bound], engine].concat());
            assert!(limited.contains("deadlock: unknown (out of time"), "{engine:?} at {bound}: {limited}");
        }
    }
    for engine in [&["--engine", "explicit"][..], &[]] {
        let limited = check(&[&["--deadlock", "--property", "deadlock", "--timeout", "0.3"], engine].concat());
        assert!(limited.contains("deadlock: unknown (out of time"), "{engine:?}: {limited}");
    }
    assert!(check(&["--k", "6"]).starts_with("p1: holds"), "no process can move");
    write("TRANS next(a) * next(b) = 0ud20_15 & next(a) > next(b)\nINVARSPEC x < 3\n");
    assert!(check(&["--k", "6", "--engine", "bmc"]).starts_with("p1: violated in 3 steps"));
}

#[test]
fn a_stateless_search_says_when_it_was_cut_off() {
    let cut = uwbmc(&[PETERSON, "--property", "safe", "--engine", "stateless", "--depth", "9"]);
    assert!(stdout(&cut).starts_with("safe: unknown (the depth limit of 9 steps was hit"), "{}", stdout(&cut));
    assert_eq!(cut.status.code(), Some(3));
    let broken =
        uwbmc(&[BROKEN, "--property", "safe", "--engine", "stateless", "--depth", "12", "--reduction", "both"]);
    assert!(stdout(&broken).starts_with("safe: violated in "), "{}", stdout(&broken));
    let waiting = ["--engine", "stateless", "--depth", "9", "--livelock", "1", "--divergence", "1"];
    let arguments = [&[PETERSON, "--property", "safe"], waiting.as_slice()].concat();
    let said = stdout(&uwbmc(&arguments));
    assert!(said.contains("livelock: p2 cannot move in more than 1 states in a row\nstate 0\n"), "{said}");
    let report = uwbmc(&[arguments.as_slice(), &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&stdout(&report)).expect("JSON");
    let oddity = &report["oddities"][0];
    assert_eq!((&oddity["kind"], &oddity["process"]), (&"livelock".into(), &"p2".into()));
    assert_eq!(oddity["trace"]["states"].as_array().map(Vec::len), Some(8), "{oddity}");
    assert_eq!(report["properties"][0]["verdict"], "unknown");
}

#[test]
fn the_memory_of_solvers_is_limited() {
    // Ten megabytes are less than the program itself takes.
    let output = uwbmc(&["models/leader/leader-5-any.smv", "--k", "40", "--memory", "10", "--property", "safe"]);
    if !Path::new("/proc/self/statm").exists() {
        println!("skipped: it is unknown how much memory a process takes here");
        return;
    }
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stdout(&output).contains("unknown (out of memory"), "{}", stdout(&output));
}

#[test]
fn a_slip_in_a_command_or_a_property_is_recognised() {
    for (arguments, hint) in [
        (&["chekc", BROKEN][..], "'check'"),
        (&["simulat", BROKEN], "'simulate'"),
        (&[BROKEN, "--property", "sfae"], "there is no property sfae; did you mean `safe`?"),
        (&["export", BROKEN, "--format", "aiger", "--property", "sfae"], "did you mean `safe`?"),
        (&["compare", BROKEN, "--property", "sfae"], "did you mean `safe`?"),
        (&[BROKEN, "--property", "liveness"], "there is no property liveness; there are: safe"),
    ] {
        let output = uwbmc(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(hint), "{arguments:?}: {}", stderr(&output));
    }
    let missing = stderr(&uwbmc(&["check.smv"]));
    assert!(missing.contains("check.smv: "), "a file is no command: {missing}");
}

#[test]
fn options_are_listed_by_what_they_are_for() {
    let section = |help: &str, heading: &str| {
        help.split(&format!("\n{heading}\n"))
            .nth(1)
            .unwrap_or_default()
            .split(":\n")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    for (command, heading, option) in [
        ("check", "What to check:", "--property"),
        ("check", "What to check:", "--fair"),
        ("check", "How to search:", "--engine"),
        ("check", "Limits:", "--timeout"),
        ("check", "Output:", "--color"),
        ("compare", "What to check:", "--property"),
        ("compare", "How to search:", "--exact"),
        ("compare", "Limits:", "--timeout"),
        ("compare", "Output:", "--csv"),
        ("count", "Limits:", "--memory"),
        ("count", "Output:", "--json"),
    ] {
        let help = stdout(&uwbmc(&[command, "--help"]));
        assert!(section(&help, heading).contains(option), "{option} is not under {heading}: {help}");
    }
}
