//! Lassos of formulas whose answers are known: what NuSMV and SPIN say of small models, by every strategy.

use super::lasso::{strategies, swept};
use encoder::Cnf;
use std::path::Path;
use std::sync::Arc;
use system::{Fairness, Machine, Property, PropertyId};
use uwbmc::bounded::{Refutations, is_temporal};
use uwbmc::limits::{Effort, Handle};
use uwbmc::sat::{Answer, Choice, Setup};
use uwbmc::smv::load;
use uwbmc::source::Source;
use uwbmc::{Language, Model};

/// What NuSMV's `check_ltlspec_bmc_onepb` has as the least k of a lasso, or of a run without a loop: file, line of the formula, k. Where a run
/// comes to a dead end, NuSMV counts it and we do not (s10_deadend.smv).
const LEAST: [(&str, usize, usize); 60] = [
    ("s01_justice_ctl.smv", 16, 2),
    ("s07_two_justice.smv", 13, 3),
    ("s07_two_justice.smv", 14, 3),
    ("s07_two_justice.smv", 15, 3),
    ("s14_proc_unfair.smv", 10, 1),
    ("s14_proc_unfair.smv", 11, 1),
    ("s14_proc_unfair.smv", 12, 3),
    ("s14_proc_unfair.smv", 14, 1),
    ("s15_proc_fair.smv", 13, 6),
    ("s15_proc_fair.smv", 14, 7),
    ("s15_proc_fair.smv", 15, 6),
    ("s16_main_process.smv", 11, 2),
    ("s17_main_process_fair.smv", 14, 4),
    ("s19_mutex_nofair.smv", 22, 2),
    ("s19_mutex_nofair.smv", 23, 2),
    ("s20_mutex_running.smv", 22, 6),
    ("s22_mutex_sem.smv", 14, 5),
    ("s24_nested_proc.smv", 11, 2),
    ("s24_nested_proc.smv", 13, 2),
    ("s24_nested_proc.smv", 14, 3),
    ("s25_ivar_ltl.smv", 6, 1),
    ("s25_ivar_ltl.smv", 7, 1),
    ("s25_ivar_ltl.smv", 8, 1),
    ("s25_ivar_ltl.smv", 9, 1),
    ("s30_fair_ivar.smv", 13, 3),
    ("s32_past_zero.smv", 5, 0),
    ("s32_past_zero.smv", 11, 0),
    ("s32_past_zero.smv", 15, 0),
    ("s32_past_zero.smv", 16, 0),
    ("s32_past_zero.smv", 18, 2),
    ("s32_past_zero.smv", 19, 1),
    ("s33_past_future.smv", 7, 4),
    ("s33_past_future.smv", 15, 1),
    ("s33_past_future.smv", 16, 2),
    ("s33_past_future.smv", 19, 4),
    ("s36_u_v.smv", 5, 1),
    ("s36_u_v.smv", 8, 1),
    ("s43_shortest.smv", 7, 3),
    ("s43_shortest.smv", 8, 2),
    ("s43_shortest.smv", 9, 2),
    ("s43_shortest.smv", 10, 3),
    ("s43_shortest.smv", 11, 2),
    ("s43_shortest.smv", 12, 1),
    ("s43_shortest.smv", 13, 4),
    ("s43_shortest.smv", 14, 2),
    ("s43_shortest.smv", 15, 4),
    ("s43_shortest.smv", 16, 6),
    ("s43_shortest.smv", 17, 4),
    ("s43_shortest.smv", 18, 6),
    ("s43_shortest.smv", 19, 6),
    ("s43_shortest.smv", 20, 2),
    ("s43_shortest.smv", 21, 6),
    ("s44_shortest_fair.smv", 9, 6),
    ("s44_shortest_fair.smv", 10, 10),
    ("s44_shortest_fair.smv", 11, 6),
    ("s44_shortest_fair.smv", 13, 6),
    ("s44_shortest_fair.smv", 14, 12),
    ("s44_shortest_fair.smv", 15, 6),
    ("s55_loop_marks.smv", 5, 4),
    ("s55_loop_marks.smv", 6, 4),
];

/// How far programs that are small are unrolled, and how far if nothing is to be found.
const FAR: [usize; 2] = [24, 10];

/// What SPIN finds in small programs, and what it does not find, by every strategy.
#[test]
fn small_programs_are_answered_as_by_spin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal");
    let table = std::fs::read_to_string(folder.join("verdicts.tsv")).expect("part of the repository");
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| line.starts_with('p')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, wanted, fairness, theirs, ours, _] = fields[..] else { panic!("{line}") };
        let mut model = Model::load(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error:?}"));
        if fairness == "weak" {
            model.assume_fairness(Fairness::Weak);
        }
        model.claim_progress();
        let system = model.machine.system();
        let property = system.properties.position(|property| property.name == wanted).expect("a property");
        let expected = if ours == "-" { theirs } else { ours };
        if !is_temporal(system, property) || !matches!(expected, "holds" | "violated") {
            continue;
        }
        for (how, strategy) in strategies() {
            let far = FAR[usize::from(expected == "holds")];
            let found = swept(&model.machine, &[property], far, strategy);
            let violations = found.violations();
            let trace = violations.first().map(|(_, trace)| *trace);
            if trace.is_some() != (expected == "violated") {
                wrong.push(format!("{how}: {line}"));
            }
            if trace.is_some_and(|trace| trace.violates(&model.machine, property).is_none()) {
                wrong.push(format!("{how}, no counterexample: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a bound is looked at or a condition has no value there, that is what is said: never that a run does not replay.
#[test]
fn a_condition_without_a_value_is_a_fault() {
    let conditions = ["F (4 / x = 7)", "G (x > 0 -> X (4 / x > 0))", "(x > 0) U (4 / x = 9)", "G F (4 / x = 2)"];
    for condition in conditions {
        let text = format!(
            "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 3; next(x) := case x > 0 : x - 1; TRUE : x; esac;\nLTLSPEC {condition}\n"
        );
        let system = load(&Source::new("fault.smv", text.as_bytes()), &[]).system;
        let machine = Machine::new(Arc::new(system.expect("accepted")));
        for (how, strategy) in strategies() {
            let found = swept(&machine, &[PropertyId::from(0)], 6, strategy);
            let (failure, trace) = found.fault.unwrap_or_else(|| panic!("{condition}, {how}"));
            assert_eq!(failure.command, None, "{condition}, {how}");
            trace.replay(&machine).unwrap_or_else(|mismatch| panic!("{condition}, {how}: {mismatch:?}"));
        }
    }
}

/// Others do not see the inside of an atomic section: a run that ends there shows nothing, whether the program comes to its end or goes round.
#[test]
fn a_finite_run_does_not_end_inside_an_atomic_section() {
    for body in ["atomic { x = 1; x = 0 }", "do :: atomic { x = 1; x = 0 } od"] {
        let text = format!("byte x; active proctype P() {{ {body} }} ltl f {{ ([] (x == 0)) || ([] (x == 7)) }}");
        let model = Model::parse(&text, Language::Promela).expect("a program");
        let formula = model.machine.system().properties.position(|property| property.name == "f").expect("a formula");
        for (how, strategy) in strategies() {
            let found = swept(&model.machine, &[formula], 6, strategy);
            assert!(found.violations().is_empty(), "{body}, {how}");
        }
    }
}

fn is_satisfiable(formula: &Cnf) -> bool {
    let mut solver = Choice::default().start(Setup::default());
    for _ in 0..formula.variables {
        solver.fresh();
    }
    formula.clauses.iter().for_each(|clause| solver.clause(clause));
    matches!(solver.solve(&[], Effort::Unlimited, &mut Handle::default()), Answer::Sat(_))
}

/// The formulas for proofs have no solution before the least k, and one there.
#[test]
fn the_shortest_lassos_are_those_of_nusmv() {
    for (name, line, least) in LEAST {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal").join(name);
        let source = Source::new(name, &std::fs::read(path).expect("part of the repository"));
        let machine = Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")));
        let is_it = |property: &Property| source.line(property.span) == line;
        let property = machine.system().properties.position(is_it).expect("a property on that line");
        for (how, strategy) in strategies() {
            let found = swept(&machine, &[property], least, strategy);
            let violations = found.violations();
            let lengths: Vec<usize> = violations.iter().map(|(_, trace)| trace.moves.len()).collect();
            assert_eq!(lengths, [least], "{name}:{line}, {how}");
            assert!(violations.iter().all(|(property, trace)| trace.violates(&machine, *property).is_some()));
        }
        let mut formulas = Refutations::new(&machine, property).expect("supported");
        for bound in 0..=least {
            let has_solution = is_satisfiable(&formulas.next_bound().expect("a formula"));
            assert_eq!(has_solution, bound == least, "{name}:{line}, the formula of bound {bound}");
        }
    }
}
