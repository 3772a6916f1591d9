//! CTL: decision diagrams against an oracle on random systems, and as NuSMV answers.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{
    BinaryTemporal, Claim, ExprId, Fairness, Formula, FormulaId, Machine, Property, PropertyId, Sort, Span, State,
    System, UnaryTemporal, VarId, Window,
};
use testkit::ctl::{Ctl, Edge, Graph, Oracle, random_formula};
use testkit::systems::{Coordination, Random, random_system};
use uwbmc::engine::{Branch, Explanation, Stop, Truth, Verdict, Witnesses};
use uwbmc::explicit::label;
use uwbmc::limits::Handle;
use uwbmc::report::Written;
use uwbmc::symbolic::{Limits, check_showing};
use uwbmc::{Model, Options};

/// How many nodes diagrams may have here.
const LIMITS: Limits = Limits::of_nodes(1 << 22);

/// A justice constraint and what it says, in a form that the test evaluates by itself.
#[derive(Clone, Copy, Debug)]
enum Constraint {
    State(ExprId),
    Running(usize),
    RunningAnd(usize, ExprId),
    Input(VarId),
}

/// What formulas of the arena are, in a form that the oracle reads.
type Parts = BTreeMap<FormulaId, Ctl>;

/// The formula in the system's arena.
fn add(system: &mut System, atoms: &[ExprId], formula: &Ctl, parts: &mut Parts) -> FormulaId {
    use BinaryTemporal::{AllUntil, SomeUntil};
    use UnaryTemporal::{AllFinally, AllGlobally, AllNext, SomeFinally, SomeGlobally, SomeNext};
    let unary = |system: &mut System, parts: &mut Parts, op, window: Option<(u32, u32)>, a: &Ctl| {
        let a = add(system, atoms, a, parts);
        Formula::Unary(op, window.map(|(from, to)| Window { from, to }), a)
    };
    let binary = |system: &mut System, parts: &mut Parts, op, window: Option<(u32, u32)>, a: &Ctl, b: &Ctl| {
        let (a, b) = (add(system, atoms, a, parts), add(system, atoms, b, parts));
        Formula::Binary(op, window.map(|(from, to)| Window { from, to }), a, b)
    };
    let node = match formula {
        Ctl::Atom(atom) => Formula::State(atoms[*atom]),
        Ctl::Not(a) => Formula::Not(add(system, atoms, a, parts)),
        Ctl::And(a, b) => Formula::And(add(system, atoms, a, parts), add(system, atoms, b, parts)),
        Ctl::Or(a, b) => Formula::Or(add(system, atoms, a, parts), add(system, atoms, b, parts)),
        Ctl::Implies(a, b) => Formula::Implies(add(system, atoms, a, parts), add(system, atoms, b, parts)),
        Ctl::Iff(a, b) => Formula::Iff(add(system, atoms, a, parts), add(system, atoms, b, parts)),
        Ctl::Ex(a) => unary(system, parts, SomeNext, None, a),
        Ctl::Ax(a) => unary(system, parts, AllNext, None, a),
        Ctl::Ef(a) => unary(system, parts, SomeFinally, None, a),
        Ctl::Af(a) => unary(system, parts, AllFinally, None, a),
        Ctl::Eg(a) => unary(system, parts, SomeGlobally, None, a),
        Ctl::Ag(a) => unary(system, parts, AllGlobally, None, a),
        Ctl::Ebf(from, to, a) => unary(system, parts, SomeFinally, Some((*from, *to)), a),
        Ctl::Abf(from, to, a) => unary(system, parts, AllFinally, Some((*from, *to)), a),
        Ctl::Ebg(from, to, a) => unary(system, parts, SomeGlobally, Some((*from, *to)), a),
        Ctl::Abg(from, to, a) => unary(system, parts, AllGlobally, Some((*from, *to)), a),
        Ctl::Eu(a, b) => binary(system, parts, SomeUntil, None, a, b),
        Ctl::Au(a, b) => binary(system, parts, AllUntil, None, a, b),
        Ctl::Ebu(from, to, a, b) => binary(system, parts, SomeUntil, Some((*from, *to)), a, b),
        Ctl::Abu(from, to, a, b) => binary(system, parts, AllUntil, Some((*from, *to)), a, b),
    };
    let id = system.formulas.add(node);
    parts.insert(id, formula.clone());
    id
}

/// What a case consists of.
struct Case {
    machine: Machine,
    atoms: Vec<ExprId>,
    constraints: Vec<Constraint>,
    formulas: Vec<(PropertyId, Ctl)>,
    /// All that they are made of.
    parts: Parts,
}

fn case(seed: u64) -> Case {
    let mut system = random_system(seed, [Coordination::Any, Coordination::None][seed as usize % 2]);
    let mut random = Random(seed ^ 0x5eed);
    let atoms: Vec<ExprId> = system
        .properties
        .iter()
        .filter(|property| property.name.starts_with("invariant"))
        .filter_map(|property| match property.claim {
            Claim::Invariant(expr) => Some(expr),
            _ => None,
        })
        .collect();
    // Fairness over steps and timeouts do not go together.
    let over_steps = !system.has_timeout();
    let constraints: Vec<Constraint> =
        (0..random.below(3)).map(|_| constraint(&mut random, &system, &atoms, over_steps)).collect();
    for constraint in &constraints {
        let exprs = &mut system.exprs;
        let expr = match *constraint {
            Constraint::State(expr) => expr,
            Constraint::Running(process) => exprs.running(process.into()),
            Constraint::RunningAnd(process, expr) => {
                let running = exprs.running(process.into());
                exprs.and(running, expr)
            }
            Constraint::Input(var) => exprs.now(var, Sort::Boolean),
        };
        system.fairness.push(Fairness::Justice(expr));
    }
    let constants = [0, 1].map(|value| system.exprs.constant(value, Sort::Boolean));
    let atoms = [atoms, constants.to_vec()].concat();
    let (mut formulas, mut parts) = (Vec::new(), Parts::new());
    for index in 0..4 {
        let tree = random_formula(&mut random, atoms.len(), 1 + index % 3);
        let id = add(&mut system, &atoms, &tree, &mut parts);
        let property = Property::new(format!("ctl{index}"), Claim::Ctl(id), Span::default());
        formulas.push((system.properties.push(property), tree));
    }
    Case { machine: Machine::new(Arc::new(system)), atoms, constraints, formulas, parts }
}

fn constraint(random: &mut Random, system: &System, atoms: &[ExprId], over_steps: bool) -> Constraint {
    let atom = atoms[random.below(atoms.len())];
    let process = random.below(system.processes.len());
    let input = system.inputs().next().map(|(var, _)| var);
    match (random.below(4), input) {
        (0, _) if over_steps => Constraint::Running(process),
        (1, _) if over_steps => Constraint::RunningAnd(process, atom),
        (2, Some(input)) if over_steps => Constraint::Input(input),
        _ => Constraint::State(atom),
    }
}

/// The reachable graph, and its states.
fn graph(case: &Case) -> (Graph, Vec<State>) {
    let machine = &case.machine;
    let (mut numbers, mut states): (BTreeMap<State, usize>, Vec<State>) = Default::default();
    let number = |state: State, numbers: &mut BTreeMap<State, usize>, states: &mut Vec<State>| {
        *numbers.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    };
    let mut initial = std::collections::BTreeSet::new();
    let visit = |state| {
        initial.insert(number(state, &mut numbers, &mut states));
        ControlFlow::Continue(())
    };
    machine.initial_states(&mut machine.workspace(), visit).expect("no faults");
    let (mut edges, mut at) = (Vec::new(), 0);
    while at < states.len() {
        let state = states[at].clone();
        let mut steps = Vec::new();
        let visit = |successor: system::Successor<'_>| {
            steps.push((State(successor.state.into()), successor.step()));
            ControlFlow::Continue(())
        };
        machine.successors(&state.0, &mut machine.workspace(), visit).expect("no faults");
        for (to, step) in steps {
            let holds = |expr| machine.evaluate(expr, &state, &mut machine.workspace()) == Ok(1);
            let process = machine.system().commands[step.command].owner.process.index();
            let meets = case.constraints.iter().map(|constraint| match *constraint {
                Constraint::State(expr) => holds(expr),
                Constraint::Running(running) => process == running,
                Constraint::RunningAnd(running, expr) => process == running && holds(expr),
                Constraint::Input(var) => step.inputs.contains(&(var, 1)),
            });
            let meets = meets.collect();
            edges.push(Edge { from: at, to: number(to, &mut numbers, &mut states), meets });
        }
        at += 1;
    }
    let graph = Graph { nodes: states.len(), edges, initial, constraints: case.constraints.len() };
    (graph, states)
}

/// What was seen in a case, so that the test can say that it sees enough.
#[derive(Default)]
struct Seen {
    holds: usize,
    violated: usize,
    unfair: usize,
    lassos: usize,
    /// Systems of which nothing was left out.
    whole: usize,
    /// Systems whose states were also labelled one by one.
    labelled: usize,
    /// Formulas whose values are shown by a path of such states.
    paths: usize,
    /// Formulas that hold in every model, as far as the default can tell.
    valid: usize,
    /// Formulas that hold, with a run that shows it.
    witnesses: usize,
    /// Runs that leave others, and what is said of states.
    branches: usize,
    reasons: usize,
}

fn compare(seed: u64, seen: &mut Seen) {
    let case = case(seed);
    let (graph, states) = graph(&case);
    let value =
        |expr: &ExprId, state: &State| case.machine.evaluate(*expr, state, &mut case.machine.workspace()) == Ok(1);
    let atoms: Vec<Vec<bool>> =
        case.atoms.iter().map(|expr| states.iter().map(|state| value(expr, state)).collect()).collect();
    let oracle = Oracle::new(&graph, &atoms);
    let properties: Vec<PropertyId> = case.formulas.iter().map(|(id, _)| *id).collect();
    let findings = check_showing(&case.machine, &properties, Witnesses::Wanted, LIMITS, &mut Handle::default());
    assert!(findings.fault.is_none(), "seed {seed}");
    if let Some(states) = findings.cost.states {
        assert_eq!(states, graph.nodes, "seed {seed}");
        seen.whole += 1;
    }
    let labelled = label(&case.machine, &properties, Witnesses::Wanted, usize::MAX, &mut Handle::default());
    if labelled.stop == Stop::Decided {
        assert_eq!(labelled.states(), graph.nodes, "seed {seed}");
        for ((_, tree), (_, verdict)) in case.formulas.iter().zip(&labelled.verdicts) {
            assert_eq!(matches!(verdict, Verdict::Holds(_)), oracle.holds(tree), "seed {seed}: {tree:?}");
            if let Verdict::Violated(trace) = verdict {
                assert!(trace.replay(&case.machine).is_ok(), "seed {seed}: {tree:?}");
            }
        }
        for (property, explanation) in &labelled.explanations {
            agrees_with_oracle(&case, &oracle, &states, explanation)
                .unwrap_or_else(|why| panic!("seed {seed}, {property:?}, labelled: {why}"));
            seen.paths += usize::from(explanation.shows_steps());
        }
        seen.labelled += 1;
    } else {
        assert!(case.machine.system().has_atomic_sections, "seed {seed}: {:?}", labelled.verdicts);
    }
    for ((property, tree), verdict) in case.formulas.iter().zip(by_default(&case)) {
        assert_eq!(verdict.word() == "holds", oracle.holds(tree), "seed {seed}, {property:?}: {tree:?}: {verdict}");
        seen.valid += usize::from(verdict.to_string().contains("in every model"));
    }
    seen.unfair += usize::from(oracle.fair.contains(&false));
    for (property, explanation) in &findings.explanations {
        agrees_with_oracle(&case, &oracle, &states, explanation)
            .unwrap_or_else(|why| panic!("seed {seed}, {property:?}: {why}"));
        seen.branches += explanation.branches.len() - 1;
        seen.reasons += explanation.branches.iter().map(|branch| branch.reasons.len()).sum::<usize>();
    }
    let is_witness = |property: &&PropertyId| {
        matches!(findings.verdict(**property), Some(Verdict::Holds(_)))
            && findings.explanation(**property).is_some_and(Explanation::shows_steps)
    };
    seen.witnesses += properties.iter().filter(is_witness).count();
    for ((_, tree), (_, verdict)) in case.formulas.iter().zip(&findings.verdicts) {
        match verdict {
            Verdict::Holds(_) => {
                assert!(oracle.holds(tree), "seed {seed}: {tree:?} does not hold");
                seen.holds += 1;
            }
            Verdict::Violated(trace) => {
                assert!(!oracle.holds(tree), "seed {seed}: {tree:?} holds");
                let replayed = trace.replay(&case.machine);
                assert!(replayed.is_ok(), "seed {seed}: {tree:?}: {replayed:?}");
                seen.violated += 1;
                seen.lassos += usize::from(trace.loop_start.is_some());
            }
            verdict => panic!("seed {seed}: {tree:?}: {verdict}"),
        }
    }
}

/// What the default says of the formulas.
fn by_default(case: &Case) -> Vec<Verdict> {
    let model = Model::from_system(case.machine.system().clone());
    let named = |options: Options, (property, _): &(PropertyId, Ctl)| {
        options.property(&case.machine.system().properties[*property].name)
    };
    let report = uwbmc::check(&model, &case.formulas.iter().fold(Options::default(), named), &mut ());
    report.expect("an answer").properties.into_iter().map(|property| property.verdict).collect()
}

/// Whether what an explanation says of states is so, and its branches are runs that leave each other.
fn agrees_with_oracle(
    case: &Case,
    oracle: &Oracle<'_>,
    states: &[State],
    explanation: &Explanation,
) -> Result<(), String> {
    for branch in &explanation.branches {
        let Branch { parent, from, run, reasons } = branch;
        run.replay(&case.machine).map_err(|mismatch| format!("{mismatch:?}"))?;
        if let Some(parent) = parent {
            let left = &explanation.branches[*parent].run;
            if left.beginning(*from).states != run.beginning(*from).states {
                return Err(format!("the branch from state {from} does not begin there"));
            }
        }
        for reason in reasons {
            let formula = &case.parts[&reason.formula];
            let number = states.iter().position(|state| *state == run.states.at(reason.state));
            let holds = number.map(|number| oracle.states(formula)[number]);
            if holds != Some(reason.truth == Truth::Holds) {
                return Err(format!("{formula:?} in state {}: {holds:?}, not {:?}", reason.state, reason.truth));
            }
        }
    }
    Ok(())
}

/// How many random systems; UWBMC_FUZZ_CASES asks for more than are needed to see everything.
fn cases() -> u64 {
    const ENOUGH: u64 = 2000;
    std::env::var("UWBMC_FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(ENOUGH).max(ENOUGH)
}

/// The first of them; UWBMC_FUZZ_FIRST goes on behind others.
fn first() -> u64 {
    std::env::var("UWBMC_FUZZ_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[test]
fn random_formulas_are_decided_as_by_the_oracle() {
    let mut seen = Seen::default();
    (first()..first() + cases()).for_each(|seed| compare(seed, &mut seen));
    let Seen { holds, violated, unfair, lassos, whole, labelled, paths, valid, witnesses, branches, reasons } = seen;
    let counts = format!(
        "{holds} hold, {violated} do not, {unfair} systems with unfair states, {lassos} lassos, {whole} whole, {labelled} labelled, \
         {paths} paths, {valid} valid, {witnesses} witnesses, {branches} branches, {reasons} reasons"
    );
    println!("from {} on, {} systems: {counts}", first(), cases());
    assert!(
        holds > 1000
            && violated > 1000
            && unfair > 200
            && lassos > 100
            && labelled > 500
            && paths > 100
            && valid > 100
            && witnesses > 300
            && branches > 300
            && reasons > 5000
            && (cases() / 9..cases() / 4 * 3).contains(&(whole as u64)),
        "{counts}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_formula_is_decided_as_by_the_oracle(seed in any::<u64>()) {
        compare(seed, &mut Seen::default());
    }
}

/// A formula without blanks and parentheses, which NuSMV writes in its own way.
fn plain(formula: &str) -> String {
    formula.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect()
}

#[test]
fn probes_are_answered_as_by_nusmv() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal/smv");
    let table = std::fs::read_to_string(folder.join("ctl.tsv")).expect("the table of verdicts");
    let mut probes: BTreeMap<&str, Vec<(String, &str)>> = BTreeMap::new();
    for line in table.lines() {
        let [probe, kind, formula, verdict] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        assert!(["CTL", "COMPUTE"].contains(&kind), "{line}");
        probes.entry(probe).or_default().push((plain(formula), verdict));
    }
    let mut compared = 0;
    for (probe, rows) in probes {
        let model = Model::load(folder.join(format!("{probe}.smv"))).expect("a model");
        let report = uwbmc::check(&model, &Options::default(), &mut ()).expect("an answer");
        // What looks alike without parentheses comes in the order of the file.
        let mut left: Vec<_> = report.properties.iter().collect();
        for (formula, verdict) in rows {
            let own = left.iter().position(|property| {
                let written = Written::of(model.machine.system(), &model.source, property.id);
                let text = match formula.rsplit_once("IN") {
                    Some((text, context)) if !context.starts_with('[') => text,
                    _ => &formula,
                };
                ["SPEC", "CTLSPEC", "COMPUTE"].contains(&written.keyword.as_str()) && plain(&written.formula) == text
            });
            let own = left.remove(own.unwrap_or_else(|| panic!("{probe}: {formula} is not among the properties")));
            match (&model.machine.system().properties[own.id].claim, verdict) {
                (Claim::Ctl(_), "true") => assert_eq!(own.verdict.word(), "holds", "{probe}: {formula}"),
                (Claim::Ctl(_), _) => assert_eq!(own.verdict.word(), "violated", "{probe}: {formula}"),
                (Claim::Compute(..), value) => {
                    assert_eq!(own.verdict.to_string(), format!("is {value}"), "{probe}: {formula}");
                }
                _ => continue,
            }
            compared += 1;
        }
    }
    assert!(compared > 145, "{compared} verdicts");
}

/// On a counter there is one run, so that a window is met or missed by a step.
#[test]
fn windows_begin_and_end_where_they_say() {
    for from in 0..4 {
        for to in from..5 {
            let (mut text, mut expected) = (COUNTER.to_owned(), Vec::new());
            for at in 0..6 {
                let window = format!("{from}..{to}");
                let is_met = (from..=to).contains(&at);
                for path in ["E", "A"] {
                    text += &format!("SPEC {path} [ n < {at} BU {window} n = {at} ]\n");
                    text += &format!("SPEC {path}BF {window} n = {at}\nSPEC {path}BG {window} n != {at}\n");
                    expected.extend([is_met, is_met, !is_met]);
                }
            }
            let model = Model::parse(&text, uwbmc::Language::Smv).expect("a model");
            let report = uwbmc::check(&model, &Options::default(), &mut ()).expect("an answer");
            let holds: Vec<bool> =
                report.properties.iter().map(|property| property.verdict.word() == "holds").collect();
            assert_eq!(holds, expected, "{text}");
        }
    }
}

/// It counts to 7 and stays there.
const COUNTER: &str = "MODULE main VAR n : 0..7;
ASSIGN init(n) := 0; next(n) := case n < 7 : n + 1; TRUE : n; esac;
";
