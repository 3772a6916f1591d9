//! Random walks find what no blind choice comes to.

use std::sync::Arc;
use system::{Claim, Machine, ProcessId, Property, PropertyId, Span};
use uwbmc::bounded::Walks;
use uwbmc::engine::Engine;
use uwbmc::limits::{Effort, Handle};
use uwbmc::smv::load;
use uwbmc::source::Source;
use uwbmc::{Language, Model};

/// What walks find in a model, with some seconds of work at most.
fn walked(text: &str, bound: usize, claims: &[Claim]) -> usize {
    let source = Source::new("walked.smv", text.as_bytes());
    let mut system = load(&source, &[]).system.expect("a model");
    for (number, claim) in claims.iter().enumerate() {
        let name = format!("claim_{number}");
        system.properties.push(Property::new(name, claim.clone(), Span::default()));
    }
    let machine = Machine::new(Arc::new(system));
    let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
    let mut walks = Walks::new(&machine, &properties, bound, 3);
    while walks.work().ticks < 100_000_000 {
        let end = walks.turn(Effort::Ticks(1_000_000), &mut Handle::default()).expect("nothing fails");
        if end.is_some() {
            break;
        }
    }
    for (property, trace) in walks.found().violations() {
        trace.replay(&machine).unwrap_or_else(|mismatch| panic!("{mismatch:?}"));
        assert_eq!(trace.violates(&machine, property), Some(trace.moves.len()));
        assert!(trace.moves.len() <= bound);
    }
    walks.found().violations().len()
}

/// Eight steps in a row, each of which takes two inputs to be right, and any other step undoes all of them.
#[test]
fn walks_find_what_takes_eight_unlikely_steps() {
    let text = "MODULE main IVAR a : 0..11; b : 0..11; VAR n : 0..8;
        ASSIGN init(n) := 0;
        next(n) := case n = 8 : 8; a = (n * 7) mod 12 & b = (n * 3 + 11) mod 12 : n + 1; TRUE : 0; esac;
        INVARSPEC n < 8";
    assert_eq!(walked(text, 200, &[]), 1);
}

/// An input says who moves and another one what is done: who acts is drawn by schedules. The halves of twelve have to act one after the other.
#[test]
fn walks_order_the_values_of_inputs() {
    let members: String = (0..12).map(|one| format!("w{one} : boolean; r{one} : boolean; ")).collect();
    let steps = (0..12).map(|one| {
        format!(
            "init(w{one}) := FALSE; init(r{one}) := FALSE;
            next(w{one}) := w{one} | (who = {one} & act = write & !done);
            next(r{one}) := r{one} | (who = {one} & act = read & done & !w{one});\n"
        )
    });
    let (steps, written) =
        (steps.collect::<String>(), (0..12).map(|one| format!("w{one}")).collect::<Vec<_>>().join(", "));
    let read = (0..12).map(|one| format!("r{one}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "MODULE main IVAR who : 0..11; act : {{write, read, close}}; VAR done : boolean; {members}
        ASSIGN init(done) := FALSE; next(done) := done | (act = close & count({written}) >= 6);
        {steps} INVARSPEC count({read}) < 6"
    );
    assert_eq!(walked(&text, 60, &[]), 1);
}

/// Nothing in the invariant says which bits have to be set before the judge can speak; the judge does.
#[test]
fn walks_aim_at_what_comes_before() {
    let wanted = |bit: u32| (bit * bit + bit / 3) % 5 < 2;
    let bits = 0..28;
    let declared: String =
        bits.clone().map(|bit| format!("b{bit} : boolean; p{bit} : process flip(b{bit});\n")).collect();
    let pattern = bits.clone().map(|bit| format!("{}b{bit}", if wanted(bit) { "" } else { "!" }));
    let (pattern, names) = (
        pattern.collect::<Vec<_>>().join(" & "),
        bits.clone().map(|bit| format!("b{bit}")).collect::<Vec<_>>().join(", "),
    );
    let started: String =
        bits.map(|bit| format!("init(b{bit}) := {};\n", if bit % 2 == 0 { "TRUE" } else { "FALSE" })).collect();
    let text = format!(
        "MODULE flip(bit) ASSIGN next(bit) := !bit;
        MODULE judge({names}) VAR saw : boolean; done : boolean;
        ASSIGN init(saw) := FALSE; init(done) := FALSE; next(saw) := {pattern}; next(done) := done | saw;
        MODULE main VAR {declared} j : process judge({names});
        ASSIGN {started} INVARSPEC !j.done"
    );
    assert_eq!(walked(&text, 400, &[]), 1);
}

/// Each of thirty members votes once, and one who votes no is enough to end it.
#[test]
fn walks_have_all_inputs_decide_alike() {
    let members: String = (0..30).map(|one| format!("m{one} : process member;\n")).collect();
    let all: Vec<String> = (0..30).map(|one| format!("m{one}.vote = yes")).collect();
    let text = format!(
        "MODULE member IVAR act : {{say_no, say_yes, say_later}}; VAR vote : {{none, yes, no}};
        ASSIGN init(vote) := none;
        next(vote) := case vote != none : vote; act = say_yes : yes; act = say_no : no; TRUE : none; esac;
        MODULE main VAR {members} INVARSPEC !({})",
        all.join(" & ")
    );
    assert_eq!(walked(&text, 100, &[]), 1);
}

/// The same where what they do are free variables of a model that moves as a whole, and all have to agree in each of some steps.
#[test]
fn walks_have_all_free_variables_decide_alike() {
    let members: String = (0..12).map(|one| format!("does{one} : {{rests, works, breaks}};\n")).collect();
    let all: Vec<String> = (0..12).map(|one| format!("does{one} = works")).collect();
    let text = format!(
        "MODULE main VAR {members} n : 0..6;
        ASSIGN init(n) := 0; next(n) := case n = 6 : 6; {} : n + 1; TRUE : 0; esac;
        INVARSPEC n < 6",
        all.join(" & ")
    );
    assert_eq!(walked(&text, 60, &[]), 1);
}

/// What it takes to ask three times for a step of a state.
fn asked_three_times(text: &str) -> [u64; 3] {
    let system = load(&Source::new("asked.smv", text.as_bytes()), &[]).system.expect("a model");
    let machine = Machine::new(Arc::new(system));
    let mut workspace = machine.workspace();
    let state = machine.initial_state(&mut workspace, 1).expect("nothing fails").expect("there is one");
    [1, 2, 3].map(|number| {
        let before = workspace.executed();
        let drawn = machine.successor_drawn(ProcessId::from(0), &state.0, &mut workspace, number, |_| ());
        assert!(drawn.expect("nothing fails"));
        workspace.executed() - before
    })
}

/// A plan for the value of a variable that says who moves takes work, which counts, and pays; for what each of many members does by itself, which
/// hardly ever comes again, none is made.
#[test]
fn plans_are_made_for_free_variables_that_say_much() {
    let members = |moves: &dyn Fn(usize) -> String| -> String {
        let all = (0..12).map(|one| (one, moves(one)));
        all.map(|(one, moves)| {
            format!("VAR n{one} : 0..4; ASSIGN init(n{one}) := 0; next(n{one}) := case {moves} : (n{one} + 1) mod 5; TRUE : n{one}; esac;\n")
        })
        .collect()
    };
    let [first, second, third] =
        asked_three_times(&format!("MODULE main VAR who : 0..11;\n{}", members(&|one| format!("who = {one}"))));
    assert!(second > first && third < first, "{first}, {second}, {third}");
    let does: String = (0..12).map(|one| format!("does{one} : 0..3;\n")).collect();
    let [first, second, third] =
        asked_three_times(&format!("MODULE main VAR {does}{}", members(&|one| format!("does{one} = 1"))));
    assert!(second.max(third) < 2 * first, "{first}, {second}, {third}");
}

/// What an assertion asks for in the state before it is aimed at, too.
#[test]
fn walks_aim_at_assertions() {
    let text = "byte n; active proctype P() { do :: n < 30 -> n++ :: n > 0 -> n-- :: n > 0 -> n = n / 2 :: assert(n < 28) od }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let properties: Vec<PropertyId> = model.machine.system().properties.indices().collect();
    let mut walks = Walks::new(&model.machine, &properties[..1], 4000, 3);
    while walks.work().ticks < 100_000_000 && walks.found().violations().is_empty() {
        let end = walks.turn(Effort::Ticks(1_000_000), &mut Handle::default()).expect("nothing fails");
        assert_eq!(end, None);
    }
    assert_eq!(walks.found().violations().len(), 1);
}

/// The bug is beyond the first thousands of initial states.
#[test]
fn walks_begin_in_states_drawn_from_all() {
    let text = "MODULE worker(x, y) VAR pc : {look, bad}; ASSIGN init(pc) := look;
         next(pc) := case pc = look & x > 60000 & y > 9000 & x mod 4 = 1 : bad; TRUE : pc; esac;
         MODULE main FROZENVAR x : 0..65535; y : 0..9999; VAR w : process worker(x, y); v : process worker(x, y);
         INVARSPEC w.pc = look";
    assert_eq!(walked(text, 4, &[]), 1);
}

/// A process that can do nothing but wait waits, also where a variable takes any value in every step.
#[test]
fn walks_make_progress_beside_a_free_variable() {
    let (stages, links) = (25, 0..=25);
    let mut text = "MODULE stage(i, o) VAR pc : {take, work, put}; ASSIGN init(pc) := take;
         next(pc) := case pc = take & i : work; pc = work : put; pc = put & !o : take; TRUE : pc; esac;
         next(i) := case pc = take & i : FALSE; TRUE : i; esac; next(o) := case pc = put & !o : TRUE; TRUE : o; esac;
         MODULE main VAR noise : 0..7; f : array 0..25 of boolean;\n"
        .to_owned();
    text.extend((0..stages).map(|at| format!("s{at} : process stage(f[{at}], f[{}]);\n", at + 1)));
    text.extend(links.map(|at| format!("ASSIGN init(f[{at}]) := {};\n", if at == 0 { "TRUE" } else { "FALSE" })));
    text.push_str("INVARSPEC !(f[25] & noise = 5)");
    assert_eq!(walked(&text, 100, &[]), 1);
}

#[test]
fn walks_tell_a_deadlock_to_all_who_claim_that_there_is_none() {
    let text = "MODULE main VAR x : 0..3; TRANS next(x) = x + 1";
    assert_eq!(walked(text, 8, &[Claim::DeadlockFree, Claim::DeadlockFree]), 2);
}
