//! Automata in files: what is written for a formula and read again says the same as the formula, and automata of other tools
//! are read as they are meant.

use testkit::numbers::Random;
use uwbmc::check::model::{Additions, lower};
use uwbmc::diagnostic::{Diagnostics, Style};
use uwbmc::engine::Verdict;
use uwbmc::explicit::{Interleavings, find_cycle};
use uwbmc::limits::{Budget, Handle};
use uwbmc::source::Source;
use uwbmc::system::PropertyId;
use uwbmc::{Language, Model, export, hoa};

/// A model with an automaton in the Hanoi format as its last property.
fn with_automaton(text: &str, language: Language, automaton: &str) -> Model {
    let source = Source::new("automaton.hoa", automaton.as_bytes());
    let mut diagnostics = Diagnostics::default();
    let read = hoa::read(&source, &mut diagnostics);
    let automaton = read.unwrap_or_else(|| panic!("{}\n{automaton}", diagnostics.render(&source, Style::Plain)));
    let additions = Additions { automata: vec![automaton], ..Additions::default() };
    let lowered = lower(Source::new("model", text.as_bytes()), language, &additions, &Budget::default());
    lowered.unwrap_or_else(|error| panic!("{error}"))
}

fn is_violated(model: &Model, property: PropertyId) -> bool {
    let found = find_cycle(&model.machine, property, Interleavings::All, 1 << 30, &mut Handle::default());
    match &found.verdicts[0].1 {
        Verdict::Holds(_) => false,
        Verdict::Violated(trace) => {
            uwbmc::check::confirm(&model.machine, property, trace).expect("the automaton accepts the run");
            true
        }
        other => panic!("{other}"),
    }
}

/// A model of three variables, and formulas over them.
const SMALL: &str = "MODULE main
VAR p : boolean; q : boolean; n : 0..2;
ASSIGN init(n) := 0;
next(n) := case p : (n + 1) mod 3; TRUE : n; esac;
next(q) := case n = 2 : TRUE; TRUE : {q, FALSE}; esac;
JUSTICE p | n = 1
";

fn random_formula(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        return (*random.pick(&["p", "q", "(n = 1)", "(n < 2)", "(p & q)"])).to_owned();
    }
    let left = random_formula(random, depth - 1);
    if random.below(2) == 0 {
        return format!("({} {left})", random.pick(&["!", "X", "F", "G"]));
    }
    let right = random_formula(random, depth - 1);
    format!("({left} {} {right})", random.pick(&["&", "|", "->", "U", "V"]))
}

#[test]
fn what_is_written_for_a_formula_says_the_same_when_it_is_read() {
    let mut violated = 0;
    for seed in 0..60 {
        let text = format!("{SMALL}LTLSPEC NAME f := {};\n", random_formula(&mut Random::new(seed), 3));
        let model = Model::parse(&text, Language::Smv).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let formula = model.machine.system().properties.last_idx();
        let written = export::hoa::export(model.machine.system(), formula, Language::Smv);
        let written = written.unwrap_or_else(|refusal| panic!("{refusal:?}\n{text}"));
        let again = with_automaton(&text, Language::Smv, &written);
        let automaton = again.machine.system().properties.last_idx();
        assert_eq!(again.machine.system().properties[automaton].name, "automaton_1");
        let is_an_invariant = matches!(model.machine.system().properties[formula].claim, system::Claim::Invariant(_));
        if !is_an_invariant {
            let expected = is_violated(&model, formula);
            assert_eq!(is_violated(&again, automaton), expected, "seed {seed}\n{text}{written}");
            violated += usize::from(expected);
        }
    }
    assert!((10..50).contains(&violated), "{violated}");
}

#[test]
fn a_program_is_checked_against_an_automaton() {
    let text = "bool a; byte n; active proctype P() { do :: a = !a :: n < 2 -> n++ od } ltl f { <> (n == 2) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let formula = model.machine.system().properties.last_idx();
    let written = export::hoa::export(model.machine.system(), formula, Language::Promela).expect("an automaton");
    assert!(written.contains("\"n == 2\""), "{written}");
    let again = with_automaton(text, Language::Promela, &written);
    let automaton = again.machine.system().properties.last_idx();
    assert!(is_violated(&model, formula) && is_violated(&again, automaton));
}

/// Automata as other tools write them: the words in which x is 1 infinitely often, those in which 1 and 2 are, and some that
/// begin with 0.
#[test]
fn acceptance_of_states_and_transitions_aliases_and_implicit_labels_are_read() {
    let model = |assign: &str| format!("MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := {assign};\n");
    let turns = model("case x = 1 : 0; TRUE : 1; esac");
    let all = model("(x + 1) mod 3");
    let state_based = "HOA: v1 tool: \"ltl2tgba\" name: \"GFp\" States: 2 Start: 0 acc-name: Buchi Acceptance: 1 Inf(0)
        properties: trans-labels explicit-labels state-acc !complete AP: 1 \"x = 1\"
        --BODY-- State: 0 {0} [0] 0 [!0] 1 State: 1 \"waits\" [0] 0 [!0] 1 --END--";
    let generalised = "HOA: v1 States: 1 Start: 0 Acceptance: 2 (Inf(1) & Inf(0)) AP: 2 \"x = 1\" \"x = 2\"
        Alias: @both 0 & 1 Alias: @one (0 | 1) & !@both /* a comment */
        --BODY-- State: 0 [@one & 0] 0 {0} [@one & 1] 0 {1} [!0 & !1] 0 --END--";
    let implicit = "HOA: v1 States: 1 Start: 0 Acceptance: 1 Inf(0) AP: 1 \"x = 1\"
        --BODY-- State: 0 0 0 {0} --END--";
    let two_starts = "HOA: v1 States: 2 Start: 1 Start: 0 Acceptance: 0 t AP: 1 \"x = 1\"
        --BODY-- State: 0 [!0] 0 State: [0] 1 1 --END--";
    for (automaton, expected) in
        [(state_based, [true, true]), (generalised, [false, true]), (implicit, [true, true]), (two_starts, [false; 2])]
    {
        for (text, expected) in [&turns, &all].into_iter().zip(expected) {
            let model = with_automaton(text, Language::Smv, automaton);
            let property = model.machine.system().properties.last_idx();
            assert_eq!(is_violated(&model, property), expected, "{text}{automaton}");
        }
    }
}
