//! Random SMV models with processes that can change places.

use crate::systems::Random;

/// A condition that a process can decide by, over its own variables, those that all share and one that is passed to it.
fn own_condition(random: &mut Random) -> String {
    let own = ["pc = a", "pc = b", "pc != c", "x = 0", "x = 1", "x < 2", "flag", "!flag", "s", "!s", "n = 0", "n > 1"];
    let one = own[random.below(own.len())];
    let other = own[random.below(own.len())];
    if random.chance(50) { one.to_owned() } else { format!("({one} & {other})") }
}

fn own_assignment(random: &mut Random, variable: &str, values: &[&str]) -> String {
    let mut text = format!("  next({variable}) := case\n");
    for _ in 0..1 + random.below(3) {
        let value = values[random.below(values.len())];
        text += &format!("    {} : {value};\n", own_condition(random));
    }
    text + &format!("    TRUE : {variable};\n  esac;\n")
}

/// A module whose instances differ in what is passed to them only.
fn module(random: &mut Random, name: &str) -> String {
    let mut text = format!("MODULE {name}(s, n, flag)\nVAR pc : {{a, b, c}}; x : 0..2;\nASSIGN init(pc) := a; ");
    text += ["init(x) := 0;\n", "init(x) := {0, 2};\n", "init(x) := 1;\n"][random.below(3)];
    text += &own_assignment(random, "pc", &["a", "b", "c", "{a, b}", "{b, c}"]);
    text += &own_assignment(random, "x", &["0", "1", "2", "{0, 1}", "n"]);
    text += &own_assignment(random, "s", &["TRUE", "FALSE", "flag"]);
    text += &own_assignment(random, "n", &["0", "1", "2", "x"]);
    text + &own_assignment(random, "flag", &["TRUE", "FALSE", "s"])
}

/// Instances of two modules, and invariants most of which treat them alike.
pub fn instances(seed: u64) -> String {
    let mut random = Random(seed);
    let counts = [2 + random.below(3), 1 + random.below(2)];
    let mut text = module(&mut random, "many") + &module(&mut random, "few");
    text += "MODULE main\nVAR s : boolean; n : 0..2;\n";
    let (mut names, mut flags) = (Vec::new(), Vec::new());
    for (module, count) in ["many", "few"].into_iter().zip(counts) {
        for number in 0..count {
            let flag = if random.chance(80) { format!("flag{}", names.len()) } else { "common".to_owned() };
            text += &format!("{module}{number} : process {module}(s, n, {flag});\n");
            names.push(format!("{module}{number}"));
            flags.push(flag);
        }
    }
    flags.sort();
    flags.dedup();
    text += &flags.iter().map(|flag| format!("{flag} : boolean;\n")).collect::<String>();
    text += "ASSIGN init(s) := FALSE; init(n) := 0;\n";
    text += &flags.iter().map(|flag| format!("init({flag}) := FALSE;\n")).collect::<String>();
    for _ in 0..2 {
        let wrong = ["pc = c", "x = 2", "pc = b"][random.below(3)];
        let many: Vec<String> = names.iter().filter(|name| name.starts_with("many")).cloned().collect();
        let all: Vec<String> = many.iter().map(|name| format!("{name}.{wrong}")).collect();
        text += &match random.below(4) {
            0 => format!("INVARSPEC !({});\n", all.join(" & ")),
            1 => format!("INVARSPEC !({});\n", all.join(" | ")),
            2 => format!("INVARSPEC s | !({});\n", all.join(" & ")),
            _ => format!("INVARSPEC !{}.{wrong};\n", many[random.below(many.len())]),
        };
    }
    text
}

/// Conditions that treat names alike, over the variables of a process and those that all share.
const ALIKE: [&str; 13] = [
    "pc = a",
    "pc = b",
    "pc != c",
    "owner = id",
    "owner != id",
    "owner = 0",
    "last = id",
    "owner = last",
    "f[id] = 0",
    "f[id] < 2",
    "f[last] = 2",
    "s",
    "(last = id ? f[last] = 1 : s)",
];

/// Conditions that tell names apart.
const APART: [&str; 5] = ["last < id", "owner + 1 = id", "owner = 1", "last in {1, 2}", "f[1] = 2"];

fn condition(random: &mut Random, apart: usize) -> String {
    let mut one = || match random.below(100) < apart {
        true => APART[random.below(APART.len())],
        false => ALIKE[random.below(ALIKE.len())],
    };
    format!("({} & {})", one(), one())
}

fn assignment(random: &mut Random, apart: usize, variable: &str, values: &[&str]) -> String {
    let mut text = format!("  next({variable}) := case\n");
    for _ in 0..1 + random.below(3) {
        let value = values[random.below(values.len())];
        text += &format!("    {} : {value};\n", condition(random, apart));
    }
    text + &format!("    TRUE : {variable};\n  esac;\n")
}

/// Processes that have a number each, and conditions most of which treat them alike; and how many processes these are.
pub fn numbered_instances(seed: u64) -> (String, usize) {
    let mut random = Random(seed);
    let count = 2 + random.below(3);
    let apart = if random.chance(30) { 10 } else { 0 };
    let mut text = "MODULE one(id, owner, last, f, s)\nVAR pc : {a, b, c};\nASSIGN init(pc) := a;\n".to_owned();
    text += &assignment(&mut random, apart, "pc", &["a", "b", "c", "{a, b}", "{b, c}"]);
    text += &assignment(&mut random, apart, "f[id]", &["0", "1", "2", "{0, 1}"]);
    text += &assignment(&mut random, apart, "owner", &["id", "0", "last", "{0, id}", "(s ? id : last)"]);
    text += &assignment(&mut random, apart, "last", &["id", "id", "{last, id}", &format!("1..{count}")]);
    text += &assignment(&mut random, apart, "s", &["TRUE", "FALSE"]);
    text += &format!(
        "MODULE main\nVAR owner : 0..{count}; last : 1..{count}; f : array 1..{count} of 0..2; s : boolean;\n"
    );
    let each = |line: &dyn Fn(usize) -> String| (1..=count).map(line).collect::<String>();
    text += &each(&|id| format!("p{id} : process one({id}, owner, last, f, s);\n"));
    text += ["ASSIGN init(owner) := 0; ", "ASSIGN init(owner) := 1; "][random.below(2)];
    text += ["init(last) := 1;\n", "init(last) := 2;\n", ""][random.below(3)];
    text += &each(&|id| format!("init(f[{id}]) := 0;\n"));
    text += "init(s) := FALSE;\nINVARSPEC s | !s;\n";
    for _ in 0..2 {
        let joined = |parts: &dyn Fn(usize) -> String| (1..=count).map(parts).collect::<Vec<_>>().join(" & ");
        text += &match random.below(4) {
            0 => format!("INVARSPEC !({});\n", joined(&|id| format!("p{id}.pc = c"))),
            1 => format!("INVARSPEC {};\n", joined(&|id| format!("(owner = {id} -> p{id}.pc = b)"))),
            2 => format!("INVARSPEC {};\n", joined(&|id| format!("!(last = {id} & f[{id}] = 2)"))),
            _ if apart > 0 => "INVARSPEC owner != 2;\n".to_owned(),
            _ => "INVARSPEC f[last] = 0 | owner = 0;\n".to_owned(),
        };
    }
    (text, count)
}
