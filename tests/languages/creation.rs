//! Processes that create processes: every one finds its place, and there are not many more places than that.

use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::{Language, Model};

const LIMITS: Limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };

fn model(text: &str) -> Model {
    Model::parse(text, Language::Promela).unwrap_or_else(|_| panic!("{text}"))
}

fn processes(text: &str) -> usize {
    model(text).machine.system().processes.len()
}

/// Visits all states. A process that is created where there is no place for it is a fault.
fn all_find_their_places(text: &str) {
    let found = search(&model(text).machine, &[], LIMITS, &mut Handle::default()).without_fault();
    assert!(found.is_ok(), "a process has no place: {text}");
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
