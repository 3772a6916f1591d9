//! Why formulas of CTL have their values, as users see it: witnesses, branches, conjuncts that fail.

use testkit::command::{json, model, stderr, stdout, temporary, text, uwbmc, with};
use testkit::schema;

/// x goes up as it likes, from 3 back to 0 or on to 4, where it stays.
const MODEL: &str = "MODULE main
VAR x : 0..4; y : 0..3;
ASSIGN init(x) := 0; init(y) := 0;
next(x) := case x < 3 : {x, x + 1}; x = 4 : 4; TRUE : {0, 4}; esac;
next(y) := case y < 3 : y + 1; TRUE : y; esac;
SPEC NAME leads := EF x = 4
SPEC NAME stays := EG x < 4
SPEC NAME until := E [ x < 3 U x = 3 ]
SPEC NAME step := EX (x = 1 & y = 1)
SPEC NAME both := EF x = 4 & EG x = 0
SPEC NAME all := AF y = 3
SPEC NAME returns := AG EF x = 0
SPEC NAME branches := AX EX x = 3
SPEC NAME conditions := AG (x < 5 & y < 3 -- soon
  & x < 9)
SPEC NAME formulas := AG x < 5 & AG (EF x = 0 & x < 5)
INVARSPEC NAME invariant := x < 5 & (y < 9 & x + y < 6)
LTLSPEC NAME linear := G x < 5 & F x = 2
";

fn property(name: &str, options: &[&str]) -> serde_json::Value {
    let path = model("branching.smv", MODEL);
    let document = json(&[&[text(&path), "--json", "--property", name], options].concat());
    assert_eq!(schema::violations(&schema::read("json.schema.json"), &document), [""; 0], "{name}");
    document["properties"][0].clone()
}

/// What is said of states, in all branches.
fn claims(property: &serde_json::Value) -> Vec<(u64, String, bool)> {
    let branches = property["explanation"]["branches"].as_array().expect("branches").iter();
    let claims = branches.flat_map(|branch| branch["claims"].as_array().expect("claims"));
    let claim = |claim: &serde_json::Value| {
        let formula = claim["formula"].as_str().expect("a text").to_owned();
        (claim["state"].as_u64().expect("a number"), formula, claim["holds"].as_bool().expect("a value"))
    };
    claims.map(claim).collect()
}

#[test]
fn formulas_that_hold_have_witnesses() {
    for (name, steps, end) in [("leads", 4, "x = 4"), ("until", 3, "x = 3"), ("step", 1, "(x = 1 & y = 1)")] {
        let property = property(name, &["--witness"]);
        assert_eq!(property["verdict"], "holds", "{name}");
        assert_eq!(property["witness"]["steps"].as_array().map(Vec::len), Some(steps), "{name}");
        assert_eq!(claims(&property), [(steps as u64, end.to_owned(), true)], "{name}");
    }
    let stays = property("stays", &["--witness"]);
    let start = stays["witness"]["loop"].as_u64().expect("a loop") as usize;
    let states = stays["witness"]["states"].as_array().expect("states");
    assert_eq!(states[start], states[states.len() - 1]);
    assert!(states.iter().all(|state| state["x"].as_i64() < Some(4)));
    assert!(property("leads", &[])["witness"].is_null(), "only on request");
}

#[test]
fn what_one_run_does_not_show_is_shown_by_several() {
    let both = property("both", &["--witness"]);
    let branches = both["explanation"]["branches"].as_array().expect("branches");
    assert_eq!(branches.len(), 2);
    assert_eq!((&branches[1]["parent"], &branches[1]["from"]), (&0.into(), &0.into()));
    assert!(branches[1]["trace"]["loop"].is_u64(), "the second one goes round");
    let branches = property("branches", &[]);
    let below = branches["explanation"]["branches"].as_array().expect("branches");
    assert_eq!(below.len(), 3, "the run to where no next state will do, and its two next states");
    assert!(below[1..].iter().all(|branch| branch["from"] == 1 && branch["trace"]["states"][2]["x"] != 3));
    assert_eq!(claims(&branches)[0], (1, "EX x = 3".to_owned(), false));
}

#[test]
fn what_takes_all_runs_is_said_in_words() {
    let returns = property("returns", &[]);
    assert_eq!(claims(&returns), [(4, "EF x = 0".to_owned(), false)]);
    assert_eq!(returns["explanation"]["branches"][0]["claims"][0]["why"], "no run from here leads to x = 0");
    let path = model("words.smv", MODEL);
    let said = stdout(&with(&path, &["--property", "returns"]));
    assert!(said.contains("\n  state 4: EF x = 0 is false: no run from here leads to x = 0\nstate 0\n"), "{said}");
    let output = with(&path, &["--property", "all", "--witness"]);
    assert!(stderr(&output).contains("note: all has no witness"), "{}", stderr(&output));
}

#[test]
fn the_conjunct_that_fails_is_named() {
    let conjunct = |name: &str| property(name, &[])["conjuncts"].clone();
    let one = |formula: &str, line: usize, state: usize| serde_json::json!({ "formula": formula, "line": line, "state": state });
    assert_eq!(conjunct("conditions"), serde_json::json!([one("y < 3", 14, 3)]));
    let formulas = serde_json::json!([one("AG (EF x = 0 & x < 5)", 16, 0), one("EF x = 0", 16, 4)]);
    assert_eq!(conjunct("formulas"), formulas);
    assert_eq!(conjunct("invariant"), serde_json::json!([one("x + y < 6", 17, 3)]));
    assert_eq!(conjunct("linear"), serde_json::json!([one("F x = 2", 18, 0)]));
    assert!(conjunct("returns").is_null(), "it is no conjunction");
    let path = model("conjunct.smv", MODEL);
    let said = stdout(&with(&path, &["--property", "conditions"]));
    assert!(said.contains("\n  state 3: the conjunct y < 3 is false\n"), "{said}");
}

#[test]
fn witnesses_are_in_files_and_on_pages() {
    let path = model("files.smv", MODEL);
    let (trace, page) = (temporary("witness.json"), temporary("witness.html"));
    let arguments = [text(&path), "--witness", "--property", "both", "--trace", text(&trace), "--html", text(&page)];
    let output = uwbmc(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let replayed = json(&["replay", text(&path), text(&trace), "--json"]);
    assert_eq!((&replayed["accepted"], &replayed["steps"]), (&true.into(), &4.into()));
    let page = std::fs::read_to_string(&page).expect("a page");
    for expected in ["show a witness", "another run, from state 0", "state 0: EG x = 0 is true"] {
        assert!(page.contains(expected), "{expected}");
    }
}

#[test]
fn a_witness_of_nothing_is_refused() {
    let path = model("idle.smv", MODEL);
    let output = with(&path, &["--witness", "--property", "invariant"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--witness has no effect"), "{}", stderr(&output));
}

#[test]
fn what_a_property_must_not_say_costs_nothing_but_the_property() {
    let path = model(
        "bad.smv",
        "MODULE main
IVAR i : boolean;
VAR x : boolean;
ASSIGN init(x) := FALSE; next(x) := i;
SPEC NAME good := EF x
SPEC NAME input := AG (i -> AX x)
SPEC NAME range := ABG 3..2 x
SPEC NAME until := E [ x BU 2..1 x ]
SPEC NAME mixed := AG F x
SPEC NAME past := AG (x -> O x)
LTLSPEC NAME other := G EF x
SPEC NAME step := AG (next(x) = x)
COMPUTE MIN [ i , x ]
COMPUTE MIN [ !x , x ]
LTLSPEC NAME fine := G (x -> Y i)
",
    );
    let output = with(&path, &["--quiet"]);
    let said = stdout(&output);
    let expected = [
        "good: holds",
        "input: unknown (SMV035",
        "range: unknown (SMV025",
        "until: unknown (SMV025",
        "mixed: unknown (SMV034",
        "past: unknown (SMV034",
        "other: unknown (SMV034",
        "step: unknown (SMV033",
        "p9: unknown (SMV035",
        "p10: is 1",
        "fine: holds",
    ];
    for (line, expected) in said.lines().zip(expected) {
        assert!(line.starts_with(expected), "{line}, not {expected}");
    }
    assert_eq!(said.lines().count(), expected.len(), "{said}");
    assert_eq!(output.status.code(), Some(2), "there is something to correct");
}

#[test]
fn what_holds_for_want_of_fair_runs_is_said_to() {
    for (name, rest) in [("unfair.smv", "TRANS next(x) = !x FAIRNESS FALSE"), ("dead.smv", "TRANS !x & next(x)")] {
        let path = model(name, &format!("MODULE main VAR x : boolean; INIT !x {rest} SPEC EF FALSE INVARSPEC x | !x"));
        let output = with(&path, &[]);
        let (said, noted) = (stdout(&output), stderr(&output));
        assert!(said.starts_with("p1: holds (vacuously: no initial state is on an infinite fair run)"), "{said}");
        assert!(!said.contains("p2: holds (vacuously"), "{said}");
        assert!(noted.contains("warning: no initial state is on an infinite fair run"), "{noted}");
    }
}
