//! The Promela front end on small files, one feature or one mistake each, and on our own models.
//!
//! `tests/promela/good` is accepted, with the visible states and the transitions that SPIN 6.5.2 counts (`spin -o1 -o2
//! -o3 -a`, `-DSAFETY -DNOREDUCE -DNOCLAIM`, `pan -c0`), and for the claims in `.products` those of the product; `tests/promela/bad` is rejected with the diagnostics beside each
//! file; `tests/promela/fault` is accepted, and its fault is found when the model runs. `UPDATE=1 cargo test --test
//! promela` rewrites the expected diagnostics and faults.

use system::{Claim, Machine, PropertyId, Trace};
use testkit::nested;
use testkit::pan;
use testkit::pml;
use testkit::pml::{counts, files, machine, read};
use testkit::promela;
use testkit::promela_constructs as constructs;
use testkit::sidecar;
use uwbmc::bounded::{Strategy, Sweep};
use uwbmc::diagnostic::Style;
use uwbmc::engine::{self, Findings};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::promela::trail::Trail;
use uwbmc::sat;

const LIMITS: Limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };

fn explore(machine: &Machine, properties: &[PropertyId]) -> Findings {
    search(machine, properties, LIMITS, &mut Handle::default()).without_fault().expect("no fault")
}

fn property(machine: &Machine, name: &str) -> PropertyId {
    let properties = &machine.system().properties;
    properties.position(|property| property.name == name).unwrap_or_else(|| panic!("there is no property {name}"))
}

#[test]
fn good_files_have_the_states_and_transitions_that_spin_counts() {
    let mut checked = 0;
    for path in files("tests/promela/good") {
        let expected = std::fs::read_to_string(path.with_extension("states")).expect("every good file has its counts");
        assert_eq!(counts(&machine(&path)), expected.trim(), "{}", path.display());
        checked += 1;
    }
    assert!(checked > 50, "{checked} files");
}

#[test]
fn products_with_claims_have_the_states_and_transitions_that_spin_counts() {
    let mut checked = 0;
    for path in files("tests/promela/good") {
        let Ok(products) = std::fs::read_to_string(path.with_extension("products")) else { continue };
        let machine = machine(&path);
        for line in products.lines() {
            let (claim, expected) = line.split_once(' ').expect("a claim and its counts");
            let found = pml::product_counts(&machine, claim);
            assert_eq!(found.as_deref(), Some(expected), "{claim} of {}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 8, "{checked} claims");
}

#[test]
fn bad_files_are_rejected_with_the_expected_diagnostics() {
    let mut differences = Vec::new();
    let update = std::env::var_os("UPDATE").is_some();
    for path in files("tests/promela/bad") {
        let (source, loaded) = read(&path);
        assert!(loaded.system.is_none() && loaded.diagnostics.has_errors(), "{} is accepted", path.display());
        let found = loaded.diagnostics.render(&source, Style::Plain);
        let expected_path = path.with_extension("expected");
        if update {
            std::fs::write(&expected_path, &found).expect("writable");
        } else if std::fs::read_to_string(&expected_path).ok().as_deref() != Some(&found) {
            differences.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn faults_are_found_when_the_model_runs() {
    let update = std::env::var_os("UPDATE").is_some();
    for path in files("tests/promela/fault") {
        let machine = machine(&path);
        let found = search(&machine, &[], LIMITS, &mut Handle::default()).without_fault();
        let finding = found.err().unwrap_or_else(|| panic!("{} has no fault", path.display()));
        let text = format!("{}, after {} steps\n", finding.0.fault.describe(machine.system()), finding.1.moves.len());
        let expected_path = path.with_extension("expected");
        if update {
            std::fs::write(&expected_path, &text).expect("writable");
        }
        let expected = std::fs::read_to_string(&expected_path).expect("every faulty file says its fault");
        assert_eq!(text, expected, "{}", path.display());
    }
}

#[test]
fn files_with_counterexamples_are_confirmed_by_spin() {
    for path in files("tests/promela/good").into_iter().chain(files("models")) {
        let text = std::fs::read_to_string(&path).expect("readable");
        if !text.contains("#include") {
            violated(&text);
        }
    }
}

#[test]
fn every_construct_occurs_in_the_random_programs() {
    let mut seen = constructs::Seen::default();
    for seed in 0..400 {
        for text in [
            promela::program(seed),
            promela::claimed_program(seed),
            promela::prioritised_program(seed),
            promela::traced_program(seed),
            nested::nested_program(seed),
            nested::observed_program(seed),
            nested::governed_program(seed),
        ] {
            pml::syntax(&text).iter().for_each(|ast| seen.note(ast));
        }
    }
    assert_eq!(seen.missing(), [""; 0], "these never occur");
}

#[test]
fn random_programs_have_the_counts_that_spin_gave() {
    let recorded = include_str!("../promela/random.counts");
    let mut checked = 0;
    for line in recorded.lines() {
        let (seed, expected) = line.split_once(' ').expect("a seed and its counts");
        let text = promela::program(seed.parse().expect("a number"));
        let machine = pml::machine_of(&format!("seed {seed}"), &text);
        assert_eq!(counts(&machine), expected, "seed {seed}:\n{text}");
        checked += 1;
    }
    assert!(checked > 100, "{checked} programs");
}

/// What one text claims, through the door that users take: the names of the violated properties. Where SPIN is
/// installed, it confirms every step of the counterexamples.
fn violated(text: &str) -> Vec<String> {
    let (source, loaded) = pml::read_text("test.pml", text);
    let trail = loaded.trail.clone();
    let machine = pml::accepted(&source, loaded);
    let system = machine.system();
    let checkable = |claim: &Claim| matches!(claim, Claim::Invariant(_) | Claim::DeadlockFree);
    let properties: Vec<PropertyId> =
        system.properties.indices().filter(|id| checkable(&system.properties[*id].claim)).collect();
    let found = explore(&machine, &properties);
    for (id, trace) in found.violations() {
        trace.replay(&machine).unwrap_or_else(|mismatch| panic!("{mismatch:?}\n{text}"));
        assert!(trace.violates(&machine, id).is_some(), "{text}");
    }
    // SPIN's replay ends where a trace assertion fails, which may be before our counterexample does.
    if !found.violations().is_empty() && !text.contains("trace {") {
        confirm_by_spin(text, &found.violations(), &trail.expect("accepted"));
    }
    let mut names: Vec<String> = found.violations().iter().map(|(id, _)| system.properties[*id].name.clone()).collect();
    names.sort();
    names
}

/// Has SPIN's verifier replay counterexamples, guards and all.
fn confirm_by_spin(text: &str, violations: &[(PropertyId, &Trace)], trail: &Trail) {
    let Some(pan) = pan::Pan::of(text) else {
        println!("not replayed: SPIN or a C compiler is missing, or SPIN does not take\n{text}");
        return;
    };
    for (_, trace) in violations {
        let lines = trail.render(trace);
        pan.confirm(&lines).unwrap_or_else(|wrong| panic!("{wrong}\n{lines}\n{text}"));
    }
}

#[test]
fn an_assertion_is_violated_where_it_can_run_and_is_false() {
    assert_eq!(violated("byte x; active proctype P() { x = 1; assert(x == 1) }"), [""; 0]);
    let race = "byte x; active proctype P() { x = 1; assert(x == 1) } active proctype Q() { x = 2 }";
    assert_eq!(violated(race), ["assert_1"]);
    let atomic = "byte x; active proctype P() { atomic { x = 1; assert(x == 1) } } active proctype Q() { x = 2 }";
    assert_eq!(violated(atomic), [""; 0], "nobody comes between");
    let option = "byte x; active proctype P() { if :: skip :: assert(x == 1) fi }";
    assert_eq!(violated(option), ["assert_1"], "one of two options");
    let other = "byte x;\nactive proctype P() { atomic { x = 1; x = 0 } }\nactive proctype Q() { assert(x == 0) }";
    assert_eq!(violated(other), [""; 0], "an assert cannot run while another process has control");
    let twice = "active proctype P() { assert(true); assert(false);\n assert(false) }";
    assert_eq!(violated(twice), ["assert_1_2", "assert_2"]);
}

#[test]
fn end_states_are_valid_at_the_end_and_at_end_labels() {
    assert_eq!(violated("chan c = [0] of { byte }; active proctype P() { c!1 }"), ["end_states"]);
    assert_eq!(violated("chan c = [0] of { byte }; active proctype P() { end: c!1 }"), [""; 0]);
    assert_eq!(violated("active proctype P() { skip }"), [""; 0]);
    assert_eq!(violated("active proctype P() { (false) } active proctype Q() { skip }"), ["end_states"]);
}

#[test]
fn an_always_formula_is_an_invariant_that_atomic_sections_hide_states_from() {
    let model = |body: &str| format!("byte x; ltl p {{ [] (x != 1) }} active proctype P() {{ {body} }}");
    assert_eq!(violated(&model("x = 1; x = 2")), ["p"]);
    assert_eq!(violated(&model("atomic { x = 1; x = 2 }")), [""; 0], "SPIN does not look inside");
    let blocks = "atomic { x = 1; x == 3; x = 2 } } active proctype Q() { x == 1 -> x = 3";
    assert_eq!(violated(&model(blocks)), ["p"], "an atomic section that blocks is seen");
    let enters = "goto inside; atomic { x = 2; inside: x = 1; x = 3 }";
    assert_eq!(violated(&model(enters)), [""; 0], "a jump into a section");
    assert_eq!(violated(&model("d_step { x = 1; x = 2 }")), [""; 0]);
}

#[test]
fn a_trail_has_a_line_for_each_side_of_a_rendezvous_and_one_for_a_d_step() {
    let text = "chan c = [0] of { byte }; byte x;
        active proctype A() { atomic { x = 1; c!1 }; d_step { x = 2; x = 3 }; assert(x != 3) }
        active proctype B() { byte v; c?v; x = 5 }";
    let (_, loaded) = pml::read_text("test.pml", text);
    let trail = loaded.trail.expect("accepted");
    let machine = Machine::new(std::sync::Arc::new(loaded.system.expect("accepted")));
    let found = explore(&machine, &[property(&machine, "assert_2")]);
    let (_, trace) = found.violations()[0];
    assert_eq!(trail.render(trace), "1:0:0\n2:0:1\n3:1:8\n4:0:5\n5:0:6\n", "as SPIN's own trails have it");
}

#[test]
fn claims_are_numbered_in_trails_but_make_no_steps() {
    let text = "byte x;
        never { do :: x < 9 od }
        active proctype A() { x = 1; assert(x != 1) }
        ltl p { [] (x < 9) }";
    let (_, loaded) = pml::read_text("test.pml", text);
    let trail = loaded.trail.expect("accepted");
    let machine = Machine::new(std::sync::Arc::new(loaded.system.expect("accepted")));
    let found = explore(&machine, &[property(&machine, "assert_3")]);
    let (_, trace) = found.violations()[0];
    assert_eq!(trail.render(trace), "1:0:5\n2:0:6\n", "the claim has five statements before those of A");
}

#[test]
fn formulas_that_say_always_in_other_words_are_invariants() {
    let model = |formula: &str| format!("byte x; ltl p {{ {formula} }} active proctype P() {{ x = 1; x = 2 }}");
    for holds in ["!<> (x > 2)", "[] (x == 2 -> x != 1) && [] (x < 3)", "!(<> (x > 2) || <> (x > 3))", "[] [] (x < 3)"]
    {
        assert_eq!(violated(&model(holds)), [""; 0], "{holds}");
    }
    for fails in
        ["!<> (x > 1)", "[] (x < 3) && [] (x < 2)", "!([] (x < 3) -> <> (x == 2))", "[] (x < 3 && [] !(x == 2))"]
    {
        assert_eq!(violated(&model(fails)), ["p"], "{fails}");
    }
    for other in ["<> (x == 2)", "[] <> (x == 2)", "x == 0", "!(x == 1 U x == 2)"] {
        let machine = pml::machine_of("test.pml", &model(other));
        assert!(matches!(machine.system().properties[property(&machine, "p")].claim, Claim::Ltl(_)), "{other}");
    }
}

#[test]
fn a_never_claim_is_violated_where_it_can_reach_its_end() {
    let model = |claim: &str| format!("byte x; never {{ {claim} }} active proctype P() {{ x = 1; x = 2; x = 3 }}");
    let once = "do :: x == 2 -> break :: else od";
    for fails in [
        once.to_owned(),
        format!("{once}; x == 3; x == 3; x == 3"),
        "x == 0; x == 1; x == 2".to_owned(),
        "do :: x == 3 -> break :: true od".to_owned(),
        "do :: atomic { x == 2 -> assert(x == 3) } :: true od".to_owned(),
        "do :: x == 3 -> goto end_here :: true od; end_here: x == 7".to_owned(),
        "do :: _last == 0 && x == 1 -> break :: pc_value(0) == 3 -> break :: else od".to_owned(),
    ] {
        assert_eq!(violated(&model(&fails)), ["never_0"], "{fails}");
    }
    for holds in [
        format!("{once}; x == 2"),
        "x == 0; x == 2".to_owned(),
        "x == 1".to_owned(),
        "do :: atomic { x == 2 -> x == 3; break } :: true od".to_owned(),
        "do :: x == 1 -> false :: else od".to_owned(),
        "do :: np_ -> skip :: !np_ -> break od".to_owned(),
    ] {
        assert_eq!(violated(&model(&holds)), [""; 0], "{holds}");
    }
}

#[test]
fn several_claims_do_not_disturb_each_other() {
    let text = "byte x; ltl low { [] (x < 2) } ltl live { <> (x == 1) }
        never first { x == 1 } never second { true; x == 1 }
        never { accept: do :: x == 1 od } never { do :: x == 1 -> x = 3 :: else -> break od }
        active proctype P() { x = 1; x = 2 }";
    assert_eq!(violated(text), ["low", "second"]);
    let machine = pml::machine_of("test.pml", text);
    let claim = |name: &str| machine.system().properties[property(&machine, name)].claim.clone();
    assert!(matches!(claim("live"), Claim::Ltl(_)));
    assert!(matches!(claim("never_2"), Claim::Never(_)));
    assert!(matches!(claim("never_3"), Claim::Unsupported(_)));
    assert_eq!(counts(&machine), "4 4", "claims change nothing that is counted");
}

#[test]
fn an_else_that_begins_a_d_step_asks_for_the_other_options() {
    let model = |options: &str| format!("byte x = 1; active proctype T() {{ if {options} fi }}");
    let wrong = "d_step { else -> assert(false) }";
    assert_eq!(violated(&model(&format!(":: d_step {{ x == 1 -> skip }} :: {wrong}"))), [""; 0]);
    assert_eq!(violated(&model(":: x == 1 :: d_step { { else -> assert(false) } }")), [""; 0]);
    assert_eq!(violated(&model(&format!(":: d_step {{ x == 0 -> skip }} :: {wrong}"))), ["assert_1"]);
    assert_eq!(violated(&model(&format!(":: {wrong} :: x == 1"))), ["assert_1"], "SPIN asks for what comes before");
}

#[test]
fn a_channel_variable_can_begin_with_a_channel() {
    let text = "chan K = [1] of { byte }; chan G = K; byte b; init { K!1; G?b; assert(b == 1) }";
    assert_eq!(violated(text), [""; 0]);
}

#[test]
fn labels_that_ask_for_something_are_properties() {
    let asked = |body: &str| {
        let machine = pml::machine_of("test.pml", &format!("byte x; active proctype P() {{ {body} }}"));
        let temporal = |claim: &Claim| matches!(claim, Claim::Ltl(_) | Claim::Progress(_));
        let asked = machine.system().properties.iter().filter(|property| temporal(&property.claim));
        asked.map(|property| property.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(asked("end: do :: x = 1 od"), [""; 0]);
    assert_eq!(asked("do :: x = 1; progress_here: x = 0 od"), ["non_progress_cycles"]);
    assert_eq!(asked("do :: atomic { x = 1; if :: accept: x = 0 fi } od"), ["acceptance_cycles"]);
    let both = asked("{ progress: skip } unless { x == 1; accept: skip; goto progress }");
    assert_eq!(both, ["acceptance_cycles", "non_progress_cycles"]);
}

#[test]
fn a_deterministic_proctype_may_not_choose() {
    let chooses =
        |body: &str| violated(&format!("byte x; chan c = [1] of {{ byte }}; active D_proctype P() {{ {body} }}"));
    for forced in [
        "if :: x == 0 :: x == 1 fi",
        "do :: c!1 :: c?_; break od",
        "if :: x == 0 :: else fi",
        "d_step { if :: x = 1 :: x = 2 fi }",
    ] {
        assert_eq!(chooses(forced), [""; 0], "{forced}");
    }
    for free in ["if :: x = 1 :: x = 2 fi", "c!1; if :: c?1 :: x == 0 fi", "atomic { x = 1; if :: true :: x == 1 fi }"]
    {
        assert_eq!(chooses(free), ["deterministic_P"], "{free}");
    }
}

#[test]
fn a_trace_assertion_watches_the_channels_that_it_names() {
    let model = |assertion: &str| {
        format!(
            "chan q = [2] of {{ byte, bit }}; chan r = [0] of {{ byte }}; byte x;
            {assertion} active proctype P() {{ q!1,0; r!3; q!2,1 }} active proctype Q() {{ q?x,_; r?x; q?x,_ }}"
        )
    };
    for holds in [
        "trace { q!1,_; q!2,1 }",
        "trace { do :: q!_,_ :: q?_,_ od }",
        "trace { q?1,0; r!3; q?2,_ }",
        "notrace { q!1,0; q!2,0 }",
        "notrace { q?2,1 }",
    ] {
        assert_eq!(violated(&model(holds)), [""; 0], "{holds}");
    }
    for fails in ["trace { q!1,_ }", "trace { q!2,_; q!1,_ }", "trace { q!_,_; q?_,_; r?4 }"] {
        assert_eq!(violated(&model(fails)), ["trace"], "{fails}");
    }
    assert_eq!(violated(&model("notrace { q!1,0; r?3; q!2,1 }")), ["notrace"]);
}

#[test]
fn random_claims_have_the_verdicts_and_products_that_spin_gave() {
    let recorded = include_str!("../promela/random.claims");
    let mut checked = 0;
    for line in recorded.lines() {
        let (seed, expected) = line.split_once(' ').expect("a seed and what SPIN says");
        let text = promela::claimed_program(seed.parse().expect("a number"));
        let machine = pml::machine_of(&format!("seed {seed}"), &text);
        let verdict = if pml::violates(&machine, "never_0") { "violated" } else { "holds" };
        let product = pml::product_counts(&machine, "never_0").expect("SPIN's search ends");
        assert_eq!(format!("{verdict} {product}"), expected, "seed {seed}:\n{text}");
        checked += 1;
    }
    assert!(checked > 50, "{checked} claims");
}

/// The depth at which each violated property is violated first, in order of properties.
fn depths(violations: &[(PropertyId, &Trace)]) -> Vec<(PropertyId, usize)> {
    let mut depths: Vec<_> = violations.iter().map(|(id, trace)| (*id, trace.moves.len())).collect();
    depths.sort_unstable();
    depths
}

#[test]
fn bounded_model_checking_agrees_where_it_knows_the_constructs() {
    const BOUND: usize = 7;
    let mut compared = 0;
    for path in files("tests/promela/good").into_iter().chain(files("models")) {
        let machine = machine(&path);
        let system = machine.system();
        let is_checked = |claim: &Claim| matches!(claim, Claim::Invariant(_) | Claim::DeadlockFree);
        let properties: Vec<PropertyId> =
            system.properties.indices().filter(|id| is_checked(&system.properties[*id].claim)).collect();
        let start = |phase| sat::Choice::default().start(sat::Setup { phase, ..sat::Setup::default() });
        let limits = Limits { depth: BOUND, memory: 1_000_000_000 };
        for strategy in [Strategy::plain(), Strategy::pruned(), Strategy::paper(), Strategy::widening()] {
            let Ok(mut sweep) = Sweep::new(&machine, &properties, BOUND, strategy, &start) else { break };
            let fast = engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails");
            let slow = search(&machine, &properties, limits, &mut Handle::default()).without_fault().expect("no fault");
            assert!(fast.fault.is_none(), "{}", path.display());
            assert_eq!(depths(&slow.violations()), depths(&fast.violations()), "{} {strategy:?}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 160, "{compared} runs compared");
}

#[test]
fn our_models_are_what_their_sidecars_say() {
    for path in files("models") {
        let sidecar = sidecar::read(&path);
        assert!(!sidecar.about.is_empty() && !sidecar.source.is_empty(), "{}", path.display());
        let machine = machine(&path);
        let expected =
            sidecar.states.zip(sidecar.transitions).map(|(states, transitions)| format!("{states} {transitions}"));
        assert_eq!(Some(counts(&machine)), expected, "{}", path.display());
        let listed = sidecar.property.len() + sidecar.liveness.len();
        assert_eq!(machine.system().properties.len(), listed, "{}", path.display());
        for expected in &sidecar.property {
            let id = property(&machine, &expected.name);
            let found = explore(&machine, &[id]);
            let verdict = if found.violations().is_empty() { "holds" } else { "violated" };
            assert_eq!(verdict, expected.verdict, "{} of {}", expected.name, path.display());
        }
    }
}

#[test]
fn what_init_creates_is_known_where_its_choices_make_no_difference() {
    let names = |machine: &Machine| -> Vec<String> {
        machine.system().processes.iter().map(|process| process.name.clone()).collect()
    };
    let ring = "byte a[2]; chan q[2] = [1] of { byte };
        proctype P(chan c; byte x) { c!x }
        init {
            byte i;
            atomic {
                if :: a[0] = 1 :: a[1] = 1 :: i = 2 fi;
                i = 0;
                do :: i < 2 -> run P(q[i], a[i]); i++ :: else -> break od
            }
        }";
    let machine = pml::machine_of("ring.pml", ring);
    assert_eq!(names(&machine), ["init_0", "P_1", "P_2"]);
    assert_eq!(counts(&machine), "25 31", "as SPIN has it");
    let sends = |process: &str| {
        let is_send = |command: &&system::Command| command.label == "c!x";
        let owner = |command: &system::Command| machine.system().processes[command.owner.process].name.clone();
        machine.system().commands.iter().filter(is_send).filter(|command| owner(command) == process).count()
    };
    assert_eq!((sends("P_1"), sends("P_2")), (1, 1), "each knows its channel");
    let different = "byte a; proctype P() { a = 1 } proctype Q() { a = 2 }
        init { if :: run P() :: a == 0 -> run Q(); if :: run Q() :: a == 2 fi fi }";
    let machine = pml::machine_of("different.pml", different);
    let somewhere = |wanted: &str| names(&machine).iter().any(|name| name.starts_with(wanted));
    assert!(somewhere("P_") && somewhere("Q_"));
    assert_eq!(counts(&machine), "17 23", "as SPIN has it");
    let endless = "byte a; proctype P() { a == 1 } init { do :: run P() :: a = 0 od }";
    assert!(names(&pml::machine_of("endless.pml", endless)).len() > 10, "there is room for some");
}

#[test]
fn statements_and_expressions_nest_as_deep_as_the_parser_takes() {
    let read = |text: String| pml::read_text("nested.pml", &text).1.system.is_some();
    let body = |before: &str, middle: &str, after: &str, depth: usize| {
        let (before, after) = (before.repeat(depth), after.repeat(depth));
        read(format!("byte x; byte a[3]; active proctype P() {{ {before}{middle}{after} }}"))
    };
    for depth in [200, 300] {
        assert!(body("{ ", "skip", " }", depth) && body("atomic { ", "skip", " }", depth));
        assert!(body("if :: ", "skip", " fi", depth) && body("do :: x == 1 -> ", "skip", " od", depth));
        assert!(body("{ skip } unless { ", "x == 1", " }", depth));
        assert!(read(format!("byte x; active proctype P() {{ x = {}1{} }}", "(".repeat(depth), ")".repeat(depth))));
        assert!(read(format!("byte x; active proctype P() {{ x = {}x }}", "- ".repeat(depth))));
        assert!(read(format!(
            "byte a[3]; active proctype P() {{ a[0] = {}0{} }}",
            "a[".repeat(depth),
            "]".repeat(depth)
        )));
    }
}

#[test]
fn deep_and_long_texts_are_rejected_or_read_but_never_overflow_the_stack() {
    let deep = format!("active proctype P() {{ {} skip {} }}", "{".repeat(50_000), "}".repeat(50_000));
    let parentheses = format!("byte x; active proctype P() {{ x = {}1{} }}", "(".repeat(50_000), ")".repeat(50_000));
    let sum = format!("byte x; active proctype P() {{ x = 1{} }}", " + 1".repeat(50_000));
    for text in [deep, parentheses, sum] {
        let (_, loaded) = pml::read_text("deep.pml", &text);
        assert!(loaded.diagnostics.has_errors());
    }
    let doubling = "byte x;\ninline f(a) { f(a f(a) { f(a) }\nactive proctype P() { f(x) } }";
    assert!(pml::read_text("doubling.pml", doubling).1.diagnostics.has_errors());
    let nested = "if :: x == 1 -> x = 2 :: else -> ".repeat(300);
    let nested = format!("byte x; active proctype P() {{ {nested} skip {} }}", " fi".repeat(300));
    assert_eq!(counts(&pml::machine_of("nested.pml", &nested)), "303 303", "as SPIN has it");
    let long = format!("byte x; active proctype P() {{ skip{} }}", "; x = 1".repeat(5_000));
    assert!(pml::read_text("long.pml", &long).1.system.is_some());
}
