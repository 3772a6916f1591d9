//! Random SMV models with processes: program counters that are integers from anywhere or enumerations, assigned constants,
//! other variables or sums, and `running` wherever SMV has it. None of them has a fault.

use crate::numbers::Random;
use std::fmt::Write;

/// An integer variable: its name where it is read, and its range.
#[derive(Clone, Debug)]
struct Number {
    name: String,
    low: i64,
    high: i64,
}

/// A model that depends on the seed alone.
pub fn random_model(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    let globals: Vec<Number> = (0..1 + random.below(2)).map(|index| number(&mut random, format!("g{index}"))).collect();
    let modules = 1 + random.below(2);
    for index in 0..modules {
        module(&mut text, &mut random, index, &globals);
    }
    main(&mut text, &mut random, modules, &globals);
    text
}

fn number(random: &mut Random, name: String) -> Number {
    let low = random.below(4) as i64 - 1;
    Number { name, low, high: low + 1 + random.below(3) as i64 }
}

/// A module with a program counter, and a flag or a number of its own. Its parameters are the global variables.
fn module(text: &mut String, random: &mut Random, index: usize, globals: &[Number]) {
    let parameters: Vec<&str> = globals.iter().map(|global| global.name.as_str()).collect();
    let _ = writeln!(text, "MODULE P{index}({}, flag)", parameters.join(", "));
    let pc = number(random, "pc".to_owned());
    let own = number(random, "n".to_owned());
    let mut known = globals.to_vec();
    known.push(own.clone());
    if random.below(5) == 0 {
        let _ = writeln!(text, "VAR pc : {{idle, busy}}; n : {}..{};", own.low, own.high);
        let _ = writeln!(text, "ASSIGN init(pc) := idle;");
        let condition = condition(random, &known, Mentions::Running);
        let _ = writeln!(
            text,
            "  next(pc) := case pc = idle & {condition} : busy; pc = busy : {{idle, busy}}; TRUE : pc; esac;"
        );
    } else {
        let _ = writeln!(text, "VAR pc : {}..{}; n : {}..{};", pc.low, pc.high, own.low, own.high);
        let first = if random.below(3) == 0 { inside(&globals[0].name, &pc) } else { constant(random, &pc) };
        let _ = writeln!(text, "ASSIGN init(pc) := {first};");
        let (from, goal) = (constant(random, &pc), term(random, &known));
        let (condition, other) = (condition(random, &known, Mentions::Running), term(random, &known));
        let (goal, other) = (inside(&goal, &pc), inside(&other, &pc));
        let _ = writeln!(text, "  next(pc) := case pc = {from} : {goal}; {condition} : {other}; TRUE : pc; esac;");
    }
    if random.below(3) > 0 {
        let first = constant(random, &own);
        let _ = writeln!(text, "  init(n) := {first};");
    }
    if random.below(4) > 0 {
        let (condition, value) = (condition(random, &known, Mentions::Running), term(random, &known));
        let _ = writeln!(text, "  next(n) := case {condition} : {}; TRUE : n; esac;", inside(&value, &own));
    }
    if random.below(3) == 0 {
        let _ = writeln!(text, "  next({}) := {};", globals[0].name, inside(&term(random, &known), &globals[0]));
    }
}

fn main(text: &mut String, random: &mut Random, modules: usize, globals: &[Number]) {
    let _ = write!(text, "MODULE main\nVAR flag : boolean;");
    for global in globals {
        let _ = write!(text, " {} : {}..{};", global.name, global.low, global.high);
    }
    let parameters: Vec<&str> = globals.iter().map(|global| global.name.as_str()).collect();
    let parameters = parameters.join(", ");
    let instances = modules.max(1 + random.below(2));
    for instance in 0..instances {
        let _ = write!(text, " p{instance} : process P{}({parameters}, flag);", instance % modules);
    }
    let _ = writeln!(text, "\nASSIGN init(flag) := FALSE;");
    for global in globals {
        if random.below(4) > 0 {
            let first = constant(random, global);
            let _ = writeln!(text, "  init({}) := {first};", global.name);
        }
    }
    // A variable that a process assigns must not be assigned by main as well.
    if let Some(last) = globals.get(1)
        && random.below(2) == 0
    {
        let value = inside(&term(random, globals), last);
        let _ = writeln!(text, "  next({}) := case flag : {value}; TRUE : {}; esac;", last.name, last.name);
    }
    if random.below(3) > 0 {
        let condition = condition(random, globals, Mentions::Running);
        let _ = writeln!(text, "  next(flag) := {condition};");
    }
    if random.below(8) == 0 {
        let condition = condition(random, globals, Mentions::State);
        let _ = writeln!(text, "INIT {condition}");
    }
    if random.below(8) == 0 {
        let condition = condition(random, globals, Mentions::State);
        let _ = writeln!(text, "TRANS p0.running | {condition} | next(flag)");
    }
    for _ in 0..3 {
        let (process, other) = (random.below(instances), random.below(instances));
        let (left, right) = (condition(random, globals, Mentions::State), condition(random, globals, Mentions::State));
        let _ = writeln!(text, "INVARSPEC ({left}) | p{process}.n != p{other}.n | !({right})");
    }
    let value = random.below(4) as i64 - 1;
    let _ = writeln!(text, "INVARSPEC p0.n != {value} | flag");
}

fn constant(random: &mut Random, of: &Number) -> String {
    (of.low + random.below((of.high - of.low + 1) as usize) as i64).to_string()
}

/// A number made of others, which may be outside the range of the variable that takes it.
fn term(random: &mut Random, known: &[Number]) -> String {
    let a = random.pick(known).name.clone();
    let b = random.pick(known).clone();
    match random.below(7) {
        0 => format!("{a} + {}", b.name),
        1 => format!("{a} - {}", b.name),
        2 => format!("{a} * {}", b.name),
        3 => format!("{a} mod 2"),
        4 => constant(random, &b),
        _ => a,
    }
}

/// The number where it is inside a range, else the least of the range.
fn inside(term: &str, range: &Number) -> String {
    let Number { low, high, .. } = range;
    format!("case {term} >= {low} & {term} <= {high} : {term}; TRUE : {low}; esac")
}

/// What a condition may be about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mentions {
    /// The state, and who moves.
    Running,
    /// The state alone.
    State,
}

fn condition(random: &mut Random, known: &[Number], mentions: Mentions) -> String {
    let (number, value) = (random.pick(known).clone(), random.below(4) as i64 - 1);
    let term = term(random, known);
    match random.below(6) {
        0 if mentions == Mentions::Running => "(running | flag)".to_owned(),
        1 if mentions == Mentions::Running => format!("(running & {} = {value})", number.name),
        2 => "flag".to_owned(),
        3 => format!("({term} < {value})"),
        4 => format!("!({} = {value})", number.name),
        _ => format!("({} <= {value})", number.name),
    }
}
