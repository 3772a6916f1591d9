//! Random Promela programs with several processes that are alike, and one that serves them.

use crate::numbers::Random;
use crate::promela::formula;

/// What a process that has others like it does in a step. Who says who it is, is not interchangeable.
const STATEMENTS: [&str; 15] = [
    "i = (i + 1) % 3",
    "g = i",
    "i = g",
    "i == 1",
    "g != 2",
    "c!i",
    "c?i",
    "r!i",
    "r?i",
    "q!i,1",
    "a[i] = 1",
    "h = 1 - h",
    "atomic { i = g; g = (i + 1) % 3 }",
    "atomic { r?i; g = i }",
    "last = _pid",
];

/// What the server does.
const SERVED: [&str; 11] = [
    "r!1",
    "r?s",
    "c?s",
    "c!2",
    "q?s,n",
    "g = s",
    "h == 1",
    "a[s] = 0",
    "s = a[n]",
    "atomic { r?s; n = (n + 1) % 3 }",
    "atomic { r!s; s = 0 }",
];

/// How often the one statement is drawn that tells processes apart.
const TELLING: usize = 4;

/// A random program with the formula `f`.
pub fn alike_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xa11ce);
    let telling = if random.below(TELLING) == 0 { STATEMENTS.len() } else { STATEMENTS.len() - 1 };
    let many = body(&mut random, &STATEMENTS[..telling]);
    let server = body(&mut random, &SERVED);
    let conditions = ["g == 0", "g == 2", "h == 1", "nempty(c)", "n == 1", "a[1] == 1", "s == g", "last == 1"];
    let conditions = if random.below(TELLING) == 0 { &conditions[..] } else { &conditions[..7] };
    let formula = formula(&mut random, conditions, 2);
    let processes = 3 + random.below(2);
    format!(
        "byte g, s, n, last; bit h; bit a[3];\n\
         chan c = [1] of {{ byte }}; chan r = [0] of {{ byte }}; chan q = [0] of {{ byte, byte }};\n\
         active [{processes}] proctype P() {{ byte i;\n{many} }}\nactive proctype Server() {{\n{server} }}\n\
         ltl f {{ {formula} }}\n"
    )
}

fn body(random: &mut Random, statements: &[&str]) -> String {
    let [first, second, third] = [(); 3].map(|()| *random.pick(statements));
    match random.below(4) {
        0 => format!("{first}; {second}; {third}"),
        1 => format!("do :: {first}; {second} od"),
        2 => format!("do :: {first} :: {second}; {third} od"),
        _ => format!("{first}; do :: {second} :: {third} -> break od"),
    }
}
