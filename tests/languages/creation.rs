//! Processes that create processes: every one finds its place, and there are not many more places than that.

use fastrand::Rng;
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::{Language, Model};

/// Far enough for most processes of random programs to be created, and some to end.
const LIMITS: Limits = Limits { depth: 16, memory: 1_000_000_000 };

fn model(text: &str) -> Model {
    Model::parse(text, Language::Promela).unwrap_or_else(|_| panic!("{text}"))
}

fn processes(text: &str) -> usize {
    model(text).machine.system().processes.len()
}

/// Visits the states. A process that is created where there is no place for it is a fault.
fn all_find_their_places(text: &str) -> usize {
    let found = search(&model(text).machine, &[], LIMITS, &mut Handle::default()).without_fault();
    found.unwrap_or_else(|_| panic!("a process has no place: {text}")).states()
}

#[test]
fn a_process_that_creates_others_for_ever_alive_has_them_at_known_pids() {
    let text = "proctype Light() { do :: skip -> skip od }
        proctype Town(byte n) { byte i; do :: i < n -> run Light(); i++ :: else -> break od; (false) }
        init { run Town(3); run Town(2) }";
    // init, two towns, the second of which may come after lights of the first, and lights.
    assert!(processes(text) <= 14, "{}", processes(text));
    all_find_their_places(text);
}

#[test]
fn arguments_say_who_creates_something() {
    let with = |owner: &str| {
        format!(
            "proctype Deed() {{ (false) }} proctype User(bool owns) {{ if :: owns -> run Deed() :: else fi; (false) }}
             init {{ atomic {{ run User({owner}); run User(false) }} }}"
        )
    };
    assert_eq!(processes(&with("false")), 3);
    // init, two users, and a deed at either of two pids.
    assert_eq!(processes(&with("true")), 5);
    all_find_their_places(&with("true"));
}

#[test]
fn an_active_process_that_is_not_init_is_followed() {
    let text = "byte most = 3; proctype Client(byte id) { do :: id = id od }
        active proctype Launcher() { byte i; do :: i < most -> run Client(i); i++ :: else -> break od }";
    assert_eq!(processes(text), 4);
    all_find_their_places(text);
}

#[test]
fn what_counts_down_comes_to_an_end() {
    let text = "proctype Son(byte n) { if :: n > 0 -> run Son(n - 1) :: else fi } init { run Son(4) }";
    assert_eq!(processes(text), 6);
    all_find_their_places(text);
}

/// Statements of a process that can create those named.
fn statements(random: &mut Rng, names: &[&str]) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(0..3) {
        let run = |random: &mut Rng| match names {
            [] => "skip".to_owned(),
            _ => format!("run {}({})", names[random.usize(0..names.len())], random.usize(0..2)),
        };
        let (one, other) = (run(random), run(random));
        text += &match random.usize(0..8) {
            0 | 1 => format!("{one}; "),
            2 => format!("if :: {one} :: {other} fi; "),
            3 => format!("if :: {one}; {other} :: skip fi; "),
            4 => format!("atomic {{ {one}; {other} }}; "),
            5 => format!("atomic {{ {one}; x == 0; {other} }}; "),
            6 => format!("i = 0; do :: i < {} -> {one}; i++ :: else -> break od; ", random.usize(1..3)),
            _ => format!("if :: n == 1 -> {one} :: else fi; "),
        };
    }
    text
}

/// A program in which processes create processes that create processes.
fn program(random: &mut Rng) -> String {
    let mut text = "byte x; ".to_owned();
    for (name, others) in [("C", &[][..]), ("B", &["C"][..]), ("A", &["B", "C"][..])] {
        let active = if random.usize(0..6) == 0 { "active " } else { "" };
        let end = ["", "", "(false)", "x = 1 - x", "do :: x = 0 od"][random.usize(0..5)];
        let body = statements(random, others);
        text += &format!("{active}proctype {name}(byte n) {{ byte i; {body}{end} }}\n");
    }
    let body = statements(random, &["A", "B", "C"]);
    let extent = if random.usize(0..2) == 0 { "atomic" } else { "" };
    text + &format!("init {{ byte i; byte n = 1; {extent} {{ skip; {body} run A(1) }} }}")
}

#[test]
fn processes_of_random_programs_find_their_places() {
    let mut random = Rng::with_seed(5);
    let (mut nested, mut states) = (0, 0);
    for _ in 0..300 {
        let text = program(&mut random);
        let places = processes(&text);
        // Too many interleavings to try.
        if places > 14 {
            continue;
        }
        nested += usize::from(text.contains("run B") || text.contains("run C"));
        states += all_find_their_places(&text);
    }
    assert!(nested > 20 && states > 1_000, "{nested} programs with {states} states");
}
