//! Random Promela programs: small, with finite and mostly small state spaces, and with every construct that decides
//! where processes rest and what they see.

use crate::numbers::Random;
use std::fmt::Write;

/// A random program for a seed.
pub fn program(seed: u64) -> String {
    let mut generator = Generator { random: Random::new(seed), out: String::new(), labels: Vec::new(), d_step: false };
    generator.model();
    generator.out
}

/// A random program with a random never claim. SPIN counts the claim among the processes, so programs do not count them, and it
/// does not look whether the process of a remote reference is of the right proctype.
pub fn claimed_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xc1a1);
    let program = program(seed).replace("(_nr_pr == 1); ", "");
    let conditions = if program.contains("init") { &CONDITIONS[2..] } else { &CONDITIONS };
    program + &claim(&mut random, conditions)
}

/// A random program with a random formula, which no assertion of the program comes before.
pub fn temporal_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x17e1);
    let (program, conditions) = unasserted_program(seed);
    let formula = formula(&mut random, conditions, 3);
    program + &format!("ltl f {{ {formula} }}\n")
}

/// A random program some of whose loops are left, at most twice in all, so that processes come to their ends, with a random formula; where processes are
/// created, often all at once.
pub fn ending_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xe4d1);
    let (program, conditions) = unasserted_program(seed);
    let formula = formula(&mut random, conditions, 3);
    let mut text = String::from("byte rounds;\n");
    for part in program.split_inclusive(" od") {
        let is_left = part.ends_with(" od") && *random.pick(&[true, true, false]);
        let last = if is_left { " :: rounds < 2 -> rounds++; break od" } else { " od" };
        text += &part.strip_suffix(" od").map_or_else(|| part.to_owned(), |part| part.to_owned() + last);
    }
    text + &format!("ltl f {{ {formula} }}\n")
}

/// A random program whose first process asks how many there are, with a random formula that may ask as well; none where no process creates others,
/// or one waits for a timeout, after which `pan -f` misses runs.
pub fn counting_program(seed: u64) -> Option<String> {
    let mut random = Random::new(seed ^ 0xc047);
    let program = program(seed).replace("assert(a < 3)", "(true || a < 3)");
    if program.contains("timeout") {
        return None;
    }
    let formula = formula(&mut random, &COUNTING, 3);
    Some(asking(&program, &mut random)? + &format!("ltl f {{ {formula} }}\n"))
}

/// The same with a random never claim.
pub fn counting_claim(seed: u64) -> Option<String> {
    let mut random = Random::new(seed ^ 0xc1c0);
    Some(asking(&program(seed), &mut random)? + &claim(&mut random, &COUNTING))
}

/// What formulas and claims of programs that count are made of.
const COUNTING: [&str; 6] = ["a == 1", "a != b", "f", "b > 0", "_nr_pr == 2", "_nr_pr > 2"];

/// Lets the process that creates the others ask how many there are.
fn asking(program: &str, random: &mut Random) -> Option<String> {
    let (before, init) = program
        .replace("; (_nr_pr == 1); a = 0", "")
        .rsplit_once(" }\n")
        .map(|(before, init)| (before.to_owned(), init.to_owned()))?;
    let question = [
        "(_nr_pr == 1); a = 0",
        "(_nr_pr == 2); a = 1",
        "b = _nr_pr",
        "(_nr_pr > 2); f = 1 - f",
        "do :: _nr_pr == 2 -> break :: else -> b = _nr_pr od",
    ];
    (before.contains("init {") && init.is_empty()).then(|| format!("{before}; {} }}\n", random.pick(&question)))
}

/// A random program with formulas that all say of the same condition that it always holds. The first one is `always_0`.
pub fn always_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xa1a5);
    let (mut program, conditions) = unasserted_program(seed);
    let (one, other) = (*random.pick(conditions), *random.pick(conditions));
    let condition = random.pick(&[format!("({one} || {other})"), format!("!({one} && {other})")]).clone();
    for (number, words) in ["[] P", "!(true U !P)", "false V P", "[] [] P", "P W false"].iter().enumerate() {
        program += &format!("ltl always_{number} {{ {} }}\n", words.replace('P', &condition));
    }
    program
}

/// A random program whose assertions all hold, and conditions that formulas can be made of.
fn unasserted_program(seed: u64) -> (String, &'static [&'static str]) {
    let program = program(seed).replace("(_nr_pr == 1); ", "").replace("assert(a < 3)", "(true || a < 3)");
    let conditions = if program.contains("init") { &CONDITIONS[2..8] } else { &CONDITIONS[..8] };
    (program, conditions)
}

/// A random program of processes in a ring that hand on messages, with the formula `f`. The channels are parameters, and init
/// chooses before it creates the processes.
pub fn ring_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x2179);
    let (nodes, capacity) = (2 + random.below(2), 1 + random.below(2));
    let mut options = String::new();
    for _ in 0..1 + random.below(3) {
        let receive = ["inp?m", "inp?1", "nempty(inp) -> inp?m", "inp??0"][random.below(4)];
        let middle = ["y = me", "x = m", "skip", "known = 1", "x = 1 - x", "atomic { y = m; x = 0 }"][random.below(6)];
        let send = ["out!m", "out!1 - m", "out!1; out!m", "skip", "if :: out!m :: full(out) fi"][random.below(5)];
        options += &format!(":: {receive} -> {middle}; {send}\n");
    }
    options += ["", ":: known -> break\n", ":: x == 1 -> x = 0\n", ":: timeout -> break\n"][random.below(4)];
    let start = ["out!me", "if :: me == 0 -> out!1 :: else fi", "skip", "out!1; y = 1"][random.below(4)];
    let conditions = ["x == 1", "y == 0", "len(q[0]) == 0", "nempty(q[1])", "chosen == 1", "x == y"];
    let formula = formula(&mut random, &conditions, 2);
    format!(
        "bit x; byte y; bit chosen;\nchan q[{nodes}] = [{capacity}] of {{ bit }};\n\
         proctype node(chan inp, out; bit me) {{\n\tbit m; bit known;\n\t{start};\n\tdo\n{options}\tod\n}}\n\
         init {{\n\tbyte i;\n\tatomic {{\n\tif :: chosen = 1 :: skip fi;\n\t\
         do :: i < {nodes} -> run node(q[i], q[(i + 1) % {nodes}], i); i++ :: else -> break od\n\t}}\n}}\n\
         ltl f {{ {formula} }}\n"
    )
}

/// A random formula of SPIN's LTL.
pub(crate) fn formula(random: &mut Random, conditions: &[&str], depth: usize) -> String {
    if depth == 0 || random.below(5) == 0 {
        return format!("({})", random.pick(conditions));
    }
    let left = formula(random, conditions, depth - 1);
    if random.below(2) == 0 {
        return format!("({} {left})", random.pick(&["!", "[]", "<>", "[] <>", "<> []"]));
    }
    let right = formula(random, conditions, depth - 1);
    format!("({left} {} {right})", random.pick(&["&&", "||", "->", "U", "V", "U"]))
}

/// A random program with a random trace assertion over the buffered channels that have names.
pub fn traced_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x7ace);
    let events = ["c0!_", "c0!1", "c0?_", "c1!red,_", "c1!_,_", "c1?_,0", "c0!0"];
    let word = ["trace", "notrace"][random.below(2)];
    let mut parts = Vec::new();
    for _ in 0..1 + random.below(3) {
        let (first, second) = (random.pick(&events), random.pick(&events));
        parts.push(match random.below(4) {
            // An assertion has to know what to do without a choice.
            0 if first[..3] != second[..3] => format!("do :: {first} :: {second}; break od"),
            1 if first[..3] != second[..3] => format!("if :: {first} :: {second} fi"),
            _ => (*first).to_owned(),
        });
    }
    program(seed) + &format!("{word} {{ {} }}\n", parts.join("; "))
}

/// A random program with priorities that stay what they are; there is no rendezvous then.
pub fn prioritised_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x9a10);
    let mut program = program(seed).replace("chan r0 = [0]", "chan r0 = [1]");
    for number in 0..2 {
        let (with_arguments, without) = (format!("P{number}(byte x; chan q)"), format!("proctype P{number}()"));
        let priority = format!(" priority {}", 1 + random.below(3));
        for head in [with_arguments, without] {
            program = program.replace(&head, &(head.clone() + &priority));
        }
    }
    for call in ["cs[1])", "cs[0])", "c0)"] {
        let priority = format!("{call} priority {}", 1 + random.below(3));
        program = program.replace(call, &priority);
    }
    program
}

/// What claims ask for.
const CONDITIONS: [&str; 11] = [
    "P0[0]:y == 1",
    "P0[0]@L0_0",
    "a == 1",
    "a != b",
    "f",
    "b > 0",
    "arr[1] == 1",
    "len(c0) == 1",
    "_last == 1",
    "pc_value(0) > 2",
    "true",
];

/// A claim of a few states, the last of which can be left for the end of the claim.
fn claim(random: &mut Random, conditions: &[&str]) -> String {
    let states = 1 + random.below(3);
    let mut text = "never {\n".to_owned();
    for state in 0..states {
        let _ = write!(text, "T{state}: do");
        for _ in 0..1 + random.below(2) {
            let (condition, second) = (random.pick(conditions), random.pick(conditions));
            let goal = match random.below(2) {
                0 => "break".to_owned(),
                _ => format!("goto T{}", random.below(states)),
            };
            let _ = match random.below(4) {
                0 => write!(text, " :: atomic {{ {condition} -> {second}; {goal} }}"),
                1 => write!(text, " :: {condition} -> {second} -> {goal}"),
                _ => write!(text, " :: {condition} -> {goal}"),
            };
        }
        match random.below(5) {
            0 => text += " :: else",
            1 => {}
            _ => text += " :: true",
        }
        text += " od;\n";
    }
    text + "}\n"
}

struct Generator {
    random: Random,
    out: String,
    /// The labels of the proctype that is being written.
    labels: Vec<String>,
    /// Inside a d_step only what never blocks is written.
    d_step: bool,
}

/// What statements are part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// A loop, which they may leave.
    Loop,
    /// Something else.
    Process,
}

impl Generator {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn model(&mut self) {
        self.line("mtype = { red, green, blue };");
        self.line("typedef Pair { byte fst; bit snd[2] };");
        self.line("byte a, b; bit f; short s; byte arr[3]; mtype m; Pair p;");
        let capacity = 1 + self.random.below(2);
        let _ = writeln!(self.out, "chan c0 = [{capacity}] of {{ byte }};");
        let capacity = 1 + self.random.below(2);
        let _ = writeln!(self.out, "chan c1 = [{capacity}] of {{ mtype, bit }};");
        self.line("chan r0 = [0] of { byte };");
        self.line("chan cs[2] = [1] of { byte };");
        self.line("inline put(v) { if :: a < 2 -> a = v :: else -> skip fi }");
        let count = 1 + self.random.below(2);
        let with_init = self.one_in(2);
        for number in 0..count {
            self.proctype(number, with_init);
        }
        if with_init {
            self.init(count);
        }
    }

    fn proctype(&mut self, number: usize, run_by_init: bool) {
        self.labels = (0..2).map(|label| format!("L{number}_{label}")).collect();
        let head = match (run_by_init, self.random.below(4)) {
            (true, _) => format!("proctype P{number}(byte x; chan q)"),
            (false, 0) => format!("active [2] proctype P{number}()"),
            (false, _) => format!("active proctype P{number}()"),
        };
        self.line(&head);
        let local = if run_by_init { "" } else { "byte x; chan q = cs[0]; " };
        let _ = writeln!(self.out, "{{ {local}byte y = 1; byte z;");
        let labels = self.labels.clone();
        let length = 1 + self.random.below(3);
        let mut parts: Vec<String> = (0..length).map(|_| self.statement(2, Within::Process)).collect();
        for label in &labels {
            let at = self.random.below(parts.len());
            parts[at] = format!("{label}: {}", parts[at]);
        }
        let end = if self.one_in(3) { "; end: skip" } else { "" };
        let _ = writeln!(self.out, "  {}{end}\n}}", parts.join(";\n  "));
    }

    fn init(&mut self, count: usize) {
        let mut runs = Vec::new();
        for number in 0..count {
            for _ in 0..1 + self.random.below(2) {
                let value = self.random.below(3);
                runs.push(match self.random.below(4) {
                    0 => format!("b = run P{number}({value}, c0)"),
                    1 => format!("run P{number}(b, cs[1])"),
                    _ => format!("run P{number}({value}, cs[0])"),
                });
            }
        }
        let body = runs.join("; ");
        let body = if self.one_in(2) { format!("atomic {{ {body} }}") } else { body };
        let tail = if self.one_in(3) { "; (_nr_pr == 1); a = 0" } else { "" };
        let _ = writeln!(self.out, "init {{ {body}{tail} }}");
    }

    fn sequence(&mut self, depth: usize, within: Within) -> String {
        let length = 1 + self.random.below(2);
        let parts: Vec<String> = (0..length).map(|_| self.statement(depth, within)).collect();
        parts.join("; ")
    }

    fn statement(&mut self, depth: usize, within: Within) -> String {
        if depth == 0 || self.one_in(3) {
            return self.simple(within);
        }
        match self.random.below(if self.d_step { 3 } else { 9 }) {
            0 => format!("if {} fi", self.options(depth - 1, within)),
            1 if self.d_step => format!("{{ {} }}", self.sequence(depth - 1, within)),
            1 => format!("do {} od", self.options(depth - 1, Within::Loop)),
            2 => format!("{{ {} }}", self.sequence(depth - 1, within)),
            3 => format!("atomic {{ {} }}", self.sequence(depth - 1, within)),
            4 => self.deterministic(depth - 1),
            5 if within == Within::Process => {
                format!("{{ {} }} unless {{ {} }}", self.sequence(depth - 1, Within::Process), self.guard())
            }
            6 => format!("for (z : 0 .. {}) {{ {} }}", 1 + self.random.below(2), self.simple(Within::Loop)),
            7 => "select (z : 0 .. 1)".to_owned(),
            _ => format!("do {} od", self.options(depth - 1, Within::Loop)),
        }
    }

    /// A d_step that begins with something that may block, and then never does.
    fn deterministic(&mut self, depth: usize) -> String {
        let guard = if self.one_in(2) { format!("{}; ", self.condition()) } else { String::new() };
        self.d_step = true;
        let body = self.sequence(depth, Within::Process);
        self.d_step = false;
        format!("d_step {{ {guard}{body} }}")
    }

    fn options(&mut self, depth: usize, within: Within) -> String {
        let count = 1 + self.random.below(2);
        let mut options: Vec<String> = Vec::new();
        for _ in 0..count {
            let guard = if self.d_step { self.condition() } else { self.guard() };
            let mut option = format!(":: {guard}");
            if self.one_in(2) {
                let _ = write!(option, " -> {}", self.sequence(depth, within));
            }
            if within == Within::Loop && !self.d_step && self.one_in(3) {
                option.push_str("; break");
            }
            options.push(option);
        }
        if self.d_step || self.one_in(2) {
            let exit = if within == Within::Loop && !self.d_step { "break" } else { "skip" };
            options.push(format!(":: else -> {exit}"));
        }
        options.join(" ")
    }

    /// Something that may block.
    fn guard(&mut self) -> String {
        match self.random.below(8) {
            0 => self.send(),
            1 | 2 => self.receive(),
            3 => "timeout".to_owned(),
            4 => self.simple(Within::Process),
            _ => self.condition(),
        }
    }

    fn condition(&mut self) -> String {
        let choices = [
            "a == 0",
            "b < 2",
            "f",
            "x != y",
            "(a > b || f)",
            "arr[z % 3] == 1",
            "len(c0) < 1",
            "nempty(c1)",
            "c0?[1]",
            "c1??[red, eval(f)]",
            "p.fst == p.snd[1]",
            "(f -> a == 1 : b == 1)",
            "s < 1 && !f",
            "m == green",
            "full(cs[0])",
            "_pid > 0",
        ];
        (*self.random.pick(&choices)).to_owned()
    }

    fn send(&mut self) -> String {
        let choices = ["c0!a", "c1!red,f", "c1!m(1)", "r0!y", "q!x", "cs[1]!2", "c1!!blue,0", "c0!!b", "cs[a % 2]!1"];
        (*self.random.pick(&choices)).to_owned()
    }

    fn receive(&mut self) -> String {
        let choices = [
            "c0?a",
            "c1?m,f",
            "c1?red,_",
            "r0?y",
            "r0?1",
            "q?x",
            "cs[1]?y",
            "c1??green,f",
            "c0??1",
            "c0?<b>",
            "c1?m,eval(f)",
            "r0?arr[1]",
            "cs[a % 2]?z",
        ];
        (*self.random.pick(&choices)).to_owned()
    }

    fn simple(&mut self, within: Within) -> String {
        let quiet = [
            "a = (a + 1) % 3",
            "b = x",
            "f = !f",
            "arr[a % 3] = 1",
            "arr[1] = b",
            "x = 1 - x",
            "y = y ^ 1",
            "skip",
            "printf(\"x\\n\")",
            "s = -a",
            "p.fst = 1",
            "p.snd[b % 2] = f",
            "m = red",
            "z = 0",
            "assert(a < 3)",
            "put(b)",
            "b = 300",
            "x = (a << 1) | f",
        ];
        if self.d_step || self.one_in(2) {
            return (*self.random.pick(&quiet)).to_owned();
        }
        match self.random.below(if within == Within::Loop { 6 } else { 5 }) {
            0 => self.send(),
            1 => self.receive(),
            2 => self.condition(),
            3 => format!("goto {}", self.random.pick(&self.labels)),
            4 => "{ byte w = a; w = 0 }".to_owned(),
            _ => "break".to_owned(),
        }
    }
}
