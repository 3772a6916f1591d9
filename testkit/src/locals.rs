//! Random Promela programs whose processes have variables of their own: written, read, handed on and forgotten again.

use crate::numbers::Random;
use crate::promela::formula;

/// What a process does in a step. `n` is read for nothing but itself.
const STATEMENTS: [&str; 30] = [
    "i = (j + 1) % 3",
    "j = p",
    "k = (k + i) % 3",
    "g = i",
    "h = j % 2",
    "i = 0",
    "j = g",
    "n = (n + 1) % 3",
    "a[i] = j",
    "j = a[k]",
    "a[0] = 0",
    "c!i",
    "c?j",
    "c?k",
    "c?eval(k)",
    "r!j",
    "r?i",
    "q!i,j",
    "q?j,k",
    "q?k,eval(i)",
    "t[k % 2].x = j",
    "j = t[0].x",
    "t[1].y[h] = i",
    "i = t[k % 2].y[1]",
    "g = t[1].y[h]",
    "{ j = i; g = j } unless { h == 1 -> k = 0 }",
    "{ k = j; c!k } unless { i == 2 }",
    "{ r!k; k = 0 } unless { nempty(c); c?i }",
    "atomic { i = g; g = (i + 1) % 3 }",
    "d_step { k = h; j = k; k = 0 }",
];

/// A random program with the formula `f`. Its processes are created again where others have ended.
pub fn local_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x10ca1);
    let bodies = [body(&mut random), body(&mut random)];
    let conditions = ["g == 0", "g == 2", "h == 1", "nempty(c)", "g == h"];
    let formula = formula(&mut random, &conditions, 2);
    let locals = "byte i, j, n; byte k = 1; byte a[3]; Both t[2]";
    let runs = ["run P(1); run Q(0)", "run Q(1); run P(2)", "byte m; do :: m < 3 -> run P(m); m++ :: break od"];
    let runs = random.pick(&runs);
    format!(
        "typedef Both {{ byte x; byte y[2] }}\n\
         byte g; bit h; chan c = [1] of {{ byte }}; chan r = [0] of {{ byte }}; chan q = [0] of {{ byte, byte }};\n\
         proctype P(byte p) {{ {locals};\n{} }}\nproctype Q(byte p) {{ {locals};\n{} }}\n\
         init {{ {runs} }}\nltl f {{ {formula} }}\n",
        bodies[0], bodies[1]
    )
}

fn body(random: &mut Random) -> String {
    let before = sequence(random);
    match random.below(4) {
        0 => before,
        1 => format!("again: {before};\nif :: j > 0 -> goto again :: else fi"),
        2 => format!("{before};\ndo :: {} :: i < 2 -> {} od", sequence(random), sequence(random)),
        _ => format!("{before};\ndo :: {} :: k != 1 -> break od; {}", sequence(random), sequence(random)),
    }
}

fn sequence(random: &mut Random) -> String {
    let mut parts = Vec::new();
    for _ in 0..1 + random.below(3) {
        let (first, second) = (*random.pick(&STATEMENTS), *random.pick(&STATEMENTS));
        parts.push(match random.below(4) {
            0 => format!("if :: i == 1 -> {first} :: else -> {second} fi"),
            1 => format!("if :: {first} :: {second} fi"),
            _ => first.to_owned(),
        });
    }
    parts.join("; ")
}
